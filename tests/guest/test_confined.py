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


def main():
    t = tap.Tap()
    with home.Home() as place:
        check_rules(t, place)
        check_root(t, place)
        check_profile(t, place)
        t.ok(tap.poll(lambda: not place.left()), "nothing is left")
    t.done()


if __name__ == "__main__":
    sys.exit(main())
