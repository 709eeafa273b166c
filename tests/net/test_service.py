# SPDX-License-Identifier: GPL-3.0-or-later
"""What is alike for all servers that run for months: they load their settings
anew, end in good order, tell a service manager, write a log for programs, and
let no address do anything too often."""

import dataclasses
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time

import ports

import home  # noqa: E402
import tap  # noqa: E402

sys.path.insert(0, os.path.join(home.SRCDIR, "tests", "guest"))
sys.path.insert(0, os.path.join(home.SRCDIR, "tests", "mcp"))

import agent  # noqa: E402
import web  # noqa: E402

WRONG_MAX = 20
RELOADS = 20


class Manager:
    """The socket of a service manager, a path or an abstract name."""

    def __init__(self, place, abstract):
        self.name = "@agentsh-test-%s" % place.id if abstract else \
            os.path.join(place.root, "notify")
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(self.name.replace("@", "\0") if abstract
                         else self.name)
        self.socket.settimeout(ports.PATIENCE)

    def next(self):
        """The next datagram as a dict."""
        text = self.socket.recv(4096).decode()
        return dict(line.split("=", 1) for line in text.split("\n"))

    def row(self, row):
        return dataclasses.replace(
            row, environment={**row.environment, "NOTIFY_SOCKET": self.name})


def get(peer, path="/health", token=None):
    peer.send(b"GET %s HTTP/1.1\r\nHost: localhost\r\n%s\r\n" % (
        path.encode(),
        b"Authorization: Bearer %s\r\n" % token if token else b""))
    return peer.response()


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def rules(place, text):
    return write(place.path("rules"), text)


class Load(threading.Thread):
    """Asks on one connection until it is told to end."""

    def __init__(self, server):
        super().__init__()
        self.server, self.over, self.n, self.why = server, False, 0, None

    def run(self):
        try:
            with self.server.peer() as peer:
                while not self.over:
                    answer = get(peer)
                    if answer.status != 200:
                        self.why = answer
                        return
                    self.n += 1
        except Exception as e:  # pylint: disable=broad-except
            self.why = e


def check_reload(t, row, abstract):
    """SIGHUP under load drops nobody, and the manager sees all of it."""
    with home.Home() as place:
        manager = Manager(place, abstract)
        began = time.clock_gettime_ns(time.CLOCK_MONOTONIC) // 1000
        with ports.Server(place, manager.row(row)) as server:
            t.is_(manager.next().get("READY"), "1", "%s: it is ready" % row.name)
            load = [Load(server) for _ in range(8)]
            for one in load:
                one.start()
            t.ok(tap.poll(lambda: min(one.n for one in load) > 0),
                 "all are served")
            seen = []
            for _ in range(RELOADS):
                server.child.send_signal(signal.SIGHUP)
                seen.append((manager.next(), manager.next()))
            for one in load:
                one.over = True
            for one in load:
                one.join()
            now = time.clock_gettime_ns(time.CLOCK_MONOTONIC) // 1000
            t.ok(all(a.get("RELOADING") == "1" and b.get("READY") == "1" and
                     began < int(a["MONOTONIC_USEC"]) <= now
                     for a, b in seen), "it tells each reload")
            t.is_([one.why for one in load], [None] * 8, "nobody is dropped")
            place.config("[model]\nno_such_key = 1\n")
            server.child.send_signal(signal.SIGHUP)
            said = (manager.next(), manager.next())
            t.ok(said[1].get("READY") == "1" and "wrong" in said[1]["STATUS"],
                 "a wrong setting is told")
            t.ok(server.until(lambda: b"no_such_key" in server.log),
                 "in the log by its own words")
            t.ok(b"what was loaded before stays" in server.log,
                 "and the old ones stay")
            with server.peer() as peer:
                t.is_(get(peer).status, 200, "it serves")
            server.child.send_signal(signal.SIGTERM)
            t.is_(manager.next().get("STOPPING"), "1", "it tells its end")
            t.is_(server.close(), 0, "which is a success")


def hang_up_early():
    """SIGHUP waits for the program that is started, from its beginning."""
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGHUP})
    os.kill(os.getpid(), signal.SIGHUP)


def check_early_reload(t, row):
    with home.Home() as place, ports.Server(
            place, row, preexec_fn=hang_up_early) as server:
        t.ok(server.until(lambda: b"SIGHUP: all is loaded anew" in server.log),
             "%s: SIGHUP while it begins does not end it" % row.name,
             server.log)


def check_log(t, row):
    with home.Home() as place:
        place.config("")
        with ports.Server(place, row, "--log", "json") as server:
            place.config("[model]\nno_such_key = 1\n")
            server.child.send_signal(signal.SIGHUP)
            server.until(lambda: b"no_such_key" in server.log)
            server.close()
        lines = [json.loads(line) for line in server.log.splitlines()]
        t.ok(len(lines) >= 3, "%s: each line of its log is JSON" % row.name)
        t.ok(all(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z",
                              one["time"]) for one in lines), "with its time")
        t.is_({one["server"] for one in lines}, {
            "agentsh " + row.name if row.program == "agentsh" else row.program},
              "and its server")
        t.ok(all(isinstance(one["message"], str) for one in lines),
             "and a message")
        t.is_([one["level"] for one in lines if "no_such" in one["message"]],
              ["error"], "an error is one")
        t.is_([one["signal"] for one in lines if "signal" in one],
              ["SIGTERM"], "and the end names its signal")


def check_tokens(t, row):
    with home.Home() as place:
        place.secret("right\n")
        with ports.Server(place, row, "--token-file",
                          place.path("token")) as server:
            with server.peer() as peer:
                t.is_({get(peer, "/metrics?token=wrong").status
                       for _ in range(2 * WRONG_MAX)}, {401},
                      "%s: what an image on any page can ask for makes no "
                      "pause" % row.name)
                t.is_([get(peer, "/metrics", b"wrong").status
                       for _ in range(WRONG_MAX)], [401] * WRONG_MAX,
                      "%s: a wrong token is refused" % row.name)
                last = get(peer, "/metrics", b"right")
                t.is_(last.status, 429, "many of them make a pause")
                t.ok(0 < int(last.headers["retry-after"]) <= 31, "of a while")
                t.is_(get(peer).status, 200, "but for /health")
            other = ports.Peer.__new__(ports.Peer)
            other.socket = socket.create_connection(
                server.at, ports.PATIENCE, ("127.0.0.9", 0))
            other.rest = b""
            t.is_(get(other, "/metrics", b"right").status, 200,
                  "another address has none")
            check_metrics(t, server, other)
            other.socket.close()
            server.close()
        t.ok(b"127.0.0.1 has shown 20 wrong tokens" in server.log,
             "and the log names the address")


def numbers(peer):
    """What /metrics says."""
    text = get(peer, "/metrics", b"right").body.decode()
    return {words[0]: int(words[1]) for words in (
        line.split() for line in text.splitlines() if line[0] != "#")}


def same_memory(server, peer):
    value = numbers(peer)["process_resident_memory_bytes"]
    with open("/proc/%d/statm" % server.pid, encoding="ascii") as file:
        pages = int(file.read().split()[1])
    return abs(value - pages * os.sysconf("SC_PAGESIZE")) < 1 << 20


def same_descriptors(server, peer):
    return numbers(peer)["process_open_fds"] == \
        len(os.listdir("/proc/%d/fd" % server.pid))


def check_metrics(t, server, peer):
    """Some of the numbers are what the system says too, once the server is at
    rest: a thread of it opens the journal when it listens already, and a
    connection that we have closed is open until it sees that."""
    value = numbers(peer)
    t.is_(value["agentsh_http_token_pauses_total"], 1, "/metrics counts it")
    t.ok(tap.poll(lambda: same_memory(server, peer)),
         "the memory is the system's")
    if os.geteuid() == 0:  # nobody else may look into a server
        t.ok(tap.poll(lambda: same_descriptors(server, peer)),
             "so are descriptors")
    t.ok(value["agentsh_loop_longest_hold_microseconds"] < 50000,
         "nothing held the loop for long")
    t.is_((value["agentsh_websockets"], value.get("agentsh_log_lines_lost_total", 0)),
          (0, 0), "no WebSocket is there, and no line was lost")


def check_passed(t, row):
    """A service manager listens, and passes the socket."""
    listener = socket.create_server(("127.0.0.1", 0))
    words = [w for w in row.command()
             if w not in ("--listen", "127.0.0.1:0")]
    script = "import os,sys\nos.dup2(%d, 3)\n" \
        "os.environ.update(LISTEN_FDS='1', LISTEN_PID=str(os.getpid()))\n" \
        "os.execv(sys.argv[1], sys.argv[1:])" % listener.fileno()
    with home.Home() as place:
        with subprocess.Popen(
                [sys.executable, "-c", script, *words], cwd=place.work,
                env={**place.env, **row.environment},
                stdin=subprocess.DEVNULL, stderr=subprocess.PIPE,
                pass_fds=(listener.fileno(),)) as child:
            with ports.Peer(listener.getsockname()) as peer:
                t.is_(get(peer).status, 200,
                      "%s: it serves at a socket that is passed" % row.name)
            child.terminate()
            child.communicate(timeout=ports.PATIENCE)
            t.is_(child.returncode, 0, "and ends")
        waits = socket.create_connection(listener.getsockname(), 5)
        waits.close()
        listener.close()


IN_NAMESPACE = "ip link set lo up && ip addr add 192.0.2.1/24 dev lo && " \
    "exec \"$@\""


def check_address(t, row):
    """One address has half of the connections; in a network of its own."""
    if not tap.succeeds(["unshare", "-Urn", "sh", "-c", IN_NAMESPACE, "sh",
                         "true"]):
        t.skip("%s: one address has half of the connections" % row.name,
               "no network namespace can be made")
        return
    with home.Home() as place:
        place.secret("right\n")
        words = ["192.0.2.1:0" if w == "127.0.0.1:0" else w
                 for w in row.command()]
        done = place.run(
            ["unshare", "-Urn", "sh", "-c", IN_NAMESPACE, "sh",
             sys.executable, os.path.abspath(__file__), "client", *words,
             "--token-file", place.path("token"), "--max-connections", "40"],
            top_builddir=home.BUILDDIR, top_srcdir=home.SRCDIR,
            **row.environment)
        t.is_((done.status, done.out.strip()), (0, "20 503 200"),
              "%s: an address has half of the connections: %s" %
              (row.name, done.err[-300:]))


def check_listen(t, row):
    """What --listen takes; agentctl has its own words for that."""
    if row.name == "agentctl":
        return
    with home.Home() as place:
        for text in ("nonsense", "host.example:1", "1.2.3.4", "99999", ""):
            got = subprocess.run(
                [*row.command()[:2], "--listen", text], cwd=place.work,
                env=place.env, capture_output=True, text=True, check=False,
                stdin=subprocess.DEVNULL, timeout=20)
            t.ok(got.returncode == 2 and "--listen %s: it takes HOST:PORT" %
                 text in got.stderr and "path of a Unix socket" in got.stderr,
                 "%s: --listen %r says what it takes" % (row.name, text),
                 got.stderr)
        port = dataclasses.replace(row, argv=(row.argv[0], "--listen", "0"))
        with ports.Server(place, port) as server:
            t.is_(server.at[0], "127.0.0.1", "%s: a port" % row.name)
        path = os.path.join(place.root, "socket")
        with subprocess.Popen(
                [*row.command()[:2], "--listen", path], cwd=place.work,
                env=place.env, stderr=subprocess.PIPE,
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL) as child:
            t.ok(any(b"unix:%s: listening" % path.encode() in line
                     for line in child.stderr),
                 "%s: the path of a Unix socket" % row.name)
            child.terminate()


def be_client(words):
    """Opens connections until one is refused, in the namespace."""
    with subprocess.Popen(words, stdin=subprocess.DEVNULL,
                          stderr=subprocess.PIPE) as child:
        log = b""
        while not (found := re.search(rb"tcp:(\S+):(\d+): listening", log)):
            part = os.read(child.stderr.fileno(), 1 << 16)
            if not part:
                sys.exit("the server has ended: %s" % log.decode())
            log += part
        at = (found[1].decode(), int(found[2]))
        held = [ports.Peer(at) for _ in range(20)]
        served = 0
        for peer in held:
            peer.send(b"GET /health HTTP/1.1\r\nHost: 192.0.2.1\r\n\r\n")
            served += peer.status() == 200
        refused = ports.Peer(at).status()
        held.pop().socket.close()
        again = tap.poll(lambda: asks(at), 5)
        print(served, refused, again)
        child.terminate()


def asks(at):
    with ports.Peer(at) as peer:
        if not peer.try_to_send(
                b"GET /health HTTP/1.1\r\nHost: 192.0.2.1\r\n\r\n"):
            return None
        status = peer.status()
        return status if status == 200 else None


def check_mcp_drain(t):
    """What runs ends; who asks meanwhile is told so."""
    with home.Home() as place, web.Server(place) as server:
        s = web.Session(server)
        long = s.start(web.call("cmd_run", 1, command="sleep 1; echo done"))
        asked = server.peer()
        asked.request("GET", "/health")
        t.is_(asked.response().status, 200, "mcp: it is well")
        t.ok(tap.poll(lambda: "sleep" in str(place.left())), "a call runs")
        server.child.send_signal(signal.SIGTERM)
        server.until(lambda: b"takes no new work" in server.log)
        with server.peer() as peer:
            answer = peer.ask("GET", "/health")
            t.is_((answer.status, json.loads(answer.body)["status"]),
                  (503, "draining"), "/health says that it ends")
            t.is_(answer.headers.get("connection"), "close",
                  "and the connection does")
        t.is_(s.post(web.call("cmd_run", 2, command="echo no")).status, 503,
              "no new work is taken")
        t.is_(web.text(long.response().answer), "done\n",
              "what ran is answered")
        t.is_(server.child.wait(5), 0, "and it has ended with 0")


def ran(answer):
    return "denied" not in json.dumps(answer).lower()


def check_mcp_rules(t):
    """Open sessions keep their rules; what comes later has the new ones."""
    with home.Home() as place:
        path = rules(place, "allow command echo *\nallow command sleep *\n")
        with web.Server(place, "--policy", path) as server:
            command = {"command": "echo hello"}
            old = web.Session(server)
            t.ok(ran(old.post(web.call("cmd_run", 1, **command)).answer),
                 "mcp: the rules allow it")
            runs = old.start(web.call("cmd_run", 7,
                                      command="sleep 1; echo end"))
            t.ok(tap.poll(lambda: "sleep" in str(place.left())), "a call runs")
            rules(place, "deny command echo *\n")
            server.child.send_signal(signal.SIGHUP)
            t.ok(server.until(lambda: b"all is loaded anew" in server.log),
                 "they are loaded anew")
            t.ok(ran(old.post(web.call("cmd_run", 2, **command)).answer),
                 "a session keeps those it began with")
            t.is_(web.text(runs.response().answer), "end\n",
                  "and what ran goes on")
            t.ok(not ran(web.Session(server).post(
                web.call("cmd_run", 1, **command)).answer),
                 "a new session has the new ones")
            message, headers = web.alone("tools/call", {
                "name": "cmd_run", "arguments": command})
            with server.peer() as peer:
                t.ok(not ran(peer.post(message, **headers).answer),
                     "so has a request of no session")
            rules(place, "perhaps command echo *\n")
            server.child.send_signal(signal.SIGHUP)
            t.ok(server.until(lambda: b"what was loaded before stays"
                              in server.log), "wrong rules change nothing")
            t.ok(b"perhaps" in server.log, "and are named")
            t.ok(not ran(web.Session(server).post(
                web.call("cmd_run", 1, **command)).answer),
                 "a session that opens has the last good ones")
            with server.peer() as peer:
                t.ok(not ran(peer.post(message, **headers).answer),
                     "a request of none too")


def check_guest(t):
    with home.Home() as place:
        path = rules(place, "allow command echo *\n")
        at = os.path.join(place.root, "guest")
        with agent.Agent(place, "--listen", "unix:" + at, "--policy", path,
                         "--log", "json", listens=True) as a, \
                agent.Peer(at) as old:
            t.is_(old.result("exec", cmd="echo x")["stdout"], "x\n",
                  "guest: the rules allow it")
            rules(place, "deny command echo *\n")
            a.child.send_signal(signal.SIGHUP)
            t.ok(tap.poll(lambda: b"all is loaded anew" in a.read_log()),
                 "they are loaded anew")
            t.is_(old.result("exec", cmd="echo y")["stdout"], "y\n",
                  "a connection keeps those it began with")
            with agent.Peer(at) as new:
                t.ok("denied" in json.dumps(new.call("exec", cmd="echo z")),
                     "a new one has the new ones")
            rules(place, "perhaps command echo *\n")
            a.child.send_signal(signal.SIGHUP)
            t.ok(tap.poll(lambda: b"before stays" in a.read_log()),
                 "wrong ones change nothing")
            number = old.send("exec", cmd="sleep 1; echo end")
            t.ok(tap.poll(lambda: "sleep" in str(place.left())),
                 "a command runs")
            a.child.send_signal(signal.SIGTERM)
            t.is_((old.answer(number) or {}).get("result", {}).get("stdout"),
                  "end\n", "SIGTERM lets it end")
            t.is_(a.child.wait(5), 0, "and then the agent does")
            t.ok(all(json.loads(line) for line in
                     a.read_log().splitlines()), "its log is JSON")


def check_units(t):
    """systemd finds nothing wrong with the units, as they would be installed
    with the programs of this build."""
    if not tap.is_here("systemd-analyze"):
        t.skip("the units are valid", "systemd-analyze is not here")
        return
    folder = os.path.join(home.SRCDIR, "src", "server", "systemd")
    with home.Home() as place:
        names = [name[:-3] for name in sorted(os.listdir(folder))]
        for name in names:
            with open(os.path.join(folder, name + ".in"),
                      encoding="utf-8") as file:
                write(place.path(name), file.read().replace(
                    "@bindir@", os.path.dirname(home.program("agentsh"))))
        for name in names:
            user = ["--user"] if name[8:11] in ("mcp", "gat") else []
            done = place.run(
                ["systemd-analyze", *user, "verify", "--man=no",
                 place.path(name)], SYSTEMD_UNIT_PATH=place.work + ":")
            wrong = [line for line in done.err.splitlines()
                     if "agentsh" in line]
            t.is_((done.status, wrong), (0, []), "%s is a unit" % name)
            text = place.read(name)
            t.ok(name.endswith(".socket") or (
                "Type=notify" in text and "ExecReload=" in text and
                int(re.search(r"TimeoutStopSec=(\d+)", text)[1]) >
                drain_seconds()), "which has time to end")


def drain_seconds():
    with open(os.path.join(home.SRCDIR, "src", "server", "service.h"),
              encoding="utf-8") as file:
        return int(re.search(r"SERVICE_DRAIN_MS (\d+)", file.read())[1]) / 1000


def main():
    if sys.argv[1:2] == ["client"]:
        be_client(sys.argv[2:])
        return
    t = tap.Tap()
    for i, row in enumerate(ports.SERVERS):
        check_reload(t, row, i % 2 == 0)
        check_early_reload(t, row)
        check_log(t, row)
        check_tokens(t, row)
        check_passed(t, row)
        check_address(t, row)
        check_listen(t, row)
    check_mcp_drain(t)
    check_mcp_rules(t)
    check_guest(t)
    check_units(t)
    t.done()


main()
