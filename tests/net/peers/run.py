#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""run.py - the bus and the gateway, by other people's WebSocket libraries.

    top_builddir=build [PEERS=DIR] tests/net/peers/run.py [NAME]...

PEERS is a folder with node_modules/ws. By hand: what of these is installed is
the machine's. Each client does one flow and ends with 0. On the bus: initialize
on two connections, subscribe, a message that is answered with stopPropagation,
one of 300 KB, a ping of the library's, a close with 1000 and its echo. On the
gateway's /ws: task.create, task.subscribe, task.get, ping, close.
"""

import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))

import ports  # noqa: E402

import home  # noqa: E402
import tap  # noqa: E402

FLOWS = {"bus": "/", "gateway": "/ws"}
LIMIT_S, BUILD_S = 60, 300
DEBIAN_PYTHON = "/usr/bin/python3"  # another than the first of the path


class Absent(Exception):
    """Why a client cannot run here."""


def needs(program):
    if not shutil.which(program):
        raise Absent("no %s" % program)


def built(argv, **env):
    done = subprocess.run(argv, capture_output=True, text=True, check=False,
                          env={**os.environ, **env}, timeout=BUILD_S)
    if done.returncode != 0:
        raise RuntimeError(done.stderr)


def python(name):
    def command(place):
        del place
        for program in (sys.executable, DEBIAN_PYTHON):
            if os.path.exists(program) and subprocess.run(
                    [program, "-c", "import " + name], check=False,
                    capture_output=True).returncode == 0:
                return [program, os.path.join(HERE, "python_peer.py"), name]
        raise Absent("no module %s" % name)
    return command


def mojo(place):
    del place
    needs("perl")
    if subprocess.run(["perl", "-MMojo::UserAgent", "-e1"], check=False,
                      capture_output=True).returncode:
        raise Absent("no Mojo::UserAgent")
    return ["perl", os.path.join(HERE, "mojo_peer.pl")]


def faye(place):
    del place
    needs("ruby")
    if subprocess.run(["ruby", "-rfaye/websocket", "-e1"], check=False,
                      capture_output=True).returncode:
        raise Absent("no faye-websocket")
    return ["ruby", os.path.join(HERE, "faye_peer.rb")]


def libwebsockets(place):
    needs("pkg-config")
    found = subprocess.run(
        ["pkg-config", "--cflags", "--libs", "libwebsockets"], check=False,
        capture_output=True, text=True)
    if found.returncode:
        raise Absent("no libwebsockets")
    program = place.path("libwebsockets_peer")
    built(["cc", "-Wall", "-O1", "-o", program,
           os.path.join(HERE, "libwebsockets_peer.c"), *found.stdout.split()])
    return [program]


def gorilla(place):
    needs("go")
    source = "/usr/share/gocode"
    if not os.path.isdir(source + "/src/github.com/gorilla/websocket"):
        raise Absent("no gorilla/websocket")
    program = place.path("gorilla_peer")
    built(["go", "build", "-o", program,
           os.path.join(HERE, "gorilla_peer.go")], GOPATH=source,
          GO111MODULE="off", GOCACHE=place.path("go-cache"))
    return [program]


def node(kind):
    def command(place):
        del place
        needs("node")
        words = ["node"]
        if kind == "own":
            words.append("--experimental-websocket")
            if subprocess.run([*words, "-e", "new WebSocket('ws://[::1]:1')"
                               ".onerror = () => {}"], check=False,
                              capture_output=True).returncode:
                raise Absent("this node has no WebSocket of its own")
        elif not os.path.isdir(os.path.join(modules(), "ws")):
            raise Absent("PEERS has no node_modules/ws")
        return [*words, os.path.join(HERE, "node_peer.mjs"), kind]
    return command


def modules():
    return os.path.join(os.environ.get("PEERS", "."), "node_modules")


CLIENTS = {
    "python websockets": python("websockets"),
    "python websocket": python("websocket"),
    "python aiohttp": python("aiohttp"),
    "python tornado": python("tornado"),
    "perl Mojo::UserAgent": mojo,
    "ruby faye-websocket": faye,
    "c libwebsockets": libwebsockets,
    "go gorilla/websocket": gorilla,
    "node ws": node("ws"),
    "node WebSocket": node("own"),
}


def words_of(command, flow, server):
    port = server.at[1]
    if command[0].endswith("libwebsockets_peer"):
        return [*command, flow, str(port), FLOWS[flow]]
    return [*command, flow, "ws://127.0.0.1:%d%s" % (port, FLOWS[flow])]


def try_one(t, place, name, servers):
    """One line for each of the two."""
    why, command = None, None
    try:
        command = CLIENTS[name](place)
    except Absent as absent:
        why = str(absent)
    except (RuntimeError, subprocess.SubprocessError) as failed:
        t.ok(False, name + " is built", failed)
        return
    for flow, server in servers.items():
        what = "%s: %s" % (flow, name)
        if why:
            t.skip(what, why)
            continue
        try:
            done = subprocess.run(
                words_of(command, flow, server), check=False, text=True,
                capture_output=True, timeout=LIMIT_S, cwd=place.work,
                env={**os.environ, "WS_MODULES": modules()})
            said, right = done.stdout + done.stderr, done.returncode == 0
        except subprocess.TimeoutExpired:
            said, right = "not ended after %d s" % LIMIT_S, False
        t.ok(right, what, said)


def main():
    names = sys.argv[1:] or CLIENTS
    rows = {row.name: row for row in ports.SERVERS}
    t = tap.Tap()
    with home.Home() as place, \
            ports.Server(place, rows["bus"]) as bus, \
            ports.Server(place, rows["gateway"]) as gateway:
        for name in names:
            try_one(t, place, name, {"bus": bus, "gateway": gateway})
    t.done()


main()
