# SPDX-License-Identifier: GPL-3.0-or-later
"""tls.py - a certificate authority for one test, by the openssl program."""

import os
import shutil
import ssl
import subprocess

SUBJECTS = {"good": "IP:127.0.0.1,DNS:localhost", "host": "DNS:elsewhere.test",
            "expired": "IP:127.0.0.1"}


def available():
    return shutil.which("openssl") is not None


def openssl(folder, *args):
    subprocess.run(["openssl", *args], cwd=folder, check=True,
                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                   stderr=subprocess.PIPE)


def make(folder, flaw="good"):
    """Makes ca.pem, certs/ and a server's context in folder; flaw is one of
    SUBJECTS."""
    new_key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
               "-nodes"]
    openssl(folder, "req", "-x509", *new_key, "-keyout", "ca.key", "-out",
            "ca.pem", "-subj", "/CN=Test CA", "-days", "2", "-addext",
            "keyUsage=critical,keyCertSign")
    openssl(folder, "req", *new_key, "-keyout", "key.pem", "-out", "req.pem",
            "-subj", "/CN=Test server")
    with open(os.path.join(folder, "ext"), "w", encoding="ascii") as out:
        out.write("subjectAltName=%s\n" % SUBJECTS[flaw])
    days = "-1" if flaw == "expired" else "2"
    openssl(folder, "x509", "-req", "-in", "req.pem", "-CA", "ca.pem",
            "-CAkey", "ca.key", "-CAcreateserial", "-out", "cert.pem",
            "-days", days, "-extfile", "ext")
    certs = os.path.join(folder, "certs")  # as a directory of authorities
    os.mkdir(certs)
    shutil.copy(os.path.join(folder, "ca.pem"), certs)
    openssl(folder, "rehash", certs)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(os.path.join(folder, "cert.pem"),
                            os.path.join(folder, "key.pem"))
    return context
