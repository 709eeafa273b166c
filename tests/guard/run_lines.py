# SPDX-License-Identifier: GPL-3.0-or-later
"""run_lines.py - what bash makes of lines, for test_bash.py: started by it
behind the walls of the sandbox, in a scratch directory.

Reads lines that end with NUL bytes; runs each by a bash of its own, in a
directory of its own, for at most TIME_LIMIT seconds; writes a byte for each:
T where the file M is there afterwards, - where it is not. With the argument
"any", T where anything in the directory is not what it was.
"""

import os
import resource
import shutil
import signal
import subprocess
import sys
import time

TIME_LIMIT = 1.0
LEFT_LIMIT = 0.3  # for what runs in the background
FILES = {"t": "b[$(touch M)]\n", "u": "touch M\n", "N": "a\n"}
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "HOME": "/nowhere", "LC_ALL": "C"}


def limit():
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))
    resource.setrlimit(resource.RLIMIT_CPU, (1, 1))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def is_there(group):
    try:
        os.killpg(group, 0)
    except (ProcessLookupError, PermissionError):
        return False
    return True


def end(group):
    """What the line left running has a moment, then it is ended."""
    until = time.monotonic() + LEFT_LIMIT
    while is_there(group) and time.monotonic() < until:
        time.sleep(0.002)
    while is_there(group):
        try:
            os.killpg(group, signal.SIGKILL)
        except ProcessLookupError:
            return
        time.sleep(0.002)


def snapshot(folder):
    """What is in it: names, modes, bytes."""
    found = {}
    for name in os.listdir(folder):
        path = os.path.join(folder, name)
        mode = os.lstat(path).st_mode
        found[name] = mode
        if os.path.isfile(path):
            with open(path, "rb") as f:
                found[name] = mode, f.read()
    return found


def ran(line, folder, any_change):
    os.mkdir(folder)
    os.mkdir(os.path.join(folder, "D"))
    for name, text in FILES.items():
        with open(os.path.join(folder, name), "w", encoding="utf-8") as f:
            f.write(text)
    before = snapshot(folder) if any_change else None
    bash = subprocess.Popen(
        ["bash", "--noprofile", "--norc", "-c", line], cwd=folder,
        env=ENVIRONMENT, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL, start_new_session=True, preexec_fn=limit)
    try:
        bash.wait(TIME_LIMIT)
    except subprocess.TimeoutExpired:
        os.killpg(bash.pid, signal.SIGKILL)
        bash.wait()
    end(bash.pid)
    if any_change:
        found = snapshot(folder) != before
    else:
        found = os.path.lexists(os.path.join(folder, "M"))
    shutil.rmtree(folder, ignore_errors=True)
    return found


def main():
    lines = sys.stdin.buffer.read().split(b"\0")[:-1]
    for i, line in enumerate(lines):
        done = ran(line, os.path.abspath("line%d" % i),
                   "any" in sys.argv[1:])
        sys.stdout.write("T" if done else "-")
        sys.stdout.flush()


main()
