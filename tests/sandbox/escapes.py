# SPDX-License-Identifier: GPL-3.0-or-later
"""escapes.py - attempts to leave the sandbox: they work outside, not inside.

Each row is run without the launcher first: an attack that does not work there
proves nothing here, and is skipped with its reason (most of them need root,
or a file system with attributes).
"""

import os
import pty
import socket
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))
sys.path.insert(0, os.path.dirname(__file__))

import place  # noqa: E402
import tap  # noqa: E402

# name, arguments of tests/sandbox/attack ({} are places); what it must not
# have done by itself is looked at by the exit status.
BELIEVED = (
    ("a repository is moved away", "rename {git} {work}/g"),
    ("a repository is exchanged for another", "exchange {git} {work}/vendor"),
    ("hooks are made where there were none", "hook {bare}/hooks"),
    ("a hook is linked in", "link {work}/evil {git}/hooks/pre-commit"),
    ("a repository's configuration is replaced", "rename {work}/evil "
                                                 "{git}/config"),
    ("a submodule's configuration is written", "write {git}/modules/m/config"),
    ("a submodule is exchanged", "exchange {git}/modules/m {work}/vendor"),
    ("a linked working tree is led elsewhere", "write "
                                               "{git}/worktrees/w/commondir"),
    ("a linked working tree is given settings", "write "
     "{git}/worktrees/w/config.worktree"),
    ("a repository without .git gets a hook", "hook {work}/mirror.git/hooks"),
    ("it is exchanged for another", "exchange {work}/mirror.git {work}/vendor"),
    ("a .git that is a file is replaced", "rename {work}/evil "
                                          "{work}/sub/.git"),
    ("a .git that is a file is written", "write {work}/sub/.git"),
    ("a policy is put into the workspace", "hook {work}/.agentsh"),
)

FILES = (
    ("a directory's descriptor is written through", "descriptor {outside}"),
    ("openat2 climbs out", "openat2 {outside}/climbed"),
    ("who writes to a file outside is made to wait", "lease {outside}/file"),
    ("a terminal is kept for itself", "exclusive {terminal}"),
    ("a file outside is removed", "unlink {outside}/file"),
    ("a start-up file is written", "write {home}/.profile"),
    ("a key is read by the root of a process", "open-r /proc/self/root"
                                               "{home}/.ssh/id"),
    ("a socket that can be seen is connected to", "connect {stream}"),
    ("a pair sends to a socket by its path", "pair {datagram}"),
    ("a user's page faults are handled", "userfaultfd"),
    ("a file is opened by its handle", "handle {outside}"),
    ("another terminal is opened", "open-rw {terminal}"),
    ("the kernel's log is opened", "open-r /dev/kmsg"),
    ("a setting of the kernel is opened", "open-w "
                                          "/proc/sys/kernel/core_pattern"),
    ("the magic key is opened", "open-w /proc/sysrq-trigger"),
    ("the memory of process 1 is opened", "open-rw /proc/1/mem"),
    ("a message queue is opened", "mqueue {queue}"),
    ("an inherited name space is joined", "setns {namespace}"),
    ("a descriptor is stolen by an inherited pidfd", "pidfd-getfd {pidfd}"),
)

# What Landlock has no right for: where it is alone, files of one's own can be
# changed so and watched while something may be written.
UNRULED = (
    ("the times of a file outside are set", "utime {outside}/file"),
    ("an attribute of a file outside is set", "xattr {outside}/file"),
    ("a flag of a file outside is set", "flags {outside}/file"),
    ("a key is watched", "inotify {home}/.ssh"),
)

# Where the host's processes are in sight: {victim} is one of the same person.
PROCESSES = (
    ("a process is signalled", "kill {victim}"),
    ("a process is signalled by a pipe", "sigio {victim}"),
    ("a process gets another limit", "prlimit {victim}"),
    ("a process gets another priority", "priority {victim}"),
    ("a process is moved to another CPU", "affinity {victim}"),
    ("a process's memory is opened", "open-rw /proc/{victim}/mem"),
    ("a process's start is adjusted", "open-w /proc/{victim}/oom_score_adj"),
)

# Where a file may be written or its mode changed.
MODES = (
    ("a file outside gets set-user-id", "setuid {outside}/file"),
    ("a file of the workspace gets it", "setuid {work}/evil"),
    ("one gets set-group-id", "setgid {work}/evil"),
    ("one gets it by the newest call", "setgid-at {work}/evil"),
    ("one is made with it", "make-set-id {work}"),
    ("one is made with it by openat2", "make-set-id-memory {work}"),
    ("one is made with it and no name", "make-set-id-nameless {work}"),
    ("one gets it, and an access list that makes it one",
     "set-id-list {work}/evil"),
)

# Where nothing is written, or a tool's own state alone, and Landlock has no
# right for it.
ATTRIBUTES = (
    ("the mode of a file outside is set", "mode {outside}/file"),
    ("its times are set", "utime {outside}/file"),
    ("an attribute of it is set", "xattr {outside}/file"),
    ("a flag of it is set", "flags {outside}/file"),
)
KEEPING = ("read-only +reduced", "read-only +reduced +net", "plugin +reduced",
           "plugin +reduced +net", "plugin +reduced +state",
           "plugin +reduced +state +net")

# What carries data between any two processes, and what else netlink is for.
NETLINK = (
    ("a message goes out by netlink", "netlink-send {port}"),
    ("a socket for it is made", "netlink 2"),
    ("the bits above are ignored", "netlink-high 2"),
    ("the kernel's events are heard", "netlink 15"),
    ("the firewall is asked", "netlink 12"),
    ("a generic one is made", "netlink 16"),
)
ALL_PROFILES = place.profiles(
    "read-only", "observe", "observe-proc", "workspace-write",
    "workspace-write +net", "reduced", "reduced +net", "plugin", "plugin +net")
SOME_PROFILES = place.profiles("read-only", "observe", "observe-proc",
                               "workspace-write", "workspace-write +net",
                               "plugin")

# Where nothing stands between but the filter.
READERS = PROCESSES[:5] + (
    ("a process's start is adjusted", "open-w /proc/{victim}/oom_score_adj"),
    ("a file is opened to write", "open-w {outside}/file"),
    ("the times of a file are set", "utime {outside}/file"),
    ("a flag of a file is set", "flags {outside}/file"),
    ("who writes to a file is made to wait", "lease {outside}/file"),
)



class Stage:
    """One attack's places; new for each, so that none helps the next."""

    def __init__(self, p):
        self.p = p
        self.queue = "/agentsh-test-%d" % os.getpid()
        self.master, self.slave = pty.openpty()
        self.victim, self.count = p.victim()
        self.namespace = os.open("/proc/self/ns/uts", os.O_RDONLY)
        self.pidfd = os.pidfd_open(self.victim.pid)
        self.ear = socket.socket(socket.AF_NETLINK, socket.SOCK_DGRAM,
                                 socket.NETLINK_USERSOCK)
        self.ear.bind((0, 0))
        if p.uid is not None:
            os.chown(os.ttyname(self.slave), p.uid, p.uid)
        git = os.path.join(p.work, ".git")
        self.names = {
            "git": git, "work": p.work, "outside": p.outside, "home": p.home,
            "bare": os.path.join(p.work, "vendor/bare hooks/.git"),
            "stream": p.listen(socket.SOCK_STREAM),
            "datagram": p.listen(socket.SOCK_DGRAM),
            "terminal": os.ttyname(self.slave), "queue": self.queue,
            "victim": self.victim.pid, "namespace": self.namespace,
            "pidfd": self.pidfd, "port": self.ear.getsockname()[0],
        }
        self.run("make-queue {queue}")

    def done(self):
        self.run("drop-queue {queue}")
        self.ear.close()
        for fd in (self.master, self.slave, self.namespace, self.pidfd):
            os.close(fd)

    def run(self, words, before=()):
        args = [w.format(**self.names) for w in words.split(" ")]
        return self.p.run([*before, place.ATTACK, *args],
                          pass_fds=(self.namespace, self.pidfd))


def confined(p, profile):
    """The launcher's words: "+net" and "+reduced" stand behind a profile for
    these options, "+state" for a directory of the tool's own."""
    if not profile:
        return ()
    name, *more = profile.split(" +")
    options = ["--" + word for word in more if word != "state"]
    if "state" in more:
        state = os.path.join(p.home, "state")
        os.mkdir(state)
        if p.uid is not None:
            os.chown(state, p.uid, p.uid)
        options += ["--writable=" + state, "--state=" + state]
    return p.words(name, *options)


def attempt(uid, title, words, profile):
    """Its outcome in a new place; profile None: outside. A signal is there
    when it has arrived."""
    with place.Place(uid) as p:
        stage = Stage(p)
        try:
            got = stage.run(words, confined(p, profile))
            if "signalled" in title and got.returncode == 0:
                wait = 0.3 if profile else 10
                if not tap.poll(lambda: os.path.getsize(stage.count), wait):
                    got.returncode = 1
            return got
        finally:
            stage.done()


def one(t, uid, title, words, profiles):
    who = "" if uid is None else " by somebody"
    control = attempt(uid, title, words, None)
    for profile in profiles:
        name = "%s: not in %s%s" % (title, profile, who)
        if control.returncode != 0:
            t.skip(name, "outside it is " + control.stderr.strip())
            continue
        got = attempt(uid, title, words, profile)
        t.is_(got.returncode, 1, name, got.stdout, got.stderr)


def believed(t, uid, title, words):
    """What git believes is not changed; or, where nothing can be bound, it
    believes nothing afterwards but what it did (git.py tries it by git)."""
    if place.WHOLE:
        one(t, uid, title, words, (place.WRITE,))
        return
    if attempt(uid, title, words, None).returncode != 0:
        t.skip(title, "outside it is not possible")
        return
    with place.Place(uid) as p:
        stage = Stage(p)
        before = p.believed()
        got = stage.run(words, confined(p, place.WRITE))
        new = [name for name, file in p.believed().items()
               if file[-1] and file not in before.values()]
        t.is_(new, [], title + ": git believes nothing new in reduced",
              got.stderr)
        stage.done()


class Inputs:
    """What a caller may have given for standard input."""

    def __init__(self, p):
        self.open = []
        self.stream = p.listen(socket.SOCK_STREAM)
        self.datagram = p.listen(socket.SOCK_DGRAM)
        self.other = p.listen(socket.SOCK_DGRAM)
        self.server = self.add(socket.create_server(("127.0.0.1", 0)))
        self.port = self.server.getsockname()[1]
        self.home = p.home

    def add(self, one):
        self.open.append(one)
        return one

    def done(self):
        for one in self.open:
            one.close()

    def pair(self, kind):
        ours, theirs = socket.socketpair(socket.AF_UNIX, kind)
        self.add(ours)
        return self.add(theirs)

    def unix(self, kind, path=None):
        s = self.add(socket.socket(socket.AF_UNIX, kind))
        if path:
            s.connect(path)
        return s

    def waiting(self):
        """A server's, and somebody has connected to it."""
        self.add(socket.create_connection(("127.0.0.1", self.port)))
        return self.server

    def connected(self):
        return self.add(socket.create_connection(("127.0.0.1", self.port)))

    def directory(self):
        return self.add(Directory(self.home))


class Directory:
    """One that is open, as sockets are."""

    def __init__(self, path):
        self.fd = os.open(path, os.O_RDONLY | os.O_DIRECTORY)

    def fileno(self):
        return self.fd

    def close(self):
        os.close(self.fd)


# What standard input is, what is tried with it, and the status: 125, nothing
# ran; 1, it was stopped.
INPUTS = (
    ("one of a pair of datagrams sends to a path",
     lambda i: i.pair(socket.SOCK_DGRAM), "send-input {0.other}", 125),
    ("a datagram socket sends elsewhere than it is connected to",
     lambda i: i.unix(socket.SOCK_DGRAM, i.datagram), "send-input {0.other}",
     125),
    ("one of a pair of records is written to",
     lambda i: i.pair(socket.SOCK_SEQPACKET), "write-input", 125),
    ("a socket without another end gets one",
     lambda i: i.unix(socket.SOCK_STREAM), "connect-input {0.stream}", 125),
    ("a server's socket is answered", lambda i: i.waiting(), "accept-input",
     125),
    ("a stream gets another end", lambda i: i.connected(),
     "reconnect-input {0.port}", 1),
    ("a directory of the machine is read in", lambda i: i.directory(),
     "open-below-input .ssh/id", 125),
)


def inputs(t, uid):
    with place.Place(uid) as p:
        for title, make, words, status in INPUTS:
            for profile in (None,) + SOME_PROFILES:
                i = Inputs(p)
                args = words.format(i).split(" ")
                got = p.run([*confined(p, profile), place.ATTACK, *args],
                            stdin=make(i))
                i.done()
                if profile and profile.endswith("+net") and status == 1:
                    continue  # it may connect to anything
                t.is_(got.returncode, status if profile else 0, "%s: %s%s" % (
                    title, "not in " + profile if profile else "outside",
                    "" if uid is None else " by somebody"), got.stderr)
        i = Inputs(p)
        for s in (i.pair(socket.SOCK_STREAM), i.connected(),
                  i.unix(socket.SOCK_STREAM, i.stream)):
            got = p.run([*confined(p, place.WRITE), "/bin/sh", "-c",
                         "echo x >&0"], stdin=s)
            t.is_(got.returncode, 0, "a stream with another end is written to",
                  got.stderr)
        i.done()


def group(t, uid):
    """kill(0) reaches the launcher's group outside, and not inside."""
    for profile in (None, place.WRITE, "observe"):
        with place.Place(uid) as p:
            victim, count = p.victim(process_group=0)
            words = p.words(profile, "--keep-terminal") if profile else []
            p.run([*words, place.ATTACK, "kill-group"],
                  process_group=victim.pid)
            got = tap.poll(lambda: os.path.getsize(count),
                           10 if profile is None else 0.2)
            name = "a signal to the group %s" % (
                "stays in " + profile if profile else "arrives outside")
            t.ok((got > 0) == (profile is None), name)


def late(t, uid):
    """What is made for a command cannot be written to, and goes with it."""
    with place.Place(uid) as p:
        git = os.path.join(p.work, ".git")
        got = p.sh(place.WRITE, "cat .git/commondir 2>/dev/null; "
                   "echo ../evil >.git/commondir || rm .git/commondir || "
                   "mv evil .git/commondir || echo no")
        if place.WHOLE:
            t.is_(got.stdout, ".\nno\n", "there is a commondir, as it is")
        t.ok(not os.path.exists(git + "/commondir"),
             "and is gone when the command has ended")
        kept = os.path.join(git, "worktrees/w/commondir")
        t.ok(os.path.exists(kept), "one that was there stays")


def own_state(t, uid):
    """A tool's own directory is written and locked where it is reduced."""
    with place.Place(uid) as p:
        words = confined(p, "plugin +reduced +state")
        state = os.path.join(p.home, "state")
        got = p.run([*words, "/bin/sh", "-c", "cd '%s' && echo x >a && "
                     "flock a mv a b && cat b" % state])
        t.is_(got.stdout, "x\n", "a tool's own state is written and locked",
              got.stderr)


def main():
    t = tap.Tap()
    place.needs_landlock(t)
    for uid in place.users(t):
        for title, words in tap.sample(BELIEVED):
            believed(t, uid, title, words)
        for title, words in tap.sample(FILES):
            one(t, uid, title, words, (place.WRITE,))
        for title, words in tap.sample(UNRULED):
            if place.WHOLE:
                one(t, uid, title, words, (place.WRITE,))
            else:
                t.skip(title, "needs namespaces")
        for title, words in tap.sample(PROCESSES):
            one(t, uid, title, words, ("observe", "reduced"))
        for title, words in tap.sample(MODES):
            one(t, uid, title, words,
                place.profiles("workspace-write", "reduced"))
        for title, words in tap.sample(ATTRIBUTES):
            one(t, uid, title, words, KEEPING)
        own_state(t, uid)
        for title, words in tap.sample(READERS):
            one(t, uid, title, words, ("observe-proc",))
        for title, words in tap.sample(NETLINK):
            one(t, uid, title, words, ALL_PROFILES)
        inputs(t, uid)
        group(t, uid)
        late(t, uid)
    t.done()


if __name__ == "__main__":
    main()
