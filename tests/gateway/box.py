# SPDX-License-Identifier: GPL-3.0-or-later
"""box.py - an image whose entry point is agentctl, of files of this machine,
and podman to run it.

    why = box.build(place, tag)     None, or why there is none
"""

import os
import re
import shutil
import subprocess

from probe import HERE

import home  # noqa: E402

PODMAN = ["podman", "--cgroup-manager", "cgroupfs", "--events-backend", "file"]
OPTIONS = "--ulimit nofile=1024:1024 --ulimit nproc=1024:1024 --network none"

# What stands for a Containerfile of a person's: the root is the machine's own.
CONTAINERFILE = """FROM scratch
COPY root /
ENTRYPOINT ["/usr/bin/agentctl"]
"""


def podman(place, *words, seconds=60):
    return subprocess.run([*podman_words(), *words], capture_output=True,
                          text=True, env=environment(place), timeout=seconds,
                          check=False)


def podman_words():
    return PODMAN + (["--runtime", "runc"] if shutil.which("runc") else [])


def environment(place):
    """podman's own places: storage of the test's own would be slow."""
    return {**place.env, "HOME": os.environ.get("HOME", "/"),
            "XDG_DATA_HOME": "", "XDG_CONFIG_HOME": "", "XDG_RUNTIME_DIR": ""}


def add_program(root, path, to):
    """A program and its libraries."""
    files = {path: to}
    done = subprocess.run(["ldd", path], capture_output=True, text=True,
                          check=False)
    for library in re.findall(r"(/\S+) \(0x", done.stdout):
        files[library] = library
    for source, name in files.items():
        target = root + name
        os.makedirs(os.path.dirname(target), exist_ok=True)
        shutil.copy(source, target)


def build(place, tag):
    """None, or why there is no image."""
    if not shutil.which("podman"):
        return "podman is not here"
    if os.geteuid() != 0:
        return "the images of another user are below the home directory"
    folder = place.folder("image")
    root = os.path.join(folder, "root")
    add_program(root, shutil.which("bash"), "/bin/bash")
    add_program(root, home.program("agentctl"), "/usr/bin/agentctl")
    add_program(root, home.program("agentsh-launch"),
                "/usr/libexec/agentsh/agentsh-launch")
    os.symlink("bash", root + "/bin/sh")
    os.mkdir(root + "/tmp")
    for name in ("agent.sh", "log_agent.sh"):
        shutil.copy(os.path.join(HERE, "box_" + name),
                    os.path.join(root, name))
    with open(os.path.join(folder, "Containerfile"), "w",
              encoding="utf-8") as out:
        out.write(CONTAINERFILE)
    done = podman(place, "build", "--isolation", "chroot", "-t", tag, folder)
    if done.returncode != 0:
        return "podman builds nothing here: " + done.stderr.strip()[-100:]
    done = podman(place, "run", "--rm", *OPTIONS.split(), "--entrypoint",
                  "/bin/bash", tag, "-c", "exit 7")
    return None if done.returncode == 7 else \
        "podman runs nothing here: " + done.stderr.strip()[-100:]


def containers(place):
    return podman(place, "ps", "--all", "--format", "{{.Names}}",
                  "--filter", "name=agentsh-").stdout.split()


def configure(place, types):
    """Agents are of these types, in containers."""
    place.env["HOME"] = os.environ.get("HOME", "/")
    place.config("[gateway]\ncontainer = %s\ncontainer_options = %s\n" %
                 (" ".join(podman_words()), OPTIONS))
    folder = os.path.join(place.env["XDG_CONFIG_HOME"], "agentsh")
    with open(os.path.join(folder, "agents"), "w", encoding="utf-8") as out:
        out.write(types)
