# SPDX-License-Identifier: GPL-3.0-or-later
"""wire_ollama.py - Ollama chat: one JSON object a line."""

import json

from .wire import Wire, dumps

FINISH = {"stop": "stop", "length": "length", "refusal": "stop",
          "filter": "stop", "tool": "stop"}


class Ollama(Wire):
    name = "ollama"
    letter = "l"
    stream_type = "application/x-ndjson"
    key_header = "authorization"

    def matches(self, path):
        return path == "/api/chat"

    def is_stream(self, request):
        return request.json.get("stream", True)

    def max_tokens(self, request):
        return request.json.get("options", {}).get("num_predict")

    def complaint(self, request):
        if not request.json.get("model"):
            return "model is required"
        if not request.json.get("messages"):
            return "messages are required"
        if any(not isinstance(call["function"]["arguments"], dict)
               for message in self.messages(request)
               for call in message.get("tool_calls", [])):
            return "arguments are an object"
        if self.orphan(request):
            return self.orphan(request)
        return None

    def schema(self, request):
        return request.json.get("format")

    def calls_of(self, message):
        return [call["function"]["name"]
                for call in message.get("tool_calls", [])]

    def results_of(self, message):
        return ([message.get("tool_name")]
                if message.get("role") == "tool" else [])

    def frame(self, value):
        return (dumps(value) + "\n").encode()

    def line(self, answer, message, **rest):
        value = {"model": answer.model,
                 "created_at": "2024-01-01T00:00:00Z"}
        if answer.choices:
            value["message"] = {"role": "assistant", **message}
        return {**value, "done": False, **rest}

    def parts(self, answer):
        if answer.reasoning:
            yield {"content": "", "thinking": answer.reasoning}
        if answer.tool:
            call = {"name": "answer"}
            if answer.text:
                call["arguments"] = json.loads(answer.text)
            yield {"content": "", "tool_calls": [{"function": call}]}
        elif answer.content:
            for piece in answer.spoken():
                yield {"content": piece}
        for call in answer.calls:
            function = {"name": call.name, "arguments": call.value()}
            yield {"content": "", "tool_calls": [{"function": function}]}

    def last(self, answer):
        n_in, n_out = answer.usage()
        return {"done": True, "done_reason": FINISH.get(answer.finish, answer.finish),
                "total_duration": 1, "prompt_eval_count": n_in,
                "eval_count": n_out}

    def events(self, answer):
        out = [self.line(answer, m) for m in self.parts(answer)]
        if answer.finish:
            out.append(self.line(answer, {"content": ""}
                                 if answer.content else {},
                                 **self.last(answer)))
        return [self.frame(value) for value in out]

    def body(self, answer):
        message = {}
        for part in self.parts(answer):
            for name, value in part.items():
                message[name] = (message[name] + value if name in message
                                 else value)
        return self.line(answer, message, **self.last(answer))

    def error(self, kind, message):
        return {"error": message}

    def models(self):
        return {"models": [{"name": "fault", "model": "fault", "size": 1}]}
