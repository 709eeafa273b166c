# SPDX-License-Identifier: GPL-3.0-or-later
"""test_hook_places.py - the hooks in several shells at once, in a login shell
and in tmux, and where their files go."""

import os
import shutil
import stat
import subprocess
import tempfile

import hookshell
from hookshell import Shell, home, tap

KINDS = ("bash", "zsh", "fish")
NESTED = {  # a shell in a shell, with the same start-up file
    "bash": "bash --noprofile --rcfile $RC",
    "zsh": "zsh -d",
    "fish": "fish",
}
FAIL = {"bash": "(exit %d)", "zsh": "(exit %d)", "fish": "sh -c 'exit %d'"}


def records(folder):
    """All records below a runtime directory: session to (line, status)."""
    found = {}
    folder = os.path.join(folder, "agentsh")
    for name in os.listdir(folder) if os.path.isdir(folder) else ():
        if name.startswith("last-"):
            with open(os.path.join(folder, name), "rb") as file:
                record = hookshell.parse(file.read())
            found[name[5:]] = record and (os.fsdecode(record["command"]),
                                          int(record["status"]))
    return found


def two_shells(t, kind):
    with home.Home() as place, Shell(place, kind) as one, \
            Shell(place, kind) as two:
        one.run(FAIL[kind] % 1)
        two.run(FAIL[kind] % 2)
        t.is_((one.last(), two.last()),
              ((FAIL[kind] % 1, 1), (FAIL[kind] % 2, 2)),
              kind + ": two shells do not see each other's last command")
        outer = one.show("echo $AGENTSH_SESSION").strip()
        t.is_(one.file(), os.path.join(place.env["XDG_RUNTIME_DIR"],
                                       "agentsh", "last-" + outer),
              kind + ": AGENTSH_SESSION names the file")
        one.level, seen, one.seen = 2, one.seen, 0
        one.run(NESTED[kind].replace("$RC", one.rc))
        inner = one.show("echo $AGENTSH_SESSION").strip()
        one.run(FAIL[kind] % 3)
        t.ok(inner != outer and
             records(place.env["XDG_RUNTIME_DIR"])[inner] ==
             (FAIL[kind] % 3, 3),
             kind + ": a shell in a shell has a session of its own",
             inner, outer)
        one.level, one.seen = 1, seen
        one.run("exit")
        t.is_(one.show("echo $AGENTSH_SESSION").strip(), outer,
              kind + ": and the outer one keeps its own")


def sweeping(t, kind):
    with home.Home() as place:
        with Shell(place, kind) as sh:
            sh.run("false")
            first = sh.file()
            sh.end()
        with Shell(place, kind) as other, Shell(place, kind) as sh:
            t.ok(first and not os.path.exists(first) and other.file() and
                 sh.file(), kind + ": what a dead shell left is removed by "
                 "the next, and nothing else", first, sh.files())


def login(t):
    for kind, argv in (("bash", ["bash", "-l"]), ("zsh", ["zsh", "-l", "-d"]),
                       ("fish", ["fish", "-l"])):
        with home.Home() as place:
            profile = os.path.join(place.env["HOME"], ".bash_profile")
            os.symlink(os.path.join(place.root, "shell%d" %
                                    (Shell.number + 1), ".zshrc"), profile)
            with Shell(place, kind, argv=argv) as sh:
                sh.run("false")
                t.is_(sh.last(), ("false", 1), kind + ": a login shell")


def in_tmux(t):
    if not shutil.which("tmux"):
        t.skip("tmux", "tmux is not here")
        return
    for kind in KINDS:
        with home.Home() as place, Shell(place, kind) as sh:
            argv = [*sh.command(open(sh.rc, encoding="utf-8").read(), None)] \
                if kind != "fish" else ["fish", []]
            socket = os.path.join(place.root, "tmux")
            tmux = ["tmux", "-S", socket, "-f", "/dev/null"]
            env = {**sh.env, "TERM": "xterm-256color"}

            def call(*words):
                return subprocess.run([*tmux, *words], env=env,
                                      cwd=place.work, check=False,
                                      capture_output=True, text=True).stdout

            def sessions():
                return {session: record for session, record in
                        records(place.env["XDG_RUNTIME_DIR"]).items()
                        if session not in sh.file()}

            call("new-session", "-d", argv[0], *argv[1])
            tap.poll(lambda: "@~" in call("capture-pane", "-p"))
            call("send-keys", "false", "Enter")
            tap.poll(lambda: ("false", 1) in sessions().values())
            call("split-window", argv[0], *argv[1])
            tap.poll(lambda: "@~" in call("capture-pane", "-p"))
            call("send-keys", "true in tmux", "Enter")
            tap.poll(lambda: ("true in tmux", 0) in sessions().values())
            t.is_(sorted(sessions().values()),
                  [("false", 1), ("true in tmux", 0)],
                  kind + ": two panes of tmux have a record each",
                  call("capture-pane", "-p"))
            call("kill-server")


def refused(t, kind):
    """Runtime directories that cannot be used: silence, and no record."""
    def prepare(place, what):
        run = place.env["XDG_RUNTIME_DIR"]
        path = os.path.join(run, "agentsh")
        if what == "is missing":
            os.rmdir(run)
        elif what == "is a file":
            os.rmdir(run)
            open(run, "w", encoding="utf-8").close()
        elif what == "is open to others":
            os.mkdir(path)
            os.chmod(path, 0o755)
        elif what == "is a link":
            os.symlink(place.folder("elsewhere"), path)
        elif what == "is another user's":
            os.mkdir(path, 0o700)
            os.chown(path, 65534, 65534)
        elif what == "is in another user's":
            os.chown(run, 65534, 65534)

    for what in ("is missing", "is a file", "is open to others", "is a link",
                 "is another user's", "is in another user's"):
        if "another" in what and os.geteuid() != 0:
            t.skip("%s: a directory that %s" % (kind, what), "needs root")
            continue
        with home.Home() as place:
            prepare(place, what)
            with Shell(place, kind) as sh, \
                    Shell(place, kind, hook=False) as bare:
                shown = [hookshell.plain(each.run("echo one; false"))
                         for each in (sh, bare)]
                shown += [hookshell.plain(each.run("echo two"))
                          for each in (sh, bare)]
                t.ok(shown[0] == shown[1] and shown[2] == shown[3] and
                     sh.begin.strip() == bare.begin.strip() or
                     kind == "fish" and "rror" not in "".join(shown),
                     "%s: a directory that %s is passed over in silence"
                     % (kind, what), *shown, sh.begin, bare.begin)
                t.ok(not sh.files() and not os.listdir(place.work),
                     "%s: and nothing is written" % kind, sh.files(),
                     os.listdir(place.work))


def vanishing(t, kind):
    with home.Home() as place, Shell(place, kind) as sh:
        folder = os.path.join(place.env["XDG_RUNTIME_DIR"], "agentsh")
        sh.run("false")
        shutil.rmtree(folder)
        first = sh.run("true one")
        sh.run("true two")
        t.ok(sh.last() == ("true two", 0) and
             stat.S_IMODE(os.stat(folder).st_mode) == 0o700 and
             stat.S_IMODE(os.stat(sh.file()).st_mode) == 0o600,
             kind + ": a directory that was removed is made again", sh.last(),
             first)
        os.unlink(sh.file())
        sh.run("false")
        t.ok(sh.last() == ("false", 1) and
             stat.S_IMODE(os.stat(sh.file()).st_mode) == 0o600,
             kind + ": so is a file, the user's alone", sh.last())
        shutil.rmtree(folder)
        open(folder, "w", encoding="utf-8").close()
        shown = hookshell.plain(sh.run("true") + sh.run("true") +
                                sh.run("false"))
        t.ok("agentsh" not in shown and "rror" not in shown,
             kind + ": one that became a file is given up in silence", shown)


def in_namespace(t, kind):
    """With a /tmp of its own: without XDG_RUNTIME_DIR, and read-only."""
    for mount, what in (("", "has a private directory"),
                        ("mount -o remount,ro /tmp; ",
                         "being read-only, nothing is said")):
        script = "mount -t tmpfs none /tmp && { %s exec \"$@\"; }" % mount
        unshare = ["unshare", "-m", "sh", "-c", script, "sh"]
        name = "%s: without XDG_RUNTIME_DIR, /tmp %s" % (kind, what)
        if home.BUILDDIR.startswith("/tmp/") or subprocess.run(
                [*unshare, "true"], check=False,
                capture_output=True).returncode != 0:
            t.skip(name, "there is no mount namespace to be had")
            continue
        tempfile.tempdir = "/var/tmp"
        with home.Home() as place, Shell(
                place, kind, argv=[*unshare, *hookshell.ARGV[kind]],
                XDG_RUNTIME_DIR=None) as sh:
            shown = hookshell.plain(sh.run("false") + sh.run("true"))
            tmp = "/proc/%d/root/tmp" % sh.child.pid
            folder = os.path.join(tmp, "agentsh-%d" % os.geteuid())
            if mount:
                t.ok(not os.listdir(tmp) and "ystem" not in shown, name, shown)
            else:
                names = [name for name in os.listdir(folder)
                         if name.startswith("last-")]
                t.ok(len(names) == 1 and
                     stat.S_IMODE(os.stat(folder).st_mode) == 0o700, name,
                     names, shown)
        tempfile.tempdir = None


def main():
    t = tap.Tap()
    for kind in KINDS:
        two_shells(t, kind)
        sweeping(t, kind)
        refused(t, kind)
        vanishing(t, kind)
        in_namespace(t, kind)
    login(t)
    in_tmux(t)
    t.done()


if __name__ == "__main__":
    main()
