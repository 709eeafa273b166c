# SPDX-License-Identifier: GPL-3.0-or-later
"""test_fs_race.py - the tools of files while others change the same files.

Somebody exchanges a directory or a file for a link that leads outside, all
the time; and a writer is killed at whatever moment.
"""

import os
import random
import signal
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))
sys.path.insert(0, os.path.dirname(__file__))

import fs  # noqa: E402
import home  # noqa: E402
import tap  # noqa: E402

ROUNDS = 400  # of what changes something
LOOKS = 4000
KILLS = 60
BYTES = 2 << 20

# Exchanges argv[1] and argv[2] until its standard input ends; says how often.
SWAP = """
import ctypes, os, select, sys
libc = ctypes.CDLL(None, use_errno=True)
a, b = (os.fsencode(x) for x in sys.argv[1:])
n = 0
print(flush=True)
while n % 64 or not select.select([0], [], [], 0)[0]:
    if libc.renameat2(-100, a, -100, b, 2) == 0:
        n += 1
    elif ctypes.get_errno() not in (2, 17):
        break
print(n)
"""


class Swapper:
    def __init__(self, a, b):
        self.process = subprocess.Popen(
            [sys.executable, "-c", SWAP, a, b], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, bufsize=0)
        self.process.stdout.read(1)

    def done(self):
        out = self.process.communicate(b"\n", 20)[0]
        return int(out or 0)


def places(h):
    """work/d and work/e: a directory and a link to a directory outside;
    work/f and work/g: a file and a link to a file outside."""
    outside = h.folder("outside")
    os.mkdir(h.path("d"))
    for name in ("file", "kept"):
        fs.write(os.path.join(outside, name), b"outside")
        fs.write(h.path("d", name), b"inside")
    os.symlink(outside, h.path("e"))
    fs.write(h.path("f"), b"inside")
    os.symlink(os.path.join(outside, "file"), h.path("g"))
    return outside


CASES = (
    ("writing below a directory", "fs.write_file", "d/file", "d", "e",
     {"content": "new", "backup": False}),
    ("making a file below it", "fs.write_file", "d/new", "d", "e",
     {"content": "new", "backup": False}),
    ("writing a file", "fs.write_file", "f", "f", "g",
     {"content": "new", "backup": False}),
    ("writing a file with a backup", "fs.write_file", "f", "f", "g",
     {"content": "new"}),
    ("editing below a directory", "fs.edit_file", "d/file", "d", "e",
     {"edits": [{"find": "side", "replace": "side "}],
      "backup": False}),
    ("deleting below a directory", "fs.delete_file", "d/kept", "d", "e",
     {"backup": False}),
    ("reading below a directory", "fs.read_file", "d/file", "d", "e", {}),
    ("reading a file", "fs.read_file", "f", "f", "g", {}),
    ("listing a directory", "fs.list_dir", "d", "d", "e", {}),
)


def race(t, name, tool_name, path, one, other, args):
    with home.Home() as h, fs.Tool(h, tool_name) as tool:
        outside = places(h)
        fs.write(os.path.join(outside, "only-outside"), b"outside")
        before = fs.tree(outside)
        inside = os.open(h.path("d"), os.O_PATH)
        swapper = Swapper(h.path(one), h.path(other))
        bad, oks = [], 0
        rounds = ROUNDS if args else LOOKS
        for _ in range(rounds):
            got = tool.call({"path": path, **args},
                            roots={"read": [h.work], "write": [h.work]})
            oks += got.ok
            if "outside" in got.stdout or (not got.ok and got.code not in (
                    "PERMISSION_DENIED", "NOT_FOUND", "IO_ERROR")):
                bad.append(got)
            os.close(os.open("kept", os.O_CREAT | os.O_WRONLY, 0o600,
                             dir_fd=inside))
        os.close(inside)
        swaps = swapper.done()
        t.ok(fs.tree(outside) == before and not bad and swaps > 0,
             name + " never gets outside",
             "%d swaps, %d of %d calls succeeded" % (swaps, oks, rounds),
             *bad[:3])
        t.diag("%s: %d swaps, %d of %d calls succeeded" %
               (name, swaps, oks, rounds))


def killed(t):
    """The file is all old or all new, whenever the writer is killed."""
    halves, news = [], 0
    chance = random.Random(7)
    with home.Home() as h:
        fs.write(h.path("file"), b"0" * BYTES)
        for i in range(1, KILLS + 1):
            old = fs.read(h.path("file"))
            new = b"%d" % (i % 10) * BYTES
            with subprocess.Popen([fs.program("fs.write_file")], env=h.env,
                                  stdin=subprocess.PIPE, cwd=h.work,
                                  stdout=subprocess.PIPE) as tool:
                tool.stdin.write(fs.request("fs.write_file", {
                    "path": "file", "content": new.decode(),
                    "backup": i % 2 == 0}))
                tool.stdin.flush()
                try:
                    tool.wait(chance.uniform(0, 0.03))
                except subprocess.TimeoutExpired:
                    pass
                tool.send_signal(signal.SIGKILL)
            now = fs.read(h.path("file"))
            news += now == new
            if now not in (old, new):
                halves.append(now and len(now))
        names = os.listdir(h.work)
        kept = [fs.read(h.path(x)) for x in names if ".bak" in x]
    t.ok(not halves, "a writer that is killed leaves no half", halves)
    t.ok(all(x == x[:1] * BYTES for x in kept), "nor half a backup",
         len(kept))
    t.diag("%d of %d were written before the kill, %d left a temporary file" %
           (news, KILLS, sum(x.startswith(".agentsh-") for x in names)))


def main():
    t = tap.Tap()
    for row in CASES:
        race(t, *row)
    killed(t)
    t.done()


if __name__ == "__main__":
    main()
