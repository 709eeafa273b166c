#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test_server_others.py - agentsh mcp offers tools of other servers as well."""

import json
import os
import shutil

import client
from client import text
from place import Place

import tap  # noqa: E402


def names(c):
    return [tool["name"] for tool in c.request("tools/list")["tools"]]


def forget_lists(place):
    """What servers said of their tools is to be asked again."""
    shutil.rmtree(os.path.join(place.env["XDG_CACHE_HOME"], "agentsh"),
                  ignore_errors=True)


def main():
    t = tap.Tap()
    with Place() as place:
        place.servers(fake=place.entry())
        with client.start(place) as c:
            t.ok(not [n for n in names(c) if "fake" in n],
                 "tools of a server that nobody agreed to are left out")
        place.agree("fake")
        forget_lists(place)
        with client.start(place) as c:
            before = names(c)
            changed = "notifications/tools/list_changed"
            t.ok("fake_echo" in before or c.until(lambda: c.of(changed)),
                 "a server is asked for its tools, and what is new is told")
            after = names(c)
            t.ok("fake_echo" in after and after == sorted(after),
                 "they are among the others", str(after))
            t.ok(all(n.replace("_", "").replace("-", "").isalnum()
                     for n in after), "their names have the form of a name")
            told = {x["name"]: x for x in c.request("tools/list")["tools"]}
            t.ok("outputSchema" not in told["fake_echo"] and
                 told["fake_echo"]["inputSchema"]["type"] == "object",
                 "what they answer in structure is not known",
                 json.dumps(told["fake_echo"]))
            args = {k: "hello" for k in
                    told["fake_echo"]["inputSchema"].get("required", [])}
            r = c.call("fake_echo", **args)
            t.ok(not r["isError"] and "hello" in text(r), "they can be called",
                 json.dumps(r))
            r = c.call("fake_fail")
            t.ok(r["isError"], "a failure of theirs is one here",
                 json.dumps(r))
            ident = c.start("tools/call", {"name": "fake_slow", "arguments": {},
                                           "_meta": {"progressToken": "p"}})
            t.ok(c.until(lambda: [p for p in c.of("notifications/progress")
                                  if p.get("total") == 9]),
                 "their progress is told as they count it",
                 str(c.of("notifications/progress")))
            c.notify("notifications/cancelled", {"requestId": ident})
            t.is_(c.request("ping"), {}, "and they can be cancelled")
    t.done()


if __name__ == "__main__":
    main()
