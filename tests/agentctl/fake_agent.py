#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""fake_agent.py - an agent that does what the methods say, for tests.

With words on its command line it does that at once, as methods without
parameters: fake_agent.py error=TEXT exit=3."""

import json
import os
import signal
import subprocess
import sys
import threading
import time

LOCK = threading.Lock()
ASKED = {}  # the id of a request of ours: the id that waits for its answer


def say(**message):
    raw(json.dumps({"jsonrpc": "2.0", **message}))


def raw(text):
    with LOCK:
        sys.stdout.write(text + "\n")
        sys.stdout.flush()


def update(text):
    say(method="session/update", params={"type": "content",
                                         "data": {"text": text}})


def leave(seconds):
    """A daemon in a session of its own, which has our streams too."""
    subprocess.Popen(["sh", "-c", "trap '' TERM; exec sleep " + seconds],
                     start_new_session=True, stdin=subprocess.DEVNULL)


def later(ident, params):
    time.sleep(params.get("seconds", 0))
    say(id=ident, result=params)


def do(method, params, ident):
    """What is answered; None: nothing is."""
    p = params if isinstance(params, dict) else {}
    if method == "echo":
        return params
    if method == "raw":
        raw(p["line"].replace("ID", json.dumps(ident)))
    elif method == "later":
        threading.Thread(target=later, args=(ident, p)).start()
    elif method == "env":
        return dict(os.environ)
    elif method == "where":
        return {"cwd": os.getcwd(), "argv": sys.argv[1:], "pid": os.getpid()}
    elif method == "updates":
        for i in range(p["n"]):
            update("%d %s" % (i, "x" * p.get("size", 0)))
        return p["n"]
    elif method == "error":
        sys.stderr.write(p["text"] + "\n")
        sys.stderr.flush()
        return {}
    elif method == "big":
        return {"text": "é" * p["n"]}
    elif method == "latin":
        with LOCK:
            sys.stdout.buffer.write(p["line"].replace(
                "ID", str(ident)).encode("latin-1") + b"\n")
            sys.stdout.flush()
    elif method == "endless":
        sys.stdout.write("x" * p["n"])
        sys.stdout.flush()
        sys.stdin.read()
    elif method == "ask":
        ASKED[p["id"]] = ident
        say(id=p["id"], method="session/request_permission", params={
            "toolCall": {"title": "rm -r /"},
            "options": p.get("options", [
                {"optionId": "no", "kind": "reject_once", "name": "No"},
                {"optionId": "yes", "kind": "allow_once", "name": "Yes"}])})
    elif method == "leave":
        leave(p["seconds"])
        return {}
    elif method == "deaf":
        time.sleep(1000)
    elif method == "stubborn":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        return {}
    elif method == "exit":
        sys.stdout.flush()
        os._exit(p["status"])
    elif method == "kill":
        os.kill(os.getpid(), p["signal"])
    elif method not in ("nothing", "session/prompt", "session/cancel"):
        say(id=ident, error={"code": -32601, "message": "no such method"})
    return None


def take(message):
    ident = message.get("id")
    if "method" not in message:
        if ident in ASKED:
            say(id=ASKED.pop(ident), result=message)
        return
    if ident is None:
        update("noticed " + message["method"])
        return
    result = do(message["method"], message.get("params"), ident)
    if result is not None:
        say(id=ident, result=result)


def main():
    for word in sys.argv[1:]:
        name, _, value = word.partition("=")
        if name == "say":
            sys.stderr.write(value + "\n")
            sys.stderr.flush()
        elif name == "exit":
            sys.exit(int(value))
        elif name == "stubborn":
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
        elif name == "stays":
            while True:
                time.sleep(1000)
    for line in sys.stdin:
        take(json.loads(line))


if __name__ == "__main__":
    main()
