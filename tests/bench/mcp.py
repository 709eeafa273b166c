# SPDX-License-Identifier: GPL-3.0-or-later
"""mcp.py - what the servers of tools and of Agent Spaces cost: a call, beside
the server of files that others made, and how long their loops are held."""

import json
import os
import re
import socket
import subprocess
import threading
import time

import guest
import peers
import table

CALLS = 500
PIPELINED = 2000
MIB = 1 << 20


class Server:
    """An MCP server on pipes, after its handshake."""

    def __init__(self, bench, argv):
        self.child = subprocess.Popen(
            argv, cwd=bench.place.work, env=bench.place.env, bufsize=0,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE)
        self.rest = b""
        self.write(guest.request(0, "initialize", **{
            "protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": {"name": "bench", "version": "1"}}))
        self.lines(1)
        self.write(b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n')

    def __enter__(self):
        return self

    def __exit__(self, *why):
        self.close()

    def write(self, data):
        view = memoryview(data)
        while view:
            view = view[self.child.stdin.write(view):]

    def lines(self, n):
        """The next n lines."""
        parts, found = [self.rest], self.rest.count(b"\n")
        while found < n:
            data = os.read(self.child.stdout.fileno(), MIB)
            if not data:
                raise RuntimeError("the server ended")
            found += data.count(b"\n")
            parts.append(data)
        *lines, self.rest = b"".join(parts).split(b"\n")
        return lines

    def close(self):
        """What it says at its end."""
        if self.child.stdin.closed:
            return ""
        self.child.stdin.close()
        said = self.child.stderr.read().decode("utf-8", "replace")
        self.child.wait()
        self.child.stdout.close()
        self.child.stderr.close()
        return said


def call(number, tool, **args):
    return guest.request(number, "tools/call", name=tool, arguments=args)


def check(lines):
    for line in lines:
        result = json.loads(line).get("result", {"isError": True})
        if result.get("isError"):
            raise RuntimeError("a call failed: %r" % line[:200])


def serial_us(server, data):
    server.write(data)
    check(server.lines(1))
    begun = time.perf_counter()
    for _ in range(CALLS):
        server.write(data)
        server.lines(1)
    return (time.perf_counter() - begun) / CALLS * 1e6


def pipelined_us(server, data):
    lines = data * PIPELINED
    begun = time.perf_counter()
    writer = threading.Thread(target=server.write, args=(lines,))
    writer.start()
    seen = server.lines(PIPELINED)
    took = time.perf_counter() - begun
    writer.join()
    check(seen)
    return took / PIPELINED * 1e6


def calls(bench):
    """fs_read_file, one after another and pipelined, on one processor."""
    path = bench.place.path("read.txt")
    with open(path, "w", encoding="ascii") as out:
        out.write("hello\n" * 10)
    rounds = max(3, bench.rounds // 3)
    beside = "server-filesystem"
    try:
        theirs = [*peers.find(beside), bench.place.work]
    except FileNotFoundError as why:
        yield table.Skipped("mcp, the peer", str(why))
        theirs, beside = None, ""
    with guest.one_processor(), Server(bench, [bench.agentsh, "mcp"]) as one:
        data = call(1, "fs_read_file", path="read.txt")
        if theirs:
            with Server(bench, theirs) as other:
                same = call(1, "read_text_file", path=path)
                serial = bench.by_turns(lambda: (serial_us(one, data),),
                                        lambda: (serial_us(other, same),),
                                        rounds)
                many = bench.by_turns(lambda: (pipelined_us(one, data),),
                                      lambda: (pipelined_us(other, same),),
                                      rounds)
                serial, many = [(x[0][0], x[1][0]) for x in (serial, many)]
        else:
            serial = ([serial_us(one, data) for _ in range(rounds)], None)
            many = ([pipelined_us(one, data) for _ in range(rounds)], None)
    goal = table.at_most_times(1.0) if theirs else table.for_comparison()
    yield table.Row("agentsh mcp, fs_read_file, one after another", "us",
                    *serial, beside, goal)
    yield table.Row("the same, many at once", "us", *many, beside, goal)


def note_holds(found, said):
    for us, by, where in re.findall(
            r"held for (\d+) us at most, by ([a-z ]+), at (\S+)", said):
        found.setdefault(by, []).append((int(us), where))


def hold_rows(name, found):
    if not found:
        raise RuntimeError("configure with --enable-loop-report")
    for by, times in found.items():
        yield table.Row("%s, the loop held, by %s" % (name, by), "us",
                        [us for us, _ in times], None, max(times)[1],
                        table.at_most("5 ms", 5000))


def heavy_calls():
    """Of a client that asks for much; how many answers there are."""
    load = [guest.request(n, "tools/list") for n in range(200)]
    load += [call(n, "fs_read_file", path="read.txt") for n in range(1000)]
    load += [call(1, "fs_read_file", path="big.txt"),
             call(2, "fs_read_file", path="x" * (10 * MIB)),
             call(3, "fs_write_file", path="new.txt",
                  content="\x01" * (2 * MIB)),
             call(4, "cmd_run", command="head -c 3000000 /dev/zero"),
             call(5, "cmd_run", command="echo", stdin="y" * (10 * MIB)),
             call(6, "fs_read_file", path="read.txt", more=[0] * (4 * MIB)),
             guest.request(7, "resources/list"),
             guest.request(8, "prompts/list")]
    return load


def prepare(bench):
    for name, text in (("read.txt", "hello\n" * 10), ("big.txt", "x" * 4000000)):
        with open(bench.place.path(name), "w", encoding="ascii") as out:
            out.write(text)


def hold_stdio(bench, found):
    load = heavy_calls()
    with Server(bench, [bench.agentsh, "mcp"]) as server:
        writer = threading.Thread(target=server.write, args=(b"".join(load),))
        writer.start()
        server.lines(len(load))
        writer.join()
        note_holds(found, server.close())


def post(at, message, session=None):
    """One message on a connection of its own; the whole response."""
    head = ("POST /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
            "Content-Type: application/json\r\nContent-Length: %d\r\n"
            "Accept: application/json, text/event-stream\r\n" % len(message))
    if session:
        head += "Mcp-Session-Id: %s\r\n" % session
    with socket.create_connection(at) as s:
        s.sendall(head.encode() + b"\r\n" + message)
        parts = []
        while data := s.recv(MIB):
            parts.append(data)
    return b"".join(parts)


def post_all(at, load):
    opened = post(at, guest.request(0, "initialize", **{
        "protocolVersion": "2025-06-18", "capabilities": {},
        "clientInfo": {"name": "bench", "version": "1"}}))
    session = re.search(rb"Mcp-Session-Id: (\S+)", opened)[1].decode()
    for message in load:
        post(at, message, session)


def hold_http(bench, found):
    """Four clients at once, each with a session."""
    load = heavy_calls()[150:]
    child = subprocess.Popen(
        [bench.agentsh, "mcp", "--listen", "127.0.0.1:0"],
        cwd=bench.place.work, env=bench.place.env, stderr=subprocess.PIPE)
    line = child.stderr.readline().decode()
    at = ("127.0.0.1", int(re.search(r":(\d+): listening", line)[1]))
    clients = [threading.Thread(target=post_all, args=(at, load))
               for _ in range(4)]
    for client in clients:
        client.start()
    for client in clients:
        client.join()
    child.terminate()
    note_holds(found, child.stderr.read().decode("utf-8", "replace"))
    child.wait()


def held(bench):
    """What the servers of a build with --enable-loop-report say at their
    end."""
    prepare(bench)
    for name, run in (("agentsh mcp", hold_stdio),
                      ("agentsh mcp --listen", hold_http)):
        found = {}
        for _ in range(max(3, bench.rounds // 5)):
            run(bench, found)
        yield from hold_rows(name, found)


def operations(*all_of_them):
    return json.dumps({"protocolVersion": "1.0", "operations": list(
        all_of_them)}).encode() + b"\n"


def spaces_held(bench):
    """The same of agentsh spaces."""
    prepare(bench)
    many = [{"type": "message", "content": "x" * 90000}] * 100
    read = {"type": "readFile", "path": "big.txt"}
    load = [operations({"type": "message", "content": "x"})] * 2000 + [
        operations(*many), operations(*[read] * 3),
        operations({"type": "createFile", "path": "new.txt", "overwrite": True,
                    "content": "\x01" * (2 * MIB)}),
        operations({"type": "createFile", "path": "new.txt", "overwrite": True,
                    "content": "z" * (9 * MIB)}),
        operations({"type": "editFile", "path": "new.txt", "edits": [
            {"oldContent": "z" * MIB, "newContent": "y" * MIB}]}),
        operations({"type": "shell", "command":
                    "head -c 3000000 /dev/zero | tr '\\0' x"}),
        b"[" + b"0," * (4 * MIB) + b"0]\n"]
    found = {}
    for _ in range(max(3, bench.rounds // 5)):
        child = subprocess.Popen(
            [bench.agentsh, "spaces"], cwd=bench.place.work,
            env=bench.place.env, stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        child.stdin.write(b"".join(load))
        child.stdin.close()
        note_holds(found, child.stderr.read().decode("utf-8", "replace"))
        child.wait()
    yield from hold_rows("agentsh spaces", found)
