#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test_server_requests.py - agentsh mcp in the era without a handshake."""

import json
import os

import client
from client import PREFIX, Client, text

import home  # noqa: E402
import tap  # noqa: E402


def discovers(t, place):
    with Client(place) as c:
        r = c.new("server/discover")
        t.ok(client.NEWEST in r["supportedVersions"] and
             r["resultType"] == "complete", "server/discover tells versions",
             json.dumps(r))
        t.ok(r["ttlMs"] > 0 and r["cacheScope"] == "public" and
             PREFIX + "tasks" in r["capabilities"]["extensions"] and
             r["_meta"][PREFIX + "serverInfo"]["name"] == "agentsh",
             "how long it holds, the extensions, and who it is")
        for version in ("2025-11-25", "2027-01-01", ""):
            e = c.new("server/discover", version=version)
            t.is_(e["code"], -32022, "%r is no version of a request" % version)
            t.ok(client.NEWEST in e["data"]["supported"] and
                 e["data"]["requested"] == version, "and it is told which are",
                 json.dumps(e))
        for meta in ({PREFIX + "protocolVersion": client.NEWEST},
                     {PREFIX + "protocolVersion": 5,
                      PREFIX + "clientCapabilities": {}},
                     {PREFIX + "protocolVersion": client.NEWEST,
                      PREFIX + "clientCapabilities": []},
                     c.meta(**{PREFIX + "logLevel": "loud"}), {}):
            e = c.request("tools/list", {"_meta": meta})
            t.is_(e["code"], -32602, "%s is no frame" % json.dumps(meta)[:90])
        for method in ("ping", "logging/setLevel", "resources/subscribe",
                       "resources/unsubscribe", "initialize", "tasks/list",
                       "tasks/result"):
            t.is_(c.new(method, {"uri": "agentsh://output/last",
                                 "level": "info"})["code"], -32601,
                  "%s is of the other era" % method)


def both_eras_at_once(t, place):
    with Client(place) as c:
        new = c.new("tools/list")
        c.initialize("2025-06-18")
        old = c.request("tools/list")
        t.is_(new["tools"], old["tools"], "both eras have the same tools")
        t.ok(new["ttlMs"] == 60000 and new["cacheScope"] == "public" and
             "ttlMs" not in old and "resultType" not in old,
             "the hints are of one alone")
        t.is_(c.request("ping"), {}, "a ping is of the other")
        r = c.new("tools/call", {"name": "cmd_run",
                                 "arguments": {"command": "echo a"}})
        t.ok(r["resultType"] == "complete" and text(r) == "a\n",
             "calls of both can be mixed", json.dumps(r))


def make(place, name="old"):
    with open(place.path(name), "w", encoding="utf-8"):
        pass


def there(place, name="old"):
    return os.path.exists(place.path(name))


RM = {"name": "cmd_run", "arguments": {"command": "rm -f old"}}


def answer(question, action="accept", call=None, **more):
    """The call again, with an answer to its question."""
    key = next(iter(question["inputRequests"]))
    return {**(call or RM), "requestState": question["requestState"],
            "inputResponses": {key: {"action": action, **more}}}


def asks(t, place):
    make(place)
    with Client(place) as c:
        e = c.new("tools/call", RM)
        t.ok(e["code"] == -32021 and "elicitation" in
             e["data"]["requiredCapabilities"] and "preset" in e["message"],
             "a client without elicitation is told that it is needed",
             json.dumps(e))
        c.has = client.FORM
        q = c.new("tools/call", RM)
        t.ok(q["resultType"] == "input_required" and
             list(q["inputRequests"].values())[0]["method"] ==
             "elicitation/create" and there(place),
             "else the question is the result", json.dumps(q))
        r = c.new("tools/call", answer(q))
        t.ok(r["resultType"] == "complete" and not r["isError"] and
             not there(place), "and comes back with the answer", json.dumps(r))
        make(place)
        t.is_(c.new("tools/call", answer(q))["code"], -32602,
              "a state is good once")
        t.ok(there(place), "and runs nothing more")
        q = c.new("tools/call", RM)
        r = c.new("tools/call", answer(q, "decline"))
        t.ok(r["isError"] and there(place), "a no is a no", json.dumps(r))
        t.is_(c.new("tools/call", answer(q))["code"], -32602,
              "which no yes can follow")


def forged_states(t, place):
    make(place)
    with Client(place) as c:
        c.has = client.FORM
        q = c.new("tools/call", RM)
        state = q["requestState"]
        wrong = [state[:-1] + ("0" if state[-1] != "0" else "1"), state + "0",
                 "", "x", 5, {}, state.upper(), state[:20],
                 state.replace(".", "", 1), "1" * 100000]
        parts = state.split(".")
        parts[2] = str(int(parts[2]) + 1000000)
        wrong.append(".".join(parts))
        for value in wrong:
            again = {**answer(q), "requestState": value}
            t.is_(c.new("tools/call", again).get("code"), -32602,
                  "%s is no state" % json.dumps(value)[:40])
        other = {"name": "cmd_run", "arguments": {"command": "rm -f other"}}
        t.is_(c.new("tools/call", answer(q, call=other))["code"], -32602,
              "a state is of its own call alone")
        for value in ({}, {"x": {"action": "accept"}}, [], None,
                      {next(iter(q["inputRequests"])): {"action": "yes"}}):
            again = {**answer(q), "inputResponses": value}
            t.is_(c.new("tools/call", again).get("code"), -32602,
                  "%s is no answer" % json.dumps(value))
        t.ok(there(place), "nothing ran by any of these")
        with Client(place) as second:
            second.has = client.FORM
            t.is_(second.new("tools/call", answer(q))["code"], -32602,
                  "another process knows nothing of it")
        t.ok(not c.new("tools/call", answer(q))["isError"] and not there(place),
             "the right one is good still")


def changed_meanwhile(t, place):
    make(place)
    with open(place.path("run.sh"), "w", encoding="utf-8") as file:
        file.write("rm -f old\n")
    call = {"name": "cmd_run", "arguments": {"command": "sh run.sh"}}
    with Client(place) as c:
        c.has = client.FORM
        q = c.new("tools/call", call)
        with open(place.path("run.sh"), "w", encoding="utf-8") as file:
            file.write("rm -f old more\n")
        r = c.new("tools/call", answer(q, call=call))
        t.ok(r["isError"] and "changed" in text(r) and there(place),
             "a yes is good for what was shown alone", json.dumps(r))


def many_questions(t, place):
    with Client(place) as c:
        c.has = client.FORM
        ids = [c.start_new("tools/call", RM) for _ in range(300)]
        kinds = [c.wait(i).get("resultType") for i in ids]
        t.ok(kinds[:200] == ["input_required"] * 200 and
             kinds[-1] == "complete", "no more than 256 questions wait",
             str(kinds[-3:]))
        t.ok("wait already" in text(c.wait(ids[-1])), "which is told")


def logs(t, place):
    with Client(place) as c:
        c.new("tools/call", {"name": "fs_read_file",
                             "arguments": {"path": "missing"}})
        t.is_(c.of("notifications/message"), [], "nothing is logged unasked")
        c.new("tools/call", {"name": "fs_read_file",
                             "arguments": {"path": "missing"}},
              **{PREFIX + "logLevel": "error"})
        t.ok(c.until(lambda: c.of("notifications/message")) and
             c.of("notifications/message")[0]["level"] == "error",
             "an error is, to who wants to know",
             str(c.of("notifications/message")))
    with client.start(place) as c:
        t.is_(c.request("logging/setLevel", {"level": "loud"})["code"], -32602,
              "there is no such level")
        t.is_(c.request("logging/setLevel", {"level": "info"}), {},
              "a level is set")
        c.call("fs_list_dir", path=".")
        t.ok(c.until(lambda: c.of("notifications/message")) and
             c.of("notifications/message")[0]["data"]["tool"] == "fs_list_dir",
             "and calls are logged")


def progress(t, place):
    with Client(place) as c:
        call = c.start_new("tools/call", {"name": "cmd_run", "arguments": {
            "command": "echo line 1; sleep 0.3; echo line 2; sleep 0.3; "
                       "echo line 3; sleep 0.3; echo line 4"}},
            progressToken="mine")
        r = c.wait(call)
        told = c.of("notifications/progress")
        t.ok(len(told) >= 2 and all(p["progressToken"] == "mine"
                                    for p in told), "progress is told",
             str(told))
        numbers = [p["progress"] for p in told]
        t.ok(all(a < b for a, b in zip(numbers, numbers[1:])), "and grows",
             str(numbers))
        t.ok(any("line" in p.get("message", "") for p in told),
             "with the last line of the output", str(told))
        t.is_(text(r), "line 1\nline 2\nline 3\nline 4\n",
              "the result has all of it")
        c.notices.clear()
        r = c.new("tools/call", {"name": "cmd_run", "arguments": {
            "command": "yes 0123456789 | head -c 300000"}}, progressToken=7)
        t.ok(len(r["structuredContent"]["stdout"]) == 300000,
             "also where it is more than what a tool repeats",
             str(len(r["structuredContent"]["stdout"])))


def main():
    t = tap.Tap()
    with home.Home() as place:
        discovers(t, place)
        both_eras_at_once(t, place)
        asks(t, place)
        forged_states(t, place)
        changed_meanwhile(t, place)
        many_questions(t, place)
        logs(t, place)
        progress(t, place)
        done = place.run([home.program("agentsh"), "log", "--verify"])
        t.is_(done.status, 0, "the journal holds", done.out)
    t.done()


if __name__ == "__main__":
    main()
