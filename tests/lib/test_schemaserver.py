# SPDX-License-Identifier: GPL-3.0-or-later
"""test_schemaserver.py - the schema server writes what fits, and refuses what
the services refuse."""

import copy
import json
import os
import random
import sys
import urllib.error
import urllib.request

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import tap  # noqa: E402
import wireclient  # noqa: E402
from schema import rules  # noqa: E402
from schema.sampler import Sampler, Unsupported, fits, types_in  # noqa: E402
from schema.server import SchemaServer, recut  # noqa: E402
from schema.services import SERVICES, service_of  # noqa: E402

STEP = {"type": "object", "additionalProperties": False,
        "required": ["id", "command"],
        "properties": {"id": {"type": "string"},
                       "root": {"type": "boolean"},
                       "command": {"type": "string"}}}
ACTION = {"type": "object", "additionalProperties": False,
          "required": ["kind", "steps"],
          "properties": {
              "kind": {"type": "string", "enum": ["a", "b"]},
              "note": {"type": "string"},
              "steps": {"type": "array", "minItems": 1, "items": STEP},
              "count": {"type": "integer", "minimum": 2, "maximum": 5}}}
UNION = {"anyOf": [
    {"type": "object", "additionalProperties": False,
     "required": ["tool", "args"],
     "properties": {"tool": {"const": "look"}, "args": {"type": "object"}}},
    {"$ref": "#/$defs/action"}], "$defs": {"action": ACTION}}
CLOSED = {"type": "object", "additionalProperties": False}


def strict(schema):
    """The schema with every property required, and without what strict mode
    and Anthropic do not know."""
    schema = copy.deepcopy(schema)
    for _, one in rules.walk(schema):
        if "properties" in one:
            one["required"] = list(one["properties"])
        one.pop("minimum", None)
        one.pop("maximum", None)
    return schema


GOOD = strict(ACTION)


def with_count(**members):
    schema = copy.deepcopy(GOOD)
    schema["properties"]["count"].update(members)
    return schema


def union_in(*parts):
    """A closed object with a union inside."""
    return {**CLOSED, "required": ["one"],
            "properties": {"one": {"anyOf": list(parts)}}}


def closed(*names):
    return {**CLOSED, "required": list(names),
            "properties": {name: {"type": "string"} for name in names}}


def optional(n):
    return {**CLOSED, "required": [],
            "properties": {"p%d" % at: {"type": "string"}
                           for at in range(n)}}


# a rule, what is sent, and what the service says of it; "" takes it
REFUSALS = (
    ("openai", GOOD, ""),
    ("openai", UNION, "type: \"object\""),
    ("openai", ACTION, "Missing 'note'"),
    ("openai", {"type": "object", "properties": {}}, "additionalProperties"),
    ("openai", with_count(default=3), "'default' is not permitted"),
    ("openai", with_count(oneOf=[]), "'oneOf' is not permitted"),
    ("openai", with_count(minLength=1), "'minLength' is not permitted"),
    ("openai", union_in(closed("a"), closed("a", "b")),
     "identical first keys"),
    ("openai", union_in(closed("a"), closed("b")), ""),
    ("anthropic", GOOD, ""),
    ("anthropic", {"type": "object", "properties": {}},
     "must be explicitly set to false"),
    ("anthropic", {**CLOSED, "properties": {"x": {
        "type": "array", "minItems": 2}}}, "other than 0 or 1"),
    ("anthropic", with_count(minimum=2), "'minimum' is not supported"),
    ("anthropic", {**CLOSED, "properties": {"x": {
        "type": "string", "minLength": 1}}}, "'minLength' is not supported"),
    ("anthropic", optional(24), ""),
    ("anthropic", optional(25), "too many optional parameters (25)"),
    ("gemini", ACTION, ""),
    ("gemini", {"enum": ["a", None]}, "strings and numbers"),
    ("llama", UNION, ""),
    ("llama", {"type": "text"}, "Unrecognized schema"),
    ("llama", {"minimum": 1}, "Unrecognized schema"),
    ("everything", {"type": "text"}, ""),
)


def check_sampler(t):
    wrong, seen = [], {}
    for seed in range(400):
        for first in (False, True):
            sampler = Sampler(random.Random(seed), required_first=first)
            for schema in (ACTION, UNION):
                text = sampler.text(schema)
                value = json.loads(text)
                if not fits(value, schema):
                    wrong.append(text)
                note_seen(seen, value)
    t.is_(wrong, [], "every sample fits its schema")
    for what in ("tool", "action", "with note", "without note", "one step",
                 "four steps", "empty", "newline", "quote", "letters",
                 "long"):
        t.ok(seen.get(what), "some samples are of the sort: " + what)
    one, two = (Sampler(random.Random(7)).text(UNION) for _ in range(2))
    t.is_(one, two, "the same seed gives the same sample")
    names = list(Sampler(random.Random(3)).sample(GOOD))
    t.is_(names, list(GOOD["properties"]), "members are in the schema's order")
    orders = {tuple(Sampler(random.Random(n), required_first=True).sample(
        ACTION)) for n in range(20)}
    t.ok(all(order[:2] == ("kind", "steps") for order in orders),
         "or those that are required come first", orders)
    plain = Sampler(random.Random(1), lively=False)
    texts = [plain.string() for _ in range(200)]
    t.is_((all(texts), len(set(texts))), (True, 200),
          "plain strings are never empty, and never the same")


def note_seen(seen, value):
    """What sorts of values have come."""
    seen["tool" if "tool" in value else "action"] = True
    if "steps" not in value:
        return
    seen["with note" if "note" in value else "without note"] = True
    seen[{1: "one step", 4: "four steps"}.get(len(value["steps"]))] = True
    for step in value["steps"]:
        text = step["command"]
        seen["empty"] = seen.get("empty") or not text
        seen["newline"] = seen.get("newline") or "\n" in text
        seen["quote"] = seen.get("quote") or '"' in text
        seen["letters"] = seen.get("letters") or not text.isascii()
        seen["long"] = seen.get("long") or len(text) > 500


def check_fits(t):
    good = Sampler(random.Random(2), lively=False).sample(GOOD)
    t.ok(fits(good, GOOD), "a value that fits does")
    for what, change in (
            ("without a member that is required", {"kind": None}),
            ("with another word than those of an enum", {"kind": "c"}),
            ("with no item where one is needed", {"steps": []}),
            ("with a number for a list", {"steps": 1}),
            ("with a member that nobody asked for", {"odd": 1})):
        bad = {**good, **change}
        bad = {name: one for name, one in bad.items() if one is not None}
        t.ok(not fits(bad, GOOD), "one %s does not" % what, bad)
    for schema in ({"type": "odd"}, {"type": "string", "pattern": "^qq$"}):
        try:
            Sampler(random.Random(1)).sample(schema)
            t.ok(False, "%r is too much for the sampler" % schema)
        except Unsupported:
            t.ok(True, "%r is too much for the sampler" % schema)


def check_rules(t):
    for name, schema, words in REFUSALS:
        said = getattr(rules, name)(schema)
        t.ok(words in said if words and said else not (words or said),
             "%s: %s" % (name, words or "a schema is taken"), said)
    shown = rules.known_to_gemini({"type": "object", "properties": {
        "const": {"const": "a", "type": "string"}}})
    t.is_(shown["properties"], {"const": {"type": "string"}},
          "Gemini passes over const, but not over a member of that name")


def request(letter, schema, tools=()):
    """A request with a schema and functions, as each wire has them."""
    path, headers, body = wireclient.request_of(
        "o" if letter == "r" else letter, "x")
    function = [{"name": name, "description": "d", "parameters": one}
                for name, one in tools]
    if letter == "r":
        path = "/v1/responses"
        body = {"model": "x", "stream": True, "input": "note it", "text": {
            "format": {"type": "json_schema", "name": "a", "strict": True,
                       "schema": schema}} if schema else {}}
        body["tools"] = [{"type": "function", **one} for one in function]
    elif letter == "a":
        body["output_config"] = {"format": {
            "type": "json_schema", "schema": schema}} if schema else {}
        body["tools"] = [{"name": name, "description": "d",
                          "input_schema": one} for name, one in tools]
    elif letter == "g":
        body["generationConfig"] = {"responseMimeType": "application/json",
                                    "responseJsonSchema": schema} \
            if schema else {}
        body["tools"] = [{"functionDeclarations": [
            {"name": name, "description": "d", "parametersJsonSchema": one}
            for name, one in tools]}]
    else:
        body["tools"] = [{"type": "function", "function": one}
                         for one in function]
        if letter == "o":
            body.pop("response_format")
            if schema:
                body["response_format"] = {
                    "type": "json_schema", "json_schema": {
                        "name": "a", "strict": True, "schema": schema}}
        else:
            body["format"] = schema or ""
    if not tools:
        body.pop("tools")
    return path, headers, body


def post(server, letter, schema, tools=(), host=None):
    path, headers, body = request(letter, schema, tools)
    if host:
        headers["Host"] = host
    asked = urllib.request.Request(
        server.url + path, json.dumps(body).encode(),
        {"Content-Type": "application/json", **headers})
    try:
        with urllib.request.urlopen(asked, timeout=10) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as why:
        with why:
            return why.code, why.read()


def text_of(letter, body):
    if letter != "r":
        return wireclient.text_of(letter, body)
    return "".join(value["delta"] for value in wireclient.values_of("o", body)
                   if value["type"] == "response.output_text.delta")


def check_wires(t, server):
    """Each wire: constrained, unconstrained, refused."""
    for letter, bad in (("o", ACTION), ("r", UNION), ("a", optional(25)),
                        ("g", {"enum": [None]}), ("l", {"type": "odd"})):
        host = "api.openai.com" if letter in "or" else None
        same = []
        for _ in range(20):
            _, body = post(server, letter, GOOD, host=host)
            text = text_of(letter, body)
            same.append(text == server.told[-1].text
                        and fits(json.loads(text), GOOD))
        t.is_(same, [True] * 20, "%s: what comes is what was sampled, and fits"
              % letter, server.told[-1])
        post(server, letter, None, host=host)
        t.is_(server.told[-1].kind, "prose", "%s: without a schema it is prose"
              % letter)
        status, body = post(server, letter, bad, host=host)
        t.is_((status, server.told[-1].kind), (400, "refused"),
              "%s: a schema that the service does not take is refused"
              % letter, body)


def check_beside(t, server):
    """A schema and functions in one request."""
    tools = (("look", {"type": "object", "properties": {}}),)
    for letter, host, wanted in (
            ("o", "api.openai.com", {"schema", "call"}),
            ("o", "127.0.0.1:80", {"prose", "call"}),
            ("o", "api.groq.com", {"refused"}),
            ("a", "api.anthropic.com", {"schema", "call"}),
            ("g", "generativelanguage.googleapis.com", {"refused"}),
            ("l", "127.0.0.1:80", {"schema"})):
        before = len(server.told)
        for _ in range(30):
            post(server, letter, GOOD, tools, host)
        t.is_({one.kind for one in server.told[before:]}, wanted,
              "%s at %s: a schema beside functions" % (letter, host))
    before = len(server.told)
    _, body = post(server, "o", None, (("answer", GOOD),))
    t.ok(server.told[before].kind == "forced" and b'"name":"answer"' in body
         and fits(json.loads(server.told[before].text), GOOD),
         "a forced function's arguments fit its schema", body)


def check_pieces(t):
    events = [b"data: %d\n\n" % n for n in range(300)]
    cuts = [recut(random.Random(n), events) for n in range(20)]
    t.ok(all(b"".join(cut) == b"".join(events) for cut in cuts)
         and len({tuple(cut) for cut in cuts}) == 20,
         "a stream is cut at random, and loses nothing")
    with SchemaServer(seed=5, cut=0.5) as server:
        for _ in range(20):
            post(server, "o", GOOD)
        cut = [one for one in server.told if one.cut]
        _, body = post(server, "o", GOOD)
        while not server.told[-1].cut:
            _, body = post(server, "o", GOOD)
    t.ok(0 < len(cut) < 20 and b'"finish_reason":"length"' in body,
         "a share of the answers is cut, and says so", len(cut), body)


def check_table(t):
    t.is_([row.name for row in SERVICES
           if row.beside not in ("both", "refused", "tools", "schema")
           or (row.beside == "refused") != bool(row.words)], [],
          "every service says what functions do beside a schema")
    t.is_(service_of("openai", "127.0.0.1:8080").name, "llama",
          "an address of this machine is a server of one's own")
    t.is_(types_in({"properties": {}}), ["object"],
          "what has members is an object")


def main():
    t = tap.Tap()
    check_sampler(t)
    check_fits(t)
    check_rules(t)
    check_table(t)
    with SchemaServer(seed=11) as server:
        check_wires(t, server)
        check_beside(t, server)
    check_pieces(t)
    t.done()


if __name__ == "__main__":
    main()
