#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test_calls.py - agentctl passes messages on, both ways, each to its own."""

import json
import resource
import select
import socket
import threading

import sidecar

import home  # noqa: E402
import tap  # noqa: E402

NO_UTF8 = {"code": -32603, "message": "the agent's answer is not valid UTF-8"}
LONG = "it wrote a line of more than 16 MiB"
LATE = 1  # second: AGENTCTL_CALL_TIMEOUT


def check_bodies(t, s):
    """Bodies that are wrong are refused, whether the agent runs or not."""
    rows = [
        ("acp/call", b"", 400, "bad_request"),
        ("acp/call", b"not json", 400, "bad_request"),
        ("acp/call", b'{"method":"a","method":"b"}', 400, "bad_request"),
        ("acp/call", b'{"method":"\xff"}', 400, "bad_request"),
        ("acp/call", b"[" * 600, 400, "bad_request"),
        ("acp/call", b"[]", 400, "validation_error"),
        ("acp/call", b"{}", 400, "validation_error"),
        ("acp/call", b'{"method":5}', 400, "validation_error"),
        ("acp/call", b'{"method":""}', 400, "validation_error"),
        ("acp/call", b'{"method":"a","params":1}', 400, "validation_error"),
        ("acp/call", b'{"method":"a","id":1.5}', 400, "validation_error"),
        ("acp/call", b'{"method":"a","id":{}}', 400, "validation_error"),
        ("acp/call", b'{"method":"a","jsonrpc":"1.0"}', 400,
         "validation_error"),
        ("acp/call", b'{"method":"a","result":1}', 400, "validation_error"),
        ("acp/call", b'{"id":1,"result":1}', 400, "validation_error"),
        ("acp/call", b'{"Method":"a"}', 400, "validation_error"),
        ("acp/send", b"{", 400, "bad_request"),
        ("acp/send", b'{"id":1}', 400, "validation_error"),
        ("acp/send", b'{"result":1}', 400, "validation_error"),
        ("acp/send", b'{"id":1,"error":"x"}', 400, "validation_error"),
        ("start", b"x", 400, "bad_request"),
        ("stop", b"[]", 400, "validation_error"),
        ("stop", b'{"force":1}', 400, "validation_error"),
        ("no", b"", 404, "not_found"),
    ]
    for path, body, status, code in rows:
        a = s.post(path, body)
        t.ok(a.status == status and a.json["error"] == code and
             a.json["http_status"] == status and a.json["message"] and
             a.headers["content-type"] == "application/json",
             "%s with %.40r" % (path, body), a)
    a = s.get("start")
    t.is_((a.status, a.json["http_status"], a.headers["allow"]),
          (405, 405, "POST, OPTIONS"), "a method that a path does not have")
    a = s.post("acp/call", b'{"method":"a","params":"' + b"x" * (17 << 20) +
               b'"}')
    t.is_((a.status, a.json["error"]), (413, "bad_request"),
          "a body that is too large")


def check_not_running(t, s):
    a = s.call("echo")
    t.is_((a.status, a.json["error"], a.json["message"]),
          (503, "internal_error", "agent is not running"),
          "no agent runs for a call")
    a = s.send(method="x")
    t.is_((a.status, a.json), (503, {"success": False,
                                     "error": "agent is not running"}),
          "nor for a message")
    with s.stream() as w:
        w.send({"jsonrpc": "2.0", "id": "q", "method": "echo"})
        m = w.next()
        t.is_((m["id"], m["error"]["message"]), ("q", "agent is not running"),
              "nor for a listener")


def check_calls(t, s):
    a = s.post("acp/call", b'{"method":"echo",\n"params":{"n":12345678901234567'
               b'8901,\r\n"s":"a\\u0000\\n","t":"\xc3\xa9"}}')
    t.is_((a.status, a.json["result"]),
          (200, {"n": 123456789012345678901, "s": "a\0\n", "t": "é"}),
          "a call, of several lines")
    ids = {s.call("echo", {}).json["id"] for _ in range(3)}
    t.ok(len(ids) == 3 and all(isinstance(i, int) for i in ids),
         "ids are agentctl's", ids)
    a = s.call("echo", [], id="own\u0000 é")
    t.is_((a.json["id"], a.json["result"]), ("own\u0000 é", []),
          "a client's own id comes back")
    a = s.post("acp/call", b'{"method":"echo","params":{},"id":'
               b'18446744073709551616}')
    t.ok(b'"id":18446744073709551616' in a.body, "as it was written", a)
    a = s.call("no/such")
    t.is_((a.status, a.json["error"]["code"]), (200, -32601),
          "the agent's error is an answer")
    with s.stream() as w:
        w.send({"id": "w", "method": "nothing"})
        for line in ('{"id":ID,"result":"\xe9"}', '{"result":"\xe9',
                     '{"id":"\xe9","result":1}'):
            a = s.call("latin", {"line": line})
            t.is_((a.status, a.json.get("error")), (200, NO_UTF8),
                  "an answer that is no UTF-8 is an error: " + line)
        t.is_(w.until(lambda m: "id" in m)[-1],
              {"jsonrpc": "2.0", "id": "w", "error": NO_UTF8},
              "for all where it may be anyone's")
    check_doubled(t, s)
    a = s.call("nothing-else", id=None)
    t.is_(a.status, 200, "an id that is null is none")
    a = s.call("raw", {"line": '{"jsonrpc":"2.0","id":"ID","result":{"a":  1}}'
                       .replace('"ID"', '"ID"')}, id=7)
    t.is_(a.json, {"jsonrpc": "2.0", "id": 7, "result": {"a": 1}},
          "an id in quotation marks is understood")
    a = s.call("raw", {"line": '{"id":ID, "result": {"a":  1}, "more": 2}'})
    t.ok(a.body.endswith(b', "result": {"a":  1}, "more": 2}\n'),
         "what has no version comes as it is, too", a)
    a = s.call("big", {"n": 1 << 20})
    t.ok(a.status == 200 and len(a.json["result"]["text"]) == 1 << 20,
         "a long answer")
    text = "x" * (5 << 20)
    t.ok(s.call("echo", {"text": text}).json["result"]["text"] == text,
         "a long question")


def check_doubled(t, s):
    """Answers with a name twice, of which some readers see the first."""
    want = {"code": -32603, "message": "the agent's answer has a duplicate "
                                       "name \"dup\" in an object"}
    for more in ("", "x" * 40000, "x" * (2 << 20)):
        line = '{"id":ID,"result":{"dup":1,"dup":"%s"}}' % more
        a = s.call("raw", {"line": line}, id="o")
        t.is_((a.status, a.json), (200, {"jsonrpc": "2.0", "id": "o",
                                         "error": want}),
              "a name twice in an answer is an error: %d" % len(line))
    with s.stream() as w, s.stream() as other:
        other.send({"id": "n", "method": "nothing"})
        w.send({"id": "w", "method": "raw", "params": {"line": line}})
        t.is_(w.next(), {"jsonrpc": "2.0", "id": "w", "error": want},
              "on a stream, too, with its own id")
        line = '{"dup":1,"dup":2,"method":"x"}'
        s.call("raw", {"line": line + '\n{"id":ID,"result":1}'})
        t.is_([x.text() for x in (w, other)], [line] * 2,
              "what is no answer comes as it is, and fails nobody")
        a = s.call("raw", {"line": '{"id":ID,"id":1,"result":1}'})
        m = other.next()
        t.is_((a.json["error"]["code"], m["id"], m["error"]["code"]),
              (-32603, "n", -32603), "two ids may be anyone's")


def check_places(t, s):
    """Requests that nobody answers take no places for good."""
    with s.stream() as w, s.stream() as other:
        for i in range(260):
            w.send({"id": i, "method": "nothing"})
        seen = [w.next() for _ in range(4)]
        t.is_([(m["id"], m["error"]["code"]) for m in seen],
              [(i, -32603) for i in range(256, 260)],
              "a stream has 256 open requests at most")
        other.send({"id": "o", "method": "echo", "params": {}})
        t.is_((other.next()["result"], s.call("echo", {}).status), ({}, 200),
              "and others have their own")
    for _ in range(5):
        with s.stream() as w:
            for i in range(256):
                w.send({"id": i, "method": "nothing"})
            w.send({"id": "last", "method": "echo", "params": {}})
            t.is_(w.next()["error"]["code"], -32603, "a stream is full")
    t.ok(tap.poll(lambda: b"agentctl_calls_open 0\n" in metrics(s)),
         "a stream that closes leaves no open request")
    t.is_(s.call("echo", {}).status, 200, "nor does it keep others out")
    for i in range(256):
        s.send(id=i, method="nothing")
    t.ok(tap.poll(lambda: b"agentctl_calls_open 0\n" in metrics(s)),
         "what is sent is waited for as long as a call")
    with s.stream() as w:
        s.send(id="s", method="later", params={"seconds": LATE * 1.3})
        t.is_(w.next(), {"jsonrpc": "2.0", "id": "s", "result": {
            "seconds": LATE * 1.3}}, "a late answer still comes to all")


def check_left(t, s):
    """Calls of clients that send no more keep no places from others."""
    def call(method, **params):
        peer = s.peer()
        peer.request("POST", sidecar.API + "acp/call", json.dumps(
            {"method": method, "params": params}).encode())
        peer.socket.shutdown(socket.SHUT_WR)
        return peer

    late = call("later", seconds=LATE / 10)
    t.is_(late.response().status, 200,
          "a client that sends no more gets its answer")
    late.close()
    long = {"x": "x" * 40000}  # which is parsed in a thread
    peers = [call("nothing", **(long if i % 8 == 0 else {}))
             for i in range(1024)]
    t.ok(tap.poll(lambda: b"agentctl_calls_total 1025\n" in metrics(s) and
                  b"agentctl_calls_open 0\n" in metrics(s)),
         "1,024 of them take no place", metrics(s))
    t.is_([s.call("echo", {}).status for _ in range(2)], [200] * 2,
          "so that others are answered")
    answered = select.poll()
    for peer in peers:
        answered.register(peer.socket, select.POLLIN)
    found = [fd for fd, _ in answered.poll(tap.PATIENCE * 1000)]
    t.is_([p.response().status for p in peers if p.socket.fileno() in found],
          [503], "and one of them is refused for that")
    for peer in peers:
        peer.close()


def check_many(t, s):
    found = {}

    def ask(i):
        found[i] = s.call("later", {"seconds": (i % 7) / 20, "i": i}).result["i"]

    all_ = [threading.Thread(target=ask, args=(i,)) for i in range(100)]
    for one in all_:
        one.start()
    for one in all_:
        one.join()
    t.is_(found, {i: i for i in range(100)},
          "a hundred calls at once: each gets its own answer")


def check_late(t, s):
    a = s.call("nothing")
    t.is_((a.status, a.json["http_status"]), (504, 504),
          "an agent that says nothing is late")
    t.is_(s.call("later", {"seconds": LATE * 1.3}).status, 504,
          "and so is one that is slow")
    t.is_(s.call("echo", {}).result, {},
          "whose answer then is nobody's")
    with s.peer() as p:
        p.request("POST", sidecar.API + "acp/call",
                  b'{"method":"later","params":{"seconds":0.1}}')
    t.is_(s.call("later", {"seconds": 0.3}).result, {"seconds": 0.3},
          "a client that leaves takes nobody's answer with it")


def check_death(t, s):
    answers = []

    def wait():
        answers.append(s.call("nothing"))

    waiting = [threading.Thread(target=wait) for _ in range(3)]
    for one in waiting:
        one.start()
    t.ok(tap.poll(lambda: b"agentctl_calls_open 3" in metrics(s)),
         "calls are open")
    with s.stream() as w:
        s.call("error", {"text": "out of cheese"})
        a = s.call("exit", {"status": 3})
        t.is_((a.status, a.json["message"], a.json["details"]),
              (502, "the agent has ended: exit status 3", "out of cheese"),
              "the agent ends during a call")
        for one in waiting:
            one.join()
        t.is_([a.status for a in answers], [502] * 3, "and during the others")
        t.is_(w.end(), (1000, "exit status 3"), "its listeners are told so")
    info = s.info()
    t.is_((s.status()["agent_status"], info["exit_code"], info["error"]),
          ("stopped", 3, "out of cheese"), "and its status")
    t.is_(s.call("echo").json.get("details"), "out of cheese",
          "who calls then is told why")
    s.post("start")
    s.call("kill", {"signal": 9})
    info = s.info()
    t.is_((info["exit_code"], info["signal"]), (137, 9), "a signal ends it")
    t.is_(s.post("start").json["success"], True, "and it can be started again")


def metrics(s):
    with s.peer() as p:
        return p.ask("GET", "/metrics").body


def check_questions(t, s):
    with s.stream() as one, s.stream() as two:
        one.send({"jsonrpc": "2.0", "id": "a", "method": "ask",
                  "params": {"id": "q/1"}})
        asked = [w.next() for w in (one, two)]
        t.ok(asked[0] == asked[1] and asked[0]["id"] == "q/1" and
             asked[0]["method"] == "session/request_permission",
             "a request of the agent's comes to all", asked)
        with s.stream() as three:
            t.is_(three.next(), asked[0], "and to who comes later")
        a = s.send(id="q/2", result={})
        t.is_((a.status, a.json["success"]), (409, False),
              "an answer to another question is refused")
        a = s.send(jsonrpc="2.0", id="q/1", result={"outcome": "yes"})
        t.is_((a.status, a.json["success"]), (200, True), "one answers")
        a = s.send(id="q/1", result={"outcome": "no"})
        t.is_(a.status, 409, "a second answer is refused")
        two.send({"jsonrpc": "2.0", "id": "q/1", "result": {}})
        m = two.next()
        t.is_((m["id"], m["error"]["code"]), (None, -32600),
              "on a stream, too")
        m = one.next()
        t.is_((m["id"], m["result"]["result"]), ("a", {"outcome": "yes"}),
              "the agent has the first one")
        t.is_(two.text(0.2), None, "and its answer is the caller's alone")
    with s.stream() as w:
        w.send({"jsonrpc": "2.0", "id": 1, "method": "ask",
                "params": {"id": "q/3"}})
        w.next()
    with s.stream() as w:
        t.is_(w.next()["id"], "q/3", "a listener that left comes back")
        w.send({"jsonrpc": "2.0", "id": "q/3", "error": {"code": 1,
                                                         "message": "no"}})
        t.is_(w.next()["id"], 1, "and gets the answer to its former request")


def check_streams(t, s):
    with s.stream() as one, s.stream() as two:
        one.send(b"not json")
        t.is_(one.next()["error"]["code"], -32700, "a frame that is no JSON")
        one.send(b'{"jsonrpc":"2.0","id":4,"method":3}')
        m = one.next()
        t.is_((m["id"], m["error"]["code"]), (4, -32600),
              "and one that is no request")
        one.send({"jsonrpc": "2.0", "id": 1, "method": "echo", "params": {}})
        two.send({"jsonrpc": "2.0", "id": 1, "method": "echo", "params": [2]})
        t.is_((one.next()["result"], two.next()["result"]), ({}, [2]),
              "the same id of two listeners is each one's own")
        one.send({"method": "session/cancel"})
        want = "noticed session/cancel"
        t.is_([w.next()["params"]["data"]["text"] for w in (one, two)],
              [want] * 2, "a notification has no answer; all see what it does")
        s.send(id="s1", method="echo", params={"x": 1})
        t.is_([w.next() for w in (one, two)],
              [{"jsonrpc": "2.0", "id": "s1", "result": {"x": 1}}] * 2,
              "the answer to what was sent comes to all")
        s.call("updates", {"n": 500, "size": 2000})
        for w in (one, two):
            seen = [w.next()["params"]["data"]["text"].split()[0]
                    for _ in range(500)]
            t.is_(seen, [str(i) for i in range(500)],
                  "all updates come in their order")
        for line in ("plain words", '{"type":"progress","data":{}}', "[1]"):
            s.call("raw", {"line": line + "\n" +
                           '{"jsonrpc":"2.0","id":ID,"result":1}'})
            t.is_([w.text() for w in (one, two)], [line] * 2,
                  "what is no message comes as it is: " + line)
        text = "y" * (2 << 20)
        one.send({"id": 9, "method": "echo", "params": {"text": text}})
        m = one.next()
        t.ok(m["result"]["text"] == text, "a long message")
        t.is_([m["jsonrpc"], m["id"]], ["2.0", 9], "and its own id")
        one.send({"method": "raw", "id": "x", "params": {"line": json.dumps(
            {"more": ["z" * 40000, None], "result": None}
        )[:-1] + ', "id": ID}'}})
        t.is_(one.next(), {"jsonrpc": "2.0", "id": "x", "result": None,
                           "more": ["z" * 40000, None]},
              "a long answer keeps all of its members")


def check_slow(t, s):
    with s.stream() as slow, s.stream() as fast:
        done = []

        def flood():
            done.append(s.call("updates", {"n": 400, "size": 100000}))

        flooding = threading.Thread(target=flood)
        flooding.start()
        n = 0
        while n < 400 and fast.text() is not None:
            n += 1
        flooding.join()
        t.is_((n, done[0].status), (400, 200),
              "one that does not read delays nobody")
        t.is_((slow.end() or (0,))[0], 1013, "and is closed")


def check_input(t, s):
    """An agent that does not read has a bounded queue."""
    with s.stream() as w:
        w.send({"id": 1, "method": "deaf"})
        body = json.dumps({"method": "x", "params": {"t": "x" * (4 << 20)}})
        states = [s.post("acp/send", body.encode()).status for _ in range(8)]
        t.ok(states[0] == 200 and states[-1] == 503, "it is full", states)
    t.is_(s.post("stop").json["success"], True, "and it can be stopped")
    s.post("start")


def main():
    t = tap.Tap()
    with home.Home() as place:
        with sidecar.Sidecar(place, call_timeout="%ds" % LATE) as s:
            check_bodies(t, s)
            check_not_running(t, s)
            t.is_(s.post("start").json["success"], True, "the agent is started")
            check_bodies(t, s)
            check_late(t, s)
            check_places(t, s)
            check_questions(t, s)
            check_streams(t, s)
            check_death(t, s)
        hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        if hard >= 2000:
            resource.setrlimit(resource.RLIMIT_NOFILE, (1024, hard))
            with sidecar.Sidecar(place, "--max-connections", "1100",
                                 auto_start="true") as s:
                resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
                check_left(t, s)
        else:
            t.skip("calls of clients that send no more", "needs descriptors")
        with sidecar.Sidecar(place, auto_start="true") as s:
            check_calls(t, s)
            check_many(t, s)
            check_slow(t, s)
            check_input(t, s)
            with s.stream() as w:
                a = s.call("endless", {"n": 17 << 20})
                t.is_(w.end(), (1000, LONG), "a line that is too long ends it")
            t.is_((a.status, a.json["message"]),
                  (502, "the agent has ended: " + LONG), "and a call fails")
            t.is_(s.lines(last=1), ["(a line was too long, and is left out)"],
                  "it is left out")
            t.is_(s.info().get("error"), LONG, "and the status says why")
            t.is_(s.post("start").status, 200, "it may be started again")
        t.ok(tap.poll(lambda: not place.left()), "nothing is left",
             place.left())
    t.done()


if __name__ == "__main__":
    main()
