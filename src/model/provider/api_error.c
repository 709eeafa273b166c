/* SPDX-License-Identifier: GPL-3.0-or-later */
/* api_error.c - reads a server's error response, and decides what follows. */
#include "model/provider/api_error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/redact.h"
#include "base/utf8.h"
#include "model/provider/effort.h"
#include "model/provider/host_features.h"
#include "model/provider/provider.h"
#include "model/provider/tool_declarations.h"

#define WAIT_MAX_S (7 * 24 * 3600) /* a longer wait is of no use */

/* The part of a message that is read: parameters are named in its first words,
 * and the line for a person is far shorter. */
#define MESSAGE_READ_MAX 2048

#define KEY_MIN 8
#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

void
api_error_init(struct api_error *a, int status, const char *key)
{
    *a = (struct api_error){.status = status, .key = key, .retry_ms = -1};
}

/* Appends text as one line: each run of blanks and control bytes is one blank.
 */
static void
add_one_line(struct buf *out, const char *text)
{
    CLEANUP_BUF struct buf whole = buf_of(3 * MESSAGE_READ_MAX);

    utf8_repair(&whole, text, strnlen(text, MESSAGE_READ_MAX));
    for (size_t i = 0; i < whole.len; i++) {
        unsigned char c = (unsigned char)whole.p[i];
        bool blank = c <= ' ' || c == 0x7f;

        if (blank && (out->len == 0 || out->p[out->len - 1] == ' '))
            continue;
        buf_ch(out, blank ? ' ' : (char)c);
    }
    if (out->len > 0 && out->p[out->len - 1] == ' ')
        buf_cut(out, out->len - 1);
}

static bool
stands_alone(const char *start, const char *at, size_t n)
{
    static const char word[] = LETTERS "0123456789";

    return (at == start || !strchr(word, at[-1])) &&
           (!at[n] || !strchr(word, at[n]));
}

/* Finds the key in text, which is part of the string at start; NULL: it is not
 * there. People give local servers any word as a key ("none", "x"); removing
 * that would garble the message and protect nothing. So a key shorter than
 * KEY_MIN is removed only when it is no plain word, and where it stands alone.
 */
static const char *
find_key(const char *start, const char *text, const char *key, size_t n)
{
    const char *at = text;

    if (n < KEY_MIN && (n == 0 || strspn(key, LETTERS) == n))
        return NULL;
    while ((at = strstr(at, key)) != NULL) {
        if (n >= KEY_MIN || stands_alone(start, at, n))
            return at;
        at++;
    }
    return NULL;
}

void
api_error_clean(char *to, size_t size, const char *text, const char *key)
{
    CLEANUP_BUF struct buf line = buf_of(16384);
    CLEANUP_BUF struct buf bare = buf_of(16384);
    CLEANUP_BUF struct buf safe = buf_of(65536);
    size_t n = key ? strlen(key) : 0;
    const char *at, *p;

    add_one_line(&line, text);
    for (p = line.p; (at = find_key(line.p, p, key, n)) != NULL; p = at + n) {
        buf_add(&bare, p, (size_t)(at - p));
        buf_str(&bare, "***");
    }
    buf_str(&bare, p);
    redact(bare.p, bare.len, &safe);
    n = utf8_boundary(safe.p, safe.len,
                      safe.len < size - 1 ? safe.len : size - 1);
    memcpy(to, safe.p, n);
    to[n] = '\0';
}

static void
add_kind(struct api_error *a, const struct json *v)
{
    const char *word = json_str(v, NULL);
    size_t n = strlen(a->kind);

    if (word)
        snprintf(a->kind + n, sizeof(a->kind) - n, "%s%s", n ? " " : "", word);
}

/* Reads a status, a number or a string ("429"). */
static void
read_status(struct api_error *a, const struct json *v)
{
    const char *s = json_str(v, NULL);
    int64_t n = s ? strtoll(s, NULL, 10) : 0;

    if ((s && n) || json_int(v, &n)) {
        if (n >= 400 && n <= 599)
            a->status = (int)n;
    }
}

/* Derives the status from the words of the kind, where no number is sent. */
static void
read_status_words(struct api_error *a)
{
    static const struct {
        const char *word;
        int status;
    } rows[] = {
        {"overloaded", 529},         {"rate_limit", 429},
        {"RESOURCE_EXHAUSTED", 429}, {"insufficient_quota", 429},
        {"authentication", 401},     {"invalid_api_key", 401},
        {"UNAUTHENTICATED", 401},    {"permission", 403},
        {"PERMISSION_DENIED", 403},  {"not_found", 404},
        {"NOT_FOUND", 404},          {"invalid_request", 400},
        {"INVALID_ARGUMENT", 400},   {"UNAVAILABLE", 503},
        {"api_error", 500},          {"server_error", 500},
        {"INTERNAL", 500},
    };

    for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
        if (strstr(a->kind, rows[i].word)) {
            a->status = rows[i].status;
            return;
        }
    }
}

/* Reads Gemini's delay: "34s", "0.5s". */
static void
read_delay(struct api_error *a, const struct json *v)
{
    const char *s = json_str(v, NULL);
    double seconds = s ? strtod(s, NULL) : -1;

    if (seconds >= 0 && seconds < WAIT_MAX_S)
        a->retry_ms = (int64_t)(seconds * 1000);
}

/* Reads Gemini's details: which quota was exceeded, and how long to wait. */
static void
read_error_details(struct api_error *a, const struct json *details)
{
    const struct json *d, *v;

    for (d = json_first(details); d; d = json_next(d)) {
        read_delay(a, json_get(d, "retryDelay"));
        for (v = json_first(json_get(d, "violations")); v; v = json_next(v)) {
            const char *id = json_get_str(v, "quotaId");
            const char *value = json_get_str(v, "quotaValue");

            a->spent |= id && strcasestr(id, "PerDay");
            a->spent |= value && strcmp(value, "0") == 0;
        }
    }
}

/* Reads FastAPI's list of fields that are wrong, or one such field: the path of
 * each. Mistral sends the list as the message. Returns the first field. */
static const struct json *
read_error_fields(struct api_error *a, const struct json *detail)
{
    bool list = json_type(detail) == JSON_ARRAY;
    const struct json *field = list ? json_first(detail) : detail, *loc;

    for (; field; field = list ? json_next(field) : NULL) {
        for (loc = json_first(json_get(field, "loc")); loc;
             loc = json_next(loc))
            add_kind(a, loc);
    }
    return list ? json_first(detail) : detail;
}

void
api_error_read_filter(char *to, size_t size, const struct json *v)
{
    CLEANUP_BUF struct buf names = buf_of(1024);
    const struct json *row;

    for (row = json_first(v); row; row = json_next(row)) {
        bool filtered = false;

        if (json_bool(json_get(row, "filtered"), &filtered) && filtered)
            buf_printf(&names, "%s%.40s", names.len > 0 ? ", " : "",
                       json_name(row, NULL));
    }
    api_error_clean(to, size, names.p, NULL);
}

/* Reads what OpenRouter says of the provider that it asked: its name, and its
 * words, beside which the message says only that there was an error. */
static void
read_upstream(struct api_error *a, const struct json *metadata)
{
    const char *name = json_get_str(metadata, "provider_name");
    const char *raw = json_get_str(metadata, "raw");
    CLEANUP_BUF struct buf text = buf_of(4 * MESSAGE_READ_MAX);

    if (!raw || !*raw)
        return;
    buf_printf(&text, "%.60s%s%.*s", name ? name : "", name ? ": " : "",
               MESSAGE_READ_MAX, raw);
    api_error_clean(a->message, sizeof(a->message), text.p, a->key);
}

/* Reads which of Azure's filters stopped the request. */
static void
read_filter_categories(struct api_error *a, const struct json *err)
{
    const struct json *inner = json_get(err, "innererror");
    const struct json *v = json_get(inner, "content_filter_result");

    api_error_read_filter(a->filter, sizeof(a->filter),
                          v ? v : json_get(inner, "content_filter_results"));
    if (!*a->filter && strstr(a->kind, "content_filter"))
        snprintf(a->filter, sizeof(a->filter), "a rule that it does not name");
}

static void
read_error_message(struct api_error *a, const struct json *v)
{
    const char *s = json_str(v, NULL);

    if (s && *s && !*a->message)
        api_error_clean(a->message, sizeof(a->message), s, a->key);
}

/* Whether the words say that the account's credit is used up. */
static bool
is_spent(const struct api_error *a)
{
    if (strstr(a->kind, "insufficient_quota") || strstr(a->kind, "billing") ||
        a->status == 402)
        return true;
    return a->status == 400 && (strcasestr(a->message, "credit") ||
                                strcasestr(a->message, "billing"));
}

void
api_error_read_json(struct api_error *a, const struct json *v)
{
    const struct json *err, *message, *first;
    const char *param;

    if (json_type(v) == JSON_ARRAY)
        v = json_at(v, 0); /* Gemini without alt=sse */
    err = json_get(v, "error");
    if (!err || json_type(err) == JSON_NULL || json_type(err) == JSON_BOOL)
        err = v;
    add_kind(a, json_get(err, "type"));
    add_kind(a, json_get(err, "code"));
    add_kind(a, json_get(err, "status"));
    add_kind(a, json_get(err, "param"));
    param = json_get_str(err, "param");
    snprintf(a->param, sizeof(a->param), "%s", param ? param : "");
    message = json_get(err, "message");
    first = json_get(message, "detail");
    first = read_error_fields(a, first ? first : json_get(v, "detail"));
    if (a->status < 400) {
        a->status = 0;
        read_status_words(a);
        read_status(a, json_get(err, "code"));
        read_status(a, json_get(err, "status"));
    }
    read_error_message(a, err);
    read_error_message(a, message);
    read_error_message(a, json_get(message, "detail"));
    read_error_message(a, json_get(v, "message"));
    read_error_message(a, json_get(v, "detail"));
    read_error_message(a, json_get(first, "msg"));
    read_upstream(a, json_get(err, "metadata"));
    read_filter_categories(a, err);
    read_error_details(a, json_get(err, "details"));
    a->spent |= is_spent(a);
}

void
api_error_read(struct api_error *a, const char *body, size_t n)
{
    CLEANUP(json_free_p) struct json *v = json_parse(body, n, 0, NULL);
    size_t blanks = strspn(body, " \t\r\n\xef\xbb\xbf");

    if (v) {
        api_error_read_json(a, v);
        return;
    }
    a->page = body[blanks] == '<';
    if (!a->page)
        api_error_clean(a->message, sizeof(a->message), body, a->key);
    a->spent |= is_spent(a);
}

void
api_error_read_retry_after(struct api_error *a, const char *value, int64_t now)
{
    char *end;
    double seconds = strtod(value, &end);
    time_t date;

    if (end == value) {
        date = clock_parse_http_date(value);
        if (date == (time_t)-1)
            return;
        seconds = (double)((int64_t)date - now);
    }
    if (seconds < 0)
        seconds = 0;
    if (!(seconds <= WAIT_MAX_S))
        seconds = WAIT_MAX_S;
    a->retry_ms = (int64_t)(seconds * 1000);
}

bool
api_error_is_transient(const struct api_error *a)
{
    static const int passing[] = {429, 500, 502, 503, 529};

    for (size_t i = 0; !a->spent && i < ARRAY_SIZE(passing); i++) {
        if (a->status == passing[i])
            return true;
    }
    return false;
}

bool
api_error_is_overload(const struct api_error *a)
{
    return a->status == 429 || a->status == 529;
}

/* Words of a message, and the quirk that they tell of; 0: the error is about
 * the conversation and no quirk. The first match wins: a longer name comes
 * before the one that it contains. */
struct quirk_word {
    const char *word;
    unsigned quirk;
};

/* Parameters that a body names, each by its whole name. */
static const struct quirk_word quirk_params[] = {
    /* OpenAI, o1-mini: 'messages[0].role' does not support 'system' */
    {"messages[0].role", QUIRK_NO_SYSTEM},
    /* OpenAI, an organisation that is not verified: 400, param "stream", code
     * unsupported_value */
    {"stream", QUIRK_NO_STREAM},
};

/* Words that count when the conversation holds tool calls. */
static const struct quirk_word quirk_words_of_calls[] = {
    {"roles must alternate", QUIRK_NO_TOOLS},
};

static const struct quirk_word quirk_words[] = {
    {"tool_call_id", 0}, /* the results do not match the calls */
    {"tool_use_id", 0},
    {"tool_result", 0},
    {"thought_signature", 0},
    {"reasoning_content", 0},
    /* Templates of chats that know neither tools nor the system role say the
     * same (llama-server: 500). Where there are calls, the role went through
     * before. */
    {"roles must alternate", QUIRK_NO_SYSTEM},
    {"roles must alternate", QUIRK_NO_TOOLS},
    {"does not support 'system'", QUIRK_NO_SYSTEM},
    /* OpenAI, from gpt-5.4 on, chat completions: "Function tools with
     * reasoning_effort are not supported", also where none was sent */
    {"tools with reasoning_effort", QUIRK_EFFORT_NONE},
    {"reasoning_effort to 'none'", QUIRK_EFFORT_NONE},
    /* OpenAI: 'reasoning_effort' does not support 'minimal'; Anthropic: "This
     * model does not support the effort parameter"; Gemini: "Thinking level is
     * not supported for this model"; a server that knows no output_config is
     * asked without the effort before the schema is given up */
    {"effort", QUIRK_NO_EFFORT},
    {"Encrypted content", QUIRK_NO_EFFORT},
    {"thinking level", QUIRK_NO_EFFORT},
    {"thinking_level", QUIRK_NO_EFFORT},
    {"thinkingLevel", QUIRK_NO_EFFORT},
    {"thinking_config", QUIRK_NO_EFFORT},
    {"thinkingConfig", QUIRK_NO_EFFORT},
    {"output_config: Extra inputs", QUIRK_NO_EFFORT},
    /* OpenAI: the model is for chat completions alone */
    {"v1/responses", QUIRK_NO_RESPONSES},
    {"Responses API", QUIRK_NO_RESPONSES},
    /* DeepSeek: 400 "This response_format type is unavailable now" */
    {"response_format type is unavailable", QUIRK_JSON_OBJECT},
    {"schema for function", QUIRK_NO_TOOLS},
    {"function_declarations", QUIRK_NO_TOOLS},
    {"functionDeclarations", QUIRK_NO_TOOLS},
    {"tools.", QUIRK_NO_TOOLS},
    {"tools[", QUIRK_NO_TOOLS},
    {"input_schema", QUIRK_NO_TOOLS},
    {"stream_options", QUIRK_NO_USAGE},
    {"include_usage", QUIRK_NO_USAGE},
    {"temperature", QUIRK_NO_TEMPERATURE},
    {"prompt_cache_key", QUIRK_NO_CACHE_KEY},
    {"anyOf", QUIRK_OBJECT_ROOT},
    {"type: \"object\"",
     QUIRK_OBJECT_ROOT},               /* OpenAI: a schema must be of it */
    {"'required'", QUIRK_OBJECT_ROOT}, /* OpenAI: it must list every property */
    {"`required`", QUIRK_OBJECT_ROOT},
    {"root schema", QUIRK_OBJECT_ROOT},
    {"response_format", QUIRK_NO_SCHEMA},
    {"json_schema", QUIRK_NO_SCHEMA},
    {"output_config", QUIRK_NO_SCHEMA},
    {"output_format", QUIRK_NO_SCHEMA},
    {"output format", QUIRK_NO_SCHEMA},
    {"structured output", QUIRK_NO_SCHEMA},
    {"responseJsonSchema", QUIRK_NO_SCHEMA},
    {"response_json_schema", QUIRK_NO_SCHEMA},
    {"responseMimeType", QUIRK_NO_SCHEMA},
    {"response_mime_type", QUIRK_NO_SCHEMA},
    {"response mime type", QUIRK_NO_SCHEMA},
    {"JSON mode", QUIRK_NO_SCHEMA},
    {"additionalProperties", QUIRK_NO_SCHEMA},
    {"grammar", QUIRK_NO_SCHEMA},
    {"guided_json", QUIRK_NO_SCHEMA},
    {"schema", QUIRK_NO_SCHEMA},
    {"format", QUIRK_NO_SCHEMA},
    {"tool_choice", QUIRK_NO_TOOL},
    {"tool", QUIRK_NO_TOOLS},
    {"function call", QUIRK_NO_TOOLS},
    {"function", QUIRK_NO_TOOLS},
    {"tool", QUIRK_NO_TOOL},
    {"function", QUIRK_NO_TOOL},
    {"schema", QUIRK_NO_TOOL},
    {"max_completion_tokens", QUIRK_OTHER_LIMIT},
    {"max_tokens", QUIRK_OTHER_LIMIT},
    {"max_completion_tokens", QUIRK_NO_LIMIT},
    {"max_tokens", QUIRK_NO_LIMIT},
    {"maxOutputTokens", QUIRK_NO_LIMIT},
    {"max_output_tokens", QUIRK_NO_LIMIT},
    {"num_predict", QUIRK_NO_LIMIT},
    {"context length", QUIRK_NO_LIMIT},
    {"system role", QUIRK_NO_SYSTEM},
    {"system message", QUIRK_NO_SYSTEM},
    {"system_instruction", QUIRK_NO_SYSTEM},
    {"systemInstruction", QUIRK_NO_SYSTEM},
    {"Developer instruction", QUIRK_NO_SYSTEM},
    {"\"stream\"", QUIRK_NO_STREAM},
    {"'stream'", QUIRK_NO_STREAM},
    {"`stream`", QUIRK_NO_STREAM},
    {"streaming is not", QUIRK_NO_STREAM},
    {"stream is not", QUIRK_NO_STREAM},
};

static bool
sends_calls(const struct provider_request *req)
{
    return tool_declarations_has_calls(req) && !tool_declarations_are_text(req);
}

/* Whether the request sends what the quirk would leave out. */
static bool
request_sends(const struct provider_request *req, unsigned quirk)
{
    if (quirk && ((req->quirks & quirk) || !(req->provider->fallbacks & quirk)))
        return false;
    switch (quirk) {
    case 0:
        return sends_calls(req);
    case QUIRK_NO_SCHEMA:
        return provider_answer_shape(req) == ANSWER_SHAPE_SCHEMA;
    case QUIRK_OBJECT_ROOT:
        return provider_answer_shape(req) == ANSWER_SHAPE_SCHEMA &&
               !(provider_features(req) & HOST_OBJECT_ROOT);
    case QUIRK_NO_CACHE_KEY:
        return provider_features(req) & HOST_CACHE_KEY;
    case QUIRK_NO_TOOL:
        return provider_answer_shape(req) == ANSWER_SHAPE_TOOL;
    case QUIRK_NO_TOOLS:
        return tool_declarations_form(req) == TOOL_DECLARATIONS_NATIVE ||
               sends_calls(req);
    case QUIRK_JSON_OBJECT:
        return provider_answer_shape(req) == ANSWER_SHAPE_SCHEMA;
    case QUIRK_EFFORT_NONE:
        return tool_declarations_form(req) == TOOL_DECLARATIONS_NATIVE &&
               !provider_uses_responses(req);
    case QUIRK_NO_EFFORT:
        return effort_of(req) != NULL;
    case QUIRK_NO_RESPONSES:
        return provider_uses_responses(req);
    case QUIRK_OTHER_LIMIT:
        return !(req->quirks & QUIRK_NO_LIMIT);
    case QUIRK_NO_SYSTEM:
        return req->system != NULL;
    default:
        return true;
    }
}

/* Whether the request may be at fault. Some servers answer a client's mistake
 * with 500 or 501. */
static bool
may_be_request_fault(int status)
{
    return status == 400 || status == 404 || status == 415 || status == 422 ||
           status == 500 || status == 501;
}

bool
api_error_is_model_missing(const struct api_error *a)
{
    static const char *const words[] = {
        "not found",
        "not exist",
        "not_found",
        "deprecated",
        "decommissioned",
        "no longer",
        "retired",
        "unknown",
        "does not have access",
        "not supported for generateContent",
    };

    if (a->page || a->status < 400 || a->status > 499 || a->status == 401 ||
        a->status == 429)
        return false;
    if (strstr(a->kind, "model_not_found") ||
        strstr(a->kind, "model_decommissioned"))
        return true;
    for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
        if (strcasestr(a->message, "model") &&
            (strcasestr(a->message, words[i]) || strstr(a->kind, words[i])))
            return true;
    }
    return false;
}

/* The quirk of the first row whose word the body has; 0: none. */
static unsigned
find_quirk(const struct api_error *a, const struct provider_request *req,
           const struct quirk_word *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (request_sends(req, rows[i].quirk) &&
            (strcasestr(a->message, rows[i].word) ||
             strcasestr(a->kind, rows[i].word)))
            return rows[i].quirk;
    }
    return 0;
}

static unsigned
find_param_quirk(const struct api_error *a, const struct provider_request *req)
{
    for (size_t i = 0; i < ARRAY_SIZE(quirk_params); i++) {
        if (strcmp(a->param, quirk_params[i].word) == 0 &&
            request_sends(req, quirk_params[i].quirk))
            return quirk_params[i].quirk;
    }
    return 0;
}

unsigned
api_error_quirk(const struct api_error *a, const struct provider_request *req)
{
    unsigned quirk;

    if (a->status == 404 && provider_uses_responses(req) &&
        !api_error_is_model_missing(a))
        return QUIRK_NO_RESPONSES; /* also from a web page */
    if (!may_be_request_fault(a->status) || a->spent || a->page || *a->filter)
        return 0;
    quirk = find_param_quirk(a, req);
    if (!quirk && tool_declarations_has_calls(req))
        quirk = find_quirk(a, req, quirk_words_of_calls,
                           ARRAY_SIZE(quirk_words_of_calls));
    return quirk ? quirk
                 : find_quirk(a, req, quirk_words, ARRAY_SIZE(quirk_words));
}
