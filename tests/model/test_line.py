# SPDX-License-Identifier: GPL-3.0-or-later
"""test_line.py - agentsh line: what a model says becomes one line that shows
itself as it is, or none; nothing runs and nobody is asked."""

import os
import subprocess
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "lib"))

import home  # noqa: E402
import tap  # noqa: E402
from fault.server import Server  # noqa: E402

AGENTSH = home.program("agentsh")

# What it is called, the steps, the line; None: exit 4 and nothing.
ANSWERS = (
    ("a command", ["du -sh ."], "du -sh ."),
    ("two", ["mkdir a", "cd a"], "mkdir a && cd a"),
    ("two, one of them a list", ["true || false", "ls"], None),
    ("a newline in it", ["ls\ntouch x"], None),
    ("a carriage return", ["ls\rtouch x"], None),
    ("an escape sequence", ["ls \x1b[2K"], None),
    ("the end of a paste", ["ls\x1b[201~\ntouch x"], None),
    ("text that is reordered", ["ls \u202etxt"], None),
    ("a history expansion", ["echo !!"], None),
    ("one in quotes", ["echo '!!'"], "echo '!!'"),
)


def line(place, server, *words, **env):
    return subprocess.run(
        [AGENTSH, "line", *words], cwd=place.work, text=True,
        stdin=subprocess.DEVNULL, capture_output=True, timeout=30, check=False,
        env={**place.env, "OPENAI_API_KEY": "sk-test-0123456789abcdef",
             "OPENAI_BASE_URL": server.url + "/v1", **env})


def answers(t):
    for name, steps, wanted in ANSWERS:
        with home.Home() as place, \
    Server([{"steps": steps}]) as server:
            done = line(place, server, "--", "do it")
            t.is_((done.stdout, done.returncode),
                  (wanted + "\n", 0) if wanted else ("", 4),
                  "%s: %s" % (name, "one line" if wanted else "none"),
                  done.stderr)
            t.ok("\x1b" not in done.stderr and
                 (wanted or done.stderr.count("\n") == 1),
                 "%s: and a line says why, in plain text" % name, done.stderr)
            t.is_(os.listdir(place.work), [], name + ": nothing has run")


def aliases(t):
    with home.Home() as place, \
            Server([{"steps": ["git pull"]}]) as server:
        done = line(place, server, "--", "g pul",
                    AGENTSH_ALIASES="g=git\nll=ls -l")
        sent = str(server.requests[-1]["json"])
        t.ok(done.stdout == "git pull\n" and "git pul" in sent and
             "g=git" in sent and "aliases" in sent,
             "aliases go along, as data", done, sent[:4000])


def dangers(t):
    with home.Home() as place, \
            Server([{"steps": ["rm -rf build"]}]) as server:
        done = line(place, server, "--", "clean up")
        t.ok(done.stdout == "rm -rf build\n" and
             "destructive" in done.stderr and done.returncode == 0,
             "what is destructive is told beside it", done)
        done = line(place, server, "--for-key", "--", "clean up")
        first, _, below = done.stdout.partition("\n")
        t.ok(first == "rm -rf build" and "destructive" in below and
             done.stderr == "", "a key gets both in one reply", done)


def failures(t):
    with home.Home() as place, \
            Server(["prose"]) as server:
        done = line(place, server, "--", "do it")
        t.ok(done.stdout == "" and done.returncode == 4 and
             done.stderr.count("\n") == 1,
             "an answer in words is no command", done)
        server.stop()
        done = line(place, server, "--for-key", "--", "do it")
        t.ok(done.stdout.startswith("\nagentsh: ") and done.returncode == 3,
             "no server: no command, and why", done)
    with home.Home() as place, Server() as server:
        done = line(place, server, "--", " ")
        t.ok(done.returncode == 2 and not server.requests,
             "no words: nothing is asked", done)


def main():
    t = tap.Tap()
    for test in (answers, aliases, dangers, failures):
        test(t)
    t.done()


main()
