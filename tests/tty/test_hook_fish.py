# SPDX-License-Identifier: GPL-3.0-or-later
"""test_hook_fish.py - what the fish hook records, and what it leaves as it
was."""

import os
import re
import stat
import subprocess
import tempfile

import hookshell
from hookshell import Shell, home, tap

# What is typed, and the record that follows it; None: the one before stays.
LINES = (
    ("false", ("false", 1)),
    ("true", ("true", 0)),
    ("sh -c 'exit 7'", ("sh -c 'exit 7'", 7)),
    ("false | true", ("false | true", 0)),
    ("nosuchcommand -x", ("nosuchcommand -x", 127)),
    ("echo 'a  b'   \"c\"", ("echo 'a  b'   \"c\"", 0)),
    ("printf '%s\\n' % é ☃ 🐚", ("printf '%s\\n' % é ☃ 🐚", 0)),
    ("function f; return 5; end; f", ("function f; return 5; end; f", 5)),
    (" false", None),
    ("", None),
    ("ai fix", None),
    ("  ai explain 'x'", None),
    ("ai", None),
    ("\\ai do it", None),
    ("ai run x; false", None),
    ("ai|cat", None),
    ("aid", ("aid", 127)),
    ("ai-x", ("ai-x", 127)),
    ("echo ai", ("echo ai", 0)),
)

DUMP = ("set -g; set -x; functions; functions --handlers; abbr; alias; "
        "complete; bind -k 2>&1 | count; jobs")
CHANGING = re.compile(r"(_|status|pipestatus|history|CMD_DURATION|fish_pid|"
                      r"fish_killring|last_pid|prompts|XDG_CONFIG_HOME|"
                      r"status_generation|AGENTSH_TEST_ID|HISTFILE) ")


def types(t, sh, lines):
    expected = None
    for line, record in lines:
        shown = sh.run(line)
        expected = record or expected
        t.is_(sh.last(), expected, "%r %s" % (
            line, "is recorded" if record else "is not recorded"),
            hookshell.plain(shown))


def records(t, **env):
    with home.Home() as place, Shell(place, "fish", **env) as sh:
        t.is_(sh.record(), None, "nothing is recorded before the first line")
        types(t, sh, LINES)
        sh.run("sleep 0.2")
        sh.run("")
        t.ok(200 <= int(sh.record()["duration_ms"]) < 10000,
             "the duration is in milliseconds", sh.record())
        sh.run("mkdir -p 'a b/é' new\\nline; cd 'a b/é'; false")
        t.is_(sh.record()["cwd"], place.work,
              "the directory is where the line was typed")
        sh.run("cd ../../new*; false")
        t.is_(sh.record()["cwd"], place.path("a b", "é"),
              "a directory with a blank is recorded whole")
        sh.run("sh -c 'exit 2'")
        t.is_((sh.record().get("cwd"), sh.last()),
              (None, ("sh -c 'exit 2'", 2)),
              "one with a newline is left out, and nothing else")
        t.is_((stat.S_IMODE(os.stat(sh.file()).st_mode),
               stat.S_IMODE(os.stat(os.path.dirname(sh.file())).st_mode)),
              (0o600, 0o700), "the file is the user's alone")
        before = sh.children()
        for n in range(20):
            sh.run("true %d" % n)
        t.is_((sh.children(), sh.last()), (before, ("true 19", 0)),
              "no process is started at a prompt")
        sh.run("/bin/true")
        t.ok(sh.children() != before, "one would have been seen")
    with home.Home() as place, Shell(place, "fish",
                                     argv=["fish", "--private"],
                                     **env) as sh:
        sh.run("false")
        t.is_(sh.record(), None, "in private mode nothing is recorded")


def long_lines(t, **env):
    for char in "x", "é":
        with home.Home() as place, Shell(
                place, "fish", after="bind \\cg 'commandline -r -- "
                "(string repeat -n 70000 %s)'" % char, **env) as sh:
            sh.send("\x07")
            sh.run("")
            sh.run("true")
            t.is_(sh.last(), ("true", 0), "a short line follows a long one")
            sh.send("\x07")
            sh.run("")
            got = sh.record()["command"]
            t.ok(16384 <= len(got) <= 65536 and
                 got in ((char * 16384).encode(),  # fish 4 counts bytes
                         (char * 16384).encode()[:16384]),
                 "a long line of %s is recorded up to a limit" % char,
                 len(got))
    with home.Home() as place, Shell(
            place, "fish",
            after="bind \\cg 'commandline -r -- if\\ true\\necho\\ a\\nend'",
            **env) as sh:
        sh.send("\x07")
        sh.run("")
        t.is_(sh.record()["command"], b"if true\necho a\nend",
              "lines of several lines are whole")


def in_memory(t):
    """Where a session's files are in memory, most lines go a shorter way."""
    shm = "/dev/shm"
    if not os.access(shm, os.W_OK):
        t.skip("lines in memory", "there is no directory in memory")
        return
    with tempfile.TemporaryDirectory(dir=shm) as runtime:
        records(t, XDG_RUNTIME_DIR=runtime)
        long_lines(t, XDG_RUNTIME_DIR=runtime)
        with home.Home() as place, Shell(place, "fish",
                                         XDG_RUNTIME_DIR=runtime) as sh:
            handlers = "functions --handlers-type fish_prompt"
            t.ok("__agentsh" not in sh.show(handlers),
                 "nothing is called at a prompt")
            sh.run("printf 'd/usr\\0.\\0' >$__agentsh_change; false")
            t.is_(sh.record()["status"], "1",
                  "a line that leaves something is recorded")
            t.is_(sh.show("pwd").strip(), "/usr",
                  "and what it left is there at the next prompt")
            t.ok("__agentsh" not in sh.show(handlers),
                 "nothing is called at the prompts behind it")


def state(t):
    for name, before in (
            ("nothing", ""), ("a session around it",
                              "set -gx AGENTSH_SESSION 1-2"),
            ("handlers", "function p --on-event fish_postexec; end; "
             "function q --on-event fish_preexec; end")):
        dumps = []
        for hook in (True, False):
            with home.Home() as place, \
                    Shell(place, "fish", before=before, hook=False) as sh:
                sh.run(hookshell.LOAD["fish"].strip() if hook else "true")
                sh.run("true")
                sh.run("__agentsh_unload" if hook else "true")
                left = sh.files()
                dumps.append({line for line in sh.show(DUMP).split("\n")
                              if not CHANGING.match(line) and
                              "agentsh-test" not in line})
        t.ok(dumps[0] == dumps[1] and not left and len(dumps[1]) > 20,
             "%s is restored by unloading" % name,
             sorted(dumps[0] ^ dumps[1]), left, len(dumps[1]))
    with home.Home() as place, Shell(place, "fish") as sh:
        what = "echo $AGENTSH_SESSION; functions --handlers"
        session = sorted(sh.show(what).split("\n"))
        sh.run(hookshell.LOAD["fish"].strip())
        t.is_(sorted(sh.show(what).split("\n")), session,
              "loading twice is harmless")


def preserved(t):
    seen = "echo \"$status $pipestatus\" >>$SEEN"
    for before, after, name in (
            ("function p --on-event fish_postexec; %s; end" % seen, "",
             "an earlier handler"),
            ("", "function p --on-event fish_postexec; %s; end" % seen,
             "a later handler"),
            ("", "function fish_right_prompt; %s; end" % seen, "a prompt")):
        lines = []
        for hook in (False, True):
            with home.Home() as place, Shell(
                    place, "fish", before=before, after=after, hook=hook,
                    SEEN=place.path("seen")) as sh:
                sh.run("false | sh -c 'exit 3'")
                sh.run("true")
                lines.append(place.read("seen"))
                last = sh.last()
        t.ok(lines[0] == lines[1] and "3 1 3" in lines[0] and
             last == ("true", 0),
             name + " sees $status and $pipestatus as without it", *lines)
    version = subprocess.run(["fish", "--version"], capture_output=True,
                             check=False).stdout
    with home.Home() as place, Shell(
            place, "fish",
            # without its own printf fish 4 shows no prompt
            before=("" if b"version 4" in version else
                    "function printf; echo no; end; ") +
            "function test; false; end; function string; false; end; "
            "set -g fish_greeting") as sh:
        sh.run("false")
        t.is_(sh.last(), ("false", 1),
              "functions of the user's do not stand in")
    fds = []
    for hook in (False, True):
        with home.Home() as place, Shell(place, "fish", hook=hook) as sh:
            sh.run("true | true")
            fds.append(sorted(path for path in sh.show(
                "readlink /proc/$fish_pid/fd/*").split()
                if "shown" not in path and
                # its own, open for as long as it saves, and what its threads
                # look through for programs
                "fish_history" not in path and
                path not in place.env["PATH"].split(":")))
            shown = sh.run("isatty 0; and isatty 1; and isatty 2; "
                           "and echo [t'tt]'")
    t.is_(len(fds[1]), len(fds[0]), "no descriptor is added", *fds)
    t.ok(b"[ttt]" in shown, "the descriptors are terminals", shown)


def jobs(t):
    with home.Home() as place, Shell(place, "fish") as sh:
        sh.send("sleep 1000\r")
        tap.poll(lambda: [pid for pid, name in place.left().items()
                          if name.startswith("sleep 1000")])
        sh.send("\x1a")
        sh.wait()
        t.is_(os.fsdecode(sh.record()["command"]), "sleep 1000",
              "Ctrl-Z stops a command", sh.record())
        sh.run("bg")
        t.ok("running" in sh.show("jobs"), "bg goes on with it")
        sh.send("fg\r")
        tap.poll(lambda: os.tcgetpgrp(sh.child.child_fd) in place.left() and
                 os.tcgetpgrp(sh.child.child_fd) != sh.child.pid)
        sh.send("\x03")
        sh.wait()
        t.ok(sh.record()["command"] == b"fg" and "sleep" not in
             "".join(place.left().values()),
             "fg brings it back, and Ctrl-C ends it", place.left())
    with home.Home() as place:
        quiet = place.run(["fish", "--no-config", "-c",
                           hookshell.LOAD["fish"].strip() +
                           "; functions -a | grep __agentsh; "
                           "set | grep __agentsh; echo $AGENTSH_SESSION"])
        t.is_((quiet.out.strip(), quiet.err), ("", ""),
              "a shell that is not interactive is left alone")


def questions(t):
    """A question mark is no pattern in a wish, and one elsewhere."""
    fake = "function ai; printf '<%s>' $argv; end"
    old = subprocess.run(["fish", "--no-config", "-c", "echo no-such-?"],
                         capture_output=True, check=False).returncode
    pattern = "?" if old else "*"  # fish 4 takes ? for itself
    with home.Home() as place, Shell(place, "fish", after=fake) as sh:
        for line, wanted in (
                ("ai what is this?", "<what><is><this?>"),
                ("  ai run 'a?' b? \\?", "<run><a?><b?><?>"),
                ("ai run \"c?\" | tr a-z A-Z", "<RUN><C?>"),
                ("ai run d?; echo e%s f" % pattern,
                 "No matches for wildcard")):
            shown = hookshell.plain(sh.run(line))
            t.ok(wanted in shown, "%r gives %s" % (line, wanted), shown)
        t.ok("No matches" in hookshell.plain(sh.run("echo aix" + pattern)),
             "and a pattern elsewhere")
        sh.run("__agentsh_unload")
        t.ok("No matches" in hookshell.plain(sh.run("ai this" + pattern)) and
             "__agentsh" not in hookshell.plain(sh.run("bind --user")),
             "without the hook the key is as it was")
    with home.Home() as place, Shell(
            place, "fish", before="bind \\r 'commandline -f execute'") as sh:
        t.ok("__agentsh_enter" not in hookshell.plain(sh.run("bind --user")),
             "a key that somebody bound is left alone")


def main():
    t = tap.Tap()
    records(t)
    long_lines(t)
    in_memory(t)
    state(t)
    preserved(t)
    jobs(t)
    questions(t)
    t.done()


if __name__ == "__main__":
    main()
