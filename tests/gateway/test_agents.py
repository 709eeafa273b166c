#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test_agents.py - agents of the gateway: their sessions, turns, questions and
ends, in each protocol that it speaks."""

import contextlib
import json
import os
import sys

from probe import HERE, Probe, fake_type

sys.path.insert(0, os.path.join(HERE, "..", "acp"))
sys.path.insert(0, os.path.join(HERE, "..", "tty"))

import home  # noqa: E402
import tap  # noqa: E402
from talk import Talk, act, say, step  # noqa: E402

SHELL_TYPES = """
[bash]
command = bash %s/bash_agent.sh --acp
readable = %s
[old]
command = sh %s/old_agent.sh
readable = %s
[wrong]
command = bash %s/bash_agent.sh
readable = %s
""" % ((HERE,) * 6)


def nothing_is_left(t, place, name):
    t.ok(tap.poll(lambda: not place.left(True)), name, str(place.left(True)))


def the_public_protocol(t):
    with home.Home() as place, \
            Probe(place, "fake", types=fake_type("fake")) as probe:
        ready = probe.until("ready")
        t.is_(ready and ready["session"], "s1", "it gets a session")
        t.ok("fake_agent.py" in ready["command"], "its command is told")
        turn = probe.prompt("work")
        t.is_(probe.kinds(), ["content", "content", "toolCall", "toolCall",
                              "update", "content", "result"],
              "each update is an event of its kind")
        t.is_(probe.text(), "HelloDone.", "texts are whole")
        t.is_(probe.data("toolCall")[1]["status"], "completed",
              "a tool call is as it came")
        t.is_(probe.data("result"), [{
            "success": True, "sessionId": "s1", "summary": "Done.",
            "stopReason": "end_turn",
            "usage": {"inputTokens": 5, "outputTokens": 6}}],
            "the end of the turn is a result")
        told = {k: v for k, v in turn.items() if k not in ("event", "ms")}
        t.is_(told, {"success": True, "stop_reason": "end_turn",
                     "summary": "Done.", "tokens_in": 5, "tokens_out": 6,
                     "cost": 0.25}, "and told with what it used")
        t.is_(probe.prompt("refuse")["success"], False, "a refusal is none")
        fail = probe.prompt("fail")
        t.is_((fail["success"], fail["summary"]), (False, "no luck"),
              "an error ends the turn")
        t.is_(probe.data("error"), [{"message": "no luck", "code": -32603}],
              "and is an event")
        probe.tell("stop")
        t.is_(probe.until("ended")["why"], None, "it ends as asked")
        nothing_is_left(t, place, "and nothing of it is left")
        t.is_(os.listdir(os.path.join(place.env["XDG_RUNTIME_DIR"], "agentsh",
                                      "agents")), [], "nor its socket")


def what_it_may_not_send(t):
    with home.Home() as place, \
            Probe(place, "fake", types=fake_type("fake")) as probe:
        probe.until("ready")
        turn = probe.prompt("methods")
        t.is_(turn["success"], True, "strange messages end nothing")
        t.is_(probe.text(), "code -32601code -32602",
              "requests that are not known are refused")
        t.ok({"sessionUpdate": "made_up_update", "deep": {"a": 1}} in
             probe.data("update"), "an unknown update is passed on")
        t.is_(len(probe.data("log")), 4, "what is no message is a log",
              str(probe.data("log")))
        turn = probe.prompt("flood")
        words = probe.text().split("-32602")[1].split()
        t.is_(words, [str(n) for n in range(20000)],
              "20,000 pieces come, in order")
        probe.prompt("large")
        t.ok("left out" in probe.data("toolCall")[-1]["message"],
             "what is too large for an event is told by its size")
        probe.tell("prompt too_large")
        t.is_(probe.until("ended")["why"],
              "the agent wrote a line of more than 4 MiB",
              "a line that is too large ends it, and it is said")


def a_prompt_at_its_end(t):
    with home.Home() as place, \
            Probe(place, "fake", types=fake_type("fake")) as probe:
        probe.until("ready")
        probe.prompt("end_too_large")
        with contextlib.suppress(BrokenPipeError):  # the end was faster
            probe.tell("prompt work")
        t.is_(probe.until("ended")["why"], "the agent has ended: it wrote a "
              "line of more than 16 MiB", "it is said why an agent ends")
        t.is_(len([x for x in probe.lines if x["event"] == "turn_ended"]), 1,
              "a prompt that comes meanwhile fails by that alone")


def questions(t):
    with home.Home() as place, \
            Probe(place, "fake", types=fake_type("fake")) as probe:
        probe.until("ready")
        probe.tell("prompt question")
        asks = probe.until("asks")
        t.is_(asks["data"]["title"], "Remove old", "a question is asked")
        t.is_([o["optionId"] for o in asks["data"]["options"]], ["yes", "no"],
              "with its options")
        t.is_(asks["data"]["request_id"], asks["request"], "and its id")
        probe.tell("answer nonsense yes")
        probe.tell("answer %s yes" % asks["request"])
        probe.tell("answer %s no" % asks["request"])
        probe.until("turn_ended")
        t.is_(probe.text(), 'got {"outcome": {"optionId": "yes", '
              '"outcome": "selected"}}', "and answered once")
        probe.tell("prompt question")
        second = probe.until("asks", 2)["request"]
        t.ok(second != asks["request"], "each has an id of its own")
        probe.tell("answer %s perhaps" % second)
        probe.until("turn_ended", 2)
        t.ok(probe.text().endswith('got {"outcome": {"outcome": "cancelled"}}'),
             "no option of its is a cancel", probe.text())
        probe.prompt("take_back")
        t.is_(probe.until("withdrawn")["request"],
              probe.until("asks", 3)["request"],
              "one that is taken back is withdrawn")


def cancels(t):
    with home.Home() as place, \
            Probe(place, "fake", "--cancel", "500", "--silent", "60000",
                  types=fake_type("fake")) as probe:
        probe.until("ready")
        for count, word in ((1, "obey"), (2, "ask_and_obey")):
            probe.tell("prompt " + word)
            probe.until("asks" if word != "obey" else "event")
            probe.tell("cancel")
            probe.until("turn_ended", count)
        first, second = (probe.until("turn_ended", n) for n in (1, 2))
        t.is_([first["stop_reason"], second["stop_reason"]],
              ["cancelled"] * 2, "a turn is cancelled")
        t.ok(probe.until("withdrawn"), "with its question")
        t.ok('kinds ["cancelled", "session/cancel"]' in probe.text(),
             "which the agent is told", probe.text())
        probe.tell("prompt ignore")
        t.ok(tap.poll(lambda: probe.read(1) and "deaf" in probe.text()),
             "another is deaf")
        probe.tell("cancel")
        end = probe.until("ended")
        t.ok("stuck" in end["why"] and not end["safe"],
             "it is stuck, and ended", str(end))
        t.ok("stuck" in probe.data("error")[-1]["message"], "which is said")
        nothing_is_left(t, place, "nothing of it is left")


def silence_and_crashes(t):
    with home.Home() as place, \
            Probe(place, "fake", "--silent", "400", "--variable",
                  "SECRET=it hurts", types=fake_type("fake", "child")) as probe:
        probe.until("ready")
        probe.tell("prompt question")
        asks = probe.until("asks")
        probe.read(0.8)
        t.is_([x["event"] for x in probe.lines if x["event"] == "ended"], [],
              "who waits for an answer is not silent")
        probe.tell("answer %s no" % asks["request"])
        probe.until("turn_ended")
        probe.tell("prompt sleep")
        end = probe.until("ended")
        t.ok("silent" in end["why"] and not end["safe"],
             "who says nothing is, and is ended", str(end))
        nothing_is_left(t, place, "with all that it started")
    with home.Home() as place, \
            Probe(place, "fake", "--variable", "SECRET=hurts",
                  types=fake_type("fake", "child")) as probe:
        probe.until("ready")
        probe.tell("prompt crash")
        end = probe.until("ended")
        t.ok("exit status 3" in end["why"] and not end["safe"],
             "a crash is told with its status", str(end))
        t.is_(probe.data("error")[-1]["details"], "it [secret]",
              "and what it wrote last, without secrets")
        nothing_is_left(t, place, "nothing of it is left")


def it_dies_with_the_gateway(t):
    with home.Home() as place:
        for word in ("fake", "agentsh"):
            probe = Probe(place, word, types=fake_type("fake", "child"))
            probe.until("ready")
            probe.kill()
            nothing_is_left(t, place, "%s: a gateway that is killed leaves "
                            "nothing" % word)
            probe.close()


def sessions(t):
    for words, wanted, got in (
            (("load",), "old", "old"), (("resume",), "old", "old"),
            (("load",), "gone", "s1"), ((), "old", "s1"),
            (("dialect",), "old", "old"), (("dialect",), "gone", "s1")):
        with home.Home() as place, \
                Probe(place, "fake", "--session", wanted,
                      types=fake_type("fake", *words)) as probe:
            ready = probe.until("ready")
            t.is_(ready and ready["session"], got,
                  "%s of %s" % (" ".join(words) or "plain", wanted))
            probe.prompt("refuse")
            t.ok("history" not in probe.text(), "its past is no news")


def it_does_not_start(t):
    types = "".join(fake_type(w, w) for w in ("exit", "login", "new", "mute"))
    for name, why in (("exit", "exit status 4"), ("login", "log in first"),
                      ("new", "version 2"), ("mute", "no session after"),
                      ("wrong", "exit status 2")):
        with home.Home() as place, \
                Probe(place, name, "--start", "4000" if name != "mute"
                      else "700", types=types + SHELL_TYPES) as probe:
            end = probe.until("ended")
            t.ok(end and why in end["why"] and end["safe"],
                 "%s: it is said why, and may be tried again" % name, str(end))
            if name in ("exit", "wrong"):
                details = probe.data("error")[-1].get("details", "")
                t.ok("cannot go on" in details or "is expected" in details,
                     "with what it wrote", details)
            nothing_is_left(t, place, "nothing of it is left")


def the_dialect(t):
    with home.Home() as place, Probe(place, "bash",
                                     types=SHELL_TYPES) as probe:
        t.is_(probe.until("ready")["session"], "bash-1", "bash: a session")
        turn = probe.prompt('say "hi"')
        t.is_(probe.kinds(), ["content", "toolCall", "error", "result"],
              "its four types are events")
        t.is_(probe.text(), 'say "hi"', "its text is as it came")
        t.is_(probe.data("result"), [{"sessionId": "bash-1", "success": True,
                                      "summary": "all done"}],
              "its end is the result")
        t.is_((turn["success"], turn["summary"]), (True, "all done"),
              "which ends the turn")
        probe.tell("prompt wait")
        probe.until("event", 6)
        probe.tell("cancel")
        t.is_(probe.until("turn_ended", 2)["stop_reason"], "cancelled",
              "it ends at a cancel")
        t.is_(probe.until("ended")["why"], None, "which is no fault")
        nothing_is_left(t, place, "nothing of it is left")


def the_older_format(t):
    with home.Home() as place, Probe(place, "old", types=SHELL_TYPES) as probe:
        t.is_(probe.until("ready")["session"], "", "old: no session")
        turn = probe.prompt("ignored")
        t.is_(probe.kinds(), ["status", "progress", "heartbeat", "log", "log",
                              "error", "result"], "each line is its event")
        t.is_(probe.data("progress")[0]["message"], "Do it.",
              "the task is in its environment")
        t.is_((turn["success"], turn["summary"]), (True, "as asked"),
              "its result ends the turn")
        t.is_(probe.prompt("more")["success"], False,
              "it takes no further prompt")


def agentsh_itself(t):
    with Talk(act(step(1, "rm -f old"), summary="Remove it"),
              say("Gone.")) as talk, \
            Probe(talk.place, "missing", AGENTSH_PROVIDER="openai",
                  AGENTSH_MODEL="m",
                  types="[missing]\ncommand = no-such-agent --acp\n") as probe:
        with open(talk.path("old"), "w", encoding="utf-8"):
            pass
        t.is_(probe.until("ready")["command"], "agentsh acp",
              "a program that is not there is agentsh's own agent")
        probe.tell("prompt remove old")
        asks = probe.until("asks")
        t.ok(asks and "rm -f old" in asks["data"]["title"],
             "which asks before it writes", str(asks))
        probe.tell("answer %s allow_once" % (asks and asks["request"]))
        turn = probe.until("turn_ended")
        t.ok(turn and turn["success"] and turn["tokens_in"] > 0,
             "and does it after a yes", json.dumps(turn))
        t.ok(not os.path.exists(talk.path("old")), "it is done")
        t.is_(probe.text(), "Remove itGone.", "its words come")
        probe.tell("stop")
        t.is_(probe.until("ended")["why"], None, "it ends as asked")


def its_run_has_an_end(t, times=4):
    """agentsh itself, stopped while it asks."""
    with home.Home() as place:
        with open(place.path("old.log"), "w", encoding="utf-8"):
            pass
        for _ in range(times):
            with Probe(place, "missing", types="[missing]\n"
                       "command = no-such-agent --acp\n") as probe:
                probe.until("ready")
                probe.tell("prompt /run delete the file old.log")
                probe.until("asks")
                probe.tell("stop")
                probe.until("ended")
        log = place.run([home.program("agentsh"), "log", "-o", "json"]).out
        t.is_([run["outcome"] for run in json.loads(log)["runs"]],
              ["denied"] * times, "its run is over in the journal when it is "
              "stopped in a question")


def main():
    t = tap.Tap()
    for test in (the_public_protocol, what_it_may_not_send, a_prompt_at_its_end,
                 questions, cancels,
                 silence_and_crashes, it_dies_with_the_gateway, sessions,
                 it_does_not_start, the_dialect, the_older_format,
                 agentsh_itself, its_run_has_an_end):
        test(t)
    t.done()


if __name__ == "__main__":
    main()
