# SPDX-License-Identifier: GPL-3.0-or-later
"""agentctl.py - what the sidecar adds to a call of its agent, beside a pipe to
the same agent, and how long its loop is held."""

import json
import os
import subprocess
import sys
import time

import holds
import mcp
import table

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "..", "agentctl"))
import sidecar  # noqa: E402

CALLS = 300
PARAMS = {"text": "hello " * 20}


class Pipe:
    """The agent itself."""

    def __init__(self, bench):
        self.child = subprocess.Popen(
            ["/usr/bin/python3", sidecar.FAKE], cwd=bench.place.work,
            env=bench.place.env, stdin=subprocess.PIPE, bufsize=0,
            stdout=subprocess.PIPE)
        self.line = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "echo",
                                "params": PARAMS}).encode() + b"\n"

    def ask(self):
        self.child.stdin.write(self.line)
        if not self.child.stdout.readline():
            raise RuntimeError("the agent ended")

    def close(self):
        self.child.stdin.close()
        self.child.stdout.close()
        self.child.wait()


class Call:
    """A call by HTTP, on one kept connection."""

    def __init__(self, server):
        self.peer = server.peer()
        self.body = json.dumps({"method": "echo", "params": PARAMS}).encode()

    def ask(self):
        answer = self.peer.ask("POST", sidecar.API + "acp/call", self.body)
        if answer.status != 200:
            raise RuntimeError("a call failed: %r" % answer)


def each_us(one):
    one.ask()
    times = []
    for _ in range(CALLS):
        begun = time.perf_counter()
        one.ask()
        times.append((time.perf_counter() - begun) * 1e6)
    return sorted(times)[CALLS // 2]


def calls(bench):
    pipe = Pipe(bench)
    with sidecar.Sidecar(bench.place, auto_start="true") as server:
        call = Call(server)
        ours, theirs = [], []
        for _ in range(max(3, bench.rounds // 3)):
            ours.append(each_us(call))
            theirs.append(each_us(pipe))
        pipe.close()
        held_row = holds.row("agentctl", server.at)
    yield table.Row("a call through agentctl", "us", ours, theirs, "a pipe",
                    table.at_most_more("1 ms", 1000))
    yield held_row


def held(bench):
    """Many calls, long messages both ways, listeners, all of the output."""
    found = {}
    for _ in range(max(2, bench.rounds // 5)):
        with sidecar.Sidecar(bench.place, auto_start="true") as server:
            with server.stream() as one, server.stream("output/stream"):
                call = Call(server)
                for _ in range(CALLS):
                    call.ask()
                server.call("echo", {"text": "x" * (2 << 20)})
                server.call("updates", {"n": 2000, "size": 1000})
                while one.text(0.2):
                    pass
                server.get("output?last=1000")
            server.close()
            mcp.note_holds(found, server.log.decode("utf-8", "replace"))
    yield from mcp.hold_rows("agentctl", found)
