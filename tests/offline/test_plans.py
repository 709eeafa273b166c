# SPDX-License-Identifier: GPL-3.0-or-later
"""test_plans.py - plans run to their end, behind the walls that they get.

plans/*.txt hold one try a stanza: a job of the recipes, a wish, and rows, as
tries/*.txt have them (test_tries.py). The wish is typed behind `ai do` on a
terminal, its plan approved there, each step run by agentsh itself: what a
check sees is what the profile of its step shows. Each try has a home of its
own, and its working directory is not below it.

    < LINE       runs first, in the working directory (bash -e)
    waits LINE   must succeed before the plan starts, soon
    ~ REGEX      a line that a step wrote matches: nothing that stands in
                 the plan, nor in a question about a later step
    ! N          step N fails, which ends the plan; nothing: it succeeds
    ? LINE       must succeed afterwards
    fake NAME LINE   a program of that name, first on PATH, and what it does;
                 without LINE it is fakes/NAME. It stands for one that needs
                 a daemon or another machine, or is not here. $FAKE, where it
                 keeps its state, is a directory that confined profiles hide,
                 as they hide a daemon's
    where NAME   skipped when there is no such program
    user         skipped when root runs the tests: root is never refused
    world        root runs it, in name spaces of its own (world.sh): a small
                 /etc, other places empty, no network, not even loopback, no
                 other process, and no program that changes the kernel
    cuts LINE    Ctrl-C is typed when that succeeds: the last step does not
                 end by itself. "! 130" says that the plan ends so
    port         @PORT is a free port in all rows

A row that is indented by eight columns goes on with the row above it.

Every job is tried, or named in unrun.txt with the reason.
"""

import concurrent.futures
import contextlib
import functools
import glob
import os
import re
import shutil
import signal
import socket
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))

import home
import pexpect
import tap
import terminal

FOLDER = os.path.join(home.SRCDIR, "tests", "offline", "plans")
RECIPES = os.path.join(home.SRCDIR, "src", "offline", "recipes")
AI = home.program("ai")
AT_ONCE = 3
SECONDS = 60   # for one plan, with sanitizers too
QUESTIONS = 40  # that one plan asks at most
MENU = "uit ? "
OTHER = "another plan than that"
FAILED = r"step \d+ failed"  # the question after a step that did
TITLE = r"\d+/\d+ "  # how the line that names a step begins
STEP = r" +\d+  "  # and how the line of a step in a plan does
MARKS = "<~!?"
MORE = " " * 8
# Name spaces for a machine of a try's own: when its first process ends, or
# unshare is killed, all its processes end. What is the kernel's alone cannot
# be its own, so the programs that change that fail there unless faked.
UNSHARE = ["/usr/bin/unshare", "--mount", "--pid", "--fork", "--kill-child",
           "--mount-proc", "--net", "--ipc", "--uts"]
ENTER = UNSHARE + ["/bin/bash", os.path.join(FOLDER, "world.sh")]
KERNEL = """swapon swapoff sysctl mount umount modprobe insmod rmmod mkfs
    hwclock date hostnamectl timedatectl reboot shutdown poweroff halt dd
    fdisk parted wipefs losetup""".split()


class Try:
    """One stanza."""

    def __init__(self, place, head):
        self.place = place
        self.job, self.wish = [s.strip() for s in head.split(":", 1)]
        self.rows = {mark: [] for mark in MARKS}
        self.fakes, self.programs = [], []
        self.flags = set()
        self.cuts = self.waits = ""

    def __str__(self):
        return "%s: %s: %s" % (self.place, self.job, self.wish)

    def add(self, row):
        mark, _, rest = row.partition(" ")
        if mark in self.rows:
            self.rows[mark].append(rest.strip())
        elif mark == "fake":
            self.fakes.append(rest.partition(" ")[::2])
        elif mark == "where":
            self.programs += rest.split()
        elif mark == "cuts":
            self.cuts = rest
        elif mark == "waits":
            self.waits = rest
        elif mark in ("user", "world", "port"):
            self.flags.add(mark)
        else:
            raise SystemExit("%s: what is %r?" % (self.place, row))

    def choose_port(self):
        with socket.socket() as s:
            s.bind(("127.0.0.1", 0))
            port = str(s.getsockname()[1])
        self.wish = self.wish.replace("@PORT", port)
        self.cuts = self.cuts.replace("@PORT", port)
        self.waits = self.waits.replace("@PORT", port)
        self.fakes = [(name, line.replace("@PORT", port))
                      for name, line in self.fakes]
        for mark, rows in self.rows.items():
            self.rows[mark] = [row.replace("@PORT", port) for row in rows]

    def lacks(self):
        path = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"
        missing = [p for p in self.programs if not shutil.which(p, path=path)]
        if "user" in self.flags and os.geteuid() == 0:
            missing.append("a user who is not root")
        if "world" in self.flags and not can_enter():
            missing.append("name spaces of root's own")
        return missing


@functools.cache
def can_enter():
    return os.geteuid() == 0 and subprocess.run(
        UNSHARE + ["/bin/mount", "--bind", "/mnt", "/mnt"],
        capture_output=True).returncode == 0


def joined(path):
    """The lines of a file with their numbers, each with what goes on it."""
    lines = []
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if line.startswith(MORE) and lines:
                lines[-1][1] += " " + line.strip()
            elif line.strip() and not line.startswith("#"):
                lines.append([number, line.rstrip()])
    return lines


def stanzas(path, head, row):
    """Calls head(place, line) and row(line) for the lines of a file."""
    for number, line in joined(path):
        if line[0].isspace():
            row(line.strip())
        else:
            head("%s:%d" % (os.path.basename(path), number), line)


def read(path):
    tries = []
    stanzas(path, lambda place, line: tries.append(Try(place, line)),
            lambda row: tries[-1].add(row))
    return tries


def jobs():
    """The titles of all recipes that have steps, by their names."""
    found, heads = {}, [("", "")]
    for path in glob.glob(os.path.join(RECIPES, "*.txt")):
        stanzas(path, lambda _, line: heads.append(
            [s.strip() for s in line.split(":", 1)]),
                lambda row: row.startswith("- ") and
                found.update([heads[-1]]))
    return found


def fake(name):
    path = os.path.join(FOLDER, "fakes", name)
    with open(path, encoding="utf-8") as file:
        return file.read()


def unrun():
    """The jobs that are not run here, and why."""
    path = os.path.join(FOLDER, "unrun.txt")
    found = {}
    if os.path.exists(path):
        stanzas(path, lambda _, line: found.update([
            [s.strip() for s in line.split(":", 1)]]), print)
    return found


TITLES = jobs()


class Run:
    """One try, in a home of its own."""

    def __init__(self, h, one):
        self.h, self.one = h, one
        self.term = None
        self.lines = []  # that came after an approval
        self.env = {**h.env, "FAKE": h.folder("fake"),
                    "WORLD": h.folder("world"),
                    "SOURCE": home.SRCDIR, "BUILT": home.BUILDDIR}
        self.enter = ENTER if "world" in one.flags else []
        with open(os.path.join(h.env["HOME"], ".gitconfig"), "w",
                  encoding="utf-8") as file:
            file.write("[user]\n\tname = T\n\temail = t@example.org\n"
                       "[init]\n\tdefaultBranch = main\n")
        fakes = dict(one.fakes)
        if "world" in one.flags:
            fakes = {**dict.fromkeys(KERNEL, "exit 1"), **fakes}
        if fakes:
            self.env["PATH"] = self.programs(fakes) + ":" + self.env["PATH"]

    def programs(self, fakes):
        folder = self.h.folder("bin")
        for name, line in fakes.items():
            with open(os.path.join(folder, name), "w",
                      encoding="utf-8") as file:
                file.write("#!/bin/bash\nFAKE=%s\n%s\n" % (
                    self.env["FAKE"], line or fake(name)))
            os.chmod(file.name, 0o755)
        return folder

    def start(self, line, seconds=SECONDS):
        """Runs a line to its end; one that has none in time has failed."""
        argv = self.enter + ["bash", "-e", "-c", line]
        try:
            return subprocess.run(
                argv, cwd=self.h.work, env=self.env, capture_output=True,
                text=True, timeout=seconds, check=False, errors="replace",
                stdin=subprocess.DEVNULL)
        except subprocess.TimeoutExpired:
            return subprocess.CompletedProcess(argv, 124, "", "takes too long")

    def comes(self, line):
        return tap.poll(lambda: self.start(line).returncode == 0, pause=0.1)

    def is_wanted(self):
        """The plan on the terminal is the one of the job."""
        return re.search(r"(?m)^%s(  |$)" % re.escape(TITLES[self.one.job]),
                         self.term.text()) is not None

    def keep_lines(self, approved, asks):
        """Keeps what steps wrote: no title, nothing that a question shows of
        the step that it asks about; what comes where the line of the time
        was is a line of its own."""
        before = self.term.child.before
        if not approved or not isinstance(before, str):
            return
        rows = before.replace(terminal.ERASED, "\n")
        lines = terminal.DRAWING.sub("", rows).splitlines()
        shown = [i for i, line in enumerate(lines) if re.match(STEP, line)]
        lines = lines[:shown[-1]] if asks and shown else lines
        self.lines += [line for line in lines if not re.match(TITLE, line)]

    def keys(self):
        """Approves the plan when it is the wanted one; whatever is asked
        after that it failed ends it. The exit status, None when there is no
        end."""
        child = self.term.child
        wanted = [MENU, "Type yes", pexpect.EOF, pexpect.TIMEOUT]
        cuts, approved = self.one.cuts, False
        for _ in range(QUESTIONS):
            seen = child.expect_exact(wanted, timeout=SECONDS)
            self.term.keep()
            self.keep_lines(approved, seen < 2)
            if seen > 1:
                break
            if not self.is_wanted():
                self.term.send("\x03" if seen else "q")
                break
            failed = re.search(FAILED, child.before)
            self.term.send("yes\r" if seen else "q" if failed else "r")
            approved = not failed
            if cuts and self.comes(cuts):
                self.term.send("\x03")
                cuts = ""
        return self.term.finish()

    def plan(self):
        """What is wrong with how the plan ran."""
        wish = self.enter + [AI, "do", "--offline", self.one.wish]
        self.h.env.update(self.env)
        self.term = terminal.Terminal(self.h, wish, rows=60, cols=200)
        status = self.keys()
        step = self.one.rows["!"]
        text = self.term.text()
        if not self.is_wanted():
            return [OTHER]
        if not step:
            return [] if status == 0 else ["status %s" % status]
        if step == ["130"]:
            return [] if status == 130 else ["status %s" % status]
        return [] if "step %s failed" % step[0] in text else [
            "step %s does not fail: %s" % (step[0], status)]

    def judge(self):
        """What is wrong, a line each."""
        rows = self.one.rows
        made = self.start("\n".join(rows["<"]))
        if made.returncode:
            return ["before it: " + made.stderr]
        if self.one.waits and not self.comes(self.one.waits):
            return ["never succeeds: " + self.one.waits]
        wrong = self.plan()
        if wrong == [OTHER]:
            return wrong + self.term.text().splitlines()
        wrong += ["nothing matches " + pattern for pattern in rows["~"]
                  if not any(re.search(pattern, line) for line in self.lines)]
        wrong += ["failed: " + line for line in rows["?"]
                  if self.start(line).returncode]
        return wrong + self.term.text().splitlines() if wrong else []

    def end(self):
        """Ends whatever of it still runs."""
        if self.term and self.term.child.isalive():
            terminal.hang_up(self.term.child)
        tap.poll(lambda: not self.kill())

    def kill(self):
        left = self.h.left()
        for pid in left:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        return left


def attempt(one):
    if "port" in one.flags:
        one.choose_port()
    with home.Home() as h:
        run = Run(h, one)
        try:
            return run.judge()
        finally:
            run.end()
            subprocess.run(["chmod", "-R", "u+rwx", h.root], check=False,
                           capture_output=True)


def example(head, *rows):
    one = Try("here", head)
    for row in rows:
        one.add(row)
    return one


def runs_no_other(t):
    wrong = attempt(example("job-node-modules: rename all jpeg files to jpg",
                            "< touch a.jpeg", "? test -e a.jpg"))
    t.is_(wrong[:1], [OTHER], "another plan than the job's is not run")
    wrong = attempt(example("job-rename-extension: rename jpeg files to jpg",
                            "< touch a.jpeg", "~ sandbox:",
                            "? test -e a.jpeg"))
    t.is_(wrong[:2], ["nothing matches sandbox:", "failed: test -e a.jpeg"],
          "what only the plan shows does not match, and what is not so fails")


def ends_in_time(t):
    with home.Home() as h:
        run = Run(h, example("job-cron: x"))
        done = run.start("sleep 1000 & sleep 1000", seconds=0.2)
        t.is_(done.returncode, 124, "what takes too long has failed")
        run.end()
        t.is_(h.left(), {}, "and nothing of it is left")


# Each line succeeds in a world: with what it shares with the machine it fails.
APART = r"""
    for i in mnt pid net ipc uts; do
        test "$(readlink /proc/self/ns/$i)" != "${!i}"; done
    test "$(tail -n +3 /proc/net/dev | grep -vc ' lo:')" = 0 ||
        test -z "$(ip -o link show up)"
    test -z "$(find /run /var/log/ /var/mail/ /root /home /mnt -mindepth 1 \
        \( -path "$SOURCE" -o -path "$BUILT" \) -prune -o ! -type d \
        ! -path '/run/mount*' -print)"
    test -z "$(cut -d: -f2 /etc/shadow /etc/gshadow | tr -d '*\n')"
    test "$(cut -d: -f1 /etc/passwd | tr '\n' ' ')" = 'root daemon nobody '
    test -z "$(find /etc -name '*-' -o -name '*_key' -o -name '*.key')"
    test ! -e /etc/ssl/private -a ! -e /etc/sudoers -a ! -e /etc/ssh
    test ! -S /dev/log
    swapon --show && exit 1
    mount && exit 1
    true
"""


def keeps_apart(t):
    name = "a world has nothing of the machine's"
    if not can_enter():
        t.skip(name, "not here: name spaces of root's own")
        return
    with home.Home() as h:
        run = Run(h, example("job-cron: x", "world"))
        for kind in ("mnt", "pid", "net", "ipc", "uts"):
            run.env[kind] = os.readlink("/proc/self/ns/" + kind)
        done = run.start("set -x" + APART)
        t.is_(done.returncode, 0, name, done.stderr)


def main():
    t = tap.Tap()
    wanted = sys.argv[1:]
    if not wanted or wanted == ["itself"]:
        runs_no_other(t)
        ends_in_time(t)
        keeps_apart(t)
    tries = [one for path in sorted(glob.glob(os.path.join(FOLDER, "*.txt")))
             if not path.endswith("unrun.txt") for one in read(path)]
    tries = [one for one in tries if not wanted or one.job in wanted or
             one.place.split(".")[0] in wanted]
    tried = tap.sample(tries)
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        for one, wrong in zip(tried, pool.map(
                lambda one: one.lacks() and [None] or attempt(one), tried)):
            if wrong == [None]:
                t.skip(str(one), "not here: %s" % ", ".join(one.lacks()))
            else:
                t.ok(not wrong, str(one), *wrong)
    if not wanted:
        left = unrun()
        for name in sorted(TITLES):
            t.ok((name in left) != any(one.job == name for one in tries),
                 "%s is tried, or has a reason why not" % name)
    t.done()


if __name__ == "__main__":
    main()
