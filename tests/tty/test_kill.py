# SPDX-License-Identifier: GPL-3.0-or-later
"""test_kill.py - whoever is killed in the middle of a step, all of it ends."""

import json
import os
import signal
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))

import home
import tap
import terminal

AI = home.program("ai")
MENU = "uit"
# Something in the shell's own group, something that left it.
COMMAND = "setsid sleep 1000 & sleep 1001"


def start(h):
    plan = h.path("plan.json")
    with open(plan, "w", encoding="utf-8") as out:
        json.dump({"kind": "command_sequence", "summary": "Wait", "steps": [
            {"id": "1", "description": "Wait", "shell_command": COMMAND}]},
            out)
    term = terminal.Terminal(h, [AI, "do", "--plan", plan])
    term.wait_for(MENU)
    term.send("r")
    tap.poll(lambda: sum(name.startswith("sleep")
                         for name in h.left(closed=True).values()) == 2)
    return term


VICTIMS = (
    ("the front", ("do --plan", "/ai "), ("sh -c",)),
    ("the launcher", ("agentsh-launch",), ()),
    ("the tool", ("plugins/cmd.run/cmd.run",), ("agentsh-launch",)),
    ("the shell", ("bash --noprofile",), ()),
)


def victim(h, words, without):
    for pid, name in h.left(closed=True).items():
        if all(w in name for w in words) and not any(
                w in name for w in without) and "trap : INT" not in name:
            return pid
    return 0


def sleepers(h):
    return [pid for pid, name in h.left(closed=True).items()
            if name.startswith("sleep")]


def main():
    t = tap.Tap()
    for name, words, without in VICTIMS:
        with home.Home() as h:
            term = start(h)
            pid = victim(h, words, without)
            if not t.ok(pid > 0, name + " was found", h.left(closed=True)):
                continue
            os.kill(pid, signal.SIGKILL)
            title = "after a SIGKILL of %s nothing goes on" % name
            if name == "the launcher" and not tap.is_here("namespaces"):
                t.skip(title, "needs namespaces")
                for left in sleepers(h):
                    os.kill(left, signal.SIGKILL)
            else:
                t.ok(tap.poll(lambda: not sleepers(h), 10), title, h.left(closed=True))
            if name != "the front":
                term.wait_for(MENU)
                term.send("q")
                t.is_(term.finish(), 1, "the front says so, and exits with 1",
                      term.text())
                t.ok(term.is_sane(), "the terminal is sane")
    t.done()


main()
