# SPDX-License-Identifier: GPL-3.0-or-later
"""wire.py - what the four wire formats have in common.

A wire format knows its paths, frames an Answer, words an error in its
provider's shape, and refuses a request that the provider would refuse.
"""

import json
import re

NAME = re.compile(r"[A-Za-z0-9_-]{1,64}$")

# kind of error: status, OpenAI's code, Anthropic's type, Gemini's status
ERRORS = {
    "bad": (400, "invalid_request_error", "invalid_request_error",
            "INVALID_ARGUMENT"),
    "auth": (401, "invalid_api_key", "authentication_error",
             "UNAUTHENTICATED"),
    "forbidden": (403, "forbidden", "permission_error", "PERMISSION_DENIED"),
    "missing": (404, "model_not_found", "not_found_error", "NOT_FOUND"),
    "large": (413, "request_too_large", "request_too_large",
              "INVALID_ARGUMENT"),
    "rate": (429, "rate_limit_exceeded", "rate_limit_error",
             "RESOURCE_EXHAUSTED"),
    "server": (500, "server_error", "api_error", "INTERNAL"),
    "gateway": (502, "bad_gateway", "api_error", "UNAVAILABLE"),
    "away": (503, "service_unavailable", "api_error", "UNAVAILABLE"),
    "overloaded": (529, "overloaded", "overloaded_error", "UNAVAILABLE"),
}


def dumps(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def objects_in(schema):
    """Every object schema inside a schema."""
    if isinstance(schema, list):
        for item in schema:
            yield from objects_in(item)
    if isinstance(schema, dict):
        if isinstance(schema.get("properties"), dict):
            yield schema
        for item in schema.values():
            yield from objects_in(item)


def strict_complaint(schema, all_required):
    """Why a provider's strict mode refuses this schema, or None."""
    for obj in objects_in(schema):
        if obj.get("additionalProperties") is not False:
            return "additionalProperties must be false in every object"
        rest = set(obj["properties"]) - set(obj.get("required", []))
        if all_required and rest:
            return "required must name every property, not " + min(rest)
    return None


class Wire:
    """One wire format; the subclasses say where they differ."""
    name = ""
    letter = ""
    stream_type = "text/event-stream"
    key_header = ""

    def is_stream(self, request):
        return bool(request.json.get("stream"))

    def model(self, request):
        return str(request.json.get("model", ""))

    def max_tokens(self, request):
        """The bound that the request sets on the answer, or None."""
        raise NotImplementedError

    def tools(self, request):
        """The names of the request's tools, in their order."""
        return [tool["function"]["name"]
                for tool in request.json.get("tools", [])]

    def forced_tool(self, request):
        """Does the request make the model answer by a tool?"""
        return "answer" in self.tools(request)

    def offered(self, request):
        """The tools that the model may look with."""
        return [name for name in self.tools(request) if name != "answer"]

    def schema(self, request):
        """The schema of the answer, or None."""
        raise NotImplementedError

    def told(self, request):
        """The tools whose calls the schema of the answer allows."""
        schema = self.schema(request) or {}
        tools = [one["properties"]["tool"] for one in schema.get("anyOf", [])
                 if "tool" in one.get("properties", {})]
        return [tool.get("const") or tool["enum"][0] for tool in tools]

    def messages(self, request):
        return request.json.get("messages", [])

    def rounds(self, request):
        """The conversation's calls and the results that follow them: a list
        of pairs of lists of names or ids."""
        out = []
        for message in self.messages(request):
            calls = self.calls_of(message)
            results = self.results_of(message)
            if calls:
                out.append((calls, []))
            if results and not out:
                out.append(([], []))
            if results:
                out[-1][1].extend(results)
        return out

    def calls_of(self, message):
        """What a result must say to belong to each call of a message."""
        return [call["id"] for call in message.get("tool_calls") or []]

    def results_of(self, message):
        return ([message.get("tool_call_id")]
                if message.get("role") == "tool" else [])

    def orphan(self, request):
        """Why the provider refuses how calls and results go together."""
        for calls, results in self.rounds(request):
            if calls != results:
                return "calls %s are answered by %s" % (calls, results)
        for name in self.tools(request):
            if not NAME.match(name):
                return "tools: %s is no name" % name
        return None

    def complaint(self, request):
        """Why the provider would refuse this request, or None."""
        raise NotImplementedError

    def events(self, answer):
        """The answer as a list of events, each the bytes of one."""
        raise NotImplementedError

    def body(self, answer):
        """The answer as one JSON value, not streamed."""
        raise NotImplementedError

    def error(self, kind, message):
        """The JSON value of an error."""
        raise NotImplementedError

    def frame(self, value):
        """One event that carries value."""
        return ("data: %s\n\n" % dumps(value)).encode()

    def error_event(self, kind, message):
        """An error inside a stream."""
        return self.frame(self.error(kind, message))

    def key(self, request):
        """The key that came with the request, bare."""
        value = request.header(self.key_header) or ""
        return value.removeprefix("Bearer ")
