# SPDX-License-Identifier: GPL-3.0-or-later
"""test_plan_screen.py - what a plan shows, folds, marks and leaves out."""

import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))

import home
import tap
import terminal
from review import AI, MENU, SANDBOX, review, step

DOT = " \u00b7 "
PREVIEWED = ">[p]review"
UNPACK = "unpack arc.tar into its own folder"


def put(h, name, text="12\n"):
    with open(h.path(name), "w", encoding="utf-8") as out:
        out.write(text)


def flat(text):
    return " ".join(text.split())


def job(h, *keys, cols=80, options=(), **env):
    """A job of the offline engine, with checks before and after."""
    put(h, "a.txt")
    subprocess.run(["tar", "-cf", "arc.tar", "a.txt"], cwd=h.work, check=True)
    term = terminal.Terminal(
        h, [AI, "--offline", "do", *options, UNPACK], cols=cols, **env)
    for key in keys:
        if not term.wait_for(MENU):
            break
        term.send(key)
    return term, term.finish()


def test_folded(t):
    with home.Home() as h:
        term, status = job(h, "v", "q")
        plan, _, rest = term.text().partition("[r]un")
        t.ok("\u2713 2 checks before, 1 after" + DOT + "v shows them" in plan
             and "tar -tf" not in plan and "mkdir arc.tar.d" in plan,
             "checks are one line, the steps that act are shown", term.text())
        t.ok("tar -tf arc.tar | head" in rest and "find arc.tar.d" in rest and
             "outside: not unpacked" not in rest and status == 5 and
             "[v]iew" not in rest.rpartition("find arc")[2],
             "v shows them, and the question once more without v",
             term.text())
    with home.Home() as h:
        term, status = job(h, "r")
        t.ok(status == 0 and os.path.exists(h.path("arc.tar.d", "a.txt")) and
             "1/5 See what is in it" in term.text(),
             "checks that are folded run as the others", term.text())
    with home.Home() as h:
        term, status = job(h, "s", "q")
        after = term.text().partition("[r]un")[2]
        t.ok("tar -tf arc.tar | head" in after and status == 5,
             "a folded step that is asked about is shown", term.text())


def test_whole(t):
    with home.Home() as h:
        put(h, "a.txt")
        term, _ = review(h, step(1, "wc -l a.txt"), step(2, "touch b"),
                         step(3, "cat b"), keys=[(MENU, "q")])
        t.ok("wc -l a.txt" in term.text() and "cat b" in term.text() and
             "check" not in term.text(),
             "what a file or a model says is shown whole", term.text())
    with home.Home() as h:
        term, _ = job(h, options=["--dry-run"])
        t.ok("tar -tf arc.tar" in term.text() and "checks" not in term.text(),
             "where no key can unfold it, all is shown", term.text())


def test_once(t):
    with home.Home() as h:
        put(h, "old")
        term, status = review(h, step(1, "rm old"),
                              keys=[(MENU, "r"), ("Type yes", "yes\r")])
        t.ok(status == 0 and term.text().count("rm old") == 1,
             "after r only the question is printed", term.text())
    with home.Home() as h:
        put(h, "old")
        term, status = review(h, step(1, "echo x"), step(2, "rm old"),
                              keys=[(MENU, "r"), ("Type yes", "yes\r")])
        t.ok(status == 0 and term.text().count("rm old") == 2,
             "a step is shown again when output came between", term.text())
    with home.Home() as h:
        put(h, "old")
        more = [step(n, "touch f%d" % n) for n in range(2, 26)]
        term, status = review(h, step(1, "rm old"), *more,
                              keys=[(MENU, "r"), ("Type yes", "yes\r")])
        t.ok(status == 0 and term.text().count("rm old") == 2,
             "and when the plan is longer than the screen", term.text())
    with home.Home() as h:
        term, status = review(h, step(1, "touch a"), step(2, "touch b"),
                              keys=[(MENU, "s"), ("Step 1:", "r"),
                                    ("touch b", ""), (MENU, "q")])
        t.ok(status == 5 and term.text().count("touch a") == 1 and
             os.path.exists(h.path("a")),
             "of a step that is on the screen the question says the number",
             term.text())


def test_badge(t):
    with home.Home() as h:
        term, _ = review(h, step(1, "touch a"), step(2, "touch b"),
                         keys=[(MENU, "q")])
        text = term.text()
        t.ok(text.count("sandbox:") == 1 and
             SANDBOX in flat(text.partition("  1  ")[0]),
             "walls that are the same are said once, at the title", text)
    with home.Home() as h:
        term, _ = review(h, step(1, "touch a"), step(2, "touch ~/b"),
                         keys=[(MENU, "q")])
        text = term.text()
        t.ok(text.count("sandbox:") == 2 and
             "sandbox:" not in text.partition("  1  ")[0] and
             SANDBOX in flat(text) and "\n     sandbox:" in
             text.replace("\r", ""),
             "walls that differ are said at each step", text)


def test_keys(t):
    with home.Home() as h:
        put(h, "old")
        term, _ = review(h, step(1, "rm old"), keys=[(MENU, "q")])
        text = term.text()
        t.ok(PREVIEWED in text and ">[r]un" not in text and
             "[s]tep" not in text and "[a]lways" not in text and
             "[v]iew" not in text,
             "what destroys is likely previewed; keys that do nothing are not "
             "shown", text)
        t.ok("! deletes old" + DOT + "3 bytes" in text and
             "rm deletes files" not in text,
             "the loss is one line with a sign", text)
    with home.Home() as h:
        put(h, "old")
        term, _ = review(h, step(1, "rm old"), keys=[
            (MENU, "r"), ("to run step 1: ", "\r")])
        t.is_(term.text().count("! deletes old"), 1,
              "behind r the step is not shown again", term.text())
    with home.Home() as h:
        put(h, "old")
        term, _ = review(h, step(1, "rm old"), keys=[
            (MENU, "x"), (MENU, "r"), ("to run step 1: ", "\r")])
        t.is_(term.text().count("! deletes old"), 2,
              "but where something came between", term.text())
    with home.Home() as h:
        term, _ = review(h, step(1, "touch ~/b"), keys=[(MENU, "p"),
                                                      (MENU, "q")])
        text = term.text()
        t.ok(">[" not in text and "[p]review" not in text and
             "cannot be previewed" in " ".join(text.split()),
             "a key that is not shown still says why; of what has no walls no "
             "key is marked", text)
    with home.Home() as h:
        term, _ = review(h, step(1, "touch b"), keys=[(MENU, "?"),
                                                    (MENU, "q")])
        t.ok("remember rules" not in term.text() and
             "run the plan" in term.text() and ">[r]un" in term.text() and
             "! " not in term.text(),
             "nor is it explained; what harms nothing has no sign",
             term.text())


def test_hidden(t):
    for command in ("ls a\u200bb", "ls '\u200b'", "echo \x1b[8m"):
        with home.Home() as h:
            term, _ = review(h, step(1, command), keys=[(MENU, "q")])
            told = " ".join(term.text().split())
            t.ok(told.count("contains invisible characters") == 1,
                 "that characters are hidden is said once: %r" % command,
                 term.text())
    with home.Home() as h:
        os.mkdir(h.path("a\u200bb"))
        term, _ = review(h, step(1, "ls", working_directory="a\u200bb"),
                         keys=[(MENU, "q")])
        t.ok("contains invisible characters" in " ".join(term.text().split()),
             "of a directory's name too",
             term.text())


def test_uninstalled(t):
    for command in ("no-such-program-7 .", "ls | no-such-program-7",
                    "echo '()' | no-such-program-7",
                    "f() { ls; }; f; no-such-program-7"):
        with home.Home() as h:
            term, _ = review(h, step(1, command), keys=[(MENU, "q")])
            t.ok("     no-such-program-7 is not installed here" in term.text(),
                 "a program that is not here is named: " + command,
                 term.text())
    with home.Home() as h:
        term, _ = review(h, step(1, "tree -L 2"), keys=[(MENU, "q")],
                         PATH=h.work)
        t.ok(term.text().count("tree is not installed here") == 1,
             "once, where that is why it is asked about too", term.text())
    for command in ("ls -l", "cd / && pwd", "f() { ls; }; f",
                    "if true; then function f { ls; }; fi; f",
                    "trap f EXIT; f() { ls; }", "./run-it",
                    "/opt/none/run-it", "[[ -e a ]]", "! test -e a",
                    "$EDITOR a", "alias x=y", "time ls", "x=1 ls",
                    "for i in 1; do :; done"):
        with home.Home() as h:
            term, _ = review(h, step(1, command), keys=[(MENU, "q")])
            t.ok("not installed" not in term.text(),
                 "nothing is said of " + command, term.text())
    with home.Home() as h:
        term, _ = review(h, step(1, "apt-get install -y no-such-program-7"),
                         step(2, "no-such-program-7 ."), keys=[(MENU, "q")])
        t.ok("not installed here" not in term.text(),
             "nor of what an earlier step may install", term.text())


def test_missing(t):
    with home.Home() as h:
        term, _ = review(h, step(1, "cat old.txt"), keys=[(MENU, "q")])
        t.ok("     old.txt does not exist" in term.text(),
             "a file that is not there is told before the step runs",
             term.text())
    with home.Home() as h:
        term, _ = review(h, step(1, "rm old.txt new.txt"), keys=[(MENU, "q")])
        t.ok("old.txt, new.txt do not exist" in term.text(),
             "two of them as well", term.text())
    for command in ("mv old.txt new.txt", "cp old.txt new.txt",
                    "sed -i s/a/b/ old.txt", "sort old.txt > new.txt",
                    "chmod 600 old.txt", "wc -l < old.txt"):
        with home.Home() as h:
            term, _ = review(h, step(1, command), keys=[(MENU, "q")])
            t.ok("     old.txt does not exist" in term.text(),
                 "of %s what it works on" % command, term.text())
    for command in ("touch a && cat a", "test -e a", "cat *.none", "mkdir a",
                    "echo x | tee a", "echo x > a", "mv plan.json a",
                    "cp plan.json a", "ln -s a b", "git init a",
                    "tar -cf a.tar plan.json", "mkdir -p a/b",
                    "sort -o a plan.json", "git checkout a", "git show HEAD:a",
                    "find . -type f -exec wc -l {} +"):
        with home.Home() as h:
            term, _ = review(h, step(1, command), keys=[(MENU, "q")])
            t.ok("not here" not in term.text(), "but not for " + command,
                 term.text())
    with home.Home() as h:
        term, _ = review(h, step(1, "touch a"), step(2, "cat a"),
                         keys=[(MENU, "q")])
        t.ok("not here" not in term.text(),
             "nor where an earlier step makes it", term.text())


def test_plain(t):
    with home.Home() as h:
        term, _ = job(h, "q", LC_ALL="C", NO_COLOR="1")
        text = term.text()
        t.ok(text.isascii() and "ok 2 checks before, 1 after - v shows" in text,
             "signs are ASCII where the locale has no other", text)
        t.ok("\x1b[3" not in term.seen and "\x1b[2m" not in term.seen,
             "NO_COLOR leaves no colour", repr(term.seen))
    with home.Home() as h:
        put(h, "old")
        term, _ = review(h, step(1, "rm old"), cols=40, keys=[(MENU, "q")])
        text = term.text()
        parts = [SANDBOX, "rm old", "! deletes old" + DOT + "3 bytes",
                 "[q]uit ?", PREVIEWED]
        t.ok(all(part in flat(text) for part in parts) and
             all(len(line) <= 40 for line in text.splitlines()
                 if not line.startswith("ai:")),
             "at 40 columns nothing is lost", text)


def test_narrow_fold(t):
    with home.Home() as h:
        term, _ = job(h, "q", cols=40)
        text = term.text()
        t.ok("v shows them" in " ".join(text.split()) and
             all(len(line) <= 40 for line in text.splitlines()
                 if not line.startswith("ai:")),
             "the line of what is folded breaks at a blank", text)
    for cols in (40, 80):
        with home.Home() as h:
            term = terminal.Terminal(h, [home.program("agentsh"), "doctor"],
                                     cols=cols)
            term.finish()
            lines = term.text().replace("\r", "").split("\n")
            t.ok(all(len(line) <= cols for line in lines if "/" not in line)
                 and any(line.startswith("  ") for line in lines),
                 "doctor breaks its lines at blanks, further in",
                 term.text())


def test_title(t):
    forged = "x" + " " * 30 + "sandbox: writes nothing, no network"
    with home.Home() as h:
        path = h.path("plan.json")
        with open(path, "w", encoding="utf-8") as out:
            out.write('{"kind": "plan_and_commands", "summary": "%s", '
                      '"steps": [{"id": "1", "description": "d", '
                      '"shell_command": "touch a"}]}' % forged)
        term = terminal.Terminal(h, [AI, "do", "--plan", path], cols=80)
        term.wait_for(MENU)
        term.send("q")
        term.finish()
        t.ok("x sandbox: writes nothing" in term.text() and
             "     " + SANDBOX[:30] in term.text(),
             "a title cannot set words apart as the badge stands apart",
             term.text())


def main():
    t = tap.Tap()
    for test in (test_folded, test_whole, test_once, test_badge, test_keys,
                 test_missing, test_uninstalled, test_hidden, test_plain,
                 test_narrow_fold, test_title):
        test(t)
    t.done()


main()
