#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test_undo_machine.py - ai undo takes back what the real apt and real init
scripts did, in a root file system that is thrown away."""

import json
import os
import shutil
import signal
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))
sys.path.insert(0, os.path.dirname(__file__))

import home  # noqa: E402
import tap  # noqa: E402
import terminal  # noqa: E402
import throwaway  # noqa: E402
from test_real_managers import SCRIPT  # noqa: E402

ENV = {"PATH": throwaway.PATH, "HOME": "/root", "LANG": "C.UTF-8",
       "DEBIAN_FRONTEND": "noninteractive", "TERM": "xterm"}
AI = os.path.join(home.BUILDDIR, "ai")
WORK = "/root/here"
UID = 12346


class Machine:
    def __init__(self, t, root, h):
        self.t, self.root, self.h = t, root, h
        self.user, self.env = [], ENV
        os.makedirs(root.at(WORK))

    def words(self, *words):
        return throwaway.inside(self.root) + [
            *self.user, "sh", "-c", 'cd "$HOME/here" && exec "$@"', "sh",
            *words]

    def talk(self, *words):
        """Says yes to whatever is asked."""
        term = terminal.Terminal(self.h, self.words(*words), cols=200,
                                 rows=50, **self.env)
        for _ in range(12):
            at = term.child.expect(["Type yes to run step", r"uit ?\? $",
                                    terminal.pexpect.EOF], timeout=60)
            term.keep()
            if at == 2:
                break
            term.send("yes\r" if at == 0 else
                      "q" if "etry" in term.text()[-120:] else "r")
        status = term.finish()
        return status, term.text().replace("\r", "")

    def do(self, *steps):
        self.root.put("opt/plan.json", json.dumps({
            "kind": "plan_and_commands", "summary": "A test", "steps": [
                dict({"id": str(i), "description": "Step %d" % i}, **s)
                for i, s in enumerate(steps, 1)]}))
        return self.talk(AI, "do", "--plan", "/opt/plan.json")

    def undo(self, *words):
        return self.talk(AI, "undo", *words)

    def plain(self, *words):
        return subprocess.run(self.words(*words), env=self.env, text=True,
                              capture_output=True, timeout=60, check=False)

    def packages(self):
        """Name, version and whether another package brought it."""
        done = self.plain("dpkg-query", "-W", "-f",
                          "${Package} ${Version} ${db:Status-Status}\\n")
        auto = self.plain("apt-mark", "showauto").stdout.split()
        rows = [line.split() for line in done.stdout.splitlines()]
        return {r[0]: (r[1], r[0] in auto) for r in rows
                if r[2] == "installed"}


def pkg(action, *names, **more):
    return {"tool": "pkg.manage", "action": action,
            "args": dict(packages=list(names), assume_yes=True, **more),
            "shell_command": "apt-get %s %s" % (action, " ".join(names))}


def svc(action):
    return {"tool": "svc.manage", "action": action,
            "args": {"service": "beacon"},
            "shell_command": "service beacon " + action}


def check_install(m):
    before = m.packages()
    status, text = m.do(pkg("install", "little"))
    after = m.packages()
    m.t.ok(status == 0 and after == {"little": ("1", False),
                                     "little-data": ("1", True)} and
           "can be undone: by pkg.manage\n" in text,
           "the review says that an install can be undone", status, after,
           text)
    status, text = m.undo("--dry-run")
    m.t.ok(status == 0 and m.packages() == after and
           "apt-get remove -- little little-data" in text,
           "--dry-run shows the opposite, and does nothing", status, text)
    status, text = m.undo()
    m.t.ok(status == 0 and m.packages() == before and "Type yes" in text and
           "as root: /usr/bin/apt-get" in text,
           "ai undo asks, and removes all that came", status, text)
    status, text = m.undo()
    m.t.ok(status == 0 and m.packages() == after,
           "and that again: with the mark of what came along", status,
           m.packages(), text)


def check_remove(m):
    before = m.packages()
    status, text = m.do(pkg("remove", "little-data"))
    m.t.ok(status == 0 and m.packages() == {} and
           "by pkg.manage, as far as the versions" in text,
           "of a removal it says what that depends on", status, text)
    status, text = m.undo()
    m.t.ok(status == 0 and m.packages() == before,
           "what was removed comes back, versions and marks", status,
           m.packages(), text)


def check_upgrade(m):
    before = m.packages()
    m.root.package("little", "2", Depends="little-data")
    m.plain("apt-get", "update")
    status, text = m.do({"tool": "pkg.manage", "action": "upgrade",
                         "args": {"assume_yes": True},
                         "shell_command": "apt-get upgrade"})
    m.t.is_(m.packages().get("little"), ("2", False), "there is a newer one")
    status, text = m.undo()
    m.t.ok(status == 0 and m.packages() == before and
           "--allow-downgrades" in text,
           "an upgrade is undone while apt has the old version", status, text)
    m.do(pkg("upgrade", "little"))
    m.root.packages = [p for p in m.root.packages
                       if "Package: little\nVersion: 1\n" not in p]
    m.root.put("repo/Packages", "\n".join(m.root.packages))
    m.plain("apt-get", "update")
    status, text = m.undo()
    m.t.ok(status == 1 and m.packages()["little"][0] == "2" and
           "little  left alone: apt cannot get its version 1 any more" in text,
           "afterwards it is left alone, and said", status, text)


def check_since(m):
    m.do(pkg("install", "needed"))
    m.plain("apt-get", "install", "-y", "needs")
    status, text = m.undo()
    m.t.ok(status != 0 and "needed" in m.packages() and
           "needed  left alone: needs needs it now" in text,
           "what another package needs by now stays", status, text)
    m.plain("apt-get", "remove", "-y", "needs", "needed")
    m.do(pkg("install", "g++"))
    m.plain("apt-get", "install", "-y", "--allow-downgrades", "g++=12")
    status, text = m.undo()
    m.t.ok(status != 0 and m.packages().get("g++") == ("12", False) and
           "g++  left alone: it was changed since" in text,
           "what was changed since is left alone", status, text)


def check_line(m):
    before = m.packages()
    status, text = m.do({"shell_command": "apt-get install -y needs"})
    m.t.ok(status == 0 and "needed" in m.packages() and
           "can be undone: by pkg.manage\n" in text,
           "a plain line of apt-get is read the same", status, text)
    status, text = m.undo()
    m.t.ok(status == 0 and m.packages() == before,
           "and undone by the tool", status, m.packages(), text)


def check_somebody(m):
    """A user who may use sudo: the way there and back is the same."""
    if not shutil.which("sudo") or not shutil.which("setpriv"):
        m.t.skip("a user undoes it by sudo", "no sudo here")
        return
    m.root.put("etc/passwd", "root:x:0:0:root:/root:/bin/sh\n"
               "tester:x:%d:%d::/opt/tester:/bin/sh\n" % (UID, UID))
    m.root.put("etc/group", "root:x:0:\ntester:x:%d:\n" % UID)
    m.root.put("etc/sudoers", "Defaults !fqdn, !use_pty\n"
               "tester ALL=(root) NOPASSWD: ALL\n", 0o440)
    m.root.put("etc/hosts", "127.0.0.1 localhost %s\n" % os.uname().nodename)
    for name in ("sudo", "other"):
        m.root.put("etc/pam.d/" + name, "auth sufficient pam_permit.so\n"
                   "account sufficient pam_permit.so\n"
                   "session sufficient pam_permit.so\n")
    os.makedirs(m.root.at("opt/tester/here"))
    m.root.put("opt/tester/here/note", "mine\n")
    for name in ("opt/tester", "opt/tester/here", "opt/tester/here/note"):
        os.chown(m.root.at(name), UID, UID)
    os.makedirs(m.root.at("dev/pts"))  # sudo asks at the terminal
    throwaway.mount("--rbind", "/dev/pts", m.root.at("dev/pts"))
    m.root.put("dev/tty", "")
    throwaway.mount("--bind", "/dev/tty", m.root.at("dev/tty"))
    before = m.packages()
    m.user = ["setpriv", "--reuid=%d" % UID, "--regid=%d" % UID,
              "--clear-groups"]
    m.env = dict(ENV, HOME="/opt/tester", **{
        "XDG_%s_HOME" % name: "/opt/tester/" + name.lower()
        for name in ("CONFIG", "STATE", "DATA", "CACHE")})
    if m.plain("sudo", "-n", "true").returncode:
        m.t.skip("a user undoes it by sudo", "sudo does not work here")
    else:
        status, text = m.do(pkg("install", "needs"),
                            {"shell_command": "rm note"})
        m.t.ok(status == 0 and "needed" in m.packages(),
               "a user installs by sudo, and removes a file", status, text)
        status, text = m.undo()
        m.t.ok(status == 0 and m.packages() == before and
               m.root.read("opt/tester/here/note") == "mine\n",
               "and undoes both in one plan", status, m.packages(), text)
    m.user, m.env = [], ENV


def check_killed(m):
    """The front is killed while apt works; how it ended nobody knows."""
    before = m.packages()
    m.root.put("etc/apt/apt.conf.d/slow",
               'DPkg::Post-Invoke { "read x < /tmp/wait || true"; };\n')
    os.mkfifo(m.root.at("tmp/wait"))
    fifo = os.open(m.root.at("tmp/wait"), os.O_RDWR)
    m.root.put("root/plan.json", json.dumps({
        "kind": "plan_and_commands", "summary": "A test",
        "steps": [dict(pkg("install", "needs"), id="1", description="S")]}))
    term = terminal.Terminal(m.h, m.words(AI, "do", "--plan",
                                          "/root/plan.json"), cols=200, **ENV)
    for text, key in (("uit ?", "r"), ("Type yes to run step", "yes\r")):
        term.wait_for(text)
        term.send(key)
    here = tap.poll(lambda: "needs" in m.packages())
    for pid, name in m.h.left(True).items():
        if "agentsh-front" in name or "/ai" in name:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
    term.finish()
    os.unlink(m.root.at("etc/apt/apt.conf.d/slow"))
    os.write(fifo, b"\n" * 10)  # nobody may wait there any more
    status, text = m.undo()
    m.t.ok(here and status == 0 and m.packages() == before and
           "how this ended is not known" in text,
           "after a SIGKILL what differs now is undone, and that is said",
           here, status, m.packages(), text)


def runs(m):
    return os.path.exists(m.root.at("run/beacon.pid"))


def check_services(m):
    m.plain("apt-get", "install", "-y", "beacon")
    status, text = m.do(svc("start"), svc("enable"))
    m.t.ok(status == 0 and runs(m) and text.count(
        "can be undone: by svc.manage") >= 2, "a service is started", status,
        text)
    enabled = m.plain("ls", "/etc/rc2.d").stdout
    status, text = m.undo()
    m.t.ok(status == 0 and not runs(m) and "S01beacon" in enabled and
           "S01beacon" not in m.plain("ls", "/etc/rc2.d").stdout,
           "ai undo stops it, and does not start it at boot", status, enabled,
           text)
    status, text = m.undo()
    m.t.ok(status == 0 and runs(m), "and that again", status, text)
    m.do(svc("stop"))
    m.plain("service", "beacon", "start")
    status, text = m.undo()
    m.t.ok(status == 1 and runs(m) and "nothing is to be put back" in text,
           "what runs again by now needs nothing", status, text)
    m.plain("service", "beacon", "stop")


def main():
    t = tap.Tap()
    if throwaway.INSIDE not in os.environ:
        why = throwaway.why_not()
        if why:
            t.skip_all(why)
    root = throwaway.Root(throwaway.enter(), [home.BUILDDIR, home.SRCDIR])
    root.package("little", "1", Depends="little-data")
    root.package("little-data", "1")
    root.package("needs", "1", Depends="needed")
    root.package("needed", "1")
    root.package("g++", "12")
    root.package("g++", "13")
    root.package("beacon", "1", [("/etc/init.d/beacon", SCRIPT, 0o755)])
    with home.Home() as h:
        m = Machine(t, root, h)
        m.plain("apt-get", "update")
        for check in (check_install, check_remove, check_upgrade, check_since,
                      check_line, check_services, check_somebody, check_killed):
            check(m)
    t.done()


if __name__ == "__main__":
    main()
