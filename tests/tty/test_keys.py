# SPDX-License-Identifier: GPL-3.0-or-later
"""test_keys.py - what logs in with the person's keys works after a yes, and
nothing gets them unasked: a real sshd on loopback, an agent, and git."""

import os
import shutil
import socket
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))

import home
import tap
from review import AI, MENU, review, save, step

NEEDED = ("sshd", "ssh", "ssh-agent", "ssh-add", "ssh-keygen", "git")
PATH = os.environ["PATH"] + ":/usr/sbin:/sbin"
# sshd wants its empty directory in /run; a /run of its own has one.
OWN_RUN = ("mount -t tmpfs none /run && mkdir -m 755 /run/sshd && "
           "exec \"$@\"")


def have(*names):
    return all(shutil.which(name, path=PATH) for name in names)


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Server:
    """A home whose agent has a key, and an sshd that lets that key in."""

    def __init__(self, h):
        self.h = h
        self.port = free_port()
        self.dir = h.folder("sshd")
        for name in ("host", "key"):
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "",
                            "-f", self.at(name)], check=True)
        with open(self.at("config"), "w", encoding="utf-8") as out:
            out.write(f"""Port {self.port}
ListenAddress 127.0.0.1
HostKey {self.at("host")}
AuthorizedKeysFile {self.at("key.pub")}
PidFile none
StrictModes no
UsePAM no
PasswordAuthentication no
KbdInteractiveAuthentication no
PermitRootLogin yes
Subsystem sftp internal-sftp
""")
        self.daemon = subprocess.Popen(self.command(), env=h.env,
                                       stderr=subprocess.DEVNULL)
        self.agent = subprocess.Popen(
            ["ssh-agent", "-D", "-a", self.at("agent")], env=h.env,
            stdout=subprocess.DEVNULL)
        h.env["SSH_AUTH_SOCK"] = self.at("agent")
        self.options = ("-F none -o StrictHostKeyChecking=no -o BatchMode=yes "
                        f"-o UserKnownHostsFile={self.at('known')} "
                        "-o LogLevel=ERROR")

    def command(self):
        argv = [shutil.which("sshd", path=PATH), "-D", "-f",
                self.at("config")]
        if os.geteuid() == 0:
            argv = ["unshare", "-m", "sh", "-c", OWN_RUN, "sh", *argv]
        return argv

    def at(self, name):
        return os.path.join(self.dir, name)

    def ready(self):
        """The agent has the key, and ssh gets in outside the sandbox."""
        def gets_in():
            subprocess.run(["ssh-add", "-q", self.at("key")], env=self.h.env,
                           stderr=subprocess.DEVNULL, check=False)
            return self.h.run(["sh", "-c", self.ssh("true")]).status == 0

        if not tap.poll(gets_in, 15):
            return False
        os.unlink(self.at("key"))  # the agent alone has it now
        return True

    def ssh(self, command):
        return f"ssh {self.options} -p {self.port} 127.0.0.1 {command}"

    def url(self, name):
        return f"ssh://127.0.0.1:{self.port}{self.h.path(name)}"

    def done(self):
        for process in (self.daemon, self.agent):
            process.terminate()
            process.wait()


def make_repository(h, server):
    """upstream is another person's; mine is a clone, one commit behind."""
    script = f"""
    git config --global user.name t && git config --global user.email t@x.y
    git config --global core.sshCommand 'ssh {server.options}'
    git config --global init.defaultBranch main
    git config --global protocol.file.allow always
    git init -q upstream && cd upstream && echo 1 > a && git add a
    git commit -qm one && git clone -q --bare . ../bare.git && cd ..
    git clone -q bare.git mine && git -C mine remote set-url origin \\
        {server.url("bare.git")}
    cd upstream && echo 2 > a && git commit -qam two
    git push -q ../bare.git main
    """
    return h.run(["sh", "-ec", script])


def lines(h, server):
    """A line, and what it leaves when it worked."""
    bare = server.url("bare.git")
    yield "git -C mine ls-remote origin > list", "list"
    yield "git -C mine fetch -q", "mine/.git/FETCH_HEAD"
    yield "cd mine && git pull -q && cp a ../pulled", "pulled"
    yield f"git clone -q {bare} cloned", "cloned/a"
    yield (f"cd upstream && git submodule --quiet add {bare} sub",
           "upstream/sub/a")
    yield ("cd upstream && git submodule --quiet update --remote && "
           "touch ../updated", "updated")
    yield server.ssh(f"touch {h.path('by-ssh')}"), "by-ssh"
    yield (f"scp -q {server.options} -P {server.port} plan.json "
           f"127.0.0.1:{h.path('by-scp')}", "by-scp")
    yield (f"echo 'put plan.json {h.path('by-sftp')}' | sftp -q "
           f"{server.options} -P {server.port} 127.0.0.1", "by-sftp")
    if have("rsync"):
        yield (f"rsync -e 'ssh {server.options} -p {server.port}' plan.json "
               f"127.0.0.1:{h.path('by-rsync')}", "by-rsync")


def test_after_a_yes(t, h, server):
    for line, made in lines(h, server):
        name = line.replace(server.options, "…").replace(h.root, "…")
        done = h.run([AI, "do", "-y", "--plan", save(h, step(1, line))])
        t.ok(done.status == 5 and not has(h, made),
             "unasked it does not run: " + name, done)
        term, status = review(h, step(1, line), keys=[(MENU, "r")])
        t.ok(status == 0 and has(h, made), "it works after a yes: " + name,
             status, term.text())


def has(h, name):
    path = h.path(name)
    return os.path.exists(path) and os.path.getsize(path) >= 0


def test_rule(t, h, server):
    """A person's own rule opens no keys either."""
    folder = os.path.join(h.env["XDG_CONFIG_HOME"], "agentsh")
    with open(os.path.join(folder, "policy"), "w", encoding="utf-8") as out:
        out.write("allow command git *\nallow command ssh *\n"
                  "allow host 127.0.0.1\nallow command ssh-add *\n")
    for line in ("git -C mine fetch", server.ssh("true"), "ssh-add -l"):
        done = h.run([AI, "do", "-y", "--plan", save(h, step(1, line))])
        t.is_(done.status, 5, "a rule lets nobody in: " + line.split()[0],
              done.out, done.err)


def test_sandboxed(t, h, server):
    """What is given no keys cannot reach the agent, nor the files."""
    look = ["sh", "-c", "ssh-add -l; echo ran"]
    outside = h.run(look)
    t.ok("SHA256" in outside.out, "the agent has a key outside", outside)
    for options in (["read-only"], ["workspace-write", "--net"], ["observe"],
                    ["workspace-write"]):
        done = h.run([home.program("agentsh"), "exec", "--profile", *options,
                      "--", *look])
        t.ok(done.out.endswith("ran\n") and "SHA256" not in done.out,
             f"{' '.join(options)} has no agent", done)


def main():
    t = tap.Tap()
    if not have(*NEEDED):
        t.skip_all("no sshd, ssh or git")
    with home.Home() as h:
        server = Server(h)
        try:
            if not server.ready():
                t.skip_all("sshd cannot be started here")
            made = make_repository(h, server)
            t.is_(made.status, 0, "the repositories are made", made.err)
            test_after_a_yes(t, h, server)
            test_sandboxed(t, h, server)
            test_rule(t, h, server)
        finally:
            server.done()
    t.done()



main()
