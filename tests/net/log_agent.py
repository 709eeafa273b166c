# SPDX-License-Identifier: GPL-3.0-or-later
"""log_agent.py - an agent of the public protocol that writes down in its
directory which prompts it begins and which are done."""

import json
import os
import sys
import time

WORK = 0.02


def say(**message):
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def log(word, text):
    fd = os.open("agents.log", os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    os.write(fd, ("%s - %s\n" % (word, text)).encode())
    os.close(fd)


def prompt(params):
    text = "".join(part.get("text", "") for part in params["prompt"])
    log("begin", text)
    say(method="session/update", params={
        "sessionId": params["sessionId"], "update": {
            "sessionUpdate": "agent_message_chunk",
            "content": {"type": "text", "text": text}}})
    time.sleep(WORK)  # the work
    log("done", text)
    return {"stopReason": "end_turn"}


def main():
    for line in sys.stdin:
        m = json.loads(line)
        if "id" not in m or "method" not in m:
            continue
        if m["method"] == "initialize":
            result = {"protocolVersion": 1, "agentCapabilities": {
                "loadSession": True}}
        elif m["method"] == "session/new":
            result = {"sessionId": "s-%d-%d" % (os.getpid(),
                                                time.monotonic_ns())}
        elif m["method"] == "session/prompt":
            result = prompt(m["params"])
        else:
            result = {}
        say(id=m["id"], result=result)


if __name__ == "__main__":
    main()
