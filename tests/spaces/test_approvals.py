#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test_approvals.py - what needs a yes: asked once, answered once, by whom."""

import json
import os
import sqlite3
import sys

from agent import Agent, answer, create, delete, ops, say, shell

import home  # noqa: E402
import tap  # noqa: E402

RM = shell("rm old", id="rm")


def begin(*options):
    place = home.Home()
    old(place)
    return place, Agent(place, *options)


def old(place):
    with open(place.path("old"), "w", encoding="utf-8") as file:
        file.write("x")


def there(place):
    return os.path.exists(place.path("old"))


def agentsh(place, *words):
    return place.run([home.program("agentsh"), *words])


def waiting(place):
    done = agentsh(place, "approvals", "list", "-o", "json")
    return json.loads(done.out)["approvals"]


def types(message):
    return [e["type"] for e in message["events"]]


def yes_and_no(t):
    place, agent = begin()
    with place, agent:
        got = agent.run(say("a"), RM, say("never"))
        event = got["events"][-1]
        t.is_((types(got), got["status"]),
              (["message", "approvalRequired"], "awaiting_approval"),
              "a question stops the run")
        t.is_((event["operationId"], event["operationType"],
               event["details"]["command"]), ("rm", "shell", "rm old"),
              "it says what it is about")
        t.ok(there(place), "and nothing runs")
        for wrong in (answer(got["runId"], "x"), answer("run_" + "0" * 32, "rm"),
                      answer("run_1", "rm"), {"runId": 5},
                      answer(got["runId"], "rm", "yes"),
                      answer(got["runId"], "rm", True)):
            agent.send(wrong)
            t.is_(agent.recv()["events"][0]["category"], "validation",
                  "no answer: %s" % json.dumps(wrong)[:60])
        t.ok(there(place), "nothing runs by these")
        agent.send({"runId": got["runId"]})
        again = agent.recv()
        t.is_((types(again), again["runId"]),
              (["approvalRequired"], got["runId"]),
              "without an answer the question comes again")
        agent.send(answer(got["runId"], "rm"))
        end = agent.recv()
        t.is_((types(end), end["status"], end["runId"]),
              (["shell", "message"], "completed", got["runId"]),
              "a yes runs it, and what follows")
        t.ok(not there(place), "once")
        old(place)
        for decision in ("approved", "denied"):
            agent.send(answer(got["runId"], "rm", decision))
            t.is_(agent.recv()["status"], "error",
                  "another answer is an error: %s" % decision)
        t.ok(there(place), "that changes nothing")
        got = agent.run({**RM, "id": "no"}, say(id="after"))
        agent.send(answer(got["runId"], "no", "denied", reason="not now"))
        end = agent.recv()
        t.is_((types(end), end["events"][0]["reason"]),
              (["policyDenied", "message"], "not now"),
              "a no is told, and the run goes on")
        got = agent.run(say(), shell("rm old"), delete("old"))
        t.is_(got["events"][-1]["operationId"], "op-1",
              "an operation without an id is called by its place")
        agent.send(answer(got["runId"], "op-1", "denied"))
        got = agent.recv()
        t.is_((types(got), got["events"][-1]["operationId"]),
              (["policyDenied", "approvalRequired"], "op-2"),
              "the next one that needs it is asked about")
        agent.send(answer(got["runId"], "op-2"))
        t.is_(types(agent.recv()), ["deleteFile"], "and runs by its yes")
        t.ok(not there(place), "a file operation too")


def another_process(t):
    place, agent = begin()
    with place, agent:
        got = agent.run(say(), RM, say(id="b"))
        agent.close()
        t.is_([(a["run"], a["operation"], a["command"], a["state"],
                a["served"]) for a in waiting(place)],
              [(got["runId"], "rm", "rm old", "waiting", False)],
              "what waits outlives its process, and is listed")
        with Agent(place, "--workspace", place.folder("else")) as other:
            other.send(answer(got["runId"], "rm"))
            t.is_(other.recv()["status"], "error",
                  "not for an agent of another workspace")
        with Agent(place) as later:
            later.send({"runId": got["runId"]})
            t.is_((types(later.recv()), waiting(place)[0]["served"]),
                  (["approvalRequired"], True), "a later process asks again")
            later.send(answer(got["runId"], "rm"))
            t.is_(types(later.recv()), ["shell", "message"],
                  "a later process goes on with it")
        t.ok(not there(place), "and runs it")
        t.is_(waiting(place), [], "then nothing waits")


def at_the_machine(t):
    place, agent = begin()
    with place, agent:
        first = agent.run(RM, say(id="b"))
        number = str(waiting(place)[0]["id"])
        shown = agentsh(place, "approvals", "show", number)
        t.ok("rm old" in shown.out and place.work in shown.out,
             "a person sees what would run, and where", shown.out)
        done = agentsh(place, "approvals", "approve", number)
        t.is_(done.status, 0, "who sits at the machine approves")
        end = agent.recv()
        t.is_((end["runId"], types(end)), (first["runId"],
                                           ["shell", "message"]),
              "the process that asked goes on by itself")
        t.ok(not there(place), "and runs it")
        agent.send(answer(first["runId"], "rm"))
        t.is_(agent.recv()["status"], "error", "its agent's answer is too late")
        for verb in ("approve", "deny"):
            t.ok(agentsh(place, "approvals", verb, number).status != 0,
                 "so is another person's: %s" % verb)
        old(place)
        second = agent.run(RM)
        agentsh(place, "approvals", "deny", second["runId"])
        t.is_(types(agent.recv()), ["policyDenied"], "a no comes as well")
        t.is_(agent.one(say())["type"], "message", "and the agent goes on")
        agent.run(RM)
        agent.close()
        number = str(waiting(place)[0]["id"])
        done = agentsh(place, "approvals", "approve", number, "-o", "json")
        t.is_((types(json.loads(done.out)), done.status), (["shell"], 0),
              "where nobody serves it any more, it runs here")
        t.ok(not there(place), "in its workspace")
        old(place)
        with Agent(place) as third:
            run = third.run(RM)["runId"]
        done = agentsh(place, "spaces", "resume", run, "denied", "rm")
        t.is_((types(json.loads(done.out)), done.status),
              (["policyDenied"], 5), "spaces resume answers and goes on")
        done = agentsh(place, "spaces", "resume", run, "approved")
        t.ok(done.status == 1 and there(place), "once")
        log = journal(place)
        t.is_([(d["decision"], d["by"] != "", d["via"]) for d in log
               if d["kind"] == "decision" and "operation" in d],
              [("approved", True, "agentsh approvals"),
               ("denied", True, "agentsh approvals"),
               ("approved", True, "agentsh approvals"),
               ("denied", True, "agentsh spaces resume")],
              "the journal has who decided, and how", json.dumps(log)[:3000])
        t.is_(agentsh(place, "log", "--verify").status, 0,
              "and proves to be whole")
        for words in (["x"], ["show"], ["approve"], ["list", "1"]):
            t.is_(agentsh(place, "approvals", *words).status, 2,
                  "wrong usage: %s" % words)
        t.ok(agentsh(place, "approvals", "approve", "99").status != 0,
             "there is no other")


def answers_and_lines(t):
    """Answers of others come between the lines of the agent."""
    place, agent = begin()
    with place, agent:
        for n in range(8):
            old(place)
            run = agent.run({**RM, "id": "r%d" % n})["runId"]
            agentsh(place, "approvals", "approve", run)
            for k in range(20):
                agent.send(ops(say(id="%d-%d" % (n, k))))
            got = [agent.recv() for _ in range(21)]
            t.is_(([m["events"][0].get("operationId") for m in got
                    if m["runId"] != run],
                   [types(m) for m in got if m["runId"] == run]),
                  (["%d-%d" % (n, k) for k in range(20)], [["shell"]]),
                  "each line and each run has its own answer")


def journal(place):
    path = os.path.join(place.env["XDG_STATE_HOME"], "agentsh", "journal.db")
    with sqlite3.connect("file:%s?mode=ro" % path, uri=True) as db:
        rows = db.execute("SELECT kind, body FROM row ORDER BY seq").fetchall()
    return [{"kind": kind, **json.loads(body)} for kind, body in rows]


def expires(t):
    place, agent = begin("--approval-expiry", "1s")
    with place, agent:
        got = agent.run(RM, say(id="b"))
        number = waiting(place)[0]["id"]
        t.ok(tap.poll(lambda: waiting(place)[0]["state"] == "expired"),
             "a question expires")
        t.ok(agentsh(place, "approvals", "approve", str(number)).status != 0,
             "then nobody can say yes")
        agent.send(answer(got["runId"], "rm"))
        end = agent.recv()
        t.is_((types(end), end["events"][0]["reason"]),
              (["policyDenied", "message"], "approval expired"),
              "the agent neither")
        t.ok(there(place), "nothing ran")
        decided = []  # a thread of the program writes them

        def written():
            decided[:] = [d for d in journal(place) if d["kind"] == "decision"]
            return len(decided) == 2

        tap.poll(written)
        t.is_([(d["decision"], "by" in d) for d in decided],
              [("expired", False)] * 2,
              "it is recorded as expired, by nobody")
        t.is_(types(agent.run(RM)), ["approvalRequired"],
              "it can be asked again")


def changed_meanwhile(t):
    place, agent = begin()
    with place, agent:
        got = agent.run(create("old", "new", overwrite=True))
        t.is_(types(got), ["approvalRequired"], "overwriting is asked about")
        with open(place.path("old"), "a", encoding="utf-8") as file:
            file.write("more")
        agent.send(answer(got["runId"], "op-0"))
        again = agent.recv()
        t.is_((types(again), place.read("old")),
              (["approvalRequired"], "xmore"),
              "a file that has changed is asked about again")
        agent.send(answer(got["runId"], "op-0"))
        t.is_((types(agent.recv()), place.read("old")),
              (["createFile"], "new"), "and written after that")
        with open(place.path("s.sh"), "w", encoding="utf-8") as file:
            file.write("rm old\n")
        got = agent.run(shell("sh s.sh"))
        with open(place.path("s.sh"), "w", encoding="utf-8") as file:
            file.write("rm s.sh\n")
        agent.send(answer(got["runId"], "op-0"))
        t.is_((types(agent.recv()), there(place)),
              (["approvalRequired"], True), "so is a script")


def no_store(t):
    place, agent = begin()
    with place, agent:
        agent.close()
        state = os.path.join(place.env["XDG_STATE_HOME"], "agentsh")
        for name in os.listdir(state):
            if name.startswith("approvals.db-"):
                os.unlink(os.path.join(state, name))
        with open(os.path.join(state, "approvals.db"), "wb") as file:
            file.write(b"no database at all" * 300)
        with Agent(place) as other:
            got = other.run(say(), RM, say(id="b"))
            t.is_((types(got), got["status"], there(place)),
                  (["message", "policyDenied", "message"], "completed", True),
                  "where nothing can be kept, nothing waits, or runs")
            other.send(answer("run_" + "0" * 32, "rm"))
            t.is_(other.recv()["status"], "error", "or is gone on with")
            _, said = other.close()
        t.ok("store of approvals" in said or "approvals.db" in said,
             "the log says why", said)
        t.ok(agentsh(place, "approvals", "list").status != 0,
             "so does agentsh approvals")


def policies(t):
    place, agent = begin("--policy", "restrictive")
    with place, agent:
        t.is_(types(agent.run(shell("ls"), create("n"))),
              ["shell", "approvalRequired"], "restrictive asks before writing")
        rules = os.path.join(place.root, "rules")
        with open(rules, "w", encoding="utf-8") as file:
            file.write("deny command ls *\nallow write **\n")
        with Agent(place, "--policy", rules) as other:
            got = other.run(shell("ls"), say())
            t.is_((types(got), got["status"]),
                  (["policyDenied", "message"], "completed"),
                  "a file of rules denies, and the run goes on")
        with open(place.path(".agentsh-policy"), "w", encoding="utf-8") as f:
            f.write("allow command *\n")
        for name in (".env", "id_rsa", "a.pem", ".ssh/x"):
            with Agent(place, "--policy", "permissive") as other:
                event = other.one(create(name))
                t.ok(event["type"] == "policyDenied" and
                     name in event["reason"],
                     "files of keys are denied by name: %s" % name)
        os.symlink(".env", place.path("link"))
        with open(place.path(".env"), "w", encoding="utf-8") as file:
            file.write("KEY=1")
        with Agent(place, "--policy", "permissive") as other:
            for kind in ("readFile", "deleteFile"):
                got = other.one({"type": kind, "path": ".env"})
                t.is_(got["type"], "policyDenied", "%s of one too" % kind)
            t.is_(other.one({"type": "readFile", "path": "link"})["type"],
                  "policyDenied", "a link to one is no way around")


RUNS = ("for i in 1 2; do echo $i; done", "echo $(ls)", "echo y > old",
        "sleep 9 & echo $!", "setsid true", "$x true", "eval 'echo hi'",
        "touch ../beside", "sh missing.sh; true", "yes | head -n 1")
ASKED = ("rm old", "rm $(echo old)", "x=rm; $x old", "sh -c 'rm old'",
         "find . -delete", "kill -9 $$", "git reset --hard", "cat .env",
         "echo x > .git/hooks/pre-commit", "touch /etc/x", "sed -i s/x/y/ old")


def permissive(t):
    place, agent = begin("--policy", "permissive")
    with place, agent:
        for command in RUNS:
            got = agent.one(shell(command))
            # what lies beside is another directory, or refused where the
            # sandbox has no namespaces
            status = got.get("exitCode") if "beside" not in command or \
                tap.is_here("namespaces") else 0
            t.is_((got["type"], status), ("shell", 0),
                  "permissive runs: %s" % command)
        for command in ASKED:
            t.is_(agent.one(shell(command))["type"], "approvalRequired",
                  "and asks about: %s" % command)
        t.is_(sorted(os.listdir(place.root)),
              sorted({*os.listdir(place.root)} - {"beside"}),
              "the sandbox keeps what it runs in the workspace")
        for op in (create("old", "z", overwrite=True), delete("old")):
            t.is_(agent.one(op)["type"], op["type"],
                  "it does not ask about files: %s" % op["type"])
        rules = os.path.join(place.root, "rules")
        with open(rules, "w", encoding="utf-8") as file:
            file.write("preset permissive\nask command echo *\n")
        with Agent(place, "--policy", rules) as other:
            t.is_(other.one(shell("echo $(ls)"))["type"], "approvalRequired",
                  "a file's own question stays")


def main():
    t = tap.Tap()
    yes_and_no(t)
    another_process(t)
    at_the_machine(t)
    answers_and_lines(t)
    expires(t)
    changed_meanwhile(t)
    no_store(t)
    policies(t)
    permissive(t)
    t.done()


if __name__ == "__main__":
    sys.exit(main())
