#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test_hostile_ends.py - an agent that ends at any moment leaves nothing
behind, and its journal is whole."""

import json
import os
import signal
import subprocess

from hostile import (Bare, Crowd, act, end_input, ends, is_well, leaves_nothing,
                     run_all, say, step, terminate, verified)

import home  # noqa: E402
import tap  # noqa: E402

STUBBORN = ("trap '' TERM INT HUP; echo ready; "
            "(setsid sleep 1000 &); sleep 1000 & wait; wait")


def shown(talk):
    return json.dumps(talk.editor.updates)


def to_nothing(talk):
    pass


def to_initialize(talk):
    talk.editor.start("initialize", {"protocolVersion": 1})


def to_session(talk):
    talk.editor.initialize()
    talk.session = talk.editor.new()


def to_thinking(talk):
    to_session(talk)
    talk.editor.prompt(talk.session, "do it")
    tap.poll(lambda: talk.editor.read(0.01) or talk.server.requests)


def to_question(talk):
    to_session(talk)
    talk.editor.permit = lambda p: None
    talk.editor.prompt(talk.session, "do it")
    talk.editor.until(lambda: talk.editor.asked)


def to_step(talk):
    to_session(talk)
    talk.editor.prompt(talk.session, "do it")
    talk.editor.until(lambda: "ready" in shown(talk))


def to_flood(talk):
    to_session(talk)
    talk.editor.prompt(talk.session, "do it")
    talk.editor.until(lambda: "in_progress" in shown(talk))


STAGES = (
    ("at once", to_nothing, [say()]),
    ("while it begins", to_initialize, [say()]),
    ("with a session", to_session, [say()]),
    ("while a model thinks", to_thinking, [{"fault": "hang"}]),
    ("while an answer stalls", to_thinking, [{"fault": "stall"}]),
    ("under a question", to_question, [act(step(1, "rm -f x"))]),
    ("in a step", to_step, [act(step(1, STUBBORN))]),
    ("in a flood", to_flood, [act(step(1, "yes"))]),
)


def at_every_stage(t):
    for how, name in ((end_input, "end of input"), (terminate, "SIGTERM")):
        for stage, go, answers in STAGES:
            with Bare(*answers) as talk:
                go(talk)
                status = ends(t, talk, "%s %s" % (name, stage),
                              lambda h=how, a=talk: h(a))
                # before it is ready for a signal, that is its end
                early = how is terminate and go in (to_nothing, to_initialize)
                t.ok(status == 0 or (early and status == -signal.SIGTERM),
                     "%s %s: the status" % (name, stage), status)


def killed_at_every_stage(t):
    for stage, go, answers in STAGES:
        with Bare(*answers) as talk:
            go(talk)
            leaves_nothing(t, talk, "SIGKILL %s" % stage,
                           talk.editor.child.kill)
            talk.editor = talk.start()
            talk.editor.initialize()
            is_well(t, talk, "SIGKILL %s: another begins" % stage)
            talk.editor.close()
            whole, said = verified(talk.place)
            t.ok(whole, "SIGKILL %s: the journal is whole" % stage, said)
            talk.editor = talk.start()


def while_nobody_reads(t):
    for how, name in ((terminate, "SIGTERM"), (end_input, "end of input")):
        with Bare(act(step(1, "yes"))) as talk:
            to_flood(talk)
            tap.poll(lambda: False, 0.5)
            if how is end_input:
                # the output is gone with its reader
                def both(a=talk):
                    end_input(a)
                    a.editor.child.stdout.close()
                ends(t, talk, name + " and of the output", both)
                talk.editor.child.stdout = open(os.devnull, "rb")
            else:
                ends(t, talk, name + " with a full output",
                     lambda a=talk: terminate(a))


def many_turns_end_together(t):
    names = ["a%d" % n for n in range(8)]
    for how, name in ((end_input, "end of input"), (terminate, "SIGTERM"),
                      (lambda a: a.editor.child.kill(), "SIGKILL")):
        with Crowd({n: [act(step(1, STUBBORN))] for n in names}) as talk:
            talk.begin()
            talk.editor.until(lambda: all("ready" in talk.shown(n)
                                          for n in names))
            ends(t, talk, "%s with eight turns" % name,
                 lambda h=how, a=talk: h(a))


def prompts_after_the_signal(t):
    """Nothing begins once it ends."""
    with Bare({"fault": "hang"}) as talk:
        to_session(talk)
        tap.stop(talk.editor.child.pid)
        terminate(talk)
        for _ in range(20):
            talk.editor.prompt(talk.session, "do it")
        ends(t, talk, "prompts after SIGTERM",
             lambda: talk.editor.child.send_signal(signal.SIGCONT))


def answers_what_was_asked(t):
    """A pipe that ends at once gets its answers all the same."""
    lines = [{"id": 1, "method": "initialize",
              "params": {"protocolVersion": "1.0"}},
             {"id": 2, "method": "session/new", "params": {}},
             {"id": 3, "method": "session/prompt",
              "params": {"message": "test"}}]
    with Bare(say("Hello.")) as talk:
        for n in range(1, 4):
            data = b"\n".join(json.dumps({"jsonrpc": "2.0", **line}).encode()
                              for line in lines[:n])
            for end in (b"\n", b""):
                done = subprocess.run(
                    [home.program("agentsh"), "acp"], input=data + end,
                    cwd=talk.place.work, capture_output=True, timeout=30,
                    env={**talk.editor.env}, check=False)
                got = [json.loads(x) for x in done.stdout.splitlines()]
                t.is_([m["id"] for m in got if "id" in m and "result" in m],
                      list(range(1, n + 1)),
                      "%d requests and the end of the input%s" % (
                          n, "" if end else ", without a newline"),
                      done.stdout, done.stderr)
                t.is_(done.returncode, 0, "the status")


def an_output_that_takes_nothing(t):
    """Its standard input stays open, and it ends all the same."""
    line = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize",
                       "params": {"protocolVersion": 1}}).encode() + b"\n"
    with Bare() as talk:
        for where in ("/dev/full", "a descriptor that is closed"):
            full = where.startswith("/")
            with open(where if full else os.devnull, "wb") as out:
                child = subprocess.Popen(
                    [home.program("agentsh"), "acp"] if full else
                    ["sh", "-c", 'exec "$0" acp >&-',
                     home.program("agentsh")],
                    cwd=talk.place.work, env={**talk.editor.env}, stdout=out,
                    stdin=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0)
                child.stdin.write(line)
                try:
                    child.wait(10)
                except subprocess.TimeoutExpired:
                    child.kill()
                t.is_(child.wait(), 0, "it ends where the output is " + where)
                child.stdin.close()
                child.stderr.close()


def closes_and_deletes(t):
    """A session goes while its turn runs, or its question is open."""
    for method in ("close", "delete"):
        for stage, go, answers in STAGES[3:]:
            with Bare(*answers, say()) as talk:
                go(talk)
                turn = talk.editor.next
                mine = {talk.editor.child.pid}
                gone = talk.editor.start("session/" + method, {
                    "sessionId": talk.session})
                what = "%s %s" % (method, stage)
                t.is_(talk.editor.wait(turn), {"stopReason": "cancelled"},
                      "%s: the prompt is cancelled" % what)
                t.is_(talk.editor.wait(gone), {}, "%s: it is done" % what)
                t.ok(tap.poll(lambda: not [
                    n for p, n in talk.place.left().items() if p not in mine
                    and "agentsh-model" not in n and "plugins/" not in n]),
                     "%s: nothing of it runs" % what, talk.place.left())
                for question in talk.editor.asked:
                    talk.editor.answer_permission(question["id"],
                                                  "allow_once")
                end = talk.editor.request("session/load", {
                    "sessionId": talk.session, "cwd": talk.place.work,
                    "mcpServers": []})
                t.ok(("configOptions" in end) == (method == "close"),
                     "%s: what is left of it" % what, json.dumps(end))
                whole, said = verified(talk.place)
                t.ok(whole, "%s: the journal is whole" % what, said)


def loads_under_a_turn(t):
    with Bare(act(step(1, STUBBORN)), say()) as talk:
        to_step(talk)
        turn = talk.editor.next
        for method in ("load", "resume"):
            got = talk.editor.request("session/" + method, {
                "sessionId": talk.session, "cwd": talk.place.work,
                "mcpServers": []})
            t.is_(got.get("code"), -32600, "%s under a turn is refused" %
                  method)
        got = talk.editor.wait(talk.editor.prompt(talk.session, "more"))
        t.is_(got.get("code"), -32600, "as another prompt is")
        t.ok(turn not in talk.editor.answers, "the turn goes on")
        talk.editor.notify("session/cancel", {"sessionId": talk.session})
        t.is_(talk.editor.wait(turn), {"stopReason": "cancelled"},
              "until it is cancelled")
        for cwd in ("/nowhere/at/all", "relative"):
            got = talk.editor.request("session/load", {
                "sessionId": talk.session, "cwd": cwd, "mcpServers": []})
            t.is_(got.get("code"), -32602, "a load with a wrong directory "
                                           "fails")
        t.is_(talk.prompt(), {"stopReason": "end_turn"},
              "and leaves the session as it was")


def answers_to_permissions(t):
    """Twice, for another question, and after all is over."""
    with Bare(act(step(1, "rm -f a"), step(2, "rm -f b")), say(),
                      say()) as talk:
        for name in "ab":
            with open(talk.path(name), "w", encoding="ascii"):
                pass
        to_question(talk)
        turn = talk.editor.next
        first = talk.editor.asked[0]["id"]
        for ident in (first + 1, first + 7, str(first), -1, 0, 2 ** 64):
            talk.editor.answer_permission(ident, "allow_once")
        is_well(t, talk, "answers to other questions are read")
        t.ok(os.path.exists(talk.path("a")) and os.path.exists(talk.path("b")),
             "and run nothing")
        for _ in range(5):
            talk.editor.answer_permission(first, "allow_once")
        talk.editor.until(lambda: len(talk.editor.asked) > 1)
        is_well(t, talk, "a question is answered once")
        t.ok(not os.path.exists(talk.path("a")), "by the first answer")
        t.ok(os.path.exists(talk.path("b")), "the others are not for the next")
        second = talk.editor.asked[1]["id"]
        talk.editor.answer_permission(second, "reject_once")
        talk.editor.answer_permission(second, "allow_once")
        end = talk.editor.wait(turn)
        t.ok("stopReason" in end, "a no is a no", json.dumps(end))
        talk.editor.answer_permission(second, "allow_once")
        is_well(t, talk, "an answer after the turn changes nothing")
        t.ok(os.path.exists(talk.path("b")), "and runs nothing")


def errors_for_permissions(t):
    for answer in ({"error": {"code": -32603, "message": "no"}},
                   {"error": {"code": "x"}}, {"error": 5},
                   {"result": None}, {"result": []}, {"result": "allow_once"},
                   {"result": {"outcome": {"outcome": "selected",
                                           "optionId": "allow_always"}},
                    "error": {"code": 1, "message": "both"}},
                   {"result": {"outcome": {"outcome": "Selected",
                                           "optionId": "allow_once"}}},
                   {"result": {"outcome": {"outcome": "selected",
                                           "optionId": "allow_once\0"}}},
                   {"result": {"outcome": {"outcome": "cancelled",
                                           "optionId": "allow_once"}}},
                   {"result": {"outcome": {"outcome": "selected", "optionId":
                                           ["allow_once"]}}}):
        with Bare(act(step(1, "rm -f a")), say()) as talk:
            with open(talk.path("a"), "w", encoding="ascii"):
                pass
            to_question(talk)
            turn = talk.editor.next
            talk.editor.send({"jsonrpc": "2.0", **answer,
                              "id": talk.editor.asked[0]["id"]})
            end = talk.editor.wait(turn)
            t.ok("stopReason" in end and os.path.exists(talk.path("a")),
                 "%s is no yes" % json.dumps(answer), json.dumps(end))


def answers_while_it_looks_for_a_model(t):
    """The key comes from a command that takes long."""
    data = b"".join(json.dumps({"jsonrpc": "2.0", **line}).encode() + b"\n"
                    for line in (
        {"id": 1, "method": "initialize", "params": {"protocolVersion": 1}},
        {"id": 2, "method": "session/new",
         "params": {"cwd": "/", "mcpServers": []}}))
    with Bare(say("Hello.")) as talk:
        talk.place.config("[model]\napi_key_command = sleep 1000\n")
        talk.place.env.pop("OPENAI_API_KEY")
        talk.editor.close()
        talk.editor = talk.start()
        talk.editor.send(data)
        t.ok("agentInfo" in talk.editor.wait(1, 3),
             "initialize does not wait for a slow model")
        for ident in range(10, 400):
            talk.editor.send({"jsonrpc": "2.0", "id": ident, "method":
                              "session/new", "params": {
                                  "cwd": "/", "x": "y" * 100000}})
        refused = talk.editor.wait(399)
        t.is_(refused.get("code"), -32603, "what waits is bounded")
        ends(t, talk, "end of input while it looks",
             lambda: end_input(talk))


def servers_that_are_bad(t):
    """A turn waits for the tools of a server, and is left meanwhile."""
    for name, command in (("that says nothing", "sleep 1000"),
                          ("that floods", "yes"),
                          ("that ends", "exit 1"),
                          ("that ignores the end",
                           "trap '' TERM HUP; exec 0<&-; sleep 1000; :")):
        for go in ("cancel", "close", "delete", "end of input", "SIGTERM"):
            with Bare(say("Hello."), say("Again.")) as talk:
                talk.editor.initialize()
                talk.session = talk.editor.new(mcpServers=[
                    {"name": "bad", "command": "/bin/sh",
                     "args": ["-c", command], "env": []}])
                turn = talk.editor.prompt(talk.session, "do it")
                talk.editor.until(lambda: turn in talk.editor.answers or
                                  len(talk.place.left()) > 1)
                what = "%s, with a server %s" % (go, name)
                if go == "SIGTERM":
                    ends(t, talk, what, lambda a=talk: terminate(a))
                    continue
                if go == "end of input":
                    ends(t, talk, what, lambda a=talk: end_input(a))
                    continue
                params = {"sessionId": talk.session}
                if go == "cancel":
                    talk.editor.notify("session/cancel", params)
                else:
                    talk.editor.request("session/" + go, params)
                end = talk.editor.wait(turn)
                t.ok(end.get("stopReason") in ("cancelled", "end_turn"),
                     "%s: the prompt ends" % what, json.dumps(end))
                is_well(t, talk, "%s: the agent is well" % what)
                leaves_nothing(t, talk, what, lambda a=talk: terminate(a))


def cancels_at_once(t):
    """What is cancelled before it began does not begin."""
    with Bare(act(step(1, "touch made")), say()) as talk:
        line = [{"id": 1, "method": "initialize",
                 "params": {"protocolVersion": "1.0"}},
                {"id": 2, "method": "session/new", "params": {}},
                {"id": 3, "method": "session/prompt",
                 "params": {"message": "test"}},
                {"method": "session/cancel", "params": {}}]
        talk.editor.send(b"".join(json.dumps(
            {"jsonrpc": "2.0", **x}).encode() + b"\n" for x in line))
        talk.editor.until(lambda: any(u.get("type") == "complete"
                                      for u in talk.editor.updates))
        complete = [u for u in talk.editor.updates
                    if u.get("type") == "complete"]
        t.ok(complete and not complete[0]["data"]["success"],
             "a cancel that follows a prompt at once cancels it",
             json.dumps(talk.editor.updates))
        t.ok(not os.path.exists(talk.path("made")), "and nothing ran")
    with Bare(act(step(1, "touch made")), say()) as talk:
        to_session(talk)
        talk.editor.close()
        talk.editor = talk.start()
        talk.editor.start("initialize", {"protocolVersion": 1})
        talk.editor.start("session/load", {
            "sessionId": talk.session, "cwd": talk.place.work,
            "mcpServers": []})
        turn = talk.editor.prompt(talk.session, "do it")
        talk.editor.notify("$/cancel_request", {"requestId": turn})
        t.is_(talk.editor.wait(turn), {"stopReason": "cancelled"},
              "so does a cancel of the request")
        t.ok(not os.path.exists(talk.path("made")), "and nothing ran either")


if __name__ == "__main__":
    run_all(at_every_stage, killed_at_every_stage, while_nobody_reads,
            many_turns_end_together, prompts_after_the_signal,
            answers_what_was_asked, answers_while_it_looks_for_a_model,
            an_output_that_takes_nothing,
            closes_and_deletes, loads_under_a_turn, answers_to_permissions,
            errors_for_permissions, servers_that_are_bad, cancels_at_once)
