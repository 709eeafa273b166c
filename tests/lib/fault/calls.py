# SPDX-License-Identifier: GPL-3.0-or-later
"""calls.py - a model that looks before it answers, well and badly.

A row refuses a schema that allows calls, so that the client offers tools in
the wire's own way. It calls them while the request offers some and holds no
result yet; then, or when nothing was offered, comes the base answer. So a client that looks
ends as well as one that does not. An AiAction's own tool ("answer") is none
to look with.
"""

import dataclasses

from .answer import Call
from .framing import inside_letters
from .table import fault
from .wire import dumps

LOOKS = (1, 4)     # requests: one that looks, one more, two more forms
FOREVER = (1, 13)  # as many rounds as a client allows, the last, one more form


def pick(x):
    """The tool that needs no arguments where it is offered, or the first."""
    names = x.wire.offered(x.request)
    return "sysinfo" if "sysinfo" in names or not names else names[0]


def refuse_schema(x):
    """Whether it was refused: it allows calls in the place of tools."""
    if not x.wire.told(x.request):
        return False
    x.fail("bad", "structured output is not for this model")
    return True


def is_told(x):
    """Whether tools are described in the prompt, and how to call them."""
    return '{\\"tool\\": \\"NAME\\"' in x.request.body.decode()


def may_call(x):
    return bool(x.wire.offered(x.request)) and not x.wire.rounds(x.request)


def calling(name, what, *calls, wires="oagl", shape=None, **fields):
    """A row with these calls; a Call without name is of what is offered."""
    @fault(name, what, wires=wires, requests=LOOKS)
    def play(x):
        if refuse_schema(x):
            return
        if not may_call(x):
            x.say()
            return
        made = tuple(dataclasses.replace(call, name=call.name or pick(x))
                     for call in calls)
        x.say(x.change(**{"text": "", "finish": "tool", "calls": made,
                          **fields}), shape)


def spoiling(name, what, *calls, wires="oagl", **fields):
    """A row whose calls no client may make; without an offer it is empty."""
    @fault(name, what, exit=4, wires=wires, requests=FOREVER)
    def play(x):
        if refuse_schema(x):
            return
        if not x.wire.offered(x.request):
            x.say(x.change(text=""))
            return
        made = tuple(dataclasses.replace(call, name=call.name or pick(x))
                     for call in calls)
        x.say(x.change(**{"text": "", "calls": made, **fields}))


LOOK = Call("", "{}", "call_a")
LETTERS = Call("", '{"path": "fa\u00e7ade \u624b \U0001f642"}', "call_a")

calling("call", "a call, then the answer", LOOK)
calling("call-text", "words beside a call", LOOK, text="I look first.")
calling("call-stop", "a call, and a finish reason that says stop", LOOK,
        finish="stop")
calling("call-two", "three calls at once", LOOK, Call("", "{}", "call_b"),
        Call("", '{"path": "/"}', "call_c"))
calling("call-unknown", "a tool that does not exist",
        Call("no_such_tool", "{}", "call_a"))
calling("call-odd-name", "a tool's name that is none",
        Call("rm -rf / \u202e", "{}", "call_a"), wires="ogl")
calling("call-empty", "a call without arguments", Call("", "", "call_a"))
calling("call-broken", "arguments that are no JSON",
        Call("", '{"path": "/et', "call_a"))
calling("call-list", "arguments that are a list", Call("", "[1]", "call_a"),
        wires="oal")
calling("call-no-id", "calls without ids", Call("", "{}"), Call("", "{}"),
        wires="o")
calling("call-same-id", "two calls with one id", LOOK, LOOK, wires="ogl")
calling("call-letters", "arguments cut within letters", LETTERS,
        shape=inside_letters, pieces=1)
spoiling("call-many", "20 calls at once",
         *(Call("", "{}", "call_%d" % n) for n in range(20)), finish="tool")
spoiling("call-long", "arguments of 70 KiB",
         Call("", dumps({"path": "x" * 71680}), "call_a"), finish="tool",
         pieces=4096)
spoiling("call-cut", "a call that is cut in the middle",
         Call("", '{"path": "/', "call_a"), finish="")
spoiling("call-limit", "a call that is cut by the token limit", LOOK,
         finish="length")


@fault("call-reasoned", "a call after reasoning, which must come back",
       wires="oal", requests=LOOKS)
def call_reasoned(x):
    if refuse_schema(x):
        return
    if may_call(x):
        x.say(x.change(text="", finish="tool", calls=(Call(pick(x), "{}", "call_a"),),
                       reasoning="Where is it?"))
    elif x.wire.rounds(x.request) and b"Where is it?" not in x.request.body:
        x.fail("bad", "the reasoning_content must be passed back")
    else:
        x.say()


THOUGHTS = (
    {"type": "thinking", "thinking": "One thing, fa\u00e7ade.",
     "signature": "c2lnbmF0dXJlLTE="},
    {"type": "redacted_thinking", "data": "ZW5jcnlwdGVk"},
    {"type": "thinking", "thinking": "", "signature": "c2lnbmF0dXJlLTI="},
    {"type": "text", "text": "I look first."},
)
LATER = {"type": "thinking", "thinking": "And another \u624b.",
         "signature": "c2lnbmF0dXJlLTM="}
FOREIGN = (
    {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search",
     "input": {"query": "x"}},
    {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1",
     "content": [{"type": "web_search_result", "url": "http://x/",
                  "title": "t", "encrypted_content": "e"}]},
    {"type": "mcp_tool_use", "id": "mcptoolu_1", "name": "run",
     "server_name": "s", "input": {"command": "x"}},
    {"type": "container_upload", "file_id": "file_1"},
    {"type": "advice", "text": '{"kind": "command_sequence", "steps": [{"id":'
     ' "1", "description": "d", "shell_command": "echo wrong >> ran.txt"}]}'},
)


def without_names(block):
    """A block without the names that the row cannot know."""
    return block if block["type"] != "tool_use" else {"type": "tool_use"}


def thinking(name, what, *blocks):
    """A row of Claude's: in the next request its blocks must be the same."""
    kept = [{"type": "tool_use"} if b is None else b for b in blocks
            if b not in FOREIGN]

    @fault(name, what, wires="a", requests=LOOKS)
    def play(x):
        back = [[without_names(b) for b in m["content"]]
                for m in x.request.json["messages"]
                if m["role"] == "assistant" and isinstance(m["content"], list)]
        if may_call(x):
            calls = tuple(Call(pick(x), "{}", "call_%d" % n)
                          for n in range(blocks.count(None)))
            x.say(x.change(text="", finish="tool", calls=calls,
                           blocks=blocks))
        elif x.wire.rounds(x.request) and back != [kept]:
            x.fail("bad", "Invalid `signature` in `thinking` block")
        else:
            x.say()


thinking("call-thinking", "Claude's thinking, in four blocks", *THOUGHTS, None)
thinking("call-interleaved", "thinking between calls", *THOUGHTS, None, LATER,
         None)
thinking("call-foreign", "blocks that are no calls, beside thinking and a "
         "call", FOREIGN[0], THOUGHTS[0], *FOREIGN[1:], None)


@fault("foreign-blocks", "blocks that nobody knows, before the answer",
       wires="a")
def foreign_blocks(x):
    x.say(x.change(blocks=(*FOREIGN, {"type": "text", "text": x.base.text})))


DETAILS = (
    {"type": "reasoning.text", "text": "Where is it, fa\u00e7ade?",
     "format": "anthropic-claude-v1", "index": 0,
     "signature": "c2lnbmF0dXJlLTE="},
    {"type": "reasoning.encrypted", "data": "ZW5jcnlwdGVk", "id": "rs_1",
     "format": "openai-responses-v1", "index": 1},
)


@fault("call-details", "a call after OpenRouter's reasoning_details",
       wires="o", requests=LOOKS)
def call_details(x):
    back = [m.get("reasoning_details") for m in x.request.json["messages"]
            if m.get("tool_calls")]
    if may_call(x):
        x.say(x.change(text="", finish="tool", details=DETAILS,
                       calls=(Call(pick(x), "{}", "call_a"),)))
    elif x.wire.rounds(x.request) and back != [list(DETAILS)]:
        x.fail("bad", "the reasoning_details must be passed back")
    else:
        x.say()


@fault("call-again", "the same call for as long as tools are offered",
       requests=(4, 5))
def call_again(x):
    if refuse_schema(x):
        return
    if not x.wire.offered(x.request):
        x.say()
        return
    x.say(x.change(text="", finish="tool", calls=(
        Call(pick(x), "{}", "call_%d" % len(x.wire.rounds(x.request))),)))


@fault("call-forever", "calls for as long as tools are offered",
       requests=FOREVER)
def call_forever(x):
    if refuse_schema(x):
        return
    if not x.wire.offered(x.request):
        x.say()
        return
    call = Call(pick(x), "{}", "call_%d" % len(x.wire.rounds(x.request)))
    x.say(x.change(text="", finish="tool", calls=(call,)))


@fault("call-written", "a call written as text, in the model's own marks",
       requests=LOOKS)
def call_written(x):
    if refuse_schema(x):
        return
    if not may_call(x):
        x.say()
        return
    call = {"name": pick(x), "arguments": {}}
    x.say(x.change(text="<tool_call>\n%s\n</tool_call>" % dumps(call)))


def refuse_tools(x, message):
    """A server without tools, whose model calls one as it was told to."""
    if refuse_schema(x):
        return
    if x.wire.tools(x.request):
        x.fail("bad", message)
    elif is_told(x) and b" answered:" not in x.request.body \
            and b" failed:" not in x.request.body:
        x.say(x.change(text=dumps({"tool": pick(x), "args": {}})))
    else:
        x.say()


@fault("no-tools", "a model without tools", requests=LOOKS)
def no_tools(x):
    refuse_tools(x, "fault does not support tools")


@fault("no-tools-function", "a model without tools, in other words",
       wires="g", requests=LOOKS)
def no_tools_function(x):
    refuse_tools(x, "Function calling is not enabled for models/fault")


@fault("no-tools-parser", "a server that was started without tools",
       wires="o", requests=LOOKS)
def no_tools_parser(x):
    refuse_tools(x, '"auto" tool choice requires --enable-auto-tool-choice '
                 "and --tool-call-parser to be set")


def look_by_schema(x):
    """What a constrained decoder writes first: a call that the schema names."""
    said = x.request.body
    if b" answered:" in said or b" failed:" in said:
        return False
    names = x.wire.told(x.request)
    if not names:
        x.fail("bad", "messages: no schema allows a call")
        return True
    name = "sysinfo" if "sysinfo" in names else names[0]
    x.say(x.change(text=dumps({"tool": name, "args": {}})))
    return True


@fault("call-schema", "a call that the schema of the answer allows",
       requests=(2, 2))
def call_schema(x):
    if x.wire.tools(x.request):
        x.fail("bad", "messages: a schema, and tools beside it")
    elif not look_by_schema(x):
        x.say()


@fault("object-root", "a schema whose root is an anyOf is refused, as OpenAI "
       "does: an object comes, and tools beside it", wires="o",
       requests=(2, 2))
def object_root(x):
    schema = x.wire.schema(x.request) or {}
    if "anyOf" in schema:
        x.fail("bad", "Invalid schema for response_format 'answer': schema "
               "must be a JSON Schema of 'type: \"object\"', got 'type: "
               "\"None\"'.")
    elif schema.get("type") != "object" or not x.wire.offered(x.request):
        x.fail("bad", "the request has lost its schema or its tools")
    else:
        x.say()


@fault("repair-schema", "an answer that must be repaired: then no tools are "
       "offered, and the schema allows an answer alone", requests=(2, 2))
def repair_schema(x):
    if "cannot be used" not in x.request.body.decode():
        x.say(x.change(text='{"kind": "command_sequence", "steps": []}'))
    elif (x.wire.tools(x.request) or x.wire.told(x.request)
          or not x.wire.schema(x.request)):
        x.fail("bad", "messages: the repair offers tools, or has no schema")
    else:
        x.say()
