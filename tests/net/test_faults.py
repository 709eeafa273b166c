#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test_faults.py - faults.py, in short."""

import faults

import tap  # noqa: E402

KILLS, SECONDS, CUT_S = 1, 0.7, 0.5


def check_cut(t):
    """Three gateways, of which one is cut off from NATS for a moment."""
    if not (tap.is_here("root") and tap.is_here("nats-server") and
            tap.succeeds(["unshare", "-n", "ip", "link", "add", "name",
                          "bridge0", "type", "bridge"])):
        t.skip("the link to a gateway is cut",
               "needs root, network namespaces and nats-server")
        return
    t.diag(faults.gateways.cuts(t, 1, faults.SEED, CUT_S))


def main():
    t = tap.Tap()
    t.diag("seed %d" % faults.SEED)
    table = faults.rows(t, KILLS, SECONDS)
    for name in ("gateway", "agentctl", "bad"):
        t.diag(table[name]())
    t.diag(faults.ends(t, 10))
    for name in faults.drained.KINDS:
        t.diag(faults.drained.ends(t, name, 1, faults.SEED))
    if tap.is_here("nats-server"):
        t.diag(faults.nodes.kills(t, "node", 1, faults.SEED))
    else:
        t.skip("several nodes of a bus", "needs nats-server")
    check_cut(t)
    t.done()


if __name__ == "__main__":
    main()
