# SPDX-License-Identifier: GPL-3.0-or-later
"""test_tab.py - the Tab key leaves in the REPL's line what it leaves in bash's.

Each name lies in a directory of its own, alone or beside one that is almost
the same. Beginnings of it are typed behind commands, and the line that Tab
makes of them is asked of both shells by a key that is bound to a command
(READLINE_LINE, READLINE_POINT). Both have bash-completion, as Debian's own
~/.bashrc loads it. TAB_SEED, TAB_NAMES: which names, and how many.
"""

import os
import random
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))

import home  # noqa: E402
import shells  # noqa: E402
import tap  # noqa: E402
import terminal  # noqa: E402

COMPLETIONS = "/usr/share/bash-completion/bash_completion"
RC = shells.RC + """
[ -r %s ] && . %s
bind 'set bell-style none'
_shown() { printf '%%s\\n%%s\\n.' "$READLINE_POINT" "$READLINE_LINE" >"$SHOWN.new"
           mv "$SHOWN.new" "$SHOWN"; }
bind -x '"\\C-xd": _shown'
""" % (COMPLETIONS, COMPLETIONS)

# What stands before the beginning of a name.
COMMANDS = ("cat ", "rm -r ", 'ls "', "cp '", "cd ", "vim ", "tar xf ",
            "git add ", "echo $(cat ", "cat <", "X=1 ls -- ", "mv a b ")

PARTS = ("a", "b", "Z9", " ", "  ", "'", '"', "$", "$HOME", "\\", "`", "!",
         "*", "?", "[x]", "{a,b}", "(", ")", ";", "&", "|", "<", ">", "#", "~",
         "=", ":", "@", ",", "+", "-", "--", ".", "%", "^", "\n", "\t", "ä",
         "é", "日本", "🙂", "\x01", "\x7f")


def names(count, seed):
    """Different ones; every part comes in some."""
    rng = random.Random(seed)
    made = ["My Docs", "it's", 'say "hi"', "a$b", "-rf", "--help", "~", "#x",
            "new\nline", "tab\tbed", "x=y", "a:b", "ünï", "(1)", "a\\b", "!!",
            ".dot file", "=", "@x", "{a,b}"]
    while len(made) < count:
        name = "".join(rng.choice(PARTS) for _ in range(rng.randint(1, 4)))
        if rng.random() < .7:
            name = rng.choice("kq") + rng.choice("xy") + name
        if name not in made and name not in (".", ".."):
            made.append(name)
    return made[:count]


def beginnings(name, rng):
    """What a person may have typed of it: plain letters, or nothing."""
    plain = len(name) - len(name.lstrip(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"))
    return name[:rng.randint(0, plain)] if name[0] != "-" else "./"


def make(top, all_names, rng):
    """The directories, and for each what to type in it."""
    typed = []
    for i, name in enumerate(all_names):
        here = os.path.join(top, "d%d" % i)
        os.makedirs(here)
        for entry in [name] + ([name + "2"] if rng.random() < .2 else []):
            path = os.path.join(here, entry)
            if rng.random() < .3:
                os.mkdir(path)
            else:
                with open(path, "w", encoding="utf-8"):
                    pass
        typed.append((here, beginnings(name, rng)))
    return typed


def arrived(shell, path):
    """Whether the file is there; what is drawn meanwhile is read, else the
    terminal would be full."""
    try:
        shell.child.read_nonblocking(65536, 0)
    except terminal.pexpect.TIMEOUT:
        pass
    return os.path.exists(path)


def lines(shell, shown, typed, commands):
    """What Tab makes of each, in order."""
    for here, begin in typed:
        shell.send("cd %s\r" % here)
        for command in commands:
            if os.path.exists(shown):
                os.unlink(shown)
            shell.send(command + begin + "\t\x18d")
            if not tap.poll(lambda: arrived(shell, shown)):
                raise shells.Missed("no line after %r beside %r" %
                                    (command + begin, os.listdir(here)))
            with open(shown, encoding="utf-8", errors="replace",
                      newline="") as file:
                yield file.read()
            shell.send("\x05\x15")


def collect(start, typed):
    with home.Home() as place:
        shells.write_rc(place, RC)
        shown = place.path("shown")
        shell = start(place, SHOWN=shown)
        try:
            return [line.replace(place.env["HOME"], "~home~")
                    for line in lines(shell, shown, typed, COMMANDS)]
        finally:
            terminal.hang_up(shell.child)


def main():
    t = tap.Tap()
    count = int(os.environ.get("TAB_NAMES", "24"))
    seed = int(os.environ.get("TAB_SEED", "1"))
    if not os.path.exists(COMPLETIONS):
        t.skip_all("bash-completion is not here")
    with home.Home() as place:
        top = place.path("names")
        all_names = names(count, seed)
        typed = make(top, all_names, random.Random(seed))
        judge = collect(shells.bash, typed)
        ours = collect(shells.repl, typed)
        shutil.rmtree(top)
    for c, command in enumerate(COMMANDS):
        wrong = [(all_names[i], typed[i][1], judge[i * len(COMMANDS) + c],
                  ours[i * len(COMMANDS) + c])
                 for i in range(count)
                 if judge[i * len(COMMANDS) + c] != ours[i * len(COMMANDS) + c]]
        t.ok(not wrong, "%d names behind %r" % (count, command), *wrong[:5])
    t.ok(sum(line.count("\\") + line.count("'") + line.count('"')
             for line in judge) > count, "of which many are quoted")
    t.done()


if __name__ == "__main__":
    main()
