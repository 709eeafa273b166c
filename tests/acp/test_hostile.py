#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test_hostile.py - one bad session, model or reader harms no other."""

import json
import os
import random
import select
import signal
import subprocess
import time

from hostile import (SANITIZED, Crowd, act, descriptors, is_well,
                     keeps_descriptors, pour, resident, run_all, say, step,
                     verified)

import home  # noqa: E402
import tap  # noqa: E402
from fault.script import Script, parse_item  # noqa: E402

GOOD = ["a", "b", "c", "d", "e", "f", "g"]
ROOM = (512 if SANITIZED else 160) << 20  # bytes that one reader may cost


def good_lists(rounds=1):
    """Each looks around in its directory, and waits for nothing else."""
    look = act(step(1, "pwd; ls; echo here > mine; sleep 0.2"))
    return {name: [look, say("Done %s." % name)] * rounds for name in GOOD}


def allow_all(talk):
    for session in talk.sessions.values():
        talk.editor.request("session/set_mode", {"sessionId": session,
                                                 "modeId": "auto"})


def check_good(t, talk, what):
    ends = talk.end(*GOOD)
    t.is_(ends, dict.fromkeys(GOOD, "end_turn"),
          "%s: the others end as usual" % what, talk.shown("a")[:2000])
    wrong = [n for n in GOOD if talk.path(n) not in talk.shown(n) or any(
        talk.path(o) in talk.shown(n) for o in talk.sessions if o != n)]
    t.is_(wrong, [], "%s: each sees its own directory only" % what)
    t.is_([n for n in GOOD if not os.path.exists(talk.path(n + "/mine"))],
          [], "%s: and writes there" % what)


def with_bad_one(t, what, answers, attack):
    lists = {**good_lists(), "bad": answers}
    with Crowd(lists) as talk:
        allow_all(talk)
        talk.begin()
        attack(talk)
        check_good(t, talk, what)
        talk.editor.notify("session/cancel",
                           {"sessionId": talk.sessions["bad"]})
        t.ok(talk.end("bad")["bad"] in ("cancelled", "end_turn", -32603),
             "%s: the bad one ends" % what, str(talk.end("bad")))
        is_well(t, talk, "%s: the agent is well" % what)


def a_model_that_never_answers(t):
    with_bad_one(t, "no answer", [{"fault": "hang"}], lambda talk: None)


def a_step_that_floods(t):
    def attack(talk):
        talk.editor.until(lambda: "yes-yes" in talk.shown("bad"))
        t.ok(resident(talk.editor.child.pid) < ROOM, "a flood costs little",
             resident(talk.editor.child.pid))
    with_bad_one(t, "a flood", [act(step(1, "yes yes-yes")), say()], attack)


def a_session_that_cancels(t):
    chance = random.Random(7)

    def attack(talk):
        bad = talk.sessions["bad"]
        for _ in range(60):
            talk.editor.notify("session/cancel", {"sessionId": bad})
            talk.editor.until(lambda: False, chance.random() / 50)
            if talk.turns["bad"] in talk.editor.answers:
                talk.begin("bad")
    with_bad_one(t, "cancels", [act(step(1, "echo one; sleep 0.05"))], attack)


def processes_that_are_killed(t):
    def mine(talk):
        return [pid for pid, name in talk.place.left().items()
                if "sleep 77" in name]

    def attack(talk):
        t.ok(tap.poll(lambda: talk.editor.read(0.01) or mine(talk)),
             "a step runs")
        for pid in mine(talk):
            os.kill(pid, signal.SIGKILL)
    with_bad_one(t, "kills", [act(step(1, "sleep 77")), say()], attack)


def the_model_process_is_killed(t):
    lists = {name: [{"fault": "hang"}, say("Again.")] for name in GOOD + ["h"]}
    with Crowd(lists) as talk:
        talk.begin()
        tap.poll(lambda: talk.editor.read(0.01) or
                 len(talk.server.requests) == len(lists))
        pids = [pid for pid, name in home.children(
            talk.editor.child.pid).items() if "agentsh-model" in name]
        t.is_(len(pids), 1, "eight turns share a model process")
        for pid in pids:
            os.kill(pid, signal.SIGKILL)
        ends = talk.end(*lists)
        t.ok(None not in ends.values(), "each turn ends with it", str(ends))
        talk.begin()
        t.is_(talk.end(*lists), dict.fromkeys(lists, "end_turn"),
              "and the next prompts are answered by another")


def variables_are_not_shared(t):
    lists = {n: [act(step(1, "export LEAK=%s; cd /; echo was=$WAS" % n)),
                 act(step(1, "echo leak=[$LEAK]; pwd")), say()]
             for n in ("a", "b")}
    with Crowd(lists) as talk:
        talk.begin()
        talk.end("a", "b")
        for name in ("a", "b"):
            t.ok("leak=[]" in talk.shown(name) and
                 talk.path(name) in talk.shown(name),
                 "a step leaves no variable and no directory behind",
                 talk.shown(name))


def a_reader_that_stops(t):
    """It is not read for some seconds; the agent waits in little memory, and
    goes on where it was."""
    with Crowd({"a": [act(step(1, "seq 1 3000000")), say("End.")]}) as talk:
        talk.begin("a")
        talk.editor.until(lambda: "in_progress" in talk.shown("a"))
        pid = talk.editor.child.pid
        before = descriptors(pid)
        line = b'{"jsonrpc":"2.0","id":"x","method":"session/list"}\n'
        written = 0
        fd = talk.editor.child.stdin.fileno()
        os.set_blocking(fd, False)
        end = time.monotonic() + 3
        while time.monotonic() < end:
            try:
                written += os.write(fd, line * 100)
            except BlockingIOError:
                select.select((), (fd,), (), max(0, end - time.monotonic()))
        os.set_blocking(fd, True)
        t.ok(written < 8 << 20, "what it sends is not read either", written)
        t.ok(resident(pid) < ROOM, "a reader that stops costs little memory",
             resident(pid))
        keeps_descriptors(t, pid, before, 8, "and few descriptors")
        rest = len(line) - written % len(line)
        talk.editor.until(lambda: False, 0.5)
        talk.editor.send(line[-rest:] if rest < len(line) else b"\n")
        t.is_(talk.end("a")["a"], "end_turn", "it goes on when it is read")


def a_closed_output(t):
    with Crowd({"a": [act(step(1, "sleep 77"))]}) as talk:
        talk.begin("a")
        talk.editor.until(lambda: "in_progress" in talk.shown("a"))
        talk.editor.child.stdout.close()
        t.ok(tap.poll(lambda: not talk.place.left()),
             "an output that nobody can read ends all", talk.place.left())
        talk.editor.child.stdout = open(os.devnull, "rb")


def an_unread_log(t):
    """Standard error is a full pipe: nothing waits for it."""
    with Crowd({"a": [say("Hello.")]}) as talk:
        talk.editor.close()
        r, w = os.pipe()
        os.set_blocking(w, False)
        try:
            while True:
                os.write(w, b"x" * 4096)
        except BlockingIOError:
            pass
        os.set_blocking(w, True)
        place = talk.place
        child = subprocess.Popen(
            [home.program("agentsh"), "acp"], cwd=place.work,
            env={**place.env, "AGENTSH_PROVIDER": "openai",
                 "AGENTSH_MODEL": "m"},
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=w, bufsize=0)
        os.set_blocking(child.stdout.fileno(), False)
        talk.editor.child = child
        child.stderr = os.fdopen(os.open(os.devnull, os.O_RDONLY), "rb")
        talk.editor.initialize()
        wrong = {"name": "x", "command": "/nowhere", "args": [], "env": []}
        session = talk.editor.request("session/new", {
            "cwd": place.work, "mcpServers": [
                {**wrong, "name": "n%d" % i} for i in range(5)]})["sessionId"]
        end = talk.editor.request("session/prompt", {
            "sessionId": session, "prompt": [
                {"type": "text", "text": "topic-a"}]})
        t.is_(end, {"stopReason": "end_turn"}, "an unread log delays nothing")
        t.is_(talk.editor.close(), 0, "nor the end")
        os.close(r)
        os.close(w)
        talk.editor = talk.start()


def a_flood_of_requests(t):
    with Crowd({"a": [say("Hello.")]}) as talk:
        pid = talk.editor.child.pid
        count = 20000 if SANITIZED else 100000
        before = resident(pid)
        answered = []
        talk.editor.take = lambda m: answered.append(
            m.get("error", {}).get("code"))
        data = b"".join(
            b'{"jsonrpc":"2.0","id":%d,"method":"no/such"}\n' % (1000 + i)
            for i in range(count))
        t.ok(pour(talk.editor, data), "a flood of unknown methods is read")
        talk.editor.until(lambda: len(answered) >= count, 60)
        t.ok(len(answered) == count and set(answered) == {-32601},
             "each is answered", "%d of %d" % (len(answered), count))
        t.ok(resident(pid) - before < ROOM // 4, "and leaves nothing behind",
             "%d, then %d" % (before, resident(pid)))
        del talk.editor.take
        for method, params in (
                ("session/cancel", {"sessionId": talk.sessions["a"]}),
                ("session/cancel", {"sessionId": "0" * 32}),
                ("$/cancel_request", {"requestId": 77}),
                ("no/such", {}), ("session/prompt", {}), ("initialize", {})):
            for _ in range(1000):
                talk.editor.notify(method, params)
        talk.begin("a")
        t.is_(talk.end("a"), {"a": "end_turn"},
              "a thousand cancels cancel nothing that comes later")


def many_sessions(t):
    with Crowd({"a": [say("Hello.")]}) as talk:
        pid = talk.editor.child.pid
        made, before = [], descriptors(pid)
        while len(made) < 300:
            answer = talk.editor.request("session/new", {
                "cwd": talk.place.work, "mcpServers": []})
            if "sessionId" not in answer:
                break
            made.append(answer["sessionId"])
        t.is_(len(made), 255, "sessions have a bound", json.dumps(answer))
        for session in made:
            talk.editor.request("session/close", {"sessionId": session})
        keeps_descriptors(t, pid, before, 2,
                          "a session that is closed leaves no descriptor behind")
        talk.begin("a")
        t.is_(talk.end("a"), {"a": "end_turn"}, "the first one still works")


def anything_at_any_time(t):
    """Eight sessions, and whatever an editor may send, by chance. The seed and
    the number of messages may be given: HOSTILE_SEED, HOSTILE_COUNT."""
    chance = random.Random(int(os.environ.get("HOSTILE_SEED", "1")))
    names = GOOD + ["h"]
    answers = [act(step(1, "echo one; sleep 0.02"), step(2, "rm -f x")),
               say(), {"fault": "hang"}, act(step(1, "touch x")),
               {"text": "no JSON {"}, act(step(1, "yes | head -c 300000")),
               {"fault": "reset"}, say("More.")]

    class Chance(Script):
        """Any of the answers."""

        def next(self, wire, request):
            row, number, base = parse_item(chance.choice(answers))
            base.model = "m"
            return row, number, base

    with Crowd({name: answers for name in names}) as talk:
        talk.server.script = Chance()
        questions = []
        talk.editor.permit = lambda p: questions.append(p)

        def params(name):
            return {"sessionId": talk.sessions[name], "mcpServers": [],
                    "cwd": talk.path(name)}

        def answer(name):
            if talk.editor.asked:
                talk.editor.answer_permission(
                    chance.choice(talk.editor.asked)["id"], chance.choice(
                        ["allow_once", "allow_always", "reject_once", "x"]))
            del name

        def remake(name):
            talk.editor.start("session/" + chance.choice(
                ["close", "delete"]), params(name))
            talk.sessions[name] = talk.editor.new(talk.path(name))

        acts = [talk.begin, talk.begin, talk.begin, answer, answer, answer,
                lambda n: talk.editor.notify("session/cancel", params(n)),
                lambda n: talk.editor.notify("$/cancel_request", {
                    "requestId": talk.turns.get(n)}),
                lambda n: talk.editor.start("session/close", params(n)),
                lambda n: talk.editor.start("session/load", params(n)),
                lambda n: talk.editor.start("session/resume", params(n)),
                lambda n: talk.editor.start("session/set_mode", {
                    **params(n), "modeId": chance.choice(
                        ["ask", "auto", "read-only"])}), remake]
        count = int(os.environ.get("HOSTILE_COUNT", "200"))
        for _ in range(count):
            chance.choice(acts)(chance.choice(names))
            talk.editor.until(lambda: False, chance.random() / 100)
        for name in names:
            talk.editor.start("session/close", params(name))
        t.ok(talk.editor.until(lambda: all(
            n in talk.editor.answers for n in range(1, talk.editor.next + 1))),
             "each request has an answer", str([
                 n for n in range(1, talk.editor.next + 1)
                 if n not in talk.editor.answers]))
        is_well(t, talk, "the agent is well after %d messages" % count)
        mine = {talk.editor.child.pid}
        t.ok(tap.poll(lambda: not [
            n for p, n in talk.place.left().items() if p not in mine
            and "agentsh-model" not in n and "plugins/" not in n]),
             "and nothing runs", talk.place.left())
        t.is_(talk.editor.close(), 0, "it ends")
        whole, said = verified(talk.place)
        t.ok(whole, "the journal is whole", said)
        talk.editor = talk.start()


if __name__ == "__main__":
    run_all(a_model_that_never_answers, a_step_that_floods,
            a_session_that_cancels, processes_that_are_killed,
            the_model_process_is_killed, variables_are_not_shared,
            a_reader_that_stops, a_closed_output, an_unread_log,
            a_flood_of_requests, many_sessions, anything_at_any_time)
