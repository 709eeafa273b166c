#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test_local_peers.py - who may connect to a server that asks for no token.

Each row has its control: the same request without the sandbox, or with the
token, is answered.
"""

import os
import re
import signal
import subprocess
import sys

import ports
from ports import home

import tap

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..",
                             "gateway"))

from gatewayclient import Gateway  # noqa: E402
from probe import write_types  # noqa: E402

HIDDEN = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                      "hidden_peer.py")
ASKS = ("import socket, sys; s = socket.create_connection(('127.0.0.1', "
        "int(sys.argv[1]))); s.sendall(b'GET /health HTTP/1.1\\r\\nHost: "
        "localhost\\r\\n\\r\\n'); print(s.recv(100).split()[1].decode())")
# The answer, and the end of the connection, are there before it asks: once the
# server has closed its socket, the second of two writes fails.
ASKS_LATE = ("import select, socket, sys; s = socket.create_connection(("
             "'127.0.0.1', int(sys.argv[1]))); p = select.poll(); p.register("
             "s, select.POLLRDHUP); p.poll(); s.sendall(b'GET / HTTP/1.1\\r\\n'"
             "); s.sendall(b'\\r\\n'); print(s.recv(100).split()[1].decode())")
PYTHON = "/usr/bin/python3"


def ask(place, server, *before, words=("-c", ASKS), more=()):
    """The status that such a program gets; None: no answer."""
    done = subprocess.run(
        [*before, PYTHON, *words, str(server.at[1]), *more], cwd=place.work,
        env=place.env, capture_output=True, text=True, check=False,
        timeout=tap.PATIENCE)
    return done.stdout.strip() or done.stderr


def ask_hidden(place, server, *before):
    """The same of one that has hidden its socket before the server looks."""
    tap.stop(server.pid)
    with subprocess.Popen([*before, PYTHON, *hides(), str(server.at[1])],
                          cwd=place.work, env=place.env,
                          stdout=subprocess.PIPE, text=True) as asks:
        asks.stdout.readline()
        os.kill(server.pid, signal.SIGCONT)
        return asks.communicate(timeout=tap.PATIENCE)[0].strip()


def confined(*options):
    return [home.program("agentsh"), "exec", *options, "--"]


def hides():
    with open(HIDDEN, encoding="utf-8") as file:
        return "-c", file.read()


def without_token(t):
    """In each server; in detail in one."""
    for row in ports.SERVERS:
        with home.Home() as place, ports.Server(place, row) as server:
            t.is_((ask(place, server),
                   ask(place, server, *confined("--net"))), ("200", "403"),
                  "%s: a confined process is kept out" % row.name)
            t.ok(server.until(lambda: b"agentsh-launch" in server.log),
                 "%s: which its log says" % row.name, server.log)
    with home.Home() as place, ports.Server(place, row) as server:
        t.is_(ask_hidden(place, server, *confined("--net")), "403",
              "a socket that it hides is, too")
        t.is_(ask(place, server, *confined("--net"), words=("-c", ASKS_LATE)),
              "403", "a client that asks later gets its answer")
        left_behind(t, place, server)
        other_user(t, place, server)


def count(server, name):
    """Of the server's numbers."""
    with server.peer() as peer:
        peer.send(b"GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n")
        return int(re.search(rb"\n%s (\d+)\n" % name,
                             peer.response().body)[1])


def left_behind(t, place, server):
    """The sandbox is gone before the kernel has closed what was left."""
    name = b"agentsh_http_connections_total"
    before = count(server, name)
    for _ in range(4):
        ask(place, server, *confined("--net"), words=hides(), more=["60"])
    t.is_(count(server, name), before + 1,
          "so are sockets that outlive who has hidden them")


def other_user(t, place, server):
    what = "another user is kept out"
    if not tap.is_here("root") or not tap.is_here("setpriv"):
        t.skip(what, "needs root")
        return
    t.is_(ask(place, server, *tap.as_other_user([])), "403", what)


def beside_confined(t):
    """While another process is confined, all others come in as before."""
    with home.Home() as place, \
            ports.Server(place, ports.SERVERS[1]) as server, \
            subprocess.Popen([*confined(), "cat"], cwd=place.work,
                             env=place.env, stdin=subprocess.PIPE,
                             stdout=subprocess.PIPE) as sleeper:
        sleeper.stdin.write(b"x\n")
        sleeper.stdin.flush()
        sleeper.stdout.readline()  # it runs
        peers = [server.peer() for _ in range(300)]
        for peer in peers:
            peer.send(b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
        t.is_({peer.status() for peer in peers}, {200},
              "300 connections at once are let in beside a confined process")
        t.is_(ask_hidden(place, server), "403", "but none that nobody holds")
        for peer in peers:
            peer.socket.close()
        t.is_(count(server, b"agentsh_http_connections_denied_total"), 1,
              "and no other one was denied")
        own_client(t, place, server)
        sleeper.stdin.close()


def own_client(t, place, server):
    """It hides its memory where it has a token, and its descriptors with it."""
    done = subprocess.run(
        [home.program("agentsh"), "bus", "pub", "--url", "ws://%s:%d" %
         server.at, "topic", "{}"], cwd=place.work, env=place.env,
        capture_output=True, text=True, check=False, timeout=tap.PATIENCE)
    t.is_((done.returncode, done.stderr), (0, ""), "a client of agentsh's is let "
          "in")


def with_token(t):
    with home.Home() as place:
        with ports.Server(place, ports.SERVERS[1], "--token-file",
                          place.secret("a token of some length\n")) as server:
            t.is_((ask(place, server, *confined("--net")),
                   ask_hidden(place, server, *confined("--net"))),
                  ("200", "200"), "where a token is asked for, all may connect")
        os.chmod(place.secret("a token of some length\n"), 0o644)
        with ports.Server(place, ports.SERVERS[1], "--token-file",
                          place.path("token")) as server:
            t.ok(place.path("token").encode() + b": other users can read the "
                 b"file of the token" in server.log,
                 "a token that others can read is named in the log", server.log)
        for row in ports.SERVERS:
            for name, why in (("", "its name is empty"),
                              ("gone", "gone: No such file or directory")):
                done = place.run([*row.command(), "--token-file", name],
                                 **row.environment)
                t.ok(done.status == 2 and "--token-file: " + why in done.err,
                     "%s: no token in %r" % (row.name, name), done)


def agent(t):
    """It has the network, and so reaches another server that lets it."""
    what = "an agent of a gateway is kept out of its port"
    if not tap.is_here("jq"):
        t.skip(what, "needs jq")
        return
    here = os.path.dirname(os.path.abspath(write_types.__code__.co_filename))
    with home.Home() as place:
        write_types(place, "[bash]\ncommand = bash %s/bash_agent.sh --acp\n"
                    "readable = %s\n" % (here, here))
        open_to_all = place.secret("a token of some length\n")
        with Gateway(place, stub=False) as g, g.client() as c, \
                ports.Server(place, ports.SERVERS[1], "--token-file",
                             open_to_all) as other:
            c.ask("task.subscribe", task_id="*")
            seen = []
            for at in (g.port, other.at[1]):
                task = c.ask("task.create", title="x", agent_type="bash",
                             description="port %d" % at)["id"]
                c.ask("orchestrator.start", task_id=task)
                seen.append(c.note(lambda a, p: a == "acp.content")
                            ["data"]["text"])
            # before it has asked, the end may come before what was sent
            t.ok(seen[0] in (403, "closed") and seen[1] == 200, what, seen)


def main():
    t = tap.Tap()
    without_token(t)
    beside_confined(t)
    with_token(t)
    agent(t)
    t.done()


if __name__ == "__main__":
    main()
