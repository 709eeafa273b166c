# SPDX-License-Identifier: GPL-3.0-or-later
"""gateway.py - what the gateway costs: its start and memory, what it adds to
the start of an agent, many tasks, and many who watch one."""

import json
import os
import re
import select
import shutil
import socket
import struct
import subprocess
import sys
import threading
import time

import holds
import mcp
import table

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "..", "gateway"))
import gatewayclient  # noqa: E402
import probe  # noqa: E402

TASKS, WATCHERS, EVENTS = 200, 100, 2000
FEW = 3
LIMIT_S = 60


def cpu_us(pid):
    total = 0
    for task in os.listdir("/proc/%d/task" % pid):
        try:
            with open("/proc/%d/task/%s/schedstat" % (pid, task),
                      encoding="ascii") as f:
                total += int(f.read().split()[0])
        except FileNotFoundError:  # a thread that has ended meanwhile
            pass
    return total / 1e3


def memory_kb(pid):
    with open("/proc/%d/status" % pid, encoding="ascii") as f:
        return int(re.search(r"VmRSS:\s+(\d+)", f.read())[1])


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def connects(port, until):
    while time.monotonic() < until:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return time.monotonic_ns()
        except ConnectionRefusedError:
            time.sleep(0.0001)
    raise RuntimeError("the gateway does not start")


def start_us(bench):
    """From exec to the first connection that is taken, the server on one
    processor and this on the others; and its processor time until then."""
    cpus = sorted(os.sched_getaffinity(0))
    port = free_port()
    begins, ends = os.pipe()

    def just_before():
        os.sched_setaffinity(0, cpus[:1])
        os.write(ends, struct.pack("q", time.monotonic_ns()))

    os.sched_setaffinity(0, cpus[1:] or cpus)
    child = subprocess.Popen(
        [bench.agentsh, "gateway", "--listen", "127.0.0.1:%d" % port],
        cwd=bench.place.work, env=bench.place.env, preexec_fn=just_before,
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL)
    try:
        connected = connects(port, time.monotonic() + LIMIT_S)
        used = cpu_us(child.pid)
        begun = struct.unpack("q", os.read(begins, 8))[0]
    finally:
        os.sched_setaffinity(0, cpus)
        child.terminate()
        child.wait()
        os.close(begins)
        os.close(ends)
    return (connected - begun) / 1e3, used


def started(bench):
    """Its peer is the least that a program of ours does."""
    def least():
        return bench.run([bench.agentsh, "--version"])

    def anew():
        shutil.rmtree(os.path.join(bench.place.env["XDG_STATE_HOME"],
                                   "agentsh"), ignore_errors=True)
        return start_us(bench)

    first, peer = bench.by_turns(anew, least)
    again, _ = bench.by_turns(lambda: start_us(bench), least)
    for name, found in (("with no store yet", first), ("with a store", again)):
        yield table.Row("agentsh gateway, started " + name, "us", found[0],
                        peer[0], "--version", table.at_most("20 ms", 20000))
    yield table.Row("the same, CPU", "us", again[1], peer[1], "--version",
                    table.for_comparison())
    with gatewayclient.Gateway(bench.place, stub=False) as server:
        yield table.Row("agentsh gateway, idle, resident", "kb",
                        [memory_kb(server.child.pid)], None, "",
                        table.at_most("12 MB", 12 * 1024))


def until_line(child, rest, wanted):
    """Reads lines until one for which wanted() is true."""
    end = time.monotonic() + LIMIT_S
    while True:
        while b"\n" in rest[0]:
            line, rest[0] = rest[0].split(b"\n", 1)
            if wanted(json.loads(line)):
                return
        if not select.select([child.stdout], [], [],
                             max(0, end - time.monotonic()))[0]:
            raise RuntimeError("the agent says nothing")
        data = os.read(child.stdout.fileno(), 1 << 16)
        if not data:
            raise RuntimeError("the agent ended")
        rest[0] += data


def by_pipe(bench):
    """The agent's own start, to its first update."""
    begun, rest = time.perf_counter(), [b""]
    child = subprocess.Popen(
        [sys.executable, os.path.join(probe.HERE, "fake_agent.py")],
        cwd=bench.place.work, env=bench.place.env, stdin=subprocess.PIPE,
        stdout=subprocess.PIPE, bufsize=0)
    for n, (method, params) in enumerate((
            ("initialize", {"protocolVersion": 1}),
            ("session/new", {"cwd": bench.place.work, "mcpServers": []}),
            ("session/prompt", {"sessionId": "s1", "prompt": [
                {"type": "text", "text": "work"}]}))):
        child.stdin.write(json.dumps({
            "jsonrpc": "2.0", "id": n, "method": method,
            "params": params}).encode() + b"\n")
        until_line(child, rest, lambda m, n=n: m.get("id") == n or
                   m.get("method") == "session/update")
    took = (time.perf_counter() - begun) * 1e6
    until_line(child, rest, lambda m: m.get("id") == 2)
    child.stdin.close()
    child.stdout.close()
    child.wait()
    return (took,)


def by_gateway(client):
    task = client.create(description="work", agent_type="fake")
    client.ask("task.subscribe", task_id=task)
    begun = time.perf_counter()
    client.send("orchestrator.start", task_id=task)
    client.note(lambda action, payload: action == "acp.content" and
                payload["task_id"] == task, LIMIT_S)
    took = (time.perf_counter() - begun) * 1e6
    client.ask("orchestrator.stop", task_id=task)
    return (took,)


def first_event(bench):
    probe.write_types(bench.place, probe.fake_type("fake"))
    with gatewayclient.Gateway(bench.place, stub=False) as server, \
            server.client() as client:
        ours, peer = bench.by_turns(lambda: by_gateway(client),
                                    lambda: by_pipe(bench))
        held_row = holds.row("gateway with agents", ("127.0.0.1",
                                                     server.port))
    yield table.Row("gateway, a start to its first acp.content", "us",
                    ours[0], peer[0], "a pipe",
                    table.at_most_more("50 ms", 50000))
    yield held_row


def run_tasks(server):
    """Microseconds of a task, and of the server's processor."""
    with server.client() as c:
        before = c.ask("usage")["by_state"].get("idle", 0)
        done = len(server.agents_log())
        begun, used = time.perf_counter(), cpu_us(server.child.pid)
        names = [c.send("task.create", title="t%d" % i, description="d",
                        agent_type="agentsh") for i in range(TASKS)]
        ids = [c.answer(n)["payload"]["id"] for n in names]
        for n in [c.send("orchestrator.trigger", task_id=x) for x in ids]:
            c.answer(n)
        end = time.monotonic() + LIMIT_S
        while c.ask("usage")["by_state"].get("idle", 0) < before + TASKS:
            if time.monotonic() > end:
                raise RuntimeError("not all of %d tasks are done" % TASKS)
            time.sleep(0.02)
        took = time.perf_counter() - begun
        used = cpu_us(server.child.pid) - used
    ran = [row[1] for row in server.agents_log()[done:] if row[0] == "done"]
    if sorted(ran) != sorted(ids):
        raise RuntimeError("%d tasks ran, of %d" % (len(ran), TASKS))
    return took / TASKS * 1e6, used / TASKS


def watched(server):
    """The server's processor time of an event to a watcher; each has all."""
    with server.client() as c:
        task = c.create(description="flood %d" % EVENTS)
        clients = [server.client() for _ in range(WATCHERS)]
        for w in clients:
            w.ask("task.subscribe", task_id=task)
        counts = []

        def read(w):
            numbers = []

            def is_last(action, payload):
                if action.startswith("acp."):
                    numbers.append(payload["seq"])
                return action == "acp.result"
            w.note(is_last, LIMIT_S)
            counts.append(numbers)
        threads = [threading.Thread(target=read, args=(w,)) for w in clients]
        used = cpu_us(server.child.pid)
        for t in threads:
            t.start()
        c.ask("orchestrator.trigger", task_id=task)
        for t in threads:
            t.join()
        used = cpu_us(server.child.pid) - used
        for w in clients:
            w.close()
    whole = [n for n in counts if len(n) > EVENTS and n == sorted(set(n)) and
             n == counts[0]]
    if len(whole) != WATCHERS:
        raise RuntimeError("%d of %d watchers lost some" %
                           (WATCHERS - len(whole), WATCHERS))
    return used / EVENTS / WATCHERS


def work(bench):
    """By an agent within the server, so that it is the gateway alone."""
    with gatewayclient.Gateway(bench.place) as server:
        times = [run_tasks(server) for _ in range(FEW)]
        events = [watched(server)]
        held_row = holds.row("gateway at work", ("127.0.0.1", server.port))
    took, used = zip(*times)
    yield table.Row("gateway, one of %d tasks, 5 at once" % TASKS, "us", took,
                    None, "", table.for_comparison())
    yield table.Row("the same, CPU", "us", used, None, "",
                    table.for_comparison())
    yield table.Row("gateway, %d events to %d, CPU of each" %
                    (EVENTS, WATCHERS), "us", events, None, "",
                    table.for_comparison())
    yield held_row


def held(bench):
    """The same work and agents, by a build with --enable-loop-report."""
    found = {}
    probe.write_types(bench.place, probe.fake_type("fake"))
    for _ in range(FEW):
        with gatewayclient.Gateway(bench.place) as server:
            run_tasks(server)
            watched(server)
        mcp.note_holds(found, server.log.decode("utf-8", "replace"))
        with gatewayclient.Gateway(bench.place, stub=False) as server:
            with server.client() as client:
                by_gateway(client)
                by_gateway(client)
        mcp.note_holds(found, server.log.decode("utf-8", "replace"))
    yield from mcp.hold_rows("gateway", found)
