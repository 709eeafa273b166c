# SPDX-License-Identifier: GPL-3.0-or-later
"""wire_anthropic.py - Anthropic messages."""

import json

from .wire import ERRORS, Wire, dumps, strict_complaint

FINISH = {"stop": "end_turn", "length": "max_tokens", "refusal": "refusal",
          "filter": "refusal", "tool": "tool_use"}


class Anthropic(Wire):
    name = "anthropic"
    letter = "a"
    key_header = "x-api-key"

    def matches(self, path):
        return path == "/v1/messages"

    def max_tokens(self, request):
        return request.json.get("max_tokens")

    def complaint(self, request):
        body = request.json
        if not request.header("anthropic-version"):
            return "anthropic-version: header is required"
        if not body.get("messages") or not isinstance(body.get("model"), str):
            return "model and messages are needed"
        if not isinstance(body.get("max_tokens"), int):
            return "max_tokens: Field required"
        if any(m.get("role") not in ("user", "assistant")
               for m in body["messages"]):
            return "messages: a role is user or assistant"
        if self.rounds(request) and not body.get("tools"):
            return "messages with tool_use or tool_result must define tools"
        if self.orphan(request):
            return self.orphan(request)
        form = (body.get("output_config") or {}).get("format") or {}
        if form.get("type") == "json_schema":
            return strict_complaint(form.get("schema"), False)
        return None

    def schema(self, request):
        return ((request.json.get("output_config") or {}).get("format")
                or {}).get("schema")

    def tools(self, request):
        return [tool["name"] for tool in request.json.get("tools", [])]

    def offered(self, request):
        choice = request.json.get("tool_choice") or {}
        return ([] if choice.get("type") in ("none", "tool")
                else super().offered(request))

    def blocks_of(self, message, kind):
        content = message.get("content")
        return [block for block in content if block.get("type") == kind] \
            if isinstance(content, list) else []

    def calls_of(self, message):
        return [b["id"] for b in self.blocks_of(message, "tool_use")]

    def results_of(self, message):
        found = self.blocks_of(message, "tool_result")
        if found and message["content"][:len(found)] != found:
            return ["text before the results"]
        return [b["tool_use_id"] for b in found]

    def frame(self, value):
        return ("event: %s\ndata: %s\n\n"
                % (value["type"], dumps(value))).encode()

    def block(self, index, start, *deltas):
        """One content block: start, deltas, stop."""
        yield {"type": "content_block_start", "index": index,
               "content_block": start}
        for delta in deltas:
            yield {"type": "content_block_delta", "index": index,
                   "delta": delta}
        yield {"type": "content_block_stop", "index": index}

    def raw(self, answer):
        """The blocks of an answer that brings its own."""
        calls = iter(answer.calls)
        for block in answer.blocks:
            if block is None:
                call = next(calls)
                block = {"type": "tool_use", "id": call.id,
                         "name": call.name, "input": call.value()}
            yield block

    def raw_blocks(self, answer):
        """The same as a stream has them: texts and inputs in pieces."""
        kinds = {"thinking": "thinking_delta", "text": "text_delta",
                 "signature": "signature_delta"}
        for at, block in enumerate(self.raw(answer)):
            start, deltas = dict(block), []
            for name, kind in kinds.items():
                text = block.get(name, "")
                if name in block:
                    start[name] = ""
                deltas += [{"type": kind, name: text[n:n + answer.pieces]}
                           for n in range(0, len(text), answer.pieces)]
            if "input" in block:
                start["input"] = {}
                deltas.append({"type": "input_json_delta",
                               "partial_json": json.dumps(block["input"])})
            yield from self.block(at, start, *deltas)

    def blocks(self, answer):
        if answer.blocks:
            yield from self.raw_blocks(answer)
            return
        at = 0
        if answer.reasoning:
            yield from self.block(
                0, {"type": "thinking", "thinking": "", "signature": ""},
                {"type": "thinking_delta", "thinking": answer.reasoning},
                {"type": "signature_delta", "signature": "c2ln"})
            at = 1
        if answer.tool:
            yield from self.block(
                at, {"type": "tool_use", "id": "toolu_1", "name": "answer",
                     "input": {}},
                *({"type": "input_json_delta", "partial_json": piece}
                  for piece in answer.cut()))
        elif answer.content and answer.choices:
            yield from self.block(
                at, {"type": "text", "text": ""},
                *({"type": "text_delta", "text": piece}
                  for piece in answer.spoken()))
        for at, call in enumerate(answer.calls, at + 1):
            yield from self.block(
                at, {"type": "tool_use", "id": call.id, "name": call.name,
                     "input": {}},
                *({"type": "input_json_delta",
                   "partial_json": call.args[n:n + answer.pieces]}
                  for n in range(0, len(call.args), answer.pieces)))

    def usage(self, answer, n_out):
        """The cache stands beside the input."""
        n_in, _ = answer.usage()
        usage = {"input_tokens": n_in - answer.cached - answer.written,
                 "output_tokens": n_out}
        if answer.cached:
            usage["cache_read_input_tokens"] = answer.cached
            usage["cache_creation_input_tokens"] = answer.written
        return usage

    def events(self, answer):
        _, n_out = answer.usage()
        message = {"id": "msg_1", "type": "message", "role": "assistant",
                   "model": answer.model, "content": [], "stop_reason": None,
                   "stop_sequence": None,
                   "usage": self.usage(answer, 1)}
        out = [{"type": "message_start", "message": message},
               {"type": "ping"}, *self.blocks(answer)]
        if answer.finish:
            finish = "tool" if answer.tool else answer.finish
            out.append({"type": "message_delta",
                        "delta": {"stop_reason": FINISH.get(finish, finish),
                                  "stop_sequence": None},
                        "usage": {"output_tokens": n_out}})
            if answer.done:
                out.append({"type": "message_stop"})
        return [self.frame(value) for value in out]

    def body(self, answer):
        content = []
        if answer.reasoning:
            content.append({"type": "thinking", "signature": "c2ln",
                            "thinking": answer.reasoning})
        if answer.tool:
            content.append({"type": "tool_use", "id": "toolu_1",
                            "name": "answer",
                            "input": json.loads(answer.text or "{}")})
        elif answer.content and answer.choices:
            content.append({"type": "text",
                            "text": answer.refusal or answer.text})
        content += [{"type": "tool_use", "id": call.id, "name": call.name,
                     "input": call.value()} for call in answer.calls]
        if answer.blocks:
            content = list(self.raw(answer))
        _, n_out = answer.usage()
        return {"id": "msg_1", "type": "message", "role": "assistant",
                "model": answer.model, "content": content,
                "stop_reason": FINISH.get(answer.finish),
                "stop_sequence": None,
                "usage": self.usage(answer, n_out)}

    def error(self, kind, message):
        return {"type": "error", "request_id": "req_1",
                "error": {"type": ERRORS[kind][2], "message": message}}
