# SPDX-License-Identifier: GPL-3.0-or-later
"""guest.py - what the guest agent costs, on one processor with its peer."""

import contextlib
import json
import os
import re
import socket
import subprocess
import threading
import time

import home
import table
import tap

PINGS = 200000
COMMANDS = 300
READS = 100
MIB = 1 << 20
CONNECTIONS = 100


@contextlib.contextmanager
def one_processor():
    """This process, and what it starts, on one processor."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def request(number, method, **params):
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": method,
                       "params": params}).encode() + b"\n"


class Agent:
    """An agent on pipes."""

    def __init__(self, bench, *options):
        self.child = subprocess.Popen(
            [bench.agentsh, "guest", *options], cwd=bench.place.work,
            env=bench.place.env, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.out = self.child.stdout.fileno()

    def __enter__(self):
        return self

    def __exit__(self, *why):
        self.close()

    def close(self):
        """What it says at its end."""
        if self.child.stdin.closed:
            return ""
        self.child.stdin.close()
        said = self.child.stderr.read().decode()
        self.child.wait()
        self.child.stdout.close()
        self.child.stderr.close()
        return said

    def write(self, data):
        self.child.stdin.write(data)
        self.child.stdin.flush()

    def lines(self, n):
        """Reads n lines, and what comes with the last of them."""
        while n > 0:
            data = os.read(self.out, MIB)
            if not data:
                raise RuntimeError("the agent ended")
            n -= data.count(b"\n")

    def field(self, name):
        with open("/proc/%d/status" % self.child.pid,
                  encoding="ascii") as status:
            return int(re.search(name + r":\s+(\d+)", status.read())[1])


def ping_us(bench):
    data = b"".join(request(n, "ping") for n in range(PINGS))
    with Agent(bench) as agent:
        begun = time.perf_counter()
        writer = threading.Thread(target=agent.write, args=(data,))
        writer.start()
        agent.lines(PINGS)
        took = time.perf_counter() - begun
        writer.join()
    return (took / PINGS * 1e6,)


def one_by_one(bench, n, data):
    with Agent(bench) as agent:
        agent.write(data)
        agent.lines(1)
        begun = time.perf_counter()
        for _ in range(n):
            agent.write(data)
            agent.lines(1)
        return ((time.perf_counter() - begun) / n * 1e6,)


def bare_us(bench):
    loop = os.path.join(home.BUILDDIR, "tests", "bench", "spawn_loop")
    done = subprocess.run([loop, str(COMMANDS)], check=True,
                          capture_output=True, env=bench.place.env)
    return (int(done.stdout),)


def requests(bench):
    with one_processor():
        rounds = max(5, bench.rounds // 3)
        pings = [ping_us(bench)[0] for _ in range(rounds)]
        yield table.Row("agentsh guest, a ping of many", "us", pings, None, "",
                        table.at_most("1 us", 1))
        ours, bare = bench.by_turns(
            lambda: one_by_one(bench, COMMANDS,
                               request(1, "exec", cmd="true")),
            lambda: bare_us(bench), rounds)
        yield table.Row("agentsh guest, exec true", "us", ours[0], bare[0],
                        "posix_spawn, pipes, wait",
                        table.at_most_times(1 / 0.95))
        with open(bench.place.path("mib"), "w", encoding="ascii") as out:
            out.write(("x" * 79 + "\n") * (MIB // 80 + 1))
            out.truncate(MIB)
        reads = [one_by_one(bench, READS,
                            request(1, "read_file", path="mib"))[0]
                 for _ in range(rounds)]
        yield table.Row("agentsh guest, read_file of 1 MiB", "us", reads, None,
                        "", table.at_most("1 GB/s", MIB / 1000))


def memory(bench):
    with Agent(bench) as agent:
        agent.write(request(1, "ping"))
        agent.lines(1)
        idle = agent.field("VmRSS")
    yield table.Row("agentsh guest, idle", "kb", [idle], None, "",
                    table.at_most("4 MB", 4096))
    path = bench.place.path("socket")
    with Agent(bench, "--listen", "unix:" + path, "--max-connections",
               str(CONNECTIONS)) as agent:
        tap.poll(lambda: os.path.exists(path))
        peers = []
        for _ in range(CONNECTIONS):
            s = socket.socket(socket.AF_UNIX)
            s.connect(path)
            s.sendall(request(1, "exec", cmd="head -c 4000000 /dev/zero | "
                              "tee /dev/stderr"))
            peers.append(s)
        for s in peers:  # one after another: the others wait for their reader
            while b"\n" not in s.recv(MIB):
                pass
        most = agent.field("VmHWM")
        for s in peers:
            s.close()
        agent.child.terminate()
    yield table.Row("the same, %d connections at full output" % CONNECTIONS,
                    "kb", [most], None, "", table.at_most("40 MB", 40960))


def held(bench):
    """What the agent of a build with --enable-loop-report says at its end."""
    found = {"the clock": [], "its time on a processor": []}
    with open(bench.place.path("big"), "w", encoding="ascii") as out:
        out.write("x" * (10 * MIB - 1))
    for _ in range(max(3, bench.rounds // 5)):
        with Agent(bench) as agent:
            load = (b"".join(request(n, "ping") for n in range(20000)) +
                    request(1, "exec", cmd="head -c 3000000 /dev/zero") +
                    request(1, "read_file", path="big") +
                    request(1, "write_file", path="new",
                            content="\x01" * (2 * MIB)) +
                    request(1, "list_dir", path="/usr/bin"))
            writer = threading.Thread(target=agent.write, args=(load,))
            writer.start()
            agent.lines(20004)
            writer.join()
            for us, by in re.findall(
                    r"held for (\d+) us at most, by ([a-z ]+), at",
                    agent.close()):
                found[by].append(int(us))
    if not found["the clock"]:
        raise RuntimeError("configure with --enable-loop-report")
    for by, times in found.items():
        yield table.Row("agentsh guest, the loop held, by " + by, "us", times,
                        None, "", table.at_most("5 ms", 5000))
