# SPDX-License-Identifier: GPL-3.0-or-later
"""test_review.py - a plan on the screen: shown, asked about, run, ended."""

import os
import signal
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))

import home
import shells
import tap
import terminal
from review import AI, MENU, review, save, step


def test_approval(t):
    with home.Home() as h:
        term, status = review(h, step(1, "echo one > a"),
                              step(2, "cat a; echo two"), keys=[(MENU, "r")])
        t.is_(status, 0, "an approved plan runs and is a success", term.text())
        t.ok("echo one > a" in term.text() and "one\ntwo" in
             term.text().replace("\r", ""),
             "the commands are shown, then their output", term.text())
        t.ok(term.is_sane() and term.no_one_left(),
             "the terminal is sane, no process is left")


def test_heading(t):
    with home.Home() as h:
        steps = [step(n, "echo %d" % n) for n in (1, 2)]
        for one in steps:
            one["description"] = "Look whether there is anything to be " \
                                 "listed at all"
        term, status = review(h, *steps, keys=[(MENU, "r")], cols=40)
        heads = term.text().replace("\r", "").partition("1/2 ")[2]
        wide = [line for line in heads.split("\n") if len(line) > 40]
        t.ok(status == 0 and not wide and
             "1/2 Look whether there is anything to be\n" not in heads and
             "    listed at all\n" in heads,
             "the heading of a step is broken between words", term.text())


def test_refusal(t):
    for key, name in (("q", "q"), ("\r", "Enter"), ("\x04", "Ctrl-D")):
        with home.Home() as h:
            term, status = review(h, step(1, "touch done"), keys=[(MENU, key)])
            t.ok(status == 5 and not os.path.exists(h.path("done")),
                 "%s means no: exit 5, nothing was run" % name, status,
                 term.text())
    with home.Home() as h:
        term, status = review(h, step(1, "touch done"), keys=[(MENU, "\x03")])
        t.ok(status == 130 and not os.path.exists(h.path("done")),
             "Ctrl-C at the question: exit 130", status)
        t.ok(term.is_sane(), "and the terminal is sane")


def test_word(t):
    for word, wanted in (("yes\r", 0), ("y\r", 5), ("\r", 5)):
        with home.Home() as h:
            term, status = review(
                h, step(1, "touch done", is_destructive=True),
                keys=[(MENU, "r"), ("Type yes", word)])
            t.ok(status == wanted and
                 os.path.exists(h.path("done")) == (wanted == 0),
                 "a destructive step and %r: exit %d" % (word, wanted),
                 status, term.text())


def test_steps(t):
    with home.Home() as h:
        _, status = review(h, step(1, "touch a"), step(2, "touch b"),
                           step(3, "touch c"), options=["--step"],
                           keys=[(MENU, "r"), (MENU, "r"), (MENU, "s"),
                                 (MENU, "r")])
        t.is_((status, sorted(os.listdir(h.work))),
              (5, ["a", "c", "plan.json"]),
              "--step runs some and skips others, which is no success")
    with home.Home() as h:
        _, status = review(h, step(1, "touch a"), step(2, "touch b"),
                           keys=[(MENU, "s"), (MENU, "r"), (MENU, "q")])
        t.is_((status, sorted(os.listdir(h.work))), (5, ["a", "plan.json"]),
              "quitting between steps keeps the finished ones: exit 5")


def test_failure(t):
    with home.Home() as h:
        term, status = review(h, step(1, "exit 3"), step(2, "touch b"),
                              keys=[(MENU, "r"), ("exit status 3", ""),
                                    (MENU, "q")])
        t.ok(status == 1 and not os.path.exists(h.path("b")),
             "a failed step stops the plan: exit 1", status, term.text())
    with home.Home() as h:
        _, status = review(h, step(1, "test -e go || { touch go; exit 3; }"),
                           step(2, "touch b"),
                           keys=[(MENU, "r"), ("exit status 3", ""),
                                 (MENU, "r")])
        t.ok(status == 0 and os.path.exists(h.path("b")),
             "it can be tried again", status)
    with home.Home() as h:
        _, status = review(h, step(1, "exit 3"), step(2, "touch b"),
                           keys=[(MENU, "r"), ("exit status 3", ""),
                                 (MENU, "s")])
        t.ok(status == 1 and os.path.exists(h.path("b")),
             "skipped, the rest runs, and the status is still 1", status)


def test_edit(t):
    with home.Home() as h:
        editor = h.path("editor")
        with open(editor, "w", encoding="utf-8") as out:
            out.write("#!/bin/sh\nsed -i s/before/after/ \"$1\"\n")
        os.chmod(editor, 0o755)
        term, status = review(h, step(1, "touch before"), VISUAL=editor,
                              keys=[(MENU, "e"), ("touch after", ""),
                                    (MENU, "r")])
        t.ok(status == 0 and os.path.exists(h.path("after")) and
             not os.path.exists(h.path("before")),
             "an edited command is shown again and is what runs", status,
             term.text())
    with home.Home() as h:
        _, status = review(h, step(1, "touch before"), VISUAL="false",
                           keys=[(MENU, "e"), ("not edited", ""), (MENU, "q")])
        t.ok(status == 5 and not os.path.exists(h.path("before")),
             "e never runs anything, whatever the editor does", status)


def test_interrupt(t):
    with home.Home() as h:
        term, _ = review(h, step(1, "touch one"),
                         step(2, "setsid sleep 1000 & sleep 1000"),
                         keys=[(MENU, "r"), ("2/2", "")], finish=False)
        tap.poll(lambda: len([n for n in h.left().values()
                              if n.startswith("sleep")]) == 2)
        term.send("\x03")
        status = term.finish()
        t.is_(status, 130, "Ctrl-C in a step: exit 130", term.text())
        t.ok(term.no_one_left(), "its whole tree is gone", h.left())
        t.ok(term.is_sane() and os.path.exists(h.path("one")),
             "the terminal is sane, the finished step stays")


def test_hidden(t):
    with home.Home() as h:
        term, status = review(h, step(1, "echo a\u202eb\x1b[2Jc\u200b"),
                              keys=[(MENU, "q")])
        t.ok(status == 5 and all(shown in term.text() for shown in
                                 ("\\u202e", "\\x1b", "\\u200b")),
             "characters that hide are shown as escapes", term.text())
    with home.Home() as h:
        done = h.run([AI, "do", "-y", "--plan",
                      save(h, step(1, "echo a\u200b"))])
        t.is_(done.status, 5, "and --yes does not approve them", done.err)


def test_output_filter(t):
    with home.Home() as h:
        term, status = review(
            h, step(1, r"printf '\033]0;title\007\033[31mred\033[0m\033[2J'"),
            keys=[(MENU, "r")])
        t.ok(status == 0 and "\x1b]0;" not in term.seen and
             "\x1b[2J" not in term.seen and "\x1b[31mred" in term.seen,
             "of a command's output colours pass, titles and erasing do not",
             repr(term.seen))


def lines(h, name):
    return len(h.read(name).splitlines())


def test_stop(t):
    """Ctrl-Z is for the command too, and fg goes on with both."""
    with home.Home() as h:
        plan = save(h, step(1, "while :; do echo x >> grows; sleep 0.02;"
                               " done"))
        term = terminal.Terminal(h, ["bash", "--norc", "-i"])
        term.send("%s do --plan %s\r" % (AI, plan))
        term.wait_for(MENU)
        term.send("r")
        tap.poll(lambda: lines(h, "grows") > 2)
        term.send("\x1a")
        still = term.wait_for("Stopped") and tap.poll(lambda: stopped(h), 5)
        count = lines(h, "grows")
        same = not tap.poll(lambda: lines(h, "grows") > count, 0.5)
        t.ok(still and same, "Ctrl-Z stops the command itself", h.left(),
             term.text())
        term.send("fg\r")
        t.ok(tap.poll(lambda: lines(h, "grows") > count),
             "and fg goes on with it", h.left())
        term.send("\x03")
        t.ok(term.wait_for("interrupted"), "and Ctrl-C ends it then",
             term.text())
        term.send("exit\r")
        term.finish()
        t.ok(term.no_one_left(), "nothing is left", h.left())


def stopped(h):
    return all(home.state_of(pid) == "T" for pid, name in h.left().items()
               if "bash --noprofile" in name)


def test_unread(t):
    """Nobody reads our output: signals are heard all the same."""
    with home.Home() as h:
        plan = save(h, step(1, "seq 1 100000000"))
        for name, number in (("INT", signal.SIGINT), ("TERM", signal.SIGTERM)):
            child = subprocess.Popen(
                [AI, "do", "-y", "--plan", plan], cwd=h.work, env=h.env,
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL)
            tap.poll(lambda: any(n.startswith("seq") for n in
                                 h.left().values()))
            child.send_signal(number)
            t.ok(tap.poll(lambda c=child: c.poll() is not None),
                 "SIG%s ends it though its output is not read" % name)
            child.kill()
            child.wait()
            t.ok(tap.poll(lambda: not h.left()), "with all it started",
                 h.left())
            child.stdout.close()
        done = h.run(["bash", "-c", '"$0" do -y --plan "$1" | head -n 1; '
                      'echo "${PIPESTATUS[0]}"', AI, plan])
        t.is_(done.out.split(), ["1", "141"],
              "a reader that leaves ends the step", done.err)


def test_unseen(t):
    for options in (["-o", "json"], ["-o", "jsonl"], ["-q"]):
        with home.Home() as h:
            term, status = review(h, step(1, "touch done"), options=options,
                                  keys=[(MENU, "q")])
            shown = term.text().partition("[r]un")[0]
            t.ok(status == 5 and "touch done" in shown,
                 "with %s too a plan is shown before it is asked about" %
                 " ".join(options), term.text())


def test_forged(t):
    with home.Home() as h:
        term, _ = review(h, step(1, "echo one" + " " * 64 + "  2  List"),
                         keys=[(MENU, "q")], cols=80)
        t.ok(not any(line.startswith("  2  List") for line in
                     term.text().splitlines()),
             "a long command cannot draw another step", term.text())
    with home.Home() as h:
        done = h.run([AI, "do", "-y", "--plan", save(h, step(
            1, "'x\nai: all is well\n' a"))])
        t.ok("\nai: all is well" not in done.err,
             "nor can its words make a line of ours", done.err)


def test_narrow(t):
    """A command can be read whole, however narrow the terminal is."""
    command = "find . -type d -name 'some long name' -o -empty " + "x" * 60
    for cols in (40, 80):
        with home.Home() as h:
            term, _ = review(h, step(1, command),
                             keys=[(MENU, "q")], cols=cols)
            shown = term.text()
            rest = shown[shown.index("find . -t"):].splitlines()
            words = []
            for line in rest:
                if not line.startswith(" " * 9) and words:
                    break
                words.append(line.strip())
            joined = "".join(words).replace(" ", "")
            t.ok(joined == command.replace(" ", ""), "nothing is left out",
                 shown)
            t.ok("…" not in shown and max(map(len, rest)) <= cols,
                 "no mark stands in it, and no line is too long", shown)


def test_editor_stop(t):
    """An editor that is stopped gives the shell its terminal back."""
    with home.Home() as h:
        editor = h.path("editor")
        with open(editor, "w", encoding="utf-8") as out:
            out.write("#!/bin/sh\nkill -TSTP 0\n"
                      "sed -i s/before/after/ \"$1\"\n")
        os.chmod(editor, 0o755)
        plan = save(h, step(1, "touch before"))
        term = terminal.Terminal(h, ["bash", "--norc", "-i"], VISUAL=editor)
        term.send("%s do --plan %s\r" % (AI, plan))
        term.wait_for(MENU)
        term.send("e")
        t.ok(term.wait_for("Stopped"), "Ctrl-Z in the editor stops both",
             term.text())
        term.send("fg\r")
        t.ok(term.wait_for("touch after") and term.wait_for(MENU),
             "and fg goes on with both", term.text())
        term.send("q")
        term.wait_for("not approved")
        term.send("exit\r")
        t.is_(term.finish(), 5, "the shell has its status")
        t.ok(not os.listdir(h.env["TMPDIR"]), "no draft is left behind",
             os.listdir(h.env["TMPDIR"]))


def test_stopped(t):
    """kill(1) of a job that is stopped at the question."""
    with home.Home() as h:
        shells.write_rc(h, shells.RC)
        sh = shells.bash(h)
        sh.send("%s do --plan %s\r" % (AI, save(h, step(1, "true"))))
        sh.expect(r"\[q\]uit \? ")
        sh.send("\x1a")
        sh.expect("Stopped")
        sh.prompt()
        sh.send("kill %1\r")
        try:
            sh.expect("terminated")
        except shells.Missed as why:
            t.ok(False, "a stopped review ends by kill", why)
            return
        t.ok(tap.poll(lambda: not any("--plan" in name for name in
                                      h.left().values())),
             "a stopped review ends by kill, and not at fg", h.left(),
             sh.text())
        terminal.hang_up(sh.child)


def main():
    t = tap.Tap()
    for test in (test_approval, test_heading, test_refusal, test_word,
                 test_steps, test_failure, test_edit, test_interrupt,
                 test_hidden, test_output_filter, test_stop, test_unread, test_unseen,
                 test_forged, test_narrow, test_editor_stop, test_stopped):
        test(t)
    t.done()


main()
