# SPDX-License-Identifier: GPL-3.0-or-later
"""workspace.py - a workspace seen from inside is the workspace.

What find says of it inside is what find says outside, and while a step runs
nothing is made, changed or removed in the real directories but by the step
itself: inotify(7) is asked about each of them. What git believes and is
missing is lent in .git for the time of a step that may write there: that, and
nothing else, is excepted, and it is gone afterwards, from copies of the
repository too. A launcher that is killed leaves nothing either.
"""

import ctypes
import os
import shutil
import signal
import struct
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))
sys.path.insert(0, os.path.dirname(__file__))

import place  # noqa: E402
import tap  # noqa: E402

PROFILES = ("workspace-write", "read-only", "observe", "reduced")
FIND = "find . -printf '%p %y %m %s %l\\n'"

# inotify(7)
CHANGES = {0x2: "modify", 0x4: "attrib", 0x40: "moved from",
           0x80: "moved to", 0x100: "create", 0x200: "delete"}
LENT = (".git/commondir", ".git/config.worktree")


class Events:
    """What happens to the names in all directories below one."""

    def __init__(self, top):
        libc = ctypes.CDLL(None, use_errno=True)
        self.fd = libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        self.dirs = {}
        for path, _, _ in os.walk(top):
            number = libc.inotify_add_watch(
                self.fd, os.fsencode(path), sum(CHANGES))
            self.dirs[number] = os.path.relpath(path, top)

    def __enter__(self):
        return self

    def __exit__(self, *why):
        os.close(self.fd)

    def take(self):
        """(kind, name) of each up to now."""
        out = []
        while True:
            try:
                data = os.read(self.fd, 65536)
            except BlockingIOError:
                return out
            at = 0
            while at < len(data):
                number, mask, _, n = struct.unpack_from("iIII", data, at)
                name = data[at + 16:at + 16 + n].rstrip(b"\0").decode()
                at += 16 + n
                path = os.path.normpath(
                    os.path.join(self.dirs.get(number, "?"), name))
                out += [(kind, path) for bit, kind in CHANGES.items()
                        if mask & bit]


def listed(text):
    """Lines of find, less the sizes of directories and what is lent."""
    return sorted(" ".join(line.split(" ")[:-2]) if " d " in line else line
                  for line in text.splitlines()
                  if line.split(" ")[0][2:] not in LENT)


def make(p):
    shutil.rmtree(p.work)
    os.mkdir(p.work)
    for name in ("empty", "full/deep", ".hidden", "node_modules/x"):
        os.makedirs(os.path.join(p.work, name))
    for name in ("a", "full/deep/b", ".hidden/c", "node_modules/x/d"):
        with open(os.path.join(p.work, name), "w", encoding="utf-8") as out:
            out.write(name)
    os.symlink("a", os.path.join(p.work, "link"))
    os.mkfifo(os.path.join(p.work, "fifo"))
    if p.uid is not None:
        subprocess.run(["chown", "-hR", str(p.uid), p.work], check=True)
    p.run(["git", "init", "-q", "."])


def others(events):
    return [e for e in events if not e[1].startswith(LENT)]


def seen(t, p, profile, who):
    outside = listed(p.run(["/bin/sh", "-c", FIND]).stdout)
    with Events(p.work) as events:
        inside = p.sh(profile, FIND)
        t.is_(listed(inside.stdout), outside,
              "%s: inside is what is outside%s" % (profile, who),
              inside.stderr)
        t.is_(others(events.take()), [],
              "%s: nothing happens in it but what the step does%s"
              % (profile, who))
        p.run(["/bin/sh", "-c", "touch a"])
        t.ok(events.take(), "%s: what does happen is seen%s" % (profile, who))
    t.is_(listed(p.run(["/bin/sh", "-c", FIND]).stdout), outside,
          "%s: nothing stays behind%s" % (profile, who))
    t.ok(not any(os.path.lexists(os.path.join(p.work, name))
                 for name in LENT),
         "%s: what was lent is gone%s" % (profile, who))


def killed(t, p, who):
    outside = listed(p.run(["/bin/sh", "-c", FIND]).stdout)
    words = p.words("workspace-write") + ["/bin/sh", "-c", "echo; read x"]
    with subprocess.Popen(words, stdin=subprocess.PIPE, cwd=p.work,
                          stdout=subprocess.PIPE, preexec_fn=p.become,
                          start_new_session=True) as child:
        child.stdout.readline()
        os.killpg(child.pid, signal.SIGKILL)
        child.wait()
    t.is_(listed(p.run(["/bin/sh", "-c", FIND]).stdout), outside,
          "a launcher that is killed leaves nothing in it%s" % who)
    p.sh("workspace-write", ":")
    t.ok(not any(os.path.lexists(os.path.join(p.work, name))
                 for name in LENT),
         "the next takes away what it was lent%s" % who)


BARE = "r/.git/hooks", "r/.git/config"  # that r has not
COPY = r"""
set -e
cp -r r copied; mkdir unpacked; tar cf - r | tar xf - -C unpacked
for d in copied unpacked/r; do git -C $d status --porcelain; git -C $d fsck
    git -C $d log --format=%s; done
"""


def tree(p, top):
    return sorted(os.path.relpath(os.path.join(at, name), p.work)
                  for at, dirs, files in os.walk(os.path.join(p.work, top))
                  for name in dirs + files)


def copied(t, p, who):
    """A repository with neither hooks nor a configuration, and its copies."""
    shutil.rmtree(p.work)
    os.mkdir(p.work)
    if p.uid is not None:
        os.chown(p.work, p.uid, -1)
    p.run(["/bin/sh", "-c", "git init -q r; cd r; echo a >a; git add a;"
           "git -c user.name=a -c user.email=a@b.invalid commit -qm one;"
           "rm -r .git/hooks .git/config"])
    before = tree(p, "r")
    t.ok(not any(name in before for name in BARE), "r has neither%s" % who)
    done = p.sh("workspace-write", "test -d %s; test -f %s; %s" % (BARE + (COPY,)))
    t.is_((done.returncode, done.stdout), (0, "one\none\n"),
          "a copy that a step makes is a repository%s" % who, done.stderr)
    t.is_(tree(p, "r"), before, "what was lent to r is gone%s" % who)
    for name in ("copied", "unpacked/r"):
        t.ok("%s/.git/commondir" % name not in tree(p, name),
             "%s has nothing that was lent%s" % (name, who))
        out = p.run(["/bin/sh", "-c", "git -C %s fsck && git -C %s status "
                     "--porcelain && echo good" % (name, name)])
        t.is_(out.stdout, "good\n", "git works in %s%s" % (name, who),
              out.stderr)
    p.sh("workspace-write", "cp -a r again; rm -r again/.git/commondir")
    t.is_(tree(p, "r"), before, "it is so after each step%s" % who)


def kept(t, p, who):
    """What only looks as if it had been lent is the person's."""
    hook = os.path.join(p.work, "r/.git/hooks/pre-commit")
    os.makedirs(os.path.dirname(hook))
    with open(hook, "w", encoding="utf-8") as out:
        out.write("#!/bin/sh\n")
    os.utime(os.path.dirname(hook), (0, 0))
    if p.uid is not None:
        subprocess.run(["chown", "-R", str(p.uid), os.path.dirname(hook)],
                       check=True)
    p.sh("workspace-write", ":")
    t.ok(os.path.exists(hook), "a person's hooks stay, whatever their date%s"
         % who)


def main():
    t = tap.Tap()
    t.needs("git")
    place.needs_landlock(t)
    for uid in place.users(t):
        who = "" if uid is None else ", for somebody"
        with place.Place(uid) as p:
            make(p)
            for profile in PROFILES:
                seen(t, p, profile, who)
            killed(t, p, who)
            copied(t, p, who)
            kept(t, p, who)
    t.done()


if __name__ == "__main__":
    main()
