# SPDX-License-Identifier: GPL-3.0-or-later
"""transport.py - faults below the answer: time, size, TCP and HTTP."""

import gzip
import zlib

from .answer import text_of
from .table import fault

BIG = 17 << 20  # over the 16 MiB that a client takes
PROBE = 64 << 10


def wrong(x):
    """A plan that is whole but for its finish reason: it must not run."""
    return x.events(x.change(text=text_of("wrong"), finish=""))


@fault("reset", "the connection is reset in the middle", exit=4)
def reset(x):
    x.stream_head()
    for event in wrong(x):
        x.conn.chunk(event)
    x.conn.wait(0.2)  # lets the peer read: a reset takes unread bytes along
    x.conn.reset()


@fault("reset-first", "the connection is reset before the answer", exit=3,
       requests=(1, 2))
def reset_first(x):
    x.conn.reset()


@fault("eof-first", "the connection is closed before the answer", exit=3,
       requests=(1, 2))
def eof_first(x):
    x.leave()


@fault("eof", "the connection is closed in the middle of a chunked body",
       exit=4)
def eof(x):
    x.stream_head()
    for event in wrong(x):
        x.conn.chunk(event)
    x.leave()


@fault("eof-head", "the connection is closed inside the headers", exit=3,
       requests=(1, 2))
def eof_head(x):
    x.conn.send(b"HTTP/1.1 200 OK\r\nContent-Ty")
    x.leave()


@fault("short-body", "fewer bytes than Content-Length, then the end", exit=4)
def short_body(x):
    body = b"".join(wrong(x))
    x.stream_head([("Content-Length", len(body) + 1000)], chunked=False)
    x.conn.send(body)
    x.leave()


@fault("bad-chunk", "a chunk whose size is no number", exit=4)
def bad_chunk(x):
    x.stream_head()
    x.conn.chunk(b"".join(wrong(x)))
    x.conn.send(b"zebra\r\n")
    x.leave()


@fault("huge-chunk", "a chunk whose size overflows", exit=4)
def huge_chunk(x):
    x.stream_head()
    x.conn.chunk(b"".join(wrong(x)))
    x.conn.send(b"f" * 17 + b"\r\nx")
    x.leave()


@fault("no-http", "an answer that is not HTTP", exit=3, requests=(1, 2))
def no_http(x):
    x.conn.send(b"SSH-2.0-OpenSSH_9.2p1\r\n")
    x.leave()


@fault("http10", "HTTP/1.0: the body ends with the connection")
def http10(x):
    x.conn.head(200, [("Content-Type", x.wire.stream_type)], version="1.0")
    x.conn.send(b"".join(x.events()))
    x.leave()


@fault("chunk-extras", "chunk extensions and trailers")
def chunk_extras(x):
    x.stream_head()
    for event in x.events():
        x.conn.send(b"%X;name=value\r\n%s\r\n" % (len(event), event))
    x.conn.send(b"0\r\nX-Checksum: 1\r\n\r\n")


@fault("continue-100", "100 and 103 before the answer")
def continue_100(x):
    x.conn.send(b"HTTP/1.1 100 Continue\r\n\r\n"
                b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n")
    x.say()


@fault("gzip", "a compressed answer")
def gzipped(x):
    body = gzip.compress(b"".join(x.events()))
    x.stream_head([("Content-Encoding", "gzip")])
    for at in range(0, len(body), 100):
        x.conn.chunk(body[at:at + 100])
    x.conn.last_chunk()


@fault("gzip-bad", "a compressed answer whose bytes are damaged", exit=4)
def gzip_bad(x):
    body = bytearray(gzip.compress(b"".join(wrong(x))))
    body[len(body) // 2] ^= 0xFF
    body[-6] ^= 0xFF
    x.stream_head([("Content-Encoding", "gzip")])
    x.conn.chunk(bytes(body))
    x.conn.last_chunk()


def big_event(x, size):
    """One event whose text has size bytes."""
    return x.events(x.change(text="x" * size, pieces=size, finish=""))


@fault("gzip-bomb", "a small body that unpacks to more than 64 MiB", exit=4)
def gzip_bomb(x):
    pack = zlib.compressobj(9, zlib.DEFLATED, 31)
    line = b"".join(big_event(x, PROBE))
    x.stream_head([("Content-Encoding", "gzip")])
    for _ in range((64 << 20) // len(line) + 1):
        x.conn.chunk(pack.compress(line))
    x.conn.chunk(pack.flush())
    x.conn.last_chunk()


@fault("endless", "a text of more than 16 MiB that goes on", exit=4)
def endless(x):
    x.stream_head()
    event = x.events(x.change(text="x" * PROBE, pieces=PROBE, finish=""))
    for _ in range(BIG // PROBE * 4):
        x.conn.chunk(b"".join(event))
    x.conn.hang()


@fault("endless-noise", "more than 16 MiB of comments and blank lines",
       exit=4)
def endless_noise(x):
    noise = b": noise\n" if x.wire.letter != "l" else b"\n\n\n\n\n\n\n\n"
    x.stream_head()
    for _ in range(BIG // PROBE * 4):
        x.conn.chunk(noise * (PROBE // len(noise)))
    x.conn.hang()


@fault("long-line", "one line of more than 1 MiB", exit=4)
def long_line(x):
    x.stream(big_event(x, (1 << 20) + 100) + x.events())


@fault("line-fits", "one line of nearly 1 MiB is not too long")
def line_fits(x):
    size = (1 << 20) - 4096
    x.say(x.change(text=x.base.text + " " * (size - len(x.base.text)),
                   pieces=size, tokens_out=100))


@fault("body-fits", "nearly 16 MiB before the answer are not too much")
def body_fits(x):
    noise = b": noise\n" if x.wire.letter != "l" else b"\n" * 8
    x.stream_head()
    for _ in range((15 << 20) // PROBE):
        x.conn.chunk(noise * (PROBE // len(noise)))
    for event in x.events():
        x.conn.chunk(event)
    x.conn.last_chunk()


@fault("headers-fit", "60 KiB of headers are not too many")
def headers_fit(x):
    x.stream_head([("X-Fill-%d" % n, "y" * 1000) for n in range(60)])
    x.conn.chunk(b"".join(x.events()))
    x.conn.last_chunk()


@fault("odd-encoding", "a body in an encoding that was not asked for",
       exit=4)
def odd_encoding(x):
    x.stream_head([("Content-Encoding", "zebra")])
    x.conn.chunk(b"".join(wrong(x)))
    x.conn.last_chunk()


@fault("big-body", "an error of more than 16 MiB", exit=3, requests=(1, 2))
def big_body(x):
    x.conn.head(400, [("Content-Type", "application/json"),
                      ("Content-Length", BIG * 4)])
    for _ in range(BIG * 4 // PROBE):
        x.conn.send(b" " * PROBE)


@fault("big-headers", "more than 64 KiB of headers", exit=3)
def big_headers(x):
    x.stream_head([("X-Fill-%d" % n, "y" * 1000) for n in range(80)])
    x.conn.chunk(b"".join(x.events()))
    x.conn.last_chunk()


@fault("big-header", "one header of more than 64 KiB", exit=3)
def big_header(x):
    x.stream_head([("X-Fill", "y" * 70000)])
    x.conn.chunk(b"".join(x.events()))
    x.conn.last_chunk()


@fault("hang", "takes the request and never answers", exit=6)
def hang(x):
    x.conn.hang()


@fault("slow", "the first byte comes late, but in time")
def slow(x):
    x.conn.wait(x.number or 0.5)
    x.say()


@fault("stall", "stops in the middle and says no more", exit=6)
def stall(x):
    x.stream_head()
    for event in wrong(x):
        x.conn.chunk(event)
    x.conn.hang()


@fault("drip", "one byte a second", exit=6)
def drip(x):
    x.stream_head()
    for byte in b"".join(wrong(x)):
        x.conn.chunk(bytes([byte]))
        x.conn.wait(1)
    x.conn.hang()


@fault("drip-noise", "only signs of life, for ever", exit=6)
def drip_noise(x):
    x.stream_head()
    for _ in range(3600):
        x.conn.chunk(b"\n" if x.wire.letter == "l" else b": ping\n\n")
        x.conn.wait(0.3)


@fault("redirect-same", "307 to another path of this server",
       requests=(2, 2))
def redirect_same(x):
    if x.request.query.endswith("again"):
        x.say()
    else:
        x.redirect(x.request.target
                   + ("&" if x.request.query else "?") + "again")


@fault("redirect-loop", "307 to itself, always", exit=3, requests=(1, 20))
def redirect_loop(x):
    x.redirect(x.request.target)


@fault("redirect-other", "307 to another host", exit=3)
def redirect_other(x):
    x.redirect(x.server.other_url + x.request.target)


@fault("redirect-port", "307 to another port of this host", exit=3)
def redirect_port(x):
    x.redirect(x.server.port_url + x.request.target)


@fault("redirect-file", "302 to a file of this machine", exit=3)
def redirect_file(x):
    x.redirect("file:///etc/hostname", 302)


@fault("close", "a good answer, then the connection ends unannounced")
def close(x):
    x.say()
    x.leave()


@fault("open-end", "the last marker, then no end of the body", wires="oal")
def open_end(x):
    x.stream_head()
    for event in x.events():
        x.conn.chunk(event)
    x.conn.hang()


@fault("stale", "bad first; then the warm connection turns out dead",
       requests=(2, 3))
def stale(x):
    if x.server.count("stale " + x.wire.name) == 1:
        x.say(x.change(text="{}"))
        x.conn.request()
        x.leave()
    x.say()
