# SPDX-License-Identifier: GPL-3.0-or-later
"""test_exec.py - agentsh exec on a terminal: what passes, keys, jobs, and
programs on the whole screen."""

import os
import shutil
import signal
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))

import home
import tap
import terminal

AGENTSH = home.program("agentsh")
PROMPT = "READY> "
CTRL_C, CTRL_Z = "\x03", "\x1a"


def inside(h, *words, **more):
    return terminal.Terminal(h, [AGENTSH, "exec", "--", *words], **more)


def shell(h, *words):
    """An interactive bash, of which the first prompt has been seen."""
    rc = h.path("rc")
    with open(rc, "w", encoding="utf-8") as out:
        out.write("PS1='%s'\nPROMPT_COMMAND=\nbind 'set "
                  "enable-bracketed-paste off'\n" % PROMPT)
    term = terminal.Terminal(h, [*words, "bash", "--noprofile", "--rcfile", rc,
                                 "-i"])
    term.wait_for(PROMPT)
    return term


def ask(term, line, answer):
    """Types a line and waits for the answer and the next prompt."""
    term.send(line + "\r")
    return term.wait_for(answer) and term.wait_for(PROMPT)


def what_passes(t):
    with home.Home() as h:
        term = inside(h, "sh", "-c", r"printf '\033]52;c;aGk=\007\033]0;T\007"
                      r"\033[31mred\033[0m\033[c\033P1q\033\\\n'; exit 4")
        t.is_(term.finish(), 4, "the status is the command's")
        t.is_(term.seen, "\x1b[31mred\x1b[0m\r\n",
              "colour passes, the clipboard, the title and queries do not")
        t.ok(term.is_sane(), "the terminal is as it was")
    with home.Home() as h:
        term = inside(h, "sh", "-c", "tty; stty size; stty -a | grep -c isig",
                      rows=30, cols=99)
        t.is_(term.finish(), 0, "it has a terminal")
        t.ok("30 99" in term.text(), "of the same size", term.text())
    with home.Home() as h:
        term = inside(h, "sh", "-c", "trap 'stty size; exit' WINCH; echo on; "
                      "while :; do sleep 0.1; done")
        term.wait_for("on")
        term.child.setwinsize(33, 44)
        t.ok(term.wait_for("33 44"), "a new size is passed on")
        t.is_(term.finish(), 0, "and it ends")
    with home.Home() as h:
        term = inside(h, "seq", "200000")
        t.is_(term.finish(60), 0, "much output ends")
        t.ok(term.seen.endswith("199999\r\n200000\r\n"), "with its last line",
             term.seen[-50:])
    with home.Home() as h:
        term = terminal.Terminal(h, ["sh", "-c", r'"$0" exec -- sh -c "printf '
                                     r"'a\033]0;T\007b\033[1mc\033[m\n' >&2;"
                                     r' echo out" >out', AGENTSH])
        t.is_(term.finish(), 0, "standard error may be the only terminal")
        t.ok("ab\x1b[1mc\x1b[m\r\n" in term.seen and "T" not in term.text(),
             "it is filtered too", repr(term.seen))
        t.is_(h.read("out"), "out\n", "standard output is as it is")


def keys(t):
    with home.Home() as h:
        term = inside(h, "sh", "-c", 'read x; echo "<$x>"; cat')
        term.send("typed\r")
        t.ok(term.wait_for("<typed>"), "keys arrive")
        term.send("more\r\x04")
        t.is_(term.finish(), 0, "the end of input arrives")
    with home.Home() as h:
        term = inside(h, "sleep", "7311")
        tap.poll(lambda: term.mode("before") and any(
            "sleep 7311" == n.strip() for n in names()))
        term.send(CTRL_C)
        t.is_(term.finish(), 130, "Ctrl-C ends it")
        t.ok(term.is_sane(), "and the terminal is as it was")
    with home.Home() as h:
        term = shell(h)
        term.send("for i in 1 2; do %s exec -- sleep 7314; echo went-$((i+1));"
                  " done\r" % AGENTSH)
        tap.poll(lambda: any("sleep 7314" == n for n in names()))
        term.send(CTRL_C)
        t.ok(tap.poll(lambda: term.text().rstrip().endswith(PROMPT.strip()))
             and "went-2" not in term.text(),
             "and the loop of the shell around it", term.text())
    with home.Home() as h:
        term = inside(h, "sh", "-c", "echo on; sleep 7312")
        term.wait_for("on")
        pid = front(h)
        os.kill(pid, signal.SIGTERM)
        t.is_(term.finish(), 143, "SIGTERM ends it")
        t.ok(term.is_sane(), "and the terminal is as it was, after that too")
        t.ok(tap.poll(lambda: "sleep 7312" not in names()),
             "nothing goes on")
    with home.Home() as h:
        with open(h.path("lines"), "w", encoding="ascii") as out:
            out.writelines("line %d\n" % n for n in range(1, 200))
        term = terminal.Terminal(h, ["sh", "-c", 'cat lines | "$0" exec -- '
                                     "less", AGENTSH], LESS="")
        t.ok(term.wait_for("line 23"), "less shows what a pipe brings")
        term.send("G")
        t.ok(term.wait_for("line 199"), "and has the keyboard")
        term.send("q")
        t.is_(term.finish(), 0, "less ends")
        t.ok(term.is_sane(), "less leaves the terminal as it was")


def names():
    return [home.name_of(pid).strip() for pid in home.pids()]


def front(h):
    """The newest agentsh exec of this home."""
    return max(pid for pid, name in h.left().items()
               if name.startswith(AGENTSH + " exec"))


def jobs_inside(t):
    with home.Home() as h:
        term = shell(h, AGENTSH, "exec", "--")
        t.ok(ask(term, "echo a$((1+1))b", "a2b"), "bash -i works inside")
        term.send("sleep 7313\r")
        tap.poll(lambda: "sleep 7313" in names())
        term.send(CTRL_Z)
        t.ok(term.wait_for("Stopped"), "Ctrl-Z stops a job of it")
        term.wait_for(PROMPT)
        t.ok(ask(term, "jobs", "sleep 7313"), "jobs tells it")
        term.send("fg\r")
        term.wait_for("sleep 7313\r\n")
        term.send(CTRL_C)
        t.ok(term.wait_for(PROMPT), "after fg Ctrl-C ends it")
        t.ok(ask(term, "sleep 7314 & jobs", "Running"), "& works")
        term.send("exit 7\r")
        t.is_(term.finish(), 7, "bash ends with its status")
        t.ok(term.is_sane(), "the terminal is as it was")
        t.ok(tap.poll(lambda: "sleep 7314" not in names()),
             "what it left behind is gone")


def jobs_outside(t):
    with home.Home() as h:
        term = shell(h)
        term.send('%s exec -- sh -c "echo be\'\'gun; read x; echo got \\$x"\r'
                  % AGENTSH)
        term.wait_for("begun\r\n")
        term.send(CTRL_Z)
        t.ok(term.wait_for("Stopped"), "Ctrl-Z stops it for the outer shell")
        term.wait_for(PROMPT)
        t.ok(ask(term, "stty -a | grep -c ' icanon.* echo '", "\r\n"),
             "whose terminal is sane meanwhile")
        term.send("fg\r")
        term.wait_for("got")  # the command line, told again
        term.send("it\r")
        t.ok(term.wait_for("got it"), "fg continues it, keys and all")
        term.wait_for(PROMPT)
        os.mkfifo(h.path("go"))
        ask(term, "%s exec -- sh -c 'read x <go; echo be\\hind; read y; "
            "echo \"<$y>\"' &" % AGENTSH, "[1]")
        term.send("echo x > go\r")
        t.ok(term.wait_for("behind"), "in the background its output is shown")
        term.send("fg\r")
        tap.poll(lambda: False, 0.1)
        term.send("late\r")
        t.ok(term.wait_for("<late>"), "brought to the front it has the keys")
        term.wait_for(PROMPT)
        term.send("exit 0\r")
        t.is_(term.finish(), 0, "the outer shell ends")
        t.ok(term.is_sane(), "with its terminal as it was")


def jobs_without_terminal(t):
    """Its output goes elsewhere: the keys are those of the outer shell."""
    with home.Home() as h:
        term = shell(h)
        term.send("%s exec -- sleep 7315 >out 2>&1\r" % AGENTSH)
        tap.poll(lambda: "sleep 7315" in names())
        term.send(CTRL_Z)
        t.ok(term.wait_for("Stopped"), "a job into a file is stopped too")
        term.wait_for(PROMPT)
        term.send("fg\r")
        term.wait_for("sleep 7315 > out")
        tap.poll(lambda: home.state_of(front(h)) == "S")
        term.send(CTRL_C)
        term.wait_for(PROMPT)
        t.ok(ask(term, "echo st=$?", "st=130"), "and ended by Ctrl-C")
        t.ok(tap.poll(lambda: "sleep 7315" not in names()), "all of it")
        term.send("%s exec -- seq 1000 | LESS= less\r" % AGENTSH)
        t.ok(term.wait_for("\r\n23\r\n"), "a pager behind it paints")
        term.send("G")
        t.ok(term.wait_for("1000"), "and has the keyboard")
        term.send("q")
        term.wait_for(PROMPT)
        term.send("exit 0\r")
        t.is_(term.finish(), 0, "the shell ends")


# Ways around the filter: each says where it came from.
AROUND = ("{ printf LEAK-input >&0; printf LEAK-tty >/dev/tty; "
          "printf LEAK-again >/proc/self/fd/0; "
          "printf LEAK-parent >/proc/$PPID/fd/0; "
          "printf LEAK-name >\"$0\"; } 2>/dev/null; printf done >&1")
# Where the output goes, and who leads the session.
ELSEWHERE = ('"$@" >out 2>&1', '"$@" >out', 'exec "$@" >out 2>&1',
             'setsid -w "$@" >out 2>&1')
CONFINED = ("read-only", "observe", "observe-proc", "workspace-write",
            "preview", "reduced")


def around_the_filter(t):
    """What is not shown by the filter reaches the terminal by no other way."""
    with home.Home() as h:
        h.config("[sandbox]\nallow_reduced = yes\n")
        for how in ELSEWHERE:
            for profile in (None, *CONFINED):
                words = [AGENTSH, "exec", "--profile", profile, "--"]
                term = terminal.Terminal(
                    h, ["sh", "-c", "cd %s; tty=$(tty); set -- %s sh -c "
                        "'%s' \"$tty\"; %s" % (
                            h.work, " ".join(words) if profile else "",
                            AROUND, how)])
                term.finish()
                name = "%s: %s" % (profile or "outside", how)
                if profile:
                    t.ok("LEAK" not in term.seen, name + " is not left",
                         repr(term.seen))
                else:
                    t.ok("LEAK" in term.seen, name + " is", repr(term.seen))
                t.ok("done" in h.read("out"), "and it ran",
                     repr(term.seen))


class Tmux:
    """One window of a server of its own."""

    def __init__(self, h, command):
        self.argv = ["tmux", "-S", os.path.join(h.root, "tmux"), "-f",
                     "/dev/null"]
        self.env = h.env
        self.h = h
        self.call("new-session", "-d", "-x", "80", "-y", "24", "-c", h.work,
                  command)
        tap.poll(lambda: "bash" in self.screen())
        self.keys("PS1='%s'; clear" % PROMPT, "Enter")

    def call(self, *words):
        return subprocess.run([*self.argv, *words], env=self.env,
                              cwd=self.h.work, capture_output=True, text=True,
                              check=False).stdout

    def screen(self):
        return self.call("capture-pane", "-p")

    def shows(self, text):
        return tap.poll(lambda: text in self.screen())

    def at_prompt(self):
        """Nothing runs: the last line is the prompt alone."""
        return tap.poll(lambda: self.screen().rstrip("\n").split("\n")[-1]
                        .rstrip() == PROMPT.rstrip())

    def keys(self, *words):
        self.call("send-keys", *words)

    def done(self):
        self.call("kill-server")


def whole_screen(t):
    if not shutil.which("tmux"):
        t.skip("programs on the whole screen", "needs tmux")
        return
    with home.Home() as h:
        with open(h.path("lines"), "w", encoding="ascii") as out:
            out.writelines("line %d\n" % n for n in range(1, 200))
        tmux = Tmux(h, "bash --norc --noprofile -i")
        tmux.at_prompt()
        if shutil.which("vim"):
            tmux.keys(AGENTSH + " exec -- vim -u NONE note", "Enter")
            t.ok(tmux.shows("~\n~\n"), "vim paints", tmux.screen())
            tmux.keys("i", "a line", "Escape", ":w", "Enter")
            t.ok(tap.poll(lambda: h.read("note") == "a line\n"), "vim writes")
            tmux.keys("C-z")
            t.ok(tmux.shows("Stopped"), "vim is stopped by Ctrl-Z",
                 tmux.screen())
            tmux.keys("fg", "Enter")
            t.ok(tmux.shows("~\n~\n"), "vim paints again after fg",
                 tmux.screen())
            tmux.keys(":q", "Enter")
            t.ok(tmux.at_prompt() and "Stopped" in tmux.screen(),
                 "vim gives the screen back", tmux.screen())
        else:
            t.skip("vim paints", "needs vim")
        tmux.keys("clear", "Enter")
        tmux.at_prompt()
        tmux.keys(AGENTSH + " exec -- less lines", "Enter")
        t.ok(tmux.shows("line 23\n"), "less paints", tmux.screen())
        tmux.keys("/line 150", "Enter")
        t.ok(tmux.shows("line 150\n"), "less searches", tmux.screen())
        tmux.keys("q")
        t.ok(tmux.at_prompt() and "exec -- less" in tmux.screen(),
             "less gives the screen back", tmux.screen())
        if shutil.which("top"):
            tmux.keys(AGENTSH + " exec --profile observe -- top", "Enter")
            t.ok(tmux.shows("PID"), "top paints", tmux.screen())
            tmux.keys("q")
            t.ok(tmux.at_prompt(), "top ends", tmux.screen())
        else:
            t.skip("top paints", "needs top")
        tmux.done()


def main():
    t = tap.Tap()
    what_passes(t)
    keys(t)
    jobs_inside(t)
    jobs_outside(t)
    jobs_without_terminal(t)
    around_the_filter(t)
    whole_screen(t)
    t.done()


main()
