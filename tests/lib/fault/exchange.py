# SPDX-License-Identifier: GPL-3.0-or-later
"""exchange.py - one request and its answer: what a fault plays on."""

import copy

from .answer import Answer, text_of
from .http1 import Gone
from .wire import ERRORS, dumps


class Exchange:
    """A request in a wire format, and the means to answer it.

    base is the good answer that the fault spoils; number is the fault's own
    argument (fault:slow=2 has 2); server knows the neighbours' addresses.
    """

    def __init__(self, conn, request, wire, server):
        self.conn = conn
        self.request = request
        self.wire = wire
        self.server = server
        self.base = Answer(text_of("run"))
        self.number = None

    def change(self, **fields):
        """The good answer with some fields changed."""
        other = copy.copy(self.base)
        for name, value in fields.items():
            setattr(other, name, value)
        return other

    def events(self, answer=None):
        return self.wire.events(answer or self.base)

    def max_tokens(self):
        return self.wire.max_tokens(self.request) or 4096

    def stream_head(self, headers=(), ctype=None, chunked=True):
        out = [("Content-Type", ctype or self.wire.stream_type),
               ("Cache-Control", "no-cache"), *headers]
        if chunked:
            out.append(("Transfer-Encoding", "chunked"))
        self.conn.head(200, out)

    def stream(self, writes, delay_ms=0):
        """A good head, each write as one chunk, a good end."""
        self.stream_head()
        for data in writes:
            if delay_ms:
                self.conn.wait(delay_ms / 1000)
            self.conn.chunk(data)
        self.conn.last_chunk()

    def say(self, answer=None, shape=None):
        """Answers as asked: streamed or in one piece."""
        answer = answer or self.base
        if self.wire.forced_tool(self.request) and not answer.calls:
            answer = copy.copy(answer)
            answer.tool = True
        if self.wire.is_stream(self.request):
            events = self.wire.events(answer)
            self.stream(shape(events) if shape else events, answer.delay_ms)
        else:
            self.whole(200, dumps(self.wire.body(answer)).encode())

    def whole(self, status, body, ctype="application/json", headers=()):
        """An answer of one piece with its length."""
        self.conn.head(status, [("Content-Type", ctype),
                                ("Content-Length", len(body)), *headers])
        self.conn.send(body)

    def fail(self, kind, message, headers=(), status=None, value=None):
        """An error in the provider's own shape, or the value given."""
        value = value or self.wire.error(kind, message)
        self.whole(status or ERRORS[kind][0], dumps(value).encode(),
                   headers=headers)

    def redirect(self, url, status=307):
        self.whole(status, b"", headers=[("Location", url)])

    def leave(self):
        """Ends the connection without another byte."""
        raise Gone("left")
