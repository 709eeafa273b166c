#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test_smuggling.py - bytes that smuggle a request or hold a connection, on
every port of HTTP that there is: each is refused as it should be, or answered
right, and takes no memory."""

import contextlib
import random
import socket
import struct
import threading
import time

import ports

import home  # noqa: E402
import tap  # noqa: E402
import usage  # noqa: E402

OK = b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"
HEAD_S = 10      # for a head, from its first byte on
BODY_S = 15      # for a part of a body
SMUGGLED = b"GET /smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n"
CHUNKED = b"Transfer-Encoding: chunked"
FAST = 1.5       # seconds; what is refused at once


def get(*lines, first=b"GET /health HTTP/1.1", host=b"Host: localhost"):
    return b"\r\n".join([first, *([host] if host else []), *lines, b"", b""])


def post(path, *lines, body=b""):
    return get(b"Content-Type: application/json", *lines,
               first=b"POST %s HTTP/1.1" % path.encode()) + body


def refused(path):
    """Name, bytes, the status of the refusal. Nothing behind them is read.
    Where nothing takes a body, what is wrong with one is not seen."""
    return wrong_heads(path or "/none") + (wrong_bodies(path) if path else ())


def wrong_heads(path):
    def to(*lines, body=b""):
        return post(path, *lines, body=body)

    return (
        ("two Hosts", get(b"Host: localhost"), 400),
        ("two Hosts that differ", get(b"Host: evil"), 400),
        ("no Host", get(host=None), 400),
        ("a Host with a path", get(host=b"Host: localhost/x"), 400),
        ("a list of Hosts", get(host=b"Host: localhost, evil"), 400),
        ("two lengths", to(b"Content-Length: 2", b"Content-Length: 2",
                           body=b"{}"), 400),
        ("two lengths that differ", to(b"Content-Length: 0",
                                       b"Content-Length: 44",
                                       body=SMUGGLED), 400),
        ("a list of lengths", to(b"Content-Length: 2, 2", body=b"{}"), 400),
        ("a negative length", to(b"Content-Length: -1"), 400),
        ("a length with a plus", to(b"Content-Length: +2", body=b"{}"), 400),
        ("a length in hex", to(b"Content-Length: 0x2", body=b"{}"), 400),
        ("a length with a blank", to(b"Content-Length: 1 2", body=b"{}"), 400),
        ("an empty length", to(b"Content-Length:"), 400),
        ("a length that overflows",
         to(b"Content-Length: 18446744073709551618", body=b"{}"), 413),
        ("a huge length", to(b"Content-Length: 999999999999"), 413),
        ("a length and chunks", to(b"Content-Length: 5", CHUNKED,
                                   body=b"0\r\n\r\n" + SMUGGLED), 400),
        ("chunks and a length", to(CHUNKED, b"Content-Length: 5",
                                   body=b"0\r\n\r\n" + SMUGGLED), 400),
        ("another coding", to(b"Transfer-Encoding: gzip, chunked"), 501),
        ("a coding behind chunks", to(b"Transfer-Encoding: chunked, gzip"),
         501),
        ("identity", to(b"Transfer-Encoding: identity",
                        b"Content-Length: 2", body=b"{}"), 400),
        ("two codings", to(CHUNKED, CHUNKED), 400),
        ("two codings that differ", to(CHUNKED,
                                       b"Transfer-Encoding: x"), 400),
        ("a coding that is hidden", to(b"Transfer-Encoding: xchunked"), 501),
        ("a coding with a vertical tab",
         to(b"Transfer-Encoding: \x0bchunked"), 400),
        ("a coding of HTTP/1.0",
         to(CHUNKED).replace(b"HTTP/1.1", b"HTTP/1.0"), 400),
        ("a space before the colon", get(b"X-Y : 1"), 400),
        ("a space before the colon of a length",
         to(b"Content-Length : 44", body=SMUGGLED), 400),
        ("a tab before the colon of a coding",
         to(b"Transfer-Encoding\t: chunked", body=b"0\r\n\r\n"), 400),
        ("a folded line", get(b"X: 1", b" folded"), 400),
        ("a line folded by a tab", get(b"X: 1", b"\tfolded"), 400),
        ("a folded coding", to(b"Transfer-Encoding:", b" chunked"), 400),
        ("a fold first", get(host=b" Host: localhost"), 400),
        ("no colon", get(b"hello"), 400),
        ("no name", get(b": 1"), 400),
        ("a name with a byte of eight bits", get(b"X\xff: 1"), 400),
        ("a NUL", get(b"X: a\0b"), 400),
        ("a NUL in a name", get(b"X\0: a"), 400),
        ("a NUL in the target", get(first=b"GET /\0health HTTP/1.1"), 400),
        ("a control character", get(b"X: a\x01b"), 400),
        ("LF alone", OK.replace(b"\r\n", b"\n"), 400),
        ("one LF alone", get(b"X: a\nY: b"), 400),
        ("LF at the end alone", OK[:-4] + b"\n\n", 400),
        ("a CR alone", get(b"X: a\rY: b"), 400),
        ("CR CR LF", get(b"X: a\r"), 400),
        ("empty lines first", b"\r\n\r\n" + OK, 400),
        ("no version", b"GET /health\r\n\r\n", 400),
        ("HTTP/1.2", OK.replace(b"/1.1", b"/1.2"), 505),
        ("HTTP/1.10", OK.replace(b"/1.1", b"/1.10"), 400),
        ("http/1.1", OK.replace(b"HTTP", b"http"), 400),
        ("HTTP/2", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505),
        ("a word too many", get(first=b"GET /health x HTTP/1.1"), 400),
        ("two blanks", get(first=b"GET  /health HTTP/1.1"), 400),
        ("a tab for a blank", get(first=b"GET\t/health HTTP/1.1"), 400),
        ("a blank at the end", get(first=b"GET /health HTTP/1.1 "), 400),
        ("a blank first", get(first=b" GET /health HTTP/1.1"), 400),
        ("TLS", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\0\0\n", 400),
        ("no path", get(first=b"GET health HTTP/1.1"), 400),
        ("a star", get(first=b"GET * HTTP/1.1"), 400),
        ("a byte to be encoded", get(first=b"GET /\xff HTTP/1.1"), 400),
        ("a fragment", get(first=b"GET /health#x HTTP/1.1"), 400),
        ("another authority",
         get(first=b"GET http://evil/health HTTP/1.1"), 400),
        ("an authority with a user",
         get(first=b"GET http://a@localhost/health HTTP/1.1"), 400),
        ("CONNECT", get(first=b"CONNECT localhost:80 HTTP/1.1"), 400),
        ("a target that is too long",
         get(first=b"GET /" + b"x" * 9000 + b" HTTP/1.1"), 414),
        ("a target without end", b"GET /" + b"x" * 70000, 414),
        ("a method without end", b"G" * 70000, 414),
        ("a field that is too long", get(b"X: " + b"y" * 70000), 431),
        ("a field without end", OK[:-2] + b"X: " + b"y" * 70000, 431),
        ("a name without end", OK[:-2] + b"y" * 70000, 431),
        ("too many fields", get(*[b"X: y"] * 101), 431),
        ("fields without end", OK[:-2] + b"X: y\r\n" * 20000, 431),
        ("another expectation", get(b"Expect: tea"), 417))


def wrong_bodies(path):
    def to(body):
        return post(path, CHUNKED, body=body)

    return (
        ("a chunk that is none", to(b"xyz\r\n"), 400),
        ("a chunk that is longer than it says",
         to(b"2\r\nabcd\r\n"), 400),
        ("a chunk with LF", to(b"2\nab\n0\n\n"), 400),
        ("a chunk whose data end by LF",
         to(b"2\r\nab\n0\r\n\r\n"), 400),
        ("a negative chunk", to(b"-2\r\nab\r\n"), 400),
        ("a chunk with 0x", to(b"0x2\r\nab\r\n"), 400),
        ("a chunk with a blank before", to(b" 2\r\nab\r\n"),
         400),
        ("a huge chunk", to(b"fffffff\r\nab"), 413),
        ("a chunk of many digits",
         to(b"000000001\r\na\r\n"), 400),
        ("a chunk that overflows",
         to(b"10000000000000002\r\nab\r\n"), 400),
        ("a long extension",
         to(b"1;" + b"x" * 300 + b"\r\n"), 400),
        ("an extension without end",
         to(b"1;" + b"x" * 70000), 400),
        ("an extension with LF", to(b"1;a\nb\r\nx\r\n"), 400),
        ("a trailer that is none",
         to(b"0\r\nno trailer\r\n\r\n"), 400),
        ("trailers without end",
         to(b"0\r\n" + b"X: y\r\n" * 20000), 400))


def try_refused(t, server):
    for name, data, wanted in tap.sample(refused(server.row.takes)):
        begin = time.monotonic()
        with server.peer() as peer:
            peer.try_to_send(data + SMUGGLED + OK * 3)
            got = peer.status()
            took = time.monotonic() - begin
            behind = peer.status()
            closed = peer.is_closed(5)
        t.ok(got == wanted and behind is None and closed and took < FAST,
             "%s: %s" % (server.row.name, name),
             "%r, not %r; then %r; closed %r; after %.1f s" % (
                 got, wanted, behind, closed, took))


def answered(path):
    """Name, bytes, the statuses of all that is answered; None: any one."""
    if path is None:
        return tuple(row for row in answered("/none")
                     if b"POST" not in row[1])

    def to(*lines, body=b""):
        return post(path, *lines, body=body)

    return (
        ("a request", OK, (200,)),
        ("a pipeline", OK * 5, (200,) * 5),
        ("an empty line first", b"\r\n" + OK, (200,)),
        ("an authority of its own",
         get(first=b"GET http://localhost/health HTTP/1.1"), (200,)),
        ("HTTP/1.0", OK.replace(b"HTTP/1.1", b"HTTP/1.0"), (200,)),
        ("HTTP/1.0 without a Host", b"GET /health HTTP/1.0\r\n\r\n", (403,)),
        ("a path that leads up",
         get(first=b"GET /../health HTTP/1.1") + OK, (404, 200)),
        ("an encoded path", get(first=b"GET /%68ealth HTTP/1.1") + OK,
         (404, 200)),
        ("an encoded slash", get(first=b"GET /x%2f..%2fhealth HTTP/1.1") + OK,
         (404, 200)),
        ("two slashes", get(first=b"GET //health HTTP/1.1") + OK, (404, 200)),
        ("a method that is not there",
         get(first=b"BREW /health HTTP/1.1") + OK, (405, 200)),
        ("HEAD has no body", get(first=b"HEAD /health HTTP/1.1") + OK,
         ("head", 200)),
        ("GET with a length of 0", get(b"Content-Length: 0") + OK, (200, 200)),
        ("GET with a body",
         get(b"Content-Length: %d" % len(SMUGGLED)) + SMUGGLED + OK,
         (200, 200)),
        ("an empty Host", get(host=b"Host:") + OK, (403, 200)),
        ("another Host", get(host=b"Host: evil") + OK, (403, 200)),
        ("another Origin", get(b"Origin: https://evil") + OK, (403, 200)),
        ("a body that looks like a request",
         to(b"Content-Length: %d" % len(SMUGGLED), body=SMUGGLED) + OK,
         (None, 200)),
        ("chunks that look like one",
         to(CHUNKED, body=b"%x\r\n%s\r\n0\r\n\r\n" % (
             len(SMUGGLED), SMUGGLED)) + OK, (None, 200)),
        ("chunks with extensions and trailers",
         to(CHUNKED, body=b"2;a=b\r\n{}\r\n0;x\r\nX-Y: z\r\n\r\n") + OK,
         (None, 200)),
        ("a trailer that is a length",
         to(CHUNKED, body=b"2\r\n{}\r\n0\r\nContent-Length: 99\r\n\r\n") + OK,
         (None, 200)),
        ("CHUNKED in capitals",
         to(b"TRANSFER-encoding: CHUNKED", body=b"2\r\n{}\r\n0\r\n\r\n") + OK,
         (None, 200)),
        ("blanks around a value",
         to(b"Content-Length: \t 2 \t", body=b"{}") + OK, (None, 200)),
        ("close", get(b"Connection: close") + OK, (200,)),
        ("Close in a list", get(b"Connection: x, CLOSE") + OK, (200,)))


def read_answers(peer, wanted):
    """The statuses, and whether there is nothing behind them."""
    got = []
    for each in wanted:
        try:
            if each == "head":
                got.append("head" if peer.line().split()[1] == "200" else "?")
                while peer.line():
                    pass
                continue
            status = peer.response().status
        except ports.Gone:
            got.append("none")
            break
        got.append(None if each is None else status)
    return tuple(got), peer.rest


def try_answered(t, server):
    for name, data, wanted in tap.sample(answered(server.row.takes)):
        for piece in (len(data), 1):
            with server.peer() as peer:
                for at in range(0, len(data), piece):
                    peer.try_to_send(data[at:at + piece])
                peer.socket.shutdown(socket.SHUT_WR)
                got, rest = read_answers(peer, wanted)
                closed = peer.is_closed(5)
            t.ok(got == wanted and not rest and closed, "%s: %s%s" % (
                server.row.name, name, "" if piece > 1 else ", in bytes"),
                 got, wanted, rest)


class Holding(threading.Thread):
    """Peers that give half of something and wait, or a byte at a time."""

    def __init__(self, server):
        super().__init__(daemon=True)
        self.server = server
        self.begin = time.monotonic()
        path = server.row.takes
        rows = [("half a head", OK[:-2], 408, HEAD_S),
                ("half a line", OK[:9], 408, HEAD_S)]
        drips = [(lambda n: OK[:-2][n:n + 1] or b"y", HEAD_S),
                 (lambda n: b"GET /"[n:n + 1] or b"x", HEAD_S)]
        if path:
            drips.append((lambda n: (post(path, CHUNKED) if n == 0 else
                                     b"1\r\nx\r\n"), BODY_S))
        rows += () if not path else (
            ("half a body", post(path, b"Content-Length: 1000", body=b"{"),
             408, BODY_S),
            ("chunks without an end",
             post(path, CHUNKED, body=b"2\r\n{}\r\n"), 408, BODY_S),
            ("half a chunk", post(path, CHUNKED, body=b"ff\r\n{"), 408,
             BODY_S),
            ("half a trailer", post(path, CHUNKED, body=b"0\r\nX: y\r\n"),
             408, BODY_S))
        self.peers = []
        for name, data, status, limit in rows:
            peer = server.peer()
            peer.send(data)
            self.peers.append((name, peer, status, limit))
        self.drips = [(server.peer(), *row) for row in drips]
        self.ended = [None] * len(self.drips)

    def run(self):
        sent = 0
        while None in self.ended and \
                time.monotonic() - self.begin < BODY_S + 5:
            for i, (peer, bytes_of, _) in enumerate(self.drips):
                if self.ended[i] is None and \
                        not peer.try_to_send(bytes_of(sent)):
                    self.ended[i] = time.monotonic() - self.begin
            sent += 1
            time.sleep(0.1)

    def check(self, t):
        self.join()
        for i, (peer, _, limit) in enumerate(self.drips):
            ended = self.ended[i]
            t.ok(ended and limit - 1 < ended < limit + 3,
                 "%s: drip %d is cut off" % (self.server.row.name, i), ended)
            peer.socket.close()
        for name, peer, wanted, _ in self.peers:
            got = peer.status()
            t.ok(got == wanted and peer.is_closed(2),
                 "%s: %s is %d" % (self.server.row.name, name, wanted), got)
            peer.socket.close()


def try_noise(t, server):
    """Requests with bytes changed, left out and doubled: each peer is answered
    or dropped, and nobody else notices."""
    rand = random.Random(7)
    seeds = [data for _, data, *_ in (*refused(server.row.takes),
                                      *answered(server.row.takes))
             if len(data) < 3000]
    stuck = 0
    for _ in tap.sample(range(400)):
        data = bytearray(rand.choice(seeds) + rand.choice(seeds))
        for _ in range(rand.randrange(1, 6)):
            at = rand.randrange(len(data))
            data[at:at + rand.randrange(3)] = rand.choice((
                b"", b"\r\n", b"\0", b"\n", b" ", b":",
                rand.randbytes(2), bytes(data[at:at + 9]) * 2))
        with server.peer() as peer:
            peer.try_to_send(bytes(data))
            try:
                peer.socket.shutdown(socket.SHUT_WR)
            except OSError:
                pass
            stuck += not peer.is_closed(5)
    t.is_(stuck, 0, server.row.name + ": noise holds nothing")
    with server.peer() as peer:
        peer.send(OK)
        t.is_(peer.status(), 200, server.row.name + ": others are served")


def try_memory(t, server):
    """All of it again, and who leaves in the middle: memory stays."""
    def again():
        for _, data, _ in tap.sample(refused(server.row.takes)):
            with server.peer() as peer:
                peer.try_to_send(data)
                peer.is_closed(5)
        for _, data, _ in tap.sample(answered(server.row.takes)):
            for end in (len(data) // 3, len(data) // 2, len(data) - 1):
                with server.peer() as peer:
                    peer.try_to_send(data[:end])
                    peer.socket.setsockopt(
                        socket.SOL_SOCKET, socket.SO_LINGER,
                        struct.pack("ii", 1, 0))
        with server.peer() as peer:
            peer.send(OK)
            peer.status()

    again()
    before = usage.resident(server.pid)
    for _ in range(4):
        again()
    more = usage.resident(server.pid) - before
    t.ok(more < usage.MORE or usage.is_sanitized(),
         server.row.name + ": memory stays", more)


def try_server(t, server):
    """Generator: the second half is for when the deadlines are over."""
    holding = Holding(server)
    holding.start()
    for step in (try_refused, try_answered, try_noise, try_memory):
        step(t, server)
    yield
    holding.check(t)
    name = server.row.name
    if usage.descriptors(server.pid) is None:
        t.skip("descriptors", "they cannot be seen: run as root")
    else:
        t.ok(tap.poll(lambda: usage.descriptors(server.pid) < 40),
             name + ": descriptors are given back",
             usage.descriptors(server.pid))
    t.is_(server.close(), 0, name + ": SIGTERM ends it with 0")


def main():
    t = tap.Tap()
    with home.Home() as place, contextlib.ExitStack() as stack:
        tries = [try_server(t, stack.enter_context(ports.Server(place, row)))
                 for row in ports.SERVERS]
        for each in tries:  # they wait at the same time
            next(each)
        for each in tries:
            next(each, None)
        t.ok(tap.poll(lambda: not place.left()), "nothing is left")
    t.done()


if __name__ == "__main__":
    main()
