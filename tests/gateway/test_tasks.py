#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test_tasks.py - tasks of agentsh gateway: made, listed, run, watched."""

import json
import os
import re

from gatewayclient import Gateway

import home  # noqa: E402
import tap  # noqa: E402

UUID = r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$"


def check_envelope(t, g):
    with g.client() as c:
        rows = [("garbage", "BAD_REQUEST"), ("[]", "BAD_REQUEST"),
                ("5", "BAD_REQUEST"),
                ('{"id":5,"action":"health.check"}', "BAD_REQUEST"),
                ('{"action":"health.check"}', "BAD_REQUEST"),
                ('{"id":"a","id":"b","action":"health.check"}', "BAD_REQUEST"),
                ('{"id":"a","action":5}', "BAD_REQUEST")]
        for text, code in rows:
            c.text(text)
            m = c.message()
            t.is_((m["id"], m["type"], m["action"], m["payload"]),
                  ("", "error", "", {"code": code,
                                     "message": "Invalid message format"}),
                  "no message is refused: " + text)
        t.is_(c.refused("no.such"), ("UNKNOWN_ACTION",
                                     "Unknown action: no.such"),
              "an action that there is not")
        t.is_(c.refused("task.create", title=5),
              ("BAD_REQUEST",
               "Invalid payload: title must be a string without a NUL"),
              "a field of the wrong type")
        t.is_(c.refused("task.create"), ("VALIDATION_ERROR",
                                         "title is required"),
              "a field that is missing")
        t.is_(c.refused("orchestrator.prompt", task_id="none"),
              ("VALIDATION_ERROR", "prompt is required"),
              "fields are checked before the task is looked up")
        one = '{"id":"%s","action":"health.check"}'
        c.text(one % "1" + "\n" + one % "2" + "\r\n" + one % "3" + "\n")
        t.is_(sorted(c.message()["id"] for _ in range(3)), ["1", "2", "3"],
              "several messages in one text, with newlines between them")
        c.text(json.dumps({"id": "x\n\u00e9\0", "action": "health.check"},
                          indent=2))
        t.is_(c.message()["id"], "x\n\u00e9\0",
              "one message over several lines; its id comes back")


def check_task(t, g):
    with g.client() as c:
        made = c.ask("task.create", title="Title", description="words",
                     board_id="b", column_id="k", agent_type="agentsh",
                     priority=3, metadata={"k": "v"}, limits={"turns": 4})
        t.ok(re.match(UUID, made["id"]), "a task gets a UUID", made["id"])
        got = c.ask("task.get", id=made["id"])
        for name, value in {"title": "Title", "description": "words",
                            "board_id": "b", "column_id": "k",
                            "agent_type": "agentsh", "priority": 3,
                            "metadata": {"k": "v"}, "limits": {"turns": 4},
                            "state": "created", "waiting": 0,
                            "prompts": 0}.items():
            t.is_(got[name], value, "a task has its " + name)
        c.ask("task.update", id=made["id"], title="Other", priority=9,
              limits={"turns": None, "cost": 0.5})
        got = c.ask("task.get", id=made["id"])
        t.is_((got["title"], got["priority"], got["limits"],
               got["description"]), ("Other", 9, {"cost": 0.5}, "words"),
              "an update changes what it names alone")
        t.is_(c.refused("task.get", id="non-existent"),
              ("NOT_FOUND", "task not found: non-existent"),
              "a task that there is not")
        t.is_(c.refused("task.update", id=made["id"], title="")[0],
              "VALIDATION_ERROR", "a title cannot be taken away")
        t.is_(c.refused("task.create", title="x", directory="here")[0],
              "VALIDATION_ERROR", "a directory is an absolute path")
        for path, why in ((g.place.path("nowhere"), "No such file"),
                          (os.path.join(g.place.path("file"), "x"),
                           "Not a directory"),
                          (g.place.path("file"), "Not a directory")):
            with open(g.place.path("file"), "w", encoding="utf-8"):
                pass
            code, text = c.refused("task.create", title="x", directory=path)
            t.ok(code == "VALIDATION_ERROR" and path in text and why in text,
                 "a directory is there", text)
        unknown = "00000000-0000-4000-8000-000000000000"
        for action, more in (("start", {}), ("prompt", {"prompt": "x"}),
                             ("trigger", {}), ("stop", {}), ("complete", {})):
            t.is_(c.refused("orchestrator." + action, task_id=unknown,
                            agent_type="agentsh", **more)[0], "NOT_FOUND",
                  "%s makes no task" % action)


def check_list(t, g):
    with g.client() as c:
        ids = [c.create("needle %d" % i) for i in range(5)]
        got = c.ask("task.list", text="NEEDLE", limit=2)
        t.is_(([x["id"] for x in got["tasks"]], got["total"]),
              ([ids[4], ids[3]], 5), "a list has the newest first, and its end")
        rest = c.ask("task.list", text="needle", before=got["next"])
        t.is_([x["id"] for x in rest["tasks"]], ids[2::-1],
              "the next page goes on there")
        t.ok("next" not in rest, "and is the last one")
        c.ask("orchestrator.complete", task_id=ids[1])
        t.is_([x["id"] for x in c.ask("task.list", text="needle",
                                      state=["completed"])["tasks"]],
              [ids[1]], "tasks are searched by state")
        t.is_(c.ask("task.list", text="needle' OR 1=1 --")["total"], 0,
              "words are words, whatever they look like")


def check_turn(t, g):
    with g.client() as c:
        task = c.create(description="do it")
        c.ask("task.subscribe", task_id=task)
        got = c.ask("orchestrator.start", task_id=task)
        t.is_((got["success"], got["task_id"], got["agent_command"]),
              (True, task, "fake agent"), "start says what runs")
        seen = []
        c.note(lambda a, p: seen.append((a, p)) or a == "task.updated" and
               p["data"]["state"] == "idle")
        t.is_([p["seq"] for _, p in seen], list(range(1, len(seen) + 1)),
              "events are numbered from 1")
        t.is_([a for a, _ in seen if a.startswith("acp.")],
              ["acp.prompt", "acp.content", "acp.result"],
              "the prompt, what the agent says, and the end of its turn")
        result = [p for a, p in seen if a == "acp.result"][0]
        t.is_((result["data"]["success"], result["data"]["summary"]),
              (True, "done"), "a result says how it went")
        got = c.ask("task.get", id=task)
        t.is_(got["metadata"], {"auggie_session_id": "session-of-fake"},
              "the session is in the metadata")
        t.is_((got["last_seq"], got["usage"]["turns"]), (len(seen), 1),
              "and what was used is counted")
        t.is_(c.ask("orchestrator.status")["idle_agents"] > 0, True,
              "an agent whose turn has ended is idle")
        return task, seen


def check_watch(t, g, task, seen):
    with g.client() as c:
        t.is_(c.ask("orchestrator.status")["running"], True, "a new client")
        t.is_(c.silent(), [], "who does not watch is told nothing")
        c.ask("task.subscribe", task_id=task, after=4)
        got = [c.note(lambda a, p: True) for _ in range(len(seen) - 4)]
        t.is_(got, [p for _, p in seen[4:]],
              "after a number the events behind it come, the same")
        c.ask("orchestrator.prompt", task_id=task, prompt="again")
        more = [c.note(lambda a, p: True)]
        while more[-1]["type"] != "result":
            more.append(c.note(lambda a, p: True))
        t.is_([p["seq"] for p in more],
              list(range(len(seen) + 1, len(seen) + 1 + len(more))),
              "and then those that come, without a gap")
        t.is_(c.ask("task.events", task_id=task, before=4, limit=2)["events"],
              [{**p, "action": a} for a, p in seen[1:3]],
              "older events are had by their number")
        refused = [c.refused("task.subscribe", task_id=name, after=1 << 40)
                   for name in (task, "*")]
        t.ok(all(code == "VALIDATION_ERROR" and
                 why.startswith("after: the last event is ")
                 for code, why in refused),
             "what is behind an event that never was is refused", refused)
        c.ask("task.unsubscribe", task_id=task)
        c.silent(0.1)
        c.ask("orchestrator.prompt", task_id=task, prompt="more")
        t.is_(c.silent(), [], "who unsubscribes is told nothing")


def check_watch_all(t, g):
    with g.client() as c, g.client() as other:
        c.ask("task.subscribe", task_id="*", kinds=["task"])
        other.ask("task.subscribe", task_id="*")
        task = other.create(description="x")
        other.ask("task.subscribe", task_id=task)
        other.ask("orchestrator.trigger", task_id=task)
        other.state(task, "idle")
        seen = [n["payload"] for n in other.silent()
                if n["payload"].get("task_id") == task and "seq" in
                n["payload"]]
        numbers = [p["seq"] for p in seen]
        t.ok(set(numbers) == set(range(1, max(numbers) + 1)),
             "who watches all and one is told all of it", numbers)
        t.is_({n["action"].split(".")[0] for n in c.silent()}, {"task"},
              "kinds narrow what is told")
        with g.client() as late:
            last = seen[-1]["n"]
            late.ask("task.subscribe", task_id="*", after=last - 3)
            t.is_(sorted(late.note(lambda a, p: True)["n"]
                         for _ in range(3)), [last - 2, last - 1, last],
                  "all tasks go on after a number, too")


def check_slow_watcher(t, g):
    with g.client() as c, g.client() as slow:
        task = c.create(description="flood 30000")
        slow.ask("task.subscribe", task_id=task)
        c.ask("orchestrator.trigger", task_id=task)
        last = c.state(task, "idle", 60)["last_seq"]
        want = 1
        while want <= last:
            m = slow.notes.pop(0) if slow.notes else slow.message()
            if not m or m["payload"]["seq"] != want:
                break
            want += 1
        t.is_(want, last + 1,
              "who reads late gets all of %d events, in order" % last)


def check_editor(t, g):
    with g.client("/acp") as c:
        c.text(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize",
                           "params": {"protocolVersion": 1}}))
        t.is_(c.message()["result"]["protocolVersion"], 1,
              "an editor is served at /acp")


def main():
    t = tap.Tap()
    with home.Home() as place, Gateway(place) as g:
        check_envelope(t, g)
        check_task(t, g)
        check_list(t, g)
        task, seen = check_turn(t, g)
        check_watch(t, g, task, seen)
        check_watch_all(t, g)
        check_slow_watcher(t, g)
        check_editor(t, g)
    t.done()


if __name__ == "__main__":
    main()
