# SPDX-License-Identifier: GPL-3.0-or-later
"""test_on.py - ai run --on HOST,…: the steps run on other hosts, each an sshd of
its own on loopback, and what those do wrong is one line each."""

import json
import os
import resource
import signal
import socket
import sys
import time

sys.dont_write_bytecode = True
sys.path[:0] = [os.path.join(os.path.dirname(os.path.abspath(__file__)), d)
                for d in (".", "../lib")]

import home  # noqa: E402
import hosts  # noqa: E402
import tap  # noqa: E402
from review import AI, MENU, review, save, step  # noqa: E402

# A build with sanitizers keeps what was freed.
SANITIZED = "-fsanitize" in open(
    os.path.join(home.BUILDDIR, "Makefile"), encoding="utf-8").read()
LOOKS = "uname -s"
FAKE = """#!/usr/bin/env python3
import json, sys, base64
def say(**m):
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **m}) + "\\n")
    sys.stdout.flush()
def output(text, offset=0, **m):
    say(method="process.output", params={"id": 1, "stream": "stdout",
        "offset": offset, "data": base64.b64encode(text).decode(), **m})
def asked():
    while True:
        m = json.loads(sys.stdin.readline() or '{"method": "none"}')
        if "method" in m:
            return m
def ended(status=0):
    say(method="process.exit", params={"id": 1, "exit_code": status})
def here():
    say(id=asked()["id"], result={"profile": "observe"})
def start():
    here()
    say(id=asked()["id"], result={"id": 1})
    say(id=asked()["id"], result={"from": 0})
def wait():
    while sys.stdin.readline():
        pass
"""


def on(h, names, *steps, more=("-y",), **env):
    return h.run([AI, "run", "--on", names, *more, "--plan",
                  save(h, *steps)], **env)


def running(h, *names):
    """What runs of the commands that begin so."""
    return [name for name in h.left().values() if name.startswith(names)]


def test_usage(t, h):
    """Before anything is shown or asked."""
    for names, words in (
            ("", "empty"), ("web1,", "empty"), (",web1", "empty"),
            ("-oProxyCommand=x", "no name"), ("a b", "no name"),
            ("web1,web1", "twice"), ("root@-x", "no name"), ("@x", "no name"),
            ("x\ny", "no name"), ("$(x)", "no name"), ("x" * 256, "longer"),
            (",".join("h%d" % i for i in range(65)), "at most 64")):
        done = on(h, names, step(1, LOOKS))
        t.ok(done.status == 2 and words in done.err,
             "a wrong name is one of usage: %.12r" % names, done)
    for more in (("--preview",), ("--profile", "reduced")):
        done = on(h, "web1", step(1, LOOKS), more=more)
        t.ok(done.status == 2 and "--on" in done.err,
             "%s is of here" % more[0], done)
    done = h.run([AI, "explain", "--on", "web1", "ls"])
    t.is_(done.status, 2, "explain runs nowhere", done)
    done = on(h, "web1", step(1, LOOKS, tool="fs.read_file",
                              action="read", args={"path": "a"}))
    t.ok(done.status != 0 and "fs.read_file" in done.err and
         "Linux" not in done.out, "a tool is refused by name", done)
    done = h.run([AI, "run", "--on", "web1", "--offline", "--dry-run",
                  "show free disk space"])
    t.ok(done.status == 0 and "on web1" in done.out,
         "a plan that is only shown says where it would run", done)


def test_runs(t, h, all_hosts):
    """What only looks needs no question, and is confined there."""
    look = "pwd; grep NoNewPrivs /proc/self/status; echo wrong >&2"
    done = on(h, "web1", step(1, look))
    t.ok(done.status == 0 and all_hosts.at("web1", "home") + "\n" in done.out
         and "NoNewPrivs:\t1" in done.out and done.err.endswith("wrong\n"),
         "a step runs in the home there, read-only", done)
    t.ok("web1: " not in done.out, "one host's lines are as they were", done)
    done = on(h, "web1", step(1, "printf open >&2; exit 3"))
    t.ok(done.err.endswith("open\nai: web1: step 1 failed with exit status 3\n"
                           "ai: step 1: failed on web1\n"),
         "what failed is said on a line of its own", done)
    done = on(h, "web1,web2", step(1, "hostname; pwd"), step(2, LOOKS))
    for name in ("web1", "web2"):
        t.ok("%s: %s\n" % (name, all_hosts.at(name, "home")) in done.out and
             name + ": Linux\n" in done.out,
             "each line has its host: " + name, done)
    done = on(h, "web1", step(1, "ls -l /etc/passwd"), step(2, "ss -tln"))
    t.ok(done.status == 0 and " root " in done.out and "State" in done.out,
         "owners and sockets are seen there", done)
    done = on(h, "web1", step(1, "pwd; printenv AGENTSH; cat; printf open",
                              working_directory="/usr"))
    t.ok(done.status == 0 and done.out == "/usr\n1\nopen",
         "in the step's directory, without input, byte for byte", done)


def test_approval(t, h, all_hosts):
    """Nothing that writes or is not known runs there unasked."""
    os.mkdir(h.path("sub"))
    for line in ("touch made", "echo a > made", "mkdir d", "cd sub && touch x",
                 "sh x.sh", "grep -r x .", "systemctl restart x",
                 "curl http://127.0.0.1/"):
        with open(h.path("x.sh"), "w", encoding="utf-8") as out:
            out.write("uname\n")
        done = on(h, "web1", step(1, line))
        t.is_(done.status, 5, "it needs a yes: " + line, done.out, done.err)
    done = on(h, "web1", step(1, "touch x", working_directory="/srv"))
    t.is_(done.status, 5, "in another directory too", done.err)
    done = on(h, "web1", step(1, LOOKS), more=())
    t.is_(done.status, 5, "without --yes all does", done.err)
    t.is_(os.listdir(all_hosts.at("web1", "home")).count("made"), 0,
          "nothing was made there")
    done = on(h, "web1", step(1, "sudo ls"))
    t.is_(done.status, 5, "sudo is not run", done.err)
    term, status = review(h, step(1, "touch made; pwd"), step(2, "rm made"),
                          step(3, "touch kept"), options=("--on", "web1,web2"),
                          keys=[(MENU, "r"), ("Type yes", "yes\r")], cols=120)
    text = term.text()
    t.ok(status == 0 and "on web1, web2" in text and "none there" in text,
         "one yes, and one word, for all hosts", status, text)
    for key in ("[p]review", "[g]rant", "[a]lways", "[i]nsert"):
        t.ok(key not in text, "no key that is of here: " + key, text)
    for name in ("web1", "web2"):
        found = os.listdir(all_hosts.at(name, "home"))
        t.ok("kept" in found and "made" not in found,
             "the steps ran on " + name, found)
    t.ok(not os.path.exists(h.path("kept")), "and not here")


def test_one_fails(t, h, all_hosts):
    """The others go on, and the failed one gets no further step."""
    hosts.write(all_hosts.at("web2", "home", "flag"), "")
    plan = (step(1, "ls flag"), step(2, "echo second"))
    done = on(h, "web1,web2", *plan)
    t.ok(done.status == 1 and "web2: second" in done.out and
         "web1: second" not in done.out, "the others go on", done)
    t.ok("web1: step 1 failed with exit status 2" in done.err and
         "failed on 1 of 2 hosts: web1" in done.err, "it is said which", done)
    report = json.loads(on(h, "web1,web2", *plan,
                           more=("-y", "-o", "json")).out)
    first, second = (s["hosts"] for s in report["steps"])
    t.is_([(x["host"], x["ran"], x["exit_code"], x["stdout"]) for x in first],
          [("web1", True, 2, ""), ("web2", True, 0, "flag\n")],
          "json has the result of each host")
    t.ok(second[0]["ran"] is False and second[1]["stdout"] == "second\n",
         "json says where a step did not run", second)
    t.ok(report["success"] is False and report["exit_status"] == 1 and
         "exit_code" not in report, "json has the end", report)
    events = [json.loads(line) for line in
              on(h, "web1,web2", *plan, more=("-y", "-o", "jsonl"))
              .out.splitlines()]
    t.is_(sorted((e["event"], e["host"], e["step_id"])
                 for e in events[1:-1] if e["event"] == "step_complete"),
          [("step_complete", "web1", "1"), ("step_complete", "web2", "1"),
           ("step_complete", "web2", "2")], "jsonl has a line for each host")
    t.ok(all(e["host"] in ("web1", "web2") for e in events[1:-1]) and
         events[-1]["steps_executed"] == 2, "jsonl names the host", events)


def test_journal(t, h):
    done = on(h, "web1,web2", step(1, "pwd; ls flag"))
    t.is_(done.status, 1, "a run to be recorded")
    runs = h.run([AI, "log", "-n", "1", "-o", "jsonl"]).out.split('"run":"')
    run = runs[1].split('"')[0]
    rows = json.loads(h.run([AI, "log", "-o", "json", run]).out)["rows"]
    request, started = ([r["event"] for r in rows if r["kind"] == kind][0]
                        for kind in ("request", "step"))
    results = [r["event"] for r in rows if r["kind"] == "result"]
    t.ok("--on web1,web2" in request["options"] and
         started["hosts"] == ["web1", "web2"] and started["sha256"] and
         started["profile"] == "observe", "the journal has the hosts", rows)
    t.ok(sorted(r["host"] for r in results) == ["web1", "web2"] and
         all(r["stdout"].startswith("/") and r["stdout_sha256"]
             for r in results) and
         sorted(r["exit_code"] for r in results) == [0, 2],
         "and the result of each", results)
    text = h.run([AI, "log", run]).out
    t.ok("host: web1" in text and "host: web2" in text, "as text too", text)
    t.is_(h.run([AI, "log", "--verify"]).status, 0, "the chain holds")


def test_lost(t, h, all_hosts):
    """Each reason is one line that says what to do."""
    all_hosts.name("refused", hosts.free_port())
    all_hosts.agent("none", None)
    done = on(h, "web1,refused,unknown,none,noname.invalid", step(1, LOOKS))
    t.ok(done.status == 1 and "web1: Linux\n" in done.out and
         "failed on 4 of 5 hosts" in done.err, "the one that is there runs",
         done)
    for start, words in (("refused: ", "Connection refused"),
                         ("unknown: ", "run `ssh unknown` once"),
                         ("none: ", "agentsh is not found there"),
                         ("noname.invalid: ", "not resolve hostname")):
        lines = [x for x in done.err.splitlines() if x.startswith("ai: " + start)]
        t.ok(len(lines) == 1 and words in lines[0],
             "one line for " + start, done.err)
    os.rename(all_hosts.at("key"), all_hosts.at("away"))
    done = on(h, "fake", step(1, LOOKS))
    os.rename(all_hosts.at("away"), all_hosts.at("key"))
    t.ok("the login is refused" in done.err and
         "ssh -o BatchMode=yes fake" in done.err, "no key", done)


def test_hangs(t, h, all_hosts):
    """A host that does not answer, or no more, is given up."""
    h.config("[hosts]\ntimeout_s = 2\n")
    all_hosts.agent("fake", "#!/bin/sh\nexec sleep 60\n")
    with socket.socket() as mute:
        mute.bind(("127.0.0.1", 0))
        mute.listen()
        all_hosts.name("mute", mute.getsockname()[1])
        done = on(h, "web1,mute,fake", step(1, LOOKS), step(2, "pwd"))
    t.ok(done.status == 1 and "web1: Linux" in done.out and
         "web1: /" in done.out and done.seconds < 10 and
         "failed on 2 of 3" in done.err, "the one that answers runs", done)
    t.ok([x for x in done.err.splitlines() if x.startswith("ai: mute: ")],
         "one that accepts and says nothing", done)
    t.ok("fake: no answer within 2 s" in done.err,
         "one whose agent says nothing", done)
    all_hosts.agent("fake", FAKE + """
import os, signal
start()
output(b"begun\\n")
os.kill(os.getpid(), signal.SIGSTOP)
""")
    done = on(h, "fake,web1", step(1, "echo begun; sleep 2.5"))
    t.ok(done.status == 1 and "fake: begun" in done.out and
         "fake: no sign of life for 2 s" in done.err and
         "failed on 1 of 2" in done.err,
         "one that stops meanwhile is lost, one that is busy is not", done)
    all_hosts.agent("fake", FAKE + """
asked()
print("{" + "[" * 1000, flush=True)
while True:
    m = asked()
    if m["method"] == "ping":
        say(id=m["id"], result={"pong": True})
""")
    done = on(h, "fake", step(1, LOOKS))
    t.ok(done.status == 1 and "fake: no answer within 2 s" in done.err,
         "one that answers pings alone is given up", done)
    for pid, name in h.left().items():
        if "python3 " in name or name.startswith("sleep 60"):
            os.kill(pid, signal.SIGKILL)
    h.config("")


def test_interrupted(t, h, all_hosts):
    """Ctrl-C ends what runs there, and the ssh processes."""
    line = "echo begun; sleep 41 | cat"
    term, _ = review(h, step(1, line), step(2, LOOKS),
                     options=("--on", "web1,web2", "-y"), finish=False)
    begun = term.wait_for("web1: begun") or term.wait_for("begun")
    t.ok(begun and tap.poll(lambda: len(running(h, "sleep 41")) == 2, 10),
         "it runs on both", term.text(), h.left())
    at = time.monotonic()
    term.send("\x03")
    status = term.finish()
    gone = tap.poll(lambda: not running(h, "sleep 41", "/usr/bin/ssh"), 2)
    t.ok(gone and time.monotonic() - at < 2.5,
         "all is gone within 2 s", h.left(), time.monotonic() - at)
    t.ok(status == 130 and "interrupted in step 1" in term.text(),
         "and said", status, term.text())
    with socket.socket() as mute:
        mute.bind(("127.0.0.1", 0))
        mute.listen()
        all_hosts.name("connecting", mute.getsockname()[1])
        term, _ = review(h, step(1, LOOKS), options=("--on", "connecting,web1",
                                                     "-y"), finish=False)
        begun = term.wait_for("web1: Linux")
        term.send("\x03")
        status = term.finish()
    t.ok(begun and status == 130 and
         tap.poll(lambda: not running(h, "/usr/bin/ssh"), 2),
         "so is one that is not connected yet", status, h.left())
    done = h.run(["timeout", "-s", "TERM", "1", AI, "run", "-y", "--on",
                  "web1,web2", "--plan", save(h, step(1, line))])
    t.ok(done.status in (124, 130, 143) and
         tap.poll(lambda: not running(h, "sleep 41", "/usr/bin/ssh"), 3),
         "SIGTERM ends them too", done, h.left())


def test_much_output(t, h):
    """It comes whole, and little of it is kept."""
    line = "seq 1 3000000"
    done = on(h, "web1", step(1, line))
    t.ok(done.status == 0 and done.out.count("\n") == 3000000 and
         done.out.endswith("\n3000000\n"), "23 MB of output", done.status,
         done.err[-300:], len(done.out))
    report = json.loads(on(h, "web1", step(1, line),
                           more=("-y", "-o", "json")).out)
    kept = report["steps"][0]["hosts"][0]
    t.ok(kept["truncated"] and len(kept["stdout"]) == 65536,
         "the end of it is kept", len(kept["stdout"]))


def lies():
    """What a host may do instead of being an agent; what is said of it."""
    yield "garbage", "import os\nwhile True: print('x' * 100)\n", "no agent"
    yield "a line without end", "import sys\n" \
        "for i in range(1000): sys.stdout.write('{' + 'x' * 100000)\n", "fake: "
    yield "an error with escapes", \
        "here()\nsay(id=asked()['id'], error={'code': 1, 'message': " \
        "'\\x1b]0;title\\x07\\x1b[31mred\\u202e' + 'x' * 5000})\nwait()\n", \
        "not started there"
    yield "an id that is none", \
        "here()\nsay(id=asked()['id'], result={'id': 'x'})\nwait()\n", \
        "no agent"
    yield "another profile", \
        "say(id=asked()['id'], result={'profile': 'full'})\nwait()\n", \
        "another profile: full"
    yield "no profile", "say(id=asked()['id'], result=3)\nwait()\n", \
        "does not say its profile"
    yield "no base64", "start()\nsay(method='process.output', params={'id': 1," \
        "'stream': 'stdout', 'offset': 0, 'data': '***'})\nwait()\n", "no agent"
    yield "another status", \
        "start()\nended('0')\nwait()\n", "not run to its end"
    yield "an end before", "start()\nsys.exit(0)\n", "connection was lost"
    yield "requests of its own", \
        "for i in range(2000): say(id=i, method='exec', params={'cmd': " \
        "'touch lied'})\nstart()\nended(0)\nwait()\n", None


def test_lies(t, h, all_hosts):
    """What answers may be anybody: little is kept, and nothing is believed."""
    for what, text, said in lies():
        all_hosts.agent("fake", FAKE + text)
        done = on(h, "fake", step(1, LOOKS))
        t.ok(done.status == (1 if said else 0) and
             (said or "") in done.err and "\x1b" not in done.err and
             "\u202e" not in done.err and done.seconds < 10,
             "a host that answers " + what, done.status, done.seconds,
             done.err[-500:])
    t.ok(not os.path.exists(h.path("lied")), "nothing is run here for it")
    all_hosts.agent("fake", FAKE + """
start()
output(b"\\x1b]0;title\\x07\\x1b[2J\\x1b[1Gweb1: a lie\\rweb1: another\\n\\x1b]")
ended(0)
wait()
""")
    term, status = review(h, step(1, "pwd"),
                          options=("--on", "web1,fake", "-y"))
    text = term.text()
    t.ok(status == 0 and "title" not in text and "\nweb1: a" not in
         text.replace("\r", "\n").replace("fake: web1", "") and
         "fake: web1: another" in text and
         "web1: " + all_hosts.at("web1", "home") in text.replace("\n", ""),
         "no line of a host passes for another's", status, repr(term.seen))
    most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    t.ok(most < (800 if SANITIZED else 200) << 10, "memory is bounded: %d KiB" % most)


def test_model_is_told(t, h):
    """What is sent says where the steps run, and nothing of this machine."""
    done = h.run([AI, "run", "--on", "web1", "--show-request", "free space"],
                 OPENAI_API_KEY="key")
    t.ok(done.status == 0 and "on other hosts, by ssh: web1" in done.out and
         h.work not in done.out, "the model is told", done)


def main():
    t = tap.Tap()
    why = hosts.missing()
    if why:
        t.skip_all(why)
    with home.Home() as h:
        test_usage(t, h)
        test_model_is_told(t, h)
        all_hosts = hosts.Hosts(h, "web1", "web2", "none", "fake")
        try:
            all_hosts.add("unknown", known=False)
            if not all_hosts.ready():
                t.skip_all("sshd cannot be started here")
            test_runs(t, h, all_hosts)
            test_interrupted(t, h, all_hosts)
            all_hosts.share("web1", "web2")
            test_approval(t, h, all_hosts)
            test_one_fails(t, h, all_hosts)
            test_journal(t, h)
            test_lost(t, h, all_hosts)
            test_hangs(t, h, all_hosts)
            test_much_output(t, h)
            test_lies(t, h, all_hosts)
        finally:
            all_hosts.done()
    t.done()


main()
