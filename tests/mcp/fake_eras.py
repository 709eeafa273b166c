#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""fake_eras.py - an MCP server of the era that its argument says.

The methods that it hears are lines of the file `heard`, where it starts.
"""

import json
import os
import sys
import time

MODE = sys.argv[1]
META = "io.modelcontextprotocol/"
NOTHING = {"type": "object"}
TOOLS = [{"name": name, "inputSchema": NOTHING}
         for name in ("echo", "logs", "needs", "samples", "again", "odd",
                      "asks")]
INFO = {"name": "fake", "version": "8.2"}
STATE = "state\u00e9\n"
LATE_S = 2
shaken = False


class Refused(Exception):
    def __init__(self, code, message, data=None):
        super().__init__(message)
        self.error = {"code": code, "message": message}
        if data:
            self.error["data"] = data


def mode():
    """That of `moves` is in a file, so that its entry stays as it is."""
    if MODE == "late":
        return "modern"
    if MODE != "moves":
        return MODE
    with open("mode", encoding="utf-8") as f:
        return f.read().strip()


def say(message):
    sys.stdout.write(json.dumps(dict(message, jsonrpc="2.0")) + "\n")
    sys.stdout.flush()


def text(s):
    return {"content": [{"type": "text", "text": s}]}


def needs(params):
    """Two rounds: the roots and a question, then only a state."""
    state = params.get("requestState")
    if state is None:
        return {"resultType": "input_required", "requestState": STATE,
                "inputRequests": {
                    "r1": {"method": "roots/list"},
                    "q\u00e9": {"method": "elicitation/create", "params": {
                        "message": "sure?", "requestedSchema": NOTHING}}}}
    if state == STATE:
        return {"resultType": "input_required",
                "requestState": json.dumps(params["inputResponses"])}
    assert "inputResponses" not in params and params["arguments"] == {"a": 1}
    return text(state)


def call(params, token):
    name = params["name"]
    if name == "logs":
        say({"method": "notifications/message",
             "params": {"level": "info", "data": "at work"}})
        say({"method": "notifications/progress",
             "params": {"progressToken": token, "progress": 1}})
    if name == "needs":
        return needs(params)
    if name == "samples":
        return {"resultType": "input_required", "inputRequests": {
            "s": {"method": "sampling/createMessage", "params": {}}}}
    if name == "again":
        return {"resultType": "input_required", "requestState": "x"}
    if name == "odd":
        return {"resultType": "task", "taskId": "1"}
    if name == "asks":
        say({"id": "ours", "method": "roots/list"})
        return text(json.dumps(json.loads(sys.stdin.readline()).get("error")))
    return text(json.dumps(params["_meta"]))


def check_request(params):
    meta = params.get("_meta", {})
    version = meta.get(META + "protocolVersion")
    if version is None or META + "clientCapabilities" not in meta:
        raise Refused(-32602, "_meta has no " + META + "protocolVersion")
    supported = {"future": ["2027-01-01"], "back": ["2025-11-25"]}.get(
        mode(), ["2026-07-28", "2025-11-25"])
    if version not in supported:
        raise Refused(-32022, "unsupported version",
                      {"supported": supported, "requested": version})


def answer(method, params):
    global shaken
    if method == "initialize" and mode() not in ("modern", "future"):
        shaken = True
        return {"protocolVersion": "2025-11-25", "serverInfo": INFO,
                "capabilities": {"tools": {}}}
    if mode() in ("modern", "future", "back", "dual") and (
            META + "protocolVersion" in params.get("_meta", {}) or
            mode() in ("modern", "future")):
        check_request(params)
        if method == "server/discover":
            return {"supportedVersions": ["2026-07-28"], "ttlMs": 0,
                    "capabilities": {"tools": {}}, "cacheScope": "private"}
    elif not shaken and method.startswith("tools/"):
        raise Refused(-32602, "before initialize")
    if method == "tools/list":
        return {"tools": TOOLS}
    if method == "tools/call":
        return call(params, params["_meta"].get("progressToken"))
    raise Refused(-32601, "no such method: " + method)


def main():
    first = True
    if MODE == "late": # as one that is downloaded first
        time.sleep(LATE_S)
    for line in sys.stdin:
        m = json.loads(line)
        with open("heard", "a", encoding="utf-8") as f:
            f.write(m["method"] + "\n")
        if mode() == "strict" and first and m["method"] != "initialize":
            sys.exit("expected initialize")
        first = False
        if "id" not in m:
            continue
        try:
            result = answer(m["method"], m.get("params", {}))
            if mode() in ("modern", "dual"):
                result = dict({"resultType": "complete", "_meta": {
                    META + "serverInfo": INFO}}, **result)
            say({"id": m["id"], "result": result})
        except Refused as why:
            say({"id": m["id"], "error": why.error})


os.umask(0o077)
main()
