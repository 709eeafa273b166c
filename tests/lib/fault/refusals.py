# SPDX-License-Identifier: GPL-3.0-or-later
"""refusals.py - what today's services refuse, in the words that they use.

A row answers well once the cause is gone and nothing else is: a client that
gives up functions or the schema along with it is refused for good.
"""

from .answer import Call, text_of
from .calls import may_call, pick
from .params import FALLBACK, has
from .table import fault


def openai_error(x, message, param=None, code=None, status=400, kind=None):
    x.fail("bad", message, status=status, value={"error": {
        "message": message, "type": kind or "invalid_request_error",
        "param": param, "code": code}})


def is_constrained(x):
    """Whether something makes the answer fit: a schema, or functions."""
    body = x.request.json
    return any(has(body, path) for path in (
        "tools", "response_format", "format", "output_config.format",
        "generationConfig.responseJsonSchema"))


def keep(x):
    """The good answer, if no more was given up than had to be."""
    if is_constrained(x):
        x.say()
    else:
        openai_error(x, "this test wants a schema or functions to be kept")


@fault("effort-with-tools", "functions want reasoning_effort none "
       "(litellm#34569)", wires="o", requests=FALLBACK)
def effort_with_tools(x):
    body = x.request.json
    if body.get("tools") and body.get("reasoning_effort") != "none":
        openai_error(x, "Function tools with reasoning_effort are not "
                     "supported for gpt-5.6 in /v1/chat/completions. To use "
                     "function tools, use /v1/responses or set "
                     "reasoning_effort to 'none'.", "reasoning_effort")
    else:
        keep(x)


@fault("effort-minimal", "reasoning_effort minimal is refused "
       "(livekit/agents#7169)", wires="o", requests=FALLBACK)
def effort_minimal(x):
    if x.request.json.get("reasoning_effort") == "minimal":
        openai_error(x, "Unsupported value: 'reasoning_effort' does not "
                     "support 'minimal' with this model. Supported values "
                     "are: 'none', 'low', 'medium', 'high', and 'xhigh'.",
                     "reasoning_effort", "unsupported_value")
    else:
        keep(x)


@fault("effort-unknown", "a server that does not know reasoning_effort",
       wires="o", requests=FALLBACK)
def effort_unknown(x):
    if has(x.request.json, "reasoning_effort"):
        openai_error(x, "Unrecognized request argument supplied: "
                     "reasoning_effort")
    else:
        keep(x)


@fault("effort-claude", "a model that knows no effort", wires="a",
       requests=FALLBACK)
def effort_claude(x):
    if has(x.request.json, "output_config.effort"):
        x.fail("bad", "This model does not support the effort parameter.")
    else:
        keep(x)


@fault("effort-gemini", "a model that knows no thinking level", wires="g",
       requests=FALLBACK)
def effort_gemini(x):
    if has(x.request.json, "generationConfig.thinkingConfig.thinkingLevel"):
        x.fail("bad", "Thinking level is not supported for this model.")
    else:
        keep(x)


@fault("cache-key-unknown", "prompt_cache_key is not known", wires="o",
       requests=FALLBACK)
def cache_key_unknown(x):
    if has(x.request.json, "prompt_cache_key"):
        openai_error(x, "Unrecognized request argument supplied: "
                     "prompt_cache_key")
    else:
        keep(x)


@fault("stream-unverified", "an organisation that may not stream this model "
       "(continue#7129)", wires="o", requests=FALLBACK)
def unverified(x):
    if x.request.json.get("stream"):
        openai_error(x, "Your organization must be verified to stream this "
                     "model. Please go to the settings of the organization "
                     "and click on Verify Organization.", "stream",
                     "unsupported_value")
    else:
        keep(x)


def mistral(x, *place):
    """422 with the framework's list inside the message."""
    x.fail("bad", "", status=422, value={
        "object": "error", "type": "invalid_request_error", "param": None,
        "code": None, "message": {"detail": [
            {"type": "extra_forbidden", "loc": ["body", *place],
             "msg": "Extra inputs are not permitted", "input": {}}]}})


@fault("mistral-usage", "stream_options is refused, inside the message "
       "(anon-kode#53)", wires="o", requests=FALLBACK)
def mistral_usage(x):
    if has(x.request.json, "stream_options"):
        mistral(x, "stream_options", "include_usage")
    else:
        keep(x)


@fault("mistral-list", "stream_options is refused, the message a list "
       "(php-mistral#76)", wires="o", requests=FALLBACK)
def mistral_list(x):
    detail = [{"type": "extra_forbidden", "loc": ["body", "stream_options"],
               "msg": "Extra inputs are not permitted", "input": {}}]
    if has(x.request.json, "stream_options"):
        x.fail("bad", "", status=422, value={
            "object": "Error", "detail": detail, "message": detail,
            "type": "invalid_request_error", "code": 3001})
    else:
        keep(x)


@fault("mistral-reasoning", "reasoning_content may not come back "
       "(crush#1590)", wires="o", requests=(1, 4))
def mistral_reasoning(x):
    """A call after reasoning, which this service does not want to see."""
    if may_call(x):
        x.say(x.change(text="", finish="tool", reasoning="Where is it?",
                       calls=(Call(pick(x), "{}", "call_a"),)))
        return
    for at, message in enumerate(x.wire.messages(x.request)):
        if "reasoning_content" in message:
            mistral(x, "messages", at, "assistant", "reasoning_content")
            return
    x.say()


@fault("system-param", "the role system is refused by its place "
       "(forgecode#1177)", wires="o", requests=FALLBACK)
def system_param(x):
    role = x.request.json["messages"][0].get("role")
    if role == "system":
        openai_error(x, "Unsupported value: 'messages[0].role' does not "
                     "support 'system' with this model.", "messages[0].role",
                     "unsupported_value")
    else:
        keep(x)


@fault("system-template", "500 for a template without a system's turn",
       wires="o", requests=FALLBACK)
def system_template(x):
    """llama-server has no other words for it than those of the template."""
    roles = [m.get("role") for m in x.request.json["messages"]]
    if "system" in roles:
        x.fail("server", "", value={"error": {
            "code": 500, "type": "server_error", "message":
            "Conversation roles must alternate user/assistant/user/assistant"
            "/... at row 1, column 1:"}})
    else:
        keep(x)


@fault("deepseek-schema", "json_schema is not available, json_object is",
       wires="o", requests=(1, 4))
def deepseek_schema(x):
    form = x.request.json.get("response_format") or {}
    if form.get("type") == "json_schema":
        openai_error(x, "This response_format type is unavailable now")
    elif x.request.json.get("tool_choice") not in (None, "auto", "none"):
        openai_error(x, "deepseek-reasoner does not support this tool_choice")
    else:
        x.say()


@fault("claude-thinks-always", "a model that always thinks rejects a forced "
       "function", wires="a", requests=(1, 4))
def claude_thinks_always(x):
    choice = x.request.json.get("tool_choice") or {}
    if has(x.request.json, "output_config.format"):
        x.fail("bad", "output_config.format: Extra inputs are not permitted")
    elif choice.get("type") in ("any", "tool"):
        x.fail("bad", "Thinking may not be enabled when tool_choice forces "
               "tool use.")
    else:
        x.say()


@fault("azure-filter", "400: a filter of Azure's, which names the category",
       exit=3, wires="o", says="violence")
def azure_filter(x):
    result = {name: {"filtered": name == "violence", "severity":
                     "medium" if name == "violence" else "safe"}
              for name in ("hate", "self_harm", "sexual", "violence")}
    x.fail("bad", "", value={"error": {
        "message": "The response was filtered due to the prompt triggering "
        "Azure OpenAI's content management policy.", "type": None,
        "param": "prompt", "code": "content_filter", "status": 400,
        "innererror": {"code": "ResponsibleAIPolicyViolation",
                       "content_filter_result": result}}})


@fault("choice-error", "a service behind the service broke, which a choice "
       "says", exit=3, wires="o", says="The upstream melted",
       requests=(1, 2))
def choice_error(x):
    error = {"code": 502, "message": "The upstream melted",
             "metadata": {"provider_name": "elsewhere"}}
    value = {"id": "gen-1", "object": "chat.completion.chunk",
             "model": "fault", "choices": [{
                 "index": 0, "delta": {"role": "assistant", "content": ""},
                 "finish_reason": "error", "native_finish_reason": None,
                 "error": error}]}
    x.stream([x.wire.frame(value), b"data: [DONE]\n\n"])


@fault("chunk-error", "an error beside empty choices, in the stream", exit=4,
       wires="o", says="The upstream melted", requests=(1, 2))
def chunk_error(x):
    value = {"id": "gen-1", "object": "chat.completion.chunk", "choices": [],
             "error": {"code": 502, "message": "The upstream melted"}}
    x.stream([*x.events(x.change(text=text_of("wrong"), finish=""))[:3],
              x.wire.frame(value), b"data: [DONE]\n\n"])


@fault("refusal-words", "a refusal whose words are shown", exit=3,
       wires="og", says="I will not do that")
def refusal_words(x):
    x.say(x.change(text="", refusal="I will not do that.", finish="refusal"))


@fault("refusal-claude", "a refusal with its explanation", exit=3, wires="a",
       says="cyber")
def refusal_claude(x):
    events = x.events(x.change(text="", content=False, finish="refusal"))
    details = (b'"stop_reason":"refusal","stop_details":{"type":"refusal",'
               b'"category":"cyber","explanation":"The wish could do harm '
               b'(cyber)."}')
    x.stream([event.replace(b'"stop_reason":"refusal"', details)
              for event in events])


@fault("refusal-gemini", "an answer that ends for safety, with its words",
       exit=3, wires="g", says="The answer would do harm")
def refusal_gemini(x):
    value = {"candidates": [{"finishReason": "SAFETY", "index": 0,
                             "finishMessage": "The answer would do harm."}],
             "usageMetadata": {"promptTokenCount": 4000}}
    x.stream([x.wire.frame(value)])
