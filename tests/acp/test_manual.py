#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test_manual.py - the conversations of agentsh-protocols(7) take place as they
stand there, with the offline engine.

A message begins with "> " (to the agent) or "< " (from it), and goes on in
lines that begin with blanks. "..." fits anything; DIR, VERSION and SESSION with
a number are what they were the first time.
"""

import json
import os
import re
import sys

import editor

import home  # noqa: E402
import piped  # noqa: E402
import tap  # noqa: E402

PAGE = os.path.join(home.SRCDIR, "man", "agentsh-protocols.7")
EXAMPLES = ("settings.json", "acp.json")
MCP = "THE MODEL CONTEXT PROTOCOL"  # tests/mcp/test_server_manual.py


def literals(text):
    """The literal displays of a page, as they are printed."""
    for block in re.findall(r"^\.Bd -literal.*?\n(.*?)^\.Ed$", text,
                            re.MULTILINE | re.DOTALL):
        yield block.replace("\\e", "\\")


def section(text, name):
    """The text of a section of the page."""
    return re.search(r"^\.Sh %s\n.*?(?=^\.Sh )" % name, text,
                     re.MULTILINE | re.DOTALL)[0]


def messages(block):
    """(">" or "<", message) of a display; none of one that shows other text."""
    for head, rest in re.findall(r"^([<>]) (.*(?:\n .*)*)", block,
                                 re.MULTILINE):
        text = "".join(line.strip() for line in rest.split("\n"))
        yield head, json.loads(text)


class Names:
    """What the words of the page stand for."""

    def __init__(self, place, version):
        self.known = {"DIR": place.work, "VERSION": version}

    def fill(self, value):
        """A message of the page as it is sent."""
        if isinstance(value, dict):
            return {k: self.fill(v) for k, v in value.items()}
        if isinstance(value, list):
            return [self.fill(v) for v in value]
        return self.known.get(value, value) if isinstance(value, str) else value

    def fit(self, told, seen):
        """Whether a message is what the page says."""
        if told == "..." or told == ["..."]:
            return True
        if isinstance(told, dict):
            return isinstance(seen, dict) and told.keys() == seen.keys() \
                and all(self.fit(told[k], seen[k]) for k in told)
        if isinstance(told, list):
            return isinstance(seen, list) and len(told) == len(seen) \
                and all(map(self.fit, told, seen))
        if isinstance(told, str) and re.fullmatch(r"SESSION\d*", told):
            return self.known.setdefault(told, seen) == seen
        return self.fill(told) == seen


def is_progress(message):
    """An update that comes only on a slow machine."""
    update = message.get("params", {}).get("update", {})
    return update.get("sessionUpdate") == "agent_thought_chunk" or \
        (update.get("status") == "in_progress" and "content" in update)


class Agent(piped.Piped):
    """The program of the page, line by line."""

    def __init__(self, place, verb):
        super().__init__(place, [home.program("agentsh"), verb])

    def send(self, message):
        self.write(json.dumps(message).encode() + b"\n")

    def next(self, seconds=editor.PATIENCE):
        """Its next message; None: it sends none, or has ended."""
        line = self.next_line(seconds)
        if line is None:
            return None
        message = json.loads(line)
        return self.next(seconds) if is_progress(message) else message

    def close(self):
        """Ends it as an editor does; its status, and what it still sent."""
        self.end_input()
        last = self.next()
        return super().close(), last


def short(message):
    return json.dumps(message)[:60]


def end(t, agent):
    if agent:
        t.is_(agent.close(), (0, None), "and it sends nothing else")


def converse(t, place, blocks, verb):
    """Each conversation begins with initialize, or server/discover."""
    version = place.run([home.program("agentsh"), "--version"]).out.split()[-1]
    names, agent = Names(place, version), None
    for head, told in (m for block in blocks for m in messages(block)):
        if told.get("method") in ("initialize", "server/discover"):
            end(t, agent)
            agent = Agent(place, verb)
        if head == ">":
            agent.send(names.fill(told))
            continue
        seen = agent.next()
        if not names.fit(told, seen):
            t.is_(seen, names.fill(told), "it sends %s" % short(told))
            agent.close()
            return
        t.ok(True, "it sends %s" % short(told))
    end(t, agent)


def fits_nothing_else(t):
    with home.Home() as place:
        names = Names(place, "1")
        told = {"a": ["SESSION", "..."], "b": "VERSION"}
        t.ok(names.fit(told, {"a": ["x", 5], "b": "1"}), "a message fits")
        for wrong in ({"a": ["y", 5], "b": "1"}, {"a": ["x", 5], "b": "2"},
                      {"a": ["x"], "b": "1"}, {"a": ["x", 5]},
                      {"a": ["x", 5], "b": "1", "c": 1}, None):
            t.ok(not names.fit(told, wrong), "%s does not" %
                 json.dumps(wrong))


def snippets(t, text):
    """Settings that are JSON name the command, which is there."""
    for name in EXAMPLES:
        block = next(literals(text[text.index(name):]))
        agent = json.loads(block)["agent_servers"]["agentsh"]
        t.ok(agent["command"].endswith("agentsh") and agent["args"] == ["acp"],
             "%s starts agentsh acp" % name)


def main():
    t = tap.Tap()
    with open(PAGE, encoding="utf-8") as page:
        text = page.read()
    own = text.replace(section(text, MCP), "").split(".Sh THE GUEST AGENT")[0]
    fits_nothing_else(t)
    snippets(t, own)
    with home.Home() as place:
        place.env["AGENTSH_PROVIDER"] = "offline"
        for name in ("notes.txt", "old.log", "new.log"):
            with open(place.path(name), "w", encoding="utf-8") as file:
                file.write("one\ntwo\n")
        converse(t, place, list(literals(own)), "acp")
        t.is_(sorted(os.listdir(place.work)), ["new.log", "notes.txt"],
              "what got a yes ran, and nothing else")
    t.done()


if __name__ == "__main__":
    sys.exit(main())
