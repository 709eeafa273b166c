#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""soak.py - a guest agent that is asked for long: its memory and descriptors.

    top_builddir=build tests/guest/soak.py 100000 [OPTION...]

The options are the agent's. Not a part of make check: it takes long.
"""

import sys

import agent

import home  # noqa: E402
import usage  # noqa: E402


def requests(place):
    """Requests of every kind, and the member that an answer has."""
    path = place.path("file")
    return (
        ("ping", {}, "pong"), ("exec", {"cmd": "echo a"}, "stdout"),
        ("write_file", {"path": path, "content": "x" * 3000}, "success"),
        ("read_file", {"path": path}, "content"),
        ("list_dir", {"path": place.work}, "entries"),
        ("fs.stat", {"path": path}, "size"),
        ("fs.write", {"path": path, "data": "eHh4", "append": True},
         "written"), ("fs.read", {"path": path}, "data"),
        ("exec", {"cmd": "(setsid sleep 0 &); head -c 200000 /dev/zero"},
         "stdout"),
        ("no.such", {}, "code"), ("exec", {}, "code"),
        ("process.list", {}, "processes"))


def process(peer):
    p = peer.result("process.start", cmd="cat; exit 3")["id"]
    peer.result("process.attach", id=p)
    peer.result("process.input", id=p, data="YWJj")
    peer.result("process.close_input", id=p)
    seen, end = peer.output(p)
    if seen["stdout"] != b"abc" or end["exit_code"] != 3:
        raise SystemExit("process %d: %s, %s" % (p, seen, end))


def main():
    with home.Home() as place:
        path = place.path("socket")
        with agent.Agent(place, "--listen", "unix:" + path, *sys.argv[2:],
                         listens=True) as a:
            peers = [agent.Peer(path) for _ in range(3)]
            kinds = requests(place)

            def ask(n):
                i = n % len(peers)
                if n % 500 == 0:
                    peers[i].close()
                    peers[i] = agent.Peer(path)
                if n % 20 == 0:
                    process(peers[i])
                    return
                method, params, member = kinds[n % len(kinds)]
                answer = peers[i].call(method, **params)
                if member not in answer.get("result", answer.get("error")):
                    raise SystemExit("request %d: %s" % (n, answer))

            usage.run(a.child.pid, int(sys.argv[1]), ask)
            for peer in peers:
                peer.close()


if __name__ == "__main__":
    main()
