# SPDX-License-Identifier: GPL-3.0-or-later
"""test_manual.py - the conversations with a guest agent in agentsh-protocols(7)
take place as they stand there."""

import importlib.util
import os
import sys

import agent

import home  # noqa: E402
import tap  # noqa: E402

ACP = os.path.join(home.SRCDIR, "tests", "acp")
sys.path.insert(0, ACP)
spec = importlib.util.spec_from_file_location(
    "acp_manual", os.path.join(ACP, "test_manual.py"))
manual = importlib.util.module_from_spec(spec)
spec.loader.exec_module(manual)


def converse(t, place, block):
    """A display is one conversation: each begins with a new agent."""
    names = manual.Names(place, "")
    with agent.Agent(place) as a:
        for head, told in manual.messages(block):
            if head == ">":
                a.write(agent.json.dumps(told).encode() + b"\n")
                continue
            seen = a.next()
            t.ok(names.fit(told, seen), "it sends %s" % manual.short(told),
                 seen)
        t.is_(a.close(), 0, "and it sends nothing else")


def main():
    t = tap.Tap()
    with open(manual.PAGE, encoding="utf-8") as page:
        text = page.read().split(".Sh THE GUEST AGENT")[1]
    with home.Home() as place:
        for block in manual.literals(text):
            if list(manual.messages(block)):
                converse(t, place, block)
    t.done()


if __name__ == "__main__":
    sys.exit(main())
