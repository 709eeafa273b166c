# SPDX-License-Identifier: GPL-3.0-or-later
"""place.py - where the launcher is tried out, as root and as somebody else.

A Place has a home with keys and a workspace with repositories in it, and a
directory outside that can be seen. A process of the same person waits to be
signalled, read, or connected to. Nothing of it is anybody's.

Where there are no namespaces, the profiles are what the program makes of them
there: workspace-write is `reduced`, and the others do without too.
"""

import os
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))

import home  # noqa: E402
import tap  # noqa: E402

LAUNCH = os.path.join(home.BUILDDIR, "agentsh-launch")
ATTACK = os.path.join(home.BUILDDIR, "tests", "sandbox", "attack")
REFUSING = os.path.join(home.BUILDDIR, "tests", "sandbox", "refusing")
SOMEBODY = 12345

WHOLE = tap.is_here("namespaces")
WRITE = "workspace-write" if WHOLE else "reduced"
# These are not made of namespaces, or named for doing without.
AS_EVER = ("full", "observe-proc", "reduced", "none")


def profiles(*names):
    """Each once, as it is called here."""
    return tuple(dict.fromkeys(
        name if name.split(" ")[0] != "workspace-write"
        else name.replace("workspace-write", WRITE) for name in names))


def needs_landlock(t):
    """Skips the program where nothing can be confined."""
    with Place() as p:
        probe = p.sh("read-only", "true", cwd="/")
    if probe.returncode == 125:
        t.skip_all(probe.stderr.strip())


def users(t):
    """Whom to be: None is who we are."""
    if os.geteuid() != 0:
        return (None,)
    if tap.is_here("other-user"):
        return (None, SOMEBODY)
    t.skip("the same by somebody else", "needs other-user")
    return (None,)


class Place:
    def __init__(self, uid=None):
        self.uid = uid
        self.root = tempfile.mkdtemp(prefix="agentsh-sandbox-")
        # what is to be seen read-only cannot lie in /tmp
        self.outside = tempfile.mkdtemp(prefix="outside-", dir=home.BUILDDIR)
        self.home = os.path.join(self.root, "home")
        self.work = os.path.join(self.home, "work place")
        self.children = []
        self.sockets = []
        self.make()

    def __enter__(self):
        return self

    def __exit__(self, *why):
        for child in self.children:
            child.kill()
            child.wait()
        for s in self.sockets:
            s.close()
        shutil.rmtree(self.root, ignore_errors=True)
        shutil.rmtree(self.outside, ignore_errors=True)

    def put(self, path, text=""):
        path = os.path.join(self.root, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as out:
            out.write(text)
        return path

    def repository(self, below, *made):
        git = os.path.join(self.work, below, ".git")
        for name in ("objects", "refs") + made:
            os.makedirs(os.path.join(git, name))
        self.put(os.path.join(git, "HEAD"), "ref: refs/heads/main\n")
        self.put(os.path.join(git, "config"), "[core]\n\tbare = false\n")
        return git

    def make(self):
        self.put("home/.ssh/id", "secret key")
        self.put("home/.profile", "")
        self.put(os.path.join(self.outside, "file"), "as it was")
        self.put(os.path.join(self.work, "evil"), "#!/bin/sh\n")
        self.repository("", "hooks")
        self.repository("vendor/bare hooks")
        for name in ("HEAD", "objects/x", "refs/x", "config"):
            self.put(os.path.join(self.work, "mirror.git", name))
        git = os.path.join(self.work, ".git")
        self.put(git + "/modules/m/HEAD", "ref: refs/heads/main\n")
        self.put(git + "/modules/m/config", "")
        self.put(git + "/worktrees/w/HEAD", "ref: refs/heads/w\n")
        self.put(git + "/worktrees/w/commondir", "../..\n")
        self.put(os.path.join(self.work, "sub/.git"), "gitdir: ../.git\n")
        self.put(os.path.join(self.work, ".agentsh/policy"))
        os.chmod(self.root, 0o755)
        os.chmod(self.outside, 0o755)
        if self.uid is not None:
            for top in (self.root, self.outside):
                for path, dirs, files in os.walk(top):
                    for name in [path] + [os.path.join(path, f)
                                          for f in files]:
                        os.chown(name, self.uid, self.uid)

    def become(self):
        if self.uid is not None:
            os.setgroups([])
            os.setresgid(self.uid, self.uid, self.uid)
            os.setresuid(self.uid, self.uid, self.uid)

    def victim(self, **more):
        """A process of the same person, and the file it counts in."""
        count = os.path.join(self.outside, "count-" + secrets.token_hex(4))
        with open(count, "w", encoding="utf-8"):
            pass
        if self.uid is not None:
            os.chown(count, self.uid, self.uid)
        child = subprocess.Popen(
            [ATTACK, "victim", count], stdout=subprocess.PIPE,
            preexec_fn=self.become, cwd="/", **more)
        self.children.append(child)
        child.stdout.readline()
        return child, count

    def listen(self, kind):
        path = os.path.join(self.outside, secrets.token_hex(4))
        s = socket.socket(socket.AF_UNIX, kind)
        s.bind(path)
        if kind == socket.SOCK_STREAM:
            s.listen(8)
        os.chmod(path, 0o777)
        self.sockets.append(s)
        return path

    def words(self, profile, *options, fits=True):
        """fits: the profile is what the machine makes of it."""
        if fits and not WHOLE and profile not in AS_EVER:
            profile = WRITE if profile == "workspace-write" else profile
            options = tuple(dict.fromkeys(options + ("--reduced",)))
        return [LAUNCH, "--profile=" + profile, "--workspace=" + self.work,
                "--home=" + self.home, "--readable=" + self.outside,
                "--program=" + os.path.dirname(ATTACK),
                "--secret=" + os.path.join(self.home, ".ssh"),
                *options, "--"]

    def believed(self):
        """What git runs, or is told by, with modes and how many names it
        has."""
        found = {}
        for top in (".git", ".agentsh"):
            for path, _, files in os.walk(os.path.join(self.work, top)):
                for name in files:
                    full = os.path.join(path, name)
                    st = os.lstat(full)
                    if ".aside-" in full or name in ("HEAD", "commondir"):
                        continue
                    with open(full, encoding="utf-8") as file:
                        found[full] = (st.st_mode, st.st_uid, st.st_nlink,
                                       file.read())
        return found

    def run(self, words, **more):
        """A finished process: text in, text out."""
        more.setdefault("cwd", self.work)
        more.setdefault("timeout", 60)
        more.setdefault("stdin", subprocess.DEVNULL)
        env = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": self.home,
               "LANG": "C.UTF-8"}
        return subprocess.run(
            words, capture_output=True, text=True, errors="replace", env=env,
            preexec_fn=self.become, check=False, **more)

    def sh(self, profile, script, *options, **more):
        return self.run(self.words(profile, *options) +
                        ["/bin/sh", "-c", script], **more)
