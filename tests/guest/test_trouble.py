# SPDX-License-Identifier: GPL-3.0-or-later
"""test_trouble.py - a guest agent on a bad day: no space, other writers, a peer
that does not read, and an end while it is busy."""

import base64
import itertools
import os
import signal
import socket
import sys
import threading
import time

import agent

import home  # noqa: E402
import tap  # noqa: E402

OUTPUT = "".join("%d\n" % n for n in range(1, 300001)).encode() + b"END\n"


def check_full_disk(t, place):
    """Output that does not fit on a disk is kept in memory."""
    if not tap.is_here("namespaces"):
        t.skip("a full disk", "no namespaces")
        return
    small = place.folder("small")
    with agent.Agent(place, wrapper=[
            "unshare", "-Urm", "sh", "-c", "mount -t tmpfs -o size=64k none "
            "\"$0\" && TMPDIR=$0 && export TMPDIR && exec \"$@\"", small]) as a:
        p = a.result("process.start", cmd="seq 300000; echo END")["id"]
        a.result("process.wait", id=p)
        a.result("process.attach", id=p)
        t.ok(a.output(p)[0]["stdout"] == OUTPUT,
             "all output of a process is there on a full disk")
        t.ok(a.result("exec", cmd="seq 100000")["stdout"].endswith(
            "\n100000\n"), "and that of a command")


def check_writers(t, place, path):
    """A file that several write is always one of theirs, whole."""
    target = place.path("d/file")
    texts = [c * 200000 for c in "abc"]
    seen, stop = set(), threading.Event()

    def write(text):
        with agent.Peer(path) as peer:
            for _ in range(60):
                if peer.call("write_file", path=target,
                             content=text).get("result") is None:
                    seen.add("refused")
        stop.set()

    with agent.Agent(place, "--listen", "unix:" + path, listens=True) as a:
        with agent.Peer(path) as peer:
            peer.call("write_file", path=target, content=texts[0])
        threads = [threading.Thread(target=write, args=(x,)) for x in texts]
        for x in threads:
            x.start()
        with agent.Peer(path) as peer:
            while not stop.is_set():
                seen.add(peer.result("read_file", path=target)
                         .get("content"))
        for x in threads:
            x.join()
        t.ok(seen <= set(texts), "who reads sees one of them, whole",
             [str(x)[:40] for x in seen - set(texts)])
        t.is_(os.listdir(place.path("d")), ["file"], "nothing else is left")
        a.stop(signal.SIGTERM)


def check_typed_while_stalled(t, place):
    """Keys reach a terminal whose output nobody reads."""
    path = place.path("stalled")
    with agent.Agent(place, "--listen", "unix:" + path, listens=True) as a:
        with agent.Peer(path) as stalled, agent.Peer(path) as other:
            p = stalled.result(
                "process.start", tty={"rows": 5, "cols": 80},
                cmd="trap 'echo >caught; exit' INT; "
                    "while :; do seq 1000000; done")["id"]
            stalled.result("process.attach", id=p)

            def waits():
                """Its output no longer grows: it waits for its reader."""
                sizes = [other.result("process.list")["processes"][0]
                         ["stdout_bytes"] for _ in itertools.repeat(0, 20)]
                return sizes[0] > 1 << 20 and len(set(sizes)) == 1

            t.ok(tap.poll(waits, agent.PATIENCE), "its output waits")
            other.result("process.input", id=p,
                         data=base64.b64encode(b"\x03").decode())
            t.ok(tap.poll(lambda: os.path.exists(place.path("caught"))),
                 "Ctrl-C ends it all the same")
        a.stop(signal.SIGTERM)


def check_other_sockets(t, place):
    """Another kind of socket in the agent's place is left alone."""
    path = place.path("datagrams")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as other:
        other.bind(path)
        before = os.stat(path).st_ino
        a = agent.Agent(place, "--listen", "unix:" + path)
        t.is_(a.child.wait(agent.PATIENCE), 2, "the agent does not begin")
        a.close()
        t.is_(os.stat(path).st_ino, before, "and it stays")
    os.unlink(path)


def check_end_while_judged(t, place):
    with open(place.path("rules"), "w", encoding="ascii") as out:
        out.write("allow command *\n")
    line = "true; " * 150000 + "echo >ran"
    for how in ("TERM", "the end of input"):
        with agent.Agent(place, "--policy", "rules") as a:
            a.send("exec", cmd=line)
            a.send("ping")
            begun = time.monotonic()
            if how == "TERM":
                a.child.terminate()
            else:
                a.child.stdin.close()
            a.child.wait(agent.PATIENCE)
            spent = time.monotonic() - begun
            t.ok(a.child.returncode == 0 and spent < 4,
                 "%s ends it while a line is judged" % how,
                 a.child.returncode, spent)
            if how == "TERM":
                a.child.stdin.close()


def main():
    t = tap.Tap()
    with home.Home() as place:
        check_full_disk(t, place)
        check_writers(t, place, place.path("socket"))
        check_typed_while_stalled(t, place)
        check_other_sockets(t, place)
        check_end_while_judged(t, place)
        t.ok(tap.poll(lambda: not place.left()), "nothing is left")
    t.done()


if __name__ == "__main__":
    sys.exit(main())
