# SPDX-License-Identifier: GPL-3.0-or-later
"""sampler.py - random values of a JSON Schema, and whether a value is one.

What a server does that constrains its sampling to a schema, without a model:
every value that the schema allows may come. Members come in the order of the
schema, or those that are required first, as llama.cpp's grammars have them.
"""

import json
import re

DEPTH = 8       # levels of a value that no schema describes
MORE_ITEMS = 3  # items of a list beyond those that it must have
TRIES = 200     # strings that are tried on a pattern
NAMES = ("0644", "a", "eth0", "x.y", "/a")  # and then these

WORDS = ("show", "the", "files", "that", "listen", "on", "port", "8080", "as",
         "root", "/etc/passwd", "ls -la", "1", "2", "step", "$HOME", "|", "&&")
LETTERS = ("façade", "手", "🙂", "\u202e", "e\u0301", "\u00a0", "ß", "\u200b")
MARKS = ('"', "'", "\\", "\n", "\t", "{", "}", "[", "]", ",", ":", "`", "```",
         "<think>", "</think>", "\u0007", "\r\n", "$(true)", "\\n", "</data>")
# What a grammar of JSON strings lets through and no command line can hold.
BROKEN = ("\0", "\ud800")


class Unsupported(Exception):
    """The schema holds what this sampler does not know."""


def words(rng, pool, most):
    return " ".join(rng.choice(pool) for _ in range(rng.randint(1, most)))


STRINGS = (
    (1, lambda rng: ""),
    (6, lambda rng: words(rng, WORDS, 6)),
    (2, lambda rng: words(rng, WORDS + LETTERS, 8)),
    (2, lambda rng: words(rng, WORDS + MARKS, 8)),
    (1, lambda rng: rng.choice(MARKS)),
    (1, lambda rng: words(rng, WORDS + LETTERS + MARKS, 400)),
)


def resolve(schema, root):
    """The schema that a local reference means."""
    seen = 0
    while isinstance(schema, dict) and "$ref" in schema:
        path = schema["$ref"]
        seen += 1
        if not path.startswith("#") or seen > DEPTH:
            raise Unsupported("$ref " + path)
        schema = root
        for name in path[1:].split("/")[1:]:
            schema = schema[name.replace("~1", "/").replace("~0", "~")]
    return schema


def type_of(value):
    """The type of a JSON value; an integer is a number too."""
    for kind, name in ((bool, "boolean"), (str, "string"), (dict, "object"),
                       (list, "array"), (int, "integer"), (float, "number")):
        if isinstance(value, kind):
            return name
    return "null"


def types_in(schema):
    kind = schema.get("type")
    if kind is None and "properties" in schema:
        kind = "object"
    if kind is None and "items" in schema:
        kind = "array"
    return kind if isinstance(kind, list) else [kind] if kind else []


class Sampler:
    """Draws from rng. lively: strings are any that JSON has, the empty one
    too; else they are short, plain and not empty. broken: some also hold what
    BROKEN has. required_first: the order of llama.cpp."""

    def __init__(self, rng, lively=True, broken=False, required_first=False):
        self.rng = rng
        self.lively = lively
        self.broken = broken
        self.required_first = required_first
        self.count = 0

    def sample(self, schema):
        value = self.value(schema, schema, 0)
        for one in schema.get("anyOf", [schema]):
            props = one.get("properties", {})
            if "steps" in props and isinstance(value, dict) and "kind" in value:
                self.follow_prompt(props["steps"]["items"], schema, value)
        return value

    def follow_prompt(self, step, root, value):
        """Mends what a schema without alternatives cannot say of an AiAction,
        and every model knows from the prompt: an answer has no steps, a plan
        has one, and args are the JSON text of what a tool takes."""
        if "properties" not in step:
            return  # it has alternatives
        if value["kind"] == "answer_only":
            value.pop("steps", None)
            return
        if not value.get("steps"):
            value["steps"] = [self.value(step, root, 2)]
        for one in value["steps"]:
            for name in ("tool", "action", "args"):
                one.pop(name, None)

    def text(self, schema):
        """A value as JSON text, spaced and escaped in one of many ways."""
        ascii_only = self.broken or self.rng.random() < 0.3
        indent = self.rng.choice((None, None, None, 0, 2))
        colon = self.rng.choice((":", ": ", " : "))
        return json.dumps(self.sample(schema), ensure_ascii=ascii_only,
                          indent=indent, separators=(",", colon))

    def value(self, schema, root, depth):
        schema = resolve(schema, root)
        if schema is True or schema == {}:
            return self.anything(depth)
        if not isinstance(schema, dict):
            raise Unsupported("a schema that nothing fits")
        for name in ("anyOf", "oneOf"):
            if name in schema:
                return self.value(self.rng.choice(schema[name]), root, depth)
        if "const" in schema:
            return schema["const"]
        if "enum" in schema:
            return self.rng.choice(schema["enum"])
        kinds = types_in(schema)
        if not kinds:
            return self.anything(depth)
        return self.typed(self.rng.choice(kinds), schema, root, depth)

    def typed(self, kind, schema, root, depth):
        if kind == "object":
            return self.object(schema, root, depth)
        if kind == "array":
            return self.array(schema, root, depth)
        if kind == "string":
            return self.fitting_string(schema)
        if kind == "integer":
            low = int(schema.get("minimum", -3))
            return self.rng.randint(low, int(schema.get("maximum", low + 99)))
        if kind == "number":
            low = schema.get("minimum", -3)
            return self.rng.uniform(low, schema.get("maximum", low + 99))
        if kind == "boolean":
            return self.rng.random() < 0.5
        if kind == "null":
            return None
        raise Unsupported("type %r" % kind)

    def object(self, schema, root, depth):
        props = schema.get("properties", {})
        must = schema.get("required", [])
        names = list(props)
        if self.required_first:
            names.sort(key=lambda name: name not in must)
        out = {name: self.value(props[name], root, depth + 1)
               for name in names if name in must or self.rng.random() < 0.5}
        if not props and schema.get("additionalProperties", True) is not False:
            out = {self.string(): self.anything(depth + 1)
                   for _ in range(self.rng.randint(0, 2))}
        return out

    def array(self, schema, root, depth):
        low = schema.get("minItems", 0)
        high = min(schema.get("maxItems", low + MORE_ITEMS), low + MORE_ITEMS)
        return [self.value(schema.get("items", True), root, depth + 1)
                for _ in range(self.rng.randint(low, high))]

    def fitting_string(self, schema):
        low, high = schema.get("minLength", 0), schema.get("maxLength", 1 << 20)
        pattern = re.compile(schema.get("pattern", ""))
        for _ in range(TRIES):
            text = self.string()[:high]
            if len(text) >= low and pattern.search(text):
                return text
        for text in self.rng.sample(NAMES, len(NAMES)):
            if low <= len(text) <= high and pattern.search(text):
                return text
        raise Unsupported("no string fits %r" % schema)

    def string(self):
        self.count += 1
        if not self.lively:
            return "%s %d" % (words(self.rng, WORDS[:8], 4), self.count)
        make = self.rng.choices([make for _, make in STRINGS],
                                [weight for weight, _ in STRINGS])[0]
        text = make(self.rng)
        if self.broken and self.rng.random() < 0.1:
            text += self.rng.choice(BROKEN)
        return text

    def anything(self, depth):
        """A value of no schema."""
        kinds = ["string", "integer", "number", "boolean", "null"]
        if depth < DEPTH:
            kinds += ["object", "array"]
        return self.typed(self.rng.choice(kinds), {}, {}, depth)

    def prose(self):
        """What a model writes that nothing constrains."""
        lines = [words(self.rng, WORDS + LETTERS, 12) + "."
                 for _ in range(self.rng.randint(1, 4))]
        return "\n".join(lines)


def fits(value, schema, root=None):
    """Whether a value is one of the schema's; its own words are the only
    ones that are looked at."""
    root = schema if root is None else root
    schema = resolve(schema, root)
    if isinstance(schema, bool):
        return schema
    for name in ("anyOf", "oneOf"):
        if name in schema and not any(fits(value, one, root)
                                      for one in schema[name]):
            return False
    if "const" in schema and value != schema["const"]:
        return False
    if "enum" in schema and value not in schema["enum"]:
        return False
    kinds = types_in(schema)
    kind = type_of(value)
    if kinds and kind not in kinds and not (
            kind == "integer" and "number" in kinds):
        return False
    return fits_inside(value, kind, schema, root)


def fits_inside(value, kind, schema, root):
    """The same for what stands inside a value of the right type."""
    if kind == "string":
        return (schema.get("minLength", 0) <= len(value)
                <= schema.get("maxLength", len(value))
                and re.search(schema.get("pattern", ""), value) is not None)
    if kind == "array":
        return (schema.get("minItems", 0) <= len(value)
                <= schema.get("maxItems", len(value))
                and all(fits(item, schema.get("items", True), root)
                        for item in value))
    if kind == "object":
        props = schema.get("properties", {})
        rest = schema.get("additionalProperties", True)
        return (set(schema.get("required", [])) <= set(value)
                and all(fits(item, props.get(name, rest), root)
                        for name, item in value.items()))
    return True
