# SPDX-License-Identifier: GPL-3.0-or-later
"""test_setup.py - agentsh setup: a newcomer's provider and key, tried and
written; and what a person wrote before stays.

The servers are on this machine, where *_BASE_URL or OLLAMA_HOST says.
"""

import os
import stat
import subprocess

import faults
import tap
from fault.server import Server
from home import Home, program
from terminal import Terminal

SETUP = [program("agentsh"), "setup"]
GOOD, BAD = "sk-good-0123456789abcdef", "sk-bad-0123456789abcdef"
CHOICE, KEY, MODEL = "[q]uit ? ", "not shown", "Model (Enter: "
CHANGE = "[t]ry again"
CODE = {"name": "coder:7b", "size": 2, "details": {"parameter_size": "7.6B"}}


def folder(home):
    return os.path.join(home.env["XDG_CONFIG_HOME"], "agentsh")


def files(home):
    """What is in the configuration directory: name, mode and bytes."""
    found = {}
    for name in sorted(os.listdir(folder(home)) if os.path.isdir(folder(home))
                       else []):
        path = os.path.join(folder(home), name)
        mode = stat.S_IMODE(os.stat(path).st_mode)
        with open(path, encoding="utf-8") as file:
            found[name] = (mode, file.read())
    return found


def newcomer(server=None):
    """A home without a configuration, whose Anthropic is the server."""
    home = Home()
    os.unlink(os.path.join(folder(home), "config"))
    os.rmdir(folder(home))
    if server:
        home.env["ANTHROPIC_BASE_URL"] = server.url
    return home


def talk(home, *dialogue, argv=SETUP, **env):
    """Sends each answer when its question is seen; the terminal, its exit
    status, and the questions that never came."""
    term = Terminal(home, argv, cols=110, **env)
    missed = []
    for question, answer in dialogue:
        if not term.wait_for(question):
            missed.append(question)
            break
        term.send(answer)
    return term, term.finish(), missed


def key_path(home, name="anthropic"):
    return os.path.join(folder(home), name + ".key")


def written(home, name="anthropic", more=""):
    return ("[model]\nprovider = %s\n%sapi_key_file = %s\n" %
            (name, more, key_path(home, name)))


def check_good_key(t):
    with Server(key=GOOD) as server, newcomer(server) as home:
        term, status, missed = talk(home, (CHOICE, "a"), (KEY, GOOD + "\r"),
                                    (MODEL, "\r"))
        t.ok(status == 0 and not missed and
             "Anthropic at %s answers" % server.url in term.text(),
             "a key is asked for and tried", status, missed, term.text())
        t.ok(GOOD not in term.seen and term.is_sane(),
             "and never shown", term.text())
        t.is_(files(home), {
            "anthropic.key": (0o600, GOOD + "\n"),
            "config": (0o600, written(home))},
              "the key is in a file of its own, which the settings name")
        t.ok("anthropic.key" in term.text() and "config" in term.text(),
             "and what was written is said", term.text())
        home.env.update(ANTHROPIC_BASE_URL=server.url)
        may_write = [] if tap.is_here("namespaces") else ["--profile",
                                                          "reduced"]
        result = home.run([faults.AI, "run", "-y", *may_write, "note", "it"])
        t.is_((result.status, home.read("ran.txt")), (0, "good\n"),
              "from then on the model answers", result.out, result.err)


def check_wrong_key(t):
    with Server(key=GOOD) as server, newcomer(server) as home:
        term = Terminal(home, SETUP, cols=110)
        for question, keys in ((CHOICE, "a"), (KEY, BAD + "\r"),
                               (MODEL, "fault:run\r")):
            term.wait_for(question)
            term.send(keys)
        shown = term.wait_for(CHANGE)
        t.ok(shown and "rejected the key (401)" in term.text() and
             "the key that you typed" in term.text(),
             "a wrong key is said to be wrong", term.text())
        t.is_(files(home), {}, "and nothing is written yet")
        term.send("k")
        term.wait_for(KEY)
        term.send(GOOD + "\r")
        status = term.finish()
        t.is_((status, files(home)), (0, {
            "anthropic.key": (0o600, GOOD + "\n"),
            "config": (0o600, written(home, more="model = fault:run\n"))}),
              "the next one is tried with the model that was typed, and "
              "written", term.text())
        t.ok(BAD not in term.seen and GOOD not in term.seen,
             "neither is shown", term.text())


# a moment, and the answers until then
MOMENTS = {
    "at the list of providers": [(CHOICE, "\x03")],
    "at the key": [(CHOICE, "a"), (KEY, GOOD + "\x03")],
    "at the model": [(CHOICE, "a"), (KEY, GOOD + "\r"), (MODEL, "x\x03")],
    "while the model is asked": [
        (CHOICE, "a"), (KEY, GOOD + "\r"), (MODEL, "fault:hang\r"),
        ("asking fault:hang", "\x03")],
    "after an error": [
        (CHOICE, "a"), (KEY, GOOD + "\r"), (MODEL, "fault:key-echo\r"),
        (CHANGE, "\x03")],
}


def check_interrupts(t):
    for moment, dialogue in MOMENTS.items():
        with Server() as server, newcomer(server) as home:
            term, status, missed = talk(home, *dialogue)
            t.ok(status == 130 and not missed and files(home) == {} and
                 not os.path.exists(folder(home)) and term.is_sane() and
                 GOOD not in term.seen and term.no_one_left(),
                 "Ctrl-C %s leaves everything as it was" % moment, status,
                 missed, files(home), term.text())
    with newcomer() as home:
        _, status, _ = talk(home, (CHOICE, "q"))
        t.is_((status, files(home)), (5, {}), "and so does quit")


def check_no_terminal(t):
    with newcomer() as home:
        result = home.run(SETUP)
        t.ok(result.status == 2 and result.out == "" and
             result.err.count("\n") == 1 and
             "ANTHROPIC_API_KEY" in result.err and
             "api_key_file" in result.err,
             "without a terminal it says what to set instead", result)
        result = home.run([*SETUP, "now"])
        t.is_(result.status, 2, "it takes no words", result.err)


BEFORE = """# mine
[sandbox]
limit_s = 60   

[model]
; of work
provider = openai
 base_url = http://127.0.0.1:9/v1
api_key_command = pass work
total_timeout_s=60
[record]
journal = yes"""
AFTER = """# mine
[sandbox]
limit_s = 60   

[model]
; of work
provider = anthropic
#  base_url = http://127.0.0.1:9/v1
# api_key_command = pass work
total_timeout_s=60
api_key_file = %s
[record]
journal = yes"""


def put_config(home, text, name="config"):
    os.makedirs(folder(home), 0o700, exist_ok=True)
    path = os.path.join(folder(home), name)
    with open(path, "w", encoding="utf-8") as out:
        out.write(text)
    os.chmod(path, 0o640)
    return path


def check_existing(t):
    with Server(key=GOOD) as server, newcomer(server) as home:
        put_config(home, BEFORE, "mine")
        os.symlink("mine", os.path.join(folder(home), "config"))
        term, status, _ = talk(home, (CHOICE, "a"), (KEY, GOOD + "\r"),
                               (MODEL, "\r"))
        t.is_((status, files(home).get("mine")),
              (0, (0o640, AFTER % key_path(home))),
              "what a person wrote keeps its bytes, and its mode", term.text())
        t.ok(os.path.islink(os.path.join(folder(home), "config")),
             "a link to it stays")
        t.ok("a comment now: api_key_command, base_url" in
             term.text().replace("\n", " "),
             "what belonged to another provider is said", term.text())
        _, status, _ = talk(home, (CHOICE, "\r"), (KEY, "\r"), (MODEL, "\r"))
        t.is_((status, files(home).get("mine")),
              (0, (0o640, AFTER % key_path(home))),
              "the same once more changes nothing")


def check_mistakes(t):
    for text, says in (("[model]\nmodel = a\nmodel = b\n", "config:3"),
                       ("[model]\nmodle = a\n", "config:2")):
        with newcomer() as home:
            put_config(home, text)
            term, status, _ = talk(home)
            t.ok(status == 2 and says in term.text() and
                 files(home) == {"config": (0o640, text)},
                 "what is wrong in a file is said, and nothing asked",
                 status, term.text())


def check_late_mistake(t):
    """The file is spoiled while the last question is open: no key stays."""
    with Server() as server, newcomer(server) as home:
        os.makedirs(folder(home), 0o700)
        term = Terminal(home, SETUP, cols=110)
        for question, keys in ((CHOICE, "a"), (KEY, BAD + "\r"),
                               (MODEL, "fault:unauthorized\r")):
            term.wait_for(question)
            term.send(keys)
        term.wait_for(CHANGE)
        text = "[model]\nmodle = a\n"
        put_config(home, text)
        term.send("w")
        t.is_((term.finish(), files(home)), (2, {"config": (0o640, text)}),
              "where the settings cannot be written the key is not, either",
              term.text())


def check_write_anyway(t):
    with newcomer() as home:
        home.env["ANTHROPIC_BASE_URL"] = "http://127.0.0.1:9"
        term, status, missed = talk(home, (CHOICE, "a"), (KEY, GOOD + "\r"),
                                    (MODEL, "\r"), (CHANGE, "w"))
        t.is_((status, missed, sorted(files(home))),
              (0, [], ["anthropic.key", "config"]),
              "a key can be written that could not be tried", term.text())


def as_user(home):
    """The words that run it as a user whom modes stop."""
    if not tap.is_here("root"):
        return SETUP
    subprocess.run(["chown", "-R", "12345:12345", home.root], check=True)
    return tap.as_other_user(SETUP)


def check_read_only(t):
    name = "a directory that cannot be written is said before a key is typed"
    if tap.is_here("root") and not tap.is_here("other-user"):
        t.skip(name, "needs other-user")
        return
    with newcomer() as home:
        os.chmod(home.env["XDG_CONFIG_HOME"], 0o500)
        term, status, _ = talk(home, argv=as_user(home))
        t.ok(status == 1 and "cannot be written" in term.text() and
             KEY not in term.text(), name, status, term.text())
        os.chmod(home.env["XDG_CONFIG_HOME"], 0o700)


def check_local_server(t):
    with Server() as server, newcomer() as home:
        server.lists["/api/tags"] = {"models": [CODE]}
        home.env["OLLAMA_HOST"] = "127.0.0.1:%d" % server.port
        put_config(home, "[model]\ndiscovery_timeout_ms = 8000\n")
        term, status, _ = talk(home, (CHOICE, "l"), (MODEL, "\r"))
        t.is_((status, files(home)), (0, {"config": (
            0o640, "[model]\ndiscovery_timeout_ms = 8000\n"
            "provider = ollama\nmodel = coder:7b\n"
            "base_url = %s\n" % server.url)}),
              "a server on this machine needs no key", term.text())
        t.ok("Ollama at " + server.url in term.text() and
             KEY not in term.text(), "and is named", term.text())


def check_variables(t):
    with Server(key=GOOD) as server, newcomer() as home:
        home.env.update(faults.wire_env("o", server.url), OPENAI_API_KEY=GOOD,
                        AGENTSH_MODEL="other")
        term, status, _ = talk(home, (CHOICE, "\r"), (MODEL, "\r"))
        t.is_((status, files(home)),
              (0, {"config": (0o600, "[model]\nprovider = openai\n")}),
              "a key in the environment is used and not written", term.text())
        t.ok("OPENAI_API_KEY is set" in term.text() and
             KEY not in term.text() and "AGENTSH_MODEL is set" in term.text(),
             "which variables come first is said", term.text())
        del home.env["OPENAI_API_KEY"]
        server.key = None
        _, status, missed = talk(home, (CHOICE, "o"), ("Enter: none", "\r"),
                                 (MODEL, "\r"))
        t.is_((status, missed, sorted(files(home))), (0, [], ["config"]),
              "a server of one's own needs none")


def check_offline(t):
    with newcomer() as home:
        _, status, _ = talk(home, (CHOICE, "f"))
        t.is_((status, files(home)),
              (0, {"config": (0o600, "[model]\nprovider = offline\n")}),
              "offline is written at once")


def check_help(t):
    with newcomer() as home:
        term, status, missed = talk(home, (CHOICE, "?"), (CHOICE, "q"))
        t.ok(status == 5 and not missed and
             "Anthropic, with a key of yours" in term.text(),
             "? explains the choices", term.text())


def main():
    t = tap.Tap()
    for check in (check_good_key, check_wrong_key, check_interrupts,
                  check_no_terminal, check_existing, check_mistakes,
                  check_late_mistake, check_write_anyway, check_read_only,
                  check_local_server, check_variables, check_offline,
                  check_help):
        check(t)
    t.done()


main()
