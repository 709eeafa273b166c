#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test_fake_managers.py - pkg.manage and svc.manage with managers that are
not on this machine: FAKE programs that replay transcripts, which were written
from documentation (fake-transcripts/README)."""

import os
import shutil
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))
sys.path.insert(0, os.path.dirname(__file__))

import front  # noqa: E402
import tap  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
SOMEBODY = 12345
YES = {"assume_yes": True}
PKG, SVC = "pkg.manage", "svc.manage"

# name, transcript, programs, tool, action, args, the needs, what the response
# holds: ok, members of meta, and a text in stdout or stderr
ROWS = [
    ("dnf installs, and says what else changed", "dnf", "dnf rpm", PKG,
     "install", dict(YES, packages=["jq"]), ["dnf install -y jq"], True,
     {"manager": "dnf", "exit_code": 0, "packages_removed": [],
      "packages_installed": ["jq", "kernel-core"],
      "packages_upgraded": ["oniguruma"]}, "Complete!"),
    ("dnf knows no such package", "dnf", "dnf rpm", PKG, "install",
     {"packages": ["no-such-zz"]}, ["dnf install no-such-zz"], False,
     {"error_code": "NOT_FOUND", "exit_code": 1}, "no such package: no-such-zz"),
    ("dnf asks, and nobody answers", "dnf", "dnf rpm", PKG, "install",
     {"packages": ["jq"]}, ["dnf install jq"], False,
     {"error_code": "IO_ERROR", "exit_code": 1}, "assume_yes"),
    ("dnf searches without a need", "dnf", "dnf rpm", PKG, "search",
     {"query": "jq"}, [], True, {"exit_code": 0}, "jq.x86_64"),
    ("dnf reads its lists again", "dnf", "dnf rpm", PKG, "update", {},
     ["dnf makecache"], True, {"exit_code": 0}, "cache created"),
    ("without rpm dnf still works", "dnf", "dnf", PKG, "upgrade", YES,
     ["dnf upgrade -y"], True, {"exit_code": 0, "packages_upgraded": None},
     ""),
    ("pacman installs", "pacman", "pacman", PKG, "install",
     dict(YES, packages=["jq"]), ["pacman -S --noconfirm -- jq"], True,
     {"packages_installed": ["jq"], "packages_upgraded": []}, "installing jq"),
    ("pacman removes", "pacman-remove", "pacman", PKG, "remove",
     dict(YES, packages=["jq"]), ["pacman -R --noconfirm -- jq"], True,
     {"packages_removed": ["jq"], "packages_installed": []}, "removing jq"),
    ("pacman upgrades", "pacman-remove", "pacman", PKG, "upgrade", YES,
     ["pacman -Su --noconfirm"], True, {"packages_upgraded": ["linux"]}, ""),
    ("pacman upgrades no single package", "pacman", "pacman", PKG, "upgrade",
     {"packages": ["jq"]}, [], False, {"error_code": "UNSUPPORTED"},
     "pacman upgrades all or nothing"),
    ("pacman knows no such package", "pacman", "pacman", PKG, "install",
     {"packages": ["no-such-zz"]}, ["pacman -S -- no-such-zz"], False,
     {"error_code": "NOT_FOUND"}, "target not found"),
    ("a search of pacman without a match is no fault", "pacman", "pacman",
     PKG, "search", {"query": "nothing-like-this"}, [], True,
     {"exit_code": 0}, ""),
    ("pacman reads its lists again", "pacman", "pacman", PKG, "update", {},
     ["pacman -Sy"], True, {"packages_installed": None}, "up to date"),
    ("zypper installs", "zypper", "zypper rpm", PKG, "install",
     dict(YES, packages=["jq"]), ["zypper --non-interactive install -- jq"],
     True, {"packages_installed": ["jq", "libjq1", "libonig4"]}, "done"),
    ("zypper says by its status that there is no such package", "zypper",
     "zypper rpm", PKG, "install", {"packages": ["no-such-zz"]},
     ["zypper install -- no-such-zz"], False,
     {"error_code": "NOT_FOUND", "exit_code": 104}, "No provider"),
    ("a search of zypper without a match is no fault", "zypper",
     "zypper rpm", PKG, "search", {"query": "nothing-like-this"}, [], True,
     {"exit_code": 0}, "No matching"),
    ("a reboot that zypper asks for is no fault", "zypper", "zypper rpm",
     PKG, "upgrade", YES, ["zypper --non-interactive update"], True,
     {"exit_code": 102}, "reboot"),
    ("apk installs and never asks", "apk", "apk", PKG, "install",
     {"packages": ["jq"]}, ["apk add jq"], True,
     {"packages_installed": ["jq", "oniguruma"],
      "packages_upgraded": ["musl", "musl-utils"]}, "Installing jq"),
    ("apk knows no such package", "apk", "apk", PKG, "install",
     {"packages": ["no-such-zz"]}, ["apk add no-such-zz"], False,
     {"error_code": "NOT_FOUND"}, "no such package"),
    ("apk searches", "apk", "apk", PKG, "search", {"query": "jq"}, [], True,
     {"exit_code": 0}, "jq-1.7.1-r0"),
    ("brew installs without a need", "brew", "brew", PKG, "install",
     {"packages": ["jq"]}, [], True,
     {"packages_installed": ["jq", "oniguruma"],
      "packages_upgraded": ["python@3.12"]},
     "Installing jq"),
    ("brew knows no such package", "brew", "brew", PKG, "install",
     {"packages": ["no-such-zz"]}, [], False, {"error_code": "NOT_FOUND"},
     "No available formula"),
    ("a search of brew without a match is no fault", "brew", "brew", PKG,
     "search", {"query": "nothing-like-this"}, [], True, {"exit_code": 0},
     "No formulae"),
    ("a manager that is not here is named", "apk", "apk", PKG, "install",
     {"packages": ["jq"], "manager": "dnf"}, [], False,
     {"error_code": "UNSUPPORTED"}, "dnf"),
    ("without any manager each is named", "apk", "", PKG, "install",
     {"packages": ["jq"]}, [], False, {"error_code": "UNSUPPORTED"},
     "apt-get, pacman, zypper, dnf, apk, brew"),
    ("systemd tells how a service is", "systemctl", "systemctl", SVC,
     "status", {"service": "cron.service"}, [], True,
     {"service_state": "running", "enabled": False, "main_pid": 612,
      "detail": "active/running"}, "cron.service: running"),
    ("systemd restarts, and the state is the one afterwards", "systemctl",
     "systemctl", SVC, "restart", {"service": "nginx"},
     ["systemctl --no-ask-password restart -- nginx"], True,
     {"service_state": "running", "enabled": True, "exit_code": 0}, ""),
    ("systemd says of a failed service that it failed", "systemctl",
     "systemctl", SVC, "status", {"service": "nginx"}, [], True,
     {"service_state": "failed", "main_pid": None}, "nginx: failed"),
    ("systemd reloads", "systemctl", "systemctl", SVC, "reload",
     {"service": "nginx"}, ["systemctl --no-ask-password reload -- nginx"],
     True, {"service_state": "running"}, ""),
    ("what cannot reload is not asked to", "systemctl", "systemctl", SVC,
     "reload", {"service": "cron.service"}, [], False,
     {"error_code": "UNSUPPORTED"}, "restart makes it"),
    ("a unit's escaped name is a name", "systemctl", "systemctl", SVC,
     "status", {"service": "dev-disk-by\\x2duuid.swap"}, [], True,
     {"service_state": "running", "enabled": None}, ""),
    ("no such unit", "systemctl", "systemctl", SVC, "restart",
     {"service": "no-such-zz"}, [], False, {"error_code": "NOT_FOUND"},
     "no-such-zz"),
    ("what systemd does not do is an error", "systemctl", "systemctl", SVC,
     "stop", {"service": "cron.service"},
     ["systemctl --no-ask-password stop -- cron.service"], False,
     {"error_code": "IO_ERROR", "service_state": "running"}, "refused"),
    ("no bus and no unit file: no such unit", "systemctl-walls", "systemctl",
     SVC, "status", {"service": "agentsh-no-such-unit"}, [], False,
     {"error_code": "NOT_FOUND"}, "agentsh-no-such-unit"),
    ("OpenRC starts, and the state is the one afterwards", "openrc",
     "rc-service rc-update", SVC, "start", {"service": "sshd"},
     ["rc-service sshd start"], True,
     {"service_state": "running", "enabled": True}, "Starting sshd"),
    ("OpenRC says that a service crashed", "openrc", "rc-service rc-update",
     SVC, "status", {"service": "ntpd"}, [], True,
     {"service_state": "failed", "enabled": False, "exit_code": 32},
     "crashed"),
    ("OpenRC enables", "openrc", "rc-service rc-update", SVC, "enable",
     {"service": "sshd"}, ["rc-update add sshd default"], True,
     {"enabled": True}, ""),
    ("OpenRC knows no such service", "openrc", "rc-service rc-update", SVC,
     "stop", {"service": "no-such-zz"}, [], False,
     {"error_code": "NOT_FOUND"}, "no-such-zz"),
    ("launchd restarts a service that failed", "launchctl", "launchctl", SVC,
     "restart", {"service": "com.example.web"},
     ["launchctl kickstart -k system/com.example.web"], True,
     {"service_state": "running", "enabled": True, "main_pid": 311}, ""),
    ("launchd says that a service failed", "launchctl", "launchctl", SVC,
     "status", {"service": "com.example.web"}, [], True,
     {"service_state": "failed"}, "EX_CONFIG"),
    ("launchd knows no such service", "launchctl", "launchctl", SVC,
     "status", {"service": "no-such-zz"}, [], False,
     {"error_code": "NOT_FOUND"}, "no-such-zz"),
]

# tool, action, args, what the reason names; no manager is here or needed
BAD = [
    (PKG, "explode", {}, "explode"),
    (PKG, "install", {}, "packages"),
    (PKG, "install", {"packages": []}, "packages"),
    (PKG, "install", {"packages": "jq"}, "packages"),
    (PKG, "install", {"packages": None}, "packages"),
    (PKG, "install", {"packages": ["a"] * 65}, "packages"),
    (PKG, "install", {"packages": ["a", 1]}, "packages[1]"),
    (PKG, "install", {"packages": ["a", ""]}, "packages[1]"),
    (PKG, "install", {"packages": ["a" * 129]}, "packages[0]"),
    (PKG, "install", {"packages": ["--allow-unauthenticated"]}, "packages[0]"),
    (PKG, "install", {"packages": ["x; touch /tmp/pwn"]}, "packages[0]"),
    (PKG, "install", {"packages": ["./x.deb"]}, "packages[0]"),
    (PKG, "install", {"packages": ["a/../b"]}, "packages[0]"),
    (PKG, "install", {"packages": ["a\0b"]}, "packages[0]"),
    (PKG, "install", {"packages": ["a\n"]}, "packages[0]"),
    (PKG, "install", {"packages": ["a*"]}, "packages[0]"),
    (PKG, "install", {"packages": ["\u00e4"]}, "packages[0]"),
    (PKG, "remove", {"packages": ["a"], "assume_yes": "yes"}, "assume_yes"),
    (PKG, "remove", {"packages": ["a"], "manager": 1}, "manager"),
    (PKG, "remove", {"packages": ["a"], "manager": "winget"}, "winget"),
    (PKG, "remove", {"packages": ["a"], "query": "a"}, "query"),
    (PKG, "upgrade", {"packages": []}, "packages"),
    (PKG, "update", {"packages": ["a"]}, "packages"),
    (PKG, "search", {}, "query"),
    (PKG, "search", {"query": ""}, "query"),
    (PKG, "search", {"query": "-o"}, "query"),
    (PKG, "search", {"query": "a\nb"}, "query"),
    (PKG, "search", {"query": "a\0b"}, "query"),
    (PKG, "search", {"query": "a" * 129}, "query"),
    (PKG, "search", {"query": ["a"]}, "query"),
    (PKG, "install", {"packages": ["a"], "versions": []}, "versions"),
    (PKG, "install", {"packages": ["a"], "versions": ["-o"]}, "versions[0]"),
    (PKG, "install", {"packages": ["a"], "versions": ["1 2"]}, "versions[0]"),
    (PKG, "remove", {"packages": ["a"], "versions": ["1"]}, "versions"),
    (PKG, "mark", {"packages": ["a"], "automatic": 1}, "automatic"),
    (PKG, "remove", {"packages": ["a"], "automatic": True}, "automatic"),
    (PKG, "state", {"of": {"manager": 1}}, "manager"),
    (SVC, "state", {"of": {"service": "-H"}}, "service"),
    (SVC, "reverse", {"of": {}, "changes": []}, "service"),
    (SVC, "explode", {"service": "x"}, "explode"),
    (SVC, "status", {}, "service"),
    (SVC, "status", {"service": None}, "service"),
    (SVC, "status", {"service": 7}, "service"),
    (SVC, "status", {"service": ""}, "service"),
    (SVC, "stop", {"service": "-H"}, "service"),
    (SVC, "stop", {"service": "--force"}, "service"),
    (SVC, "stop", {"service": "a b"}, "service"),
    (SVC, "stop", {"service": "*"}, "service"),
    (SVC, "stop", {"service": "../../tmp/x"}, "service"),
    (SVC, "stop", {"service": ".."}, "service"),
    (SVC, "stop", {"service": "a\0"}, "service"),
    (SVC, "stop", {"service": "a" * 256}, "service"),
    (SVC, "start", {"service": "a", "manager": "upstart"}, "upstart"),
    (SVC, "start", {"service": "a", "manager": []}, "manager"),
]

# transcript, programs, tool, of; the changes: name, before, after; the commands
# of the calls that take them back, and what is left alone
REVERSALS = [
    ("pacman", "pacman", PKG, {},
     [("oniguruma", None, "6.9.9-1 auto"), ("jq", "1.7.1-2 auto", None),
      ("linux", "6.8.1", "6.9.3.arch1-1"), ("bash", "5.1", "5.3")],
     ["pacman -R -- oniguruma", "pacman -S -- jq",
      "pacman -D --asdeps -- jq"],
     {"linux": "pacman cannot get its version 6.8.1",
      "bash": "it was changed since"}),
    ("pacman", "pacman", PKG, {},
     [("bash", "5.2.026-2 auto", "5.2.026-2"), ("jq", None, None),
      ("oniguruma", "6.9.9-1", "6.9.9-1 auto")],
     ["pacman -D --asdeps -- bash", "pacman -D --asexplicit oniguruma"], {}),
    ("dnf", "dnf rpm", PKG, {},
     [("oniguruma", "6.9.7-1.fc40.x86_64", "6.9.8-1.fc40.x86_64"),
      ("kernel-core", None, "6.8.5-301.fc40.x86_64"),
      ("bash", "5.2.1-1.fc40.x86_64", "5.2.26-3.fc40.x86_64"),
      ("jq", "1.7-1.fc40.x86_64", None)],
     ["dnf remove kernel-core",
      "dnf install oniguruma-6.9.7-1.fc40.x86_64", "dnf install jq"],
     {"bash": "dnf cannot get its version 5.2.1-1.fc40.x86_64 any more"}),
    ("zypper", "zypper rpm", PKG, {},
     [("bash", None, "5.2.15-150500.1.1.x86_64"), ("jq", "1.6-1.x86_64", None)],
     ["zypper remove -- bash", "zypper install -- jq"], {}),
    ("apk", "apk", PKG, {},
     [("musl", None, "1.2.5-r0"), ("jq", "1.7.1-r0", None),
      ("busybox", "1.36.0-r1", "1.36.1-r28")],
     ["apk del musl", "apk add jq"],
     {"busybox": "apk cannot get its version 1.36.0-r1"}),
    ("brew", "brew", PKG, {},
     [("openssl@3", None, "3.3.1"), ("jq", "1.7.1", None),
      ("python@3.12", "3.12.3", "3.12.3 3.12.4")],
     ["brew uninstall openssl@3", "brew install jq"],
     {"python@3.12": "it has several versions"}),
    ("systemctl", "systemctl", SVC, {"service": "cron.service"},
     [("active", "not running", "running"), ("boot", "yes", "no")],
     ["systemctl stop cron.service", "systemctl enable cron.service"], {}),
    ("systemctl", "systemctl", SVC, {"service": "cron.service"},
     [("active", "running", "not running"), ("boot", None, "no")],
     [], {"whether it is started at boot": "it is not known how it was"}),
    ("systemctl", "systemctl", SVC, {"service": "nginx"},
     [("active", "running", "not running"), ("boot", "no", "yes")],
     ["systemctl start nginx", "systemctl disable nginx"], {}),
    ("openrc", "rc-service rc-update", SVC, {"service": "sshd"},
     [("active", "running", "not running"), ("boot", "no", "yes")],
     ["rc-service sshd start", "rc-update delete sshd default"], {}),
    ("launchctl", "launchctl", SVC, {"service": "com.example.web"},
     [("active", "running", "not running"), ("boot", "no", "yes")],
     ["launchctl kickstart system/com.example.web",
      "launchctl disable system/com.example.web"], {}),
]

MANAGER = {"dnf": "dnf", "pacman": "pacman", "pacman-remove": "pacman",
           "zypper": "zypper", "apk": "apk", "brew": "brew",
           "systemctl": "systemd", "systemctl-walls": "systemd",
           "openrc": "openrc", "launchctl": "launchd"}


class Fakes:
    """A directory of fake programs, and a front that finds them alone."""

    def __init__(self, transcript, programs):
        self.root = tempfile.mkdtemp(prefix="agentsh-fake-")
        self.bin = os.path.join(self.root, "bin")
        os.mkdir(self.bin)
        text = os.path.join(self.root, "transcript")
        calls = os.path.join(self.root, "calls")
        shutil.copy(os.path.join(
            HERE, "fake-transcripts", "fake-%s.txt" % transcript), text)
        for name in programs.split():
            shutil.copy(os.path.join(HERE, "fake-program"),
                        os.path.join(self.bin, name))
        with open(calls, "w", encoding="utf-8"):
            pass
        self.env = {"PATH": self.bin, "HOME": self.root, "LANG": "de_DE.UTF-8",
                    "FAKE_TRANSCRIPT": text, "FAKE_CALLS": calls}

    def give_to(self, uid):
        for where, _, files in os.walk(self.root):
            os.chown(where, uid, uid)
            for name in files:
                os.chown(os.path.join(where, name), uid, uid)

    def __enter__(self):
        return self

    def __exit__(self, *why):
        shutil.rmtree(self.root, ignore_errors=True)


def holds(response, ok, meta, text):
    printed = response.get("stdout", "") + response.get("stderr", "")
    have = response.get("meta", {})
    return response.get("ok") is ok and text in printed and all(
        have.get(k) == v for k, v in meta.items()) and "duration_ms" in have


def somebody(fakes):
    """What makes root somebody else: brew refuses root."""
    fakes.give_to(SOMEBODY)
    return (shutil.which("setpriv"), "--reuid=%d" % SOMEBODY,
            "--regid=%d" % SOMEBODY, "--clear-groups")


def check(t, row):
    name, transcript, programs, tool, action, args, needs, ok, meta, text = row
    if programs:
        args = dict({"manager": MANAGER[transcript]}, **args)
    with Fakes(transcript, programs) as fakes:
        f = front.Front(tool, fakes.env, by_base=True)
        if transcript == "brew" and os.geteuid() == 0:
            f.before = somebody(fakes)
        response = f.call(action, args)
        printed = [" ".join([os.path.basename(n[0])] + n[1:]) for n in f.needs]
        t.ok(holds(response, ok, meta, text) and printed == needs,
             "fake: " + name, response, printed)


def check_reversal(t, row):
    transcript, programs, tool, of, changes, commands, left = row
    of = dict({"manager": MANAGER[transcript]}, **of)
    with Fakes(transcript, programs) as fakes:
        f = front.Front(tool, fakes.env, by_base=True)
        if transcript == "brew" and os.geteuid() == 0:
            f.before = somebody(fakes)
        response = f.call("reverse", {"of": of, "changes": [
            dict(zip(("name", "before", "after"), c)) for c in changes]})
        meta = response.get("meta", {})
        have = {x["name"]: x["why"] for x in meta.get("left", [])}
        t.ok([c["command"] for c in meta.get("calls", [])] == commands and
             have == left and not f.needs,
             "fake: %s knows the way back" % of["manager"], response)
        fine = set(front.manifest(tool)["actions"]) - {"state", "reverse"}
        t.ok(all(c["action"] in fine and c["says"] and
                 c["args"]["manager"] == of["manager"]
                 for c in meta.get("calls", [])),
             "by calls of its own actions, for the same manager", response)
    with Fakes(transcript, programs) as fakes:
        f = front.Front(tool, fakes.env, by_base=True)
        if transcript == "brew" and os.geteuid() == 0:
            f.before = somebody(fakes)
        state = f.call("state", {"of": of}).get("meta", {}).get("state", {})
        unknown = [c[0] for c in changes if c[2] and c[0] not in state]
        t.ok(state and not unknown and all(
            isinstance(v, str) for v in state.values()),
             "fake: %s tells how it is" % of["manager"], state, unknown)


def check_bad(t):
    with Fakes("apk", "") as fakes:
        for tool, action, args, named in BAD:
            f = front.Front(tool, fakes.env)
            response = f.call(action, args)
            t.ok(holds(response, False, {"error_code": "INVALID_ARGS"}, named)
                 and not f.needs, "%s %s refuses %.60s" % (
                     tool, action, ascii(args)), response, f.needs)


def check_refusals(t):
    with Fakes("apk", "apk") as fakes:
        f = front.Front(PKG, fakes.env, refuses=True, by_base=True)
        args = {"packages": ["jq"], "manager": "apk"}
        response = f.call("install", args)
        t.ok(holds(response, False, {"error_code": "PERMISSION_DENIED",
                                     "packages_installed": None,
                                     "exit_code": None}, "not today"),
             "fake: a need that is refused is refused", response)
        f.refuses, f.named = False, set()
        response = f.call("install", args)
        t.ok(holds(response, False, {"error_code": "INVALID_ARGS"},
                   "not declared"),
             "fake: the front's reason is passed on", response)
    with Fakes("apk", "apk") as fakes:
        f = front.Front(PKG, fakes.env, by_base=True)
        response = f.call("search", {"query": "jq", "manager": "apk"},
                          stream=True, step_id="s1")
        t.ok(response["ok"] and [(e["step_id"], e["data"]) for e in f.events]
             == [("s1", response["stdout"])],
             "fake: what is found streams", response, f.events)
    with Fakes("brew", "brew") as fakes:
        if os.geteuid() != 0:
            t.skip("fake: brew is never run by root", "this is not root")
            return
        f = front.Front(PKG, fakes.env, by_base=True)
        response = f.call("install", {"packages": ["jq"], "manager": "brew"})
        t.ok(holds(response, False, {"error_code": "PERMISSION_DENIED"},
                   "brew install jq"),
             "fake: brew is never run by root", response)


def main():
    t = tap.Tap()
    for row in REVERSALS:
        check_reversal(t, row)
    for row in ROWS:
        check(t, row)
    check_refusals(t)
    check_bad(t)
    t.done()


if __name__ == "__main__":
    main()
