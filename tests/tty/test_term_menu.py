# SPDX-License-Identifier: GPL-3.0-or-later
"""test_term_menu.py - questions at a terminal, as a person meets them."""

import os
import signal
import sys

import pexpect

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "..", "lib"))

import home  # noqa: E402
import tap  # noqa: E402
import terminal  # noqa: E402

PROBE = os.path.join(home.BUILDDIR, "tests", "lib", "term_probe")
MENU = "[q]uit ? "

SILENT, HINT = "is swallowed", "gets a hint"
# what is typed, and its answer or what else it does
KEYS = {
    "r": "r", "x": "x", "\r": "q", "\n": "q", "\x04": "q", "R": "r",
    "r\r": "r",
    "\x1b[A": SILENT, "\x1bOA": SILENT, "\x1b[1;5D": SILENT,
    "\x1br": SILENT, "\x1b[15~": SILENT,
    "z": HINT, "run it\r": HINT, "\x01": HINT, "é": HINT,
    "\x1b[200~r\r\x1b[201~": HINT,
}
SIGNALS = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT)


def pid_of_probe(place):
    """The probe, not the shell that leads its session."""
    return tap.poll(lambda: next(
        (pid for pid, name in place.left().items()
         if name.startswith(PROBE)), None))


def answers(t, place):
    for keys, does in KEYS.items():
        menu = terminal.Terminal(place, [PROBE, "menu"])
        shown = menu.wait_for(MENU)
        menu.send(keys)
        if does == HINT:
            shown = shown and menu.wait_for("? explains")
        if does in (HINT, SILENT):
            menu.send("s")
        status = menu.finish()
        answer = "s" if does in (HINT, SILENT) else does
        t.ok(shown and status == 0 and menu.is_sane() and
             menu.seen.endswith("answer: %s\r\n" % answer),
             "%r %s" % (keys, does if does in (HINT, SILENT)
                        else "answers " + does), status, repr(menu.seen))


def echoes(t, place):
    """The answer that is shown behind the question is never parted."""
    parted = []
    for columns in (20, 40, 50, 53, 56, 58, 80):
        menu = terminal.Terminal(place, [PROBE, "menu"], cols=columns)
        menu.wait_for(MENU)
        menu.send("x")
        menu.finish()
        lines = menu.text().split("\n")
        if max(map(len, lines)) > columns or not any(
                line.endswith("explain") for line in lines):
            parted.append((columns, lines))
    t.ok(not parted, "what was answered is shown whole at every width",
         parted)


def interrupts(t, place):
    menu = terminal.Terminal(place, [PROBE, "menu"])
    menu.wait_for(MENU)
    menu.send("\x03")
    t.is_(menu.finish(), 130, "Ctrl-C ends the question", menu.seen)
    t.ok(menu.is_sane(), "and the terminal is as before")
    for signo in SIGNALS:
        menu = terminal.Terminal(place, [PROBE, "menu"])
        menu.wait_for(MENU)
        os.kill(pid_of_probe(place), signo)
        status = menu.finish()
        t.ok(status == 130 and menu.is_sane(),
             "%s ends it and the terminal is as before" % signo.name, status,
             menu.mode("before"), menu.mode("after"))


def starts_afterwards(t, place):
    """What is started after a question is no child of nohup."""
    menu = terminal.Terminal(place, [PROBE, "menu-exec"])
    menu.wait_for(MENU)
    os.kill(pid_of_probe(place), signal.SIGHUP)
    status = menu.finish()
    ignored = place.read("ignored").split()
    t.ok(status == 0 and ignored[:1] == ["SigIgn:"] and
         not int(ignored[1], 16) & 1 << signal.SIGHUP - 1,
         "what runs after a hangup can be hung up", status, ignored,
         menu.seen)


def stops(t, place):
    shell = pexpect.spawn("/bin/bash", ["--norc", "--noprofile", "-i"],
                          cwd=place.work, env={**place.env, "PS1": "$ "},
                          encoding="utf-8", timeout=10)
    shell.sendline("stty -g >before; %s menu" % PROBE)
    shell.expect_exact(MENU)
    shell.send("\x1a")
    shell.expect_exact("Stopped")
    shell.sendline("stty -g >after; echo done''here")
    shell.expect_exact("donehere")
    shell.sendline("fg")
    again = shell.expect_exact([MENU, pexpect.TIMEOUT], timeout=10)
    shell.send("x")
    answered = shell.expect_exact(["answer: x", pexpect.TIMEOUT], timeout=10)
    shell.sendline("exit")
    shell.expect(pexpect.EOF)
    shell.close()
    t.ok(again == 0 and answered == 0, "Ctrl-Z and fg put the question again")
    t.ok(place.read("before") and place.read("before") == place.read("after"),
         "and the shell has its terminal meanwhile")


def stops_alone(t, place):
    menu = terminal.Terminal(place, [PROBE, "menu"])
    menu.wait_for(MENU)
    menu.send("\x1a")
    again = menu.wait_for(MENU)
    menu.send("r")
    t.ok(menu.finish() == 0 and again,
         "Ctrl-Z where no shell could continue it is ignored")


def widths(t, place):
    for cols in (40, 200):
        menu = terminal.Terminal(place, [PROBE, "menu"], cols=cols)
        menu.wait_for(MENU)
        menu.send("?")
        menu.wait_for(MENU)
        menu.send("q")
        menu.finish()
        lines = menu.text().splitlines()
        t.ok(max(map(len, lines)) < cols and
             ("e[x]plain  [c]opy" not in menu.text()) == (cols == 40) and
             any("open a step in your editor" in line for line in lines),
             "the menu fits %d columns" % cols, menu.text())


def words(t, place):
    for typed, answer in (("yes\r", "yes"), ("y\r", "no"), ("\r", "no"),
                          ("\x04", "no"), ("yesterday\r", "no"),
                          ("ye\x04\x04s\r", "yes"), ("y\x04\x04\r", "no")):
        word = terminal.Terminal(place, [PROBE, "word"])
        word.wait_for("go on: ")
        word.send(typed)
        status = word.finish()
        t.ok(status == 0 and ("answer: %s\r\n" % answer) in word.seen and
             word.is_sane(), "typing %r is %s" % (typed, answer), word.seen)
    word = terminal.Terminal(place, [PROBE, "word"])
    word.wait_for("go on: ")
    word.send("ye\x03")
    t.ok(word.finish() == 130 and word.is_sane(), "Ctrl-C in a word ends it")


def secrets(t, place):
    for typed, n in (("open-sesame\r", 11), ("  open sesame \r", 11),
                     ("\r", 0), ("\x04", 0), ("x" * 1023 + "\r", 1023),
                     ("x" * 1024 + "\r", 0), ("sesume\x7f\x7f\x7fame\r", 6)):
        secret = terminal.Terminal(place, [PROBE, "secret"])
        secret.wait_for("Key: ")
        secret.send(typed)
        status = secret.finish()
        t.ok(status == 0 and ("answer: %d bytes\r\n" % n) in secret.seen and
             "sesame" not in secret.seen and "xx" not in secret.seen and
             secret.is_sane(), "a key of %d bytes is taken and not shown" % n,
             secret.seen)
    secret = terminal.Terminal(place, [PROBE, "secret"])
    secret.wait_for("Key: ")
    secret.send("sesame\x03")
    t.ok(secret.finish() == 130 and secret.is_sane() and
         "sesame" not in secret.seen, "Ctrl-C in a key ends it", secret.seen)


def typed_ahead(t, place):
    menu = terminal.Terminal(
        place, ["/bin/sh", "-c", 'stty -echo; echo ready; read x; exec "$@"',
                "sh", PROBE, "menu"])
    menu.wait_for("ready")
    menu.send("go\rr\r\r")
    shown = menu.wait_for(MENU)
    menu.send("s")
    menu.finish()
    t.ok(shown and menu.seen.endswith("answer: s\r\n"),
         "what was typed before does not answer", repr(menu.seen))


def pipes(t, place):
    for mode in ("menu", "yes-no", "word", "secret"):
        result = place.run([PROBE, mode])
        t.ok(result.status == 5 and result.out ==
             "error: no terminal to ask on\n",
             "%s without a terminal is refused" % mode, result)
    asked = terminal.Terminal(place, [
        "/bin/sh", "-c", 'echo r | "$@"', "sh", PROBE, "yes-no"])
    asked.wait_for("[n]o ? ")
    asked.send("y")
    t.ok(asked.finish() == 0 and "answer: yes" in asked.seen and
         asked.is_sane(), "a piped standard input is not the keyboard",
         asked.seen)


def live_line(t, place):
    live = terminal.Terminal(place, [PROBE, "live"])
    status = live.finish()
    t.ok(status == 0 and "step 1 of 2 · 0." in live.seen and
         "Unpacking a package" in live.seen and
         "\r\x1b[Koutput\r\n" in live.seen and
         live.seen.endswith("\r\x1b[K"),
         "the live line comes, gives way to output and goes", repr(live.seen))
    dumb = terminal.Terminal(place, [PROBE, "live"], TERM="dumb")
    dumb.finish()
    t.is_(dumb.seen, "output\r\n", "a dumb terminal never sees it")
    t.is_(place.run([PROBE, "live"]).out, "output\n", "a pipe neither")


def main():
    t = tap.Tap()
    with home.Home() as place:
        for test in (answers, echoes, interrupts, starts_afterwards, stops,
                     stops_alone, widths, words, secrets, typed_ahead,
                     pipes, live_line):
            test(t, place)
    t.done()


main()
