# SPDX-License-Identifier: GPL-3.0-or-later
"""test_secrets.py - what opens doors is asked about, hidden, and not sent.

The rows are in tests/guard/: places where programs keep what opens doors, some
of programs that do not exist, and beside them what everyday work reads."""

import json
import os

from test_look import ANSWER, Talk, call, calls
import tap
from home import SRCDIR, Home, program

LOOKS = 12  # of one answer


def rows(name):
    with open(os.path.join(SRCDIR, "tests", "guard", name),
              encoding="utf-8") as file:
        return [line.rstrip("\n").split(" ", 1) for line in file
                if line[0] in "hw"]


SECRET = rows("credential_places.txt")
HARMLESS = rows("harmless_places.txt")


def plant(home, places):
    """Makes them, each with its number in it; their paths."""
    paths = []
    for number, (kind, name) in enumerate(places):
        top = home.env["HOME"] if kind == "h" else home.work
        path = os.path.join(top, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as out:
            out.write("planted<%d>\n" % number)
        paths.append(path)
    return paths


def told(places, seen):
    return "\n".join(name for (_, name), one in zip(places, seen) if one)


def is_secret(home, path):
    done = home.run([program("agentsh"), "policy", "test", "-o", "json", "--",
                     "cat '%s'" % path])
    return json.loads(done.out)["secret"]


def check_rules(t):
    with Home() as home:
        missed = [not is_secret(home, path) for path in plant(home, SECRET)]
        t.ok(not any(missed), "the rules know %d places of secrets" %
             len(SECRET), told(SECRET, missed))
    with Home() as home:
        accused = [is_secret(home, path) for path in plant(home, HARMLESS)]
        t.ok(not any(accused), "and accuse none of %d others" % len(HARMLESS),
             told(HARMLESS, accused))


def look_at(places):
    """Which of them a model gets by looking."""
    sent = []
    for first in range(0, len(places), LOOKS):
        some = places[first:first + LOOKS]
        with Talk(ANSWER) as talk:
            made = [call("fs_read_file", {"path": path}, "c%d" % n)
                    for n, path in enumerate(plant(talk.home, some))]
            talk.server.script.items[:] = [calls(*made), ANSWER]
            talk.run()
            bodies = "".join(one["body"] for one in talk.server.requests)
            sent += ["planted<%d>" % n in bodies for n in range(len(some))]
    return sent


def check_looks(t):
    sent = look_at(SECRET)
    t.ok(not any(sent), "no look of a model's takes one of them away",
         told(SECRET, sent))
    kept = [not one for one in look_at(HARMLESS[:LOOKS])]
    t.ok(not any(kept), "what is harmless it may look at",
         told(HARMLESS, kept))


def check_named(t):
    """What the person's own words name is open, but for what is known."""
    some = [("h", ".zzz-new-tool/state"), ("h", ".yyy/state"),
            ("h", ".netrc")]
    with Talk(ANSWER) as talk:
        made = [call("fs_read_file", {"path": path}, "c%d" % n)
                for n, path in enumerate(plant(talk.home, some))]
        talk.server.script.items[:] = [calls(*made), ANSWER]
        words = talk.words("run")[:-2]
        talk.home.run([*words, "what is in", "~/.zzz-new-tool/state,",
                       "and in", "~/.netrc?"])
        bodies = "".join(one["body"] for one in talk.server.requests)
        t.is_(["planted<%d>" % n in bodies for n in range(3)],
              [True, False, False], "what a wish names is open to looks",
              bodies[-800:])


def check_walls(t):
    places = [(kind, name) for kind, name in SECRET
              if kind == "h" and (name[0] == "." or name.startswith("snap/"))
              and not name.startswith(".config/agentsh/")]
    open_ones = [(kind, name) for kind, name in HARMLESS if kind == "h"]
    with Home() as home:
        paths = plant(home, places + open_ones)
        cut = len(places)
        outside = home.run(["cat", *paths[:cut]]).out.count("planted<")
        t.is_(outside, cut, "each is there outside")
        for profile in ("observe", "read-only", "workspace-write"):
            words = [program("agentsh"), "exec", "--profile", profile, "--"]
            out = home.run(words + ["cat", *paths[:cut]]).out
            t.ok("planted<" not in out, "%s hides each" % profile, out)
            if profile == "observe":
                out = home.run(words + ["cat", *paths[cut:]]).out
                t.is_(out.count("planted<"), len(open_ones),
                      "%s shows what is harmless" % profile)
                done = home.run(words + ["du", "-s", home.env["HOME"]])
                t.ok("/.aws'" in done.err and done.status != 0,
                     "what would count it is told that it cannot", done.err)
    with Home() as home:
        paths = plant(home, [("h", ".zzz-new-tool/state")])
        home.config("[sandbox]\nreadable = ~/.zzz-new-tool\n")
        done = home.run([program("agentsh"), "exec", "--profile", "observe",
                         "--", "cat", *paths])
        t.ok("planted<" in done.out and not is_secret(home, paths[0]),
             "the configuration opens a place that it names",
             done.out + done.err)


def main():
    t = tap.Tap()
    for check in (check_rules, check_looks, check_named, check_walls):
        check(t)
    t.done()


if __name__ == "__main__":
    main()
