# SPDX-License-Identifier: GPL-3.0-or-later
"""home.py - a clean place to run the programs in.

A Home is a temporary directory with a home, XDG directories and a working
directory, and an environment that knows no key and no proxy. What is started
in it carries AGENTSH_TEST_ID, by which processes left behind are found; those
that shed their environment are found as this process's own grandchildren,
for which it becomes their reaper.
"""

import ctypes
import dataclasses
import os
import secrets
import shutil
import subprocess
import tempfile
import time

import tap

PR_SET_CHILD_SUBREAPER = 36
ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)

SRCDIR = os.path.abspath(os.environ.get("top_srcdir", os.path.join(
    os.path.dirname(__file__), "..", "..")))
BUILDDIR = os.path.abspath(os.environ.get("top_builddir", "."))


@dataclasses.dataclass
class Result:
    status: int
    out: str
    err: str
    seconds: float


class Home:
    """Use as a context manager: leaving it removes everything."""

    alive = 0  # of them all, in this process

    def __init__(self):
        Home.alive += 1
        self.root = tempfile.mkdtemp(prefix="agentsh-test-")
        self.id = secrets.token_hex(8)
        self.work = self.folder("work")
        self.env = {
            "PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin",
            "HOME": self.folder("home"),
            "USER": "tester", "LOGNAME": "tester", "SHELL": "/bin/bash",
            "LANG": "C.UTF-8", "TERM": "xterm-256color",
            "TMPDIR": self.folder("tmp"),
            "AGENTSH_TEST_ID": self.id,
        }
        for name in ("CONFIG_HOME", "STATE_HOME", "CACHE_HOME", "DATA_HOME",
                     "RUNTIME_DIR"):
            self.env["XDG_" + name] = self.folder(name.lower())
        self.no_completions_of_manuals()
        self.own_state()
        self.config("")

    def __enter__(self):
        return self

    def __exit__(self, *why):
        self.done()

    def folder(self, name):
        path = os.path.join(self.root, name)
        os.mkdir(path, 0o700)
        return path

    def no_completions_of_manuals(self):
        """A fish that finds no such directory reads all manual pages, for many
        seconds, beside what is tested."""
        for name in ("XDG_DATA_HOME", "XDG_CACHE_HOME"):
            os.makedirs(os.path.join(self.env[name], "fish",
                                     "generated_completions"))

    def path(self, *names):
        return os.path.join(self.work, *names)

    def secret(self, text, name="token"):
        """The path of a file with it that nobody else can read."""
        path = self.path(name)
        with open(path, "w", encoding="utf-8") as out:
            os.fchmod(out.fileno(), 0o600)
            out.write(text)
        return path

    def config(self, text):
        """Writes the configuration file. The mark by which processes are
        found passes into the sandbox. Where there are no namespaces, what
        writes is run in `reduced`, unless the text says otherwise."""
        if "[sandbox]" not in text:
            text += "\n[sandbox]\npass_env = AGENTSH_TEST_ID\n"
        if "allow_reduced" not in text and not tap.is_here("namespaces"):
            text += "\n[sandbox]\nallow_reduced = yes\n"
        folder = os.path.join(self.env["XDG_CONFIG_HOME"], "agentsh")
        os.makedirs(folder, 0o700, exist_ok=True)
        with open(os.path.join(folder, "config"), "w",
                  encoding="utf-8") as out:
            out.write(text)

    def read(self, *names):
        """A file of the working directory, "" when there is none."""
        try:
            with open(self.path(*names), encoding="utf-8") as file:
                return file.read()
        except FileNotFoundError:
            return ""

    def run(self, argv, stdin="", seconds=60, **env):
        """Runs argv without a terminal. Its time limit is a failure."""
        start = time.monotonic()
        done = subprocess.run(
            argv, input=stdin.encode(), capture_output=True, cwd=self.work,
            env={**self.env, **env}, timeout=seconds, check=False,
            start_new_session=True)
        return Result(done.returncode, done.stdout.decode("utf-8", "replace"),
                      done.stderr.decode("utf-8", "replace"),
                      time.monotonic() - start)

    def left(self, closed=False):
        """Processes that were started here and still run, as pid: name; with
        closed also those that let nobody but root look, which takes longer."""
        return {pid: name_of(pid) for pid in pids()
                if self.mine(pid, closed) and
                state_of(pid) not in ("Z", "X", "")}

    def mine(self, pid, closed=False):
        try:
            with open("/proc/%d/environ" % pid, "rb") as file:
                mark = b"AGENTSH_TEST_ID=" + self.id.encode()
                return mark in file.read().split(b"\0")
        except PermissionError:
            return closed and self.is_below(pid)
        except OSError:
            return False

    def is_below(self, pid):
        """Whether a parent was started here; what this process started itself
        is the only home's."""
        for at in ancestors(pid):
            if at == os.getpid():
                return Home.alive == 1
            if self.mine(at):
                return True
        return False

    def own_state(self):
        """On an overlay, as a container's disk is, a preview goes to a place
        below /dev/shm that all of a user's share: a state directory of the
        test's own in memory takes it instead."""
        self.memory = None
        kind = subprocess.run(["stat", "-f", "-c", "%T", self.root],
                              capture_output=True, text=True, check=False)
        if kind.stdout.strip() == "overlayfs":
            self.memory = tempfile.mkdtemp(prefix="agentsh-test-",
                                           dir="/dev/shm")
            for name in ("STATE_HOME", "RUNTIME_DIR"):
                path = os.path.join(self.memory, name.lower())
                os.mkdir(path, 0o700)
                self.env["XDG_" + name] = path

    def done(self):
        Home.alive -= 1
        if self.memory:
            # an overlay's own directory has no mode
            subprocess.run(["chmod", "-R", "u+rwx", self.memory], check=False)
            shutil.rmtree(self.memory, ignore_errors=True)
        shutil.rmtree(self.root, ignore_errors=True)
        reap_adopted()


def pids():
    return [int(name) for name in os.listdir("/proc") if name.isdigit()]


def stat_of(pid):
    """The fields of /proc/PID/stat that follow the name."""
    try:
        with open("/proc/%d/stat" % pid, encoding="utf-8",
                  errors="replace") as file:
            return file.read().rpartition(")")[2].split()
    except OSError:
        return []


def ancestors(pid):
    """The processes that pid descends from, its parent first."""
    chain = []
    while (fields := stat_of(pid)) and (pid := int(fields[1])) > 1:
        chain.append(pid)
    return chain


def state_of(pid):
    return (stat_of(pid) or [""])[0]


def name_of(pid):
    try:
        with open("/proc/%d/cmdline" % pid, "rb") as file:
            return file.read().replace(b"\0", b" ").decode("utf-8", "replace")
    except OSError:
        return ""


def children(parent):
    """The processes that parent started and that still run."""
    return {pid: name_of(pid) for pid in pids()
            if stat_of(pid)[1:2] == [str(parent)] and state_of(pid) != "Z"}


def reap_adopted():
    """Waits for what others left behind here and that has ended, which would
    count against the user's limit of processes. What this process started is
    in its session, or leads one of its own; others wait for that."""
    own, session = str(os.getpid()), str(os.getsid(0))
    for pid in pids():
        fields = stat_of(pid)
        if fields[:2] == ["Z", own] and \
                fields[3] not in (str(pid), session):
            try:
                os.waitpid(pid, os.WNOHANG)
            except ChildProcessError:
                pass


def strays():
    """Children of this process: after each has been waited for, these were
    left behind by one that ended."""
    return children(os.getpid())


def program(name):
    """The program that was built, or the one that the environment names."""
    return os.environ.get(name.upper().replace("-", "_"),
                          os.path.join(BUILDDIR, name))
