# SPDX-License-Identifier: GPL-3.0-or-later
"""test_real_servers.py - servers that others made, where they are there.

AGENTSH_TEST_MCP names a directory with npm's node_modules, which holds
@modelcontextprotocol/server-everything and server-filesystem; without it
nothing is tested.
"""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))

import home  # noqa: E402
import tap  # noqa: E402

AGENTSH = os.path.join(home.BUILDDIR, "agentsh")
WHERE = os.environ.get("AGENTSH_TEST_MCP", "")
LONG = "everything.trigger-long-running-operation"


def program(name):
    return os.path.join(WHERE, "node_modules", "@modelcontextprotocol",
                        "server-" + name, "dist", "index.js")


def request(tool, args, **more):
    return json.dumps(dict(more, tool=tool, action="call", args=args)) + "\n"


def calls(h, *lines):
    done = h.run([AGENTSH, "tool", "call"], "".join(lines))
    return [json.loads(line) for line in done.out.splitlines()]


def listed(h):
    done = h.run([AGENTSH, "tool", "list", "-o", "json"])
    return {t["name"]: t for t in json.loads(done.out)["tools"]
            if t["source"] == "mcp"}


def prepare(h):
    path = os.path.join(h.env["XDG_CONFIG_HOME"], "agentsh", "mcp.json")
    with open(path, "w", encoding="utf-8") as f:
        json.dump({"mcpServers": {
            "everything": {"command": "node",
                           "args": [program("everything"), "stdio"]},
            "files": {"command": "node",
                      "args": [program("filesystem"), h.work],
                      "agentsh": {"write": ["workspace"]}}}}, f)
    for name in ("everything", "files"):
        h.run([AGENTSH, "tool", "trust", name, listed(h)[name]["sha256"]])


def check_calls(t, h):
    echo, total, bad, wrote, read, out = calls(
        h, request("everything.echo", {"message": "hello"}),
        request("everything.get-sum", {"a": 2, "b": 3}),
        request("everything.get-sum", {"a": "x", "b": 1}),
        request("files.write_file", {"path": h.path("new"),
                                     "content": "written\n"}),
        request("files.read_text_file", {"path": h.path("new")}),
        request("files.read_text_file", {"path": "/etc/passwd"}))
    t.is_(echo["stdout"], "Echo: hello", "a call is answered")
    t.ok("5" in total["stdout"], "so is one with numbers", total)
    t.is_(bad["meta"]["error_code"], "INVALID_ARGS", "arguments are checked")
    t.ok(wrote["ok"] and h.read("new") == "written\n", "a file is written",
         wrote)
    t.is_(read["stdout"], "written\n", "and read")
    t.is_((out["ok"], out["meta"]["error_code"]), (False, "IO_ERROR"),
          "what the server refuses is no success", out)


def check_cancel(t, h):
    slow, after = calls(
        h, request(LONG, {"duration": 60, "steps": 60}, timeout_ms=3000),
        request("everything.echo", {"message": "after"}))
    t.is_(slow["meta"]["error_code"], "TIMEOUT", "a long call ends in time")
    t.is_(after["stdout"], "Echo: after", "and the next one works")
    caller = subprocess.Popen([AGENTSH, "tool", "call"], env=h.env, cwd=h.work,
                              stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    caller.stdin.write(request(LONG, {"duration": 60, "steps": 60}).encode())
    caller.stdin.flush()
    t.ok(tap.poll(lambda: len(h.left()) > 2, 20), "a call is under way")
    caller.send_signal(signal.SIGINT)
    t.is_(caller.wait(20), 130, "Ctrl-C ends it")
    t.ok(tap.poll(lambda: not h.left()), "with its server")
    caller.stdin.close()
    caller.stdout.close()


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def answers(port):
    with socket.socket() as s:
        return s.connect_ex(("127.0.0.1", port)) == 0


class Web:
    """The server `everything` over HTTP, on a port."""

    def __init__(self, h, port):
        self.child = subprocess.Popen(
            ["node", program("everything"), "streamableHttp"],
            env={"PATH": h.env["PATH"], "HOME": h.env["HOME"],
                 "PORT": str(port)}, cwd=h.root, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        tap.poll(lambda: answers(port), 30)

    def __enter__(self):
        return self

    def __exit__(self, *why):
        self.child.kill()
        self.child.wait()


def check_http(t, h):
    """Also when the server is another one between two calls."""
    port = free_port()
    path = os.path.join(h.env["XDG_CONFIG_HOME"], "agentsh", "mcp.json")
    with open(path, "w", encoding="utf-8") as f:
        json.dump({"mcpServers": {"everything": {
            "type": "http", "url": "http://127.0.0.1:%d/mcp" % port}}}, f)
    with Web(h, port):
        h.run([AGENTSH, "tool", "trust", "everything",
               listed(h)["everything"]["sha256"]])
        found = listed(h)
        t.ok("everything.echo" in found, "its tools are listed over HTTP",
             found)
        echo, slow, after = calls(
            h, request("everything.echo", {"message": "hello"}),
            request(LONG, {"duration": 60, "steps": 60}, timeout_ms=3000),
            request("everything.echo", {"message": "after"}))
        t.is_((echo["stdout"], after["stdout"]), ("Echo: hello",
                                                  "Echo: after"),
              "calls are answered", (echo, after))
        t.is_(slow["meta"]["error_code"], "TIMEOUT",
              "a long call ends in time")
        short = calls(h, request(LONG, {"duration": 1, "steps": 2}))[0]
        t.ok(short["ok"], "and a short one is waited for", short)
        caller = subprocess.Popen([AGENTSH, "tool", "call"], env=h.env,
                                  cwd=h.work, stdin=subprocess.PIPE,
                                  stdout=subprocess.PIPE)
        say(caller, request("everything.echo", {"message": "one"}))
    with Web(h, port):
        t.is_(say(caller, request("everything.echo", {"message": "two"})),
              "Echo: two", "a server that was restarted is spoken to anew")
    caller.stdin.close()
    caller.wait(20)
    caller.stdout.close()
    t.ok(tap.poll(lambda: not h.left()), "no process is left")


def say(caller, line):
    caller.stdin.write(line.encode())
    caller.stdin.flush()
    return json.loads(caller.stdout.readline())["stdout"]


def main():
    t = tap.Tap()
    if not shutil.which("node") or not all(
            os.path.exists(program(n)) for n in ("everything", "filesystem")):
        t.skip_all("AGENTSH_TEST_MCP names no directory with these servers")
    with home.Home() as h:
        prepare(h)
        found = listed(h)
        if "everything.echo" not in found:
            t.diag(found)
        t.ok("everything.echo" in found and "files.read_text_file" in found,
             "their tools are listed")
        check_calls(t, h)
        check_cancel(t, h)
    with home.Home() as h:
        check_http(t, h)
    t.done()


main()
