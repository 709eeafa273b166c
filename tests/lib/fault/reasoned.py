# SPDX-License-Identifier: GPL-3.0-or-later
"""reasoned.py - answers whose text holds a plan that is none of theirs: in
reasoning, in the marks of every model, whole and broken; or beside another.

In each row "wrong" stands where nothing may be taken from. The texts arrive a
few characters at a time, so that marks are cut between events.
"""

import json

from .answer import ACTIONS, text_of
from .table import fault

WRONG = text_of("wrong")
SAID = text_of("answer")


def reasoned(name, what, text, exit=0, ran=None, wires="o"):
    """A row with a text that is made from the base answer's."""
    @fault(name, what, exit=exit, ran=ran, wires=wires)
    def play(x):
        x.say(x.change(text=text(x.base.text), pieces=5))


def marks(name, what, before, after, wires="o"):
    """Rows with these marks: whole, never closed, never opened."""
    reasoned("marks-" + name, "reasoning in %s" % what,
             lambda t: before + WRONG + after + t, wires=wires)
    reasoned("marks-" + name + "-open", "%s that is not closed" % what,
             lambda t: before + "Perhaps " + WRONG, exit=4)
    reasoned("marks-" + name + "-close", "%s that was not opened" % what,
             lambda t: "Perhaps " + WRONG + after + t)


marks("thinking", "<thinking>", "<thinking>", "</thinking>", wires="oagl")
marks("capitals", "<THINK>", "<THINK>\n", "</THINK>\n")
marks("reasoning", "<reasoning>", "<reasoning>", "</reasoning>")
marks("thought", "<thought>", "<thought>", "</thought>")
marks("attributes", "a tag with attributes", '<think effort="high" n=1>',
      "</think >")
marks("blanks", "a tag with blanks", "< think\n>", "< / think >")
marks("prefix", "<seed:think>", "<seed:think>", "</seed:think>")
marks("brackets", "[THINK]", "[THINK]", "[/THINK]", wires="oagl")
marks("triangles", "the triangles of Kimi", "\u25c1think\u25b7",
      "\u25c1/think\u25b7")
marks("wide", "wide brackets", "\uff1cthink\uff1e", "\uff1c/think\uff1e")
marks("escaped", "escaped brackets", "&lt;think&gt;", "&lt;/think&gt;")
marks("begin", "<|begin_of_thought|>", "<|begin_of_thought|>",
      "<|end_of_thought|>")
marks("cohere", "<|START_THINKING|>", "<|START_THINKING|>",
      "<|END_THINKING|>")
marks("gemma", "the channel of Gemma", "<|channel>thought\n", "<channel|>")
marks("harmony", "harmony's channels", "<|channel|>analysis<|message|>",
      "<|end|><|start|>assistant<|channel|>final<|message|>", wires="oagl")
marks("bare", "harmony's channels without their marks", "analysisUser asks. ",
      "assistantfinal")

reasoned("harmony-json", "a final message that says that it is JSON",
         lambda t: "<|channel|>final <|constrain|>json<|message|>%s<|return|>"
         % t)
reasoned("harmony-commentary", "a plan in the commentary alone", exit=4,
         text=lambda t: "<|channel|>commentary<|message|>%s<|end|>" % WRONG)
reasoned("harmony-call", "a plan in a call of harmony", exit=4,
         text=lambda t: "<|channel|>commentary to=functions.run <|constrain|>"
         "json<|message|>%s<|call|>" % WRONG)
reasoned("harmony-user", "a final message of somebody else", exit=4,
         text=lambda t: "<|start|>user<|channel|>final<|message|>" + WRONG)
reasoned("harmony-after", "a plan behind the end of the reasoning", exit=4,
         text=lambda t: "<|channel|>analysis<|message|>hm<|end|>" + WRONG)
reasoned("harmony-two", "two final messages that differ", exit=4,
         text=lambda t: "<|channel|>final<|message|>%s<|end|><|channel|>final"
         "<|message|>%s" % (t, WRONG))
reasoned("harmony-words", "reasoning, then words", ran=False,
         text=lambda t: "<|channel|>analysis<|message|>%s<|end|><|start|>"
         "assistant<|channel|>final<|message|>I cannot do it." % WRONG)
reasoned("harmony-end", "a plan and the mark that ends a turn",
         lambda t: t + "<|end|>")

reasoned("nested", "a block within a block",
         lambda t: "<think>a<think>b</think>%s</think>%s" % (WRONG, t))
reasoned("nested-open", "a block within a block that is not closed", exit=4,
         text=lambda t: "<think>a<think>b</think>" + WRONG)
reasoned("nested-kinds", "a block within another kind of block", exit=4,
         text=lambda t: "<think>a[THINK]b[/THINK]" + WRONG)
reasoned("crossed", "a block closed by another mark", exit=4,
         text=lambda t: "<think>hm</thinking>" + WRONG)
reasoned("half-closed", "a block whose end is cut", exit=4,
         text=lambda t: "<think>hm</think " + WRONG)
reasoned("half-opened", "a block whose beginning is cut", exit=4,
         text=lambda t: "<think " + WRONG)
reasoned("halves", "two halves of a mark around a block", exit=4,
         text=lambda t: "<thi<think>x</think>nk>" + WRONG)
reasoned("again-open", "a block that is opened again", exit=4,
         text=lambda t: "<think>hm</think><think>" + WRONG)
reasoned("behind", "reasoning behind the answer, not closed",
         lambda t: t + "\n<think>or " + WRONG)
reasoned("quoted", "a mark in a string of reasoning", exit=4,
         text=lambda t: '<think>{"end": "</think>"}' + WRONG)
reasoned("quoted-broken", "a mark in an object that is not whole",
         lambda t: '{"kind": "</think>' + t)
reasoned("quoted-file", "a file that closes the reasoning it is quoted in",
         lambda t: "<think>It says: </think>%s. No.</think>%s" % (WRONG, t))
reasoned("words-after", "a plan in reasoning, then words", ran=False,
         text=lambda t: "<think>%s</think>I cannot do it." % WRONG)
reasoned("words-open", "words, then reasoning that is not closed", ran=False,
         text=lambda t: "I cannot do it.<reasoning>" + WRONG)
reasoned("first-object", "an object in front that was reasoning",
         lambda t: "%s\n</think>\n%s" % (SAID, t))
reasoned("own-mark", "a mark in a string of the answer itself",
         lambda t: t.replace("ran.txt", "ran.txt; : '</think>'", 1)
         .replace("Note", "Note <think>", 1))

reasoned("two-differ", "two plans that differ", exit=4, wires="oagl",
         text=lambda t: "%s\n%s" % (WRONG, t))
reasoned("two-fences", "two plans that differ, in fences", exit=4,
         text=lambda t: "```json\n%s\n```\nor\n```json\n%s\n```" % (t, WRONG))
reasoned("two-fenced", "a plan, and another in a fence", exit=4,
         text=lambda t: "%s\n```json\n%s\n```" % (WRONG, t))
reasoned("two-kinds", "words as an object, and a plan", exit=4,
         text=lambda t: SAID + WRONG)
reasoned("two-in-list", "a plan, and another in a list", exit=4,
         text=lambda t: "%s [%s]" % (t, WRONG))
reasoned("two-inside", "a plan, and another inside an object", exit=4,
         text=lambda t: '%s {"old": {"plan": %s}}' % (t, WRONG))
reasoned("two-broken", "a plan, and another in a broken object", exit=4,
         text=lambda t: '%s {"old": ... %s' % (t, WRONG))
reasoned("two-equal", "one plan twice",
         lambda t: "%s\n```json\n%s\n```"
         % (t, json.dumps(json.loads(t), indent=2, sort_keys=True)))
reasoned("many-objects", "more objects than anybody means", exit=4,
         text=lambda t: t + '{"kind": "x"}' * 100)
reasoned("other-object", "an object beside that is no plan",
         lambda t: '%s {"kind": "note", "steps": %s}'
         % (t, json.dumps(ACTIONS["wrong"]["steps"])))
