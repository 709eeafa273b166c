# SPDX-License-Identifier: GPL-3.0-or-later
"""test_connections.py - the ways in to a guest agent, and their ends."""

import os
import signal
import socket
import stat
import subprocess
import sys
import time

import agent

import home  # noqa: E402
import tap  # noqa: E402

SLEEP = "(setsid sleep 1001 &); echo up >up; sleep 1000"


def started(place):
    """Waits for SLEEP."""
    found = tap.poll(lambda: place.read("up"))
    if found:
        os.unlink(place.path("up"))
    return found


def alone(place):
    """Whether only the agent itself is left."""
    return tap.poll(lambda: "sleep" not in
                    [n.split(" ")[0] for n in place.left().values()])


def port_of(a):
    line = next(x for x in a.read_log().decode().splitlines()
                if "listening" in x)
    return int(line.split(": ")[1].rsplit(":", 1)[1])


def check_ends(t, place):
    with agent.Agent(place) as a:
        a.send("exec", cmd=SLEEP)
        started(place)
        begin = time.monotonic()
        a.child.stdin.close()
        seen = a.next()
        t.is_(a.close(), 0, "the end of input ends the agent")
        t.ok(time.monotonic() - begin < 2, "within 2 s")
        t.ok("sends no more" in seen["result"]["stderr"],
             "what it cut off is told", seen)
    for signo, status in ((signal.SIGTERM, 0), (signal.SIGINT, 130)):
        with agent.Agent(place) as a:
            a.send("exec", cmd=SLEEP)
            started(place)
            t.is_(a.stop(signo), status, "a signal ends it: %d" % signo)
    with agent.Agent(place) as a:
        a.send("exec", cmd=SLEEP)
        started(place)
        a.child.stdout.close()
        a.child.wait(agent.PATIENCE)
        t.is_(a.child.returncode, 0, "nobody who reads it ends it")
        a.child.stdin.close()
        a.child.stderr.close()
    t.ok(alone(place), "no child is left")


def check_timeout(t, place):
    with agent.Agent(place, "--exec-timeout", "1s") as a:
        seen = a.result("exec", cmd="echo a; setsid sleep 1000")
        t.is_((seen["exit_code"], seen["stdout"]), (124, "a\n"),
              "a command that takes too long is 124")
        t.ok("--exec-timeout" in seen["stderr"], "and says why", seen)
        seen = a.result("exec", cmd="sleep 1003 & echo b")
        t.is_((seen["exit_code"], seen["stdout"]), (124, "b\n"),
              "one that holds its output is ended too")
        t.ok(alone(place), "with what it left")
    t.ok(alone(place), "its children are gone")


def check_unix(t, place):
    path = place.path("socket")
    with agent.Agent(place, "--listen", "unix:" + path, listens=True) as a:
        t.is_(stat.S_IMODE(os.stat(path).st_mode), 0o600,
              "a socket is its user's alone")
        with agent.Peer(path) as one, agent.Peer(path) as two:
            os.mkfifo(place.path("go"))
            slow = one.send("exec", cmd="read x <go; echo $x")
            t.ok("result" in two.call("ping"),
                 "one connection delays no other")
            two.result("exec", cmd="echo now >go")
            t.is_(one.answer(slow)["result"]["stdout"], "now\n",
                  "both run commands side by side")
        with agent.Peer(path) as one:
            one.send("exec", cmd=SLEEP)
            started(place)
        t.ok(alone(place), "a connection that ends takes its children along")
        with agent.Peer(path) as one, agent.Peer(path) as two:
            one.result("exec", cmd="sleep 1002 >/dev/null 2>&1 &")
            t.ok(two.result("exec", cmd="pgrep -f 'sleep 1002'")["stdout"],
                 "what a command leaves behind goes on")
        t.ok(alone(place), "as long as its connection")
        again = agent.Agent(place, "--listen", "unix:" + path)
        t.is_(again.child.wait(agent.PATIENCE), 2,
              "a second agent does not take the socket")
        again.close()
        a.stop(signal.SIGTERM)
        t.ok(not os.path.exists(path), "the socket is removed")
    stale = socket.socket(socket.AF_UNIX)
    stale.bind(path)
    stale.close()
    with agent.Agent(place, "--listen", "unix:" + path, listens=True) as a:
        with agent.Peer(path) as one:
            t.ok("result" in one.call("ping"), "a stale one is replaced")
        a.stop(signal.SIGTERM)
    with open(path, "w", encoding="ascii") as out:
        out.write("keep")
    with agent.Agent(place, "--listen", "unix:" + path) as a:
        t.is_(a.child.wait(agent.PATIENCE), 2, "another file is not")
    t.is_(place.read("socket"), "keep", "and stays as it is")
    os.unlink(path)


def check_tcp(t, place):
    place.secret("s3cret \n")  # the blank is none of it
    with agent.Agent(place, "--listen", "tcp:127.0.0.1:0", "--token-file",
                     "token", "--max-connections", "2", listens=True) as a:
        where = ("127.0.0.1", port_of(a))
        for line in (b"AUTH wrong\n", b"AUTH s3cre\n", b"AUTH s3cretx\n",
                     b"AUTH \n", agent.message(1, "ping")):
            with agent.Peer(where, socket.AF_INET) as p:
                seen = p.raw(line)
                t.is_((seen["id"], seen["error"]["message"]),
                      (None, "the first line must be AUTH and the token"),
                      "refused: %r" % line)
                t.ok(p.next() is None and p.ended, "and left")
        with agent.Peer(where, socket.AF_INET) as p:
            p.write(b"CONNECT 1234\nAUTH s3cret\n")
            t.is_([p.line(), p.line()], [b"OK 1234", b"OK"],
                  "a monitor's line and the token")
            t.ok("result" in p.call("ping"), "open the way")
            t.is_(p.raw(b"CONNECT 52\n")["error"]["code"], -32700,
                  "such a line is none later")
            with agent.Peer(where, socket.AF_INET) as gone:
                gone.write(b"AUTH s3cret\n")
                gone.line()
                gone.send("exec", cmd=SLEEP)
                started(place)
            t.ok(alone(place), "a client that goes takes its children along")
            with agent.Peer(where, socket.AF_INET) as two, \
                    agent.Peer(where, socket.AF_INET) as three:
                two.write(b"CONNECT x\nAUTH s3cret\n")
                t.is_([two.line(), two.line()], [b"OK 52", b"OK"],
                      "a port that is no number is 52")
                t.is_(three.next()["error"]["message"],
                      "too many connections", "no more than are allowed")
        t.ok(b"s3cret" not in a.read_log(), "the log does not have it")
        a.stop(signal.SIGTERM)
    with agent.Agent(place, "--listen", "tcp:127.0.0.1:0", listens=True) as a:
        with agent.Peer(("127.0.0.1", port_of(a)), socket.AF_INET) as p:
            p.write(b"POST / HTTP/1.1\r\nHost: x\r\n\r\n" +
                    agent.message(1, "exec", {"cmd": "echo x >pwned"}))
            t.is_(p.next()["error"]["message"], "this is no HTTP server",
                  "what a page in a browser sends is refused")
            t.ok(p.next() is None and p.ended, "and left")
        t.ok(not os.path.exists(place.path("pwned")), "nothing of it ran")


def check_call(t, place):
    """agentsh guest call, the client."""
    def call(*words):
        seen = place.run([home.program("agentsh"), "guest", "call", *words])
        return seen.status, seen.out, seen.err

    target = "unix:" + place.path("called")
    place.secret("s3cret\n")
    with agent.Agent(place, "--listen", target, "--token-file", "token",
                     listens=True) as a:
        t.is_(call("--token-file", "token", target, "exec",
                   '{"cmd":\n "echo x"}'),
              (0, '{"exit_code":0,"stdout":"x\\n","stderr":""}\n', ""),
              "a request and its result")
        t.is_(call("--token-file", "token", target, "none"),
              (1, "", "agentsh: method not found: none (-32601)\n"),
              "an error")
        t.is_(call(target, "ping"),
              (1, "", "agentsh: the first line must be AUTH and the token "
               "(-32600)\n"), "without the token nothing")
        a.stop(signal.SIGTERM)
    for words, status, text in (
            (["unix:/none", "ping"], 1, "/none: No such file"),
            ([target], 2, "TARGET METHOD"),
            (["x", "ping"], 2, "an address is"),
            ([target, "ping", "{"], 2, "JSON: byte 2")):
        seen = call(*words)
        t.ok(seen[0] == status and text in seen[2], "refused: %s" % words,
             seen)


def check_passed(t, place):
    """LISTEN_FDS, as a service manager sets it."""
    with socket.socket(socket.AF_UNIX) as s:
        path = place.path("passed")
        s.bind(path)
        s.listen(8)
        os.set_inheritable(s.fileno(), True)
        child = subprocess.Popen(
            ["/bin/sh", "-c", 'fd=$1; shift; eval "exec 3<&$fd"; '
             'export LISTEN_PID=$$ LISTEN_FDS=1; exec "$@"', "sh",
             str(s.fileno()), home.program("agentsh"), "guest"],
            cwd=place.work, env=place.env, pass_fds=[s.fileno()],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        with agent.Peer(path) as p:
            seen = p.result("exec", cmd="echo ${LISTEN_FDS-none}; "
                            "ls /proc/self/fd | wc -l")
            t.is_(seen["stdout"], "none\n4\n",
                  "a socket that was passed, which commands do not get")
        check_other_user(t, path)
        child.terminate()
        t.is_(child.wait(agent.PATIENCE), 0, "it ends as ever")


def check_other_user(t, path):
    """One that all may connect to is still its user's alone."""
    what = "another user is refused at a socket that is open to all"
    # abstract: whoever knows the name reaches it, through no directory
    if not tap.is_here("root") or not tap.is_here("setpriv"):
        t.skip(what, "needs root")
        return
    asks = ("import socket, sys; s = socket.socket(socket.AF_UNIX); "
            "s.connect(sys.argv[1]); s.sendall(b'%s\\n'); "
            "print(len(s.recv(100)))" % agent.message(1, "ping").decode()
            .strip())
    for at in os.path.dirname(path), os.path.dirname(os.path.dirname(path)):
        os.chmod(at, 0o711)
    os.chmod(path, 0o666)
    seen = {}
    for name, words in (("root", []), ("another", tap.as_other_user([]))):
        seen[name] = subprocess.run(
            [*words, "/usr/bin/python3", "-c", asks, path], cwd="/",
            capture_output=True, text=True, check=False)
    t.ok(seen["root"].stdout.strip() not in ("", "0") and
         seen["another"].stdout.strip() in ("", "0") and
         "Permission" not in seen["another"].stderr, what, seen)


def check_usage(t, place):
    for options, status, text in (
            (["--listen", "tcp:0.0.0.0:0"], 5, "without a token"),
            (["--listen", "tcp:example.org:1"], 2, "HOST is an address"),
            (["--listen", "tcp:127.0.0.1"], 2, "tcp:HOST:PORT"),
            (["--listen", "unix:"], 2, "unix:PATH"),
            (["--listen", "vsock:x"], 2, "vsock:PORT"),
            (["--listen", "nothing"], 2, "an address is"),
            (["--exec-timeout", "5"], 2, "--exec-timeout"),
            (["--max-connections", "0"], 2, "--max-connections"),
            (["--token-file", "none"], 2, "--token-file"),
            (["--token-file", ""], 2, "--token-file: its name is empty"),
            (["--root", "none"], 1, "--root"),
            (["--policy", "none"], 2, "--policy"),
            (["--profile", "none"], 2, "--profile")):
        seen = place.run([home.program("agentsh"), "guest", *options])
        t.ok(seen.status == status and text in seen.err,
             "refused: %s" % " ".join(options), seen)


def main():
    t = tap.Tap()
    with home.Home() as place:
        check_ends(t, place)
        check_timeout(t, place)
        check_unix(t, place)
        check_tcp(t, place)
        check_call(t, place)
        check_passed(t, place)
        check_usage(t, place)
        t.ok(tap.poll(lambda: not place.left()), "nothing is left")
    t.done()


if __name__ == "__main__":
    sys.exit(main())
