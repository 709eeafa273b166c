# SPDX-License-Identifier: GPL-3.0-or-later
"""rules.py - the subset of JSON Schema that each service takes.

complaint() says why a service refuses a schema, in the words that it was seen
to use, since clients read them. The rules are those of the services' pages on
structured output, and of the answers that their users quote.
"""

from .sampler import resolve, types_in

INNER = ("items", "additionalProperties", "not", "if", "then", "else")
LISTS = ("anyOf", "oneOf", "allOf", "prefixItems")
MAPS = ("properties", "$defs", "definitions", "patternProperties")

# What strict mode does not permit, by OpenAI's and Azure's pages.
OPENAI_NOT = ("default", "oneOf", "allOf", "not", "if", "then", "else",
              "dependentRequired", "dependentSchemas", "patternProperties",
              "minLength", "maxLength", "uniqueItems", "minProperties",
              "maxProperties", "prefixItems")
OPENAI_PROPERTIES = 5000
OPENAI_DEPTH = 10
# What Anthropic names by type when it refuses it.
ANTHROPIC_NOT = {
    "string": ("minLength", "maxLength"),
    "integer": ("minimum", "maximum", "multipleOf", "exclusiveMinimum",
                "exclusiveMaximum"),
    "number": ("minimum", "maximum", "multipleOf", "exclusiveMinimum",
               "exclusiveMaximum"),
    "array": ("maxItems", "uniqueItems", "prefixItems"),
    "object": ("patternProperties", "minProperties", "maxProperties"),
}
ANTHROPIC_OPTIONAL = 24
ANTHROPIC_UNIONS = 16
# What Gemini knows; it passes over the rest, so nothing else is enforced.
GEMINI_KNOWS = {"$id", "$defs", "$ref", "$anchor", "type", "format", "title",
                "description", "enum", "items", "prefixItems", "minItems",
                "maxItems", "minimum", "maximum", "anyOf", "oneOf",
                "properties", "additionalProperties", "required",
                "propertyOrdering"}


def parts_of(schema):
    """The schemas right inside a schema, each with its place."""
    for name in INNER:
        if isinstance(schema.get(name), dict):
            yield (name,), schema[name]
    for name in LISTS:
        for at, one in enumerate(schema.get(name, [])):
            yield (name, str(at)), one
    for name in MAPS:
        for key, one in schema.get(name, {}).items():
            yield (name, key), one


def walk(schema, place=()):
    """Every schema inside a schema, itself first, with its place."""
    yield place, schema
    for step, one in parts_of(schema):
        if isinstance(one, dict):
            yield from walk(one, place + step)


def is_object(schema):
    return "object" in types_in(schema)


def first_key(schema, root):
    return next(iter(resolve(schema, root).get("properties", {})), None)


def openai_node(place, schema, root):
    """Why strict mode refuses one schema, less where it stands."""
    for name in OPENAI_NOT:
        if name in schema:
            return "'%s' is not permitted." % name
    if is_object(schema):
        props = schema.get("properties", {})
        if schema.get("additionalProperties") is not False:
            return ("'additionalProperties' is required to be supplied and "
                    "to be false.")
        rest = [name for name in props if name not in
                schema.get("required", ())]
        if rest:
            return ("'required' is required to be supplied and to be an array "
                    "including every key in properties. Missing '%s'."
                    % rest[0])
    if "array" in types_in(schema) and "items" not in schema:
        return "array schema missing items."
    if not {"type", "anyOf", "$ref", "enum", "const"} & set(schema):
        return "schema must have a 'type' key."
    return None


def openai(schema):
    """OpenAI's strict mode; Azure's is the same."""
    head = "Invalid schema for response_format 'answer': "
    if "anyOf" in schema or schema.get("type") != "object":
        return head + ("schema must be a JSON Schema of 'type: \"object\"', "
                       "got 'type: \"%s\"'." % schema.get("type"))
    count = 0
    for place, one in walk(schema):
        why = openai_node(place, one, schema)
        if why:
            return head + "In context=%r, %s" % (place, why)
        keys = [first_key(part, schema) for part in one.get("anyOf", ())
                if is_object(resolve(part, schema))]
        if len(set(keys)) < len(keys):
            return ("Invalid schema: Objects provided via 'anyOf' must not "
                    "share identical first keys. Consider adding a "
                    "discriminator key or rearranging the properties to "
                    "ensure the first key is unique.")
        count += len(one.get("properties", ()))
        if place.count("properties") + place.count("items") > OPENAI_DEPTH:
            return head + "too many levels of nesting."
    if count > OPENAI_PROPERTIES:
        return head + "too many properties."
    return None


def anthropic_node(schema):
    """Why Anthropic refuses one schema."""
    if not {"type", "anyOf", "oneOf", "allOf", "$ref", "enum",
            "const"} & set(schema):
        return ("Schema must have a 'type', 'anyOf', 'oneOf', or 'allOf' "
                "field")
    if is_object(schema) and schema.get("additionalProperties") is not False:
        return ("For 'object' type, 'additionalProperties' must be "
                "explicitly set to false")
    if schema.get("minItems", 0) not in (0, 1):
        return ("For 'array' type, 'minItems' values other than 0 or 1 are "
                "not supported")
    for kind in types_in(schema):
        for name in ANTHROPIC_NOT.get(kind, ()):
            if name in schema:
                return ("For '%s' type, property '%s' is not supported"
                        % (kind, name))
    return None


def anthropic(schema):
    """Anthropic's structured output."""
    optional = unions = 0
    for place, one in walk(schema):
        why = anthropic_node(one)
        if why:
            return "output_config.format.schema: " + why
        optional += len(set(one.get("properties", ()))
                        - set(one.get("required", ())))
        unions += "anyOf" in one or isinstance(one.get("type"), list)
    if optional > ANTHROPIC_OPTIONAL:
        return ("Schemas contains too many optional parameters (%d), which "
                "would make grammar compilation inefficient. Reduce the "
                "number of optional parameters in your tool schemas (limit: "
                "%d)." % (optional, ANTHROPIC_OPTIONAL))
    if unions > ANTHROPIC_UNIONS:
        return ("Schemas contains too many parameters with union types (%d)"
                % unions)
    return None


def gemini(schema):
    """Gemini: what it does not know is passed over, so little is refused."""
    for place, one in walk(schema):
        if any(not isinstance(value, (str, int, float))
               or isinstance(value, bool) for value in one.get("enum", ())):
            return ("Invalid value at 'generation_config.response_json_schema"
                    "': enum is for strings and numbers")
        if "$ref" in one and any(not name.startswith("$") for name in one):
            return "$ref stands alone"
    return None


def known_to_gemini(schema):
    """The schema without what Gemini passes over."""
    if isinstance(schema, list):
        return [known_to_gemini(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    out = {}
    for name, value in schema.items():
        if name in ("properties", "$defs"):
            out[name] = {key: known_to_gemini(one)
                         for key, one in value.items()}
        elif name in GEMINI_KNOWS:
            out[name] = (known_to_gemini(value) if name in INNER + LISTS
                         else value)
    return out


def llama(schema):
    """llama.cpp's converter: what it does not know is an error."""
    for place, one in walk(schema):
        if not {"type", "properties", "anyOf", "oneOf", "allOf", "$ref",
                "const", "enum"} & set(one) and set(one) - {
                    "description", "title", "$schema"}:
            return ("JSON schema conversion failed:\nUnrecognized schema: %s"
                    % sorted(one))
        for kind in types_in(one):
            if kind not in ("object", "array", "string", "integer", "number",
                            "boolean", "null"):
                return ("JSON schema conversion failed:\nUnrecognized "
                        "schema: type %r" % kind)
    return None


def everything(schema):
    """A service that takes any schema."""
    return None
