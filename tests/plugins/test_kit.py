#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test_kit.py - what a plugin's author is given works as it is.

A new plugin in each language, each example and each built-in tool pass
`agentsh plugin check`, and the first two their own tests; a new plugin is
called as the manual says, once it is agreed to.
"""

import json
import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))

import home  # noqa: E402
import tap  # noqa: E402

AGENTSH = home.program("agentsh")
BUILTIN = os.path.join(home.BUILDDIR, "plugins")
EXAMPLES = os.path.join(home.SRCDIR, "plugins", "examples")
LANGUAGES = ("sh", "python", "c")


def has(*programs):
    return all(map(shutil.which, programs))


def check(t, h, path, *options):
    """All tests pass, and each is told."""
    done = h.run([AGENTSH, "plugin", "check", "-o", "json", *options, path],
                 seconds=120)
    report = json.loads(done.out or "{}")
    wrong = [f for f in report.get("tests", ()) if f["verdict"] == "not_ok"]
    t.ok(done.status == 0 and report.get("ok") is True and not wrong and
         len(report["tests"]) > 8,
         "it passes the check: " + os.path.basename(path), wrong, done.err)


def own_test(t, h, path):
    done = h.run([os.path.join(path, "test")], seconds=120)
    t.is_(done.status, 0, "it passes its own test: " + os.path.basename(path),
          done.out, done.err)


def agree(h, name):
    listed = json.loads(h.run([AGENTSH, "tool", "list", "-o", "json"]).out)
    for tool in listed["tools"]:
        if tool["name"] == name:
            h.run([AGENTSH, "tool", "trust", name, tool["sha256"]])


def call(h, name, action, **args):
    done = h.run([AGENTSH, "tool", "call", name], stdin=json.dumps(
        {"tool": name, "action": action, "args": args}))
    return json.loads(done.out)


def new(t, h, lang):
    """Made, checked, tested, agreed to, called; never over another."""
    if lang == "c" and not has("make", "cc"):
        return
    place = os.path.join(h.env["XDG_DATA_HOME"], "agentsh", "plugins")
    os.makedirs(place, 0o700, exist_ok=True)
    name = "my." + lang
    path = os.path.join(place, name)
    done = h.run([AGENTSH, "plugin", "new", "--lang", lang, name, place])
    t.ok(done.status == 0 and "agentsh plugin check " + path in done.out,
         "one is made in " + lang, done.out, done.err)
    check(t, h, path, "--run-all")
    own_test(t, h, path)
    agree(h, name)
    t.is_(call(h, name, "hello", who="Ann")["stdout"], "Hello, Ann.\n",
          "it is called: " + name)
    with open(h.path("two"), "w", encoding="utf-8") as f:
        f.write("1\n2\n")
    told = call(h, name, "lines", path=h.path("two"))
    t.is_(told["stdout"].strip(), "2", "and reads a file: " + name, told)
    told = call(h, name, "lines", path=h.path("none"))
    t.is_(told["meta"].get("error_code"), "NOT_FOUND",
          "and says what is not there: " + name, told)
    manifest = os.path.join(path, "plugin.json")
    os.utime(manifest, (1, 1))
    again = h.run([AGENTSH, "plugin", "new", "--lang", lang, name, place])
    t.ok(again.status != 0 and "already exists" in again.err and
         os.stat(manifest).st_mtime == 1,
         "nothing is written over it: " + name, again.err)


def wrong_words(t, h):
    rows = [
        (["plugin", "new"], "missing argument: its name"),
        (["plugin", "new", "Up"], "is not a valid tool name"),
        (["plugin", "new", "../x"], "is not a valid tool name"),
        (["plugin", "new", "--lang", "perl", "x"], "perl"),
        (["plugin", "check"], "missing argument: the directory"),
        (["plugin", "check", "no-such-directory"], "no-such-directory"),
        (["plugin", "check", "/dev/null"], "is not a directory"),
    ]
    for words, says in rows:
        done = h.run([AGENTSH, *words])
        t.ok(done.status == 2 and says in done.err,
             "it is wrong usage: " + " ".join(words), done.status, done.err)
    t.is_(os.listdir(h.work), [], "and nothing was made")


def example(t, h, name):
    """A copy, as a person would make it."""
    path = os.path.join(h.root, name)
    shutil.copytree(os.path.join(EXAMPLES, name), path)
    for folder, _, files in os.walk(path):
        os.chmod(folder, 0o755)
        for file in files:
            one = os.path.join(folder, file)
            os.chmod(one, os.stat(one).st_mode & 0o111 | 0o644)
    if os.path.exists(os.path.join(path, "Makefile")):
        if not has("make", "cc"):
            return
        subprocess.run(["make", "-s", "-C", path], check=True, timeout=120,
                       env={k: v for k, v in os.environ.items()
                            if not k.startswith("MAKE")})
    own_test(t, h, path)
    check(t, h, path)


def main():
    t = tap.Tap()
    with home.Home() as h:
        if h.run([AGENTSH, "exec", "--", "true"]).status != 0:
            t.skip_all("no sandbox here")
        h.env["PATH"] = os.path.dirname(AGENTSH) + ":" + h.env["PATH"]
        wrong_words(t, h)
        for lang in LANGUAGES:
            new(t, h, lang)
        for name in sorted(os.listdir(EXAMPLES)):
            if os.path.isdir(os.path.join(EXAMPLES, name)):
                example(t, h, name)
        for name in sorted(os.listdir(BUILTIN)):
            if os.path.exists(os.path.join(BUILTIN, name, "plugin.json")):
                check(t, h, os.path.join(BUILTIN, name))
        t.ok(tap.poll(lambda: not h.left() and not home.strays()),
             "nothing runs any more", h.left(), home.strays())
    t.done()


main()
