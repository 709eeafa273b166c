# SPDX-License-Identifier: GPL-3.0-or-later
"""test_repl_own.py - what the REPL has beyond bash: lines for the assistant,
the transcript, its history, and how it ends.

The programs are copied beside an assistant that tells how it was called.
"""

import os
import shutil
import signal
import stat
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "..", "lib"))

import home  # noqa: E402
import shells  # noqa: E402
import tap  # noqa: E402
import terminal  # noqa: E402

PROGRAMS = ("agentsh-repl", "agentsh_bash.so", "agentsh_bash.rc")
ASSISTANT = r"""#!/bin/bash
run=$XDG_RUNTIME_DIR/agentsh
printf 'ai:'
printf ' <%s>' "$@"
printf '\ncwd=%s mine=%s\n' "$PWD" "$MINE"
case $1 in
log) cat "$run/last-$AGENTSH_SESSION" 2>&1; echo ' :end' ;;
fix) cat "$run/stderr-$AGENTSH_SESSION" 2>&1; echo ' :end' ;;
run) read -rp 'really? ' answer; echo "answer=$answer" ;;
undo) echo waiting; exec sleep 40 ;;
esac
exit 6
"""


class Place(home.Home):
    """A Home with the REPL's programs and an assistant of the test's."""

    def __init__(self, *programs, rc=shells.RC):
        super().__init__()
        shells.write_rc(self, rc)
        self.bin = self.folder("bin")
        for name in programs or PROGRAMS:
            shutil.copy(home.program(name), self.bin)
        path = os.path.join(self.bin, "ai")
        with open(path, "w", encoding="utf-8") as out:
            out.write(ASSISTANT)
        os.chmod(path, 0o755)

    def repl(self, **how):
        return shells.Shell(self, [os.path.join(self.bin, "agentsh-repl")],
                            **how)

    def history(self):
        path = os.path.join(self.env["XDG_STATE_HOME"], "agentsh", "history")
        with open(path, encoding="utf-8") as file:
            return [line for line in file.read().split("\n")
                    if line and line[0] != "#"]


CHECKS = []


def check(function):
    CHECKS.append(function)
    return function


def must(holds, what):
    if not holds:
        raise shells.Missed(str(what))


# ---- the assistant


@check
def assistant(place):
    "a wish needs no quotes; it knows the directory and what is exported"
    s = place.repl()
    s.run("cd /usr; export MINE='set here'")
    s.run("ai do what's in *.c $x?", r"ai: <do> <what's in \*.c \$x\?>\r\n",
          "cwd=/usr mine=set here\r\n", status=6)
    s.run("ai do -y --model m it", "ai: <do> <-y> <--model> <m> <it>")
    s.run("echo s=$?", "s=6")
    s.run("air", "air: command not found")


@check
def operators(place):
    "redirections, pipes and lists are the shell's, and no words of a wish"
    s = place.repl()
    s.run("false; echo was")
    s.run("ai explain what's *.c | sed s/^ai/AI/",
          r"AI: <explain> <what's \*.c>\r\n", status=0)
    s.run("ai log > out; echo lines=$(wc -l < out)", "lines=6")
    s.run("tail -n 2 out", r"command=false; echo was :end")
    s.run("ai explain ls 2>/dev/null && echo no || echo s=$?", "s=6")
    s.run("ai explain 'a | b'", r"<explain> <a \| b>\r\n")
    s.run("ai explain it | tee f | bash",
          r"agentsh: bash would run what ai writes, unseen", status=5)
    s.run("test -e f; echo f=$?", "f=1")
    s.run("ai explain files > 100M", r"<explain> <files > 100M>\r\n", status=6)
    s.send("ai run it; echo ne$((1))t\r")
    s.expect("really")
    s.send("yes\r")
    s.expect("answer=yes.*ne1t")
    s.prompt()


@check
def no_path(place):
    "without a PATH no empty element comes into it, and commands are found"
    del place.env["PATH"]
    s = place.repl()
    s.run("echo \"path=$PATH=\"", r"path=/[^\r\n]*[^:\r\n]=\r\n")
    s.run("ls -d /usr", r"/usr\r\n", status=0)
    s.run("case :$PATH: in *::*) echo empty;; *) echo k$((1 + 2));; esac",
          r"k3\r\n")
    s.run("type ai", "ai is /")


def configure(place, text):
    folder = os.path.join(place.env["XDG_CONFIG_HOME"], "agentsh")
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "config"), "w", encoding="utf-8") as out:
        out.write("[shell]\n" + text)


@check
def fields(place):
    "the sign holds the model, the branch and the status"
    shells.write_rc(place, "PS1='$ '\n")
    configure(place, "prompt_sign = (ai {model} {branch} {status})\n"
                     "[model]\nmodel = small-1\n")
    s = place.repl(ready=False)
    s.expect(r"\(ai small-1\) \$ ")
    s.send("mkdir -p r/.git r/sub; cd r/sub\r")
    s.expect(r"\(ai small-1\) \$ ")
    s.send("echo 'ref: refs/heads/a/b' > ../.git/HEAD; cd .; (exit 3)\r")
    s.expect(r"\(ai small-1 a/b 3\) \$ ")
    s.send(r"printf 'ref: refs/heads/x\001\033[2Jy\n' > ../.git/HEAD" + "\r")
    s.expect(r"\(ai small-1 x\?\?\[2Jy\) \$ ")
    s.send("echo 0123456789abcdef > ../.git/HEAD\r")
    s.expect(r"\(ai small-1 0123456\) \$ ")
    s.send("rm ../.git/HEAD; mkfifo ../.git/HEAD\r")
    s.expect(r"\(ai small-1\) \$ ")
    s.send("rm -r ../.git; mkdir -p ../wt; echo 'gitdir: ../wt' > ../.git; "
           "echo 'ref: refs/heads/tree' > ../wt/HEAD; cd ..\r")
    s.expect(r"\(ai small-1\) \$ ")
    s.send("echo 'gitdir: wt' > .git; cd sub\r")
    s.expect(r"\(ai small-1 tree\) \$ ")


@check
def not_kept(place):
    "nothing is captured where the configuration says so"
    configure(place, "transcript = no\n")
    s = place.repl()
    s.run("ls /nothing-$((1 + 1))", "cannot access")
    s.run("ai fix", "stderr-.*No such file")
    s.run("ai log", "status=2")


@check
def kept(place):
    "as much is captured as the configuration says"
    configure(place, "transcript_kb = 1\n")
    s = place.repl()
    s.run("seq 1000 2000")
    s.run("ai fix", r"<fix>\r\ncwd=.*\r\n1797\r\n1798.*2000 :end")


@check
def last_command(place):
    "the last command, its status and its output reach the assistant"
    s = place.repl()
    s.run("ai log", "No such file")
    s.run("ls /nothing-$((1 + 1)); (exit 3)", "cannot access")
    s.run("ai log", r"status=3\r\ncwd=.*/work\r\nduration_ms=\d+\r\n"
                    r"command=ls /nothing-\$\(\(1 \+ 1\)\); \(exit 3\) :end")
    s.run("ai fix", r"ls: cannot access '/nothing-2': No such file.*"
                    r"directory :end")
    s.run("")
    s.run("ai log", "status=3")
    s.run("printf 'one\\rtwo\\n\\033[31mred\\033[m\\n'; false")
    s.run("ai fix", "\r\ntwo\r\nred :end")
    s.run("echo fine")
    s.run("ai fix", "\r\nfine :end")
    s.run("true")
    s.run("ai fix", "\r\n :end")
    s.begin("if true")
    s.begin("then echo $((5 + 5))")
    s.run("fi", "10")
    s.run("ai log", r"command=if true\r\nthen echo \$\(\(5 \+ 5\)\)\r\nfi "
                    ":end")
    left = os.listdir(os.path.join(place.env["XDG_RUNTIME_DIR"], "agentsh"))
    modes = {stat.S_IMODE(os.stat(os.path.join(
        place.env["XDG_RUNTIME_DIR"], "agentsh", name)).st_mode)
             for name in left}
    must(left and modes == {0o600}, (left, modes))
    s.send("\x04")
    s.finish()
    must(not os.listdir(os.path.join(place.env["XDG_RUNTIME_DIR"],
                                     "agentsh")), "records stay")


@check
def asks(place):
    "the assistant has the person's terminal"
    s = place.repl()
    s.send("ai run list\r")
    s.expect(r"really\? ")
    s.send("yes\r")
    s.expect("answer=yes\r\n")
    must(s.prompt() == 6, s.status)
    s.run("echo k$((1 + 2))", r"k3\r\n")


@check
def interrupted(place):
    "Ctrl-C ends the assistant, and Ctrl-Z does not stop it"
    s = place.repl()
    s.send("ai undo\r")
    s.expect("waiting")
    s.until_runs("sleep")
    s.send("\x1a")
    s.send("\x03")
    must(s.prompt() == 130, s.status)
    s.run("echo k$((1 + 3))", r"k4\r\n")


@check
def completes(place):
    "verbs complete, then files"
    s = place.repl()
    s.run("touch afile")
    s.run("ai expl\taf\t", "ai: <explain> <afile>")
    s.run("ai do --dry\tit", "ai: <do> <--dry-run> <it>")
    s.run("ai do --prov\toffl\tit", "ai: <do> <--provider> <offline> <it>")
    s.run("ai log --veri\t", "ai: <log> <--verify>")
    s.run("ai log --dry\t", "ai: <log> <--dry>")
    s.run("ai --offl\texpl\taf\t", "ai: <--offline> <explain> <afile>")
    s.run("ai -m one expl\taf\t", "ai: <-m> <one> <explain> <afile>")
    s.run("ai find ex\t", "ai: <find> <ex>")


@check
def sign(place):
    "the prompt says that this is agentsh, unless it is told otherwise"
    shells.write_rc(place, "PS1='<$?|\\w> '\n")
    s = place.repl(ready=False)
    s.expect(r"\(ai\) <0\|")
    s.run("AGENTSH_MARK='* '")
    s.run("true", r"\* ")
    s.run("AGENTSH_MARK=")
    s.send("\r")
    s.expect("\r\n")
    must("*" not in shells.plain(s.seen[-20:]), s.seen[-40:])
    s.run("echo in $AGENTSH", r"in 1\r\n")


@check
def completed(place):
    "agentsh's commands and options are completed without a start-up file"
    s = shells.repl(place)
    s.run("agentsh polic\tche\t --hel\t", "Usage: agentsh policy check")


# ---- the history


@check
def first_history(place):
    "on the first day the history is bash's, which stays as it is"
    bash = os.path.join(place.env["HOME"], ".bash_history")
    kept = "echo oldest\necho older$((1 + 1))\n#12\necho old$((1 + 1))\n"
    with open(bash, "w", encoding="utf-8") as out:
        out.write(kept)
    shells.write_rc(place, shells.RC.replace("HISTFILE=~/.bash_history",
                                             "unset HISTFILE"))
    s = place.repl()
    s.run("\x10", r"old2\r\n")
    s.run("\x10\x10", r"older2\r\n")
    s.send("exit\r")
    s.finish()
    must(place.history() == ["echo oldest", "echo older$((1 + 1))",
                             "echo old$((1 + 1))",
                             "echo older$((1 + 1))", "exit"], place.history())
    with open(bash, encoding="utf-8") as file:
        must(file.read() == kept, "bash's file was changed")
    s = place.repl()
    s.run("\x10\x10\x10\x10", r"older2\r\n")


@check
def swept(place):
    "what a session that was killed left behind goes with the next"
    run = os.path.join(place.env["XDG_RUNTIME_DIR"], "agentsh")
    os.mkdir(run, 0o700)
    gone = subprocess.Popen(["true"])
    gone.wait()
    names = ["last-%d-1" % gone.pid, "stderr-%d-1" % gone.pid,
             "last-%d-1" % os.getpid()]
    for name in names:
        with open(os.path.join(run, name), "w", encoding="utf-8"):
            pass
    s = place.repl()
    s.run("true")
    must([n for n in names if os.path.exists(os.path.join(run, n))] ==
         names[2:], os.listdir(run))


@check
def history(place):
    "lines are kept, those with a blank in front are not, ai lines are"
    s = place.repl()
    s.run("echo one$((1 + 1))")
    s.run(" echo secret")
    s.run("ai do it")
    s.begin("if true; then")
    s.run("echo x; fi")
    s.send("\x04")
    s.finish()
    must(place.history() == ["echo one$((1 + 1))", "ai do it",
                             "if true; then", "echo x; fi"], place.history())
    path = os.path.join(place.env["XDG_STATE_HOME"], "agentsh", "history")
    must(stat.S_IMODE(os.stat(path).st_mode) == 0o600, "mode")
    s = place.repl()
    s.send("\x1b[A")
    s.expect("echo x; fi")
    s.send("\r")
    s.expect("x\r\n")
    s.prompt()


@check
def two(place):
    "two at once share the history"
    one, other = place.repl(), place.repl()
    one.run("echo from one")
    other.run("echo from other")
    one.run("echo one again")
    for s in (one, other):
        s.send("\x04")
        s.finish()
    must(place.history() == ["echo from one", "echo from other",
                             "echo one again"], place.history())


@check
def others(place):
    "another's lines are there at the next prompt, before one's own last"
    one, other = place.repl(), place.repl()
    one.run("echo first$((1 + 1))")
    other.run("echo theirs$((1 + 1))")
    one.run("echo mine$((1 + 1))")
    one.run("\x10", r"mine2\r\n")
    one.run("\x10\x10", r"theirs2\r\n")
    one.run("\x10\x10\x10\x10", r"first2\r\n")
    other.run("echo late$((1 + 1))")
    one.run("")
    one.run("\x10", r"late2\r\n")
    for s in (one, other):
        s.send("\x04")
        s.finish()


# ---- ends


def repl_pid(place):
    return tap.poll(lambda: next(
        (pid for pid, name in place.left().items()
         if name.split(" ")[0].endswith("agentsh-repl")), None))


@check
def hangup(place):
    "SIGTERM and SIGHUP lose no line and leave no one"
    for signo in (signal.SIGTERM, signal.SIGHUP):
        s = place.repl()
        s.run("sleep 51 &")
        s.send("sleep 6%d\r" % signo)
        s.until_runs("sleep 6%d" % signo)
        os.kill(repl_pid(place), signo)
        must(s.finish() == 128 + signo, "status")
        must(s.is_sane(), "terminal")
        must(place.history()[-1] == "sleep 6%d" % signo, place.history())
        must(s.no_one_left(), place.left())


@check
def killed(place):
    "SIGKILL leaves no one"
    s = place.repl()
    s.run("sleep 51 &")
    s.send("sleep 52\r")
    s.until_runs("sleep 52")
    os.kill(repl_pid(place), signal.SIGKILL)
    s.finish()
    must(s.no_one_left(), place.left())


@check
def bash_killed(place):
    "a bash that dies ends the REPL with a clear line"
    s = place.repl()
    os.kill(s.pid(), signal.SIGKILL)
    s.expect("agentsh: bash was killed \\(Killed\\)")
    must(s.finish() == 137, "status")
    must(s.is_sane(), "terminal")
    must(s.no_one_left(), place.left())


@check
def sane(place):
    "the terminal is as it was, whatever the commands did to theirs"
    s = place.repl()
    s.run("stty -echo intr ^G")
    s.send("exit\r")
    s.finish()
    must(s.is_sane(), "terminal")


@check
def suspends(place):
    "suspend goes back to the shell outside, fg comes back"
    s = shells.bash(place)
    s.send("PS1='ou''t> '; set -m\r")
    s.expect("out> ")
    s.send(os.path.join(place.bin, "agentsh-repl") + "\r")
    s.prompt()
    s.send("suspend\r")
    s.expect("Stopped")
    s.expect("out> ")
    s.send("echo out$((2 + 2))\r")
    s.expect("out4")
    s.send("fg\r")
    s.prompt()
    s.run("echo in$((2 + 3))", "in5")


@check
def stopped(place):
    "stopped and continued by others, it goes on"
    s = shells.bash(place)
    s.send("PS1='ou''t> '; set -m\r")
    s.expect("out> ")
    s.send(os.path.join(place.bin, "agentsh-repl") + "\r")
    s.prompt()
    s.send("echo half$((3 + ")
    s.expect("half")
    os.kill(repl_pid(place), signal.SIGSTOP)
    s.expect("Stopped")
    s.send("fg\r")
    s.expect("half")
    s.send("3))\r")
    s.expect("half6\r\n")
    s.prompt()


# ---- odd places


@check
def no_terminal(place):
    "without a terminal lines run in bash, with its status"
    program = os.path.join(place.bin, "agentsh-repl")
    done = place.run([program], stdin="echo hi\necho $AGENTSH\n(exit 9)\n")
    must((done.status, done.out, done.err) == (9, "hi\n1\n", ""), done)
    done = place.run([program, "x"])
    must(done.status == 2 and "not an argument" in done.err, done)


@check
def pipes(place):
    "commands in pipes find the assistant"
    s = place.repl()
    s.run("echo x | ai explain it", "ai: <explain> <it>")


@check
def fallback(place):
    "a bash that cannot load the builtin is told, and runs without"
    os.unlink(os.path.join(place.bin, "agentsh_bash.so"))
    s = place.repl(ready=False)
    s.expect("agentsh: bash cannot load .*: bash runs without capture\r\n")
    s.prompt()
    s.run("echo k$((2 + 2))", "k4")


@check
def other_version(place):
    "a bash of another version is told, and runs without"
    path = os.path.join(place.bin, "agentsh_bash.so")
    with open(path, "rb") as file:
        code = file.read()
    version = subprocess.run(
        ["/bin/bash", "-c", "echo ${BASH_VERSINFO[0]}.${BASH_VERSINFO[1]}"],
        capture_output=True, check=True).stdout.strip()
    with open(path, "wb") as out:
        out.write(code.replace(b"\0" + version + b"\0", b"\0009.9\0"))
    s = place.repl(ready=False)
    s.expect(r"this bash is %s\.\d+, agentsh was built for 9\.9: bash runs "
             "without capture\r\n" % version.decode())
    s.prompt()


@check
def rc_files(place):
    "start-up files that read, end badly or unset things do no harm"
    shells.write_rc(place, shells.RC + "read -e v; echo got-$v.; set +o emacs"
                    "; unset -f x; trap 'true' DEBUG; return 3\n")
    s = place.repl(ready=False)
    time_out = 5
    s.send("word\r")
    s.expect(r"got-word\.", time_out)
    s.prompt()
    s.run("echo k$((2 + 7))", "k9")


@check
def login_shell(place):
    "called as login(1) calls a shell, it is one to its end"
    for name, text in ((".bash_profile", shells.RC + "echo profile\n"),
                       (".bash_logout", "echo goodbye\n")):
        with open(os.path.join(place.env["HOME"], name), "w",
                  encoding="utf-8") as out:
            out.write(text)
    s = shells.Shell(place, ["bash", "-c", "exec -a -agentsh \"$1\"", "-",
                             home.program("agentsh")], ready=False)
    s.expect("profile\r\n")
    s.prompt()
    s.run("shopt -q login_shell && echo lo''gin", "login")
    s.send("logout\r")
    s.expect("goodbye")
    must(s.finish() == 0, s.text())


@check
def login_files(place):
    "login_files = yes reads what a login shell reads"
    profile = os.path.join(place.env["HOME"], ".bash_profile")
    with open(profile, "w", encoding="utf-8") as out:
        out.write(shells.RC + "MINE=profile$((1 + 1))\n")
    shells.write_rc(place, shells.RC + "MINE=bashrc$((1 + 1))\n")
    for value, wanted in (("yes", "profile2"), ("no", "bashrc2")):
        place.config("[shell]\nlogin_files = %s\n" % value)
        s = place.repl()
        s.run("echo mine=$MINE", "mine=" + wanted)


@check
def recursion(place):
    "a start-up file that starts agentsh gets a usable shell"
    shells.write_rc(place, shells.RC + "PS1='in> '; export PS1; exec %s\n" %
                    os.path.join(place.bin, "agentsh-repl"))
    s = place.repl(ready=False)
    s.expect("agentsh: started from a bash start-up file")
    s.expect("in> ")
    s.send("echo k$((3 + 6))\r")
    s.expect(r"k9\r\n")


@check
def slow_completion(place):
    "keys typed during a slow completion are not lost, nor shown twice"
    shells.write_rc(place, shells.RC + """
_c() { touch begun; while [ ! -e go ]; do sleep 0.02; done; COMPREPLY=(zeta); }
complete -F _c pw
pw() { echo "$@" | tr a-z A-Z; }
""")
    s = place.repl()
    s.send("pw z\t")
    must(tap.poll(lambda: os.path.exists(place.path("begun"))), "begun")
    must(tap.poll(lambda: "sleep" in str(place.left())), "asked")
    s.send("more\r")
    with open(place.path("go"), "w", encoding="ascii"):
        pass
    s.expect(r"ZETA MORE\r\n")
    s.prompt()
    must(shells.plain(s.seen).count("more") == 1, s.text())


@check
def chooser(place):
    "a completion that paints gets the keys, and Ctrl-C"
    shells.write_rc(place, shells.RC + r"""
_c() { printf 'which? ' >/dev/tty; read -rsn1 k </dev/tty; COMPREPLY=("p$k"); }
complete -F _c pick
pick() { echo "picked-$1"; }
""")
    s = place.repl()
    s.send("pick \t")
    s.expect(r"which\? ")
    s.send("7")
    s.expect("pick p7")
    s.send("\r")
    s.expect("picked-p7")
    s.prompt()
    s.send("pick \t")
    s.expect(r"which\? ")
    s.send("\x03")
    s.prompt()
    s.run("echo k$((2 + 6))", "k8")


@check
def long_variables(place):
    "variables of any length leave the shell usable"
    s = place.repl()
    s.run("printf -v COMP_WORDBREAKS %040000d 0; "
          "printf -v AGENTSH_MARK %040000d 0")
    s.run("unset AGENTSH_MARK COMP_WORDBREAKS")
    s.run("echo k$((1 + 2))", r"k3\r\n")


@check
def intact(place):
    "megabytes arrive byte for byte"
    s = place.repl()
    s.send("seq -f '%08.0f' 400000; echo end$((1 + 1))\r")
    s.expect("end2\r\n", 60)
    s.prompt()
    text = shells.plain(s.seen)
    start = text.index("00000001\n")
    lines = text[start:text.index("end2\n", start)].split("\n")
    must(lines[:-1] == ["%08d" % i for i in range(1, 400001)], len(lines))


def passes(function):
    with Place() as place:
        try:
            function(place)
            return None
        except shells.Missed as why:
            return str(why)
        finally:
            for pid in place.left():
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass


def main():
    t = tap.Tap()
    for function in CHECKS:
        if sys.argv[1:] and function.__name__ not in sys.argv[1:]:
            continue
        why = passes(function)
        t.ok(not why, function.__doc__, why)
    t.done()


if __name__ == "__main__":
    main()
