# SPDX-License-Identifier: GPL-3.0-or-later
"""sudoer.py - a throw-away user who may use sudo with a password.

The test runs in a mount namespace of its own, where /etc/passwd, /etc/shadow,
/etc/group and /etc/sudoers are copies and /run/sudo is empty: the machine's own
accounts, and who may become root on it, are not touched.
"""

import ctypes
import os
import re
import secrets
import shutil
import subprocess
import sys
import tempfile
import termios

import pexpect

import home
import tap
import terminal

UID = 48231
NAME = "agentsh-tester"
MARK = "AGENTSH_SUDOER"
CLONE_NEWNS = 0x20000
SUDOERS = """Defaults env_reset, use_pty, lecture=never, !fqdn
Defaults secure_path="/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
Defaults passwd_tries=3, timestamp_timeout=5
%s ALL=(ALL:ALL) ALL
%s ALL=(root) NOPASSWD: /usr/bin/true
"""


def missing():
    """What is not here; "" when a test with sudo can run."""
    if os.geteuid() != 0:
        return "needs root, to make a user of its own"
    for name in ("sudo", "openssl"):
        if not shutil.which(name):
            return "needs " + name
    return "" if tap.is_here("namespaces") else "needs namespaces"


def mount(*args):
    subprocess.run(["mount", *args], check=True)


class Machine:
    """The private view of the files of /etc, and the user's password."""

    def __init__(self):
        self.password = "Pw-" + secrets.token_hex(9)
        if ctypes.CDLL(None, use_errno=True).unshare(CLONE_NEWNS) != 0:
            raise OSError("no mount namespace")
        mount("--make-rprivate", "/")
        self.root = tempfile.mkdtemp(prefix="agentsh-sudoer-")
        hashed = subprocess.run(
            ["openssl", "passwd", "-6", "-stdin"], input=self.password,
            capture_output=True, text=True, check=True).stdout.strip()
        self.add("passwd", "%s:x:%d:%d::/nonexistent:/bin/bash\n" %
                 (NAME, UID, UID))
        self.add("group", "%s:x:%d:\n" % (NAME, UID))
        self.add("shadow", "%s:%s:19000:0:99999:7:::\n" % (NAME, hashed))
        self.put("sudoers", SUDOERS % (NAME, NAME), 0o440)
        mount("-t", "tmpfs", "-o", "mode=0711", "none", "/run/sudo")

    def add(self, name, line):
        with open("/etc/" + name, encoding="utf-8") as file:
            text = file.read()
        mode = os.stat("/etc/" + name).st_mode & 0o777
        self.put(name, text + line, mode)

    def put(self, name, text, mode):
        path = os.path.join(self.root, name)
        with open(path, "w", encoding="utf-8") as out:
            out.write(text)
        shutil.chown(path, "root", "shadow" if name == "shadow" else "root")
        os.chmod(path, mode)
        mount("--bind", path, "/etc/" + name)

    def done(self):
        for name in ("passwd", "group", "shadow", "sudoers"):
            subprocess.run(["umount", "/etc/" + name], check=False)
        shutil.rmtree(self.root, ignore_errors=True)


def own(h):
    """Gives a Home to the user."""
    for top in filter(None, (h.root, h.memory)):
        for folder, names, files in os.walk(top):
            for name in [folder] + [os.path.join(folder, n)
                                    for n in names + files]:
                os.chown(name, UID, UID, follow_symlinks=False)


def forget():
    """No ticket is left."""
    for folder, _, files in os.walk("/run/sudo"):
        for name in files:
            os.unlink(os.path.join(folder, name))


class Person(terminal.Terminal):
    """A shell of the user on a terminal; lines are typed to it."""

    def __init__(self, h, argv, rows=24, cols=100, **env):
        def become():
            os.fchown(0, UID, UID)
            os.setgroups([])
            os.setresgid(UID, UID, UID)
            os.setresuid(UID, UID, UID)

        self.home = h
        self.seen = ""
        self.shell = ""
        self.child = pexpect.spawn(
            argv[0], argv[1:], cwd=h.work, env={**h.env, "USER": NAME,
                                                "LOGNAME": NAME, **env},
            dimensions=(rows, cols), encoding="utf-8", preexec_fn=become,
            codec_errors="replace", timeout=tap.PATIENCE)
        self.child.delaybeforesend = None

    def ask(self, line, seconds=tap.PATIENCE):
        """Types a line, and returns what was shown before the next prompt."""
        self.send(line + "\r")
        return self.until_prompt(seconds)

    def until_prompt(self, seconds=tap.PATIENCE):
        start = len(self.seen)
        if not self.wait_for("PROMPT> ", seconds):
            return None
        return terminal.DRAWING.sub("", self.seen[start:])


def is_raw(p):
    """Whether the program on the terminal reads it key by key."""
    return not termios.tcgetattr(p.child.fileno())[3] & termios.ICANON


SHELLS = {
    "bash": (["bash", "--norc", "--noprofile", "--noediting", "-i"],
             "PS1='PROM''PT> '; PS2=\r"),
    "readline": (["bash", "--norc", "--noprofile", "-i"],
                 "bind 'set enable-bracketed-paste off'; PS1='PROM''PT> '\r"),
    "zsh": (["zsh", "-f", "-i"], "unsetopt zle_bracketed_paste prompt_sp; "
            "unset zle_bracketed_paste; PROMPT='PROM''PT> '\r"),
    "dash": (["dash", "-i"], "PS1='PROM''PT> '\r"),
}


def person(h, shell="readline", **env):
    """The user in a shell of this kind, at its prompt."""
    argv, first = SHELLS[shell]
    p = Person(h, [shutil.which(argv[0]), *argv[1:]], **env)
    p.shell = shell
    p.send(first)
    p.wait_for("PROMPT> ")
    return p


def modes(p):
    """What stty -a says of the person's terminal."""
    text = p.ask("stty -a") or ""
    at = text.find("speed")
    if at < 0:
        return ""
    text = re.sub(r"\s+", " ", text[at:text.rfind("PROMPT")])
    if p.shell == "zsh":  # may keep the mark: base/terminal_keeper.h
        text = re.sub(r"swtch = [^;]*;", "", text)
    return text
