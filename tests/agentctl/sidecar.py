# SPDX-License-Identifier: GPL-3.0-or-later
"""sidecar.py - agentctl with an agent, and its clients, for tests.

    with home.Home() as place, sidecar.Sidecar(place) as s:
        s.post("start")
        s.call("echo", {"a": 1}).answer
"""

import json
import os
import shlex
import sys
import time

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "lib"), os.path.join(HERE, "..",
                                                              "mcp")]

import web  # noqa: E402
import home  # noqa: E402
import listener  # noqa: E402
import tap  # noqa: E402,F401

PATIENCE = 20
FAKE = os.path.join(HERE, "fake_agent.py")
API = "/api/v1/"


def agent(*words):
    """The command of the agent that does what it is told."""
    return shlex.join(["/usr/bin/python3", FAKE, *words])


class Sidecar(web.Server):
    """agentctl; variables are AGENTCTL_… without that, in lower case."""

    def __init__(self, place, *options, argv=None, env=None, cwd=None,
                 **variables):
        variables.setdefault("agent_command", agent())
        variables.setdefault("port", "0")
        super().__init__(
            place, argv=[*(argv or [home.program("agentctl")]), *options],
            cwd=cwd, env={**(env or {}), **{
                "AGENTCTL_" + k.upper(): v for k, v in variables.items()
                if v is not None}})

    def get(self, path, **headers):
        with self.peer() as p:
            return Answer(p.ask("GET", API + path, **headers))

    def post(self, path, body=b"", **headers):
        if not isinstance(body, bytes):
            body = json.dumps(body).encode()
        with self.peer() as p:
            return Answer(p.ask("POST", API + path, body, **headers))

    def call(self, method, params=None, **more):
        message = {"method": method, **more}
        if params is not None:
            message["params"] = params
        return self.post("acp/call", message)

    def send(self, **message):
        return self.post("acp/send", message)

    def status(self):
        return self.get("status").json

    def info(self):
        return self.status()["process_info"]

    def stream(self, path="acp/stream"):
        return Stream(self.at, API + path)

    def lines(self, stream=None, last=100):
        found = self.get("output?last=%d" % last).json["lines"]
        return [line["content"] for line in found
                if stream in (None, line["stream"])]


class Answer:
    def __init__(self, response):
        self.status, self.headers = response.status, response.headers
        self.body = response.body
        self.json = json.loads(self.body) if self.body else None

    @property
    def result(self):
        return self.json.get("result", self.json.get("error"))

    def __repr__(self):
        return "%d %.600s" % (self.status, self.body)


class Stream(listener.WebSocket):
    """A client of a WebSocket."""

    def __init__(self, at, path):
        super().__init__(at, path=path)
        self.closed = None  # the status and the reason
        self.opened = self.upgraded[0] == 101

    def send(self, message):
        if not isinstance(message, bytes):
            message = json.dumps(message).encode()
        self.frame(1, message)

    def text(self, seconds=PATIENCE):
        """The next text; None: the stream is closed, or there is none."""
        end = time.monotonic() + seconds
        while self.closed is None:
            got = self.take_frame()
            if got is None:
                try:
                    self.more(end - time.monotonic())
                except listener.Silence:
                    return None
                except listener.Gone:
                    self.closed = (1006, "")
                    return None
            elif got[0] == 8:
                self.closed = (int.from_bytes(got[1][:2], "big"),
                               got[1][2:].decode())
            elif got[0] == 9:
                self.frame(10, got[1])
            elif got[0] == 1:
                return got[1].decode()
        return None

    def next(self, seconds=PATIENCE):
        text = self.text(seconds)
        return None if text is None else json.loads(text)

    def until(self, condition, seconds=PATIENCE):
        """Those before, and the first message of which it is true."""
        seen = []
        while (m := self.next(seconds)) is not None:
            seen.append(m)
            if condition(m):
                return seen
        return seen + [None]

    def end(self, seconds=PATIENCE):
        """How it is closed, whatever comes before."""
        while self.closed is None and self.text(seconds) is not None:
            pass
        return self.closed
