#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test_hostile_places.py - directories that are gone, full or strange."""

import json
import os
import shutil
import stat
import subprocess
import sys

from hostile import Bare, Talk, act, is_well, run_all, say, step, verified

import tap  # noqa: E402

FULL = 48 << 10  # bytes of a state directory that has no room


def new(talk, **params):
    return talk.editor.request("session/new", {
        "cwd": talk.place.work, "mcpServers": [], **params})


def strange_directories(t):
    with Talk() as talk:
        os.mkfifo(talk.path("fifo"))
        os.mkdir(talk.path("real"))
        os.symlink("real", talk.path("link"))
        os.symlink("loop", talk.path("loop"))
        os.symlink("nothing", talk.path("broken"))
        os.mkdir(talk.path("closed"), 0)
        with open(talk.path("file"), "w", encoding="ascii"):
            pass
        bad = [talk.path(n) for n in ("fifo", "loop", "broken", "file",
                                      "nothing", "fifo/x")]
        bad += ["relative", ".", "", "~", "file://" + talk.place.work,
                "/" + "x" * 300, talk.place.work + "/x" * 3000]
        for path in bad:
            t.is_(new(talk, cwd=path).get("code"), -32602,
                  "%s is no directory" % path[-30:])
            t.is_(new(talk, additionalDirectories=[path]).get("code"),
                  -32602, "nor is it an additional one")
        made = new(talk, cwd=talk.path("link"))
        t.ok("sessionId" in made, "a link to a directory is one")
        listed = talk.editor.request("session/list", {})["sessions"]
        t.is_(listed[0]["cwd"], talk.path("real"), "by its real name")
        t.ok("sessionId" in new(talk, cwd=talk.place.work + "/./real/.."),
             "a path may have dots")
        long = talk.place.work
        while len(long) < 4000:
            long += "/" + "y" * 60
        subprocess.run(["mkdir", "-p", long], check=False)
        made = new(talk, cwd=long)
        t.ok("sessionId" in made, "a path may be 4,000 bytes",
             json.dumps(made)[:300])


def many_directories(t):
    with Talk(act(step(1, "touch extra/made")), say()) as talk:
        paths = [talk.path("d%d" % n) for n in range(65)]
        for path in paths:
            os.mkdir(path)
        made = new(talk, additionalDirectories=paths[:64])
        t.ok("sessionId" in made, "a session has 64 additional directories",
             json.dumps(made)[:300])
        t.is_(new(talk, additionalDirectories=paths).get("code"), -32602,
              "and not 65")
        listed = talk.editor.request("session/list", {})["sessions"]
        t.is_(listed[0].get("additionalDirectories"), paths[:64],
              "they are listed")
        talk.session = made["sessionId"]
        t.is_(talk.prompt(), {"stopReason": "end_turn"}, "a prompt is "
                                                         "answered there")
        long = os.path.join(talk.place.work, *["z" * 200] * 4)
        paths = [os.path.join(long, "d%d" % n) for n in range(64)]
        for path in paths:
            os.makedirs(path)
        for _ in range(50):
            new(talk, additionalDirectories=paths)
        listed = talk.editor.request("session/list", {})
        t.is_([s["additionalDirectories"] for s in listed.get(
            "sessions", [])], [paths] * 50, "a list of many is sent",
              json.dumps(listed)[:300])


def a_directory_that_disappears(t):
    with Talk(act(step(1, "pwd")), say(), act(step(1, "pwd; ls")), say(),
              say()) as talk:
        os.mkdir(talk.path("mine"))
        talk.session = new(talk, cwd=talk.path("mine"))["sessionId"]
        talk.prompt()
        shutil.rmtree(talk.path("mine"))
        end = talk.prompt()
        t.ok("stopReason" in end or "code" in end,
             "a prompt in a directory that is gone has an end",
             json.dumps(end))
        is_well(t, talk, "and the agent is well")
        os.mkdir(talk.path("mine"))
        end = talk.prompt()
        t.ok("stopReason" in end or "code" in end,
             "and when another has its name", json.dumps(end))
        shutil.rmtree(talk.path("mine"))
        end = talk.editor.request("session/load", {
            "sessionId": talk.session, "cwd": talk.path("mine"),
            "mcpServers": []})
        t.is_(end.get("code"), -32602, "it is not loaded there")


def an_agent_whose_directory_is_gone(t):
    with Bare(say("Hello.")) as talk:
        talk.editor.close()
        gone = talk.path("gone")
        os.mkdir(gone)
        script = ("import os, sys; os.chdir(sys.argv[1]); "
                  "os.rmdir(sys.argv[1]); os.execv(sys.argv[2], "
                  "[sys.argv[2], 'acp'])")
        talk.editor = talk.start()
        talk.editor.child.kill()
        talk.editor.child.wait()
        env = talk.editor.env
        program = talk.editor.child.args[0]
        talk.editor.child = subprocess.Popen(
            [sys.executable, "-c", script, gone, program], env=env,
            cwd=talk.place.work, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0)
        os.set_blocking(talk.editor.child.stdout.fileno(), False)
        talk.editor.initialize()
        made = new(talk)
        t.ok("sessionId" in made, "an agent whose directory was deleted "
                                  "opens sessions elsewhere", json.dumps(made))
        talk.session = made["sessionId"]
        t.is_(talk.prompt(), {"stopReason": "end_turn"}, "and works there")
    with Bare(say("Hello.")) as talk:
        talk.editor.close()
        gone = talk.path("gone")
        os.mkdir(gone)
        done = subprocess.run(
            [sys.executable, "-c", script, gone, program],
            env=talk.editor.env, cwd=talk.place.work, capture_output=True, timeout=30, check=False,
            input=b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":'
                  b'{"protocolVersion":"1"}}\n{"jsonrpc":"2.0","id":2,'
                  b'"method":"session/new","params":{}}\n')
        got = [json.loads(x) for x in done.stdout.splitlines()]
        t.ok(len(got) == 2 and "error" in got[1],
             "in the older dialect it says that it has none", done.stdout,
             done.stderr)
        talk.editor = talk.start()


def a_policy_that_is_not_there(t):
    with Bare(say("Hello.")) as talk:
        done = subprocess.run(
            [talk.editor.child.args[0], "acp", "--policy", "nope"],
            env=talk.editor.env, stdin=subprocess.DEVNULL,
            capture_output=True, text=True, timeout=30, check=False)
        t.is_((done.returncode, done.stdout), (2, ""),
              "a policy that is not there is wrong usage")
        t.ok("restrictive, standard, permissive" in done.stderr,
             "and what it can be is said", done.stderr)


def works(t, talk, what):
    """A turn with a step runs, though nothing can be kept."""
    talk.editor.initialize()
    made = new(talk)
    t.ok("sessionId" in made, "%s: a session is opened" % what,
         json.dumps(made))
    talk.session = made.get("sessionId", "")
    end = talk.prompt()
    t.is_(end, {"stopReason": "end_turn"}, "%s: a turn ends" % what)
    t.ok("one-output" in json.dumps(talk.editor.updates),
         "%s: its step ran" % what)
    t.is_(talk.editor.close(), 0, "%s: the status" % what)


ANSWERS = [act(step(1, "echo one-output")), say()]


def can_mount():
    return os.geteuid() == 0 and tap.succeeds(
        ["unshare", "-m", "mount", "-t", "tmpfs", "none", "/mnt"])


def a_state_that_is_full(t):
    if not can_mount():
        t.skip("a full state directory", "needs root and a mount")
        return
    with Bare(*ANSWERS) as talk:
        talk.editor.close()
        state = talk.place.env["XDG_STATE_HOME"]
        program = talk.editor.child.args[0]
        talk.editor.child = subprocess.Popen(
            ["unshare", "-m", "sh", "-c",
             'mount -t tmpfs -o size=%d none "$1" && '
             'head -c 1M /dev/zero >"$1/fill" 2>/dev/null; exec "$0" acp'
             % FULL, program, state], env=talk.editor.env,
            cwd=talk.place.work, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0)
        os.set_blocking(talk.editor.child.stdout.fileno(), False)
        works(t, talk, "full")
        t.ok("agentsh acp:" in talk.editor.errors, "full: the log says so",
             talk.editor.errors)
        talk.editor = talk.start()


def a_state_that_becomes_full(t):
    """There is room for the databases, and not for long."""
    if not can_mount():
        t.skip("a state directory that becomes full", "needs root and a mount")
        return
    long = act(step(1, "seq 1 20000"))
    with Bare(*([long, say("x" * 20000)] * 30)) as talk:
        talk.editor.close()
        state = talk.place.env["XDG_STATE_HOME"]
        program = talk.editor.child.args[0]
        talk.editor.child = subprocess.Popen(
            ["unshare", "-m", "sh", "-c",
             'mount -t tmpfs -o size=700k none "$1"; exec "$0" acp',
             program, state], env=talk.editor.env,
            cwd=talk.place.work, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0)
        os.set_blocking(talk.editor.child.stdout.fileno(), False)
        talk.editor.initialize()
        talk.session = new(talk)["sessionId"]
        ends = [talk.prompt() for _ in range(25)]
        t.is_([e for e in ends if e != {"stopReason": "end_turn"}], [],
              "turns go on when the disk becomes full")
        made = new(talk)
        t.ok("sessionId" in made or "full" in made["message"],
             "and what cannot be kept is said", json.dumps(made))
        t.is_(talk.editor.close(), 0, "the status")
        t.ok("full" in talk.editor.errors, "the log says so",
             talk.editor.errors[-2000:])
        t.ok(len(talk.editor.errors) < 100000, "and is short",
             len(talk.editor.errors))
        talk.editor = talk.start()


def a_state_that_is_closed(t):
    """The state directory is a file, or a link to nothing."""
    for what, make in (("a file", lambda p: open(p, "w").close()),
                       ("a broken link", lambda p: os.symlink("no/where", p)),
                       ("a FIFO", os.mkfifo)):
        with Bare(*ANSWERS) as talk:
            talk.editor.close()
            state = os.path.join(talk.place.env["XDG_STATE_HOME"], "agentsh")
            shutil.rmtree(state, ignore_errors=True)
            make(state)
            talk.editor = talk.start()
            works(t, talk, what)
            os.unlink(state)
            talk.editor = talk.start()


def a_home_without_write(t):
    if os.geteuid() != 0 or not tap.is_here("other-user"):
        t.skip("a home without write", "needs root and another user")
        return
    with Bare(*ANSWERS) as talk:
        talk.editor.close()
        for folder, _, _ in os.walk(talk.place.root):
            os.chmod(folder, 0o755)
        program = talk.editor.child.args[0]
        talk.editor.child = subprocess.Popen(
            tap.as_other_user([program, "acp"]), env=talk.editor.env,
            cwd=talk.place.work, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0)
        os.set_blocking(talk.editor.child.stdout.fileno(), False)
        works(t, talk, "read-only")
        talk.editor = talk.start()


def two_agents(t):
    """Of one person, with one state directory."""
    answers = [act(step(1, "echo one-output")), say()] * 40
    with Talk(*answers) as talk:
        first, second = talk.editor, talk.start()
        try:
            second.initialize()
            mine = [(e, e.new()) for e in (first, second) for _ in range(3)]
            for _ in range(4):
                turns = [(e, e.prompt(s, "do it")) for e, s in mine]
                for e, turn in turns:
                    e.wait(turn)
                    if e.answers[turn].get("result") != {
                            "stopReason": "end_turn"}:
                        t.ok(False, "a turn ends", str(e.answers[turn]))
            listed = [s["sessionId"] for s in second.request(
                "session/list", {})["sessions"]]
            t.is_(sorted(listed), sorted([talk.session] + [
                s for _, s in mine]), "both list all sessions")
            t.is_(second.request("session/delete", {
                "sessionId": mine[0][1]}), {}, "one deletes the other's")
            end = first.request("session/prompt", {
                "sessionId": mine[0][1],
                "prompt": [{"type": "text", "text": "x"}]})
            t.ok("stopReason" in end or "code" in end, "which goes on or "
                 "ends", json.dumps(end))
            loaded = second.request("session/load", {
                "sessionId": mine[1][1], "cwd": talk.place.work,
                "mcpServers": []})
            t.ok("configOptions" in loaded, "one loads the other's",
                 json.dumps(loaded))
        finally:
            t.is_(second.close(), 0, "one ends")
        is_well(t, talk, "and the other is well")
        talk.editor.close()
        whole, said = verified(talk.place)
        t.ok(whole, "the journal of both is whole", said)
        mode = os.stat(os.path.join(talk.place.env["XDG_STATE_HOME"],
                                    "agentsh")).st_mode
        t.is_(stat.S_IMODE(mode), 0o700, "and nobody else's")
        talk.editor = talk.start()


if __name__ == "__main__":
    run_all(strange_directories, many_directories,
            a_directory_that_disappears, an_agent_whose_directory_is_gone,
            a_state_that_is_full, a_state_that_becomes_full,
            a_state_that_is_closed, a_home_without_write, two_agents,
            a_policy_that_is_not_there)
