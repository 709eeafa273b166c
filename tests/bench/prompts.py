# SPDX-License-Identifier: GPL-3.0-or-later
"""prompts.py - what a prompt costs in an interactive shell, with and without
the hook.

Both shells live at the same time and take turns, so that what slows the
machine slows both. Each is on a terminal of its own, where a person's shell
is: prompts, line editing and history are the real ones.
"""

import glob
import os
import pty
import select
import shutil
import signal
import time

LIMIT_S = 30
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
        os.waitpid(self.pid, 0)
        os.close(self.fd)


def is_recording(env):
    """The hook has written what was run last."""
    return glob.glob(os.path.join(env["XDG_RUNTIME_DIR"], "agentsh", "last-*"))


def measure(name, agentsh, env, rounds):
    """Times for each prompt, with the hook and without it."""
    argv, plain, hook, n = SHELLS[name]
    if not shutil.which(argv[0]):
        raise FileNotFoundError("%s is not here" % name)
    bare, hooked = Shell(argv, env), Shell(argv, env)
    try:
        for shell in (bare, hooked):
            shell.sync(plain + "\r")
        hooked.sync(hook % agentsh + "\r")
        hooked.prompts(n)
        if not is_recording(env):
            raise RuntimeError("the hook of %s records nothing" % name)
        with_hook, without = [], []
        for _ in range(rounds):
            without.append(bare.prompts(n))
            with_hook.append(hooked.prompts(n))
        return with_hook, without
    finally:
        bare.close()
        hooked.close()
