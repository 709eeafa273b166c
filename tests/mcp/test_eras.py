#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test_eras.py - servers with and without a handshake, and which is which."""

import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))
sys.path.insert(0, os.path.dirname(__file__))

import tap  # noqa: E402
from place import Place  # noqa: E402

META = "io.modelcontextprotocol/"
LISTED = ["initialize", "notifications/initialized", "tools/list"]

# the mode, what a server hears that nothing is known of, and when it is
# started again for a call
ERAS = (
    ("plain", ["server/discover"] + LISTED, LISTED + ["tools/call"]),
    ("modern", ["server/discover", "tools/list"],
     ["tools/list", "tools/call"]),
    ("dual", ["server/discover", "tools/list"], ["tools/list", "tools/call"]),
    ("late", ["server/discover", "initialize", "tools/list"],
     ["tools/list", "tools/call"]),
    ("back", ["server/discover"] + LISTED, LISTED + ["tools/call"]),
    ("strict", ["server/discover"] + LISTED, LISTED + ["tools/call"]),
)


class Eras(Place):
    def server(self, mode):
        self.servers(a=self.entry(mode, "fake_eras.py",
                                  agentsh={"write": ["workspace"]}))
        self.agree("a")

    def heard(self):
        """The methods since the last time."""
        path = self.path("heard")
        if not os.path.exists(path):
            return []
        with open(path, encoding="utf-8") as f:
            lines = f.read().split()
        os.unlink(path)
        return lines

    def mode(self, word):
        with open(self.path("mode"), "w", encoding="utf-8") as f:
            f.write(word)

    def cached(self):
        """The files of the cache, and what they are."""
        place = os.path.join(self.env["XDG_CACHE_HOME"], "agentsh", "mcp")
        for name in os.listdir(place):
            with open(os.path.join(place, name), encoding="utf-8") as f:
                yield json.load(f)


def check_found(t, h):
    for mode, first, again in ERAS:
        h.server(mode)
        t.is_(h.list().get("a.echo", {}).get("version"), "8.2",
              "the tools of a server are listed: " + mode, h.list())
        t.is_(h.heard(), first, "it is asked for its era once: " + mode)
        done = h.calls(("a.echo", {}))[0]
        t.ok(done["ok"], "it is called: " + mode, done)
        t.is_(h.heard(), again, "without asking again: " + mode)
        t.is_(h.left(), {}, "no process is left: " + mode)


def check_refused(t, h):
    h.server("future")
    fault = h.list()["a"].get("fault", "")
    t.ok("2027-01-01" in fault and "not supported" in fault,
         "a server of another version only is told with that", fault)
    t.is_(h.heard(), ["server/discover"], "and no handshake is tried")


def check_requests(t, h):
    h.server("modern")
    echo, logs, needs, samples, after, again, odd, asks = h.calls(
        ("a.echo", {}), ("a.logs", {}), ("a.needs", {"a": 1}),
        ("a.samples", {}), ("a.echo", {}), ("a.again", {}), ("a.odd", {}),
        ("a.asks", {}))
    meta = json.loads(echo["stdout"])
    t.is_((meta[META + "protocolVersion"], meta[META + "clientCapabilities"],
           meta[META + "clientInfo"]["name"]),
          ("2026-07-28", {"roots": {}}, "agentsh"),
          "each request says its version and who asks", meta)
    t.ok(isinstance(meta["progressToken"], int), "and where progress belongs")
    t.ok("info: at work" in logs["stderr"], "its log is asked for", logs)
    t.is_(json.loads(needs["stdout"] or "0"), {
        "r1": {"roots": [{"uri": "file://" + h.work, "name": "work"}]},
        "q\u00e9": {"action": "decline"}},
        "input that is required is given, a question is declined", needs)
    for bad, says in ((samples, "sampling/createMessage, which is refused"),
                      (again, "input more than 8 times"),
                      (odd, "unknown type")):
        t.ok(not bad["ok"] and says in bad["stderr"],
             "a call fails: " + says, bad)
    t.ok(after["ok"], "and the next one works", after)
    t.is_(json.loads(asks["stdout"])["code"], -32601,
          "a server calls nobody in this era", asks)
    t.is_(h.left(), {}, "no process is left")


def check_moved(t, h):
    """A server that speaks another era than the last time."""
    h.mode("modern")
    h.server("moves")
    h.list()
    h.heard()
    h.mode("plain")
    done = h.calls(("a.echo", {}))[0]
    t.ok(done["ok"], "a server that went back to the handshake is called",
         done)
    t.is_(h.heard(), ["tools/list", "server/discover"] + LISTED +
          ["tools/call"], "once it has refused the list")
    h.mode("modern")
    t.ok(h.calls(("a.echo", {}))[0]["ok"], "and so is one that left it")
    t.is_(h.heard(), ["initialize", "server/discover", "tools/list",
                      "tools/call"], "once it has refused the handshake")
    t.ok(h.calls(("a.echo", {}))[0]["ok"], "it is called")
    t.is_(h.heard(), ["tools/list", "tools/call"], "and remembered")
    t.is_([c.get("era") for c in h.cached() if "tools" in c], ["request"],
          "by its hash")


def main():
    t = tap.Tap()
    with Eras() as h:
        h.server("plain")
        if "fault" in h.list().get("a", {}):
            t.diag(h.list())
            t.skip_all("there are no walls here")
    for check in (check_found, check_refused, check_requests, check_moved):
        with Eras() as h:
            check(t, h)
    t.done()


main()
