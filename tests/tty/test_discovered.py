# SPDX-License-Identifier: GPL-3.0-or-later
"""test_discovered.py - model servers that are found on this machine: asked about
once, remembered, and passed over where nobody can be asked.

The server stands where OLLAMA_HOST says. Those on the usual ports of a
machine that runs these tests come after it, and are not agreed to.
"""

import json
import os
import socket
import threading

import faults
import tap
from fault.proxy import relay
from fault.server import Server
from home import Home
from terminal import Terminal

WISH = [faults.AI, "run", "-y", "show", "the", "disk", "space"]
QUESTION = "Use it from now on?"
ALONE = "offline engine"
TRIES = 20
SHORT_MS = 130  # the default
BIG = {"name": "nomic-embed-text:335b", "size": 1}
CODE = {"name": "coder:7b", "size": 2, "details": {"parameter_size": "7.6B"}}
SMALL = {"name": "small:1b", "size": 1, "details": {"parameter_size": "1B"}}


def home_at(port, limit_ms=8000):
    """A search may take limit_ms: by default what a busy machine needs."""
    home = Home()
    home.config("[model]\ndiscovery_timeout_ms = %d\n" % limit_ms)
    home.env["OLLAMA_HOST"] = "127.0.0.1:%d" % port
    return home


def state(home, name):
    """A file of the state directory, "" when there is none."""
    try:
        with open(os.path.join(home.env["XDG_STATE_HOME"], "agentsh", name),
                  encoding="utf-8") as file:
            return file.read()
    except FileNotFoundError:
        return ""


def agree(home, server, yes="yes"):
    agree_at(home, server.port, yes)


def agree_at(home, port, yes="yes"):
    folder = os.path.join(home.env["XDG_STATE_HOME"], "agentsh")
    os.makedirs(folder, 0o700, exist_ok=True)
    with open(os.path.join(folder, "servers"), "w", encoding="utf-8") as out:
        out.write("%s http://127.0.0.1:%d -\n" % (yes, port))


def targets(server, since=0):
    return [r["target"] for r in server.requests[since:]]


def check_passed_over(t):
    with Server() as server, home_at(server.port) as home:
        result = home.run(WISH)
        t.ok(result.status == 0 and ALONE in result.out + result.err,
             "without a terminal the offline engine answers",
             result.out, result.err)
        t.is_((targets(server), state(home, "servers")), ([], ""),
              "and a server that was never agreed to is not even asked what "
              "it has")


def forget(home):
    """What a search found is remembered for a while, nothing too."""
    path = os.path.join(home.env["XDG_STATE_HOME"], "agentsh", "found")
    if os.path.exists(path):
        os.unlink(path)


def answer(home, key):
    """What the terminal shows before and after the question is answered."""
    term = Terminal(home, [*WISH[:2], "--dry-run", *WISH[3:]], cols=110)
    term.wait_for(QUESTION)
    before = term.text()
    term.send(key)
    term.finish()
    return before, term.text()


def check_question(t):
    with Server() as server, home_at(server.port) as home:
        server.lists["/api/tags"] = {"models": [BIG, SMALL, CODE]}
        before, after = answer(home, "n")
        t.ok("Ollama answers" in before and "coder:7b (7.6B, for code)"
             in before and "127.0.0.1:%d" % server.port in before,
             "the question names the server, its model, and why that", before)
        t.ok(ALONE in after and "agentsh doctor" in after,
             "no: the offline engine answers, and the way back is named",
             after)
        t.ok(state(home, "servers").startswith("no http://127.0.0.1:"),
             "the no is kept", state(home, "servers"))
        since = len(server.requests)
        result = home.run(WISH)
        t.is_((result.status, targets(server, since)), (0, []),
              "a server that was refused is not asked again", result.err)
        t.ok("POST" not in [r["method"] for r in server.requests],
             "nothing of the wish was ever sent to it")


def check_yes(t):
    with Server() as server, home_at(server.port) as home:
        server.lists["/api/tags"] = {"models": [BIG, CODE]}
        _, after = answer(home, "y")
        t.ok("ran" in after and state(home, "servers").startswith("yes "),
             "yes: the model answers, and the yes is kept", after)
        since = len(server.requests)
        result = home.run(WISH)
        t.is_((result.status, home.read("ran.txt"), targets(server, since)[:1],
               server.requests[-1]["json"]["model"]),
              (0, "good\n", ["/api/chat"], "coder:7b"),
              "from then on it answers without a question or a search", result.err)
        home.run([*WISH[:3], "-m", "small:1b", *WISH[3:]])
        t.is_(server.requests[-1]["json"]["model"], "small:1b",
              "-m decides against the choice")


def check_named(t):
    """A provider that was named: not asked about, and no model is guessed."""
    with Server() as server, home_at(server.port) as home:
        server.lists["/api/tags"] = {"models": [BIG, SMALL, CODE]}
        result = home.run([*WISH[:3], "--provider", "ollama", *WISH[3:]])
        model = server.requests[-1]["json"]["model"]
        t.is_((result.status, model), (0, "coder:7b"),
              "a named provider's best installed model answers", result.err)
        home.run([*WISH[:3], "--provider", "ollama", "-m", "small:1b",
                  *WISH[3:]])
        t.is_(server.requests[-1]["json"]["model"], "small:1b",
              "unless one was named")
    with Home() as home:
        home.env["OLLAMA_HOST"] = "127.0.0.1:9"
        result = home.run([*WISH[:3], "-m", "no-such-model", *WISH[3:]])
        t.ok(result.status == 3 and "no-such-model" in result.err
             and "--offline" in result.err,
             "a model that nobody has is no wish for another answer",
             result.status, result.err)


def lose():
    """A model that was remembered is gone: what a run prints, and asks."""
    with Server(script=["run", "not-found", "run"]) as server, \
            home_at(server.port) as home:
        agree(home, server)
        home.run(WISH)
        since = len(server.requests)
        return home.run(WISH), targets(server, since)


def check_lost(t):
    result, seen = lose()
    t.is_((result.status, result.err.count("404")), (0, 0),
          "a remembered model that is gone is no error", result.err)
    t.is_((seen[0], sorted(set(seen[1:-1])), seen[-1]),
          ("/api/chat", ["/api/ps", "/api/tags"], "/api/chat"),
          "but a new search")
    with Server(script=["not-found"]) as server, home_at(server.port) as home:
        agree(home, server)
        result = home.run(WISH)
        t.ok(result.status == 3 and "--offline" in result.err,
             "one that was found just now and cannot answer is exit 3",
             result.status, result.err)


def check_gone(t):
    with Server(script=["run"]) as server, home_at(server.port) as home:
        agree(home, server)
        home.run(WISH)
        server.stop()
        tap.poll(lambda: not listens(server.port))
        result = home.run(WISH)
        t.ok(result.status == 0 and ALONE in result.out + result.err,
             "a remembered server that is gone is no error either",
             result.status, result.out, result.err)


class Slow:
    """Stands before a server, and takes what comes to it after DELAY."""

    DELAY = 0.3  # seconds: more than a search takes, less than a second

    def __init__(self, server):
        self.server = server
        self.sock = socket.create_server(("127.0.0.1", 0))
        self.port = self.sock.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *why):
        self.sock.close()

    def accept(self):
        try:
            while True:
                later = threading.Timer(self.DELAY, self.take,
                                        (self.sock.accept()[0],))
                later.daemon = True
                later.start()
        except OSError:
            pass

    def take(self, sock):
        try:
            with sock, socket.create_connection(
                    ("127.0.0.1", self.server.port)) as peer:
                relay(sock, peer)
        except OSError:
            pass


def check_second(t):
    """One that was agreed to gets a second before recipes answer."""
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))  # nobody listens, and nobody else can
        port = sock.getsockname()[1]
        with home_at(port) as home:
            agree_at(home, port)
            result = home.run(WISH)
            line = ("Ollama at 127.0.0.1:%d is not there: answered without a "
                    "model" % port)
            t.ok(result.status == 0 and line in result.err
                 and result.seconds >= 1,
                 "one that is gone gets a second, and a line says why the "
                 "offline engine answers", result.seconds, result.err)
            result = home.run([*WISH[:2], "--dry-run", "-o", "json",
                               *WISH[3:]])
            t.is_(json.loads(result.out).get("offline_reason"),
                  "Ollama at 127.0.0.1:%d is not there" % port,
                  "which is a member of the JSON", result.out)
            result = home.run([faults.AI, "explain", "-o", "json", "ls -l"])
            t.is_(json.loads(result.out).get("offline_reason"),
                  "Ollama at 127.0.0.1:%d is not there" % port,
                  "of an explanation too", result.out)
            log = home.run([faults.AI, "log", "-n", "1", "-o", "json"]).out
            run = json.loads(log)["runs"][0]["run"]
            t.ok("offline_reason: Ollama at" in
                 home.run([faults.AI, "log", run]).out,
                 "and of the record")
            result = home.run([*WISH[:2], "--offline", *WISH[2:]])
            t.ok("is not there" not in result.err,
                 "--offline waits for nobody", result.err)
    with Server() as server, Slow(server) as slow, \
            home_at(slow.port, SHORT_MS) as home:
        server.lists["/api/tags"] = {"models": [CODE]}
        agree_at(home, slow.port)
        for _ in range(TRIES):  # a busy machine may need more than the second
            result = home.run(WISH)
            if ALONE not in result.out + result.err:
                break
            forget(home)
        t.is_((result.status, home.read("ran.txt")), (0, "good\n"),
              "one that is slow to answer is asked again within it",
              result.err)
    with Server() as server, home_at(server.port) as home:
        server.lists["/api/tags"] = {"models": [BIG]}
        agree(home, server)
        result = home.run(WISH)
        t.ok(result.status == 0 and "has no model that can answer" in
             result.err, "one without a model is not waited for", result.err)


def check_address(t):
    """An address alone names a provider: no recipes behind one's back."""
    with Server() as server, Home() as home:
        home.env["OPENAI_BASE_URL"] = server.url + "/v1"
        result = home.run(WISH)
        t.is_((result.status, home.read("ran.txt")), (0, "good\n"),
              "OPENAI_BASE_URL alone is asked, without a key", result.err)
    for name in ("OPENAI_BASE_URL", "ANTHROPIC_BASE_URL", "GEMINI_BASE_URL"):
        with Home() as home:
            home.env[name] = "http://127.0.0.1:9/v1"
            result = home.run(WISH)
            t.ok(result.status == 3 and ALONE not in result.out + result.err,
                 name + " alone: no other answer where that one fails",
                 result.status, result.err)
    with Home() as home:
        home.config("[model]\nbase_url = http://127.0.0.1:9/v1\n")
        result = home.run(WISH)
        t.ok(result.status == 3 and ALONE not in result.out + result.err,
             "so with base_url in the settings", result.status, result.err)
    with home_at(9) as home:
        result = home.run(WISH)
        t.ok(result.status == 0 and result.seconds < 30 and
             "Ollama at 127.0.0.1:9 is not there" in result.err,
             "an OLLAMA_HOST of this machine that is not there is said",
             result.err)
    with Server() as server, home_at(server.port) as home:
        result = home.run(WISH)
        t.ok("was not approved, which needs a terminal" in result.err,
             "and one that nobody was asked about", result.err)


def listens(port):
    with socket.socket() as sock:
        return sock.connect_ex(("127.0.0.1", port)) == 0


def check_silent(t):
    """It accepts, and says nothing for ever."""
    with socket.create_server(("127.0.0.1", 0)) as sock:
        port = sock.getsockname()[1]
        with home_at(port, SHORT_MS) as home:
            doctor = home.run([faults.program("agentsh"), "doctor", "-o",
                               "json"])
            found = json.loads(doctor.out)["model servers"]
            mine = [s for s in found["servers"] if str(port) in s["url"]]
            t.ok(found["ms"] < 3000, "a server that is silent holds up nobody",
                 found)
            t.is_([s["answered"] for s in mine], [False],
                  "and doctor says that it did not answer", found)


def check_doctor(t):
    with Server() as server, home_at(server.port) as home:
        server.lists["/api/tags"] = {"models": [BIG, CODE]}
        agree(home, server)
        text = home.run([faults.program("agentsh"), "doctor", "-v"]).out
        line = next((s for s in text.splitlines() if "Ollama" in s), "")
        t.ok("coder:7b (7.6B, for code)" in line and "You said yes" in line
             and "nomic-embed-text:335b (not a chat model)" in line
             and "agentsh/servers" in line,
             "doctor says what is there, what is chosen and how to forget it",
             text)


def check_examples(t):
    with Server() as server, home_at(server.port) as home:
        agree(home, server)
        home.run([faults.AI, "run", "-y", "list", "open", "ports"])
        said = server.requests[-1]["json"]["messages"][-1]["content"]
        t.ok("Commands for similar requests" in said and "ss -tlnp" in said,
             "the model sees the recipes that are near the wish", said)
        home.run([faults.AI, "explain", "list", "open", "ports"])
        said = server.requests[-1]["json"]["messages"][1]["content"]
        t.ok("Commands for similar requests" not in said,
             "but not where it is to explain", said)


def main():
    t = tap.Tap()
    check_passed_over(t)
    check_question(t)
    check_yes(t)
    check_named(t)
    check_lost(t)
    check_gone(t)
    check_second(t)
    check_address(t)
    check_silent(t)
    check_doctor(t)
    check_examples(t)
    t.done()


if __name__ == "__main__":
    main()
