#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""soak.py - a space that is used for long: its memory and descriptors.

    top_builddir=build tests/spaces/soak.py 100000

Not a part of make check: it takes long.
"""

import sys

from agent import Agent, answer, create, delete, edit, read, say, shell

import home  # noqa: E402
import usage  # noqa: E402


def main():
    with home.Home() as place, Agent(place) as a:
        kinds = ((say("x"),), (create("f", "text", overwrite=True),),
                 (read("f"), edit("f", ("t", "u"))), (shell("echo a"),),
                 (create("g"), delete("g")), (read("none"),),
                 ({"type": "unknown"},))

        def ask(n):
            got = a.run(*kinds[n % len(kinds)])
            if not got["events"]:
                raise SystemExit("run %d: %s" % (n, got))
            if n % 100 == 0:  # one that waits, and is answered
                got = a.run(shell("rm -f f", id="op"))
                if got["status"] == "awaiting_approval":
                    a.send(answer(got["runId"], "op", "denied"))
                    a.recv()

        usage.run(a.child.pid, int(sys.argv[1]), ask)


if __name__ == "__main__":
    main()
