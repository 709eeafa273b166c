# SPDX-License-Identifier: GPL-3.0-or-later
"""test_hook_bash.py - what the bash hook records, and what it does not."""

import os
import stat

import hookshell
from hookshell import Shell, home, tap

# What is typed, and the record that follows it; None: the one before stays.
LINES = (
    ("false", ("false", 1)),
    ("true", ("true", 0)),
    ("(exit 7)", ("(exit 7)", 7)),
    ("false | true", ("false | true", 0)),
    ("false || (exit 3)", ("false || (exit 3)", 3)),
    ("nosuchcommand -x", ("nosuchcommand -x", 127)),
    ("kill -9 $BASHPID & wait $!", ("kill -9 $BASHPID & wait $!", 137)),
    ("echo 'a  b'   \"c\"", ("echo 'a  b'   \"c\"", 0)),
    ("printf '%s\\n' '\\' % é ☃ 🐚", ("printf '%s\\n' '\\' % é ☃ 🐚", 0)),
    ("for i in 1 2\ndo :\ndone", ("for i in 1 2; do :; done", 0)),
    ("cat <<X\n one\n  two\nX", ("cat <<X\n one\n  two\nX\n", 0)),
    ("echo one \\\n two", ("echo one  two", 0)),
    ("f() { return 5; }; f", ("f() { return 5; }; f", 5)),
    ("", None),
    ("ai fix", None),
    ("  ai explain 'x'", None),
    ("ai", None),
    ("\\ai do it", None),
    ("ai run x; false", None),
    ("ai|cat", None),
    ("aid", ("aid", 127)),
    ("ai-x", ("ai-x", 127)),
    ("echo ai", ("echo ai", 0)),
    (")", None),
    ("status=9", ("status=9", 0)),
    ("echo 'command=x'", ("echo 'command=x'", 0)),
)

# What is set at the start, then lines as above.
HISTORY = (
    ("HISTCONTROL=ignorespace", (
        ("echo a", ("echo a", 0)), (" echo hidden", None),
        ("  false", None), ("false", ("false", 1)))),
    ("HISTCONTROL=ignoreboth", (
        ("ls new", ("ls new", 2)),
        (" echo hidden >new", None),
        ("ls new", ("ls new", 0)),
        ("ls n?w && rm new", ("ls n?w && rm new", 0)),
        ("ls n?w && rm new", ("ls n?w && rm new", 2)),
        ("grep x /dev/null", ("grep x /dev/null", 1)),
        (" echo hidden", None),
        ("grep x /dev/null", ("grep x /dev/null", 1)),
        ("false | false", ("false | false", 1)),
        (" true it is", None),
        ("false | false", ("false | false", 1)))),
    ("HISTCONTROL=ignoredups", (
        ("test -d x", ("test -d x", 1)), (" mkdir x", (" mkdir x", 0)),
        ("test -d x", ("test -d x", 0)),
        ("test -d x && rmdir x", ("test -d x && rmdir x", 0)),
        ("test -d x && rmdir x", ("test -d x && rmdir x", 1)))),
    ("HISTCONTROL=erasedups:ignorespace", (
        ("echo a", ("echo a", 0)), ("echo b", ("echo b", 0)),
        ("echo a", ("echo a", 0)), (" echo c", None),
        ("echo b", ("echo b", 0)))),
    ("HISTIGNORE='ls*:pwd'", (
        ("echo a", ("echo a", 0)), ("ls /nonexistent", None),
        ("pwd", None), ("false", ("false", 1)))),
    ("unset HISTFILE HISTCONTROL", (
        ("false", ("false", 1)), (" true", (" true", 0)))),
    ("HISTTIMEFORMAT='%F %T '; readonly HISTTIMEFORMAT", (
        ("false", ("false", 1)), ("echo 1 2", ("echo 1 2", 0)))),
    ("set +o history", (
        ("false", None), ("set -o history", None), ("false", ("false", 1)))),
    ("HISTSIZE=0", (("false", None), ("echo x", None))),
    ("HISTSIZE=2", (
        ("false", ("false", 1)), ("true 1", ("true 1", 0)),
        ("true 2", ("true 2", 0)), ("false", ("false", 1)))),
    ("", (
        ("false", ("false", 1)), ("history -c", None),
        ("true 2", ("true 2", 0)), ("history -s made up", ("made up", 0)),
        ("true 3", ("true 3", 0)), ("history -d -1", None),
        ("true 4", ("true 4", 0)))),
    ("shopt -u cmdhist", (
        ("false", ("false", 1)), ("for i in 1\ndo true\ndone", None),
        ("true", ("true", 0)))),
    ("shopt -s lithist", (
        ("for i in 1\ndo false\ndone", ("for i in 1\ndo false\ndone", 1)),)),
    ("set -o posix", (
        ("false", ("false", 1)), ("true 1", ("true 1", 0)),
        ("ai x", None))),
    ("shopt -u promptvars", (("false", None), ("echo x", None))),
    # The history is shared with other shells at each prompt.
    ("PROMPT_COMMAND='history -a; history -c; history -r'", (
        ("false", ("false", 1)), ("true 1", ("true 1", 0)),
        ("(exit 4)", ("(exit 4)", 4)))),
    ("sync() { history -a; history -n; }; PROMPT_COMMAND=sync", (
        ("false", ("false", 1)), ("(exit 4)", ("(exit 4)", 4)))),
)


def types(t, sh, lines, what=""):
    """Types lines and compares the record after each."""
    expected = None
    for line, record in lines:
        shown = sh.run(line)
        expected = record or expected
        got = sh.last()
        t.is_(got, expected, "%s%r %s" % (
            what, line, "is recorded" if record else "is not recorded"),
            hookshell.plain(shown))


def lines_are_recorded(t):
    with home.Home() as place, Shell(place, "bash") as sh:
        t.is_(sh.record(), None, "nothing is recorded before the first line")
        types(t, sh, LINES)


def history_decides(t):
    for before, lines in HISTORY:
        with home.Home() as place, \
                Shell(place, "bash", before=before) as sh:
            types(t, sh, lines, before + ": ")


def fields(t):
    with home.Home() as place, Shell(place, "bash") as sh:
        sh.run("sleep 0.2")
        t.ok(200 <= int(sh.record()["duration_ms"]) < 10000,
             "the duration is in milliseconds", sh.record())
        sh.run("sleep 0.2")
        sh.run("")
        t.ok(200 <= int(sh.record()["duration_ms"]) < 10000,
             "and without the time at the prompt", sh.record())
        sh.run("mkdir -p 'a b/é' $'new\\nline'; cd 'a b/é'; false")
        t.is_(sh.record()["cwd"], place.work,
              "the directory is where the line was typed")
        sh.run("false")
        t.is_(sh.record()["cwd"], place.path("a b", "é"),
              "a directory with a blank is recorded whole")
        sh.run("cd ../../new*; false")
        sh.run("(exit 2)")
        t.is_((sh.record().get("cwd"), sh.last()), (None, ("(exit 2)", 2)),
              "one with a newline is left out, and nothing else")
        t.is_(stat.S_IMODE(os.stat(sh.file()).st_mode), 0o600,
              "the file is the user's alone")
        t.is_(stat.S_IMODE(os.stat(os.path.dirname(sh.file())).st_mode),
              0o700, "so is its directory")


def any_bytes(t):
    with home.Home() as place, Shell(place, "bash", LANG="C") as sh:
        sh.run(b"echo \xff\xfe\x80 \xc3\xa9")
        t.is_(sh.record()["command"], b"echo \xff\xfe\x80 \xc3\xa9",
              "bytes that are no text are recorded as they are")
    with home.Home() as place, Shell(place, "bash") as sh:
        sh.run(b": " + b"x" * 3000)
        t.is_(len(sh.record()["command"]), 3002, "long lines are whole")
        for char, size in ("x", 65536), ("é", 65536), ("☃", 65536):
            with open(place.path("long"), "w", encoding="utf-8") as out:
                out.write(": " + char * 70000 + "\n")
            sh.run("history -r long")
            sh.run("\x10") # the line before
            got = sh.record()["command"]
            t.ok(got[:-4] == (": " + char * 70000).encode()[:size - 4] and
                 len(got) == size, "64 KiB of a long line of %s are recorded"
                 % char, len(got), got[:9])
        sh.run("false")
        t.is_(sh.last(), ("false", 1), "a short line follows a long one")


def no_process(t):
    with home.Home() as place, Shell(place, "bash") as sh:
        sh.run(":")
        before = sh.children()
        for n in range(30):
            sh.run("n=%d" % n)
            sh.run("ai=%d; false" % n)
        t.is_((sh.children(), sh.last()), (before, ("ai=29; false", 1)),
              "no process is started at a prompt")
        sh.run("/bin/true")
        t.ok(sh.children() != before, "one would have been seen")


def main():
    t = tap.Tap()
    lines_are_recorded(t)
    history_decides(t)
    fields(t)
    any_bytes(t)
    no_process(t)
    t.done()


if __name__ == "__main__":
    main()
