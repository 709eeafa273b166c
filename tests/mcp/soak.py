#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""soak.py - a server of MCP that is asked for long: memory and descriptors.

    top_builddir=build tests/mcp/soak.py 100000

Both eras are mixed. Not a part of make check: it takes long.
"""

import sys

from client import Client

import home  # noqa: E402
import usage  # noqa: E402


def main():
    with home.Home() as place, Client(place) as c:
        with open(place.path("file"), "w", encoding="ascii") as out:
            out.write("text\n" * 100)
        c.initialize()
        kinds = (
            ("tools/call", {"name": "fs_read_file",
                            "arguments": {"path": "file"}}),
            ("tools/list", {}), ("resources/list", {}), ("prompts/list", {}),
            ("tools/call", {"name": "cmd_run",
                            "arguments": {"command": "echo a"}}),
            ("resources/read", {"uri": "agentsh://output/last"}),
            ("tools/call", {"name": "no_such", "arguments": {}}),
            ("no/such", {}))

        def ask(n):
            method, params = kinds[n % len(kinds)]
            if n % 2:
                c.new(method, params)
            else:
                c.request(method, params)

        def forget():
            c.answers.clear()
            c.notices.clear()

        usage.run(c.child.pid, int(sys.argv[1]), ask, forget)


if __name__ == "__main__":
    main()
