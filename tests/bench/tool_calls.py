# SPDX-License-Identifier: GPL-3.0-or-later
"""tool_calls.py - what a call costs in one `agentsh tool call`, beside an MCP
server that reads the same file. All of them share one core, so that a figure
is work, and not how fast another core wakes up."""

import contextlib
import json
import os
import subprocess
import time

import peers
import table

FILE_BYTES = 1024
CALLS = 400
DEPTH = 32  # under way at once
LIMIT = table.both(table.at_most("0.2 ms", 200), table.at_most_times(1 / 3))


@contextlib.contextmanager
def one_core():
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


class Server:
    """A process that answers each line by a line."""

    def __init__(self, argv, bench):
        self.child = subprocess.Popen(
            argv, cwd=bench.place.work, env=bench.place.env, bufsize=1 << 16,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL)

    def __enter__(self):
        return self

    def __exit__(self, *why):
        self.child.stdin.close()
        self.child.wait()
        self.child.stdout.close()

    def send(self, line):
        self.child.stdin.write(line)
        self.child.stdin.flush()

    def answer(self):
        line = self.child.stdout.readline()
        if not line:
            raise RuntimeError("%s ended" % self.child.args[0])
        return line

    def ask(self, message):
        self.send(json.dumps(message).encode() + b"\n")
        return self.answer()

    def each_us(self, line, depth):
        """Microseconds for each call, where so many are under way."""
        begun = time.perf_counter()
        self.send(line * depth)
        for _ in range(CALLS - depth):
            self.answer()
            self.send(line)
        for _ in range(depth):
            self.answer()
        return (time.perf_counter() - begun) * 1e6 / CALLS


def ours(bench, path):
    server = Server([bench.agentsh, "tool", "call", "fs.read_file"], bench)
    request = {"action": "read", "args": {"path": path}}
    if not json.loads(server.ask(request)).get("ok"):
        raise RuntimeError("fs.read_file does not read")
    return server, json.dumps(request).encode() + b"\n"


def theirs(bench, path):
    server = Server([*peers.find("server-filesystem"), bench.place.work],
                    bench)
    server.ask({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {},
        "clientInfo": {"name": "bench", "version": "1"}}})
    server.send(b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
    request = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
        "name": "read_text_file", "arguments": {"path": path}}}
    if "result" not in json.loads(server.ask(request)):
        raise RuntimeError("the peer does not read")
    return server, json.dumps(request).encode() + b"\n"


def rows(bench):
    path = bench.place.path("kilobyte")
    with open(path, "w", encoding="ascii") as out:
        out.write("sixteen bytes..\n" * (FILE_BYTES // 16))
    with contextlib.ExitStack() as stack:
        stack.enter_context(one_core())
        server, line = ours(bench, path)
        stack.enter_context(server)
        try:
            peer, peer_line = theirs(bench, path)
            stack.enter_context(peer)
        except OSError as why:
            yield table.Skipped("server-filesystem", str(why))
            peer = None
        for depth, how in ((1, "one after another"), (DEPTH, "pipelined")):
            mine, other = bench.by_turns(
                lambda: [server.each_us(line, depth)],
                lambda: [peer.each_us(peer_line, depth) if peer else 0])
            yield table.Row(
                "a call of fs.read_file, " + how, "us", mine[0],
                other[0] if peer else None, "server-filesystem",
                LIMIT if peer else table.at_most("0.2 ms", 200))
