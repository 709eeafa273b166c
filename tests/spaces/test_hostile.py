#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test_hostile.py - an agent that floods, never reads, leaves, or tries to
leave its workspace."""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time

from agent import (PATIENCE, Agent, create, delete, edit, ops, read, say,
                   shell)

import home  # noqa: E402
import tap  # noqa: E402

MIB = 1 << 20


def begin(*options):
    place = home.Home()
    return place, Agent(place, "--policy", "permissive", *options)


def peak(agent):
    """Its most memory so far, in MiB."""
    with open("/proc/%d/status" % agent.child.pid, encoding="ascii") as file:
        line = next(x for x in file if x.startswith("VmHWM"))
    return int(line.split()[1]) // 1024


def work(agent):
    """The processor time that it has used, with all its threads."""
    with open("/proc/%d/stat" % agent.child.pid, encoding="ascii") as file:
        words = file.read().rpartition(")")[2].split()
    return int(words[11]) + int(words[12])


def until_idle(agent, seconds):
    """Until it has done nothing for half a second: its memory is what it will
    be then."""
    seen = []

    def is_idle():
        seen.append(work(agent))
        return len(seen) > 10 and seen[-1] and len(set(seen[-10:])) == 1
    tap.poll(is_idle, seconds, 0.05)


def long_lines(t):
    place, agent = begin()
    with place, agent:
        feed(agent, b"[" * (40 * MIB) + b"\n" + json.dumps(
            ops(say(id="next"))).encode() + b"\n")
        got = agent.recv()
        t.is_((got["status"], got["events"][0]["category"]),
              ("error", "validation"), "a line that is too long is refused")
        t.is_(agent.recv()["events"][0]["operationId"], "next",
              "and the next one is read")
        feed(agent, json.dumps(ops(*[say()] * 200000)).encode() + b"\n")
        t.is_(agent.recv()["status"], "error", "so are too many operations")
        feed(agent, json.dumps(ops(*[say()] * 30000)).encode() + b"\n")
        t.is_(len(agent.recv()["events"]), 30000, "many are fine")
        feed(agent, json.dumps(ops(create("x", "x" * (10 * MIB)))).encode() +
             b"\n")
        t.is_(agent.recv()["events"][0]["bytesWritten"], 10 * MIB,
              "the largest file is written")
        with open(place.path("big"), "w", encoding="utf-8") as file:
            file.write("\n" * (10 * MIB))
        got = agent.run(*[read("big")] * 20, seconds=3 * PATIENCE)
        good = [e["success"] for e in got["events"]]
        t.ok(0 < sum(good) < 20 and "Too much" in got["events"][-1]["error"],
             "what one message may read is bounded", str(good))
        t.is_(agent.one(edit("big", ("\n", "\n" * 10)))["success"], False,
              "so is what an edit makes of a file")
        with open(place.path("sparse"), "w", encoding="utf-8") as file:
            file.truncate(1 << 40)
        t.ok("too large" in agent.one(read("sparse"))["error"],
             "a larger file is not read")
        t.ok(peak(agent) < 500, "all in bounded memory: %d MiB" % peak(agent))


def feed(agent, data):
    """Writes from a thread: the agent's program may have to read first."""
    def write():
        try:
            while rest[0]:
                rest[0] = rest[0][agent.child.stdin.write(rest[0]):]
        except (OSError, ValueError):
            pass
    rest = [memoryview(data)]
    thread = threading.Thread(target=write, daemon=True)
    thread.start()
    return thread


def never_reads(t):
    place, agent = begin()
    with place, agent:
        with open(place.path("big"), "w", encoding="utf-8") as file:
            file.write("x" * (8 * MIB))
        line = json.dumps(ops(read("big"), read("big"))).encode() + b"\n"
        feed(agent, line * 2000 + b"{" * (4 * MIB))
        until_idle(agent, 3)
        most = peak(agent)
        t.ok(most < 300, "a peer that never reads costs %d MiB" % most)
        begun = time.monotonic()
        agent.child.send_signal(signal.SIGTERM)
        t.is_(agent.child.wait(PATIENCE), 0, "SIGTERM ends it all the same")
        t.ok(time.monotonic() - begun < 2, "at once")


STUBBORN = """
import os, signal, time
for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
    signal.signal(number, signal.SIG_IGN)
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        open("begun", "w").close()
time.sleep(1000)
"""


def ends(t):
    for how in ("EOF", "SIGTERM", "no reader"):
        place, agent = begin()
        with place, agent:
            with open(place.path("s.py"), "w", encoding="utf-8") as file:
                file.write(STUBBORN)
            agent.send(ops(say(id="a"), shell("python3 s.py", id="s"), say()))
            t.ok(tap.poll(lambda p=place: os.path.exists(p.path("begun"))),
                 "%s: a command runs" % how)
            begun = time.monotonic()
            if how == "EOF":
                agent.end_input()
            elif how == "SIGTERM":
                agent.child.send_signal(signal.SIGTERM)
            else:
                agent.child.stdout.close()
            status = agent.child.wait(PATIENCE)
            took = time.monotonic() - begun
            t.ok(status == 0 and took < 2, "%s: it ends within two seconds" %
                 how, "status %d after %.1f s" % (status, took))
            t.ok(tap.poll(lambda p=place: not p.left(closed=True), 2),
                 "%s: with all that it started" % how, str(place.left()))
            if how != "no reader":
                got = agent.recv()
                t.is_([e["type"] for e in got["events"]],
                      ["message", "error"], "%s: which is said" % how)
            done = place.run([home.program("agentsh"), "log", "--verify"])
            t.is_(done.status, 0, "%s: the journal is whole" % how)


def half_closed_socket(t):
    """As programs of Node.js are connected."""
    with home.Home() as place:
        ours, theirs = socket.socketpair()
        child = subprocess.Popen(
            [home.program("agentsh"), "spaces"], cwd=place.work, env=place.env,
            stdin=theirs, stdout=theirs, stderr=subprocess.DEVNULL)
        theirs.close()
        ours.settimeout(PATIENCE)
        ours.sendall(json.dumps(ops(shell("echo > begun; sleep 1000")))
                     .encode() + b"\n")
        t.ok(tap.poll(lambda: os.path.exists(place.path("begun"))),
             "a command runs for a peer at a socket")
        begun = time.monotonic()
        ours.shutdown(socket.SHUT_WR)
        got = json.loads(ours.recv(1 << 16))
        t.is_(got["events"][0]["type"], "error",
              "when it has sent its last, the command is interrupted")
        t.is_(child.wait(PATIENCE), 0, "and agentsh ends")
        t.ok(time.monotonic() - begun < 2, "within two seconds")
        ours.close()


def last_lines(t):
    place, agent = begin()
    with place, agent:
        line = json.dumps(ops(shell("echo >> list; sleep 0.3")))
        agent.raw((line + "\r\n" + line + "\n" + line).encode())
        agent.end_input()
        got = [agent.recv() for _ in range(3)]
        t.is_([m["status"] for m in got], ["completed"] * 3,
              "what came before the end of the input is done")
        t.is_(agent.close()[0], 0, "and then it ends")


def noisy_and_deaf(t):
    """Standard error that nobody reads delays nothing."""
    with home.Home() as place:
        child = subprocess.Popen(
            [home.program("agentsh"), "spaces"], cwd=place.work, env=place.env,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE)
        out, _ = child.communicate(b"nonsense\n" * 500, PATIENCE)
        t.is_(out.count(b"\n"), 500, "a flood of nonsense is answered")


def outside(t):
    place, agent = begin()
    with place, agent:
        there = place.folder("there")
        with open(os.path.join(there, "f"), "w", encoding="utf-8") as file:
            file.write("secret")
        os.symlink(there, place.path("out"))
        os.symlink(os.path.join(there, "f"), place.path("file"))
        os.symlink("../there/f", place.path("relative"))
        os.symlink("/proc/self/root" + there, place.path("proc"))
        os.mkdir(place.path("in"))
        os.symlink("in", place.path("inner"))
        for path in ("out/f", "file", "relative", "proc/f"):
            for op in (read(path), create(path, overwrite=True),
                       edit(path, ("secret", "x"))):
                got = agent.one(op)
                t.ok(got.get("success") is not True and
                     "secret" not in json.dumps(got),
                     "a link out of the workspace: %s %s" % (op["type"], path),
                     json.dumps(got))
        for op in (create("out/new"), create("out/a/b"), delete("out/f"),
                   shell("ls", cwd="out")):
            t.ok(agent.one(op).get("success") is not True,
                 "neither %s" % json.dumps(op))
        t.is_(os.listdir(there), ["f"], "nothing came or went there")
        with open(os.path.join(there, "f"), encoding="utf-8") as file:
            t.is_(file.read(), "secret", "nothing has changed")
        t.ok(agent.one(create("inner/x", "1"))["success"] and
             place.read("in", "x") == "1", "a link within leads on")
        os.symlink("in/x", place.path("to"))
        agent.run(create("to", "22", overwrite=True))
        t.ok(os.path.islink(place.path("to")) and place.read("in", "x") == "22",
             "what it leads to is written, and it stays")
        agent.run(delete("to"))
        t.ok(not os.path.lexists(place.path("to")) and
             place.read("in", "x") == "22", "and it is what is deleted")
        os.mkfifo(place.path("fifo"))
        for op in (read("fifo"), create("fifo", overwrite=True),
                   edit("fifo", ("a", "b")), read("in/x/y"), create("in/x/y"),
                   read("in/"), create("in/"), delete("in/"), delete("."),
                   create(".", overwrite=True), create("n" * 250 + "/x"),
                   create("/".join("ab" * 60))):
            got = agent.one(op)
            t.ok(got["type"] == op["type"], "an answer to %s" %
                 json.dumps(op)[:60], json.dumps(got))


def race(t):
    """A directory that becomes a link while files are made in it."""
    place, agent = begin()
    with place, agent:
        there, stop = place.folder("there"), threading.Event()

        def swap():
            while not stop.is_set():
                for make in (lambda: os.symlink(there, place.path("d")),
                             lambda: os.mkdir(place.path("d"))):
                    try:
                        os.rename(place.path("d"), place.path("old%d" %
                                                              time.time_ns()))
                        make()
                    except OSError:
                        try:
                            make()
                        except OSError:
                            pass
        thread = threading.Thread(target=swap, daemon=True)
        thread.start()
        for n in range(150):
            agent.run(create("d/f%d" % n, overwrite=bool(n % 2)),
                      delete("d/f%d" % n), create("d/e%d/f" % n))
        stop.set()
        thread.join()
        t.is_(os.listdir(there), [], "nothing got out by a race")


def main():
    t = tap.Tap()
    # these take long, and some are enough where all have been tried
    for check in tap.sample([ends, long_lines, never_reads, half_closed_socket,
                             last_lines, noisy_and_deaf, race]):
        check(t)
    outside(t)
    t.done()


if __name__ == "__main__":
    sys.exit(main())
