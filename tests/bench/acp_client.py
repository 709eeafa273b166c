# SPDX-License-Identifier: GPL-3.0-or-later
"""acp_client.py - an editor that measures its agent, ours or a peer."""

import json
import os
import select
import signal
import subprocess
import time

LIMIT_S = 60


class Agent:
    """It runs from here on. Every permission is given."""

    def __init__(self, argv, cwd, env):
        self.begun = time.perf_counter()
        self.child = subprocess.Popen(
            argv, cwd=cwd, env=env, bufsize=0, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            start_new_session=True)
        os.set_blocking(self.child.stderr.fileno(), False)
        self.cwd, self.rest, self.next = cwd, b"", 0
        self.answers = {}  # id of a request: when it came, the message
        self.first = {}  # session: when its first update came
        self.kinds = set()  # session and kind of all updates
        self.log = b""

    def __enter__(self):
        return self

    def __exit__(self, *why):
        self.close()

    def close(self):
        """Ends it as an editor does; what it logged."""
        if self.child.stdin:
            self.child.stdin.close()
            self.child.stdin = None
            try:
                self.drain()
                self.child.wait(LIMIT_S)
            except (RuntimeError, subprocess.TimeoutExpired):
                self.child.kill()
                self.child.wait()
            try:  # some leave the program that they have started
                os.killpg(self.child.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            self.log += self.child.stderr.read() or b""
            self.child.stdout.close()
            self.child.stderr.close()
        return self.log.decode("utf-8", "replace")

    def drain(self):
        """Reads to the end of its output."""
        until = time.monotonic() + LIMIT_S
        while time.monotonic() < until and self.read(1) is not False:
            pass

    def send(self, message):
        data = memoryview(json.dumps({"jsonrpc": "2.0", **message}).encode()
                          + b"\n")
        os.set_blocking(self.child.stdin.fileno(), False)
        while data:
            if select.select([], [self.child.stdin], [], 0.001)[1]:
                data = data[os.write(self.child.stdin.fileno(), data):]
            self.read(0)

    def start(self, method, params):
        self.next += 1
        self.send({"id": self.next, "method": method, "params": params})
        return self.next

    def read(self, seconds):
        """False at the end of its output."""
        ready = select.select([self.child.stdout, self.child.stderr], [], [],
                              seconds)[0]
        if self.child.stderr in ready:
            self.log += self.child.stderr.read() or b""
        if self.child.stdout not in ready:
            return True
        data = os.read(self.child.stdout.fileno(), 1 << 18)
        now = time.perf_counter()
        *lines, self.rest = (self.rest + data).split(b"\n")
        for line in lines:
            self.take(now, json.loads(line))
        return data != b""

    def take(self, now, message):
        if message.get("method") == "session/update":
            session = message["params"]["sessionId"]
            self.first.setdefault(session, now)
            self.kinds.add((session,
                            message["params"]["update"]["sessionUpdate"]))
        elif message.get("method") == "session/request_permission":
            self.send({"id": message["id"], "result": {"outcome": {
                "outcome": "selected",
                "optionId": message["params"]["options"][0]["optionId"]}}})
        elif "method" not in message:
            self.answers[message.get("id")] = now, message

    def until(self, condition):
        end = time.monotonic() + LIMIT_S
        while not condition():
            if not self.read(0.1) or time.monotonic() > end:
                raise RuntimeError("the agent has ended, or says nothing: "
                                   + self.log.decode("utf-8", "replace"))

    def wait(self, ident):
        """When the answer came, and its result."""
        self.until(lambda: ident in self.answers)
        when, message = self.answers.pop(ident)
        if "error" in message:
            raise RuntimeError(message["error"].get("message", "?"))
        return when, message["result"]

    def initialize(self):
        return self.wait(self.start("initialize", {
            "protocolVersion": 1, "clientCapabilities": {},
            "clientInfo": {"name": "bench", "version": "1"}}))[0]

    def open_session(self):
        return self.wait(self.start("session/new", {
            "cwd": self.cwd, "mcpServers": []}))[1]["sessionId"]

    def prompt(self, session, text):
        return self.start("session/prompt", {
            "sessionId": session, "prompt": [{"type": "text", "text": text}]})

    def cancel(self, session):
        self.send({"method": "session/cancel",
                   "params": {"sessionId": session}})


def sizes(pid, field):
    """KiB of a process and of those that it started, for each its name."""
    found = []
    try:
        with open("/proc/%d/status" % pid, encoding="utf-8") as status:
            lines = dict(line.split(":", 1) for line in status if ":" in line)
        found.append((lines["Name"].strip(), int(lines[field].split()[0])))
    except (OSError, KeyError):
        return found
    for name in os.listdir("/proc"):
        if name.isdigit() and parent_of(name) == pid:
            found += sizes(int(name), field)
    return found


def parent_of(name):
    try:
        with open("/proc/%s/stat" % name, encoding="utf-8",
                  errors="replace") as stat:
            return int(stat.read().rpartition(")")[2].split()[1])
    except OSError:
        return -1
