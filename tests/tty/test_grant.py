# SPDX-License-Identifier: GPL-3.0-or-later
"""test_grant.py - a step gets more than its profile from a person alone: by
the key g of the review, and by a yes after a wall has stopped it."""

import os
import socket
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))

import home
import tap
from review import MENU, review, step

BACK = "] back"
FAILED = "etry"
NO = "[n]o"

# Where they write and what they contact stands in a file: no reading of the
# line knows it.
WRITER = 'exec 3> "$(cat where)"/new && echo written\n'
CONNECTS = "exec 3<>/dev/tcp/127.0.0.1/$(cat where) && echo connected\n"
OTHERS = "Run this step again"


def script(h, text):
    with open(h.path("x"), "w", encoding="utf-8") as out:
        out.write("#!/bin/bash\n" + text)
    os.chmod(h.path("x"), 0o755)


def writer(h, where):
    script(h, WRITER)
    with open(h.path("where"), "w", encoding="utf-8") as out:
        out.write(where)


def out_dir(h):
    """A directory below home, outside the workspace."""
    path = os.path.join(h.env["HOME"], "out")
    os.mkdir(path)
    return path


def test_more(t):
    """A step that a wall has stopped gets what it lacked, or does not."""
    with home.Home() as h:
        out = out_dir(h)
        writer(h, out)
        term, status = review(h, step(1, "./x"), cols=120,
                              keys=[(MENU, "r"), (NO, "y")])
        t.ok(status == 0 and os.path.exists(out + "/new") and
             OTHERS + ", able to write in ~/out?" in term.text(),
             "a yes makes the directory writable", status, term.text())
    with home.Home() as h:
        out = out_dir(h)
        script(h, 'cat "$(cat where)"\n')
        for path, text in ((h.path("where"), out + "/a"),
                           (out + "/a", "what is there")):
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        term, status = review(h, step(1, "./x"), cols=120,
                              keys=[(MENU, "r"), (NO, "y")])
        t.ok(status == 0 and "what is there" in term.text() and
             "able to read your home" in term.text(),
             "a yes shows what is there", status, term.text())
    with home.Home() as h:
        out = out_dir(h)
        writer(h, out)
        other = os.path.join(h.env["HOME"], "other")
        os.mkdir(other)
        term, _ = review(h, step(1, "./x"), cols=120, finish=False,
                         keys=[(MENU, "r")])
        term.wait_for(NO)
        os.rename(out, out + "-was")
        os.rename(other, out)
        term.send("y")
        status = term.finish()
        t.ok(status != 0 and not os.path.exists(out + "/new"),
             "a directory put in its place is not opened", status,
             term.text())
    for key in ("n", "\r", "\x04"):
        with home.Home() as h:
            out = out_dir(h)
            writer(h, out)
            term, status = review(h, step(1, "./x"),
                                  keys=[(MENU, "r"), (NO, key)])
            t.ok(status == 1 and not os.path.exists(out + "/new"),
                 "%r leaves it closed" % key, status, term.text())
    with home.Home() as h:
        writer(h, out_dir(h))
        term, status = review(h, step(1, "./x"), step(2, "touch b"),
                              keys=[(MENU, "r"), (NO, "n"), (FAILED, "s")])
        t.ok(os.path.exists(h.path("b")) and "[y]es" in term.text(),
             "of a plan with more steps the other keys come after a no",
             status, term.text())
    with home.Home() as h:
        out = out_dir(h)
        writer(h, out)
        term, status = review(h, step(1, "./x"), step(2, "./x"), cols=120,
                              keys=[(MENU, "r"), (NO, "y"), (NO, "n"),
                                    (FAILED, "q")])
        t.ok(term.text().count(OTHERS) == 2 and status == 1,
             "what one step got is not another's", status, term.text())
    for where in (".config", ".local/bin", "."):
        with home.Home() as h:
            path = os.path.join(h.env["HOME"], where)
            os.makedirs(path, exist_ok=True)
            writer(h, path)
            term, status = review(h, step(1, "./x"), step(2, "true"),
                                  keys=[(MENU, "r"), (FAILED, "q")])
            asked = term.text().split("? run")[-1]
            t.ok("able to write" not in asked and "outside" not in asked and
                 status == 1 and not os.path.exists(path + "/new"),
                 "~/%s is never offered for what a step says" % where, status,
                 term.text())


def test_more_network(t):
    listener = socket.create_server(("127.0.0.1", 0))
    with listener, home.Home() as h:
        script(h, CONNECTS)
        with open(h.path("where"), "w", encoding="utf-8") as out:
            out.write(str(listener.getsockname()[1]))
        term, status = review(h, step(1, "./x"), cols=120,
                              keys=[(MENU, "r"), (NO, "y")])
        t.ok(status == 0 and OTHERS + " with the network on?" in term.text()
             and "connected" in term.text(),
             "a yes opens the network", status, term.text())


def test_grant(t):
    """The review's key g."""
    with home.Home() as h:
        out = out_dir(h)
        writer(h, out)
        term, status = review(h, step(1, "./x"), cols=120,
                              keys=[(MENU, "g"), (BACK, "d"),
                                    ("in: ", "~/out\r"), (MENU, "r")])
        shown = term.text().partition("~/out\n")[2]
        t.ok(status == 0 and os.path.exists(out + "/new") and
             "this directory and ~/out, no" in shown,
             "g d opens a directory, and shows the plan with it", status,
             term.text())
    with home.Home() as h:
        term, status = review(h, step(1, "echo a"), step(2, "curl -s x.invalid"),
                              cols=120,
                              keys=[(MENU, "g"), (BACK, "1"), (BACK, "n"),
                                    (MENU, "q")])
        t.ok(status == 5 and
             term.text().count("this directory, with network") > 0,
             "g n opens the network, for one step", status, term.text())
    with home.Home() as h:
        made = os.path.join(h.env["HOME"], "new")
        writer(h, h.env["HOME"])
        term, status = review(h, step(1, "./x"), cols=120,
                              keys=[(MENU, "g"), (BACK, "f"), (MENU, "r")])
        t.ok(status == 0 and os.path.exists(made) and
             "sandbox: full (you granted it)" in term.text(),
             "g f takes the sandbox away", status, term.text())
    with home.Home() as h:
        out = out_dir(h)
        term, status = review(h, step(1, "ls " + out), cols=120,
                              keys=[(MENU, "g"), (BACK, "d"),
                                    ("in: ", "~/out\r"), (MENU, "p"),
                                    (MENU, "q")])
        t.ok(status == 5 and "granted more" in term.text(),
             "what was granted more cannot be previewed", status, term.text())
    with home.Home() as h:
        out = out_dir(h)
        writer(h, out)
        term, status = review(h, step(1, "./x"), cols=120,
                              keys=[(MENU, "g"), (BACK, "d"),
                                    ("in: ", "~/out\r"), (MENU, "g"),
                                    (BACK, "t"), (MENU, "q")])
        given, _, taken = term.text().partition("take back\n")
        t.ok(status == 5 and "and ~/out, no" in given and
             "only in this directory, no" in taken,
             "g t takes it back", status, term.text())
    with home.Home() as h:
        out_dir(h)
        script(h, "true\n")
        with open(h.path("edit"), "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\necho './x again' >\"$1\"\n")
        os.chmod(h.path("edit"), 0o755)
        term, status = review(h, step(1, "./x"), cols=120,
                              EDITOR=h.path("edit"),
                              keys=[(MENU, "g"), (BACK, "d"),
                                    ("in: ", "~/out\r"), (MENU, "e"),
                                    (MENU, "q")])
        after = term.text().partition("edit\n")[2]
        t.ok(status == 5 and "./x again" in after and "~/out" not in after,
             "another command gets nothing of it", status, term.text())
    for name, why in (("~/.ssh", "programs, settings or the system"),
                      ("/etc", "programs, settings or the system"
                       if os.geteuid() == 0 else "Permission denied"),
                      ("~/none", "No such file or directory"),
                      ("x", "not a directory")):
        with home.Home() as h:
            script(h, "true\n")
            os.mkdir(os.path.join(h.env["HOME"], ".ssh"))
            term, status = review(h, step(1, "./x"), cols=120,
                                  keys=[(MENU, "g"), (BACK, "d"),
                                        ("in: ", name + "\r"),
                                        (MENU, "q")])
            t.ok(status == 5 and "not granted" in term.text() and
                 why in term.text(), "g d does not take " + name, status,
                 term.text())


def main():
    t = tap.Tap()
    for test in (test_more, test_more_network, test_grant):
        test(t)
    t.done()


main()
