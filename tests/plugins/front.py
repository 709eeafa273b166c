# SPDX-License-Identifier: GPL-3.0-or-later
"""front.py - the front's part of the plugin contract, for tests of plugins.

A plugin is started with one request and its need events are answered: only a
program that the manifest names under "privileged" is run, as the front would.
"""

import json
import os
import subprocess
import sys
import threading

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))

import home  # noqa: E402

SECONDS = 60
REFUSED = {"exit_code": -1, "stdout": "", "stderr": "not today",
           "error_code": "PERMISSION_DENIED"}


def manifest(tool):
    path = os.path.join(home.SRCDIR, "plugins", tool, "plugin.json")
    with open(path, encoding="utf-8") as f:
        return json.load(f)


class Front:
    """Calls one tool. `may` says whether a program, by its path, is one that
    the manifest names; `before` is put before every argv (a chroot)."""

    def __init__(self, tool, env, before=(), refuses=False, by_base=False):
        self.tool = tool
        self.env = env
        self.before = before
        self.refuses = refuses
        named = manifest(tool)["needs"]["privileged"]
        self.named = {os.path.basename(n) for n in named} if by_base else \
            set(named)
        self.by_base = by_base
        self.program = os.path.join(home.BUILDDIR, "plugins", tool, tool)
        self.needs = []   # the argv of each need of the last call
        self.events = []  # its output events

    def run(self, argv):
        name = os.path.basename(argv[0]) if self.by_base else argv[0]
        if name not in self.named:
            return {"exit_code": -1, "stdout": "", "error_code":
                    "INVALID_ARGS", "stderr": argv[0] + " is not declared"}
        if self.refuses:
            return REFUSED
        done = subprocess.run([*self.before, *argv], env=self.env, cwd="/",
                              stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=SECONDS, check=False)
        return {"exit_code": done.returncode,
                "stdout": done.stdout.decode("utf-8", "replace"),
                "stderr": done.stderr.decode("utf-8", "replace")}

    def say(self, plugin, message):
        plugin.stdin.write(json.dumps(message).encode() + b"\n")
        plugin.stdin.flush()

    def call(self, action, args, **more):
        """The response, an object; {} when there was none."""
        self.needs, self.events = [], []
        plugin = subprocess.Popen(
            [*self.before, self.program], env=self.env, cwd="/",
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        timer = threading.Timer(SECONDS, plugin.kill)
        timer.start()
        try:
            self.say(plugin, dict(tool=self.tool, action=action, args=args,
                                  **more))
            return self.listen(plugin)
        finally:
            timer.cancel()
            plugin.stdin.close()
            plugin.stdout.close()
            plugin.wait()

    def listen(self, plugin):
        for line in plugin.stdout:
            message = json.loads(line)
            if message.get("event") == "need":
                self.needs.append(message["argv"])
                self.say(plugin, self.run(message["argv"]))
            elif "event" in message:
                self.events.append(message)
            else:
                return message
        return {}
