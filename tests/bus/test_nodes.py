#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test_nodes.py - two nodes of one bus on a real NATS server, one of which is
cut off for a while."""

import json
import os
import shutil
import signal
import socket
import sys
import threading

import bus

import home  # noqa: E402
import tap  # noqa: E402

sys.path.insert(0, os.path.join(home.SRCDIR, "tests", "gateway"))
import natsserver  # noqa: E402

TOPICS = 700
BACK = b"the other nodes are there again"


class Link:
    """What one node has of the NATS server, which can be cut."""

    def __init__(self, port):
        self.to, self.up, self.ends = port, True, []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = "nats://127.0.0.1:%d" % self.listener.getsockname()[1]
        threading.Thread(target=self.run, daemon=True).start()

    def run(self):
        while True:
            near = self.listener.accept()[0]
            if not self.up:
                near.close()
                continue
            far = socket.create_connection(("127.0.0.1", self.to))
            self.ends += [near, far]
            for pair in ((near, far), (far, near)):
                threading.Thread(target=self.carry, args=pair,
                                 daemon=True).start()

    @staticmethod
    def carry(source, sink):
        try:
            while data := source.recv(1 << 16):
                sink.sendall(data)
            sink.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass

    def cut(self):
        self.up = False
        for end in self.ends:
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
        self.ends = []


def kept(b, n):
    """What a new client of a node gets of the topic: n messages, no more."""
    with b.client("reader") as c:
        c.result("subscribe", topic="t", after=0)
        taken = [c.take() for _ in range(n)]
        if not c.silent(0.1):
            raise AssertionError("more than %d" % n)
        return [(m["seq"], m["payload"]["n"]) for m in taken]


def check_cut(t, a, b, link):
    with a.client("p") as p, b.client("q") as q:
        for n in range(1, 4):
            p.publish("t", n=n)
        link.cut()
        b.until(lambda: b"apart from the other nodes" in b.log)
        m = q.call("sendMessage", topic="t", payload={"n": 0})
        t.ok("apart" in m.get("error", {}).get("message", ""),
             "a node that is cut off takes no message", json.dumps(m))
        for n in range(4, 7):
            p.publish("t", n=n)
        b.log = b""
        link.up = True
        t.ok(b.until(lambda: BACK in b.log), "it joins the other anew", b.log)
        q.publish("t", n=7)
        want = [(n, n) for n in range(1, 8)]
        t.is_(kept(b, 7), want, "and has what was taken meanwhile, by the same "
              "numbers")
        t.is_(kept(a, 7), want, "as the other has what it takes then")


def check_parting(t, a, c, link):
    """What is under way to a subscriber of another node."""
    with a.client("s") as s, c.client("p") as p:
        s.result("subscribe", topic="u")
        number = p.send("sendMessage", topic="u", payload={})
        s.message()
        link.cut()
        m = p.answer(number)
        t.ok("not known" in m.get("error", {}).get("message", ""),
             "a node that is lost meanwhile, and keeps nothing, does not say "
             "that it was delivered", json.dumps(m))


def check_order(t, a, b):
    """A subscriber of another node leaves before it has its turn: the next one
    there still gets the message behind the one before."""
    with a.client("h") as holds, a.client("l") as leaves, \
            a.client("s") as s, a.client("p") as p, b.client("q") as q:
        for one in (holds, leaves, s):
            one.result("subscribe", topic="w")
        s.result("subscribe", topic="x")
        p.send("sendMessage", topic="w", payload={})
        held, _ = holds.message()
        failed = q.result("bus.stats")["failed"]
        q.send("sendMessage", topic="w", payload={})
        holds.take()
        holds.result("ping")  # and so it has answered
        t.ok(tap.poll(lambda: holds.result("bus.stats")["in_flight"] == 2),
             "a message waits there for the one before it")
        leaves.close()
        t.ok(tap.poll(lambda: q.result("bus.stats")["failed"] > failed),
             "one leaves, and the message goes on to the next")
        q.send("sendMessage", topic="x", payload={})
        first = s.take()
        holds.reply(held)
        t.is_([first["topic"], s.take()["seq"], s.take()["seq"]], ["x", 1, 2],
              "which gets it in its order")


def name_of(n):
    return "%d:%s" % (n, "x" * 1000)


def check_topics(t, a, b):
    """The numbers of more topics than fit into one message."""
    with a.client("p") as p:
        for number in [p.send("sendMessage", topic=name_of(n), payload={})
                       for n in range(TOPICS)]:
            p.answer(number)
    with b() as node:
        t.ok(node.until(lambda: BACK in node.log), "another")
        with node.client("s") as s, node.client("q") as q:
            s.result("subscribe", topic="*:x*")
            for n in range(TOPICS):
                q.send("sendMessage", topic=name_of(n), payload={})
            t.is_({s.take()["seq"] for _ in range(TOPICS)}, {2},
                  "it goes on with the numbers of %d topics" % TOPICS)


def named(c, **more):
    """The name of the numbers, which a subscriber is told."""
    name = c.result("subscribe", topic="n", numbers="", **more)["numbers"]
    c.result("unsubscribe", topic="n")
    return name


def check_numbers(t, nats, a, b, link):
    """Numbers that are given again have another name."""
    with a.client("s") as s, b.client("q") as q:
        name = named(s)
        t.is_(named(q), name, "all nodes have one name for their numbers")
        q.result("subscribe", topic="n")
        for number in [s.send("sendMessage", topic="n", payload={"n": n})
                       for n in range(3)]:
            q.take()
            s.answer(number)
        q.result("unsubscribe", topic="n")
        link.cut()
        b.until(lambda: b"apart from the other nodes" in b.log)
        for n in range(3, 6):
            s.publish("n", n=n)
        a.close(signal.SIGKILL)
        nats.kill()
        shutil.rmtree(nats.directory)
        b.log = b""
        nats.start()
        link.up = True
        t.ok(b.until(lambda: BACK in b.log), "the server has lost its files, "
             "and the node that knew the last numbers is gone", b.log)
        for n in range(6, 10):
            q.publish("n", n=n)
        m = q.call("subscribe", topic="n", after=6, numbers=name)
        t.is_(m.get("error", {}).get("code"), -32005,
              "a number that was given before and again is told from it",
              json.dumps(m))
        new = named(q)
        t.ok(new != name, "by another name", new)
        q.result("subscribe", topic="n", after=6, numbers=new)
        t.is_(q.take()["payload"]["n"], 9, "with which it goes on")


def check_alone(t, b, link, other):
    """One that begins while the one that knows the numbers is away."""
    with b.client("q") as q:
        for n in range(3):
            q.publish("m", n=n)
        link.cut()
        b.until(lambda: b"apart from the other nodes" in b.log)
        with other() as c:
            t.ok(c.until(lambda: BACK in c.log), "it begins alone")
            with c.client("p") as p, c.client("s") as s:
                for n in range(3, 6):
                    p.publish("m", n=n)
                b.log = c.log = b""
                link.up = True
                t.ok(b.until(lambda: BACK in b.log) and
                     c.until(lambda: BACK in c.log),
                     "and joins that one when it is back", b.log, c.log)
                s.result("subscribe", topic="m")
                q.result("subscribe", topic="m", after=2)
                number = p.send("sendMessage", topic="m", payload={"n": 6})
                seen = [q.take() for _ in range(5)]
                t.is_([(m["seq"], m["payload"]["n"]) for m in seen],
                      [(n + 1, n) for n in range(2, 7)],
                      "its numbers go on, with what it has missed")
                t.is_(s.take()["seq"], 7, "and are those of the new one")
                p.answer(number)


def main():
    t = tap.Tap()
    if not natsserver.PROGRAM:
        t.skip_all("needs nats-server")
    with home.Home() as place, \
            natsserver.NatsServer(place.path("nats")) as nats:
        link = Link(nats.port)
        with bus.Bus(place, "--keep", "100", "--nats", nats.url) as a:
            t.ok(a.until(lambda: BACK in a.log), "a node")
            with bus.Bus(place, "--keep", "100", "--nats", link.url) as b:
                t.ok(b.until(lambda: BACK in b.log), "another")
                check_order(t, a, b)
                check_cut(t, a, b, link)
            check_topics(t, a, lambda: bus.Bus(place, "--keep", "100",
                                               "--nats", link.url))
            with bus.Bus(place, "--nats", link.url) as c:
                t.ok(c.until(lambda: BACK in c.log), "one that keeps nothing")
                check_parting(t, a, c, link)
            link.up = True
            with bus.Bus(place, "--keep", "100", "--nats", link.url) as b:
                t.ok(b.until(lambda: BACK in b.log), "another")
                check_numbers(t, nats, a, b, link)
                check_alone(t, b, link, lambda: bus.Bus(
                    place, "--keep", "100", "--nats", nats.url))
    t.done()


main()
