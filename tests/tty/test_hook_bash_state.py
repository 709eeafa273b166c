# SPDX-License-Identifier: GPL-3.0-or-later
"""test_hook_bash_state.py - what the bash hook leaves as it was."""

import os
import signal

import hookshell
from hookshell import Shell, home, tap, terminal

# Everything of the shell that can be listed, but the line that lists it.
DUMP = ("{ declare -p | grep -v -E ' (_|BASH_[A-Z]+|EPOCH[A-Z]+|S?RANDOM|"
        "SECONDS|PS1|PIPESTATUS|LINENO|HISTCMD|FUNCNAME|COMP_WORDBREAKS|"
        "COLUMNS|LINES|OLDPWD|BASHPID|PPID|dumped|AGENTSH_TEST_ID)(=|$)';"
        " declare -F; alias; trap -p; shopt; set -o; bind -X; "
        "history | wc -l; umask; env | grep AGENTSH_S; }")

# What there may be before the hook, and must be there again after it.
BEFORE = {
    "nothing": "",
    "a scalar": "PROMPT_COMMAND='true one'",
    "a scalar with a semicolon": "PROMPT_COMMAND='true one; true two;'",
    "an exported scalar": "export PROMPT_COMMAND='true one'",
    "an empty scalar": "PROMPT_COMMAND=",
    "an array": "PROMPT_COMMAND=('true one' 'true two')",
    "an array with holes": "PROMPT_COMMAND=([2]='true a' [7]='true b')",
    "an empty array": "PROMPT_COMMAND=()",
    "a PS0": "PS0='\\u'; PROMPT_COMMAND=true",
    "an empty PS0": "PS0=",
    "an exported PS0": "export PS0='x\\n'",
    "a session around it": "export AGENTSH_SESSION=1-2",
    "traps": "trap 'true e' ERR; trap 'true x' EXIT; trap 'true d' DEBUG; "
             "trap 'true r' RETURN; trap 'true u' USR1",
    "all options": "set -u -C -T -E; shopt -s extglob nullglob",
    "history that is shared": "PROMPT_COMMAND='history -a; true'",
    "bash-preexec's list": "precmd_functions=(true); __bp_imported=defined",
}

# Another shell script's hooks, and what they see after `false | (exit 3)`.
SEEN = "S=$? P=${PIPESTATUS[*]} L=$_ ; echo \"$S $P $L\" >>$SEEN"
HOOKS = {
    "a scalar before the hook": ("PROMPT_COMMAND='%s'" % SEEN, ""),
    "an array before the hook": ("PROMPT_COMMAND=(true '%s')" % SEEN, ""),
    "a scalar after the hook": ("", "PROMPT_COMMAND='%s'" % SEEN),
    "an element after the hook": ("", "PROMPT_COMMAND+=('%s')" % SEEN),
    "one appended after the hook": (
        "", "PROMPT_COMMAND=${PROMPT_COMMAND:+$PROMPT_COMMAND;}'%s'" % SEEN),
    "one put in front after the hook": (
        "PROMPT_COMMAND=true",
        "PROMPT_COMMAND='%s; '\"$PROMPT_COMMAND\"" % SEEN),
}


def dump(sh, path):
    sh.run("%s >%s 2>&1" % (DUMP, path))


def unloading(t):
    for name, before in BEFORE.items():
        with home.Home() as place:
            first, second = place.path("first"), place.path("second")
            with Shell(place, "bash", before=before, after="",
                       hook=False) as sh:
                sh.run(hookshell.LOAD["bash"].strip())
                sh.run("false")
                sh.run("true")
                sh.run("__agentsh_unload")
                dump(sh, second)
                left = sh.files()
            with Shell(place, "bash", before=before, hook=False) as sh:
                for line in (":", "false", "true", ":"):
                    sh.run(line)
                dump(sh, first)
            with open(first, encoding="utf-8") as a, \
                    open(second, encoding="utf-8") as b:
                one, two = set(a), set(b)
            differ = {line for line in one ^ two if "shell1/" not in line and
                      "shell2/" not in line and "/shell" not in line}
            t.ok(not differ and not left,
                 "%s is restored by unloading" % name, sorted(differ), left)


def other_hooks(t):
    for name, (before, after) in HOOKS.items():
        seen = []
        for hook in (False, True):
            with home.Home() as place:
                path = place.path("seen")
                with Shell(place, "bash", before=before, after=after,
                           hook=hook, SEEN=path) as sh:
                    sh.run("false | (exit 3)")
                    sh.run("echo one two")
                    seen.append(place.read("seen"))
                    last = sh.last()
        t.ok(seen[0] == seen[1] and "3 1 3 " in seen[1] and
             "0 0 two" in seen[1] and last == ("echo one two", 0),
             name + " sees $?, PIPESTATUS and $_ as without it", *seen, last)


def variables(t):
    with home.Home() as place, Shell(place, "bash") as sh:
        sh.run("false")
        t.ok(b"\n1 " in b"\n" + sh.run("echo $? $_").split(b"\r\n", 1)[-1],
             "$? is the user's at the next line")
        sh.run("true a b last")
        t.ok(b"[last]" in sh.run("echo [$_]"), "so is $_")
        sh.run("true 'x y=z [*] *'")
        t.ok(b"[x y=z [*] *]" in sh.run("echo \"[$_]\""),
             "also when it is many words")
        sh.run("false | true | (exit 3)")
        t.ok(b"[1 0 3]" in sh.run("echo [${PIPESTATUS[@]}]"),
             "and PIPESTATUS")
        t.ok(b"[ttt]" in sh.run("echo [$(for i in 0 1 2; do [[ -t $i ]] && "
                                "printf t; done <&0 1>&2)]") or
             b"[ttt]" in sh.run("[[ -t 0 && -t 1 && -t 2 ]] && echo '[tt't]"),
             "the descriptors are terminals")
        sh.run("echo $PPID; exec 3</dev/null")
        fds = sh.show("readlink /proc/$$/fd/*")
    with home.Home() as place, Shell(place, "bash", hook=False) as sh:
        sh.run("echo $PPID; exec 3</dev/null")
        t.is_(len(fds.split()),
              len(sh.show("readlink /proc/$$/fd/*").split()),
              "no descriptor is added", fds)


def traps(t):
    for options in ("", "set -E;", "set -ET;"):
        with home.Home() as place, Shell(
                place, "bash", before=options + "trap 'echo e >>err' ERR;"
                "trap 'echo x >exit' EXIT") as sh:
            sh.run("false")
            sh.run("true")
            sh.run("")
            sh.run("(exit 2)")
            t.is_(place.read("err"), "e\ne\n",
                  "%s an ERR trap fires once for each failure" % options)
            sh.end()
            t.is_(place.read("exit"), "x\n", "the EXIT trap runs")
    with home.Home() as place, Shell(
            place, "bash",
            before="trap 'echo \"$BASH_COMMAND\" >>debug' DEBUG") as sh:
        t.ok("DEBUG" in sh.show("trap -p"), "a DEBUG trap is there")
        os.truncate(place.path("debug"), 0)
        sh.run("true a")
        sh.run("true b | cat")
        t.is_([line for line in place.read("debug").split("\n")
               if "agentsh" not in line],
              ["true a", "true b", "cat", ""], "and sees each command once")
        t.is_(place.read("debug").count("__agentsh_prompt\n"), 2,
              "and of ours one element a prompt")
        t.is_(sh.last(), ("true b | cat", 0), "and lines are recorded")


def options(t):
    with home.Home() as place, Shell(place, "bash", before="set -euC") as sh:
        for line in ("true", "", " true", "echo x >|new", "ai x || :"):
            sh.run(line)
        t.is_(sh.last(), ("echo x >|new", 0),
              "set -e, -u and noclobber do not disturb it")
        t.is_(sh.run("unset PROMPT_COMMAND PS0 nothing; true").count(b"bound"),
              0, "nor do variables that are gone")
        sh.child.send(b"false\n")
        sh.child.expect(hookshell.pexpect.EOF)
        t.is_(terminal.reap(sh.child), 1, "set -e ends the shell on a failure")
    with home.Home() as place, Shell(place, "bash", before="set -a") as sh:
        sh.run("false")
        t.is_(sh.show("env | grep -c __agentsh"), "0\n",
              "set -a exports nothing of the hook")
    with home.Home() as place, Shell(
            place, "bash", before="alias printf='echo no' local=no builtin=no "
            "read=no fc=no command=no; printf() { no; }; read() { no; }; "
            "fc() { no; }; command() { no; }; shopt() { no; }; "
            "IFS=a0123456789; shopt -s failglob") as sh:
        sh.run("false")
        t.is_(sh.last(), ("false", 1),
              "aliases and functions of the user's do not stand in")


def jobs(t):
    with home.Home() as place, Shell(place, "bash") as sh:
        sh.child.send(b"sleep 1000\n")
        tap.poll(lambda: [pid for pid, name in place.left().items()
                          if name.startswith("sleep 1000")])
        sh.child.send(b"\x1a")
        sh.wait()
        t.is_(sh.last(), ("sleep 1000", 128 + signal.SIGTSTP),
              "Ctrl-Z stops a command")
        sh.run("bg")
        t.ok(b"Running" in sh.run("jobs"), "bg goes on with it")
        sh.child.send(b"fg\n")
        tap.poll(lambda: os.tcgetpgrp(sh.child.child_fd) in place.left() and
                 os.tcgetpgrp(sh.child.child_fd) != sh.child.pid)
        sh.child.send(b"\x03")
        sh.wait()
        t.is_(sh.last(), ("fg", 128 + signal.SIGINT),
              "fg brings it back, and Ctrl-C ends it")
        sh.run("sleep 1000 &")
        sh.run("kill %1; wait")
        t.is_(sh.last(), ("kill %1; wait", 0), "wait waits")
        sh.child.send(b"echo typed")
        sh.child.expect_exact(b"echo typed")  # the line editor has it
        # While it draws, bash may take the signal without a new prompt.
        tap.poll(lambda: home.state_of(sh.child.pid) == "S")
        sh.child.send(b"\x03")
        sh.wait()
        t.is_(sh.last(), ("kill %1; wait", 0),
              "a line given up with Ctrl-C is not recorded")


def loading(t):
    with home.Home() as place, Shell(place, "bash") as sh:
        first = sh.show("declare -p PROMPT_COMMAND PS0 AGENTSH_SESSION")
        sh.run(hookshell.LOAD["bash"].strip())
        sh.run("true")
        t.is_(sh.show("declare -p PROMPT_COMMAND PS0 AGENTSH_SESSION"), first,
              "loading twice is harmless")
        t.is_(len(sh.files()), 1, "and leaves the files of one shell",
              sh.files())
        sh.run("PS0=user")
        sh.run("")
        sh.run("false")
        t.ok(sh.last() == ("false", 1) and
             "user\"" in sh.show("declare -p PS0"),
             "a PS0 that is set later is kept, and lines are recorded")
        sh.run("PROMPT_COMMAND='echo from-user'")
        t.ok(b"from-user" in sh.run("(exit 9)") and
             sh.last() == ("(exit 9)", 9),
             "so is a PROMPT_COMMAND that is set later")
    for name in ("PROMPT_COMMAND", "PS0"):
        with home.Home() as place, Shell(
                place, "bash", before="readonly %s=true" % name) as sh:
            sh.run("false")
            t.ok(b"readonly" in sh.begin and sh.record() is None,
                 "a readonly %s is said, and nothing is loaded" % name)
    with home.Home() as place:
        quiet = place.run(["bash", "-c", hookshell.LOAD["bash"] +
                           "declare -F; compgen -v __agentsh; "
                           "echo $AGENTSH_SESSION; trap -p"])
        t.is_((quiet.out.strip(), quiet.err, quiet.status), ("", "", 0),
              "a shell that is not interactive is left alone")


def main():
    t = tap.Tap()
    unloading(t)
    other_hooks(t)
    variables(t)
    traps(t)
    options(t)
    jobs(t)
    loading(t)
    t.done()


if __name__ == "__main__":
    main()
