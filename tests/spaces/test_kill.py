#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test_kill.py - SIGKILL at any moment between a question and its result:
nothing runs twice, and nothing that was approved is lost without a word."""

import collections
import os
import random
import sys
import time

from agent import Agent, answer, create, read, say, shell

import home  # noqa: E402
import tap  # noqa: E402

TIMES = 40  # moments
LONGEST = 0.06  # seconds: a whole answer takes a third of it


def lines(place, name):
    return place.read(name).count("\n")




def outcome(place, run):
    """What a later process says of a run, until it is over."""
    with Agent(place) as agent:
        agent.send(answer(run, "go"))
        return agent.recv()


def one_moment(place, number, seconds):
    """An approval, and the end of its process some time later; what came of
    it: a word and the number of times that the command ran."""
    name = "count%d" % number
    place_file = place.path("x%d" % number)
    with open(place_file, "w", encoding="utf-8"):
        pass
    agent = Agent(place)
    asked = agent.run(say(), shell("echo >> %s; rm x%d" % (name, number),
                                   id="go"),
                      shell("echo >> %s.after" % name, id="after"))
    agent.send(answer(asked["runId"], "go"))
    time.sleep(seconds)  # the moment itself
    agent.child.kill()
    agent.child.wait()
    first = agent.recv(0.2)
    agent.close()
    if first and first["status"] == "completed":
        return "answered", lines(place, name), lines(place, name + ".after")
    later = outcome(place, asked["runId"])
    kinds = [e["type"] for e in later["events"]]
    if later["status"] == "completed" and kinds == ["shell", "shell"]:
        word = "later"
    elif any(e["type"] == "error" and e["category"] == "system" and
             "interrupted" in e["message"] for e in later["events"]):
        word = "interrupted"
    elif later["status"] == "error" and "over" in later["events"][0]["message"]:
        word = "over"
    else:
        word = str(later)
    return word, lines(place, name), lines(place, name + ".after")


def at_any_moment(t):
    seed = int(os.environ.get("FUZZ_SEED") or time.time())
    rng, seen = random.Random(seed), collections.Counter()
    wrong = []
    with home.Home() as place:
        for number in range(len(tap.sample(range(TIMES)))):
            word, ran, after = one_moment(place, number,
                                          rng.uniform(0, LONGEST))
            seen[word] += 1
            if ran > 1 or after > 1 or word not in (
                    "answered", "later", "interrupted", "over") or (
                    word in ("answered", "later") and (ran, after) != (1, 1)):
                wrong.append((number, word, ran, after))
        t.is_(wrong, [], "at %d moments nothing ran twice or got lost: %s, "
              "seed %d" % (sum(seen.values()), dict(seen), seed))
        t.ok(tap.poll(lambda: not place.left()), "no process is left",
             str(place.left()))


def while_it_runs(t):
    with home.Home() as place:
        with open(place.path("x"), "w", encoding="utf-8"):
            pass
        agent = Agent(place)
        asked = agent.run(create("before"), shell("rm x", id="go"),
                          create("between"),
                          shell("echo >> begun; sleep 1000", id="long"),
                          read("between"), say(id="last"))
        agent.send(answer(asked["runId"], "go"))
        t.ok(tap.poll(lambda: lines(place, "begun")), "a command runs")
        agent.kill()
        t.ok(tap.poll(lambda: not place.left()), "it ends with its process",
             str(place.left()))
        with Agent(place) as later:
            later.send(answer(asked["runId"], "go"))
            got = later.recv()
            t.is_([(e["type"], e.get("operationId")) for e in got["events"]],
                  [("shell", "go"), ("createFile", None), ("error", "long"),
                   ("readFile", None), ("message", "last")],
                  "what was done is told, what was interrupted, and the rest "
                  "follows")
            t.is_((got["events"][2]["category"], got["status"]),
                  ("system", "completed"), "as an error of the system")
            t.is_(lines(place, "begun"), 1, "it does not run again")
            later.send(answer(asked["runId"], "go"))
            t.is_(later.recv()["status"], "error", "then the run is over")
            _, said = later.close()
        t.ok(asked["runId"] in said and "interrupted" in said,
             "the log names it", said)


def two_at_once(t):
    """Many answers from many processes: one counts."""
    with home.Home() as place:
        for number in range(5):
            name = "n%d" % number
            with open(place.path("x"), "w", encoding="utf-8"):
                pass
            with Agent(place) as agent:
                run = agent.run(shell("rm x; echo >> %s" % name,
                                      id="go"))["runId"]
            agents = [Agent(place) for _ in range(4)]
            for agent in agents:
                agent.send(answer(run, "go"))
            got = [agent.recv() for agent in agents]
            for agent in agents:
                agent.close()
            t.is_(([m["status"] for m in got].count("completed"),
                   lines(place, name)), (1, 1),
                  "of four answers at once one counts")


def main():
    t = tap.Tap()
    at_any_moment(t)
    while_it_runs(t)
    two_at_once(t)
    t.done()


if __name__ == "__main__":
    sys.exit(main())
