# SPDX-License-Identifier: GPL-3.0-or-later
"""blocks.py - turns of more than text and calls: thinking that must come back
as it was, in its order, and blocks that nobody knows."""

from .answer import Call
from .calls import LOOKS, may_call, pick
from .table import fault

# Two blocks of thinking, one of them without text as it comes when its
# display is omitted, and one that is hidden.
THOUGHTS = (
    {"type": "thinking", "thinking": "Where is it?", "signature": "c2lnMQ"},
    {"type": "thinking", "thinking": "", "signature": "c2lnMg=="},
    {"type": "redacted_thinking", "data": "aGlkZGVu"},
)
DETAILS = (
    {"type": "reasoning.text", "text": "Where is it?", "signature": "c2ln",
     "id": "r1", "format": "anthropic-claude-v1", "index": 0},
    {"type": "reasoning.encrypted", "data": "aGlkZGVu", "id": "r2",
     "format": "anthropic-claude-v1", "index": 1},
)


def thought(x, at, block):
    """The events of one block of THOUGHTS."""
    if block["type"] != "thinking":
        return x.wire.block(at, block)
    deltas = [{"type": "thinking_delta", "thinking": block["thinking"]}] \
        if block["thinking"] else []
    return x.wire.block(at, {"type": "thinking", "thinking": "",
                             "signature": ""}, *deltas,
                        {"type": "signature_delta",
                         "signature": block["signature"]})


def say_blocks(x, blocks, finish):
    """An Anthropic answer of these events."""
    events = x.events(x.change(text="", content=False, finish=finish))
    frames = [x.wire.frame(value) for value in blocks]
    x.stream(events[:2] + frames + events[2:])


def call_block(x, at):
    return x.wire.block(
        at, {"type": "tool_use", "id": "toolu_a", "name": pick(x),
             "input": {}},
        {"type": "input_json_delta", "partial_json": "{}"})


@fault("thoughts-come-back", "thinking, empty and hidden too, comes back raw "
       "and in order (hermes-agent#24107)", wires="a", requests=LOOKS)
def thoughts_come_back(x):
    if may_call(x):
        blocks = [value for at, block in enumerate(THOUGHTS)
                  for value in thought(x, at, block)]
        say_blocks(x, [*blocks, *call_block(x, len(THOUGHTS))], "tool")
        return
    turns = [m["content"] for m in x.wire.messages(x.request)
             if m["role"] == "assistant"]
    if turns and turns[0][:len(THOUGHTS)] != list(THOUGHTS):
        x.fail("bad", "messages.1.content.0: Invalid `signature` in "
               "`thinking` block")
    else:
        x.say()


@fault("details-come-back", "reasoning_details come back as they were",
       wires="o", requests=LOOKS)
def details_come_back(x):
    if may_call(x):
        chunks = [x.wire.chunk(x.base, {"role": "assistant", "content": "",
                                        "reasoning_details": [one]})
                  for one in DETAILS]
        rest = x.events(x.change(text="", finish="tool", calls=(
            Call(pick(x), "{}", "call_a"),)))
        x.stream(chunks + rest)
        return
    turns = [m for m in x.wire.messages(x.request)
             if m["role"] == "assistant"]
    if turns and turns[0].get("reasoning_details") != list(DETAILS):
        x.fail("bad", "Corrupted thought signature in reasoning_details")
    else:
        x.say()


@fault("same-look", "the same call again and again: the third ends the "
       "offers", requests=(1, 4))
def same_look(x):
    if not x.wire.offered(x.request):
        x.say()
        return
    x.say(x.change(text="", finish="tool", calls=(
        Call(pick(x), "{}", "call_%d" % len(x.wire.rounds(x.request))),)))


@fault("unknown-block", "a block that nobody knows is no call", wires="a")
def unknown_block(x):
    odd = x.wire.block(0, {"type": "server_tool_use", "id": "srv_1",
                           "name": "web_search", "input": {}},
                       {"type": "input_json_delta",
                        "partial_json": '{"query": "x"}'})
    newer = x.wire.block(1, {"type": "novelty", "text": "wrong"},
                         {"type": "novelty_delta", "text": "wrong"})
    text = x.wire.block(2, {"type": "text", "text": ""},
                        {"type": "text_delta", "text": x.base.text})
    say_blocks(x, [*odd, *newer, *text], "stop")


@fault("unknown-part", "a part that nobody knows is no call", wires="g")
def unknown_part(x):
    odd = {"executableCode": {"language": "PYTHON", "code": "wrong"}}
    x.stream([x.wire.frame(x.wire.response(x.base, [odd]))]
             + x.events())


@fault("gemini-signed-text", "a signature beside the last text", wires="g")
def gemini_signed_text(x):
    part = {"text": "", "thoughtSignature": "c2ln"}
    x.stream([x.wire.frame(x.wire.response(x.base, [{"text": x.base.text}])),
              x.wire.frame(x.wire.response(x.base, [part], "stop"))])

