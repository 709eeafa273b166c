# SPDX-License-Identifier: GPL-3.0-or-later
"""agents_killed.py - agentsh gateway with agents of their own processes, while
it, agentctl or an agent is killed.

    figures = agents_killed.kills(t, "agentctl", 100, seed)
"""

import os
import random
import signal
import sys
import threading
import time

import ports  # noqa: F401  the places of modules

import home  # noqa: E402
import tap  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(home.SRCDIR, "tests", "gateway"))

import box  # noqa: E402
import probe  # noqa: E402
from gatewayclient import Gateway, Gone  # noqa: E402

TYPE = """
[logs]
command = %s %s/log_agent.py
readable = %s
""" % (sys.executable, HERE, HERE)
BOX_TYPE = """
[logs]
image = %s
command = bash /log_agent.sh %s
memory_mb = 256
"""
WAITING = 12  # tasks that wait: the clients hand out no more of them
MARKS = {"agentctl": "agentctl", "agent": "log_agent.py"}
SIGNALS = {"gateway": signal.SIGKILL, "ending": signal.SIGTERM}
ENDS_S = 12  # the gateway, by SIGTERM, at most


class Hand(threading.Thread):
    """A client that hands out work and notes what was acknowledged."""

    def __init__(self, where, name, rng, kept):
        super().__init__()
        self.where, self.name_, self.rng, self.kept = where, name, rng, kept
        self.over, self.why, self.n = False, None, 0

    def run(self):
        while not self.over:
            try:
                with self.where().client() as c:
                    while not self.over:
                        self.one(c)
            except (Gone, OSError):
                time.sleep(0.01)
            except Exception as why:  # pylint: disable=broad-except
                if "the gateway ends" not in str(why):  # refused, not lost
                    self.why = repr(why)
                    return

    def one(self, c):
        s = c.ask("usage")["by_state"]
        if s.get("queued", 0) > WAITING:
            time.sleep(0.02)
            return
        self.n += 1
        text = "%s-%d" % (self.name_, self.n)
        task = c.create(text, description=text, agent_type="logs")
        self.kept["tasks"].append(task)
        c.ask("orchestrator.trigger", task_id=task)
        self.kept["prompts"].append((task, text))
        for k in range(self.rng.randrange(3)):
            more = "%s+%d" % (text, k)
            m = c.answer(c.send("orchestrator.prompt", task_id=task,
                                prompt=more))
            if m["type"] == "response":
                self.kept["prompts"].append((task, more))


def victims(g, mark):
    """Processes of the gateway's by a word of their command line."""
    found = []
    for pid in home.pids():
        words = home.name_of(pid).split()
        if any(os.path.basename(w) == mark for w in words[:2]) and \
                g.child.pid in home.ancestors(pid):
            found.append(pid)
    return found


class Local:
    """Agents that are processes of the gateway's. Boxes are others."""

    def __init__(self, place):
        probe.write_types(place, TYPE)

    def victims(self, g, what):
        return victims(g, MARKS[what])

    def left(self, place):
        return left_files(place)

    def end(self, t):
        pass


class Boxes:
    """Agents in containers, by an image that exists for these alone."""

    def __init__(self, place):
        self.place, self.tag = place, "localhost/agentsh-test-" + place.id
        why = box.build(place, self.tag)
        if why:
            raise AssertionError(why)
        box.configure(place, BOX_TYPE % (self.tag, place.id))

    def victims(self, g, what):
        """Of the agents, which are no children of the gateway's."""
        found = []
        for pid in home.pids():
            try:
                with open("/proc/%d/cmdline" % pid, "rb") as file:
                    words = file.read().decode().split("\0")
            except OSError:
                continue
            if os.path.basename(words[0]) == "bash" and \
                    words[1:3] == ["/log_agent.sh", self.place.id]:
                found.append(pid)
        return found

    def containers(self):
        return box.podman(self.place, "ps", "--all", "--quiet", "--filter",
                          "ancestor=" + self.tag).stdout.split()

    def left(self, place):
        """A podman that was killed leaves directories of its own."""
        return [f for f in left_files(place)
                if not os.path.basename(f).isdigit()]

    def end(self, t):
        t.ok(tap.poll(lambda: not self.containers(), 30, 0.2),
             "no container is left", self.containers())
        box.podman(self.place, "rmi", "--force", self.tag)


def kill_one(g, agents, what, rng):
    """Whether there was one to kill."""
    time.sleep(rng.uniform(0, 0.1))  # a random moment, not a wait

    def kill():
        found = agents.victims(g, what)
        try:
            os.kill(rng.choice(found), signal.SIGKILL)
        except (IndexError, ProcessLookupError):
            return False
        return True
    return tap.poll(kill, 20)


def end_gateway(g, signo):
    """Its status, and how long it took."""
    begun = time.monotonic()
    return g.close(signo), time.monotonic() - begun


def settle(c):
    def rest():
        s = c.ask("usage")["by_state"]
        return s.get("queued", 0) + s.get("running", 0) == 0
    if not tap.poll(rest, 180, 0.05):
        raise AssertionError(c.ask("usage")["by_state"])


def told(c, task):
    """The prompts whose turns began, by the task's events."""
    events = c.ask("task.events", task_id=task, limit=500)["events"]
    return [str(e) for e in events if e["action"] == "acp.prompt"]


def check(t, g, c, kept):
    tasks = {x: c.ask("task.get", id=x) for x in set(kept["tasks"])}
    t.is_(len(tasks), len(kept["tasks"]),
          "each of %d acknowledged tasks is there" % len(tasks))
    log = g.agents_log()
    done = [row[2] for row in log if row[0] == "done"]
    begun = [row[2] for row in log if row[0] == "begin"]
    t.is_(len(done), len(set(done)), "no prompt was done twice")
    t.is_(len(begun), len(set(begun)), "or begun twice")
    triggered = {task for task, _ in kept["prompts"]}
    states = {}
    for x in triggered:
        states.setdefault(tasks[x]["state"], []).append(x)
    t.is_(set(states) - {"idle", "interrupted", "failed"}, set(),
          "nothing else came of them")
    t.is_([tasks[x] for x in states.get("failed", [])
           if not tasks[x].get("error")][:1], [],
          "what failed says why")
    over = states.get("failed", []) + states.get("interrupted", [])
    waiting = {x: [p["prompt"] for p in c.ask(
        "prompt.list", task_id=x)["prompts"]] for x in over}
    lost = [p for p in kept["prompts"] if p[1] not in set(done) and
            not (p[0] in waiting and (
                p[1] in waiting[p[0]] or
                any(repr(p[1]) in e for e in told(c, p[0]))))]
    t.is_(lost[:3], [], "each of %d acknowledged prompts was done, or waits, or "
          "its task says that it was begun" % len(kept["prompts"]),
          *[str(tasks[x[0]]) for x in lost[:2]])
    return "%d tasks, %d prompts acknowledged, %d done; %s" % (
        len(kept["tasks"]), len(kept["prompts"]), len(done), ", ".join(
            "%d %s" % (len(v), k) for k, v in sorted(states.items())))


def kills(t, what, rounds, seed, kind=Local):
    """what: "gateway", "agentctl", "agent", or "ending": the gateway, by
    SIGTERM. The figures, as a line."""
    rng = random.Random(seed)
    kept = {"tasks": [], "prompts": []}
    with home.Home() as place:
        agents = kind(place)

        def start():
            return Gateway(place, "--max-agents", "3", stub=False)
        now = [start()]
        hands = [Hand(lambda: now[0], "%s%d" % (what, i),
                      random.Random(rng.random()), kept) for i in range(2)]
        for h in hands:
            h.start()
        begun, killed, ends = time.monotonic(), 0, []
        for _ in range(rounds):
            if what in SIGNALS:
                time.sleep(rng.uniform(0.05, 0.6))  # a random moment
                ends.append(end_gateway(now[0], SIGNALS[what]))
                killed += 1
                now[0] = start()
            else:
                killed += kill_one(now[0], agents, what, rng)
        for h in hands:
            h.over = True
        for h in hands:
            h.join(30)
        t.is_([h.why for h in hands if h.why], [], "%s: clients go on" % what)
        t.is_(killed, rounds, "%d were killed" % rounds)
        t.is_([x for x in ends if x[0] != (0 if what == "ending" else -SIGNALS[what]) or
               x[1] > ENDS_S], [], "each ended as it should, and in time")
        with now[0].client() as c:
            settle(c)
            line = check(t, now[0], c, kept)
        seconds = time.monotonic() - begun
        t.is_(now[0].close(), 0, "the gateway ends by SIGTERM")
        agents.end(t)
        t.ok(tap.poll(lambda: not place.left(True)), "no process is left",
             str(place.left(True)))
        tap.poll(lambda: not agents.left(place), 30, 0.2)
        t.is_(agents.left(place), [], "no socket and no directory is left")
        return "%d kills of %s in %.0f s%s: %s" % (
            killed, what, seconds, ", each took %.2f s at most" % max(
                x[1] for x in ends) if ends else "", line)


def left_files(place):
    """Sockets, and what is in the directories of temporary files."""
    found = []
    for name in ("XDG_RUNTIME_DIR", "TMPDIR"):
        for folder, folders, files in os.walk(place.env[name]):
            found += [os.path.join(folder, f) for f in files]
            found += [os.path.join(folder, f) for f in folders
                      if not os.listdir(os.path.join(folder, f)) and
                      f not in ("agentsh", "agents")]
    return found
