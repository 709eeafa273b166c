#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test_hanging.py - directories of a file server that hangs hold up neither
agentsh gateway nor its end."""

import os
import signal
import sys

from gatewayclient import Gateway

import home  # noqa: E402
import natsserver  # noqa: E402
import tap  # noqa: E402

HANGING = [sys.executable, os.path.join(os.path.dirname(
    os.path.abspath(__file__)), "hanging.py")]
UNSHARE = ["unshare", "-Urm"]
SOON = 5  # seconds: for an end that waits for nothing


class HangingGateway(Gateway):
    """One for which a directory can be made to hang. From its namespace it
    would not see who comes by TCP."""

    def __init__(self, place, *options):
        self.fifo = place.path("fifo")
        os.mkfifo(self.fifo)
        super().__init__(place, *options, address="unix:" + place.path("s"),
                         # who looks for leaks would wait for each thread
                         env={"ASAN_OPTIONS": "detect_leaks=0"},
                         within=[*UNSHARE, *HANGING, self.fifo])

    def hang(self, directory):
        with open(self.fifo, "w", encoding="utf-8") as f:
            f.write(directory)
        if not tap.poll(lambda: not os.path.exists(self.fifo)):
            raise AssertionError("nothing hangs")


def check_end(t, g):
    """The second signal is its order to end at once."""
    g.child.send_signal(signal.SIGTERM)
    t.ok(g.until(lambda: b"takes no new work" in g.log),
         "it is to end", g.log)
    g.child.send_signal(signal.SIGTERM)
    ended = tap.poll(lambda: g.child.poll() is not None, SOON)
    t.ok(ended and g.close() == 0, "and does not wait for the system's answer")
    if not ended:
        g.close(signal.SIGKILL)


def check_directory(t, place):
    with HangingGateway(place) as g, g.client() as c:
        served = place.folder("served")
        g.hang(served)
        c.send("task.create", title="x", directory=served)
        t.is_(c.ask("task.list")["tasks"], [],
              "who is not concerned is answered while a directory hangs")
        check_end(t, g)


def check_tree(t, place):
    repository = place.path("repository")
    natsserver.git("init", "-q", repository)
    natsserver.git("-C", repository, "commit", "-q", "--allow-empty", "-m",
                   "first")
    with natsserver.NatsServer(place.path("nats")) as nats, \
            HangingGateway(place, "--nats", nats.url) as g, g.client() as c:
        g.until(lambda: b"shares its tasks" in g.log)
        task = c.create(description="x", directory=repository, worktree=True)
        c.ask("orchestrator.start", task_id=task)
        tree = c.state(task, "idle")["working_tree"]
        c.ask("orchestrator.stop", task_id=task)
        tap.poll(lambda: c.ask("orchestrator.status")["idle_agents"] == 0)
        g.hang(tree)
        for action in ("task.diff", "orchestrator.start"):
            c.send(action, task_id=task)
        c.ask("orchestrator.trigger", task_id=task)
        t.is_(c.ask("task.get", id=task)["state"], "queued",
              "a task whose tree hangs waits, and the gateway does not")
        c.ask("orchestrator.complete", task_id=task)
        t.is_(c.ask("task.get", id=task)["state"], "completed",
              "also when the tree is to be removed")
        check_end(t, g)


def main():
    t = tap.Tap()
    with home.Home() as place:
        if not tap.succeeds([*UNSHARE, *HANGING, place.folder("try")]):
            t.skip_all("needs namespaces with a file system in user space")
        check_directory(t, place)
    with home.Home() as place:
        if natsserver.PROGRAM:
            check_tree(t, place)
        else:
            t.skip("trees of gateways that share tasks", "needs nats-server")
    t.done()


if __name__ == "__main__":
    main()
