# SPDX-License-Identifier: GPL-3.0-or-later
"""client.py - the client's side of agentsh mcp, for tests."""

import json
import os
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "..", "lib"))

import home  # noqa: E402
import piped  # noqa: E402
from listener import PATIENCE, Gone  # noqa: E402

PREFIX = "io.modelcontextprotocol/"
NEWEST = "2026-07-28"
TASKS = {"extensions": {PREFIX + "tasks": {}}}
FORM = {"elicitation": {"form": {}}}


class Client(piped.Piped):
    """A server that runs in a home of its own, and what it has sent.

    Questions of the handshake era are answered by `elicit`, a function of the
    params: a result, or None (no answer)."""

    def __init__(self, place, *options, cwd=None, **env):
        super().__init__(place, [home.program("agentsh"), "mcp", *options],
                         cwd, **env)
        self.next = 0
        self.answers, self.notices, self.asked = {}, [], []
        self.elicit = lambda params: {"action": "accept", "content": {}}
        self.has = {}  # our capabilities in 2026-07-28
        self.log = os.environ.get("AGENTSH_TEST_MESSAGES")

    def keep(self, way, message):
        """For who wants to look at all messages of the tests."""
        if self.log:
            with open(self.log, "a", encoding="utf-8") as file:
                file.write(json.dumps([id(self), way, message]) + "\n")

    def send(self, message):
        if not isinstance(message, bytes):
            self.keep(">", message)
            message = json.dumps(message).encode() + b"\n"
        self.write(message)

    def notify(self, method, params):
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def start(self, method, params=None):
        """Sends a request as it is; returns its id."""
        self.next += 1
        message = {"jsonrpc": "2.0", "id": self.next, "method": method}
        if params is not None:
            message["params"] = params
        self.send(message)
        return self.next

    def read(self, seconds=0.1):
        for line in self.lines(seconds):
            self.take(json.loads(line))

    def take(self, message):
        self.keep("<", message)
        if message.get("method") == "elicitation/create":
            self.asked.append(message)
            answer = self.elicit(message["params"])
            if answer is not None:
                self.send({"jsonrpc": "2.0", "id": message["id"],
                           "result": answer})
        elif "method" in message:
            self.notices.append(message)
        else:
            self.answers[message.get("id")] = message

    def until(self, condition, seconds=PATIENCE):
        end = time.monotonic() + seconds
        while not condition() and time.monotonic() < end:
            self.read()
        return condition()

    def wait(self, ident, seconds=PATIENCE):
        """The answer to a request: its result, or its error."""
        if not self.until(lambda: ident in self.answers, seconds):
            raise Gone("no answer to request %s" % ident)
        message = self.answers[ident]
        return message.get("result", message.get("error"))

    def request(self, method, params=None, seconds=PATIENCE):
        return self.wait(self.start(method, params), seconds)

    def initialize(self, version="2025-11-25", **capabilities):
        result = self.request("initialize", {
            "protocolVersion": version, "capabilities": capabilities,
            "clientInfo": {"name": "test-client", "version": "1"}})
        self.notify("notifications/initialized", {})
        return result

    def meta(self, version=NEWEST, **more):
        return {PREFIX + "protocolVersion": version,
                PREFIX + "clientInfo": {"name": "test-client", "version": "1"},
                PREFIX + "clientCapabilities": self.has, **more}

    def start_new(self, method, params=None, **meta):
        """A request of 2026-07-28."""
        return self.start(method, {**(params or {}), "_meta": self.meta(**meta)})

    def new(self, method, params=None, seconds=PATIENCE, **meta):
        return self.wait(self.start_new(method, params, **meta), seconds)

    def call(self, tool, seconds=PATIENCE, **args):
        """A tool's result, in the handshake era."""
        return self.request("tools/call", {"name": tool, "arguments": args},
                            seconds)

    def of(self, method):
        """The params of the notifications of a method so far."""
        return [n.get("params") for n in self.notices if n["method"] == method]


def text(result):
    """All text of a tool's result."""
    return "".join(c["text"] for c in result["content"])


def start(place, *options, version="2025-11-25", has=None, **env):
    """A client after its handshake."""
    client = Client(place, *options, **env)
    client.initialize(version, **(has or {}))
    return client
