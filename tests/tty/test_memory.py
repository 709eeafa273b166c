# SPDX-License-Identifier: GPL-3.0-or-later
"""test_memory.py - the ai lines of one shell are one conversation."""

import contextlib
import glob
import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "..", "lib"))

import faults  # noqa: E402
import hookshell  # noqa: E402
import shells  # noqa: E402
import tap  # noqa: E402
import test_tool_loop as loop  # noqa: E402
import test_warm  # noqa: E402
from home import program  # noqa: E402

SHELL = "4711-1"
OUTPUT = "made by step " + "one"
FIRST = loop.act(loop.step(1, "echo made by step $(echo one)"))
SECOND = loop.act(loop.step(1, "echo two"))
ANSWER = loop.ANSWER
LATER = "made by step"
BEFORE = "What came of your last answer"
HOURS = 3600


def messages(body):
    """A request's messages but the system's, as (role, text)."""
    told = json.loads(body)
    if "contents" in told:
        return [("assistant" if m["role"] == "model" else m["role"],
                 "".join(p.get("text", "") for p in m["parts"]))
                for m in told["contents"]]
    return [(m["role"], m["content"] if isinstance(m["content"], str) else
             "".join(p.get("text", "") for p in m["content"]))
            for m in told["messages"] if m["role"] != "system"]


class Memory(loop.Talk):
    """A Talk of one shell."""

    def __init__(self, *answers, shell=SHELL, default_answers=0, **how):
        super().__init__(*(answers or [ANSWER] * default_answers), **how)
        if shell:
            self.home.env["AGENTSH_SESSION"] = shell

    def messages(self, n=-1):
        return messages(self.server.requests[n]["body"])

    def ask(self, *words, verb="explain"):
        return self.home.run(self.words(verb)[:-2] + list(words))

    def lines(self, *words, text=""):
        done = self.home.run([program("agentsh"), "session", *words],
                             stdin=text)
        return done

    def listed(self):
        return json.loads(self.lines("list", "-o", "json").out)["sessions"]

    def talk_file(self, shell=SHELL):
        return os.path.join(self.home.env["XDG_RUNTIME_DIR"], "agentsh",
                            "talk-" + shell)

    def store(self):
        return os.path.join(self.home.env["XDG_STATE_HOME"], "agentsh",
                            "sessions.db")


def alternate(told):
    return [role for role, _ in told] == \
        ["user", "assistant"] * (len(told) // 2) + ["user"]


def check_wires(t):
    """In each wire format the person and the model speak by turns."""
    for letter, wire in faults.WIRES.items():
        with Memory(FIRST, SECOND, ANSWER, letter=letter) as talk:
            term, status = talk.on_tty(keys=((loop.MENU, "r"),))
            t.is_(status, 0, "%s: a first line" % wire, term.text())
            term, status = talk.on_tty(keys=((loop.MENU, "q"),))
            t.ok("others can write (what earlier commands" in
                 " ".join(term.text().split()),
                 "%s: the review says what came before" % wire, term.text())
            done = talk.ask("why", "so")
            told = talk.messages()
            t.ok(done.status == 0 and len(told) == 5 and alternate(told),
                 "%s: the person and the model by turns" % wire, told)
            t.is_(told[0][1], "note it", "%s: what was asked" % wire)
            t.ok(json.loads(told[1][1])["steps"][0]["shell_command"] ==
                 "echo made by step $(echo one)", "%s: proposed" % wire, told)
            t.ok(BEFORE in told[2][1] and OUTPUT in told[2][1] and
                 "<data-" in told[2][1] and "</data-" in told[2][1] and
                 told[2][1].rstrip().endswith("note it"),
                 "%s: what came of it is data before the next request" % wire,
                 told[2])
            t.ok('"stopped":true' in told[4][1] and "why so" in told[4][1] and
                 told[4][1].index("stopped") < told[4][1].index("why so"),
                 "%s: a plan that was declined says so" % wire, told[4])


def check_show_request(t):
    with Memory(ANSWER, ANSWER) as talk:
        talk.ask("the", "first")
        shown = talk.ask("the", "second", "--show-request")
        body = shown.out[shown.out.index("{"):shown.out.rindex("}") + 1]
        told = messages(body)
        t.ok(len(told) == 3 and alternate(told) and told[0][1] == "the first",
             "--show-request shows it", shown.out[:500])
        t.is_((len(talk.server.requests), len(talk.listed())), (1, 1),
              "and sends and keeps nothing")
        again = talk.ask("all", "of", "it", "--new", "--show-request")
        t.ok("the first" not in again.out, "with --new nothing is before")
        talk.ask("the", "third")
        t.is_(len(talk.messages()), 3, "but begun anew is nothing yet")
    with Memory(ANSWER) as talk:
        talk.ask("all", "of", "it", "--show-request")
        t.ok(not os.path.exists(talk.talk_file()),
             "and a first line that is shown leaves no file")


def check_begins_anew(t):
    with Memory(*[ANSWER] * 9) as talk:
        talk.ask("one")
        talk.ask("--new", "two")
        t.is_(len(talk.messages()), 1, "--new begins a conversation")
        talk.ask("three")
        t.is_([text.split("\n")[-2] if i == 2 else text for i, (_, text) in
               enumerate(talk.messages())][0], "two", "which goes on")
        done = talk.home.run([faults.AI, "--new"])
        t.ok(done.status == 0 and "new conversation" in done.err + done.out,
             "ai --new alone says so", done)
        talk.ask("four")
        t.is_(len(talk.messages()), 1, "and begins one as well")
        then = time.time() - 8 * HOURS + 60
        os.utime(talk.talk_file(), (then, then))
        talk.ask("five")
        t.is_(len(talk.messages()), 3, "nearly eight hours later it goes on")
        t.ok(time.time() - os.stat(talk.talk_file()).st_mtime < 100,
             "and is used again")
        then = time.time() - 8 * HOURS - 60
        os.utime(talk.talk_file(), (then, then))
        talk.ask("six")
        t.is_(len(talk.messages()), 1, "after eight hours it begins anew")
        t.is_(len(talk.listed()), 4, "all of them are listed")
        talk.home.env["AGENTSH_SESSION"] = "4711-2"
        talk.ask("seven")
        t.is_(len(talk.messages()), 1, "another shell has another one")
        del talk.home.env["AGENTSH_SESSION"]
        talk.ask("eight")
        t.is_((len(talk.messages()), len(talk.listed())), (1, 5),
              "where no shell is known each line stands by itself")
        done = talk.home.run([faults.AI, "--new"])
        t.ok(done.status != 0 and "AGENTSH_SESSION" in done.err,
             "and --new says why", done.err)


def check_resume(t):
    with Memory(*[ANSWER] * 3) as talk:
        talk.ask("about", "whales")
        old = talk.listed()[0]
        t.ok(old["current"] and old["title"] == "about whales" and
             old["of"] == "shell", "a session is listed", old)
        talk.home.env["AGENTSH_SESSION"] = "9-9"
        done = talk.lines("resume", old["id"][:7])
        talk.ask("and", "sharks")
        t.ok(done.status == 0 and talk.messages()[0][1] == "about whales",
             "another shell goes on with it", done, talk.messages())
        shown = talk.lines("show")
        t.ok("> about whales\n  All seen.\n> and sharks\n" in shown.out,
             "both lines are in it", shown.out)
        done = talk.lines("delete", old["id"])
        t.ok("still holds 2 runs" in done.err + done.out and
             "until 20" in done.err + done.out,
             "delete says what the journal holds", done)
        runs = talk.home.run([faults.AI, "log", "-o", "json"]).out
        t.ok("about whales" in runs, "which is so", runs)
        t.ok(not os.path.exists(talk.talk_file()) and
             not os.path.exists(talk.talk_file("9-9")),
             "no shell has it any more")
        t.ok(b"whales" not in open(talk.store(), "rb").read(),
             "and its words are gone from the file")
        talk.ask("again")
        t.is_(len(talk.messages()), 1, "the next line begins anew")


def check_budget(t):
    long = {"text": json.dumps({"kind": "answer_only",
                                "summary": "y" * 3000})}
    with Memory(*[long] * 9) as talk:
        talk.home.config("[record]\nconversation_tokens = 2000\n")
        for i in range(8):
            talk.ask("ask number %d" % i)
        told = talk.messages()
        t.ok(alternate(told) and told[0][1] == "ask number 5" and
             sum(len(text) for _, text in told[:-1]) <= 8000,
             "the oldest are left out, whole", [x[1][:30] for x in told])
        talk.home.config("[record]\nconversation_tokens = 0\n")
        talk.ask("alone")
        t.is_(len(talk.messages()), 1, "0 tokens: nothing is sent")
    much = loop.act(loop.step(1, "seq 100000"))
    with Memory(much, ANSWER, ANSWER) as talk:
        talk.on_tty(keys=((loop.MENU, "r"),))
        talk.ask("what")
        told = talk.messages()
        t.ok(len(told) == 3 and "100000" in told[2][1] and
             len(told[2][1]) < 8000, "of a long output the end is sent",
             len(told[2][1]))


def check_redacted(t):
    key = "sk-ant-api03-" + "a1B2" * 20
    step = loop.act(loop.step(1, "printf 'key=%s\\n' sk-ant-api03-"
                                 "$(printf 'a1B2%.0s' $(seq 20))"))
    with Memory(step, ANSWER) as talk:
        term, _ = talk.on_tty(keys=((loop.MENU, "r"),))
        t.ok(key in term.text().replace("\r\n", ""), "the control: it is shown",
             term.text())
        talk.ask("my", "key", "is", key)
        body = talk.server.requests[-1]["body"]
        kept = b"".join(open(path, "rb").read()
                        for path in glob.glob(talk.store() + "*"))
        t.ok(key not in body and "[redacted" in body and
             key.encode() not in kept and b"[redacted" in kept,
             "a key is neither sent again nor kept", body[-900:])


def check_private(t):
    for setting in ("journal", "conversation"):
        with Memory(ANSWER, ANSWER) as talk:
            talk.home.config("[record]\n%s = no\n" % setting)
            talk.ask("one")
            talk.ask("two")
            t.ok(len(talk.messages()) == 1 and
                 not os.path.exists(talk.store()) and
                 not os.path.exists(talk.talk_file()),
                 "%s = no: nothing is kept" % setting)


def check_yes(t):
    """With --yes, what commands wrote before decides nothing."""
    with Memory(FIRST, loop.act(loop.step(1, "echo ok > ran.txt"))) as talk:
        talk.on_tty(keys=((loop.MENU, "r"),))
        done = talk.run("-y")
        t.ok(done.status == 0 and len(talk.messages()) == 1 and
             talk.home.read("ran.txt") == "ok\n",
             "--yes stands by itself", done.err)
        t.ok("ran.txt" in talk.lines("show").out, "and is kept")


def check_rounds(t):
    """A line of several answers: its results, and words for another plan."""
    wants = loop.act(loop.step(1, "echo made by step $(echo one)"),
                     wants_results=True)
    with Memory(wants, ANSWER, ANSWER) as talk:
        talk.on_tty(keys=((loop.MENU, "r"),))
        talk.ask("and", "now")
        told = talk.messages()
        t.ok(len(told) == 5 and alternate(told) and OUTPUT in told[2][1]
             and BEFORE in told[2][1] and "All seen" in told[3][1] and
             BEFORE not in told[4][1], "results that the model was sent", told)
    with Memory(SECOND, FIRST, ANSWER) as talk:
        talk.on_tty(keys=((loop.MENU, "w"),
                          ("What should change: ", "say it otherwise\r"),
                          (LATER, ""), (loop.MENU, "q")))
        talk.ask("and", "now")
        told = talk.messages()
        t.ok(len(told) == 5 and alternate(told) and
             told[2][1] == "say it otherwise" and
             "made by step" in told[3][1] and '"ran":false' in told[4][1],
             "words that changed a plan", told)
    with Memory(loop.calls(loop.READ), ANSWER, ANSWER) as talk:
        talk.ask("what", "host")
        talk.ask("and", "now")
        told = talk.messages()
        t.ok(len(told) == 3 and told[0][1] == "what host" and
             "All seen" in told[1][1], "calls of tools are left out", told)


def check_failed(t):
    """A step that fails is remembered with its status and its words."""
    fails = loop.act(loop.step(1, "ls /nothing-here"), loop.step(2, "echo x"))
    with Memory(fails, ANSWER) as talk:
        done = talk.run("-y")
        t.is_(done.status, 1, "a step fails", done.err)
        shown = talk.lines("show").out
        t.ok("/nothing-here'" in shown and "exit status 2" in shown and
             "stopped: " in shown, "which is shown", shown)
        talk.ask("why")
        told = talk.messages()
        t.ok('"exit_code":2' in told[2][1] and "/nothing-here'" in told[2][1],
             "and sent", told)


def check_hostile_words(t):
    """What a session holds is shown with every byte visible."""
    bad = loop.act(loop.step(1, "printf '\\033]0;x\\007\\342\\200\\256'"))
    with Memory(ANSWER, bad) as talk:
        talk.ask("a \u202e b \x1b[31m c")
        talk.on_tty(keys=((loop.MENU, "r"),))
        for words in (("show",), ("list",)):
            out = talk.lines(*words).out
            t.ok(not re.search("[\x00-\x09\x0b-\x1f\u202e]", out),
                 "session %s writes no control" % words, repr(out))
        again = talk.lines("show", "-o", "json")
        t.ok(json.loads(again.out)["items"], "and JSON is JSON")


def check_offline(t):
    with Memory(FIRST, ANSWER) as talk:
        talk.on_tty(keys=((loop.MENU, "r"),))
        plain = talk.home.run([faults.AI, "run", "--offline", "--dry-run",
                               "show the date"])
        other = talk.home.run([faults.AI, "run", "--offline", "--dry-run",
                               "show the date"], AGENTSH_SESSION="1-1")
        t.ok(plain.status == 0 and re.sub(r"\d+ ms", "", plain.out) ==
             re.sub(r"\d+ ms", "", other.out),
             "the offline engine answers as ever", plain, other)
        talk.ask("and")
        told = talk.messages()
        t.ok(len(told) == 5 and told[2][1].endswith("show the date") and
             "it was only shown" in told[4][1],
             "what it proposed is in the conversation", told)


def check_edges(t):
    """Files that are not ours, or are damaged, fail no line."""
    with Memory(*[ANSWER] * 9) as talk:
        victim = os.path.join(talk.home.root, "victim")
        with open(victim, "w", encoding="utf-8") as out:
            out.write("precious")
        os.makedirs(os.path.dirname(talk.talk_file()), 0o700, exist_ok=True)
        os.symlink(victim, talk.talk_file())
        done = talk.ask("one")
        t.ok(done.status == 0 and not os.path.islink(talk.talk_file()) and
             open(victim, encoding="utf-8").read() == "precious",
             "a link in place of the shell's file is replaced", done.err)
        t.is_((os.stat(talk.talk_file()).st_mode & 0o777,
               os.stat(talk.store()).st_mode & 0o777), (0o600, 0o600),
              "both files are private")
        with open(talk.talk_file(), "w", encoding="utf-8") as out:
            out.write("../../etc/passwd" * 20)
        done = talk.ask("two")
        t.ok(done.status == 0 and len(talk.messages()) == 1,
             "a file with no id is none", done.err)
        for path in glob.glob(talk.store() + "-*"):
            os.unlink(path)
        with open(talk.store(), "r+b") as out:
            out.write(b"no database at all" * 200)
        done = talk.ask("three")
        t.ok(done.status == 0 and "All seen." in done.out and
             "remembered" in done.err and len(done.err.splitlines()) < 4,
             "a damaged store is told, and the answer comes", done)
        for path in glob.glob(talk.store() + "*"):
            os.unlink(path)
        os.symlink(victim, talk.store())
        done = talk.ask("four")
        t.ok(done.status == 0 and "symbolic link" in done.err and
             open(victim, encoding="utf-8").read() == "precious",
             "so is a link in its place", done.err)
        os.unlink(talk.store())
        done = talk.home.run(talk.words("explain"), AGENTSH_SESSION="../x")
        t.ok(done.status == 0 and not os.path.exists(
            os.path.join(talk.home.env["XDG_RUNTIME_DIR"], "x")),
             "a name with a slash names no shell", done.err)


def check_at_once(t):
    """Lines of one shell at the same time lose nothing."""
    with Memory(default_answers=16) as talk:
        ran = [subprocess.Popen(
            talk.words("explain")[:-2] + ["number %d" % i], cwd=talk.home.work,
            env=talk.home.env, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            for i in range(8)]
        errors = [p.communicate(timeout=60)[1] for p in ran]
        t.ok(all(p.returncode == 0 for p in ran) and not any(errors),
             "eight lines at once", errors)
        items = json.loads(talk.lines("show", "-o", "json").out)["items"]
        kinds = [item["kind"] for item in items]
        asked = {item["text"] for item in items if item["kind"] == "ask"}
        t.ok(len(talk.listed()) == 1 and kinds == ["ask", "answer"] * 8 and
             asked == {"number %d" % i for i in range(8)},
             "are one conversation, none torn", kinds)


def check_locked(t):
    """A store that another program keeps locked delays a line a second."""
    with Memory(*[ANSWER] * 3) as talk:
        talk.ask("one")
        other = sqlite3.connect(talk.store(), isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        done = talk.ask("two")
        t.ok(done.status == 0 and "All seen." in done.out and
             "not remembered" in done.err and done.seconds < 10,
             "it is told, and the answer comes", done)
        other.execute("ROLLBACK")
        other.close()
        done = talk.ask("three")
        told = talk.messages()
        t.ok(done.status == 0 and not done.err and len(told) == 3 and
             told[0][1] == "one", "and the next goes on", told)


def check_garbage(t):
    """A store that is none is told of once, with what helps."""
    with Memory(*[ANSWER] * 2) as talk:
        os.makedirs(os.path.dirname(talk.store()), exist_ok=True)
        for text in (b"\xff" * 5000, b"no database\n"):
            with open(talk.store(), "wb") as out:
                out.write(text)
            said = "ai: %s: it is not a database: move it away, and a new " \
                "one is begun\n" % talk.store()
            done = talk.home.run([program("ai"), "--new"])
            t.ok(done.status != 0 and done.err == said and not done.out,
                 "ai --new fails with one line that says what to do", done)
            done = talk.home.run([program("agentsh"), "session", "list"])
            t.ok(done.status != 0 and "move it away" in done.err,
                 "and so does session list", done)
            with open(talk.store(), "rb") as file:
                t.is_(file.read(), text, "and it stays as it was")
        done = talk.ask("one")
        t.ok(done.status == 0 and "All seen." in done.out and
             done.err == "nothing is remembered: " + said[4:],
             "a line is answered, and says it once", done)
        os.rename(talk.store(), talk.store() + ".old")
        done = talk.home.run([program("ai"), "--new"])
        t.ok(done.status == 0 and "a new conversation begins" in done.err,
             "moved away, a new one is begun", done)


def check_killed(t):
    """SIGKILL at any moment leaves a store that the next line reads."""
    with Memory(default_answers=64) as talk:
        talk.ask("the first")
        whole = 0
        for i in range(25):
            with subprocess.Popen(
                    talk.words("explain")[:-2] + ["kill %d" % i],
                    cwd=talk.home.work, env=talk.home.env,
                    stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL, start_new_session=True) as p:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    p.wait(0.002 * (i + 1))
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(p.pid, signal.SIGKILL)
                p.wait()
                whole += p.returncode == 0
        done = talk.ask("the last")
        items = json.loads(talk.lines("show", "-o", "json").out)["items"]
        kinds = [item["kind"] for item in items]
        t.ok(done.status == 0 and not done.err and
             kinds == ["ask", "answer"] * (len(kinds) // 2) and
             len(kinds) >= 2 * (whole + 2) and alternate(talk.messages()),
             "25 lines killed, %d of them too late" % whole, kinds, done.err)
        tap.poll(lambda: not talk.home.left())


def check_full_disk(t):
    """What cannot be kept is told, and the answer comes all the same."""
    with Memory(*[ANSWER] * 3) as talk:
        talk.ask("one")
        # a limit of the file's size is what a full disk is to its writer
        done = talk.home.run(
            ["/bin/bash", "-c", "trap '' XFSZ; ulimit -f 1; exec \"$@\"", "-",
             *talk.words("explain")])
        t.ok(done.status == 0 and "All seen." in done.out and
             "remembered" in done.err, "nothing can be written", done.err)
        done = talk.ask("three")
        told = talk.messages()
        t.ok(done.status == 0 and not done.err and told[0][1] == "one",
             "and the next line goes on", told)


def check_explain_last(t):
    """`ai explain` alone is about the last command."""
    for status, shown in ((0, "42 files\n"), (2, "no rule to make it\n"),
                          (1, "")):
        with Memory(ANSWER) as talk:
            folder = os.path.dirname(talk.talk_file())
            os.makedirs(folder, 0o700, exist_ok=True)
            for name, text in (("last", "status=%d\ncommand=make all" %
                                status), ("stderr", shown)):
                with open(os.path.join(folder, name + "-" + SHELL), "w",
                          encoding="utf-8") as out:
                    out.write(text)
            done = talk.ask()
            text = talk.messages()[-1][1]
            t.ok(done.status == 0 and '"last_exit_code":%d' % status in text
                 and "make all\nThis is the last command" in text and
                 (shown.strip() in text),
                 "status %d, with %r" % (status, shown), done.err, text)
            plain = talk.home.run([faults.AI, "explain", "--offline"])
            t.ok("make" in plain.out and plain.status == 0 and
                 "Its exit status was %d" % status in plain.err and
                 ("" if status == 0 else shown.strip() or "It showed nothing.")
                 in plain.err, "and without a model", plain)
    with Memory(ANSWER) as talk:
        done = talk.ask()
        t.ok(done.status == 2 and "last command is not known" in done.err,
             "there is none", done.err)
        done = talk.home.run(talk.words("run")[:-2])
        t.is_(done.status, 2, "and another verb wants words")


def in_hook(t, kind):
    """Two lines at a real prompt: the second knows the first."""
    with Memory(FIRST, ANSWER, ANSWER, ANSWER, shell=None) as talk:
        wire = faults.WIRES[talk.letter]
        with hookshell.Shell(talk.home, kind) as sh:
            ai = "%s %%s --provider %s -m m " % (faults.AI, wire)
            end = b"\r" if kind == "fish" else b"\n"
            sh.send((ai % "run" + "make something").encode() + end)
            sh.child.expect_exact(b"uit", timeout=20)
            sh.send(b"r")
            sh.wait()
            sh.run(ai % "explain" + "what was that")
            told = talk.messages()
            t.ok(len(told) == 3 and told[0][1] == "make something" and
                 OUTPUT in told[2][1], kind + ": the second line knows the "
                 "first", told)
            sh.run("ls /nothing-$USER")
            sh.run((ai % "explain").strip())
            text = talk.messages()[-1][1]
            t.ok("ls /nothing-$USER\nThis is the last command" in text and
                 '"last_exit_code":2' in text,
                 kind + ": explain alone is about the last command", text)
            name = sh.show("echo $AGENTSH_SESSION").strip()
            t.ok(os.path.exists(talk.talk_file(name)), kind + ": by its shell")
            sh.end()
        with hookshell.Shell(talk.home, kind) as sh:
            sh.run(ai % "explain" + "who are you")
            t.is_(len(talk.messages()), 1, kind + ": another shell does not")
            t.ok(not os.path.exists(talk.talk_file(name)),
                 kind + ": and the file of the first is swept")
            sh.end()


def in_repl(t):
    with Memory(FIRST, ANSWER, ANSWER, shell=None) as talk:
        talk.home.config("[model]\nprovider = %s\nmodel = m\n" %
                         faults.WIRES[talk.letter])
        shells.write_rc(talk.home)
        sh = shells.repl(talk.home)
        sh.send("ai run make something\r")
        sh.expect("uit")
        sh.send("r")
        sh.prompt()
        sh.run("echo $((40 + 2)) of them", "42 of them")
        sh.run("ai explain", "All seen")
        told = talk.messages()
        t.ok(len(told) == 3 and told[0][1] == "make something" and
             OUTPUT in told[2][1], "the REPL: the second line knows the first",
             told)
        t.ok('"last_exit_code":0' in told[2][1] and
             "42 of them" in told[2][1].split("The request:")[0],
             "and explains what a good command showed", told[2])
        models = test_warm.model_processes(talk.home)
        t.is_(len(models), 1, "one model process is kept")
        os.kill(models[0], signal.SIGKILL)
        sh.run("ai explain that", "All seen")
        t.is_(sh.status, 0, "and another one is started when it has died")
        folder = os.path.join(talk.home.env["XDG_RUNTIME_DIR"], "agentsh")
        t.ok(any(name.startswith("talk-") for name in os.listdir(folder)),
             "the shell has a file")
        sh.send("exit\r")
        sh.finish()
        t.is_(os.listdir(folder), [], "which is gone with it")
        t.ok(tap.poll(lambda: not talk.home.left(True)),
             "which ends with the shell", talk.home.left(True))


def repl_killed(t):
    with Memory(ANSWER, ANSWER, shell=None) as talk:
        talk.home.config("[model]\nprovider = %s\nmodel = m\n" %
                         faults.WIRES[talk.letter])
        shells.write_rc(talk.home)
        sh = shells.repl(talk.home)
        sh.run("ai explain ls", "All seen")
        t.is_(len(test_warm.model_processes(talk.home)), 1, "a process waits")
        os.kill(sh.child.pid, signal.SIGKILL)
        t.ok(tap.poll(lambda: not test_warm.model_processes(talk.home)),
             "it ends with a shell that is killed")
        sh.finish()


def main():
    t = tap.Tap()
    for check in (check_wires, check_show_request, check_begins_anew,
                  check_resume, check_budget, check_redacted, check_private,
                  check_yes, check_rounds, check_failed, check_hostile_words,
                  check_offline,
                  check_edges, check_at_once, check_locked, check_garbage,
                  check_killed,
                  check_full_disk,
                  check_explain_last, in_repl, repl_killed):
        check(t)
    for kind in tap.sample(("bash", "zsh", "fish")):
        in_hook(t, kind)
    t.done()


if __name__ == "__main__":
    main()
