#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""soak.py - an agent that answers for long: its memory and descriptors.

    top_builddir=build tests/acp/soak.py 10000           the offline engine
    top_builddir=build tests/acp/soak.py 2000 model      a model that proposes
                                                         a step each time

It prints what the agent and its model process use at each tenth of the turns,
at most a thousand apart. Not a part of make check: it takes long.
"""

import sys
import time

from editor import Editor
from hostile import Talk, act, descriptors, resident, say, step

import home  # noqa: E402
from fault.script import Script, parse_item  # noqa: E402

SESSIONS = 4
KIB = 1024


class Steps(Script):
    """A step for each request, and then the end."""

    def next(self, wire, request):
        last = request.json["messages"][-1]["content"]
        return parse_item(act(step(1, "echo one; echo two >&2"))
                          if last.endswith("do it\n") else say())


def processes(talk):
    """The agent, and what it has started."""
    agent = talk.editor.child.pid
    return {"agent": agent, **{
        name.split()[0].rpartition("/")[2]: pid
        for pid, name in home.children(agent).items() if name}}


def report(talk, turns, begun):
    parts = ["%s %d KiB, %s descriptors" % (
        name, resident(pid) // KIB, descriptors(pid))
        for name, pid in sorted(processes(talk).items())]
    print("%6d turns, %5.0f s: %s" % (turns, time.monotonic() - begun,
                                     "; ".join(parts)), flush=True)


def forget(talk):
    """What the test itself keeps of the talk."""
    talk.editor.updates.clear()
    talk.editor.answers.clear()
    talk.editor.calls.clear()
    talk.server.requests.clear()


def soak(talk, turns, text):
    sessions = [talk.editor.new() for _ in range(SESSIONS)]
    begun = time.monotonic()
    every = max(1, min(1000, turns // 10))
    report(talk, 0, begun)
    for n in range(0, turns, SESSIONS):
        pending = [talk.editor.prompt(s, text) for s in sessions]
        for turn in pending:
            end = talk.editor.wait(turn, 60)
            if end != {"stopReason": "end_turn"}:
                raise SystemExit("turn %d: %s" % (n, end))
        if (n + SESSIONS) % every < SESSIONS:
            report(talk, n + SESSIONS, begun)
        forget(talk)


def main():
    turns = int(sys.argv[1])
    with_model = sys.argv[2:] == ["model"]
    with Talk(say()) as talk:
        if with_model:
            talk.server.script = Steps()
            soak(talk, turns, "do it")
        else:
            talk.editor.close()
            talk.editor = Editor(talk.place, AGENTSH_PROVIDER="offline")
            talk.editor.initialize()
            soak(talk, turns, "show the disk usage of this directory")


if __name__ == "__main__":
    main()
