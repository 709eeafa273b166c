# SPDX-License-Identifier: GPL-3.0-or-later
"""test_log.py - what a person decided is in the journal, and ai log fits the
screen."""

import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))

import home
import tap
import terminal

AI = home.program("ai")
MENU = "uit"
COLUMNS, ROWS = 60, 8


def write_plan(h, *commands):
    path = h.path("plan.json")
    with open(path, "w", encoding="utf-8") as out:
        json.dump({"kind": "plan_and_commands", "summary": "Try", "steps": [
            {"id": str(i), "description": "Step", "shell_command": c}
            for i, c in enumerate(commands, 1)]}, out)
    return path


def decide(h, plan, *keys):
    """Runs the plan with the keys, one for each question."""
    term = terminal.Terminal(h, [AI, "do", "--plan", plan])
    for key in keys:
        term.wait_for(MENU)
        term.send(key)
    return term.finish()


def newest(h):
    """The newest run's events: (kind, event)."""
    run = json.loads(h.run([AI, "log", "-n", "1", "-o", "jsonl"]).out)
    lines = h.run([AI, "log", "-o", "jsonl", run["run"]]).out.splitlines()
    return run, [(r["kind"], r["event"]) for r in map(json.loads, lines)]


def listed(h, status):
    """How many runs have that status."""
    out = h.run([AI, "log", "--status", status, "-n", "100", "-o", "jsonl"]).out
    return len(out.splitlines())


def kinds(events):
    return [kind for kind, _ in events]


def main():
    t = tap.Tap()
    with home.Home() as h:
        plan = write_plan(h, "echo one", "echo two")
        decide(h, plan, "r")
        run, events = newest(h)
        decision = dict(events).get("decision", {})
        t.ok(decision.get("by") == "person" and
             decision.get("verdict") == "run", "a yes is kept", events)
        t.ok(kinds(events) == ["request", "plan", "decision", "step",
                               "result", "step", "result", "end"],
             "each event is there, in its order", kinds(events))
        t.ok(run["outcome"] == "done" and run["steps"] == 2,
             "the list says how it ended", run)

        decide(h, plan, "q")
        run, events = newest(h)
        t.ok(dict(events)["decision"]["verdict"] == "quit" and
             "step" not in kinds(events), "a no is kept", events)
        t.ok(run["outcome"] == "denied", "the list says that too", run)

        plan = write_plan(h, "sleep 100")
        term = terminal.Terminal(h, [AI, "do", "--plan", plan])
        term.wait_for(MENU)
        term.send("r")
        tap.poll(lambda: any("sleep" in name for name in h.left().values()))
        term.send("\x03")
        term.finish()
        run, events = newest(h)
        t.ok(run["outcome"] == "interrupted", "Ctrl-C is kept", run)
        t.ok(listed(h, "stopped") == 1 and listed(h, "failed") == 0,
             "and is no failure", h.run([AI, "log"]).out)

        plan = write_plan(h, "echo one")
        term = terminal.Terminal(h, [AI, "do", "--plan", plan])
        term.wait_for(MENU)
        terminal.hang_up(term.child, force=False)
        tap.poll(lambda: listed(h, "stopped") == 2)
        t.ok(listed(h, "stopped") == 2 and listed(h, "failed") == 0,
             "nor is a terminal that was closed", h.run([AI, "log"]).out)

        before = listed(h, "denied")
        decide(h, plan, "i")
        run, events = newest(h)
        t.ok(listed(h, "denied") == before and listed(h, "shown") == 1,
             "what was put on the person's own prompt was not denied", events)

        for i in range(ROWS + 3):
            h.run([AI, "explain", "--offline", "ls -l " + "x" * 100 + str(i)])
        term = terminal.Terminal(h, [AI, "log"], rows=ROWS, cols=COLUMNS)
        term.finish()
        lines = [line for line in term.text().splitlines()
                 if line.strip()]
        t.ok(0 < len(lines) < ROWS and
             all(len(line) <= COLUMNS for line in lines),
             "the list fits the screen", lines)
        checked = h.run([AI, "log", "--verify"])
        t.ok(checked.status == 0, "the chain holds", checked.out)
    t.done()


if __name__ == "__main__":
    main()
