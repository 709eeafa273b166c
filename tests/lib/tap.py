# SPDX-License-Identifier: GPL-3.0-or-later
"""tap.py - tests that speak TAP.

    t = tap.Tap()
    t.ok(condition, "a sentence that is true when it passed")
    t.done()
"""

import functools
import os
import shutil
import signal
import subprocess
import sys
import time
import traceback

# Set where the same tests of the same tree have run already, and it is only
# to be seen that a copy of it builds and has all that it needs.
BRIEF = "AGENTSH_TEST_BRIEF"


# A number n: of many rows that are alike, each n-th is enough here, since all
# have been tried on another machine.
SAMPLE = "AGENTSH_TEST_SAMPLE"


def sample(rows):
    """The rows, or as many of them as are to be tried."""
    return rows[::int(os.environ.get(SAMPLE) or 1)]


LONGEST = 1200  # seconds of a whole test on a machine that does other work
PATIENCE = 30.0  # seconds that a machine which does other work may take


def poll(condition, seconds=PATIENCE, pause=0.01):
    """The first true value of condition(), or its last false one."""
    until = time.monotonic() + seconds
    while not (value := condition()) and time.monotonic() < until:
        time.sleep(pause)
    return value


def stop(pid):
    """Stops a child process. Its threads go on for a while after the signal
    was sent; when this returns they have stopped."""
    os.kill(pid, signal.SIGSTOP)
    os.waitid(os.P_PID, pid, os.WSTOPPED)


def as_other_user(argv):
    """The words by which root runs argv as a user of no name."""
    return ["setpriv", "--reuid=12345", "--regid=12345", "--clear-groups",
            *argv]


def succeeds(argv):
    return shutil.which(argv[0]) is not None and subprocess.run(
        argv, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL, check=False).returncode == 0


@functools.lru_cache(maxsize=None)
def is_here(what):
    """Whether this machine has it: "root", "namespaces" (that this user can
    make, with a /proc of their own), "other-user" (whom root can become, and
    who reaches what was built), the path of a file, or the name of a
    program."""
    if what == "root":
        return os.geteuid() == 0
    if what == "namespaces":
        return succeeds(["unshare", "-Urmpf", "mount", "-t", "proc", "proc",
                         "/proc"])
    if what == "other-user":
        built = os.path.join(os.environ.get("top_builddir", "."), "agentsh")
        # by a shell: setpriv itself reaches more than what it starts
        return os.geteuid() == 0 and succeeds(as_other_user(
            ["/bin/sh", "-c", '"$0" --version', built]))
    if what.startswith("/"):
        return os.path.exists(what)
    return shutil.which(what) is not None


class Overdue(Exception):
    """A test takes too long; no OSError, which some of them expect."""


class Tap:
    """Counts the tests; the plan is printed by done(), or first by plan()."""

    def __init__(self):
        self.count = 0
        self.failed = 0
        self.planned = None
        sys.excepthook = self.report_exception
        signal.signal(signal.SIGALRM, self.report_overdue)
        signal.alarm(LONGEST)
        if os.environ.get(BRIEF):
            self.skip_all("a brief run")

    def say(self, line):
        print(line, flush=True)

    def plan(self, n):
        self.planned = n
        self.say("1..%d" % n)

    def skip_all(self, why):
        """Nothing can be tested here: ends the program."""
        self.say("1..0 # SKIP " + why)
        sys.exit(0)

    @staticmethod
    def report_overdue(_signo, _frame):
        """What waits for ever is left by an exception, which ends what it
        started."""
        raise Overdue("the test takes more than %d s" % LONGEST)

    def report_exception(self, kind, error, trace):
        """An exception that nothing caught is a test that failed, where the
        test's own file was: logs that are cut show that line."""
        calls = traceback.extract_tb(trace)
        own = [call for call in calls if call.filename == calls[0].filename]
        self.ok(False, "%s in %s, line %d" % (kind.__name__, own[-1].name,
                                              own[-1].lineno))
        sys.__excepthook__(kind, error, trace)
        if self.planned is None:
            self.plan(self.count)

    def once(self):
        """Skips a program that comes out alike on each machine, where it has
        been tried on another one."""
        if os.environ.get(SAMPLE):
            self.skip_all("tried on another machine")

    def needs(self, *things):
        """Skips the whole program unless each thing is here (is_here)."""
        for what in things:
            if not is_here(what):
                self.skip_all("needs " + what)

    def diag(self, text):
        for line in str(text).splitlines():
            self.say("# " + line)

    def ok(self, condition, name, *details):
        """One test; the details are printed when it fails."""
        self.count += 1
        name = name.replace("#", "").replace("\n", " ")
        self.say("%s %d - %s" % ("ok" if condition else "not ok", self.count,
                                 name))
        if not condition:
            self.failed += 1
            for detail in details:
                self.diag(detail)
        return bool(condition)

    def is_(self, got, wanted, name, *details):
        """got is wanted."""
        return self.ok(got == wanted, name, "got:    %r" % (got,),
                       "wanted: %r" % (wanted,), *details)

    def skip(self, name, why):
        self.count += 1
        self.say("ok %d - %s # SKIP %s" % (self.count, name, why))

    def done(self):
        """Prints the plan when that was not done, and ends the program."""
        if self.planned is None:
            self.plan(self.count)
        sys.exit(0)
