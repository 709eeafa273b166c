#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""schemaserver.py - a model server whose answers are random values of the
schema that each request has.

Speaks OpenAI's chat completions and responses, Anthropic's messages, Gemini's
generateContent and Ollama's chat on a loopback port of its own, which it
prints as "port N". A schema that the service would refuse is refused; without
one the answer is prose. At its end it prints a line for each answer.
"""

import argparse
import os
import signal
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from schema.server import SchemaServer  # noqa: E402


def options():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seed", type=int, default=1,
                        help="the same seed gives the same answers [1]")
    parser.add_argument("--plain", action="store_true",
                        help="strings are short, plain and not empty")
    parser.add_argument("--broken", action="store_true",
                        help="some strings hold NUL or half a surrogate pair")
    parser.add_argument("--cut", type=float, default=0.0, metavar="SHARE",
                        help="so many answers end at the token limit [0]")
    parser.add_argument("--life", metavar="SECONDS", type=int, default=600,
                        help="end after so long, whatever happens [600]")
    return parser.parse_args()


def main():
    opts = options()
    # Blocked before the threads start, so that it is this one that waits.
    ends = {signal.SIGTERM, signal.SIGINT, signal.SIGALRM}
    signal.pthread_sigmask(signal.SIG_BLOCK, ends)
    signal.alarm(opts.life)
    with SchemaServer(opts.seed, not opts.plain, opts.broken,
                      opts.cut) as server:
        print("port %d" % server.port, flush=True)
        signal.sigwait(ends)
        for told in server.told:
            print("%s\t%s%s\t%r" % (told.service, told.kind, "\tcut" *
                                    told.cut, told.text))
    return 0


if __name__ == "__main__":
    sys.exit(main())
