#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test_keep.py - agentsh bus --keep: numbers, after, dead letters."""

import json
import threading
import time

import bus

import home  # noqa: E402
import tap  # noqa: E402

LIVE = 3001


def numbers(t, b):
    with b.client("p") as p, b.client("s") as s:
        for n in range(1, 6):
            p.publish("a", n=n)
        t.is_(s.result("subscribe", topic="other"), {"success": True},
              "without after a subscription is answered as ever")
        s.result("subscribe", topic="a", after=2)
        got = [s.take() for _ in range(3)]
        t.ok([(m["seq"], m["payload"]["n"]) for m in got] ==
             [(3, 3), (4, 4), (5, 5)],
             "after 2 come those of before, from 3 on", json.dumps(got))
        number = p.send("sendMessage", topic="a", payload={"n": 6})
        live = s.take(stop=True)
        t.ok(live["seq"] == 6 and
             p.answer(number)["result"]["stopPropagation"],
             "then the new ones, whose answers count")
        t.ok(s.silent(0.1), "and nothing twice")
        s.result("unsubscribe", topic="a")
        s.result("subscribe", topic="a", after=4)
        t.ok(s.take()["seq"] == 5 and s.silent(0.1),
             "one that was stopped is not sent again")
        p.publish("b")
        with b.client("u") as u:
            u.result("subscribe", topic="b")
            t.ok(u.silent(0.1), "without after nothing of before comes")
            number = p.send("sendMessage", topic="b", payload={})
            t.ok(u.take()["seq"] == 2, "each topic counts for itself")


def not_kept(t, b):
    with b.client("p") as p, b.client("s") as s:
        for n in range(150):  # --keep 100
            p.publish("c", n=n)
        m = s.call("subscribe", topic="c", after=10)
        t.ok(m.get("error", {}).get("code") == -32005 and
             m["error"]["data"] == {"first": 51},
             "what is not kept any more is -32005, with the first one",
             json.dumps(m))
        s.result("subscribe", topic="c", after=50)
        t.ok([s.take()["seq"] for _ in range(100)] == list(range(51, 151)),
             "from that on all are there")
        p.publish("c0")
        with b.client("v") as v:
            m = v.call("subscribe", topic="c*", after=0)
            t.ok(m.get("error", {}).get("data") == {"first": 51} and
                 "result" in v.call("subscribe", topic="c*", after=50),
                 "of several topics the highest one, where none has a gap",
                 json.dumps(m))
        for topic, after, first, last in (("c", 151, 51, 150),
                                          ("nothing", 1, 1, 0)):
            with b.client("v") as v:
                m = v.call("subscribe", topic=topic, after=after)
                t.ok(m.get("error", {}).get("data") == {
                    "first": first, "last": last} and
                     "the newest number is %d" % last in
                     m["error"]["message"],
                     "a number that is still to come is none: %s" % topic,
                     json.dumps(m))
        for after in (-1, 1.5, "1", None, [], 1 << 63):
            t.ok(s.code("subscribe", topic="d", after=after) == -32602,
                 "after %r is no number" % (after,))
        for numbers in (5, None, True, [], {}):
            t.is_(s.code("subscribe", topic="d", after=0, numbers=numbers),
                  -32602, "numbers %r are no name" % (numbers,))
        t.ok(s.code("subscribe", topic="d", after=0) is None,
             "but 0 is, for a topic to come")


def many_topics(t, b):
    with b.client("p") as p, b.client("s") as s:
        for n in range(4):
            for topic in ("m:1", "m:2", "n:1"):
                p.publish(topic, n=n)
        s.result("subscribe", topic="m:*", after=1)
        got = [s.take() for _ in range(6)]
        t.ok(sorted((m["topic"], m["seq"]) for m in got) == [
            (topic, seq) for topic in ("m:1", "m:2") for seq in (2, 3, 4)] and
             s.silent(0.1), "a pattern begins behind the number in each topic",
             json.dumps(got))


def publish_all(b, topic, many, stop_of):
    """A busy sender: many on their way at once."""
    with b.client("busy") as p:
        sent = [p.send("sendMessage", topic=topic, payload={"n": n})
                for n in range(many)]
        for n, number in enumerate(sent):
            m = p.answer(number)
            if m["result"]["stopPropagation"] != stop_of(n):
                raise AssertionError("%d: %s" % (n, m))


def follow(c, topic, many, out, slow):
    """Reads until the last one, and comes back in between."""
    seen, after = [], 0
    try:
        c.result("subscribe", topic=topic, after=0)
        while after < many:
            params = c.take()
            seen.append((params["seq"], params["payload"]["n"]))
            after = params["seq"]
            if len(seen) % slow == 0:
                c.result("unsubscribe", topic=topic)
                # what had been sent before that was known
                while True:
                    try:
                        params = c.find(lambda m: m.get("method"), 0)
                    except bus.Gone:
                        break
                    c.reply(params["id"])
                    params = params["params"]
                    seen.append((params["seq"], params["payload"]["n"]))
                    after = params["seq"]
                if after < many:
                    c.result("subscribe", topic=topic, after=after)
    except (bus.Gone, AssertionError) as why:
        seen.append(str(why))
    out.append(seen)


def no_gap_while_live(t, b):
    """Followers that come and go while messages come and some are stopped."""
    first = b.client("first")
    first.result("subscribe", topic="live")
    followers = [b.client("f%d" % n) for n in range(3)]
    stops = []

    def intercept():
        for _ in range(LIVE):
            number, params = first.message()
            stop = params["payload"]["n"] % 7 == 3
            if stop:
                stops.append(params["seq"])
            first.reply(number, stop)

    found = []
    threads = [threading.Thread(target=intercept)] + [
        threading.Thread(target=follow, args=(c, "live", LIVE, found,
                                              97 + 60 * i))
        for i, c in enumerate(followers)]
    for thread in threads:
        thread.start()
    failed = []
    try:
        publish_all(b, "live", LIVE, lambda n: n % 7 == 3)
    except (AssertionError, bus.Gone) as why:
        failed.append(str(why))
    for thread in threads:
        thread.join(60)
    t.ok(not failed, "each sender is told what became of its message", *failed)
    wanted = [seq for seq in range(1, LIVE + 1) if seq not in set(stops)]
    for i, seen in enumerate(found):
        got = [s[0] if isinstance(s, tuple) else s for s in seen]
        wrong = [(a, b) for a, b in zip(got, wanted) if a != b][:3]
        t.ok(got == wanted, "follower %d: no gap, nothing twice, none that "
             "was stopped" % i, "%d, not %d" % (len(got), len(wanted)),
             str(wrong), str(got[-3:]))
    for c in (first, *followers):
        c.close()


def in_order(t, b):
    """Of a numbered topic a message does not pass the one before."""
    with b.client("p") as p, b.client("one") as one, b.client("two") as two:
        one.result("subscribe", topic="o")
        two.result("subscribe", topic="o")
        for n in (1, 2):
            p.send("sendMessage", topic="o", payload={"n": n})
        first, second = one.message()[0], one.message()[0]
        one.reply(second)
        t.ok(two.silent(0.1), "the second waits for the first")
        one.reply(first)
        t.ok([two.take()["payload"]["n"] for _ in range(2)] == [1, 2],
             "and both come in their order")


def dead(t, b):
    with b.client("p") as p, b.client("d") as d, b.client("s") as s:
        d.result("subscribe", topic="dead:*")
        p.publish("nobody", x=1)
        m = d.take()
        t.ok(m["topic"] == "dead:nobody" and m["payload"] == {
            "topic": "nobody", "payload": {"x": 1}, "seq": 1,
            "reason": "no subscriber"} and m["seq"] == 1,
             "what nobody got is published as dead:TOPIC", json.dumps(m))
        s.result("subscribe", topic="bad")
        number = p.send("sendMessage", topic="bad", payload={})
        s.fail(s.message()[0])
        m = d.take()
        t.ok(m["payload"]["reason"] == "every subscriber failed" and
             p.answer(number)["result"] == {"success": True,
                                            "stopPropagation": False},
             "and what all failed", json.dumps(m))
        number = p.send("sendMessage", topic="bad", payload={})
        s.reply(s.message()[0], stop=True)
        t.ok(d.silent(0.1), "but not what one has taken")
        d.result("unsubscribe", topic="dead:*")
        p.publish("dead:x")
        d.result("subscribe", topic="dead:*")
        t.ok(d.silent(0.1), "nor a dead one again")
        stats = d.result("bus.stats")
        t.ok(stats["dead"] >= 2 and stats["kept"]["topics"] > 5 and
             stats["kept"]["messages"] > 100, "bus.stats counts them",
             json.dumps(stats))


def slow_reader(t, b):
    """It reads nothing for a while, and then has all."""
    with b.client("p") as p, b.client("slow") as slow:
        slow.result("subscribe", topic="s")
        fill = "x" * 20000
        sent = [p.send("sendMessage", topic="s", payload={"n": n, "x": fill})
                for n in range(90)]
        got = [slow.take()["seq"] for _ in sent]
        t.ok(got == list(range(1, 91)), "what waits for a reader comes in "
             "order", str(got))
        for number in sent:
            p.answer(number)


def by_age(t):
    with home.Home() as place, bus.Bus(place, "--keep", "1s") as b, \
         b.client("p") as p:
        for n in range(3):
            p.publish("a", n=n)
        t.ok(p.result("bus.stats")["kept"]["messages"] > 3,
             "--keep takes a time: new ones are kept")
        end = time.monotonic() + bus.PATIENCE
        while p.result("bus.stats")["kept"]["messages"] and \
                time.monotonic() < end:
            pass
        with b.client("s") as s:
            m = s.call("subscribe", topic="a", after=0)
            t.ok(m.get("error", {}).get("data") == {"first": 4},
                 "old ones are not, and the count goes on", json.dumps(m))
            s.result("subscribe", topic="a", after=3)
            p.send("sendMessage", topic="a", payload={})
            t.ok(s.take()["seq"] == 4, "with the next one")


def main():
    t = tap.Tap()
    with home.Home() as place, bus.Bus(place, "--keep", "100") as b:
        for test in (numbers, not_kept, many_topics, in_order, dead,
                     slow_reader):
            test(t, b)
    with home.Home() as place, bus.Bus(place, "--keep", "100000") as b:
        no_gap_while_live(t, b)
    by_age(t)
    t.done()


if __name__ == "__main__":
    main()
