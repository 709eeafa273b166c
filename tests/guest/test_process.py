# SPDX-License-Identifier: GPL-3.0-or-later
"""test_process.py - commands that outlive their call and their connection."""

import base64
import hashlib
import os
import random
import re
import signal
import sys

import agent

import home  # noqa: E402
import tap  # noqa: E402

CUTS = tap.sample(range(50))
SIZE = 3 << 20


def b64(data):
    return base64.b64encode(data).decode()


def start(a, attach=True, **params):
    number = a.result("process.start", **params)["id"]
    if attach:
        a.result("process.attach", id=number)
    return number


def check_streams(t, a):
    p = start(a, cmd="echo a; cat; echo err >&2; exit 3")
    a.result("process.input", id=p, data=b64(b"in\n"))
    a.result("process.close_input", id=p)
    seen, end = a.output(p)
    t.is_((seen, end), ({"stdout": b"a\nin\n", "stderr": b"err\n"},
                        {"id": p, "exit_code": 3}),
          "its input and its two streams")
    t.is_(a.result("process.wait", id=p),
          {"exit_code": 3, "stdout_bytes": 5, "stderr_bytes": 4},
          "how it ended is told afterwards, too")
    a.result("process.attach", id=p, stream="stderr")
    t.is_(a.output(p)[0], {"stdout": b"", "stderr": b"err\n"},
          "one stream can be had alone")
    t.is_(a.call("process.input", id=p, data="")["error"]["message"],
          "process %d has ended" % p, "it takes no input then")


def check_terminal(t, a):
    p = start(a, cmd="stty size; read x; stty size; echo got $x; exec cat",
              tty={"rows": 10, "cols": 44})
    t.ok(a.output(p, b"10 44\r\n"), "a terminal of this size")
    a.result("process.resize", id=p, rows=20, cols=50)
    a.result("process.input", id=p, data=b64(b"hi\n"))
    seen = a.output(p, b"got hi\r\n")[0]["stdout"]
    t.ok(b"20 50\r\n" in seen, "or of another, later")
    a.result("process.close_input", id=p)
    t.is_(a.output(p)[1]["exit_code"], 0, "its end of file ends it")


def check_arguments(t, a):
    os.mkdir(a.place.path("sub"))
    p = start(a, argv=["sh", "-c", 'echo "$0|$1|$A"; pwd', "zero", "a b"],
              cwd="sub", env={"A": "\u00e9"})
    t.is_(a.output(p)[0]["stdout"].decode(),
          "zero|a b|\u00e9\n%s\n" % a.place.path("sub"),
          "words, a directory and variables")
    for params, message in (
            ({}, "invalid params: one of cmd and argv is needed"),
            ({"cmd": "x", "argv": ["x"]},
             "invalid params: one of cmd and argv is needed"),
            ({"argv": []}, "invalid params: argv is empty"),
            ({"argv": ["no-such-program"]},
             "failed to execute no-such-program: No such file or directory"),
            ({"cmd": "x", "cwd": "none"}, "none: No such file or directory"),
            ({"cmd": "x", "env": {"A": 1}},
             "invalid params: env: A must be a string")):
        t.is_(a.call("process.start", **params)["error"]["message"], message,
              "refused: %s" % params)


def check_signals(t, a):
    p = start(a, cmd="trap 'echo caught' USR1; echo up; "
              "while :; do sleep 0.05; done")
    a.output(p, b"up\n")
    a.result("process.signal", id=p, signal="SIGUSR1")
    t.ok(b"caught" in a.output(p, b"caught\n")[0]["stdout"], "a signal")
    a.result("process.signal", id=p, signal=9)
    t.is_(a.output(p)[1], {"id": p, "exit_code": -1, "signal": 9},
          "one that kills")
    t.is_(a.call("process.signal", id=p, signal="NONE")["error"]["message"],
          "process %d has ended" % p, "and none any more")


def check_limits(t, a):
    p = start(a, cmd="python3 -c 'b\"a\" * 300000000'",
              limits={"memory_bytes": 100 << 20})
    seen, end = a.output(p)
    t.ok(end["exit_code"] != 0 and b"MemoryError" in seen["stderr"],
         "a limit of memory", seen)
    p = start(a, attach=False, cmd="sleep 1000 & wait",
              limits={"timeout_ms": 100})
    t.is_(a.result("process.wait", id=p)["signal"], 9, "a limit of time")
    if not tap.is_here("root"):
        return
    t.ok("root's processes" in a.call(
        "process.start", cmd="true", limits={"processes": 5})
        ["error"]["message"], "one that cannot be held is refused")


def check_left_group(t, a):
    p = start(a, attach=False, cmd="sleep 1004 &")
    pid = a.result("process.list")["processes"][0]["pid"]
    tap.poll(lambda: not os.path.exists("/proc/%d" % pid))
    a.result("process.signal", id=p, signal="KILL")
    t.is_(a.result("process.wait", id=p)["exit_code"], 0,
          "what it left behind can be ended, too")


def check_attached_twice(t, a):
    p = start(a, argv=["sleep", "1000"])
    t.is_(a.call("process.attach", id=p)["error"]["code"], -32602,
          "a connection is attached to a process once")
    a.result("process.attach", id=start(a, attach=False,
                                        argv=["sleep", "1000"]))


def check_waiting(t, a):
    p = start(a, attach=False, cmd="read x; exit 7")
    wait = a.send("process.wait", id=p)
    t.ok("result" in a.call("ping"), "who waits holds back nothing")
    a.result("process.input", id=p, data=b64(b"\n"))
    answer = a.answer(wait) if not a.notices else a.notices.pop()
    t.is_(answer["result"]["exit_code"], 7, "and is answered at the end")


def check_list(t, a):
    p = start(a, attach=False, argv=["sleep", "1000"])
    first = a.result("process.list")["processes"][0]
    t.is_((first["id"], first["command"], first["running"]),
          (p, "sleep 1000", True), "what runs is listed")
    t.is_(a.call("process.attach", id=10 ** 9)["error"]["message"],
          "invalid params: id: there is no such process", "an unknown one")
    t.is_(a.call("process.attach", id=p, **{"from": 5})["error"]["message"],
          "invalid params: from: there are only 0 bytes",
          "bytes that are not there yet")
    os.kill(first["pid"], 0)
    return first["pid"]


def check_kept(t, a):
    """Of what nobody reads the last 16 MiB are kept."""
    kept = 16 << 20
    p = start(a, attach=False, cmd="yes 0123456 | head -c %d" % (kept + 80))
    a.result("process.wait", id=p)
    t.is_(a.call("process.attach", id=p, **{"from": 79})["error"],
          {"code": -32602, "message": "invalid params: from: the first byte "
           "that is kept is 80"}, "what is older is told")
    t.is_(a.result("process.attach", id=p)["from"], 80, "the rest is there")
    seen, end = a.output(p)
    t.ok(seen["stdout"] == b"0123456\n" * (kept // 8) and end,
         "all of it, and then the end")


def check_cuts(t, place):
    """A connection is cut within the output, and the next one goes on."""
    listing = place.path("socket")
    line = b"".join(b"%07d\n" % n for n in range(SIZE // 8))
    with agent.Agent(place, "--listen", "unix:" + listing, listens=True):
        with agent.Peer(listing) as first:
            p = first.result("process.start", cmd="i=0; seq -f %%07.0f 0 %d"
                             % (SIZE // 8 - 1))["id"]
        seen = b""
        places = sorted(random.sample(range(SIZE), len(CUTS)))
        for cut in [*places, SIZE]:
            with agent.Peer(listing) as peer:
                peer.result("process.attach", id=p, **{"from": len(seen)})
                while len(seen) < cut:
                    m = peer.notices.pop(0) if peer.notices else peer.next()
                    data = base64.b64decode(m["params"]["data"])
                    if m["params"]["offset"] != len(seen):
                        break
                    seen += data[:cut - len(seen)]
        t.is_(hashlib.sha256(seen).hexdigest(),
              hashlib.sha256(line).hexdigest(),
              "%d connections that are cut have one unbroken text" %
              len(CUTS))
        with agent.Peer(listing) as last:
            t.ok(re.search("seq", last.result("process.list")["processes"][0]
                           ["command"]), "the process is still known")


def check_many_titles(t, place):
    with agent.Agent(place) as a:
        for _ in range(40):
            start(a, attach=False, argv=["true", "\\" * 120000])
        seen = a.result("process.list").get("processes", [])
        t.ok(len(seen) == 40 and
             all(p["command"].startswith("true '\\") and
                 len(p["command"]) < 5000 for p in seen),
             "long command lines are cut in the list", len(seen))


def check_read_ones_stay(t, place):
    """A peer that is slow to read keeps the process that it reads."""
    listing = place.path("slow")
    with agent.Agent(place, "--listen", "unix:" + listing, listens=True) as a:
        with agent.Peer(listing) as slow, agent.Peer(listing) as peer:
            p = slow.result("process.start",
                            cmd="head -c 4000000 /dev/zero")["id"]
            slow.result("process.attach", id=p)
            peer.result("process.wait", id=p)
            for _ in range(70):
                peer.result("process.wait", id=start(peer, attach=False,
                                                     argv=["true"]))
            seen, end = slow.output(p)
            t.ok(len(seen["stdout"]) == 4000000 and end,
                 "however many others are started", len(seen["stdout"]))
        a.stop(signal.SIGTERM)


def check_last_words(t, place):
    """What was asked for is sent after the end of the input."""
    with agent.Agent(place) as a:
        p = start(a, attach=False, cmd="read x; echo $x; exit 3")
        a.send("process.attach", id=p)
        a.send("process.wait", id=p)
        a.send("process.input", id=p, data=b64(b"last\n"))
        a.child.stdin.close()
        seen, end = a.output(p)
        t.is_((seen["stdout"], end), (b"last\n", {"id": p, "exit_code": 3}),
              "the output of what it is attached to")
        a.close()
    with agent.Agent(place) as a:
        p = start(a, attach=False, argv=["sleep", "1000"])
        wait = a.send("process.wait", id=p)
        a.child.stdin.close()
        t.ok("still runs" in a.answer(wait)["error"]["message"],
             "and that what it waits for has not ended")
        a.close()


def main():
    t = tap.Tap()
    with home.Home() as place:
        with agent.Agent(place) as a:
            for check in (check_streams, check_terminal, check_arguments,
                          check_signals, check_limits, check_left_group, check_waiting,
                          check_attached_twice,
                          check_kept):
                check(t, a)
            pid = check_list(t, a)
            t.is_(a.close(), 0, "the agent ends with its input")
            t.ok(not os.path.exists("/proc/%d" % pid), "and its processes")
        check_cuts(t, place)
        check_many_titles(t, place)
        check_read_ones_stay(t, place)
        check_last_words(t, place)
        t.ok(tap.poll(lambda: not place.left()), "nothing is left")
    t.done()


if __name__ == "__main__":
    sys.exit(main())
