# SPDX-License-Identifier: GPL-3.0-or-later
"""test_elevate.py - what a tool has run as root: seen, asked about, recorded."""

import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))

import home
import tap
import terminal
from review import AI, MENU, review, save, step

AGENTSH = home.program("agentsh")
MANIFEST = {
    "name": "mine", "version": "1", "summary": "asks", "executable": "run",
    "needs": {"privileged": ["/bin/echo"]},
    "actions": {"go": {"summary": "asks for it", "destructive": False,
                       "args": {"type": "object"}}},
}
# the escape must show, and not work
PROGRAM = r"""#!/bin/sh
read -r line
printf '%s\n' '{"event":"output","step_id":"1","stream":"stdout","data":"\u001b[31mhalf"}'
printf '%s\n' '{"event":"need","argv":["/bin/echo","as asked","\u001b[8m"],"privileged":true}'
read -r line
case $line in
*'"exit_code":0'*) echo '{"ok":true,"stdout":"it ran","stderr":"","meta":{}}' ;;
*) echo '{"ok":false,"stdout":"","stderr":"it did not","meta":{"error_code":"PERMISSION_DENIED"}}' ;;
esac
"""
LINE = "as root: /bin/echo 'as asked' '\\x1b[8m'"
ASKED = "Type yes to run this as root"
CALL = step(1, "true", tool="mine", action="go", args={})


def plant(h):
    folder = os.path.join(h.env["XDG_DATA_HOME"], "agentsh", "plugins", "mine")
    os.makedirs(folder, 0o700)
    with open(os.path.join(folder, "plugin.json"), "w",
              encoding="utf-8") as out:
        json.dump(MANIFEST, out)
    with open(os.path.join(folder, "run"), "w", encoding="utf-8") as out:
        out.write(PROGRAM)
    os.chmod(os.path.join(folder, "run"), 0o700)
    term = terminal.Terminal(h, [AGENTSH, "tool", "trust", "mine"])
    term.wait_for("[n]o")
    term.send("y")
    term.finish()


def rows(h, kind):
    """Of the last run, its rows of this kind."""
    got = h.run([AI, "log", "-o", "json"])
    run = json.loads(got.out)["runs"][0]["run"]
    got = h.run([AI, "log", run, "-o", "json"])
    return [e for e in json.loads(got.out)["rows"] if e["kind"] == kind], got


def test_plan(t):
    for word, decision in (("yes\r", "run"), ("y\r", "refused")):
        with home.Home() as h:
            plant(h)
            keys = [(MENU, "r"), ("Type yes to run step", "yes\r"),
                    (ASKED, word)]
            if decision == "refused":
                keys.append(("etry", "q"))
            term, status = review(h, CALL, keys=keys)
            text = term.text().replace("\r", "")
            t.ok("the command it requests runs as root, outside" in
                 " ".join(text.split()) and "writes nothing" not in text,
                 "the walls say that something runs outside them", text)
            t.ok("\n" + LINE + "\n" in text,
                 "the words stand on a line of their own", text)
            t.is_(status == 0, decision == "run",
                  "%r to them: %s" % (word, decision), text)
            t.ok(text.find(LINE) < text.find(ASKED),
                 "they are seen before the question", text)
            told, got = rows(h, "need")
            t.ok(len(told) == 1 and told[0]["event"]["argv"] ==
                 ["/bin/echo", "as asked", "\x1b[8m"] and
                 told[0]["event"]["decision"] == decision and
                 told[0]["event"]["by"] == "person",
                 "and recorded", told, got.out)
            t.ok(term.is_sane() and term.no_one_left(), "nothing is left")


def test_interrupt(t):
    with home.Home() as h:
        plant(h)
        term, status = review(h, CALL, keys=[
            (MENU, "r"), ("Type yes to run step", "yes\r"), (ASKED, "\x03")])
        t.ok(status == 130 and rows(h, "need")[0] == [],
             "Ctrl-C at the question: nothing runs", status, term.text())
        t.ok(term.is_sane() and term.no_one_left(), "and nothing is left")


def test_call(t):
    with home.Home() as h:
        plant(h)
        with open(h.path("rq"), "w", encoding="utf-8") as out:
            out.write('{"tool":"mine","action":"go","stream":true}\n')
        term = terminal.Terminal(h, ["/bin/sh", "-c",
                                     "exec %s tool call <rq >got" % AGENTSH])
        status = term.finish()
        text = term.text().replace("\r", "")
        t.ok(status == 0 and "it ran" in h.read("got") and LINE in text,
             "at agentsh tool call the words are seen", status, text,
             h.read("got"))
        told, got = rows(h, "need")
        t.ok(len(told) == 1 and told[0]["event"]["by"] ==
             "caller, who typed it", "and recorded", told, got.out)
        asked, got = rows(h, "call")
        t.ok(asked[0]["event"]["decision"] == "ask" and
             asked[0]["event"]["yes"] == "caller, who typed it",
             "the record says whose yes it was", asked, got.out)


APT = "/usr/bin/apt-get"
# another program in its place, for whom it shows it to alone
IN_ITS_PLACE = ('mount --make-rprivate / && mount --bind "$1" %s && shift && '
                'exec "$@"' % APT)


def test_built_in(t):
    with home.Home() as h:
        if not os.path.exists(APT):
            t.skip("what a built-in tool runs is seen", "needs apt-get")
            return
        if not tap.is_here("namespaces"):  # to put another in its place
            t.skip("what a built-in tool runs is seen", "needs namespaces")
            return
        with open(h.path("apt"), "w", encoding="utf-8") as out:
            out.write("#!/bin/sh\necho instead of apt\n")
        os.chmod(h.path("apt"), 0o755)
        plan = save(h, step(1, "apt-get install nosuchpkg",
                            tool="pkg.manage", action="install",
                            args={"packages": ["nosuchpkg"],
                                  "manager": "apt"}))
        term = terminal.Terminal(
            h, ["unshare", "--mount", "sh", "-c", IN_ITS_PLACE, "sh",
                h.path("apt"), AI, "do", "--plan", plan], cols=100)
        for text, key in ((MENU, "r"), ("Type yes to run step", "yes\r")):
            term.wait_for(text)
            term.send(key)
        if term.wait_for("etry", 20):
            term.send("q")
        term.finish()
        text = term.text().replace("\r", "")
        line = "\nas root: %s -q " % APT
        t.ok(line in text and ASKED not in text and
             text.find(line) < text.find("instead of apt"),
             "of a built-in tool they are seen before they run", text)
        told, got = rows(h, "need")
        t.ok(len(told) == 1 and told[0]["event"]["argv"][0] == APT and
             told[0]["event"]["by"] == "the yes to the step" and
             told[0]["event"]["decision"] == "run",
             "and recorded as covered by the yes to the step", told, got.out)


def can_confine():
    with home.Home() as h:
        return h.run([AGENTSH, "exec", "--", "true"]).status != 125


def main():
    t = tap.Tap()
    if os.geteuid() != 0 or not can_confine():
        t.skip_all("needs root, and a sandbox")
    for test in (test_plan, test_interrupt, test_built_in, test_call):
        test(t)
    t.done()


main()
