# SPDX-License-Identifier: GPL-3.0-or-later
"""test_insert.py - [i]nsert: a plan's command on the person's own prompt, in
bash, zsh, fish and the REPL, each in tmux; and where no shell waits for it."""

import base64
import os
import shutil
import stat

import hookshell
from hookshell import Shell, home, tap

from review import AI, MENU, review, save, step
from shellpane import Pane, kinds


def inserted(t, kind):
    with home.Home() as place, Pane(place, kind) as pane:
        os.mkdir(place.path("there"))
        t.ok(pane.propose(step(1, "pushd there")) and
             pane.see("affects only the shell that runs it"),
             kind + ": the review of a pushd offers [i]nsert, and says why",
             pane.text())
        files = pane.files()
        t.ok(files and all(stat.S_IMODE(os.stat(name).st_mode) == 0o600
                           for name in files),
             kind + ": its file is the user's alone", files)
        pane.keys("i")
        tap.poll(lambda: "pushd there" in pane.last())
        t.ok(pane.last().rstrip("/").endswith("pushd there") and
             "^[" not in pane.last() and "[0n" not in pane.last(),
             kind + ": the command stands on the prompt", pane.text())
        t.ok(all(os.path.getsize(name) == 0 for name in pane.files()),
             kind + ": and nowhere else: the file is empty")
        pane.keys("Enter")
        pane.call("send-keys", "-l", "touch here")
        pane.keys("Enter")
        tap.poll(lambda: os.path.exists(place.path("there", "here")))
        t.ok(os.path.exists(place.path("there", "here")),
             kind + ": Enter runs it in the person's own shell", pane.text())


def waits(t, kind):
    with home.Home() as place, Pane(place, kind) as pane:
        pane.propose(step(1, "touch one"), step(2, "touch two"))
        pane.keys("i")
        tap.poll(lambda: "touch two" in pane.last())
        t.ok("touch one &&" in pane.last() and
             not os.path.exists(place.path("one")),
             kind + ": several steps are one command, and nothing has run",
             pane.text())
        pane.keys("Enter")
        tap.poll(lambda: os.path.exists(place.path("two")))
        t.ok(os.path.exists(place.path("one")) and
             os.path.exists(place.path("two")),
             kind + ": lines of several lines are whole", pane.text())
        pane.propose(step(1, "touch three"))
        pane.keys("i")
        tap.poll(lambda: "touch three" in pane.last())
        pane.keys("C-u")
        pane.call("send-keys", "-l", "touch four")
        pane.keys("Enter")
        tap.poll(lambda: os.path.exists(place.path("four")))
        t.ok(os.path.exists(place.path("four")) and
             not os.path.exists(place.path("three")),
             kind + ": it can be edited away", pane.text())
        t.ok(pane.text().count("touch three") == 1,
             kind + ": and comes once", pane.text())


def enter_at_once(t, kind):
    with home.Home() as place, Pane(place, kind) as pane:
        if kind == "repl":
            return  # nothing can stand behind the words for the assistant
        os.mkfifo(place.path("go"))
        pane.propose(step(1, "touch one"), after="; cat go")
        pane.keys("i")
        pane.see("? insert")
        row = pane.row()
        pane.keys("Enter")
        # that is when the Enter has come to the terminal, which echoes it
        tap.poll(lambda: pane.row() != row, 3)
        with open(place.path("go"), "w", encoding="utf-8") as go:
            go.write("gone\n")
        tap.poll(lambda: "touch one" in pane.last())
        pane.call("send-keys", "-l", " two")
        tap.poll(lambda: "touch one two" in pane.last())
        t.ok("touch one two" in pane.last() and
             not os.path.exists(place.path("one")),
             kind + ": Enter before the command is shown does not run it",
             pane.text())


def gone(path):
    return not os.path.exists(path) or os.path.getsize(path) == 0


def through_link(t, kind):
    """The file is a symbolic link to one of the person's own."""
    with home.Home() as place, Pane(place, kind) as pane:
        if kind == "repl":
            return
        pane.call("send-keys", "-l", "true")
        pane.keys("Enter")
        tap.poll(pane.files)
        target = place.path("target")
        with open(target, "w", encoding="utf-8") as out:
            out.write("touch x")
        os.chmod(target, 0o600)
        for path in pane.files():
            os.unlink(path)
            os.symlink(target, path)
        pane.keys("Enter")
        tap.poll(lambda: not pane.files())
        pane.call("send-keys", "-l", "echo 'do''ne'")
        pane.keys("Enter")
        pane.see("done")
        with open(target, encoding="utf-8") as file:
            t.ok(file.read() == "touch x" and "touch" not in pane.text() and
                 not pane.files(),
                 kind + ": a symbolic link is removed, and its target whole",
                 pane.text())


def in_directory(t, kind):
    """What changes the shell does so, where its directory is another."""
    with home.Home() as place, Pane(place, kind) as pane:
        os.makedirs(place.path("there/sub"))
        pane.propose(step(1, "cd sub", working_directory="there"))
        pane.keys("i")
        if kind == "fish":
            pane.see("there &&")
        tap.poll(lambda: "cd sub" in pane.last())
        t.ok("(cd" not in pane.last() and "there &&" in pane.last(),
             kind + ": a step that changes the shell is in no subshell",
             pane.text())
        pane.keys("Enter")
        pane.call("send-keys", "-l", "touch here")
        pane.keys("Enter")
        tap.poll(lambda: os.path.exists(place.path("there/sub/here")))
        t.ok(os.path.exists(place.path("there/sub/here")),
             kind + ": and the shell is where it went", pane.text())


def history(t, kind):
    with home.Home() as place, Pane(place, kind) as pane:
        pane.propose(step(1, 'echo "a !b"'))
        pane.keys("i")
        t.ok(pane.see("history expansion would change it"),
             kind + ": what the history expands is printed, with the reason",
             pane.text())
        t.ok(pane.files() and
             all(os.path.getsize(name) == 0 for name in pane.files()),
             kind + ": and not inserted")


def line_came_first(t):
    """In the REPL, a line that was typed before the prompt came."""
    with home.Home() as place:
        with open(os.path.join(place.env["HOME"], ".bashrc"), "w",
                  encoding="utf-8") as rc:
            rc.write("PROMPT_COMMAND='[[ ! -p go ]] || "
                     "{ echo wait\"\"ing; cat go; rm go; }'\n")
        with Pane(place, "repl") as pane:
            pane.propose(step(1, "touch one"))
            os.mkfifo(place.path("go"))
            pane.keys("i")
            pane.see("waiting")
            pane.call("send-keys", "-l", "echo fir''st")
            pane.keys("Enter")
            tap.poll(lambda: "echo fir" in pane.text())
            with open(place.path("go"), "w", encoding="utf-8") as go:
                go.write("gone\n")
            pane.see("first")
            pane.call("send-keys", "-l", "echo 'do''ne'")
            pane.keys("Enter")
            t.ok(pane.see("\ndone") and "line was typed first" in pane.text() and
                 pane.text().count("touch one") == 1,
                 "repl: where a line comes first, the command comes to no "
                 "later prompt, and a line says so", pane.text())


def fish_syntax(t):
    with home.Home() as place, Pane(place, "fish") as pane:
        pane.propose(step(1, "touch x$(id -u)"))
        pane.keys("i")
        t.ok(pane.see("fish may read it otherwise"),
             "fish: the syntax of bash is printed, with the reason",
             pane.text())
        pane.keys("Enter")
        pane.call("send-keys", "-l", "echo 'do''ne'")
        pane.keys("Enter")
        pane.see("done")
        t.ok(not [name for name in os.listdir(place.work) if name[0] == "x"],
             "fish: and not inserted", pane.text())


def write_file(path, what, mode):
    os.chmod(path, mode)  # first: with the text it is looked at
    with open(path, "wb") as out:
        out.write(what)


HOSTILE = ((b"touch x\x1b[201~\ry\n", 0o600, "with control bytes"),
           (b"touch x", 0o666, "that others may write"))


def hostile_file(t, kind):
    """What others than `ai` wrote into the file."""
    if kind == "repl":
        hostile_in_repl(t)
        return
    for what, mode, name in HOSTILE:
        with home.Home() as place, Pane(place, kind) as pane:
            pane.call("send-keys", "-l", "true")
            pane.keys("Enter")
            tap.poll(pane.files)
            newest = max(pane.files(), key=os.path.getmtime)
            for path in pane.files():
                write_file(path, what, mode)
            pane.keys("Enter")
            tap.poll(lambda: gone(newest))
            pane.call("send-keys", "-l", "echo 'do''ne'")
            pane.keys("Enter")
            pane.see("done")
            t.ok("touch" not in pane.text() and
                 not os.path.exists(place.path("x")),
                 "%s: a file %s is not taken" % (kind, name), pane.text())


def hostile_in_repl(t):
    """There the file is, and is read, while and after `ai` runs."""
    good = (b"touch x", 0o600, "as ai writes it")
    for row in (good, *HOSTILE):
        what, mode, name = row
        taken = row is good
        with home.Home() as place, Pane(place, "repl") as pane:
            pane.propose(step(1, "cd ."))
            for path in pane.files():
                write_file(path, what, mode)
            t.ok(pane.files(), "repl: a file waits for a command")
            pane.keys("q")
            tap.poll(lambda: pane.text().splitlines()[-1].rstrip().endswith(
                ("# touch x", "$ touch x") if taken else ("#", "$")))
            pane.call("send-keys", "-l", "; " * taken + "echo 'do''ne'")
            pane.keys("Enter")
            pane.see("done")
            t.is_(("touch x" in pane.text(), os.path.exists(place.path("x"))),
                  (taken, taken), "repl: a file %s is %staken"
                  % (name, "" if taken else "not "), pane.text())


def elsewhere(t):
    with home.Home() as place:
        term, status = review(place, step(1, "touch 'a b'"),
                              TERM="xterm-256color", keys=[(MENU, "i")])
        t.ok(status == 5 and "not on your prompt" in term.text() and
             "\ntouch 'a b'\n" in term.text().replace("\r", ""),
             "where no shell waits the command is printed alone", status,
             term.text())
        t.ok(base64.b64encode(b"touch 'a b'").decode() in term.seen,
             "and sent to the clipboard")
    with home.Home() as place:
        term, status = review(place, step(1, "sudo -S touch x"),
                              TERM="xterm-256color",
                              keys=[("run it yourself", ""), (MENU, "q")])
        t.ok(status == 5 and "needs sudo" in term.text() and
             "[r]un" not in term.text(),
             "what needs sudo can be inserted, and not run", term.text())
    with home.Home() as place:
        term, status = review(place, step(1, "echo a\u202eb"),
                              TERM="xterm-256color", keys=[(MENU, "i")])
        t.ok("\\u202e" in term.text() and "\u202e" not in term.seen,
             "what does not show itself is shown as escapes", term.text())
    with home.Home() as place, Shell(place, "bash", TERM="xterm-256color") \
            as sh:
        os.environ.pop("AGENTSH_SESSION", None)
        path = save(place, step(1, "touch x"))
        sh.send("sh -c '%s do --plan %s; true'\n" % (AI, path))
        sh.child.expect_exact("uit")
        sh.send("i")
        shown = sh.wait()
        t.ok(b"not on your prompt" in shown,
             "a program between the shell and us: another prompt could come "
             "first", shown)


def main():
    t = tap.Tap()
    if not shutil.which("tmux"):
        tap.skip_all("tmux is not here")
    elsewhere(t)
    for kind in kinds():
        for test in (inserted, waits, enter_at_once, hostile_file,
                     through_link, in_directory, history):
            test(t, kind)
    fish_syntax(t)
    line_came_first(t)
    t.done()


if __name__ == "__main__":
    main()
