# SPDX-License-Identifier: GPL-3.0-or-later
"""web.py - a client of agentsh mcp over HTTP, on plain sockets, for tests."""

import json
import os
import re
import select
import socket
import subprocess
import time

import client
from client import NEWEST, PATIENCE, PREFIX

import home  # noqa: E402

JSON = "application/json"
BOTH = "application/json, text/event-stream"


class Gone(Exception):
    """The server has closed the connection, or says nothing."""


class Server:
    """agentsh mcp that listens, in a home of its own."""

    def __init__(self, place, *options, address="127.0.0.1:0", cwd=None,
                 argv=None, **more):
        self.place = place
        self.child = subprocess.Popen(
            argv or [home.program("agentsh"), "mcp", "--listen", address,
                     *options],
            cwd=cwd or place.work, env={**place.env, **more.pop("env", {})},
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE, **more)
        self.log = b""
        os.set_blocking(self.child.stderr.fileno(), False)
        self.at = None
        self.until(lambda: b"listening" in self.log or
                   self.child.poll() is not None)
        found = re.search(rb"(unix:\S+|tcp:\S+|fd:\d+): listening", self.log)
        if not found:
            raise Gone(self.log.decode())
        text = found[1].decode()
        self.at = text[5:] if text.startswith("unix:") else \
            ("127.0.0.1", int(text.rsplit(":", 1)[1]))

    def until(self, condition, seconds=PATIENCE):
        end = time.monotonic() + seconds
        while not condition() and time.monotonic() < end:
            if select.select([self.child.stderr], [], [], 0.05)[0]:
                self.log += self.child.stderr.read(1 << 16) or b""
        return condition()

    def __enter__(self):
        return self

    def __exit__(self, *why):
        self.close()

    def close(self, signo=15):
        """Ends it by a signal; the exit status."""
        if self.child.poll() is None:
            self.child.send_signal(signo)
        try:
            self.child.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.child.kill()
            self.child.wait()
        if not self.child.stderr.closed:
            self.log += self.child.stderr.read() or b""
            self.child.stderr.close()
        if b"Sanitizer" in self.log or b"runtime error:" in self.log:
            raise AssertionError(self.log.decode("utf-8", "replace"))
        return self.child.returncode

    @property
    def host(self):
        return "localhost" if isinstance(self.at, str) else \
            "%s:%d" % self.at

    @property
    def url(self):
        return "http://%s/mcp" % self.host

    def peer(self):
        return Peer(self)


class Peer:
    """One connection."""

    def __init__(self, server):
        self.server = server
        unix = isinstance(server.at, str)
        self.socket = socket.socket(socket.AF_UNIX if unix else
                                    socket.AF_INET)
        self.socket.settimeout(PATIENCE)
        self.socket.connect(server.at)
        self.rest = b""

    def __enter__(self):
        return self

    def __exit__(self, *why):
        self.close()

    def close(self):
        self.socket.close()

    def send(self, data):
        self.socket.sendall(data)

    def more(self):
        try:
            data = self.socket.recv(1 << 18)
        except ConnectionResetError:
            data = b""
        except TimeoutError:
            raise Gone("the server says nothing") from None
        if not data:
            raise Gone("the connection has ended")
        self.rest += data

    def take(self, n):
        while len(self.rest) < n:
            self.more()
        data, self.rest = self.rest[:n], self.rest[n:]
        return data

    def line(self):
        while b"\r\n" not in self.rest:
            self.more()
        line, self.rest = self.rest.split(b"\r\n", 1)
        return line.decode("latin-1")

    def head(self):
        """The status and the headers of a response."""
        status = int(self.line().split(" ")[1])
        headers = {}
        while line := self.line():
            name, value = line.split(": ", 1)
            headers[name.lower()] = value
        return status, headers

    def chunk(self):
        data = self.take(int(self.line().split(";")[0], 16))
        if self.line():
            raise Gone("no end of a chunk")
        return data

    def body(self, headers):
        if "transfer-encoding" not in headers:
            return self.take(int(headers.get("content-length", "0")))
        data = b""
        while part := self.chunk():
            data += part
        return data

    def response(self):
        status, headers = self.head()
        return Response(status, headers, self.body(headers))

    def request(self, method="GET", path="/mcp", body=None, **headers):
        """Sends one; a header of None is left out."""
        fields = {"Host": self.server.host}
        if body is not None:
            fields["Content-Length"] = str(len(body))
        fields.update((k.replace("_", "-"), v) for k, v in headers.items())
        self.send("".join(["%s %s HTTP/1.1\r\n" % (method, path)] + [
            "%s: %s\r\n" % f for f in fields.items() if f[1] is not None
        ] + ["\r\n"]).encode() + (body or b""))

    def ask(self, *what, **headers):
        self.request(*what, **headers)
        return self.response()

    def start_post(self, message, **headers):
        """Sends a message; bytes as they are."""
        if not isinstance(message, bytes):
            message = json.dumps(message).encode()
        self.request("POST", "/mcp", message, **{
            "Content_Type": JSON, "Accept": BOTH, **headers})

    def post(self, message, **headers):
        self.start_post(message, **headers)
        return self.response()

    def events(self):
        """Those of a stream, from its first chunk on, as they come."""
        data = b""
        while part := self.chunk():
            data += part
            while b"\n\n" in data:
                text, data = data.split(b"\n\n", 1)
                event = Event(text.decode())
                if event.fields:
                    yield event

    def stream(self):
        """The head of a response that is a stream, and its events."""
        status, headers = self.head()
        return status, headers, self.events()

    def is_closed(self, seconds=PATIENCE):
        """Whether the server closes it, whatever comes before."""
        self.socket.settimeout(seconds)
        try:
            while self.socket.recv(1 << 18):
                pass
        except ConnectionResetError:
            return True
        except TimeoutError:
            return False
        return True


class Event:
    def __init__(self, text):
        self.fields = dict(
            line.split(": ", 1) if ": " in line else (line.rstrip(":"), "")
            for line in text.split("\n") if not line.startswith(":"))

    @property
    def id(self):
        return self.fields.get("id")

    @property
    def message(self):
        data = self.fields.get("data")
        return json.loads(data) if data else None


class Response:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    @property
    def kind(self):
        return self.headers.get("content-type", "").split(";")[0]

    @property
    def messages(self):
        if self.kind == JSON:
            return [json.loads(self.body)]
        events = [Event(e) for e in self.body.decode().split("\n\n") if e]
        return [e.message for e in events if e.message]

    @property
    def answer(self):
        """The result or error."""
        last = self.messages[-1]
        return last.get("result", last.get("error"))

    def __repr__(self):
        return "%d %s %.500s" % (self.status, self.headers, self.body)


def request(method, params=None, ident=1):
    message = {"jsonrpc": "2.0", "id": ident, "method": method}
    if params is not None:
        message["params"] = params
    return message


def call(tool, ident=1, token=None, **args):
    params = {"name": tool, "arguments": args}
    if token is not None:
        params["_meta"] = {"progressToken": token}
    return request("tools/call", params, ident)


class Session:
    """One of the handshake eras: a connection for each request."""

    def __init__(self, server, version="2025-11-25", has=None):
        self.server = server
        self.opened = self.raw(request("initialize", {
            "protocolVersion": version, "capabilities": has or {},
            "clientInfo": {"name": "web", "version": "1"}}, 0))
        self.id = self.opened.headers["mcp-session-id"]
        self.headers = {"Mcp_Session_Id": self.id,
                        "MCP_Protocol_Version": version}
        self.post({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def raw(self, message, **headers):
        with self.server.peer() as peer:
            return peer.post(message, **headers)

    def post(self, message, **headers):
        return self.raw(message, **{**self.headers, **headers})

    def start(self, message, **headers):
        peer = self.server.peer()
        peer.start_post(message, **{**self.headers, **headers})
        return peer

    def listen(self, **headers):
        peer = self.server.peer()
        peer.request("GET", "/mcp", **{"Accept": "text/event-stream",
                                       **self.headers, **headers})
        return peer

    def end(self):
        with self.server.peer() as peer:
            return peer.ask("DELETE", "/mcp", **self.headers)


def alone(method, params=None, ident=1, has=None, **meta):
    """A message of 2026-07-28, and its headers."""
    params = {**(params or {}), "_meta": {
        PREFIX + "protocolVersion": NEWEST,
        PREFIX + "clientCapabilities": has or {}, **meta}}
    headers = {"MCP_Protocol_Version": NEWEST, "Mcp_Method": method}
    name = params.get("name", params.get("uri", params.get("taskId")))
    if name:
        headers["Mcp_Name"] = name
    return request(method, params, ident), headers


def text(result):
    return client.text(result)
