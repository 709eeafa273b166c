# SPDX-License-Identifier: GPL-3.0-or-later
"""test_terminal_modes.py - stty -a says the same before and after.

After an exit, a Ctrl-C, and SIGKILL of each process that has to do with it; at
a question, in an editor that is a step, and in the interactive shell; below
bash, bash without its line editor, zsh and dash. The last puts no modes back
itself.
"""

import os
import shutil
import signal
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))

import home
import sudoer
import tap
from review import AI, MENU, save, step

AGENTSH = home.program("agentsh")
EDITORS = {"vi": (["vi made"], "\x1b:q!\r"), "nano": (["nano made"], "\x18")}


def tree(h, p):
    """What runs here below the person's shell: pid by name, an editor once."""
    names = {}
    for pid, name in h.left(closed=True).items():
        if pid == p.child.pid:
            continue
        try:
            with open("/proc/%d/comm" % pid, encoding="utf-8") as file:
                names.setdefault(file.read().strip(), pid)
        except OSError:
            pass
    return names


def settle(p):
    """The shell's prompt, after something was killed below it."""
    p.until_prompt(3)
    p.send("\r")
    p.until_prompt(3)


def same(t, h, p, before, what):
    """A shell without a line editor does not wait for the keeper."""
    if p.shell == "zsh" and what.endswith(("agentsh-front killed",
                                           "agentsh-repl killed",
                                           "exec, agentsh killed")):
        # it takes over what it finds, if it is faster than the keeper:
        # base/terminal_keeper.h
        ok = tap.poll(lambda: " echo " in sudoer.modes(p), 5)
    else:
        ok = tap.poll(lambda: sudoer.modes(p) == before, 5)
    t.ok(ok and p.ask("echo works-$((40+2))").find("works-42") >= 0,
         what, sudoer.modes(p), before, p.text()[-500:])
    tap.poll(lambda: not tree(h, p), 10)
    t.is_(tree(h, p), {}, "and nothing is left: " + what)


def question(h, p):
    p.send("%s do --plan %s\r" % (AI, h.path("plan.json")))
    p.wait_for(MENU)
    tap.poll(lambda: sudoer.is_raw(p))


def editor(h, p, name):
    swap = h.path(".made.swp")  # of one that was killed: a question
    if os.path.exists(swap):
        os.unlink(swap)
    p.send("%s do --plan %s\r" % (AI, h.path(name + ".json")))
    p.wait_for(MENU)
    p.send("r")
    tap.poll(lambda: any(n.startswith(name) for n in tree(h, p)) and
             sudoer.is_raw(p))


def repl(h, p):
    p.send("%s\r" % AGENTSH)
    p.wait_for("(ai) ")
    tap.poll(lambda: sudoer.is_raw(p))


def executed(h, p):
    p.send("%s exec -- cat\r" % AGENTSH)
    tap.poll(lambda: "cat" in tree(h, p) and sudoer.is_raw(p))


def press(h, p, keys):
    """Until nothing runs: what is typed while a program begins is lost."""
    for _ in range(10):
        p.send(keys)
        if tap.poll(lambda: not tree(h, p), 1):
            return


def kill_each(t, h, shell, what, start, leave):
    """Kills each process of a run, one in a run."""
    done = set()
    while True:
        p = sudoer.person(h, shell)
        before = sudoer.modes(p)
        start(h, p)
        names = tree(h, p)
        rest = sorted(set(names) - done)
        if not rest:
            press(h, p, leave)
            settle(p)
            same(t, h, p, before, "%s: %s, left by its key" % (shell, what))
            p.child.close(True)
            return
        done.add(rest[0])
        os.kill(names[rest[0]], signal.SIGKILL)
        if rest[0] == "agentsh-keeper":
            press(h, p, leave)
        elif not tap.poll(lambda: not tree(h, p), 1):
            press(h, p, "q")  # at a question about what has failed
        settle(p)
        same(t, h, p, before, "%s: %s, %s killed" % (shell, what, rest[0]))
        p.child.close(True)


def ctrl_c(t, h, shell):
    p = sudoer.person(h, shell)
    before = sudoer.modes(p)
    question(h, p)
    p.send("\x03")
    p.until_prompt()
    same(t, h, p, before, shell + ": Ctrl-C at a question")
    p.child.close(True)


def killed_while_it_stops(t, h):
    """The launcher hears at once that its program has stopped and that the
    front was killed."""
    p = sudoer.person(h, "bash")
    executed(h, p)
    names = tree(h, p)
    os.kill(names["agentsh-launch"], signal.SIGSTOP)
    os.kill(names["cat"], signal.SIGSTOP)
    tap.poll(lambda: home.state_of(names["cat"]) == "T" and all(
        home.state_of(pid) != "R" for pid in names.values()))
    os.kill(names["agentsh"], signal.SIGKILL)
    tap.poll(lambda: not tree(h, p), 10)
    t.is_(tree(h, p), {}, "killed while it stops: nothing is left")
    p.child.close(True)


def main():
    t = tap.Tap()
    why = sudoer.missing()
    if why:
        t.skip_all(why)
    m = sudoer.Machine()  # an editor wants to know who it is
    for shell, (argv, _) in tap.sample(list(sudoer.SHELLS.items())):
        if not shutil.which(argv[0]):
            t.skip(shell, "needs " + argv[0])
            continue
        with home.Home() as h:
            save(h, step(1, "touch x"))
            for name, (lines, _) in EDITORS.items():
                save(h, step(1, lines[0]), name=name + ".json")
            sudoer.own(h)
            ctrl_c(t, h, shell)
            kill_each(t, h, shell, "a question", question, "q")
            kill_each(t, h, shell, "exec", executed, "\x04")
            kill_each(t, h, shell, "the interactive shell", repl, "exit\r")
            for name, (_, keys) in EDITORS.items():
                if shutil.which(name):
                    kill_each(t, h, shell, "a step with " + name,
                              lambda h, p, name=name: editor(h, p, name),
                              keys)
                else:
                    t.skip(name, "needs " + name)
    with home.Home() as h:
        sudoer.own(h)
        killed_while_it_stops(t, h)
    m.done()
    t.done()


main()
