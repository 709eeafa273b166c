#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test_http_server.py - agentsh mcp over HTTP: its methods, both eras, and who
may ask."""

import json
import os
import re
import shutil
import socket
import stat
import subprocess
import sys

import web
from client import FORM, NEWEST, TASKS, PREFIX
from web import alone, call, request, text

import home  # noqa: E402
import tap  # noqa: E402

sys.path.insert(0, os.path.join(home.SRCDIR, "tests", "acp"))
import test_manual as manual  # noqa: E402

EVIL = "http://evil.example"


def note(method, **params):
    return {"jsonrpc": "2.0", "method": method, "params": params}


def check_handshake(t, place):
    with web.Server(place) as server:
        for version in ("2025-06-18", "2025-11-25"):
            s = web.Session(server, version)
            t.is_((s.opened.status, s.opened.kind,
                   s.opened.answer["protocolVersion"]),
                  (200, web.JSON, version), version + " is opened")
            t.ok(re.fullmatch("[0-9a-f]{32}", s.id), "its id is not guessed")
            r = s.post(call("fs_read_file", path="notes.txt"))
            t.is_((r.status, r.kind, text(r.answer)),
                  (200, web.JSON, "one\ntwo\n"), "a tool is called")
            r = s.post(call("cmd_run", 2, "p", command="echo a; sleep 1.2"))
            t.is_((r.status, r.kind), (200, "text/event-stream"),
                  "with a token the answer is a stream")
            kinds = [m.get("method", "answer") for m in r.messages]
            t.ok(kinds[-1] == "answer" and
                 set(kinds[:-1]) == {"notifications/progress"},
                 "of progress and the answer", kinds)
            t.is_(b"id: 3-0\ndata: \n" in r.body, version != "2025-06-18",
                  "whose first event has an id alone, or there is none")
            t.is_(s.post(note("notifications/initialized")).status, 202,
                  "a notification is accepted")
            t.is_(s.post({"jsonrpc": "2.0", "id": 77, "result": {}}).status,
                  202, "and so is an answer that nobody waits for")
            r = s.post(request("no/method"))
            t.is_((r.status, r.answer["code"]), (200, -32601),
                  "an error of the protocol is none of HTTP")
            t.is_(s.post(request("ping")).answer, {}, "ping")
            t.is_(s.end().status, 204, "it is ended")
            t.is_(s.post(request("ping")).status, 404, "and then unknown")
        t.ok(web.Session(server).id != web.Session(server).id,
             "each has an id of its own")


def check_refusals(t, place):
    with web.Server(place) as server:
        s = web.Session(server)
        ping = request("ping")
        rows = (
            ("no session", s.raw(ping, MCP_Protocol_Version="2025-11-25"),
             400),
            ("another session", s.post(ping, Mcp_Session_Id="0" * 32), 404),
            ("another version",
             s.post(ping, MCP_Protocol_Version="1999-01-01"), 400),
            ("no version", s.post(ping, MCP_Protocol_Version=None), 200),
            ("another Accept", s.post(ping, Accept="text/html"), 406),
            ("half an Accept", s.post(ping, Accept=web.JSON), 406),
            ("any Accept", s.post(ping, Accept="*/*"), 200),
            ("no Accept", s.post(ping, Accept=None), 200),
            ("another type", s.post(ping, Content_Type="text/plain"), 415),
            ("no type", s.post(ping, Content_Type=None), 415),
            ("a type with a charset",
             s.post(ping, Content_Type="application/json; charset=utf-8"),
             200),
            ("no JSON", s.post(b"{"), 400),
            ("no message", s.post(b"[]"), 400),
            ("a batch", s.post(b"[" + json.dumps(ping).encode() + b"]"), 400),
            ("params that are none",
             s.post({"jsonrpc": "2.0", "id": 1, "method": "ping",
                     "params": 5}), 200),
            ("initialize again", s.post(request("initialize", {})), 200),
            ("an initialize that fails", s.raw(request("initialize", {})),
             200))
        for name, r, status in rows:
            t.is_(r.status, status, name, repr(r))
        t.is_(s.post(b"{").answer["code"], -32700, "no JSON is -32700")
        t.ok("mcp-session-id" not in
             s.raw(request("initialize", {})).headers,
             "an initialize that fails opens nothing")
        with server.peer() as peer:
            for method, path, status in (
                    ("GET", "/health", 200), ("HEAD", "/health", 200),
                    ("OPTIONS", "/mcp", 204), ("GET", "/", 404),
                    ("POST", "/health", 405), ("PUT", "/mcp", 405),
                    ("get", "/mcp", 405), ("delete", "/mcp", 405),
                    ("GET", "/metrics", 200), ("GET", "/mcp/", 404),
                    ("DELETE", "/mcp", 400), ("GET", "/mcp", 400)):
                if method == "HEAD":
                    peer.request(method, path)
                    t.is_(peer.head()[0], status, "HEAD has no body")
                    continue
                r = peer.ask(method, path)
                t.is_(r.status, status, method + " " + path, repr(r))
            r = peer.ask("PUT", "/mcp")
            t.is_(r.headers["allow"], "POST, GET, DELETE, OPTIONS",
                  "405 says what is allowed")
            r = peer.ask("GET", "/mcp", Accept="text/html", **s.headers)
            t.is_(r.status, 406, "a stream is event-stream")
            body = peer.ask("GET", "/metrics").body.decode()
            t.ok(re.search(r"^agentsh_mcp_sessions 1$", body, re.M) and
                 re.search(r"^agentsh_http_connections 1$", body, re.M) and
                 re.search(r'class="4xx"} [1-9]', body), "what is counted",
                 body)


def check_requests(t, place):
    """2026-07-28."""
    def ask(server, message, headers, **more):
        with server.peer() as peer:
            return peer.post(message, **{**headers, **more})

    with web.Server(place) as server:
        r = ask(server, *alone("server/discover"))
        t.ok(r.status == 200 and NEWEST in r.answer["supportedVersions"] and
             "mcp-session-id" not in r.headers, "it is discovered", repr(r))
        message, headers = alone("tools/call", {
            "name": "fs_read_file", "arguments": {"path": "notes.txt"}})
        r = ask(server, message, headers)
        t.is_((r.status, text(r.answer)), (200, "one\ntwo\n"),
              "a tool is called")
        t.is_(ask(server, message, headers, Mcp_Session_Id="x" * 32).status,
              200, "a session means nothing")
        encoded = {"Mcp_Name": "=?base64?ZnNfcmVhZF9maWxl?="}
        t.is_(ask(server, message, headers, **encoded).status, 200,
              "a header may be in base64")
        for name, more in (
                ("no version", {"MCP_Protocol_Version": None}),
                ("another version", {"MCP_Protocol_Version": "2025-11-25"}),
                ("no method", {"Mcp_Method": None}),
                ("another method", {"Mcp_Method": "tools/list"}),
                ("no name", {"Mcp_Name": None}),
                ("another name", {"Mcp_Name": "cmd_run"}),
                ("a name in no base64", {"Mcp_Name": "=?base64?~?="})):
            r = ask(server, message, headers, **more)
            t.is_((r.status, r.answer["code"]), (400, -32020), name, repr(r))
        r = ask(server, *alone("no/method"))
        t.is_((r.status, r.answer["code"]), (404, -32601),
              "an unknown method is 404")
        r = ask(server, request("tools/list"), {
            "MCP_Protocol_Version": NEWEST, "Mcp_Method": "tools/list"})
        t.is_((r.status, r.answer["code"]), (400, -32602),
              "without its version in _meta a request is wrong")
        r = ask(server, request("tools/list"), {})
        t.ok((r.status, r.answer["code"]) == (400, -32602) and
             "protocolVersion" in r.answer["message"],
             "a request of no era is told what is missing", repr(r))
        r = ask(server, request("ping"), {})
        t.is_((r.status, r.answer), (200, {}), "and a ping is answered")
        message, headers = alone("tools/list", **{
            PREFIX + "protocolVersion": "2027-01-01"})
        r = ask(server, message, headers, MCP_Protocol_Version="2027-01-01")
        t.is_((r.status, r.answer["code"]), (400, -32022),
              "a version that is not spoken")
        r = ask(server, *alone("tools/call", {"name": "no_tool"}))
        t.is_((r.status, r.answer["code"]), (200, -32602),
              "what a method refuses is no error of HTTP")
        r = ask(server, *alone("tools/call", {
            "name": "cmd_run", "arguments": {"command": "rm notes.txt"}}))
        t.is_((r.status, r.answer["code"]), (400, -32021),
              "a question to who cannot be asked")
        r = ask(server, note("notifications/cancelled", requestId=1), {
            "MCP_Protocol_Version": NEWEST})
        t.is_(r.status, 202, "a notification is accepted")
        check_streams(t, place, server)
        check_question(t, place, server, ask)


def check_streams(t, place, server):
    message, headers = alone("tools/call", {
        "name": "cmd_run", "arguments": {
            "command": "echo up; sleep 1000"}}, progressToken=5)
    with server.peer() as peer:
        peer.start_post(message, **headers)
        status, fields, events = peer.stream()
        event = next(events)
        t.ok(status == 200 and event.id is None and
             event.message["method"] == "notifications/progress",
             "progress comes as a stream", event.fields)
        t.ok(fields["content-type"] == "text/event-stream" and
             "sleep" in str(place.left()), "while the command runs")
    t.ok(tap.poll(lambda: "sleep" not in str(place.left())),
         "who leaves cancels")
    message, headers = alone("tools/call", {
        "name": "cmd_run", "arguments": {"command": "sleep 1000"}})
    with server.peer() as peer:
        peer.start_post(message, **headers)
        t.ok(tap.poll(lambda: "sleep" in str(place.left())), "one that runs")
    t.ok(tap.poll(lambda: "sleep" not in str(place.left())),
         "is cancelled before its answer has begun too")
    message, headers = alone("subscriptions/listen", {"notifications": {
        "resourceSubscriptions": ["agentsh://output/last"]}}, "ours")
    with server.peer() as peer, server.peer() as other:
        peer.start_post(message, **headers)
        events = peer.stream()[2]
        t.is_(next(events).message["method"],
              "notifications/subscriptions/acknowledged",
              "a subscription is a stream")
        message, headers = alone("tools/call", {
            "name": "cmd_run", "arguments": {"command": "echo a"}})
        other.post(message, **headers)
        told = next(events).message
        t.ok(told["params"]["uri"] == "agentsh://output/last" and
             told["params"]["_meta"][PREFIX + "subscriptionId"] == "ours",
             "that tells of changes", told)


def check_question(t, place, server, ask):
    path = place.path("gone.txt")
    with open(path, "w", encoding="ascii"):
        pass
    what = {"name": "cmd_run", "arguments": {"command": "rm -f gone.txt"}}
    r = ask(server, *alone("tools/call", what, has=FORM))
    t.is_(r.answer["resultType"], "input_required", "a question is asked")
    key = next(iter(r.answer["inputRequests"]))
    r = ask(server, *alone("tools/call", {
        **what, "requestState": r.answer["requestState"], "inputResponses": {
            key: {"action": "accept", "content": {}}}}, 2, FORM))
    t.ok(r.status == 200 and not r.answer["isError"] and
         not os.path.exists(path), "and answered by another request", repr(r))
    r = ask(server, *alone("tools/call", {
        "name": "cmd_run", "arguments": {"command": "sleep 5.5; echo b"}},
        has=TASKS))
    t.is_(r.answer["resultType"], "task", "a long call becomes a task")
    ident = {"taskId": r.answer["taskId"]}

    def state():
        return ask(server, *alone("tasks/get", ident, 3, TASKS)).answer
    t.ok(tap.poll(lambda: state()["status"] == "completed", pause=0.1),
         "which is asked for by another connection", str(state()))


def check_who_may(t, place):
    token = place.secret("secret-token\nno part of it\n")
    with web.Server(place, "--token-file", token,
                    "--allow-origin", "https://a.example, https://b.example:8"
                    ) as server:
        right = {"Authorization": "Bearer secret-token"}
        with server.peer() as peer:
            for name, headers, status in (
                    ("no token", {}, 401),
                    ("a part of it", {"Authorization": "Bearer secret"}, 401),
                    ("more than it",
                     {"Authorization": "Bearer secret-token2"}, 401),
                    ("another scheme",
                     {"Authorization": "Basic secret-token"}, 401),
                    ("no scheme", {"Authorization": "secret-token"}, 401),
                    ("the token", right, 200),
                    ("in other letters",
                     {"Authorization": "bEARER secret-token"}, 200),
                    ("another host", {**right, "Host": "evil.example"}, 403),
                    ("a name that begins like it",
                     {**right, "Host": "localhost.evil.example"}, 403),
                    ("127.0.0.1.evil",
                     {**right, "Host": "127.0.0.1.evil"}, 403),
                    ("a host with no port",
                     {**right, "Host": "localhost"}, 200),
                    ("a host with another port",
                     {**right, "Host": "LOCALHOST:1"}, 200),
                    ("a host whose port is none",
                     {**right, "Host": "localhost:x"}, 403),
                    ("IPv6", {**right, "Host": "[::1]:80"}, 200),
                    ("an empty host", {**right, "Host": ""}, 403),
                    ("the host of an origin",
                     {**right, "Host": "a.example"}, 200),
                    ("an origin", {**right, "Origin": EVIL}, 403),
                    ("null", {**right, "Origin": "null"}, 403),
                    ("one that begins like an allowed one",
                     {**right, "Origin": "https://a.example.evil"}, 403),
                    ("with another scheme",
                     {**right, "Origin": "http://a.example"}, 403),
                    ("itself, as an allowed one's name without its scheme",
                     {**right, "Host": "a.example:1",
                      "Origin": "http://a.example:1"}, 403),
                    ("an allowed one",
                     {**right, "Origin": "https://b.example:8"}, 200),
                    ("itself", {**right, "Origin": "http://" + server.host},
                     200)):
                r = peer.ask("GET", "/metrics", **headers)
                t.is_(r.status, status, name, repr(r))
                origin = headers.get("Origin")
                allows = r.headers.get("access-control-allow-origin")
                if origin:
                    t.is_(allows, origin if status == 200 else None,
                          "and a page may read it, or not")
            t.ok("www-authenticate" in peer.ask("GET", "/metrics").headers,
                 "401 says how")
            t.is_(peer.ask("GET", "/health").status, 200,
                  "anybody may ask whether it is there")
            r = peer.ask("OPTIONS", "/mcp", Origin="https://a.example",
                         Access_Control_Request_Method="POST",
                         Access_Control_Request_Headers="mcp-method, x-y")
            t.ok(r.status == 204 and r.headers[
                "access-control-allow-headers"] == "mcp-method, x-y" and
                "POST" in r.headers["access-control-allow-methods"],
                "a browser asks first, without a token", repr(r))
            r = peer.ask("OPTIONS", "/mcp", Origin=EVIL,
                         Access_Control_Request_Method="POST")
            t.ok(r.status == 403 and "access-control-allow-methods"
                 not in r.headers, "another page gets nothing", repr(r))
            body = b'{"jsonrpc":"2.0"'
            peer.request("POST", "/mcp", body, Content_Length="1000000")
            t.is_(peer.head()[0], 401, "a body is not waited for")
            t.ok(peer.is_closed(), "and the connection ends")


def refusal(place, *options, **env):
    return place.run([home.program("agentsh"), "mcp", *options], **env)


def check_addresses(t, place):
    for options, words in (
            (["--listen", "0.0.0.0:0"], "without a token"),
            (["--listen", "[::]:0"], "without a token"),
            (["--listen", "nowhere"], "HOST:PORT"),
            (["--listen", "example.com:80"], "HOST is an address"),
            (["--listen", "127.0.0.1:99999"], "HOST:PORT"),
            (["--token-file", "x"], "goes with --listen"),
            (["--listen", "localhost:0", "--token-file", "none"],
             "--token-file"),
            (["--listen", "localhost:0", "--allow-origin", "a.example"],
             "--allow-origin a.example"),
            (["--listen", "localhost:0", "--max-connections", "0"],
             "--max-connections")):
        done = refusal(place, *options)
        t.ok(done.status != 0 and words in done.err and not done.out,
             "it says what is wrong: " + " ".join(options), done.err)
    path = place.path("socket")
    with web.Server(place, address="unix:" + path) as server:
        t.is_(stat.S_IMODE(os.stat(path).st_mode), 0o600,
              "a socket is its user's alone")
        with server.peer() as peer:
            t.is_(peer.ask("GET", "/health", Host="any").status, 200,
                  "which any Host may name")
        t.is_(text(web.Session(server).post(
            call("fs_read_file", path="notes.txt")).answer), "one\ntwo\n",
            "and which serves the same")
        done = refusal(place, "--listen", "unix:" + path)
        t.ok("another process listens" in done.err, "it is not taken over",
             done.err)
    t.ok(not os.path.exists(path), "it is removed at the end")
    folder = place.folder("open")
    path = os.path.join(folder, "socket")
    os.chmod(folder, 0o777)
    done = refusal(place, "--listen", "unix:" + path)
    t.ok(done.status == 2 and "chmod o-w" in done.err and
         not os.listdir(folder),
         "it is not made where everybody may replace it", done.err)
    os.chmod(folder, 0o1777)
    with web.Server(place, address="unix:" + path):
        t.ok(True, "but in a directory like /tmp")
    check_passed(t, place)


def check_passed(t, place):
    """A socket of a service manager: descriptor 3, and LISTEN_FDS."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        port = listening.getsockname()[1]
        start = ('exec 3<&%d; LISTEN_FDS=1 LISTEN_PID=$$ exec "$@"' %
                 listening.fileno())
        with web.Server(place, argv=[
                "/bin/bash", "-c", start, "bash", home.program("agentsh"),
                "mcp"], pass_fds=[listening.fileno()]) as server:
            server.at = ("127.0.0.1", port)
            with server.peer() as peer:
                t.is_(peer.ask("GET", "/health").status, 200,
                      "a passed socket is served")
            t.is_(text(web.Session(server).post(call(
                "cmd_run", command="printenv LISTEN_FDS || echo none")).answer),
                "none\n", "and not told to commands")


def check_manual(t, place):
    if not shutil.which("curl"):
        t.skip("the commands of the manual", "no curl")
        return
    with open(manual.PAGE, encoding="utf-8") as page:
        blocks = manual.literals(manual.section(page.read(), manual.MCP))
    block = next(b for b in blocks if "curl" in b)
    start, rest = block.split("\n", 1)
    command, wanted = rest.rsplit("\n{", 1)
    t.ok(start.startswith("$ agentsh mcp --listen "), "it is started")
    with web.Server(place) as server:
        done = subprocess.run(
            ["/bin/sh", "-c", command[2:].replace("127.0.0.1:7893",
                                                  server.host)],
            env=place.env, capture_output=True, text=True, check=False)
    fits = re.escape("{" + wanted.strip()).replace(r"\.\.\.", ".*")
    t.ok(re.fullmatch(fits, done.stdout) and '"2\\n"' in done.stdout,
         "the request of the manual is answered as it says", done.stdout,
         done.stderr, fits)


def check_post_alone(t, place):
    with web.Server(place) as server:
        for method in ("GET", "DELETE"):
            with server.peer() as peer:
                got = peer.ask(method, "/mcp", None, **{
                    "MCP-Protocol-Version": "2026-07-28",
                    "Accept": "text/event-stream"})
            t.is_((got.status, got.headers.get("allow")),
                  (405, "POST, OPTIONS"),
                  "2026-07-28 has no " + method)


def main():
    t = tap.Tap()
    with home.Home() as place:
        with open(place.path("notes.txt"), "w", encoding="ascii") as file:
            file.write("one\ntwo\n")
        check_handshake(t, place)
        check_refusals(t, place)
        check_requests(t, place)
        check_who_may(t, place)
        check_addresses(t, place)
        check_post_alone(t, place)
        check_manual(t, place)
        t.ok(tap.poll(lambda: not place.left()), "nothing is left")
    t.done()


if __name__ == "__main__":
    main()
