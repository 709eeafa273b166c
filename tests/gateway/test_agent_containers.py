#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test_agent_containers.py - an agent in a container, whose entry point is
agentctl, of an image that is built from files of this machine.

Skipped where podman builds or runs none.
"""

import os
import re
import shutil
import subprocess

from probe import HERE, Probe

import home  # noqa: E402
import tap  # noqa: E402

PODMAN = ["podman", "--cgroup-manager", "cgroupfs", "--events-backend", "file"]
OPTIONS = "--ulimit nofile=1024:1024 --ulimit nproc=1024:1024 --network none"

# What stands for a Containerfile of a person's: the root is the machine's own.
CONTAINERFILE = """FROM scratch
COPY root /
ENTRYPOINT ["/usr/bin/agentctl"]
"""

TYPES = """
[box]
image = %s
command = bash /agent.sh
memory_mb = 256
[missing]
image = localhost/agentsh-no-such-image
command = bash %s/bash_agent.sh --acp
readable = %s
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
    shutil.copy(os.path.join(HERE, "box_agent.sh"), root + "/agent.sh")
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


def an_agent_in_a_box(t, place):
    with Probe(place, "box", "--variable", "SECRET=hunter2222") as probe:
        ready = probe.until("ready")
        t.is_(ready and ready["session"], "box-1", "it gets a session")
        own = [n for n in containers(place)]
        t.ok(own, "in a container")
        probe.prompt("go")
        t.is_(probe.text(), "in /workspace with [secret]",
              "it works in the task's directory, with its secret")
        t.is_(place.read("made"), "made\n", "what it makes is here")
        probe.tell("stop")
        t.is_(probe.until("ended")["why"], None, "it ends as asked")
    t.ok(tap.poll(lambda: not set(own) & set(containers(place))),
         "and its container is removed")
    with Probe(place, "box") as probe:
        probe.until("ready")
        own = containers(place)
    t.ok(tap.poll(lambda: not set(own) & set(containers(place))),
         "also where the gateway ends at once")


def a_gateway_that_is_killed(t, place):
    probe = Probe(place, "box")
    probe.until("ready")
    own = set(containers(place))
    probe.kill()
    probe.close()
    t.ok(own & set(containers(place)), "one that is killed leaves it")
    folder = os.path.join(place.env["XDG_RUNTIME_DIR"], "agentsh", "agents")
    with Probe(place, "box") as other:
        other.until("ready")
        t.is_(len(os.listdir(folder)), 1, "the next agent removes its socket")
        t.ok(tap.poll(lambda: not own & set(containers(place)), 30),
             "and its container")
        t.ok(containers(place), "but none that is used")


def an_image_that_is_not_here(t, place):
    with Probe(place, "missing") as probe:
        ready = probe.until("ready")
        t.ok(ready and "bash_agent.sh" in ready["command"],
             "an image that is not here is a local process", str(ready))


def main():
    t = tap.Tap()
    with home.Home() as place:
        tag = "localhost/agentsh-test-" + place.id
        why = build(place, tag)
        if why:
            t.skip_all(why)
        place.env["HOME"] = os.environ.get("HOME", "/")
        place.config("[gateway]\ncontainer = %s\ncontainer_options = %s\n" %
                     (" ".join(podman_words()), OPTIONS))
        folder = os.path.join(place.env["XDG_CONFIG_HOME"], "agentsh")
        with open(os.path.join(folder, "agents"), "w",
                  encoding="utf-8") as out:
            out.write(TYPES % (tag, HERE, HERE))
        try:
            an_agent_in_a_box(t, place)
            a_gateway_that_is_killed(t, place)
            an_image_that_is_not_here(t, place)
        finally:
            podman(place, "rmi", "--force", tag)
    t.done()


if __name__ == "__main__":
    main()
