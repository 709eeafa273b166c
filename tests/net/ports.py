# SPDX-License-Identifier: GPL-3.0-or-later
"""ports.py - the servers that listen for HTTP, and bare sockets to them.

    for row in ports.SERVERS:
        with home.Home() as place, ports.Server(place, row) as server:
            with server.peer() as peer:
                peer.send(b"GET /health HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n")
                peer.response().status
"""

import dataclasses
import os
import socket
import ssl
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "..", "lib"))

import home  # noqa: E402
import listener  # noqa: E402
from listener import PATIENCE, Gone  # noqa: E402,F401


@dataclasses.dataclass
class Row:
    """A server. Its log says where it listens."""
    name: str
    argv: tuple  # behind the name of the program
    takes: str   # a path that takes a body by POST; None: there is none
    program: str = "agentsh"
    environment: dict = dataclasses.field(default_factory=dict)

    def command(self):
        return [home.program(self.program), *self.argv]


SERVERS = (
    Row("mcp", ("mcp", "--listen", "127.0.0.1:0"), "/mcp"),
    Row("bus", ("bus", "--listen", "127.0.0.1:0"), None),
    Row("gateway", ("gateway", "--listen", "127.0.0.1:0"), "/login"),
    Row("acp", ("acp", "--listen", "127.0.0.1:0"), None),
    Row("agentctl", ("--listen", "127.0.0.1:0"), "/api/v1/acp/send",
        "agentctl", {"AGENTCTL_AGENT_COMMAND": "cat"}),
)


@dataclasses.dataclass
class Response:
    status: int
    headers: dict
    body: bytes


class Server(listener.Server):
    """A server of a row, in a home of its own."""

    def __init__(self, place, row, *options, **more):
        self.row = row
        super().__init__(place, [*row.command(), *options],
                         env=row.environment, **more)

    def peer(self, context=None, name=None):
        return Peer(self.at, context, name)

    def seconds_used(self):
        """Of its processor time."""
        with open("/proc/%d/stat" % self.pid, encoding="ascii") as file:
            words = file.read().rsplit(") ", 1)[1].split()
        return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


class Peer(listener.Connection):
    """One connection, sealed where there is a context."""

    def __init__(self, at, context=None, name=None):
        super().__init__(at)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if context:
            self.socket = context.wrap_socket(
                self.socket, server_hostname=name or at[0],
                suppress_ragged_eofs=False)

    def try_to_send(self, data):
        """False: the server takes no more."""
        try:
            self.send(data)
            return True
        except OSError:
            return False

    def response(self):
        status, headers = self.head()
        n = 0 if status in (204, 304) or status < 200 else \
            int(headers.get("content-length", 0))
        return Response(status, headers, self.receive(n))

    def status(self):
        """Of the next answer; None: there is none."""
        try:
            return self.response().status
        except Gone:
            return None


def run_openssl(place, *words):
    subprocess.run(["openssl", *words], cwd=place.work, check=True,
                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                   stderr=subprocess.PIPE)


NAMES = "DNS:localhost,DNS:name.example,IP:127.0.0.1"


def make_authority(place, name, signer=None):
    """NAME.crt and NAME.key of who may sign others."""
    key = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
           "-keyout", name + ".key")
    extensions = ("-addext", "basicConstraints=critical,CA:TRUE",
                  "-addext", "keyUsage=critical,keyCertSign,cRLSign")
    if not signer:
        run_openssl(place, "req", "-x509", *key, "-out", name + ".crt",
                    "-days", "2", "-subj", "/CN=" + name, *extensions)
        return
    run_openssl(place, "req", *key, "-out", name + ".csr", "-subj",
                "/CN=" + name)
    sign(place, name, signer, "basicConstraints=critical,CA:TRUE\n"
         "keyUsage=critical,keyCertSign,cRLSign")


def sign(place, name, signer, extension):
    with open(place.path(name + ".ext"), "w", encoding="ascii") as file:
        file.write(extension + "\nsubjectKeyIdentifier=hash\n"
                   "authorityKeyIdentifier=keyid\n")
    run_openssl(place, "x509", "-req", "-in", name + ".csr", "-CA",
                signer + ".crt", "-CAkey", signer + ".key", "-CAcreateserial",
                "-days", "2", "-extfile", name + ".ext", "-out",
                name + ".crt")


def make_certificate(place, name, signer, names=NAMES, key=(
        "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256")):
    """NAME.crt, with the one of who signed it behind it, and NAME.key."""
    run_openssl(place, "req", *key, "-nodes", "-keyout", name + ".key",
                "-out", name + ".csr", "-subj", "/CN=" + name)
    sign(place, name, signer, "subjectAltName=" + names)
    with open(place.path(name + ".crt"), "a", encoding="ascii") as out, \
            open(place.path(signer + ".crt"), encoding="ascii") as file:
        out.write(file.read())


def trusting(path, least=None, most=None):
    """A context of a client that trusts who is in the file alone."""
    context = ssl.create_default_context(cafile=path)
    if least:
        context.minimum_version = least
    if most:
        context.maximum_version = most
    return context
