# SPDX-License-Identifier: GPL-3.0-or-later
"""texts.py - faults in what the model says, on a wire that works."""

import json

from .answer import ACTIONS, HOSTILE, text_of
from .table import fault

GOOD = text_of("run")
WRONG = text_of("wrong")


@fault("answer", "a good answer_only", ran=False)
def answer(x):
    x.say(x.change(text=text_of("answer")))


@fault("run", "a good command_sequence of one step")
def run(x):
    x.say(x.change(text=GOOD))


@fault("do", "a good plan_and_commands of two steps")
def do(x):
    x.say(x.change(text=text_of("do")))


@fault("counted", "a good command_sequence, of which every token is counted")
def counted(x):
    x.say(x.change(text=GOOD, tokens_out=20, cached=600, written=300,
                   reasoned=8))


@fault("told", "a good answer_only, of which every token is counted",
       ran=False)
def told(x):
    x.say(x.change(text=text_of("answer"), tokens_out=20, cached=600,
                   written=300, reasoned=8))


@fault("wrong", "a valid plan with the wrong command (for scripts)")
def wrong(x):
    x.say(x.change(text=WRONG))


@fault("base", "the base answer as it is (for scripts)")
def base(x):
    x.say()


def spoil(name, what, text, exit=0, ran=None, wires="oagl"):
    """A row whose fault is a text made from the base answer's text."""
    @fault(name, what, exit=exit, ran=ran, wires=wires)
    def play(x):
        x.say(x.change(text=text(x.base.text)))


spoil("fenced", "the object in a fence",
      lambda t: "```json\n%s\n```" % t)
spoil("fenced-bare", "the object in a fence without a language",
      lambda t: "```\n%s\n```\n" % t)
spoil("fenced-prose", "prose, a fenced object, prose",
      lambda t: "Sure! This does it:\n\n```json\n%s\n```\n\nTell me if "
                "{it} fails." % t)
spoil("prose-around", "prose with braces of other kinds around the object",
      lambda t: "Use {a,b} or ${HOME} in {plan}: %s That is all {really}."
                % t)
spoil("other-fence", "a fence without an object before the one that has it",
      lambda t: "```sh\necho wrong >> ran.txt\n```\n```json\n%s\n```" % t)
spoil("two-objects", "a second plan after the first: none counts", exit=4,
      text=lambda t: "%s\n%s" % (t, WRONG))
spoil("pretty", "the object indented over many lines",
      lambda t: json.dumps(json.loads(t), indent=4))
spoil("bom-text", "a byte order mark before the object",
      lambda t: "\ufeff" + t)
spoil("prose", "words only: nothing to run", ran=False,
      text=lambda t: "You could sort them by size; shall I?")
spoil("prose-fence", "a command in a fence, but no object", ran=False,
      text=lambda t: "Run this:\n```sh\necho wrong >> ran.txt\n```\n")
spoil("raw-newline", "a raw newline inside a string", exit=4,
      text=lambda t: t.replace(" >>", "\n>>", 1))
spoil("trailing-comma", "a comma before the closing brace", exit=4,
      text=lambda t: t[:-1] + ",}")
spoil("unclosed", "the last brace is missing", exit=4,
      text=lambda t: t[:-1])
spoil("broken-then-good", "an object that does not parse, then a good one",
      exit=4, text=lambda t: '{"kind": command}\n' + t)
spoil("empty", "an empty text", exit=4, text=lambda t: "")
spoil("blank", "a text of blanks", exit=4, text=lambda t: " \n\t \n")
spoil("no-object", "the empty object", exit=4, text=lambda t: "{}")
spoil("list", "a list of steps instead of an object", exit=4,
      text=lambda t: json.dumps(json.loads(t)["steps"]))


def with_step(text, **fields):
    """The object with fields of its first step changed."""
    value = json.loads(text)
    value["steps"][0].update(fields)
    return json.dumps(value, ensure_ascii=False)


spoil("bad-kind", "a kind that does not exist", exit=4,
      text=lambda t: t.replace("command_sequence", "commands"))
spoil("wrong-case", "Kind where kind is meant", exit=4,
      text=lambda t: t.replace('"kind"', '"Kind"'))
spoil("no-id", "a step without id", exit=4,
      text=lambda t: t.replace('"id"', '"nr"'))
spoil("bad-type", "a command that is a list", exit=4,
      text=lambda t: with_step(t, shell_command=["echo", "wrong"]))
spoil("duplicate-keys", "a step with two commands under one name", exit=4,
      text=lambda t: t.replace(
          '"shell_command"',
          '"shell_command": "echo wrong >> ran.txt", "shell_command"'))
spoil("same-ids", "two steps with one id", exit=4,
      text=lambda t: json.dumps({**json.loads(t), "steps":
                                 json.loads(t)["steps"] * 2}))
spoil("many-steps", "33 steps", exit=4,
      text=lambda t: json.dumps({**json.loads(t), "steps": [
          {"id": str(n), "description": "d",
           "shell_command": "echo wrong >> ran.txt"} for n in range(33)]}))
spoil("long-command", "a command of 17 KiB", exit=4,
      text=lambda t: with_step(t, shell_command="echo wrong >> ran.txt #"
                               + "x" * 17408))
spoil("nul", "a NUL in the command", exit=4,
      text=lambda t: t.replace("ran.txt", "ran.txt\\u0000"))
spoil("deep", "an unknown field nested 600 deep", exit=4,
      text=lambda t: t[:-1] + ',"x":' + "[" * 600 + "]" * 600 + "}")
spoil("no-tool", "a step that names a tool that does not exist", exit=4,
      text=lambda t: with_step(t, tool="no.such", action="x", args={}))
spoil("nulls", "null for what is optional, and fields that nobody knows",
      text=lambda t: with_step(t, working_directory=None, is_destructive=None,
                               mood="fine"))
spoil("answer-with-steps", "answer_only with steps: they are dropped",
      ran=False, text=lambda t: json.dumps(
          {**ACTIONS["wrong"], "kind": "answer_only"}))

# Reasoning is never searched for an action, wherever it stands.
spoil("think-tags", "a think block with a plan of its own before the answer",
      lambda t: "<think>\nPerhaps %s\n</think>\n%s" % (WRONG, t))
spoil("think-close", "reasoning with only the closing tag",
      lambda t: "Perhaps %s\n</think>\n\n%s" % (WRONG, t))
spoil("think-two", "two think blocks before the answer",
      lambda t: "<think>%s</think> <think>%s</think>%s" % (WRONG, WRONG, t))
spoil("think-open", "a think block that never ends", exit=4,
      text=lambda t: "<think>\nPerhaps " + WRONG)
spoil("think-only", "a think block and nothing after it", exit=4,
      text=lambda t: "<think>%s</think>\n" % WRONG)


@fault("think-field", "reasoning in the provider's own field")
def think_field(x):
    x.say(x.change(reasoning="Perhaps " + WRONG))


@fault("think-field-only", "reasoning in its field, and no text", exit=4)
def think_field_only(x):
    x.say(x.change(reasoning="Perhaps " + WRONG, text="", content=False))


@fault("think-pieces", "a think block, its tags split between events")
def think_pieces(x):
    x.say(x.change(text="<think>%s</think>%s" % (WRONG, x.base.text),
                   pieces=1))


@fault("missing", "the place of the text is not there", exit=4)
def missing(x):
    x.say(x.change(text="", content=False))


@fault("no-choices", "an empty list of choices", exit=4)
def no_choices(x):
    x.say(x.change(text="", choices=False))


def say_by_tool(x, text):
    """The answer's own tool, where no other could be meant."""
    if x.wire.told(x.request):  # the answer's own tool comes without a schema
        x.fail("bad", "structured output is not for this model")
        return
    free = x.wire.offered(x.request) and not x.wire.forced_tool(x.request)
    x.say(x.change(tool=not free, text=text))


@fault("tool-empty", "a tool call with empty arguments", exit=4,
       requests=(1, 4))
def tool_empty(x):
    say_by_tool(x, "")


@fault("tool-broken", "a tool call whose arguments are cut", exit=4,
       wires="oa", requests=(1, 4))
def tool_broken(x):
    say_by_tool(x, WRONG[:-2])


@fault("cut", "cut in the middle by the token limit", exit=4)
def cut(x):
    x.say(x.change(text=WRONG[:len(WRONG) * 2 // 3], finish="length"))


@fault("cut-whole", "cut by the token limit, yet it parses", exit=4)
def cut_whole(x):
    x.say(x.change(text=WRONG, finish="length"))


@fault("cut-stop", "cut in the middle; the server says stop", exit=4)
def cut_stop(x):
    x.say(x.change(text=WRONG[:len(WRONG) * 2 // 3],
                   tokens_out=x.max_tokens()))


@fault("cut-stop-whole", "as many tokens as allowed; the server says stop",
       exit=4)
def cut_stop_whole(x):
    x.say(x.change(text=WRONG, tokens_out=x.max_tokens()))


@fault("refusal", "the model declines, in the provider's own shape", exit=3,
       wires="oag")
def refusal(x):
    x.say(x.change(text="", refusal="I cannot help with that wish.",
                   finish="refusal"))


@fault("hostile-refusal", "a refusal with escape sequences in it", exit=3,
       wires="oag")
def hostile_refusal(x):
    x.say(x.change(text="", refusal=HOSTILE, finish="refusal"))


@fault("hostile-model", "a model whose name has escape sequences in it")
def hostile_model(x):
    x.say(x.change(model=HOSTILE))


@fault("hostile-words", "a plan with escape sequences in its words", ran=True)
def hostile_words(x):
    plan = json.loads(x.base.text)
    plan["summary"] += HOSTILE
    plan["steps"][0]["description"] += HOSTILE
    x.say(x.change(text=json.dumps(plan)))


@fault("safety", "a filter ends the answer after a whole plan", exit=3,
       wires="oag")
def safety(x):
    x.say(x.change(text=WRONG, finish="filter"))
