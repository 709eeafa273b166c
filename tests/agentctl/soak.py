#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""soak.py - agentctl under load, by hand: memory and descriptors stay as they
are.

    top_builddir=build tests/agentctl/soak.py [SECONDS]
"""

import os
import random
import sys
import threading
import time

import sidecar

import home  # noqa: E402

SECONDS = float(sys.argv[1]) if len(sys.argv) > 1 else 30


def memory_kb(pid):
    with open("/proc/%d/status" % pid, encoding="ascii") as file:
        return next(int(line.split()[1]) for line in file
                    if line.startswith("VmRSS"))


def descriptors(pid):
    return len(os.listdir("/proc/%d/fd" % pid))


def one_thing(s, r):
    kind = r.randrange(9)
    if kind < 4:
        s.call("echo", {"n": r.random()}, id=r.choice([None, "a", 7]))
    elif kind == 4:
        with s.stream() as w, s.stream("output/stream?history=true"):
            w.send({"id": 1, "method": "updates", "params": {"n": 50}})
            for _ in range(r.randrange(50)):
                w.text(1)
    elif kind == 5:
        with s.peer() as p:  # leaves before the answer
            p.request("POST", sidecar.API + "acp/call",
                      b'{"method":"later","params":{"seconds":0.05}}')
    elif kind == 6:
        s.post("acp/call", os.urandom(r.randrange(3000)))
    elif kind == 7:
        with s.stream() as w:
            w.send(os.urandom(20))
            w.end(0.1)
    else:
        with s.stream() as w:
            w.send({"id": "q", "method": "ask", "params": {"id": r.random()}})


def work(s, until, seed, count):
    r = random.Random(seed)
    while time.monotonic() < until:
        try:
            one_thing(s, r)
        except (OSError, sidecar.web.Gone):
            pass  # it was stopped, or is full, as it may be
        count[seed] = count.get(seed, 0) + 1


def main():
    with home.Home() as place, sidecar.Sidecar(place) as s:
        pid = s.child.pid
        start = time.monotonic()
        seen = []
        while time.monotonic() < start + SECONDS:
            count = {}
            s.post("start")
            until = time.monotonic() + min(5, SECONDS / 6)
            threads = [threading.Thread(target=work, args=(s, until, i, count))
                       for i in range(8)]
            for t in threads:
                t.start()
            for t in threads:
                t.join()
            s.post("stop", {"force": random.random() < 0.5})
            time.sleep(0.3)
            seen.append((memory_kb(pid), descriptors(pid)))
            print("%6d things, %d KB, %d descriptors" % (
                sum(count.values()), *seen[-1]), flush=True)
        grown = seen[-1][0] - seen[len(seen) // 3][0]
        print("grown by %d KB since a third of the time" % grown)
        return grown > 2048 or seen[-1][1] > seen[0][1]


if __name__ == "__main__":
    sys.exit(main())
