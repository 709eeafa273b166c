# SPDX-License-Identifier: GPL-3.0-or-later
"""editor.py - the editor's side of agentsh acp, for tests."""

import json
import os
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "..", "lib"))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "..", "tty"))

import home  # noqa: E402
import piped  # noqa: E402
from listener import PATIENCE, Gone  # noqa: E402


class Editor(piped.Piped):
    """An agent that runs in a home of its own, and what it has sent.

    Permissions are answered by `permit`, a function of the params: an option's
    id, None (no answer), or False (cancelled)."""

    def __init__(self, place, *options, cwd=None, **env):
        super().__init__(place, [home.program("agentsh"), "acp", *options],
                         cwd, **env)
        self.next = 0
        self.answers, self.updates, self.asked, self.calls = {}, [], [], []
        self.permit = lambda params: "allow_once"
        self.serve = {}  # our own methods: name -> function of params

    def send(self, message):
        data = message if isinstance(message, bytes) else json.dumps(
            message).encode() + b"\n"
        self.write(data)

    def notify(self, method, params):
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def start(self, method, params):
        """Sends a request; returns its id."""
        self.next += 1
        self.send({"jsonrpc": "2.0", "id": self.next, "method": method,
                   "params": params})
        return self.next

    def read(self, seconds=0.1):
        for line in self.lines(seconds):
            self.take(json.loads(line))

    def take(self, message):
        method = message.get("method")
        if method == "session/update":
            self.updates.append(message["params"])
        elif method == "session/request_permission":
            self.asked.append(message)
            choice = self.permit(message["params"])
            if choice is not None:
                self.answer_permission(message["id"], choice)
        elif method in self.serve:
            self.send({"jsonrpc": "2.0", "id": message["id"],
                       "result": self.serve[method](message["params"])})
        elif method:
            self.calls.append(message)
        else:
            self.answers[message.get("id")] = message

    def answer_permission(self, ident, choice):
        outcome = ({"outcome": "selected", "optionId": choice} if choice
                   else {"outcome": "cancelled"})
        self.send({"jsonrpc": "2.0", "id": ident,
                   "result": {"outcome": outcome}})

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

    def request(self, method, params, seconds=PATIENCE):
        return self.wait(self.start(method, params), seconds)

    def initialize(self, version=1, **capabilities):
        return self.request("initialize", {
            "protocolVersion": version,
            "clientInfo": {"name": "test-editor", "version": "1"},
            "clientCapabilities": capabilities})

    def new(self, cwd=None, **more):
        """A session's id."""
        return self.request("session/new", {
            "cwd": cwd or self.place.work, "mcpServers": [], **more}
            )["sessionId"]

    def prompt(self, session, text):
        return self.start("session/prompt", {
            "sessionId": session, "prompt": [{"type": "text", "text": text}]})

    def of(self, kind, session=None):
        """The updates of a kind so far."""
        return [u["update"] for u in self.updates
                if u.get("update", {}).get("sessionUpdate") == kind
                and session in (None, u["sessionId"])]

    def said(self, session=None):
        return "".join(u["content"]["text"]
                       for u in self.of("agent_message_chunk", session))
