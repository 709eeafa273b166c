# SPDX-License-Identifier: GPL-3.0-or-later
"""test_confined.py - a guest agent that is narrowed: rules, a root, a profile.
"""

import os
import sys

import agent

import home  # noqa: E402
import tap  # noqa: E402


def check_rules(t, place):
    with open(place.path("rules"), "w", encoding="ascii") as out:
        out.write("deny command curl *\nallow command *\n")
    with open(place.path("key.pem"), "w", encoding="ascii") as out:
        out.write("secret\n")
    os.symlink("key.pem", place.path("harmless"))
    with agent.Agent(place, "--policy", "rules") as a:
        seen = a.result("exec", cmd="echo a; curl http://127.0.0.1:1/")
        t.is_((seen["exit_code"], seen["stdout"]), (-1, ""),
              "a command that a rule denies does not run")
        t.ok("deny command curl *" in seen["stderr"], "the rule is told", seen)
        seen = a.result("exec_code", lang="sh", code="curl x")
        t.is_(seen["exit_code"], -1, "nor by exec_code")
        t.is_(a.call("exec_code")["error"]["code"], -32602,
              "what is missing is told as ever")
        seen = a.call("process.start", argv=["curl", "x"])
        t.ok("deny command curl *" in seen["error"]["message"],
             "nor as a process", seen)
        seen = a.raw(agent.message(90, "process.start",
                                   [None, ["curl", "x"]]))
        t.ok("deny command curl *" in seen["error"]["message"],
             "by position neither", seen)
        t.is_(a.result("exec", cmd="rm -f x; echo ran")["stdout"], "ran\n",
              "what rules ask about is allowed")
        numbers = [a.send("exec", cmd="echo 1"), a.send("ping")]
        t.is_([a.next()["id"] for _ in numbers], numbers,
              "requests still run in their order")
    with agent.Agent(place, "--policy", "standard") as a:
        for method, params in (("read_file", {"path": "key.pem"}),
                               ("read_file", {"path": "harmless"}),
                               ("fs.read", {"path": "./sub/../key.pem"}),
                               ("write_file", {"path": "key.pem",
                                               "content": "x"}),
                               ("fs.move", {"path": "rules",
                                            "to": "new.pem"})):
            seen = a.call(method, **params)
            t.ok("denied by" in seen.get("error", {}).get("message", ""),
                 "keys are denied: %s %s" % (method, params), seen)
    t.is_(place.read("key.pem"), "secret\n", "and stay as they are")
    os.makedirs(place.path("p/secret"))
    with open(place.path("p/secret/x"), "w", encoding="ascii") as out:
        out.write("hidden\n")
    with open(place.path("rules"), "w", encoding="ascii") as out:
        out.write("deny read %s/**\ndeny write %s/**\nallow command *\n" %
                  (place.path("p/secret"), place.path("p/secret")))
    with agent.Agent(place, "--policy", "rules") as a:
        for method, params in (
                ("exec", {"cmd": "cat p/secret/x", "cwd": "/"}),
                ("exec", {"cmd": "cat p/secret/x", "argv": ["true"]}),
                ("process.start", {"cmd": "cat secret/x", "cwd": "p"}),
                ("process.start", ["cat secret/x", None, "p"]),
                ("fs.move", {"path": "p/secret", "to": "q"}),
                ("fs.remove", {"path": "p", "recursive": True})):
            seen = a.raw(agent.message(91, method, params))
            t.ok("denied by" in str(seen), "denied: %s %s" %
                 (method, params), seen)
    t.ok(os.path.exists(place.path("p/secret/x")), "it is still there")


def check_root(t, place):
    root = place.folder("root")
    beside = os.path.join(os.path.basename(place.work), "outside")
    with open(place.path("outside"), "w", encoding="ascii") as out:
        out.write("outside\n")
    os.symlink(place.path("outside"), os.path.join(root, "leaves"))
    os.symlink("..", os.path.join(root, "up"))
    os.symlink("inside", os.path.join(root, "stays"))
    with agent.Agent(place, "--root", root) as a:
        t.is_(a.result("write_file", path="inside", content="in"),
              {"success": True}, "files below the root")
        t.is_(a.result("read_file", path=root + "/stays"), {"content": "in"},
              "by their whole path, and by links that stay")
        for path in ("leaves", "up/%s" % beside, "../" + beside,
                     place.path("outside"), root + "x", "/etc/hostname"):
            for method, more in (("read_file", {}), ("list_dir", {}),
                                 ("write_file", {"content": "x"}),
                                 ("fs.write", {"data": ""}),
                                 ("fs.stat", {}),
                                 ("fs.remove", {"recursive": True}),
                                 ("fs.mkdir", {"parents": True})):
                if path == "leaves" and method in ("fs.stat", "fs.remove",
                                                   "fs.mkdir"):
                    continue # which are about the link
                seen = a.call(method, path=path, **more)
                t.ok("error" in seen, "%s does not leave it: %s" %
                     (method, path), seen)
        t.ok("error" in a.call("fs.move", path="inside", to="up/%s.moved" % beside),
             "nothing is moved out")
        os.symlink(root, place.path("linked"))
        with agent.Agent(place, "--root", "linked") as b:
            t.is_([b.call("write_file", path="inside", content="in")
                   .get("result"),
                   b.result("read_file", path=root + "/inside")],
                  [{"success": True}, {"content": "in"}],
                  "a root that is named by a link is the same")
        t.is_(a.result("exec", cmd="pwd; echo x >made; echo x >%s" %
                       place.path("outside"))["stdout"], root + "\n",
              "commands begin in it")
    t.is_(place.read("outside"), "outside\n", "nothing outside was written")
    t.ok(os.path.exists(os.path.join(root, "made")), "and inside it was")
    t.ok(not os.path.exists(place.path("outside.moved")), "nor moved")


def check_profile(t, place):
    with agent.Agent(place, "--profile", "read-only") as a:
        seen = a.result("exec", cmd="echo x >new; echo $?; ls")
        t.ok("new" not in os.listdir(place.work) and seen["stdout"][0] != "0",
             "a profile holds", seen)
        p = a.result("process.start", cmd="echo x >new; [ -t 1 ] && echo term",
                     tty={"rows": 5, "cols": 50})["id"]
        a.result("process.attach", id=p)
        seen = a.output(p)[0]["stdout"]
        t.ok(b"term\r\n" in seen and
             "new" not in os.listdir(place.work),
             "for a process with a terminal too", seen)
    with agent.Agent(place) as a:
        a.result("exec", cmd="echo x >new")
        t.ok(os.path.exists(place.path("new")), "without it nothing does")


LOOP = ("trap 'echo caught; exit 7' USR1; trap '' HUP; echo up; "
        "while :; do sleep 0.02; done")
COUNT = ("echo up; trap 'exit 5' TERM; i=0; "
         "while :; do i=$((i+1)); echo $i >count; sleep 0.01; done")


def check_signals(t, place, *options):
    """They come to the program, as they do where nothing is confined."""
    name = " ".join(options) or "nothing"
    with agent.Agent(place, *options) as a:
        for tty in ({}, {"tty": {"rows": 5, "cols": 50}}):
            how = "%s, %s" % (name, "a terminal" if tty else "pipes")
            for signo, end in (("USR1", {"exit_code": 7}),
                               ("TERM", {"exit_code": -1, "signal": 15}),
                               ("KILL", {"exit_code": -1, "signal": 9})):
                p = a.result("process.start", cmd=LOOP, **tty)["id"]
                a.result("process.attach", id=p)
                a.output(p, b"up")
                a.result("process.signal", id=p, signal="HUP")
                a.result("process.signal", id=p, signal=signo)
                t.is_(a.output(p)[1], {"id": p, **end},
                      "%s ends it (%s)" % (signo, how))
            p = a.result("process.start", cmd=COUNT, **tty)["id"]
            tap.poll(lambda: place.read("count"))
            a.result("process.signal", id=p, signal="STOP")
            t.ok(tap.poll(lambda: "T" in [home.state_of(pid) for pid, words in
                                          place.left().items()
                                          if words.split()[:1] in (
                                              ["sh"], ["/bin/sh"])]),
                 "STOP stops it (%s)" % how, place.left())
            before = place.read("count")
            a.result("process.signal", id=p, signal="CONT")
            t.ok(tap.poll(lambda: place.read("count") != before),
                 "CONT continues it (%s)" % how)
            a.result("process.signal", id=p, signal="TERM")
            t.is_(a.result("process.wait", id=p)["exit_code"], 5,
                  "and it ends as it likes (%s)" % how)
            os.unlink(place.path("count"))
        first, second = next(a.numbers), next(a.numbers)
        a.write(agent.message(first, "process.start", {"cmd": "echo ran"}) +
                agent.message(second, "process.signal",
                              {"id": p + 1, "signal": "CONT"}))
        t.is_(a.answer(first)["result"]["id"], p + 1, "ids count up")
        t.is_(a.answer(second).get("result"), {},
              "a signal comes at once (%s)" % name)
        t.is_(a.result("process.wait", id=p + 1).get("exit_code"), 0,
              "and the launcher outlives it (%s)" % name)
        seen = a.result("exec", cmd="kill -SEGV $$")
        t.is_(seen["exit_code"], -1, "a signal ends a command (%s)" % name)


def check_at_once(t, place, profile):
    """A signal that comes before the program runs, and what it leaves."""
    with agent.Agent(place, "--profile", profile) as a:
        for signo, number in (("TERM", 15), ("KILL", 9)) * 3:
            p = a.result("process.start", argv=["sleep", "1000"])["id"]
            a.result("process.signal", id=p, signal=signo)
            t.is_(a.result("process.wait", id=p).get("signal"), number,
                  "%s is not lost at the start (%s)" % (signo, profile))
        p = a.result("process.start", cmd="setsid sleep 1000 & sleep 0.05")
        a.result("process.wait", id=p["id"])
        t.ok(tap.poll(lambda: not [x for x in place.left().values()
                                   if x.startswith("sleep")]),
             "nothing is left behind (%s)" % profile, place.left())


def check_put_back(t, place):
    """What git trusts is put back also when a command is cut off."""
    os.makedirs(place.path("repo/.git/hooks"))
    for name, text in (("HEAD", "ref: refs/heads/main\n"), ("config", "")):
        with open(place.path("repo/.git", name), "w", encoding="ascii") as out:
            out.write(text)
    os.makedirs(place.path("repo/.git/objects"))
    os.makedirs(place.path("repo/.git/refs"))
    with agent.Agent(place, "--profile", "workspace-write") as a:
        a.send("exec", cmd="cd repo; mkdir x; cd x; git init -q . 2>&1; "
               "mkdir -p .git/hooks; echo evil >.git/hooks/post-checkout; "
               "echo >../up; exec sleep 1000")
        t.ok(tap.poll(lambda: os.path.exists(place.path("repo/up"))),
             "a command writes a hook")
        a.close()
    t.ok(tap.poll(lambda: not os.path.exists(
        place.path("repo/x/.git/hooks/post-checkout"))),
         "which is gone when it is cut off",
         os.listdir(place.path("repo/x")))


def main():
    t = tap.Tap()
    with home.Home() as place:
        check_rules(t, place)
        check_root(t, place)
        check_profile(t, place)
        check_signals(t, place)
        check_signals(t, place, "--profile", "workspace-write")
        for profile in ("observe", "read-only", "workspace-write"):
            check_at_once(t, place, profile)
        check_put_back(t, place)
        t.ok(tap.poll(lambda: not place.left()), "nothing is left")
    t.done()


if __name__ == "__main__":
    sys.exit(main())
