# SPDX-License-Identifier: GPL-3.0-or-later
"""prompts.py - what a prompt costs in an interactive shell, with and without
the hook.

One shell loads the hook and takes it out again by turns: two shells that
should be the same differ by more than the hook costs, each as long as it lives.
A few are used, one after the other. Each is on a terminal, where a person's
shell is: prompts, line editing and history are the real ones.
"""

import glob
import os
import pty
import select
import shutil
import signal
import time

LIMIT_S = 30
LIVES = 5  # shells, one after the other
# How it is started, what makes its prompt a plain one, how it takes the hook,
# and how many prompts make a turn: fish takes its time for each.
SHELLS = {
    "bash": (["bash", "--norc", "--noprofile", "-i"], "PS1='> '",
             'eval "$(%s init bash)"', 40),
    "zsh": (["zsh", "-f", "-i"], "PS1='> '", 'eval "$(%s init zsh)"', 40),
    "fish": (["fish", "--no-config", "-i"],
             "function fish_prompt; echo '> '; end; function fish_title; end",
             "%s init fish | source", 5),
}


class Shell:
    """An interactive shell that is typed at."""

    def __init__(self, argv, env):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.execvpe(argv[0], argv, env)
        self.count = 0

    def type_until(self, text, mark):
        """Types, and reads until mark is shown."""
        seen, left = b"", text.encode()
        until = time.monotonic() + LIMIT_S
        while mark.encode() not in seen:
            writable = [self.fd] if left else []
            ready = select.select([self.fd], writable, [], 1)
            if ready[1]:
                left = left[os.write(self.fd, left):]
            if ready[0]:
                seen += os.read(self.fd, 65536)
            if time.monotonic() > until:
                raise TimeoutError("%r after %r" % (mark, seen[-200:]))

    def sync(self, lines=""):
        """Runs the lines, and a last one that says so."""
        self.count += 1
        self.type_until(lines + "printf '%%s-%%s\\n' synced %d\r" % self.count,
                        "synced-%d\r\n" % self.count)

    def cpu_ns(self):
        """Time on a processor so far: others that want it do not count."""
        with open("/proc/%d/schedstat" % self.pid, encoding="ascii") as stat:
            return int(stat.read().split()[0])

    def prompts(self, n):
        """Microseconds for each of n commands that do nothing: by the clock,
        and on a processor."""
        first = self.count * 1000
        lines = "".join(": %d\r" % (first + i) for i in range(n))
        wall, cpu = time.perf_counter(), self.cpu_ns()
        self.sync(lines)
        return ((time.perf_counter() - wall) * 1e6 / n,
                (self.cpu_ns() - cpu) / 1e3 / n)

    def close(self):
        os.kill(self.pid, signal.SIGKILL)
        used = os.wait4(self.pid, 0)[2]
        os.close(self.fd)
        return used


# How it reads one start-up file, and what makes its prompt the mark.
STARTS = {
    "bash": (["bash", "--noprofile", "--rcfile", "%s/rc", "-i"], "rc",
             "PS1='rea''dy> '\n"),
    "zsh": (["zsh", "-d", "-i"], ".zshrc", "PS1='rea''dy> '\n"),
    "fish": (["fish", "-i"], "fish/config.fish",
             "function fish_prompt; echo 'rea''dy> '; end\n"
             "function fish_title; end; set -g fish_greeting\n"),
}


def start(name, folder, hook, env):
    """Microseconds from the start of a shell to its first prompt: by the
    clock, and on a processor, what it has started included."""
    argv, path, rc = STARTS[name]
    path = os.path.join(folder, path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as out:
        out.write(hook + rc)
    env = {**env, "ZDOTDIR": folder, "TERM": "dumb"}
    if name == "fish":
        env["XDG_CONFIG_HOME"] = folder
    begin = time.perf_counter()
    shell = Shell([word % folder if "%" in word else word for word in argv],
                  env)
    shell.type_until("", "ready>")
    wall = (time.perf_counter() - begin) * 1e6
    used = shell.close()
    return wall, (used.ru_utime + used.ru_stime) * 1e6


def starts(name, agentsh, env, folder, rounds):
    """Times of a start with the hook and without it; the first of each warms
    the caches."""
    if not shutil.which(name):
        raise FileNotFoundError("%s is not here" % name)
    hook = SHELLS[name][2] % agentsh + "\n"
    pairs = [(start(name, folder, hook, env), start(name, folder, "", env))
             for _ in range(rounds + 1)]
    return [list(side) for side in zip(*pairs[1:])]


def is_recording(env):
    """The hook has written what was run last."""
    return glob.glob(os.path.join(env["XDG_RUNTIME_DIR"], "agentsh", "last-*"))


def turn(shell, line, n):
    """What a prompt takes behind the line; the first prompts, which settle
    what the line began, do not count."""
    shell.sync(line + "\r")
    shell.prompts(2)
    return shell.prompts(n)


def measure(name, agentsh, env, rounds):
    """Times for each prompt, with the hook and without it."""
    argv, plain, hook, n = SHELLS[name]
    if not shutil.which(argv[0]):
        raise FileNotFoundError("%s is not here" % name)
    with_hook, without = [], []
    for _ in range(LIVES):
        shell = Shell(argv, env)
        try:
            shell.sync(plain + "\r")
            for _ in range(rounds // LIVES):
                with_hook.append(turn(shell, hook % agentsh, n))
                if not is_recording(env):
                    raise RuntimeError("the hook of %s records nothing" % name)
                without.append(turn(shell, "__agentsh_unload", n))
        finally:
            shell.close()
    return with_hook, without
