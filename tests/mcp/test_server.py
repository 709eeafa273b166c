#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test_server.py - agentsh mcp: the handshake, the tools, their results."""

import json
import os
import signal
import time

import client
from client import Client, text

import home  # noqa: E402
import tap  # noqa: E402

TOOLS = ["cmd_run", "fs_delete_file", "fs_edit_file", "fs_list_dir",
         "fs_read_file", "fs_write_file", "packages", "pkg_manage__install"]
HINTS = {"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"}


def versions(t, place):
    for asked, answered in (("2025-06-18", "2025-06-18"),
                            ("2025-11-25", "2025-11-25"),
                            ("2024-11-05", "2025-11-25"),
                            ("2099-01-01", "2025-11-25")):
        with Client(place) as c:
            t.is_(c.initialize(asked)["protocolVersion"], answered,
                  "%s is answered by %s" % (asked, answered))
            t.is_(c.request("ping"), {}, "and a ping by nothing")
            again = c.request("initialize", {
                "protocolVersion": asked, "capabilities": {},
                "clientInfo": {"name": "x", "version": "1"}})
            t.is_(again.get("code"), -32600, "a second handshake is refused")


def wrong_handshakes(t, place):
    with Client(place) as c:
        for params in ({}, {"protocolVersion": 1, "capabilities": {},
                            "clientInfo": {"name": "x", "version": "1"}},
                       {"protocolVersion": "2025-11-25",
                        "clientInfo": {"name": "x", "version": "1"}},
                       {"protocolVersion": "2025-11-25", "capabilities": []},
                       []):
            t.is_(c.request("initialize", params).get("code"), -32602,
                  "%s is no handshake" % json.dumps(params))
        t.is_(c.request("ping"), {}, "a ping needs none")
        refused = c.request("tools/list")
        t.is_(refused["code"], -32602, "but a list does")
        t.ok(client.PREFIX + "protocolVersion" in refused["message"],
             "and its error names the missing key", refused["message"])
        t.is_(c.request("no/such/method")["code"], -32601,
              "what no era has is no method")
        t.ok("tools" in c.initialize()["capabilities"], "then it can begin")


def described(t, place):
    with client.start(place) as c:
        tools = c.request("tools/list")["tools"]
        names = [tool["name"] for tool in tools]
        t.is_(names, sorted(names), "tools are sorted by their names")
        t.ok(set(TOOLS) <= set(names), "all are there", str(names))
        t.ok(all(set(x["annotations"]) == HINTS for x in tools),
             "each has its hints")
        t.ok(all(x["inputSchema"]["type"] == "object" and
                 x["outputSchema"]["type"] == "object" for x in tools),
             "and schemas of what it takes and gives")
        by_name = {x["name"]: x["annotations"] for x in tools}
        t.ok(by_name["fs_read_file"]["readOnlyHint"] and
             not by_name["fs_write_file"]["readOnlyHint"] and
             by_name["fs_delete_file"]["destructiveHint"] and
             by_name["cmd_run"]["openWorldHint"], "which are what they do")
        t.is_(c.request("tools/list")["tools"], tools, "and do not change")
        t.is_(c.request("tools/list", {"cursor": "7000"})["code"], -32602,
              "there is no page behind the last one")
        t.is_(c.request("tools/list", {"cursor": 5})["code"], -32602,
              "and a number is no cursor")


def results(t, place):
    with open(place.path("a.txt"), "w", encoding="utf-8") as file:
        file.write("hello\n")
    with client.start(place) as c:
        r = c.call("fs_read_file", path="a.txt")
        t.is_(text(r), "hello\n", "a file's text is the content")
        s = r["structuredContent"]
        t.ok(s["stdout"] == "hello\n" and s["bytes_read"] == 6 and
             not r["isError"], "and structured beside what is known of it",
             str(s))
        r = c.call("cmd_run", command="echo out; echo err >&2; exit 3")
        t.is_([x["text"] for x in r["content"]],
              ["out\n", "err\n", "exit status 3"],
              "a command's output comes with its status")
        t.ok(r["structuredContent"]["exit_code"] == 3 and not r["isError"],
             "a command that fails is no tool that fails")
        r = c.call("fs_read_file", path="missing")
        t.ok(r["isError"] and "NOT_FOUND" in text(r) and
             "structuredContent" not in r, "a tool that fails says why",
             text(r))
        r = c.call("fs_write_file", path="new.txt", content="x")
        t.ok(not r["isError"] and os.path.exists(place.path("new.txt")),
             "a file is written in the workspace")
        begun = time.monotonic()
        r = c.call("cmd_run", command="echo begun; sleep 50", timeout_ms=300)
        t.ok(r["isError"] and "TIMEOUT" in text(r) and "begun" in text(r),
             "a time limit is told, with what came before", text(r))
        t.ok(time.monotonic() - begun < 10, "and holds")


def wrong_calls(t, place):
    with client.start(place) as c:
        for params, what in (({"name": "no_such"}, "an unknown tool"),
                             ({"name": "fs.read_file",
                               "arguments": {"path": "a"}}, "a tool's own name"),
                             ({}, "no name"), ({"name": 5}, "a number"),
                             ({"name": "fs_read_file"}, "missing arguments"),
                             ({"name": "fs_read_file", "arguments": [1]},
                              "a list of them"),
                             ({"name": "fs_read_file",
                               "arguments": {"path": "a", "more": 1}},
                              "an unknown one"),
                             ({"name": "fs_read_file",
                               "arguments": {"path": 7}}, "one of another type"),
                             ({"name": "fs_read_file",
                               "arguments": {"path": "a"},
                               "_meta": {"progressToken": 1.5}},
                              "a token that is none")):
            t.is_(c.request("tools/call", params).get("code"), -32602,
                  "%s is -32602" % what)
        for method in ("server/discover", "subscriptions/listen", "tasks/get",
                       "tasks/update", "tasks/cancel", "tasks/list"):
            t.is_(c.request(method, {}).get("code"), -32601,
                  "%s is of another era" % method)


def denied(t, place):
    with open(place.path("old"), "w", encoding="utf-8"):
        pass
    with client.start(place) as c:
        r = c.call("cmd_run", command="rm -f old")
        t.ok(r["isError"] and "preset standard" in text(r) and
             os.path.exists(place.path("old")),
             "what is asked about is refused, by its rule, where nobody can "
             "be asked", text(r))
        r = c.call("cmd_run", command="sudo true")
        t.ok(r["isError"] and "sudo" in text(r), "and sudo in any case")
    with client.start(place, "--policy", "permissive") as c:
        r = c.call("cmd_run", command="echo x > made")
        t.ok(not r["isError"] and os.path.exists(place.path("made")),
             "--policy names other rules", text(r))
    done = place.run([home.program("agentsh"), "mcp", "--policy", "nonsense"])
    t.is_(done.status, 2, "rules that are not there are wrong usage")
    done = place.run([home.program("agentsh"), "mcp", "word"])
    t.is_(done.status, 2, "so are words")


def asks(t, place):
    for action, gone in (("accept", True), ("decline", False),
                         ("cancel", False)):
        with open(place.path("old"), "w", encoding="utf-8"):
            pass
        with client.start(place, has=client.FORM) as c:
            c.elicit = lambda params, a=action: {"action": a}
            r = c.call("cmd_run", command="rm -f old")
            t.is_(os.path.exists(place.path("old")), not gone,
                  "%s decides" % action)
            t.is_(r["isError"], not gone, "and is told")
            message = c.asked[0]["params"]["message"]
            t.ok("rm -f old" in message and place.work in message and
                 "destructive" in message, "the question says what and why",
                 message)
    for wrong in ({}, {"action": "yes"}, {"action": True}, {"action": None}):
        with client.start(place, has={"elicitation": {}}) as c:
            c.elicit = lambda params, w=wrong: w
            c.call("cmd_run", command="rm -f old")
            t.ok(os.path.exists(place.path("old")), "%s is no yes" %
                 json.dumps(wrong))


def answers_that_come_late(t, place):
    with client.start(place, has=client.FORM) as c:
        c.elicit = lambda params: None
        call = c.start("tools/call", {"name": "cmd_run",
                                      "arguments": {"command": "rm -f old"}})
        t.ok(c.until(lambda: c.asked), "a question waits")
        c.notify("notifications/cancelled", {"requestId": call})
        t.ok(c.until(lambda: c.of("notifications/cancelled")),
             "a cancel withdraws it")
        for _ in range(2):
            c.send({"jsonrpc": "2.0", "id": c.asked[0]["id"],
                    "result": {"action": "accept"}})
        t.is_(c.request("ping"), {}, "answers that come late are read")
        t.ok(os.path.exists(place.path("old")) and call not in c.answers,
             "and nothing runs by them, nor is answered")


def changed_meanwhile(t, place):
    with open(place.path("run.sh"), "w", encoding="utf-8") as file:
        file.write("rm -f old\n")
    with client.start(place, has=client.FORM) as c:
        def change(params):
            with open(place.path("run.sh"), "w", encoding="utf-8") as script:
                script.write("rm -f old other\n")
            return {"action": "accept"}
        c.elicit = change
        r = c.call("cmd_run", command="sh run.sh")
        t.ok(r["isError"] and "changed" in text(r) and
             os.path.exists(place.path("old")),
             "a yes is good for what was shown alone", text(r))


def recorded(t, place):
    done = place.run([home.program("agentsh"), "log", "--tools", "-o", "json",
                      "-n", "50"])
    t.ok(done.status == 0 and "rm -f old" in json.dumps(
        [place.run([home.program("agentsh"), "log", r["run"], "-o", "json"]).out
         for r in json.loads(done.out)["runs"]]),
        "the journal has it all", done.out[:500])
    t.is_(place.run([home.program("agentsh"), "log", "--verify"]).status, 0,
          "and holds")


def told_apart(t, place):
    with client.start(place) as c:
        slow = c.start("tools/call", {"name": "cmd_run", "arguments": {
            "command": "sleep 0.3; echo slow"}})
        c.call("cmd_run", command="echo quick")
        c.wait(slow)
        run = c.request("resources/list")["resources"][1]["uri"]
        rows = [r["event"] for r in json.loads(c.request(
            "resources/read", {"uri": run})["contents"][0]["text"])["rows"]]
        calls = {r["step"]: r["args"]["command"] for r in rows if "args" in r}
        ends_ = {calls[r["step"]]: r["stdout"] for r in rows if "ok" in r}
        t.is_(ends_, {"sleep 0.3; echo slow": "slow\n",
                      "echo quick": "quick\n"},
              "the journal tells which end is of which call", str(rows))


def ends(t, place):
    mine = "trap '' TERM INT HUP; echo ready; sleep 1000 & wait; wait"
    for how in ("input", signal.SIGTERM):
        c = client.start(place)
        c.start("tools/call", {"name": "cmd_run", "arguments":
                               {"command": mine},
                               "_meta": {"progressToken": "p"}})
        t.ok(c.until(lambda: "ready" in json.dumps(c.notices)),
             "a command runs, and its progress is told")
        begun = time.monotonic()
        if how == "input":
            c.child.stdin.close()
            c.child.stdin = None
        else:
            c.child.send_signal(how)
        c.child.wait(client.PATIENCE)
        took = time.monotonic() - begun
        t.ok(took < 2, "by %s all ends within two seconds" % how, str(took))
        t.is_(c.close(), 0, "with status 0")
        t.ok(tap.poll(lambda: not place.left()), "and its descendants",
             str(place.left()))
    with Client(place) as c:
        c.initialize()
        c.start("tools/call", {"name": "cmd_run",
                               "arguments": {"command": "sleep 0.2; echo end"}})
        c.child.stdin.close()
        c.child.stdin = None
        t.ok(c.until(lambda: 2 in c.answers), "what ends soon is answered")


def main():
    t = tap.Tap()
    with home.Home() as place:
        versions(t, place)
        wrong_handshakes(t, place)
        described(t, place)
        results(t, place)
        wrong_calls(t, place)
        denied(t, place)
        asks(t, place)
        answers_that_come_late(t, place)
        changed_meanwhile(t, place)
        recorded(t, place)
        told_apart(t, place)
        ends(t, place)
    t.done()


if __name__ == "__main__":
    main()
