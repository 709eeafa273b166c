# SPDX-License-Identifier: GPL-3.0-or-later
"""bus.py - agentsh bus in a home of its own, and clients on plain sockets.

    with home.Home() as place, bus.Bus(place, "--keep", "100") as b, \\
         b.client("a") as a:
        a.call("subscribe", topic="t")
"""

import itertools
import json
import os
import re
import socket
import struct
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "..", "lib"))

import home  # noqa: E402
import listener  # noqa: E402
from listener import (CLOSE, PATIENCE, PING, PONG, TEXT, Gone,  # noqa: E402
                      frame)


class Bus(listener.Server):
    """agentsh bus that listens; `within`: the words in front of it."""

    def __init__(self, place, *options, address="127.0.0.1:0", within=()):
        super().__init__(place, [*within, home.program("agentsh"), "bus",
                                 "--listen", address, *options])
        self.url = "unix:" + self.at if isinstance(self.at, str) else \
            "ws://%s:%d/" % self.at

    def client(self, name=None, **more):
        return Client(self, name, **more)

    def get(self, path):
        """The body of an answer to GET."""
        with listener.Connection(self.at) as c:
            c.send(b"GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n"
                   % path.encode())
            return c.receive(int(c.head()[1]["content-length"])).decode()

    def memory_kb(self):
        """What the server holds."""
        with open("/proc/%d/status" % self.child.pid, encoding="ascii") as f:
            return int(re.search(r"VmRSS:\s+(\d+)", f.read())[1])


def message(method, number, **params):
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": method,
                       "params": params})


class Client(listener.WebSocket):
    """A connection; with a name, one that has initialized."""

    def __init__(self, bus, name=None, token=None, fields=""):
        if token:
            fields += "Authorization: Bearer %s\r\n" % token
        super().__init__(bus.at, fields=fields)
        self.check()
        self.numbers = itertools.count(1)
        self.kept = []  # messages that nobody has asked for yet
        self.status = None
        if name:
            self.result("initialize", clientId=name)

    def abort(self):
        """Leaves without a word."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER,
                               struct.pack("ii", 1, 0))
        self.socket.close()

    def write(self, text):
        if isinstance(text, str):
            text = text.encode()
        self.frame(TEXT, text)

    def read(self, seconds=PATIENCE):
        """The next message of the bus."""
        end = time.monotonic() + seconds
        while True:
            got = self.take_frame()
            if got is None:
                self.more(end - time.monotonic())
            elif got[0] == CLOSE:
                self.status = int.from_bytes(got[1][:2], "big")
                raise Gone("closed by %d" % self.status)
            elif got[0] == PING:
                self.frame(PONG, got[1])
            elif got[0] == TEXT:
                return json.loads(got[1])

    def find(self, fits, seconds=PATIENCE):
        """The next message that fits; the others are kept."""
        for i, m in enumerate(self.kept):
            if fits(m):
                return self.kept.pop(i)
        end = time.monotonic() + seconds
        while True:
            m = self.read(end - time.monotonic())
            if fits(m):
                return m
            self.kept.append(m)

    def send(self, method, **params):
        """Sends a request: its id."""
        number = "r%d" % next(self.numbers)
        self.write(message(method, number, **params))
        return number

    def answer(self, number, seconds=PATIENCE):
        return self.find(lambda m: m.get("id") == number and
                         "method" not in m, seconds)

    def call(self, method, **params):
        return self.answer(self.send(method, **params))

    def result(self, method, **params):
        m = self.call(method, **params)
        if "result" not in m:
            raise AssertionError(json.dumps(m))
        return m["result"]

    def code(self, method, **params):
        return self.call(method, **params).get("error", {}).get("code")

    def publish(self, topic, seconds=PATIENCE, **payload):
        """What the sender is told."""
        number = self.send("sendMessage", topic=topic, payload=payload)
        return self.answer(number, seconds)["result"]

    def message(self, seconds=PATIENCE):
        """The next message of a topic: its id and its params."""
        m = self.find(lambda m: m.get("method") == "sendMessage", seconds)
        return m["id"], m["params"]

    def reply(self, number, stop=False):
        self.write(json.dumps({"jsonrpc": "2.0", "id": number, "result": {
            "success": True, "stopPropagation": stop}}))

    def fail(self, number):
        self.write(json.dumps({"jsonrpc": "2.0", "id": number, "error": {
            "code": -32000, "message": "no"}}))

    def take(self, stop=False):
        """The next message of a topic, which is answered: its params."""
        number, params = self.message()
        self.reply(number, stop)
        return params

    def silent(self, seconds=0.2):
        """Whether no message of a topic comes."""
        try:
            self.message(seconds)
        except Gone:
            return True
        return False
