# SPDX-License-Identifier: GPL-3.0-or-later
"""test_review_sandbox.py - a review shows effects, the sandbox and rules, and its
keys p and a answer with them."""

import os
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))

import home
import tap
from review import AI, MENU, review, save, step

KEEP = "ater"  # of the last key of the question about a view
BACK = "] back"

FAILED = "etry"
NO = "[n]o"

# Asked about for what it contacts. Nobody answers: that it ran is told by its
# failure, which is exit 1.
ASKED = "curl -s http://127.0.0.1:9/"
RULE = "allow command " + ASKED


def put(h, *names):
    for name in names:
        with open(h.path(name), "w", encoding="utf-8") as out:
            out.write("12\n")


def script(h, name, text):
    put(h, name)
    with open(h.path(name), "w", encoding="utf-8") as out:
        out.write("#!/bin/bash\n" + text)
    os.chmod(h.path(name), 0o755)


def rules(h):
    """The person's file of rules and its mode, or None."""
    path = os.path.join(h.env["XDG_CONFIG_HOME"], "agentsh", "policy")
    if not os.path.exists(path):
        return None
    with open(path, encoding="utf-8") as file:
        return file.read(), os.stat(path).st_mode & 0o777


def test_preview(t):
    with home.Home() as h:
        put(h, "a")
        term, status = review(h, step(1, "echo new > b"), step(2, "rm a"),
                              keys=[(MENU, "p"), (KEEP, "k")])
        t.ok(status == 0 and os.path.exists(h.path("b")) and
             not os.path.exists(h.path("a")),
             "p runs the plan in a view, k keeps what it changed", status,
             term.text())
        t.ok("2 changes" in term.text() and "Type yes" not in term.text(),
             "what would change is shown, no word is asked", term.text())
    with home.Home() as h:
        put(h, "a")
        term, status = review(h, step(1, "rm a"),
                              keys=[(MENU, "p"), (KEEP, "\x03")])
        t.ok(status == 130 and os.path.exists(h.path("a")) and
             term.text().count("interrupted") == 1,
             "Ctrl-C in place of k is said once: exit 130", status,
             term.text())
    with home.Home() as h:
        put(h, "a")
        term, status = review(h, step(1, "rm a"), options=["--preview"],
                              keys=[(MENU, "r"), (KEEP, "x"),
                                    ("Drop all of it?", "y")])
        t.ok(status == 5 and os.path.exists(h.path("a")) and
             "dropped" in term.text(),
             "with --preview x and yes drop it: exit 5", status, term.text())
        status, out = left_view(h)
        t.ok(status == 5 and previews(h) and not os.path.exists(h.path("n")),
             "what nobody decided about is no success", status, out)
    with home.Home() as h:
        term, status = review(h, step(1, ASKED),
                              keys=[(MENU, "p"), ("cannot be previewed", ""),
                                    (MENU, "q")])
        t.ok(status == 5 and term.text().count("[r]un") == 2,
             "what needs the network cannot be previewed: it is asked again",
             status, term.text())


def test_view_end(t):
    with home.Home() as h:
        _, status = review(h, step(1, "touch a"), options=["--step"],
                           keys=[(MENU, "p"), (MENU, "q")])
        t.is_(status, 5, "quitting in a view is the end, not a new question")
        term, status = review(h, step(1, "touch a"), options=["--preview"],
                              keys=[(MENU, "q")])
        t.ok(status == 5 and "would change" not in term.text(),
             "nor is anything said of a view in which nothing ran", status,
             term.text())
        t.is_(previews(h), "", "and no view is left")
    with home.Home() as h:
        plan = save(h, step(1, "ls", working_directory="gone"))
        done = h.run([AI, "do", "--preview", "--plan", plan])
        t.ok(done.status == 1 and previews(h) == "",
             "a plan that cannot begin leaves no view", done)


def left_view(h):
    """A preview without a terminal, all of whose steps are allowed."""
    plan = save(h, step(1, "touch n"))
    done = h.run([AI, "do", "-y", "--preview", "--plan", plan])
    return done.status, done.out + done.err


def previews(h):
    return h.run([home.program("agentsh"), "preview", "list"]).out


def test_always(t):
    with home.Home() as h:
        plan = save(h, step(1, ASKED))
        before = h.run([AI, "do", "-y", "--plan", plan])
        t.is_(before.status, 5, "without a rule --yes is not enough",
              before.err)
        term, status = review(h, step(1, ASKED),
                              keys=[(MENU, "a"), (RULE, ""), (BACK, "y"),
                                    (FAILED, "q")])
        t.ok(status == 1 and "step 1 failed" in term.text(),
             "a shows the rule, y adds it and runs the plan", status,
             term.text())
        t.is_(rules(h), (RULE + "\n", 0o600),
              "the rule is in a file of one's own")
        after = h.run([AI, "do", "-y", "--plan", plan])
        t.is_(after.status, 1, "and the plan is not asked about again",
              after.err)


def test_always_script(t):
    """A script's rule holds for its directory and for what it held."""
    with home.Home() as h:
        def write(text):
            with open(h.path("seen.sh"), "w", encoding="utf-8") as out:
                out.write(text)
        write("ls plan.json\n")
        plan = save(h, step(1, "sh seen.sh"))
        term, status = review(h, step(1, "sh seen.sh"),
                              keys=[(MENU, "a"), ("with sha256:", ""),
                                    (BACK, "y")])
        kept = rules(h)
        t.ok(status == 0 and kept
             and kept[0].startswith("allow command sh seen.sh\n    in /")
             and kept[0].endswith(" seen.sh\n"),
             "a keeps a script's rule with its place and its bytes", status,
             kept, term.text())
        done = h.run([AI, "do", "-y", "--plan", plan])
        t.is_((done.status, done.out), (0, "plan.json\n"),
              "and it runs without a question", done.err)
        os.mkdir(h.path("sub"))
        other = save(h, dict(step(1, "sh ../seen.sh"), working_directory="sub"))
        done = h.run([AI, "do", "-y", "--plan", other])
        t.is_(done.status, 5, "from another directory it is asked", done.err)
        write("ls plan.json; rm -f plan.json\n")
        plan = save(h, step(1, "sh seen.sh"))
        done = h.run([AI, "do", "-y", "--plan", plan])
        t.ok(done.status == 5 and os.path.exists(h.path("plan.json"))
             and "seen.sh changed since you allowed it"
             in " ".join(done.err.split()),
             "a script that changed is asked about again, and why is said",
             done.err)
        shown = h.run([home.program("agentsh"), "policy", "show"]).out
        t.ok("    with sha256:" in shown and "    in /" in shown,
             "policy show shows both", shown)


def test_changed_on_the_way(t):
    """A yes is for the bytes of the script that was there."""
    with home.Home() as h:
        with open(h.path("a.sh"), "w", encoding="utf-8") as out:
            out.write("echo good\n")
        term, status = review(h, step(1, "printf 'echo evil\\n' >> a.sh"),
                              step(2, "sh a.sh"),
                              keys=[(MENU, "r"), ("Step 2", ""),
                                    ("kip", "q")])
        t.ok(status == 5 and "echo evil" in h.read("a.sh")
             and "\nevil" not in term.text(),
             "what a step writes into a script is asked about before it runs",
             status, term.text())


def can_preview():
    with home.Home() as h:
        return h.run([home.program("agentsh"), "exec", "--profile", "preview",
                      "--", "true"]).status != 125


# A command, what is waited for, and the key that is pressed then; at CHANGE the
# script is written anew. Then the status, and the line of the script that ran.
CHANGE = None
AGAIN = ("has changed", "")
NO_MORE = [(MENU, CHANGE), ("", "r"), AGAIN, (MENU, "q")]
UNDER_A_QUESTION = {
    "the plan": ("sh s.sh", NO_MORE, 5, None),
    "what the shell reads": ("sh < s.sh", NO_MORE, 5, None),
    "a pattern": ("sh s.s?", NO_MORE, 5, None),
    "a file at home": ("sh ~/s.sh", NO_MORE, 5, None),
    "a step": ("sh s.sh", [(MENU, "s"), ("Step 1:", ""), *NO_MORE], 5, None),
    "the word": ("sh s.sh; rm gone",
                 [(MENU, "r"), ("Type yes", CHANGE), ("", "yes\r"), AGAIN,
                  (MENU, "q")], 5, None),
    "the plan, said yes to again": ("sh s.sh", [*NO_MORE[:3], (MENU, "r")], 0,
                                    "two\n"),
    "what is always allowed": ("sh s.sh", [(MENU, CHANGE), ("", "a"), AGAIN,
                                           (MENU, "q")], 5, None),
    "a step that failed": ("sh s.sh; false",
                           [(MENU, "r"), (FAILED, CHANGE), ("", "r"), AGAIN,
                            (MENU, "q")], 5, "one\n"),
    "a grant": ("./s.sh net", [(MENU, "r"), (NO, CHANGE), ("", "y"), AGAIN,
                               (MENU, "q")], 5, "one\n"),
    "nothing but a grant, which is no change": (
        "./s.sh net", [(MENU, "r"), (NO, "y"), (FAILED, "q")], 1, "one\n"),
    "nothing, since a file of the kernel's has no bytes of its own": (
        "cat /proc/uptime | sh", [(MENU, "r"), ("Type yes", "yes\r"),
                                  (FAILED, "q")], 1, None),
}
if can_preview():
    UNDER_A_QUESTION["a view"] = (
        "sh s.sh", [(MENU, CHANGE), ("", "p"), AGAIN, (MENU, "q")], 5, None)


def test_changed_under_a_question(t):
    """A yes is for the bytes of the script when the plan was shown."""
    for name, (command, keys, wanted, line) in UNDER_A_QUESTION.items():
        with home.Home() as h:
            def write(word):
                script(h, "s.sh", "echo %s >ran; [ \"$1\" != net ] || "
                       "exec 3<>/dev/tcp/127.0.0.1/9\n" % word)
                shutil.copy(h.path("s.sh"), h.env["HOME"])
            put(h, "gone")
            write("one")
            term, _ = review(h, step(1, command), step(2, "true"),
                             finish=False)
            for text, key in keys:
                if text and not term.wait_for(text):
                    break
                if key is CHANGE:
                    write("two")
                else:
                    term.send(key)
            status = term.finish()
            ran = h.read("ran") if os.path.exists(h.path("ran")) else None
            t.ok((status, ran, rules(h)) == (wanted, line, None),
                 "a script that changes under the question about %s" % name,
                 status, ran, rules(h), term.text())


def test_nobody_to_ask(t):
    """The reason why a step is asked about."""
    for command, options, why in (
            ("ls", ["--step"], "--step asks about each step"),
            ("rm a", [], "rm deletes files")):
        with home.Home() as h:
            put(h, "a")
            done = h.run([AI, "do", "-y", *options, "--plan",
                          save(h, step(1, command))])
            told = " ".join(done.err.split())
            t.ok(done.status == 5 and "no terminal to ask on: " + why in told,
                 "%s %s: why nobody could be asked" % (command, options),
                 done.status, done.err)


def test_hidden_directory(t):
    """A step that cannot start says why."""
    if not tap.is_here("namespaces"):
        t.skip("a step in a directory of secrets",
               "reduced hides no directory, but what is in it")
        return
    with home.Home() as h:
        where = os.path.join(h.env["HOME"], ".ssh")
        os.mkdir(where)
        term, status = review(h, step(1, "pwd", working_directory=where),
                              keys=[(MENU, "r"), (FAILED, "q")])
        told = " ".join(term.text().split())
        t.ok(status == 1 and "step 1 did not start: working_directory" in told
             and "its sandbox hides that directory" in told,
             "a step in a directory of secrets", status, term.text())


def test_not_always(t):
    with home.Home() as h:
        term, status = review(h, step(1, ASKED),
                              keys=[(MENU, "a"), (BACK, "q"), (MENU, "q")])
        t.ok(status == 5 and rules(h) is None and
             "step 1 failed" not in term.text(),
             "back adds nothing, and asks about the plan again", status,
             term.text())
    for command, why in (("rm a", "needs approval every time"),
                         ("touch ~/b", "needs approval every time"),
                         ("make", "runs commands from the Makefile, which may be"),
                         ("sh a", "code that is not in the file"),
                         ("git stash", "already allowed; it writes in .: needs "
                          "your approval, each time"),
                         ("git commit -m x", "already allowed; it writes in"),
                         ("touch b", "every step is already allowed")):
        with home.Home() as h:
            put(h, "a")
            term, status = review(h, step(1, command),
                                  keys=[(MENU, "a"), (why[:20], ""), (MENU, "q")])
            t.ok(status == 5 and why in " ".join(term.text().split())
                 and rules(h) is None,
                 "%s: %s" % (command, why), status, term.text())


def test_effects(t):
    with home.Home() as h:
        put(h, "a", "b")
        term, status = review(h, step(1, "rm a b"),
                              keys=[(MENU, "r"), ("Type yes", "yes\r")])
        asked, _, after = term.text().partition("[r]un")
        t.ok(status == 0 and "! deletes a, b \u00b7 2 files, 6 bytes" in asked,
             "each file is named, and how much they hold", status, term.text())
        t.ok("rm a b" not in after and "deletes" not in after,
             "after r there is the question alone", term.text())
    with home.Home() as h:
        names = ["f%d" % n for n in range(6)]
        put(h, *names)
        term, status = review(h, step(1, "rm f*"),
                              keys=[(MENU, "v"), (MENU, "q")])
        before, _, after = term.text().partition("[r]un")
        t.ok("f0, f1, f2 and 3 more" in before and "f5" not in before and
             all("deletes " + name in after for name in names),
             "of many the first are named, and v shows all", term.text())
        t.ok("[v]iew" in before + after.partition("view")[0] and
             "[v]iew" not in after.partition("f5")[2],
             "v is offered once", term.text())
    with home.Home() as h:
        term, _ = review(h, step(1, "rm nothing-\x1b[2J"),
                         keys=[(MENU, "q")])
        t.ok("\\x1b" in term.text() and "\x1b[2J" not in term.seen,
             "names are shown as escapes",
             repr(term.seen))


def test_blocked(t):
    with home.Home() as h:
        script(h, "x", "exec 3<>/dev/tcp/127.0.0.1/9\n")
        term, status = review(h, step(1, "./x"),
                              keys=[(MENU, "r"), (NO, "n")])
        profile = ("workspace-write" if tap.is_here("namespaces")
                   else "reduced")
        t.ok(status == 1 and "blocked: open a connection (profile " +
             profile in term.text().replace("\n", " "),
             "a step that failed says which wall it met", status, term.text())
    name = "one that failed by itself names none"
    if "ASAN_OPTIONS" in os.environ:
        t.skip(name, "a sanitizer looks for leaks with ptrace, which is named")
        return
    with home.Home() as h:
        term, status = review(h, step(1, "exit 3"),
                              keys=[(MENU, "r"), (FAILED, "q")])
        t.ok(status == 1 and "blocked" not in term.text(), name, status,
             term.text())


def test_full(t):
    with home.Home() as h:
        made = os.path.join(h.env["HOME"], "b")
        term, status = review(h, step(1, "touch a"), step(2, "touch ~/b"),
                              keys=[(MENU, "r"), (MENU, "r")])
        second = term.text().partition("1/2")[2]
        t.ok(status == 0 and os.path.exists(made) and
             "sandbox: full (writes ~/b" in second,
             "a step without walls is asked about by itself", status,
             term.text())
    with home.Home() as h:
        made = os.path.join(h.env["HOME"], "b")
        term, status = review(h, step(1, "touch a"), step(2, "touch ~/b"),
                              keys=[(MENU, "r"), (MENU, "s")])
        t.ok(status == 5 and not os.path.exists(made) and
             os.path.exists(h.path("a")), "and can be skipped", status,
             term.text())


def test_contained(t):
    """Where namespaces are refused, and where Landlock is as well."""
    refusing = home.program("tests/sandbox/refusing")
    with home.Home() as h:
        script(h, "x", "touch a ../b\n")
        term, status = review(
            h, step(1, "./x"), keys=[(MENU, "r"), (FAILED, "q")],
            before=[refusing, "namespaces", "clone3", "--"], cols=200)
        t.ok("reduced: no namespaces here; writes only in this directory" in
             term.text() and "git" in term.text(),
             "reduced is named, and what it does not keep", term.text())
        t.ok(status == 1 and os.path.exists(h.path("a")) and
             not os.path.exists(h.path("..", "b")),
             "the yes covers it, and it holds", status, term.text())
    with home.Home() as h:
        term, status = review(
            h, step(1, "touch a"), step(2, "touch b"),
            keys=[(MENU, "r"), (MENU, "r"), (MENU, "s")],
            before=[refusing, "namespaces", "landlock", "--"])
        t.ok(term.text().count("full: neither namespaces nor Landlock here") > 1,
             "without Landlock it is full, in these words", term.text())
        t.ok(os.path.exists(h.path("a")) and not os.path.exists(h.path("b")),
             "and each step is asked about by itself", status, term.text())


def main():
    t = tap.Tap()
    if can_preview():
        test_preview(t)
        test_view_end(t)
    else:
        t.skip("the key p", "no copy-on-write view here")
    for test in (test_always, test_always_script, test_changed_on_the_way,
                 test_changed_under_a_question, test_nobody_to_ask,
                 test_hidden_directory,
                 test_not_always, test_effects, test_blocked,
                 test_full, test_contained):
        test(t)
    t.done()


main()
