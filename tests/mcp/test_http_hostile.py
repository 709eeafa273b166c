#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test_http_hostile.py - clients of agentsh mcp over HTTP that send, read and
leave as they like; ../net/test_smuggling.py has requests that are none."""

import json
import random
import socket
import time

import web
from web import alone, call, request, text

import home  # noqa: E402
import tap  # noqa: E402
import usage  # noqa: E402

MIB = 1 << 20
OK = b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"


def status_of(server, data):
    """The status that bytes are answered with; None: there is no answer."""
    with server.peer() as peer:
        peer.send(data)
        try:
            return peer.head()[0]
        except web.Gone:
            return None


def get(*lines, first=b"GET /health HTTP/1.1", host=b"Host: localhost"):
    return b"\r\n".join([first, *([host] if host else []), *lines, b"", b""])


def post(*lines, body=b""):
    return get(b"Content-Type: application/json", *lines,
               first=b"POST /mcp HTTP/1.1") + body


def pieces(t, server):
    """Requests in pieces, as a network may cut them."""
    s = web.Session(server)
    body = json.dumps(call("fs_read_file", path="notes.txt")).encode()
    head = ("POST /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: %s\r\n"
            "Content-Type: application/json\r\nMcp-Session-Id: %s\r\n" %
            (web.BOTH, s.id)).encode()
    sized = head + b"Content-Length: %d\r\n\r\n" % len(body) + body
    chunked = head + b"Transfer-Encoding: Chunked\r\n\r\n" + b"".join(
        b"%X;x=y\r\n%c\r\n" % (1, c) for c in body) + \
        b"0\r\nX-Trailer: y\r\n\r\n"
    with server.peer() as peer:
        for name, data in (("with a length", sized), ("in chunks", chunked)):
            for i in range(0, len(data)):
                peer.send(data[i:i + 1])
            t.is_(text(peer.response().answer), "one\n",
                  "byte after byte, " + name)
        peer.send(sized + chunked + sized + OK)
        seen = [peer.response() for _ in range(4)]
        t.is_([text(r.answer) if i < 3 else r.status
               for i, r in enumerate(seen)], ["one\n"] * 3 + [200],
              "several at once, in order")
        peer.send(head + b"Content-Length: %d\r\nExpect: 100-continue\r\n\r\n"
                  % len(body))
        t.is_(peer.head()[0], 100, "who waits is told to go on")
        peer.send(body)
        t.is_(text(peer.response().answer), "one\n", "and answered")
    with server.peer() as peer:
        peer.send(sized.replace(b"Accept:", b"Connection: close\r\nAccept:"))
        t.is_(peer.response().headers.get("connection"), "close",
              "who wants it gets a close")
        t.ok(peer.is_closed(), "after the answer")
    with server.peer() as peer:
        peer.send(sized)
        peer.socket.shutdown(socket.SHUT_WR)
        t.is_(text(peer.response().answer), "one\n",
              "who sends no more gets the answer in a session")


def pipeline(t, server):
    n = 20000
    with server.peer() as peer:
        sent = [0]
        data = OK * n
        peer.socket.setblocking(False)
        got, begin = b"", time.monotonic()
        while got.count(b'"ok"') < n and time.monotonic() - begin < 60:
            try:
                sent[0] += peer.socket.send(data[sent[0]:sent[0] + MIB])
            except BlockingIOError:
                pass
            try:
                got += peer.socket.recv(MIB)
            except BlockingIOError:
                time.sleep(0)
        t.is_(got.count(b'"ok"'), n, "20,000 requests at once")
    with server.peer() as peer:
        peer.send(OK * 3000)  # and never reads
        with server.peer() as other:
            t.is_(other.ask("GET", "/health").status, 200,
                  "who reads nothing holds nobody back")


def bodies(t, server):
    s = web.Session(server)
    big = call("fs_read_file", path="x" * (10 * MIB))
    r = s.post(big)
    t.ok(r.status == 200 and "error" in json.dumps(r.messages[-1]).lower(),
         "an argument of 10 MiB is answered", repr(r))
    r = s.post(b'{"a":[' + b"1," * (7 * MIB) + b"1]}")
    t.is_(r.status, 400, "14 MiB of values that are no message")
    r = s.post(b"[" * 100000)
    t.is_(r.status, 400, "a hundred thousand brackets")
    rand = random.Random(1)
    for _ in range(20):
        status_of(server, rand.randbytes(rand.randrange(1, 5000)) + b"\r\n" * 2)
    t.is_(s.post(request("ping")).answer, {}, "noise ends nobody else")
    with open(server.place.path("large.txt"), "w", encoding="ascii") as file:
        file.write("0123456789abcdef" * (MIB // 4))
    held = [s.start(call("fs_read_file", i, path="large.txt"))
            for i in range(20)]  # none of them reads
    t.is_(s.post(request("ping")).answer, {},
          "answers of 4 MiB that nobody reads hold nobody back")
    for peer in held:
        peer.close()


def leaves_while_parsed(t, server):
    """The body is long: it is parsed in a thread meanwhile."""
    message, headers = alone("tools/call", {
        "name": "cmd_run", "arguments": {"command": "sleep 1004"}},
        padding="x" * MIB)
    for ends in (socket.SHUT_WR, None) * 5:
        peer = server.peer()
        peer.start_post(message, **headers)
        if ends is None:
            peer.close()
            continue
        peer.socket.shutdown(ends)
        t.is_(peer.head()[0], 400, "who sends no more is told of the cancel")
        peer.close()
    t.ok(tap.poll(lambda: "sleep 1004" not in str(server.place.left())),
         "who leaves while a body is parsed cancels", server.place.left())


def slow_and_gone(t, server):
    """Those that wait for deadlines do so at the same time."""
    begin = time.monotonic()
    head, drip, body, sse, idle = (server.peer() for _ in range(5))
    head.send(b"GET /health HTTP/1.1\r\nHost: localhost\r\n")
    body.send(post(b"Content-Length: 1000", body=b"{"))
    s = web.Session(server)
    open_stream = s.listen()
    open_stream.head()
    sse.close()
    while time.monotonic() - begin < 13:
        try:
            drip.send(b"G" if time.monotonic() - begin < 1 else b"E")
        except OSError:
            break
        time.sleep(0.2)
    t.ok(time.monotonic() - begin < 13, "a head that drips is cut off")
    t.is_(head.head()[0], 408, "half a head is 408")
    t.ok(head.is_closed(), "and the end")
    body.socket.settimeout(20)
    t.is_(body.head()[0], 408, "half a body is 408")
    t.ok(time.monotonic() - begin < 22, "in time")
    t.is_(idle.is_closed(1), True, "who says nothing at all is cut off")
    alive = next(c for c in iter(open_stream.chunk, b"") if
                 c.startswith(b":"))
    t.ok(alive.startswith(b":"), "a silent stream says that it is alive")
    for peer in (head, drip, body, idle, open_stream):
        peer.close()
    for _ in range(200):
        with server.peer() as peer:
            peer.send(OK[:random.randrange(1, len(OK))])
    for _ in range(50):
        peer = s.start(call("cmd_run", command="sleep 0.1; seq 100000"))
        peer.close()
    t.is_(s.post(request("ping")).answer, {}, "who leaves harms nobody")


def many(t, place):
    with web.Server(place, "--max-connections", "4") as server:
        peers = [server.peer() for _ in range(4)]
        for peer in peers:
            t.is_(peer.ask("GET", "/health").status, 200, "one of four")
        with server.peer() as peer:
            t.is_(peer.head()[0], 503, "a fifth is told so")
        peers.pop().close()
        t.ok(tap.poll(lambda: status_of(server, OK) == 200),
             "and served when there is room")
        for peer in peers:
            peer.close()
    with web.Server(place) as server:
        seen = [web.Session(server).opened.status for _ in range(64)]
        t.is_(set(seen), {200}, "64 sessions")
        r = web.Peer(server).post(request("initialize", {
            "protocolVersion": "2025-11-25", "capabilities": {},
            "clientInfo": {"name": "x", "version": "1"}}))
        t.is_(r.status, 503, "one more is refused", repr(r))
        message, headers = alone("tools/list")
        with server.peer() as peer:
            t.is_(peer.post(message, **headers).status, 200,
                  "what needs no session goes on")


def never_reads(t, server):
    """A stream with much output, whose client reads nothing."""
    s = web.Session(server)
    s.post(request("logging/setLevel", {"level": "debug"}))
    peers = [s.start(call("cmd_run", i, "p%d" % i, command=(
        "for i in $(seq 40); do head -c 3000 /dev/zero | tr '\\0' x; echo; "
        "sleep 0.02; done"))) for i in range(8)]
    t.is_(s.post(request("ping", ident=99)).answer, {},
          "streams that nobody reads hold nobody back")
    for peer in peers:
        peer.close()


def main():
    t = tap.Tap()
    with home.Home() as place:
        with open(place.path("notes.txt"), "w", encoding="ascii") as file:
            file.write("one\n")
        with web.Server(place) as server:
            pieces(t, server)
            pipeline(t, server)
            bodies(t, server)
            never_reads(t, server)
            leaves_while_parsed(t, server)
            slow_and_gone(t, server)
            pid = server.child.pid
            if usage.descriptors(pid) is None:
                t.skip("descriptors", "they cannot be seen: run as root")
            else:
                t.ok(tap.poll(lambda: usage.descriptors(pid) < 80),
                     "descriptors are given back", usage.descriptors(pid))
            t.is_(server.close(), 0, "SIGTERM ends it with 0")
        many(t, place)
        t.ok(tap.poll(lambda: not place.left()), "nothing is left")
    t.done()


if __name__ == "__main__":
    main()
