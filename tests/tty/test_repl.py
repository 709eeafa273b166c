# SPDX-License-Identifier: GPL-3.0-or-later
"""test_repl.py - the REPL does what bash does, with bash as the judge.

Each behaviour is a function that drives a shell as a person would. It must
pass in bash itself, which shows that it asks for the right thing, and then in
the REPL.
"""

import os
import shutil
import signal
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "..", "lib"))

import home  # noqa: E402
import shells  # noqa: E402
import tap  # noqa: E402
import terminal  # noqa: E402

BEHAVIOURS = []

# What `echo go$((1 + 1))` prints: the line runs. An Enter that is typed before
# is read by the line editor's terminal, where it is a carriage return, and
# does not end the line that a `read` waits for.
RUNS = r"go2\r\n"


def behaviour(needs=""):
    """Registers a function; its name and document are the test's name."""
    def register(function):
        BEHAVIOURS.append((function, needs))
        return function
    return register


# ---- commands and their state


@behaviour()
def state(s):
    "directory, variables, functions, aliases and options last"
    s.run("cd /usr; x=5; f() { echo F$x; }; alias al='echo A''L'; set -C")
    s.run("f; al; pwd; echo $-", r"F5\r\nAL\r\n/usr\r\n\w*C")


@behaviour()
def globals_(s):
    "declare makes globals"
    s.run("declare -A h; h[a]=1")
    s.run("echo v${h[a]}v", "v1v")


@behaviour()
def statuses(s):
    "$?, PIPESTATUS, $_ and $! reach the next line"
    s.run("(exit 42)", status=42)
    s.run("echo s=$?", "s=42")
    s.run("true | (exit 3) | true")
    s.run("echo p=${PIPESTATUS[*]}", "p=0 3 0")
    s.run("echo a bcd")
    s.run("echo u=$_.", r"u=bcd\.")
    s.run("sleep 0 &")
    s.run("echo b=$!.", r"b=\d+\.")


@behaviour()
def empty(s):
    "an empty line keeps the status"
    s.run("false", status=1)
    s.run("", status=1)
    s.run("# nothing", status=1)


@behaviour()
def history(s):
    "history expansion and the history list"
    s.run("echo q$((40 + 2)) w", "q42 w")
    s.run("!!", "q42 w")
    s.run("echo again !$", r"again w\r\n", r"again w\r\n")
    s.run("history 2", r"\d+  echo again")
    s.run("!nosuchevent", "event not found")


@behaviour()
def several_lines(s):
    "commands over several lines: loops, here-documents, quotes, backslashes"
    s.begin("for i in 1 2", "do echo n$((i + 5))")
    s.run("done", r"n6\r\nn7")
    s.begin("cat <<E", "hd-$((3 * 3))")
    s.run("E", r"hd-9")
    s.begin('echo "a$((8 + 1))')
    s.run('b$((8 + 2))"', r"a9\r\nb10")
    s.begin("echo x\\")
    s.run("y$((1 + 1))", "xy2")


@behaviour()
def unset_ps2(s):
    "a continuation without a prompt"
    s.run("unset PS2")
    s.send("for i in 1\rdo echo $((i + 1))k\r")
    s.run("done", "2k")


@behaviour()
def syntax(s):
    "a syntax error is told and does no harm"
    s.run("if )", "syntax error", status=2)
    s.run("echo o$((1 + 1))k", "o2k")


@behaviour()
def top_level(s):
    "return and break outside of functions and loops"
    s.run("return 3", "can only")
    s.run("break", "only meaningful")
    s.run("set -u")
    s.run("echo $nope", "unbound")
    s.run("echo k$((5 + 5))", "k10")


@behaviour()
def next_line_parses(s):
    "an option that changes parsing holds from the next line on"
    s.run("shopt -s extglob")
    s.run("cd /; echo @(us*|zz)", r"usr\r\n")


@behaviour()
def quiet(s):
    "DEBUG traps and set -x see the person's commands only"
    s.run("trap 'echo D:$BASH_COMMAND' DEBUG")
    s.run("true", "D:true")
    s.run("trap - DEBUG; set -x")
    seen = len(s.seen)
    s.run("true")
    shown = shells.plain(s.seen[seen:]).replace("+ true", "", 1)
    if "+" in shown:
        raise shells.Missed("traced: %r" % shown)


@behaviour()
def prompt_variables(s):
    "PROMPT_COMMAND and PS0 are obeyed"
    s.run("PROMPT_COMMAND='echo PC$((1 + 1))'; PS0='PS''0\\n'", "PC2")
    s.run("true", r"PS0\r+\n", "PC2")
    s.run("", "PC2")


@behaviour()
def exec_redirect(s):
    "exec redirects for good"
    s.run("exec 7>made; echo seven >&7; exec 7>&-; cat made", "seven\r\n")


@behaviour()
def exec_program(s):
    "exec puts a program in bash's place"
    s.send("PS1='in> ' exec sh\r")
    s.expect(r"[\r\n]in> ")
    s.send("echo it=$((3 + 4))\r")
    s.expect("it=7")
    s.send("exit 5\r")
    if s.finish() != 5:
        raise shells.Missed("status of exec")


@behaviour()
def descriptors(s):
    "commands inherit no descriptors"
    s.run("echo fds=$(ls /proc/self/fd | tr '\\n' ,).", r"fds=0,1,2,3,\.")


@behaviour()
def long_lines(s):
    "a line of 10,000 characters"
    s.run("echo " + "x" * 10000 + " | wc -c", r"10001\r\n")


@behaviour()
def line_editor_off(s):
    "set +o emacs does not lose the shell; set -o vi edits as vi"
    s.run("set +o emacs")
    s.run("echo k$((5 + 7))", "k12")
    s.run("set -o emacs")
    s.run("set -o vi")
    s.run("cho v$((2 + 2))\x1b0ie", "v4")


# ---- signals and jobs


@behaviour()
def interrupt_command(s):
    "Ctrl-C ends a command and a loop"
    s.send("sleep 30\r")
    s.until_runs("sleep")
    s.send("\x03")
    if s.prompt() != 130:
        raise shells.Missed("status %d" % s.status)
    s.send("while :; do sleep 30; done; echo NO\r")
    s.until_runs("sleep")
    s.send("\x03")
    if s.prompt() != 130:
        raise shells.Missed("status %d" % s.status)


@behaviour()
def interrupt_prompt(s):
    "Ctrl-C at a prompt drops the line, and sets $?"
    s.send("echo junk")
    s.expect("junk")
    s.until_waits()
    s.send("\x03")
    if s.prompt() != 130:
        raise shells.Missed("status %d" % s.status)
    s.run("echo g$((2 + 2))", r"g4\r\n")


@behaviour()
def interrupt_more(s):
    "Ctrl-C at a continuation prompt drops the command"
    s.begin("if true")
    s.until_waits()
    s.send("\x03")
    if s.prompt() != 130:
        raise shells.Missed("status %d" % s.status)
    s.run("echo g$((2 + 3))", r"g5\r\n")


@behaviour()
def interrupt_trap(s):
    "an INT trap runs at the prompt"
    s.run("trap 'echo T$((4 + 4))' INT")
    s.until_waits()
    s.send("\x03")
    s.expect("T8")
    s.prompt()
    s.begin("for i in 1")
    s.until_waits()
    s.send("\x03")
    s.expect("T8")
    s.prompt()
    s.run("echo g$((2 + 4))", r"g6\r\n")


@behaviour()
def job_control(s):
    "Ctrl-Z, jobs, bg, fg"
    s.send("sleep 31\r")
    s.until_runs("sleep")
    s.send("\x1a")
    s.expect("Stopped")
    s.prompt()
    s.run("jobs", "Stopped")
    s.run("bg", "sleep 31 &")
    s.send("fg\r")
    s.until_runs("sleep")
    s.expect("sleep 31\r\n")
    s.send("\x03")
    s.prompt()


@behaviour()
def stopped_list(s):
    "Ctrl-Z in a list and in a loop leaves a usable shell"
    for line in ("sleep 31; echo after", "for i in 1 2; do sleep 31; done"):
        s.send(line + "\r")
        s.until_runs("sleep")
        s.send("\x1a")
        s.expect("Stopped")
        s.prompt()
        s.run("echo z$((4 + 4))", "z8")
        s.run("kill -9 %+; wait")


@behaviour()
def nested(s):
    "a shell inside has job control of its own"
    s.send("PS1='in> ' bash --norc -i\r")
    s.expect("in> ")
    if "no job control" in s.seen:
        raise shells.Missed("job control")
    s.send("sleep 33\r")
    s.until_runs("sleep")
    s.send("\x1a")
    s.expect("Stopped")
    s.expect("in> ")
    s.send("fg\r")
    s.until_runs("sleep")
    s.send("\x03")
    s.expect("in> ")
    s.send("exit\r")
    s.prompt()


@behaviour()
def user_trap(s):
    "a trapped signal runs its trap"
    s.run("trap 'echo U$((6 + 6))' USR1")
    s.run("kill -USR1 $$", "U12")


@behaviour()
def ends(s):
    "exit runs its trap and gives its status"
    s.run("trap 'echo BYE$((1 + 1))' EXIT")
    s.send("exit 7\r")
    s.expect("BYE2")
    if s.finish() != 7:
        raise shells.Missed("status")


@behaviour()
def errexit(s):
    "set -e ends the shell at the first failure"
    s.run("set -e")
    s.send("(exit 3)\r")
    if s.finish() != 3:
        raise shells.Missed("status")


@behaviour()
def end_of_input(s):
    "Ctrl-D ends the shell with the last status"
    s.run("(exit 4)", status=4)
    s.send("\x04")
    s.expect("exit\r\n")
    if s.finish() != 4:
        raise shells.Missed("status")


@behaviour()
def end_with_jobs(s):
    "Ctrl-D asks again when there are stopped jobs"
    s.send("sleep 34\r")
    s.until_runs("sleep")
    s.send("\x1a")
    s.prompt()
    s.send("\x04")
    s.expect("There are stopped jobs")
    s.prompt()
    s.run("kill -9 %1; wait")


@behaviour()
def ignored_end(s):
    "IGNOREEOF"
    s.run("IGNOREEOF=1")
    s.send("\x04")
    s.expect('Use "exit"')
    s.prompt()


@behaviour()
def end_in_the_middle(s):
    "Ctrl-D at a continuation prompt"
    s.begin("if true")
    s.send("\x04")
    s.expect("unexpected end of file")
    s.finish()


# ---- the terminal


@behaviour()
def reading(s):
    "read, read -e, read -s"
    for how in ("read v", "read -e v", "read -s v"):
        s.send("echo go$((1 + 1)); " + how + "; echo v=$v.\r")
        s.expect(RUNS)
        s.send("hello\r")
        s.expect(r"v=hello\.")
        s.prompt()


@behaviour()
def hidden_password(s):
    "a password is not echoed"
    s.send("python3 -c 'import getpass; print(len(getpass.getpass()))'\r")
    s.expect("assword: ")
    s.send("zork99\r")
    s.expect(r"6\r\n")
    s.prompt()
    if "zork" in s.seen:
        raise shells.Missed("it was shown")


@behaviour()
def terminals(s):
    "standard input, output and error are terminals"
    s.run("for i in 0 1 2; do [ -t $i ] && echo t$((i + 5)); done",
          r"t5\r\nt6\r\nt7")


@behaviour()
def resize(s):
    "a new window size reaches the shell and its commands"
    s.child.setwinsize(41, 121)
    tap.poll(lambda: s.child.getwinsize() == (41, 121))
    s.run("echo $LINES $COLUMNS; stty size", r"41 121\r\n41 121\r\n")


@behaviour()
def resize_while_running(s):
    "a command that runs is told of a new size"
    s.send("bash -c 'trap \"stty size\" WINCH; echo re''ady; "
           "while read -t 5 x; do :; done'\r")
    s.expect("ready")
    s.child.setwinsize(42, 122)
    s.expect("42 122")
    s.send("\x03")
    s.prompt()
    s.run("echo $LINES $COLUMNS", "42 122")


@behaviour()
def paste(s):
    "pasted lines run together, at Enter"
    s.send("\x1b[200~echo p$((1 + 2))\nfor i in 1; do\necho p$((3 + 4))\n"
           "done\x1b[201~")
    s.send("\r")
    s.expect(r"p3\r\n")
    s.expect(r"p7\r\n")
    s.prompt()


@behaviour()
def type_ahead(s):
    "what is typed while a command runs is the next line"
    s.send("sleep 0.5\r")
    s.until_runs("sleep")
    s.send("echo t$((7 + 7))\r")
    s.expect(r"t14\r\n")
    s.prompt()
    s.send("sleep 0.5\r")
    s.until_runs("sleep")
    s.send("echo t$((7 +")
    s.prompt()
    s.send(" 8))\r")
    s.expect(r"t15\r\n")


@behaviour()
def for_the_command(s):
    "what is typed ahead is the command's when it reads"
    s.send("sleep 0.2; read v; echo v=$v.\r")
    s.until_runs("sleep")
    s.send("ahead\r")
    s.expect(r"v=ahead\.")
    s.prompt()


@behaviour()
def raw_crash(s):
    "a program that dies with the terminal raw leaves it usable"
    s.run("bash -c 'stty raw -echo; kill -9 $$'")
    s.run("echo w$((6 + 7))", "w13")
    s.send("echo go$((1 + 1)); read v; echo v=$v.\r")
    s.expect(RUNS)
    s.send("hi\r")
    s.expect(r"v=hi\.")
    s.prompt()


@behaviour()
def stty_settings(s):
    "stty settings stay, for commands and for the line"
    s.run("stty -ixon intr ^G")
    s.run("stty -a | tr ';' '\\n'", r"intr = \^G", "-ixon")
    s.send("sleep 35\r")
    s.until_runs("sleep")
    s.send("\x07")
    if s.prompt() != 130:
        raise shells.Missed("status %d" % s.status)
    s.send("echo junk")
    s.expect("junk")
    s.send("\x07")
    if s.prompt() != 130:
        raise shells.Missed("status %d" % s.status)


@behaviour()
def much_output(s):
    "a million lines arrive"
    s.send("seq 1000000 | tail -n +999990; seq 300000; echo end$((1 + 1))\r")
    s.expect(r"1000000\r\n1\r\n")
    s.expect(r"299999\r\n300000\r\nend2\r\n", seconds=60, window=16384)
    s.prompt()


@behaviour()
def background(s):
    "the output of a background job does not lose what is typed"
    s.run("(while [ ! -e go ]; do sleep 0.02; done; echo B$((9 + 9))G) &")
    s.send("echo par$((1+")
    s.expect(r"par\$\(\(1\+")
    with open(s.home.path("go"), "w", encoding="ascii"):
        pass
    s.expect("B18G")
    s.send("1))\r")
    s.expect(r"par2\r\n")
    s.prompt()


@behaviour(needs="vim")
def vim(s):
    "vim edits a file"
    s.send("vim -u NONE -i NONE f\r")
    s.expect(r"\[New")
    s.send("ihello\x1b:wq\r")
    s.prompt()
    if s.home.read("f") != "hello\n":
        raise shells.Missed("file: %r" % s.home.read("f"))
    s.send("echo hey | vim -u NONE -i NONE -\r")
    s.expect("1 line")
    s.send(":q!\r")
    s.prompt()


def stop(s, tries=5):
    """Ctrl-Z, again when it came while less did not look: it notes the
    signal and waits for a key all the same, in any shell."""
    for left in range(tries - 1, -1, -1):
        s.send("\x1a")
        try:
            s.expect("Stopped", 2)
            return
        except shells.Missed:
            if left == 0:
                raise


@behaviour(needs="less")
def pager(s):
    "less pages, is stopped and continued"
    s.send("seq 5000 | less\r")
    s.expect(r"\n:")
    s.send("G")
    s.expect("END")
    stop(s)
    s.prompt()
    s.send("fg\r")
    s.expect("5000")
    s.send("q")
    s.prompt()
    s.run("echo k$((9 + 8))", r"k17\r\n")


@behaviour(needs="top")
def full_screen(s):
    "top runs and ends"
    s.send("top\r")
    s.expect("load average")
    s.send("q")
    s.prompt()


# ---- keys that bash binds


@behaviour()
def bound_keys(s):
    "bind sets variables, functions and macros"
    s.run(r"""bind '"\C-xm": "echo mac$((5 + 6))"' '"\C-xu": upcase-word'""")
    s.run("\x18m", "mac11")
    s.send("echo quiet\x1bb\x18u\r")
    s.expect(r"QUIET\r\n")
    s.prompt()


@behaviour()
def bound_commands(s):
    "bind -x runs a command on the line"
    s.run("change() { READLINE_LINE=\"echo l$((3 + 9))-$READLINE_LINE\";"
          " READLINE_POINT=${#READLINE_LINE}; }")
    s.run(r"""bind -x '"\C-xc": change'""")
    s.run("abc\x18cd", r"l12-abcd\r\n")


@behaviour()
def bound_chooser(s):
    "bind -x can ask on the terminal"
    s.run("ask() { read -rsn1 -p 'which? ' k </dev/tty; "
          "READLINE_LINE+=$k; }; HISTCONTROL=")
    s.run(r"""bind -x '"\C-xa": ask'""")
    s.send("echo it=")
    s.expect("it=")
    s.send("\x18a")
    s.expect(r"which\? ")
    s.send("7")
    s.expect("it=7")
    s.send("\r")
    s.expect(r"it=7\r\n")
    s.prompt()


@behaviour()
def shell_functions(s):
    "functions of bash's own edit the line"
    s.run("zz=val$((4 + 4))")
    s.send("echo [$zz]")
    s.expect(r"\[\$zz\]")
    s.send("\x1b\x05")
    s.expect("val8")
    s.send("\r")
    s.expect(r"\[val8\]\r\n")
    s.prompt()


@behaviour()
def editor(s):
    "a line can be edited in $EDITOR, and runs"
    with open(s.home.path("ed"), "w", encoding="ascii") as out:
        out.write("#!/bin/sh\necho 'x=new; echo ed$((6 + 6))' >\"$1\"\n")
    os.chmod(s.home.path("ed"), 0o755)
    s.run("EDITOR=$PWD/ed; unset VISUAL FCEDIT")
    s.send("echo old")
    s.expect("echo old")
    s.send("\x18\x05")
    s.expect(r"ed12\r\n")
    s.prompt()
    s.run("echo x=$x", r"x=new\r\n")
    s.send("echo go$((1 + 1)); read -e v; echo v=$v.\r")
    s.expect(RUNS)
    s.send("word\r")
    s.expect(r"v=word\.")
    s.prompt()


# ---- completion


@behaviour()
def complete_files(s):
    "files complete, quoted as they must be"
    s.run("mkdir -p 'a dir'; echo in$((1 + 1)) >'a dir/it'\\''s'; touch uniq")
    s.run("cat a\\ d\t\t", r"in2\r\n")
    s.run("cat 'a d\t\t", r"in2\r\n")
    s.run("ls un\t| tr a-z A-Z", r"UNIQ\r\n")
    s.run("cd 'a dir'")
    s.run("cat it\t", r"in2\r\n")
    s.run("ls -d ~/.bashr\t| tr a-z A-Z", r"\.BASHRC\r\n")


@behaviour()
def complete_names(s):
    "aliases, functions and variables complete"
    s.run("alias qqalias='echo QA$((1 + 1))'; qqfunc() { echo QF$((1 + 1)); }"
          "; qqvar=V$((1 + 1))")
    s.run("qqal\t", "QA2")
    s.run("qqfu\t", "QF2")
    s.run("echo $qqva\t", "V2")
    s.run("echo ${qqva\t", "V2")


@behaviour()
def complete_programmable(s):
    "programmable completion is asked"
    s.run("_c() { COMPREPLY=(zeta$((COMP_CWORD + 6))); }; complete -F _c pw;"
          " pw() { echo P-$1; }")
    s.run("pw z\t", r"P-zeta7\r\n")
    s.run("complete -o filenames -W 'x\\ y z' pw")
    s.run("pw x\t", r"P-x y\r\n")


@behaviour()
def complete_list(s):
    "several matches are listed"
    s.run("touch many1 many2")
    s.send("ls man\t")
    s.expect("man\a?y")
    s.send("\t\t")
    s.expect(r"many1 +many2")
    s.send("2\r")
    s.expect(r"many2\r\n")
    s.prompt()


def passes(function, start):
    """None, or why it does not."""
    with home.Home() as place:
        shells.write_rc(place)
        shell = None
        try:
            shell = start(place)
            function(shell)
            return None
        except shells.Missed as why:
            return str(why)
        finally:
            if shell:
                terminal.hang_up(shell.child)
            for pid in place.left():
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass


def main():
    t = tap.Tap()
    only = sys.argv[1:]
    for function, needs in BEHAVIOURS:
        if only and function.__name__ not in only:
            continue
        name = function.__doc__
        if needs and not shutil.which(needs):
            t.skip(name, needs + " is not here")
            continue
        judge = passes(function, shells.bash)
        ours = passes(function, shells.repl)
        t.ok(not judge and not ours, name, "bash: %s" % judge,
             "agentsh: %s" % ours)
    t.done()


if __name__ == "__main__":
    main()
