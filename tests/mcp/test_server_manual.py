#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test_server_manual.py - the conversations with agentsh mcp in
agentsh-protocols(7) take place as they stand there."""

import json
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "..", "acp"))

import test_manual as manual  # noqa: E402

import home  # noqa: E402
import tap  # noqa: E402


def main():
    t = tap.Tap()
    with open(manual.PAGE, encoding="utf-8") as page:
        text = manual.section(page.read(), manual.MCP)
    blocks = list(manual.literals(text))
    server = json.loads(blocks[0])["mcpServers"]["agentsh"]
    t.is_(server, {"command": "agentsh", "args": ["mcp"]},
          "the settings of a client start agentsh mcp")
    with home.Home() as place:
        for name in ("notes.txt", "old.log", "new.log"):
            with open(place.path(name), "w", encoding="utf-8") as file:
                file.write("one\ntwo\n")
        manual.converse(t, place, blocks, "mcp")
        t.is_(sorted(os.listdir(place.work)), ["new.log", "notes.txt"],
              "what got a yes ran, and nothing else")
    t.done()


if __name__ == "__main__":
    main()
