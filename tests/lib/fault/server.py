# SPDX-License-Identifier: GPL-3.0-or-later
"""server.py - listens, records what came, and lets a fault answer it."""

import json
import socket
import threading
import time

from .answer import Answer, text_of
from .exchange import Exchange
from .http1 import Connection, Gone
from .proxy import serve_proxy
from .script import BadSpec, Script
from .wire_anthropic import Anthropic
from .wire_gemini import Gemini
from .wire_ollama import Ollama
from .wire_openai import OpenAI

WIRES = (OpenAI(), Anthropic(), Gemini(), Ollama())


class Server:
    """Listens on loopback. Beside the main port there are two that no client
    may be lured to: "other" on another address, "port" on another port; both
    answer with the wrong plan. All are recorded.
    """

    def __init__(self, script=None, default="run", record=None, key=None,
                 tls=None, redirect=None, proxy=None):
        self.script = Script(script, default)
        self.record_path = record
        self.key = key
        self.tls = tls
        self.redirect = redirect
        self.proxy = proxy  # "open", or "login" for one that wants a name
        self.requests = []
        self.lists = {}  # path: value, for a server that has other models
        self.lock = threading.Lock()
        self.open_sockets = set()
        self.stopping = False
        self.port = self.listen("main", "127.0.0.1")
        self.other_url = self.url_of("127.0.0.2",
                                     self.listen("other", "127.0.0.2"))
        self.port_url = self.url_of("127.0.0.1",
                                    self.listen("port", "127.0.0.1"))
        self.proxy_port = self.listen("proxy", "127.0.0.1") if proxy else 0
        self.url = self.url_of("127.0.0.1", self.port)

    def __enter__(self):
        return self

    def __exit__(self, *why):
        self.stop()

    def url_of(self, host, port):
        return "%s://%s:%d" % ("https" if self.tls else "http", host, port)

    def count(self, key):
        return self.script.count(key)

    def listen(self, name, host):
        sock = socket.create_server((host, 0), backlog=64)
        self.open_sockets.add(sock)
        threading.Thread(target=self.accept, args=(sock, name),
                         daemon=True).start()
        return sock.getsockname()[1]

    def accept(self, listener, name):
        while not self.stopping:
            try:
                sock, _ = listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(sock, name),
                             daemon=True).start()

    def serve(self, sock, name):
        """One connection, from its first byte to its last."""
        with self.lock:
            self.open_sockets.add(sock)
        try:
            if self.tls and name != "proxy":
                sock = self.tls.wrap_socket(sock, server_side=True)
            conn = Connection(sock)
            number = self.count("connection")
            while request := conn.request():
                request.connection = number
                if name == "proxy":
                    serve_proxy(self, conn, request)
                    return
                conn.read_body(request)
                self.answer(conn, request, name)
                if (request.header("connection") or "").lower() == "close":
                    return
        except (Gone, OSError, ValueError):
            pass
        finally:
            with self.lock:
                self.open_sockets.discard(sock)
            sock.close()

    def record(self, request, name, wire=None, fault=None):
        """Keeps what came; one JSON line each in the record's file."""
        entry = {"listener": name, "method": request.method,
                 "target": request.target, "headers": request.headers,
                 "body": request.body.decode("utf-8", "replace"),
                 "json": request.json, "connection": request.connection,
                 "wire": wire, "fault": fault,
                 "at": time.monotonic()}
        with self.lock:
            entry["n"] = len(self.requests) + 1
            self.requests.append(entry)
            if self.record_path:
                with open(self.record_path, "a", encoding="utf-8") as out:
                    out.write(json.dumps(entry) + "\n")

    def answer(self, conn, request, name):
        wire = next((w for w in WIRES if w.matches(request.path)), None)
        x = Exchange(conn, request, wire or WIRES[0], self)
        if name != "main":
            self.record(request, name)
            x.say(Answer(text_of("wrong")))
        elif self.redirect:
            self.record(request, name)
            x.redirect(self.redirect + request.target)
        elif wire and request.method == "POST":
            self.play(x, name)
        else:
            self.record(request, name)
            self.look_up(x, request)

    def play(self, x, name):
        """Refuses what the provider would refuse, else plays the fault."""
        try:
            row, x.number, x.base = self.script.next(x.wire, x.request)
        except BadSpec as why:
            self.record(x.request, name, x.wire.name)
            x.fail("missing", str(why))
            return
        self.record(x.request, name, x.wire.name, row.name)
        complaint = x.wire.complaint(x.request)
        if self.key and x.wire.key(x.request) != self.key:
            x.fail("auth", "the key is not valid")
        elif complaint:
            x.fail("bad", complaint)
        else:
            row.play(x)

    def look_up(self, x, request):
        """The lists of models, by which a client finds a server."""
        lists = {"/v1/models": WIRES[0], "/api/tags": WIRES[3]}
        if request.method == "GET" and request.path in self.lists:
            x.whole(200, json.dumps(self.lists[request.path]).encode())
        elif request.method == "GET" and request.path in lists:
            x.whole(200, json.dumps(lists[request.path].models()).encode())
        else:
            x.fail("missing", "nothing is at " + request.path)

    def stop(self):
        """Ends every connection; the threads follow."""
        self.stopping = True
        with self.lock:
            for sock in self.open_sockets:
                try:
                    sock.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass
                sock.close()
