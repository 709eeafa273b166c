# SPDX-License-Identifier: GPL-3.0-or-later
"""answer.py - what the model says, before a wire format frames it.

GOOD appends the word "good" to ran.txt in the working directory, WRONG the
word "wrong": a test needs to look at one file to know what was run. The words
for people hold letters of two, three and four UTF-8 bytes, so that a byte
lost or split on the way shows.
"""

import dataclasses
import json


def action(kind, summary, *commands):
    """An AiAction with one step a command."""
    act = {"kind": kind, "summary": summary}
    if commands:
        act["steps"] = [
            {"id": "step%d" % n, "description": "Step %d, façade 手 🙂" % n,
             "shell_command": command}
            for n, command in enumerate(commands, 1)]
    return act


# Words that would clear the screen, name the window, colour the rest, begin a
# line of our own, turn the writing round and hide.
HOSTILE = "no\x1b[2J\x1b]0;title\x07 \x9b31m\r\nai: all is well\u202e \u200b"

ACTIONS = {
    "answer": action("answer_only", "Naïve 手 🙂: it sorts lines."),
    "run": action("command_sequence", "Note à la 手 🙂 that it ran",
                  "echo good >> ran.txt"),
    "do": action("plan_and_commands", "Note à la 手 🙂 that it ran twice",
                 "echo good >> ran.txt", "printf '%s\\n' finished"),
    "wrong": action("command_sequence", "This must never be run",
                    "echo wrong >> ran.txt"),
}


def text_of(name):
    return json.dumps(ACTIONS[name], ensure_ascii=False)


@dataclasses.dataclass
class Call:
    """A call that the model wants made."""
    name: str
    args: str                # JSON, or what a model takes for it
    id: str = ""             # "": the server gives none

    def value(self):
        """The arguments where a wire has them as a value."""
        try:
            return json.loads(self.args)
        except ValueError:
            return self.args


@dataclasses.dataclass
class Answer:
    """One answer; a wire format turns it into events or into one body."""
    text: str
    reasoning: str = ""      # in the provider's own place for it
    finish: str = "stop"     # stop, length, refusal, filter, tool, "" none
    pieces: int = 16         # characters of text an event
    content: bool = True     # False: the text's place is missing
    choices: bool = True     # False: the list of answers is empty
    tool: bool = False       # the text comes as a tool call's arguments
    calls: tuple = ()        # Call of the tools that were offered
    blocks: tuple = ()       # raw content; None stands for the next call
    details: tuple = ()      # OpenRouter's reasoning_details
    refusal: str = ""        # the words of a refusal
    done: bool = True        # the marker after the finish reason
    tokens_in: int = 42
    tokens_out: int = 0      # 0: guessed from the text
    cached: int = 0          # tokens in that came from a cache …
    written: int = 0         # … or were written to one
    reasoned: int = 0        # tokens out that are reasoning
    delay_ms: int = 0        # before each event
    model: str = "fault"

    def cut(self):
        """The text as it is streamed."""
        return [self.text[i:i + self.pieces]
                for i in range(0, len(self.text), self.pieces)]

    def spoken(self):
        """What stands where a wire without refusals of its own has text."""
        return [self.refusal] if self.refusal else self.cut()

    def usage(self):
        """Tokens in and out."""
        return (self.tokens_in + self.cached + self.written,
                self.tokens_out or len(self.text) // 4 + 1)
