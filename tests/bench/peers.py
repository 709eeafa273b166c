# SPDX-License-Identifier: GPL-3.0-or-later
"""peers.py - programs of the npm registry, which ours are measured beside.

`make bench-peers` installs them in a cache outside the tree; BENCH_PEERS names
another directory for them. A row whose peer is not there stands alone.
"""

import json
import os
import shutil
import subprocess

PACKAGES = {
    "@agentclientprotocol/claude-agent-acp": "^0.49.0",
    "@zed-industries/codex-acp": "^0.16.0",
    "opencode-ai": "^1.18.33",
    "@google/gemini-cli": "^0.61.0",
    "@modelcontextprotocol/server-filesystem": "^2026.8.31",
    "ws": "^8.18.0",
    "@modelcontextprotocol/server": "^2.4.0",
    "@hono/node-server": "^2.1.0",
    "zod": "^4.6.7",
    # later ones come without the example
    "acp-example": "npm:@agentclientprotocol/sdk@0.28.1",
}
# The program of each in node_modules, and its words.
PROGRAMS = {
    "claude-agent-acp": [".bin/claude-agent-acp"],
    "codex-acp": [".bin/codex-acp"],
    "opencode": [".bin/opencode", "acp"],
    "gemini": [".bin/gemini", "--experimental-acp"],
    "server-filesystem": [".bin/mcp-server-filesystem"],
    "example agent": ["acp-example/dist/examples/agent.js"],
}
LIMIT_S = 900


def folder():
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return os.environ.get("BENCH_PEERS") or os.path.join(
        cache, "agentsh-bench-peers")


def find(name):
    """The command line of a peer; FileNotFoundError when it is not there."""
    program, *words = PROGRAMS[name]
    path = os.path.join(folder(), "node_modules", program)
    if not os.path.exists(path) or not shutil.which("node"):
        raise FileNotFoundError("%s is not here: make bench-peers" % name)
    node = [] if os.access(path, os.X_OK) else ["node"]
    return [*node, path, *words]


def install():
    os.makedirs(folder(), exist_ok=True)
    with open(os.path.join(folder(), "package.json"), "w",
              encoding="utf-8") as out:
        json.dump({"name": "agentsh-bench-peers", "private": True,
                   "dependencies": PACKAGES}, out, indent=1)
    subprocess.run(["npm", "install", "--no-audit", "--no-fund", "--silent"],
                   cwd=folder(), check=True, timeout=LIMIT_S)


if __name__ == "__main__":
    install()
