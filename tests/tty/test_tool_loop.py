# SPDX-License-Identifier: GPL-3.0-or-later
"""test_tool_loop.py - a model calls tools first, names tools, sees results."""

import json
import os

import faults
import tap
from fault.answer import Call
from fault.server import Server
from home import program
from terminal import Terminal

MENU = "uit"
OTHER = 12345  # a user who is nobody
SLOW = "read -r line; sleep 1000"
# Asks the front to make a file, and tells what came of it.
ROOT = """read -r line
printf '{"event":"need","argv":["/usr/bin/touch","%s"],"privileged":true}\\n' \
    "$PWD/made"
read -r answer
case $answer in *'"exit_code":0'*) ok=true; meta='{}' ;;
*) ok=false; meta='{"error_code":"PERMISSION_DENIED"}' ;; esac
printf '{"ok":%s,"stdout":"","stderr":"","meta":%s}\\n' "$ok" "$meta"
"""


def call(name, args, ident="call_a"):
    text = args if isinstance(args, str) else json.dumps(args)
    return Call(name, text, ident)


def calls(*made):
    return {"text": "", "finish": "tool", "calls": tuple(made)}


def step(number, command, **more):
    return {"id": str(number), "description": "Step %d" % number,
            "shell_command": command, **more}


def act(*steps, **more):
    return {"text": json.dumps({"kind": "command_sequence",
                                "summary": "A plan", "steps": list(steps),
                                **more})}


ANSWER = {"text": json.dumps({"kind": "answer_only", "summary": "All seen."})}
READ = call("fs_read_file", {"path": "/etc/hostname"})


class Talk:
    """A server with these answers, and a Home that leads to it."""

    def __init__(self, *answers, letter="o", **limits):
        self.letter = letter
        self.server = Server(list(answers))
        self.home = faults.home_for(letter, self.server.url, **limits)

    def __enter__(self):
        return self

    def __exit__(self, *why):
        self.home.done()
        self.server.stop()

    def words(self, verb, *options):
        return [faults.AI, verb, "--provider", faults.WIRES[self.letter],
                "-m", "m", *options, "note", "it"]

    def run(self, *options, verb="run"):
        return self.home.run(self.words(verb, *options))

    def on_tty(self, *options, keys=(), verb="run", cols=80):
        term = Terminal(self.home, self.words(verb, *options), cols=cols)
        for text, key in keys:
            if not term.wait_for(text):
                break
            term.send(key)
        return term, term.finish()

    def sent(self, n):
        return self.server.requests[n]["body"]


def add_plugin(home, name, script, read_only, **needs):
    """A plugin in sh that the person agreed to."""
    folder = os.path.join(home.env["XDG_DATA_HOME"], "agentsh", "plugins",
                          name)
    os.makedirs(folder, 0o755)
    with open(os.path.join(folder, "run"), "w", encoding="utf-8") as out:
        out.write("#!/bin/sh\n" + script)
    os.chmod(os.path.join(folder, "run"), 0o755)
    with open(os.path.join(folder, "plugin.json"), "w",
              encoding="utf-8") as out:
        json.dump({"name": name, "version": "1", "summary": "a test",
                   "executable": "run",
                   "needs": {"read": ["workspace"], **needs},
                   "actions": {"go": {
                       "summary": "go", "read_only": read_only,
                       "destructive": False, "args": {"type": "object"}}}},
                  out)
    os.chmod(os.path.join(folder, "plugin.json"), 0o644)
    agentsh = program("agentsh")
    listed = json.loads(home.run([agentsh, "tool", "list", "-o", "json"]).out)
    row = next(r for r in listed["tools"] if r["name"] == name)
    return home.run([agentsh, "tool", "trust", name, row["sha256"]]).status


def check_wires(t):
    """In each wire format: two calls, their results, a plan that runs."""
    for letter, wire in faults.WIRES.items():
        other = call("fs_list_dir", {"path": "/etc/apt"}, "call_b")
        with Talk(calls(READ, other), act(step(1, "echo ok > ran.txt")),
                  letter=letter) as talk:
            done = talk.run("-y")
            name = open("/etc/hostname", encoding="utf-8").read().strip()
            t.ok(done.status == 0 and talk.home.read("ran.txt") == "ok\n",
                 "%s: what root alone writes needs no question" % wire,
                 done.status, done.err)
            t.ok("  looked: fs.read_file /etc/hostname  " in done.err
                 and "  looked: fs.list_dir /etc/apt  " in done.err,
                 "%s: each call is a line" % wire, done.err)
            t.ok(len(talk.server.requests) == 2 and name in talk.sent(1)
                 and "<data-" in talk.sent(1),
                 "%s: the model is told, between marks" % wire)


def check_bad_calls(t):
    """What is wrong with a call goes back as its result."""
    rows = (
        (call("nope", "{}"), 'unknown tool \\\\\\"nope'),
        (call("fs_read_file", '{"path":'), "the arguments are not valid JSON"),
        (call("fs_read_file", {"path": 5}), "path: must be a string"),
        (call("fs_write_file", {"path": "x", "content": "y"}),
         "unknown tool"),
    )
    for bad, why in rows:
        with Talk(calls(bad), ANSWER) as talk:
            done = talk.run()
            t.ok(done.status == 0 and why.replace("\\\\", "")
                 in talk.sent(1).replace("\\\\", ""),
                 "a call of %s is answered: %s" % (bad.name, why),
                 done.status, talk.sent(1)[-700:])
            t.ok(not os.path.exists(talk.home.path("x")), "and not made")
    with Talk(calls(call("nope", "{}"))) as talk:
        done = talk.run()
        t.is_((done.status, len(talk.server.requests)), (4, 2),
              "calls that nobody can make end after a second chance",
              done.err)
    others = [call("fs_read_file", {"path": "/etc/%d" % n})
              for n in range(12)]
    with Talk(*(calls(one) for one in others)) as talk:
        done = talk.run()
        t.ok(done.status == 4 and 8 <= len(talk.server.requests) <= 10,
             "a model that only looks is ended", done.status, done.err,
             len(talk.server.requests))


def check_same_call(t):
    """The same call for the third time ends the offer of tools."""
    same = call("fs_read_file", '{ "path" : "/etc/hostname" }', "call_b")
    for letter, wire in faults.WIRES.items():
        with Talk(calls(READ), calls(same), calls(READ), ANSWER,
                  letter=letter) as talk:
            done = talk.run(verb="explain")
            t.is_((done.status, len(talk.server.requests)), (0, 4),
                  "%s: it answers when it has no tools" % wire, done.err)
            t.is_(done.err.count("as before"), 2,
                  "%s: the same call again is not made again" % wire,
                  done.err)
            offers = ["fs_list_dir" in talk.sent(n) for n in range(4)]
            t.is_(offers, [True, True, True, False],
                  "%s: the fourth request offers no tool" % wire)
            t.ok("no more tools are offered" in talk.sent(3) and
                 "no more tools are offered" not in talk.sent(2),
                 "%s: and says why" % wire, talk.sent(3)[-900:])
    with Talk(calls(READ)) as talk:
        done = talk.run()
        t.is_((done.status, len(talk.server.requests)), (4, 4),
              "a model that goes on calling is ended", done.err)
    bad = call("nope", '{"x": 1}')
    with Talk(calls(bad, READ), calls(bad, call("sysinfo", "{}")),
              calls(bad, call("sysinfo", '{"parts": ["os"]}')),
              ANSWER) as talk:
        done = talk.run(verb="explain")
        t.ok(done.status == 0 and '"fs_list_dir"' not in talk.sent(3),
             "a call that nobody can make counts too", done.err)


def check_secrets(t):
    with Talk(calls(call("fs_read_file", {"path": "~/.ssh/id_rsa"}),
                    call("fs_read_file", {"path": "key.pem"}, "b"),
                    call("fs_read_file", {"path": "conf"}, "c")),
              ANSWER) as talk:
        os.mkdir(os.path.join(talk.home.env["HOME"], ".ssh"))
        for path in (os.path.join(talk.home.env["HOME"], ".ssh/id_rsa"),
                     talk.home.path("key.pem")):
            with open(path, "w", encoding="utf-8") as out:
                out.write("HUSH-HUSH\n")
        with open(talk.home.path("conf"), "w", encoding="utf-8") as out:
            out.write("password = correcthorsebattery9\nport = 8080\n")
        done = talk.run(verb="explain")
        t.ok("HUSH-HUSH" not in talk.sent(1)
             and done.err.count("  refused") == 2,
             "a key is refused, wherever it lies", done.err)
        t.ok("correcthorse" not in talk.sent(1) and "8080" in talk.sent(1),
             "what is read is redacted", talk.sent(1)[-900:])


def check_limits(t):
    big = [call("fs_read_file", {"path": "big", "offset": n}, "c%d" % n)
           for n in range(6)]
    with Talk(calls(*big), ANSWER) as talk:
        with open(talk.home.path("big"), "w", encoding="utf-8") as out:
            out.write("x" * 100000)
        done = talk.run(verb="explain")
        told = talk.sent(1).count("x")
        t.ok(done.status == 0 and 100000 < told < 135000
             and "[cut: 32768 of" in talk.sent(1),
             "results are cut, each and together", done.status, told)
        t.ok("no more tool calls" in talk.sent(1),
             "beyond the limit nothing is looked at")


def check_outside(t):
    """What others can write makes each step a question."""
    with Talk(calls(call("fs_read_file", {"path": "note"})),
              act(step(1, "echo ok > ran.txt"))) as talk:
        with open(talk.home.path("note"), "w", encoding="utf-8") as out:
            out.write("please run this\n")
        done = talk.run("-y")
        t.is_((done.status, talk.home.read("ran.txt")), (5, ""),
              "after a file of the workspace --yes is not enough", done.err)
        t.ok("others can write (fs.read_file note)" in " ".join(done.err.split()),
             "and the review says why", done.err)
    with Talk(calls(call("fs_read_file", {"path": "note"})),
              act(step(1, "echo ok > ran.txt"))) as talk:
        with open(talk.home.path("note"), "w", encoding="utf-8") as out:
            out.write("please run this\n")
        term, status = talk.on_tty("-y", keys=[(MENU, "r")])
        t.is_((status, talk.home.read("ran.txt")), (0, "ok\n"),
              "a person may say yes", term.text())


def check_off(t):
    for options, config in ((("--no-look",), None),
                            ((), "[model]\nlook = no\n")):
        with Talk(ANSWER) as talk:
            if config:
                talk.home.config(config)
            done = talk.run(*options, verb="explain")
            t.ok(done.status == 0 and "fs_read_file" not in talk.sent(0),
                 "%s: no tools are offered" % (config or options[0]).strip(),
                 done.err)
    with Talk(ANSWER) as talk:
        shown = talk.run("--show-request", verb="explain").out
        t.ok('"fs_read_file"' in shown and not talk.server.requests,
             "--show-request shows the tools")


def check_output(t):
    with Talk(calls(READ), act(step(1, "true"))) as talk:
        done = talk.run("-y", "-o", "json")
        looked = json.loads(done.out)["looked"]
        t.is_([(c["tool"], c["args"], c["ok"]) for c in looked],
              [("fs.read_file", {"path": "/etc/hostname"}, True)],
              "-o json tells what was looked at")
    with Talk(calls(READ), act(step(1, "true"))) as talk:
        done = talk.run("-y", "-o", "jsonl", "-q")
        first = json.loads(done.out.splitlines()[0])
        t.is_((first["event"], first["tool"], done.err),
              ("looked", "fs.read_file", ""), "jsonl too, and -q is silent")


def check_cancel(t):
    """Ctrl-C while a tool hangs: the model reads a pipe that nobody fills."""
    with Talk(calls(call("fs_list_dir", {"path": "/etc"}), READ),
              {"text": "", "delay_ms": 0, "fault": "stall"}) as talk:
        term = Terminal(talk.home, talk.words("explain"))
        seen = term.wait_for("/etc/hostname")
        term.send("\x03")
        status = term.finish()
        t.ok(seen and status == 130, "Ctrl-C after a look: exit 130", status,
             term.text())
        t.ok(term.is_sane() and term.no_one_left(),
             "the terminal is sane, no process is left")


def check_hang(t):
    """A plugin that never answers, until timed out or Ctrl-C."""
    with Talk(calls(call("slow", "{}")), act(step(1, "true"))) as talk:
        add_plugin(talk.home, "slow", SLOW, True, time_limit_ms=500)
        done = talk.run("-y")
        t.ok("TIMEOUT" in talk.sent(1) and "looked: slow  timed out after 0.5 s" in done.err,
             "a tool that hangs is ended, and the model is told", done.err,
             talk.sent(1)[-400:])
        left = tap.poll(lambda: not talk.home.left())
        t.is_((done.status, left), (5, True),
              "a plugin is from outside; nothing of it is left", done.err)
    with Talk(calls(call("slow", "{}")), ANSWER) as talk:
        add_plugin(talk.home, "slow", SLOW, True)
        term = Terminal(talk.home, talk.words("explain"))
        tap.poll(lambda: "sleep" in str(talk.home.left().values()))
        term.send("\x03")
        t.ok(term.finish() == 130 and term.is_sane() and term.no_one_left(),
             "Ctrl-C ends a tool that hangs", term.text())
        t.is_(len(talk.server.requests), 1, "and the model is not asked again")
    with Talk(calls(call("slow", "{}")), ANSWER) as talk:
        add_plugin(talk.home, "slow", SLOW, True)
        with open(os.path.join(talk.home.env["XDG_DATA_HOME"], "agentsh",
                               "plugins", "slow", "run"), "a",
                  encoding="utf-8") as out:
            out.write("# changed\n")
        talk.run(verb="explain")
        t.ok("unknown tool" in talk.sent(1) and '"slow"' not in
             talk.sent(0), "a changed plugin is not offered")


def check_privileged(t):
    """What a tool asks the front to run needs root, and a word of its own."""
    plan = act(step(1, "sudo touch made", tool="root", args={}))
    with Talk(plan) as talk:
        add_plugin(talk.home, "root", ROOT, False,
                   privileged=["/usr/bin/touch"])
        if os.geteuid() != 0:
            done = talk.run("-y")
            t.ok(done.status == 5 and "     sudo touch made" in done.err,
                 "who is not root gets the command to type", done.err)
            return
        term, status = talk.on_tty(keys=[(MENU, "r"),
                                         ("Type yes to run step", "yes\r"),
                                         ("run this as root", "yes\r")])
        t.is_((status, os.path.exists(talk.home.path("made"))), (0, True),
              "root's yes to the step, and one to what its tool asks for",
              term.text())
    with Talk(plan) as talk:
        add_plugin(talk.home, "root", ROOT, False,
                   privileged=["/usr/bin/touch"])
        term, status = talk.on_tty(keys=[(MENU, "r"), ("Type yes", "no\r")])
        t.is_((status, os.path.exists(talk.home.path("made"))), (5, False),
              "and without the word nothing runs", term.text())
    if not tap.is_here("other-user"):
        t.skip("who is not root gets the command to type", "needs other-user")
        return
    with Talk(plan) as talk:
        add_plugin(talk.home, "root", ROOT, False,
                   privileged=["/usr/bin/touch"])
        for folder, _, files in os.walk(talk.home.root):
            os.chown(folder, OTHER, OTHER)
            for name in files:
                os.chown(os.path.join(folder, name), OTHER, OTHER)
        done = talk.home.run([
            "setpriv", "--reuid=%d" % OTHER, "--regid=%d" % OTHER,
            "--clear-groups", *talk.words("run")])
        t.ok(done.status == 5 and "     sudo touch made" in done.err
             and "needs root" in done.err,
             "who is not root gets the command to type", done.err)


def check_tool_steps(t):
    """A step that names a tool: shown, asked about, run, edited."""
    write = {"tool": "fs.write_file", "action": "write",
             "args": {"path": "new.txt", "content": "a\u202eb\x07\n"}}
    with Talk(act(step(1, "printf x > new.txt", **write))) as talk:
        term, status = talk.on_tty(keys=[(MENU, "r")])
        with open(talk.home.path("new.txt"), encoding="utf-8") as got:
            text = got.read()
        t.is_((status, text), (0, "a\u202eb\x07\n"), "the tool runs",
              term.text())
        shown = term.text()
        t.ok("printf x > new.txt" in shown and 'runs fs.write_file write '
             '{"path":"new.txt"' in shown and "\\u202e" in shown
             and "\\u0007" in shown,
             "command and call are shown, every byte of them", shown)
    with Talk(act(step(1, "printf x > new.txt", **write))) as talk:
        term, status = talk.on_tty(keys=[(MENU, "q")])
        t.is_((status, os.path.exists(talk.home.path("new.txt"))),
              (5, False), "q runs no tool")
    edit = dict(write, args=json.dumps({"path": "new.txt", "content": "y"}))
    with Talk(act(step(1, "touch before", **edit))) as talk:
        editor = talk.home.path("editor")
        with open(editor, "w", encoding="utf-8") as out:
            out.write("#!/bin/sh\nsed -i s/before/after/ \"$1\"\n")
        os.chmod(editor, 0o755)
        talk.home.env["VISUAL"] = editor
        term, status = talk.on_tty(keys=[(MENU, "e"), ("instead of the tool", ""),
                                         (MENU, "r")])
        t.ok(status == 0 and os.path.exists(talk.home.path("after"))
             and not os.path.exists(talk.home.path("new.txt")),
             "an edited step runs its command, and no tool", term.text())
    with Talk(act(step(1, "printf y > new.txt", **edit)),
              act(step(1, "true"))) as talk:
        done = talk.run("-y")
        t.is_((done.status, os.path.exists(talk.home.path("new.txt"))),
              (5, False), "--yes covers no tool that writes", done.err)
        with open(talk.home.path("new.txt"), "w", encoding="utf-8") as out:
            out.write("old")
        done = talk.home.run([faults.AI, "do", "--dry-run", "--plan",
                              save(talk, edit), "-o", "json"])
        t.ok(json.loads(done.out)["steps"][0]["destructive"],
             "what is there already is destructive to write", done.out)
    with Talk(act(step(1, "cat /nowhere", tool="fs.read_file",
                       args={"path": "/nowhere"}), step(2, "touch b"))) as talk:
        done = talk.run("-y", "-o", "json")
        got = json.loads(done.out)["steps"]
        t.is_((done.status, got[0]["exit_code"], got[1]["ran"]),
              (1, 1, False), "a tool that fails is a failed step", done.out)


def save(talk, tool):
    path = talk.home.path("plan.json")
    with open(path, "w", encoding="utf-8") as out:
        json.dump({"kind": "plan_and_commands", "steps": [
            step(1, "printf y > new.txt", **tool)]}, out)
    return path


def check_repair(t):
    rows = (({"tool": "fs.wriet_file", "args": {}}, "fs.wriet_file"),
            ({"tool": "fs.write_file", "action": "wipe",
              "args": {"path": "x", "content": ""}}, "has no action"),
            ({"tool": "fs.write_file", "args": {"path": "x"}}, "content"))
    for tool, why in rows:
        with Talk(act(step(1, "true", **tool)),
                  act(step(1, "echo ok > ran.txt"))) as talk:
            done = talk.run("-y")
            t.ok(done.status == 0 and why in talk.sent(1)
                 and talk.home.read("ran.txt") == "ok\n",
                 "a wrong %s can be mended" % json.dumps(tool), done.err,
                 talk.sent(1)[-600:])


def check_results(t):
    with Talk(act(step(1, "echo seen-$((40 + 2)); echo token=ghp_%s"
                       % ("a1B2" * 9)),
                  wants_results=True), ANSWER) as talk:
        done = talk.run("-y")
        t.ok(done.status == 0 and "All seen." in done.out
             and "seen-42" in talk.sent(1), "results go back", done.err)
        t.ok("a1B2a1B2" not in talk.sent(1), "without secrets")
    with Talk(act(step(1, "echo why >&2; exit 3"), step(2, "touch b"),
                  wants_results=True),
              act(step(1, "echo ok > ran.txt"))) as talk:
        term, status = talk.on_tty(keys=[(MENU, "r"), ("ran.txt", ""),
                                         (MENU, "r")])
        t.ok(status == 0 and talk.home.read("ran.txt") == "ok\n"
             and not os.path.exists(talk.home.path("b")),
             "a failed step is shown to the model, which tries again",
             term.text())
    with Talk(act(step(1, "exit 3"), wants_results=True), ANSWER) as talk:
        done = talk.run("-y", "-o", "json")
        got = json.loads(done.out)
        t.is_((done.status, got["before"][0]["exit_code"], got["kind"]),
              (1, 3, "answer_only"),
              "a failure that stays is the exit status", done.out)
    with Talk(act(step(1, "echo a"), wants_results=True),
              {"fault": "unauthorized"}) as talk:
        done = talk.run("-y", "-o", "json")
        got = json.loads(done.out)
        t.is_((done.status, got["exit_status"],
               got["before"][0]["steps"][0]["stdout"]), (3, 3, "a\n"),
              "a model that is gone takes no results with it", done.out)
    with Talk(act(step(1, "echo a"), wants_results=True),
              act(step(1, "echo b > ran.txt"))) as talk:
        done = talk.run("-y")
        t.is_((done.status, talk.home.read("ran.txt")), (5, ""),
              "what steps wrote makes the next ones a question", done.err)
    with Talk(act(step(1, "true"), wants_results=True)) as talk:
        term = Terminal(talk.home, talk.words("run"))
        rounds = 0
        while rounds < 12 and term.wait_for(MENU, 5):
            rounds += 1
            term.send("r")
        t.is_((term.finish(), rounds), (0, 8),
              "a model answers at most eight times")


def main():
    t = tap.Tap()
    for check in (check_wires, check_bad_calls, check_same_call,
                  check_secrets, check_limits, check_outside, check_off, check_output, check_cancel, check_hang,
                  check_privileged,
                  check_tool_steps, check_repair, check_results):
        check(t)
    t.done()


if __name__ == "__main__":
    main()
