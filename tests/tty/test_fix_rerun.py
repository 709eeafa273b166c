# SPDX-License-Identifier: GPL-3.0-or-later
"""test_fix_rerun.py - a second run of a command that failed changes nothing:
100 commands and
more that write, delete, signal, send, pipe and spawn before they fail. Each
is also run without the view, which shows that it would. The same at home, where
there is no view and nothing can be written."""

import contextlib
import hashlib
import json
import os
import select
import socket
import stat
import subprocess
import threading

import lastcommand
import home
import tap

REFUSING = os.path.join(home.BUILDDIR, "tests", "sandbox", "refusing")

# What a command does before it fails; what only the first wrapper shows the
# guard. V is a process, P a port, U and A sockets, O a directory elsewhere.
WRITES = (
    "echo x > new", "echo x >> old", "mkdir -p d/e/f", "mv old moved",
    "ln -s old soft", "chmod 600 old", "touch -d 2001-01-01 old",
    "sed -i s/o/p/ old", "dd if=/dev/zero of=old bs=1 count=9 2>/dev/null",
)
DELETES = ("rm old", "rm -rf sub", "rmdir empty", "find . -name old -delete",
           "rm -f O/kept; echo x > O/other")
SIGNALS = ("kill V", "kill -STOP V", "pkill -f MARK")
SENDS = (
    "curl -s -m 5 http://127.0.0.1:P/ >/dev/null",
    "bash -c 'echo hi > /dev/tcp/127.0.0.1/P'",
    "bash -c 'echo hi > /dev/udp/127.0.0.1/P'",
    "python3 -c 'import socket as s; c=s.socket(s.AF_UNIX); "
    "c.connect(\"U\"); c.send(b\"x\")'",
    "python3 -c 'import socket as s; c=s.socket(s.AF_UNIX); "
    "c.connect(chr(0)+\"A\"); c.send(b\"x\")'",
)
SPAWNS = (
    "sleep 600 >/dev/null 2>&1 &", "nohup sleep 600 >/dev/null 2>&1 &",
    "setsid sleep 600 >/dev/null 2>&1 &",
)
# To somebody who reads from a pipe of the workspace.
PIPES = ("echo x 1<> pipe", "python3 -c 'import os; "
         "os.write(os.open(\"pipe\", os.O_RDWR), b\"x\")'")
ACTIONS = WRITES + DELETES + SIGNALS + SENDS + SPAWNS + PIPES


def plain(place, action):
    del place
    return "{ %s\n}; (exit 3)" % action


def script(place, action):
    write(place.path("act.sh"), "#!/bin/bash\n%s\nexit 3\n" % action, 0o755)
    return "./act.sh"


def makefile(place, action):
    write(place.path("act.sh"), "#!/bin/bash\n%s\nexit 3\n" % action, 0o755)
    write(place.path("Makefile"), "all:\n\t@./act.sh\n")
    return "make all"


def python(place, action):
    write(place.path("x.py"), "import subprocess, sys\n"
          "subprocess.run(['bash', '-c', %r])\nsys.exit(3)\n" % action)
    return "python3 x.py"


WRAPPERS = (plain, script, makefile, python)


def write(path, text, mode=0o644):
    with open(path, "w", encoding="utf-8") as out:
        out.write(text)
    os.chmod(path, mode)


class World:
    """All that a command could change, and somebody who listens."""

    def __init__(self, at_home):
        self.stack = contextlib.ExitStack()
        self.at_home = at_home

    def __enter__(self):
        self.place = place = self.stack.enter_context(home.Home())
        if self.at_home:
            place.work = place.env["HOME"]
        self.outside = os.path.join(place.env["HOME"], "elsewhere")
        for path in (self.outside, place.path("sub"), place.path("empty")):
            os.mkdir(path)
        for path in (place.path("old"), place.path("sub", "a"),
                     os.path.join(self.outside, "kept")):
            write(path, "old text\n")
        self.mark = "mark-" + place.id
        self.victim = subprocess.Popen(
            ["bash", "-c", "exec -a %s sleep 600" % self.mark],
            env={"PATH": place.env["PATH"]})
        tap.poll(lambda: self.mark in home.name_of(self.victim.pid) and
                 home.state_of(self.victim.pid) == "S")
        self.heard = 0
        self.sockets = [socket.socket() for _ in range(1)]
        self.sockets[0].bind(("127.0.0.1", 0))
        port = self.port = self.sockets[0].getsockname()[1]
        self.udp = socket.socket(type=socket.SOCK_DGRAM)
        self.udp.bind(("127.0.0.1", port))
        self.path = os.path.join(place.root, "listener")
        for name in (self.path, "\0" + place.id):
            unix = socket.socket(socket.AF_UNIX)
            unix.bind(name)
            self.sockets.append(unix)
        for one in self.sockets:
            one.listen()
        self.pipe = None
        self.came = b""
        self.ends, self.end = os.pipe()
        self.thread = threading.Thread(target=self.listen)
        self.thread.start()
        return self

    def listen(self):
        while True:
            ready, _, _ = select.select([*self.sockets, self.udp, self.ends],
                                        [], [])
            if self.ends in ready:
                return
            for one in ready:
                if one is self.udp:
                    one.recv(100)
                else:
                    one.accept()[0].close()
                self.heard += 1

    def __exit__(self, *why):
        os.close(self.end)
        self.thread.join()
        for one in (*self.sockets, self.udp):
            one.close()
        os.close(self.ends)
        if self.pipe is not None:
            os.close(self.pipe)
        self.victim.kill()
        self.victim.wait()
        self.stack.close()

    def make_pipe(self):
        """Only for who needs it: no copy of a workspace can hold it."""
        path = self.place.path("pipe")
        os.mkfifo(path)
        self.pipe = os.open(path, os.O_RDWR | os.O_NONBLOCK)

    def from_pipe(self):
        """All that came through it."""
        with contextlib.suppress(BlockingIOError):
            while self.pipe is not None:
                self.came += os.read(self.pipe, 100)
        return self.came

    def filled(self, action):
        if action in PIPES:
            self.make_pipe()
        for name, value in (("MARK", self.mark), ("O/", self.outside + "/"),
                            ('"U"', '"%s"' % self.path),
                            ('"A"', '"%s"' % self.place.id),
                            (" V", " %d" % self.victim.pid),
                            ("127.0.0.1:P", "127.0.0.1:%d" % self.port),
                            ("127.0.0.1/P", "127.0.0.1/%d" % self.port)):
            action = action.replace(name, value)
        return action

    def tree(self):
        """A digest of what lies in the two directories."""
        digest = hashlib.sha256()
        for top in (self.place.work, self.place.env["HOME"]):
            for path, folders, files in os.walk(top):
                folders.sort()
                for name in ["", *sorted(files), *folders]:
                    at = os.path.join(path, name)
                    st = os.lstat(at)
                    digest.update(repr((at[len(top):], st.st_mode, st.st_size,
                                        st.st_mtime_ns, st.st_ino, st.st_uid,
                                        st.st_nlink)).encode())
                    if stat.S_ISREG(st.st_mode):
                        with open(at, "rb") as file:
                            digest.update(file.read())
                    elif stat.S_ISLNK(st.st_mode):
                        digest.update(os.readlink(at).encode())
        return digest.hexdigest()

    def state(self):
        """A dead victim is a zombie, as nobody waits for it."""
        return {"tree": self.tree(), "heard": self.heard,
                "pipe": self.from_pipe(),
                "victim": home.state_of(self.victim.pid),
                "left": sorted(self.place.left().values())}

    def previews(self):
        path = os.path.join(self.place.env["XDG_STATE_HOME"], "agentsh",
                            "preview")
        return os.listdir(path) if os.path.isdir(path) else []


def control(action, wrapper, at_home):
    """The same command without the view: its status, and whether the world is
    another one afterwards."""
    with World(at_home) as world:
        command = wrapper(world.place, world.filled(action))
        before = world.state()
        done = subprocess.run(["bash", "-c", command], cwd=world.place.work,
                              env=world.place.env, stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, timeout=30,
                              check=False)
        changed = tap.poll(lambda: world.state() != before, 5)
        for pid in world.place.left():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, 9)
        return done.returncode, changed


def one_row(t, action, wrapper, at_home=False):
    status, changed = control(action, wrapper, at_home)
    name = "%s%s: %s" % (wrapper.__name__, " at home" if at_home else "",
                         action)
    with World(at_home) as world:
        command = wrapper(world.place, world.filled(action))
        lastcommand.record(world.place, command, status)
        before = world.state()
        result, report = lastcommand.fix(world.place)
        # the journal's way to the disk may still be under way
        tap.poll(lambda: not world.place.left(), 5)
        after = world.state()
        left = world.previews()
        ran = os.path.exists(os.path.join(
            lastcommand.folder(world.place), "rerun-" + lastcommand.session()))
        t.ok(status != 0 and changed and before == after and not left,
             name + ": changes the world, and nothing by ai fix",
             "status %d" % status, "changed %s" % changed, before, after, left,
             result.out, result.err)
    return ran, report.get("source"), report.get("source_reason", "")


def without_landlock(t):
    """Where a named pipe would be open to it, nothing is run again."""
    for before, wanted in (((), "rerun"),
                           ((REFUSING, "landlock", "--"), "none")):
        with World(False) as world:
            lastcommand.record(world.place, "cat missing", 1)
            got = world.place.run([*before, lastcommand.AI, "fix", "-o",
                                   "json", "--dry-run", "--offline"])
            report = json.loads(got.out or "{}")
            t.is_(report.get("source"), wanted,
                  "what it showed is from: " + wanted, got.out, got.err)
            if before:
                t.ok("no Landlock" in report.get("source_reason", ""),
                     "and it is said why", got.out, got.err)


def main():
    t = tap.Tap()
    t.needs("namespaces", "curl", "make", "python3")
    without_landlock(t)
    ran = counted = 0
    rows = [(action, wrapper) for action in ACTIONS for wrapper in WRAPPERS]
    for action, wrapper in tap.sample(rows):
        again, source, why = one_row(t, action, wrapper)
        ran += again
        counted += source == "rerun"
        reaches = action in SIGNALS + SENDS
        if wrapper is plain:
            # a redirection shows what it opens
            known = reaches or action == PIPES[0]
            t.ok(again != known, "%s is %srun again" %
                 (action, "not even " if known else ""), why)
        else:
            t.ok(again, "%s is run again in %s, held by the view alone" %
                 (action, wrapper.__name__), why)
        if reaches and action not in SIGNALS:
            t.ok(source != "rerun", "what it showed there does not count",
                 source)
    for action in tap.sample(ACTIONS):
        again, source, why = one_row(t, action, script, True)
        t.ok(again, "%s is run again at home, where all is read-only" % action,
             why)
        if action in WRITES + DELETES + PIPES:
            t.ok(source != "rerun", "what it showed there does not count",
                 source)
    t.diag("%d commands, %d run again, %d of these count" %
           (len(rows), ran, counted))
    t.done()


main()
