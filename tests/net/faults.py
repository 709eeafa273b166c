#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""faults.py - what the servers acknowledged outlives kills, bad peers and a cut
link; by hand.

    top_builddir=build tests/net/faults.py [--kills N] [--seconds S] [ROW...]

Rows: gateway agentctl agent (killed N times, under load), ending (the gateway,
by SIGTERM), box-gateway box-agent box-ending (the same with containers), node
nats either (of a bus of three nodes), link (cut N/10 times; as
root), gateways-nats gateways-link (the same of three gateways), bad (peers, S
seconds for each server, one after another; bad-NAME is one of them, so that
several can be tried side by side), ends (SIGHUP and SIGTERM of the others under
load). The figures of a row are its last line.
"""

import argparse
import os
import signal
import sys
import threading
import time

import agents_killed
import drained
import gateways
import nodes
import peers_bad
import ports

import home  # noqa: E402
import tap  # noqa: E402

SEED = int(os.environ.get("AGENTSH_TEST_SEED") or time.time())


class Talk(threading.Thread):
    """A client of a bus that publishes until the end."""

    def __init__(self, b, name):
        super().__init__()
        self.client, self.over = b.client(name), False
        self.name_ = name
        self.sent, self.acknowledged, self.end = 0, [], None

    def run(self):
        try:
            while not self.over:
                self.sent += 1
                m = self.client.call("sendMessage", topic="t", payload={
                    "from": self.name_, "n": self.sent})
                if "result" in m:
                    self.acknowledged.append((self.name_, self.sent))
                else:
                    self.over = True
        except (nodes.bus.Gone, OSError) as why:
            self.end = str(why)
        self.client.close()


class Listen(threading.Thread):
    def __init__(self, b):
        super().__init__()
        self.client, self.seen, self.end = b.client("reader"), [], None
        self.client.result("subscribe", topic="t")

    def run(self):
        try:
            while True:
                p = self.client.take()["payload"]
                self.seen.append((p["from"], p["n"]))
        except (nodes.bus.Gone, OSError) as why:
            self.end = str(why)
        self.client.close()


def ends(t, times):
    """SIGHUP and SIGTERM of a bus under load. The figures."""
    with home.Home() as place:
        b = nodes.bus.Bus(place)
        reader = Listen(b)
        talks = [Talk(b, "t%d" % i) for i in range(4)]
        for one in [reader, *talks]:
            one.start()
        for i in range(times):
            b.child.send_signal(signal.SIGHUP)
            # the next one when this one is done
            n = len(reader.seen)
            if not tap.poll(lambda: len(reader.seen) > n + 20, 20, 0.005):
                break
        t.ok(not reader.end and not any(x.end for x in talks),
             "SIGHUP drops nobody", reader.end, *[x.end for x in talks])
        begun = time.monotonic()
        status = b.close()
        took = time.monotonic() - begun
        for one in [reader, *talks]:
            one.join(30)
        t.is_(status, 0, "SIGTERM under load ends it")
        lost = set(m for x in talks for m in x.acknowledged) - \
            set(reader.seen)
        t.is_(sorted(lost)[:3], [], "what was acknowledged was delivered")
        t.is_(len(reader.seen), len(set(reader.seen)), "once")
        return "%d SIGHUP; SIGTERM took %.2f s; %d messages acknowledged" % (
            times, took, sum(len(x.acknowledged) for x in talks))


def rows(t, kills, seconds):
    """The rows by their names; each gives its figures."""
    table = {what: lambda what=what: agents_killed.kills(t, what, kills, SEED)
             for what in ("gateway", "agentctl", "agent", "ending")}
    table.update({"box-" + what: lambda what=what: agents_killed.kills(
        t, what, kills, SEED, agents_killed.Boxes)
                  for what in ("gateway", "agent", "ending")})
    table.update({what: lambda what=what: nodes.kills(t, what, kills, SEED)
                  for what in ("node", "nats", "either")})
    table["link"] = lambda: nodes.cut_link(t, max(1, kills // 10))
    table["gateways-nats"] = lambda: gateways.kills(t, kills, SEED)
    table["gateways-link"] = lambda: gateways.cuts(t, max(1, kills // 10),
                                                   SEED)
    table["bad"] = lambda: "\n".join(
        peers_bad.hold(t, row, seconds, SEED) for row in ports.SERVERS)
    table["ends"] = lambda: "\n".join([ends(t, kills)] + [
        drained.ends(t, name, kills, SEED) for name in drained.KINDS])
    return table


def bad_one(t, name, seconds):
    row = next(row for row in ports.SERVERS if row.name == name)
    return peers_bad.hold(t, row, seconds, SEED)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("rows", nargs="*")
    args = parser.parse_args()
    t = tap.Tap()
    t.diag("seed %d" % SEED)
    table = rows(t, args.kills, args.seconds)
    for name in args.rows or table:
        kind, _, server = name.partition("-")
        t.diag(bad_one(t, server, args.seconds) if kind == "bad" and server
               else table[name]())
    t.done()


if __name__ == "__main__":
    sys.exit(main())
