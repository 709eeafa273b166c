#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""fake_fixtures.py - an MCP server with the tools that the conformance tests
call. As the server `test` of mcp.json they are test_simple_text and so on."""

import json
import sys
import time

TOOLS = ("simple_text", "error_handling", "tool_with_progress",
         "image_content", "audio_content", "embedded_resource",
         "multiple_content_types", "tool_with_logging", "sampling",
         "elicitation")


def say(message):
    sys.stdout.write(json.dumps(dict(message, jsonrpc="2.0")) + "\n")
    sys.stdout.flush()


def text(s, **more):
    return dict({"content": [{"type": "text", "text": s}]}, **more)


def progress(token):
    for done in (0, 50, 100):
        if token is not None:
            say({"method": "notifications/progress", "params": {
                "progressToken": token, "progress": done, "total": 100}})
        time.sleep(0.05)


def call(params):
    name = params["name"]
    if name == "simple_text":
        return text("This is a simple text response for testing.")
    if name == "error_handling":
        return text("This tool intentionally returns an error for testing",
                    isError=True)
    if name == "tool_with_progress":
        progress(params.get("_meta", {}).get("progressToken"))
        return text("done")
    if name == "tool_with_logging":
        for line in ("started", "processing", "completed"):
            say({"method": "notifications/message", "params": {
                "level": "info", "data": "Tool " + line}})
            time.sleep(0.05)
        return text("done")
    image = {"type": "image", "data": "aGVsbG8=", "mimeType": "image/png"}
    audio = {"type": "audio", "data": "aGVsbG8h", "mimeType": "audio/wav"}
    resource = {"type": "resource", "resource": {
        "uri": "test://embedded", "mimeType": "text/plain", "text": "it"}}
    return {"content": {
        "image_content": [image], "audio_content": [audio],
        "embedded_resource": [resource],
        "multiple_content_types": [{"type": "text", "text": "a"}, image,
                                   resource]}.get(name, [])}


def main():
    for line in sys.stdin:
        m = json.loads(line)
        method = m.get("method")
        if "id" not in m:
            continue
        if method == "initialize":
            say({"id": m["id"], "result": {
                "protocolVersion": "2025-11-25",
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "fixtures", "version": "1"}}})
        elif method == "tools/list":
            say({"id": m["id"], "result": {"tools": [
                {"name": name, "description": name,
                 "annotations": {"readOnlyHint": True},
                 "inputSchema": {"type": "object"}} for name in TOOLS]}})
        elif method == "tools/call":
            say({"id": m["id"], "result": call(m["params"])})
        else:
            say({"id": m["id"], "error": {"code": -32601,
                                          "message": "no such method"}})


if __name__ == "__main__":
    main()
