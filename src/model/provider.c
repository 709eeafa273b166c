/* SPDX-License-Identifier: GPL-3.0-or-later */
/* provider.c - the table of providers, and what their calls have in common. */
#include "model/provider.h"

#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/redact.h"
#include "model/offer.h"
#include "model/plain.h"

#define HEADERS_MAX (16u << 10)
#define URL_MAX     4096u

typedef const struct provider *provider_row(void);

static provider_row *const providers[] = {
    provider_openai,
    provider_anthropic,
    provider_gemini,
    provider_ollama,
};

static const char *const quirk_names[QUIRKS_N] = {
    "no_schema", "no_tool",   "no_temperature", "other_limit", "no_limit",
    "no_usage",  "no_stream", "no_system",      "no_tools",
};

const struct provider *
provider_at(size_t i)
{
    return i < sizeof(providers) / sizeof(providers[0]) ? providers[i]() : NULL;
}

const struct provider *
provider_find(const char *name)
{
    const struct provider *p;

    for (size_t i = 0; (p = provider_at(i)) != NULL; i++) {
        if (strcmp(p->name, name) == 0)
            return p;
    }
    return NULL;
}

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
        if (strcmp(name, quirk_names[i]) == 0)
            return 1u << i;
    }
    return 0;
}

enum call_shape
call_shape(const struct call *c)
{
    bool tools = (c->provider->fallbacks & QUIRK_NO_TOOL) != 0;
    enum call_offer offer = call_offer(c);
    bool both = c->provider->schema_with_tools &&
                strcmp(c->url, c->provider->url) == 0;

    if (!c->schema || offer == OFFER_TEXT)
        return SHAPE_FREE;
    if (!(c->quirks & QUIRK_NO_SCHEMA))
        return offer == OFFER_NONE || both ? SHAPE_SCHEMA : SHAPE_FREE;
    return tools && !(c->quirks & QUIRK_NO_TOOL) ? SHAPE_TOOL : SHAPE_FREE;
}

int
call_limit(const struct call *c)
{
    if (c->quirks & QUIRK_NO_LIMIT)
        return 0;
    if ((c->quirks & QUIRK_OTHER_LIMIT) && c->provider->few_tokens)
        return c->provider->few_tokens;
    return c->provider->max_tokens;
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

/* OLLAMA_HOST may be "host", ":port" or "host:port"; 0.0.0.0 is where the
 * server listens, not where it is reached. */
static void
complete_bare(const char *text, const char *default_port, struct buf *out)
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
        buf_printf(out, ":%s", default_port);
}

char *
call_base(const struct provider *p, const char *text, struct err *e)
{
    CLEANUP_BUF struct buf b = buf_of(URL_MAX);
    CLEANUP_BUF struct buf safe = buf_of(URL_MAX);
    const char *host;
    char *url;

    if (p->bare_port && !strstr(text, "://"))
        complete_bare(text, p->bare_port, &b);
    else
        buf_str(&b, text);
    host = has_scheme(b.p) ? strstr(b.p, "://") + 3 : NULL;
    if (b.bad || !host || strcspn(host, "/?#") == 0 ||
        strpbrk(b.p, " \t\r\n?#@\"\\")) {
        redact(text, strnlen(text, URL_MAX / 2), &safe);
        err_set(e, ERR_CONFIG,
                "%s: \"%.80s\" is not a base URL; it should look like %s",
                p->url_var, safe.p, p->url);
        return NULL;
    }
    url = buf_take(&b);
    if (!url) {
        err_sys(e, "base address");
        return NULL;
    }
    strip_slashes(url);
    for (size_t i = 0; i < 2 && p->strip[i]; i++)
        strip_end(url, p->strip[i]);
    return url;
}

const char *
call_user_agent(void)
{
    return "agentsh/" PACKAGE_VERSION;
}

int
call_url(const struct call *c, struct buf *out, struct err *e)
{
    buf_str(out, c->url);
    c->provider->path(c, out);
    return buf_ok(out, "the address", e);
}

int
call_headers(const struct call *c, const char *key, struct buf *out,
             struct err *e)
{
    buf_str(out, "Content-Type: application/json\n");
    if (c->provider->header)
        buf_printf(out, "%s\n", c->provider->header);
    if (key && *key && c->provider->key_header)
        buf_printf(out, "%s%s\n", c->provider->key_header, key);
    return buf_ok(out, "the headers", e);
}

int
call_body(const struct call *c, struct buf *out, struct err *e)
{
    CLEANUP(plain_done) struct plain plain = {0};
    struct json_writer w;

    json_write_init(&w, out);
    if (plain_is_needed(c)) {
        if (plain_init(&plain, c, e) < 0)
            return -1;
        c = &plain.call;
    }
    c->provider->body(c, &w);
    return buf_ok(out, "the request", e);
}

void
call_host(const char *url, char *text, size_t size)
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

const char *
call_turn_prefix(const struct call *c, size_t turn)
{
    return turn == 0 && (c->quirks & QUIRK_NO_SYSTEM) ? c->system : NULL;
}
