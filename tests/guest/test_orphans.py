# SPDX-License-Identifier: GPL-3.0-or-later
"""test_orphans.py - what commands leave behind, and who ends it."""

import os
import signal
import sys

import agent

import home  # noqa: E402
import tap  # noqa: E402

MANY = 300  # more than are listed at once


def sleepers(place):
    """The arguments of the sleeps that are left, sorted."""
    found = []
    for words in place.left().values():
        if words.split()[:1] == ["sleep"]:
            found.append(words.split()[-1])
    return sorted(found)


def is_left(place, *wanted):
    return tap.poll(lambda: sleepers(place) == sorted(wanted))


def runs(pid):
    """A zombie, which its new parent has not reaped yet, does not."""
    return home.state_of(int(pid)) not in ("Z", "X", "")


def daemon(seconds, how="setsid"):
    """A command line that leaves a sleep in a session of its own."""
    return "(%s sleep %s >/dev/null 2>&1 &)" % (how, seconds)


def check_two_connections(t, place, path):
    with agent.Agent(place, "--listen", "unix:" + path, listens=True) as a:
        with agent.Peer(path) as one:
            one.send("exec", cmd="echo >up; sleep 1100")
            tap.poll(lambda: os.path.exists(place.path("up")))
            with agent.Peer(path) as two:
                two.result("exec", cmd=daemon(1101))
                one_more = agent.Peer(path)
                one_more.result("exec", cmd=daemon(1102))
                two.result("exec", cmd="exec env -i /bin/sh -c '(setsid sh -c "
                           "\"echo \\$\\$ >pid; exec sleep 1103\" "
                           ">/dev/null 2>&1 &); "
                           "until [ -s pid ]; do sleep 0.01; done'")
                t.ok(is_left(place, "1100", "1101", "1102"),
                     "daemons go on", sleepers(place))
                hidden = tap.poll(lambda: place.read("pid").strip())
            t.ok(is_left(place, "1100", "1102"),
                 "a connection's own ends with it, while others run commands",
                 sleepers(place))
            one_more.close()
            t.ok(is_left(place, "1100"), "and so does another's",
                 sleepers(place))
        t.ok(is_left(place), "and the first one's", sleepers(place))
        t.ok(runs(hidden),
             "one that hides whose it is goes on")
        a.stop(signal.SIGTERM)
    t.ok(tap.poll(lambda: not runs(hidden)), "as long as the agent")


def check_many(t, place):
    with agent.Agent(place) as a:
        a.result("exec", cmd="i=0; while [ $i -lt %d ]; do i=$((i+1)); "
                 "setsid sleep 1200 >/dev/null 2>&1 & done" % MANY)
        t.ok(is_left(place, *["1200"] * MANY), "%d daemons" % MANY,
             len(sleepers(place)))
        t.is_(a.result("exec", cmd="echo on")["stdout"], "on\n",
              "the agent goes on")
    t.ok(is_left(place), "all of them are ended", len(sleepers(place)))


def check_mark(t, place):
    with agent.Agent(place) as a:
        seen = a.result("exec", cmd="env")["stdout"]
        t.ok("\nAGENTSH_GUEST=%d.1\n" % a.child.pid in "\n" + seen,
             "a variable tells whose a command is", seen)
    with agent.Agent(place, AGENTSH_GUEST="7.9") as a:
        seen = a.result("exec", cmd="env")["stdout"]
        t.is_([line for line in seen.split("\n")
               if line.startswith("AGENTSH_GUEST=")],
              ["AGENTSH_GUEST=%d.1" % a.child.pid],
              "one that the agent has itself is not handed on")


def main():
    t = tap.Tap()
    with home.Home() as place:
        check_two_connections(t, place, place.path("socket"))
        check_many(t, place)
        check_mark(t, place)
        t.ok(tap.poll(lambda: not place.left()), "nothing is left")
    t.done()


if __name__ == "__main__":
    sys.exit(main())
