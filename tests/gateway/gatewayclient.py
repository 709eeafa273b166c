# SPDX-License-Identifier: GPL-3.0-or-later
"""gatewayclient.py - agentsh gateway with an agent of the tests' own, and a
client of it, on plain sockets."""

import json
import os
import sys
import time
import uuid

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))
import home  # noqa: E402
import listener  # noqa: E402
from listener import PATIENCE, Gone  # noqa: E402

STUB = os.path.join(home.BUILDDIR, "stub-server")


class Gateway(listener.Server):
    """The server, on a port of its own; `stub`: with the stub agent; `within`:
    the words in front of it."""

    def __init__(self, place, *options, address="127.0.0.1:0", stub=True,
                 env=None, within=()):
        self.done = place.path("agents.log")
        super().__init__(place, [*within, STUB if stub else
                                 home.program("agentsh"),
                                 "gateway", "--listen", address, *options],
                         env={"STUB_LOG": self.done, **(env or {})})

    @property
    def port(self):
        return self.at[1]

    def client(self, path="/ws"):
        return Client(self.at, path)

    def agents_log(self):
        """What the agents wrote: (word, task, prompt)."""
        return [tuple(line.split(" ", 2))
                for line in self.place.read("agents.log").splitlines()]


class Client(listener.WebSocket):
    """A WebSocket; at: a port of this machine's, or an address as of
    listener.Server."""

    def __init__(self, at, path="/ws"):
        super().__init__(("127.0.0.1", at) if isinstance(at, int) else at,
                         path=path)
        self.check()
        self.notes = []

    def text(self, text):
        self.frame(listener.TEXT, text.encode())

    def message(self, seconds=PATIENCE):
        """The next message, or None when none comes in time."""
        until = time.monotonic() + seconds
        while True:
            whole = self.take_frame()
            if whole is None:
                try:
                    self.more(until - time.monotonic())
                except listener.Silence:
                    return None
                continue
            op, payload = whole
            if op == listener.TEXT:
                return json.loads(payload)
            if op == listener.PING:
                self.frame(listener.PONG, payload)
            elif op == listener.CLOSE:
                raise Gone("closed: %r" % payload)

    def send(self, action, **payload):
        name = str(uuid.uuid4())
        self.text(json.dumps({"id": name, "type": "request", "action": action,
                              "payload": payload}))
        return name

    def answer(self, name, seconds=PATIENCE):
        """The message with this id; notifications before it are kept."""
        until = time.monotonic() + seconds
        while True:
            m = self.message(until - time.monotonic())
            if m is None:
                raise Gone("no answer")
            if m["type"] != "notification" and m["id"] == name:
                return m
            self.notes.append(m)

    def ask(self, action, **payload):
        """The payload of the answer, which is no error."""
        m = self.answer(self.send(action, **payload))
        assert m["type"] == "response" and m["action"] == action, m
        return m["payload"]

    def refused(self, action, **payload):
        """Code and message of the error."""
        m = self.answer(self.send(action, **payload))
        assert m["type"] == "error" and m["action"] == action, m
        return m["payload"]["code"], m["payload"]["message"]

    def note(self, condition, seconds=PATIENCE):
        """The first notification for which condition(action, payload) is true;
        those before it are dropped."""
        until = time.monotonic() + seconds
        while True:
            m = self.notes.pop(0) if self.notes else \
                self.message(until - time.monotonic())
            if m is None:
                raise Gone("no such notification")
            if m["type"] == "notification" and \
                    condition(m["action"], m["payload"]):
                return m["payload"]

    def silent(self, seconds=0.3):
        """What comes in this time."""
        seen, self.notes = self.notes, []
        until = time.monotonic() + seconds
        while (m := self.message(max(0.001, until - time.monotonic()))):
            seen.append(m)
        return seen

    def state(self, task, state, seconds=PATIENCE):
        """The task, when it is in this state."""
        until = time.monotonic() + seconds
        while True:
            t = self.ask("task.get", id=task)
            if t["state"] == state or time.monotonic() > until:
                return t
            time.sleep(0.01)

    def create(self, title="T", **more):
        return self.ask("task.create", title=title,
                        **{"agent_type": "agentsh", **more})["id"]
