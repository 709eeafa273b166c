# SPDX-License-Identifier: GPL-3.0-or-later
"""nodes.py - several nodes of one bus on a NATS server: killed while they
carry messages, and cut off from each other.

    figures = nodes.kills(t, place, "node", 100, seed)
    figures = nodes.cut_link(t, place, 3)
"""

import os
import random
import re
import select
import signal
import subprocess
import sys
import threading
import time

import ports  # noqa: F401  the places of modules

import home  # noqa: E402
import tap  # noqa: E402

sys.path.insert(0, os.path.join(home.SRCDIR, "tests", "bus"))

import bus  # noqa: E402

PATIENCE = 30
AGAIN = b"the other nodes are there again"
APART = b"apart from the other nodes"
TOPIC = "work"
GAP = -32005


class Nats:
    """nats-server; it keeps its port when it is started again."""

    def __init__(self, place, address="127.0.0.1", within=()):
        self.place, self.address = place, address
        self.within, self.port = within, -1
        self.start()
        self.url = "nats://%s:%d" % (address, self.port)

    def start(self):
        self.child = subprocess.Popen(
            [*self.within, "nats-server", "-a", self.address, "-p",
             str(self.port), "-js", "-sd", self.place.path("nats")],
            cwd=self.place.work, env=self.place.env, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        log, end = b"", time.monotonic() + PATIENCE
        while b"Server is ready" not in log and time.monotonic() < end:
            if select.select([self.child.stderr], [], [], 0.1)[0]:
                data = os.read(self.child.stderr.fileno(), 1 << 16)
                if not data:
                    break
                log += data
        found = re.search(rb"client connections on \S+:(\d+)", log)
        if not found or b"Server is ready" not in log:
            raise bus.Gone(log.decode())
        self.port = int(found[1])
        threading.Thread(target=self.drain, args=(self.child.stderr,),
                         daemon=True).start()

    @staticmethod
    def drain(stream):
        with stream:
            while stream.read(1 << 16):
                pass

    def kill(self):
        self.child.kill()
        self.child.wait()


class Node:
    """A bus of several, which is started again after it was killed."""

    def __init__(self, place, nats, name, within=()):
        self.place, self.nats, self.name = place, nats, name
        self.within, self.bus = within, None
        self.lock = threading.Lock()
        self.start()

    def start(self):
        path = os.path.join(self.place.root, self.name)
        if os.path.exists(path):
            os.unlink(path)  # of the one that was killed
        self.bus = bus.Bus(self.place, "--nats", self.nats.url, "--keep",
                           "200000", address="unix:" + path,
                           within=self.within)

    def count(self, words):
        """How often the log has them."""
        with self.lock:
            self.bus.until(lambda: True)
            while select.select([self.bus.child.stderr], [], [], 0)[0]:
                data = self.bus.child.stderr.read(1 << 16)
                if not data:
                    break
                self.bus.log += data
            return self.bus.log.count(words)

    def has_joined(self):
        return self.count(AGAIN) > self.count(APART) - \
            (1 if self.bus.log.startswith(APART) else 0) \
            or self.count(AGAIN) > 0 and \
            self.bus.log.rfind(AGAIN) > self.bus.log.rfind(APART)

    def joins(self):
        return tap.poll(self.has_joined, PATIENCE, 0.02)

    def kill(self):
        self.bus.close(signal.SIGKILL)


class Publisher(threading.Thread):
    """Publishes numbers on a node; notes what was acknowledged, and how long
    it took to be told anything."""

    def __init__(self, node, name):
        super().__init__()
        self.node, self.name_ = node, name
        self.over, self.n = False, 0
        self.acknowledged, self.refused, self.gone = [], 0, 0
        self.longest, self.why = 0.0, None

    def run(self):
        while not self.over:
            try:
                with self.node.bus.client("%s-%d" % (self.name_, self.n)) as c:
                    self.publish(c)
            except (bus.Gone, OSError, ValueError):
                self.gone += 1
                time.sleep(0.01)

    def publish(self, c):
        while not self.over:
            self.n += 1
            number = c.send("sendMessage", topic=TOPIC,
                            payload={"from": self.name_, "n": self.n})
            begun = time.monotonic()
            try:
                m = c.answer(number, PATIENCE)
            except bus.Gone as why:
                if "nothing came" in str(why):
                    self.why = "waited for ever for %d" % self.n
                    self.over = True
                raise
            self.longest = max(self.longest, time.monotonic() - begun)
            if m.get("result", {}).get("success"):
                self.acknowledged.append((self.name_, self.n))
            else:
                self.refused += 1
                time.sleep(0.005)


class Subscriber(threading.Thread):
    """Reads all of a node, and leaves in between, to continue by `after`: also
    where numbers tell that something did not come. What it has seen is of
    numbers with a name."""

    def __init__(self, node, name, rng):
        super().__init__()
        self.node, self.name_, self.rng = node, name, rng
        self.over, self.last, self.numbers = False, 0, ""
        self.seen, self.gaps, self.why = [], [], None
        self.times = self.missed = self.vain = 0

    def run(self):
        while not self.over and not self.why:
            try:
                with self.node.bus.client(self.name_) as c:
                    if self.begins(c):
                        self.follow(c, self.rng.randrange(20, 400))
            except (bus.Gone, OSError):
                time.sleep(0.01)
            except Exception as why:  # pylint: disable=broad-except
                self.why = repr(why)

    def begins(self, c):
        m = c.call("subscribe", topic=TOPIC, after=self.last,
                   numbers=self.numbers)
        if m.get("error", {}).get("code") == GAP:
            first = m["error"]["data"]["first"]
            self.gaps.append((self.numbers, self.last, first))
            self.last, self.numbers = first - 1, ""
        if "result" not in m:
            return False
        self.numbers = m["result"]["numbers"]
        self.times += 1
        return True

    def follow(self, c, many):
        while many > 0 and not self.over:
            try:
                params = c.take_soon()
            except TimeoutError:
                continue
            if params["seq"] > self.last + 1:
                self.missed += 1
                self.vain += 1
                if self.vain > 5:
                    self.why = "%d comes behind %d" % (params["seq"],
                                                       self.last)
                return
            self.vain = 0
            self.seen.append(((self.numbers, params["seq"]),
                              params["payload"]["from"],
                              params["payload"]["n"]))
            self.last = params["seq"]
            many -= 1


def take_soon(self):
    """The next message, which is answered; TimeoutError: none yet."""
    try:
        number, params = self.message(0.1)
    except bus.Gone as why:
        if "nothing came" in str(why):
            raise TimeoutError from why
        raise
    self.reply(number)
    return params


bus.Client.take_soon = take_soon


class Load:
    """A publisher a node, and two subscribers at each of `read`; those at
    nodes that live are to get all."""

    def __init__(self, nodes, read, living, rng):
        self.publishers = [Publisher(n, "p" + n.name) for n in nodes]
        self.subscribers = [
            Subscriber(n, "s%d%s" % (i, n.name), random.Random(rng.random()))
            for n in read for i in range(2)]
        self.whole = [s for s in self.subscribers if s.node in living]
        for one in self.publishers + self.subscribers:
            one.start()

    def end(self):
        """When the subscribers have all that the publishers were told."""
        for p in self.publishers:
            p.over = True
        for p in self.publishers:
            p.join()
        tap.poll(lambda: all(s.why or not self.missing(s)
                             for s in self.whole), PATIENCE, 0.1)
        for s in self.subscribers:
            s.over = True
        for s in self.subscribers:
            s.join()

    @property
    def acknowledged(self):
        return [m for p in self.publishers for m in p.acknowledged]

    def missing(self, s):
        seen = {(a, b) for _, a, b in s.seen}
        return {m for m in self.acknowledged if m not in seen}

    def check(self, t, what):
        t.is_([p.why for p in self.publishers if p.why], [],
              "%s: no publisher waits for ever" % what)
        t.is_([s.why for s in self.subscribers if s.why], [],
              "subscribers continue")
        missing = [sorted(self.missing(s))[:5] for s in self.whole]
        t.is_(missing, [[]] * len(missing),
              "each of %d acknowledged messages came to all of a node that "
              "lives" % len(self.acknowledged))
        t.is_([s.gaps for s in self.whole], [[]] * len(missing),
              "and nothing was not kept there")
        t.is_([first_wrong(s.seen) for s in self.subscribers],
              [None] * len(self.subscribers), "in order, and once")
        whole = {}
        wrong = [m for s in self.subscribers for m in s.seen
                 if whole.setdefault(m[0], m) != m]
        t.is_(wrong[:3], [], "a number is one message on all nodes")
        return "%d acknowledged, %d refused, %d times without a node; " \
            "subscribers came back %d times, %d for what had not come; " \
            "%d names of numbers; the longest answer %.2f s" % (
                len(self.acknowledged),
                sum(p.refused for p in self.publishers),
                sum(p.gone for p in self.publishers),
                sum(s.times for s in self.subscribers),
                sum(s.missed for s in self.subscribers),
                len({m[0][0] for m in whole.values()}),
                max(p.longest for p in self.publishers))


def first_wrong(seen):
    """Where the numbers of the topic, or of one publisher, do not grow, of one
    name."""
    last, at = {}, {}
    for (name, seq), sender, n in seen:
        if seq <= last.get(name, 0) or n <= at.get((name, sender), 0):
            return (name, seq, sender, n)
        last[name], at[name, sender] = seq, n
    return None


def kill_node(nodes, _nats, rng):
    """One of those that may die, at a random moment; the others go on without
    it before it is there again."""
    node = rng.choice(nodes[1:])
    time.sleep(rng.uniform(0.02, 0.5))  # a random moment, not a wait
    node.kill()
    node.start()
    if not node.joins():
        raise AssertionError(node.bus.log.decode())


def kill_nats(nodes, nats, rng):
    time.sleep(rng.uniform(0.02, 0.5))  # a random moment, not a wait
    before = [n.count(AGAIN) for n in nodes]
    nats.kill()
    nats.start()
    for node, n in zip(nodes, before):
        if not tap.poll(lambda: node.count(AGAIN) > n and node.has_joined(),
                        PATIENCE, 0.02):
            raise AssertionError(node.bus.log.decode()[-2000:])


def kill_either(nodes, nats, rng):
    """The server, a node that may die, or both, without waiting for those that
    were killed before."""
    time.sleep(rng.uniform(0.02, 1.6))  # a random moment, not a wait
    node = rng.choice(nodes[1:]) if rng.random() < 0.6 else None
    server = not node or rng.random() < 0.3
    if server:
        nats.kill()
    if node:
        node.kill()
    if server:
        nats.start()
    if node:
        node.start()


def is_over(t, nodes, nats):
    """Ends them; nothing of a client, and no socket, is left."""
    statuses = [n.bus.close() for n in nodes]
    t.is_(statuses, [0] * len(nodes), "the nodes end by SIGTERM")
    t.is_([n.name for n in nodes if os.path.exists(
        os.path.join(n.place.root, n.name))], [], "no socket is left")
    nats.kill()


def kills(t, what, rounds, seed):
    """what: "node", "nats" or "either". The figures, as a line."""
    with home.Home() as place:
        nats, nodes = Nats(place), []
        try:
            nodes += [Node(place, nats, name) for name in "abc"]
            line = kill_all(t, what, rounds, nodes, nats, random.Random(seed))
            is_over(t, nodes, nats)
        finally:
            end_all(nodes, nats)
        t.is_(place.left(), {}, "no process is left")
        return line


def kill_all(t, what, rounds, nodes, nats, rng):
    kill = {"node": kill_node, "nats": kill_nats,
            "either": kill_either}[what]
    t.ok(all(n.joins() for n in nodes), "%s: three nodes are one bus" % what)
    load = Load(nodes, nodes[:1] if what == "node" else nodes,
                nodes if what == "nats" else nodes[:1], rng)
    begun, times = time.monotonic(), []
    try:
        for _ in range(rounds):
            at = time.monotonic()
            kill(nodes, nats, rng)
            times.append(time.monotonic() - at)
        t.ok(all(n.joins() for n in nodes), "they are again")
    finally:
        load.end()
    return "%d kills of %s in %.0f s: %s; back in %.2f s (median)" % (
        rounds, what, time.monotonic() - begun, load.check(t, what),
        sorted(times)[rounds // 2])


def end_all(nodes, nats):
    """Whatever has happened."""
    for node in nodes:
        node.kill()
    nats.kill()


class Space:
    """A network namespace, of a process that lives as long as it does."""

    def __init__(self):
        self.child = subprocess.Popen(
            ["unshare", "-n", "sh", "-c", "echo there; exec cat"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.child.stdout.readline()
        self.run("ip", "link", "set", "lo", "up")

    @property
    def within(self):
        return ["nsenter", "-t", str(self.child.pid), "-n"]

    def run(self, *argv):
        subprocess.run([*self.within, *argv], check=True,
                       stdin=subprocess.DEVNULL)

    def close(self):
        self.child.stdin.close()
        self.child.wait()
        self.child.stdout.close()


class Network:
    """A bridge with a server's address, and a space for each node."""

    def __init__(self, n):
        self.hub = Space()
        self.hub.run("ip", "link", "add", "name", "bridge0", "type", "bridge")
        self.hub.run("ip", "addr", "add", "10.9.0.1/24", "dev", "bridge0")
        self.hub.run("ip", "link", "set", "bridge0", "up")
        self.spaces = [Space() for _ in range(n)]
        for i, space in enumerate(self.spaces):
            self.hub.run("ip", "link", "add", "n%d" % i, "type", "veth",
                         "peer", "name", "out", "netns", str(space.child.pid))
            self.hub.run("ip", "link", "set", "n%d" % i, "master",
                         "bridge0", "up")
            space.run("ip", "addr", "add", "10.9.0.%d/24" % (i + 2), "dev",
                      "out")
            space.run("ip", "link", "set", "out", "up")

    def link(self, i, state):
        self.hub.run("ip", "link", "set", "n%d" % i, state)

    def close(self):
        for space in [*self.spaces, self.hub]:
            space.close()


def cut(t, network, nodes, round_):
    """Cuts the last node off; how long each step took, in seconds."""
    last, rest = nodes[-1], nodes[:-1]
    topic = "cut%d" % round_
    with last.bus.client("away") as away, rest[0].bus.client("here") as here, \
            rest[1].bus.client("from") as sender:
        away.result("subscribe", topic=topic)
        here.result("subscribe", topic=topic)
        number = sender.send("sendMessage", topic=topic, payload={"n": 1})
        away.take()
        here.take()
        t.ok(sender.answer(number)["result"]["success"],
             "%s: a message comes to all nodes" % topic)
        before, apart = last.count(AGAIN), last.count(APART)
        begun = time.monotonic()
        network.link(2, "down")
        # it waits for the one that is cut off, until that has left
        number = sender.send("sendMessage", topic=topic, payload={"n": 2})
        t.ok(tap.poll(lambda: last.count(APART) > apart, PATIENCE, 0.05),
             "the node that is cut off says so")
        said = time.monotonic() - begun
        m = away.call("sendMessage", topic=topic, payload={"n": 3})
        t.is_(m.get("error", {}).get("code"), -32603, "and refuses messages",
              str(m))
        got = here.take()["payload"]["n"]
        m = sender.answer(number, PATIENCE)
        left = time.monotonic() - begun
        t.ok(m.get("result", {}).get("success") and got == 2,
             "its subscribers have left at the others", str(m), got)
        network.link(2, "up")
        up = time.monotonic()
        t.ok(tap.poll(lambda: last.count(AGAIN) > before, PATIENCE, 0.05),
             "it joins anew", last.bus.log.decode()[-500:])
        back = time.monotonic() - up
        # its subscriptions are told again: soon after that
        t.ok(tap.poll(lambda: comes_to(sender, here, away, topic), PATIENCE),
             "and its subscribers get what is new")
    return said, left, back


def comes_to(sender, here, away, topic):
    """Whether a new message comes to the one that was away."""
    number = sender.send("sendMessage", topic=topic, payload={"n": 9})
    there, end = False, time.monotonic() + PATIENCE
    while time.monotonic() < end:
        for one in (away, here):
            try:
                n = one.take_soon()["payload"]["n"]
                there = there or one is away and n == 9
            except TimeoutError:
                pass
        try:
            return sender.answer(number, 0)["result"]["success"] and there
        except bus.Gone:
            pass
    return False


def cut_link(t, rounds):
    with home.Home() as place:
        network, nodes = Network(3), []
        nats = Nats(place, "10.9.0.1", network.hub.within)
        try:
            nodes += [Node(place, nats, name, space.within)
                      for name, space in zip("abc", network.spaces)]
            t.ok(all(n.joins() for n in nodes), "three nodes are one bus")
            times = [cut(t, network, nodes, i) for i in range(rounds)]
            is_over(t, nodes, nats)
        finally:
            end_all(nodes, nats)
            network.close()
    said, left, back = (sorted(x)[len(x) // 2] for x in zip(*times))
    return "%d cuts of a link (median): it said so after %.1f s, its " \
        "subscribers had left after %.1f s, and it joined %.1f s after " \
        "the link was there again" % (rounds, said, left, back)
