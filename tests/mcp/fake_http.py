# SPDX-License-Identifier: GPL-3.0-or-later
"""fake_http.py - an MCP server over HTTP, of any era and any fault.

The last part of the path is the mode. What it was asked is in `heard`: the
HTTP method, that of the message, and the headers in lower case.
"""

import base64
import http.server
import json
import secrets
import threading

META = "io.modelcontextprotocol/"
NOTHING = {"type": "object"}
TOOLS = [{"name": "echo", "inputSchema": NOTHING,
          "description": "say it again"},
         {"name": "roots", "inputSchema": NOTHING},
         {"name": "\u00fcber alles", "inputSchema": NOTHING}]
TEXT = {"type": "string"}
MARKED = [
    {"name": "marked", "inputSchema": {"type": "object", "properties": {
        "region": dict(TEXT, **{"x-mcp-header": "Region"}),
        "deep": {"type": "object", "properties": {
            "n": {"type": "integer", "x-mcp-header": "N"},
            "on": {"type": "boolean", "x-mcp-header": "On"}}},
        "text": TEXT}}},
    {"name": "wrong", "inputSchema": {"type": "object", "properties": {
        "list": {"type": "array",
                 "items": dict(TEXT, **{"x-mcp-header": "X"})}}}}]
INFO = {"name": "fake", "version": "8.2"}
MODERN = ("modern", "modern-sse", "strict", "hangs-modern")
STREAMED = ("sse", "modern-sse", "crlf", "list", "unanswered", "dies-sse",
            "huge-sse", "hangs-sse", "polls", "endless")
MIB = 1 << 20
TOKEN = "right"


def text(s):
    return {"content": [{"type": "text", "text": s}]}


def decoded(value):
    if value.startswith("=?base64?") and value.endswith("?="):
        return base64.b64decode(value[9:-2]).decode()
    return value


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def __init__(self, tls=None):
        super().__init__(("127.0.0.1", 0), Handler)
        self.scheme = "https" if tls else "http"
        if tls:
            self.socket = tls.wrap_socket(self.socket, server_side=True)
        self.lock = threading.Lock()
        self.heard = []
        self.sessions = set()
        self.answers = {}      # to requests of ours, by id
        self.arrived = threading.Condition()
        self.waiting = {}      # id of an event: the answer that follows it
        self.ending = threading.Event()
        self.cut = threading.Event()  # a client has left a request
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *why):
        self.ending.set()
        self.shutdown()
        self.server_close()

    def url(self, mode):
        return "%s://127.0.0.1:%d/mcp/%s" % (
            self.scheme, self.server_address[1], mode)

    def methods(self):
        """What was heard since the last time."""
        with self.lock:
            heard, self.heard = self.heard, []
        return [h[1] or h[0] for h in heard if h[0] != "GET"]

    def handle_error(self, request, client_address):
        self.cut.set()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *words):
        pass

    @property
    def mode(self):
        return self.path.rsplit("/", 1)[-1].split("?")[0]

    def note(self, method=""):
        with self.server.lock:
            self.server.heard.append((self.command, method, {
                k.lower(): v for k, v in self.headers.items()}))

    def reply(self, status, body=b"", kind="application/json", **headers):
        self.send_response(status)
        if body:
            self.send_header("Content-Type", kind)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def reply_json(self, message, status=200, **headers):
        self.reply(status, json.dumps(dict(message, jsonrpc="2.0"),
                                      indent=1).encode(), **headers)

    def begin_stream(self, **headers):
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream; charset=utf-8")
        self.send_header("Transfer-Encoding", "chunked")
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()

    def chunk(self, data):
        self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
        self.wfile.flush()

    def event(self, message, end="\n"):
        data = json.dumps(dict(message, jsonrpc="2.0")) \
            if isinstance(message, dict) else json.dumps(message)
        self.chunk(("data: " + data + end + end).encode())

    def end_stream(self):
        self.wfile.write(b"0\r\n\r\n")

    def wait_for_client(self):
        """Until the client closes its connection, or the test ends."""
        self.connection.settimeout(0.1)
        while not self.server.ending.is_set():
            try:
                if not self.connection.recv(1):
                    break
            except TimeoutError:
                continue
            except OSError:
                break
        self.server.cut.set()
        self.close_connection = True

    # ---- requests

    def do_DELETE(self):
        self.note()
        self.server.sessions.discard(self.headers.get("Mcp-Session-Id"))
        self.reply(405 if self.mode == "stays" else 200)

    def do_GET(self):
        self.note()
        last = self.headers.get("Last-Event-ID")
        if self.mode == "polls" and last in self.server.waiting:
            self.begin_stream()
            self.event(self.server.waiting.pop(last))
            self.end_stream()
        elif self.mode == "listens":
            self.begin_stream()
            self.event({"method": "notifications/tools/list_changed"})
            self.event({"id": "get", "method": "roots/list"})
            self.wait_for_client()
        else:
            self.reply(405)

    def do_POST(self):
        size = int(self.headers["Content-Length"])
        m = json.loads(self.rfile.read(size))
        self.note(m.get("method", "response"))
        if not self.refused(m):
            self.answer(m)

    def refused(self, m):
        """Whatever has nothing to do with the message."""
        mode, port = self.mode, self.server.server_address[1]
        if mode == "auth" and \
                self.headers.get("Authorization") != "Bearer " + TOKEN:
            self.reply(401, WWW_Authenticate="Bearer")
        elif mode == "elsewhere":
            self.reply(307, Location="http://localhost:%d/mcp/plain" % port)
        elif mode == "moved":
            self.reply(307, Location="/mcp/plain")
        elif mode == "loops":
            self.reply(307, Location="/mcp/loops")
        elif mode == "nothing":
            self.reply(404, b"no such page", "text/plain")
        elif mode == "older":
            self.reply(405)
        elif mode == "page":
            self.reply(200, b"<html>hello</html>", "text/html")
        elif mode == "fails":
            self.reply(503)
        elif mode == "headers":
            self.reply(200, **{"X_%d" % i: "y" * 1000 for i in range(80)})
        else:
            return self.wrong_session(m)
        return True

    def wrong_session(self, m):
        """The strict reading of each era."""
        mode, id = self.mode, self.headers.get("Mcp-Session-Id")
        if mode in MODERN:
            return self.wrong_headers(m)
        if m.get("method") == "initialize" or mode == "nosession":
            return False
        if id in self.server.sessions:
            return False
        if id is None or mode == "gone400":
            self.reply_json({"id": None, "error": {
                "code": -32000, "message": "no valid session"}}, 400)
        else:
            self.reply(404)
        return True

    def wrong_headers(self, m):
        params = m.get("params", {})
        said = params.get("_meta", {}).get(META + "protocolVersion")
        name = self.headers.get("Mcp-Name")
        for wants, has in (
                (said, self.headers.get("MCP-Protocol-Version")),
                (m.get("method"), self.headers.get("Mcp-Method")),
                (params.get("name"), name and decoded(name)),
                (None, self.headers.get("Mcp-Session-Id"))):
            if wants != has:
                self.reply_json({"id": m.get("id"), "error": {
                    "code": -32020, "message": "header mismatch: %s, %s" %
                    (wants, has)}}, 400)
                return True
        return False

    # ---- messages

    def answer(self, m):
        method = m.get("method")
        if method is None:
            with self.server.arrived:
                self.server.answers[m["id"]] = m
                self.server.arrived.notify_all()
            self.reply(202)
        elif "id" not in m:
            self.reply(202)
        elif method == "initialize" and self.mode not in MODERN:
            self.initialize(m)
        elif method == "server/discover" and self.mode in MODERN:
            self.result(m, {"supportedVersions": ["2026-07-28"], "ttlMs": 0,
                            "capabilities": {"tools": {}},
                            "cacheScope": "private"})
        elif method == "tools/list":
            self.result(m, {"tools": TOOLS + MARKED})
        elif method == "tools/call":
            self.call(m)
        else:
            self.reply_json({"id": m["id"], "error": {
                "code": -32601, "message": "no such method"}}, 404)

    def initialize(self, m):
        id, headers = secrets.token_hex(8), {}
        if self.mode != "nosession":
            self.server.sessions.add(id)
            headers = {"Mcp_Session_Id": id}
        self.reply_json({"id": m["id"], "result": {
            "protocolVersion": "2025-11-25", "serverInfo": INFO,
            "capabilities": {"tools": {}}}}, **headers)

    def result(self, m, result):
        if self.mode in MODERN:
            result = dict({"resultType": "complete", "_meta": {
                META + "serverInfo": INFO}}, **result)
        message = {"id": m["id"], "result": result}
        if self.mode in STREAMED:
            self.begin_stream()
            self.event(message)
            self.end_stream()
        else:
            self.reply_json(message)

    def call(self, m):
        """By the mode, or else by the tool."""
        special = getattr(self, "call_" + self.mode.replace("-", "_"), None)
        if special:
            special(m)
        elif m["params"]["name"] == "roots":
            self.call_roots(m)
        elif self.mode in STREAMED:
            self.begin_stream()
            self.chunk(b": hello\n\nevent: ping\ndata: x\n\n")
            self.event({"method": "notifications/message", "params": {
                "level": "info", "data": "at work"}})
            self.event({"id": m["id"], "result": self.echo(m)})
            self.end_stream()
        else:
            self.result(m, self.echo(m))

    def echo(self, m):
        result = text(json.dumps(m["params"].get("arguments")))
        if self.mode in MODERN:
            result["resultType"] = "complete"
        return result

    def call_roots(self, m):
        """Asks the client meanwhile, as the eras before 2026-07-28 may."""
        self.begin_stream()
        self.event({"id": "ours", "method": "roots/list"})
        with self.server.arrived:
            self.server.arrived.wait_for(
                lambda: "ours" in self.server.answers, 20)
        said = self.server.answers.pop("ours", {}).get("result")
        self.event({"id": m["id"], "result": text(json.dumps(said))})
        self.end_stream()

    def call_listens(self, m):
        """Only when the request of the other stream has its answer: the
        client ends with its call."""
        with self.server.arrived:
            self.server.arrived.wait_for(
                lambda: "get" in self.server.answers, 20)
        self.result(m, self.echo(m))

    def call_crlf(self, m):
        self.begin_stream()
        data = json.dumps({"jsonrpc": "2.0", "id": m["id"],
                           "result": self.echo(m)}, indent=2)
        for byte in b"\xef\xbb\xbf" + "".join(
                "data: " + line + "\r\n" for line in
                data.split("\n")).encode() + b"\r\n":
            self.chunk(bytes([byte]))
        self.end_stream()

    def call_list(self, m):
        self.begin_stream()
        self.event([{"jsonrpc": "2.0", "method": "notifications/message",
                     "params": {"level": "info", "data": "listed"}},
                    {"jsonrpc": "2.0", "id": m["id"],
                     "result": self.echo(m)}])
        self.end_stream()

    def call_endless(self, m):
        """Its stream stays open after the answer."""
        self.begin_stream()
        self.event({"id": m["id"], "result": self.echo(m)})
        self.wait_for_client()

    def call_polls(self, m):
        self.begin_stream()
        self.server.waiting["e1"] = {"id": m["id"], "result": self.echo(m)}
        self.chunk(b"retry: 50\nid: e1\ndata:\n\n")
        self.end_stream()

    def call_unanswered(self, m):
        self.begin_stream()
        self.end_stream()

    def call_empty(self, m):
        self.reply(200)

    def call_garbage(self, m):
        self.reply(200, b"{no json")

    def call_other(self, m):
        self.reply_json({"id": 999, "result": {}})

    def call_dies(self, m):
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", "1000")
        self.end_headers()
        self.wfile.write(b'{"jsonrpc":')
        self.close_connection = True

    def call_dies_sse(self, m):
        self.begin_stream()
        self.chunk(b'data: {"jsonrpc":"2.0"')
        self.close_connection = True

    def call_hangs(self, m):
        self.wait_for_client()

    call_hangs_modern = call_hangs

    def call_hangs_sse(self, m):
        self.begin_stream()
        self.wait_for_client()

    def call_huge(self, m):
        self.reply_json({"id": m["id"], "result": text("x" * (17 * MIB))})

    def call_huge_sse(self, m):
        self.begin_stream()
        for _ in range(17):
            self.chunk(b"data: " + b"x" * MIB)
        self.end_stream()

    def call_gone(self, m):
        """Forgets the session once, before it does anything."""
        if not getattr(self.server, "forgot", False):
            self.server.forgot = True
            self.server.sessions.clear()
            self.wrong_session(m)
            return
        self.result(m, self.echo(m))

    call_gone400 = call_gone
