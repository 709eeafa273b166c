# SPDX-License-Identifier: GPL-3.0-or-later
"""wire_openai.py - OpenAI-compatible chat completions."""

from .wire import ERRORS, Wire, strict_complaint

FINISH = {"stop": "stop", "length": "length", "refusal": "stop",
          "filter": "content_filter", "tool": "tool_calls"}


class OpenAI(Wire):
    name = "openai"
    letter = "o"
    key_header = "authorization"

    def matches(self, path):
        return path == "/v1/chat/completions"

    def max_tokens(self, request):
        return (request.json.get("max_completion_tokens")
                or request.json.get("max_tokens"))

    def complaint(self, request):
        body = request.json
        if not body.get("messages") or not isinstance(body.get("model"), str):
            return "model and messages are needed"
        if any("role" not in m or "content" not in m
               for m in body["messages"]):
            return "a message needs role and content"
        if self.orphan(request):
            return self.orphan(request)
        if "stream_options" in body and not body.get("stream"):
            return "stream_options is for streams"
        form = body.get("response_format") or {}
        if form.get("type") == "json_schema":
            wanted = form.get("json_schema") or {}
            if not wanted.get("name"):
                return "json_schema needs a name"
            if wanted.get("strict"):
                # who takes an anyOf there is no OpenAI
                return strict_complaint(wanted.get("schema"),
                                        "anyOf" not in
                                        (wanted.get("schema") or {}))
        return None

    def schema(self, request):
        form = request.json.get("response_format") or {}
        return (form.get("json_schema") or {}).get("schema")

    def chunk(self, answer, delta, finish=None):
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        return self.frame({"id": "chatcmpl-1", "created": 1700000000,
                           "object": "chat.completion.chunk",
                           "model": answer.model,
                           "choices": [choice] if answer.choices else []})

    def deltas(self, answer):
        yield {"role": "assistant", "content": ""}
        if answer.reasoning:
            yield {"reasoning_content": answer.reasoning}
        for item in answer.details:
            yield from self.detail_deltas(item, answer.pieces)
        if answer.refusal:
            yield {"refusal": answer.refusal}
        elif answer.tool:
            yield from self.tool_deltas(answer)
        elif answer.content:
            for piece in answer.cut():
                yield {"content": piece}
        for index, call in enumerate(answer.calls):
            yield from self.call_deltas(index, call, answer.pieces)

    def detail_deltas(self, item, pieces):
        """A block of reasoning: its text in pieces, then its signature."""
        head = {k: item[k] for k in ("type", "index", "format") if k in item}
        text = item.get("text", "")
        for at in range(0, len(text), pieces):
            yield {"reasoning_details": [
                {**head, "text": text[at:at + pieces]}]}
        rest = {k: v for k, v in item.items() if k != "text"}
        if rest != head:
            yield {"reasoning_details": [rest]}

    def call_deltas(self, index, call, pieces):
        function = {"name": call.name, "arguments": ""}
        head = {"index": index, "type": "function", "function": function}
        yield {"tool_calls": [{**head, "id": call.id} if call.id else head]}
        for at in range(0, len(call.args), pieces):
            piece = call.args[at:at + pieces]
            yield {"tool_calls": [{"index": index,
                                   "function": {"arguments": piece}}]}

    def tool_deltas(self, answer):
        yield {"tool_calls": [{"index": 0, "id": "call_1", "type": "function",
                               "function": {"name": "answer",
                                            "arguments": ""}}]}
        for piece in answer.cut():
            yield {"tool_calls": [{"index": 0,
                                   "function": {"arguments": piece}}]}

    def events(self, answer):
        out = [self.chunk(answer, delta) for delta in self.deltas(answer)]
        if answer.finish:
            finish = "tool" if answer.tool else answer.finish
            out.append(self.chunk(answer, {}, FINISH.get(finish, finish)))
            out.append(self.frame({"id": "chatcmpl-1", "choices": [],
                                   "object": "chat.completion.chunk",
                                   "model": answer.model,
                                   "usage": self.usage(answer)}))
            if answer.done:
                out.append(b"data: [DONE]\n\n")
        return out

    def usage(self, answer):
        n_in, n_out = answer.usage()
        usage = {"prompt_tokens": n_in, "completion_tokens": n_out,
                 "total_tokens": n_in + n_out}
        if answer.cached:
            usage["prompt_tokens_details"] = {
                "cached_tokens": answer.cached,
                "cache_write_tokens": answer.written}
        if answer.reasoned:
            usage["completion_tokens_details"] = {
                "reasoning_tokens": answer.reasoned}
        return usage

    def body(self, answer):
        message = {"role": "assistant"}
        if answer.tool:
            message["content"] = None
            message["tool_calls"] = [
                {"id": "call_1", "type": "function",
                 "function": {"name": "answer", "arguments": answer.text}}]
        elif answer.content:
            message["content"] = None if answer.refusal else answer.text
        if answer.calls:
            message["tool_calls"] = [
                {"id": call.id, "type": "function",
                 "function": {"name": call.name, "arguments": call.args}}
                for call in answer.calls]
        if answer.reasoning:
            message["reasoning_content"] = answer.reasoning
        if answer.details:
            message["reasoning_details"] = list(answer.details)
        if answer.refusal:
            message["refusal"] = answer.refusal
        choice = {"index": 0, "message": message,
                  "finish_reason": FINISH.get(answer.finish,
                                               answer.finish)}
        return {"id": "chatcmpl-1", "object": "chat.completion",
                "created": 1700000000, "model": answer.model,
                "choices": [choice] if answer.choices else [],
                "usage": self.usage(answer)}

    def error(self, kind, message):
        return {"error": {"message": message, "type": ERRORS[kind][1],
                          "param": None, "code": ERRORS[kind][1]}}

    def models(self):
        return {"object": "list",
                "data": [{"id": "fault", "object": "model",
                          "owned_by": "tests"}]}
