/* SPDX-License-Identifier: GPL-3.0-or-later */
/* provider.c - writes the HTTP request to a provider. */
#include "model/provider/provider.h"

#include <string.h>
#include <strings.h>

#include "base/redact.h"
#include "config.h"
#include "model/provider/tool_fallback.h"

#define HEADERS_MAX (16u << 10)
#define URL_MAX     4096u

static const char *const quirk_names[QUIRKS_N] = {
    [0] = "no_schema",   [1] = "no_tool",       [2] = "no_temperature",
    [3] = "other_limit", [4] = "no_limit",      [5] = "no_usage",
    [6] = "no_stream",   [7] = "no_system",     [8] = "no_tools",
    [9] = "object_root", [10] = "no_cache_key", [12] = "effort_none",
    [13] = "no_effort",  [14] = "no_responses", [15] = "json_object",
};

const char *
quirk_name(unsigned bit)
{
    for (unsigned i = 0; i < QUIRKS_N; i++) {
        if (bit == 1u << i)
            return quirk_names[i];
    }
    return NULL;
}

unsigned
quirk_bit(const char *name)
{
    for (unsigned i = 0; i < QUIRKS_N; i++) {
        if (quirk_names[i] && strcmp(name, quirk_names[i]) == 0)
            return 1u << i;
    }
    return 0;
}

bool
provider_uses_responses(const struct provider_request *req)
{
    char host[128];

    provider_url_host(req->url, host, sizeof(host));
    return strcmp(req->provider->name, "openai") == 0 &&
           strcmp(host, PROVIDER_RESPONSES_HOST) == 0 &&
           !(req->quirks & QUIRK_NO_RESPONSES);
}

int
provider_token_limit(const struct provider_request *req)
{
    if (req->quirks & QUIRK_NO_LIMIT)
        return 0;
    if ((req->quirks & QUIRK_OTHER_LIMIT) && req->provider->few_tokens)
        return req->provider->few_tokens;
    return req->provider->max_tokens;
}

static void
strip_end(char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);

    if (n > m && strcmp(text + n - m, end) == 0)
        text[n - m] = '\0';
}

static void
strip_slashes(char *text)
{
    size_t n = strlen(text);

    while (n > 0 && text[n - 1] == '/')
        text[--n] = '\0';
}

static bool
has_scheme(const char *text)
{
    return strncasecmp(text, "http://", 7) == 0 ||
           strncasecmp(text, "https://", 8) == 0;
}

/* OLLAMA_HOST may be "host", ":port" or "host:port", and a path may follow.
 * 0.0.0.0 is the address on which the server listens; it is reached at
 * 127.0.0.1. */
static void
add_scheme_and_port(const char *text, const char *default_port, struct buf *out)
{
    const char *colon = strrchr(text, ':');
    const char *bracket = strrchr(text, ']');
    bool port = colon && (!bracket || colon > bracket);
    size_t n = port ? (size_t)(colon - text) : strcspn(text, "/");

    buf_str(out, "http://");
    if (n == 0 || (n == 7 && memcmp(text, "0.0.0.0", 7) == 0))
        buf_str(out, "127.0.0.1");
    else
        buf_add(out, text, n);
    if (port)
        buf_str(out, colon);
    else
        buf_printf(out, ":%s%s", default_port, text + n);
}

char *
provider_base_url(const struct provider *p, const char *name, const char *text,
                  struct err *e)
{
    CLEANUP_BUF struct buf b = buf_of(URL_MAX);
    CLEANUP_BUF struct buf safe = buf_of(URL_MAX);
    const char *host, *query;
    char *url;

    if (p->bare_port && !strstr(text, "://"))
        add_scheme_and_port(text, p->bare_port, &b);
    else
        buf_str(&b, text);
    host = has_scheme(b.p) ? strstr(b.p, "://") + 3 : NULL;
    if (b.bad || !host || strcspn(host, "/?#") == 0 ||
        strpbrk(b.p, " \t\r\n#@\"\\")) {
        redact(text, strnlen(text, URL_MAX / 2), &safe);
        err_set(e, ERR_CONFIG,
                "%s: \"%.80s\" is not a base URL; it should look like %s", name,
                safe.p, p->url);
        return NULL;
    }
    query = strchr(text, '?');
    buf_cut(&b, strcspn(b.p, "?"));
    strip_slashes(b.p);
    for (size_t i = 0; i < 2 && p->strip[i]; i++)
        strip_end(b.p, p->strip[i]);
    buf_cut(&b, strlen(b.p));
    if (query && query[1])
        buf_str(&b, query);
    url = buf_take(&b);
    if (!url)
        err_sys(e, "base address");
    return url;
}

const char *
provider_url_name(const struct provider_request *req)
{
    return req->url_name ? req->url_name : req->provider->url_var;
}

const char *
provider_user_agent(void)
{
    return "agentsh/" PACKAGE_VERSION;
}

/* Puts the query of the base URL, if it has one, behind the path. */
static int
end_url(const struct provider_request *req, size_t at, size_t n_base,
        struct buf *out, struct err *e)
{
    if (req->url[n_base] && !out->bad) {
        buf_ch(out, strchr(out->p + at, '?') ? '&' : '?');
        buf_str(out, req->url + n_base + 1);
    }
    return buf_ok(out, "the address", e);
}

int
provider_request_url(const struct provider_request *req, struct buf *out,
                     struct err *e)
{
    size_t at = out->len, n = strcspn(req->url, "?");

    buf_add(out, req->url, n);
    req->provider->path(req, out);
    return end_url(req, at, n, out, e);
}

int
provider_models_url(const struct provider_request *req, struct buf *out,
                    struct err *e)
{
    size_t at = out->len, n = strcspn(req->url, "?");

    buf_add(out, req->url, n);
    buf_str(out, req->provider->models);
    return end_url(req, at, n, out, e);
}

int
provider_request_headers(const struct provider_request *req, const char *key,
                         struct buf *out, struct err *e)
{
    buf_str(out, "Content-Type: application/json\n");
    if (req->provider->header)
        buf_printf(out, "%s\n", req->provider->header);
    if (key && *key && req->provider->key_header)
        buf_printf(out, "%s%s\n", req->provider->key_header, key);
    if (req->more_headers)
        buf_str(out, req->more_headers);
    return buf_ok(out, "the headers", e);
}

int
provider_request_body(const struct provider_request *req, struct buf *out,
                      struct err *e)
{
    CLEANUP(tool_fallback_done) struct tool_fallback fallback = {0};
    struct json_writer w;

    json_write_init(&w, out);
    if (tool_fallback_is_needed(req)) {
        if (tool_fallback_init(&fallback, req, e) < 0)
            return -1;
        req = &fallback.request;
    }
    req->provider->body(req, &w);
    return buf_ok(out, "the request", e);
}

void
provider_url_host(const char *url, char *text, size_t size)
{
    const char *host = strstr(url, "://");
    size_t n;

    host = host ? host + 3 : url;
    n = strcspn(host, "/?#");
    if (n >= size)
        n = size - 1;
    memcpy(text, host, n);
    text[n] = '\0';
}

void
provider_put_data_url(const struct model_image *image, struct json_writer *w)
{
    CLEANUP_BUF struct buf url = buf_of(w->out->max);

    buf_printf(&url, "data:%s;base64,", image->type);
    buf_add(&url, image->data, image->n);
    json_put_strn(w, url.p, url.len);
    w->out->bad |= url.bad;
}

const char *
provider_turn_prefix(const struct provider_request *req, size_t turn)
{
    return turn == 0 && (req->quirks & QUIRK_NO_SYSTEM) ? req->system : NULL;
}
