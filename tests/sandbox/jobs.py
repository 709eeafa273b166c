# SPDX-License-Identifier: GPL-3.0-or-later
"""jobs.py - Ctrl-C, Ctrl-Z, fg and bg reach the program, and the shell that
started the launcher keeps its terminal."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))
sys.path.insert(0, os.path.dirname(__file__))

import place  # noqa: E402
import tap  # noqa: E402
import terminal  # noqa: E402

# Says when it reads; the words are not in what is typed.
CAT = "/bin/sh -c 'echo me''ow; exec cat'"
PROFILES = ("workspace-write", "observe", "reduced", "full")


class Session:
    """A bash on a terminal, in which `run` is the launcher's first words."""

    def __init__(self, h, p, profile):
        self.term = terminal.Terminal(
            h, ["/bin/bash", "--norc", "--noprofile", "-i"], PS1="ready> ")
        words = p.words(profile)
        quoted = " ".join("'%s'" % w for w in words[:-1])
        self.marks = 0
        self.term.wait_for("ready> ")
        self.tell("cd '%s'" % p.work)
        self.tell("run=(%s)" % quoted)
        self.tell("prompt=outer")

    def type(self, line):
        self.term.send(line + "\n")

    def tell(self, line):
        """A line, and what comes until the shell has finished it."""
        self.marks += 1
        from_here = len(self.term.seen)
        self.type(line + "; echo end$((%d+0)).$?." % self.marks)
        self.term.wait_for("end%d." % self.marks)
        self.term.wait_for("ready> ")
        return self.term.seen[from_here:]

    def sees(self, text):
        return self.term.wait_for(text)


def keys(t, s, profile):
    keep = '"${run[@]}" --keep-terminal -- '
    s.type(keep + CAT)
    s.sees("meow")
    s.type("hello")
    t.ok(s.sees("hello\r\nhello"), profile + ": it reads the terminal")
    s.term.send("\x1a")
    t.ok(s.sees("Stopped"), profile + ": Ctrl-Z stops it")
    t.ok("Stopped" in s.tell("jobs"), "and it is a job of the shell")
    s.type("fg")
    s.sees("exec cat")
    s.type("again")
    t.ok(s.sees("again\r\nagain"), profile + ": fg lets it go on")
    s.term.send("\x03")
    s.sees("ready> ")
    t.ok("end130" not in s.tell("true") and s.tell("echo on").count("on"),
         profile + ": Ctrl-C ends it, and the shell goes on")


def itself(t, s, profile):
    keep = '"${run[@]}" --keep-terminal -- '
    s.type(keep + "/bin/sh -c 'kill -STOP $$; echo went o''n'")
    t.ok(s.sees("Stopped"), profile + ": one that stops itself is stopped")
    s.type("bg")
    t.ok(s.sees("went on"), profile + ": bg lets it go on")
    t.ok("end" in s.tell("wait"), "and the shell keeps its terminal")
    s.type(keep + CAT + " &")
    t.ok(s.sees("meow"), profile + ": it is started in the background")
    t.ok(tap.poll(lambda: "Stopped" in s.tell("jobs")),
         "and stops when it reads")
    s.type("fg")
    s.sees("exec cat")
    s.type("more")
    t.ok(s.sees("more\r\nmore"), "and reads when it is in front")
    s.term.send("\x04")
    s.sees("ready> ")
    t.ok(".0." in s.tell("true"), "and its end is the shell's turn")


def inner(t, s, profile):
    s.type('"${run[@]}" --keep-terminal -- /bin/bash --norc --noprofile -i')
    s.type("PS1='inner> '; echo in$((1+1))")
    t.ok(s.sees("in2"), profile + ": a shell runs inside")
    s.type("sh -c 'echo as''leep; exec sleep 1000'")
    s.sees("asleep")
    s.term.send("\x1a")
    t.ok(s.sees("Stopped") and s.sees("inner> "),
         profile + ": it has jobs of its own")
    s.type("kill -9 %1; fg; exit 3")
    t.ok(s.sees("ready> ") and s.tell("echo $prompt").count("outer"),
         "and the outer one comes back")
    t.ok("ok" in s.tell('"${run[@]}" -- /bin/sh -c "cat </dev/tty || echo ok"'),
         profile + ": without its leave there is no terminal")


def main():
    t = tap.Tap()
    with place.Place() as p, place.home.Home() as h:
        probe = p.sh("workspace-write", "true")
        if probe.returncode == 125:
            t.skip_all(probe.stderr.strip())
        for profile in PROFILES:
            s = Session(h, p, profile)
            for part in (keys, itself, inner):
                part(t, s, profile)
            s.type("exit")
    t.done()


if __name__ == "__main__":
    main()
