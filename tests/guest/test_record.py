# SPDX-License-Identifier: GPL-3.0-or-later
"""test_record.py - what the journal knows of a guest agent's requests."""

import base64
import contextlib
import json
import os
import sqlite3
import sys

import agent

import home  # noqa: E402
import tap  # noqa: E402


def rows(place):
    """(kind, body) of all rows, oldest first."""
    path = os.path.join(place.env["XDG_STATE_HOME"], "agentsh", "journal.db")
    with contextlib.closing(sqlite3.connect(path)) as db:
        return [(kind, json.loads(body)) for kind, body in db.execute(
            "select kind, body from row order by seq")]


def main():
    t = tap.Tap()
    secret = base64.b64encode(b"my password\n").decode()
    with home.Home() as place:
        with open(place.path("rules"), "w", encoding="ascii") as out:
            out.write("deny command curl *\nallow command *\n"
                      "deny read %s/hidden\n" % place.work)
        with agent.Agent(place, "--policy", "rules") as a:
            a.result("exec", cmd="echo out; echo err >&2; exit 3")
            a.result("exec", cmd="curl x")
            a.call("read_file", path="hidden")
            a.call("read_file", path="none")
            a.call("write_file", path="new", content="text")
            a.result("fs.write", path="new", data=secret)
            p = a.result("process.start", cmd="read x; echo done; exit 4")["id"]
            a.result("process.input", id=p, data=secret)
            a.result("process.wait", id=p)
        log = place.run([home.program("ai"), "log", "--tools"]).out
        t.ok("exec echo out" in log and "unfinished" not in log,
             "a connection is listed by its first request, as one that ended",
             log)
        t.is_(place.run([home.program("ai"), "log", "--verify"]).status, 0,
              "the chain holds")
        all_rows = rows(place)
        seen = [(body.get("action") or body.get("exit_code",
                                                body.get("why", body.get("ok"))))
                for kind, body in all_rows if kind in ("call", "result")]
        for wanted in (["exec", 3], ["read_file", "none: No such file or "
                                     "directory"], ["write_file", True],
                       ["fs.write", True]):
            at = [seen[i:i + 2] for i in range(len(seen))]
            t.ok(wanted in at, "a request and what came of it: %s" % wanted,
                 seen)
        denied = [body["why"] for kind, body in all_rows
                  if kind == "result" and "denied by" in body.get("why", "")]
        t.is_(len(denied), 2, "what a rule denied, with the request", seen)
        t.ok(seen.count("exec") == 2 and seen.count("read_file") == 2,
             "is there, too", seen)
        ends = [body for kind, body in all_rows if body.get("process") == p]
        t.is_([(e["exit_code"], e["stdout"]) for e in ends], [(4, "done\n")],
              "how a process ended")
        text = json.dumps(all_rows)
        t.ok(secret not in text and "my password" not in text,
             "what is typed, or written as base64, is not kept")
    t.done()


if __name__ == "__main__":
    sys.exit(main())
