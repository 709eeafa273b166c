# SPDX-License-Identifier: GPL-3.0-or-later
"""launch.py - what the launcher promises: statuses, views, endings."""

import os
import resource
import shutil
import signal
import socket
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))
sys.path.insert(0, os.path.dirname(__file__))

import place  # noqa: E402
import tap  # noqa: E402

WRITE = place.WRITE

# script, exit status, what is on standard output
STATUSES = (
    ("exit 7", 7, ""),
    ("kill -9 $$", 137, ""),
    ("kill -TERM $$", 143, ""),
    ("echo out", 0, "out\n"),
)

# A script in workspace-write, what it prints, and what it does where that is
# reduced: the same, or None, where it takes namespaces.
VIEWS = (
    ("the workspace is writable", "echo x >new && cat new", "x"),
    ("so is /tmp, and it is empty but for what is shown",
     "ls -A /tmp; echo x >/tmp/a; cat /tmp/a", "%(tops)s\nx", None),
    ("there is a place for what is its own",
     "echo x >\"${TMPDIR:-/tmp}/a\" && cat \"${TMPDIR:-/tmp}/a\"", "x"),
    ("and so are /dev/shm and /run", "echo x >/dev/shm/a >/run/a && echo ok",
     "ok", None),
    ("the home directory shows the workspace only", "ls -A ~ 2>/dev/null",
     "work place", ""),
    ("and is not written to", "touch ~/a 2>/dev/null || echo no", "no"),
    ("what was named is readable", "cat '%(outside)s/file'", "as it was"),
    ("and not writable", "echo x 2>/dev/null >'%(outside)s/file' || echo no",
     "no"),
    ("there are a null device and randomness",
     "echo x >/dev/null && head -c 4 /dev/urandom | wc -c", "4"),
    ("a terminal can be made",
     "python3 -c 'import os; m, s = os.openpty(); print(os.ttyname(s))'",
     "/dev/pts/0", None),
    ("its processes are the only ones", "set -- /proc/[0-9]*; echo $#", "2",
     None),
    ("it is itself, and root is nobody", "id -u", "%(uid)d", "%(own)d"),
    ("nothing is gained by set-user-id", "grep NoNewPrivs /proc/self/status",
     "NoNewPrivs:\t1"),
    ("there are no capabilities",
     "grep -c '^Cap.*:.0000000000000000$' /proc/self/status", "5",
     "%(none)d"),
    ("a pair of sockets works",
     "python3 -c 'import socket; a, b = socket.socketpair(); a.send(b\"x\");"
     "print(b.recv(1).decode())'", "x"),
    ("it sets limits of its own, and of nobody else",
     "(ulimit -n 9 && prlimit --nofile --noheadings -o SOFT | tr -d ' '); "
     "sleep 9 & prlimit --pid $! --nofile=9:9 2>/dev/null || echo no; kill $!",
     "9\nno"),
    ("a core is not dumped, nor piped to who asks for cores",
     "grep -Ec '^Max core file size +[01] +[01] ' /proc/self/limits", "1"),
    ("a file can be moved within the workspace",
     "mkdir -p a b; echo x >a/f; mv a/f b/f; cat b/f", "x"),
    ("git works", "git init -q made && cd made && git -c user.name=a "
     "-c user.email=a@b commit -q --allow-empty -m one && git log --format=%%s",
     "one"),
    ("/proc is read-only", "echo 0 2>/dev/null >/proc/self/oom_score_adj "
     "|| echo no", "no"),
    ("the network is off", "python3 -c 'import socket; socket.socket()' "
     "2>&1 | tail -n 1", "PermissionError: [Errno 1] Operation not permitted"),
)


# Which protocols of netlink each profile has, of all.
NETLINK = (("read-only", "0" if place.WHOLE else "0 4"), (WRITE, "0"),
           ("observe", "0 4"), ("observe-proc", "0 4"), ("reduced", "0"),
           ("plugin", "" if place.WHOLE else "0 4"),
           ("plugin +net", "0"), (WRITE + " +net", "0"))
PROTOCOLS = ("python3 -c 'import socket\nfor i in range(64):\n try: "
             "socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, i)\n"
             " except OSError: pass\n else: print(i)' | xargs")


def statuses(t, p):
    for script, status, out in STATUSES:
        for profile in (WRITE, "read-only", "observe", "full"):
            got = p.sh(profile, script)
            t.is_((got.returncode, got.stdout), (status, out),
                  "%s: '%s' ends with %d" % (profile, script, status),
                  got.stderr)
    none = os.path.join(p.outside, "none")
    for program, status in ((none, 127), ("/etc/passwd", 126)):
        name = "%s ends with %d" % (os.path.basename(program), status)
        if "ASAN_OPTIONS" in os.environ:
            t.skip(name, "a sanitizer has no memory to say so")
            continue
        got = p.run(p.words(WRITE) + [program])
        t.is_(got.returncode, status, name, got.stderr)
    got = p.run([place.LAUNCH, "--profile=none", "--", "/bin/true"])
    t.is_(got.returncode, 2, "words that are wrong are 2", got.stderr)
    got = p.sh(WRITE, "true", "--writable=" + none)
    t.is_(got.returncode, 125, "a missing directory is 125")
    t.ok(none in got.stderr, "and named", got.stderr)
    got = p.run(p.words(WRITE) + ["/bin/true"], cwd="/tmp")
    t.is_(got.returncode, 0, "/tmp is a place to be")
    closed(t, p)


def closed(t, p):
    """In a directory that is not shown."""
    where = os.path.join(p.home, ".ssh")
    if not place.WHOLE:
        got = p.sh(WRITE, "cat id; ls; echo x >new; echo on", cwd=where)
        t.is_(got.stdout, "on\n", "in a directory that is not shown there is "
              "nothing", got.stderr)
        return
    got = p.run(p.words(WRITE) + ["/bin/pwd"], cwd=where)
    t.is_((got.returncode, got.stdout), (125, ""),
          "nothing runs in a directory that is not shown", got.stderr)
    t.ok("is hidden; start the command in" in got.stderr, "it is said why",
         got.stderr)
    got = p.run(p.words("plugin") + ["/bin/pwd"], cwd=where)
    t.is_((got.returncode, got.stdout), (0, "/\n"),
          "but for a tool, which is in the root then", got.stderr)


def capabilities():
    """What this process has, which in a container is not all."""
    with open("/proc/self/status", encoding="ascii") as file:
        return next(int(line.split()[1], 16) for line in file
                    if line.startswith("CapEff:"))


def shown_below_tmp(*paths):
    """What `ls /tmp` names where these paths are shown."""
    return "\n".join(sorted({path.split("/")[2] for path in paths
                             if path.startswith("/tmp/")}))


def views(t, p):
    own = os.geteuid() if p.uid is None else p.uid
    names = {"outside": p.outside, "uid": own or 65534, "own": own,
             "tops": shown_below_tmp(p.root, place.home.BUILDDIR),
             # what cannot be gained bounds nobody but root
             "none": 5 if own == 0 else 4}
    for title, script, *wanted in VIEWS:
        if wanted[0 if place.WHOLE else -1] is None:
            t.skip(title, "needs namespaces")
            continue
        got = p.sh(WRITE, script % names)
        wanted = wanted[0 if place.WHOLE else -1]
        t.is_(got.stdout.strip(), wanted % names if "%(" in wanted else wanted,
              title, got.stderr)
    got = p.sh("read-only", "echo x >new2 || echo no")
    t.is_(got.stdout, "no\n", "read-only has no writable workspace")
    got = p.sh("observe", "ls -A ~; cat ~/.ssh/id && echo id; "
               "%sls -d /proc/[0-9]* | wc -l" %
               ("ls -A ~/.ssh; " if place.WHOLE else ""))
    lines = got.stdout.split("\n")
    t.ok(".profile" in lines and "id" not in lines and "key" not in got.stdout,
         "observe shows the home directory, and no key", got.stdout)
    t.ok(int(lines[-2]) > 5, "and the processes of the machine")
    got = p.sh("observe-proc", "readlink /proc/%d/cwd; echo x >/dev/null && "
               "echo null; echo x >new3 || echo no" % os.getpid())
    t.ok(got.stdout.endswith("null\nno\n"),
         "observe-proc writes to nothing but /dev/null", got.stdout)
    reader = 1 << 2 | 1 << 19  # CAP_DAC_READ_SEARCH, CAP_SYS_PTRACE
    has = capabilities() & reader if p.uid is None else 0
    if p.uid is None and (has == reader or os.geteuid() != 0):
        t.is_(got.stdout.split("\n")[0], os.getcwd(),
              "and sees where others are")
    for profile, kept in (("reduced", 0), ("observe", 0),
                          ("observe-proc", has)):
        got = p.sh(profile, "grep -E '^Cap(Prm|Eff)' /proc/self/status")
        t.is_([int(line.split()[1], 16) for line in got.stdout.splitlines()],
              [kept, kept], profile + " has no capability but a reader's",
              got.stderr)
    if place.WHOLE:
        private(t, p)
    else:
        t.skip("private places have a size, caches too", "needs namespaces")


def private(t, p):
    """What is writable, and its own."""
    got = p.sh(WRITE, "head -c 3M /dev/zero >/tmp/a; wc -c </tmp/a; "
               "head -c 3M /dev/zero >/dev/shm/a 2>/dev/null || echo full",
               "--memory=%d" % (4 << 20))
    t.is_(got.stdout, "3145728\nfull\n", "private places have a size together",
          got.stderr)
    got = p.sh(WRITE, "cat ~/cache/x 2>/dev/null; echo x >~/cache/x; "
               "cat ~/cache/x", "--cache=" + p.home + "/cache")
    t.is_(got.stdout, "x\n", "a cache is private")
    t.ok(not os.path.exists(p.home + "/cache"), "and vanishes")
    hidden(t, p)


def hidden(t, p):
    """What is hidden or fixed in the workspace stays in its place: moved, it
    would be another's in the next run."""
    for below in ("a1/b/secret", "a2/b/named"):
        os.makedirs(os.path.join(p.work, below))
        for n in range(1, 4):
            part = os.path.join(p.work, *below.split("/")[:n])
            os.chown(part, -1 if p.uid is None else p.uid, -1)
    got = p.sh(WRITE, "for d in a1/b a1 a2/b a2; do mv $d moved 2>/dev/null "
               "|| echo no; done; touch a1/b/x a2/x && echo ok; "
               "touch a1/b/secret/x a2/b/named/x 2>/dev/null || echo no",
               "--secret=%s/a1/b/secret" % p.work,
               "--readable=%s/a2/b/named" % p.work)
    t.is_(got.stdout, "no\nno\nno\nno\nok\nno\n",
          "what is hidden in the workspace stays in its place", got.stderr)


def netlink(t, p):
    for profile, wanted in NETLINK:
        name, _, net = profile.partition(" +")
        got = p.sh(name, PROTOCOLS, *(["--net"] if net else []))
        t.is_(got.stdout.strip(), wanted, "%s has netlink for '%s' alone" %
              (profile, wanted), got.stderr)


def no_sockets(t, p):
    """It is the machine's network, and the filter that keeps it off."""
    for profile in ("read-only", WRITE, "plugin", "observe"):
        got = p.sh(profile, "readlink /proc/self/ns/net; python3 -c '"
                   "import socket\nfor f in socket.AF_INET, socket.AF_INET6, "
                   "socket.AF_UNIX:\n try: socket.socket(f)\n"
                   " except PermissionError: print(\"no\")'")
        t.is_(got.stdout, os.readlink("/proc/self/ns/net") + "\nno\nno\nno\n",
              profile + ": no socket is made in the machine's network",
              got.stderr)


def network(t, p):
    """What has no network is in one with nobody in it, but what looks."""
    script = "readlink /proc/self/ns/net; wc -l </proc/net/dev"
    ours = os.readlink("/proc/self/ns/net")
    if not place.WHOLE:
        no_sockets(t, p)
        return
    for profile, apart in (("read-only", True), (WRITE, True),
                           ("plugin", True), ("observe", False),
                           ("observe-proc", False), (WRITE + " +net", False)):
        name, _, net = profile.partition(" +")
        got = p.sh(name, script, *(["--net"] if net else []))
        lines = got.stdout.split("\n")
        t.ok((lines[0] != ours) == apart, "%s is in %s network" %
             (profile, "another" if apart else "the machine's"), got.stdout,
             got.stderr)
        if apart:
            t.is_(lines[1], "3", "with nothing in it but itself")


def odd_places(t, p):
    odd = os.path.join(p.root, "o\n'\"\\ \udcff$(x)")
    os.mkdir(odd)
    os.chmod(odd, 0o777)
    words = [place.LAUNCH, "--profile=" + WRITE, "--home=" + p.home, "--"]
    words.insert(1, "--workspace=" + odd)
    got = p.run(words + ["/bin/sh", "-c", "echo x >a && cat a"], cwd=odd)
    t.is_(got.stdout, "x\n", "a workspace may have any name", got.stderr)
    link = os.path.join(p.home, "link")
    os.symlink(odd, link)
    words[1] = "--workspace=" + link
    got = p.run(words + ["/bin/sh", "-c", "echo y >a && cat ~/link/a"],
                cwd=odd)
    t.is_(got.stdout, "y\n", "it may be a link in the home directory",
          got.stderr)
    words[1] = "--workspace=" + p.home
    got = p.run(words + ["/bin/true"], cwd=odd)
    t.is_(got.returncode, 125, "it is not the home directory", got.stderr)


def shared(t, p):
    """What is named in /tmp is seen over the private one, and nothing else of
    it; nothing of it is written to, and no link leads elsewhere."""
    top = os.path.join(p.root, "shared")
    p.put("shared/one/file", "mine")
    p.put("shared/one/other", "not named")
    p.put("shared/two/a/b", "below")
    os.symlink(p.home + "/.ssh/id", top + "/key")
    os.symlink(top + "/two", top + "/led")
    server = socket.socket(socket.AF_UNIX)
    server.bind(top + "/server")
    if p.uid is not None:
        for path in (top, top + "/one", top + "/two", top + "/two/a",
                     top + "/one/file", top + "/two/a/b"):
            os.chown(path, p.uid, p.uid)
    for profile in ("read-only", "observe", WRITE, "plugin"):
        os.chmod(top + "/two/a", 0o755)
        got = p.sh(profile, "cat %s/one/file; ls %s/one; cat %s/two/a/b; "
                   "for f in one/file two/a/b two/new; do "
                   "echo x 2>/dev/null >%s/$f || echo no; done; "
                   "rm -f %s/one/file %s/two/a/b 2>/dev/null; "
                   "chmod 777 %s/two/a 2>/dev/null; touch %s/mine 2>/dev/null; "
                   "touch \"$TMPDIR/mine\" && echo ok" % ((top,) * 8),
                   "--readable=%s/one/file" % top,
                   "--readable=%s/two" % top)
        names = "file\n" if place.WHOLE else ""
        if not place.WHOLE and profile == "observe":
            names = "file\nother\n"  # names are seen everywhere
        t.is_(got.stdout, "mine%sbelowno\nno\nno\n%s" %
              (names, "ok\n" if place.WHOLE or profile == WRITE else ""),
              profile + ": what is named in /tmp is seen, and read-only",
              got.stderr)
        with open(top + "/one/file", encoding="ascii") as f:
            t.is_(f.read(), "mine", "and is as it was")
        t.ok(not os.path.exists(top + "/mine"), "the rest is its own")
        if profile == "reduced":
            t.skip("modes, too", "needs namespaces")
        else:
            t.is_(os.stat(top + "/two/a").st_mode & 0o777, 0o755, "modes, too")
        for name, why in (("key", "symbolic link"), ("led", "symbolic link"),
                          ("led/a/b", "symbolic link"), ("two/../key", "symbolic link"),
                          ("server", "neither")):
            got = p.sh(profile, "cat %s/%s" % (top, name),
                       "--readable=%s/%s" % (top, name))
            t.is_((got.returncode, got.stdout), (125, ""),
                  "%s: %s there is refused" % (profile, name), got.stderr)
            t.ok(why in got.stderr, "it is said why", got.stderr)
    server.close()
    shutil.rmtree(top)


def left(p):
    """Processes whose working directory is below the place."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            if os.readlink("/proc/%s/cwd" % pid).startswith(p.root):
                found.append(pid)
        except OSError:
            pass
    return found


def endings(t, p):
    script = "setsid sleep 1000 & sleep 1000 & echo up; wait"
    for profile in place.profiles("workspace-write", "observe", "reduced",
                                  "full"):
        for signo in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT,
                      signal.SIGKILL):
            child = subprocess.Popen(
                p.words(profile) + ["/bin/sh", "-c", script], cwd=p.work,
                stdout=subprocess.PIPE, preexec_fn=p.become,
                env={"PATH": "/usr/bin:/bin", "HOME": p.home})
            child.stdout.readline()
            child.send_signal(signo)
            status = child.wait(20)
            wanted = -9 if signo == signal.SIGKILL else 128 + signo
            sure = signo != signal.SIGKILL or profile == "workspace-write"
            gone = tap.poll(lambda: not left(p), 10 if sure else 1)
            if sure:
                t.ok(status == wanted and gone, "%s: %s to the launcher ends "
                     "everything" % (profile, signo.name), status, left(p))
            for pid in left(p):
                os.kill(int(pid), signal.SIGKILL)
            child.stdout.close()
        before = time.monotonic()
        got = p.sh(profile, script, "--limit-ms=200")
        t.is_(got.returncode, 124, profile + ": the time limit is 124")
        t.ok("timed out" in got.stderr and time.monotonic() - before < 20
             and tap.poll(lambda: not left(p)), "said, and all has ended",
             got.stderr)
        p.sh(profile, "setsid sleep 1000 >/dev/null 2>&1 & :")
        t.ok(tap.poll(lambda: not left(p)),
             profile + ": what is left behind ends with the command")


def many_repositories(t, p):
    """What is made for the run takes descriptors, which are the launcher's."""
    usual = 1024
    if resource.getrlimit(resource.RLIMIT_NOFILE)[1] <= usual:
        t.skip("a limit of descriptors is as it was", "it cannot be raised")
        return
    start = ["/bin/sh", "-c", 'ulimit -Sn %d && exec "$@"' % usual, "sh"]
    for n in range(150):
        git = p.repository("many/%d" % n)
        if p.uid is not None:
            for path, _, files in os.walk(os.path.dirname(git)):
                for name in [path] + [os.path.join(path, f) for f in files]:
                    os.chown(name, p.uid, p.uid)
    for profile in place.profiles("workspace-write", "reduced"):
        got = p.run(start + p.words(profile) + ["/bin/sh", "-c", "ulimit -Sn"])
        t.is_(got.stdout.strip(), str(usual), profile + ": a limit of "
              "descriptors is as it was", got.stderr)
    shutil.rmtree(os.path.join(p.work, "many"))


# As many threads as a desktop has.
THREADS = """import threading
threading.stack_size(1 << 16)
for n in range(1500):
    threading.Thread(target=threading.Event().wait, daemon=True).start()
print(flush=True)
input()"""


def many_threads(t, p):
    """What the user runs outside does not use up the command's processes."""
    with subprocess.Popen(["python3", "-c", THREADS], text=True, cwd=p.work,
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          env={"PATH": "/usr/bin:/bin"},
                          preexec_fn=p.become) as other:
        begun = other.stdout.readline() == "\n"
        for profile in place.profiles("observe-proc", "observe", "reduced"):
            got = p.sh(profile, "echo x | cat")
            t.ok(begun and got.stdout == "x\n", profile + ": processes can be "
                 "started beside 1500 threads", got.returncode, got.stderr)
        other.communicate("\n", timeout=60)


def reports(t, p):
    read, write = os.pipe()
    words = p.words(WRITE, "--report")
    script = ("exec 3>&-; unshare -U true; python3 -c 'import socket\n"
              "for i in 1, 2:\n try: socket.socket()\n"
              " except OSError as e: print(e.errno)'; git init -q made2")
    child = subprocess.Popen(
        ["/bin/sh", "-c", 'exec 3>&%d "$@"' % write, "sh", *words,
         "/bin/sh", "-c", script], cwd=p.work, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, preexec_fn=p.become, pass_fds=(write,),
        env={"PATH": "/usr/bin:/bin", "HOME": p.home}, text=True)
    os.close(write)
    out = child.communicate(timeout=60)[0]
    with os.fdopen(read, encoding="utf-8") as pipe:
        lines = pipe.read().split("\n")
    t.is_(out, "1\n1\n", "a call that is reported is refused all the same")
    # what a filter around us refuses is not ours to tell
    t.ok(lines.count("blocked socket") == 1 and
         ("blocked unshare" in lines or not place.WHOLE),
         "each is named once", lines)
    t.ok(any(line.startswith("new repository ") and
             line.endswith("/made2/.git") for line in lines),
         "and so is a repository that was made", lines)


def policy(t, p):
    """One that is missing is not made, and a command's is not believed."""
    kept = os.path.join(p.work, ".agentsh")
    os.rename(kept, kept + "-not")
    got = p.sh(WRITE, "ls -A | grep -x .agentsh; mkdir .agentsh && "
                      "echo x >.agentsh/policy")
    t.is_((got.returncode, got.stdout), (0, ""),
          "a workspace has no policy that it does not have", got.stderr)
    t.ok("set aside" in got.stderr, "one that a command makes is told",
         got.stderr)
    t.ok(not os.path.exists(kept), "and has another name afterwards")
    os.rename(kept + "-not", kept)
    got = p.sh(WRITE, "rm -r .agentsh; mv .agentsh x; echo >.agentsh/new")
    t.is_((os.listdir(kept), "set aside" in got.stderr), (["policy"], False),
          "one that is there stays as it is", got.stderr)


def missing(t, p):
    """As where user namespaces may not be made."""
    script = 'echo 0 >/proc/sys/user/max_user_namespaces && exec "$@"'
    if p.uid is not None:
        return
    none = ["unshare", "--user", "--map-root-user", "sh", "-c", script, "sh"]
    if not place.WHOLE:
        none = []
    got = p.run(none + p.words("workspace-write", fits=False) + ["/bin/sh", "-c", "echo ran"])
    t.is_((got.returncode, got.stdout), (125, ""),
          "without user namespaces nothing runs")
    t.ok("user namespaces" in got.stderr and got.stderr.count("\n") == 1,
         "and the layer is named", got.stderr)
    got = p.run(none + p.words("reduced") +
                ["/bin/sh", "-c", "echo x >new4; cat new4; cat ~/.ssh/id; "
                 "echo x >../a; cat /etc/hostname >/dev/null && echo read"])
    t.is_(got.stdout, "x\nread\n", "reduced needs none", got.stderr)


# In reduced, where nothing is bound: a script, and what it is to leave of what
# git believes.
CHANGES = (
    ("a configuration is written over", "echo '[core]' >.git/config"),
    ("it is another file", "echo x >x; mv x .git/config"),
    ("it is gone", "rm .git/config"),
    ("its mode is another", "chmod 0666 .git/config"),
    ("it has a second name", "ln .git/config second"),
    ("a hook is written over", "echo evil >.git/hooks/pre-commit"),
    ("a hook is new", "echo evil >.git/hooks/post-commit"),
    ("the hooks are gone", "rm -r .git/hooks"),
    ("the hooks are others", "mv .git/hooks h; mkdir .git/hooks; "
     "echo evil >.git/hooks/pre-commit"),
    ("a submodule's configuration", "echo x >>.git/modules/m/config"),
    ("the policy", "rm -r .agentsh; echo x >.agentsh"),
)


def put_back(t, p):
    secret = p.put(os.path.join(p.work, "sub/.env"), "a token")
    if p.uid is not None:
        os.chown(secret, p.uid, p.uid)
    got = p.sh("reduced", "cat sub/.env; echo x >sub/new && echo made; "
               "ln sub/.env vendor/a; mv sub/.env vendor/b; cat vendor/a "
               "vendor/b; mv sub/.env sub/c; cat sub/c; mv sub vendor/s; "
               "cat vendor/s/c",
               "--secret=" + secret)
    t.is_(got.stdout, "made\n", "a secret is not read beside what is written",
          got.stderr)
    hook = p.put(os.path.join(p.work, ".git/hooks/pre-commit"), "#!/bin/sh\n")
    os.chmod(hook, 0o755)
    if p.uid is not None:
        os.chown(hook, p.uid, p.uid)
    before = p.believed()
    t.ok(len(before) > 3, "there is something to put back", before)
    for title, script in CHANGES:
        got = p.sh("reduced", script)
        t.is_(p.believed(), before, "put back: " + title, got.stderr)
        t.ok("put back" in got.stderr or "set aside" in got.stderr,
             "and it is said", got.stderr)
    named = os.path.join(p.work, ".git/hooks/x.aside-1.sh")
    got = p.sh("reduced", "echo evil | tee .git/hooks/x.aside-1.sh "
               "x.aside-2.sh >.git/hooks/pre-commit")
    t.ok(not os.path.exists(named), "a name chosen by the command does not "
         "save a new hook", got.stderr)
    t.is_(got.stderr.count("set aside"), 2, "what was set aside is not again",
          got.stderr)
    t.is_(p.believed(), before, "and the rest is put back")
    got = p.sh("reduced", "mv .git g; mkdir -p .git/hooks; "
               "echo evil >.git/hooks/pre-commit; echo '[core]' >g/config")
    t.ok(not os.path.exists(hook), "a directory that was moved is no place "
         "for what was in it", got.stderr)
    shutil.rmtree(os.path.join(p.work, ".git"))


def owners(t, p):
    """Root in a workspace of somebody's, as it is mounted into a container."""
    if p.uid is not None or os.geteuid() != 0:
        return
    for path, _, files in os.walk(p.work):
        for name in [path] + [os.path.join(path, f) for f in files]:
            os.chown(name, place.SOMEBODY, place.SOMEBODY)
    os.chmod(p.work, 0o700)
    got = p.sh("reduced", "id -u; id -G; echo x >new5; echo x >\"$TMPDIR/a\" "
               "&& ls \"$TMPDIR\"; chmod 0600 '%s/file' 2>/dev/null || echo no"
               % p.outside)
    t.is_(got.stdout, "%d\n%d\na\nno\n" % ((place.SOMEBODY,) * 2),
          "root is the owner of the workspace in reduced", got.stderr)
    made = os.path.join(p.work, "new5")
    t.ok(os.path.exists(made) and os.stat(made).st_uid == place.SOMEBODY,
         "and what it makes is the owner's")
    got = p.sh("read-only", "cat new5; id -u", "--reduced")
    t.is_(got.stdout, "x\n%d\n" % place.SOMEBODY,
          "who looks at it sees what the owner sees", got.stderr)
    got = p.sh("observe", "id -u", "--reduced", cwd="/")
    t.is_(got.stdout, "0\n", "who looks at the machine is root", got.stderr)
    closed = os.path.join(p.root, "closed")
    os.mkdir(closed, 0o700)
    shutil.copy("/bin/true", closed)
    got = p.run(p.words("reduced", "--readable=" + closed) +
                [os.path.join(closed, "true")])
    t.is_(got.returncode, 0, "what is closed to the owner runs as root",
          got.stderr)


def old_clone(t, p):
    """As in a container, whose filter does not know clone3(2)."""
    for profile in place.profiles("workspace-write", "observe", "reduced",
                                  "full"):
        got = p.run([place.REFUSING, "clone3", "--"] + p.words(profile) +
                    ["/bin/sh", "-c", "echo ran"])
        t.is_((got.returncode, got.stdout), (0, "ran\n"),
              profile + " does without clone3", got.stderr)


def main():
    t = tap.Tap()
    for uid in place.users(t):
        with place.Place(uid) as p:
            probe = p.sh(WRITE, "true")
            if probe.returncode == 125:
                t.skip_all(probe.stderr.strip())
            for part in (statuses, views, netlink, network, shared,
                         odd_places, endings, reports, policy,
                         many_repositories, many_threads,
                         missing, old_clone, put_back, owners):
                part(t, p)
    t.done()


if __name__ == "__main__":
    main()
