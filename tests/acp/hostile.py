# SPDX-License-Identifier: GPL-3.0-or-later
"""hostile.py - what the tests share that attack agentsh acp."""

import collections
import json
import os
import re
import signal
import sys
import time

from talk import Talk, act, say, step  # noqa: F401

import home  # noqa: E402
import tap  # noqa: E402
from fault.script import Script, parse_item  # noqa: E402
from usage import descriptors, resident  # noqa: E402

ENDS_IN = 2  # seconds, from the end of the input to the last process
TOPIC = re.compile(rb"topic-([a-z0-9]+)")
# A build with sanitizers keeps what was freed, and is slower.
SANITIZED = "-fsanitize" in open(
    os.path.join(home.BUILDDIR, "Makefile"), encoding="utf-8").read()


class Topics(Script):
    """Answers for several sessions at once: the word topic-NAME in a prompt
    says which of the lists is meant. The last of a list is repeated."""

    def __init__(self, lists):
        super().__init__()
        self.lists = lists

    def next(self, wire, request):
        name = TOPIC.findall(request.body)[-1].decode()
        items = self.lists[name]
        row, number, base = parse_item(
            items[min(self.count(name), len(items)) - 1])
        base.model = "m"
        return row, number, base


class Bare(Talk):
    """An agent that was sent nothing yet."""

    def __enter__(self):
        return self


class Crowd(Talk):
    """Sessions in directories of their own, named as the lists of answers."""

    def __init__(self, lists, **limits):
        super().__init__(say(), **limits)
        self.server.script = Topics(lists)
        self.sessions, self.turns = {}, {}

    def __enter__(self):
        self.editor.initialize()
        for name in self.server.script.lists:
            os.mkdir(self.path(name))
            self.sessions[name] = self.editor.new(self.path(name))
        return self

    def begin(self, *names):
        for name in names or self.sessions:
            self.turns[name] = self.editor.prompt(
                self.sessions[name], "topic-%s: do it" % name)

    def end(self, *names, seconds=30):
        """How the turns end, by name; None: they do not."""
        self.editor.until(lambda: all(
            self.turns[n] in self.editor.answers for n in names), seconds)
        return {n: result_of(self.editor.answers.get(self.turns[n]))
                for n in names}

    def shown(self, name):
        """All that was said and written in a session."""
        return json.dumps([u for u in self.editor.updates
                           if u["sessionId"] == self.sessions[name]])


def result_of(message):
    if message is None:
        return None
    return message.get("result", {}).get("stopReason") or message.get(
        "error", {}).get("code")


def pour(editor, data, seconds=120):
    """Writes a flood while what comes back is read. False: it got stuck."""
    fd = editor.child.stdin.fileno()
    os.set_blocking(fd, False)
    end = time.monotonic() + seconds
    view = memoryview(data)
    try:
        while view and time.monotonic() < end:
            try:
                view = view[os.write(fd, view[:1 << 16]):]
            except BlockingIOError:
                editor.read(0.01)
    finally:
        os.set_blocking(fd, True)
    return not view


def keeps_descriptors(t, pid, before, more, name):
    """It has at most so many more open than before, once the processes that
    it has let go are gone: it answers before they are. Read anew until then,
    for at most 10 s."""
    now, end = descriptors(pid), time.monotonic() + 10
    while now is not None and now > before + more and time.monotonic() < end:
        time.sleep(0.01)
        now = descriptors(pid)
    if now is None:
        t.skip(name, "its descriptors cannot be seen: run as root")
    else:
        t.ok(now <= before + more, name, "%d, then %d: %s" % (
            before, now, opened(pid)))


def opened(pid):
    """What each of its descriptors is, most frequent first."""
    kinds = collections.Counter()
    for fd in os.listdir("/proc/%d/fd" % pid):
        try:
            kinds[os.readlink("/proc/%d/fd/%s" % (pid, fd)).split(":[")[0]] += 1
        except OSError:
            continue
    return kinds.most_common(8)


def verified(place):
    """Whether the journal is whole, and what is said of it."""
    done = place.run([home.program("ai"), "log", "--verify"])
    return done.status == 0, done.out + done.err


def is_well(t, talk, name):
    """The agent still answers."""
    other = talk.editor.request("session/list", {})
    return t.ok("sessions" in other, name, json.dumps(other))


def leaves_nothing(t, talk, name, how):
    """how() ends the agent: all its processes are gone within ENDS_IN. Its
    status."""
    child = talk.editor.child
    begun = time.monotonic()
    how()
    gone = tap.poll(lambda: not talk.place.left(), ENDS_IN + 8)
    took = time.monotonic() - begun
    status = child.wait(10) if gone else child.poll()
    t.ok(gone and took < ENDS_IN, "%s: all processes end in time" % name,
         "%.2f s" % took, talk.place.left())
    return status


def ends(t, talk, name, how):
    """The same, and the journal is whole."""
    status = leaves_nothing(t, talk, name, how)
    whole, said = verified(talk.place)
    t.ok(whole, "%s: the journal is whole" % name, said)
    return status


def end_input(talk):
    talk.editor.child.stdin.close()
    talk.editor.child.stdin = None


def terminate(talk):
    talk.editor.child.send_signal(signal.SIGTERM)


def run_all(*tests):
    t = tap.Tap()
    only = sys.argv[1:]
    for test in tests:
        if not only or test.__name__ in only:
            test(t)
    t.done()
