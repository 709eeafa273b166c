#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test_real_managers.py - pkg.manage with the real apt, svc.manage with real
init scripts, in a root file system that is thrown away: first with a test in
the front's place, then through agentsh itself."""

import json
import os
import shutil
import signal
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))
sys.path.insert(0, os.path.dirname(__file__))

import front  # noqa: E402
import home  # noqa: E402
import tap  # noqa: E402
import throwaway  # noqa: E402

YES = {"assume_yes": True}
ENV = {"PATH": throwaway.PATH, "HOME": "/root", "LANG": "C.UTF-8",
       "DEBIAN_FRONTEND": "noninteractive"}
SCRIPT = """#!/bin/sh
### BEGIN INIT INFO
# Provides:          beacon
# Required-Start:
# Required-Stop:
# Default-Start:     2 3 4 5
# Default-Stop:      0 1 6
# Short-Description: does nothing, for long
### END INIT INFO
ssd() { start-stop-daemon --pidfile /run/beacon.pid "$@"; }
case $1 in
start) ssd --start --oknodo --background --make-pidfile \\
    --exec /usr/bin/sleep -- 1000 ;;
stop) ssd --stop --oknodo --retry 5 --remove-pidfile ;;
restart) "$0" stop && "$0" start ;;
status) ssd --status ;;
*) exit 3 ;;
esac
"""


class Agentsh:
    """The same tools, called as a person's script would: by agentsh, behind
    their walls."""

    def __init__(self, tool, root, *before):
        self.tool = tool
        self.words = throwaway.inside(root) + [
            *before, os.path.join(home.BUILDDIR, "agentsh"), "tool", "call"]
        self.needs = []

    def call(self, action, args):
        request = {"tool": self.tool, "action": action, "args": args}
        done = subprocess.run(self.words, input=json.dumps(request) + "\n",
                              env=ENV, capture_output=True, text=True,
                              timeout=front.SECONDS, check=False)
        return json.loads(done.stdout or "{}")

    def is_confined(self):
        response = self.call("search", {"query": "x"})
        return response.get("meta", {}).get("error_code") != \
            "SANDBOX_UNAVAILABLE"


class Machine:
    def __init__(self, t, root):
        self.t, self.root = t, root
        before = ["chroot", root.path]
        self.pkg = front.Front("pkg.manage", ENV, before)
        self.svc = front.Front("svc.manage", ENV, before)

    def says(self, f, action, args, ok, meta, name):
        response = f.call(action, args)
        have = response.get("meta", {})
        good = response.get("ok") is ok and all(
            have.get(k) == v for k, v in meta.items())
        self.t.ok(good, name, response, f.needs)
        return response

    def has(self, name):
        return os.path.exists(self.root.at(name))


def check_packages(m):
    t, pkg = m.t, m.pkg
    m.says(pkg, "install", {"packages": ["little"]}, False,
           {"error_code": "NOT_FOUND", "manager": "apt"},
           "apt does not know a package before it has read its list")
    m.says(pkg, "update", {}, True, {"exit_code": 0}, "apt reads its list")
    found = m.says(pkg, "search", {"query": "called little"}, True,
                   {"exit_code": 0}, "apt searches")
    t.ok("little-data" in found["stdout"] and not pkg.needs,
         "apt finds, without a need", found)
    m.says(pkg, "install", dict(YES, packages=["little"]), True,
           {"packages_installed": ["little", "little-data"],
            "packages_removed": [], "packages_upgraded": []},
           "apt installs a package and what it needs")
    t.is_(m.root.read("opt/little/file"), "1\n", "its file is there")
    m.says(pkg, "install", {"packages": ["little"]}, True,
           {"packages_installed": [], "exit_code": 0},
           "what is there is not installed twice")
    for name in ("little-", "little+", "lit.le", "little:all-"):
        m.says(pkg, "install", dict(YES, packages=[name]), False,
               {"error_code": "NOT_FOUND"}, name + " is no package")
        t.ok(m.has("opt/little/file") and not pkg.needs,
             name + " is no order either", pkg.needs)
    m.says(pkg, "install", {"packages": ["g++"]}, True,
           {"packages_installed": ["g++"]},
           "a name that ends in + is a name where there is such a package")
    m.says(pkg, "remove", {"packages": ["g++"]}, False,
           {"error_code": "IO_ERROR", "exit_code": 1},
           "a question that nobody answers is no yes")
    m.says(pkg, "remove", dict(YES, packages=["no-such-zz"]), False,
           {"error_code": "NOT_FOUND"}, "what is not known is not removed")


def check_upgrades(m):
    m.root.package("little", "2", [("/opt/little/file", "2\n", 0o644)],
                   Depends="little-data")
    m.root.package("little-data", "2")
    m.says(m.pkg, "update", {}, True, {}, "apt reads the longer list")
    m.says(m.pkg, "upgrade", dict(YES, packages=["little-data"]), True,
           {"packages_upgraded": ["little-data"], "packages_installed": []},
           "apt upgrades one package")
    m.says(m.pkg, "upgrade", YES, True, {"packages_upgraded": ["little"]},
           "apt upgrades the rest")
    m.t.is_(m.root.read("opt/little/file"), "2\n", "its new file is there")
    m.says(m.pkg, "remove", dict(YES, packages=["little-data"]), True,
           {"packages_removed": ["little", "little-data"]},
           "apt removes a package and what needs it")
    m.t.ok(not m.has("opt/little/file"), "its file is gone")
    m.pkg.refuses = True
    m.says(m.pkg, "install", dict(YES, packages=["little"]), False,
           {"error_code": "PERMISSION_DENIED", "packages_installed": None},
           "what is refused is not done")
    m.pkg.refuses = False
    m.t.ok(not m.has("opt/little/file"), "and its file is not there")


def check_configuration(m):
    file = "/etc/keeper.conf"
    m.root.package("keeper", "1", [(file, "theirs\n", 0o644),
                                   ("/DEBIAN/conffiles", file + "\n", 0o644)])
    m.says(m.pkg, "update", {}, True, {}, "apt reads of a third package")
    m.says(m.pkg, "install", dict(YES, packages=["keeper"]), True,
           {"packages_installed": ["keeper"]}, "one with a configuration file")
    m.root.put(file, "mine\n")
    m.root.package("keeper", "2", [(file, "newer\n", 0o644),
                                   ("/DEBIAN/conffiles", file + "\n", 0o644)])
    m.says(m.pkg, "update", {}, True, {}, "there is a newer one")
    m.says(m.pkg, "upgrade", dict(YES, packages=["keeper"]), True,
           {"packages_upgraded": ["keeper"]},
           "it is upgraded though the file was changed")
    m.t.is_(m.root.read(file), "mine\n", "and the changed file stays")


def pid(m):
    return int(m.root.read("run/beacon.pid"))


def check_running(m):
    svc, name = m.svc, {"service": "beacon"}
    m.says(svc, "start", name, True,
           {"service_state": "running", "exit_code": 0},
           "a service is started")
    first = pid(m)
    m.says(svc, "status", name, True,
           {"service_state": "running", "exit_code": 0},
           "its status says so, without a need")
    m.t.is_(svc.needs, [], "no need was written")
    m.says(svc, "restart", name, True, {"service_state": "running"},
           "it is restarted")
    m.t.ok(pid(m) != first, "it is another process now")
    os.kill(pid(m), signal.SIGKILL)
    gone = m.root.at("proc/%d" % pid(m))
    tap.poll(lambda: not os.path.exists(gone))
    m.says(svc, "status", name, True, {"service_state": "failed"},
           "one that was killed has failed")
    m.says(svc, "start", name, True, {"service_state": "running"},
           "it is started again")
    m.says(svc, "reload", name, False,
           {"error_code": "UNSUPPORTED", "service_state": "running"},
           "what its script cannot do is unsupported")
    m.says(svc, "stop", name, True, {"service_state": "stopped"},
           "it is stopped")
    m.says(svc, "status", name, True,
           {"service_state": "stopped", "exit_code": 3},
           "its status says that, too")


def check_services(m):
    svc, name = m.svc, {"service": "beacon"}
    m.says(svc, "status", name, False, {"error_code": "NOT_FOUND"},
           "there is no such service")
    m.says(m.pkg, "install", dict(YES, packages=["beacon"]), True,
           {"packages_installed": ["beacon"]}, "a package brings one")
    m.says(svc, "status", name, True,
           {"service_state": "stopped", "enabled": False,
            "manager": "sysvinit"}, "it is there, and stopped")
    check_running(m)
    m.says(svc, "enable", name, True, {"enabled": True},
           "it is enabled")
    m.says(svc, "disable", name, True, {"enabled": False},
           "it is disabled")
    m.says(svc, "enable", name, True, {"enabled": True},
           "it is enabled once more")
    svc.refuses = True
    m.says(svc, "start", name, False,
           {"error_code": "PERMISSION_DENIED", "service_state": "stopped"},
           "what is refused is not done to a service")
    m.t.ok(not m.has("run/beacon.pid"), "and it does not run")


def check_confined(m):
    """As check_packages and check_running, in short."""
    pkg = Agentsh("pkg.manage", m.root)
    svc = Agentsh("svc.manage", m.root)
    name = {"service": "beacon"}
    if not pkg.is_confined():
        m.t.skip("agentsh calls the tools", "it has no walls here")
        return
    found = m.says(pkg, "search", {"query": "called little"}, True, {},
                   "agentsh searches")
    m.t.ok("little-data" in found["stdout"], "and finds", found)
    m.says(pkg, "install", dict(YES, packages=["little"]), True,
           {"packages_installed": ["little", "little-data"]},
           "agentsh installs for root")
    m.t.is_(m.root.read("opt/little/file"), "2\n", "the package is there")
    m.says(svc, "start", name, True, {"service_state": "running"},
           "agentsh starts a service for root")
    m.says(svc, "status", name, True, {"service_state": "running"},
           "the service outlives the agentsh that started it")
    m.says(svc, "restart", name, True, {"service_state": "running"},
           "agentsh restarts it")
    m.says(svc, "stop", name, True, {"service_state": "stopped"},
           "agentsh stops it")
    m.says(pkg, "install", {"packages": ["--x"]}, False,
           {"error_code": "INVALID_ARGS"}, "agentsh takes no option")
    m.says(pkg, "explode", {"packages": ["x"]}, False,
           {"error_code": "INVALID_ARGS"}, "agentsh knows no such action")


def check_somebody(m):
    before = [shutil.which("setpriv", path=throwaway.PATH), "--reuid=12345",
              "--regid=12345", "--clear-groups"]
    if not before[0]:
        m.t.skip("somebody else is told what to type", "no setpriv here")
        return
    pkg = Agentsh("pkg.manage", m.root, *before)
    svc = Agentsh("svc.manage", m.root, *before)
    if not pkg.is_confined():
        m.t.skip("somebody else is told what to type", "no walls for them")
        return
    told = m.says(pkg, "remove", dict(YES, packages=["little"]), False,
                  {"error_code": "PERMISSION_DENIED"},
                  "somebody else is refused")
    m.t.ok("To do: sudo /usr/bin/apt-get -q -y " in told["stderr"] and
           " remove -- little" in told["stderr"],
           "somebody else is told what to type", told)
    m.t.ok(m.has("opt/little/file"), "and nothing is removed")
    m.says(svc, "status", {"service": "beacon"}, True,
           {"service_state": "stopped"}, "somebody else may look at a service")
    found = m.says(pkg, "search", {"query": "called little"}, True, {},
                   "somebody else may search")
    m.t.ok("little-data" in found["stdout"], "somebody else finds", found)


def main():
    t = tap.Tap()
    if throwaway.INSIDE not in os.environ:
        why = throwaway.why_not()
        if why:
            t.skip_all(why)
    root = throwaway.Root(throwaway.enter(), [home.BUILDDIR])
    root.package("little", "1", [("/opt/little/file", "1\n", 0o644)],
                 Depends="little-data")
    root.package("little-data", "1")
    root.package("g++", "12")
    root.package("beacon", "1", [("/etc/init.d/beacon", SCRIPT, 0o755)])
    m = Machine(t, root)
    check_packages(m)
    check_upgrades(m)
    check_configuration(m)
    check_services(m)
    check_confined(m)
    check_somebody(m)
    t.done()


if __name__ == "__main__":
    main()
