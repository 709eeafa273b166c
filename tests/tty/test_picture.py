#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test_picture.py - the picture of a review in the README is what is shown.

It is made anew, from a screen of tmux, and compared; `--write` keeps it. The
files, the plan and the size of the screen are always the same, and nothing on
it is a date, a time or a name of this machine.
"""

import os
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "..", "lib"))

import home  # noqa: E402
import tap  # noqa: E402
from review import AI, save, step  # noqa: E402

PICTURE = os.path.join(home.SRCDIR, "man", "review.svg")
SCRIPT = os.path.join(home.SRCDIR, "tools", "screen_svg.py")
COLUMNS, ROWS = 80, 22
LINE = "ai do --plan tidy.json"


def prepare(h):
    os.makedirs(h.path("build", "obj"))
    for name, size in (("build/app", 4000), ("build/obj/a.o", 900),
                       ("old.log", 1200), ("notes.txt", 40)):
        with open(h.path(*name.split("/")), "w", encoding="ascii") as out:
            out.write("x" * size)
    steps = [step(1, "rm -r build"), step(2, "mv old.log app.log.1"),
             step(3, "ls -l > files.txt")]
    for one, text in zip(steps, ("Remove what was built",
                                 "Rename the old log",
                                 "List what is left")):
        one["description"] = text
    path = save(h, *steps, name="tidy.json")
    with open(path, encoding="utf-8") as file:
        plan = file.read().replace("A test", "Tidy up this directory")
    with open(path, "w", encoding="utf-8") as out:
        out.write(plan)


def screen(h):
    """The review on a screen of tmux, with its styles."""
    socket = os.path.join(h.root, "tmux")

    def tmux(*words):
        return subprocess.run(["tmux", "-S", socket, "-f", "/dev/null", *words],
                              cwd=h.work, env=h.env, capture_output=True,
                              text=True, check=False).stdout

    tmux("new-session", "-d", "-x", str(COLUMNS), "-y", str(ROWS), "sh", "-c",
         "printf '$ %s\\n'; '%s' do --plan tidy.json; cat" % (LINE, AI))
    seen = tap.poll(lambda: "[q]uit" in tmux("capture-pane", "-p") and
                    tmux("capture-pane", "-p", "-e"), 20)
    tmux("kill-server")
    return seen or ""


def draw(text):
    return subprocess.run([sys.executable, SCRIPT, str(COLUMNS)], input=text,
                          capture_output=True, text=True, check=True).stdout


def main():
    t = tap.Tap()
    first = draw("\x1b[1mA\x1b[22m <b>\x1b[31m&\x1b[39m \u624b\x1b[0m\n")
    t.ok('class="b">A<' in first and "&lt;b&gt;" in first and
         'class="c1">&amp;<' in first and "http" not in
         first.replace("http://www.w3.org/2000/svg", ""),
         "styles are classes, text is escaped, nothing is fetched", first)
    if not shutil.which("tmux") or not tap.is_here("namespaces"):
        t.skip("the picture is what is shown", "no tmux, or no namespaces")
        t.done()
        return
    with home.Home() as h:
        prepare(h)
        made = draw(screen(h))
    if "--write" in sys.argv[1:]:
        with open(PICTURE, "w", encoding="utf-8") as out:
            out.write(made)
    with open(PICTURE, encoding="utf-8") as file:
        kept = file.read()
    t.ok("Tidy up this directory" in made and "[q]uit" in made,
         "a review was on the screen", made)
    t.ok(kept == made, "man/review.svg is what is shown; else: "
         "tests/tty/test_picture.py --write", made)
    t.done()


if __name__ == "__main__":
    main()
