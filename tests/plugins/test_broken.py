#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test_broken.py - plugins that are broken, each in another way.

`agentsh plugin check` says in a line what is wrong with each; a call of it is
an answer with ok false and the right code, nothing of it is left, and the next
call works.
"""

import json
import os
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))

import home  # noqa: E402
import tap  # noqa: E402

BROKEN = os.path.join(home.SRCDIR, "tests", "plugins", "broken")
AGENTSH = home.program("agentsh")

# name: the test that fails, what it says came; the code of a call (None: it
# answers), and what its answer says
ROWS = {
    "hangs": ("answers a valid request", "no answer within",
              "TIMEOUT", "no answer within 400 ms"),
    "dies": ("answers a valid request", "(status 3): out of luck",
             "IO_ERROR", "(status 3): out of luck"),
    "floods": ("answers a valid request", "a line is longer",
               "IO_ERROR", "a line is longer"),
    "answers-twice": ("answers a valid request",
                      "it continued after its response",
                      "IO_ERROR", "continued after its response"),
    "answers-another": ("answers a valid request",
                        "another id: 999999 instead of",
                        "IO_ERROR", "another request (id 999999)"),
    "writes-garbage": ("answers a valid request", "Working on it",
                       "PARSE_ERROR", "not a response"),
    "never-reads": ("answers a valid request", "no answer within",
                    "TIMEOUT", "no answer within 400 ms"),
    "half-answer": ("answers a valid request", "a response without meta",
                    "IO_ERROR", "a response without meta"),
    "wrong-meta": ("answers a valid request",
                   "meta does not match its schema: size: must be an integer",
                   "IO_ERROR", "meta: size: must be an integer"),
    "wrong-code": ("answers a valid request", "error_code is not one of the",
                   "IO_ERROR", "error_code is not one of the"),
    "times-out": ("answers a valid request", "TIMEOUT: timed out",
                  "TIMEOUT", "timed out"),
    "writes-outside": ("answers a valid request", "ended without an answer",
                       "IO_ERROR", ".profile"),
    "stays": ("answers a valid request",
              "ended without an answer (status 0)",
              "IO_ERROR", "ended without an answer (status 0)"),
    "unasked-events": ("answers a valid request", "unrequested output event",
                       "IO_ERROR", "unrequested output event"),
    "outlives-input": ("it ends when its input ends", "it keeps running",
                       "INVALID_ARGS", ""),
    "believes-all": ("refuses a request without path", "ok: true", None, ""),
    "no-program": ("its manifest is valid", "is not executable",
                   "PERMISSION_DENIED", "is not executable"),
    "no-manifest": ("its manifest is valid", "plugin.json",
                    "NOT_FOUND", "plugin.json"),
    "wrong-manifest": ("its manifest is valid", "acitons",
                       "INVALID_ARGS", "acitons"),
}

FINE = {"tool": "sysinfo", "action": "get", "args": {"parts": ["os"]}}


def put_plugins(h):
    """Copies, with modes of which a person can agree to them."""
    place = os.path.join(h.env["XDG_DATA_HOME"], "agentsh", "plugins")
    for name in sorted(os.listdir(BROKEN)):
        shutil.copytree(os.path.join(BROKEN, name),
                        os.path.join(place, name))
    for folder, _, files in os.walk(place):
        os.chmod(folder, 0o755)
        for name in files:
            path = os.path.join(folder, name)
            os.chmod(path, os.stat(path).st_mode & 0o111 | 0o644)
    return place


def trust_all(h):
    listed = json.loads(h.run([AGENTSH, "tool", "list", "-o", "json"]).out)
    for tool in listed["tools"]:
        if tool["name"] in ROWS and "sha256" in tool and \
                "fault" not in tool:
            h.run([AGENTSH, "tool", "trust", tool["name"], tool["sha256"]])


def check(t, h, name, place):
    """The first test that fails is the one, and the verdict is no."""
    done = h.run([AGENTSH, "plugin", "check", "-o", "json",
                  os.path.join(place, name)])
    wanted, came = ROWS[name][:2]
    report = json.loads(done.out or "{}")
    failed = [f for f in report.get("tests", ())
              if f["verdict"] == "not_ok"]
    t.ok(done.status == 1 and report.get("ok") is False and failed and
         wanted in failed[0]["name"] and came in failed[0]["came"] and
         failed[0]["expected"] and failed[0]["advice"],
         "a plugin that is broken is told: " + name, done.out, done.err)
    text = h.run([AGENTSH, "plugin", "check", os.path.join(place, name)])
    lines = [x for x in text.out.splitlines() if x.startswith("not ok")]
    t.ok(text.status == 1 and lines and came in lines[0] and
         "To do: " in lines[0], "and in a line for people: " + name, text.out)


def call(t, h, name):
    wanted, says = ROWS[name][2:]
    request = {"tool": name, "action": "go", "args": {"path": "x"}}
    done = h.run([AGENTSH, "tool", "call"], stdin="".join(
        json.dumps(r) + "\n" for r in (request, FINE)))
    answers = [json.loads(line) for line in done.out.splitlines()]
    first, second = answers if len(answers) == 2 else ({}, {})
    if wanted is None:
        t.ok(first.get("ok") is True, "its call is answered: " + name,
             done.out)
    else:
        t.ok(first.get("ok") is False and
             first["meta"]["error_code"] == wanted and
             says in first["stderr"] and "duration_ms" in first["meta"],
             "its call is %s: %s" % (wanted, name), done.out, done.err)
    t.ok(second.get("ok") is True, "and the next call works: " + name,
         done.out)


def main():
    t = tap.Tap()
    with home.Home() as h:
        if h.run([AGENTSH, "exec", "--", "true"]).status != 0:
            t.skip_all("no sandbox here")
        place = put_plugins(h)
        t.is_(sorted(os.listdir(BROKEN)), sorted(ROWS),
              "each broken plugin has its row")
        trust_all(h)
        for name in ROWS:
            check(t, h, name, place)
            call(t, h, name)
            left = tap.poll(lambda: not h.left() and not home.strays())
            t.ok(left, "nothing of it is left: " + name, h.left(),
                 home.strays())
    t.done()


main()
