# SPDX-License-Identifier: GPL-3.0-or-later
"""peers_bad.py - slow, silent, flooding and malformed peers of every server
that listens, beside one that behaves and is served all the time.

    figures = peers_bad.hold(t, row, seconds, seed)
"""

import os
import random
import socket
import struct
import sys
import threading
import time

import ports

import home  # noqa: E402
import usage  # noqa: E402

MORE = 6 << 20  # bytes that it may grow by after its first third
SAMPLE_S = 0.25
AT_MOST = 12    # connections of a kind at once
UPGRADE = (b"GET %s HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
           b"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
           b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
STREAMS = {"bus": b"/", "gateway": b"/ws", "acp": b"/acp",
           "agentctl": b"/api/v1/acp/stream"}


def descriptors(server):
    """How many it has open; 0 where only root may know."""
    return usage.descriptors(server.pid) or 0


def connect(server, number):
    """From an address of its kind's own: none takes another one's share."""
    s = socket.create_connection(server.at, 5, ("127.0.0.%d" % number, 0))
    s.settimeout(0.3)
    return s


def frame(op, data, masked=True):
    n = len(data)
    head = bytes([0x80 | op])
    bit = 0x80 if masked else 0
    if n < 126:
        head += bytes([bit | n])
    else:
        head += bytes([bit | 126]) + struct.pack(">H", n)
    return head + (b"\0\0\0\0" if masked else b"") + data


def open_stream(s, server):
    s.sendall(UPGRADE % STREAMS.get(server.row.name, b"/"))
    return s.recv(1 << 16)


def slow(s, server, rng):
    """A byte at a time, without an end."""
    for byte in b"GET /health HTTP/1.1\r\nHost: localhost\r\nX-Y: " + b"z" * 99:
        s.sendall(bytes([byte]))
        time.sleep(rng.uniform(0.001, 0.03))  # it is slow


def silent(s, server, rng):
    if rng.random() < 0.5:
        open_stream(s, server)
    time.sleep(rng.uniform(0.1, 0.7))  # it is silent


def flooding(s, server, _rng):
    """Sends all it can, and reads nothing."""
    if server.row.name in STREAMS and _rng.random() < 0.6:
        open_stream(s, server)
        data = frame(1, b'{"jsonrpc":"2.0","id":1,"method":"ping",'
                        b'"params":{},"action":"health.check"}') * 200
    else:
        data = b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n" * 200
    for _ in range(50):
        s.sendall(data)


def malformed(s, server, rng):
    if server.row.name in STREAMS and rng.random() < 0.6:
        open_stream(s, server)
        s.sendall(rng.choice((
            frame(1, b"\xff\xfe"), frame(3, b"x"), frame(1, b"{", False),
            frame(1, b"[" * 60000), frame(9, b"x" * 200), rng.randbytes(300),
            frame(1, b'{"jsonrpc":"2.0","id":{},"method":5}'),
            b"\x81\xff" + b"\x7f" * 8)))
    else:
        s.sendall(rng.choice((
            rng.randbytes(500), b"GET\r\n\r\n", b"\0" * 100,
            b"POST %s HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n"
            b"Content-Length: 6\r\n\r\nhello" % (server.row.takes or
                                                 "/").encode(),
            b"GET / HTTP/1.1\r\nHost: a\r\n" + b"X: y\r\n" * 5000,
            b"GET /" + b"../" * 3000 + b" HTTP/1.1\r\n\r\n",
            b"POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: "
            b"application/json\r\nContent-Length: 9\r\n\r\n{\"a\":\xff\xff}" %
            (server.row.takes or "/").encode())))
    s.recv(1 << 16)


KINDS = (slow, silent, flooding, malformed)


class Bad(threading.Thread):
    def __init__(self, server, kind, number, seed):
        super().__init__()
        self.server, self.kind, self.number = server, kind, number
        self.rng = random.Random(seed)
        self.over, self.n = False, 0

    def run(self):
        while not self.over:
            try:
                with connect(self.server, self.number) as s:
                    self.n += 1
                    self.kind(s, self.server, self.rng)
            except OSError:
                time.sleep(0.01)


class Good(threading.Thread):
    """Asks on one connection after another, and is answered."""

    def __init__(self, server):
        super().__init__()
        self.server, self.over, self.n = server, False, 0
        self.longest, self.why = 0.0, None

    def run(self):
        while not self.over and not self.why:
            try:
                with connect(self.server, 2) as s:
                    s.settimeout(ports.PATIENCE)
                    for _ in range(20):
                        self.ask(s)
            except OSError as why:
                self.why = repr(why)

    def ask(self, s):
        begun = time.monotonic()
        s.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
        data = s.recv(1 << 16)
        self.longest = max(self.longest, time.monotonic() - begun)
        self.n += 1
        if b" 200 " not in data.split(b"\r\n")[0]:
            self.why = data[:200]
        time.sleep(0.02)  # it is no flood


def is_grown(samples):
    """By more than it may, after the first third."""
    third = max(kib for kib, _ in samples[:max(1, len(samples) // 3)])
    return max(0, samples[-1][0] - third)


def hold(t, row, seconds, seed):
    """The figures, as a line."""
    rng = random.Random(seed)
    with home.Home() as place, ports.Server(place, row) as server:
        first = descriptors(server)
        good = Good(server)
        bad = [Bad(server, kind, 10 + i, rng.random())
               for i, kind in enumerate(KINDS) for _ in range(3)]
        for one in [good, *bad]:
            one.start()
        samples, end = [], time.monotonic() + seconds
        while time.monotonic() < end and server.child.poll() is None:
            samples.append((usage.resident(server.pid),
                            descriptors(server)))
            server.until(lambda: False, SAMPLE_S)
        for one in [good, *bad]:
            one.over = True
        for one in [good, *bad]:
            one.join(60)
        t.is_(server.child.poll(), None, "%s: it lives" % row.name)
        t.is_(good.why, None, "who behaves is served %d times" % good.n)
        grown = is_grown(samples)
        t.ok(grown <= MORE or usage.is_sanitized(), "its memory is flat",
             "grew by %d KiB" % (grown >> 10))
        open_then = descriptors(server)
        server.until(lambda: descriptors(server) <= first + 4, 60)
        left = descriptors(server)
        t.ok(left <= first + 4, "its descriptors are as at first",
             "%s, then %s" % (first, left))
        t.is_(server.close(), 0, "and it ends by SIGTERM")
        fifth = samples[len(samples) // 5]
        return "%s, %d s: %s; KiB %d at first, %d after a fifth, %d at " \
            "most, %d at the end; descriptors %s at first, %d after a " \
            "fifth, %d at most, %s when they had left, %s after; the " \
            "longest answer %.3f s" % (
                row.name, seconds, ", ".join("%d %s" % (
                    sum(b.n for b in bad if b.kind is kind), kind.__name__)
                    for kind in KINDS),
                samples[0][0] >> 10, fifth[0] >> 10,
                max(s[0] for s in samples) >> 10, samples[-1][0] >> 10, first,
                fifth[1], max(s[1] for s in samples), open_then, left,
                good.longest)
