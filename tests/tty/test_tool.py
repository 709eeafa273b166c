# SPDX-License-Identifier: GPL-3.0-or-later
"""test_tool.py - a plugin that is not built in, and the question about it."""

import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))

import home
import tap
import terminal

AGENTSH = home.program("agentsh")
MENU = "[n]o"
REQUEST = '{"tool":"mine","action":"look"}\n'
MANIFEST = {
    "name": "mine", "version": "7", "summary": "about \u202emine",
    "executable": "run",
    "needs": {"read": ["workspace"], "network": "internet", "state": True},
    "actions": {"look": {"summary": "looks at it", "read_only": True,
                         "args": {"type": "object"}}},
}
PROGRAM = """#!/bin/sh
read -r line
echo '{"ok":true,"stdout":"ran","stderr":"","meta":{}}'
"""


def plant(h):
    folder = os.path.join(h.env["XDG_DATA_HOME"], "agentsh", "plugins", "mine")
    os.makedirs(folder, 0o700)
    with open(os.path.join(folder, "plugin.json"), "w",
              encoding="utf-8") as out:
        json.dump(MANIFEST, out)
    with open(os.path.join(folder, "run"), "w", encoding="utf-8") as out:
        out.write(PROGRAM)
    os.chmod(os.path.join(folder, "run"), 0o700)


def trusted(h):
    got = h.run([AGENTSH, "tool", "list", "-o", "json"])
    return [t["trust"] for t in json.loads(got.out)["tools"]
            if t["name"] == "mine"]


def ask(h, *keys):
    """agentsh tool trust, with these keys for its question."""
    term = terminal.Terminal(h, [AGENTSH, "tool", "trust", "mine"])
    asked = term.wait_for(MENU)
    for key in keys:
        term.send(key)
    return asked, term, term.finish()


def test_trust(t):
    with home.Home() as h:
        plant(h)
        for key, name in (("\r", "Enter"), ("n", "n"), ("\x03", "Ctrl-C")):
            asked, term, status = ask(h, key)
            t.ok(asked and status in (5, 130) and trusted(h) == ["new"],
                 name + " is no", status, term.text())
        asked, term, status = ask(h, "y")
        t.ok(status == 0 and trusted(h) == ["trusted"], "y is yes", status,
             term.text())
        text = term.text()
        for shown in ("version     7", "/plugins/mine",
                      "reads       the working directory",
                      "writes      nothing", "network     the internet",
                      "a directory of its own", "look: looks at it",
                      "sha256"):
            t.ok(shown in text, "it shows: " + shown, text)
        t.ok("\\u202e" in text and "\u202e" not in text,
             "what does not show is made visible", text)
        t.ok(term.is_sane(), "the terminal is as it was")


def call(h, *keys):
    """agentsh tool call with two requests from a pipe."""
    with open(h.path("requests"), "w", encoding="utf-8") as out:
        out.write(REQUEST * 2)
    term = terminal.Terminal(
        h, ["/bin/sh", "-c", "exec %s tool call <requests >answers" % AGENTSH])
    for key in keys:
        if not term.wait_for(MENU):
            break
        term.send(key)
    status = term.finish()
    return term, status, [json.loads(line)
                          for line in h.read("answers").splitlines()]


def test_call(t):
    with home.Home() as h:
        plant(h)
        term, status, answers = call(h, "n", "n")
        t.ok(status == 1 and len(answers) == 2 and
             all(a["meta"]["error_code"] == "POLICY_DENIED" and
                 "you said no" in a["stderr"] for a in answers),
             "a no is an answer that says so", status, answers, term.text())
        t.is_(term.text().count(MENU), 1, "and is not asked for again",
              term.text())
        term, status, answers = call(h, "y")
        t.ok(status == 0 and [a["stdout"] for a in answers] == ["ran"] * 2,
             "after a yes the tool is called", status, answers, term.text())
        t.is_(trusted(h), ["trusted"], "the yes is kept")
        t.ok(term.no_one_left(), "nothing is left running")


def test_shown(t):
    """What a terminal must not be given, and a pipe must."""
    asked = {"tool": "cmd.run", "action": "execute", "args": {
        "command": "printf 'a\\342\\200\\256b\\363\\240\\201\\201c'"}}
    with home.Home() as h:
        with open(h.path("requests"), "w", encoding="utf-8") as out:
            out.write(json.dumps(asked) + "\n")
        term = terminal.Terminal(
            h, ["/bin/sh", "-c", "exec %s tool call <requests" % AGENTSH],
            cols=300)
        status = term.finish()
        t.ok(status == 0 and "a\\u202eb\\udb40\\udc41c" in term.text(),
             "on a terminal what does not show is escaped", status,
             term.text())
        with open(h.path("requests"), encoding="utf-8") as requests:
            got = h.run([AGENTSH, "tool", "call"], stdin=requests.read())
        t.ok("a\u202eb\U000e0041c" in got.out, "in a pipe it is as it is",
             got.out)


def can_confine():
    with home.Home() as h:
        return h.run([AGENTSH, "exec", "--", "true"]).status != 125


def main():
    if not can_confine():
        print("1..0 # SKIP no sandbox here")
        return
    t = tap.Tap()
    for test in (test_trust, test_call, test_shown):
        test(t)
    t.done()


main()
