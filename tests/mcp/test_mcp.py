# SPDX-License-Identifier: GPL-3.0-or-later
"""test_mcp.py - servers of mcp.json, good ones and bad ones, as tools."""

import json
import os
import signal
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))
sys.path.insert(0, os.path.dirname(__file__))

import tap  # noqa: E402
from place import AGENTSH, Place  # noqa: E402


# the mode, the code, what the answer says
FAULTS = (
    ("dies", "IO_ERROR", "it hurts"),
    ("stack", "IO_ERROR", "TypeError: it is torn"),
    ("garbage", "IO_ERROR", "sent an invalid message"),
    ("other", "IO_ERROR", "unknown request (id 999)"),
    ("empty", "IO_ERROR", "without content"),
    ("hangs", "TIMEOUT", "no answer within 700 ms"),
    ("huge", "IO_ERROR", "longer than"),
    ("floods", "IO_ERROR", "more than 10000 messages"),
)

# an entry of mcp.json, what tool list says of it
ENTRIES = (
    ({"type": "sse", "url": "http://localhost/"}, "not supported"),
    ({"args": []}, 'missing "command"'),
    ({"command": 4}, "command: must be a string"),
    ({"command": "x", "args": [1]}, "args[0]: must be a string"),
    ({"command": "x", "env": {"A=B": "c"}}, "is not a valid variable name"),
    ({"command": "${NOT_SET_HERE}"}, "NOT_SET_HERE is not set"),
    ({"command": "x", "agentsh": {"raed": []}}, 'did you mean "read"?'),
    ({"command": "x", "agentsh": {"privileged": ["/x"]}}, "only for plugins"),
    ({"command": "x", "cwd": "here"}, "cwd: must be absolute"),
    ({"command": "no-such-program-here"}, "command not found"),
)


def check_entries(t, h):
    for fault, says in ENTRIES:
        h.servers(one=fault)
        t.ok(says in h.list()["one"].get("fault", ""),
             "an entry is told as wrong: " + says, h.list())
    h.text('{"mcpServers": {\n  "a": }\n}')
    t.ok("line 2: byte" in h.list()["mcp.json"]["fault"],
         "a file that is no JSON is told with line and byte", h.list())
    h.text('{"mcpServers": {"a": {"command": "x", "command": "y"}}}')
    t.ok("duplicate" in h.list()["mcp.json"]["fault"], "so is a name that stands "
         "twice", h.list())
    h.servers(a=h.entry(disabled=True, autoApprove=["x"], type="stdio"))
    t.is_(h.list(), {}, "one that is disabled is not there")


def check_trust(t, h):
    note = h.path("started")
    h.servers(**{"My Server": {
        "command": "/bin/sh", "args": ["-c", "echo >" + note],
        "env": {"A_TOKEN": "s3cr3t"}}})
    found = h.list()
    t.is_([found[n]["trust"] for n in found], ["new"],
          "a server that nobody agreed to stands for its tools")
    t.ok("my_server" in found, "its name is that of a tool", found)
    refused = h.calls(("my_server.x", {}))[0]
    t.is_(refused["meta"]["error_code"], "POLICY_DENIED",
          "its tools are refused")
    t.ok("tool trust my_server" in refused["stderr"], "with what to do",
         refused)
    t.ok(not os.path.exists(note), "and it was not started")
    h.servers(a=h.entry(env={"A_TOKEN": "s3cr3t"}))
    h.agree("a")
    shown = h.list()
    t.ok("a.echo" in shown and shown["a.echo"]["trust"] == "trusted",
         "its tools are there after a yes", shown)
    t.ok("s3cr3t" not in json.dumps(shown), "no value of a variable is told")
    h.servers(a=h.entry(env={"A_TOKEN": "s3cr3t"}, cwd="/"))
    t.is_(h.list()["a"]["trust"], "changed", "a changed entry asks again")
    h.agree("a")
    path = h.entry()["args"][0]
    with open(path, "a", encoding="utf-8") as f:
        f.write("# changed\n")
    t.is_(h.list()["a"]["trust"], "changed", "so does a changed program")
    os.chmod(path, 0o666)
    t.ok("writable by others" in h.list()["a"].get("fault", ""),
         "one that others may write is not used", h.list())
    os.chmod(path, 0o600)


def check_change(t, h):
    """The program is changed between two calls."""
    caller = subprocess.Popen(
        [AGENTSH, "tool", "call"], env=h.env, cwd=h.work,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def call(tool):
        caller.stdin.write(json.dumps(
            {"tool": tool, "action": "call", "args": {"text": "x"}}).encode() +
            b"\n")
        caller.stdin.flush()
        return json.loads(caller.stdout.readline())

    t.ok(call("a.echo")["ok"], "a server is as it was agreed to")
    with open(h.entry()["args"][0], "a", encoding="utf-8") as f:
        f.write("# changed\n")
    t.ok(call("a.echo")["ok"], "the process that runs goes on")
    t.is_(call("w.echo")["meta"]["error_code"], "POLICY_DENIED",
          "but none is started of a changed program")
    caller.stdin.close()
    caller.stdout.close()
    caller.wait(20)


def check_list(t, h):
    found = h.list()
    t.is_(found["a.echo"]["summary"], "say it again",
          "a description becomes one line")
    t.is_(found["a.echo"]["version"], "7.1", "the server's version is told")
    t.ok("a.camelcase" in found and "a.hurts" in found,
         "all pages are read, and names mapped", found)
    t.ok(any("more than 64 bytes" in f.get("fault", "") for f in
             found.values()), "a name that does not fit is told", found)
    t.ok(found["a.echo"]["read_only"] and not found["a.echo"]["destructive"],
         "what can write nothing only looks")
    t.ok(found["a.hurts"]["destructive"] and not found["a.hurts"]["read_only"],
         "unless it says that it hurts")
    t.ok(not found["w.camelcase"]["read_only"],
         "who says that it only looks is not believed where it could write")
    t.ok(found["w.echo"]["destructive"] and
         not found["w.camelcase"]["destructive"],
         "what may write may lose data, unless it says otherwise")


def check_calls(t, h):
    got = h.calls(
        ("a.echo", {"text": "hello"}), ("a.camelcase", {}), ("a.count", {}),
        ("a.kinds", {}), ("a.fail", {}), ("a.refuse", {}), ("a.asks", {}),
        ("a.looks", {}), ("a.echo", {}), ("a.nothing", {}), ("w.looks", {}),
        ("a.odd", {"n": 3, "when": "x", "either": "xy"}), ("a.odd", {"n": 30}))
    echo, camel, count, kinds, fail, refuse, asks, looks, bad, no, w, odd, \
        big = got
    t.is_((echo["ok"], echo["stdout"]), (True, "hello"), "a call is answered")
    t.is_(camel["stdout"], "camel", "a tool is called by the name it has there")
    t.is_(count["stdout"], "3", "one process serves the calls", count)
    t.ok("warning: counting" in count["stderr"], "its log is the stderr",
         count)
    t.is_(kinds["stdout"].splitlines(), [
        "one", "[image, image/png, 5 bytes]", "[audio, audio/wav, 6 bytes]",
        "[resource x://y, text of 4 bytes]", "[resource_link x://z zed]",
        "[new kind]"], "what is no text is described in a line")
    t.is_(kinds["meta"]["structuredContent"], {"a": [1]},
          "structured content is in meta")
    t.is_((fail["ok"], fail["stdout"], fail["meta"]["error_code"]),
          (False, "it did not work", "IO_ERROR"), "isError is no success")
    t.is_((refuse["stderr"], refuse["meta"]["error_code"]),
          ("not so", "INVALID_ARGS"), "an error has its code")
    t.is_(json.loads(asks["stdout"]), [
        {}, {"roots": [{"uri": "file://" + h.work, "name": "work"}]}, -32601],
        "its ping and roots/list are answered, sampling is refused")
    t.is_(json.loads(looks["stdout"]), {
        "env": None, "cwd": h.work, "wrote": False},
        "it starts where the person works, and writes nothing", looks)
    t.ok('missing "text"' in bad["stderr"], "arguments are checked", bad)
    t.is_(no["meta"]["error_code"], "NOT_FOUND", "there is no other tool", no)
    t.is_(json.loads(w["stdout"]), {
        "env": "a b", "cwd": h.work, "wrote": True},
        "it writes and knows what its entry says", w)
    t.ok(odd["ok"], "keywords that are not known are the server's to check",
         odd)
    t.ok("maximum" in big["stderr"] or "at most" in big["stderr"],
         "those that are known are checked", big)
    t.is_(h.left(), {}, "no process is left")


def check_faults(t, h):
    for mode, code, says in FAULTS:
        h.servers(a=h.entry(mode))
        h.agree("a")
        bad, again = h.calls(("a.echo", {"text": "x"}, {"timeout_ms": 700}
                              if mode == "hangs" else {}),
                             ("a.echo", {}))
        t.is_((bad["ok"], bad["meta"]["error_code"]), (False, code),
              "one that %s has its code" % mode, bad)
        t.ok(says in bad["stderr"], "and its reason", bad)
        t.ok('missing "text"' in again["stderr"], "and the next is taken")
        t.is_(tap.poll(lambda: not h.left()), True, "its tree is gone")
    h.servers(a=h.entry("twice"))
    h.agree("a")
    got = h.calls(("a.count", {}), ("a.count", {}), ("a.count", {}))
    t.ok(all(g["stdout"] in ("1", "") for g in got) and got[0]["ok"],
         "one that answers twice is not used again", got)
    h.servers(a=h.entry("noisy"))
    h.agree("a")
    t.is_(h.calls(("a.echo", {"text": "x"}))[0]["stdout"], "x",
          "lines before the greeting are passed over")
    h.servers(a=h.entry("logs"))
    h.agree("a")
    t.is_(h.calls(("a.echo", {"text": "x"}))[0]["stdout"], "x",
          "lines that are no JSON are skipped at any time")
    for words in (("tool", "list"), ("doctor",)):
        listing = h.run([AGENTSH, *words]).out
        t.ok("skipped" in listing and listing.count("not JSON") == 1,
             "and counted: " + words[0], listing)
    for mode, says in (("chatty", "sent an invalid message"),
                       ("old", "version 1999-01-01"),
                       ("endless", "does not end")):
        h.servers(a=h.entry(mode))
        h.agree("a")
        t.ok(says in h.list()["a"].get("fault", ""),
             "a server that cannot be used is told: " + says, h.list())
    t.ok("minutes ago" in h.list()["a"]["fault"],
         "and is not started again at once")


def check_cancel(t, h):
    note = h.path("cancelled")
    h.servers(a=h.entry(env={"FAKE_NOTE": note},
                      agentsh={"write": ["workspace"]}))
    h.agree("a")
    slow, after = h.calls(("a.slow", {}, {"timeout_ms": 1500}),
                          ("a.echo", {"text": "after"}))
    t.is_(slow["meta"]["error_code"], "TIMEOUT", "a slow call ends in time")
    t.is_(after["stdout"], "after", "and the next one works")
    told = json.loads(h.read("cancelled") or "[0, 1]")
    t.is_(told[0], told[1], "the server was told which")
    caller = subprocess.Popen(
        [AGENTSH, "tool", "call"], env=h.env, cwd=h.work,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    caller.stdin.write(b'{"tool":"a.slow","action":"call"}\n')
    caller.stdin.flush()
    t.ok(tap.poll(lambda: len(h.left(closed=True)) > 2, 20), "a call is under way")
    caller.send_signal(signal.SIGINT)
    t.is_(caller.wait(20), 130, "Ctrl-C ends it")
    t.ok(tap.poll(lambda: not h.left()), "with its server")
    caller.stdin.close()
    caller.stdout.close()


def main():
    t = tap.Tap()
    with Place() as h:
        check_entries(t, h)
        check_trust(t, h)
    with Place() as h:
        h.servers(a=h.entry(), w=h.entry(env={"FAKE_WORD": "${HOME_TOWN:-a b}"},
                                     agentsh={"write": ["workspace"]}))
        h.agree("a", "w")
        if "fault" in h.list().get("a", {}):
            t.diag(h.list())
            t.skip("servers are called", "there are no walls here")
            t.done()
        check_list(t, h)
        check_calls(t, h)
        check_change(t, h)
    with Place() as h:
        check_faults(t, h)
    with Place() as h:
        check_cancel(t, h)
    t.done()


main()
