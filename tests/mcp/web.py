# SPDX-License-Identifier: GPL-3.0-or-later
"""web.py - a client of agentsh mcp over HTTP, on plain sockets, for tests."""

import json

import client
from client import NEWEST, PREFIX

import home  # noqa: E402
import listener  # noqa: E402
from listener import Gone  # noqa: E402

JSON = "application/json"
BOTH = "application/json, text/event-stream"


class Server(listener.Server):
    """agentsh mcp that listens, in a home of its own."""

    def __init__(self, place, *options, address="127.0.0.1:0", argv=None,
                 **more):
        super().__init__(place, argv or [home.program("agentsh"), "mcp",
                                         "--listen", address, *options],
                         **more)

    @property
    def url(self):
        return "http://%s/mcp" % self.host

    def peer(self):
        return Peer(self)


class Peer(listener.Connection):
    """One connection."""

    def __init__(self, server):
        super().__init__(server.at)
        self.server = server

    def chunk(self):
        data = self.receive(int(self.line().split(";")[0], 16))
        if self.line():
            raise Gone("no end of a chunk")
        return data

    def body(self, headers):
        if "transfer-encoding" not in headers:
            return self.receive(int(headers.get("content-length", "0")))
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
