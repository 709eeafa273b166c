#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""fake_server.py - an MCP server that misbehaves as its argument says."""

import json
import os
import sys
import time

MODE = sys.argv[1] if len(sys.argv) > 1 else "plain"
NOTHING = {"type": "object"}
ODD = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object", "title": "odd", "$defs": {"Small": {"maximum": 9}},
    "properties": {
        "n": {"$ref": "#/$defs/Small"},
        "when": {"type": "string", "format": "date-time", "pattern": "\\d+"},
        "kind": {"enum": ["a", "b"], "default": "a"},
        "either": {"oneOf": [{"type": "string", "pattern": "^x"},
                             {"type": "string"}, {"not": {}}]}},
    "required": ["n"], "unevaluatedProperties": False,
}
TOOLS = [
    {"name": "echo", "description": "say\n it   again", "inputSchema": {
        "type": "object", "required": ["text"],
        "properties": {"text": {"type": "string"}}}},
    {"name": "camelCase", "inputSchema": NOTHING,
     "annotations": {"readOnlyHint": True}},
    {"name": "count", "inputSchema": NOTHING},
    {"name": "slow", "inputSchema": NOTHING},
    {"name": "kinds", "inputSchema": NOTHING},
    {"name": "fail", "inputSchema": NOTHING},
    {"name": "refuse", "inputSchema": NOTHING},
    {"name": "asks", "inputSchema": NOTHING},
    {"name": "looks", "inputSchema": NOTHING},
    {"name": "odd", "inputSchema": ODD},
    {"name": "hurts", "inputSchema": NOTHING,
     "annotations": {"readOnlyHint": True, "destructiveHint": True}},
    {"name": "n" * 70, "inputSchema": NOTHING},
]
PAGE = 5
calls = 0


def say(message):
    sys.stdout.write(json.dumps(dict(message, jsonrpc="2.0")) + "\n")
    sys.stdout.flush()


def raw(text):
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def text(s, **more):
    return dict({"content": [{"type": "text", "text": s}]}, **more)


def hear():
    line = sys.stdin.readline()
    if not line:
        sys.exit(0)
    return json.loads(line)


def ask(method):
    """A request of ours; what comes back for it."""
    say({"id": "ours\u00e9", "method": method})
    while True:
        m = hear()
        if m.get("id") == "ours\u00e9":
            return m


def slow(m):
    token = m["params"]["_meta"]["progressToken"]
    say({"method": "notifications/progress", "params": {
        "progressToken": token, "progress": 1, "total": 9}})
    while True:
        n = hear()
        if n.get("method") == "notifications/cancelled":
            path = os.environ.get("FAKE_NOTE")
            if path:
                with open(path, "w", encoding="utf-8") as f:
                    json.dump([n["params"]["requestId"], m["id"]], f)


def kinds():
    return {"content": [
        {"type": "text", "text": "one"},
        {"type": "image", "data": "aGVsbG8=", "mimeType": "image/png"},
        {"type": "audio", "data": "aGVsbG8h", "mimeType": "audio/wav"},
        {"type": "resource", "resource": {"uri": "x://y", "text": "four"}},
        {"type": "resource_link", "uri": "x://z", "name": "zed"},
        {"type": "new\nkind"}], "structuredContent": {"a": [1]}}


def reads():
    found = {"env": os.environ.get("FAKE_WORD"), "cwd": os.getcwd()}
    try:
        with open("made", "w", encoding="utf-8"):
            found["wrote"] = True
    except OSError:
        found["wrote"] = False
    return text(json.dumps(found))


def misbehave(m):
    """What the mode does in place of an answer; True: nothing."""
    if MODE == "dies":
        sys.exit("it hurts")
    if MODE == "stack":
        sys.exit("starting\nTypeError: it is torn\n    at a.js:1\n\nNode v1")
    if MODE == "garbage":
        raw("{this is no message")
    elif MODE == "other":
        say({"id": 999, "result": text("for another")})
    elif MODE == "empty":
        say({"id": m["id"], "result": {}})
    elif MODE == "hangs":
        time.sleep(1000)
    elif MODE == "huge":
        raw("x" * (17 << 20))
    elif MODE == "floods":
        while True:
            say({"method": "notifications/message",
                 "params": {"level": "info", "data": "x" * 100}})
    else:
        return True
    return False


def call(m):
    global calls
    calls += 1
    name = m["params"]["name"]
    args = m["params"]["arguments"]
    if not misbehave(m):
        return
    if name == "slow":
        slow(m)
    if name == "refuse":
        say({"id": m["id"], "error": {"code": -32602, "message": "not so"}})
        return
    if name == "count" and MODE == "twice":
        say({"id": m["id"], "result": text(str(calls))})
    if name == "count":
        say({"method": "notifications/message",
             "params": {"level": "warning", "data": "counting"}})
    say({"id": m["id"], "result": {
        "echo": lambda: text(args.get("text", "")),
        "camelCase": lambda: text("camel"),
        "count": lambda: text(str(calls)),
        "kinds": kinds,
        "fail": lambda: text("it did not work", isError=True),
        "asks": lambda: text(json.dumps([
            ask("ping").get("result"), ask("roots/list").get("result"),
            ask("sampling/createMessage").get("error", {}).get("code")])),
        "looks": reads,
        "odd": lambda: text(json.dumps(args)),
    }[name]()})


def tools(m):
    if MODE == "endless":
        return {"tools": [], "nextCursor": "again"}
    at = int(m.get("params", {}).get("cursor", 0))
    page = {"tools": TOOLS[at:at + PAGE]}
    if at + PAGE < len(TOOLS):
        page["nextCursor"] = str(at + PAGE)
    return page


def greet(m):
    if MODE in ("noisy", "chatty"):
        for i in range(5 if MODE == "noisy" else 500):
            raw("starting, step %d" % i)
    return {"protocolVersion": "1999-01-01" if MODE == "old" else
            m["params"]["protocolVersion"], "capabilities": {"tools": {}},
            "serverInfo": {"name": "fake", "version": "7.1"}}


def main():
    sys.stderr.write("fake server, mode %s\n" % MODE)
    while True:
        m = hear()
        method = m.get("method")
        if MODE == "logs":
            raw("[INFO] " + method)
        if method == "initialize":
            say({"id": m["id"], "result": greet(m)})
        elif method == "tools/list":
            say({"id": m["id"], "result": tools(m)})
        elif method == "tools/call":
            call(m)


main()
