# SPDX-License-Identifier: GPL-3.0-or-later
"""framing.py - good answers in every framing that servers use."""

import json

from .table import fault

SSE = "oag"


def framed(name, what, shape, wires="oagl", **more):
    """A row that changes the events on their way; a list of writes."""
    @fault(name, what, wires=wires, **more)
    def play(x):
        x.say(shape=shape)


def before_each(noise):
    return lambda events: [part for event in events
                           for part in (noise, event)]


def each_byte(events):
    return [bytes([byte]) for byte in b"".join(events)]


def inside_letters(events):
    """Cuts within every letter of more than one byte, nowhere else."""
    out = [bytearray()]
    for byte in b"".join(events):
        if byte & 0xC0 == 0x80:
            out.append(bytearray())
        out[-1].append(byte)
    return [bytes(part) for part in out]


def only_lf(data):
    return data.replace(b"\r\n", b"\n")


def crlf(events):
    return [only_lf(e).replace(b"\n", b"\r\n") for e in events]


def line_ends_split(events):
    """CR LF, and a write ends between the two."""
    data = b"".join(crlf(events))
    parts = data.split(b"\r\n")
    return ([parts[0] + b"\r"]
            + [b"\n" + part + b"\r" for part in parts[1:-1]]
            + [b"\n" + parts[-1]])


def two_data_lines(events):
    """An object over two data lines, which belong together."""
    out = []
    for event in events:
        head, colon, rest = event.partition(b"data: {")
        out.append(head + b"data: {\ndata: " + rest if colon else event)
    return out


framed("comments", "comment lines between the events",
       before_each(b": still here\n\n"), SSE)
framed("ping", "the comment that pings, each time", before_each(b": ping\n"),
       SSE)
framed("processing", "a comment that says OPENROUTER PROCESSING",
       before_each(b": OPENROUTER PROCESSING\n\n"), SSE)
framed("keepalive", "a comment inside a data line",
       before_each(b"data: : keepalive\n\n"), SSE)
framed("empty-data", "data lines without data", before_each(b"data:\n\n"),
       SSE)
framed("blank-lines", "blank lines between the lines", before_each(b"\n"))
framed("ping-event", "events of a kind that nobody knows",
       before_each(b'event: heartbeat\nid: 7\nretry: 10\n'
                   b'data: {"type":"heartbeat"}\n\n'), SSE)
framed("crlf", "lines that end in CR LF", crlf)
framed("lf", "lines that end in LF", lambda e: [only_lf(x) for x in e])
framed("crlf-split", "a write ends between CR and LF", line_ends_split)
framed("one-write", "all events in one chunk", lambda e: [b"".join(e)])
framed("byte-chunks", "each byte in a chunk of its own", each_byte)
framed("utf8-split", "chunks end inside the letters", inside_letters)
framed("doubled", "data: data: before the object",
       lambda e: [x.replace(b"data: ", b"data: data: ") for x in e], SSE)
framed("no-space", "no blank after data:",
       lambda e: [x.replace(b"data: ", b"data:") for x in e], SSE)
framed("two-data-lines", "an object over two data lines", two_data_lines, SSE)
framed("bom-body", "a byte order mark before the first event",
       lambda e: [b"\xef\xbb\xbf"] + e)
framed("no-last-newline", "the last event without its newline",
       lambda e: [b"".join(e).rstrip(b"\r\n")])
framed("no-done", "the stream ends without its last marker",
       lambda e: [x for x in e if b"[DONE]" not in x
                  and b"message_stop" not in x], "oa")
framed("after-done", "more events after the last marker",
       lambda e: e + [b'data: {"choices":[{"index":0,"delta":{"content":'
                      b'"{}"}}]}\n\n'], "o")


@fault("bad-utf8", "bytes that are no UTF-8 in the command", exit=4)
def bad_utf8(x):
    x.say(shape=lambda events: [e.replace(b"good", b"go\xff\xfed")
                                for e in events])


@fault("json-break", "an event whose JSON is broken", exit=4)
def json_break(x):
    x.say(shape=lambda events: events[:2]
          + [e.replace(b"{", b"{{", 1) for e in events[2:3]] + events[3:])


@fault("duplicate-keys-wire", "an event that has a key twice", wires="ol")
def duplicate_keys_wire(x):
    x.say(shape=lambda events: [
        e.replace(b'"model":', b'"model":"other","model":') for e in events])


@fault("wrong-type", "a good stream that is called text/plain")
def wrong_type(x):
    x.stream_head(ctype="text/plain; charset=utf-8")
    x.conn.chunk(b"".join(x.events()))
    x.conn.last_chunk()


@fault("json-body", "one JSON body where a stream was asked for")
def json_body(x):
    x.whole(200, json.dumps(x.wire.body(x.base)).encode())


@fault("json-array", "the events as one JSON array", wires="g")
def json_array(x):
    x.whole(200, b"[" + b",\r\n".join(
        event[len("data: "):].strip() for event in x.events()) + b"]")


def changed(event, change):
    """An event of OpenAI's with its JSON changed; others as they are."""
    if not event.startswith(b"data: {"):
        return event
    value = json.loads(event[len("data: "):])
    for choice in value["choices"]:
        change(choice)
    return b"data: " + json.dumps(value).encode() + b"\n\n"


def add_nulls(choice):
    choice["delta"].setdefault("content", None)
    choice["delta"].update(tool_calls=None, refusal=None, reasoning=None)
    choice["finish_reason"] = choice["finish_reason"] or ""


def in_parts(choice):
    text = choice["delta"].get("content")
    if text:
        choice["delta"]["content"] = [
            {"type": "thinking", "thinking": [{"type": "text",
                                               "text": "echo wrong"}]},
            {"type": "text", "text": text}]


framed("nulls-wire", "null and empty words in every event", lambda events: [
    changed(event, add_nulls) for event in events], "o")
framed("content-parts", "the text as a list of parts", lambda events: [
    changed(event, in_parts) for event in events], "o")


@fault("error-event", "an error event after a whole plan, then the end",
       exit=4)
def error_event(x):
    events = x.events(x.change(finish=""))
    x.stream(events + [x.wire.error_event("overloaded",
                                          "too many people ask")])


@fault("error-first", "an error event before anything else", exit=3,
       requests=(1, 2))
def error_first(x):
    x.stream([x.wire.error_event("overloaded", "too many people ask")])


@fault("key-echo-event", "an error event that quotes the key", exit=4)
def key_echo_event(x):
    events = x.events(x.change(finish=""))
    x.stream(events + [x.wire.error_event(
        "auth", "the key %s is not valid" % x.wire.key(x.request))])


@fault("odd-finish", "a finish reason that nobody knows", exit=4)
def odd_finish(x):
    x.say(x.change(finish="weather"))


@fault("no-reason", "done without a reason, as old servers say it", wires="l")
def no_reason(x):
    x.say(shape=lambda events: [
        e.replace(b'"done_reason":"stop",', b"") for e in events])


@fault("no-finish", "a whole plan, then the end without a finish reason",
       exit=4)
def no_finish(x):
    x.stream(x.events(x.change(finish="")))
