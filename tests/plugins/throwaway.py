# SPDX-License-Identifier: GPL-3.0-or-later
"""throwaway.py - a root file system that is gone with the test.

A tmpfs in a mount namespace of its own, with this machine's programs bound
read-only and everything that a package manager or a service writes private:
/etc, /var, /run, /opt. No file of the machine can be changed through it, and
processes that are left in it end with its process namespace.
"""

import ctypes
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))

import home  # noqa: E402

INSIDE = "AGENTSH_TEST_THROWAWAY"
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
UNSHARE = ["unshare", "--mount", "--pid", "--fork", "--kill-child",
           "--propagation", "private"]
# what is started in it has it for its root, and not by chroot(2), which would
# keep it from making namespaces
PIVOT = ["unshare", "--mount", "sh", "-c", 'cd "$0" && pivot_root . old && '
         'cd / && umount -l old && exec "$@"']
# process 1 there: a shell, which reaps what a service leaves behind
INIT = ["sh", "-c", '"$@"; exit $?', "init"]


def why_not():
    """Why there can be none here; None: there can."""
    for name in ("unshare", "dpkg-deb", "apt-get", "dpkg", "update-rc.d",
                 "service", "start-stop-daemon", "mount", "chroot",
                 "pivot_root"):
        if not shutil.which(name, path=PATH):
            return name + " is not here"
    if os.geteuid() != 0:
        return "this is not root"
    done = subprocess.run(UNSHARE + ["true"], capture_output=True, check=False)
    return "no namespaces can be made" if done.returncode != 0 else None


def enter():
    """Runs this test again inside namespaces of its own, and ends with it;
    there it returns where the root file system is to be."""
    if INSIDE in os.environ:
        # process 1 is to reap what is left behind, not we
        ctypes.CDLL(None).prctl(home.PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)
        return os.environ[INSIDE]
    root = tempfile.mkdtemp(prefix="agentsh-throwaway-")
    try:
        done = subprocess.run(UNSHARE + INIT + [sys.executable, sys.argv[0]],
                              env=dict(os.environ, **{INSIDE: root}),
                              check=False)
    finally:
        os.rmdir(root)  # empty here: the tmpfs is in the other namespace
    sys.exit(done.returncode)


class Root:
    """The file system below `path`; made by whoever is inside."""

    def __init__(self, path, shown):
        self.path = path
        mount("-t", "tmpfs", "-o", "mode=755", "tmpfs", path)
        for name in ("etc/apt/apt.conf.d", "etc/apt/preferences.d",
                     "etc/apt/sources.list.d", "etc/init.d",
                     "etc/default", "var/lib/dpkg/info",
                     "var/lib/dpkg/updates",
                     "var/lib/dpkg/alternatives",
                     "var/lib/apt/lists/partial",
                     "var/cache/apt/archives/partial",
                     "var/log/apt", "run", "tmp", "opt", "proc", "dev", "repo",
                     "root", "old", *("etc/rc%s.d" % n for n in "0123456S")):
            os.makedirs(self.at(name))
        for name in ("bin", "sbin", "lib", "lib32", "lib64", "libx32", "usr"):
            self.show_system("/" + name)
        for name in shown:
            self.show(name)
        for name in ("null", "zero", "urandom"):
            self.put("dev/" + name, "")
            mount("--bind", "/dev/" + name, self.at("dev/" + name))
        mount("-t", "proc", "proc", self.at("proc"))
        self.fill()

    def at(self, name):
        return os.path.join(self.path, name.lstrip("/"))

    def put(self, name, text, mode=0o644):
        os.makedirs(os.path.dirname(self.at(name)), exist_ok=True)
        with open(self.at(name), "w", encoding="utf-8") as f:
            f.write(text)
        os.chmod(self.at(name), mode)

    def read(self, name):
        with open(self.at(name), encoding="utf-8") as f:
            return f.read()

    def show_system(self, name):
        if os.path.islink(name):
            os.symlink(os.readlink(name), self.at(name))
        elif os.path.isdir(name):
            self.show(name)

    def show(self, name):
        os.makedirs(self.at(name), exist_ok=True)
        mount("--bind", name, self.at(name))
        mount("-o", "remount,bind,ro", self.at(name))

    def fill(self):
        self.put("etc/passwd", "root:x:0:0:root:/root:/bin/sh\n")
        self.put("etc/group", "root:x:0:\n")
        if os.path.exists("/etc/ld.so.cache"):
            shutil.copy("/etc/ld.so.cache", self.at("etc/ld.so.cache"))
        self.put("var/lib/dpkg/status", "")
        self.put("var/lib/dpkg/available", "")
        # dpkg manages itself: so apt is known for the system's manager
        self.put("var/lib/dpkg/info/dpkg.list", "/.\n")
        self.put("var/lib/dpkg/info/format", "1\n")
        # no other user is here to read files as
        self.put("etc/apt/apt.conf", 'APT::Sandbox::User "root";\n')
        self.put("etc/apt/sources.list", "deb [trusted=yes] file:/repo ./\n")
        self.packages = []

    def package(self, name, version, files=(), **fields):
        """Puts a package into the repository: files are path, text, mode."""
        with tempfile.TemporaryDirectory(dir=self.at("tmp")) as tree:
            for path, text, mode in files:
                where = os.path.join(tree, path.lstrip("/"))
                os.makedirs(os.path.dirname(where), exist_ok=True)
                with open(where, "w", encoding="utf-8") as f:
                    f.write(text)
                os.chmod(where, mode)
            control = "Package: %s\nVersion: %s\nArchitecture: all\n" \
                "Maintainer: Nobody <nobody@localhost>\n" % (name, version)
            control += "".join("%s: %s\n" % f for f in fields.items())
            control += "Description: a small thing called %s\n" % name
            os.makedirs(os.path.join(tree, "DEBIAN"), exist_ok=True)
            with open(os.path.join(tree, "DEBIAN", "control"), "w",
                      encoding="utf-8") as f:
                f.write(control)
            os.chmod(tree, 0o755)
            file = "%s_%s.deb" % (name, version)
            subprocess.run(["dpkg-deb", "--root-owner-group", "-Znone", "-b",
                            tree, self.at("repo/" + file)], check=True,
                           capture_output=True)
        with open(self.at("repo/" + file), "rb") as f:
            deb = f.read()
        self.packages.append(control + "Filename: ./%s\nSize: %d\nSHA256: "
                             "%s\n" % (file, len(deb),
                                       hashlib.sha256(deb).hexdigest()))
        self.put("repo/Packages", "\n".join(self.packages))


def inside(root):
    """What to put before a program's words, to run it with that root."""
    return PIVOT + [root.path]


def mount(*words):
    subprocess.run(["mount", *words], check=True)
