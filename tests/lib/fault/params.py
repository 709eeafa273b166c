# SPDX-License-Identifier: GPL-3.0-or-later
"""params.py - servers that refuse a parameter of the request.

Each answers well as soon as the parameter is gone, so a client that falls
back ends well; one that never sent it has nothing to do.
"""

from .table import fault

FALLBACK = (1, 3)


def has(value, path):
    """Is there something at this dotted path, other than false?"""
    for name in path.split("."):
        if not isinstance(value, dict) or name not in value:
            return False
        value = value[name]
    return value is not False


def refusing(name, what, wires, paths, refuse):
    """A row that refuses requests that hold one of the paths."""
    @fault(name, what, wires=wires, requests=FALLBACK)
    def play(x):
        found = [p for p in paths if has(x.request.json, p)]
        if found:
            refuse(x, found[0])
        else:
            x.say()


def by_name(x, path):
    """OpenAI names the parameter, others only tell about it."""
    message = "Unsupported parameter: '%s' is not supported here." % path
    value = x.wire.error("bad", message)
    if x.wire.letter == "o":
        value["error"].update(param=path, code="unsupported_parameter")
    x.fail("bad", message, value=value)


def by_words(x, path):
    """A server that has only words for it, and a number for a code."""
    x.fail("bad", "", value={"error": {
        "message": "%s: Extra inputs are not permitted" % path,
        "type": "BadRequestError", "param": None, "code": 400}})


def by_detail(x, path):
    """A server whose framework answers before it does: 422."""
    x.fail("bad", "", status=422, value={"detail": [
        {"type": "extra_forbidden", "loc": ["body", *path.split(".")],
         "msg": "Extra inputs are not permitted"}]})


def with_hint(x, path):
    """max_tokens refused in favour of its newer name."""
    message = ("Unsupported parameter: '%s' is not supported with this "
               "model. Use 'max_completion_tokens' instead." % path)
    x.fail("bad", message, value={"error": {
        "message": message, "type": "invalid_request_error", "param": path,
        "code": "unsupported_parameter"}})


def gemini_unknown(x, path):
    x.fail("bad", 'Invalid JSON payload received. Unknown name "%s" at '
           "'%s': Cannot find field." % (path.split(".")[-1],
                                         path.split(".")[0]))


def gemini_developer(x, path):
    x.fail("bad", "Developer instruction is not enabled for this model (%s)"
           % path)


def anthropic_extra(x, path):
    x.fail("bad", "%s: Extra inputs are not permitted" % path)


def ollama_invalid(x, path):
    x.fail("bad", "invalid %s: a string is expected" % path)


def by_500(x, path):
    """A server that calls the client's mistake its own."""
    x.fail("server", "failed to parse grammar made of " + path)


def too_many(x, path):
    x.fail("bad", "%s: 100000 > 4096, which is the most that this model "
           "may say" % path)


refusing("no-max-tokens", "max_tokens is refused for its newer name", "o",
         ["max_tokens"], with_hint)
refusing("no-max-completion-tokens", "max_completion_tokens is not known",
         "o", ["max_completion_tokens"], by_words)
refusing("no-temperature", "temperature is refused", "oa",
         ["temperature"], by_name)
refusing("no-response-format", "response_format is refused by name", "o",
         ["response_format"], by_name)
refusing("no-response-format-words", "response_format is refused in words",
         "o", ["response_format"], by_words)
refusing("no-response-format-422", "response_format is refused with 422",
         "o", ["response_format"], by_detail)
refusing("no-stream-options", "stream_options is refused", "o",
         ["stream_options"], by_words)
refusing("no-stream-options-422", "stream_options is refused with 422", "o",
         ["stream_options"], by_detail)
refusing("no-output-config", "output_config is refused", "a",
         ["output_config"], anthropic_extra)
refusing("no-json-schema", "responseJsonSchema is not known", "g",
         ["generationConfig.responseJsonSchema"], gemini_unknown)
refusing("no-format", "format must be a string: an old server", "l",
         ["format"], ollama_invalid)
refusing("schema-500", "500 for a schema that the server cannot use", "ol",
         ["response_format", "format"], by_500)
refusing("no-shape", "neither response_format nor tools are taken", "o",
         ["response_format", "tools"], by_words)
refusing("no-stream", "streams are refused", "o", ["stream"], by_name)
refusing("no-system", "instructions apart from the messages are refused",
         "g", ["systemInstruction", "system_instruction"], gemini_developer)
refusing("no-think", "think is refused", "l", ["think"], ollama_invalid)


@fault("no-system-role", "messages of the role system are refused",
       wires="o", requests=FALLBACK)
def no_system_role(x):
    roles = {m.get("role") for m in x.request.json["messages"]}
    if roles & {"system", "developer"}:
        x.fail("bad", "System role not supported")
    else:
        x.say()


@fault("too-many-tokens", "more tokens are asked for than the model can say",
       wires="oa", requests=FALLBACK)
def too_many_tokens(x):
    if x.max_tokens() > 4096:
        too_many(x, "max_tokens")
    else:
        x.say()


@fault("strict-schema", "the schema is refused for a rule of strict mode",
       wires="oag", requests=FALLBACK)
def strict_schema(x):
    body = x.request.json
    form = body.get("response_format") or {}
    output = (body.get("output_config") or {}).get("format")
    google = body.get("generationConfig", {}).get("responseJsonSchema")
    if form.get("type") == "json_schema" or output or google:
        x.fail("bad", "Invalid schema for response_format 'answer': in "
               "context=(), 'required' must list every property.")
    else:
        x.say()


@fault("all-refused", "every optional parameter is refused, one at a time",
       wires="o", requests=(1, 7))
def all_refused(x):
    for path in ("max_tokens", "max_completion_tokens", "temperature",
                 "response_format", "stream_options", "tools", "seed"):
        if has(x.request.json, path):
            by_name(x, path)
            return
    x.say()
