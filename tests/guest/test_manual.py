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


def runs_of(block):
    """Messages to the agent, each with those that it sends then."""
    for head, told in manual.messages(block):
        if head == ">":
            sent, back = told, []
            yield sent, back
        else:
            back.append(told)


def converse(t, place, block):
    """A display is one conversation: each begins with a new agent. A
    notification may come before or after an answer."""
    names = manual.Names(place, "")
    with agent.Agent(place) as a:
        for sent, back in list(runs_of(block)):
            a.write(agent.json.dumps(sent).encode() + b"\n")
            left = list(back)
            for _ in back:
                seen = a.next()
                fits = [told for told in left if names.fit(told, seen)]
                t.ok(fits, "it sends what is told: %s" %
                     manual.short(left[0]), seen)
                left.remove((fits or left)[0])
        t.is_(a.close(), 0, "and it sends nothing else")


def main():
    t = tap.Tap()
    with open(manual.PAGE, encoding="utf-8") as page:
        text = manual.section(page.read(), "THE GUEST AGENT")
    with home.Home() as place:
        for block in manual.literals(text):
            if list(manual.messages(block)):
                converse(t, place, block)
    t.done()


if __name__ == "__main__":
    sys.exit(main())
