# SPDX-License-Identifier: GPL-3.0-or-later
"""test_wire.py - what is sent to a model server, and when it is sent again."""

import contextlib
import json
import socket
import tempfile
import threading

import faults
import tap
from fault import tls
from fault.answer import ACTIONS
from fault.proxy import FAR, relay
from fault.server import Server
from fault.wire import dumps
from home import Home, program
from terminal import Terminal

PASSING = ("rate", "server-500", "gateway-502", "away-503", "overloaded",
           "html-502", "rate-seconds")
REPAIR = ("raw-newline", "bad-kind", "duplicate-keys", "no-tool")
REFUSED = (("o", "no-response-format"), ("o", "no-shape"),
           ("a", "no-output-config"), ("g", "no-json-schema"),
           ("l", "no-format"))


def ask(home, letter, spec, *options, verb="run"):
    return home.run(faults.wish(letter, spec, verb, *options))


def check_again(t, server):
    """What passes is tried again; what a model got wrong is asked again."""
    for letter, wire in faults.WIRES.items():
        for spec in PASSING + REPAIR:
            with faults.home_for(letter, server.url) as home:
                result = ask(home, letter, spec + ",run", "-y")
                t.is_((result.status, home.read("ran.txt")), (0, "good\n"),
                      "%s: %s, then a good answer" % (wire, spec),
                      result.err)


def check_pause(t, server):
    for spec, what in (("rate-seconds=2", "in seconds"),
                       ("rate-date=3", "as a date")):
        with faults.home_for("o", server.url) as home:
            ask(home, "o", spec + ",answer", "-y")
        one, two = server.requests[-2:]
        t.ok(two["at"] - one["at"] >= 1.9, "Retry-After %s is honoured"
             % what, two["at"] - one["at"])


def check_cached(t, server):
    """A parameter that a server refused is not sent to it again."""
    for letter, spec in REFUSED:
        with faults.home_for(letter, server.url) as home:
            ask(home, letter, spec, "-y")
            before = len(server.requests)
            result = ask(home, letter, spec, "-y")
            t.is_((result.status, len(server.requests) - before), (0, 1),
                  "%s: %s is learnt once" % (faults.WIRES[letter], spec),
                  result.err)


def check_shown(t, server):
    """--show-request tells the bytes that are sent, less the key."""
    for letter, wire in faults.WIRES.items():
        with faults.home_for(letter, server.url) as home:
            shown = ask(home, letter, "run", "-y", "--show-request").out
            before = len(server.requests)
            ask(home, letter, "run", "-y")
            sent = server.requests[before]
        t.ok(sent["body"] in shown,
             "%s: --show-request shows the body that is sent" % wire,
             shown, sent["body"])
        t.ok(faults.KEY not in shown and sent["target"] in shown,
             "%s: and the address, without the key" % wire, shown[:500])


def has_key(value, name):
    """Whether a key is anywhere in a JSON value."""
    if isinstance(value, dict):
        return name in value or any(has_key(v, name) for v in value.values())
    return isinstance(value, list) and any(has_key(v, name) for v in value)


def check_requests(t, server):
    """What every request has, and what none has."""
    for letter, wire in faults.WIRES.items():
        with faults.home_for(letter, server.url) as home:
            result = ask(home, letter, "fenced@answer", verb="explain")
        sent = server.requests[-1]
        headers = {k.lower(): v for k, v in sent["headers"]}
        t.ok(result.status == 0 and ACTIONS["answer"]["summary"]
             in result.out, "%s: explain prints the answer" % wire,
             result.out, result.err)
        t.ok("expect" not in headers, "%s: no Expect header" % wire)
        t.ok("gzip" in headers.get("accept-encoding", ""),
             "%s: gzip is welcome" % wire)
        t.ok(not has_key(sent["json"], "maxLength"),
             "%s: no maxLength, which slows some servers" % wire)
        t.ok(faults.KEY not in sent["body"] + sent["target"],
             "%s: the key is in its header only" % wire)


def check_explain(t, server):
    with faults.home_for("o", server.url) as home:
        result = ask(home, "o", "wrong", verb="explain")
        t.is_((result.status, home.read("ran.txt")), (4, ""),
              "explain takes no plan", result.err)
        result = ask(home, "o", "wrong,answer", verb="explain")
        t.is_((result.status, home.read("ran.txt")), (0, ""),
              "explain asks once more for an answer", result.err)
        turns = server.requests[-1]["json"]["messages"]
        t.ok([m["role"] for m in turns][-3:] == ["user", "assistant", "user"]
             and "answer_only" in turns[-1]["content"],
             "and says what was wrong", json.dumps(turns, indent=1))


# Bytes of what every request of a verb holds: rules, tools, the verb's line,
# and the schema. These are 750 tokens of o200k, of 4.24 bytes here, and 400 of
# 3.98 bytes: counted with a tokenizer when they were written.
FIXED = {"run": 3180, "do": 3180, "explain": 1590}


def fixed_bytes(letter, body):
    """The bytes of a request that do not hang on its words."""
    if letter == "o":
        rules = body["instructions"]
        user = body["input"][0]["content"]
        schema = body["text"]["format"]["schema"]
    else:
        rules = body["system"][0]["text"]
        user = body["messages"][0]["content"]
        schema = body["output_config"]["format"]["schema"]
    parts = [rules, user.splitlines()[-2], dumps(schema)]
    return sum(map(len, parts + [dumps(body["tools"])
                                 if "tools" in body else ""]))


def check_size(t):
    """Nothing is sent: these are requests to the services themselves."""
    for letter, key in (("o", "OPENAI_API_KEY"), ("a", "ANTHROPIC_API_KEY")):
        for verb, most in FIXED.items():
            with Home() as home:
                home.env[key] = faults.KEY
                shown = home.run([faults.AI, verb, "--provider",
                                  faults.WIRES[letter], "-m", "m",
                                  "--show-request", "ls", "-la"]).out
            body = json.loads(shown.split("\r\n\r\n", 1)[1])
            found = fixed_bytes(letter, body)
            t.ok(1000 < found <= most, "%s: the fixed part of %s is at most %d "
                 "bytes" % (faults.WIRES[letter], verb, most), found)
            t.ok(verb != "explain" or "tools" not in body,
                 "%s: a command line is explained without tools"
                 % faults.WIRES[letter])


def check_cut(t):
    """A server that read less than it was sent has cut the prompt."""
    words = "word " * 5000
    for letter in "ol":
        for tokens, status in ((2048, 4), (6000, 0)):
            answer = {"text": json.dumps(ACTIONS["answer"]),
                      "tokens_in": tokens}
            with Server(script=[answer]) as server, \
                    faults.home_for(letter, server.url) as home:
                result = home.run(faults.wish(letter, "x", "explain"),
                                  stdin=words)
                sent = server.requests[-1]["json"]
            t.is_((result.status, "prompt was cut" in result.err,
                   "larger context" in result.err),
                  (status, status != 0, status != 0),
                  "%s: %d tokens read of 5000 words" % (faults.WIRES[letter],
                                                        tokens), result.err)
            if letter == "l":
                t.is_(sent["options"]["num_ctx"], 32768,
                      "the context that is asked for holds it all")


def check_plan_out(t, server):
    with faults.home_for("o", server.url) as home:
        result = ask(home, "o", "answer", "--plan-out", "p.json", verb="do")
        t.is_((result.status, home.read("p.json")), (4, ""),
              "an answer in words has no plan to save", result.err)
        t.ok(ACTIONS["answer"]["summary"] in result.out
             and "no plan to save" in result.err, "and is shown all the same",
             result.out, result.err)
        result = ask(home, "o", "answer", "--plan-out", "p.json",
                     "-o", "json", verb="do")
        answer = json.loads(result.out)
        t.is_((result.status, answer["exit_status"], answer["error"]["code"]),
              (4, 4, "NOT_AN_ACTION"), "also as one JSON object", result.out)


def check_second(t):
    """Only the answer that counts goes to a program; a person sees it last,
    whatever was shown while the first one came."""
    first = json.dumps({"kind": "answer_only",
                        "summary": "First.\n\nOne.\n\nTwo.\n\nThree."})
    second = json.dumps({"kind": "answer_only", "summary": "Second."})
    for text, what in ((first[:-1], "broken"), (first[:40], "cut"),
                       (first.replace("{", '{"kind":"x",'), "double")):
        items = [{"text": text}, {"text": second}] * 2
        with Server(script=items) as server, \
                faults.home_for("o", server.url) as home:
            result = ask(home, "o", "x", verb="explain")
            t.is_((result.status, result.out), (0, "Second.\n"),
                  "the answer after a %s one is the only output" % what,
                  result.err)
            term = Terminal(home, faults.wish("o", "x", "explain"))
            t.is_(term.finish(), 0, "and so on a terminal", term.text())
            t.ok("Second." in term.text(), "where it is shown as well",
                 term.text())


def check_shown_reasoning(t):
    """What streamed and turned out to be reasoning is not the answer."""
    no = json.dumps({"kind": "answer_only", "summary": "No.\n\nNot\n\nso."})
    yes = json.dumps({"kind": "answer_only", "summary": "Just so."})
    for text, what in ((no + "</think>" + yes, "closed, never opened"),
                       (no[:-1] + " [/THINK]" + yes, "in a broken object")):
        with Server(script=[{"text": text}] * 2) as server, \
                faults.home_for("o", server.url) as home:
            result = ask(home, "o", "x", verb="explain")
            t.is_((result.status, result.out), (0, "Just so.\n"),
                  "only the answer is output: %s" % what, result.err)
            term = Terminal(home, faults.wish("o", "x", "explain"))
            t.is_(term.finish(), 0, "and so on a terminal", term.text())
            # what comes at once is known for reasoning before it is shown
            shown, said = term.text(), "No." in term.text()
            t.ok("Just so." in shown and ("The answer:" in shown) == said,
                 "where it is shown last, as a whole", shown)
            t.is_(len(server.requests), 2, "without another request")
    with Server(script=[{"text": "<think>" + no + "</think>" + yes}]) \
            as server, faults.home_for("o", server.url) as home:
        term = Terminal(home, faults.wish("o", "x", "explain"))
        t.is_(term.finish(), 0, "reasoning in marks", term.text())
        t.ok("Just so." in term.text() and "Not" not in term.text(),
             "is never shown", term.text())


def check_key(t):
    with Server(key=faults.KEY) as server:
        for letter in "oag":
            with faults.home_for(letter, server.url) as home:
                result = ask(home, letter, "run", "-y")
                t.is_(result.status, 0, "%s: the key is sent as it should"
                      % faults.WIRES[letter], result.err)
        with faults.home_for("o", server.url) as home:
            home.env["OPENAI_API_KEY"] = "key"
            result = ask(home, "o", "run", "-y")
            t.ok(result.status == 3 and "the key is not valid" in result.err,
                 "a word that is no secret is not taken out of a message",
                 result.err)


def far(server):
    """The server as a proxy reaches it: a machine that is not this one."""
    return server.url.replace("127.0.0.1", FAR).replace("localhost", FAR)


def check_proxy(t):
    with Server(proxy="open") as server, \
            faults.home_for("o", far(server)) as home:
        home.env["http_proxy"] = "http://127.0.0.1:%d" % server.proxy_port
        result = ask(home, "o", "run", "-y")
        t.is_((result.status, [r["listener"] for r in server.requests]),
              (0, ["proxy", "main"]), "http_proxy is used", result.err)


# Names and addresses of this machine, with the port to come.
NEAR = ("127.0.0.1", "localhost", "LOCALHOST", "model.localhost", "127.1",
        "127.9.8.7", "0.0.0.0", "[::ffff:127.0.0.1]")


def own_address():
    """An address of an interface that is not the loopback; None: there is
    none. Nothing is sent: a datagram's socket is only given a peer."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        try:
            sock.connect((FAR, 9))
        except OSError:
            return None
        return sock.getsockname()[0]


def check_near(t):
    """What stays on this machine passes through no proxy."""
    hosts = list(NEAR)
    name = socket.gethostname()
    try:
        if {a[4][0] for a in socket.getaddrinfo(name, 1)} <= set(
                [own_address(), "127.0.0.1", "127.0.1.1", "::1"]):
            hosts.append(name)
    except OSError:
        pass
    hosts += [own_address()] if own_address() else []
    with Server(proxy="open") as server, relay_to(server) as port:
        proxy = "http://127.0.0.1:%d" % server.proxy_port
        for host in hosts:
            before = len(server.requests)
            with faults.home_for("o", "http://%s:%d" % (host, port)) as home:
                home.env.update(http_proxy=proxy, ALL_PROXY=proxy,
                                no_proxy="elsewhere.test")
                result = ask(home, "o", "run", "-y")
            t.is_((result.status,
                   [r["listener"] for r in server.requests[before:]]),
                  (0, ["main"]), "%s is asked directly" %
                  ("its own name" if host == name else
                   "an address of its own" if host == own_address()
                   else host), result.err)


@contextlib.contextmanager
def relay_to(server):
    """A port on every address of this machine that leads to the server."""
    with socket.socket(socket.AF_INET6) as sock:
        sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        sock.bind(("::", 0))
        sock.listen()
        threading.Thread(target=take_all, args=(sock, server.port),
                         daemon=True).start()
        yield sock.getsockname()[1]
        sock.shutdown(socket.SHUT_RDWR)


def take_all(sock, port):
    with contextlib.suppress(OSError):
        while True:
            threading.Thread(target=take_one, args=(sock.accept()[0], port),
                             daemon=True).start()


def take_one(conn, port):
    with conn, contextlib.suppress(OSError), \
            socket.create_connection(("127.0.0.1", port)) as peer:
        relay(conn, peer)


def check_bad_proxy(t):
    with Server(proxy="login") as server, \
            faults.home_for("o", far(server)) as home:
        proxy = "127.0.0.1:%d" % server.proxy_port
        home.env["http_proxy"] = "http://" + proxy
        result = ask(home, "o", "run", "-y")
        t.ok(result.status == 3 and "the proxy %s wants a login (407)" % proxy
             in result.err and "in http_proxy" in result.err,
             "a proxy that asks for a login is exit 3 and named", result.err)
        home.env["http_proxy"] = "http://me:hidden-word-1@" + proxy
        result = ask(home, "o", "run", "-y")
        t.is_(result.status, 0, "and is given the one in http_proxy",
              result.err)
        home.env["http_proxy"] = "http://me:hidden-word-1@127.0.0.1:1"
        result = ask(home, "o", "run", "-y")
        t.ok(result.status == 3 and "HTTPS_PROXY" in result.err,
             "a proxy that is not there is exit 3", result.err)
        home.env["http_proxy"] = "odd://me:hidden-word-1@" + proxy
        result = ask(home, "o", "run", "-y")
        t.ok(result.status == 3 and "hidden-word" not in result.err,
             "a proxy's password is not shown", result.err)
        home.env["OPENAI_BASE_URL"] = far(server).replace("http", "https")
        home.env["HTTPS_PROXY"] = "http://" + proxy
        result = ask(home, "o", "run", "-y")
        t.ok(result.status == 3 and "the proxy %s wants a login (407)" % proxy
             in result.err and "in HTTPS_PROXY" in result.err,
             "so it is where a tunnel is asked for", result.err)
        home.env["OPENAI_BASE_URL"] = "https://198.51.100.7/v1"
        home.env["HTTPS_PROXY"] = "http://me:x@" + proxy
        result = ask(home, "o", "run", "-y")
        t.ok(result.status == 3 and "the proxy %s refused the connection (403)"
             % proxy in result.err, "a tunnel that is refused is told",
             result.err)


def check_connect_limit(t):
    """A server whose queue is full lets nobody in."""
    with socket.socket() as full, socket.socket() as first, \
            socket.socket() as second:
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        for sock in (first, second):
            sock.setblocking(False)
            sock.connect_ex(full.getsockname())
        url = "http://127.0.0.1:%d" % full.getsockname()[1]
        with faults.home_for("o", url, connect=1) as home:
            result = ask(home, "o", "run", "-y")
    t.ok(result.status == 6 and "connect_timeout_s" in result.err
         and result.seconds < 10, "a limit to connect is exit 6 and named",
         result.status, result.err)


def check_no_handshake(t):
    """A server that takes the connection and waits, as one of HTTP may do that
    is greeted by TLS."""
    with socket.socket() as deaf:
        deaf.bind(("127.0.0.1", 0))
        deaf.listen(4)
        url = "https://127.0.0.1:%d" % deaf.getsockname()[1]
        with faults.home_for("o", url, connect=1) as home:
            result = ask(home, "o", "run", "-y")
    t.ok(result.status == 6 and "began no TLS" in result.err and
         "use http://" in result.err,
         "a server that begins no TLS is exit 6, and the line says so",
         result.status, result.err)


def check_address(t):
    for url in ("http://me:hidden-word-1@127.0.0.1:1/v1", "127.0.0.1:1/v1",
                "file:///etc/passwd", "http://127.0.0.1:1/v1#x"):
        with faults.home_for("o", "http://127.0.0.1:1") as home:
            home.env["OPENAI_BASE_URL"] = url
            result = ask(home, "o", "run", "-y")
            t.ok(result.status == 2 and "OPENAI_BASE_URL" in result.err
                 and "hidden-word" not in result.err,
                 "%s is no address" % url, result.status, result.err)


# What is said of each flaw, once the authority is known.
FLAWS = {"good": "", "host": "certificate is for another name",
         "expired": "certificate has expired"}


def check_one_tls(t, flaw):
    with tempfile.TemporaryDirectory() as folder, \
            Server(tls=tls.make(folder, flaw), proxy="open") as server, \
            faults.home_for("o", far(server)) as home:
        home.env["HTTPS_PROXY"] = "http://127.0.0.1:%d" % server.proxy_port
        result = ask(home, "o", "run", "-y")
        # of two flaws, libraries for TLS do not all name the same first
        named = ("authority of the server's certificate is unknown"
                 in result.err and "ca_file" in result.err)
        t.ok(result.status == 3 and
             (named or flaw != "good" and FLAWS[flaw] in result.err),
             "an unknown authority, a certificate that is %s: refused" % flaw,
             result.err)
        home.env["SSL_CERT_DIR"] = folder + "/certs"
        result = ask(home, "o", "run", "-y")
        t.is_((result.status, FLAWS[flaw] in result.err),
              (0 if flaw == "good" else 3, True),
              "a known authority, a certificate that is %s" % flaw,
              result.err)
        ways = {r["method"] for r in server.requests
                if r["listener"] == "proxy"}
        t.is_(ways, {"CONNECT"}, "HTTPS_PROXY is used by CONNECT")


SETTINGS = """[model]
max_retries = 0
provider = openai
headers = X-Org: a, b | X-Session-Token: hidden-word-2
"""


def check_settings(t):
    """Further headers, and a query in the address."""
    with Server() as server, faults.home_for("o", server.url) as home:
        home.config(SETTINGS)
        home.env["OPENAI_BASE_URL"] = server.url + "/v1?api-version=2&key=" \
            "hidden-word-3"
        shown = ask(home, "o", "run", "-y", "--show-request").out
        result = ask(home, "o", "run", "-y")
        sent = server.requests[-1]
        head = {k.lower(): v for k, v in sent["headers"]}
        t.is_((result.status, head.get("x-org"), head.get("x-session-token")),
              (0, "a, b", "hidden-word-2"), "further headers are sent",
              result.err)
        t.is_(sent["target"], "/v1/chat/completions?api-version=2&key="
              "hidden-word-3", "a query stays in the address")
        t.ok("X-Org: a, b\r\n" in shown and "X-Session-Token: ***" in shown
             and "api-version=2" in shown and "hidden-word" not in shown,
             "--show-request shows them without secrets", shown[:900])
        home.env.update(faults.wire_env("a", server.url))
        ask(home, "a", "run", "-y")
        t.ok("hidden-word-2" not in json.dumps(server.requests[-1]["headers"]),
             "another provider does not get them")


def check_ca_file(t):
    if not tls.available():
        t.skip("ca_file", "openssl is not here")
        return
    with tempfile.TemporaryDirectory() as folder, \
            Server(tls=tls.make(folder)) as server, \
            faults.home_for("o", server.url) as home:
        home.config("[model]\nca_file = %s/ca.pem\n" % folder)
        result = ask(home, "o", "run", "-y")
        t.is_(result.status, 0, "ca_file is trusted", result.err)
        for name, what in (("absent", "No such file"),
                           ("key.pem", "no certificate")):
            home.config("[model]\nca_file = %s/%s\n" % (folder, name))
            for words in (faults.wish("o", "run", "run", "-y"),
                          [program("agentsh"), "doctor"]):
                result = home.run(words)
                t.ok("ca_file: " in result.out + result.err and
                     what in result.out + result.err,
                     "%s: ca_file %s is told" % (words[1], name), result.out,
                     result.err)


@contextlib.contextmanager
def plain_server():
    """A port that answers anything at all as HTTP servers answer nonsense."""
    with socket.create_server(("127.0.0.1", 0)) as sock:
        def serve():
            with contextlib.suppress(OSError):
                while True:
                    with sock.accept()[0] as conn:
                        conn.recv(65536)
                        conn.sendall(b"HTTP/1.1 400 Bad Request\r\n"
                                     b"Connection: close\r\n\r\n")
        threading.Thread(target=serve, daemon=True).start()
        yield "127.0.0.1:%d" % sock.getsockname()[1]
        sock.shutdown(socket.SHUT_RDWR)


def check_mistaken(t):
    """HTTP on a port of TLS, and TLS on a port of HTTP."""
    with plain_server() as there, faults.home_for("o", "") as home:
        home.env["OPENAI_BASE_URL"] = "https://" + there
        result = ask(home, "o", "run", "-y")
        t.ok(result.status == 3 and "speaks plain HTTP" in result.err and
             "use http:// in OPENAI_BASE_URL" in result.err,
             "https asked of an http port", result.err)
    if not tls.available():
        t.skip("TLS", "openssl is not here")
        return
    with tempfile.TemporaryDirectory() as folder, \
            Server(tls=tls.make(folder)) as server, \
            faults.home_for("o", server.url) as home:
        home.env["OPENAI_BASE_URL"] = server.url.replace("https", "http")
        result = ask(home, "o", "run", "-y")
        t.ok(result.status == 3 and "use https:// in OPENAI_BASE_URL"
             in result.err, "http asked of an https port", result.err)


def check_tls(t):
    if not tls.available():
        t.skip("TLS", "openssl is not here")
        return
    for flaw in tls.SUBJECTS:
        check_one_tls(t, flaw)


def check_away(t):
    with Server() as server:
        url = server.url
    for letter, wire in faults.WIRES.items():
        with faults.home_for(letter, url) as home:
            result = ask(home, letter, "run", "-y")
            t.ok(result.status == 3 and "--offline" in result.err,
                 "%s: a server that is not there is exit 3, and the line "
                 "names --offline" % wire, result.status, result.err)
    for letter in "oag":
        with faults.home_for(letter, url) as home:
            for name in faults.wire_env(letter, url):
                del home.env[name]
            result = ask(home, letter, "run", "-y")
            t.ok(result.status == 3 and "_API_KEY" in result.err
                 and "--offline" in result.err,
                 "%s: without its key it is exit 3, and the line names the "
                 "variable" % faults.WIRES[letter], result.err)


def main():
    t = tap.Tap()
    with Server() as server:
        for check in (check_again, check_pause, check_cached,
                      check_shown, check_requests, check_explain,
                      check_plan_out):
            check(t, server)
    for check in (check_size, check_cut, check_second, check_shown_reasoning,
                  check_key, check_proxy, check_near, check_bad_proxy,
                  check_connect_limit, check_no_handshake, check_address, check_tls,
                  check_settings, check_ca_file, check_mistaken, check_away):
        check(t)
    t.done()


if __name__ == "__main__":
    main()
