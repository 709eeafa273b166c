# SPDX-License-Identifier: GPL-3.0-or-later
"""lastcommand.py - the last command of a shell, as its hook records it."""

import json
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "..", "lib"))

import home  # noqa: E402

AI = home.program("ai")


def folder(place):
    path = os.path.join(place.env["XDG_RUNTIME_DIR"], "agentsh")
    os.makedirs(path, 0o700, exist_ok=True)
    return path


def session():
    """Of this process, which is no shell: the command is run by bash."""
    return "%d-1" % os.getpid()


def record(place, command, status, cwd=None, shown=None):
    """Records a command, and what it showed where that was captured."""
    place.env["AGENTSH_SESSION"] = session()
    texts = {"last": "status=%d\ncwd=%s\nduration_ms=3\ncommand=%s" %
                     (status, cwd or place.work, command), "stderr": shown}
    for kind, text in texts.items():
        path = os.path.join(folder(place), "%s-%s" % (kind, session()))
        if text is None:
            if os.path.exists(path):
                os.unlink(path)
            continue
        with open(path, "w", encoding="utf-8") as out:
            out.write(text)
        os.chmod(path, 0o600)


def fix(place, *options, **env):
    """ai fix, without a terminal: the result, and its report."""
    result = place.run([AI, "fix", "-o", "json", "--dry-run", *options], **env)
    try:
        report = json.loads(result.out)
    except ValueError:
        report = {}
    return result, report


def events(place, kind):
    """The bodies of the journal's events of one kind."""
    runs = place.run([AI, "log", "-o", "json"])
    found = []
    for item in json.loads(runs.out)["runs"]:
        one = place.run([AI, "log", "-o", "json", item["run"]])
        found += [event for event in json.loads(one.out)["rows"]
                  if event["kind"] == kind]
    return found
