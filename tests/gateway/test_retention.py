#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test_retention.py - tasks that ended long ago are removed with their events,
and no others."""

import os
import sqlite3
import subprocess

from gatewayclient import Gateway

import home  # noqa: E402
import tap  # noqa: E402

FLOOD = 700  # events: more than are removed at once


def rows(place, sql, *values):
    db = sqlite3.connect(os.path.join(place.env["XDG_STATE_HOME"], "agentsh",
                                      "gateway.db"))
    try:
        return db.execute(sql, values).fetchall()
    finally:
        db.close()


def git(*words, cwd):
    subprocess.run(["git", "-c", "user.name=t", "-c",
                    "user.email=t@example.org", *words], cwd=cwd, check=True,
                   capture_output=True)


def make_tasks(c, place):
    """Those that go, and those that stay, by name."""
    repository = place.path("repository")
    git("init", "-q", repository, cwd=place.work)
    git("commit", "-q", "--allow-empty", "-m", "first", cwd=repository)
    tasks = {"idle": c.create(description="x"),
             "flood": c.create(description="flood %d" % FLOOD),
             "failed": c.create(description="fail"),
             "cancelled": c.create(description="hang"),
             "created": c.create(description="x"),
             "running": c.create(description="hang"),
             "asked": c.create(description="ask"),
             "tree": c.create(description="write it", directory=repository,
                              worktree=True)}
    for name in tasks:
        if name != "created":
            c.ask("orchestrator.trigger", task_id=tasks[name])
    c.state(tasks["cancelled"], "running")
    c.ask("orchestrator.stop", task_id=tasks["cancelled"])
    for name, state in (("idle", "idle"), ("flood", "idle"), ("tree", "idle"),
                        ("failed", "failed"), ("running", "running"),
                        ("asked", "running")):
        c.state(tasks[name], state)
    return tasks


def check_removal(t, place):
    with Gateway(place, "--retain", "1s", "--max-agents", "20") as g, \
            g.client() as c:
        tasks = make_tasks(c, place)
        goes = ("idle", "flood", "failed", "cancelled")
        for name in ("idle", "flood", "failed"):  # an agent is in use
            c.ask("orchestrator.stop", task_id=tasks[name])
        tap.poll(lambda: c.ask("orchestrator.status")["idle_agents"] == 1)
        last = c.create("last")
        gone = tap.poll(lambda: c.ask("task.list")["total"] ==
                        len(tasks) + 1 - len(goes), 10, 0.05)
        t.ok(gone, "tasks that ended are removed", c.ask("task.list"))
        t.is_({x["id"] for x in c.ask("task.list")["tasks"]},
              {last} | {v for k, v in tasks.items() if k not in goes},
              "and those that wait, run or have a working tree are not")
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
    t.done()


if __name__ == "__main__":
    main()
