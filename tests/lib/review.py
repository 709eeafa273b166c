# SPDX-License-Identifier: GPL-3.0-or-later
"""review.py - saved plans, and keys pressed at the questions about them."""

import json

import home
import tap
import terminal

AI = home.program("ai")
MENU = "uit"  # of the last key; its first letter is styled
# How it says where a step that writes can write.
SANDBOX = ("sandbox: " + ("" if tap.is_here("namespaces") else
                          "reduced: no namespaces here; ") +
           "writes only in this directory, no network")


def step(number, command, **more):
    return {"id": str(number), "description": "Step %d" % number,
            "shell_command": command, **more}


def save(h, *steps, name="plan.json"):
    with open(h.path(name), "w", encoding="utf-8") as out:
        json.dump({"kind": "plan_and_commands", "summary": "A test",
                   "steps": list(steps)}, out)
    return h.path(name)


def review(h, *steps, keys=(), options=(), finish=True, cols=80, before=(),
           **env):
    """Shows the plan and presses keys, each when its text was seen. before:
    words that start the program."""
    term = terminal.Terminal(
        h, [*before, AI, "do", "--plan", save(h, *steps), *options], cols=cols, **env)
    for text, key in keys:
        if not term.wait_for(text):
            break
        term.send(key)
    return (term, term.finish()) if finish else (term, None)
