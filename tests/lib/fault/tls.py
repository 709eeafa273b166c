# SPDX-License-Identifier: GPL-3.0-or-later
"""tls.py - a certificate authority for one test, by the openssl program."""

import os
import shutil
import ssl
import subprocess
import time

SUBJECTS = {"good": "IP:127.0.0.1,DNS:localhost,IP:203.0.113.77",
            "host": "DNS:elsewhere.test",
            "expired": "IP:127.0.0.1,IP:203.0.113.77"}


DAY = 24 * 60 * 60
# What signs requests: `openssl ca` takes dates that `openssl x509` refuses
# since 3.5, those of a certificate that has expired among them.
AUTHORITY = """
[ca]
default_ca = own
[own]
database = index
new_certs_dir = .
certificate = ca.pem
private_key = ca.key
rand_serial = yes
default_md = sha256
policy = any
x509_extensions = server
[any]
commonName = supplied
[server]
subjectAltName = %s
"""


def available():
    return shutil.which("openssl") is not None


def utc(seconds):
    return time.strftime("%Y%m%d%H%M%SZ", time.gmtime(seconds))


def openssl(folder, *args):
    subprocess.run(["openssl", *args], cwd=folder, check=True,
                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                   stderr=subprocess.PIPE)


def make(folder, flaw="good", names=None):
    """Makes ca.pem, certs/ and a server's context in folder; flaw is one of
    SUBJECTS. names: what the certificate is for, instead of the flaw's."""
    new_key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
               "-nodes"]
    openssl(folder, "req", "-x509", *new_key, "-keyout", "ca.key", "-out",
            "ca.pem", "-subj", "/CN=Test CA", "-days", "2", "-addext",
            "keyUsage=critical,keyCertSign")
    openssl(folder, "req", *new_key, "-keyout", "key.pem", "-out", "req.pem",
            "-subj", "/CN=Test server")
    with open(os.path.join(folder, "ca.cnf"), "w", encoding="ascii") as out:
        out.write(AUTHORITY % (names or SUBJECTS[flaw]))
    open(os.path.join(folder, "index"), "w", encoding="ascii").close()
    now = time.time()
    end = now + (-DAY if flaw == "expired" else 2 * DAY)
    openssl(folder, "ca", "-batch", "-config", "ca.cnf", "-in", "req.pem",
            "-out", "cert.pem", "-notext", "-startdate", utc(now - 2 * DAY),
            "-enddate", utc(end))
    certs = os.path.join(folder, "certs")  # as a directory of authorities
    os.mkdir(certs)
    shutil.copy(os.path.join(folder, "ca.pem"), certs)
    openssl(folder, "rehash", certs)
    return context_of(folder)


def context_of(folder):
    """A context with the certificate that make() left in a folder."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(os.path.join(folder, "cert.pem"),
                            os.path.join(folder, "key.pem"))
    return context
