#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test_retention.py - tasks that ended long ago are removed with their events,
and no others."""

import contextlib
import os
import sqlite3
import subprocess

from gatewayclient import Gateway

import home  # noqa: E402
import natsserver  # noqa: E402
import tap  # noqa: E402

FLOOD = 700  # events: more than are removed at once


def rows(place, sql, *values, name="gateway.db"):
    db = sqlite3.connect(os.path.join(place.env["XDG_STATE_HOME"], "agentsh",
                                      name))
    try:
        return db.execute(sql, values).fetchall()
    finally:
        db.close()


def make_tasks(c, place):
    """Those that go, and those that stay, by name."""
    repository = place.path("repository")
    natsserver.git("init", "-q", repository)
    natsserver.git("-C", repository, "commit", "-q", "--allow-empty", "-m",
                   "first")
    tasks = {"idle": c.create(description="x"),
             "flood": c.create(description="flood %d" % FLOOD),
             "failed": c.create(description="fail"),
             "cancelled": c.create(description="hang"),
             "created": c.create(description="x"),
             "running": c.create(description="hang"),
             "asked": c.create(description="ask"),
             "tree": c.create(description="write it", directory=repository,
                              worktree=True),
             "clean": c.create(description="x", directory=repository,
                               worktree=True)}
    for name in tasks:
        if name != "created":
            c.ask("orchestrator.trigger", task_id=tasks[name])
    c.state(tasks["cancelled"], "running")
    c.ask("orchestrator.stop", task_id=tasks["cancelled"])
    for name, state in (("idle", "idle"), ("flood", "idle"), ("tree", "idle"),
                        ("clean", "idle"), ("failed", "failed"), ("running", "running"),
                        ("asked", "running")):
        c.state(tasks[name], state)
    return tasks


def check_removal(t, place):
    with Gateway(place, "--retain", "1s", "--max-agents", "20") as g, \
            g.client() as c:
        tasks = make_tasks(c, place)
        goes = ("idle", "flood", "failed", "cancelled")
        trees = {name: c.ask("task.get", id=tasks[name])
                 for name in ("tree", "clean")}
        for name in ("idle", "flood", "failed", *trees):  # an agent is in use
            c.ask("orchestrator.stop", task_id=tasks[name])
        tap.poll(lambda: c.ask("orchestrator.status")["idle_agents"] == 0)
        last = c.create("last")
        t.ok(tap.poll(lambda: not {x["id"] for x in c.ask("task.list")[
            "tasks"]} & {tasks[name] for name in goes}, 10, 0.05),
             "tasks that ended are removed", c.ask("task.list"))
        t.is_({x["id"] for x in c.ask("task.list")["tasks"]} |
              {tasks["clean"]},
              {last} | {v for k, v in tasks.items() if k not in goes},
              "and those that wait, run or have a working tree are not")
        t.ok(tap.poll(lambda: not os.path.isdir(
            trees["clean"]["working_tree"]), 10),
             "a tree that git knows all of is removed")
        t.ok(os.path.isdir(trees["tree"]["working_tree"]) and "acp.log" not in
             [e["action"] for e in c.ask("task.events",
                                         task_id=tasks["tree"])["events"]],
             "one with what is not merged stays, and nothing is said")
        t.is_([rows(place, "SELECT count(*) FROM %s WHERE task = ?" % table,
                    tasks[name])[0][0] for name in goes
               for table in ("event", "prompt", "permission")], [0] * 12,
              "their events, prompts and questions go with them")
        t.is_(c.refused("task.get", id=tasks["flood"])[0], "NOT_FOUND",
              "who asks for one is told so")
        t.is_(c.refused("task.subscribe", task_id=tasks["flood"], after=9),
              ("NOT_FOUND", "task not found: %s: it was removed with its "
               "events, or never was" % tasks["flood"]),
              "and who wants to go on with its events")
        t.is_(c.ask("task.subscribe", task_id=tasks["flood"])["success"], True,
              "without after it is as for any task")
        c.ask("task.subscribe", task_id=last, after=1)
        for name in ("running", "asked"):
            c.ask("orchestrator.stop", task_id=tasks[name], force=True)
    n = rows(place, "SELECT max(n) FROM event")[0][0]
    with Gateway(place, "--retain", "forever") as g, g.client() as c:
        c.ask("task.subscribe", task_id="*")
        c.create("next")
        t.ok(c.note(lambda a, p: a == "task.created")["n"] > n > FLOOD,
             "the events of all are numbered on")


def check_shared(t):
    """Gateways that share their tasks have the same ones afterwards."""
    if not natsserver.PROGRAM:
        t.skip("gateways remove tasks together", "needs nats-server")
        return
    with contextlib.ExitStack() as s:
        places = [s.enter_context(home.Home()) for _ in range(2)]
        nats = s.enter_context(natsserver.NatsServer(places[0].path("nats")))
        gs = [s.enter_context(Gateway(p, "--nats", nats.url, "--retain", "1s"))
              for p in places]
        for g in gs:
            g.until(lambda g=g: b"shares its tasks" in g.log)
        a, b = [s.enter_context(g.client()) for g in gs]
        tasks = [c.create(description=text) for c in (a, b)
                 for text in ("x", "flood %d" % FLOOD)]
        for task in tasks:
            a.ask("orchestrator.trigger", task_id=task)
        for task in tasks:
            b.state(task, "idle")
            b.ask("orchestrator.complete", task_id=task)
        for c in (a, b):
            tap.poll(lambda c=c: c.ask("orchestrator.status")[
                "idle_agents"] == 0)
        stays = a.create("last")
        got = [tap.poll(lambda c=c: c.ask("task.list")["total"] == 1, 10, 0.05)
               for c in (a, b)]
        t.is_((got, b.ask("task.list")["tasks"][0]["id"]),
              ([True, True], stays), "gateways remove tasks together")
        t.is_([rows(p, "SELECT count(*) FROM event WHERE task <> ?", stays,
                    name="gateway-shared.db") for p in places], [[(0,)]] * 2,
              "with their events, everywhere")
        t.is_(b.refused("task.subscribe", task_id=tasks[0], after=1)[0],
              "NOT_FOUND", "which each of them says")


def check_option(t, place):
    for text in ("nonsense", "0s", ""):
        got = subprocess.run(
            [home.program("agentsh"), "gateway", "--retain", text],
            env=place.env, capture_output=True, text=True, check=False,
            timeout=20)
        t.ok(got.returncode == 2 and "--retain (or forever)" in got.stderr,
             "--retain %r is refused" % text, got.stderr)


def main():
    t = tap.Tap()
    with home.Home() as place:
        check_removal(t, place)
        check_option(t, place)
    check_shared(t)
    t.done()


if __name__ == "__main__":
    main()
