#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test_stopping.py - what comes while the agent of a task that was stopped or
completed is still ending: it is done afterwards, and the last word counts."""

import os
import signal
import sqlite3

from gatewayclient import Gateway

import home  # noqa: E402
import tap  # noqa: E402

ENDS = {"orchestrator.stop": "cancelled", "orchestrator.complete": "completed"}
FIRST = "hang, and stay"


class Stopped:
    """A task that was stopped, whose agent goes on until it is let go."""

    def __init__(self, g, c, end, description=FIRST, **more):
        self.g, self.c = g, c
        self.directory = g.place.folder("d%d" % len(os.listdir(g.place.root)))
        self.task = c.create(description=description,
                             directory=self.directory, **more)
        self.ask("orchestrator.trigger")
        tap.poll(self.begun)
        if description.startswith("ask"):
            tap.poll(self.questions)
        if end:
            self.ask(end)

    def ask(self, action, **more):
        return self.c.ask(action, task_id=self.task, **more)

    def get(self):
        return self.c.ask("task.get", id=self.task)

    def prompts(self):
        return [x["prompt"] for x in self.ask("prompt.list")["prompts"]]

    def questions(self):
        return self.ask("permission.list")["permissions"]

    def begun(self):
        return [row[2] for row in self.g.agents_log()
                if row[:2] == ("begin", self.task)]

    def let_go(self):
        with open(os.path.join(self.directory, "leave"), "w",
                  encoding="utf-8"):
            pass

    def ended(self):
        """Whether nothing runs any more, or is to."""
        def rest():
            s = self.c.ask("orchestrator.status")
            return s["active_agents"] + s["queued_tasks"] == 0
        return tap.poll(rest)


def check_after(t, g, c, end):
    one = Stopped(g, c, end)
    t.is_((one.get()["state"], one.prompts()), (ENDS[end], []),
          "%s: the task is %s at once" % (end, ENDS[end]))
    t.is_(c.refused("orchestrator.start", task_id=one.task)[1],
          "Failed to start task: it is being stopped",
          "it is not started while its agent ends")
    one.ask("orchestrator.prompt", prompt="second")
    one.ask("orchestrator.prompt", prompt="third")
    t.is_(one.get()["state"], "queued", "a prompt takes it up again")
    one.let_go()
    t.is_(c.state(one.task, "idle")["usage"]["turns"], 3,
          "when its agent has ended")
    t.is_((one.begun(), one.prompts()), ([FIRST, "second", "third"], []),
          "with each prompt, once")
    one = Stopped(g, c, end)
    one.ask("orchestrator.trigger")
    t.is_(one.get()["state"], "queued", "so does a trigger")
    one.let_go()
    t.is_(tap.poll(lambda: one.begun() == [FIRST] * 2 and one.begun()),
          [FIRST] * 2, "which tells the agent the task again")
    one.ask("orchestrator.stop")
    t.ok(one.ended(), "and that is stopped, too")


def check_last(t, g, c, end):
    for last, state, left in (("orchestrator.stop", "cancelled", ["second"]),
                              ("orchestrator.complete", "completed", [])):
        one = Stopped(g, c, end)
        one.ask("orchestrator.prompt", prompt="second")
        one.ask(last)
        t.is_((one.get()["state"], one.prompts()), (state, left),
              "%s, a prompt, %s: the last counts" % (end, last))
        one.let_go()
        t.ok(one.ended(), "its agent ends")
        t.is_((one.get()["state"], one.prompts(), one.begun()),
              (state, left, [FIRST]), "and it stays so")
    one = Stopped(g, c, end)
    got = one.ask("orchestrator.prompt", prompt="second")
    one.ask("prompt.remove", prompt_id=got["prompt_id"])
    one.let_go()
    t.ok(one.ended(), "a prompt that is taken back is not done")
    t.is_((one.get()["state"], one.prompts(), one.begun()),
          ("idle", [], [FIRST]), "its task stays idle")
    one = Stopped(g, c, end)
    one.ask("orchestrator.stop", force=True)
    t.ok(one.ended(), "what does not end is ended by force")
    t.is_(one.get()["state"], ENDS[end], "its state stays")


def check_questions(t, g, c, end):
    one = Stopped(g, c, None, "ask, and stay")
    t.is_([x["request_id"] for x in one.questions()], ["p1"], "a question")
    c.ask("task.subscribe", task_id=one.task, after=one.get()["last_seq"])
    one.ask(end)
    c.note(lambda a, p: a == "acp.permissionWithdrawn")
    check_withdrawn(t, one, end)


def check_withdrawn(t, one, why):
    t.is_((one.questions(), one.get()["waiting"]), ([], 0),
          "%s: the question is withdrawn at once" % why)
    t.is_(one.c.refused("task.respond", task_id=one.task, request_id="p1",
                        option_id="yes"),
          ("FORBIDDEN", "the question was withdrawn"),
          "and no answer is taken")
    one.let_go()
    t.ok(one.ended(), "its agent ends")
    t.is_([row for row in one.g.agents_log() if row[:2] ==
           ("answer", one.task)], [], "without one")


def check_over(t, g, c):
    """A turn that is cancelled for a limit."""
    one = Stopped(g, c, None, "ask, and stay", limits={"minutes": 0.005})
    c.ask("task.subscribe", task_id=one.task, after=0)
    c.note(lambda a, p: a == "acp.error")
    check_withdrawn(t, one, "a limit")
    t.is_(one.get()["state"], "failed", "its task fails")


def check_left(t, g, c):
    """An agent that ends by itself between two turns."""
    one = Stopped(g, c, None, "leave, and stay")
    c.state(one.task, "idle")
    one.ask("orchestrator.prompt", prompt="second")
    t.is_(c.state(one.task, "running")["state"], "running",
          "a prompt for an agent that ends by itself")
    one.let_go()
    t.is_(tap.poll(lambda: c.state(one.task, "idle")["state"] == "idle" and
                   one.begun()[1:]), ["second"], "is done by another one")
    t.is_((one.get()["usage"]["turns"], one.prompts()), (2, []), "once")


def check_killed(t, place, end):
    """A gateway that is killed while an agent ends."""
    with Gateway(place) as g, g.client() as c:
        ones = [Stopped(g, c, end) for _ in range(3)]
        ones[0].ask("orchestrator.prompt", prompt="second")
        ones[1].ask("orchestrator.trigger")
        g.close(signal.SIGKILL)
    with Gateway(place) as g, g.client() as c:
        for one in ones:
            one.g, one.c = g, c
        t.is_(c.state(ones[0].task, "idle")["state"], "idle",
              "%s, a prompt, killed: the next gateway goes on" % end)
        t.is_(ones[0].begun(), [FIRST, "second"], "with the prompt alone")
        t.is_(tap.poll(lambda: ones[1].begun() == [FIRST] * 2 and
                       ones[1].begun()), [FIRST] * 2, "so it is by a trigger")
        ones[2].ask("orchestrator.prompt", prompt="late")
        c.state(ones[2].task, "idle")
        t.is_(ones[2].begun(), [FIRST, "late"],
              "what was stopped before is not done again")
        ones[1].let_go()
        ones[1].ask("orchestrator.stop")
        t.ok(ones[1].ended(), "nothing else runs")
    db = sqlite3.connect(os.path.join(place.env["XDG_STATE_HOME"], "agentsh",
                                      "gateway.db"))
    t.is_(db.execute("SELECT text FROM prompt").fetchall(), [],
          "no prompt is left")
    db.close()


def main():
    t = tap.Tap()
    with home.Home() as place:
        with Gateway(place) as g, g.client() as c:
            for end in ENDS:
                check_after(t, g, c, end)
                check_last(t, g, c, end)
                check_questions(t, g, c, end)
            check_over(t, g, c)
            check_left(t, g, c)
    for end in ENDS:
        with home.Home() as place:
            check_killed(t, place, end)
    t.done()


if __name__ == "__main__":
    main()
