# SPDX-License-Identifier: GPL-3.0-or-later
"""wires.py - where each wire format has its schema and its functions."""

from fault.wire import dumps
from fault.wire_anthropic import Anthropic
from fault.wire_gemini import Gemini
from fault.wire_ollama import Ollama
from fault.wire_openai import OpenAI


def dig(value, *names):
    """What stands at the end of these names, or None."""
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value


class ChatCompletions(OpenAI):
    """OpenAI's chat completions, below any prefix that services have."""

    def matches(self, path):
        return path.endswith("/chat/completions")

    def complaint(self, request):
        """As there, less the rules of schemas: those are the service's."""
        saved = request.json.get("response_format")
        body = {key: value for key, value in request.json.items()
                if key != "response_format"}
        if dig(saved, "type") == "json_schema" and not dig(
                saved, "json_schema", "name"):
            return "Missing required parameter: 'response_format.json_schema."
        return OpenAI.complaint(self, With(request, body))

    def schema(self, request):
        form = request.json.get("response_format")
        if dig(form, "type") != "json_schema":
            return None
        return dig(form, "json_schema", "schema")

    def is_strict(self, request):
        return bool(dig(request.json, "response_format", "json_schema",
                        "strict"))

    def tool_schemas(self, request):
        return {tool["function"]["name"]: tool["function"].get(
            "parameters", {}) for tool in request.json.get("tools") or []}


class With:
    """A request with another body."""

    def __init__(self, request, body):
        self.request = request
        self.json = body

    def __getattr__(self, name):
        return getattr(self.request, name)


class Messages(Anthropic):
    def complaint(self, request):
        body = dict(request.json)
        config = dict(body.get("output_config") or {})
        config.pop("format", None)
        body["output_config"] = config
        return Anthropic.complaint(self, With(request, body))

    def schema(self, request):
        form = dig(request.json, "output_config", "format")
        return dig(form, "schema") if dig(form, "type") == "json_schema" \
            else None

    def is_strict(self, request):
        return True

    def tool_schemas(self, request):
        return {tool["name"]: tool.get("input_schema", {})
                for tool in request.json.get("tools") or []}


class GenerateContent(Gemini):
    def schema(self, request):
        config = request.json.get("generationConfig") or {}
        if config.get("responseMimeType") != "application/json":
            return None
        return config.get("responseJsonSchema")

    def is_strict(self, request):
        return True

    def tool_schemas(self, request):
        return {one["name"]: one.get("parametersJsonSchema",
                                     one.get("parameters", {}))
                for group in request.json.get("tools") or []
                for one in group.get("functionDeclarations", ())}


class OllamaChat(Ollama):
    def schema(self, request):
        form = request.json.get("format")
        return form if isinstance(form, dict) and form else None

    def is_strict(self, request):
        return True

    def tool_schemas(self, request):
        return {tool["function"]["name"]: tool["function"].get(
            "parameters", {}) for tool in request.json.get("tools") or []}


class Responses(OpenAI):
    """OpenAI's responses: one list of input items, events with names."""
    name = "responses"

    def matches(self, path):
        return path.endswith("/responses")

    def max_tokens(self, request):
        return request.json.get("max_output_tokens")

    def messages(self, request):
        items = request.json.get("input")
        return items if isinstance(items, list) else []

    def complaint(self, request):
        if not request.json.get("input") or not isinstance(
                request.json.get("model"), str):
            return "input and model are needed"
        for name in ("messages", "response_format", "max_tokens",
                     "max_completion_tokens", "stream_options"):
            if name in request.json:
                return "Unknown parameter: '%s'." % name
        form = dig(request.json, "text", "format") or {}
        if form.get("type") == "json_schema" and not form.get("name"):
            return "Missing required parameter: 'text.format.name'."
        return self.orphan(request)

    def calls_of(self, message):
        return ([message["call_id"]]
                if message.get("type") == "function_call" else [])

    def results_of(self, message):
        return ([message["call_id"]]
                if message.get("type") == "function_call_output" else [])

    def rounds(self, request):
        """Calls stand one an item here: those of a turn are one round."""
        out = []
        for item in self.messages(request):
            calls, results = self.calls_of(item), self.results_of(item)
            if calls and (not out or out[-1][1]):
                out.append(([], []))
            if results and not out:
                out.append(([], []))
            if calls or results:
                out[-1][0].extend(calls)
                out[-1][1].extend(results)
        return out

    def tools(self, request):
        return [tool["name"] for tool in request.json.get("tools") or []
                if tool.get("type") == "function"]

    def schema(self, request):
        form = dig(request.json, "text", "format")
        return dig(form, "schema") if dig(form, "type") == "json_schema" \
            else None

    def is_strict(self, request):
        return bool(dig(request.json, "text", "format", "strict"))

    def tool_schemas(self, request):
        return {tool["name"]: tool.get("parameters") or {}
                for tool in request.json.get("tools") or []
                if tool.get("type") == "function"}

    def items(self, answer):
        """The output of an answer, as a list of whole items."""
        if answer.tool:
            return [{"type": "function_call", "id": "fc_0", "call_id": "c_0",
                     "name": "answer", "arguments": answer.text,
                     "status": "completed"}]
        if answer.calls:
            return [{"type": "function_call", "id": "fc_%d" % at,
                     "call_id": call.id, "name": call.name,
                     "arguments": call.args, "status": "completed"}
                    for at, call in enumerate(answer.calls)]
        return [{"type": "message", "id": "msg_0", "role": "assistant",
                 "status": "completed", "content": [
                     {"type": "output_text", "text": answer.text,
                      "annotations": []}]}]

    def body(self, answer):
        n_in, n_out = answer.usage()
        cut = answer.finish == "length"
        return {"id": "resp_1", "object": "response", "model": answer.model,
                "status": "incomplete" if cut else "completed",
                "incomplete_details": {"reason": "max_output_tokens"}
                if cut else None, "error": None, "output": self.items(answer),
                "usage": {"input_tokens": n_in, "output_tokens": n_out,
                          "input_tokens_details": {"cached_tokens": 0},
                          "output_tokens_details": {"reasoning_tokens": 0},
                          "total_tokens": n_in + n_out}}

    def frame(self, value):
        return ("event: %s\ndata: %s\n\n"
                % (value["type"], dumps(value))).encode()

    def item_values(self, at, item, pieces):
        """The events of one item."""
        kind = "function_call_arguments" if "arguments" in item \
            else "output_text"
        text = item["arguments"] if "arguments" in item \
            else item["content"][0]["text"]
        where = {"item_id": item["id"], "output_index": at}
        if kind == "output_text":
            where["content_index"] = 0
        empty = {**item, "status": "in_progress"}
        empty.update({"arguments": ""} if "arguments" in item
                     else {"content": []})
        yield {"type": "response.output_item.added", "output_index": at,
               "item": empty}
        if kind == "output_text":
            yield {"type": "response.content_part.added", **where, "part": {
                "type": "output_text", "text": "", "annotations": []}}
        for n in range(0, len(text), pieces):
            yield {"type": "response.%s.delta" % kind, **where,
                   "delta": text[n:n + pieces]}
        yield {"type": "response.%s.done" % kind, **where,
               "arguments" if "arguments" in item else "text": text}
        if kind == "output_text":
            yield {"type": "response.content_part.done", **where,
                   "part": item["content"][0]}
        yield {"type": "response.output_item.done", "output_index": at,
               "item": item}

    def events(self, answer):
        whole = self.body(answer)
        begun = {**whole, "status": "in_progress", "output": [],
                 "usage": None, "incomplete_details": None}
        out = [{"type": "response.created", "response": begun},
               {"type": "response.in_progress", "response": begun}]
        for at, item in enumerate(whole["output"]):
            out.extend(self.item_values(at, item, answer.pieces))
        out.append({"type": "response." + whole["status"],
                    "response": whole})
        return [self.frame({**value, "sequence_number": n})
                for n, value in enumerate(out)]


WIRES = (ChatCompletions(), Responses(), Messages(), GenerateContent(),
         OllamaChat())
