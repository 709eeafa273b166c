# SPDX-License-Identifier: GPL-3.0-or-later
"""wireclient.py - asks the fault server, and keeps every byte it sends."""

import http.client
import io
import json
import select
import socket
import time

WIRES = {"o": "openai", "a": "anthropic", "g": "gemini", "l": "ollama"}
KEY = "sk-test-0123456789abcdef"
QUIET = 0.5  # seconds without a byte: the server is not answering
LATE = 30.0  # the same where it has to: the machine may be busy
LONG = 5.0   # seconds after which an answer has no end


def request_of(letter, spec):
    """Path, headers and body of a request that each provider would take."""
    model = "fault:" + spec
    turns = [{"role": "user", "content": "note it"}]
    if letter == "o":
        return "/v1/chat/completions", {"Authorization": "Bearer " + KEY}, {
            "model": model, "stream": True, "messages": turns,
            "max_tokens": 4000, "temperature": 0, "response_format": {},
            "stream_options": {"include_usage": True}}
    if letter == "a":
        return "/v1/messages", {"x-api-key": KEY,
                                "anthropic-version": "2023-06-01"}, {
            "model": model, "stream": True, "messages": turns,
            "max_tokens": 4000, "temperature": 0, "output_config": {}}
    if letter == "g":
        path = "/v1beta/models/%s:streamGenerateContent?alt=sse" % model
        return path, {"x-goog-api-key": KEY}, {
            "contents": [{"role": "user", "parts": [{"text": "note it"}]}],
            "generationConfig": {"responseJsonSchema": {}}}
    return "/api/chat", {"Authorization": "Bearer " + KEY}, {
        "model": model, "stream": True, "messages": turns, "format": {},
        "think": "low"}


def request_bytes(letter, spec, close):
    path, headers, body = request_of(letter, spec)
    data = json.dumps(body).encode()
    head = ["POST %s HTTP/1.1" % path, "Host: 127.0.0.1",
            "Content-Type: application/json",
            "Content-Length: %d" % len(data),
            "Connection: %s" % ("close" if close else "keep-alive")]
    head += ["%s: %s" % pair for pair in headers.items()]
    return "\r\n".join(head).encode() + b"\r\n\r\n" + data


def ask(port, letter, spec, close=False, limit=1 << 18, quiet=LATE):
    """The bytes that came, and how they ended: "eof", "reset", "quiet" (no
    byte for a while) or "limit" (so many bytes, or so long)."""
    until = time.monotonic() + max(LONG, quiet)
    with socket.create_connection(("127.0.0.1", port), 10) as sock:
        sock.sendall(request_bytes(letter, spec, close))
        data = b""
        while len(data) < limit and time.monotonic() < until:
            if not select.select([sock], [], [], quiet)[0]:
                return data, "quiet"
            try:
                more = sock.recv(65536)
            except ConnectionResetError:
                return data, "reset"
            if not more:
                return data, "eof"
            data += more
        return data, "limit"


def times(port, letter, spec, n):
    """Seconds from the request to each of the first n reads."""
    with socket.create_connection(("127.0.0.1", port), 10) as sock:
        start = time.monotonic()
        sock.sendall(request_bytes(letter, spec, True))
        at = []
        while len(at) < n and sock.recv(65536):
            at.append(time.monotonic() - start)
    return at


class Bytes:
    """Bytes in the shape of a socket, for http.client."""

    def __init__(self, data):
        self.data = data

    def makefile(self, *_):
        return io.BytesIO(self.data)


def body_of(data):
    """The body of a whole HTTP response."""
    response = http.client.HTTPResponse(Bytes(data), method="POST")
    response.begin()
    return response.status, response.headers, response.read()


def values_of(letter, body):
    """The JSON values of a stream, read by its grammar, leniently."""
    text = body.decode("utf-8").removeprefix("\ufeff").replace("\r\n", "\n")
    if letter == "l":
        return [json.loads(line) for line in text.split("\n") if line]
    out = []
    for event in text.split("\n\n"):
        data = "\n".join(line[5:].removeprefix(" ").removeprefix("data: ")
                         for line in event.split("\n")
                         if line.startswith("data:"))
        if data.strip() and not data.startswith((": ", "[DONE]")):
            out.append(json.loads(data))
    return out


def text_in(letter, value):
    """What one value of a stream adds to the text."""
    if letter == "o":
        return "".join(c["delta"].get("content") or ""
                       for c in value.get("choices", []) if "delta" in c)
    if letter == "a":
        return (value.get("delta") or {}).get("text", "")
    if letter == "g":
        return "".join(part.get("text", "")
                       for c in value.get("candidates", [])
                       for part in c.get("content", {}).get("parts", [])
                       if not part.get("thought"))
    return value.get("message", {}).get("content", "")


def text_of(letter, body):
    return "".join(text_in(letter, v) for v in values_of(letter, body))
