#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test_port_ways.py - who may connect to agentsh acp --listen, and how.

AGENTSH_TEST_ACP names a directory with npm's node_modules, which holds
@agentclientprotocol/sdk and ws; without it the SDK is not tested.
"""

import json
import os
import shutil
import subprocess
import tempfile

from editor import Gone
from port import Port, Remote, ready, upgrade
from talk import act, say, step

import home  # noqa: E402
import listener  # noqa: E402
import tap  # noqa: E402

WHERE = os.environ.get("AGENTSH_TEST_ACP", "")
HERE = os.path.join(home.SRCDIR, "tests", "acp")


def plain(port, method="GET", path="/acp", fields=""):
    return port.http("%s %s HTTP/1.1\r\nHost: %s\r\n%s\r\n" % (
        method, path, port.host, fields))


def other_requests_are_refused(t):
    with Port() as port:
        status, headers = plain(port, "POST", fields="Content-Length: 0\r\n")
        t.is_(status, 405, "there is no POST")
        t.ok("GET" in headers.get("allow", ""), "and what there is is said")
        status, headers = plain(port)
        t.is_(status, 426, "a GET without an upgrade is told to upgrade")
        t.is_(headers.get("upgrade"), "websocket", "by the field of HTTP")
        t.is_(plain(port, path="/other")[0], 404, "there are no other paths")
        t.is_(port.http(upgrade(port, path="/other"))[0], 404,
              "for a WebSocket too")
        t.is_(plain(port, path="/health")[0], 200, "health is answered")
        status, headers = port.http(upgrade(port))
        t.is_(status, 101, "an upgrade is taken")
        t.ok("acp-connection-id" in headers, "and the connection named",
             headers)


def origins_and_hosts(t):
    with Port(options=("--allow-origin", "https://ed.example")) as port:
        for fields, wanted, name in (
                ("Origin: http://%s\r\n" % port.host, 101, "our own origin"),
                ("Origin: https://ed.example\r\n", 101, "one by name"),
                ("Origin: https://evil.example\r\n", 403, "another origin"),
                ("Origin: null\r\n", 403, "no origin of a page")):
            t.is_(port.http(upgrade(port, fields))[0], wanted, name)
        bad = upgrade(port).replace("Host: " + port.host, "Host: evil.example")
        t.is_(port.http(bad)[0], 403, "another host")


def tokens(t):
    with tempfile.TemporaryDirectory() as d:
        path = os.path.join(d, "token")
        with open(path, "w", encoding="utf-8") as f:
            os.fchmod(f.fileno(), 0o600)
            f.write("sesame-sesame-sesame\n")
        with Port(options=("--token-file", path)) as port:
            status, headers = port.http(upgrade(port))
            t.is_(status, 401, "without the token nobody connects")
            t.is_(headers.get("www-authenticate", "").split(" ")[0], "Bearer",
                  "and hears so")
            t.is_(port.http(upgrade(port, "Authorization: Bearer x\r\n"))[0],
                  401, "nor with another")
            ed = Remote(port, "Authorization: Bearer sesame-sesame-sesame\r\n")
            t.is_(ed.initialize().get("protocolVersion"), 1, "with it one does")
            t.is_(port.http(upgrade(
                port, path="/acp?token=sesame-sesame-sesame"))[0], 101,
                "a page shows it in the query")
    done = subprocess.run(
        [home.program("agentsh"), "acp", "--listen", "0.0.0.0:0"],
        capture_output=True, text=True, timeout=20, check=False,
        stdin=subprocess.DEVNULL)
    t.ok(done.returncode != 0 and "--token-file" in done.stderr,
         "without a token other machines do not reach it", done.stderr)


def messages(t):
    with Port(say("Hello.")) as port:
        ed = Remote(port)
        ed.web.frame(listener.BINARY, b'{"jsonrpc":"2.0","id":9,"method":"x"}')
        ed.send(b"no json")
        ed.until(lambda: None in ed.answers)
        t.is_(ed.answers.pop(None)["error"]["code"], -32700,
              "what is no JSON is answered")
        ed.send(b'[{"jsonrpc":"2.0","id":1,"method":"initialize"}]')
        ed.until(lambda: None in ed.answers)
        t.is_(ed.answers[None]["error"]["code"], -32600, "a batch too")
        t.is_(ed.request("session/new", {"cwd": "/", "mcpServers": []}).get(
            "code"), -32600, "initialize comes first")
        ed.initialize()
        t.ok(9 not in ed.answers, "what is binary is ignored")
        s = ed.new()
        t.is_(ed.wait(ed.prompt(s, "x" * 70000)), {"stopReason": "end_turn"},
              "long messages are taken")
        for ident, values in ((901, 60000), (902, 1), (903, 60000), (904, 1)):
            ed.send({"jsonrpc": "2.0", "id": ident, "method": "none",
                     "params": [0] * values})
        ed.wait(904)
        t.is_([i for i in ed.answers if i is not None and i > 900],
              [901, 902, 903, 904], "and keep their order among short ones")
        t.is_(ed.answers[903]["error"]["code"], -32601, "each is answered")
        ed.web.frame(listener.CLOSE, b"\x03\xe8")
        t.is_(ed.until_closed(), 1000, "a close is answered")


def unix_socket(t):
    with tempfile.TemporaryDirectory() as d:
        path = os.path.join(d, "acp")
        with Port(say("Hello."), address="unix:" + path) as port:
            ed = ready(port)
            t.is_(ed.wait(ed.prompt(ed.new(), "hi")),
                  {"stopReason": "end_turn"}, "a unix socket does as well")
            t.is_(os.stat(path).st_mode & 0o077, 0, "it is its user's alone")


def wrong_words(t):
    for words, named in ((["--token-file", "x"], "--listen"),
                         (["--listen", "127.0.0.1:0", "--max-connections",
                           "0"], "--max-connections"),
                         (["--listen", "nowhere"], "HOST:PORT")):
        done = subprocess.run([home.program("agentsh"), "acp", *words],
                              capture_output=True, text=True, timeout=20,
                              stdin=subprocess.DEVNULL, check=False)
        t.ok(done.returncode == 2 and named in done.stderr,
             "wrong options are named: " + " ".join(words), done.stderr)


def most_connections(t):
    with Port(options=("--max-connections", "2")) as port:
        eds = [ready(port), ready(port)]
        try:
            Remote(port)
            t.ok(False, "a third connection is refused")
        except (Gone, OSError):
            t.ok(True, "a third connection is refused")
        eds.pop().close()
        third = None
        while not third:
            try:
                third = ready(port)
            except (Gone, OSError):
                pass
        t.ok(True, "and taken when one has gone")


def sdk(t):
    if not os.path.isdir(os.path.join(WHERE, "node_modules",
                                      "@agentclientprotocol", "sdk")):
        t.skip("the SDK's WebSocket client", "AGENTSH_TEST_ACP is not set")
        return
    answers = [act(step(1, "rm -f old")), say("Gone.")]
    with Port(*answers) as port:
        with open(port.path("old"), "w", encoding="utf-8"):
            pass
        done = subprocess.run(
            [shutil.which("node") or "node", os.path.join(HERE, "port_sdk.mjs"),
             "ws://%s/acp" % port.host, port.place.work], timeout=60,
            capture_output=True, text=True, check=False,
            env={**os.environ, "ACP_MODULES": os.path.join(
                WHERE, "node_modules")})
        t.is_(done.returncode, 0, "the SDK's own client ends well: "
              + done.stderr[-500:])
        got = json.loads(done.stdout or "{}")
        t.is_(got, {"version": 1, "stop": "end_turn", "asked": [1, 1],
                    "said": ["A planGone."] * 2, "listed": True},
              "two of them see one session")


def main():
    t = tap.Tap()
    for check in (other_requests_are_refused, origins_and_hosts, tokens,
                  messages, unix_socket, wrong_words, most_connections, sdk):
        check(t)
    t.done()


if __name__ == "__main__":
    main()
