#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test_manual.py - the messages of agentsh-protocols(7) about Agent Spaces take
place as they stand there.

A line begins with "spaces> " (to agentsh) or "spaces< " (from it), and goes on
in lines that begin with blanks. "..." fits anything; RUN and a number is what
it was the first time.
"""

import json
import os
import re
import sys

from agent import Agent

import home  # noqa: E402
import tap  # noqa: E402

PAGE = os.path.join(home.SRCDIR, "man", "agentsh-protocols.7")


def messages(text):
    """("<" or ">", message) of all displays of the page."""
    for block in re.findall(r"^\.Bd -literal.*?\n(.*?)^\.Ed$", text,
                            re.MULTILINE | re.DOTALL):
        for head, rest in re.findall(r"^spaces([<>]) (.*(?:\n .*)*)",
                                     block.replace("\\e", "\\"), re.MULTILINE):
            yield head, json.loads("".join(line.strip()
                                           for line in rest.split("\n")))


def fits(told, seen, known):
    if told == "...":
        return True
    if isinstance(told, dict):
        return isinstance(seen, dict) and told.keys() == seen.keys() and \
            all(fits(told[k], seen[k], known) for k in told)
    if isinstance(told, list):
        return isinstance(seen, list) and len(told) == len(seen) and \
            all(fits(a, b, known) for a, b in zip(told, seen))
    if isinstance(told, str) and re.fullmatch(r"RUN\d+", told):
        return known.setdefault(told, seen) == seen
    return told == seen


def main():
    t = tap.Tap()
    with open(PAGE, encoding="utf-8") as page:
        told = list(messages(page.read()))
    t.ok(len(told) > 6, "the page has messages")
    known = {}
    with home.Home() as place, Agent(place) as agent:
        for head, message in told:
            if head == ">":
                text = json.dumps(message)
                for name, run in known.items():
                    text = text.replace(name, run)
                agent.send(json.loads(text))
                continue
            seen = agent.recv()
            t.ok(fits(message, seen, known), "it sends %.60s" %
                 json.dumps(message), json.dumps(seen))
        t.is_(agent.close()[0], 0, "and nothing else")
    t.done()


if __name__ == "__main__":
    sys.exit(main())
