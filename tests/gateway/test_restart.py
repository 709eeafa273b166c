#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test_restart.py - what agentsh gateway acknowledged outlives it: killed at
any moment, ended, started twice, or with a store of another version.

    test_restart.py [ROUNDS]    kills it so often
"""

import errno
import fcntl
import os
import random
import signal
import sqlite3
import sys
import threading
import time

from gatewayclient import Gateway, Gone

import home  # noqa: E402
import tap  # noqa: E402

UNSHARE = ["unshare", "-Urm"]
SOON = 6  # seconds: for an end that waits for nothing
ROUNDS = 8
SEED = int(os.environ.get("AGENTSH_TEST_SEED") or time.time())


class Worker(threading.Thread):
    """A client that hands out work until the gateway is gone, and notes what
    was acknowledged, and what it was told."""

    def __init__(self, port, name, rng):
        super().__init__()
        self.port, self.name_, self.rng = port, name, rng
        self.tasks, self.prompts, self.events = [], [], []

    def run(self):
        try:
            self.work()
        except (Gone, OSError):
            pass

    def work(self):
        from gatewayclient import Client
        with Client(self.port) as c:
            c.ask("task.subscribe", task_id="*")
            i = 0
            try:
                while True:
                    i += 1
                    text = "%s-%d" % (self.name_, i)
                    task = c.create(text, description=text)
                    self.tasks.append(task)
                    c.ask("orchestrator.trigger", task_id=task)
                    self.prompts.append((task, text))
                    for k in range(self.rng.randrange(3)):
                        more = "%s+%d" % (text, k)
                        c.ask("orchestrator.prompt", task_id=task, prompt=more)
                        self.prompts.append((task, more))
            finally:
                self.events += [m["payload"] for m in c.notes]


def kill_once(place, rng, round_, kept):
    g = Gateway(place, "--max-agents", "3")
    workers = [Worker(g.port, "r%dw%d" % (round_, i),
                      random.Random(rng.random())) for i in range(3)]
    for w in workers:
        w.start()
    time.sleep(rng.uniform(0.02, 0.4))  # a random moment, not a wait
    g.close(signal.SIGKILL)
    for w in workers:
        w.join()
        kept["tasks"] += w.tasks
        kept["prompts"] += w.prompts
        kept["events"] += w.events


def all_events(c, task):
    got, before = [], None
    while True:
        page = c.ask("task.events", task_id=task, limit=500,
                     **({"before": before} if before else {}))["events"]
        if not page:
            return got
        got = page + got
        before = page[0]["seq"]


def settle(c, tasks):
    """The tasks, when none of them runs or waits any more."""
    def rest():
        s = c.ask("usage")["by_state"]
        return s.get("queued", 0) + s.get("running", 0) == 0
    if not tap.poll(rest, 120, 0.05):
        raise AssertionError(c.ask("usage")["by_state"])
    return {task: c.ask("task.get", id=task) for task in tasks}


def check_kills(t, rounds):
    rng = random.Random(SEED)
    t.diag("seed %d" % SEED)
    kept = {"tasks": [], "prompts": [], "events": []}
    with home.Home() as place:
        for i in range(rounds):
            kill_once(place, rng, i, kept)
        with Gateway(place, "--max-agents", "3") as g, g.client() as c:
            tasks = settle(c, set(kept["tasks"]))
            t.is_(len(tasks), len(kept["tasks"]),
                  "each of %d acknowledged tasks is there" % len(tasks))
            log = g.agents_log()
            done = [row[1:] for row in log if row[0] == "done"]
            begun = [row[1:] for row in log if row[0] == "begin"]
            t.is_(len(done), len(set(done)), "no prompt was done twice")
            t.is_(len(begun), len(set(begun)), "or begun twice")
            waiting = {}
            for task, got in tasks.items():
                if got["state"] == "interrupted":
                    waiting[task] = [x["prompt"] for x in c.ask(
                        "prompt.list", task_id=task)["prompts"]]
            lost = [p for p in kept["prompts"] if p not in set(done) and
                    p[1] not in waiting.get(p[0], [])]
            t.is_(lost, [], "each of %d acknowledged prompts was done, or waits "
                  "in a task that was interrupted" % len(kept["prompts"]))
            triggered = {task for task, _ in kept["prompts"]}
            t.is_({tasks[x]["state"] for x in triggered} -
                  {"idle", "interrupted"}, set(), "nothing else came of them")
            check_events(t, c, tasks, kept)


def check_events(t, c, tasks, kept):
    stored, holes = {}, []
    for task in tasks:
        rows = all_events(c, task)
        if [r["seq"] for r in rows] != list(range(1, len(rows) + 1)):
            holes.append(task)
        stored.update({(task, r["seq"]): r for r in rows})
    t.is_(holes, [], "events have no gaps")
    wrong = [e for e in kept["events"] if e["task_id"] in tasks and
             {k: v for k, v in stored.get((e["task_id"], e["seq"]),
                                          {}).items() if k != "action"} != e]
    t.is_(wrong[:1], [], "each of %d events that were told is kept as it was"
          % len(kept["events"]))


def check_end(t):
    with home.Home() as place:
        g = Gateway(place)
        with g.client() as c:
            ask = c.create(description="ask")
            c.ask("orchestrator.trigger", task_id=ask)
            hang = c.create(description="hang")
            c.ask("orchestrator.trigger", task_id=hang)
            tap.poll(lambda: c.ask("task.get", id=ask)["waiting"])
            tap.poll(lambda: ("begin", hang, "hang") in g.agents_log())
            c.ask("orchestrator.prompt", task_id=hang, prompt="later")
            g.child.send_signal(signal.SIGTERM)
            g.until(lambda: b"ends" in g.log)
            t.is_(c.refused("task.create", title="x"),
                  ("INTERNAL_ERROR", "the gateway ends"),
                  "a gateway that ends takes no new work")
            g.child.send_signal(signal.SIGTERM)
        t.is_(g.close(0), 0, "it ends", g.log)
        with Gateway(place) as g, g.client() as c:
            for task in (ask, hang):
                t.is_(c.state(task, "interrupted")["state"], "interrupted",
                      "a turn that was under way is marked")
            t.is_(c.ask("permission.list")["permissions"], [],
                  "its question is withdrawn")
            t.is_([x["prompt"] for x in
                   c.ask("prompt.list", task_id=hang)["prompts"]],
                  ["hang", "later"], "its prompts wait")
            first = c.ask("prompt.list", task_id=hang)["prompts"][0]
            t.is_(first["interrupted"], True, "the first was interrupted")
            c.ask("prompt.remove", task_id=hang,
                  prompt_id=first["prompt_id"])
            got = c.ask("orchestrator.start", task_id=hang)
            t.is_(got["session_id"], "session-of-fake",
                  "start goes on in its session")
            t.is_(c.state(hang, "idle")["prompts"], 0, "with what waits")
            c.ask("orchestrator.prompt", task_id=ask, prompt="else")
            c.state(ask, "idle")
            t.is_([row[2] for row in g.agents_log()
                   if row[:2] == ("begin", ask)], ["ask", "else"],
                  "a new prompt takes the place of the interrupted one")


def check_store(t):
    with home.Home() as place:
        with Gateway(place):
            try:
                Gateway(place).close()
                t.ok(False, "a second gateway is refused")
            except Gone as why:
                t.ok("another agentsh gateway" in str(why),
                     "a second gateway is refused", why)
        path = os.path.join(place.env["XDG_STATE_HOME"], "agentsh",
                            "gateway.db")
        t.is_(os.stat(path).st_mode & 0o777, 0o600,
              "the store is its user's alone")
        db = sqlite3.connect(path)
        db.execute("PRAGMA user_version=99")
        db.commit()
        db.close()
        try:
            Gateway(place).close()
            t.ok(False, "a store of a newer agentsh is refused")
        except Gone as why:
            t.ok("written by a newer agentsh (format 99)" in str(why),
                 "a store of a newer agentsh is refused", why)


def check_lock(t):
    """A gateway that was killed just as it started a program leaves the lock
    to that one for a moment."""
    with home.Home() as place:
        Gateway(place).close()
        with open(os.path.join(place.env["XDG_STATE_HOME"], "agentsh",
                               "gateway.lock"), "rb+") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            moment = threading.Timer(0.2, fcntl.flock, (lock, fcntl.LOCK_UN))
            moment.start()
            with Gateway(place) as g:
                t.ok(not moment.is_alive() and g.port,
                     "a lock that is left for a moment is waited for")


def check_left(t):
    """What agents of a gateway that was killed left, and of one that lives."""
    with home.Home() as place:
        agents = os.path.join(place.env["XDG_RUNTIME_DIR"], "agentsh",
                              "agents")
        for name in ("0" * 16, "1" * 16):
            os.makedirs(os.path.join(agents, name), 0o700)
            with open(os.path.join(agents, name, "agent"), "wb"):
                pass
        lives = os.open(os.path.join(agents, "1" * 16), os.O_RDONLY)
        fcntl.flock(lives, fcntl.LOCK_EX)
        Gateway(place).close()
        os.close(lives)
        t.is_(os.listdir(agents), ["1" * 16],
              "what is left of agents is removed at the start")


def check_began(t):
    """A gateway that ended while an agent was to start."""
    with home.Home() as place:
        with Gateway(place) as g, g.client() as c:
            task = c.create(description="x")
            c.ask("orchestrator.prompt", task_id=task, prompt="x")
        db = sqlite3.connect(os.path.join(place.env["XDG_STATE_HOME"],
                                          "agentsh", "gateway.db"))
        db.execute("UPDATE task SET state = 'running' WHERE id = ?", (task,))
        db.commit()
        db.close()
        with Gateway(place) as g, g.client() as c:
            t.is_(c.state(task, "idle", 5)["state"], "idle",
                  "a task whose agent had no prompt yet is run, unasked")


class SmallDisk(Gateway):
    """One whose state is on a small disk of its own. From its namespace it
    would not see who comes by TCP."""

    def __init__(self, place):
        self.state = place.env["XDG_STATE_HOME"]
        super().__init__(place, address="unix:" + place.path("s"), within=[
            *UNSHARE, "sh", "-c",
            'mount -t tmpfs -o size=3m none "$0" && exec "$@"', self.state])

    @property
    def filler(self):
        return "/proc/%d/root%s/filler" % (self.pid, self.state)

    def fill(self):
        try:
            with open(self.filler, "wb", buffering=0) as f:
                while True:
                    f.write(bytes(4096))
        except OSError as why:
            if why.errno != errno.ENOSPC:
                raise

    def make_room(self):
        os.unlink(self.filler)


def check_reads(t, c, task):
    """While a change of its title waits for space."""
    t.is_(c.ask("task.get", id=task)["title"], "old",
          "full: a task is shown as the disk has it")
    t.is_([x["title"] for x in c.ask("task.list")["tasks"]], ["old"],
          "full: and listed")
    t.is_(c.ask("usage")["total"]["tasks"], 1, "full: what was used")
    t.is_([c.ask("permission.list")["permissions"],
           c.ask("orchestrator.queue")["tasks"],
           c.ask("prompt.list", task_id=task)["prompts"]], [[], [], []],
          "full: permissions, the queue and prompts")
    t.is_([e["seq"] for e in c.ask("task.events", task_id=task)["events"]],
          [1], "full: its events")
    c.ask("task.subscribe", task_id=task)
    t.is_(c.note(lambda action, p: True)["seq"], 1, "full: also as sent")


def check_full_disk(t):
    if not tap.succeeds([*UNSHARE, "mount", "-t", "tmpfs", "none", "/mnt"]):
        t.skip("a full disk", "needs namespaces")
        return
    with home.Home() as place, SmallDisk(place) as g, g.client() as c, \
            g.client() as other:
        task = c.create("old")
        g.fill()
        changed = c.send("task.update", id=task, title="new")
        g.until(lambda: b"cannot be written" in g.log)
        check_reads(t, other, task)
        t.is_(other.refused("task.create", title="x")[0], "INTERNAL_ERROR",
              "full: a change is refused")
        got = c.answer(changed)
        t.ok(got["type"] == "error" and
             "unless this gateway ends" in got["payload"]["message"],
             "full: who waits for the first one is told", got)
        g.make_room()
        t.is_(other.note(lambda action, p: True)["seq"], 2,
              "with space it goes on, and is sent")
        t.is_(other.ask("task.get", id=task)["title"], "new",
              "the change that waited is made")
        g.fill()
        changed = c.send("task.update", id=task, title="lost")
        t.is_(c.answer(changed)["type"], "error", "full again")
        g.child.send_signal(signal.SIGTERM)
        t.ok(tap.poll(lambda: g.child.poll() is not None, SOON) and
             g.close() == 0, "full: it ends soon", g.log)


def main():
    t = tap.Tap()
    check_full_disk(t)
    check_began(t)
    check_store(t)
    check_lock(t)
    check_left(t)
    check_end(t)
    check_kills(t, int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS)
    t.done()


if __name__ == "__main__":
    main()
