#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test_messages.py - messages on agentsh bus: who gets them, in which order,
and what the sender is told."""

import json

import bus

import home  # noqa: E402
import tap  # noqa: E402

GOES_ON = {"success": True, "stopPropagation": False}
STOPPED = {"success": True, "stopPropagation": True}


def one_after_another(t, b):
    with b.client("p") as p, b.client("one") as one, b.client("two") as two:
        # the order is that of the connections, not of the subscriptions
        two.result("subscribe", topic="t*")
        one.result("subscribe", topic="t?")
        one.result("subscribe", topic="t1")
        number = p.send("sendMessage", topic="t1", payload={"n": 1})
        asked, params = one.message()
        t.ok(params == {"topic": "t1", "payload": {"n": 1}} and two.silent(),
             "the second subscriber waits for the first", str(params))
        one.reply(asked)
        t.ok(two.take()["payload"] == {"n": 1} and
             p.answer(number)["result"] == GOES_ON and one.silent(),
             "each gets a message once, however many of its patterns match")
        number = p.send("sendMessage", topic="t1", payload={})
        one.take(stop=True)
        t.ok(p.answer(number)["result"] == STOPPED and two.silent(),
             "what the first one stops the second one does not get")


def who_errs_or_leaves(t, b):
    with b.client("p") as p, b.client("one") as one, b.client("two") as two, \
         b.client("three") as three:
        for c in (one, two, three):
            c.result("subscribe", topic="t")
        number = p.send("sendMessage", topic="t", payload={})
        one.fail(one.message()[0])
        two.message()
        two.abort()
        three.take()
        t.ok(p.answer(number)["result"] == GOES_ON,
             "one that errs and one that leaves do not stop a message")
        for wrong in ('{"jsonrpc":"2.0","id":%d,"result":5}',
                      '{"jsonrpc":"2.0","id":%d,"result":'
                      '{"stopPropagation":"yes"}}',
                      '{"id":%d,"result":{"stopPropagation":false},'
                      '"jsonrpc":"2.0","more":[]}'):
            number = p.send("sendMessage", topic="t", payload={})
            asked = one.message()[0]
            one.write(wrong % asked)
            three.take()
            t.ok(p.answer(number)["result"] == GOES_ON,
                 "an answer that says nothing does not stop: " + wrong)
        number = p.send("sendMessage", topic="t", payload={})
        asked = one.message()[0]
        three.reply(asked, stop=True)
        t.ok(three.silent(0.1), "nobody answers for another one")
        one.reply(asked)
        one.reply(asked, stop=True)
        three.take()
        t.ok(p.answer(number)["result"] == GOES_ON,
             "a second answer is none")


def side_by_side(t, b):
    with b.client("p") as p, b.client("q") as q, b.client("one") as one, \
         b.client("two") as two:
        one.result("subscribe", topic="a")
        two.result("subscribe", topic="b")
        held = p.send("sendMessage", topic="a", payload={})
        asked = one.message()[0]
        number = q.send("sendMessage", topic="b", payload={})
        two.take()
        t.ok(q.answer(number)["result"] == GOES_ON,
             "a message that waits holds back no other")
        t.ok(one.result("ping").get("timestamp", "").endswith("Z") and
             one.publish("nobody") == GOES_ON,
             "one that owes an answer may ask")
        one.reply(asked)
        p.answer(held)
        numbers = [p.send("sendMessage", topic="a", payload={"n": n})
                   for n in range(500)]
        seen = [one.message() for _ in numbers]
        for asked, params in reversed(seen):
            one.reply(asked, stop=params["payload"]["n"] % 2 == 1)
        t.ok([params["payload"]["n"] for _, params in seen] ==
             list(range(500)), "many are on their way at once, in order")
        t.ok(all(p.answer(number)["result"]["stopPropagation"] == (n % 2 == 1)
                 for n, number in enumerate(numbers)),
             "and each is answered by its own answer")


def to_oneself(t, b):
    with b.client("p") as p:
        p.result("subscribe", topic="*")
        number = p.send("sendMessage", topic="t", payload={"x": "y"})
        t.ok(p.take()["payload"] == {"x": "y"} and
             p.answer(number)["result"] == GOES_ON,
             "a sender that subscribes gets its own message")


def the_list_of_its_time(t, b):
    with b.client("p") as p, b.client("one") as one, b.client("two") as two:
        one.result("subscribe", topic="t")
        number = p.send("sendMessage", topic="t", payload={})
        asked = one.message()[0]
        two.result("subscribe", topic="t")
        one.reply(asked)
        t.ok(p.answer(number)["result"] == GOES_ON and two.silent(0.1),
             "who subscribes later does not get a message of before")


def states(t, b):
    with b.client() as c:
        rows = (("subscribe", {"topic": "t"}, -32001),
                ("sendMessage", {}, -32001), ("bus.stats", {}, -32001),
                ("nothing", {}, -32601), ("initialize", {}, -32602),
                ("initialize", {"clientId": ""}, -32602),
                ("initialize", {"clientId": "a", "clientInfo": None}, -32002),
                ("initialize", {"clientId": "a", "clientInfo": {
                    "name": "x", "version": 1}}, -32002),
                ("initialize", {"clientId": "a"}, None),
                ("initialize", {"clientId": "a"}, -32001),
                ("subscribe", {}, -32600), ("subscribe", {"topic": ""}, -32602),
                ("subscribe", {"topic": "x" * 1025}, -32602),
                ("subscribe", {"topic": 5}, -32602),
                ("subscribe", {"topic": "t", "after": 1}, -32602),
                ("subscribe", {"topic": "t"}, None),
                ("subscribe", {"topic": "t"}, -32003),
                ("unsubscribe", {"topic": "u"}, -32004),
                ("unsubscribe", {}, -32602),
                ("unsubscribe", {"topic": 5}, -32602),
                ("unsubscribe", {"topic": "t"}, None),
                ("unsubscribe", {"topic": "t"}, -32004),
                ("sendMessage", {"topic": "t"}, -32602),
                ("sendMessage", {"topic": "t", "payload": []}, -32602),
                ("sendMessage", {"topic": "", "payload": {}}, -32602),
                ("nothing", {}, -32601))
        for method, params, code in rows:
            got = c.code(method, **params)
            t.ok(got == code, "%s %s: %s" % (method, json.dumps(params)[:40],
                                             code), str(got))
        for text, code, number in (
                ("[]", -32600, None), ("{", -32700, None),
                ('{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32600, None),
                ('{"jsonrpc":"2.0","id":7,"method":"ping","params":5}',
                 -32602, 7),
                ('{"jsonrpc":"2.0","id":7,"id":7,"method":"ping"}',
                 -32600, None),
                ('{"jsonrpc":"2.0","id":7,"method":"sendMessage","params":'
                 '{"topic":"t","payload":{"a":1,"a":1}}}', -32600, None)):
            c.write(text)
            m = c.read()
            t.ok(m.get("error", {}).get("code") == code and
                 m.get("id") == number, "%s: %d" % (text[:60], code), str(m))
        c.write('{"jsonrpc":"2.0","method":"initialize","params":{}}')
        c.write('{"jsonrpc":"2.0","id":18446744073709551615,"method":"ping"}')
        t.ok(c.read().get("id") == 18446744073709551615,
             "an id comes back as it was, and a notification does nothing")
        stats = c.result("bus.stats")
        t.ok(stats["clients"] == 1 and stats["in_flight"] == 0 and
             "kept" not in stats, "bus.stats counts", json.dumps(stats))


def odd_texts(t, b):
    """What is kept of a message is what was written."""
    payload = '{"\\u0000":"\\ud83d\\ude00","n":1e400,"m":-0.0,"x":[{},[]]}'
    with b.client("p") as p, b.client("s") as s:
        s.result("subscribe", topic="t\0*")
        for topic in ("t\\u0000x", "t\\u0000\\/é"):
            p.write('{"jsonrpc":"2.0","id":1,"method":"sendMessage",'
                    '"params":{"payload":%s,"topic":"%s"}}' % (payload, topic))
            asked, params = s.message()
            s.reply(asked)
            t.ok(params["topic"] == json.loads('"%s"' % topic) and
                 params["payload"] == json.loads(payload),
                 "a topic and a payload survive: %s" % topic, str(params))
            p.read()


def patterns(t, b):
    rows = (("a:*", "a:b:c", 1), ("a*", "b", 0), ("*c", "abc", 1),
            ("a?c", "aéc", 1), ("[a-c]x", "bx", 1), ("[!a-c]x", "bx", 0),
            ("[]x]", "]", 1), ("[", "[", 1), ("[a", "[a", 1), ("a-", "a-b", 1),
            ("a:", "a:b", 1), ("a", "ab", 0), ("a-*", "a-", 1),
            ("*a*a*b", "aaaaaaaab", 1), ("A", "a", 0), ("a\\*", "a*", 0))
    with b.client("p") as p, b.client("s") as s:
        for pattern, topic, matches in rows:
            s.result("subscribe", topic=pattern)
            number = p.send("sendMessage", topic=topic, payload={})
            if matches:
                s.take()
            t.ok(p.answer(number)["result"] == GOES_ON and
                 (matches or s.silent(0.02)),
                 "%s %s %s" % (pattern, ("does not match", "matches")[matches],
                               topic))
            s.result("unsubscribe", topic=pattern)


def clients_that_come(t):
    with home.Home() as place, bus.Bus(place, "--lifecycle") as b, \
         b.client("watcher") as w:
        w.result("subscribe", topic="agent:*")
        with b.client() as c:
            c.result("initialize", clientId="x",
                     clientInfo={"name": "n", "version": "1"})
            m = w.take()
            t.ok(m["topic"] == "agent:x" and m["payload"] == {
                "event": "spawn", "clientId": "x",
                "clientInfo": {"name": "n", "version": "1"}},
                 "--lifecycle says who comes", json.dumps(m))
            c.abort()
        t.ok(w.take()["payload"] == {
            "event": "error", "clientId": "x",
            "reason": "the connection was lost"}, "and who is lost")
        with b.client("y") as c:
            w.take()
            c.socket.sendall(bus.frame(bus.CLOSE, b"\x03\xe8"))
            t.ok(w.take()["payload"] == {"event": "complete",
                                         "clientId": "y"}, "or leaves")


def main():
    t = tap.Tap()
    with home.Home() as place, bus.Bus(place) as b:
        for test in (one_after_another, who_errs_or_leaves, side_by_side,
                     to_oneself, the_list_of_its_time, states, odd_texts,
                     patterns):
            test(t, b)
        t.ok(b.close() == 0, "it ends by SIGTERM")
    clients_that_come(t)
    t.done()


if __name__ == "__main__":
    main()
