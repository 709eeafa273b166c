#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test_nats.py - gateways that share their tasks by a NATS server: each task
is run once, whoever is killed, and all tell the same.

    test_nats.py [ROUNDS]    kills so often
"""

import contextlib
import os
import random
import shutil
import signal
import sqlite3
import sys
import time

from gatewayclient import Gateway, Gone

import home  # noqa: E402
import natsserver  # noqa: E402
import tap  # noqa: E402

SEED = int(os.environ.get("AGENTSH_TEST_SEED") or time.time())
TASKS = 50
ROUNDS = 4
SAME = 40    # tasks that are made at all gateways at once
NODES = 3


class Cluster:
    """Gateways with a home each, and their NATS server."""

    def __init__(self, stack):
        self.places = [stack.enter_context(home.Home()) for _ in range(NODES)]
        self.log = self.places[0].path("all-agents.log")
        self.nats = stack.enter_context(natsserver.NatsServer(
            self.places[0].path("nats")))
        self.gateways = [None] * NODES
        stack.callback(self.end)

    def start(self, i, joined=True):
        g = Gateway(self.places[i], "--nats", self.nats.url, "--max-agents",
                    "3", env={"STUB_LOG": self.log})
        self.gateways[i] = g
        if joined and not g.until(lambda: b"shares its tasks" in g.log):
            raise AssertionError(g.log)
        return g

    def kill(self, i):
        self.gateways[i].close(signal.SIGKILL)
        self.gateways[i] = None

    def end(self):
        for g in self.gateways:
            if g:
                g.close()

    def runs(self, word):
        """(task, prompt) of the lines of the agents' log."""
        try:
            with open(self.log, encoding="utf-8") as f:
                rows = [line.rstrip("\n").split(" ", 2) for line in f]
        except FileNotFoundError:
            return []
        return [tuple(r[1:]) for r in rows if r[0] == word]


def events_of(c, task):
    got, before = [], None
    while True:
        page = c.ask("task.events", task_id=task, limit=500,
                     **({"before": before} if before else {}))["events"]
        if not page:
            return got
        got = page + got
        before = page[0]["seq"]


def rest(c, seconds=30):
    """Waits until nothing is queued or runs."""
    def settled():
        s = c.ask("usage")["by_state"]
        return s.get("queued", 0) + s.get("running", 0) == 0
    if not tap.poll(settled, seconds, 0.05):
        raise AssertionError(c.ask("usage")["by_state"])


TABLES = ("SELECT * FROM task ORDER BY id", "SELECT * FROM event ORDER BY n",
          "SELECT * FROM prompt ORDER BY id",
          "SELECT * FROM permission ORDER BY task, request",
          "SELECT * FROM ref ORDER BY ref")


def tables(place):
    db = sqlite3.connect(os.path.join(place.env["XDG_STATE_HOME"], "agentsh",
                                      "gateway-shared.db"))
    try:
        return [db.execute(sql).fetchall() for sql in TABLES]
    finally:
        db.close()


def same_tables(cluster):
    return tap.poll(lambda: all(tables(p) == tables(cluster.places[0])
                                for p in cluster.places[1:]), 10, 0.2)


def check_queue(t, cluster, rng):
    with contextlib.ExitStack() as s:
        cs = [s.enter_context(g.client()) for g in cluster.gateways]
        watcher = s.enter_context(cluster.gateways[2].client())
        watcher.ask("task.subscribe", task_id="*", after=0)
        begun = time.monotonic()
        tasks = []
        for i in range(TASKS):
            c = rng.choice(cs)
            task = c.create("t%d" % i, description="t%d" % i)
            c.ask("orchestrator.trigger", task_id=task)
            tasks.append(task)
        taken = time.monotonic() - begun
        for c in cs:
            t.ok(tap.poll(lambda c=c: c.ask("usage")["by_state"] ==
                          {"idle": TASKS}, 20, 0.05),
                 "all are done, as each gateway says", c.ask("usage"))
        t.diag("%d tasks: accepted in %.2f s, done in %.2f s" % (
            TASKS, taken, time.monotonic() - begun))
        t.is_(sorted(cluster.runs("begin")), sorted(
            (task, "t%d" % i) for i, task in enumerate(tasks)),
            "each was begun once")
        t.is_(sorted(cluster.runs("done")), sorted(cluster.runs("begin")),
              "and done")
        told = [events_of(c, tasks[7]) for c in cs]
        t.ok(told[0] == told[1] == told[2] and len(told[0]) > 3 and
             [e["seq"] for e in told[0]] == list(range(1, len(told[0]) + 1)),
             "its events are the same everywhere, and have no gap", told)
        half = len(told[0]) // 2
        cs[1].ask("task.subscribe", task_id=tasks[7], after=half)
        got = []
        while len(got) < len(told[0]) - half:
            got.append(cs[1].note(lambda a, p: True)["seq"])
        t.is_(got, list(range(half + 1, len(told[0]) + 1)),
              "a subscription goes on at another gateway")
        live = {}
        total = sum(len(events_of(cs[0], task)) for task in tasks)
        seen = [m["payload"] for m in watcher.notes]
        while len(seen) < total:
            seen.append(watcher.note(lambda a, p: True))
        for e in seen:
            live.setdefault(e["task_id"], []).append(e["seq"])
        t.ok(all(v == list(range(1, len(v) + 1)) for v in live.values()) and
             len(live) == TASKS,
             "who watches all at one gateway was told of %d events, without a "
             "gap" % total)
        t.ok([e["n"] for e in seen] == sorted({e["n"] for e in seen}),
             "in the order of the stream")


def check_requests(t, cluster):
    with contextlib.ExitStack() as s:
        a, b, c = [s.enter_context(g.client()) for g in cluster.gateways]
        task = a.create(description="ask")
        b.ask("task.subscribe", task_id=task)
        a.ask("orchestrator.start", task_id=task)
        b.note(lambda x, p: x == "acp.permission")
        got = c.ask("orchestrator.prompt", task_id=task, prompt="more",
                    client_ref="m")
        t.is_(got["queued"], True, "a prompt at another gateway is queued")
        t.is_(a.ask("orchestrator.prompt", task_id=task, prompt="more",
                    client_ref="m"), got, "and once, wherever it is sent again")
        b.ask("task.respond", task_id=task, request_id="p1", option_id="yes")
        t.is_(a.state(task, "idle")["state"], "idle",
              "a question is answered at another gateway")
        t.is_(c.refused("task.respond", task_id=task, request_id="p1",
                        option_id="no")[0], "FORBIDDEN", "once")
        t.is_([p for x, p in cluster.runs("begin") if x == task],
              ["ask", "more"], "both prompts were done, in order")
        hang = a.create(description="hang")
        a.ask("orchestrator.start", task_id=hang)
        c.ask("orchestrator.stop", task_id=hang)
        t.is_([x.state(hang, "cancelled")["state"] for x in (a, b, c)],
              ["cancelled"] * 3, "a stop at another gateway ends the turn")
        once = []
        for ref in range(SAME):
            names = [x.send("task.create", title="one", client_ref=str(ref))
                     for x in (a, b, c)]
            once.append(len({x.answer(n)["payload"]["id"]
                             for x, n in zip((a, b, c), names)}))
        t.is_(once, [1] * SAME, "a task with a client_ref is made once by all")
        t.is_(c.refused("orchestrator.trigger", agent_type="agentsh",
                        task_id="00000000-0000-4000-8000-000000000000")[0],
              "NOT_FOUND", "a task that there is not")


def check_stopped(t, cluster):
    """One that is killed while the agent of a stopped task ends."""
    with contextlib.ExitStack() as s:
        a, b = [s.enter_context(g.client()) for g in cluster.gateways[:2]]
        with cluster.gateways[2].client() as c:
            task = c.create(description="hang, and stay")
            c.ask("orchestrator.start", task_id=task)
        tap.poll(lambda: (task, "hang, and stay") in cluster.runs("begin"))
        a.ask("orchestrator.stop", task_id=task)
        b.ask("orchestrator.prompt", task_id=task, prompt="more")
        t.is_(a.state(task, "queued")["state"], "queued",
              "a prompt takes a task up again whose agent is ending")
        cluster.kill(2)
        t.is_(a.state(task, "idle")["state"], "idle",
              "which another gateway does where that one dies")
        t.is_([p for x, p in cluster.runs("begin") if x == task],
              ["hang, and stay", "more"], "with that prompt alone")
        cluster.start(2)


def check_death(t, cluster):
    with contextlib.ExitStack() as s:
        a, b = [s.enter_context(g.client()) for g in cluster.gateways[:2]]
        with cluster.gateways[2].client() as c:
            hang = [c.create(description="hang %d" % i) for i in range(3)]
            for task in hang:
                c.ask("orchestrator.start", task_id=task)
            full = [x.create(description="hang") for x in (a, a, a, b, b, b)]
            for x, task in zip((a, a, a, b, b, b), full):
                x.ask("orchestrator.start", task_id=task)
            wait = [c.create(description="w%d" % i) for i in range(3)]
            for task in wait:
                c.ask("orchestrator.trigger", task_id=task)
        tap.poll(lambda: len(cluster.runs("begin")) and
                 all((x, "hang %d" % i) in cluster.runs("begin")
                     for i, x in enumerate(hang)))
        cluster.kill(2)
        began = time.monotonic()
        t.is_([a.state(x, "interrupted")["state"] for x in hang],
              ["interrupted"] * 3, "turns of a gateway that died are marked")
        t.diag("seen after %.1f s" % (time.monotonic() - began))
        for task in full:
            b.ask("orchestrator.stop", task_id=task)
        t.is_([b.state(x, "idle")["state"] for x in wait], ["idle"] * 3,
              "what waited there is done by the others")
        got = a.ask("orchestrator.start", task_id=hang[0])
        a.ask("orchestrator.stop", task_id=hang[0])
        t.ok(got["success"], "and what was marked may be started again")
        cluster.start(2)
        with cluster.gateways[2].client() as c:
            t.is_([events_of(c, x) for x in wait + hang],
                  [events_of(a, x) for x in wait + hang],
                  "a gateway that was away catches up")


def refusal(c):
    """The code of the error that a new task gets, or None. One that is sent
    before the gateway knows waits until NATS is back."""
    try:
        m = c.answer(c.send("task.create", title="x"), 0.5)
    except Gone:
        return None
    return m["type"] == "error" and m["payload"]["code"]


def check_nats_death(t, cluster):
    with contextlib.ExitStack() as s:
        a, b, c = [s.enter_context(g.client()) for g in cluster.gateways]
        task = a.create(description="ask")
        a.ask("orchestrator.start", task_id=task)
        tap.poll(lambda: b.answer(b.send("task.get", id=task))[
            "payload"].get("waiting"))  # it may not know the task yet
        tap.stop(cluster.nats.child.pid)
        sent = [a.send("task.create", title="before", client_ref="before"),
                b.send("orchestrator.prompt", task_id=task, prompt="x")]
        cluster.nats.kill()
        t.is_([(m["type"], m["payload"].get("code"),
                m["payload"].get("message", "")[:20]) for m in
               (a.answer(sent[0]), b.answer(sent[1]))],
              [("error", "INTERNAL_ERROR", "NATS does not answer")] * 2,
              "what was sent just before NATS was lost is not waited for")
        code = tap.poll(lambda: refusal(a))
        t.is_(code, "INTERNAL_ERROR", "nothing new is taken without NATS")
        t.is_(b.ask("task.get", id=task)["state"], "running",
              "tasks are shown without it")
        cluster.nats.start()
        tap.poll(lambda: "id" in b.answer(b.send("task.create",
                                                 title="x"))["payload"], 20)
        b.ask("task.respond", task_id=task, request_id="p1", option_id="yes")
        t.is_(c.state(task, "idle")["state"], "idle",
              "a turn that was under way goes on when it is back")
        t.is_(len(tap.poll(lambda: b.ask("task.list",
                                         text="before")["tasks"])), 1,
              "and what was sent before is done then")


def check_tree(t, cluster):
    """Its gateway ends, and the others have not its working tree."""
    repository = cluster.places[0].path("repository")
    trees = repository + ".worktrees"
    natsserver.git("init", "-q", repository)
    natsserver.git("-C", repository, "commit", "-q", "--allow-empty", "-m",
                   "first")
    with cluster.gateways[0].client() as a:
        task = a.create(description="write it", directory=repository,
                        worktree=True)
        a.ask("orchestrator.start", task_id=task)
        a.state(task, "idle")
    cluster.gateways[0].close()
    cluster.gateways[0] = None
    os.rename(trees, trees + "-away")
    with contextlib.ExitStack() as s:
        b, c = [s.enter_context(g.client()) for g in cluster.gateways[1:]]
        t.ok("machine of another gateway" in b.refused(
            "orchestrator.start", task_id=task)[1] and
             "machine of another gateway" in c.refused(
                 "task.diff", task_id=task)[1],
             "a task whose working tree another gateway has is not run here")
        b.ask("orchestrator.prompt", task_id=task, prompt="more")
        tap.poll(lambda: c.ask("task.get", id=task).get("error"))
        got = c.ask("task.get", id=task)
        t.ok(got["state"] == "queued" and
             "machine of another gateway" in got["error"],
             "it waits, and says for whom", got)
        os.rename(trees + "-away", trees)
        with cluster.start(0).client() as a:
            got = a.state(task, "idle")
            t.ok(got["state"] == "idle" and "error" not in got,
                 "until that one is back", got)
    t.is_([p for x, p in cluster.runs("begin") if x == task],
          ["write it", "more"], "each prompt was begun once")


def made(c, title):
    """The id of a new task, when it is taken."""
    return tap.poll(lambda: c.answer(c.send(
        "task.create", title=title))["payload"].get("id"), 20)


def seen(c, task):
    """Its title, when it has come here."""
    return tap.poll(lambda: c.answer(c.send("task.get", id=task))[
        "payload"].get("title"), 20)


def state_dir(place):
    return os.path.join(place.env["XDG_STATE_HOME"], "agentsh")


def name_of(place):
    db = sqlite3.connect(os.path.join(state_dir(place), "gateway-shared.db"))
    try:
        return tap.poll(lambda: db.execute(
            "SELECT name FROM self WHERE one = 1").fetchone())[0]
    finally:
        db.close()


def check_short_stream(t, cluster):
    """The stream loses what is old, and who needs that says so."""
    info = cluster.nats.request("$JS.API.STREAM.INFO.agentsh_gateway")
    t.is_(info["config"]["max_age"], 90 * 86400 * 10 ** 9,
          "NATS keeps what happened for as long as tasks are kept")
    cluster.gateways[2].close()
    with contextlib.ExitStack() as s:
        a, b = [s.enter_context(g.client()) for g in cluster.gateways[:2]]
        missed = made(a, "missed")
        seen(b, missed)
        purged = cluster.nats.request("$JS.API.STREAM.PURGE.agentsh_gateway")
        t.ok(purged.get("purged", 0) > 0, "the stream was shortened", purged)
        cluster.nats.kill()
        cluster.nats.start()
        task = made(a, "after")
        t.is_(seen(b, task), "after",
              "those that had all of it go on, with NATS begun anew, too")
    g = cluster.start(2, joined=False)
    t.ok(g.until(lambda: b"tables is needed" in g.log),
         "one that was away meanwhile says what it needs", g.log)
    with g.client() as c:
        code, text = c.refused("task.create", title="x")
        t.ok(code == "INTERNAL_ERROR" and "a copy of another one's tables is "
             "needed" in text, "and takes nothing", text)
        t.is_(c.refused("task.get", id=missed)[0], "NOT_FOUND",
              "it shows what it has")
    cluster.gateways[2].close()
    cluster.gateways[1].close()
    shutil.copy(*[os.path.join(state_dir(cluster.places[i]),
                               "gateway-shared.db") for i in (1, 2)])
    for i in (1, 2):
        cluster.start(i)
    t.is_(len({name_of(p) for p in cluster.places}), 3,
          "with a copy it has a name of its own")
    with cluster.gateways[2].client() as c, cluster.gateways[0].client() as a:
        t.is_(c.ask("task.get", id=missed)["title"], "missed",
              "and has what it missed")
        t.is_(seen(a, made(c, "new")), "new",
              "and takes part")


def same(one, other):
    return one if one == other else None


def check_fence(t, cluster):
    """One that stood still, and was taken for dead."""
    for g in cluster.gateways:
        g.until(lambda: False, 0.1)
        g.log = b""
    with contextlib.ExitStack() as s:
        a, b = [s.enter_context(g.client()) for g in cluster.gateways[:2]]
        stopped = cluster.gateways[1]
        hang = b.create(description="hang")
        b.ask("orchestrator.start", task_id=hang)
        waits = b.create(description="w")
        a.ask("orchestrator.stop", task_id=waits)
        tap.stop(stopped.child.pid)
        name = a.send("orchestrator.prompt", task_id=hang, prompt="new")
        again = a.send("orchestrator.prompt", task_id=hang, prompt="again",
                       client_ref="again")
        t.is_(a.answer(name)["type"], "error",
              "what was handed to a gateway that stands still is refused then")
        t.ok(a.answer(again)["payload"].get("success"),
             "and done elsewhere where it has a client_ref")
        t.is_([p for x, p in tap.poll(lambda: [
            row for row in cluster.runs("begin") if row[0] == hang][1:])],
            ["again"], "its task goes on there")
        late = b.send("task.create", title="late", client_ref="late")
        stopped.log = b""
        stopped.child.send_signal(signal.SIGCONT)
        t.ok(stopped.until(lambda: b"shares its tasks" in stopped.log) and
             b"took this one for dead" in stopped.log,
             "it hears of it, and joins anew", stopped.log)
        b.answer(late)
        tap.poll(lambda: "id" in b.answer(b.send(
            "task.create", title="late", client_ref="late"))["payload"])
        tap.poll(lambda: b.ask("task.get", id=hang)["state"] == "idle")
        states = tap.poll(lambda: same(*[
            c.ask("task.get", id=hang)["state"] for c in (a, b)]))
        slow = [g.log for g in cluster.gateways if g is not stopped and
                g.until(lambda g=g: b"took this one for dead" in g.log, 0.2)]
        t.ok(states == "idle" or (slow and states == "interrupted"),
             "it shows the task as the others have it", states, *slow)
        t.is_(b.ask("orchestrator.status")["active_agents"], 0,
              "and its own agent of it has ended")


def check_kills(t, cluster, rng, rounds):
    acknowledged = []
    for _ in range(rounds):
        victims = rng.sample(range(NODES + 1), rng.choice((1, 1, 2, 4)))
        with contextlib.ExitStack() as s:
            cs = [s.enter_context(g.client()) for g in cluster.gateways]
            stop = time.monotonic() + rng.uniform(0.05, 0.4)
            i = 0
            while time.monotonic() < stop:
                i += 1
                c = rng.choice(cs)
                text = "k%d-%d" % (len(acknowledged), i)
                try:
                    task = c.create(text, description=text)
                    c.ask("orchestrator.trigger", task_id=task)
                    acknowledged.append((task, text))
                except (AssertionError, Gone):
                    pass
            for victim in victims:
                if victim == NODES:
                    cluster.nats.kill()
                else:
                    cluster.kill(victim)
            if rounds > ROUNDS:  # long enough to be taken for dead, or not
                time.sleep(rng.uniform(0, 8))
        if NODES in victims:
            cluster.nats.start()
        for victim in victims:
            if victim < NODES:
                cluster.start(victim)
    with cluster.gateways[0].client() as c:
        made(c, "x")
        rest(c)
        begun, done = [[row for row in cluster.runs(word) if row[1][0] == "k"]
                       for word in ("begin", "done")]
        t.is_((len(begun), len(done)), (len(set(begun)), len(set(done))),
              "no prompt was begun or done twice")
        lost = [(x, p) for x, p in acknowledged if (x, p) not in set(done) and
                c.ask("task.get", id=x)["state"] != "interrupted"]
        t.is_(lost, [], "each of %d acknowledged tasks was done, or is marked"
              % len(acknowledged))
        marked = c.ask("usage")["by_state"].get("interrupted", 0)
        t.diag("%d of them marked" % marked)
        told = {x: [e["seq"] for e in events_of(c, x)] for x, _ in acknowledged}
        holes = [x for x, v in told.items() if
                 v != list(range(1, len(v) + 1))]
        t.is_(holes, [], "no event is missing")


def main():
    t = tap.Tap()
    if not natsserver.PROGRAM:
        t.skip_all("needs nats-server")
    rng = random.Random(SEED)
    t.diag("seed %d" % SEED)
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    with contextlib.ExitStack() as stack:
        cluster = Cluster(stack)
        for i in range(NODES):
            cluster.start(i)
        for check in (lambda: check_queue(t, cluster, rng),
                      lambda: check_requests(t, cluster),
                      lambda: check_stopped(t, cluster),
                      lambda: check_death(t, cluster),
                      lambda: check_nats_death(t, cluster),
                      lambda: check_tree(t, cluster),
                      lambda: check_short_stream(t, cluster),
                      lambda: check_fence(t, cluster),
                      lambda: check_kills(t, cluster, rng, rounds)):
            begun = time.monotonic()
            check()
            t.diag("%.1f s" % (time.monotonic() - begun))
        t.ok(same_tables(cluster), "all gateways have the same tables")
    t.done()


if __name__ == "__main__":
    main()
