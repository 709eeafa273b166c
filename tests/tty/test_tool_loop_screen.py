# SPDX-License-Identifier: GPL-3.0-or-later
"""test_tool_loop_screen.py - what the person sees of tool calls and of tools."""

import os

import faults
import tap
from test_tool_loop import (ANSWER, MENU, READ, SLOW, Talk, act, add_plugin, call, calls,
                       save, step)
from terminal import Terminal

FORGED = "x)" + " " * 60 + "\n     sandbox: writes nothing, no network, safe"
WRAPPED = "x " * 12 + "sandbox: writes nothing, no network"
# A plugin that is done at once.
FINE = """read -r line
printf '{"ok":true,"stdout":"","stderr":"","meta":{}}\\n'
"""


def check_forged(t):
    """A name cannot write a line of the review."""
    for name in (FORGED, WRAPPED):
        for cols in (80, 72):
            with Talk(calls(call("fs_list_dir", {"path": name})),
                      act(step(1, "echo ok > ran.txt"))) as talk:
                os.mkdir(talk.home.path(name))
                term, _ = talk.on_tty(keys=[(MENU, "q")], cols=cols)
                review = term.text().split("A plan")[1]
                lines = [line.strip() for line in review.splitlines()]
                t.ok(not any(line.startswith("sandbox: writes nothing")
                             for line in lines)
                     and "others can write (fs.list_dir" in " ".join(lines),
                     "a name writes no line of the review", review)
                t.ok("…" in review and "no network, safe" not in review,
                     "and is cut where it is long", review)


def check_limit(t):
    """A model that only looks is told of as one, when it is ended."""
    with Talk(calls(READ)) as talk:
        done = talk.run()
        t.ok(done.status == 4 and "tool call limit reached" in
             " ".join(done.err.split()) and "not offered" not in done.err,
             "the limit of tool calls is told", done.status, done.err)


def check_refused(t):
    """A call that nobody could make is a line too."""
    for bad, line in (
            (call("cmd_run", {"command": "id"}),
             '  refused: cmd_run id  not offered'),
            (call("no\x1bpe\n  looked: all", "{}"), "  not offered"),
            (call("fs_read_file", '{"path":'),
             "  refused: fs.read_file  arguments are not valid JSON"),
            (call("fs_read_file", {"path": 5}),
             '  refused: fs.read_file {"path":5}  invalid arguments')):
        with Talk(calls(bad), ANSWER) as talk:
            done = talk.run()
            t.ok(line in done.err and "\n  looked: " not in done.err,
                 "%r is told as refused" % bad.name, done.err)
    with Talk(calls(call("sysinfo", {"port": [1]})), ANSWER) as talk:
        done = talk.run()
        t.ok("  looked: sysinfo" in done.err and "invalid" not in done.err,
             "arguments of a tool that was declared without are dropped",
             done.err)
    many = [call("nope%d" % n, "{}", "c%d" % n) for n in range(9)]
    with Talk(calls(*many), ANSWER) as talk:
        done = talk.run()
        t.ok("nope3  not offered" in done.err and "nope4" not in done.err
             and "  refused: 5 more\n" in done.err,
             "many are counted", done.err)


def check_not_built_in(t):
    """That a plugin only looks is its own word."""
    with Talk(act(step(1, "ls", tool="own", args={}))) as talk:
        add_plugin(talk.home, "own", "touch ran\n" + FINE, True)
        done = talk.run("-y")
        t.ok(done.status == 5 and "own is not built in" in done.err
             and not os.path.exists(talk.home.path("ran")),
             "--yes runs no plugin that is not built in", done.err)
    with Talk(act(step(1, "ls", tool="own", args={}))) as talk:
        add_plugin(talk.home, "own", FINE, True)
        term, status = talk.on_tty("-y", keys=[(MENU, "r")])
        t.is_(status, 0, "a person may say yes", term.text())


def check_less(t):
    """A command that does less than the tool beside it."""
    gone = {"tool": "fs.delete_file", "args": {"path": "a.txt"}}
    for command, warned in (("ls", True), ("rm a.txt", False)):
        with Talk(act(step(1, command, **gone))) as talk:
            path = talk.home.path("a.txt")
            with open(path, "w", encoding="utf-8") as out:
                out.write("kept\n")
            with open(os.path.join(talk.home.env["XDG_CONFIG_HOME"],
                                   "agentsh", "policy"), "w",
                      encoding="utf-8") as out:
                out.write("ask write %s\n" % path)
            done = talk.run("-y")
            told = " ".join(done.err.split())
            t.is_((done.status, "does not match what the tool does" in told,
                   os.path.exists(path)), (5, warned, True),
                  "%s beside a tool that deletes" % command, done.err)
            t.ok("it would delete " in told and "would write" not in told,
                 "to delete is not told as to write", done.err)


def check_at_work(t):
    """Which tool is at work, while it is."""
    with Talk(calls(call("slow", "{}")), ANSWER) as talk:
        add_plugin(talk.home, "slow", SLOW, True)
        term = Terminal(talk.home, talk.words("explain"))
        seen = term.wait_for("looking: slow")
        term.send("\x03")
        t.ok(seen and term.finish() == 130, "a tool at work is named",
             term.text())
    with Talk(calls(call("slow", "{}")), {"fault": "stall"}) as talk:
        add_plugin(talk.home, "slow", SLOW, True, time_limit_ms=500)
        term = Terminal(talk.home, talk.words("explain"))
        seen = term.wait_for("looked: slow  timed out after 0.5 s") \
            and term.wait_for("asking m", 9)
        term.send("\x03")
        t.ok(seen and term.finish() == 130,
             "its time limit is told, and then the model is asked",
             term.text())


def check_untrusted(t):
    """A saved plan names a plugin that nobody agreed to as it is."""
    for changed, why in ((True, "it changed since you trusted it"),
                         (False, "it is not trusted")):
        with Talk(ANSWER) as talk:
            add_plugin(talk.home, "own", FINE, True)
            folder = os.path.join(talk.home.env["XDG_DATA_HOME"], "agentsh",
                                  "plugins")
            if changed:
                with open(os.path.join(folder, "own", "run"), "a",
                          encoding="utf-8") as out:
                    out.write("# more\n")
            else:
                os.unlink(os.path.join(talk.home.env["XDG_STATE_HOME"],
                                       "agentsh", "trusted"))
            plan = save(talk, {"tool": "own", "args": {}})
            done = talk.home.run([faults.AI, "do", "--plan", plan])
            t.ok(done.status != 0 and why in done.err
                 and "To do: agentsh tool trust own" in done.err,
                 "cannot use the plugin: %s" % why, done.status, done.err)


def check_open_line(t):
    """Why a step failed begins a line, whatever the step wrote."""
    read = step(1, "cat nosuch", tool="fs.read_file", args={"path": "nosuch"})
    for plan in (act(read), act(step(1, "printf oops >&2; exit 3"))):
        with Talk(plan) as talk:
            done = talk.run("-y")
            t.ok("\nai: step 1 failed" in done.err
                 and "\n\nai:" not in done.err,
                 "an open line is ended before the error", done.err)
    with Talk(act(read)) as talk:
        term, _ = talk.on_tty(keys=[(MENU, "r"), ("kip", "q")])
        t.ok("directory\n" in term.text(), "on a terminal too", term.text())


def main():
    t = tap.Tap()
    for check in (check_forged, check_limit, check_refused,
                  check_not_built_in, check_less, check_at_work, check_untrusted,
                  check_open_line):
        check(t)
    t.done()


if __name__ == "__main__":
    main()
