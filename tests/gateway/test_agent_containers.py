#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test_agent_containers.py - an agent in a container, whose entry point is
agentctl, of an image that is built from files of this machine.

Skipped where podman builds or runs none.
"""

import os

import box
from probe import HERE, Probe

import home  # noqa: E402
import tap  # noqa: E402

TYPES = """
[box]
image = %s
command = bash /agent.sh
memory_mb = 256
[missing]
image = localhost/agentsh-no-such-image
command = bash %s/bash_agent.sh --acp
readable = %s
"""


def an_agent_in_a_box(t, place):
    with Probe(place, "box", "--variable", "SECRET=hunter2222") as probe:
        ready = probe.until("ready")
        t.is_(ready and ready["session"], "box-1", "it gets a session")
        own = [n for n in box.containers(place)]
        t.ok(own, "in a container")
        probe.prompt("go")
        t.is_(probe.text(), "in /workspace with [secret]",
              "it works in the task's directory, with its secret")
        t.is_(place.read("made"), "made\n", "what it makes is here")
        probe.tell("stop")
        t.is_(probe.until("ended")["why"], None, "it ends as asked")
    t.ok(tap.poll(lambda: not set(own) & set(box.containers(place))),
         "and its container is removed")
    with Probe(place, "box") as probe:
        probe.until("ready")
        own = box.containers(place)
    t.ok(tap.poll(lambda: not set(own) & set(box.containers(place))),
         "also where the gateway ends at once")


def a_gateway_that_is_killed(t, place):
    probe = Probe(place, "box")
    probe.until("ready")
    own = set(box.containers(place))
    probe.kill()
    probe.close()
    t.ok(own & set(box.containers(place)), "one that is killed leaves it")
    folder = os.path.join(place.env["XDG_RUNTIME_DIR"], "agentsh", "agents")
    with Probe(place, "box") as other:
        other.until("ready")
        t.ok(tap.poll(lambda: len(os.listdir(folder)) == 1, 30),
             "the next agent removes its socket", os.listdir(folder))
        t.ok(tap.poll(lambda: not own & set(box.containers(place)), 30),
             "and its container")
        t.ok(box.containers(place), "but none that is used")


def an_image_that_is_not_here(t, place):
    with Probe(place, "missing") as probe:
        ready = probe.until("ready")
        t.ok(ready and "bash_agent.sh" in ready["command"],
             "an image that is not here is a local process", str(ready))


def main():
    t = tap.Tap()
    with home.Home() as place:
        tag = "localhost/agentsh-test-" + place.id
        why = box.build(place, tag)
        if why:
            t.skip_all(why)
        box.configure(place, TYPES % (tag, HERE, HERE))
        try:
            an_agent_in_a_box(t, place)
            a_gateway_that_is_killed(t, place)
            an_image_that_is_not_here(t, place)
        finally:
            box.podman(place, "rmi", "--force", tag)
    t.done()


if __name__ == "__main__":
    main()
