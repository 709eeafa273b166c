# SPDX-License-Identifier: GPL-3.0-or-later
"""mcp_http.py - what a request to /mcp costs on one kept connection, beside the
SDK's own server on Node, in the era of 2026-07-28."""

import json
import os
import re
import shutil
import socket
import subprocess
import time

import holds
import peers
import table

REQUESTS = 500
# So many requests wait at a server whose rate is measured: else it waits for
# the client, and both for the kernel to wake them, most of the time.
AT_ONCE = 8
TICK_US = 1e6 / os.sysconf("SC_CLK_TCK")
VERSION = "2026-07-28"
META = "io.modelcontextprotocol/"
HERE = os.path.dirname(os.path.abspath(__file__))


def tree_us(pid):
    """What a process, what it waited for and its children used of the
    processors."""
    used = 0
    for task in os.listdir("/proc/%d/task" % pid):
        path = "/proc/%d/task/%s/" % (pid, task)
        with open(path + "schedstat", encoding="ascii") as f:
            used += int(f.read().split()[0]) / 1e3
        with open(path + "children", encoding="ascii") as f:
            used += sum(tree_us(int(child)) for child in f.read().split())
    with open("/proc/%d/stat" % pid, encoding="ascii") as f:
        words = f.read().rsplit(")", 1)[1].split()
    return used + (int(words[13]) + int(words[14])) * TICK_US


class Kept:
    """A server that listens, and one connection to it."""

    def __init__(self, bench, argv, **env):
        self.child = subprocess.Popen(
            argv, cwd=bench.place.work, env={**bench.place.env, **env},
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE)
        line = self.child.stderr.readline().decode()
        found = re.search(r":(\d+): listening", line)
        if not found:
            self.child.kill()
            raise RuntimeError("it does not listen: " + line)
        self.at = ("127.0.0.1", int(found[1]))
        self.socket = socket.create_connection(self.at)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.whole = 0

    def __enter__(self):
        return self

    def __exit__(self, *why):
        self.socket.close()
        self.child.terminate()
        self.child.wait()
        self.child.stderr.close()

    def more(self):
        data = self.socket.recv(1 << 16)
        if not data:
            raise RuntimeError("the server has closed the connection")
        self.rest += data

    def end(self):
        """Where the answer ends, of either framing; 0: it has not come."""
        head = self.rest.find(b"\r\n\r\n")
        size = re.search(rb"(?i)\r\ncontent-length: *(\d+)", self.rest[:head])
        if head < 0:
            return 0
        if size:
            end = head + 4 + int(size[1])
            return end if len(self.rest) >= end else 0
        return len(self.rest) if self.rest.endswith(b"0\r\n\r\n") else 0

    def ask(self, request):
        """The answer. What comes at once, as long as the answer before, is
        whole too: reading it word by word would take as long as the server
        does."""
        self.socket.sendall(request)
        self.rest = b""
        self.more()
        while len(self.rest) != self.whole:
            end = self.end()
            if end:
                self.whole = end
                if len(self.rest) > end:
                    raise RuntimeError("more than one answer")
                break
            self.more()
        return self.rest

    def ask_many(self, request, times):
        """Sends it so often at once, and reads as many answers."""
        self.socket.sendall(request * times)
        left = self.whole * times
        while left > 0:
            self.rest = b""
            self.more()
            left -= len(self.rest)
        if left < 0:
            raise RuntimeError("the answers are not all as long")

    def us(self, request, at_once=1):
        """What one takes, and costs the processors in the server and in what it
        starts; each is answered well."""
        self.ask(request)
        used, begun = tree_us(self.child.pid), time.perf_counter()
        for _ in range(REQUESTS // at_once):
            if at_once > 1:
                self.ask_many(request, at_once)
            else:
                self.ask(request)
        took = time.perf_counter() - begun
        used = tree_us(self.child.pid) - used
        body = self.ask(request)
        if b'"result"' not in body or b'"isError":true' in body:
            raise RuntimeError("a request failed: %r" % body[:200])
        each = REQUESTS // at_once * at_once
        return took / each * 1e6, used / each


def request(method, **params):
    params["_meta"] = {META + "protocolVersion": VERSION,
                       META + "clientInfo": {"name": "bench", "version": "1"},
                       META + "clientCapabilities": {}}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method,
                       "params": params}).encode()
    head = ["POST /mcp HTTP/1.1", "Host: localhost",
            "Content-Type: application/json",
            "Accept: application/json, text/event-stream",
            "MCP-Protocol-Version: " + VERSION, "Mcp-Method: " + method,
            "Content-Length: %d" % len(body)]
    if "name" in params:
        head.append("Mcp-Name: " + params["name"])
    return "\r\n".join(head + ["", ""]).encode() + body


def rows(bench):
    modules = os.path.join(peers.folder(), "node_modules")
    path = bench.place.path("read.txt")
    with open(path, "w", encoding="ascii") as out:
        out.write("hello\n" * 10)
    if not shutil.which("node") or not os.path.isdir(os.path.join(
            modules, "@modelcontextprotocol", "server")):
        yield table.Skipped("/mcp", "its peer is not here: make bench-peers")
        return
    discover = request("server/discover")
    read = request("tools/call", name="fs_read_file",
                   arguments={"path": "read.txt"})
    same = request("tools/call", name="read", arguments={"path": path})
    with Kept(bench, [bench.agentsh, "mcp", "--listen", "127.0.0.1:0"]) as one, \
            Kept(bench, ["node", os.path.join(HERE, "mcp_http_peer.mjs")],
                 MCP_MODULES=modules) as other:
        for name, ours, theirs, at_once, goal in (
                ("/mcp, server/discover on a kept connection", discover,
                 discover, AT_ONCE, 10),
                ("the same, one at a time", discover, discover, 1, 10),
                ("/mcp, tools/call that reads a file", read, same, 1, 3)):
            found = bench.by_turns(lambda: one.us(ours, at_once),
                                   lambda: other.us(theirs, at_once),
                                   max(5, bench.rounds // 2))
            for at, what in enumerate((name, "the same, CPU")):
                yield table.Row(what, "us", found[0][at], found[1][at],
                                "node", table.at_most_times(1 / goal))
        yield holds.row("/mcp", one.at)
