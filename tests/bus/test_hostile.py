#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test_hostile.py - clients of agentsh bus that send, read and leave as they
like."""

import json
import random
import struct

import bus

import home  # noqa: E402
import tap  # noqa: E402

MIB = 1 << 20


def works(b):
    with b.client("p") as p, b.client("s") as s:
        s.result("subscribe", topic="works")
        number = p.send("sendMessage", topic="works", payload={})
        s.take()
        return p.answer(number)["result"]["success"]


def too_large(t, b):
    for size, status in ((MIB, None), (MIB + 1, 1009)):
        with b.client("p") as p:
            text = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping",
                               "params": {}, "x": ""})
            text = text[:-2] + "x" * (size - len(text)) + text[-2:]
            try:
                p.write(text)
                p.read()
            except (bus.Gone, OSError):
                pass
            t.ok(p.status == status, "a message of %d bytes: %s" %
                 (size, status), str(p.status))


def odd_frames(t, b):
    mask = b"\0\0\0\0"
    rows = ((b"\x81\x85" + mask + b"hell\xff", 1007, "text that is no UTF-8"),
            (b"\x81\x05hello", 1002, "a frame that is not masked"),
            (b"\xc1\x85" + mask + b"hello", 1002, "a reserved bit"),
            (b"\x83\x85" + mask + b"hello", 1002, "an opcode without meaning"),
            (b"\x80\x85" + mask + b"hello", 1002, "more of nothing"),
            (b"\x81\xff" + struct.pack(">Q", 1 << 62) + mask, 1009,
             "an endless message"))
    for data, status, says in rows:
        with b.client("p") as p:
            p.socket.sendall(data)
            try:
                p.read()
            except bus.Gone:
                pass
            t.ok(p.status == status, says, str(p.status))
    with b.client("p") as p:
        p.socket.sendall(bus.frame(2, b'{"jsonrpc":"2.0","id":3,"method":'
                                      b'"ping","params":{"x":"\xff"}}'))
        t.ok(p.read()["error"]["code"] == -32700,
             "a binary message that is no UTF-8 is no JSON")
        p.socket.sendall(bus.frame(
            2, b'{"jsonrpc":"2.0","id":3,"method":"ping"}'))
        t.ok("timestamp" in p.read()["result"], "else it is like a text")


def long_ids(t, b):
    with b.client("p") as p:
        for n, code in ((4094, None), (4095, -32600), (100000, -32600)):
            p.write(json.dumps({"jsonrpc": "2.0", "id": "i" * n,
                                "method": "sendMessage", "params": {
                                    "topic": "t", "payload": {}}}))
            m = p.read()
            t.ok(m.get("error", {}).get("code") == code and
                 m["id"] == (None if code else "i" * n) and
                 (not code or "4096 bytes" in m["error"]["message"]),
                 "an id of %d bytes: %s" % (n + 2, code), str(m)[:200])
        p.write('{"jsonrpc":"1.0","id":"%s","method":"ping"}' % ("i" * 70000))
        m = p.read()
        t.ok(m["error"]["code"] == -32600 and m["id"] is None,
             "one of a request that is wrong besides", str(m)[:200])
        t.ok("timestamp" in p.result("ping"), "the connection stays")


def who_never_reads(t, b):
    """One that subscribes to all and reads nothing holds back nobody else for
    long, and little memory."""
    before = b.memory_kb()
    fill = "x" * 100000
    senders = [b.client("p%d" % n) for n in range(20)]
    with b.client("deaf") as deaf, b.client("s") as s:
        deaf.result("subscribe", topic="*")
        s.result("subscribe", topic="t")
        sent = [(p, p.send("sendMessage", topic="t", payload={
            "n": n, "x": fill})) for p in senders for n in range(9)]
        t.ok(works_beside(b), "others go on meanwhile")
        grown = b.memory_kb() - before
        t.ok(grown < 64 << 10, "a reader that does not read costs little",
             "%d KB" % grown)
        deaf.abort()
        got = sorted(s.take()["payload"]["n"] for _ in sent)
        t.ok(got == sorted(list(range(9)) * len(senders)),
             "when it leaves the others get all", str(got[:5]))
        t.ok(all("result" in p.answer(number) for p, number in sent),
             "and each sender its answer")
    for p in senders:
        p.close()


def works_beside(b):
    with b.client("q") as q:
        return q.result("ping")


def endless_sender(t, b):
    """It sends without a look at what comes back."""
    before = b.memory_kb()
    with b.client("s") as s, b.client("p") as p:
        s.result("subscribe", topic="flood")
        one = bus.frame(bus.TEXT, bus.message(
            "sendMessage", 1, topic="flood",
            payload={"x": "y" * 1000}).encode())
        p.socket.settimeout(1)
        try:
            for _ in range(60000):
                p.socket.sendall(one)
            stopped = False
        except OSError:
            stopped = True
        t.ok(stopped, "a sender whose messages wait is not read any more")
        t.ok(b.memory_kb() - before < 64 << 10, "and costs little",
             "%d KB" % (b.memory_kb() - before))
        t.ok(works_beside(b), "others go on")
        p.abort()
        s.abort()
    with b.client("both") as c:
        c.result("subscribe", topic="own")
        refused = 0
        for n in range(17000):
            c.send("sendMessage", topic="own", payload={"n": n})
            if n % 500 == 499:
                while True:
                    try:
                        m = c.read(0)
                    except bus.Gone:
                        break
                    refused += m.get("error", {}).get("code") == -32603
        while not refused:
            m = c.read()
            refused += m.get("error", {}).get("code") == -32603
        t.ok(refused, "one that also gets messages is refused beyond a limit")


def patterns_without_end(t, b):
    with b.client("p") as p:
        codes = [p.code("subscribe", topic="x%d*" % n) for n in range(1030)]
        t.ok(codes.count(None) == 1024 and codes[-1] == -32603,
             "a client has 1024 patterns", str(codes[-1]))
        with b.client("q") as q:
            number = q.send("sendMessage", topic="x7", payload={})
            p.take()
            t.ok(q.answer(number)["result"]["success"], "which all are looked "
                 "at")


def noise(t, b):
    chance = random.Random(4)
    parts = ['{"jsonrpc":"2.0",', '"id":', "1", '"method":"sendMessage",',
             '"params":', '{"topic":"t","payload":{}}', "}", "{", "[", '"',
             "\\u0000", "\\ud800", ",", '"result":{"stopPropagation":true}',
             "null", "1e999", " ", '"error":{"code":1,"message":"m"}']
    with b.client("p") as p:
        p.result("subscribe", topic="*")
        for _ in range(3000):
            text = "".join(chance.choice(parts)
                           for _ in range(chance.randrange(1, 14)))
            p.write(text)
        p.send("ping")
        t.ok(p.find(lambda m: "timestamp" in m.get("result", {})),
             "a connection survives 3000 messages that are none")
    for _ in range(200):
        c = b.client("x")
        c.result("subscribe", topic="t%d" % chance.randrange(20))
        for _ in range(5):
            c.send("sendMessage", topic="t%d" % chance.randrange(20),
                   payload={})
        chance.choice((c.abort, c.close))()
    t.ok(works(b), "and the bus 200 that leave in the middle")


def main():
    t = tap.Tap()
    for options in ((), ("--keep", "50", "--lifecycle")):
        with home.Home() as place, bus.Bus(place, *options) as b:
            for test in (too_large, odd_frames, long_ids, who_never_reads,
                         endless_sender, patterns_without_end, noise):
                test(t, b)
            t.ok(b.close() == 0, "the bus ends as it should")
    t.done()


if __name__ == "__main__":
    main()
