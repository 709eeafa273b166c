# SPDX-License-Identifier: GPL-3.0-or-later
"""test_watch.py - a guest agent that tells of changes of files."""

import os
import sys

import agent

import home  # noqa: E402
import tap  # noqa: E402

MANY = 2000


def told(a, wanted):
    """The events until this one has come."""
    seen = []
    queue, a.notices = a.notices, []
    while not seen or seen[-1] != wanted:
        m = queue.pop(0) if queue else a.next()
        if m is None:
            return seen
        p = m["params"]
        seen.append((p.get("name"), *p["events"]))
    return seen


def main():
    t = tap.Tap()
    with home.Home() as place, agent.Agent(place) as a:
        os.mkdir(place.path("d"))
        w = a.result("fs.watch", path="d")["watch"]
        with open(place.path("d/\u00e9"), "w", encoding="utf-8") as out:
            out.write("x")
        t.is_(told(a, ("\u00e9", "written")),
              [("\u00e9", "created"), ("\u00e9", "modified"),
               ("\u00e9", "written")], "a new file")
        os.rename(place.path("d/\u00e9"), place.path("d/b"))
        t.is_(told(a, ("b", "moved_to")),
              [("\u00e9", "moved_from"), ("b", "moved_to")], "one that moves")
        for n in range(MANY):
            os.mkdir(place.path("d/%d" % n))
        seen = told(a, ("%d" % (MANY - 1), "created"))
        t.is_(seen, [("%d" % n, "created") for n in range(MANY)],
              "many, in their order")
        t.is_(a.result("fs.unwatch", watch=w), {}, "it can be ended")
        os.mkdir(place.path("d/unseen"))
        t.ok(a.result("ping") and not a.notices, "and tells no more then")
        t.is_(a.call("fs.unwatch", watch=w)["error"]["code"], -32602,
              "nor is it there")
        t.is_(a.call("fs.watch", path="none")["error"]["message"],
              "none: No such file or directory", "what is not there")
        w = a.result("fs.watch", path="d/b")["watch"]
        os.unlink(place.path("d/b"))
        t.ok((None, "removed") in told(a, (None, "removed")),
             "one file alone")
        t.is_(a.close(), 0, "it ends as ever")
    t.done()


if __name__ == "__main__":
    sys.exit(main())
