#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test_process.py - agentctl starts an agent, ends all of it, and says how."""

import os
import re
import signal
import socket
import stat
import subprocess
import time

import sidecar

import home  # noqa: E402
import tap  # noqa: E402


def sleepers(place):
    """The arguments of the sleeps that are left, sorted."""
    return sorted(words.split()[-1] for words in place.left().values()
                  if words.split()[:1] == ["sleep"])


def is_left(place, *wanted):
    return tap.poll(lambda: sleepers(place) == sorted(wanted))


def write(place, name, text):
    with open(place.path(name), "w", encoding="utf-8") as file:
        file.write(text)


def check_states(t, s):
    t.is_(s.status(), {"agent_status": "stopped", "process_info": {
        "status": "stopped", "exit_code": -1}}, "no agent yet")
    a = s.post("stop")
    t.is_((a.status, a.json["success"]), (200, True), "stop is a success then")
    a = s.post("start")
    t.is_((a.status, a.json), (200, {"success": True,
                                     "message": "agent started"}), "start")
    info = s.info()
    t.is_((info["status"], info["exit_code"]), ("running", -1), "it runs")
    t.is_(s.call("where").result["pid"], info["pid"],
          "its number is the agent's own")
    a = s.post("start", {})
    t.is_((a.status, a.json), (500, {"success": False, "error":
                                     "agent is already running"}),
          "it is not started twice")
    a = s.post("restart")
    t.ok(a.json["success"] and s.info()["pid"] != info["pid"],
         "by a request it is started anew", a)
    pid = s.info()["pid"]
    with s.peer() as one, s.peer() as other:
        os.kill(pid, signal.SIGSTOP)
        for peer in (one, other):
            peer.request("POST", sidecar.API + "restart", b"")
        s.info()  # it has read both
        os.kill(pid, signal.SIGCONT)
        t.is_([peer.response().status for peer in (one, other)], [200, 200],
              "two who start it anew at once get one start")
    with s.stream() as w:
        a = s.post("stop", {"reason": "done"})
        t.is_((a.status, a.json["success"]), (200, True), "stop")
        t.is_(w.end(), (1000, "exit status 0"), "its listeners are closed")
    t.is_(s.status(), {"agent_status": "stopped", "process_info": {
        "status": "stopped", "exit_code": 0}}, "it has ended by itself")
    t.ok(re.fullmatch(r'\{"status":"ok","timestamp":"\d{4}-\d\d-\d\dT\d\d:\d\d:'
                      r'\d\dZ"\}\n', get(s, "/health").body.decode()),
         "it is healthy")
    t.ok(b"\nagentctl_agent_starts_total 3\n" in get(s, "/metrics").body,
         "and has numbers")
    info = s.get("info").json
    t.is_((info["agent_command"], info["port"]), (sidecar.agent(), s.at[1]),
          "it tells what it runs")


def get(s, path, **headers):
    with s.peer() as p:
        return p.ask("GET", path, **headers)


def check_failures(t, place):
    """A start that fails says why, also by the agent's own words."""
    rows = [
        ("no-such-agent --acp", "no-such-agent: no such program on PATH"),
        ("./nothing", "./nothing: No such file or directory"),
        ("./notes", "./notes: not an executable file"),
        ("./bad", "exit status 127: agentsh-launch: "),
        (sidecar.agent("say=no key", "exit=4"), "exit status 4: no key"),
        (sidecar.agent("exit=0"), "exit status 0"),
        ("/bin/sh -c 'echo to you >&2; kill -9 $$'", "signal 9: to you"),
    ]
    write(place, "notes", "text")
    write(place, "bad", "#!/no/such/interpreter\n")
    os.chmod(place.path("bad"), 0o755)
    for command, why in rows:
        with sidecar.Sidecar(place, agent_command=command) as s:
            a = s.post("start")
            t.ok(a.status == 500 and a.json["success"] is False and
                 a.json["error"].startswith("failed to start agent: " + why),
                 command, a)
            t.is_(s.status()["agent_status"], "stopped", "it does not run")
    os.mkdir(place.path("gone"))
    with sidecar.Sidecar(place, workdir="gone") as s:
        os.rmdir(place.path("gone"))
        t.ok("the working directory" in s.post("start").json["error"],
             "a directory that is not there any more")


def check_words(t, place):
    os.mkdir(place.path("work dir"))
    command = sidecar.agent() + r""" 'a b'"c $HOME\"" \  *.c ~ ; "" """
    with sidecar.Sidecar(place, agent_command=command, workdir="work dir",
                         auto_start="TRUE", token_file=None) as s:
        found = s.call("where").result
        t.is_(found["argv"], ['a bc $HOME"', " ", "*.c", "~", ";", ""],
              "a command is split as a shell does, and not run by one")
        t.is_(found["cwd"], place.path("work dir"), "in its directory")


def check_environment(t, place):
    env = {"TASK_DESCRIPTION": "do it", "AGENTCTL_OF_MINE": "secret",
           "LISTEN_FDS": "0", "NOTIFY_SOCKET": "/nowhere"}
    with sidecar.Sidecar(place, env=env, auto_start="1") as s:
        found = s.call("env").result
        t.is_([k for k in found if k.startswith(("AGENTCTL", "LISTEN_",
                                                 "NOTIFY_"))], [],
              "what is for agentctl is not for the agent")
        t.is_((found["TASK_DESCRIPTION"], found["HOME"]),
              ("do it", place.env["HOME"]), "and the rest is")


def check_refused_settings(t, place):
    rows = [("agent_command", "'open", "AGENTCTL_AGENT_COMMAND: "),
            ("agent_command", " ", "AGENTCTL_AGENT_COMMAND: "),
            ("port", "65536", "AGENTCTL_PORT is from 0 to 65535"),
            ("port", "x", "AGENTCTL_PORT"),
            ("auto_start", "maybe", "AGENTCTL_AUTO_START is true or false"),
            ("log_level", "loud", "AGENTCTL_LOG_LEVEL is debug, info,"),
            ("output_buffer_size", "0", "AGENTCTL_OUTPUT_BUFFER_SIZE"),
            ("call_timeout", "soon", "AGENTCTL_CALL_TIMEOUT: "),
            ("workdir", "nowhere", "AGENTCTL_WORKDIR: the working directory"),
            ("workdir", "notes", "notes: Not a directory"),
            ("listen", "unix:", "unix:")]
    for name, value, why in rows:
        done = run(place, **{name: value})
        t.ok(done.returncode == 2 and why in done.stderr and
             done.stderr.startswith("agentctl: ") and not done.stdout,
             "%s=%s" % (name, value), done)
    done = run(place, listen="0.0.0.0")
    t.ok(done.returncode == 5 and "token" in done.stderr,
         "other machines may come with a token alone", done)
    for mode, text, why in (
            (0o622, "abc", "token is open to others. To do: chmod 600 it"),
            (0o620, "abc", "token is open to others"),
            (0o600, "\nabc", "token: its first line is no token"),
            (0o600, "", "token: its first line is no token"),
            (0o600, "a\tb", "token: it holds control characters"),
            (0o600, "a\0b", "token: it holds control characters")):
        os.chmod(place.secret(text), mode)
        done = run(place, token_file="token")
        t.ok(done.returncode == 2 and "--token-file" in done.stderr and
             why in done.stderr, "a token of %r, %o" % (text, mode), done)
    os.mkdir(place.path("open"))
    os.chmod(place.path("open"), 0o777)
    place.secret("abc", "open/token")
    for name, why in (
            ("nothing", "--token-file: nothing: No such file"),
            ("open/token", "open is writable by others: everybody. To do: "
             "chmod go-w "),
            ("", "AGENTCTL_TOKEN_FILE is set, but empty. To do: ")):
        done = run(place, token_file=name)
        t.ok(done.returncode == 2 and why in done.stderr,
             "a token in %r" % name, done)
    done = run(place, "more")
    t.ok(done.returncode == 2 and done.stderr ==
         "agentctl: more: only options are taken, no words "
         "(agentctl --help)\n", "it takes no words", done)
    done = run(place, "--version")
    t.ok(done.returncode == 0 and done.stdout.startswith("agentsh "),
         "--version", done)
    done = run(place, "--help")
    t.ok(done.returncode == 0 and "--token-file" in done.stdout, "--help",
         done)


def run(place, *words, **variables):
    return subprocess.run(
        [home.program("agentctl"), *words], cwd=place.work, text=True,
        env={**place.env, "AGENTCTL_PORT": "0", **{
            "AGENTCTL_" + k.upper(): v for k, v in variables.items()}},
        stdin=subprocess.DEVNULL, capture_output=True, timeout=20,
        check=False)


def errors(lines):
    """Those of standard error, whose order to the others is not certain."""
    return [m["content"] for m in lines if m["stream"] == "stderr"]


def check_output(t, place):
    with sidecar.Sidecar(place, auto_start="true", output_buffer_size="50") as s:
        with s.stream("output/stream") as w:
            s.call("error", {"text": "one\n\n\u00e9 two"})
            seen = [w.next() for _ in range(4)]
            t.is_(errors(seen), ["one", "", "é two"],
                  "a stream of what it writes")
            t.ok(len(errors(seen)) == 3 and all(
                m["stream"] in ("stdout", "stderr") and
                re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ",
                             m["timestamp"]) for m in seen),
                 "with times", seen)
            w.send(b"whatever")
            t.is_(w.text(0.1), None, "which takes no messages")
        found = s.get("output?last=2").json
        t.is_((len(found["lines"]), found["total"]), (2, 4), "the last lines")
        for query in ("", "?last=0", "?last=-1", "?last=x", "?last=1x",
                      "?last=", "?last=99999999999999999999", "?Last=1"):
            t.is_(len(s.get("output" + query).json["lines"]), 4,
                  "output" + query + " has all")
        with s.stream("output/stream?history=true&history_count=3") as w:
            got = [w.next() for _ in range(3)]
            t.is_(got, seen[1:], "a stream may begin with what was")
            t.is_(errors(got)[-2:], ["", "é two"], "in its order")
        s.call("updates", {"n": 100})
        found = s.get("output?last=1000").json
        t.is_((len(found["lines"]), found["total"]), (50, 50),
              "so many are kept")
        s.call("updates", {"n": 1, "size": 30000})
        t.ok(len(s.lines(last=2)[0]) == 16 << 10, "a long line is cut")
        s.call("updates", {"n": 30, "size": 30000})
        t.ok(len(s.lines()) < 10, "and long ones are fewer", len(s.lines()))
        s.call("error", {"text": "\x1b[1m \udc80 bad".encode(
            "utf-8", "replace").decode()})


def check_tree(t, place):
    with sidecar.Sidecar(place, auto_start="true") as s:
        s.call("leave", {"seconds": "1300"})
        t.ok(is_left(place, "1300"), "the agent has left a daemon")
        s.call("exit", {"status": 0})
        t.ok(is_left(place), "which ends with it", sleepers(place))
        s.post("start")
        s.call("leave", {"seconds": "1301"})
        began = time.monotonic()
        s.post("stop")
        t.ok(time.monotonic() - began < 5 and is_left(place),
             "and when it is stopped", sleepers(place))
        s.post("start")
        for seconds in ("1302", "1303"):
            s.call("leave", {"seconds": seconds})
        os.kill(int(launcher_of(s)), signal.SIGKILL)
        t.ok(is_left(place), "and when its launcher is killed",
             sleepers(place))
        t.ok(tap.poll(lambda: s.info()["status"] == "stopped"),
             "which is its end", s.info())
        s.post("start")
        s.call("stubborn")
        s.call("leave", {"seconds": "1304"})
        with s.stream() as w, s.peer() as p:
            w.send({"id": 1, "method": "deaf"})
            t.ok(is_open(s), "a call is open")
            began = time.monotonic()
            p.request("POST", sidecar.API + "stop", b"{}")
            t.ok(tap.poll(lambda: s.info()["status"] == "stopping"),
                 "a stubborn one is to end")
            w.send({"id": 2, "method": "late"})
            t.is_(sidecar.Answer(p.response()).json["success"], True, "it does")
            t.ok(time.monotonic() - began < 4, "is killed soon")
            t.is_((w.text(), w.closed), (None, (1000, "signal 9")),
                  "by a signal, which is all that who called it meanwhile sees")
        t.is_(s.info(), {"status": "stopped", "exit_code": 137, "signal": 9},
              "as its status has it")
        t.ok(is_left(place), "with all that it left")
        s.post("start")
        s.call("leave", {"seconds": "1305"})
        began = time.monotonic()
        t.is_(s.post("stop", {"force": True}).json["success"], True, "force")
        t.ok(time.monotonic() - began < 1, "is at once")
        s.post("start")
        s.call("leave", {"seconds": "1306"})
        s.child.send_signal(signal.SIGKILL)
        t.ok(is_left(place), "agentctl is killed, and so is all of it",
             sleepers(place))
    t.ok(tap.poll(lambda: not place.left()), "nothing is left", place.left())


def is_open(s):
    """Whether there comes to be a call without an answer."""
    return tap.poll(lambda: b"agentctl_calls_open 1\n" in
                    get(s, "/metrics").body)


def launcher_of(s):
    with open("/proc/%d/status" % s.info()["pid"], encoding="ascii") as f:
        return re.search(r"PPid:\t(\d+)", f.read())[1]


def check_end(t, place):
    for signo in (signal.SIGTERM, signal.SIGINT):
        s = sidecar.Sidecar(place, auto_start="true",
                            agent_command=sidecar.agent("stubborn"))
        with s, s.stream() as w, s.stream("output/stream") as o, \
                s.peer() as p:
            s.call("leave", {"seconds": "1310"})
            p.request("POST", sidecar.API + "acp/call",
                      b'{"method":"deaf"}')
            t.ok(is_open(s), "a call is open")
            began = time.monotonic()
            s.child.send_signal(signo)
            answer = sidecar.Answer(p.response())
            t.is_((answer.status, answer.json["message"]),
                  (502, "the agent was stopped: signal 9"),
                  "the call is answered")
            t.is_((w.end()[0], o.end()[0]), (1001, 1001),
                  "listeners are told that it goes away")
            status = s.child.wait(sidecar.PATIENCE)
            t.is_(status, 0 if signo == signal.SIGTERM else 130, "its status")
            t.ok(time.monotonic() - began < 4, "within two seconds or so",
                 time.monotonic() - began)
            t.ok(is_left(place), "with all of the agent")
    with sidecar.Sidecar(place, auto_start="true",
                         agent_command=sidecar.agent("stubborn")) as s, \
            s.peer() as p:
        p.request("POST", sidecar.API + "acp/call", b'{"method":"deaf"}')
        t.ok(is_open(s), "a call is open again")
        s.child.send_signal(signal.SIGTERM)
        s.until(lambda: b"takes no new work" in s.log)
        s.child.send_signal(signal.SIGTERM)
        t.is_(s.child.wait(sidecar.PATIENCE), 0,
              "a second signal ends it while the call is open")
        s.until(lambda: False)
        t.ok(b"asked again: ends at once" in s.log, "its log says so", s.log)


# The token in a stream's path, and whether it is the right one.
STREAM_TOKENS = [
    ("", False),
    ("?token=a%2Bb%26%25c", True),
    ("?x=%&notoken=1&token=a+b%26%25%63&token=x", True),
    ("?token=a%20b%26%25c", False),
    ("?token=a+b%26%25c%0", False),
    ("?token=a+b&%25c", False),
]


def check_who_may(t, place):
    place.secret("a+b&%c\n")
    path = place.path("s")
    with sidecar.Sidecar(place, token_file="token", port=None,
                         listen="unix:" + path) as s:
        t.is_(stat.S_IMODE(os.stat(path).st_mode), 0o600,
              "a Unix socket is its user's")
        a = s.get("status")
        t.is_((a.status, a.json["error"]), (401, "unauthorized"),
              "a token is asked for")
        t.is_(s.get("status", Authorization="Bearer a+b&%c").status, 200,
              "and taken")
        t.is_(get(s, "/health").status, 200, "health needs none")
        for query, opened in STREAM_TOKENS:
            with s.stream("acp/stream" + query) as w:
                t.is_(w.opened, opened, "a stream: %r" % query)
        t.is_(s.get("info", Authorization="Bearer a+b&%c").json["port"], 0,
              "there is no port")
    t.ok(not os.path.exists(path), "the socket is removed")
    with sidecar.Sidecar(place) as s:
        a = s.get("status", Host="evil.example")
        t.is_((a.status, a.json["error"]), (403, "forbidden"),
              "another host's name is refused")
        a = s.post("start", Origin="http://evil.example")
        t.is_((a.status, s.info()["status"]), (403, "stopped"),
              "and a page of another origin")
    sock = socket.socket()
    sock.bind(("127.0.0.1", 0))
    sock.listen()
    done = run(place, port=str(sock.getsockname()[1]))
    t.ok(done.returncode != 0 and "another address by --listen" in done.stderr,
         "a port that is taken", done)
    sock.close()


def check_permissions(t, place):
    with sidecar.Sidecar(place, auto_start="true",
                         auto_approve_permissions="true") as s:
        with s.stream() as w:
            a = s.call("ask", {"id": "q"})
            t.is_(a.result["result"], {"outcome": {
                "outcome": "selected", "optionId": "yes"}},
                "the first option that allows is taken")
            a = s.call("ask", {"id": 2, "options": [
                {"optionId": "no", "kind": "reject_once"}]})
            t.is_(a.result["result"], {"outcome": {"outcome": "cancelled"}},
                  "none does")
            s.send(method="x")
            t.is_(w.next()["method"], "session/update", "nobody is asked")


def check_usual_agent(t, place):
    """agentsh acp, which is beside it."""
    with sidecar.Sidecar(place, agent_command=None, auto_start="true") as s:
        a = s.call("initialize", {"protocolVersion": "1.0"})
        t.is_(a.result["serverInfo"]["name"], "agentsh", "agentsh acp")
        with s.stream() as w:
            s.call("session/new", {})
            a = s.call("session/prompt", {"message": "hello"})
            t.is_(a.result, {"accepted": True}, "it takes a prompt")
            seen = w.until(lambda m: m["params"]["type"] == "complete")
            t.ok(seen[-1], "and completes it", seen)
    with sidecar.Sidecar(place, agent_command=None, auto_start="true") as s:
        a = s.call("initialize", {"protocolVersion": 1})
        t.is_(a.result["protocolVersion"], 1, "in the public protocol, too")


def check_script(t, place):
    """A whole conversation with an agent that is a script of the shell."""
    command = os.path.join(sidecar.HERE, "script_agent.sh") + " --acp"
    with sidecar.Sidecar(place, agent_command=command) as s:
        t.ok(s.post("start").json["success"], "a script is started")
        with s.stream() as w:
            a = s.call("initialize", {"protocolVersion": "1.0"}, id="mine")
            t.is_((a.json["id"], a.result["serverInfo"]["name"]),
                  ("mine", "script"), "initialize")
            session = s.call("session/new", {}).result["sessionId"]
            t.is_(s.call("session/prompt", {"message": "fix it"}).result,
                  {"accepted": True}, "session/prompt")
            seen = [w.next()["params"] for _ in range(2)]
            t.is_(seen, [{"type": "content", "data": {"text": "fix it"}},
                         {"type": "complete", "data": {
                             "sessionId": session, "success": True}}],
                  "its updates come")
            s.send(method="session/cancel", params={"reason": "enough"})
            t.is_(w.end(), (1000, "exit status 0"), "it ends when cancelled")
        t.is_((s.info(), s.lines("stderr")),
              ({"status": "stopped", "exit_code": 0}, ["cancelled"]),
              "as its status has it")
        t.ok(s.post("start").json["success"], "and can be started again")


def main():
    t = tap.Tap()
    with home.Home() as place:
        with sidecar.Sidecar(place) as s:
            check_states(t, s)
        check_failures(t, place)
        check_words(t, place)
        check_environment(t, place)
        check_refused_settings(t, place)
        check_output(t, place)
        check_tree(t, place)
        check_end(t, place)
        check_who_may(t, place)
        check_permissions(t, place)
        check_usual_agent(t, place)
        check_script(t, place)
        t.ok(tap.poll(lambda: not place.left()), "nothing is left",
             place.left())
    t.done()


if __name__ == "__main__":
    main()
