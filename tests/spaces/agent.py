# SPDX-License-Identifier: GPL-3.0-or-later
"""agent.py - an agent's side of agentsh spaces, for tests. All that it gets is
held against the rules of the protocol."""

import json
import os
import re
import signal
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "..", "lib"))

import home  # noqa: E402
import piped  # noqa: E402
from listener import PATIENCE  # noqa: E402

OPTIONAL = object()

# The members of each event: their type, or (type, OPTIONAL).
COMMON = {"type": str, "timestamp": str, "operationId": (str, OPTIONAL)}
POLICY = {"operationType": str, "reason": str}
EVENTS = {
    "message": {"success": bool},
    "createFile": {"path": str, "success": bool,
                   "bytesWritten": (int, OPTIONAL), "error": (str, OPTIONAL)},
    "readFile": {"path": str, "success": bool, "content": (str, OPTIONAL),
                 "encoding": (str, OPTIONAL), "size": (int, OPTIONAL),
                 "error": (str, OPTIONAL)},
    "editFile": {"path": str, "success": bool, "editsApplied": (int, OPTIONAL),
                 "error": (str, OPTIONAL)},
    "deleteFile": {"path": str, "success": bool, "error": (str, OPTIONAL)},
    "shell": {"command": str, "success": bool, "exitCode": (int, OPTIONAL),
              "stdout": (str, OPTIONAL), "stderr": (str, OPTIONAL),
              "durationMs": int, "timedOut": (bool, OPTIONAL),
              "truncated": (bool, OPTIONAL), "error": (str, OPTIONAL)},
    "approvalRequired": {**POLICY, "details": dict},
    "policyDenied": {**POLICY, "suggestion": (str, OPTIONAL)},
    "error": {"category": str, "message": str, "details": (dict, OPTIONAL)},
}
DONE = {"createFile": {"bytesWritten"}, "editFile": {"editsApplied"},
        "readFile": {"content", "encoding", "size"}}
CATEGORIES = ("validation", "policy", "execution", "timeout", "system")
STATUSES = ("completed", "awaiting_approval", "error")
TIME = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z"


def wrong_event(event):
    """What is wrong with an event; None: nothing."""
    rules = {**COMMON, **EVENTS.get(event.get("type"), {})}
    if event.get("type") not in EVENTS:
        return "its type"
    for name, rule in rules.items():
        kind, optional = rule if isinstance(rule, tuple) else (rule, None)
        if name not in event:
            if not optional:
                return "%s is missing" % name
        elif type(event[name]) is not kind:  # a bool is an int as well
            return name
    if event.keys() - rules.keys():
        return "members %s" % (event.keys() - rules.keys())
    if not re.fullmatch(TIME, event["timestamp"]):
        return "its time"
    if event["type"] == "error" and event["category"] not in CATEGORIES:
        return "its category"
    if event.get("success") and DONE.get(event["type"], set()) - event.keys():
        return "it did not say what was done"
    if event.get("success") is False and event["type"] != "shell" and \
            "error" not in event:
        return "it did not say why it failed"
    return None


def wrong_message(message):
    if message.keys() != {"protocolVersion", "runId", "status", "events"}:
        return "members %s" % message.keys()
    if message["protocolVersion"] != "1.0" or \
            message["status"] not in STATUSES or \
            not isinstance(message["runId"], str) or \
            not message["runId"]:
        return "its version, status or run"
    asks = [e["type"] == "approvalRequired" for e in message["events"]]
    if (message["status"] == "awaiting_approval") != any(asks[-1:]):
        return "its status and its last event"
    return next(filter(None, map(wrong_event, message["events"])), None)


class Wrong(Exception):
    """A message that the rules do not allow."""


def shell(command, **more):
    return {"type": "shell", "command": command, **more}


def create(path, content="x", **more):
    return {"type": "createFile", "path": path, "content": content, **more}


def read(path, **more):
    return {"type": "readFile", "path": path, **more}


def edit(path, *pairs):
    return {"type": "editFile", "path": path, "edits": [
        {"oldContent": a, "newContent": b} for a, b in pairs]}


def delete(path):
    return {"type": "deleteFile", "path": path}


def say(text="x", **more):
    return {"type": "message", "content": text, **more}


def ops(*operations):
    return {"protocolVersion": "1.0", "operations": list(operations)}


def answer(run, op, decision="approved", **more):
    return {"runId": run, "approval": {"operationId": op,
                                       "decision": decision, **more}}


class Agent(piped.Piped):
    """agentsh spaces in the working directory of a Home."""

    def __init__(self, place, *options, **env):
        super().__init__(place, [home.program("agentsh"), "spaces", *options],
                         **env)

    def raw(self, data):
        self.write(data)

    def send(self, message):
        self.raw(json.dumps(message).encode() + b"\n")

    def recv(self, seconds=PATIENCE):
        """The next message; None: there is none."""
        line = self.next_line(seconds)
        if line is None:
            return None
        message = json.loads(line)
        if (wrong := wrong_message(message)):
            raise Wrong("%s: %s" % (wrong, line[:2000]))
        return message

    def run(self, *operations, seconds=PATIENCE):
        """The events message of these operations."""
        self.send(ops(*operations))
        return self.recv(seconds)

    def one(self, operation):
        """The only event of one operation."""
        return self.run(operation)["events"][0]

    def kill(self):
        self.child.send_signal(signal.SIGKILL)
        self.child.wait(PATIENCE)
        self.close()

    def close(self):
        """Ends it; its status and what it wrote to standard error."""
        return super().close(), self.errors
