# SPDX-License-Identifier: GPL-3.0-or-later
"""test_faultserver.py - the fault server does what its table says."""

import concurrent.futures
import gzip
import http.client
import json
import os
import re
import ssl
import subprocess
import sys
import tempfile
import threading
import urllib.error
import urllib.request

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import tap  # noqa: E402
import wireclient  # noqa: E402
from fault import framing, params, tls  # noqa: E402
from fault.answer import text_of  # noqa: E402
from fault.server import Server  # noqa: E402
from fault.table import FAULTS  # noqa: E402

KEY = re.escape(wireclient.KEY).encode()

# fault: what its bytes must match; "!" before it: what they must not.
LOOKS = {
    "fenced": rb"```json", "two-objects": rb"(?s)good.*wrong",
    "missing": rb"!\"(text|content)\":\"[^\"]",
    "no-choices": rb"!\"(text|content)\":\"[^\"]",
    "cut": rb"\"(length|max_tokens|MAX_TOKENS)\"",
    "cut-whole": rb"\"(length|max_tokens|MAX_TOKENS)\"",
    "cut-stop": rb":(4000|4096)\b", "cut-stop-whole": rb":(4000|4096)\b",
    "tool-empty": rb"\"(tool_calls|tool_use|functionCall)\"",
    "tool-broken": rb"\"(tool_calls|tool_use)\"",
    "think-field": rb"\"(reasoning_content|thinking|thought)\"",
    "refusal": rb"\"(refusal|blockReason)\"",
    "safety": rb"\"(content_filter|refusal|SAFETY)\"",
    "bad-request": rb" 400 ", "unauthorized": rb" 401 ",
    "forbidden": rb" 403 ", "not-found": rb" 404 ", "too-large": rb" 413 ",
    "context-length": rb" 400 ", "server-500": rb" 500 ",
    "mistake-500": rb" 500 ", "gateway-502": rb" 502 ",
    "away-503": rb" 503 ", "overloaded": rb" 529 ",
    "rate": rb"!Retry-After", "rate-seconds": rb" 429 (?s:.*)After: 1\r",
    "rate-date": rb" 429 (?s:.*)Retry-After: ..., .. ... .... ..:..:.. GMT",
    "rate-far": rb" 429 (?s:.*)Retry-After: 86400\r",
    "rate-junk": rb" 429 (?s:.*)Retry-After: soon",
    "key-echo": rb" 401 (?s:.*)" + KEY, "key-echo-400": rb" 400 (?s:.*)" + KEY,
    "key-echo-long": rb" 403 (?s:.*)(" + KEY + rb" ){39}" + KEY,
    "key-echo-event": rb" 200 (?s:.*)" + KEY,
    "error-200": rb" 200 (?s:.*)\"error\"",
    "numeric-code": rb"\"error\":{.*\"code\":400",
    "odd-error": rb" 400 (?s:.*)the template",
    "flat-error": rb"\r\n\r\n{\"object\":\"error\",\"code\":400",
    "cap": rb"insufficient_quota|credit balance|PerDay",
    "cap-zero": rb"\"quotaValue\":\"0\"", "cap-402": rb" 402 ",
    "rate-quota": rb" 429 .*PerMinute|PerMinute",
    "html-502": rb" 502 (?s:.*)<html", "html-404": rb" 404 (?s:.*)<html",
    "html-200": rb" 200 (?s:.*)text/html(?s:.*)<html",
    "empty-500": rb" 500 (?s:.*)\r\n\r\n$", "empty-200": rb"\r\n\r\n$",
    "comments": rb": still here\n\n", "ping": rb": ping\n",
    "processing": rb": OPENROUTER PROCESSING\n",
    "keepalive": rb"data: : keepalive\n", "empty-data": rb"data:\n\n",
    "blank-lines": rb"\n\n", "ping-event": rb"event: heartbeat\n",
    "crlf": rb"}\r\n\r\n", "crlf-split": rb"\r\r\n", "lf": rb"}\n",
    "doubled": rb"data: data: {", "no-space": rb"data:{",
    "two-data-lines": rb"data: {\ndata: ", "bom-body": rb"\xef\xbb\xbf",
    "one-write": rb"\r\n\r\n[0-9a-f]{3,4}\r\n",
    "byte-chunks": rb"\r\n\r\n(1\r\n.\r\n){20}",
    "utf8-split": rb"\xf0\r\n1\r\n", "bad-utf8": rb"\xff\xfe?",
    "no-done": rb"!\[DONE\]|message_stop", "after-done": rb"\[DONE\](?s:.+)}",
    "no-last-newline": rb"[^\n]\r\n0\r\n\r\n$",
    "json-array": rb"\r\n\r\n\[{(?s:.*)}\]$", "nulls-wire": rb"null",
    "content-parts": rb"\"type\": \"thinking\"",
    "odd-finish": rb"\"weather\"", "no-reason": rb"!done_reason",
    "plain-400": rb" 400 (?s:.*)the template", "plain-200": rb" 200 ",
    "loading-503": rb" 503 (?s:.*)\"code\":503",
    "headers-fit": rb"X-Fill-59: y{1000}",
    "odd-encoding": rb"Encoding: zebra",
    "json-break": rb"{{", "duplicate-keys-wire": rb"\"model\":\"other\"",
    "wrong-type": rb"Type: text/plain", "json-body": rb"Content-Length",
    "error-event": rb"(?s)ran\.txt.*too many people",
    "error-first": rb"too many people",
    "no-finish": rb"!\"(stop|STOP|end_turn)\"",
    "http10": rb"HTTP/1\.0 200", "continue-100": rb" 100 (?s:.*) 103 ",
    "chunk-extras": rb";name=value\r\n", "gzip": rb"Encoding: gzip",
    "gzip-bad": rb"Encoding: gzip", "bad-chunk": rb"zebra",
    "huge-chunk": rb"f{17}\r\n", "no-http": rb"^SSH",
    "eof-head": rb"Content-Ty$", "short-body": rb"Content-Length: ",
    "big-headers": rb"X-Fill-79: y{1000}", "big-header": rb"X-Fill: y{70000}",
    "redirect-same": rb"Location: /.*again",
    "redirect-loop": rb"Location: /",
    "redirect-other": rb"Location: http://127\.0\.0\.2:",
    "redirect-port": rb"Location: http://127\.0\.0\.1:",
    "redirect-file": rb"Location: file:",
    "stream-unverified": rb" 400 (?s:.*)\"param\":\"stream\"",
    "mistral-usage": rb" 422 (?s:.*)\"message\":{\"detail\"",
    "mistral-list": rb" 422 (?s:.*)\"message\":\[",
    "azure-filter": rb" 400 (?s:.*)violence",
    "choice-error": rb"\"finish_reason\":\"error\"(?s:.*)melted",
    "chunk-error": rb"\"choices\":\[\],\"error\"",
    "refusal-claude": rb"\"stop_details\":{",
    "refusal-gemini": rb"\"finishMessage\":",
    "prompt-cut": rb":64[,}]", "unknown-block": rb"novelty_delta",
    "unknown-part": rb"executableCode",
}
# fault: how its bytes end, where that is not the peer's to choose.
ENDS = {"reset": "reset", "reset-first": "reset", "eof": "eof",
        "eof-first": "eof", "eof-head": "eof", "short-body": "eof",
        "bad-chunk": "eof", "http10": "eof", "close": "eof",
        "endless": "limit", "endless-noise": "limit", "hang": "quiet",
        "stall": "quiet", "open-end": "quiet", "big-body": "limit"}
REFUSING = {name for name, row in FAULTS.items()
            if row.play.__module__ == params.__name__}
SENT_NOTHING = {"no-max-completion-tokens", "strict-schema", "no-system",
                "no-system-role", "too-many-tokens"}
FRAMED = {name for name, row in FAULTS.items() if row.exit == 0
          and row.play.__module__ == framing.__name__} - {
              "json-body", "json-array", "after-done", "content-parts"}


def cases():
    return [(row, letter) for row in FAULTS.values() for letter in row.wires]


def check_bytes(t, row, letter, data, end):
    """One fault on one wire, by its bytes."""
    name = "%s on %s: %s" % (row.name, wireclient.WIRES[letter], row.what)
    shown = data[:300]
    if row.name in ENDS:
        t.is_(end, ENDS[row.name], name + " (its end)", shown)
    if row.name in LOOKS:
        look = LOOKS[row.name]
        absent = look.startswith(b"!")
        t.ok(bool(re.search(look[absent:], data)) != absent, name, shown)
    if row.name in FRAMED:
        t.is_(wireclient.text_of(letter, wireclient.body_of(data)[2]),
              text_of("run"), name + " (its text)")
    if row.name in REFUSING and letter == row.wires[0]:
        ok = row.name in SENT_NOTHING
        t.ok((b" 200 " in data[:20]) == ok, name + " (refuses)", shown)


def check_times(t, port):
    at = wireclient.times(port, "o", "drip", 4)
    t.ok(at[3] - at[2] > 0.8, "drip: a byte takes a second")
    at = wireclient.times(port, "o", "slow=0.3", 1)
    t.ok(at[0] > 0.29, "slow: the answer comes late")


def check_gzip(t, port):
    data, _ = wireclient.ask(port, "o", "gzip", close=True)
    body = gzip.decompress(wireclient.body_of(data)[2])
    t.is_(wireclient.text_of("o", body), text_of("run"),
          "gzip: the answer is whole when unpacked")
    data, _ = wireclient.ask(port, "o", "gzip-bomb", close=True)
    packed = wireclient.body_of(data)[2]
    t.ok(len(packed) < 1 << 20 < 64 << 20 < len(gzip.decompress(packed)),
         "gzip-bomb: small packed, more than 64 MiB unpacked")


def post(url, letter, spec):
    path, headers, body = wireclient.request_of(letter, spec)
    request = urllib.request.Request(
        url + path, json.dumps(body).encode(),
        {"Content-Type": "application/json", **headers})
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as why:
        with why:
            return why.code, why.read()


def check_sequences(t, server):
    got = [post(server.url, "o", "unauthorized,answer,run")[0]
           for _ in range(4)]
    t.is_(got, [401, 200, 200, 200], "a model's name lists answers in turn")
    t.is_(post(server.url, "o", "unheard-of")[0], 404,
          "an unknown fault is an unknown model")
    seen = server.requests[-1]
    t.is_((seen["json"]["model"], dict(seen["headers"])["Authorization"]),
          ("fault:unheard-of", "Bearer " + wireclient.KEY),
          "requests are recorded with headers and body")
    with Server(script=["bad-request", {"steps": ["true"]}]) as other:
        first = post(other.url, "a", "run")[0]
        text = wireclient.text_of("a", post(other.url, "a", "run")[1])
    t.is_((first, json.loads(text)["steps"][0]["shell_command"]),
          (400, "true"), "a script lists answers and texts of its own")


def check_provider_rules(t, server):
    for letter, drop in (("a", "max_tokens"), ("o", "messages"),
                         ("g", "contents"), ("l", "messages")):
        path, headers, body = wireclient.request_of(letter, "run")
        del body[drop]
        request = urllib.request.Request(server.url + path,
                                         json.dumps(body).encode(), headers)
        try:
            urllib.request.urlopen(request, timeout=10).close()
            status = 200
        except urllib.error.HTTPError as why:
            status = why.code
            why.close()
        t.is_(status, 400, "%s refuses a request without %s"
              % (wireclient.WIRES[letter], drop))


def post_turns(url, turns):
    """The answer to a conversation that offers one tool, by OpenAI's wire."""
    path, headers, body = wireclient.request_of("o", "call")
    body["messages"] += turns
    body["tools"] = [{"type": "function", "function": {
        "name": "look", "parameters": {"type": "object"}}}]
    request = urllib.request.Request(url + path, json.dumps(body).encode(),
                                     headers)
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            return answer.read()
    except urllib.error.HTTPError as why:
        with why:
            return why.read()


def check_calls(t, server):
    first = post_turns(server.url, [])
    t.ok(b'"name":"look"' in first and b'"tool_calls"}' in first,
         "a tool that is offered is called", first)
    call = {"role": "assistant", "content": "", "tool_calls": [
        {"id": "call_a", "type": "function",
         "function": {"name": "look", "arguments": "{}"}}]}
    result = {"role": "tool", "tool_call_id": "call_a", "content": "x"}
    second = post_turns(server.url, [call, result])
    t.is_(wireclient.text_of("o", second), text_of("run"),
          "its result is followed by the answer")
    for turns, what in (([call], "a call without result"),
                        ([result], "a result without call"),
                        ([call, result, result], "two results of one call")):
        t.ok(b"are answered by" in post_turns(server.url, turns),
             "%s is refused" % what)


def by_proxy(server, authority=None, target=None):
    """The status of a request that goes through the server's proxy; 0 when
    the certificate is refused."""
    path, headers, body = wireclient.request_of("o", "run")
    if authority:
        context = ssl.create_default_context(cafile=authority)
        conn = http.client.HTTPSConnection("127.0.0.1", server.proxy_port,
                                           context=context, timeout=10)
        conn.set_tunnel("127.0.0.1", server.port)
    else:
        conn = http.client.HTTPConnection("127.0.0.1", server.proxy_port,
                                          timeout=10)
        path = target or server.url + path
    try:
        conn.request("POST", path, json.dumps(body), headers)
        return conn.getresponse().status
    except ssl.SSLCertVerificationError:
        return 0
    finally:
        conn.close()


def check_proxy(t):
    with Server(proxy="open") as server:
        status = by_proxy(server)
        t.is_((status, [r["listener"] for r in server.requests]),
              (200, ["proxy", "main"]), "absolute-form through the proxy")
        t.is_(by_proxy(server, target="http://192.0.2.1/"), 403,
              "the proxy leaves loopback for no one")
    with Server(proxy="login") as server:
        t.is_(by_proxy(server), 407, "the proxy asks for a login")


def check_tls(t):
    if not tls.available():
        t.skip("TLS through the proxy", "openssl is not here")
        return
    for flaw, wanted in (("good", 200), ("host", 0), ("expired", 0)):
        with tempfile.TemporaryDirectory() as folder, \
                Server(tls=tls.make(folder, flaw), proxy="open") as server:
            t.is_(by_proxy(server, folder + "/ca.pem"), wanted,
                  "TLS through the proxy: " + flaw)
            t.is_(server.requests[0]["method"], "CONNECT",
                  "the proxy records CONNECT")


def check_program(t):
    listed = subprocess.run(
        [sys.executable, os.path.join(HERE, "faultserver.py"), "--list"],
        capture_output=True, check=False, text=True).stdout.splitlines()
    t.is_(len(listed), len(FAULTS), "--list has a line for every fault")
    with subprocess.Popen(
            [sys.executable, os.path.join(HERE, "faultserver.py"), "--life",
             "60"], stdout=subprocess.PIPE, text=True) as child:
        port = int(child.stdout.readline().split()[1])
        status = post("http://127.0.0.1:%d" % port, "l", "answer")[0]
        child.terminate()
        t.is_((status, child.wait(10)), (200, 0),
              "the program prints its port, answers, and ends when told")


def main():
    t = tap.Tap()
    broken = []
    threading.excepthook = broken.append
    with Server() as server, \
            concurrent.futures.ThreadPoolExecutor(12) as pool:
        rows = tap.sample(cases())
        got = pool.map(lambda case: wireclient.ask(
            server.port, case[1], case[0].name,
            close=case[0].name not in ENDS,
            quiet=wireclient.QUIET if ENDS.get(case[0].name) == "quiet"
            else wireclient.LATE), rows)
        for (row, letter), (data, end) in zip(rows, got):
            check_bytes(t, row, letter, data, end)
        check_times(t, server.port)
        check_gzip(t, server.port)
        check_sequences(t, server)
        check_provider_rules(t, server)
        check_calls(t, server)
    check_proxy(t)
    check_tls(t)
    check_program(t)
    t.is_([str(b.exc_value) for b in broken], [], "no thread broke")
    t.done()


if __name__ == "__main__":
    main()
