# SPDX-License-Identifier: GPL-3.0-or-later
"""place.py - a home with servers in its mcp.json, for the tests of these."""

import json
import os

import home

SERVERS = os.path.join(home.SRCDIR, "tests", "mcp")
AGENTSH = os.path.join(home.BUILDDIR, "agentsh")
PYTHON = "/usr/bin/python3"


class Place(home.Home):
    def servers(self, **servers):
        self.text(json.dumps({"mcpServers": servers}))

    def text(self, text):
        path = os.path.join(self.env["XDG_CONFIG_HOME"], "agentsh",
                            "mcp.json")
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)

    def list(self):
        done = self.run([AGENTSH, "tool", "list", "-o", "json"])
        return {t["name"]: t for t in json.loads(done.out)["tools"]
                if t["source"] == "mcp"}

    def agree(self, *names):
        for name in names:
            found = self.list()[name]
            self.run([AGENTSH, "tool", "trust", name, found["sha256"]])

    def calls(self, *requests, stdin=""):
        for tool, args, *more in requests:
            stdin += json.dumps(dict(more[0] if more else {}, tool=tool,
                                     action="call", args=args)) + "\n"
        done = self.run([AGENTSH, "tool", "call"], stdin)
        return [json.loads(line) for line in done.out.splitlines()]

    def entry(self, mode="plain", program="fake_server.py", **more):
        """With a copy of the server that is ours alone."""
        path = os.path.join(self.root, "server", program)
        if not os.path.exists(path):
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(os.path.join(SERVERS, program), "rb") as old, \
                    open(path, "wb") as new:
                new.write(old.read())
        return dict({"command": PYTHON, "args": [path, mode]}, **more)
