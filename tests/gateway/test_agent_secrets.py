#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test_agent_secrets.py - what the gateway's agents are given, what they may
reach, and that no secret of theirs is told."""

import json
import os

from probe import Probe, fake_type

import home  # noqa: E402
import tap  # noqa: E402

SECRET = 'hunter2-"x"-\\y'
AS_JSON = json.dumps(SECRET)[1:-1]


def write(path, text, mode=0o600):
    with open(path, "w", encoding="utf-8") as out:
        out.write(text)
    os.chmod(path, mode)
    return path


def is_hidden(t, probe, name):
    said = json.dumps(probe.lines) + probe.errors
    for text in (SECRET, AS_JSON, json.dumps(AS_JSON)[1:-1]):
        t.ok(text not in said, name, said[:2000])


def nothing_that_it_says_has_one(t):
    with home.Home() as place:
        path = write(os.path.join(place.env["HOME"], "key"), SECRET + "\n")
        by_file = fake_type("file", more="secret_file.SECRET = ~/key\n")
        by_command = fake_type(
            "command", more="secret_command.SECRET = cat %s\n" % path)
        for name in ("file", "command"):
            with Probe(place, name, types=by_file + by_command) as probe:
                probe.until("ready")
                probe.tell("prompt secret")
                asks = probe.until("asks")
                t.is_(asks and asks["data"]["title"], "with [secret]",
                      "%s: it has the secret, and a question has not" % name)
                probe.tell("answer %s no" % asks["request"])
                turn = probe.until("turn_ended")
                t.is_(probe.text(), "a [secret] bc [secret] de %s" %
                      SECRET[:4], "nor have its words, also in pieces")
                call = probe.data("toolCall")[0]
                t.is_((call["title"], call["rawInput"]),
                      ("[secret]", {"[secret]": ["[secret]"]}),
                      "nor a tool call")
                t.is_(probe.data("log")[0]["message"], "plain [secret]",
                      "nor what is no message")
                t.ok("[secret]" in turn["summary"] or
                     SECRET not in turn["summary"], "nor its summary")
                probe.tell("prompt secret_reason")
                t.is_(probe.until("turn_ended", 2)["stop_reason"], "[secret]",
                      "nor why it ended")
            is_hidden(t, probe, "nothing has it")


def secrets_that_cannot_be_had(t):
    with home.Home() as place:
        path = os.path.join(place.env["HOME"], "key")
        types = "".join(fake_type(name, more=more) for name, more in (
            ("file", "secret_file.SECRET = ~/key\n"),
            ("fails", "secret_command.SECRET = echo %s; exit 3\n" % SECRET),
            ("empty", "secret_command.SECRET = true\n"),
            ("long", "secret_command.SECRET = printf %09000d 1\n")))
        for name, text, mode, why in (
                ("file", SECRET, 0o644, "readable by others"),
                ("file", "", 0o600, "no key"),
                ("file", None, 0o600, "No such file"),
                ("fails", SECRET, 0o600, "status 3"),
                ("empty", SECRET, 0o600, "no key"),
                ("long", SECRET, 0o600, "more than 8192 bytes")):
            if text is None:
                os.unlink(path)
            else:
                write(path, text, mode)
            with Probe(place, name, types=types) as probe:
                end = probe.until("ended")
                t.ok(end and why in end["why"] and "SECRET" in end["why"] and
                     end["safe"], "%s: %s" % (name, why), str(end))
            is_hidden(t, probe, "and it is not told")


def what_it_gets(t):
    with home.Home() as place:
        write(os.path.join(place.env["HOME"], "key"), "of-this-type-alone")
        types = (fake_type("one", more="secret_file.KEY = ~/key\n") +
                 fake_type("other"))
        for name in ("one", "other"):
            with Probe(place, name, types=types, OPENAI_API_KEY="sk-person",
                       AGENTCTL_PORT="1") as probe:
                probe.until("ready")
                probe.prompt("environment")
                text = probe.text()
                t.is_("[secret]" in text, name == "one",
                      "%s: its own secret alone" % name)
                env = json.loads(text)
                t.is_((env.get("TASK_DESCRIPTION"), env.get("TASK_ID")),
                      ("Do it.", "t1"), "and its task")
                t.is_([n for n in env if n.startswith("AGENTCTL_") or
                       n == "OPENAI_API_KEY"], [],
                      "nothing of agentctl's or the person's")


def what_it_may_reach(t):
    with home.Home() as place:
        for more, outside in (("", False), ("profile = full\n", True)):
            with Probe(place, "fake",
                       types=fake_type("fake", more=more)) as probe:
                probe.until("ready")
                probe.prompt("confined")
                t.is_({k: v == "written" for k, v in
                       json.loads(probe.text()).items()},
                      {"inside": True, "outside": outside},
                      "it writes where the task is%s" %
                      (", and elsewhere" if outside else " alone"))
            os.unlink(place.path("inside"))
        t.ok(os.path.exists(os.path.join(place.env["HOME"], "outside")),
             "as its profile says")


def main():
    t = tap.Tap()
    for test in (nothing_that_it_says_has_one, secrets_that_cannot_be_had,
                 what_it_gets, what_it_may_reach):
        test(t)
    t.done()


if __name__ == "__main__":
    main()
