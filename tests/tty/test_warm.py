# SPDX-License-Identifier: GPL-3.0-or-later
"""test_warm.py - the questions of one shell share a model process and its
connection, and nothing else."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "..", "lib"))

import home  # noqa: E402
import shells  # noqa: E402
import tap  # noqa: E402
from fault import tls  # noqa: E402

KEY = "sk-test-0123456789abcdef"
ASKS = "%s explain --no-look ls" % os.path.basename(home.program("ai"))
ANSWER = "It was kept"
QUESTIONS = 10


class Kept:
    """keptserver.js, and what it told."""

    def __init__(self, folder, version, *ways):
        self.events, self.changed = [], threading.Condition()
        self.process = subprocess.Popen(
            ["node", os.path.join(home.SRCDIR, "tests/lib/keptserver.js"),
             folder, version, *ways],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.port = json.loads(self.process.stdout.readline())["port"]
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            with self.changed:
                self.events.append(json.loads(line))
                self.changed.notify_all()

    def seen(self, kind):
        return sum(kind in event for event in self.events)

    def wait(self, kind, n, seconds=tap.PATIENCE):
        with self.changed:
            return self.changed.wait_for(lambda: self.seen(kind) >= n,
                                         seconds)

    def count(self, kind):
        """Those of all that it has done: a shell may have shown an answer
        before its events are read here."""
        marks = self.seen("mark")
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        if not self.wait("mark", marks + 1):
            raise TimeoutError("keptserver.js does not respond")
        return self.seen(kind)

    def __enter__(self):
        return self

    def __exit__(self, *why):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


@contextlib.contextmanager
def session(folder, version, *ways, retries=0):
    """A server, and a shell whose questions go to it."""
    with Kept(folder, version, *ways) as server, home.Home() as place:
        place.config("[model]\nprovider = openai\nmax_retries = %d\n"
                     "ca_file = %s/ca.pem\n" % (retries, folder))
        place.env.update(
            OPENAI_API_KEY=KEY,
            OPENAI_BASE_URL="https://127.0.0.1:%d/v1" % server.port)
        shells.write_rc(place)
        shell = shells.repl(place)
        try:
            yield server, shell, place
        finally:
            if not shell.child.closed:
                shell.send("exit\r")
                shell.finish()


def model_processes(place):
    """Those that a shell of this place started."""
    return [pid for pid in home.pids()
            if home.name_of(pid).split(" ")[0].endswith("agentsh-model")
            and place.is_below(pid) and home.state_of(pid) != "Z"]


def ask(shell, wanted=ANSWER):
    shell.run(ASKS, wanted)
    return shell.status


def check_kept(t, folder, version):
    """Ten questions, one connection, one process."""
    with session(folder, version) as (server, shell, place):
        statuses = [ask(shell) for _ in range(QUESTIONS)]
        t.is_(statuses, [0] * QUESTIONS, "%s: %d questions are answered"
              % (version, QUESTIONS))
        t.is_((server.count("request"), server.count("handshake")),
              (QUESTIONS, 1), "%s: by one handshake" % version,
              server.events)
        t.is_(len(model_processes(place)), 1,
              "%s: and one process is kept" % version)


# How a server ends a connection that was kept: the ways of its questions, how
# many connections all of them take, and what the test shows.
ENDS = (
    ("h1", ("close",), 2, "a connection that the server closed is replaced"),
    ("h2", ("close",), 2, "a connection that the server closed is replaced"),
    ("h1", ("ok", "drop"), 2, "so is one that it closes at a question"),
    ("h2", ("ok", "drop"), 2, "so is one that it closes at a question"),
    ("h2", ("ok", "goaway"), 2, "GOAWAY that leaves a question out"),
    ("h2", ("leave",), 2, "GOAWAY behind an answer"),
    ("h2", ("ok", "refuse"), None, "REFUSED_STREAM"),
)


def check_again(t, folder, version, ways, connections, note):
    """What a server did not begin to answer is asked again, unseen."""
    with session(folder, version, *ways) as (server, shell, _):
        ask(shell)
        if ways[0] != "ok":
            server.wait("closed", 1)
        before = len(shell.text())
        ask(shell)
        got = server.count("handshake")
        t.is_((shell.status, got), (0, connections or got),
              "%s: %s" % (version, note), server.events)
        t.ok("again" not in shell.text()[before:], "and nothing is told",
             shell.text()[before:])


def check_cut(t, folder):
    with session(folder, "h2", "ok", "cut", retries=3) as (server, shell, _):
        ask(shell)
        ask(shell, "ended early")
        t.is_((shell.status, server.count("request")), (4, 2),
              "h2: an answer that is reset in its middle is not asked again",
              server.events)


def check_apart(t, folder):
    """Another key, and another environment, share no connection."""
    with session(folder, "h1") as (server, shell, place):
        ask(shell)
        first = model_processes(place)
        shell.run("export OPENAI_API_KEY=sk-test-another")
        ask(shell)
        t.is_((server.count("handshake"), model_processes(place)), (2, first),
              "another key gets a connection of its own", server.events)
        shell.run("export NO_PROXY=elsewhere.test")
        ask(shell)
        t.is_(server.count("handshake"), 3,
              "another proxy setting gets a process of its own")
        t.ok(model_processes(place) not in ([], first), "and the old one ends",
             model_processes(place))


def check_ends(t, folder):
    """A process that ends is replaced; a shell that ends takes it along."""
    with session(folder, "h1") as (server, shell, place):
        ask(shell)
        [pid] = model_processes(place)
        os.kill(pid, signal.SIGKILL)
        tap.poll(lambda: not model_processes(place))
        ask(shell)
        t.is_((shell.status, server.count("handshake")), (0, 2),
              "a process that was killed is replaced")
        ask(shell)  # the shell may have shared the dead one once more
        shell.run("ai explain --offline --no-look ls", "list")
        t.is_(len(model_processes(place)), 1, "a recipe leaves it alone")
        shell.send("exit\r")
        shell.finish()
        t.ok(tap.poll(lambda: not model_processes(place)),
             "it ends with its shell")


def check_unneeded(t, folder):
    with session(folder, "h1") as (server, shell, place):
        shell.run("ai explain --offline --no-look ls", "list")
        t.is_(model_processes(place), [], "none is started for a recipe")


def main():
    t = tap.Tap()
    t.needs("node", "openssl")
    with tempfile.TemporaryDirectory() as folder:
        tls.make(folder)
        for version in ("h1", "h2"):
            check_kept(t, folder, version)
        for row in ENDS:
            check_again(t, folder, *row)
        check_cut(t, folder)
        check_apart(t, folder)
        check_ends(t, folder)
        check_unneeded(t, folder)
    t.done()


if __name__ == "__main__":
    main()
