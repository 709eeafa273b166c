#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test_http.py - servers of mcp.json that are reached over HTTP."""

import json
import os
import signal
import socket
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))
sys.path.insert(0, os.path.dirname(__file__))

import fake_http  # noqa: E402
import tap  # noqa: E402
from fault import tls  # noqa: E402
from place import AGENTSH, Place  # noqa: E402

FOUND = ["server/discover", "initialize", "notifications/initialized",
         "tools/list", "DELETE"]
AGAIN = ["initialize", "notifications/initialized", "tools/list",
         "tools/call", "DELETE"]

# the mode, what it hears that nothing is known of, and when it is called
ERAS = (
    ("plain", FOUND, AGAIN),
    ("sse", FOUND, AGAIN),
    ("nosession", FOUND[:-1], AGAIN[:-1]),
    ("stays", FOUND, AGAIN),
    ("crlf", FOUND, AGAIN),
    ("list", FOUND, AGAIN),
    ("polls", FOUND, AGAIN),
    ("endless", FOUND, AGAIN),
    ("modern", ["server/discover", "tools/list"],
     ["tools/list", "tools/call"]),
    ("modern-sse", ["server/discover", "tools/list"],
     ["tools/list", "tools/call"]),
)

# the mode of a server that lists no tools, what tool list says
UNUSABLE = (
    ("auth", "wants authorization (401)"),
    ("elsewhere", "redirects to http://localhost:"),
    ("loops", "redirects to http://127.0.0.1:"),
    ("nothing", "no such address (404)"),
    ("older", "takes no messages (405)"),
    ("page", "answers with text/html, which is no message"),
    ("fails", "the server has failed (503)"),
    ("headers", "more than 64 KiB of headers"),
)

# the mode of a server whose call fails, what the answer says
FAULTS = (
    ("unanswered", "ended its answer without a response"),
    ("empty", "ended its answer without a response"),
    ("garbage", "sent an invalid message"),
    ("other", "unknown request (id 999)"),
    ("dies", "ended its answer without a response"),
    ("dies-sse", "ended its answer without a response"),
    ("huge", "a message of more than 16 MiB"),
    ("huge-sse", "a line of more than"),
    ("hangs", "no answer within 700 ms"),
    ("hangs-sse", "no answer within 700 ms"),
    ("hangs-modern", "no answer within 700 ms"),
)

# an entry of mcp.json, what tool list says of it
ENTRIES = (
    ({"type": "sse", "url": "https://x/"}, '"sse", which is not supported'),
    ({"type": "ws", "url": "https://x/"}, '"ws" is not supported'),
    ({"type": "http"}, "url: must be a string"),
    ({"type": "http", "command": "x"}, "url: must be a string"),
    ({"url": "ftp://x/"}, "must begin with https://"),
    ({"url": "https:///"}, "names no host"),
    ({"url": "https://a b/"}, "must not contain blanks"),
    ({"url": "https://a:b@x/"}, "must not contain a user or password"),
    ({"url": "http://example.org/"}, "http:// is only for this machine"),
    ({"url": "http://127.0.0.1.example.org/"}, "only for this machine"),
    ({"url": "http://localhost.example.org/"}, "only for this machine"),
    ({"url": "${NOT_SET_HERE}"}, "NOT_SET_HERE is not set"),
    ({"url": "https://x/", "headers": []}, "headers: must be an object"),
    ({"url": "https://x/", "headers": {"A B": "c"}}, "not a valid name"),
    ({"url": "https://x/", "headers": {"Host": "c"}}, "is set by agentsh"),
    ({"url": "https://x/", "headers": {"A": "b\r\nC: d"}}, "control char"),
    ({"url": "https://x/", "headers": {"A": 1}}, "headers.A: must be a str"),
    ({"url": "https://x/", "agentsh": {"write": ["~/x"]}}, "write"),
    ({"url": "https://x/", "agentsh": {"plain_http": 1}}, "plain_http"),
)


class Web(Place):
    def server(self, web, mode, **more):
        self.servers(a=dict({"type": "http", "url": web.url(mode)}, **more))
        self.agree("a")
        return self.list()


def check_entries(t, h):
    for entry, says in ENTRIES:
        h.servers(one=entry)
        t.ok(says in h.list()["one"].get("fault", ""),
             "an entry is told as wrong: " + says, h.list())
    for entry in ({"url": "http://[::1]:1/x"}, {"url": "http://localhost/"},
                  {"type": "streamable-http", "url": "https://x.invalid/"},
                  {"url": "http://x.invalid/",
                   "agentsh": {"plain_http": True}}):
        h.servers(one=entry)
        t.is_(h.list()["one"].get("trust"), "new", "an entry is right: " +
              entry["url"], h.list())


def check_consent(t, h, web):
    entry = {"url": web.url("auth") + "?key=s3cr3t",
             "headers": {"Authorization": "Bearer ${A_TOKEN}", "X-A": "1"}}
    h.env["A_TOKEN"] = fake_http.TOKEN
    h.servers(a=entry)
    shown = json.dumps(h.list())
    t.is_(web.methods(), [], "nothing is asked before a yes")
    t.ok("s3cr3t" not in shown and "Bearer" not in shown,
         "no value that may be secret is told", shown)
    h.agree("a")
    found = h.list()
    t.ok("a.echo" in found, "headers are sent, variables in them set", found)
    del h.env["A_TOKEN"]
    t.ok("A_TOKEN is not set" in h.list()["a"].get("fault", ""),
         "a variable that is not set is told")
    h.servers(a={"url": "http://127.0.0.1:${A_PORT}/"})
    h.env["A_PORT"] = "1"
    h.agree("a")
    h.env["A_PORT"] = "2"
    t.is_(h.list()["a"]["trust"], "changed", "another URL asks again")


def check_eras(t, h, web):
    for mode, first, again in ERAS:
        t.is_(h.server(web, mode).get("a.echo", {}).get("version"), "8.2",
              "the tools of a server are listed: " + mode, h.list())
        t.is_(web.methods(), first, "it is asked for its era once: " + mode)
        done = h.calls(("a.echo", {"x": "\u00e9\n"}))[0]
        t.is_((done["ok"], json.loads(done["stdout"] or "0")),
              (True, {"x": "\u00e9\n"}), "it is called: " + mode, done)
        t.is_(web.methods(), again, "without asking again: " + mode)
        if mode == "sse":
            t.ok("at work" in done["stderr"], "what it logs is there", done)
        t.ok(tap.poll(lambda: not h.left()), "no process is left: " + mode)
    t.is_(web.sessions, set(), "no session is left")


def check_session(t, h, web):
    h.server(web, "plain")
    web.methods()
    h.calls(("a.echo", {}), ("a.echo", {}))
    with web.lock:
        heard = list(web.heard)
    t.is_([x[1] for x in heard if x[0] == "POST"],
          AGAIN[:3] + ["tools/call"] * 2, "calls share a session")
    first, rest = heard[0][2], [x[2] for x in heard[1:]]
    t.ok("mcp-session-id" not in first and
         "mcp-protocol-version" not in first and
         "text/event-stream" in first["accept"] and
         "application/json" in first["accept"],
         "it begins without a session", first)
    t.ok(all(x.get("mcp-session-id") and
             x["mcp-protocol-version"] == "2025-11-25" for x in rest),
         "and what follows names it and the version", rest)
    t.is_(heard[-1][0], "DELETE", "the session is ended")
    h.server(web, "nosession")
    roots = h.calls(("a.roots", {}))[0]
    t.is_(json.loads(roots["stdout"]), {"roots": []},
          "a server that asks is answered, and told of no directory", roots)
    for mode in ("gone", "gone400"):
        web.forgot = False
        h.server(web, mode)
        web.methods()
        done = h.calls(("a.echo", {"x": 1}), ("a.echo", {"x": 2}))
        t.is_([d["stdout"] for d in done], ['{"x": 1}', '{"x": 2}'],
              "a session that is gone is begun anew: " + mode, done)
        t.is_(web.methods(), AGAIN[:4] + AGAIN[:2] + ["tools/call"] * 2 +
              ["DELETE"], "once: " + mode)


def check_listening(t, h, web):
    h.server(web, "listens")
    h.calls(("a.echo", {}))
    t.ok(tap.poll(lambda: "get" in web.answers),
         "what a server asks by itself is answered")
    web.answers.clear()


def check_headers(t, h, web):
    h.server(web, "strict")
    done = h.calls(("a.echo", {}), ("a._ber_alles", {}))
    if not done[1]["ok"]:
        done[1] = h.calls((next(n for n in h.list() if "alles" in n), {}))[0]
    t.ok(done[0]["ok"] and done[1]["ok"],
         "headers say what the message says", done)
    with web.lock:
        names = [x[2].get("mcp-name") for x in web.heard
                 if x[1] == "tools/call"]
    t.ok("echo" in names and any(n.startswith("=?base64?") for n in names),
         "in ASCII", names)


def check_params(t, h, web):
    t.ok("where none may be" in h.server(web, "modern")["a.wrong"]["fault"],
         "a tool with a wrong mark is not used", h.list())
    done = h.calls(("a.marked", {"region": " \u00e9", "text": "x",
                                 "deep": {"n": -7, "on": True}}),
                   ("a.marked", {"text": "x"}))
    with web.lock:
        heard = [x[2] for x in web.heard if x[1] == "tools/call"]
    first, second = ({k: v for k, v in x.items() if "param" in k}
                     for x in heard)
    t.is_(first, {"mcp-param-region": "=?base64?IMOp?=", "mcp-param-n": "-7",
                  "mcp-param-on": "true"},
          "arguments that are marked are headers too", done)
    t.is_(second, {}, "where they have a value")
    t.ok("a.wrong" in h.server(web, "plain") and
         "fault" not in h.list()["a.wrong"],
         "before 2026-07-28 marks mean nothing")


def check_unusable(t, h, web):
    for mode, says in UNUSABLE:
        fault = h.server(web, mode)["a"].get("fault", "")
        t.ok(says in fault, "a server is told as unusable: " + says, fault)
    t.ok("a.echo" in h.server(web, "moved"),
         "a redirect within the server is followed", h.list())
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        h.servers(a={"url": "http://127.0.0.1:%d/" % s.getsockname()[1]},
                  b={"url": "https://no-such-host.invalid/"},
                  c={"url": "https://127.0.0.1:%d/" %
                     web.server_address[1]})
        h.agree("a", "b", "c")
        found = h.list()
    t.ok("connection refused" in found["a"]["fault"], "so is one that is not "
         "there", found)
    t.ok("unknown host" in found["b"]["fault"], "one without an address",
         found)
    t.ok("plain HTTP there, not TLS" in found["c"]["fault"],
         "and one without TLS", found)


def check_faults(t, h, web):
    for mode, says in FAULTS:
        h.server(web, mode)
        web.cut.clear()
        rest = {"timeout_ms": 700} if "hangs" in mode else {}
        bad, good = h.calls(("a.echo", {}, rest), ("a.echo", {}, rest))
        t.ok(not bad["ok"] and says in bad["stderr"],
             "a call fails: %s: %s" % (mode, says), bad)
        t.ok(not good["ok"], "and does not stop the next one")
        if "hangs" in mode:
            t.ok(tap.poll(web.cut.is_set), "the server hears of it: " + mode)
            t.is_("notifications/cancelled" in web.methods(),
                  mode != "hangs-modern", "in the words of its era: " + mode)
        t.ok(tap.poll(lambda: not h.left()), "no process is left: " + mode)


def check_cancel(t, h, web):
    h.server(web, "hangs")
    web.methods()
    web.cut.clear()
    caller = subprocess.Popen([AGENTSH, "tool", "call"], env=h.env, cwd=h.work,
                              stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    caller.stdin.write(json.dumps({"tool": "a.echo", "action": "call",
                                   "args": {}}).encode() + b"\n")
    caller.stdin.flush()
    t.ok(tap.poll(lambda: any(x[1] == "tools/call" for x in list(web.heard)),
                  20), "a call is under way")
    caller.send_signal(signal.SIGINT)
    t.is_(caller.wait(20), 130, "Ctrl-C ends it")
    t.ok(tap.poll(web.cut.is_set), "the connection is closed")
    t.is_(web.methods()[-2:], ["notifications/cancelled", "DELETE"],
          "the server is told, and the session ended")
    t.ok(tap.poll(lambda: not h.left()), "no process is left")
    caller.stdin.close()
    caller.stdout.close()


def check_tls(t, h):
    folder = h.folder("tls")
    with fake_http.Server(tls.make(folder)) as web:
        fault = h.server(web, "plain")["a"].get("fault", "")
        t.ok("authority of the server's certificate is unknown" in fault,
             "a certificate that nobody vouches for is refused", fault)
        h.env["SSL_CERT_FILE"] = os.path.join(folder, "ca.pem")
        found = h.server(web, "plain", agentsh={"read": [folder]})
        t.ok("a.echo" in found, "one of an authority that is named is not",
             found)


def main():
    t = tap.Tap()
    with Web() as h, fake_http.Server() as web:
        found = h.server(web, "plain")
        if "fault" in found.get("a", {}):
            t.diag(found)
            t.skip_all("there are no walls here")
    for check in (check_consent, check_eras, check_session, check_listening,
                  check_headers, check_params, check_unusable, check_faults, check_cancel):
        with Web() as h, fake_http.Server() as web:
            check(t, h, web)
    with Web() as h:
        check_entries(t, h)
    if tls.available():
        with Web() as h:
            check_tls(t, h)
    t.done()


main()
