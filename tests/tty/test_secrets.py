# SPDX-License-Identifier: GPL-3.0-or-later
"""test_secrets.py - what opens doors is asked about, hidden, and not sent.

The rows are in tests/guard/: places where programs keep what opens doors, some
of programs that do not exist, and beside them what everyday work reads."""

import json
import os

from test_tool_loop import ANSWER, MENU, Talk, act, add_plugin, call, calls, step
import tap
from home import SRCDIR, Home, program

def rows(name):
    with open(os.path.join(SRCDIR, "tests", "guard", name),
              encoding="utf-8") as file:
        return [line.rstrip("\n").split(" ", 1) for line in file
                if line[0] in "hw"]


SECRET = rows("credential_places.txt")
HARMLESS = rows("harmless_places.txt")


LOOKS = 12  # of one answer
# Lines that the tables take for harmless, and that read what they find.
READERS = ["grep -r planted .", "grep -rn planted . | sort",
           "git grep --no-index planted", "grep -rh planted . >found.txt; true"]
OPEN = [("w", "notes.txt"), ("w", "a/b/.env.example"), ("w", "a/token.c")]
CLOSED = [("w", "a/.git-credentials"), ("w", "a/b/.env.bak"),
          ("w", "a/b/c/id_ed25519"), ("w", "infra/terraform.tfstate"),
          ("w", "my-service-account.json"), ("w", "a/secrets/app.toml"),
          ("w", "credentials/any")] + [
              one for one in SECRET if one[0] == "w"]
READ = """read -r line
text=$(cat notes.txt .env 2>&1 | tr '\\n' ' ')
printf '{"ok":true,"stdout":"%s","stderr":"","meta":{}}\\n' "$text"
"""


def plant(home, places):
    """Makes them, each with its number in it; their paths."""
    paths = []
    for number, (kind, name) in enumerate(places):
        top = home.env["HOME"] if kind == "h" else home.work
        path = os.path.join(top, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as out:
            out.write("planted<%d>\n" % number)
        paths.append(path)
    return paths


def told(places, seen):
    return "\n".join(name for (_, name), one in zip(places, seen) if one)


def is_secret(home, path):
    done = home.run([program("agentsh"), "policy", "test", "-o", "json", "--",
                     "cat '%s'" % path])
    return json.loads(done.out)["secret"]


def check_rules(t):
    with Home() as home:
        missed = [not is_secret(home, path) for path in plant(home, SECRET)]
        t.ok(not any(missed), "the rules know %d places of secrets" %
             len(SECRET), told(SECRET, missed))
    with Home() as home:
        accused = [is_secret(home, path) for path in plant(home, HARMLESS)]
        t.ok(not any(accused), "and accuse none of %d others" % len(HARMLESS),
             told(HARMLESS, accused))


def read_files(places):
    """Which of them a model gets by looking."""
    sent = []
    for first in range(0, len(places), LOOKS):
        some = places[first:first + LOOKS]
        with Talk(ANSWER) as talk:
            made = [call("fs_read_file", {"path": path}, "c%d" % n)
                    for n, path in enumerate(plant(talk.home, some))]
            talk.server.script.items[:] = [calls(*made), ANSWER]
            talk.run()
            bodies = "".join(one["body"] for one in talk.server.requests)
            sent += ["planted<%d>" % n in bodies for n in range(len(some))]
    return sent


def check_tool_calls(t):
    sent = read_files(SECRET)
    t.ok(not any(sent), "no look of a model's takes one of them away",
         told(SECRET, sent))
    kept = [not one for one in read_files(HARMLESS[:LOOKS])]
    t.ok(not any(kept), "what is harmless it may look at",
         told(HARMLESS, kept))


def check_named(t):
    """What the person's own words name is open, but for what is known."""
    some = [("h", ".zzz-new-tool/state"), ("h", ".yyy/state"),
            ("h", ".netrc")]
    with Talk(ANSWER) as talk:
        made = [call("fs_read_file", {"path": path}, "c%d" % n)
                for n, path in enumerate(plant(talk.home, some))]
        talk.server.script.items[:] = [calls(*made), ANSWER]
        words = talk.words("run")[:-2]
        talk.home.run([*words, "what is in", "~/.zzz-new-tool/state,",
                       "and in", "~/.netrc?"])
        bodies = "".join(one["body"] for one in talk.server.requests)
        t.is_(["planted<%d>" % n in bodies for n in range(3)],
              [True, False, False], "what a wish names is open to looks",
              bodies[-800:])


def check_sandbox(t):
    places = [(kind, name) for kind, name in SECRET
              if kind == "h" and (name[0] == "." or name.startswith("snap/"))
              and not name.startswith(".config/agentsh/")]
    open_ones = [(kind, name) for kind, name in HARMLESS if kind == "h"]
    with Home() as home:
        paths = plant(home, places + open_ones)
        cut = len(places)
        outside = home.run(["cat", *paths[:cut]]).out.count("planted<")
        t.is_(outside, cut, "each is there outside")
        for profile in ("observe", "read-only", "workspace-write"):
            words = [program("agentsh"), "exec", "--profile", profile, "--"]
            out = home.run(words + ["cat", *paths[:cut]]).out
            t.ok("planted<" not in out, "%s hides each" % profile, out)
            if profile == "observe":
                out = home.run(words + ["cat", *paths[cut:]]).out
                t.is_(out.count("planted<"), len(open_ones),
                      "%s shows what is harmless" % profile)
                name = "what would count it is told that it cannot"
                if not tap.is_here("namespaces"):  # where sizes are seen
                    t.skip(name, "needs namespaces")
                    continue
                done = home.run(words + ["du", "-s", home.env["HOME"]])
                t.ok("/.aws'" in done.err and done.status != 0, name, done.err)
    with Home() as home:
        paths = plant(home, [("h", ".zzz-new-tool/state")])
        home.config("[sandbox]\nreadable = ~/.zzz-new-tool\n")
        done = home.run([program("agentsh"), "exec", "--profile", "observe",
                         "--", "cat", *paths])
        t.ok("planted<" in done.out and not is_secret(home, paths[0]),
             "the configuration opens a place that it names",
             done.out + done.err)


def seen_by(out, places):
    return [name for number, (_, name) in enumerate(places)
            if "planted<%d>" % number in out]


def run_line(line, places, *options, wish=("note", "it")):
    """A step that nobody is asked about; what it shows and leaves."""
    with Talk(act(step(1, line))) as talk:
        plant(talk.home, places)
        words = talk.words("run", "--yes", *options)[:-2]
        done = talk.home.run([*words, *wish])
        return done, done.out + (talk.home.read("found.txt"))


def check_auto_approved(t):
    """A step that nobody was asked about reads none in the workspace."""
    places = CLOSED + OPEN
    names = [name for _, name in OPEN]
    with Home() as home:
        plant(home, places)
        out = home.run(["grep", "-r", "planted", "."]).out
        t.is_(len(seen_by(out, places)), len(places),
              "outside a search finds all %d" % len(places))
    for line in READERS:
        done, out = run_line(line, places)
        t.is_(sorted(seen_by(out, places)), sorted(names),
              "unasked it finds what is harmless alone: %s" % line,
              done.err[-800:])
    done, out = run_line(READERS[0], places)
    t.ok(done.status == 1 and "/.env.bak: Permission denied" in done.err,
         "and is told what it cannot read", done.err)
    done, out = run_line("grep -rL nothing infra; cat infra/*", places)
    t.ok(not seen_by(out, CLOSED), "by any way", out + done.err)


def check_opened(t):
    """The person's own yes opens all, their own words what these name."""
    places = CLOSED + OPEN
    with Talk(act(step(1, READERS[0] + " | sort >found.txt"))) as talk:
        plant(talk.home, places)
        _, status = talk.on_tty(keys=[(MENU, "r")])
        out = talk.home.read("found.txt")
        t.ok(status == 0 and len(seen_by(out, places)) == len(places),
             "a yes to the plan opens all of them", out)
    done, out = run_line(READERS[0], places,
                         wish=("find", "it", "in", "infra/terraform.tfstate",
                               "and", "my-service-account.json"))
    t.is_(sorted(seen_by(out, CLOSED)),
          ["infra/terraform.tfstate", "my-service-account.json"],
          "the words of a wish open what they name", done.err)


def check_tools(t):
    """What a model looks with reads none either."""
    places = [("w", ".env"), ("w", "notes.txt")]
    with Talk(calls(call("reader", {})), ANSWER) as talk:
        plant(talk.home, places)
        add_plugin(talk.home, "reader", READ, True)
        talk.run()
        body = talk.sent(1)
        t.ok("planted<1>" in body and "planted<0>" not in body,
             "a plugin that looks reads no secret of the workspace", body)


def check_compared(t):
    """Git is not told that what it cannot read was changed."""
    with Talk(act(step(1, "git status --short"))) as talk:
        plant(talk.home, [("w", "key.pem"), ("w", "a.txt")])
        # as old as most files are: git compares what is as new as its index
        os.utime(os.path.join(talk.home.work, "key.pem"), (10 ** 9, 10 ** 9))
        git = ["git", "-c", "user.name=a", "-c", "user.email=a@b"]
        for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "x"]):
            talk.home.run(git + words)
        with open(os.path.join(talk.home.work, "a.txt"), "a",
                  encoding="utf-8") as out:
            out.write("more\n")
        done = talk.run("--yes")
        t.is_((done.status, done.out), (0, " M a.txt\n"),
              "git status says of a closed file that it is unchanged",
              done.err)


def file_bytes(top):
    for folder, _, names in os.walk(top):
        for name in names:
            with open(os.path.join(folder, name), "rb") as file:
                yield file.read()


def check_sent(t):
    """What a step read with a yes is for the person, not for the model."""
    places = [("w", ".env"), ("w", "notes.txt"), ("w", "a/id_rsa")]
    for line, sent in (("cat notes.txt", [1]), ("cat .env", []),
                       ("grep -r planted . ; true", [1])):
        with Talk(act(step(1, line), wants_results=True), ANSWER) as talk:
            plant(talk.home, places)
            term, _ = talk.on_tty(keys=[(MENU, "r")])
            body = talk.sent(1) if len(talk.server.requests) == 2 else ""
            t.is_([n for n in range(3) if "planted<%d>" % n in body]
                  if body else "it is not asked again", sent,
                  "of what a step read is sent only what is no secret: %s" %
                  line, body[-900:])
            kept = b"".join(file_bytes(talk.home.env["XDG_STATE_HOME"]))
            t.is_([n for n in range(3) if b"planted<%d>" % n in kept], sent,
                  "and recorded")


def check_many(t):
    """Where not all can be closed, somebody is asked."""
    many = [("w", "keys/%d.pem" % n) for n in range(257)]
    done, out = run_line(READERS[0], many)
    t.ok(done.status == 5 and "more than 256 files" in done.err
         and not seen_by(out, many), "too many of them are asked about",
         done.err)
    done, out = run_line(READERS[0], many[:256] + OPEN)
    t.ok(done.status == 1 and not seen_by(out, many[:256])
         and "planted<256>" in out, "as many as there is room for are closed",
         done.err[-400:])


def main():
    t = tap.Tap()
    for check in (check_rules, check_tool_calls, check_named, check_sandbox,
                  check_auto_approved, check_opened, check_tools, check_compared,
                  check_sent, check_many):
        check(t)
    t.done()


if __name__ == "__main__":
    main()
