# SPDX-License-Identifier: GPL-3.0-or-later
"""test_hook_bash_others.py - the bash hook beside other people's hooks.

starship and bash-preexec are stand-ins (fake_*.bash), which say what they
stand for."""

import os

import hookshell
from hookshell import Shell, home, tap

HERE = os.path.dirname(os.path.abspath(__file__))
STARSHIP = ". '%s'\n" % os.path.join(HERE, "fake_starship.bash")
PREEXEC = ". '%s'\n" % os.path.join(HERE, "fake_preexec.bash") + \
    "preexec_functions+=(typed); typed() { echo \"typed $1\" >>$SEEN; }\n"
SHARED = "PROMPT_COMMAND='history -a; history -c; history -r'\n"

# What stands before the hook and after it.
PAIRS = {
    "starship after the hook": ("", STARSHIP),
    "starship before the hook": (STARSHIP, ""),
    "starship twice": (STARSHIP, STARSHIP),
    "bash-preexec after the hook": ("", PREEXEC),
    "bash-preexec before the hook": (PREEXEC, ""),
    "bash-preexec and starship after the hook": ("", PREEXEC + STARSHIP),
    "bash-preexec and starship before the hook": (PREEXEC + STARSHIP, ""),
    "bash-preexec, the hook, starship": (PREEXEC, STARSHIP),
    "bash-preexec and ignorespace": ("HISTCONTROL=ignoreboth\n", PREEXEC),
    "a shared history, bash-preexec": (SHARED, PREEXEC),
    "a shared history, starship": (SHARED, STARSHIP),
    "starship and a DEBUG trap": ("trap 'D=1' DEBUG\n" + STARSHIP, ""),
}
LINES = ("false", "true | (exit 3)", "", " echo hidden", "false", "cd /",
         "(exit 9)")


def pairs(t):
    for name, (before, after) in PAIRS.items():
        seen, last = [], []
        for hook in (False, True):
            with home.Home() as place, Shell(
                    place, "bash", before=before, after=after, hook=hook,
                    SEEN=place.path("seen")) as sh:
                for line in LINES:
                    shown = sh.run(line)
                    last.append(sh.last())
                seen.append(place.read("seen"))
                traps = sh.show("trap -p")
        t.ok(seen[0] == seen[1] and len(seen[0]) > 60,
             name + ": it sees what it sees without the hook", *seen)
        hidden = ("HISTCONTROL" in before and ("true | (exit 3)", 3) or
                  (" echo hidden", 0))
        t.is_(last[len(LINES):],
              [("false", 1), ("true | (exit 3)", 3), ("true | (exit 3)", 3),
               hidden, ("false", 1), ("cd /", 0), ("(exit 9)", 9)],
              name + ": and lines are recorded", traps, shown)


def counting_trap(t):
    """A title or a timer by a DEBUG trap that PROMPT_COMMAND arms last."""
    timer = ("timer() { [[ $ARMED ]] && echo \"$BASH_COMMAND\" >>$SEEN; "
             "ARMED=; }; trap timer DEBUG; PROMPT_COMMAND='ARMED=1'\n")
    late = timer.replace("trap timer DEBUG; PROMPT_COMMAND='ARMED=1'",
                         "arm() { ARMED=1; trap timer DEBUG; }; "
                         "PROMPT_COMMAND=arm")
    for before, after, name in ((timer, "", "before"), ("", timer, "after"),
                                (late, "", "that sets its trap, before")):
        with home.Home() as place, Shell(
                place, "bash", before=before, after=after,
                SEEN=place.path("seen")) as sh:
            if after:  # its first line is lost to our first element
                sh.run(":")
            sh.run("true 1; true 2")
            sh.run("false")
            t.is_(place.read("seen").split("\n")[-3:],
                  ["true 1", "false", ""],
                  "a timer armed by PROMPT_COMMAND %s the hook sees the "
                  "first command of each line" % name, place.read("seen"))
            t.is_(sh.last(), ("false", 1), "and lines are recorded")


def changes(t):
    with home.Home() as place, Shell(
            place, "bash", before="trap : DEBUG; PROMPT_COMMAND=true") as sh:
        sh.run("PROMPT_COMMAND=\"true; $PROMPT_COMMAND; true\"")
        sh.run("false")
        sh.run("(exit 4)")
        t.is_(sh.last(), ("(exit 4)", 4),
              "an element that was joined with another is set apart again")
        t.is_(sh.show("declare -p PROMPT_COMMAND").strip(),
              "declare -a PROMPT_COMMAND=([0]=\"__agentsh_prompt\" "
              "[1]=\"true;  true\" [2]=\"true\")",
              "and the other is whole")
    with home.Home() as place, Shell(place, "bash",
                                     SEEN=place.path("seen")) as sh:
        sh.run(PREEXEC.strip().replace("\n", "; "))
        sh.run("")
        sh.run("")
        sh.run("false")
        t.is_((sh.last(), place.read("seen").split("\n")[-2]),
              (("false", 1), "typed false"),
              "bash-preexec can be loaded at any time")
        t.ok("__agentsh" not in sh.show("declare -p PROMPT_COMMAND") and
             "__agentsh" in sh.show("declare -p precmd_functions"),
             "and then calls the hook itself")
        sh.run("__agentsh_unload")
        t.ok("__agentsh" not in sh.show("declare -p precmd_functions"),
             "until it is unloaded")


def main():
    t = tap.Tap()
    pairs(t)
    counting_trap(t)
    changes(t)
    t.done()


if __name__ == "__main__":
    main()
