# SPDX-License-Identifier: GPL-3.0-or-later
"""wire_gemini.py - Gemini generateContent, streamed and not."""

import json
import re
import urllib.parse

from .wire import ERRORS, Wire, dumps

FINISH = {"stop": "STOP", "length": "MAX_TOKENS", "refusal": "SAFETY",
          "filter": "SAFETY", "tool": "STOP"}
PATH = re.compile(r"/v1beta/models/(.+):(streamGenerateContent|"
                  r"generateContent)$")
KNOWN = {"contents", "systemInstruction", "system_instruction", "tools",
         "generationConfig", "toolConfig", "safetySettings"}


class Gemini(Wire):
    name = "gemini"
    letter = "g"
    key_header = "x-goog-api-key"

    def matches(self, path):
        return PATH.match(path) is not None

    def is_stream(self, request):
        return "streamGenerateContent" in request.path

    def model(self, request):
        return urllib.parse.unquote(PATH.match(request.path).group(1))

    def max_tokens(self, request):
        return request.json.get("generationConfig",
                                {}).get("maxOutputTokens")

    def complaint(self, request):
        odd = set(request.json) - KNOWN
        if odd:
            return 'Unknown name "%s": Cannot find field.' % min(odd)
        if not request.json.get("contents"):
            return "contents is not specified"
        if any(c.get("role") not in ("user", "model")
               for c in request.json["contents"]):
            return "a role is user or model"
        if any("thoughtSignature" not in calls[0]
               for calls in map(self.call_parts, self.messages(request))
               if calls):
            return "Function call is missing a thought_signature"
        if self.orphan(request):
            return self.orphan(request)
        if self.is_stream(request) and "alt=sse" not in request.query:
            return "this server streams with alt=sse only"
        return None

    def schema(self, request):
        config = request.json.get("generationConfig", {})
        return config.get("responseJsonSchema")

    def tools(self, request):
        return [tool["name"] for group in request.json.get("tools", [])
                for tool in group["functionDeclarations"]]

    def messages(self, request):
        return request.json.get("contents", [])

    def call_parts(self, content):
        return [p for p in content.get("parts", []) if "functionCall" in p]

    def calls_of(self, message):
        return [p["functionCall"]["name"] for p in self.call_parts(message)]

    def results_of(self, message):
        return [p["functionResponse"]["name"] for p in message["parts"]
                if "functionResponse" in p]

    def frame(self, value):
        return ("data: %s\r\n\r\n" % dumps(value)).encode()

    def usage(self, answer):
        """The reasoning stands beside the output."""
        n_in, n_out = answer.usage()
        usage = {"promptTokenCount": n_in,
                 "candidatesTokenCount": n_out - answer.reasoned,
                 "totalTokenCount": n_in + n_out}
        if answer.cached:
            usage["cachedContentTokenCount"] = answer.cached
        if answer.reasoned:
            usage["thoughtsTokenCount"] = answer.reasoned
        return usage

    def response(self, answer, parts, finish=""):
        one = {"content": {"parts": parts, "role": "model"}, "index": 0}
        if not parts:
            one.pop("content")
        if finish:
            one["finishReason"] = FINISH.get(finish, finish)
        return {"candidates": [one] if answer.choices else [],
                "usageMetadata": self.usage(answer),
                "modelVersion": answer.model, "responseId": "r1"}

    def parts(self, answer):
        if answer.reasoning:
            yield {"text": answer.reasoning, "thought": True}
        if answer.tool:
            call = {"name": "answer"}
            if answer.text:
                call["args"] = json.loads(answer.text)
            yield {"functionCall": call}
        elif answer.content:
            for piece in answer.cut() or [""]:
                yield {"text": piece}
        for at, call in enumerate(answer.calls):
            part = {"functionCall": {"name": call.name}}
            if call.args:
                part["functionCall"]["args"] = call.value()
            if at == 0:
                part["thoughtSignature"] = "c2ln"
            yield part

    def blocked(self, answer):
        """A prompt that the provider will not answer."""
        value = self.response(answer, [])
        value.pop("candidates")
        value["promptFeedback"] = {"blockReason": "PROHIBITED_CONTENT",
                                   "blockReasonMessage": answer.refusal}
        return value

    def values(self, answer):
        if answer.refusal:
            return [self.blocked(answer)]
        lists = [[part] for part in self.parts(answer)] or [[]]
        return [self.response(answer, parts, answer.finish
                              if n == len(lists) else "")
                for n, parts in enumerate(lists, 1)]

    def events(self, answer):
        return [self.frame(value) for value in self.values(answer)]

    def body(self, answer):
        if answer.refusal:
            return self.blocked(answer)
        return self.response(answer, list(self.parts(answer)), answer.finish)

    def error(self, kind, message):
        return {"error": {"code": ERRORS[kind][0], "message": message,
                          "status": ERRORS[kind][3]}}
