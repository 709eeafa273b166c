#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test_clients.py - agentsh bus pub and bus sub, and who may connect."""

import json
import os
import signal
import socket
import subprocess
import threading
import time

import bus

import home  # noqa: E402
import tap  # noqa: E402


def run(place, *words, **more):
    return subprocess.run(
        [home.program("agentsh"), "bus", *words], env=place.env,
        cwd=place.work, stdin=subprocess.DEVNULL, capture_output=True,
        timeout=bus.PATIENCE, check=False, **more)


class Sub:
    """agentsh bus sub, once it has subscribed."""

    def __init__(self, place, b, watcher, *words, stdout=subprocess.PIPE):
        self.watcher, self.bus = watcher, b
        self.before = self.subscriptions()
        self.child = subprocess.Popen(
            [home.program("agentsh"), "bus", "sub", "--url", b.url, *words],
            env=place.env, cwd=place.work, stdin=subprocess.DEVNULL,
            stdout=stdout, stderr=subprocess.PIPE)
        end = time.monotonic() + bus.PATIENCE
        while self.subscriptions() == self.before:
            if time.monotonic() > end or self.child.poll() is not None:
                raise bus.Gone(self.child.stderr.read().decode())

    def __enter__(self):
        return self

    def __exit__(self, *why):
        self.child.kill()
        self.child.wait()
        if self.child.stdout:
            self.child.stdout.close()
        self.child.stderr.close()
        end = time.monotonic() + bus.PATIENCE
        while (self.bus.child.poll() is None and time.monotonic() < end and
               self.subscriptions() != self.before):
            pass  # until the bus sees that it is gone

    def subscriptions(self):
        return self.watcher.result("bus.stats")["subscriptions"]

    def noted(self):
        """Ends it: what it wrote on standard error."""
        self.child.kill()
        self.child.wait()
        return self.child.stderr.read()

    def line(self):
        return json.loads(self.child.stdout.readline())


def messages(t, place, b):
    with b.client("w") as w, Sub(place, b, w, "t:*") as s:
        p = run(place, "pub", "--url", b.url, "t:1", '{"a": [1, "é"]}')
        t.ok(p.returncode == 0 and json.loads(p.stdout) == {
            "success": True, "stopPropagation": False},
             "bus pub prints what became of the message", p.stderr)
        t.ok(s.line() == {"topic": "t:1", "payload": {"a": [1, "é"]},
                          "seq": 1}, "bus sub prints it")
        with Sub(place, b, w, "--after", "0", "t:1") as again:
            t.ok(again.line()["seq"] == 1, "--after begins with what is kept")
        p = run(place, "sub", "--url", b.url, "t:1", "--after", "9")
        t.ok(p.returncode == 1 and b"--after 9: the newest number is 1," in
             p.stderr and b"begun anew. To do: --after 0 begins" in p.stderr,
             "a number that is not there is an error", p.stderr)
        for _ in range(10):  # --keep 10
            w.result("sendMessage", topic="u:1", payload={})
        w.result("sendMessage", topic="u:1", payload={})
        p = run(place, "sub", "--url", b.url, "u:*", "--after", "0")
        t.ok(p.returncode == 1 and b"kept is 2. To do: --after 1 begins" in
             p.stderr, "so is one that is kept no more", p.stderr)
        b.close()
        t.ok(s.child.wait(bus.PATIENCE) == 1 and
             b"the bus is ending (1001)" in s.child.stderr.read(),
             "bus sub fails when the bus ends")


def unwritten(t, place, b):
    """What cannot be written is not taken, and bus sub ends."""
    with b.client("w") as w:
        with open("/dev/full", "wb") as full, \
                Sub(place, b, w, "t", stdout=full) as s:
            w.publish("t")
            t.ok(s.child.wait(bus.PATIENCE) == 1 and
                 b"standard output: write: No space left" in
                 s.child.stderr.read(),
                 "bus sub fails where its output cannot be written")
            t.is_(w.result("bus.stats")["failed"], 1,
                  "and answers that message with an error")
        with Sub(place, b, w, "t") as s:
            s.child.stdout.close()
            t.ok(s.child.wait(bus.PATIENCE) == 0 and
                 not s.child.stderr.read(),
                 "and ends where nobody reads it any more")


class Cut:
    """A way to a bus that can be cut."""

    def __init__(self, at):
        self.at, self.ends, self.url = at, [], None
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = "ws://127.0.0.1:%d/" % self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        try:
            while True:
                one = self.listener.accept()[0]
                other = socket.create_connection(self.at)
                self.ends += [one, other]
                for a, b in ((one, other), (other, one)):
                    threading.Thread(target=self.carry, args=(a, b),
                                     daemon=True).start()
        except OSError:
            pass

    @staticmethod
    def carry(a, b):
        try:
            while data := a.recv(1 << 16):
                b.sendall(data)
        except OSError:
            pass

    def cut(self):
        for end in self.ends:
            end.shutdown(socket.SHUT_RDWR)
            end.close()
        self.ends = []

    def close(self):
        self.cut()
        self.listener.close()


def publish(b, n):
    with b.client("p") as p:
        p.result("sendMessage", topic="t", payload={"n": n})


def reconnects(t, place):
    words = [home.program("agentsh"), "bus", "sub", "t", "--reconnect"]
    with bus.Bus(place, "--keep", "10") as b:
        way = Cut(b.at)
        publish(b, 1)
        with subprocess.Popen(
                [*words, "--after", "0", "--url", way.url], env=place.env,
                stdout=subprocess.PIPE, stderr=subprocess.PIPE) as s:
            seen = [json.loads(s.stdout.readline())["seq"]]
            way.cut()
            publish(b, 2)
            publish(b, 3)
            seen += [json.loads(s.stdout.readline())["seq"] for _ in "23"]
            t.is_(seen, [1, 2, 3], "--reconnect continues without a gap")
            s.terminate()
            s.wait(bus.PATIENCE)
        several_topics(t, place, b, way)
        way.close()
    begins_anew(t, place)


def several_topics(t, place, b, way):
    """They have no number that all of them would continue behind."""
    with subprocess.Popen(
            [home.program("agentsh"), "bus", "sub", "t*", "--reconnect",
             "--after", "2", "--url", way.url], env=place.env,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE) as s:
        seen = [json.loads(s.stdout.readline())["seq"]]
        way.cut()
        while b"connected again" not in (line := s.stderr.readline()) and line:
            pass
        publish(b, 4)
        seen.append(json.loads(s.stdout.readline())["seq"])
        t.is_(seen, [3, 4], "what came before is not printed again")
        s.terminate()
        s.wait(bus.PATIENCE)


def begins_anew(t, place):
    path = os.path.join(place.root, "bus")
    with bus.Bus(place, "--keep", "10", address="unix:" + path) as b, \
            b.client("w") as w:
        s = Sub(place, b, w, "t", "--reconnect")
        publish(b, 1)
        publish(b, 2)
        seen = [s.line()["seq"], s.line()["seq"]]
        b.close(signal.SIGKILL)
    os.unlink(path)
    tap.stop(s.child.pid)
    with bus.Bus(place, "--keep", "10", address="unix:" + path) as b:
        for n in (3, 4, 5):
            publish(b, n)
        os.kill(s.child.pid, signal.SIGCONT)
        seen += [s.line()["seq"] for _ in "345"]
        t.is_(seen, [1, 2, 1, 2, 3],
              "on a bus that began anew it begins with the first, also where "
              "that has as many")
        s.child.terminate()
        says = s.child.stderr.read().decode()
        t.ok(says.count("\n") == 3 and "connects again" in says and
             "connected again" in says and "begins with 1" in says,
             "and says so", says)
        s.child.wait(bus.PATIENCE)
        s.child.stdout.close()
        s.child.stderr.close()
    p = run(place, "sub", "t", "--reconnect", "--url", "unix:" + path)
    t.ok(p.returncode == 1, "what was never connected is not tried again",
         p.returncode, p.stderr)


def commands(t, place, b):
    out = place.path("out")
    rows = (("cat >>%s" % out, False, b"", "a status of 0 goes on"),
            ("exit 1", True, b"", "another one stops"),
            ("true </dev/null; exit 3", True, b"",
             "also of a command that reads nothing"),
            ("kill -9 $$", False, b"was killed by signal 9\n",
             "one that is killed does not stop"),
            ("exec ./nothing 2>&-", False, b"could not be run (status 127)\n",
             "nor one that is not there"))
    with b.client("w") as w:
        for command, stop, note, says in rows:
            with Sub(place, b, w, "t", "--exec", command) as s:
                p = run(place, "pub", "--url", b.url, "t", '{"x":1}')
                t.ok(p.returncode == 0 and
                     json.loads(p.stdout)["stopPropagation"] is stop,
                     "--exec: " + says, p.stdout, p.stderr)
                noted = s.noted()
                t.ok(noted.endswith(note) and noted.count(b"\n") == bool(note),
                     "which it says, or has no need to", noted)
        with Sub(place, b, w, "t", "--exec", "exit 200") as s:
            for _ in range(12):
                w.result("sendMessage", topic="t", payload={})
            noted = s.noted()
            t.ok(noted.count(b"failed with the status 200\n") == 10 and
                 noted.count(b"\n") == 11, "but not for ever", noted)
        with open(out, encoding="utf-8") as f:
            t.ok(json.load(f) == {"topic": "t", "payload": {"x": 1}},
                 "the command reads the message")
        with Sub(place, b, w, "t", "--exec", "cat >>%s; :" % out):
            sent = [w.send("sendMessage", topic="t", payload={"n": n})
                    for n in range(100)]
            t.ok(all("result" in w.answer(number) for number in sent),
                 "many wait for it, one after another")
        with open(out, encoding="utf-8") as f:
            seen = [json.loads(line)["payload"].get("n") for line in f]
        t.ok(seen == [None, *range(100)], "and in their order", str(seen))


def wrong_words(t, place, b):
    rows = ((("pub",), 2), (("pub", "t"), 2), (("pub", "t", "[]"), 2),
            (("pub", "t", "{"), 2), (("pub", "t", "{}", "x"), 2),
            (("sub",), 2), (("sub", "t", "--after", "x"), 2),
            (("sub", "t", "--url", "http://127.0.0.1/"), 2),
            (("--nats", "http://x"), 2),
            (("--keep", "0"), 2), (("--keep", "x"), 2), (("--keep", "5y"), 2),
            (("--max-connections", "0"), 2), (("x",), 2),
            (("--listen", "0", "--listen", "0"), 2),
            (("--listen", "0.0.0.0:0"), None))
    for words, status in rows:
        p = run(place, *words)
        t.ok((p.returncode == status if status else p.returncode != 0) and
             p.stderr.startswith(b"agentsh: "),
             "%s: %s" % (" ".join(words), p.stderr.decode().strip()[:60]))
    p = run(place, "pub", "", "{}", "--url", b.url)
    t.ok(p.returncode != 0 and b"(-32602)" in p.stderr,
         "what the bus refuses is said", p.stderr)
    p = run(place, "sub", "t", "--after", "9" * 20)
    t.ok(p.returncode == 2 and b"is too large" in p.stderr,
         "a number may be too large", p.stderr)


def who_may(t, place):
    token = place.secret("secret\n")
    with bus.Bus(place, "--token-file", token) as b:
        for shown, opens in ((None, False), ("other", False),
                             ("secret", True)):
            try:
                b.client("a", token=shown).close()
                opened = True
            except bus.Gone as why:
                opened = str(why) != "refused with 401"
            t.ok(opened is opens, "the token %s" % shown)
        p = run(place, "pub", "t", "{}", "--url", b.url)
        t.ok(p.returncode != 0 and b"401" in p.stderr,
             "bus pub needs it too", p.stderr)
        t.ok(b"a token is needed" in p.stderr and b"--token-file)" in p.stderr,
             "and says how it is given", p.stderr)
        p = run(place, "pub", "t", "{}", "--url", b.url, "--token-file",
                place.secret("other\n", "other"))
        t.ok(p.returncode != 0 and b"the token is wrong" in p.stderr,
             "and that another is wrong", p.stderr)
        p = run(place, "pub", "t", "{}", "--url", b.url, "--token-file", token)
        t.ok(p.returncode == 0, "and shows it", p.stderr)
        try:
            b.client("a", token="secret",
                     fields="Origin: http://evil.example\r\n").close()
            t.ok(False, "a page of another site is refused")
        except bus.Gone as why:
            t.ok("403" in str(why), "a page of another site is refused")
    path = place.path("sock")
    with bus.Bus(place, address="unix:" + path) as b:
        p = run(place, "pub", "t", "{}", "--url", "unix:" + path)
        t.ok(p.returncode == 0 and os.stat(path).st_mode & 0o777 == 0o600,
             "a Unix socket does as well", p.stderr)
    with bus.Bus(place, "--max-connections", "2") as b, b.client("a"), \
         b.client("b"):
        try:
            b.client("c").close()
            t.ok(False, "--max-connections is kept")
        except bus.Gone as why:
            t.ok("503" in str(why), "--max-connections is kept", str(why))


def ends(t, place):
    with bus.Bus(place) as b, b.client("p") as p, b.client("s") as s:
        s.result("subscribe", topic="t")
        number = p.send("sendMessage", topic="t", payload={})
        asked = s.message()[0]
        b.child.send_signal(signal.SIGTERM)
        end = time.monotonic() + bus.PATIENCE
        while p.code("sendMessage", topic="t", payload={}) != -32603 and \
                time.monotonic() < end:
            s.take()
        s.reply(asked)
        t.ok(p.answer(number)["result"]["success"],
             "by SIGTERM what is on its way goes on, and nothing new begins")
        try:
            while True:
                s.read()
        except bus.Gone:
            pass
        t.ok(s.status == 1001 and b.close() == 0,
             "and then the clients are told", str(s.status))


def main():
    t = tap.Tap()
    with home.Home() as place:
        with bus.Bus(place, "--keep", "10") as b:
            messages(t, place, b)
        with bus.Bus(place) as b:
            unwritten(t, place, b)
            commands(t, place, b)
            wrong_words(t, place, b)
        reconnects(t, place)
        who_may(t, place)
        ends(t, place)
    t.done()


if __name__ == "__main__":
    main()
