# SPDX-License-Identifier: GPL-3.0-or-later
"""test_fix.py - ai fix: where the text of a failure comes from, in three shells
with the hook, in tmux and in the REPL; and what is said of wrong input."""

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import time

import lastcommand
import faults
import home
import hookshell
import shells
import tap
import terminal
from lastcommand import AI, fix, record
from fault.server import Server
from hookshell import Shell

KINDS = tap.sample(("bash", "zsh", "fish"))
CHECKS = []
MISSING = "cat: READM: No such file or directory\n"
SECOND = "from a second run in a view"


def check(function):
    CHECKS.append(function)
    return function


def write(path, text, mode=0o644):
    with open(path, "w", encoding="utf-8") as out:
        out.write(text)
    os.chmod(path, mode)


def steps(report):
    return [step["shell_command"] for step in report.get("steps", [])]


def reruns(place):
    return len(lastcommand.events(place, "rerun"))


# ---- the options


@check
def options(t):
    with home.Home() as place:
        write(place.path("README"), "x\n")
        write(place.path("err"), MISSING)
        given = ("--command", "cat READM", "--status", "1")
        result, report = fix(place, *given, "--stderr-file", "err")
        t.is_((result.status, report["source"], steps(report)),
              (0, "given", ["cat README"]), "a program gives all three",
              result.out, result.err)
        result, report = fix(place, *given)
        t.ok(report["source"] == "none" and "not captured" in result.err and
             "--stderr-file" in report["source_reason"],
             "without a file what it printed is not known", result.err)
        write(place.path("none"), "")
        result, report = fix(place, "--command", "grep zz README",
                             "--stderr-file", "none")
        t.ok(result.status == 0 and "printed nothing" in result.err and
             "nothing to repair" in report["answer"],
             "an empty file is a command that printed nothing", result.err)
        write(place.path("long"), "x" * 79 + "\n" + "noise\n" * 50000 + MISSING)
        result, report = fix(place, *given, "--stderr-file", "long")
        t.is_(steps(report), ["cat README"], "of a long file the end counts")
        write(place.path("coloured"), "\033[31m" + MISSING[:-1] + "\033[m\r\n")
        result, report = fix(place, *given, "--stderr-file", "coloured")
        t.is_(steps(report), ["cat README"], "colours are no part of a text")
        with open(place.path("bytes"), "wb") as out:
            out.write(bytes(range(256)) * 40)
        result, _ = fix(place, *given, "--stderr-file", "bytes")
        t.is_(result.status, 7, "any bytes are a text", result.err)
        result, _ = fix(place, "--command", "true", "--status", "0")
        t.ok(result.status == 0 and "succeeded" in result.out,
             "after a command that succeeded nothing is to be repaired")


@check
def wrong_input(t):
    rows = (
        (("--stderr-file", "x"), 2, "go with --command"),
        (("--status", "3"), 2, "go with --command"),
        (("--command", ""), 2, "is empty"),
        (("--command", "x", "--status", "256"), 2, "from 0 to 255"),
        (("--command", "x", "--status", "-1"), 2, "from 0 to 255"),
        (("--command", "x", "--status", "1x"), 2, "from 0 to 255"),
        (("--command", "x", "--status", ""), 2, "from 0 to 255"),
        (("--command", "x", "--stderr-file", "gone"), 1, "gone"),
        (("--command", "x", "--stderr-file", "."), 1, "irectory"),
        (("--plan", "x"), 2, "--plan and --on"),
        (("--on", "x"), 2, "--plan and --on"),
        ((), 1, "no command is recorded here"),
    )
    for words, status, text in rows:
        with home.Home() as place:
            result = place.run([AI, "fix", *words])
            t.ok(result.status == status and text in result.err and
                 result.out == "", "ai fix %s: %s" % (" ".join(words), text),
                 result.status, result.out, result.err)
    with home.Home() as place:
        record(place, "", 1)
        result = place.run([AI, "fix"])
        t.ok(result.status == 1 and "no command" in result.err,
             "a shell that has run nothing yet has no command", result.err)


# ---- what the shell recorded


@check
def transcript(t):
    with home.Home() as place:
        write(place.path("README"), "x\n")
        record(place, "cat READM", 1, shown=MISSING)
        result, report = fix(place)
        t.ok(report["source"] == "transcript" and
             steps(report) == ["cat README"] and
             "the transcript of this shell" in result.err,
             "the transcript is the first source", result.err)
        record(place, "grep zz README", 1, shown="")
        result, report = fix(place)
        t.ok("printed nothing" in result.err and
             "no match" in report["answer"] and not reruns(place),
             "that a command printed nothing is known", result.err)


@check
def second_run(t):
    t.is_(tap.is_here("namespaces"), True, "this machine has namespaces")
    with home.Home() as place:
        write(place.path("README"), "x\n")
        record(place, "cat READM", 1)
        result, report = fix(place)
        t.ok(report["source"] == "rerun" and steps(report) == ["cat README"]
             and SECOND in result.err, "a second run tells what it printed",
             result.out, result.err)
        again, report = fix(place)
        t.ok(report["source"] == "rerun" and steps(report) == ["cat README"]
             and reruns(place) == 1, "asked again, that is remembered",
             again.err, reruns(place))
        record(place, "cat READM", 1)
        fix(place)
        t.is_(reruns(place), 2, "typed again, it is another command")
        record(place, "cat READM", 2)
        result, report = fix(place)
        t.ok(report["source"] == "none" and
             "status 1 this time" in report["source_reason"],
             "another status does not count", report)
        result, report = fix(place)
        t.ok("was run again before" in report["source_reason"] and
             reruns(place) == 3, "and that is remembered too", report)
        path = os.path.join(lastcommand.folder(place),
                            "rerun-" + lastcommand.session())
        t.is_(os.stat(path).st_mode & 0o777, 0o600,
              "in a file that only the user can read")


@check
def language(t):
    with home.Home() as place:
        record(place, "sh -c 'echo =$LC_ALL=$LANGUAGE= >&2; exit 1'", 1)
        fix(place, LC_ALL="de_DE.UTF-8", LANGUAGE="de")
        path = os.path.join(lastcommand.folder(place),
                            "rerun-" + lastcommand.session())
        with open(path, encoding="utf-8") as file:
            text = file.read()
        t.ok("=C.UTF-8==" in text, "the second run speaks English", text)


@check
def what_counts(t):
    """Of a second run, and why not."""
    rows = (
        ("cat READM", 1, None),
        ("grep zz README", 1, None),
        ("ls ~/zz", 2, None),
        ("./act.sh", 3, None),
        ("gti status", 127, None),
        ("touch ~/new; false", 1, "write"),
        ("timeout 1 head -c1 pipe; false", 1, "named pipe"),
        ("cat READM <pipe", 1, "named pipe"),
        ("python3 send.py", 1, "system call"),
        ("python3 unix.py", 1, "talks to others"),
        ("python3 tty.py", 1, "terminal"),
        ("python3 secret.py", 1, "rights"),
        ("python3 -c 'import os; os.kill(os.getpid(), 9)'", 137, "signal"),
        ("python3 -c 'import os; os.abort()'", 134, None),
        ("echo $MINE; false", 1, "$MINE"),
        ("MINE=1; echo $MINE; false", 1, None),
        ("echo '$MINE'; false", 1, None),
        ("kill 99999", 1, "signal"),
        ("sudo -n true", 1, "rights"),
        ("curl http://127.0.0.1:1/", 7, "hosts"),
        ("vi README", 1, "terminal"),
        ("if true", 2, "cannot be read"),
        ("cat READM", 130, "signal"),
    )
    with home.Home() as place:
        write(place.path("README"), "x\n")
        write(place.path(".env"), "KEY=1\n")
        os.mkfifo(place.path("pipe"))
        write(place.path("act.sh"), "#!/bin/sh\necho no >&2; exit 3\n", 0o755)
        write(place.path("send.py"), "import socket\nsocket.create_connection("
              "('127.0.0.1', 1))\n")
        write(place.path("unix.py"), "import socket\nsocket.socket("
              "socket.AF_UNIX).connect('/run/x')\n")
        write(place.path("tty.py"), "open('/dev/tty')\n")
        write(place.path("secret.py"), "open('.env').read()\nraise "
              "SystemExit(1)\n")
        for command, status, why in rows:
            record(place, command, status)
            result, report = fix(place)
            if why is None:
                t.is_(report.get("source"), "rerun", command + " counts",
                      result.out, result.err)
            else:
                t.ok(report.get("source") == "none" and
                     why in report["source_reason"],
                     "%s (%d) does not count: %s" % (command, status, why),
                     result.out, result.err)
        t.ok(not os.path.exists(os.path.join(place.env["HOME"], "new")),
             "and nothing was made")


@check
def places(t):
    """In the directory of the command, which may be another one, or gone, or
    the home."""
    with home.Home() as place:
        os.mkdir(place.path("sub"))
        write(place.path("sub", "README"), "x\n")
        record(place, "cat READM", 1, cwd=place.path("sub"))
        result, report = fix(place)
        t.ok(report.get("source") == "rerun" and
             steps(report) == ["cat README"], "it is run where it was typed",
             result.out, result.err)
        result = place.run([AI, "fix", "--dry-run"])
        t.ok(place.path("sub") in result.out, "and so is the repair",
             result.out)
        record(place, "cat READM", 1, cwd=place.path("gone"))
        result, report = fix(place)
        t.ok("directory is gone" in report.get("source_reason", ""),
             "a directory that is gone is told", result.out)
        write(os.path.join(place.env["HOME"], "README"), "x\n")
        record(place, "cat READM", 1, cwd=place.env["HOME"])
        place.work = place.env["HOME"]
        result, report = fix(place)
        t.ok(report.get("source") == "rerun" and
             steps(report) == ["cat README"], "it works at home",
             result.out, result.err)
        record(place, "echo x > new; cat READM", 1)
        result, report = fix(place)
        t.ok("write" in report.get("source_reason", "") and
             not os.path.exists(place.path("new")),
             "where there is no view, so that nothing is written",
             result.out, result.err)


@check
def other_user(t):
    """A user without rights sees again that these are missing."""
    if not tap.is_here("other-user"):
        t.skip("a user of no name", "needs another user")
        return
    rows = (("cat READM", 1, "rerun", ""), ("cat own", 1, "rerun", ""),
            ("./x.sh", 126, "rerun", ""),
            ("mkdir /usr/zz", 1, "none", "does not let it write /usr/zz"))
    with home.Home() as place:
        write(place.path("README"), "x\n")
        write(place.path("own"), "x\n", 0)
        write(place.path("x.sh"), "true\n")
        for command, status, source, why in rows:
            record(place, command, status)
            for path in (place.root, place.memory):
                if path:
                    subprocess.run(["chown", "-R", "12345:12345", path],
                                   check=True)
            result = place.run(tap.as_other_user(
                [AI, "fix", "-o", "json", "--dry-run", "--offline"]))
            report = json.loads(result.out)
            t.ok(report["source"] == source and
                 why in report.get("source_reason", ""),
                 "another user: %s: %s" % (command, source), result.out,
                 result.err)


@check
def settings(t):
    with home.Home() as place:
        record(place, "cat READM", 1)
        place.config("[shell]\nfix_rerun = never\n")
        result, report = fix(place)
        t.ok("fix_rerun = never" in report["source_reason"] and
             not reruns(place), "fix_rerun = never", result.err)
        place.config("[shell]\nfix_rerun = ask\n")
        result, report = fix(place)
        t.ok("nobody can be asked" in report["source_reason"] and
             not reruns(place), "fix_rerun = ask, and nobody there",
             result.err)
        for key, ran in (("n", 0), ("y", 1)):
            term = terminal.Terminal(place, [AI, "fix", "--dry-run"])
            term.wait_for("to see what it shows?")
            term.send(key)
            status = term.finish()
            t.ok(status == 7 and reruns(place) == ran and term.is_sane(),
                 "fix_rerun = ask, and %s is said" % key, status, term.text())
        place.config("[shell]\nfix_rerun = perhaps\n")
        result, _ = fix(place)
        t.ok("auto, ask or never" in result.err or "auto|ask|never" in
             result.err, "another word is an error", result.err)


def previews(place):
    path = os.path.join(place.env["XDG_STATE_HOME"], "agentsh", "preview")
    return os.listdir(path) if os.path.isdir(path) else []


SLOW = "echo now; echo x > made; sleep 300; false"


@check
def limit(t):
    with home.Home() as place:
        record(place, SLOW, 1)
        result, report = fix(place)
        t.ok("within 10 s" in report["source_reason"] and
             9 < result.seconds < 14, "it is ended after 10 s",
             result.seconds, result.err)
        t.ok(tap.poll(lambda: not place.left(), 5) and not previews(place) and
             not os.path.exists(place.path("made")),
             "with all that it started, and its view", place.left(),
             previews(place))
        record(place, "yes; false", 1)
        result, report = fix(place)
        t.ok("16 MiB" in report["source_reason"], "one that writes without "
             "an end is ended", result.err)


@check
def interrupted(t):
    with home.Home() as place:
        record(place, SLOW, 1)
        term = terminal.Terminal(place, [AI, "fix", "--dry-run"])
        t.ok(term.wait_for("Ctrl-C ends it"), "a slow one is announced",
             term.text())
        term.send("\x03")
        status = term.finish()
        t.ok(status == 130 and term.is_sane() and term.no_one_left() and
             not previews(place), "Ctrl-C ends it, with its view", status,
             previews(place), place.left(), term.text())
        result, report = fix(place)
        t.ok("was run again before" in report["source_reason"] and
             "interrupted" in report["source_reason"] and reruns(place) == 1,
             "and it is not run a third time", report)
        record(place, SLOW, 1)
        child = subprocess.Popen([AI, "fix", "--dry-run"], cwd=place.work,
                                 env=place.env, stdin=subprocess.DEVNULL,
                                 stdout=subprocess.DEVNULL,
                                 stderr=subprocess.DEVNULL)
        tap.poll(lambda: any("sleep 300" in name
                             for name in place.left().values()))
        child.send_signal(signal.SIGKILL)
        child.wait()
        t.ok(tap.poll(lambda: not place.left(), 10) and
             not os.path.exists(place.path("made")),
             "killed, it leaves no process behind", place.left())
        result, report = fix(place)
        t.ok("was run again before" in report["source_reason"],
             "and it is not run again", report)


# ---- shells


@check
def hooks(t):
    """Without tmux, in each shell's own syntax."""
    for kind in KINDS:
        with home.Home() as place, Shell(place, kind) as sh:
            write(place.path("README"), "x\n")
            sh.run("cat READM")
            shown = hookshell.plain(sh.run(AI + " fix --dry-run"))
            t.ok(SECOND in shown and "cat README" in shown,
                 kind + ": ai fix repairs the last command", shown)
            sh.run("gti status")
            shown = hookshell.plain(sh.run(AI + " fix --dry-run"))
            t.ok(SECOND in shown and "status 127" in shown,
                 kind + ": its own messages are seen as it would print them",
                 shown)
            sh.run("true")
            shown = hookshell.plain(sh.run(AI + " fix"))
            t.ok("succeeded" in shown, kind + ": a command that succeeded "
                 "needs no repair", shown)


class Pane:
    """One shell in tmux, in a Home."""

    def __init__(self, place, kind, after=""):
        self.place, self.kind = place, kind
        self.tmux = ["tmux", "-S", os.path.join(place.root, "tmux"),
                     "-f", "/dev/null"]
        if kind == "repl":
            base, argv = place.env, [home.program("agentsh")]
        else:
            # writes the start-up file
            sh = Shell(place, kind, after=after)
            terminal.hang_up(sh.child)
            base = sh.env
            if after:
                with open(sh.rc, "a", encoding="utf-8") as out:
                    out.write(after)
            argv = {"bash": ["bash", "--noprofile", "--rcfile", sh.rc],
                    "zsh": ["zsh", "-d"], "fish": ["fish"]}[kind]
        self.env = {**base, "TERM": "xterm-256color"}
        self.call("new-session", "-d", "-x", "100", "-y", "30", *argv)

    def call(self, *words):
        return subprocess.run([*self.tmux, *words], env=self.env,
                              cwd=self.place.work, check=False,
                              capture_output=True, text=True).stdout

    def text(self):
        return self.call("capture-pane", "-p", "-J", "-S", "-500")

    def enter(self, line, drawn=""):
        """Types a line. Before Enter it is drawn; so is what fish suggests
        behind it, which it wipes away then, unless it comes at the same
        moment."""
        self.call("send-keys", "-l", line)
        tap.poll(lambda: (drawn or line[-10:]) in self.text().rstrip()[-120:],
                 2)
        self.call("send-keys", "Enter")

    def line(self, line, wanted, drawn=""):
        """Types a line: the text of the pane once it has what is wanted one
        time more."""
        before = self.text().count(wanted)
        self.enter(line, drawn)
        tap.poll(lambda: self.text().count(wanted) > before and
                 self.is_back(line), 15)
        return self.text()

    def clear(self, line):
        """Types a line that clears the pane: whether nothing of it is left, and
        the next prompt is there."""
        self.enter(line)
        return tap.poll(lambda: line[-10:] not in self.text() and
                        self.is_back(line), 15)

    def is_back(self, line):
        """Whether the next prompt is there: what is typed before that would be
        a part of what the line shows."""
        rows = [row for row in self.text().split("\n") if row.strip()]
        return bool(rows) and line[-20:] not in rows[-1] and \
            re.search(r"[>%#$] *(\d+:\d+)? *$", rows[-1]) is not None

    def __enter__(self):
        self.line("echo rea''dy", "ready")
        return self

    def __exit__(self, *why):
        self.call("kill-server")


PROMPTS = {
    "bash": (("a prompt with the status", "PS1='<$?|\\w> '\n"),
             ("a prompt of two lines", "PS1='+-- \\w\\n+-\\$ '\n")),
    "zsh": (("a prompt with the status", "PROMPT='%? %~ %# '\n"),
            ("a prompt on the right side", "RPROMPT='%T'\n")),
    "fish": (("a prompt of its own",
              "function fish_prompt; echo -n $status' > '; end\n"),),
}


def in_tmux(t, kind, what="a plain prompt", after=""):
    with home.Home() as place, Pane(place, kind, after=after) as pane:
        write(place.path("README"), "x\n")
        name = "%s in tmux, %s: " % (kind, what)
        pane.line("cat READM", "No such file",
                  drawn="cat README" if kind == "fish" else "")
        shown = pane.line(AI + " fix --dry-run --offline", "cat README")
        t.ok("from tmux, between the last two prompts" in shown and
             "cat README" in shown, name + "the text is the pane's", shown)
        pane.line("cat READM", "No such file")
        shown = pane.line(AI + " explain --offline", "It showed")
        t.ok("cat: READM: No such file" in
             shown.rpartition("It showed:")[2],
             name + "ai explain without words has the same text", shown)
        pane.line("grep zz README", "grep zz")
        shown = pane.line(AI + " fix --offline", "nothing to repair")
        t.ok("printed nothing (tmux" in shown,
             name + "that it printed nothing is seen", shown)
        if after:
            return
        cleared = pane.clear("clear; sh -c 'exit 4'")
        shown = pane.line(AI + " fix --offline", "not captured")
        t.ok(cleared and "it wants a terminal" in shown and
             "from tmux" not in shown,
             name + "what was cleared away is not captured", shown)


@check
def tmux(t):
    if not shutil.which("tmux"):
        t.skip("in tmux", "no tmux here")
        return
    for kind in KINDS:
        in_tmux(t, kind)
        for what, after in PROMPTS[kind]:
            in_tmux(t, kind, what, after)


@check
def long_lines(t):
    """What the pane wraps is one line; what has scrolled away counts too."""
    if not shutil.which("tmux"):
        return
    with home.Home() as place, Pane(place, "bash") as pane:
        write(place.path("README"), "x\n")
        pane.line("seq 200; cat " + "./" * 60 + "READM", "No such file")
        shown = pane.line(AI + " fix --dry-run --offline", "status 1")
        t.ok("from tmux, between the last two prompts" in shown, "a line that is wrapped, and a screen that has scrolled", shown)


@check
def other_pane(t):
    """Variables of tmux that do not belong to this terminal are of no use."""
    if not shutil.which("tmux"):
        return
    with home.Home() as place, Pane(place, "bash") as pane:
        pane.line("cat READM", "No such file")
        variables = pane.line("echo =$TMUX=$TMUX_PANE=", "=%")
        _, server, number, *_ = variables.rpartition("=/")[2].split("=")[0], \
            "/" + variables.rpartition("=/")[2].split("=")[0], \
            variables.rpartition("=/")[2].split("=")[1]
        record(place, "cat READM", 1)
        place.config("[shell]\nfix_rerun = never\n")
        term = terminal.Terminal(place, [AI, "fix", "--offline"], TMUX=server,
                                 TMUX_PANE=number)
        term.finish()
        t.ok("fix_rerun = never" in term.text(), "a pane that is not this "
             "terminal is not read", term.text())
        place.env["PATH"] = place.folder("bin") + ":" + place.env["PATH"]
        write(os.path.join(place.root, "bin", "tmux"),
              "#!/bin/sh\nsleep 60\n", 0o755)
        start = time.monotonic()
        term = terminal.Terminal(place, [AI, "fix", "--offline"], TMUX=server,
                                 TMUX_PANE=number)
        term.finish()
        t.ok("fix_rerun = never" in term.text() and
             time.monotonic() - start < 5 and
             tap.poll(lambda: not any("sleep 60" in name for name in
                                      place.left().values())), "a tmux that hangs is not waited for", term.text())


@check
def repl(t):
    with home.Home() as place:
        shells.write_rc(place)
        write(place.path("README"), "x\n")
        sh = shells.repl(place)
        sh.run("cat READM", "No such file")
        sh.run("ai fix --dry-run", "transcript of this shell(?s:.*)cat README",
               status=0)
        sh.run("grep zz README")
        sh.run("ai fix", "no match", status=0)
        t.ok("printed nothing (the transcript" in sh.text(),
             "REPL: the transcript knows both", sh.text())
        sh.run("gti status", "command not found")
        sh.send("ai fix\r")
        sh.expect(r"git status(?s:.*)uit")
        sh.send("q")
        sh.prompt()
        t.ok(True, "REPL: the repair is reviewed like any plan")
        sh.send("exit\r")
        t.ok(sh.finish() is not None, "REPL: it ends")


# ---- a model


@check
def model(t):
    server = Server(None, "run")
    secret = "AKIA" + "IOSFODNN7EXAMPLE"
    try:
        for command, status, text, wanted in (
                ("frobnicate --all", 3, "frob: no way 17\n", "no way 17"),
                ("gti status", 127, "bash: gti: command not found\n",
                 "program nearest to gti: git"),
                ("frob key", 3, "bad key %s\n" % secret, "bad key")):
            with faults.home_for("o", server.url) as place:
                record(place, command, status, shown=text)
                result = place.run([AI, "fix", "--provider", "openai", "-m",
                                    "fault:run", "--show-request", "be brief"])
                t.ok(result.status == 0 and wanted in result.out and
                     "be brief" in result.out and command in result.out and
                     secret not in result.out,
                     "%s: the text, the hint and candidates go along, "
                     "redacted" % command, result.out, result.err)
        with faults.home_for("o", server.url) as place:
            place.env["AGENTSH_MODEL"] = "fault:run"
            record(place, "frobnicate", 3, shown="frob: no way 17\n")
            before = len(server.requests)
            result, report = fix(place)
            t.ok(result.status == 0 and len(steps(report)) == 1 and
                 len(server.requests) == before + 1,
                 "where no rule fits a model is asked", result.out, result.err)
            t.ok("no way 17" in server.requests[-1]["body"],
                 "with the text")
            record(place, "gti status", 127,
                   shown="bash: gti: command not found\n")
            before = len(server.requests)
            result, report = fix(place)
            t.ok(steps(report) == ["git status"] and
                 len(server.requests) == before,
                 "where a rule fits none is", result.out, result.err)
            result, report = fix(place, "use", "tig")
            t.ok(len(server.requests) == before + 1 and
                 "git status" in server.requests[-1]["body"],
                 "but with a hint, and the rule's repair goes along",
                 result.out, result.err)
            record(place, "cat ~/.ssh/id_rsa", 1, shown="HIDDENTEXT\n")
            result, report = fix(place, "why")
            t.ok("HIDDENTEXT" not in server.requests[-1]["body"] and
                 "redacted:secret-file" in server.requests[-1]["body"],
                 "what a secret file showed stays here",
                 server.requests[-1]["body"][-1500:])
            result, report = fix(place, "--offline", "why")
            t.is_(result.status, 7, "offline, and no rule: 7", result.err)
            record(place, "gti status", 127,
                   shown="bash: gti: command not found\n")
            result, report = fix(place, "--offline", "use", "tig")
            t.is_(steps(report), ["git status"],
                  "offline the rule's repair is taken", result.err)
            result = place.run([AI, "fix", "-y", "--offline"])
            t.ok(result.status == 5 and "others can write" in result.err +
                 result.out, "--yes does not cover what others could have "
                 "written", result.status, result.out, result.err)
    finally:
        server.stop()


@check
def recorded(t):
    with home.Home() as place:
        write(place.path("README"), "x\n")
        record(place, "cat READM", 1)
        fix(place)
        runs = json.loads(place.run([AI, "log", "-o", "json"]).out)["runs"]
        t.ok(len(runs) == 1 and runs[0]["verb"] == "fix" and
             runs[0]["text"] == "cat READM", "the journal has the run", runs)
        one = json.loads(place.run([AI, "log", "-o", "json",
                                    runs[0]["run"]]).out)
        kinds = [event["kind"] for event in one["rows"]]
        t.ok(kinds[:2] == ["rerun", "rerun end"] and kinds[-1] == "end",
             "the second run comes first in it", kinds)
        record(place, "true", 0)
        fix(place)
        runs = json.loads(place.run([AI, "log", "-o", "json"]).out)["runs"]
        t.is_((len(runs), runs[0]["verb"], runs[0]["text"]),
              (2, "fix", "true"), "and that nothing was to be repaired")


def main():
    t = tap.Tap()
    t.needs("namespaces", "python3", "curl")
    only = os.environ.get("ONLY")
    for function in CHECKS:
        if only and function.__name__ not in only.split(","):
            continue
        try:
            function(t)
        except (shells.Missed, AssertionError, KeyError) as why:
            t.ok(False, function.__name__ + ": " + repr(why))
    t.done()


with contextlib.suppress(KeyboardInterrupt):
    main()
