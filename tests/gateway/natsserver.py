# SPDX-License-Identifier: GPL-3.0-or-later
"""natsserver.py - a real NATS server with JetStream, on a port of its own."""

import json
import os
import shutil
import signal
import socket
import subprocess

import tap

PROGRAM = shutil.which("nats-server",
                       path="/usr/sbin:/usr/bin:" + os.environ["PATH"])


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def git(*words):
    subprocess.run(["git", "-c", "user.name=t", "-c",
                    "user.email=t@example.org", *words], check=True,
                   stdin=subprocess.DEVNULL, capture_output=True)


class NatsServer:
    """Its files are in `directory`, and stay there when it is killed."""

    def __init__(self, directory):
        self.directory = directory
        self.port = free_port()
        self.url = "nats://127.0.0.1:%d" % self.port
        self.start()

    def start(self):
        self.child = subprocess.Popen(
            [PROGRAM, "-a", "127.0.0.1", "-p", str(self.port), "-js", "-sd",
             self.directory], stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        if not tap.poll(self.answers):
            raise AssertionError("nats-server does not start")

    def answers(self):
        try:
            socket.create_connection(("127.0.0.1", self.port), 1).close()
            return True
        except OSError:
            return False

    def request(self, subject, payload=b""):
        """The JSON of an answer."""
        with socket.create_connection(("127.0.0.1", self.port), 20) as s, \
                s.makefile("rwb") as f:
            f.write(b"CONNECT {\"verbose\":false}\r\nSUB answer 1\r\n"
                    b"PUB %s answer %d\r\n%s\r\n" %
                    (subject.encode(), len(payload), payload))
            f.flush()
            while (line := f.readline()):
                if line.startswith(b"PING"):
                    f.write(b"PONG\r\n")
                    f.flush()
                elif line.startswith(b"MSG"):
                    return json.loads(f.read(int(line.split()[-1])))
        raise AssertionError("no answer of NATS")

    def kill(self, signo=signal.SIGKILL):
        self.child.send_signal(signo)
        self.child.wait(20)

    def __enter__(self):
        return self

    def __exit__(self, *why):
        if self.child.poll() is None:
            self.kill()
