#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test_operations.py - operations in, events out, one after another."""

import base64
import json
import os
import sys
import time

from agent import Agent, create, delete, edit, ops, read, say, shell

import home  # noqa: E402
import tap  # noqa: E402


def begin(*options):
    place = home.Home()
    return place, Agent(place, *options)


def file_operations(t):
    place, agent = begin("--policy", "permissive")
    with place, agent:
        t.is_(agent.one(create("d/e/f", "h\u00e9"))["bytesWritten"], 3,
              "a file is created, with its directories; bytes are counted")
        t.is_(place.read("d/e/f"), "h\u00e9", "and has its content")
        t.is_(agent.one(create("d/e/f"))["error"], "File already exists",
              "it is not created twice")
        t.is_(agent.one(create("d/e/f", "new", overwrite=True))["success"],
              True, "but overwritten where that is asked for")
        os.chmod(place.path("d/e/f"), 0o640)
        agent.one(create("d/e/f", "AAH/", overwrite=True, encoding="base64"))
        with open(place.path("d/e/f"), "rb") as file:
            t.is_(file.read(), b"\0\1\xff", "base64 gives any bytes")
        t.is_(os.stat(place.path("d/e/f")).st_mode & 0o777, 0o640,
              "the mode stays")
        t.is_(agent.one(create("x", "?", encoding="base64"))["error"],
              "Content is not valid base64", "what is none is refused")
        got = agent.one(read("d/e/f"))
        t.is_((got["content"], got["size"]), ("\0\1\ufffd", 3),
              "reading as text replaces what is none; the size is in bytes")
        got = agent.one(read("d/e/f", encoding="base64"))
        t.is_(base64.b64decode(got["content"]), b"\0\1\xff",
              "as base64 it is exact")
        t.is_(agent.one(read("none"))["error"], "File not found",
              "a missing file is said so")
        t.is_(agent.one(read("d"))["error"], "Is a directory",
              "a directory is not read")
        t.is_(agent.one(delete("d"))["error"], "Is a directory",
              "nor deleted")
        t.ok(agent.one(delete("d/e/f"))["success"] and
             not os.path.exists(place.path("d/e/f")), "a file is deleted")
        t.is_([n for n in os.listdir(place.path("d/e"))], [],
              "no temporary file is left")


def edits(t):
    place, agent = begin("--policy", "permissive")
    with place, agent:
        agent.run(create("f", "x x \\1 $& x"))
        agent.run(edit("f", ("x", "Y$&"), ("Y", "Z")))
        t.is_(place.read("f"), "Z$& x \\1 $& x",
              "edits replace the first match, literally, one after another")
        got = agent.one(edit("f", ("Z", "A"), ("q" * 60, "b")))
        t.is_((got["success"], got["error"]),
              (False, 'Could not find content to replace: "%s..."' % ("q" * 50)
               ), "text that is not there is an error")
        t.is_(place.read("f")[0], "Z", "and then nothing is written")
        with open(place.path("bytes"), "wb") as file:
            file.write(b"\xff a \xfe")
        agent.run(edit("bytes", ("a", "b")))
        with open(place.path("bytes"), "rb") as file:
            t.is_(file.read(), b"\xff b \xfe", "other bytes stay")


def commands(t):
    place, agent = begin("--policy", "permissive")
    with place, agent:
        os.mkdir(place.path("src"))
        got = agent.one(shell("echo $V; echo e >&2; pwd; exit 3", cwd="src",
                              env={"V": "v w"}))
        t.is_((got["stdout"], got["stderr"], got["exitCode"], got["success"]),
              ("v w\n%s\n" % place.path("src"), "e\n", 3, False),
              "a command has its directory, its variables and its outputs")
        agent.run(shell("echo up > ../up", cwd="src"))
        t.is_(place.read("up"), "up\n",
              "it writes in the whole workspace, wherever it starts")
        agent.run(create("w.py", "open('../outside', 'w')"),
                  shell("python3 w.py"))
        t.ok(not os.path.exists(os.path.join(place.root, "outside")),
             "and not beside it")
        begun = time.monotonic()
        got = agent.one(shell("echo first; (sleep 60; echo late > late) & "
                              "sleep 60", timeout=1000))
        t.is_((got["timedOut"], got["exitCode"], got["stdout"]),
              (True, 124, "first\n"), "a time limit ends it, output is kept")
        t.ok(time.monotonic() - begun < 10, "in time")
        t.ok(tap.poll(lambda: "sleep" not in place.left().values()),
             "with its children", str(place.left()))
        got = agent.one(shell("yes >&2", timeout=1000))
        t.is_((got.get("timedOut"), got.get("truncated")), (True, True),
              "a flood of errors ends by the time limit", str(got)[:300])
        for cwd, why in (("none", "Directory not found"),
                         ("up", "Not a directory")):
            t.is_(agent.one(shell("ls", cwd=cwd))["error"], why,
                  "a working directory that is none: %s" % why)
        got = agent.one(shell("sudo true"))
        t.is_((got["type"], got["reason"]),
              ("policyDenied", "Command 'sudo' is blocked"),
              "sudo is refused, since nobody can type a password")
        got = agent.one(shell("head -c 3000000 /dev/zero | tr '\\0' x"))
        t.ok(got["truncated"] and len(got["stdout"]) == 1 << 20,
             "a flood of output is cut")


def order(t):
    place, agent = begin("--policy", "permissive")
    with place, agent:
        for n in range(50):
            agent.send(ops(shell("echo %d >> list" % n) if n % 10 == 0
                           else say(str(n), id="m%d" % n)))
        got = [agent.recv() for _ in range(50)]
        t.is_([m["events"][0].get("operationId") for m in got],
              ["m%d" % n if n % 10 else None for n in range(50)],
              "each line has one answer, in order")
        t.is_(place.read("list"), "0\n10\n20\n30\n40\n", "and effect")
        t.is_(len({m["runId"] for m in got}), 50, "under a name of its own")
        got = agent.run(read("none"), edit("none", ("a", "b")),
                        shell("false"), say("end", id="e"))
        t.is_(([e["success"] for e in got["events"]], got["status"]),
              ([False, False, False, True], "completed"),
              "what fails does not stop what follows")


INVALID = (
    "", "[]", "5", '{"protocolVersion":"1.0"}', '{"operations":[]}',
    '{"protocolVersion":"2.0","operations":[]}',
    '{"protocolVersion":1.0,"operations":[]}',
    '{"protocolVersion":"1.0","operations":{}}',
    '{"protocolVersion":"1.0","protocolVersion":"1.0","operations":[]}',
    '{"protocolVersion":"1.0","operations":[5]}',
)
INVALID_OPS = (
    {"type": "x"}, {"type": 5}, {}, {"type": "message"},
    {"type": "message", "content": 5}, say("m" * 100001), say(id=5),
    say(id=None), create("/etc/x"), create("a/../b"), create("a..b"),
    create(""), create("a\0b"), create("p" * 256), create("a", 5),
    create("a", overwrite="yes"), create("a", encoding="latin1"),
    read("a", encoding=5), {"type": "createFile", "path": "a"},
    {"type": "editFile", "path": "a"}, edit("a"),
    {"type": "editFile", "path": "a", "edits": [{"oldContent": "a"}]},
    shell("c" * 4097), shell("a\0b"), shell(5), shell("ls", cwd="/"),
    shell("ls", cwd=".."), shell("ls", timeout=999),
    shell("ls", timeout=3600001), shell("ls", timeout=1500.5),
    shell("ls", timeout="5000"), shell("ls", env=[]),
    shell("ls", env={"A": 5}), shell("ls", env={"A=B": "x"}),
    shell("ls", env={"A": "x\0"}), {"type": "Shell", "command": "ls"},
)


def refuses(t):
    place, agent = begin("--policy", "permissive")
    lines = [line for line in INVALID if line] + [
        json.dumps(ops(create("made"), op)) for op in INVALID_OPS]
    with place, agent:
        for line in lines:
            agent.raw(line.encode() + b"\n")
            got = agent.recv()
            t.ok(got["status"] == "error" and len(got["events"]) == 1 and
                 got["events"][0]["category"] == "validation",
                 "refused: %.70s" % line, json.dumps(got))
        agent.raw(b'{"a":"\xff"}\nnonsense\n\n  \n')
        t.is_([agent.recv()["status"] for _ in range(2)], ["error"] * 2,
              "so is what is no JSON; blank lines are none")
        t.is_(os.listdir(place.work), [], "nothing of these messages ran")
        t.is_(agent.run(say("m" * 100000), shell("#" + "c" * 4095),
                        create("d/" * 122 + "\u00e9" * 11, "x" * 10485760,
                               zzz=1))["status"],
              "completed", "the limits themselves are fine")
        done = place.run([home.program("agentsh"), "spaces", "--check"],
                         "\n".join(lines) + "\n")
        told = [json.loads(line) for line in done.out.splitlines()]
        t.ok(len(told) == len(lines) and
             all(not v["success"] and v["error"]["message"] for v in told),
             "--check refuses each of them")
        t.is_(done.status, 1, "by its status too")


def checks(t):
    place, agent = begin()
    with place, agent:
        done = place.run(
            [home.program("agentsh"), "spaces", "--check"], "\n".join(
                json.dumps(m) for m in (
                    ops(create("a"), shell("rm -rf /", x=1)), read("a"),
                    {"runId": "run_1", "approval": {
                        "operationId": "a", "decision": "denied"}})))
        t.is_([json.loads(line) for line in done.out.splitlines()], [
            {"success": True, "data": ops(
                create("a", encoding="utf-8", overwrite=False),
                shell("rm -rf /", timeout=30000))},
            {"success": True, "data": read("a", encoding="utf-8")},
            {"success": True, "data": {"runId": "run_1", "approval": {
                "operationId": "a", "decision": "denied"}}}],
            "--check fills in defaults, leaves out what it does not know")
        t.is_((done.status, os.listdir(place.work)), (0, []),
              "and runs nothing")


def reads_a_file(t):
    place, agent = begin()
    with place, agent:
        with open(place.path("jobs"), "w", encoding="utf-8") as file:
            file.write(json.dumps(ops(shell("sleep 2; echo slow"))) + "\n" +
                       json.dumps(ops(say())))
        program = [home.program("agentsh"), "spaces"]
        done = place.run([*program, "jobs"])
        got = [json.loads(line) for line in done.out.splitlines()]
        t.ok(len(got) == 2 and got[0]["events"][0]["stdout"] == "slow\n",
             "a file is done to its end", done.out)
        t.is_(done.status, 0, "its status is 0 when all went well")
        for op, status in ((shell("false"), 1), (shell("rm jobs"), 5)):
            with open(place.path("job"), "w", encoding="utf-8") as file:
                file.write(json.dumps(ops(op)))
            t.is_(place.run([*program, "job"]).status, status,
                  "else it is %d" % status)
        for words in (["a", "b"], ["none"], ["--policy", "none"],
                      ["--workspace", "none"], ["--approval-expiry", "5"],
                      ["--approval-expiry", "0s"], ["--approval-expiry", "1w"],
                      ["--approval-expiry", "99999999999d"],
                      ["resume"], ["resume", "run_1", "yes"]):
            done = place.run([*program, *words])
            t.ok(done.status == 2 or (done.status == 1 and words == ["none"]),
                 "wrong usage: %s" % words, str(done))


def main():
    t = tap.Tap()
    file_operations(t)
    edits(t)
    commands(t)
    order(t)
    refuses(t)
    checks(t)
    reads_a_file(t)
    t.done()


if __name__ == "__main__":
    sys.exit(main())
