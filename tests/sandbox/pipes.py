# SPDX-License-Identifier: GPL-3.0-or-later
"""pipes.py - a pipe, a socket or a device outside of what may be written.

A read-only mount keeps from none of them: only their mode does, and Landlock.
Each is tried in every place where a person works, in the workspace and in a
directory beside it that is named to be read; each works outside first. What
comes through the pipe is looked at, not only the status.
"""

import os
import shutil
import socket
import stat
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))
sys.path.insert(0, os.path.dirname(__file__))

import home  # noqa: E402
import place  # noqa: E402
import tap  # noqa: E402

READING = ("read-only", "observe")
# Where Landlock or the filter is alone; "+" stands before an option.
ALONE = ("read-only +reduced", "observe +reduced", "observe +owners",
         "observe-proc")
# What is named beside a workspace is read-only in these, too.
NAMING = place.profiles("read-only", "observe", "workspace-write", "plugin")


class Corner:
    """A workspace with one of each in it, and such a directory beside it."""

    def __init__(self, base, uid):
        self.root = tempfile.mkdtemp(prefix="agentsh-pipes-", dir=base)
        self.uid = uid
        self.home = self.path("home")
        self.open = {}
        self.sockets = []
        os.chmod(self.root, 0o755)
        for name in ("work", "named", "home"):
            os.mkdir(os.path.join(self.root, name))
            if name != "home":
                self.fill(os.path.join(self.root, name))
        if uid is not None:
            for path, dirs, files in os.walk(self.root):
                for name in [path] + [os.path.join(path, f) for f in files]:
                    os.chown(name, uid, uid, follow_symlinks=False)

    def __enter__(self):
        return self

    def __exit__(self, *why):
        for fd in self.open.values():
            os.close(fd)
        for s in self.sockets:
            s.close()
        shutil.rmtree(self.root, ignore_errors=True)

    def path(self, *names):
        return os.path.join(self.root, *names)

    def fill(self, top):
        pipe = os.path.join(top, "sub", "pipe")
        os.mkdir(os.path.dirname(pipe))
        os.mkfifo(pipe)
        os.chmod(pipe, 0o666)
        self.open[pipe] = os.open(pipe, os.O_RDWR | os.O_NONBLOCK)
        s = socket.socket(socket.AF_UNIX)
        # its path may be longer than an address
        here = os.open(".", os.O_PATH)
        os.chdir(top)
        s.bind("socket")
        os.fchdir(here)
        os.close(here)
        s.listen(8)
        os.chmod(os.path.join(top, "socket"), 0o777)
        self.sockets.append(s)
        try:
            null = os.path.join(top, "device")
            os.mknod(null, stat.S_IFCHR | 0o666, os.makedev(1, 3))
            os.chmod(null, 0o666)
        except PermissionError:
            pass

    def arrived(self, pipe):
        """What came through the pipe since it was looked at last."""
        try:
            return os.read(self.open[pipe], 64)
        except BlockingIOError:
            return b""

    def become(self):
        if self.uid is not None:
            os.setgroups([])
            os.setresgid(self.uid, self.uid, self.uid)
            os.setresuid(self.uid, self.uid, self.uid)

    def run(self, words, top, stdin=subprocess.DEVNULL):
        return subprocess.run(
            words, cwd=top, capture_output=True, text=True,
            preexec_fn=self.become, stdin=stdin, timeout=60,
            env={"PATH": "/usr/bin:/bin", "HOME": self.home},
            check=False)

    def launcher(self, profile, *options):
        """As the program asks for it on this machine."""
        profile, *more = profile.split(" +")
        options += tuple("--" + word for word in more)
        if not place.WHOLE and profile not in place.AS_EVER:
            options = tuple(dict.fromkeys(options + ("--reduced",)))
        return [place.LAUNCH, "--profile=" + profile,
                "--workspace=" + self.path("work"),
                "--home=" + self.home,
                "--readable=" + self.path("named"),
                "--program=" + os.path.dirname(place.ATTACK), *options, "--"]


ATTACKS = (("a pipe is written to", "write", "sub/pipe"),
           ("a pipe is opened both ways", "open-rw", "sub/pipe"),
           ("a socket is connected to", "connect", "socket"),
           ("a device is written to", "write", "device"))


def tried(c, words, where, attack, name):
    """Whether it worked; of a pipe, whether anything came through, too."""
    top = c.path(where)
    got = c.run([*words, place.ATTACK, attack, name], top)
    came = c.arrived(os.path.join(top, name)) if "pipe" in name else b""
    return got.returncode == 0 or came != b"", got


def attacks(t, base, uid, who, at_home=False):
    with Corner(base, uid) as c:
        if at_home:
            c.home = c.root
        for title, attack, name in ATTACKS:
            works, got = tried(c, [], "work", attack, name)
            title = "%s below %s%s" % (title, "$HOME" if at_home else base,
                                       who)
            if not works:
                t.skip(title, "outside it is " + got.stderr.strip())
                continue
            for where, profiles in (("work", READING + ALONE),
                                    ("named", NAMING + ALONE)):
                tried(c, [], where, attack, name)
                for profile in profiles:
                    works, got = tried(c, c.launcher(profile), where, attack,
                                       name)
                    t.ok(not works and got.returncode == 1,
                         "%s: not in %s, in the directory %s" %
                         (title, profile, where), got.stdout + got.stderr)


LINKED = "ln ../named/sub/pipe pipe && echo hi 1<>pipe"
REOPENED = "echo hi >/proc/self/fd/0"


def detours(t, base, uid, who):
    """By another name in what may be written, and by a descriptor that only
    reads."""
    with Corner(base, uid) as c:
        pipe = c.path("named/sub/pipe")
        for profile in (None,) + NAMING + ALONE[:3]:
            words = c.launcher(profile) if profile else []
            for script, at in ((LINKED, "linked in"),
                               (REOPENED, "opened again")):
                fd = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
                got = c.run([*words, "/bin/sh", "-c", script],
                            c.path("work"), stdin=fd)
                os.close(fd)
                came = c.arrived(pipe)
                name = "a pipe below %s is %s: %s%s" % (
                    base, at, "not in " + profile if profile else "outside",
                    who)
                t.ok((came != b"") == (profile is None), name, came,
                     got.stderr)
            if os.path.exists(c.path("work/pipe")):
                os.unlink(c.path("work/pipe"))


def preview(t, base, uid, who):
    """In a preview the pipe is another one, or the run does not begin."""
    with Corner(base, uid) as c:
        view = tempfile.mkdtemp(prefix="view-", dir=c.root)
        if uid is not None:
            os.chown(view, uid, uid)
        pipe = c.path("work/sub/pipe")
        tried(c, [], "work", "open-rw", "sub/pipe")
        got = c.run([*c.launcher("preview", "--preview=" + view), "timeout",
                     "1", "/bin/sh", "-c", "echo hi >sub/pipe"],
                    c.path("work"))
        t.is_(c.arrived(pipe), b"", "a pipe below %s gets nothing from a "
              "preview%s" % (base, who), got.stderr)
        t.ok(got.returncode != 0, "and the preview does not say that it did",
             got.stderr)


def temporary(t, base, uid, who):
    """What is not writable for that reason is made up for: TMPDIR is."""
    with Corner(base, uid) as c:
        for profile in READING:
            got = c.run([*c.launcher(profile), "/bin/bash", "-c",
                         "f=$(mktemp) && echo x >\"$f\" && cat \"$f\" - <<E\n"
                         "here\nE\necho y >/dev/null && echo z"],
                        c.path("work"))
            t.is_((got.returncode, got.stdout), (0, "x\nhere\nz\n"),
                  "below %s there are temporary files in %s%s" %
                  (base, profile, who), got.stderr)


def shared_memory(t, uid, who):
    """A tool that sees the machine as it is writes to no pipe of /dev."""
    with Corner("/dev/shm", uid) as c:
        works, got = tried(c, [], "work", "write", "sub/pipe")
        if not works:
            t.skip("a pipe of /dev is written to", got.stderr.strip())
            return
        works, got = tried(c, c.launcher("plugin", "--sees-all"), "work",
                           "write", "sub/pipe")
        t.ok(not works, "a pipe of /dev is written to: not by a tool that "
             "sees all" + who, got.stderr)


def without_landlock(t, base, uid, who):
    """Mounts and the filter alone: a socket and a device are out of reach. A
    pipe is not, and doctor says so."""
    with Corner(base, uid) as c:
        for title, attack, name in ATTACKS[2:]:
            works, got = tried(c, [], "work", attack, name)
            title = "%s below %s without Landlock%s" % (title, base, who)
            if not works:
                t.skip(title, "outside it is " + got.stderr.strip())
                continue
            for profile in READING:
                words = [place.REFUSING, "landlock", "--",
                         *c.launcher(profile)]
                works, got = tried(c, words, "work", attack, name)
                t.ok(not works and got.returncode == 1, "%s: not in %s" %
                     (title, profile), got.stdout + got.stderr)
        got = c.run([place.REFUSING, "landlock", "--",
                     os.path.join(home.BUILDDIR, "agentsh"), "doctor"],
                    c.path("home"))
        t.ok("named pipe" in got.stdout, "doctor says what is open without "
             "Landlock" + who, got.stdout[-3000:] + got.stderr)


def places(t):
    """Each base in which a directory can be made, by everybody."""
    for base in ("/tmp", "/var/tmp", "/dev/shm"):
        if os.access(base, os.W_OK):
            yield base
        else:
            t.skip("pipes below " + base, "cannot be written")
    if os.access("/run", os.W_OK):
        yield "/run"  # where $XDG_RUNTIME_DIR is
    else:
        runtime = os.environ.get("XDG_RUNTIME_DIR", "")
        if runtime and os.access(runtime, os.W_OK):
            yield runtime
        else:
            t.skip("pipes below $XDG_RUNTIME_DIR", "cannot be written")
    yield home.BUILDDIR  # neither hidden nor a place of everybody's


def main():
    t = tap.Tap()
    place.needs_landlock(t)
    for uid in place.users(t):
        who = "" if uid is None else " by somebody"
        for base in places(t):
            attacks(t, base, uid, who)
            detours(t, base, uid, who)
            if place.WHOLE:
                preview(t, base, uid, who)
            temporary(t, base, uid, who)
        attacks(t, home.BUILDDIR, uid, who, True)
        shared_memory(t, uid, who)
        if place.WHOLE:
            without_landlock(t, "/tmp", uid, who)
            without_landlock(t, home.BUILDDIR, uid, who)
        else:
            t.skip("the same without Landlock", "needs namespaces")
    t.done()


if __name__ == "__main__":
    main()
