#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test_tls.py - servers that listen by TLS: curl, Python's ssl and openssl as
their peers, right, slow and hostile ones."""

import json
import os
import random
import select
import signal
import socket
import ssl
import struct
import subprocess
import sys
import threading
import time
import warnings

import ports

import home  # noqa: E402
import tap  # noqa: E402
import usage  # noqa: E402

MIB = 1 << 20
OK = b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"
TLS = ("--tls-cert", "server.crt", "--tls-key", "server.key")
HANDSHAKE_S = 10


def make_certificates(place):
    """A root, one between, and the server's; and another root."""
    ports.make_authority(place, "root")
    ports.make_authority(place, "between", "root")
    ports.make_certificate(place, "server", "between")
    ports.make_authority(place, "other")


def by_curl(t, place, server):
    def curl(*words, ca="root.crt"):
        return place.run(["curl", "-sS", "--cacert", place.path(ca), *words],
                         seconds=20)

    url = "https://localhost:%d" % server.at[1]
    for words in ((), ("--tls-max", "1.2"), ("--tlsv1.3",), ("--http1.1",)):
        r = curl(*words, url + "/health", "-w", "%{http_code}")
        t.ok(r.out.endswith("200"), "curl %s" % " ".join(words), r)
    r = curl(url + "/health", url + "/metrics", url + "/health", "-w",
             "%{num_connects}")
    t.is_(r.out.count('"ok"'), 2, "one connection, several requests", r)
    t.ok("agentsh_http_connections 1\n" in r.out, "and no more", r.out)
    r = curl(url + "/health", ca="other.crt")
    t.is_(r.status, 60, "who does not know the root does not go on")
    r = curl("--resolve", "name.example:%d:127.0.0.1" % server.at[1],
             "https://name.example:%d/health" % server.at[1])
    t.ok('"ok"' in r.out, "a name of the certificate is this server's", r)


def versions(t, place, server):
    ca = place.path("root.crt")
    for version, name in ((ssl.TLSVersion.TLSv1_2, "TLSv1.2"),
                          (ssl.TLSVersion.TLSv1_3, "TLSv1.3")):
        with server.peer(ports.trusting(ca, version, version)) as peer:
            peer.send(OK)
            t.is_(peer.status(), 200, name)
            t.is_(peer.socket.version(), name, "is spoken")
            t.is_(peer.socket.compression(), None, "without compression")
            t.ok("GCM" in peer.socket.cipher()[0] or
                 "CHACHA" in peer.socket.cipher()[0], "by a good cipher",
                 peer.socket.cipher())
    warnings.simplefilter("ignore", DeprecationWarning)
    old = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    old.check_hostname = False
    old.verify_mode = ssl.CERT_NONE
    old.set_ciphers("ALL:@SECLEVEL=0")
    old.minimum_version = ssl.TLSVersion.TLSv1
    old.maximum_version = ssl.TLSVersion.TLSv1_1
    try:
        server.peer(old).socket.close()
        t.ok(False, "TLS 1.1 is refused")
    except (ssl.SSLError, ConnectionError):
        t.ok(True, "TLS 1.1 is refused")
    old.maximum_version = ssl.TLSVersion.TLSv1_2
    old.set_ciphers("AES128-SHA:AES256-SHA256:ECDHE-ECDSA-AES128-SHA:"
                    "@SECLEVEL=0")
    old.minimum_version = ssl.TLSVersion.TLSv1_2
    try:
        server.peer(old).socket.close()
        t.ok(False, "a bad cipher is refused")
    except (ssl.SSLError, ConnectionError):
        t.ok(True, "a bad cipher is refused")


def names(t, server, context):
    def status(*lines):
        with server.peer(context) as peer:
            peer.send("\r\n".join(["GET /health HTTP/1.1", *lines, "", ""])
                      .encode())
            return peer.status()

    port = server.at[1]
    for host, wanted in (("localhost:%d" % port, 200), ("127.0.0.1", 200),
                         ("name.example", 200), ("NAME.example:1", 200),
                         ("evil.example", 403), ("name.example.evil", 403),
                         ("name.example:x", 403), ("[::1]:%d" % port, 200)):
        t.is_(status("Host: " + host), wanted, "Host: " + host)
    host = "Host: name.example:%d" % port
    for origin, wanted in (("https://name.example:%d" % port, 200),
                           ("http://name.example:%d" % port, 403),
                           ("https://name.example", 403),
                           ("https://evil.example", 403)):
        t.is_(status(host, "Origin: " + origin), wanted, "Origin: " + origin)
    t.is_(status("Host: localhost", "X: y", "\tz"), 400, "wrong heads are 400")
    with server.peer(context) as peer:
        peer.send(OK.replace(b"/health", b"https://name.example/health")
                  .replace(b"localhost", b"name.example"))
        t.is_(peer.status(), 200, "a target with its scheme and host")


def ends(t, server, context):
    with server.peer(context) as peer:
        peer.send(OK.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))
        t.is_(peer.status(), 200, "the last answer")
        t.is_(peer.socket.recv(100), b"", "and then the end, in words")
    with server.peer(context) as peer:
        peer.send(OK)
        t.is_(peer.status(), 200, "an answer")
        raw = peer.socket.unwrap()
        raw.settimeout(ports.PATIENCE)
        t.is_(raw.recv(100), b"", "who says its end is told the same")
        raw.close()
    with server.peer(context) as peer:
        peer.send(OK)
        t.is_(peer.status(), 200, "an answer, then no TLS")
        os.write(peer.socket.fileno(), b"GET / HTTP/1.1\r\n\r\n" * 50)
        t.ok(peer.is_closed(), "is dropped")


def pieces_and_floods(t, server, context):
    with server.peer(context) as peer:
        for i in range(len(OK)):
            peer.send(OK[i:i + 1])
        t.is_(peer.status(), 200, "a record for each byte")
    with server.peer(context) as peer:
        peer.send(OK * 5000)
        seen = [peer.status() for _ in range(5000)]
        t.is_(seen.count(200), 5000, "5,000 requests at once")
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "x" * (4 * MIB)})
    with server.peer(context) as peer:
        peer.send((
            "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n"
            "Content-Type: application/json\r\n\r\n" % (
                server.row.takes, len(body)) + body).encode())
        t.ok(peer.status() is not None, "a body of 4 MiB is answered")


def does_not_spin(t, server, context):
    """Peers that read nothing, and half handshakes, cost nothing."""
    idle = [server.peer(context) for _ in range(20)]
    halves = [server.peer() for _ in range(20)]
    for peer in halves:
        peer.send(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03")
    stuck = []
    for _ in range(3):
        peer = server.peer(context)
        peer.socket.setblocking(False)
        data, sent = OK * 40000, 0
        end = time.monotonic() + 2
        while sent < len(data) and time.monotonic() < end:
            try:
                sent += peer.socket.send(data[sent:sent + 65536])
            except (ssl.SSLWantWriteError, BlockingIOError):
                if time.monotonic() > end - 1.5:
                    break
        stuck.append(peer)
    before = -1
    while server.seconds_used() > before:  # what it has to do yet
        before = server.seconds_used()
        time.sleep(0.2)
    begin, used = time.monotonic(), server.seconds_used()
    with server.peer(context) as peer:
        while time.monotonic() - begin < 1.5:
            peer.send(OK)
            t_status = peer.status()
            time.sleep(0.1)
    used = server.seconds_used() - used
    t.is_(t_status, 200, "others are answered meanwhile")
    t.ok(used < 0.3, "who waits is not looked after all the time", used)
    for peer in idle + halves + stuck:
        peer.socket.close()


def by_s_client(place, server, version, lines):
    """What openssl's client prints for these lines."""
    with subprocess.Popen(
            ["openssl", "s_client", "-connect", "127.0.0.1:%d" % server.at[1],
             "-CAfile", "root.crt", version], cwd=place.work,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT) as child:
        out = b""
        os.set_blocking(child.stdout.fileno(), False)

        def wait_for(word, n):
            nonlocal out
            end = time.monotonic() + 5
            while out.count(word) < n and time.monotonic() < end and \
                    child.poll() is None:
                if select.select([child.stdout], [], [], 0.1)[0]:
                    out += child.stdout.read(1 << 16) or b""

        wait_for(b"Verify return code", 1)
        for line, word in lines:
            child.stdin.write(line)
            child.stdin.flush()
            wait_for(word, out.count(word) + 1)
        child.kill()
        child.wait()
    return out.decode("latin-1")


def asks_for_other_keys(t, place, server):
    out = by_s_client(place, server, "-tls1_2", [
        (b"R\n", b"no renegotiation")])
    t.ok("no renegotiation" in out, "keys are not negotiated anew", out[-900:])
    out = by_s_client(place, server, "-tls1_3", [
        (b"K\n", b"KEYUPDATE")] * 30 + [(OK, b'"ok"')])
    t.ok('"ok"' in out, "keys are updated as often as it is asked for",
         out[-900:])


def hostile(t, server, context):
    rand = random.Random(1)
    hello = b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(508)
    for _ in range(60):
        with server.peer() as peer:
            peer.try_to_send(rand.randbytes(rand.randrange(1, 3000)))
    for name, data in (
            ("plain HTTP", OK), ("a head that is none", b"\x16\x03\x01\x00\x05hello"),
            ("an empty hello", hello),
            ("a record that is too long", b"\x16\x03\x01\xff\xff" + bytes(70000)),
            ("SSL 2", b"\x80\x2e\x01\x00\x02\x00\x15\x00\x00\x00\x10" + bytes(40)),
            ("an alert", b"\x15\x03\x03\x00\x02\x02\x28"),
            ("data before the handshake", b"\x17\x03\x03\x00\x05hello")):
        with server.peer() as peer:
            peer.try_to_send(data)
            t.ok(peer.is_closed(5), name + " is dropped at once")
    for _ in range(100):
        with server.peer() as peer:
            peer.try_to_send(hello[:rand.randrange(1, len(hello))])
            peer.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER,
                                   struct.pack("ii", 1, 0))
    with server.peer(context) as peer:
        peer.send(OK)
        t.is_(peer.status(), 200, "and others are served")


def stays_small(t, server, context):
    def ask(n):
        for _ in range(n):
            with server.peer(context) as peer:
                peer.send(OK)
                peer.status()
            with server.peer() as peer:
                peer.try_to_send(b"\x16\x03\x01\x02\x00\x01")

    ask(100)
    before = usage.resident(server.pid)
    ask(300)
    more = usage.resident(server.pid) - before
    uncounted = usage.is_sanitized()
    t.ok(more < usage.MORE or uncounted, "600 connections leave nothing behind",
         more)
    before = usage.resident(server.pid)
    idle = []
    for _ in range(100):
        idle.append(server.peer(context))
        idle[-1].send(OK)
        idle[-1].status()
    each = (usage.resident(server.pid) - before) // 100
    t.ok(each < 48 << 10 or uncounted, "an idle one is small", each)
    t.diag("%d bytes for an idle connection" % each)
    for peer in idle:
        peer.socket.close()


class SlowHandshakes(threading.Thread):
    """One that says nothing, one that drips, while others are served."""

    def __init__(self, server):
        super().__init__(daemon=True)
        self.begin = time.monotonic()
        self.silent, self.drip = server.peer(), server.peer()
        self.took = self.silent_too = None

    def run(self):
        hello = b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + \
            bytes(508)
        for i in range(len(hello)):
            if not self.drip.try_to_send(hello[i:i + 1]) or \
                    time.monotonic() - self.begin > 2 * HANDSHAKE_S:
                break
            time.sleep(0.1)
        self.took = time.monotonic() - self.begin
        self.silent_too = self.silent.is_closed(2)
        self.silent.socket.close()
        self.drip.socket.close()

    def check(self, t):
        self.join()
        t.ok(HANDSHAKE_S - 1 < self.took < HANDSHAKE_S + 3,
             "a handshake that drips is cut off", self.took)
        t.ok(self.silent_too, "and so is silence")


def wrong_options(t, place, row):
    for name in ("server", "other"):
        os.chmod(place.path(name + ".key"), 0o600)
    with open(place.path("open.key"), "w", encoding="ascii") as file:
        file.write(place.read("server.key"))
    os.chmod(place.path("open.key"), 0o644)
    for words, said in (
            (("--tls-cert", "server.crt"), "go together"),
            (("--tls-key", "server.key"), "go together"),
            (("--tls-cert", "gone.crt", "--tls-key", "server.key"),
             "--tls-cert: gone.crt"),
            (("--tls-cert", "server.crt", "--tls-key", "gone.key"),
             "--tls-key: gone.key"),
            (("--tls-cert", "server.key", "--tls-key", "server.key"),
             "no certificate"),
            (("--tls-cert", "server.crt", "--tls-key", "other.key"),
             "not the key"),
            (("--tls-cert", "server.crt", "--tls-key", "open.key"),
             "open to others")):
        r = place.run([*row.command(), *words], seconds=10)
        t.ok(r.status == 2 and said in r.err, " ".join(words), r)


def others(t, place, row, context):
    """The other servers take their certificates from the same options."""
    with ports.Server(place, row, *TLS) as server:
        with server.peer(context) as peer:
            peer.send(OK)
            t.is_(peer.status(), 200, row.name + " listens by TLS")
        with server.peer() as peer:
            peer.try_to_send(OK)
            t.ok(peer.is_closed(5), row.name + ": who is plain is dropped")
        server.child.send_signal(signal.SIGHUP)
        with server.peer(context) as peer:
            peer.send(OK)
            t.is_(peer.status(), 200, row.name + ": and goes on at SIGHUP")


def python_with_websockets():
    """Debian's, where another one is first."""
    return next((path for path in (sys.executable, "/usr/bin/python3")
                 if tap.succeeds([path, "-c", "import websockets"])), None)


def wss(t, place):
    row = next(row for row in ports.SERVERS if row.name == "bus")
    trusts = {"SSL_CERT_FILE": place.path("root.crt")}
    with ports.Server(place, row, *TLS) as server:
        url = "wss://localhost:%d/" % server.at[1]
        r = place.run([home.program("agentsh"), "bus", "pub", "--url", url,
                       "inbound:x", '{"a":1}'], seconds=20, **trusts)
        t.is_(r.status, 0, "agentsh bus pub by wss://", r)
        r = place.run([home.program("agentsh"), "bus", "pub", "--url", url,
                       "inbound:x", '{"a":1}'], seconds=20)
        t.ok(r.status != 0 and "certificate is not accepted" in r.err,
             "and who is not trusted is not told", r)
        python = python_with_websockets()
        if not python:
            t.skip("wss by python3-websockets", "it is not here")
            return
        r = place.run([python, os.path.join(
            home.SRCDIR, "tests/net/wss_peer.py"),
            # a machine may know no name, not even this one
            url.replace("localhost", "127.0.0.1"), place.path("root.crt")],
            seconds=60)
        t.is_(r.status, 0, "python3-websockets", r.err)
        got = json.loads(r.out or "{}")
        t.is_(got.get("closed"), 1000, "it closes as it should")
        for name in ("alone", "loaded"):
            ms = got[name]
            # what waits for a late acknowledgement waits for 40 ms; a machine
            # that does other work is late now and then
            t.ok(ms[len(ms) // 2] < 40 and ms[len(ms) // 4] < 20,
                 name + ": no round trip stalls", ms[len(ms) // 2], ms[-1])
            t.diag("%s: median %.2f ms, p99 %.2f ms, longest %.2f ms" % (
                name, ms[len(ms) // 2], ms[len(ms) * 99 // 100], ms[-1]))


def guest(t, place, context):
    row = ports.Row("guest", ("guest", "--listen", "tcp:127.0.0.1:0"), "")
    place.secret("secret\n")
    with ports.Server(place, row, *TLS, "--token-file", "token") as server:
        with server.peer(context) as peer:
            peer.send(b"AUTH secret\n")
            lines = peer.socket.makefile("rb")
            t.is_(lines.readline(), b"OK\n", "guest: a token")
            for i in range(20):
                peer.send(b'{"jsonrpc":"2.0","id":%d,"method":"ping"}\n' % i)
                got = json.loads(lines.readline())
            t.is_(got["result"], {"pong": True}, "guest: an answer")
            peer.send(json.dumps({
                "jsonrpc": "2.0", "id": 9, "method": "exec", "params": {
                    "cmd": "head -c 1000000 /dev/zero | tr '\\0' x"}})
                      .encode() + b"\n")
            got = json.loads(lines.readline())
            t.is_(len(got["result"]["stdout"]), 1000000, "guest: a long one")
        with server.peer(context) as peer:
            peer.send(b"AUTH wrong\n")
            t.ok(peer.is_closed(), "guest: a wrong token ends it")
        with server.peer() as peer:
            peer.send(b"AUTH secret\n")
            t.ok(peer.is_closed(5), "guest: who is plain is dropped")
        t.is_(server.close(), 0, "guest: SIGTERM ends it")


def subject(server, context):
    """Whom the certificate of a new connection is for, and that it works."""
    with server.peer(context) as peer:
        peer.send(OK)
        if peer.status() != 200:
            return None
        return dict(x[0] for x in peer.socket.getpeercert()["subject"])[
            "commonName"]


def other_certificate(t, place, row):
    """SIGHUP loads the files anew; who is connected notices nothing."""
    def put(name):
        for end in ("crt", "key"):
            place.run(["cp", "%s.%s" % (name, end), "now." + end])

    context = ports.trusting(place.path("root.crt"))
    ports.make_certificate(place, "second", "between")
    put("server")
    with ports.Server(place, row, "--tls-cert", "now.crt", "--tls-key",
                      "now.key") as server:
        t.is_(subject(server, context), "server", "the first certificate")
        with server.peer(context) as old:
            old.send(OK)
            t.is_(old.status(), 200, "a connection by it")
            put("second")
            server.child.send_signal(signal.SIGHUP)
            t.ok(tap.poll(lambda: subject(server, context) == "second"),
                 "SIGHUP: the next one is by the second certificate")
            old.send(OK)
            t.is_(old.status(), 200, "and the first goes on")
            with open(place.path("now.crt"), "w", encoding="ascii") as file:
                file.write("nonsense\n")
            server.child.send_signal(signal.SIGHUP)
            t.ok(server.until(lambda: b"--tls-cert now.crt" in server.log),
                 "a file that is wrong is said", server.log)
            t.is_(subject(server, context), "second",
                  "and the certificate stays")
            old.send(OK)
            t.is_(old.status(), 200, "as does the connection")


def serve(t, place, row):
    context = ports.trusting(place.path("root.crt"))
    with ports.Server(place, row, *TLS) as server:
        slow = SlowHandshakes(server)
        slow.start()
        t.ok(b"listening (TLS)" in server.log, "the log says it", server.log)
        by_curl(t, place, server)
        versions(t, place, server)
        names(t, server, context)
        ends(t, server, context)
        pieces_and_floods(t, server, context)
        does_not_spin(t, server, context)
        asks_for_other_keys(t, place, server)
        hostile(t, server, context)
        stays_small(t, server, context)
        slow.check(t)
        if usage.descriptors(server.pid) is None:
            t.skip("descriptors", "they cannot be seen: run as root")
        else:
            t.ok(tap.poll(lambda: usage.descriptors(server.pid) < 40),
                 "descriptors are given back", usage.descriptors(server.pid))
        t.is_(server.close(), 0, "SIGTERM ends it with 0")


def main():
    t = tap.Tap()
    with home.Home() as place:
        make_certificates(place)
        row = ports.SERVERS[0]
        serve(t, place, row)
        other_certificate(t, place, row)
        wrong_options(t, place, row)
        context = ports.trusting(place.path("root.crt"))
        for other in ports.SERVERS[1:]:
            others(t, place, other, context)
        wss(t, place)
        guest(t, place, ports.trusting(place.path("root.crt")))
        t.ok(tap.poll(lambda: not place.left()), "nothing is left")
    t.done()


if __name__ == "__main__":
    main()
