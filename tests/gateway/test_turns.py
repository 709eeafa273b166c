#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test_turns.py - how agentsh gateway has tasks done: places, prompts, limits,
questions, failures."""

import json
import os
import sqlite3
import subprocess

from gatewayclient import Gateway
from probe import write_types

import home  # noqa: E402
import tap  # noqa: E402


def check_queue(t, place):
    with Gateway(place, "--max-agents", "1") as g, g.client() as c:
        first = c.create(description="hang")
        c.ask("orchestrator.start", task_id=first)
        t.is_(c.refused("orchestrator.start", task_id=first)[0],
              "INTERNAL_ERROR", "what runs is not started again")
        tasks = [c.create("q%d" % i, description="q%d" % i) for i in range(4)]
        for task, priority in zip(tasks, (0, 5, 0, 9)):
            c.ask("orchestrator.trigger", task_id=task, priority=priority)
        t.ok("the most" in c.refused("orchestrator.start",
                                     task_id=tasks[0])[1],
             "start is refused where there is no place")
        queue = c.ask("orchestrator.queue")
        order = [tasks[i] for i in (3, 1, 0, 2)]
        t.is_(([x["task_id"] for x in queue["tasks"]], queue["total"]),
              (order, 4), "the queue goes by priority, then arrival")
        status = c.ask("orchestrator.status")
        t.is_((status["active_agents"], status["queued_tasks"],
               status["max_concurrent"]), (1, 4, 1), "status counts them")
        c.ask("task.update", id=tasks[2], priority=20)
        c.ask("orchestrator.stop", task_id=tasks[0])
        c.ask("orchestrator.stop", task_id=first, reason="enough")
        t.is_(c.state(first, "cancelled")["state"], "cancelled",
              "what is stopped is cancelled")
        for task in (tasks[2], tasks[3], tasks[1]):
            t.is_(c.state(task, "idle")["state"], "idle", "the others run")
        t.is_([row[1] for row in g.agents_log() if row[0] == "begin"],
              [first, tasks[2], tasks[3], tasks[1]],
              "one after another, in the order of the queue")
        t.is_(c.ask("task.get", id=tasks[0])["state"], "cancelled",
              "what was stopped in the queue does not")
        t.ok(c.ask("orchestrator.status")["idle_agents"] <= 1,
             "idle agents make room for those that work")


def check_prompts(t, g):
    with g.client() as c:
        task = c.create(description="ask first")
        c.ask("task.subscribe", task_id=task)
        c.ask("orchestrator.trigger", task_id=task, client_ref="t1")
        c.note(lambda a, p: a == "acp.permission")
        got = [c.ask("orchestrator.prompt", task_id=task, prompt="p%d" % i)
               for i in range(3)]
        t.is_([x["queued"] for x in got], [True] * 3,
              "prompts during a turn are queued")
        t.is_([x["prompt"] for x in
               c.ask("prompt.list", task_id=task)["prompts"]],
              ["p0", "p1", "p2"], "and seen")
        c.ask("prompt.remove", task_id=task, prompt_id=got[1]["prompt_id"])
        t.is_(c.refused("prompt.remove", task_id=task,
                        prompt_id=got[1]["prompt_id"])[0], "NOT_FOUND",
              "one is taken back, once")
        once = c.ask("orchestrator.prompt", task_id=task, prompt="ref",
                     client_ref="r")
        again = [c.send("orchestrator.prompt", task_id=task, prompt="ref",
                        client_ref="r") for _ in range(3)]
        t.is_([c.answer(x)["payload"] for x in again], [once] * 3,
              "what is sent again is answered the same")
        other = c.create(description="say other")
        t.is_(c.ask("orchestrator.prompt", task_id=other, prompt="ref",
                    client_ref="r")["task_id"], other,
              "but to another task it is another message")
        c.ask("task.respond", task_id=task, request_id="p1", option_id="yes")
        c.note(lambda a, p: a == "task.updated" and
               p["data"]["state"] == "idle")
        t.is_([row[2] for row in g.agents_log()
               if row[:2] == ("begin", task)], ["ask first", "p0", "p2", "ref"],
              "each is done once, in order")
        same = [c.send("task.create", title="x", client_ref="same")
                for _ in range(5)]
        t.is_(len({c.answer(x)["payload"]["id"] for x in same}), 1,
              "a task with a client_ref is made once")
        c.ask("orchestrator.complete", task_id=task)
        t.is_(c.state(task, "completed")["state"], "completed",
              "a task is completed")
        c.ask("orchestrator.prompt", task_id=task, prompt="more")
        t.is_(c.state(task, "idle")["usage"]["turns"], 5,
              "a prompt for a completed task takes its session up again")
        c.ask("orchestrator.stop", task_id=task)
        t.is_(c.ask("task.get", id=task)["state"], "idle",
              "stop of an idle task succeeds")


def check_permissions(t, g):
    with g.client() as c, g.client() as other:
        task = c.create(description="ask")
        other.ask("task.subscribe", task_id="*")
        c.ask("orchestrator.trigger", task_id=task)
        asked = other.note(lambda a, p: a == "acp.permission")
        t.is_((asked["task_id"], asked["data"]["title"],
               len(asked["data"]["options"])), (task, "May I?", 2),
              "a question goes to who watches all")
        t.is_(c.ask("task.get", id=task)["waiting"], 1, "its task waits")
        with g.client() as late:
            late.ask("task.subscribe", task_id=task, after=asked["seq"])
            t.is_(late.note(lambda a, p: a == "acp.permission"), asked,
                  "it is repeated to who comes later")
        with g.client() as late:
            late.ask("task.subscribe", task_id="*")
            t.is_(late.note(lambda a, p: a == "acp.permission"), asked,
                  "and to who then watches all")
        t.is_([x["request_id"] for x in
               c.ask("permission.list")["permissions"]], ["p1"],
              "open questions are listed")
        t.is_(c.refused("task.respond", task_id=task, request_id="p9",
                        option_id="yes")[0], "NOT_FOUND",
              "a question that there is not")
        t.is_(c.refused("task.respond", task_id=task, request_id="p1",
                        option_id="maybe")[0], "VALIDATION_ERROR",
              "an option that there is not")
        names = [(x, x.send("permission.respond", task_id=task,
                            request_id="p1", option_id=o, by="me"))
                 for x, o in ((c, "yes"), (other, "no"))]
        answers = [x.answer(name) for x, name in names]
        t.is_(sorted(m["type"] for m in answers), ["error", "response"],
              "the first answer counts")
        no = [m for m in answers if m["type"] == "error"][0]["payload"]
        t.is_(no["code"], "FORBIDDEN", "the other one does not")
        t.ok("client" in no["details"]["by"], "and learns who answered",
             no)
        said = other.note(lambda a, p: a == "acp.permissionAnswered")
        t.is_(said["data"]["option_id"], no["details"]["option_id"],
              "the answer is told to who watches")
        c.state(task, "idle")
        t.is_([row[2] for row in g.agents_log()
               if row[:2] == ("answer", task)], [said["data"]["option_id"]],
              "the agent gets it once")
    path = os.path.join(g.place.env["XDG_STATE_HOME"], "agentsh",
                        "gateway.db")
    db = sqlite3.connect("file:%s?mode=ro" % path, uri=True)
    t.is_(db.execute("SELECT option, data FROM permission WHERE task = ?",
                     (task,)).fetchall(),
          [(said["data"]["option_id"], "")],
          "of a question that is answered the event alone keeps the text")
    db.close()
    path = os.path.join(g.place.env["XDG_STATE_HOME"], "agentsh",
                        "journal.db")

    def decisions():
        db = sqlite3.connect("file:%s?mode=ro" % path, uri=True)
        rows = [json.loads(row[0]) for row in db.execute(
            "SELECT body FROM row WHERE kind = 'decision'")]
        db.close()
        return [(r["task"], r["decision"], r["option"], r["via"])
                for r in rows if r["task"] == task]
    t.ok(tap.poll(lambda: decisions() == [
        (task, "answered", said["data"]["option_id"], "gateway")]),
         "who answered is in the journal")


def check_limits(t, g):
    with g.client() as c:
        task = c.create(description="use 10 20 0.25",
                        limits={"turns": 2, "tokens": 1000})
        c.ask("orchestrator.trigger", task_id=task)
        got = c.state(task, "idle")["usage"]
        t.is_((got["turns"], got["tokens_in"], got["tokens_out"],
               got["cost"]), (1, 10, 20, 0.25), "what was used is counted")
        c.ask("orchestrator.prompt", task_id=task, prompt="use 5 5 0.75")
        got = c.state(task, "idle")
        t.is_(got["usage"]["cost"], 0.75, "the cost is the session's")
        c.ask("orchestrator.prompt", task_id=task, prompt="more")
        got = c.state(task, "failed")
        t.is_((got["error"], got["usage"]["turns"]),
              ("the limit of turns is reached", 2),
              "no turn begins beyond a limit")
        c.ask("task.update", id=task, limits={"turns": 3})
        c.ask("orchestrator.trigger", task_id=task)
        t.is_(c.state(task, "idle")["usage"]["turns"], 3,
              "with a higher limit it goes on")
        slow = c.create(description="hang", limits={"minutes": 0.005})
        c.ask("orchestrator.trigger", task_id=slow)
        t.is_(c.state(slow, "failed")["error"],
              "the limit of minutes is reached",
              "a turn that takes too long is cancelled")
        check_transcript(t, g, c)
        used = c.ask("usage", task_id=task)["total"]
        t.is_((used["turns"], used["tokens_in"], used["cost"]), (3, 15, 0.75),
              "usage tells it of one task")
        t.ok(c.ask("usage")["by_state"]["failed"] >= 1, "and of all")


def check_transcript(t, g, c):
    """A task's transcript is as large as its type allows, and no larger."""
    task = c.create(description="flood 20000", agent_type="small")
    why = "its transcript is as large as its type of agent may make it " \
        "(transcript_mb)"
    for count in (1, 2):
        c.ask("orchestrator.trigger", task_id=task)
        got = c.state(task, "failed")
        t.is_(got["error"], why, "an agent that writes on and on fails")
        t.ok(6000 < got["last_seq"] < 9000, "at its limit", got["last_seq"])
        t.ok(tap.poll(lambda: c.ask("orchestrator.status")[
            "active_agents"] == 0), "and is ended")
        t.is_([row[0] for row in g.agents_log() if row[1] == task],
              ["begin"], "a turn begins below it alone, %d" % count)


def check_idle_end(t, c):
    """An agent that ends between two turns."""
    task = c.create(description="leave")
    c.ask("task.subscribe", task_id=task)
    c.ask("orchestrator.trigger", task_id=task)
    c.note(lambda a, p: a == "acp.error")
    t.is_(c.state(task, "idle")["state"], "idle",
          "the end of an idle agent changes no task")
    c.ask("orchestrator.prompt", task_id=task, prompt="more")
    seen = []
    c.note(lambda a, p: seen.append(a) or a == "acp.prompt")
    t.is_([a for a in seen if a in ("acp.error", "acp.log")], [],
          "and is told once")
    t.is_(c.state(task, "idle")["state"], "idle", "the next prompt is done")


def check_failures(t, g):
    with g.client() as c:
        task = c.create(description="nostart")
        c.ask("task.subscribe", task_id=task)
        code, text = c.refused("orchestrator.start", task_id=task)
        t.is_((code, text), ("INTERNAL_ERROR", "Failed to start task: the "
                             "agent does not start"), "start says why not")
        t.is_(c.state(task, "failed")["error"], "the agent does not start",
              "and so does the task")
        c.silent(0.1)
        c.ask("orchestrator.trigger", task_id=task)
        errors = []
        c.note(lambda a, p: errors.append(a) or a == "task.updated" and
               p["data"]["state"] == "failed")
        t.is_(errors.count("acp.error"), 3,
              "a queued one is tried thrice, and each failure told once")
        task = c.create(description="crash now")
        c.ask("orchestrator.trigger", task_id=task)
        t.is_((c.state(task, "failed")["error"],
               [row[0] for row in g.agents_log() if row[1] == task]),
              ("the agent crashed", ["begin"]),
              "what may have done something is not tried again")
        check_idle_end(t, c)
        task = c.create(description="fail please")
        c.ask("orchestrator.trigger", task_id=task)
        t.is_(c.state(task, "failed")["error"], "refusal",
              "a turn that fails says so")
        task = c.create(agent_type="nobody-knows-it")
        t.is_(c.ask("orchestrator.start", task_id=task)["success"], True,
              "a type that is not known runs agentsh")
        task = c.ask("task.create", title="no type")["id"]
        t.is_(c.refused("orchestrator.start", task_id=task),
              ("VALIDATION_ERROR", "agent_type is required"),
              "a task without a type")


def check_expiry(t, place):
    with Gateway(place, "--approval-expiry", "1s") as g, g.client() as c:
        task = c.create(description="ask")
        c.ask("task.subscribe", task_id=task)
        c.ask("orchestrator.trigger", task_id=task)
        asked = c.note(lambda a, p: a == "acp.permission")
        t.ok("expires_at" in asked["data"], "a question says when it expires")
        c.note(lambda a, p: a == "acp.permissionExpired")
        t.is_(c.refused("task.respond", task_id=task, request_id="p1",
                        option_id="yes"),
              ("FORBIDDEN", "the question has expired"),
              "an expired question is not answered")
        c.state(task, "idle")
        t.is_([row[2] for row in g.agents_log() if row[:2] ==
               ("answer", task)], ["nothing"], "its agent learns of it")


def git(*words, cwd):
    return subprocess.run(
        ["git", "-c", "user.name=t", "-c", "user.email=t@example.org", *words],
        cwd=cwd, capture_output=True, text=True, check=True).stdout


def check_removal(t, c, task):
    """What comes while the tree of a task is being removed."""
    def idle_agents():
        return c.ask("orchestrator.status")["idle_agents"]
    for action, more in (("orchestrator.trigger", {}),
                         ("orchestrator.prompt", {"prompt": "more"})):
        c.ask("orchestrator.prompt", task_id=task, prompt="nothing")
        c.state(task, "idle")
        before = idle_agents()
        c.ask("orchestrator.stop", task_id=task)
        t.ok(tap.poll(lambda: idle_agents() < before), "its agent has ended")
        turns = c.ask("task.get", id=task)["usage"]["turns"]
        for name in [c.send("orchestrator.complete", task_id=task),
                     c.send(action, task_id=task, **more)]:
            t.is_(c.answer(name)["payload"]["success"], True, action)
        t.is_(c.state(task, "idle", 5)["usage"]["turns"], turns + 1,
              "is done when the tree is removed")


def check_tree(t, g):
    repository = g.place.path("repository")
    git("init", "-q", repository, cwd=g.place.work)
    git("commit", "-q", "--allow-empty", "-m", "first", cwd=repository)
    with g.client() as c:
        task = c.create(description="write it", directory=repository,
                        worktree=True)
        t.is_(c.refused("task.diff", task_id=task)[0], "NOT_FOUND",
              "a task that never ran has no working tree")
        c.ask("orchestrator.trigger", task_id=task)
        got = c.state(task, "idle")
        t.ok(os.path.exists(os.path.join(got["working_tree"], "written")) and
             not os.path.exists(os.path.join(repository, "written")),
             "its agent works in a tree of its own", got)
        t.ok("+new" in c.ask("task.diff", task_id=task)["diff"],
             "the diff is part of the task")
        c.ask("task.subscribe", task_id=task)
        c.ask("orchestrator.complete", task_id=task)
        kept = c.note(lambda a, p: a == "acp.log")
        t.ok("kept" in kept["data"]["message"] and
             os.path.isdir(got["working_tree"]),
             "what is not merged is kept", kept)
        os.unlink(os.path.join(got["working_tree"], "written"))
        c.ask("orchestrator.prompt", task_id=task, prompt="nothing")
        c.state(task, "idle")
        c.ask("orchestrator.complete", task_id=task)
        t.ok(tap.poll(lambda: "working_tree" not in c.ask("task.get", id=task))
             and not os.path.isdir(got["working_tree"]),
             "a tree that has nothing new is removed")
        check_removal(t, c, task)
        task = c.create(description="x", directory=g.place.env["HOME"],
                        worktree=True)
        c.ask("orchestrator.trigger", task_id=task)
        t.ok(c.state(task, "failed")["error"],
             "a directory that is in no repository: the task says so")
        agents = {x["id"]: x for x in c.ask("agent.list")["agents"]}
        t.ok("available" in agents["agentsh"], "agents are listed", agents)


def check_all(t, place):
    with Gateway(place) as g:
        check_prompts(t, g)
        check_permissions(t, g)
        check_limits(t, g)
        check_failures(t, g)
        check_tree(t, g)


def main():
    t = tap.Tap()
    with home.Home() as place:
        check_queue(t, place)
    with home.Home() as place:
        write_types(place, "[small]\ntranscript_mb = 1\n")
        check_all(t, place)
    with home.Home() as place:
        check_expiry(t, place)
    t.done()


if __name__ == "__main__":
    main()
