# SPDX-License-Identifier: GPL-3.0-or-later
"""port.py - editors of agentsh acp --listen, each on a WebSocket, for tests."""

import json
import os

from editor import Editor, Gone

import faults  # noqa: E402
import home  # noqa: E402
import listener  # noqa: E402
from fault.server import Server  # noqa: E402


class Port(listener.Server):
    """An agent that listens, in a home of its own, whose model gives these
    answers in turn."""

    def __init__(self, *answers, options=(), address="127.0.0.1:0",
                 settings="", command="acp", **env):
        self.server = Server(list(answers))
        place = faults.home_for("o", self.server.url)
        place.config(faults.CONFIG % faults.PATIENT + settings)
        super().__init__(
            place, [home.program("agentsh"), command, "--listen", address,
                    *options],
            env={"AGENTSH_PROVIDER": "openai", "AGENTSH_MODEL": "m", **env})

    def start(self):
        self.editors = []
        super().start()

    def stop(self, signo=15):
        """Ends it by a signal; the exit status."""
        for ed in self.editors:
            ed.close()
        return self.close(signo)

    def __exit__(self, *why):
        if not self.child.stderr.closed:
            self.stop()
        self.place.done()
        self.server.stop()

    def path(self, name):
        return os.path.join(self.place.work, name)

    def http(self, head):
        """The status and the headers of the answer to a request."""
        with listener.Connection(self.at) as c:
            c.send(head.encode())
            return c.head()


def upgrade(port, fields="", path="/acp"):
    return listener.upgrade(path, port.host, fields)


class Remote(Editor):
    """An editor on a WebSocket of a port."""

    def __init__(self, port, fields="", name="test-editor"):
        self.port, self.place, self.name = port, port.place, name
        port.editors.append(self)
        self.web = listener.WebSocket(port.at, path="/acp", host=port.host,
                                      fields=fields)
        self.web.check()
        self.closed, self.other = None, []
        self.next = 0
        self.answers, self.updates, self.asked, self.calls = {}, [], [], []
        self.permit = lambda params: "allow_once"
        self.serve = {}

    def close(self):
        self.web.close()

    def send(self, message):
        self.web.frame(listener.TEXT, message if isinstance(message, bytes)
                       else json.dumps(message).encode())

    def read(self, seconds=0.1):
        try:
            self.web.more(seconds)
        except listener.Silence:
            return
        while got := self.web.take_frame():
            self.take_data(*got)

    def take_data(self, kind, data):
        if kind == listener.TEXT:
            self.take(json.loads(data))
        elif kind == listener.CLOSE:
            self.closed = int.from_bytes(data[:2], "big")
        elif kind == listener.PING:
            self.web.frame(listener.PONG, data)
        else:
            self.other.append((kind, data))

    def until_closed(self):
        """The status of the server's close; 0: it had none."""
        try:
            self.until(lambda: self.closed is not None)
        except Gone:
            pass
        return self.closed or 0

    def initialize(self, version=1, **capabilities):
        info = {"name": self.name, "version": "1"}
        return self.request("initialize", {
            "protocolVersion": version, "clientInfo": info,
            "clientCapabilities": capabilities, "info": info,
            "capabilities": capabilities})

    def load(self, session, method="session/load", **more):
        return self.request(method, {"sessionId": session, "mcpServers": [],
                                     "cwd": self.place.work, **more})


def ready(port, **more):
    """An editor that is initialized."""
    ed = Remote(port, **more)
    ed.initialize()
    return ed
