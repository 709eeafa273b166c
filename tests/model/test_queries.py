#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test_queries.py - one model process answers many queries at once.

Speaks to agentsh-model as the front does, in lines of JSON (src/model/ipc.h):
64 queries at mixed speeds, cancels at any time, a front that does not read, one
query that is held, keys that must stay apart, and lines that are wrong.
"""

import json
import os
import random
import select
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))

import home  # noqa: E402
import tap  # noqa: E402
from fault.server import Server  # noqa: E402

MOST = 64  # open at once
# Of 16 open queries, with the libraries; where these are bigger, a quarter of
# it is their own. A sanitizer needs more.
MEMORY_MB = 12
SANITIZED = "ASAN_OPTIONS" in os.environ
# The same without its confinement; only a build with sanitizers makes it.
UNCONFINED = home.program("tests/model/unconfined")
BIG = 3 << 20  # bytes of an answer that no pipe and no buffer holds
LIMITS = {"connect_ms": 20000, "first_byte_ms": 60000, "idle_ms": 60000,
          "total_ms": 120000, "retries": 3}
# of what a model's name asks for: whether an answer comes
SPEEDS = [("answer", True), ("slow=0.2", True), ("byte-chunks", True),
          ("run", True), ("rate,answer", True), ("one-write", True),
          ("slow=1", True), ("ping", True), ("unauthorized", False),
          ("empty-200", False), ("utf8-split", True), ("call-two", True)]


def show(text):
    """Figures, for who wants them."""
    if os.environ.get("AGENTSH_TEST_SHOW"):
        print("# " + text)


class Process:
    """A model process, its end of the pipes, and what came of each query."""

    def __init__(self, program=home.program("agentsh-model")):
        self.child = subprocess.Popen([program], stdin=subprocess.PIPE,
                                      stdout=subprocess.PIPE, bufsize=0)
        os.set_blocking(self.child.stdout.fileno(), False)
        self.rest = b""
        self.ended = False
        self.forget()

    def __enter__(self):
        return self

    def __exit__(self, *why):
        self.child.kill()
        self.child.wait()
        self.child.stdin.close()
        self.child.stdout.close()

    def forget(self):
        self.text, self.last, self.late, self.calls = {}, {}, [], {}

    def send(self, *values):
        data = b"".join(json.dumps(v).encode() + b"\n" for v in values)
        while data:  # a pipe of ours that is full would block us too
            data = data[os.write(self.child.stdin.fileno(), data[:65536]):]

    def ask(self, number, url, model="fault:answer", **more):
        self.send({"ask": {
            "id": number, "provider": "openai", "url": url, "model": model,
            "limits": LIMITS, "quirks": [], "tools": [],
            "turns": [{"role": "user", "text": "say hello"}], **more}})

    def read(self, seconds=0.1):
        """Takes in what comes, once."""
        if self.ended or not select.select([self.child.stdout], [], [],
                                           seconds)[0]:
            return
        data = os.read(self.child.stdout.fileno(), 1 << 16)
        self.ended = not data
        *lines, self.rest = (self.rest + data).split(b"\n")
        for line in lines:
            self.take(json.loads(line))

    def take(self, event):
        number = event["id"]
        if number in self.last:
            self.late.append(event)
        elif event["event"] == "text":
            self.text.setdefault(number, []).append(event["text"])
        elif event["event"] == "wanted":
            self.calls[number] = self.calls.get(number, 0) + 1
        elif event["event"] in ("answer", "failed", "servers"):
            self.last[number] = event

    def until(self, condition, seconds=60):
        end = time.monotonic() + seconds
        while not condition() and not self.ended and time.monotonic() < end:
            self.read()
        return condition()

    def is_whole(self, number):
        """Whether an answer came, and all of it."""
        last = self.last.get(number, {})
        text = "".join(self.text.get(number, []))
        return (last.get("event") == "answer"
                and len(text.encode()) == last["bytes"]
                and self.calls.get(number, 0) == last["wanted"])

    def failure(self, number):
        last = self.last.get(number, {})
        return last["text"] if last.get("event") == "failed" else ""

    def memory_kb(self, name="VmRSS"):
        with open("/proc/%d/status" % self.child.pid, encoding="ascii") as f:
            return next(int(line.split()[1]) for line in f
                        if line.startswith(name + ":"))


def url_of(server):
    return server.url + "/v1"


def ids(n=MOST, first=1):
    return range(first, first + n)


def test_mixed(t):
    """64 at once, each at its own speed."""
    with Server() as server, Process() as p:
        for i in ids():
            p.ask(i, url_of(server),
                  "fault:" + SPEEDS[i % len(SPEEDS)][0])
        t.ok(p.until(lambda: len(p.last) == MOST), "64 queries end",
             len(p.last))
        wrong = [i for i in ids()
                 if p.is_whole(i) != SPEEDS[i % len(SPEEDS)][1]]
        t.is_(wrong, [], "each as its server wanted it")
        t.is_(p.late, [], "and nothing comes of one that has ended")


def test_full(t):
    """One too many, and a slot that is free again."""
    with Server() as server, Process() as p:
        for i in ids():
            p.ask(i, url_of(server), "fault:hang")
        p.ask(100, url_of(server))
        t.ok(p.until(lambda: 100 in p.last), "the 65th query ends at once")
        t.ok("64 questions are open" in p.failure(100), "and says why",
             p.failure(100))
        t.is_(list(p.last), [100], "and no other")
        p.send({"cancel": 7}, {"cancel": 999}, {"hold": 998}, {"resume": 0})
        p.ask(101, url_of(server))
        t.ok(p.until(lambda: p.is_whole(101)),
             "a query that is cancelled makes room at once", p.last)
        t.is_((sorted(p.last), p.last[7]["code"] > 0), ([7, 100, 101], True),
              "cancelled is that one alone, and ids of nobody are ignored")
        t.ok(tap.poll(lambda: len(server.open_sockets) <= MOST - 1 + 4),
             "and its connection is closed", len(server.open_sockets))


def test_cancel(t):
    """Cancels at random, while the others are answered."""
    chance = random.Random(int(os.environ.get("FUZZ_SEED") or 1))
    with Server() as server, Process() as p:
        gone, number = set(), 0
        for _ in range(4):
            p.forget()
            asked = ids(MOST, number + 1)
            number += MOST
            for i in asked:
                p.ask(i, url_of(server), "fault:" + chance.choice(
                    ["answer", "slow=0.3", "stall", "byte-chunks"]))
            left = list(asked)
            while left:
                p.read(0.01)
                i = left.pop(chance.randrange(len(left)))
                if chance.random() < 0.5:
                    p.send({"cancel": i})
                    gone.add(i)
            stalled = [i for i in asked if i not in p.last]
            p.until(lambda s=stalled: all(i in p.last for i in s), 0.5)
            for i in asked:
                p.send({"cancel": i})
            t.ok(p.until(lambda a=asked: all(i in p.last for i in a)),
                 "all end")
            t.is_([i for i in asked if i not in gone
                   and not p.is_whole(i) and p.failure(i) != "interrupted"],
                  [], "answered whole, or interrupted")
            t.is_(p.late, [], "and nothing comes after that")


def test_stalled(t):
    """A front that does not read."""
    with Server(script=[{"text": "{\"a\":\"" + "x" * BIG + "\"}", "pieces": 16000, "tokens_out": 9}]) as big, Server() as server, \
            Process() as p:
        for i in ids(8):
            p.ask(i, url_of(big), "big")
        t.ok(tap.poll(lambda: len(big.requests) == 8, 60), "8 long answers come")
        tap.poll(lambda: False, 1.0)  # what is taken in though nobody reads
        held = p.memory_kb("RssAnon")
        p.send({"cancel": 8})
        p.ask(20, url_of(server))
        t.ok(tap.poll(lambda: len(server.requests) == 1, 60),
             "while nobody reads, another query is sent")
        t.ok(tap.poll(lambda: len(big.open_sockets) <= 7 + 3),
             "and one is cancelled", len(big.open_sockets))
        show("8 stalled: %d KiB of its own" % held)
        t.ok(SANITIZED or held < MEMORY_MB << 9, "what waits is little",
             "%d KiB" % held)
        t.ok(p.until(lambda: len(p.last) == 9), "then all end", list(p.last))
        t.is_([i for i in (*ids(7), 20) if not p.is_whole(i)], [],
              "and every answer is whole")
        t.is_(p.failure(8), "interrupted", "but the one that was cancelled")


def test_fair(t):
    """A front that reads slowly gets something of each."""
    with Server(script=[{"text": "{\"a\":\"" + "x" * BIG + "\"}", "pieces": 16000,
                         "tokens_out": 9}]) as big, Process() as p:
        for i in ids(12):
            p.ask(i, url_of(big), "big")
        tap.poll(lambda: len(big.requests) == 12, 60)
        tap.poll(lambda: False, 2.0)  # each has more than may wait
        while not p.last and not p.ended:
            p.read()
            tap.poll(lambda: False, 0.001)
        first = sorted(len("".join(v)) for v in p.text.values())
        t.ok(len(first) == 12 and first[0] > BIG // 8,
             "when the first is whole, the others have come far", first)


def test_hold(t):
    """One query whose text nobody wants now."""
    with Server(script=[{"text": "{\"a\":\"" + "x" * BIG + "\"}", "pieces": 16000, "tokens_out": 9}]) as big, Process() as p:
        p.ask(1, url_of(big), "big")
        p.send({"hold": 1})
        p.ask(2, url_of(big), "big")
        t.ok(p.until(lambda: p.is_whole(2)), "another is answered")
        t.ok(1 not in p.last, "one that is held is not")
        before = len("".join(p.text.get(1, [])))
        t.ok(before < 1 << 20, "and little of it came", before)
        p.send({"resume": 1})
        t.ok(p.until(lambda: p.is_whole(1)), "it goes on, and is whole")
        p.ask(3, url_of(big), "big")
        p.send({"hold": 3}, {"cancel": 3})
        t.ok(p.until(lambda: p.failure(3) == "interrupted"),
             "one that is held can be cancelled")


def test_apart(t):
    """Keys, headers and connections."""
    with Server() as server, Process() as p:
        owners = [("key-%d" % k, "X-Team: %d\n" % h)
                  for k in range(4) for h in range(2)]
        number = 0
        for _ in range(5):
            for key, headers in owners:
                for _ in range(2):
                    number += 1
                    p.ask(number, url_of(server), "fault:slow=0.05", key=key,
                          headers=headers)
            t.ok(p.until(lambda n=number: len(p.last) == n),
                 "%d queries of 8 owners end" % number)
        t.is_([i for i in ids(number) if not p.is_whole(i)], [],
              "with answers")
        seen, wrong = {}, []
        for r in server.requests:
            have = dict((k.lower(), v) for k, v in r["headers"])
            owner = (have.get("authorization"), have.get("x-team"))
            seen.setdefault(r["connection"], set()).add(owner)
            if (have["authorization"][len("Bearer "):],
                    "X-Team: %s\n" % have["x-team"]) not in owners:
                wrong.append(owner)
        t.is_(wrong, [], "no key comes with another's header")
        t.is_([o for o in seen.values() if len(o) > 1], [],
              "no connection serves two owners")
        t.ok(len(seen) <= 2 * len(owners) + 2,
             "and an owner's are used again", len(seen))


def test_wrong_lines(t):
    """A query that is wrong fails alone; a front that is wrong ends it."""
    with Server() as server, Process() as p:
        p.ask(1, url_of(server), "fault:slow=0.3")
        p.send({"ask": {"id": 2, "provider": "openai"}}, {"what": 1}, {})
        p.ask(3, url_of(server), provider="nobody")
        p.send({"probe": {"id": 4, "until": 0, "lists": [server.url]}})
        p.until(lambda: len(p.last) == 4)
        t.ok(p.failure(2) and p.failure(3) and p.is_whole(1),
             "a query that is wrong fails alone", p.last)
        t.is_(p.last.get(4, {}).get("event"), "servers",
              "a probe is answered beside them")
    rows = [("an id that is open", lambda p, url: p.ask(1, url)),
            ("an id of 0", lambda p, url: p.ask(0, url)),
            ("no JSON", lambda p, url: os.write(p.child.stdin.fileno(),
                                                b"hello\n"))]
    with Server() as server:
        for what, act in rows:
            with Process() as p:
                p.ask(1, url_of(server), "fault:hang")
                act(p, url_of(server))
                t.ok(p.until(lambda p=p: p.ended) and p.failure(0),
                     what + " ends the process, which says why", p.last)
                t.ok(p.child.wait() != 0, "and fails")


def test_long_line(t):
    with Process() as p:
        piece = b"x" * 65536
        try:
            for _ in range((33 << 20) // len(piece)):
                os.write(p.child.stdin.fileno(), piece)
        except BrokenPipeError:
            pass
        t.ok(p.until(lambda: p.ended) and "longer" in p.failure(0),
             "a line that never ends does so too", p.last)


def test_end(t):
    """The front ends while queries are open."""
    with Server() as server, Process() as p:
        for i in ids(16):
            p.ask(i, url_of(server), "fault:stall")
        p.until(lambda: len(p.text) >= 16)
        p.child.stdin.close()
        t.is_(p.child.wait(10), 0, "at the end of the front it ends")
        t.ok(tap.poll(lambda: len(server.open_sockets) <= 3),
             "with all its connections", len(server.open_sockets))


def test_leaks(t):
    """Queries that have ended in all ways, and some that are open."""
    if not os.path.exists(UNCONFINED):
        return
    with Server() as server, Process(UNCONFINED) as p:
        for i in ids():
            p.ask(i, url_of(server), "fault:" + SPEEDS[i % len(SPEEDS)][0])
        p.send({"ask": {"id": 65, "provider": "openai"}}, {"cancel": 1},
               {"hold": 2}, {"cancel": 2},
               {"probe": {"id": 66, "until": 0, "lists": [server.url]}})
        t.ok(p.until(lambda: len(p.last) == MOST + 2), "all end", len(p.last))
        p.forget()
        for i in ids(16, 101):
            p.ask(i, url_of(server), "fault:stall")
        p.until(lambda: len(p.text) >= 16)
        p.child.stdin.close()
        t.is_(p.child.wait(60), 0, "of none is anything left in memory")


def test_memory(t):
    with Server() as server, Process() as p:
        p.ask(100, url_of(server))
        p.until(lambda: 100 in p.last)
        p.forget()
        one = p.memory_kb()
        for i in ids(16):
            p.ask(i, url_of(server), "fault:stall")
        p.until(lambda: len(p.text) >= 16)
        now = p.memory_kb()
        own = p.memory_kb("RssAnon")
        show("idle %d KiB, 16 open %d KiB, of them its own %d KiB"
             % (one, now, own))
        t.ok(SANITIZED or now < MEMORY_MB << 10 or own < MEMORY_MB << 8,
             "16 open queries need less than %d MB" % MEMORY_MB,
             "%d KiB, its own %d KiB" % (now, own))


def main():
    t = tap.Tap()
    for test in (test_mixed, test_full, test_cancel, test_stalled, test_fair, test_hold,
                 test_apart, test_wrong_lines, test_long_line, test_end,
                 test_leaks, test_memory):
        began = time.monotonic()
        test(t)
        show("%s: %.1f s" % (test.__name__, time.monotonic() - began))
    t.done()


main()
