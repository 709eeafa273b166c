# SPDX-License-Identifier: GPL-3.0-or-later
"""test_cancel.py - a question that is broken off leaves nothing behind."""

import os
import signal
import time

import faults
import home as places
import tap
from fault.server import Server
from terminal import Terminal

STUCK = ("hang", "stall", "drip", "drip-noise", "rate-seconds=5", "endless")


def asked(server, spec):
    """Has the question for this fault arrived?"""
    return any(r["json"].get("model") == "fault:" + spec
               for r in list(server.requests))


def start(server, place, spec):
    """`ai run` on a terminal, waiting for a server that does not help."""
    there = len(server.requests)
    term = Terminal(place, faults.wish("o", spec))
    tap.poll(lambda: asked(server, spec) and len(server.requests) > there)
    return term


def front_of(place):
    """The process that talks to the person; 0: there is none."""
    for pid, words in place.left(closed=True).items():
        if words.startswith(faults.AI):
            return pid
    return 0


def model_process(place):
    """The front's model process, which knows nothing of our environment."""
    def find():
        for pid, words in places.children(front_of(place)).items():
            if "agentsh-model" in words:
                return pid
        return 0
    return tap.poll(find)


def nobody(place):
    """Nothing of this home is left, whatever its environment says."""
    return tap.poll(lambda: not place.left() and not places.strays(), 5)


def check_interrupt(t, server):
    for spec in STUCK:
        with faults.home_for("o", server.url) as place:
            term = start(server, place, spec)
            at = time.monotonic()
            term.send("\x03")
            status = term.finish()
            took = time.monotonic() - at
            t.is_(status, 130, "Ctrl-C while the server is in %s: exit 130"
                  % spec, term.text())
            t.ok(took < 1.5, "and at once", took)
            t.ok(term.is_sane(), "and the terminal is as it was")
            t.ok(nobody(place), "and nothing runs on", place.left())


def check_model_killed(t, server):
    for spec in ("hang", "stall"):
        with faults.home_for("o", server.url) as place:
            term = start(server, place, spec)
            pid = model_process(place)
            t.ok(pid, "a model process waits for %s" % spec)
            if pid:
                os.kill(pid, signal.SIGKILL)
            status = term.finish()
            t.is_(status, 3, "its death is exit 3", term.text())
            t.ok(term.is_sane() and nobody(place),
                 "and leaves a sane terminal and no process", place.left())
            t.is_(place.read("ran.txt"), "", "and runs nothing")


def check_front_killed(t, server):
    for spec in ("hang", "stall", "drip"):
        with faults.home_for("o", server.url) as place:
            term = start(server, place, spec)
            pid = tap.poll(lambda home=place: front_of(home))
            os.kill(pid, signal.SIGKILL)
            t.is_(term.finish(), 137, "the front is killed during %s" % spec)
            t.ok(nobody(place), "and its model process ends with it",
                 place.left(), places.strays())


def main():
    t = tap.Tap()
    with Server() as server:
        check_interrupt(t, server)
        check_model_killed(t, server)
        check_front_killed(t, server)
    t.done()


if __name__ == "__main__":
    main()
