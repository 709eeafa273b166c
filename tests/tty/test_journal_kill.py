# SPDX-License-Identifier: GPL-3.0-or-later
"""test_journal_kill.py - what was printed is in the journal, whenever the
front is killed.

Several fronts at once run plans of many short steps and are killed at
moments by chance, every second not before it printed something. Each
line that came out before was preceded by its row.
"""

import json
import os
import random
import select
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))

import home
import tap

AI = home.program("ai")
ROUNDS, AT_ONCE = 40, 5
STEPS = 12
LONGEST_S = 0.3
FIRST_OUTPUT_S = 30.0  # within which it comes on the slowest machine
BOUND_S = 18.0


def write_plan(h, name):
    path = h.path(name)
    with open(path, "w", encoding="utf-8") as out:
        json.dump({"kind": "plan_and_commands", "summary": "Count", "steps": [
            {"id": str(i), "description": "Say", "shell_command":
             "echo step %d" % i} for i in range(1, STEPS + 1)]}, out)
    return path


def start(h, plan):
    with open(plan + ".err", "w", encoding="utf-8") as err:
        return subprocess.Popen(
            [AI, "do", "--yes", "-o", "jsonl", "--plan", plan], cwd=h.work,
            env=h.env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=err)


def read_until(fronts, moments):
    """What each front printed until its moment, when it is killed: seconds
    after it began, and of every second one, after its first output."""
    outputs = {f: b"" for f in fronts}
    began = time.monotonic()
    alive = {f: began + moment + (FIRST_OUTPUT_S if i % 2 else 0)
             for i, (f, moment) in enumerate(zip(fronts, moments))}
    waits = dict(zip(fronts[1::2], moments[1::2]))
    while alive:
        soonest = min(alive, key=alive.get)
        left = alive[soonest] - time.monotonic()
        if left <= 0:
            soonest.kill()
            del alive[soonest]
            continue
        for fd in select.select([f.stdout for f in alive], [], [], left)[0]:
            front = next(f for f in alive if f.stdout is fd)
            data = os.read(fd.fileno(), 65536)
            outputs[front] += data
            if front in waits:
                alive[front] = time.monotonic() + waits.pop(front)
            if not data:
                del alive[front]
    for f in fronts:
        outputs[f] += f.stdout.read()
        f.stdout.close()
        f.wait()
    return outputs


def acknowledged(text):
    """(kind, step) of each row that the lines printed stand for."""
    for line in text.split(b"\n")[:-1]:
        event = json.loads(line)
        if "kind" in event:
            yield "plan", None
        elif event["event"] == "output":
            yield "step", event["step_id"]
        elif event["event"] == "step_complete":
            yield "result", event["step_id"]
        elif event["event"] == "plan_complete":
            yield "end", None


def complaints(h, plans):
    """What fronts said on standard error, by plan."""
    texts = {plan: h.read(plan + ".err") for plan in plans}
    return {plan: text for plan, text in texts.items() if text}


def is_unkept(text):
    return "record" in text or "journal" in text


def log(h, *words):
    return h.run([AI, "log", *words])


def state(h):
    return os.path.join(h.env["XDG_STATE_HOME"], "agentsh")


def rows(h, run):
    out = set()
    for line in log(h, "-o", "jsonl", run).out.splitlines():
        row = json.loads(line)
        out.add((row["kind"], row["event"].get("id")))
    return out


def main():
    t = tap.Tap()
    chance = random.Random(os.environ.get("SEED", "3"))
    began = time.monotonic()
    outputs, killed = {}, 0
    with home.Home() as h:
        while killed < ROUNDS * AT_ONCE and (
                time.monotonic() - began < BOUND_S):
            plans = [write_plan(h, "plan-%d.json" % (killed + i))
                     for i in range(AT_ONCE)]
            fronts = [start(h, p) for p in plans]
            moments = [chance.uniform(0, LONGEST_S) for _ in fronts]
            texts = read_until(fronts, moments)
            outputs.update({p: texts[f] for p, f in zip(plans, fronts)})
            killed += AT_ONCE
        lines = sum(text.count(b"\n") for text in outputs.values())
        t.ok(lines >= killed // AT_ONCE * (AT_ONCE // 2),
             "fronts that are killed have printed something",
             "%d lines of %d" % (lines, killed))
        checked = log(h, "--verify")
        t.ok(checked.status == 0, "the chain holds after %d kills" % killed,
             checked.out + checked.err)
        # to say so is no lie, but a machine that is busy is no reason
        spoken = complaints(h, outputs)
        unkept = [p for p in spoken if is_unkept(spoken[p])]
        t.ok(not unkept, "no front says that it is not recorded", spoken)
        runs = {r["text"]: r["run"] for r in map(json.loads, log(
            h, "-o", "jsonl", "-n", str(killed + 1)).out.splitlines())}
        lost = []
        for plan, text in outputs.items():
            wanted = set() if plan in unkept else set(acknowledged(text))
            have = rows(h, runs[plan]) if plan in runs and wanted else set()
            lost += [(plan, w) for w in wanted - have]
        t.ok(not lost, "nothing that was printed is missing",
             lost[:5], spoken, os.listdir(state(h)))
        done = h.run([AI, "do", "--yes", "--plan", write_plan(h, "last.json")])
        t.ok(done.status == 0 and "record" not in done.err,
             "the next run is kept as before", done.err)
    t.done()


if __name__ == "__main__":
    main()
