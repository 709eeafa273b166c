#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test_server_tasks.py - agentsh mcp: tasks, resources, streams, prompts."""

import json
import os
import time

import client
from client import Client, text

import home  # noqa: E402
import tap  # noqa: E402

LAST = "agentsh://output/last"
RUNS = "agentsh://runs/"
RM = {"name": "cmd_run", "arguments": {"command": "rm -f old"}}


def sleep(seconds, then="echo slept"):
    return {"name": "cmd_run", "arguments": {
        "command": "echo begun; sleep %s; %s" % (seconds, then)}}


def state(c, task):
    return c.new("tasks/get", {"taskId": task})


def long_calls(t, place):
    with Client(place) as c:
        r = c.new("tools/call", sleep(5.4))
        t.ok(r["resultType"] == "complete" and "slept" in text(r),
             "who declares no tasks waits for the result")
        c.has = client.TASKS
        r = c.new("tools/call", sleep(0.1))
        t.is_(r["resultType"], "complete", "a short call is no task")
        begun = time.monotonic()
        r = c.new("tools/call", sleep(6))
        took = time.monotonic() - begun
        t.ok(r["resultType"] == "task" and r["status"] == "working" and
             4.5 < took < 5.8, "a call of five seconds becomes one",
             json.dumps(r), str(took))
        now = state(c, r["taskId"])
        t.ok(now["resultType"] == "complete" and now["status"] == "working"
             and now["ttlMs"] is None and "begun" in now["statusMessage"],
             "which tells how it is", json.dumps(now))
        tap.poll(lambda: state(c, r["taskId"])["status"] == "completed")
        done = state(c, r["taskId"])
        t.ok("slept" in text(done["result"]) and
             3600000 < done["ttlMs"] < 3700000,
             "and keeps its result for an hour", json.dumps(done))
        t.is_(c.new("tasks/cancel", {"taskId": r["taskId"]})["resultType"],
              "complete", "to cancel what has ended does nothing")
        t.is_(state(c, r["taskId"])["status"], "completed", "at all")
        for method in ("tasks/get", "tasks/update", "tasks/cancel"):
            for ident in ("no", 5, None, r["taskId"] + "0"):
                t.is_(c.new(method, {"taskId": ident, "inputResponses": {}}
                            )["code"], -32602, "%s of %r" % (method, ident))
        c.has = {}
        for method in ("tasks/get", "tasks/update", "tasks/cancel"):
            e = c.new(method, {"taskId": r["taskId"], "inputResponses": {}})
            t.is_(e["code"], -32021, "%s needs the extension" % method)


def cancelled_task(t, place):
    with Client(place) as c:
        c.has = client.TASKS
        calls = [c.start_new("tools/call", sleep(1000)) for _ in range(3)]
        tasks = [c.wait(i)["taskId"] for i in calls]
        c.notify("notifications/cancelled", {"requestId": calls[0]})
        t.is_(state(c, tasks[0])["status"], "working",
              "a task is not cancelled by its request")
        begun = time.monotonic()
        for task in tasks:
            c.new("tasks/cancel", {"taskId": task})
        t.is_([state(c, x)["status"] for x in tasks], ["cancelled"] * 3,
              "but as a task")
        t.ok(tap.poll(lambda: not set(place.left()) - {c.child.pid}, 2),
             "its tree is ended", str(place.left()))
        t.ok(time.monotonic() - begun < 2, "at once")


def make(place):
    with open(place.path("old"), "w", encoding="utf-8"):
        pass


def waiting_task(t, place):
    make(place)
    with Client(place) as c:
        c.has = {**client.TASKS, **client.FORM}
        r = c.new("tools/call", RM)
        t.is_(r["resultType"], "task", "a call that is asked about is a task")
        now = state(c, r["taskId"])
        key = next(iter(now["inputRequests"]))
        t.ok(now["status"] == "input_required" and "rm -f old" in
             now["inputRequests"][key]["params"]["message"],
             "that tells the question", json.dumps(now))
        for wrong in ({"other": {"action": "accept"}}, {}):
            t.is_(c.new("tasks/update", {"taskId": r["taskId"],
                                         "inputResponses": wrong}
                        )["resultType"], "complete",
                  "%s answers nothing" % json.dumps(wrong))
        for wrong in (None, [], {key: {"action": "yes"}}, {key: 5}):
            t.is_(c.new("tasks/update", {"taskId": r["taskId"],
                                         "inputResponses": wrong}).get("code"),
                  -32602, "%s is none" % json.dumps(wrong))
        t.is_(state(c, r["taskId"])["status"], "input_required",
              "and it waits")
        c.new("tasks/update", {"taskId": r["taskId"],
                               "inputResponses": {key: {"action": "accept"}}})
        t.ok(tap.poll(lambda: state(c, r["taskId"])["status"] == "completed"),
             "a yes lets it run", json.dumps(state(c, r["taskId"])))
        t.ok(not os.path.exists(place.path("old")), "and it ran")
        make(place)
        r = c.new("tools/call", RM)
        c.new("tasks/update", {"taskId": r["taskId"],
                               "inputResponses": {key: {"action": "decline"}}})
        done = tap.poll(lambda: (s := state(c, r["taskId"]))["status"] ==
                        "completed" and s)
        t.ok(done["result"]["isError"] and os.path.exists(place.path("old")),
             "a no ends it", json.dumps(done))
        r = c.new("tools/call", RM)
        c.new("tasks/cancel", {"taskId": r["taskId"]})
        t.is_(state(c, r["taskId"])["status"], "cancelled",
              "so does a cancel while it waits")


def many_tasks(t, place):
    with Client(place) as c:
        c.has = {**client.TASKS, **client.FORM}
        ids = [c.start_new("tools/call", RM) for _ in range(300)]
        kinds = [c.wait(i)["resultType"] for i in ids]
        t.ok(kinds.count("task") == 256, "no more than 256 tasks are kept",
             str(kinds.count("task")))
        t.ok("input_required" in kinds, "the next are asked as usual")


def resources(t, place):
    with client.start(place) as c:
        t.is_(c.request("resources/read", {"uri": LAST})["contents"][0]["text"],
              "", "there is no output yet")
        c.call("cmd_run", command="echo seen")
        r = c.request("resources/read", {"uri": LAST})["contents"][0]
        t.ok(r["uri"] == LAST and "seen" in r["text"],
             "then the last one can be read", json.dumps(r))
        uris = [x["uri"] for x in c.request("resources/list")["resources"]]
        t.ok(uris[0] == LAST and len(uris) > 1 and
             uris[1].startswith(RUNS), "runs are listed, the newest first",
             str(uris[:3]))
        r = json.loads(c.request("resources/read", {"uri": uris[1]}
                                 )["contents"][0]["text"])
        t.ok("echo seen" in json.dumps(r["rows"]), "and read", str(r)[:300])
        for uri in (RUNS, RUNS + "no", RUNS + "../x", "file:///etc/passwd",
                    RUNS + "%", "", RUNS + "x" * 100000, "agentsh://output"):
            t.is_(c.request("resources/read", {"uri": uri})["code"], -32002,
                  "%s is not there" % uri[:40])
        t.is_(c.request("resources/read", {})["code"], -32602, "no URI is none")
        for cursor in ("no", "", 5):
            t.is_(c.request("resources/list", {"cursor": cursor})["code"],
                  -32602, "%r is no cursor" % (cursor,))
        templates = c.request("resources/templates/list")["resourceTemplates"]
        t.is_(templates[0]["uriTemplate"], RUNS + "{run}", "with a template")
        run = uris[1][len(RUNS):]
        values = c.request("completion/complete", {
            "ref": {"type": "ref/resource", "uri": RUNS + "{run}"},
            "argument": {"name": "run", "value": run[:-1]}})["completion"]
        t.ok(run in values["values"] and not values["hasMore"],
             "whose runs are completed", json.dumps(values))
    with Client(place) as c:
        r = c.new("resources/read", {"uri": LAST})
        t.ok(r["ttlMs"] == 0 and r["cacheScope"] == "private",
             "no resource is to be kept")
        for uri in ("x:y", RUNS + "no"):
            r = c.new("resources/read", {"uri": uri})
            t.is_((r["code"], r["data"]), (-32602, {"uri": uri}),
                  "an unknown one has another code here, and is named")


def subscriptions(t, place):
    with client.start(place) as c:
        for uri in ("x:y", RUNS):
            t.is_(c.request("resources/subscribe", {"uri": uri})["code"],
                  -32002, "%s cannot be subscribed to" % uri)
        t.is_(c.request("resources/subscribe", {"uri": LAST}), {},
              "the last output can")
        for _ in range(20):
            c.call("fs_list_dir", path=".")
        t.ok(c.until(lambda: c.of("notifications/resources/updated")),
             "and its changes are told")
        t.ok(len(c.of("notifications/resources/updated")) < 20,
             "several at once")
        t.is_(c.request("resources/unsubscribe", {"uri": LAST}), {},
              "until that is not wanted")
        c.until(lambda: False, 0.2)
        c.notices.clear()
        c.call("fs_list_dir", path=".")
        c.until(lambda: False, 0.3)
        t.is_(c.of("notifications/resources/updated"), [], "any more")
        codes = [c.request("resources/subscribe", {"uri": RUNS + str(i)})
                 for i in range(200)]
        t.ok(codes[0] == {} and codes[-1].get("code") == -32603,
             "and there is a limit", str(codes[-1]))


def streams(t, place):
    key = client.PREFIX + "subscriptionId"
    with Client(place) as c:
        for wrong in (None, [], {"resourceSubscriptions": "x"},
                      {"resourceSubscriptions": [5]}):
            t.is_(c.new("subscriptions/listen", {"notifications": wrong})
                  ["code"], -32602, "%s is no filter" % json.dumps(wrong))
        t.is_(c.new("subscriptions/listen", {"notifications": {
            "taskIds": ["x"]}})["code"], -32021, "tasks need the extension")
        a = c.start_new("subscriptions/listen", {"notifications": {
            "resourceSubscriptions": [LAST, "x:y"], "toolsListChanged": True,
            "promptsListChanged": True}})
        ack = "notifications/subscriptions/acknowledged"
        t.ok(c.until(lambda: c.of(ack)), "a stream is opened")
        t.is_(c.of(ack)[0]["notifications"],
              {"resourceSubscriptions": [LAST], "toolsListChanged": True},
              "for what is here")
        t.is_(c.of(ack)[0]["_meta"][key], a, "under the id of its request")
        c.new("tools/call", sleep(0))
        t.ok(c.until(lambda: c.of("notifications/resources/updated")),
             "a change comes by it")
        t.is_(c.of("notifications/resources/updated")[0]["_meta"][key], a,
              "with the id")
        c.has = {**client.TASKS, **client.FORM}
        make(place)
        task = c.new("tools/call", RM)["taskId"]
        b = c.start_new("subscriptions/listen", {"notifications": {
            "taskIds": [task, "x"]}})
        c.until(lambda: len(c.of(ack)) == 2)
        t.is_(c.of(ack)[1]["notifications"], {"taskIds": [task]},
              "tasks that are there can be listened to")
        c.new("tasks/update", {"taskId": task, "inputResponses": {
            "approval-1": {"action": "accept"}}})
        t.ok(c.until(lambda: [x for x in c.of("notifications/tasks")
                              if x["status"] == "completed"]),
             "and tell their end", str(c.of("notifications/tasks")))
        last = c.of("notifications/tasks")[-1]
        t.ok(last["_meta"][key] == b and not last["result"]["isError"],
             "with the result", json.dumps(last))
        c.notify("notifications/cancelled", {"requestId": a})
        c.until(lambda: False, 0.3)
        c.notices.clear()
        c.new("tools/call", sleep(0))
        c.until(lambda: False, 0.3)
        t.ok(not c.of("notifications/resources/updated") and
             a not in c.answers, "a cancel ends a stream, without an answer")
        for _ in range(80):
            last = c.start_new("subscriptions/listen", {"notifications": {}})
        t.is_(c.wait(last)["code"], -32603, "there is a limit of them")
        c.child.terminate()
        t.is_(c.wait(b)["_meta"][key], b, "the end of the server ends them")


def prompts(t, place):
    with client.start(place) as c:
        listed = c.request("prompts/list")["prompts"]
        t.is_([p["name"] for p in listed], ["do", "run", "explain"],
              "the verbs are prompts")
        for name in ("do", "run", "explain"):
            r = c.request("prompts/get", {"name": name, "arguments": {
                "text": "free the port 8080"}})
            words = r["messages"][0]["content"]["text"]
            t.ok("free the port 8080" in words and place.work in words,
                 "%s says what is wanted, and where" % name)
        for params in ({"name": "no"}, {}, {"name": "do"},
                       {"name": "do", "arguments": {}},
                       {"name": "do", "arguments": {"text": 5}},
                       {"name": "do", "arguments": {"text": "x" * 2000000}}):
            t.is_(c.request("prompts/get", params)["code"], -32602,
                  "%s is none" % json.dumps(params)[:60])
        place.run([home.program("ai"), "run", "--offline", "--dry-run",
                   "list the files here"])
        done = c.request("completion/complete", {
            "ref": {"type": "ref/prompt", "name": "run"},
            "argument": {"name": "text", "value": "list"}})["completion"]
        t.is_(done["values"], ["list the files here"],
              "earlier requests complete their text")
        for ref, name in (({"type": "ref/prompt", "name": "no"}, "text"),
                          ({"type": "ref/prompt", "name": "do"}, "no"),
                          ({"type": "ref/x", "name": "do"}, "text"),
                          (None, "text"),
                          ({"type": "ref/resource", "uri": "x:y"}, "run")):
            t.is_(c.request("completion/complete", {
                "ref": ref, "argument": {"name": name, "value": ""}})["code"],
                -32602, "%s is nothing to complete" % json.dumps(ref))


def main():
    t = tap.Tap()
    with home.Home() as place:
        long_calls(t, place)
        cancelled_task(t, place)
        waiting_task(t, place)
        many_tasks(t, place)
        resources(t, place)
        subscriptions(t, place)
        streams(t, place)
        prompts(t, place)
    t.done()


if __name__ == "__main__":
    main()
