# SPDX-License-Identifier: GPL-3.0-or-later
"""gateways.py - three gateways that share their tasks by a NATS server, which
is killed, or whose link to one of them is cut, while work is handed out at each.

    figures = gateways.kills(t, 100, seed)
    figures = gateways.cuts(t, 10, seed)
"""

import os
import random
import sqlite3
import sys
import threading
import time

import nodes

import home  # noqa: E402
import tap  # noqa: E402

sys.path.insert(0, os.path.join(home.SRCDIR, "tests", "gateway"))

from gatewayclient import Gateway, Gone  # noqa: E402

NAMES = "abc"
WAITING = 12  # tasks that wait: no more of them are handed out
PATIENCE = 60
SHARES = b"shares its tasks"
APART = b"apart from the other gateways"
TABLES = ("task", "event", "prompt", "permission", "ref")


class Node(Gateway):
    """A gateway at a socket; all agents write one log."""

    def __init__(self, place, name, nats, log, within=()):
        self.lock = threading.Lock()
        self.state = place.folder("state-" + name)
        super().__init__(
            place, "--nats", nats.url, "--max-agents", "3", within=within,
            address="unix:" + os.path.join(place.root, name),
            env={"STUB_LOG": log, "XDG_STATE_HOME": self.state})

    def join(self):
        if not self.until(lambda: SHARES in self.log):
            raise Gone(self.log.decode())

    def count(self, words):
        """How often its log has them."""
        with self.lock:
            self.until(lambda: True, 0)
            self.log += self.child.stderr.read(1 << 20) or b""
            return self.log.count(words)

    def rows(self):
        """What it keeps, sorted."""
        db = sqlite3.connect(os.path.join(self.state, "agentsh",
                                          "gateway-shared.db"))
        try:
            return [sorted(db.execute("SELECT * FROM " + table), key=repr)
                    for table in TABLES]
        finally:
            db.close()


class Hand(threading.Thread):
    """Hands out work at one gateway; notes what was acknowledged there."""

    def __init__(self, node, name):
        super().__init__()
        self.node, self.name_ = node, name
        self.over, self.n, self.why = False, 0, None
        self.acknowledged, self.refused = [], 0

    def run(self):
        while not self.over and not self.why:
            try:
                with self.node.client() as c:
                    while not self.over:
                        self.one(c)
            except (Gone, OSError):
                time.sleep(0.02)
            except Exception as why:  # pylint: disable=broad-except
                self.why = repr(why)

    def one(self, c):
        if c.ask("usage")["by_state"].get("queued", 0) > WAITING:
            time.sleep(0.02)
            return
        self.n += 1
        text = "%s-%d" % (self.name_, self.n)
        made = self.ask(c, "task.create", title=text, description=text,
                        agent_type="agentsh")
        if made and self.ask(c, "orchestrator.trigger", task_id=made["id"]):
            self.acknowledged.append((made["id"], text))

    def ask(self, c, action, **payload):
        """None: it is refused, as it is where NATS cannot be reached."""
        m = c.answer(c.send(action, **payload), PATIENCE)
        if m["type"] == "response":
            return m["payload"]
        if m["payload"]["code"] != "INTERNAL_ERROR":
            raise AssertionError(m)
        self.refused += 1
        time.sleep(0.01)
        return None


class Load:
    """A hand at each gateway."""

    def __init__(self, gateways):
        self.gateways = gateways
        for g in gateways:
            g.join()
        self.hands = [Hand(g, "h" + n) for g, n in zip(gateways, NAMES)]
        for hand in self.hands:
            hand.start()

    def end(self):
        for hand in self.hands:
            hand.over = True
        for hand in self.hands:
            hand.join()

    @property
    def acknowledged(self):
        return [x for hand in self.hands for x in hand.acknowledged]

    def goes_on(self, i):
        """Whether more is acknowledged at a gateway."""
        n = len(self.hands[i].acknowledged)
        return tap.poll(lambda: self.hands[i].why or
                        len(self.hands[i].acknowledged) > n, PATIENCE)


def ran(log, word):
    with open(log, encoding="utf-8") as file:
        rows = [line.rstrip("\n").split(" ", 2) for line in file]
    return [tuple(row[1:]) for row in rows if row[0] == word]


def rests(c):
    s = c.ask("usage")["by_state"]
    return s.get("queued", 0) + s.get("running", 0) == 0


def check(t, what, load, log):
    t.is_([hand.why for hand in load.hands if hand.why], [],
          "%s: who hands out work goes on" % what)
    for g in load.gateways:
        with g.client() as c:
            t.ok(tap.poll(lambda c=c: rests(c), PATIENCE, 0.05),
                 "nothing is left to do", c.ask("usage")["by_state"])
            states = {x: c.ask("task.get", id=x)["state"]
                      for x, _ in load.acknowledged}
            usage = c.ask("usage")["by_state"]
    begun, done = ran(log, "begin"), ran(log, "done")
    t.is_((len(begun), len(done)), (len(set(begun)), len(set(done))),
          "nothing was begun or done twice")
    finished = set(done)
    lost = [x for x in load.acknowledged
            if x not in finished and states[x[0]] != "interrupted"]
    t.is_(lost[:3], [], "each of %d acknowledged tasks was done, or is marked "
          "as interrupted" % len(load.acknowledged))
    t.ok(tap.poll(lambda: all(g.rows() == load.gateways[0].rows()
                              for g in load.gateways[1:]), PATIENCE, 0.2),
         "all gateways keep the same")
    t.is_([g.close() for g in load.gateways], [0] * len(NAMES),
          "they end by SIGTERM")
    return "%d tasks acknowledged (%s), %d requests refused, %d done, %s" % (
        len(load.acknowledged),
        ", ".join(str(len(h.acknowledged)) for h in load.hands),
        sum(h.refused for h in load.hands), len(done), usage)


def kills(t, rounds, seed):
    """The figures, as a line."""
    rng = random.Random(seed)
    with home.Home() as place:
        nats, gateways, log = nodes.Nats(place), [], place.path("all.log")
        try:
            gateways += [Node(place, n, nats, log) for n in NAMES]
            load = Load(gateways)
            begun = time.monotonic()
            try:
                for _ in range(rounds):
                    time.sleep(rng.uniform(0.02, 0.5))  # a random moment
                    nats.kill()
                    time.sleep(rng.choice((0, rng.uniform(0, 1))))  # as well
                    nats.start()
                    if not all(load.goes_on(i) for i in range(len(NAMES))):
                        raise AssertionError(gateways[0].log.decode()[-2000:])
            finally:
                load.end()
            took = time.monotonic() - begun
            line = check(t, "nats", load, log)
        finally:
            end_all(gateways, nats)
        t.is_(place.left(), {}, "no process is left")
    return "%d kills of nats, three gateways, %.0f s: %s" % (
        rounds, took, line)


def end_all(gateways, nats):
    """Whatever has happened."""
    for g in gateways:
        if g.child.poll() is None:
            g.child.kill()
        g.child.wait()
    nats.kill()


def cut(t, network, load, i, seconds):
    """Cuts one off for a while; whether it said so, and how long it took to
    take work again."""
    node, others = load.gateways[i], [k for k in range(len(NAMES)) if k != i]
    apart = node.count(APART)
    network.link(i, "down")
    tap.poll(lambda: False, seconds)
    if not all(load.goes_on(k) for k in others):
        t.ok(False, "the others go on", node.log.decode()[-500:])
    said = node.count(APART) > apart
    network.link(i, "up")
    up = time.monotonic()
    t.ok(load.goes_on(i), "the one that was cut off for %.1f s takes work "
         "again" % seconds, node.log.decode()[-500:])
    return said, time.monotonic() - up


def cuts(t, rounds, seed, longest=15):
    """The figures, as a line. Root's."""
    rng = random.Random(seed)
    with home.Home() as place:
        network, gateways = nodes.Network(3), []
        nats = nodes.Nats(place, "10.9.0.1", network.hub.within)
        log = place.path("all.log")
        try:
            gateways += [Node(place, n, nats, log, space.within)
                         for n, space in zip(NAMES, network.spaces)]
            load = Load(gateways)
            try:
                rows = [cut(t, network, load, rng.randrange(3),
                            rng.uniform(0.2, longest)) for _ in range(rounds)]
            finally:
                load.end()
            line = check(t, "link", load, log)
        finally:
            end_all(gateways, nats)
            network.close()
        t.is_(place.left(), {}, "no process is left")
    back = sorted(row[1] for row in rows)
    return "%d cuts of a gateway's link, of which %d were noticed; work again " \
        "after %.1f s (median), %.1f (longest): %s" % (
            rounds, sum(row[0] for row in rows), back[rounds // 2], back[-1],
            line)
