# SPDX-License-Identifier: GPL-3.0-or-later
"""hosts.py - hosts to log in to: each an sshd of its own on loopback, with a
home of its own, and an ssh whose settings know them by name."""

import os
import shutil
import socket
import subprocess

import home
import tap

PATH = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"
# sshd wants its empty directory in /run; a /run of its own has one.
OWN_RUN = ("mount -t tmpfs none /run && mkdir -m 755 /run/sshd && "
           "exec \"$@\"")
SERVER = """Port {port}
ListenAddress 127.0.0.1
HostKey {host}
AuthorizedKeysFile {key}.pub
ForceCommand {login}
PidFile none
StrictModes no
UsePAM no
PasswordAuthentication no
KbdInteractiveAuthentication no
PermitRootLogin yes
MaxStartups 100
"""
CLIENT = """Host {name}
  HostName 127.0.0.1
  Port {port}
  HostKeyAlias {name}
  IdentityFile {key}
  IdentitiesOnly yes
  UserKnownHostsFile {known}
  GlobalKnownHostsFile none
  KexAlgorithms curve25519-sha256
  ControlPath {path}.shared
"""
LOGIN = """#!/bin/sh
cd {home} || exit 1
export HOME={home} XDG_CONFIG_HOME={home}/.config XDG_STATE_HOME={home}/.state
export XDG_CACHE_HOME={home}/.cache AGENTSH_TEST_ID={id} PATH={bin}:{path}
unset XDG_RUNTIME_DIR
exec sh -c "$SSH_ORIGINAL_COMMAND"
"""


def missing():
    """Why there can be no hosts; None: there can."""
    for name in ("sshd", "ssh", "ssh-keygen"):
        if not shutil.which(name, path=PATH):
            return "no " + name
    return None


def write(path, text, mode=0o600):
    with open(path, "w", encoding="utf-8") as out:
        out.write(text)
    os.chmod(path, mode)


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Hosts:
    """Hosts of these names, which let this user in."""

    def __init__(self, h, *names):
        self.h = h
        self.dir = h.folder("hosts")
        self.daemons = {}
        self.ports = {}
        self.shared = ()
        self.make_key("key")
        write(self.at("known"), "")
        write(self.at("client"), "")
        os.mkdir(self.at("bin"), 0o755)
        write(self.at("bin", "ssh"), "#!/bin/sh\nexec %s -F %s \"$@\"\n" % (
            shutil.which("ssh", path=PATH), self.at("client")), 0o755)
        h.env["PATH"] = self.at("bin") + ":" + h.env["PATH"]
        for name in names:
            self.add(name)

    def at(self, *names):
        return os.path.join(self.dir, *names)

    def make_key(self, name):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f",
                        self.at(name)], check=True)

    def name(self, name, port, known=True):
        """Makes ssh know the name."""
        with open(self.at("client"), "a", encoding="utf-8") as out:
            out.write(CLIENT.format(name=name, port=port, key=self.at("key"),
                                    known=self.at("known"), path=self.at(name)))
        self.ports[name] = port
        if not known or not os.path.exists(self.at(name + ".host.pub")):
            return
        with open(self.at(name + ".host.pub"), encoding="utf-8") as key:
            with open(self.at("known"), "a", encoding="utf-8") as out:
                out.write(name + " " + key.read())

    def add(self, name, known=True):
        """A host with an agentsh."""
        port = free_port()
        self.make_key(name + ".host")
        os.makedirs(self.at(name, "bin"))
        os.mkdir(self.at(name, "home"), 0o700)
        os.symlink(home.program("agentsh"), self.at(name, "bin", "agentsh"))
        write(self.at(name, "login"), LOGIN.format(
            home=self.at(name, "home"), bin=self.at(name, "bin"), id=self.h.id,
            path="/usr/bin:/bin"), 0o755)
        write(self.at(name, "config"), SERVER.format(
            port=port, host=self.at(name + ".host"), key=self.at("key"),
            login=self.at(name, "login")))
        self.name(name, port, known)
        argv = [shutil.which("sshd", path=PATH), "-D", "-f",
                self.at(name, "config")]
        if os.geteuid() == 0:
            argv = ["unshare", "-m", "sh", "-c", OWN_RUN, "sh", *argv]
        # pylint: disable=consider-using-with
        self.daemons[name] = subprocess.Popen(
            argv, env=self.h.env, stderr=subprocess.DEVNULL)

    def agent(self, name, text):
        """Puts a program in the place of the agentsh of a host."""
        os.unlink(self.at(name, "bin", "agentsh"))
        if text is not None:
            write(self.at(name, "bin", "agentsh"), text, 0o755)

    def ready(self):
        """Whether all let us in."""
        def answers(port):
            with socket.socket() as s:
                s.settimeout(5)
                try:
                    s.connect(("127.0.0.1", port))
                    return s.recv(4).startswith(b"SSH")
                except OSError:
                    return False

        return all(tap.poll(lambda n=n: answers(self.ports[n]), 15)
                   for n in self.daemons)

    def share(self, *names):
        """Keeps a connection to each, which later ones use: they are quick."""
        for name in names:
            subprocess.run([self.at("bin", "ssh"), "-fNM", name],
                           env=self.h.env, check=True, cwd=self.h.work,
                           stdin=subprocess.DEVNULL,
                           stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL)
        self.shared = names

    def unshare(self):
        for name in self.shared:
            subprocess.run([self.at("bin", "ssh"), "-O", "exit", name],
                           env=self.h.env, check=False, cwd=self.h.work,
                           stderr=subprocess.DEVNULL)
        self.shared = ()

    def done(self):
        self.unshare()
        for daemon in self.daemons.values():
            daemon.terminate()
            daemon.wait()
