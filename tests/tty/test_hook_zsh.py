# SPDX-License-Identifier: GPL-3.0-or-later
"""test_hook_zsh.py - what the zsh hook records, and what it leaves as it
was."""

import os
import re
import signal
import stat

import hookshell
from hookshell import Shell, home, tap

# What is typed, and the record that follows it; None: the one before stays.
LINES = (
    ("false", ("false", 1)),
    ("true", ("true", 0)),
    ("(exit 7)", ("(exit 7)", 7)),
    ("false | true", ("false | true", 0)),
    ("nosuchcommand -x", ("nosuchcommand -x", 127)),
    ("echo 'a  b'   \"c\"", ("echo 'a  b'   \"c\"", 0)),
    ("print -r '\\' % é ☃ 🐚", ("print -r '\\' % é ☃ 🐚", 0)),
    ("for i in 1 2\ndo :\ndone", ("for i in 1 2\ndo :\ndone", 0)),
    ("cat <<X\n one\n  two\nX", ("cat <<X\n one\n  two\nX", 0)),
    ("f() { return 5; }; f", ("f() { return 5; }; f", 5)),
    ("print -r $ZSH_NAME *(N) [a-z]#(N)", None),
    ("", None),
    ("ai fix", None),
    ("  ai explain 'x'", None),
    ("ai what uses my cpu?", None),
    ("ai", None),
    ("\\ai do it", None),
    ("ai run x; false", None),
    ("aid", ("aid", 127)),
    ("ai-x", ("ai-x", 127)),
    ("echo ai", ("echo ai", 0)),
    ("status9=9", ("status9=9", 0)),
)

# What is set at the start, then lines as above.
SETTINGS = (
    ("setopt hist_ignore_space", (
        ("false", ("false", 1)), (" true", None), ("true", ("true", 0)))),
    ("unsetopt hist_ignore_space", ((" false", (" false", 1)),)),
    ("setopt hist_ignore_all_dups hist_reduce_blanks", (
        ("ls x", ("ls x", 2)), ("touch x", ("touch x", 0)),
        ("ls x", ("ls x", 0)))),
    ("unset HISTFILE; HISTSIZE=1", (("false", ("false", 1)),)),
    ("setopt err_return no_clobber no_unset ksh_arrays sh_word_split "
     "all_export glob_subst no_multios warn_create_global warn_nested_var",
     (("false", ("false", 1)), ("true", ("true", 0)), ("ai x", None))),
    ("setopt posix_builtins ksh_glob bash_rematch c_bases octal_zeroes "
     "no_equals magic_equal_subst rc_expand_param",
     (("false", ("false", 1)), ("ai x", None))),
    ("alias builtin=no print=no local=no emulate=no; print() { no }; "
     "emulate() { no }", (("false", ("false", 1)),)),
)

# Everything of the shell that can be listed, and the parameters in it that
# change by themselves.
DUMP = ("typeset -p; functions; alias -L; setopt; trap; umask; "
        "env | grep AGENTSH_S; zmodload")
CHANGING = re.compile(
    r"(typeset|export)( -\S+)* (_|.|HISTCMD|LINENO|RANDOM|SECONDS|TTYIDLE|"
    r"status|TTY|history|historywords|job\w+|PPID|commands|\w+_source|OLDPWD|"
    r"HISTFILE|ZDOTDIR|pipestatus|zsh_eval_context|functions|"
    r"AGENTSH_TEST_ID|parameters|builtins|EPOCH\w+)=")

BEFORE = {
    "nothing": "",
    "hooks": "autoload -Uz add-zsh-hook; p() { : p }; q() { : q }; "
             "add-zsh-hook precmd p; add-zsh-hook preexec q; "
             "precmd() { : }; preexec() { : }",
    "empty lists": "precmd_functions=(); preexec_functions=()",
    "an alias": "alias ai='echo mine'",
    "a function": "ai() { echo mine \"$@\" }",
    "a session around it": "export AGENTSH_SESSION=1-2",
    "traps": "trap 'true x' EXIT; TRAPUSR1() { : }",
    "options": "setopt no_unset ksh_arrays all_export no_clobber",
}


def types(t, sh, lines, what=""):
    expected = None
    for line, record in lines:
        shown = sh.run(line)
        expected = record or expected
        if record is None and line.startswith("print -r $ZSH"):
            expected = (line, 0)
        t.is_(sh.last(), expected, "%s%r %s" % (
            what, line, "is recorded" if record else "is as it should be"),
            hookshell.plain(shown))


def records(t):
    with home.Home() as place, Shell(place, "zsh") as sh:
        t.is_(sh.record(), None, "nothing is recorded before the first line")
        types(t, sh, LINES)
        sh.run("sleep 0.2")
        sh.run("")
        t.ok(200 <= int(sh.record()["duration_ms"]) < 10000,
             "the duration is in milliseconds", sh.record())
        sh.run("mkdir -p 'a b/é' $'new\\nline'; cd 'a b/é'; false")
        t.is_(sh.record()["cwd"], place.work,
              "the directory is where the line was typed")
        sh.run("cd ../../new*; false")
        t.is_(sh.record()["cwd"], place.path("a b", "é"),
              "a directory with a blank is recorded whole")
        sh.run("(exit 2)")
        t.is_((sh.record().get("cwd"), sh.last()), (None, ("(exit 2)", 2)),
              "one with a newline is left out, and nothing else")
        t.is_((stat.S_IMODE(os.stat(sh.file()).st_mode),
               stat.S_IMODE(os.stat(os.path.dirname(sh.file())).st_mode)),
              (0o600, 0o700), "the file is the user's alone")
        before = sh.children()
        for n in range(30):
            sh.run("n=%d" % n)
        t.is_((sh.children(), sh.last()), (before, ("n=29", 0)),
              "no process is started at a prompt")
        sh.run("/bin/true")
        t.ok(sh.children() != before, "one would have been seen")
    for before, lines in SETTINGS:
        with home.Home() as place, \
                Shell(place, "zsh", before=before) as sh:
            types(t, sh, lines, before[:40] + ": ")


def any_bytes(t):
    with home.Home() as place, Shell(place, "zsh") as sh:
        sh.run(r"print -rs $'echo \xff\xfe\x80 \xc3\xa9'")
        sh.run("\x10")  # the line before
        t.is_(sh.record()["command"], b"echo \xff\xfe\x80 \xc3\xa9",
              "bytes that are no text are recorded as they are")
        for char in "x", "é", "☃":
            with open(place.path("long"), "w", encoding="utf-8") as out:
                out.write(": " + char * 70000)
            sh.run("print -rs \"$(<long)\"")
            sh.run("\x10")
            got = sh.record()["command"]
            t.ok(got == (": " + char * 70000).encode()[:65536],
                 "64 KiB of a long line of %s are recorded" % char,
                 len(got), got[:9])
            sh.run("false")
            t.is_(sh.last(), ("false", 1), "and a short line after it")


def state(t):
    for name, before in BEFORE.items():
        dumps = []
        for hook in (True, False):
            with home.Home() as place, \
                    Shell(place, "zsh", before=before, hook=False) as sh:
                sh.run(hookshell.LOAD["zsh"].strip() if hook else ":")
                sh.run("true")
                sh.run("__agentsh_unload" if hook else ":")
                left = sh.files()
                dumps.append({line for line in sh.show(DUMP).split("\n")
                              if not CHANGING.match(line) and
                              "agentsh-test" not in line})
        t.ok(dumps[0] == dumps[1] and not left and len(dumps[1]) > 50,
             "%s is restored by unloading" % name,
             sorted(dumps[0] ^ dumps[1]), left, len(dumps[1]))


def preserved(t):
    seen = ("S=$? P=\"$pipestatus\" L=$_; print -r -- $S $P $L >>$SEEN")
    for before, after, name in (
            ("precmd() { %s }" % seen, "", "a precmd"),
            ("", "precmd_functions+=(p); p() { %s }" % seen, "a later one"),
            ("setopt prompt_subst", "precmd() { P0=\"$?$pipestatus\" }; "
             "RPROMPT='$(print $P0 $? >>$SEEN)'", "a prompt")):
        lines = []
        for hook in (False, True):
            with home.Home() as place, Shell(
                    place, "zsh", before=before, after=after, hook=hook,
                    SEEN=place.path("seen")) as sh:
                sh.run("false | (exit 3)")
                sh.run("echo one two")
                lines.append(place.read("seen"))
                last = sh.last()
        t.ok(lines[0] == lines[1] and "3" in lines[0] and
             last == ("echo one two", 0),
             name + " sees $?, pipestatus and $_ as without it", *lines, last)
    with home.Home() as place, Shell(
            place, "zsh", before="trap 'print z >>err' ZERR; "
            "trap 'print x >exit' EXIT") as sh:
        sh.run("false")
        sh.run("true")
        sh.run("")
        t.is_(place.read("err"), "z\n", "a ZERR trap fires once")
        sh.run("true a last")
        t.ok(b"[last]" in sh.run("echo [$_]"), "$_ is the user's")
        sh.end()
        t.is_(place.read("exit"), "x\n", "the EXIT trap runs")
    with home.Home() as place, Shell(place, "zsh") as sh:
        sh.run("false | (exit 3)")
        t.ok(b"=1 3=" in sh.run("print -r -- \"=$pipestatus=\""),
             "so is pipestatus")
        t.ok(b"[ttt]" in sh.run("[[ -t 0 && -t 1 && -t 2 ]] && echo '[tt't]"),
             "the descriptors are terminals")
    fds = []
    for hook in (False, True):
        with home.Home() as place, Shell(place, "zsh", hook=hook) as sh:
            sh.run("exec 5</dev/null; true | true")
            fds.append(sorted(path for path in sh.show(
                "readlink /proc/$$/fd/*").split()
                # of the pipeline, closed when its last part is waited for
                if "shown" not in path and "pipe:" not in path))
    t.is_(len(fds[1]), len(fds[0]), "no descriptor is added", *fds)


def alias(t):
    program = "#!/bin/sh\necho \"got:$*\"\n"
    for before, wanted, name in (
            ("", "got:what uses my cpu?", "ai takes a question mark"),
            ("alias ai='echo mine'", None, "an alias ai of the user's stays"),
            ("function ai { echo mine }", None, "so does a function")):
        with home.Home() as place:
            with open(place.path("ai"), "w", encoding="utf-8") as out:
                out.write(program)
            os.chmod(place.path("ai"), 0o755)
            with Shell(place, "zsh", before="PATH=$PWD:$PATH\n" + before) as sh:
                shown = hookshell.plain(sh.run("ai what uses my cpu?"))
                t.ok((wanted in shown) if wanted else
                     "no matches" in shown or "mine" in shown, name, shown)
                what = sh.show("whence -v ai; alias ai")
                t.ok(("noglob" in what) == (wanted is not None),
                     "by the alias only", what)


def jobs(t):
    with home.Home() as place, Shell(place, "zsh") as sh:
        sh.send("sleep 1000\n")
        tap.poll(lambda: [pid for pid, name in place.left().items()
                          if name.startswith("sleep 1000")])
        sh.send("\x1a")
        sh.wait()
        t.is_(sh.last(), ("sleep 1000", 128 + signal.SIGTSTP),
              "Ctrl-Z stops a command")
        sh.run("bg")
        t.ok(b"running" in sh.run("jobs"), "bg goes on with it")
        sh.send("fg\n")
        tap.poll(lambda: os.tcgetpgrp(sh.child.child_fd) in place.left() and
                 os.tcgetpgrp(sh.child.child_fd) != sh.child.pid)
        sh.send("\x03")
        sh.wait()
        t.is_(sh.last(), ("fg", 128 + signal.SIGINT),
              "fg brings it back, and Ctrl-C ends it")
    with home.Home() as place, Shell(place, "zsh") as sh:
        session = sh.show("print $AGENTSH_SESSION; typeset -p "
                          "precmd_functions preexec_functions")
        sh.run(hookshell.LOAD["zsh"].strip())
        t.is_(sh.show("print $AGENTSH_SESSION; typeset -p precmd_functions "
                      "preexec_functions"), session,
              "loading twice is harmless")
    with home.Home() as place:
        quiet = place.run(["zsh", "-fc", hookshell.LOAD["zsh"] +
                           "functions -m '*agentsh*'; typeset -m "
                           "'*agentsh*'; alias ai; print $AGENTSH_SESSION"])
        t.is_((quiet.out.strip(), quiet.err), ("", ""),
              "a shell that is not interactive is left alone")


def main():
    t = tap.Tap()
    records(t)
    any_bytes(t)
    state(t)
    preserved(t)
    alias(t)
    jobs(t)
    t.done()


if __name__ == "__main__":
    main()
