#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test_http_sessions.py - sessions of agentsh mcp over HTTP: their streams, who
comes back to them, and their ends."""

import os
import signal
import time

import web
from client import FORM
from web import call, request, text

import home  # noqa: E402
import tap  # noqa: E402

SLEEP = "echo up; sleep 1001 & sleep 1000"


def running(place):
    return "sleep" in str(place.left())


def stopped(place):
    return tap.poll(lambda: not running(place))


def begun(peer):
    """A stream that has begun: its events after the first one."""
    status, headers, events = peer.stream()
    first = next(events)
    return first if status == 200 and headers else None, events


def check_resumption(t, server, place):
    s = web.Session(server)
    peer = s.start(call("cmd_run", 5, "p", command=(
        "echo one; while [ ! -e go ]; do sleep 0.05; done; echo two")))
    first, events = begun(peer)
    t.ok(first.message is None and first.id.endswith("-0"),
         "a stream begins with an id alone", first.fields)
    second = next(events)
    t.is_(second.message["params"]["progressToken"], "p", "then progress")
    peer.close()
    with open(place.path("go"), "w", encoding="ascii"):
        pass
    t.is_(s.post(request("ping")).answer, {}, "the stream is left")

    def come_back(after):
        peer = s.listen(Last_Event_ID=after)
        status, _, events = peer.stream()
        seen = list(events)
        peer.close()
        return status, [e for e in seen if e.message], seen
    status, seen, _ = come_back(second.id)
    t.is_((status, text(seen[-1].message["result"])), (200, "one\ntwo\n"),
          "and the answer got by who comes back")
    t.ok(second.id not in [e.id for e in seen] and
         len({e.id for e in seen}) == len(seen),
         "without what was there already, and nothing twice",
         [e.fields for e in seen])
    again = come_back(seen[-2].id if len(seen) > 1 else second.id)
    t.is_([e.id for e in again[1]], [seen[-1].id], "also another time")
    for ident in ("", "x", "1-", "99-1", "-1", "1-1-1", "9" * 30 + "-1"):
        t.is_(s.listen(Last_Event_ID=ident).head()[0], 400,
              "an id that is none: %r" % ident[:20])
    other = web.Session(server)
    t.is_(other.listen(Last_Event_ID=second.id).head()[0], 400,
          "another session has none of them")


def check_listening(t, server):
    s = web.Session(server)
    one = s.listen()
    t.is_(begun(one)[0].id, "0-0", "a stream about no request")
    s.post(request("resources/subscribe", {"uri": "agentsh://output/last"}))
    two = s.listen()
    t.is_(begun(two)[0].id, "0-0", "is opened again")
    t.is_(one.chunk(), b"", "the one before has ended")
    s.post(call("cmd_run", command="echo a"))
    events = two.events()
    told = next(e for e in events if e.message)
    t.is_(told.message["method"], "notifications/resources/updated",
          "and tells of changes")
    two.close()
    s.post(call("cmd_run", command="echo b"))
    ids = []
    for _ in range(2):  # the second time it has surely been told already
        three = s.listen(Last_Event_ID=told.id)
        _, events = begun(three)
        ids.append(next(e for e in events if e.message).id)
        three.close()
    t.ok(ids[0] == ids[1] != told.id, "what was missed comes later", ids)


def check_questions(t, server, place):
    s = web.Session(server, has=FORM)
    for action, there in (("decline", True), ("accept", False)):
        with open(place.path("gone.txt"), "w", encoding="ascii"):
            pass
        peer = s.start(call("cmd_run", 3, command="rm -f gone.txt"))
        _, events = begun(peer)
        asked = next(e.message for e in events if e.message)
        t.is_(asked["method"], "elicitation/create",
              "a question stands in the stream of the request")
        r = s.post({"jsonrpc": "2.0", "id": asked["id"], "result": {
            "action": action, "content": {}}})
        t.is_(r.status, 202, "an answer is accepted")
        answer = next(e.message for e in events if e.message)
        t.is_(answer["result"]["isError"], there, action)
        t.is_(os.path.exists(place.path("gone.txt")), there, "and so it is done")
        peer.close()


def check_two_at_once(t, server):
    one, two = web.Session(server), web.Session(server)
    slow = one.start(call("cmd_run", 1, command="sleep 0.5; echo slow"))
    t.is_(text(two.post(call("cmd_run", 1, command="echo quick")).answer),
          "quick\n", "the same id in two sessions is two requests")
    t.is_(text(slow.response().answer), "slow\n", "each gets its answer")
    slow = one.start(call("cmd_run", 7, command="sleep 1000"))
    two.post({"jsonrpc": "2.0", "method": "notifications/cancelled",
              "params": {"requestId": 7}})
    t.is_(two.post(request("ping")).answer, {}, "a cancel of another session")
    r = one.post({"jsonrpc": "2.0", "method": "notifications/cancelled",
                  "params": {"requestId": 7}})
    t.is_((r.status, slow.response().messages), (202, []),
          "and of its own: the stream ends without an answer")


def check_refused(t, got, ident):
    t.ok(got["id"] == ident and got["error"]["code"] == -32603 and
         "the server has ended" in got["error"]["message"],
         "who still waits is answered", got)


def check_ends(t, place):
    with web.Server(place) as server:
        s, other = web.Session(server), web.Session(server)
        peer = s.start(call("cmd_run", 1, "p", command=SLEEP))
        begun(peer)
        waits = other.start(call("cmd_run", command="sleep 1; echo b"))
        t.ok(tap.poll(lambda: running(place)), "a call runs")
        peer.close()
        t.is_(other.post(request("ping")).answer, {}, "its client has left")
        t.ok(running(place), "which cancels nothing")
        listener = s.listen()
        listener.head()
        t.is_(s.end().status, 204, "its session ends")
        t.is_(text(waits.response().answer), "b\n", "another goes on")
        t.ok(stopped(place), "and its children have ended")
        list(listener.events())
        t.ok(True, "its stream too")
    for signo, status in ((signal.SIGTERM, 0), (signal.SIGINT, 130)):
        with web.Server(place) as server:
            s = web.Session(server)
            short = s.start(call("cmd_run", 2, command="sleep 0.5; echo c"))
            plain = s.start(call("cmd_run", 3, command=SLEEP))
            peer = s.start(call("cmd_run", 1, "p", command=SLEEP))
            _, events = begun(peer)
            os.kill(server.child.pid, signo)
            t.is_(text(short.response().answer), "c\n",
                  "what comes to its end after a signal is answered")
            t.ok(running(place), "and the rest has its time")
            begin = time.monotonic()
            t.is_(server.close(signo), status, "a second one: %d" % signo)
            t.ok(time.monotonic() - begin < 2, "ends it at once")
            check_refused(t, [e.message for e in events][-1], 1)
            check_refused(t, plain.response().messages[-1], 3)
            t.ok(stopped(place), "the rest is ended")
            peer.close()
    with web.Server(place) as server:
        s = web.Session(server)
        peer = s.start(call("cmd_run", 1, "p", command=SLEEP))
        begun(peer)
        server.child.kill()
        t.ok(stopped(place), "a kill ends its children")


def main():
    t = tap.Tap()
    with home.Home() as place:
        with web.Server(place) as server:
            check_resumption(t, server, place)
            check_listening(t, server)
            check_questions(t, server, place)
            check_two_at_once(t, server)
            t.is_(server.close(), 0, "SIGTERM ends it with 0")
        check_ends(t, place)
        t.ok(tap.poll(lambda: not place.left()), "nothing is left")
    t.done()


if __name__ == "__main__":
    main()
