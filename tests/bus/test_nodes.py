#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test_nodes.py - two nodes of one bus on a real NATS server, one of which is
cut off for a while."""

import json
import os
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
    t.done()


main()
