#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""faultserver.py - a model server for tests that fails on demand.

Speaks the OpenAI, Anthropic, Gemini and Ollama wire formats on a loopback
port of its own, which it prints as "port N". The model's name chooses what
goes wrong: "fault:rate,run" is one 429, then a good answer; --script takes
such a list as JSON. fault/script.py tells the syntax, --list the names.
"""

import argparse
import json
import os
import signal
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from fault import tls  # noqa: E402
from fault.script import BadSpec  # noqa: E402
from fault.server import Server  # noqa: E402
from fault.table import FAULTS  # noqa: E402


def options():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--list", action="store_true",
                        help="print the faults and what they do")
    parser.add_argument("--script", metavar="FILE",
                        help="a JSON list of successive answers")
    parser.add_argument("--default", metavar="SPEC", default="run",
                        help="answers models that name no fault [run]")
    parser.add_argument("--record", metavar="FILE",
                        help="append each request to FILE, a JSON line each")
    parser.add_argument("--key", help="refuse requests with another key")
    parser.add_argument("--tls", metavar="DIR",
                        help="speak TLS; the authority is DIR/ca.pem")
    parser.add_argument("--tls-flaw", choices=tls.SUBJECTS, default="good",
                        help="what is wrong with the certificate")
    parser.add_argument("--redirect-to", metavar="URL",
                        help="answer everything with a redirect to URL")
    parser.add_argument("--proxy", choices=("open", "login"),
                        help="also be an HTTP proxy; prints \"proxy N\"")
    parser.add_argument("--life", metavar="SECONDS", type=int, default=600,
                        help="end after so long, whatever happens [600]")
    return parser.parse_args()


def print_list():
    for row in FAULTS.values():
        print("%-26s %-4s %s" % (row.name, row.wires, row.what))


def read_script(path):
    if not path:
        return None
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def main():
    opts = options()
    if opts.list:
        print_list()
        return 0
    # Blocked before the threads start, so that it is this one that waits.
    ends = {signal.SIGTERM, signal.SIGINT, signal.SIGALRM}
    signal.pthread_sigmask(signal.SIG_BLOCK, ends)
    signal.alarm(opts.life)
    try:
        server = Server(read_script(opts.script), opts.default, opts.record,
                        opts.key, opts.tls and tls.make(opts.tls,
                                                        opts.tls_flaw),
                        opts.redirect_to, opts.proxy)
    except BadSpec as why:
        print("faultserver.py: %s" % why, file=sys.stderr)
        return 2
    print("port %d" % server.port, flush=True)
    if opts.proxy:
        print("proxy %d" % server.proxy_port, flush=True)
    signal.sigwait(ends)
    server.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())
