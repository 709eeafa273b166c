# SPDX-License-Identifier: GPL-3.0-or-later
"""drained.py - servers of HTTP that get SIGTERM while many ask them: what they
took is done once and answered, the rest is refused, and they end in time.

    figures = drained.ends(t, "mcp", 20, seed)
"""

import json
import os
import random
import sys
import threading
import time

import ports  # noqa: F401  the places of modules

import home  # noqa: E402
import tap  # noqa: E402

sys.path.insert(0, os.path.join(home.SRCDIR, "tests", "agentctl"))
sys.path.insert(0, os.path.join(home.SRCDIR, "tests", "mcp"))

import sidecar  # noqa: E402
import web  # noqa: E402

ASKERS = 6
MARKS = "marks"
SECONDS = {digit: 0.01 if digit in "02468" else 0.2 for digit in "0123456789"}
ENOUGH_S = 8  # a call that runs takes far less than this


class Asker(threading.Thread):
    """Asks one thing after another on one connection, until that ends."""

    def __init__(self, name, server, ask):
        super().__init__()
        self.name_, self.server, self.ask = name, server, ask
        self.done, self.refused, self.unanswered, self.why = [], [], [], None

    def run(self):
        n = 1
        try:
            with self.server.peer() as peer:
                while self.one(peer, "%s-%d" % (self.name_, n)):
                    n += 1
        except (web.Gone, OSError):
            pass
        except Exception as why:  # pylint: disable=broad-except
            self.why = repr(why)

    def one(self, peer, mark):
        """Whether the connection stays."""
        self.unanswered.append(mark)
        status, right, headers = self.ask(peer, mark)
        self.unanswered.remove(mark)
        if status == 200:
            self.done.append(mark)
        else:
            self.refused.append((mark, status))
        if not right:
            raise AssertionError("%s: a wrong answer" % mark)
        return headers.get("connection") != "close"


def ask_mcp(peer, mark):
    message, headers = web.alone("tools/call", {
        "name": "cmd_run", "arguments": {
            "command": "sleep 0.03; echo %s >>%s; echo %s" % (
                mark, MARKS, mark)}})
    answer = peer.post(message, **headers)
    right = web.text(answer.answer) == mark + "\n" \
        if answer.status == 200 else answer.status == 503
    return answer.status, right, answer.headers


def ask_agentctl(peer, mark):
    answer = sidecar.Answer(peer.ask(
        "POST", sidecar.API + "acp/call", json.dumps({
            "method": "later", "params": {"seconds": SECONDS[mark[-1]],
                                          "mark": mark}}).encode()))
    right = answer.json["result"]["mark"] == mark \
        if answer.status == 200 else answer.status in (502, 503)
    return answer.status, right, answer.headers


def mcp(place):
    return web.Server(place, "--policy", "permissive"), ask_mcp


def agentctl(place):
    s = sidecar.Sidecar(place, auto_start="true")
    if not tap.poll(lambda: s.status()["agent_status"] == "running"):
        raise AssertionError(s.status())
    return s, ask_agentctl


KINDS = {"mcp": mcp, "agentctl": agentctl}


def end_once(t, name, rng):
    """How long it took, what was done, refused, and left without an answer."""
    with home.Home() as place:
        server, ask = KINDS[name](place)
        askers = [Asker("a%d" % i, server, ask) for i in range(ASKERS)]
        for one in askers:
            one.start()
        tap.poll(lambda: all(one.done or one.why for one in askers), 30)
        time.sleep(rng.uniform(0, 0.2))  # a random moment, not a wait
        begun = time.monotonic()
        status = server.close()
        took = time.monotonic() - begun
        for one in askers:
            one.join(60)
        done = [m for one in askers for m in one.done]
        t.is_((status, [one.why for one in askers if one.why]), (0, []),
              "%s: SIGTERM under load ends it, with right answers" % name,
              server.log.decode()[-500:])
        t.ok(took < ENOUGH_S, "in time", took)
        unanswered = sum(len(one.unanswered) for one in askers)
        ran = place.read(MARKS).split() if name == "mcp" else done
        t.is_((sorted(set(ran) ^ set(done)), len(ran)), ([], len(set(ran))),
              "what was done was answered, and what was answered was done once")
        t.ok(tap.poll(lambda: not place.left()), "no process is left",
             place.left())
        return (took, len(done), sum(len(one.refused) for one in askers),
                unanswered)


def ends(t, name, rounds, seed):
    """The figures, as a line."""
    rng = random.Random(seed)
    rows = list(zip(*[end_once(t, name, rng) for _ in range(rounds)]))
    return "%s, %d times SIGTERM under load: %.2f s (longest %.2f) to the " \
        "end; %d done and answered, %d refused, %d with neither" % (
            name, rounds, sorted(rows[0])[rounds // 2], max(rows[0]),
            *(sum(row) for row in rows[1:]))
