# SPDX-License-Identifier: GPL-3.0-or-later
"""failures.py - real failures of real programs, and what ai fix makes of them.

A file of cases has stanzas:

    = RULE              the rule that is to fit ("-": none)
    setup: COMMANDS     what is there before, by bash; may come again
    run: COMMAND        what fails
    shell: zsh          which shell runs it; else bash
    needs: PROGRAM …    the case is left out where one is not installed
    user: other         root becomes a user of no name for it; user: root:
                        it is left out for anybody else
    $ STEP              each step of the plan, with $PWD for the directory and
                        PID for the number in the file pid; none: nothing is
                        proposed
    then: fails         the plan is not run: what it does is only looked at

Each runs in an empty directory, which is the home as well.
"""

import dataclasses
import json
import os
import shutil
import signal
import subprocess
import tempfile

import tap

LIMIT = 20  # seconds that a program may take
PATH = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"
BUILT = os.path.abspath(os.environ.get("top_builddir", "."))


@dataclasses.dataclass
class Case:
    rule: str
    run: str = ""
    setup: list = dataclasses.field(default_factory=list)
    shell: str = "bash"
    needs: list = dataclasses.field(default_factory=list)
    other: bool = False
    root: bool = False
    steps: list = dataclasses.field(default_factory=list)
    plan_only: bool = False


def read(path):
    """The cases of a file."""
    cases = []
    with open(path, encoding="utf-8") as file:
        for line in file:
            line = line.rstrip("\n")
            word, _, rest = line.partition(": ")
            if line.startswith("= "):
                cases.append(Case(line[2:]))
            elif line.startswith("$ "):
                cases[-1].steps.append(line[2:])
            elif word == "setup":
                cases[-1].setup.append(rest)
            elif word == "run":
                cases[-1].run = rest
            elif word == "shell":
                cases[-1].shell = rest
                cases[-1].needs.append(rest)
            elif word == "needs":
                cases[-1].needs += rest.split()
            elif word == "user":
                cases[-1].other = rest == "other"
                cases[-1].root = rest == "root"
            elif word == "then":
                cases[-1].plan_only = True
            elif line and not line.startswith("#"):
                raise ValueError(line)
    return cases


class Place:
    """An empty directory for a case; with it as context."""

    def __init__(self, case):
        self.case = case
        self.dir = tempfile.mkdtemp(prefix="fix-")
        self.work = os.path.join(self.dir, "work")
        os.mkdir(self.work)
        self.env = {
            "PATH": PATH, "HOME": self.work, "LC_ALL": "C.UTF-8",
            "TERM": "dumb", "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@example.org",
            "GIT_COMMITTER_NAME": "A", "GIT_COMMITTER_EMAIL": "a@example.org",
            "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "init.defaultBranch",
            "GIT_CONFIG_VALUE_0": "main", "NO_UPDATE_NOTIFIER": "1",
            "npm_config_update_notifier": "false",
            "npm_config_offline": "true",
            "npm_config_cache": os.path.join(self.dir, "npm"),
            "XDG_CONFIG_HOME": os.path.join(self.dir, "config"),
            "XDG_STATE_HOME": os.path.join(self.dir, "state"),
            "XDG_CACHE_HOME": os.path.join(self.dir, "cache"),
        }

    def __enter__(self):
        for line in self.case.setup:
            self.call(["bash", "-c", line])
        if self.case.other:
            os.chmod(self.dir, 0o777)
        return self

    def __exit__(self, *_):
        if self.left():
            os.kill(int(self.left()), signal.SIGKILL)
        subprocess.run(["rm", "-rf", self.dir], check=False)

    def left(self):
        """The number of a process that the setup started; "": none."""
        try:
            with open(os.path.join(self.work, "pid"), encoding="ascii") as f:
                return f.read().strip()
        except OSError:
            return ""

    def plain(self, steps):
        """Steps with $PWD and PID for what differs in each run; who runs the
        tests installs with sudo unless it is root."""
        pid = self.left() or "no process"
        sudo = "" if self.case.other else "sudo "
        return [step.replace(self.work, "$PWD").replace(pid, "PID")
                .replace(sudo + "apt-get ", "apt-get ") for step in steps]

    def argv(self, argv):
        return tap.as_other_user(argv) if self.case.other else argv

    def call(self, argv, asked=None):
        """Its status and what it showed, both streams in their order."""
        got = subprocess.run(argv, cwd=self.work, env=self.env, check=False,
                             stdin=subprocess.DEVNULL, timeout=LIMIT,
                             stdout=subprocess.PIPE,
                             stderr=asked or subprocess.STDOUT)
        status = got.returncode if got.returncode >= 0 else 128 - got.returncode
        return status, got.stdout.decode("utf-8", "replace")

    def fail(self, command=None):
        shell = {"zsh": ["zsh", "-f"], "fish": ["fish", "--no-config"]}
        words = shell.get(self.case.shell, [self.case.shell])
        return self.call(self.argv([*words, "-c", command or self.case.run]))

    def shown(self, text):
        path = os.path.join(self.dir, "shown")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, 0o644)
        return path

    def rule(self, status, text):
        """The rule's name, its title and its steps."""
        _, out = self.call(self.argv([
            os.path.join(BUILT, "tests/fix/print_repair"), self.case.run,
            str(status), self.shown(text)]))
        lines = out.splitlines() + ["", ""]
        return lines[0], lines[1], [x for x in lines[2:] if x]

    def fix(self, status, text):
        """What ai fix answers: a list of commands, empty: nothing is to be
        repaired; None: it knows no answer."""
        _, out = self.call(self.argv([
            os.path.join(BUILT, os.environ.get("AI_NAME", "ai")), "fix",
            "--offline", "--command", self.case.run, "--status", str(status),
            "--stderr-file", self.shown(text), "-o", "json", "--dry-run"]),
            asked=subprocess.DEVNULL)
        try:
            answer = json.loads(out)
        except ValueError:
            return None
        if "steps" in answer:
            return [step["shell_command"] for step in answer["steps"]]
        return [] if "answer" in answer else None

    def repaired(self, steps):
        """Whether each step succeeds, one after another; and what they showed.
        """
        told = []
        for step in steps:
            status, text = self.fail(step)
            told.append("%s: %d\n%s" % (step, status, text))
            if status != 0:
                return False, told
        return True, told


def is_possible(case):
    if case.other and not tap.is_here("other-user"):
        return False
    if case.root and os.geteuid() != 0:
        return False
    return all(shutil.which(name, path=PATH) for name in case.needs)
