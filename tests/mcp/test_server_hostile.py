#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test_server_hostile.py - clients of agentsh mcp that send, read and leave as
they like."""

import json
import os
import select
import signal
import sqlite3
import time

import client
from client import Client, text

import home  # noqa: E402
import tap  # noqa: E402
import usage  # noqa: E402

MIB = 1 << 20


def peak(c):
    """The most memory that the server has used, in bytes."""
    with open("/proc/%d/status" % c.child.pid, encoding="ascii") as status:
        line = next(x for x in status if x.startswith("VmHWM:"))
    return int(line.split()[1]) << 10


def call(command, **more):
    return {"name": "cmd_run", "arguments": {"command": command}, **more}


def messages_that_are_none(t, place):
    rows = ((b"{", -32700), (b"hello", -32700), (b"\xff\xfe", -32700),
            (b"\xef\xbb\xbf{}", -32700), (b"[" * 600, -32700),
            (b'{"a":1,"a":2}', -32600), (b"[]", -32600), (b"5", -32600),
            (b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600),
            (b'{"jsonrpc":"1.0","id":1,"method":"ping"}', -32600),
            (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600),
            (b'{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32600),
            (b'{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600),
            (b'{"jsonrpc":"2.0","id":7,"method":5}', -32600),
            (b'{"jsonrpc":"2.0","id":7,"method":"tools/list","params":5}',
             -32602),
            (b'{"jsonrpc":"2.0","id":7,"method":"tools/list","params":[]}',
             -32602),
            (b'{"jsonrpc":"2.0","id":7,"method":"tools/call",'
             b'"params":{"name":"a\\u0000b"}}', -32602))
    with client.start(place) as c:
        for line, code in rows:
            c.answers.clear()
            c.send(line + b"\n")
            t.ok(c.until(lambda: c.answers), "%r is answered" % line[:50])
            t.is_(next(iter(c.answers.values()))["error"]["code"], code,
                  "by %d" % code)
        for blank in (b"\n", b"\r\n", b"  \t\n"):
            c.send(blank)
        for ident in (b"18446744073709551615", b'"\\u00e9\\/"', b"-0", b'""'):
            c.send(b'{"jsonrpc":"2.0","id":' + ident +
                   b',"method":"ping"}\r\n')
            raw = b'"id":' + ident + b','
            t.ok(tap.poll(lambda r=raw: _raw(c, r)),
                 "the id %s comes back as it was" % ident.decode())
        for notice in ("no/such", "tools/call", "notifications/cancelled",
                       "notifications/roots/list_changed"):
            for params in ({}, {"requestId": 5}, {"requestId": {}},
                           {"requestId": None}):
                c.notify(notice, params)
        t.is_(c.request("ping"), {}, "the connection survives all of it")


def _raw(c, wanted):
    """Whether the next bytes hold what is wanted."""
    if not select.select([c.child.stdout], [], [], 0.1)[0]:
        return False
    return wanted in os.read(c.child.stdout.fileno(), 1 << 16)


def long_messages(t, place):
    with client.start(place) as c:
        c.send(b"x" * (17 * MIB) + b"\n")
        t.ok(c.until(lambda: None in c.answers), "a long line is answered")
        t.is_(c.answers[None]["error"]["code"], -32600, "by an error")
        t.is_(c.request("ping"), {}, "and passed over")
        begun = time.monotonic()
        r = c.call("fs_write_file", path="big", content="x" * (10 * MIB))
        t.ok(not r["isError"] and os.path.getsize(place.path("big")) ==
             10 * MIB, "a long argument is none", text(r)[:200],
             str(time.monotonic() - begun))
        r = c.request("tools/call", {"name": "fs_write_file", "arguments": {
            "path": "big", "content": "x" * (11 * MIB)}})
        t.is_(r["code"], -32602, "one that is too long is bad")
        deep = b'{"jsonrpc":"2.0","id":99,"method":"tools/call","params":' \
            b'{"name":"fs_read_file","arguments":' + b'{"a":' * 400 + b"1" + \
            b"}" * 400 + b"}}\n"
        c.send(deep)
        t.ok(c.until(lambda: 99 in c.answers) and
             c.answers[99]["error"]["code"] == -32602,
             "so is a deep one")
        if not usage.is_sanitized():
            t.ok(peak(c) < 250 * MIB, "memory is bounded", str(peak(c)))


def much_that_waits(t, place):
    """Questions that nobody answers, each with much behind it."""
    with Client(place) as c:
        c.has = client.FORM
        more = [[1] * 100 for _ in range(1000)]
        begun = time.monotonic()
        ids = [c.start_new("tools/call", {
            "name": "cmd_run", "arguments": {"command": "rm -f a.txt"},
            "more": more}) for _ in range(100)]
        kinds = [c.wait(i) for i in ids]
        t.ok(kinds[0].get("resultType") == "input_required" and
             kinds[-1].get("code") == -32603,
             "what is kept of questions has a limit", str(kinds[-1])[:200])
        if not usage.is_sanitized():
            t.ok(peak(c) < 250 * MIB, "in memory, too", str(peak(c)))
        r = c.new("tools/call", call("echo a"))
        t.is_(r.get("code"), -32603, "nothing else is taken then",
              str(time.monotonic() - begun))
        t.ok("tools" in c.new("tools/list"), "but what holds nothing is")


def many_at_once(t, place):
    with open(place.path("a.txt"), "w", encoding="utf-8") as file:
        file.write("hello\n")
    with client.start(place) as c:
        line = [json.dumps({"jsonrpc": "2.0", "id": i, "method": "tools/call",
                            "params": {"name": "fs_read_file", "arguments":
                                       {"path": "a.txt"}}}).encode() + b"\n"
                for i in range(100, 3100)]
        data = memoryview(b"".join(line))
        os.set_blocking(c.child.stdin.fileno(), False)
        end = time.monotonic() + 3 * client.PATIENCE
        while len(c.answers) < 3001 and time.monotonic() < end:
            if data and select.select([], [c.child.stdin], [], 0)[1]:
                data = data[c.child.stdin.write(data[:65536]) or 0:]
            c.read(0.01)
        os.set_blocking(c.child.stdin.fileno(), True)
        wrong = [a for i, a in c.answers.items() if i >= 100 and
                 (a.get("result") or {}).get("isError") is not False]
        t.ok(len(c.answers) == 3001 and not wrong,
             "3000 calls at once are all answered", str(len(c.answers)),
             str(wrong[:1]))
        if not usage.is_sanitized():
            t.ok(peak(c) < 100 * MIB, "with bounded memory", str(peak(c)))


def cancels(t, place):
    with client.start(place) as c:
        ids = [c.start("tools/call", call("sleep 1000", arguments={
            "command": "sleep 1000", "timeout_ms": None}))
            for _ in range(1000)]
        for i in ids + ids:
            c.notify("notifications/cancelled", {"requestId": i})
        t.is_(c.request("ping"), {}, "a thousand calls are cancelled")
        t.ok(tap.poll(lambda: not set(place.left()) - {c.child.pid}),
             "nothing of them is left", str(place.left())[:200])
        t.ok(not any("result" in c.answers.get(i, {}) for i in ids),
             "and none has a result")
        r = c.call("cmd_run", command="echo again")
        t.is_(text(r), "again\n", "and others run")


def one_that_does_not_read(t, place):
    with open(place.path("long.txt"), "w", encoding="utf-8") as file:
        file.write("x" * 90000)
    c = client.start(place)
    os.set_blocking(c.child.stdin.fileno(), False)
    line = json.dumps({"jsonrpc": "2.0", "id": 5, "method": "tools/call",
                       "params": {"name": "fs_read_file", "arguments":
                                  {"path": "long.txt"}}}).encode() + b"\n"
    data, end, sent = line * 500, time.monotonic() + 1.5, 0
    while time.monotonic() < end:
        if select.select([], [c.child.stdin], [], 0.05)[1]:
            sent += c.child.stdin.write(data) or 0
    t.ok(sent < 100 * len(data), "who does not read is not read", str(sent))
    if not usage.is_sanitized():
        t.ok(peak(c) < 100 * MIB, "and costs little", str(peak(c)))
    c.child.stdin.close()
    c.child.stdin = None
    begun = time.monotonic()
    c.child.wait(client.PATIENCE)
    t.ok(time.monotonic() - begun < 2, "its end is the server's")
    c.close()


def leaves(t, place):
    stubborn = "trap '' TERM INT HUP; echo ready; sleep 1000 & wait; wait"
    for how in ("output", "both", "killed"):
        c = client.start(place)
        c.start("tools/call", call(stubborn, _meta={"progressToken": 1}))
        c.until(lambda: "ready" in json.dumps(c.notices))
        if how != "killed":
            c.child.stdout.close()
        if how == "both":
            c.child.stdin.close()
            c.child.stdin = None
        if how == "killed":
            c.child.kill()
        begun = time.monotonic()
        c.child.wait(client.PATIENCE)
        t.ok(tap.poll(lambda: not place.left()),
             "a client that leaves by %s leaves nothing" % how,
             str(place.left()))
        t.ok(time.monotonic() - begun < 2, "within two seconds")
        c.close()
    with client.start(place, has=client.FORM) as c:
        c.elicit = lambda params: None
        ident = c.start("tools/call", call("rm -f a.txt"))
        c.until(lambda: c.asked)
        c.child.send_signal(signal.SIGTERM)
        r = c.wait(ident)
        t.ok(r["isError"] and os.path.exists(place.path("a.txt")),
             "a question that nobody answered is no yes", json.dumps(r))
        c.child.wait(client.PATIENCE)


def answers_of_all_kinds(t, place):
    with client.start(place, has=client.FORM) as c:
        c.elicit = lambda params: None
        for number, reply in enumerate((
                {"error": {"code": -32603, "message": "no"}},
                {"result": 5}, {"result": None}, {"result": []},
                {"result": {"action": "accept\u0000"}},
                {"result": {"action": ["accept"]}})):
            ident = c.start("tools/call", call("rm -f a.txt"))
            c.until(lambda n=number: len(c.asked) == n + 1)
            c.send({"jsonrpc": "2.0", "id": c.asked[-1]["id"] + 1000,
                    "result": {"action": "accept"}})
            c.send({"jsonrpc": "2.0", "id": str(c.asked[-1]["id"]),
                    "result": {"action": "accept"}})
            c.send({"jsonrpc": "2.0", "id": c.asked[-1]["id"], **reply})
            t.ok(c.wait(ident).get("isError") and
                 os.path.exists(place.path("a.txt")),
                 "%s is no yes" % json.dumps(reply))


def what_must_not_be_reached(t, place):
    keys = os.path.join(place.env["HOME"], ".ssh")
    os.makedirs(keys)
    with open(os.path.join(keys, "id_ed25519"), "w", encoding="utf-8") as file:
        file.write("secret-key")
    os.symlink(os.path.join(keys, "id_ed25519"), place.path("innocent"))
    with client.start(place) as c:
        for path in (os.path.join(keys, "id_ed25519"), "innocent"):
            r = c.call("fs_read_file", path=path)
            t.ok(r["isError"] and "secret-key" not in text(r),
                 "a key is not read by %s" % os.path.basename(path), text(r))
        r = c.call("fs_write_file", path=os.path.join(place.root, "outside"),
                   content="x")
        t.ok(r["isError"] and not os.path.exists(
            os.path.join(place.root, "outside")),
            "nothing is written outside the workspace", text(r))
        r = c.call("cmd_run", command="cat innocent")
        t.ok("secret-key" not in json.dumps(r), "nor by a command", text(r))


def locked_journal(t, place):
    path = os.path.join(place.env["XDG_STATE_HOME"], "agentsh", "journal.db")
    with client.start(place) as c:
        c.call("fs_list_dir", path=".")
        lock = sqlite3.connect(path, isolation_level=None)
        lock.execute("BEGIN IMMEDIATE")
        ident = c.start("tools/call", {"name": "fs_list_dir",
                                       "arguments": {"path": "."}})
        for _ in range(5):
            begun = time.monotonic()
            c.request("ping")
            t.ok(time.monotonic() - begun < 0.5,
                 "a journal that is locked holds up nothing else")
        t.ok(ident not in c.answers, "but what it is to have first")
        lock.execute("ROLLBACK")
        lock.close()
        t.ok(not c.wait(ident)["isError"], "which then comes")


def main():
    t = tap.Tap()
    with home.Home() as place:
        with open(place.path("a.txt"), "w", encoding="utf-8") as file:
            file.write("a\n")
        messages_that_are_none(t, place)
        long_messages(t, place)
        # floods take long, and one is enough where all have been tried
        for flood in tap.sample([one_that_does_not_read, much_that_waits,
                                 many_at_once, cancels]):
            flood(t, place)
        leaves(t, place)
        answers_of_all_kinds(t, place)
        what_must_not_be_reached(t, place)
        locked_journal(t, place)
        done = place.run([home.program("agentsh"), "log", "--verify"])
        t.is_(done.status, 0, "the journal holds", done.out)
    t.done()


if __name__ == "__main__":
    main()
