# SPDX-License-Identifier: GPL-3.0-or-later
"""talk.py - an editor and an agent whose model gives answers of the test."""

import json
import os

from editor import Editor

import faults  # noqa: E402
from fault.server import Server  # noqa: E402


def step(number, command, **more):
    return {"id": str(number), "description": "Step %d" % number,
            "shell_command": command, **more}


def act(*steps, summary="A plan"):
    return {"text": json.dumps({"kind": "command_sequence",
                                "summary": summary, "steps": list(steps)})}


def say(text="All done."):
    return {"text": json.dumps({"kind": "answer_only", "summary": text})}


class Talk:
    """An editor, and an agent whose model gives these answers in turn."""

    def __init__(self, *answers, **limits):
        self.server = Server(list(answers))
        self.place = faults.home_for("o", self.server.url, **limits)
        self.editor = self.start()

    def __enter__(self):
        self.editor.initialize()
        self.session = self.editor.new()
        return self

    def start(self, *options, **env):
        return Editor(self.place, *options, AGENTSH_PROVIDER="openai",
                      AGENTSH_MODEL="m", **env)

    def restart(self):
        """Another agent of the same person."""
        self.editor.close()
        self.editor = self.start()
        self.editor.initialize()

    def __exit__(self, *why):
        self.editor.close()
        self.place.done()
        self.server.stop()

    def prompt(self, text="do it"):
        return self.editor.request("session/prompt", {
            "sessionId": self.session,
            "prompt": [{"type": "text", "text": text}]})

    def statuses(self):
        """The last status of each tool call, in the order of their start."""
        seen = {}
        for u in self.editor.updates:
            u = u["update"]
            if u["sessionUpdate"] in ("tool_call", "tool_call_update"):
                seen[u["toolCallId"]] = u.get("status",
                                              seen.get(u["toolCallId"]))
        return list(seen.values())

    def path(self, name):
        return os.path.join(self.place.work, name)

    def sent(self, number):
        """The text of all messages of the model's nth request."""
        return json.dumps(self.server.requests[number]["body"])
