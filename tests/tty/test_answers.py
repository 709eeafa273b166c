# SPDX-License-Identifier: GPL-3.0-or-later
"""test_answers.py - whatever fits the schema that a service is sent is an
answer: each verb, each service, random answers.

make check asks a few questions each; for many, and what the services' own
servers were sent:

    AGENTSH_TEST_ANSWERS=200 make check TESTS=tests/tty/test_answers.py \\
        TEST_LIMIT=4000
"""

import concurrent.futures
import os
import tempfile
import zlib

import faults
import tap
from fault import tls
from home import Home
from schema.server import SchemaServer
from schema.services import hosts
from schema.tally import WAYS, is_local, lead, tally

VERBS = ("run", "do", "explain")
FEW = 3
CUT = 0.1  # of the answers end at the token limit


def one(service, verb, n, folder, *options):
    """The tally of a verb at a service, with a server and a home of its own."""
    seed = zlib.crc32(" ".join((service, verb, *options)).encode()) + n
    context = None if is_local(service) else tls.context_of(folder)
    with SchemaServer(seed, lively=False, cut=CUT,
                      tls=context) as server, Home() as home:
        lead(home, service, server, os.path.join(folder, "certs"))
        return tally(home, server, faults.AI, service, verb, n, *options)


def main():
    t = tap.Tap()
    n = int(os.environ.get("AGENTSH_TEST_ANSWERS") or FEW)
    here = [name for name in WAYS if is_local(name) or tls.available()]
    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ThreadPoolExecutor(2) as pool:
        if tls.available():
            tls.make(folder, names=",".join("DNS:" + h for h in hosts()))
        rows = [(service, verb) for service in here for verb in VERBS]
        for row in pool.map(lambda row: one(*row, n, folder), rows):
            t.diag(row.line())
            t.ok(row.is_all_valid(), "%s at %s: every answer that fits the "
                 "schema is taken" % (row.verb, row.service),
                 *("%d times %s" % (count, why)
                   for why, count in row.why.most_common(5)))
    t.done()


if __name__ == "__main__":
    main()
