# SPDX-License-Identifier: GPL-3.0-or-later
"""test_plain.py - with --plain or ACCESSIBLE=1 nothing is drawn: every view.

A view is a command line. What it writes to its terminal has no escape, no
carriage return but those of line ends, and no character that is not ASCII but
what somebody else wrote. A view that is not in VIEWS fails the test: the list
of commands is that of the programs.
"""

import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))

import home
import tap
import terminal
from fault.server import Server
from review import AI, review, save, step

AGENTSH = home.program("agentsh")
ASKED = "Type one of "
PLAN = "plan.json"
WISH = "unpack arc.tar into its own folder"

# The command and the words behind it; a list of lines that answer it.
VIEWS = [
    ("ai do", ["--plan", PLAN], ["help", "view", "explain", "no", "quit"]),
    ("ai do", ["--plan", PLAN, "--step"], ["run", "run", "skip", "quit"]),
    ("ai do", ["--plan", PLAN, "--dry-run"], []),
    ("ai run", ["--offline", "list the files by size"], ["quit"]),
    ("ai explain", ["--offline", "tar -xzf a.tar.gz | wc -l"], []),
    ("ai explain", ["--offline", "how do I find big files"], []),
    ("ai do", ["--offline", WISH], ["view", "run"]),
    ("ai do", ["--plan", "edit.json", "--preview"], ["run", "help", "drop", "yes"]),
    ("ai fix", ["--offline", "--command", "gti status", "--status", "127"],
     ["quit"]),
    ("ai undo", [], ["quit"]),
    ("ai log", [], []), ("ai log", ["last"], []), ("ai log", ["--verify"], []),
    ("ai log", ["--cost"], []), ("ai help", [], []),
    ("agentsh doctor", [], []), ("agentsh doctor", ["-v"], []),
    ("agentsh policy test", ["rm", "-rf", "build"], []),
    ("agentsh policy show", [], []),
    ("agentsh policy add", ["allow", "touch", "x"], []),
    ("agentsh policy check", [], []),
    ("agentsh tool list", [], []), ("agentsh sysinfo", [], []),
    ("agentsh services", [], []), ("agentsh packages", ["bash"], []),
    ("agentsh tool trust", ["no.such"], []),
    ("agentsh preview list", [], []), ("agentsh preview show", ["none"], []),
    ("agentsh preview keep", ["none"], []),
    ("agentsh preview drop", ["none"], []),
    ("agentsh no such", [], []), ("ai log", ["--no-such"], []),
    ("agentsh approvals", ["list"], []),
    ("agentsh session list", [], []), ("agentsh help", [], []),
    ("agentsh session show", ["none"], []),
    ("agentsh session resume", ["none"], []),
    ("agentsh session delete", ["none"], []),
    ("agentsh exec", ["--", "echo", "hello"], []),
    ("agentsh offline", ["--all", "list the files"], []),
]
# Commands that answer programs, speak a protocol, or only print a file; and
# those that other tests here drive.
OTHERS = {
    "completion", "init", "line", "guest", "guest call", "acp", "spaces",
    "bus", "bus pub", "bus sub", "gateway", "mcp", "action check", "tool call",
    "plugin check", "plugin new", "setup", "complete",
}
SYMBOL = re.compile(r"[^\x00-\x7f]")
DRAWN = re.compile(r"\x1b|\r(?!\n)|\x9b")


def drawn(text):
    """What of a terminal's bytes is drawn, with what stands around it."""
    found = DRAWN.search(text) or SYMBOL.search(text)
    if not found:
        return ""
    return repr(text[max(0, found.start() - 60):found.end() + 40])


def fill(h):
    with open(h.path("a.txt"), "w", encoding="utf-8") as out:
        out.write("12\n")
    subprocess.run(["tar", "-cf", "arc.tar", "a.txt"], cwd=h.work, check=True)
    save(h, step(1, "rm a.txt", directory="."), step(2, "echo two > b"),
         name=PLAN)
    save(h, step(1, "echo two >> a.txt"), name="edit.json")


def show(h, name, words, answers, cols=80, option="--plain", **env):
    program, *verb = name.split()
    argv = [{"ai": AI, "agentsh": AGENTSH}[program], *verb]
    argv += [option] if option else []
    term = terminal.Terminal(h, [*argv, *words], cols=cols, **env)
    for answer in answers:
        if not term.wait_for("Type ", 10):
            break
        term.send(answer + "\r")
    return term, term.finish(40)


def test_views(t):
    for cols in tap.sample((80, 40)):
        with home.Home() as h:
            fill(h)
            term, _ = show(h, "ai do", ["--plan", PLAN], ["run", "yes"])
            t.is_(drawn(term.seen), "", "a run is only printed, %d" % cols)
            known = [c for p in ("ai", "agentsh") for c in commands(h, p)]
            for name, words, answers in VIEWS:
                if name not in ("agentsh no such", *known):
                    continue  # it is in no program yet
                fill(h)
                term, status = show(h, name, words, answers, cols)
                t.ok(not drawn(term.seen) and status is not None,
                     "%s %s draws nothing in %d columns" %
                     (name, " ".join(words), cols), drawn(term.seen))


def commands(h, program):
    text = h.run([home.program(program), "--help"], ACCESSIBLE="1").out
    table = text.partition("\n\n")[2].partition("\nOptions")[0]
    return [program + " " + line.split(":")[0]
            for line in table.splitlines() if ":" in line]


def test_list(t):
    with home.Home() as h:
        known = {name for name, _, _ in VIEWS}
        for program in ("ai", "agentsh"):
            names = commands(h, program)
            forgotten = [n for n in names if n not in known and
                         n.partition(" ")[2] not in OTHERS and
                         "ai " + n.partition(" ")[2] not in known]
            t.ok(len(names) > 4 and not forgotten,
                 "every command of %s is looked at above" % program,
                 names, forgotten)


def test_by_environment(t):
    with home.Home() as h:
        fill(h)
        for value, plain in (("1", True), ("yes", True), ("0", False),
                             ("", False)):
            term, _ = show(h, "agentsh doctor", [], [], option=None,
                           ACCESSIBLE=value)
            t.ok(bool(drawn(term.seen)) != plain,
                 "ACCESSIBLE=%s: %s" % (value, plain), drawn(term.seen))
        h.config("[shell]\nplain = yes\n")
        for name in ("agentsh doctor", "ai log"):
            term, _ = show(h, name, [], [], option=None)
            t.is_(drawn(term.seen), "", "[shell] plain = yes: %s" % name)
        term, status = show(h, "ai do", ["--plan", PLAN], ["quit"],
                            option=None)
        t.ok(ASKED in term.seen and status == 5,
             "and a review asks for a word", term.seen)


def test_dumb(t):
    with home.Home() as h:
        fill(h)
        term, status = review(h, step(1, "touch a"), keys=[("uit", "q")],
                              TERM="dumb")
        t.ok(status == 5 and not drawn(term.seen) and "[q]uit" in term.seen,
             "TERM=dumb: nothing is drawn, a key answers", term.seen)


def test_words(t):
    for said, wanted in (("run", 0), ("RUN", 0), ("r", 0), ("ru", 0),
                         ("quit", 5), ("", 5)):
        with home.Home() as h:
            term, status = review(h, step(1, "touch done"),
                                  options=["--plain"],
                                  keys=[(ASKED, said + "\r")])
            t.ok(status == wanted and
                 os.path.exists(h.path("done")) == (wanted == 0),
                 "the answer %r: exit %d" % (said, wanted), status, term.seen)
            t.ok("quit: " + said in term.seen,
                 "it stands behind a blank", term.seen)
    with home.Home() as h:
        term, status = review(
            h, step(1, "touch done"), options=["--plain"],
            keys=[(ASKED, "fly\r"), ("none of the words", ""),
                  (ASKED, "help\r"), ("quit: run nothing (Enter)", ""),
                  (ASKED, "\x04")])
        t.ok(status == 5 and "run: run the plan" in term.seen,
             "another word is told of, help explains all, Ctrl-D is Enter",
             status, term.seen)
        t.ok(term.is_sane(), "the terminal is sane")
    with home.Home() as h:
        term, status = review(h, step(1, "touch done"), options=["--plain"],
                              keys=[(ASKED, "ru\x03")])
        t.ok(status == 130 and term.is_sane(), "Ctrl-C at the question: 130",
             status, term.seen)


def test_steps(t):
    with home.Home() as h:
        term, status = review(h, step(1, "echo one"),
                              step(2, "printf '1%%\\r5%%\\r9%%\\n'"),
                              options=["--plain"],
                              keys=[(ASKED, "step\r"), (ASKED, "run\r"),
                                    (ASKED, "run\r")])
        text = term.seen.replace("\r\n", "\n")
        t.ok(status == 0 and "Step 1 of 2: Step 1\none\n" in text and
             "\n1%\n9%\n" in text and not drawn(term.seen),
             "steps are announced in words; of a line that is written over "
             "the first and the last state are shown", term.seen)


def test_progress(t):
    with home.Home() as h:
        term, status = review(h, step(1, "echo go; sleep 11; echo end"),
                              options=["--plain"], finish=False,
                              keys=[(ASKED, "run\r")])
        told = term.wait_for("step 1 of 1, 10 s\r\n", 25)
        status = term.finish()
        t.ok(told and status == 0 and not drawn(term.seen),
             "a step that takes long is told of after 10 s, in a line",
             term.seen)
    with home.Home() as h, Server() as server:
        term = terminal.Terminal(
            h, [AI, "run", "--plain", "-m", "fault:hang", "list the files"],
            OPENAI_API_KEY="k",
            OPENAI_BASE_URL="http://127.0.0.1:%d/v1" % server.port)
        told = term.wait_for(", 10 s\r\n", 25)
        term.send("\x03")
        status = term.finish()
        t.ok(told and not drawn(term.seen),
             "so is a model that takes long", status, term.seen)


def test_repl(t):
    with home.Home() as h:
        fill(h)
        with open(os.path.join(h.env["HOME"], ".bashrc"), "w",
                  encoding="utf-8") as rc:
            rc.write("PS1='\\[\\e[1m\\]$ '\n")
        term = terminal.Terminal(h, [AGENTSH, "--plain"])
        for wait, keys in (("$ ", "echo oe\x02n\x05 two\x7f\x7fwo\r"),
                           ("\r\none two\r\n", ""), ("$ ", "ls a.\t\r"),
                           ("a.txt\r\n", ""), ("$ ", "compg\t\t\x15comp\t\t"),
                           ("compopt\r\n", "\x15"),
                           ("$ ", "ai do --plan plan.json\r"),
                           (ASKED, "quit\r"), ("$ ", "\x1b[A"),
                           ("ai do --plan plan.json",
                            "\x15count the lines of a.txt\x18\x01"),
                           ("wc -l", "\x18\x19"), ("is counted", ""),
                           ("$ wc", "\x15exit 0\r")):
            if not term.wait_for(wait):
                t.ok(False, "the REPL says %r" % wait, term.seen)
                break
            term.send(keys)
        status = term.finish()
        t.ok(status == 0 and not drawn(term.seen),
             "the REPL draws nothing: lines, keys, completion, an ai line",
             status, drawn(term.seen), term.seen)


def test_slow_key(t):
    """While a key waits for the model, a line of its own says so."""
    with Server() as server, home.Home() as h:
        h.config("[model]\nprovider = openai\nmodel = fault:hang\n")
        with open(os.path.join(h.env["HOME"], ".bashrc"), "w",
                  encoding="utf-8") as rc:
            rc.write("PS1='$ '\n")
        term = terminal.Terminal(
            h, [AGENTSH, "--plain"], OPENAI_API_KEY="k",
            OPENAI_BASE_URL="http://127.0.0.1:%d/v1" % server.port)
        for wait, keys in (("$ ", "some words\x18\x01"),
                           ("\r\nasking ... (Ctrl-C stops)\r\n", "\x03"),
                           ("$ some words", "\x15exit 0\r")):
            if not term.wait_for(wait):
                t.ok(False, "a slow key says %r" % wait, term.seen)
                break
            term.send(keys)
        status = term.finish()
        t.ok(status == 0 and not drawn(term.seen),
             "a key that waits draws nothing", status, drawn(term.seen),
             term.seen)


def main():
    t = tap.Tap()
    for test in (test_list, test_views, test_by_environment, test_dumb,
                 test_words, test_steps, test_progress, test_repl,
                 test_slow_key):
        test(t)
    t.done()


if __name__ == "__main__":
    main()
