/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp_http.c - servers over HTTP: their entries, and how they are started. */
#include "tool/mcp/mcp_http.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/str.h"
#include "json/write.h"

#define TOKEN_MAX 128 /* bytes of a header's name */

/* Headers that are set for each request, or say how it is sent. */
static const char *const reserved_headers[] = {
    "accept",
    "accept-encoding",
    "connection",
    "content-length",
    "content-type",
    "expect",
    "host",
    "last-event-id",
    "mcp-method",
    "mcp-name",
    "mcp-protocol-version",
    "mcp-session-id",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
};

bool
mcp_http_is_entry(const struct json *entry)
{
    const char *type = json_get_str(entry, "type");

    if (type)
        return strcmp(type, "http") == 0 ||
               strcmp(type, "streamable-http") == 0;
    return json_get(entry, "url") && !json_get(entry, "command");
}

/* The host of a URL and what follows it, without its user and password. */
static const char *
host_of_url(const char *url, size_t *n)
{
    const char *host = strstr(url, "//");

    host = host ? host + 2 : url + strlen(url);
    *n = strcspn(host, "/?#");
    return host;
}

/* Whether it is a name or an address of loopback. */
static bool
is_loopback_host(const char *host, size_t n)
{
    static const char *const hosts[] = {"localhost", "[::1]"};
    size_t dots = 0, i = 0;

    if (host[0] != '[')
        n = strcspn(host, ":/?#") < n ? strcspn(host, ":/?#") : n;
    else if (memchr(host, ']', n))
        n = (size_t)((const char *)memchr(host, ']', n) - host) + 1;
    for (size_t k = 0; k < ARRAY_SIZE(hosts); k++)
        if (strlen(hosts[k]) == n && strncasecmp(host, hosts[k], n) == 0)
            return true;
    for (; i < n && strchr("0123456789.", host[i]); i++)
        dots += host[i] == '.';
    return i == n && dots == 3 && strncmp(host, "127.", 4) == 0;
}

static int
check_url(const struct mcp_server *m, const struct manifest_spot *at,
          struct err *e)
{
    bool plain = strncasecmp(m->url, "http://", 7) == 0;
    size_t n;
    const char *host = host_of_url(m->url, &n);

    if (!plain && strncasecmp(m->url, "https://", 8) != 0)
        return manifest_report(at, e, "must begin with https:// or http://");
    for (const char *p = m->url; *p; p++)
        if ((unsigned char)*p <= ' ' || *p == 0x7f)
            return manifest_report(at, e, "must not contain blanks");
    if (n == 0)
        return manifest_report(at, e, "names no host");
    if (memchr(host, '@', n))
        return manifest_report(at, e,
                               "must not contain a user or password: put a "
                               "header \"Authorization\" into headers");
    if (plain && !m->plain && !is_loopback_host(host, n))
        return manifest_report(at, e,
                               "http:// is only for this machine, since "
                               "others could read along: use https://, or put "
                               "\"plain_http\": true into the entry's "
                               "\"agentsh\"");
    return 0;
}

static bool
is_header_name(const char *name, size_t n)
{
    static const char marks[] = "!#$%&'*+-.^_`|~0123456789"
                                "abcdefghijklmnopqrstuvwxyz"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

    return n > 0 && n < TOKEN_MAX && strspn(name, marks) == n;
}

static bool
is_reserved_header(const char *name)
{
    for (size_t i = 0; i < ARRAY_SIZE(reserved_headers); i++)
        if (strcasecmp(reserved_headers[i], name) == 0)
            return true;
    return strncasecmp(name, "mcp-param-", 10) == 0;
}

/* A value may have any visible character and blanks within. */
static bool
is_printable_value(const char *value)
{
    for (const char *p = value; *p; p++)
        if (((unsigned char)*p < ' ' && *p != '\t') || *p == 0x7f)
            return false;
    return true;
}

static int
read_header(const struct json *v, struct mcp_server *m, size_t i,
            mcp_http_expand *expand, const struct manifest_spot *at,
            struct err *e)
{
    size_t n;
    const char *name = json_name(v, &n);
    const struct manifest_spot spot = {.up = at, .name = name};
    CLEANUP(free_p) char *value = NULL;

    if (!is_header_name(name, n))
        return manifest_report(&spot, e, "is not a valid name of a header");
    if (is_reserved_header(name))
        return manifest_report(&spot, e, "is set by agentsh");
    if (!(value = expand(v, m, &spot, e)))
        return -1;
    if (!is_printable_value(value))
        return manifest_report(&spot, e, "must not contain control characters");
    if (asprintf(&m->headers[i], "%s: %s", name, value) < 0) {
        m->headers[i] = NULL;
        return err_nomem(e);
    }
    return 0;
}

static int
read_headers(const struct json *entry, struct mcp_server *m,
             mcp_http_expand *expand, const struct manifest_spot *at,
             struct err *e)
{
    const struct json *headers = json_get(entry, "headers");
    const struct manifest_spot list = {.up = at, .name = "headers"};
    size_t n = json_count(headers), i = 0, bytes = 0;

    if (headers && (json_type(headers) != JSON_OBJECT || n > MCP_WORDS_MAX))
        return manifest_report(
            &list, e, "must be an object of at most %d strings", MCP_WORDS_MAX);
    if (!(m->headers = calloc(n + 1, sizeof(*m->headers))))
        return err_nomem(e);
    for (const struct json *v = json_first(headers); v; v = json_next(v)) {
        if (read_header(v, m, i, expand, &list, e) < 0)
            return -1;
        bytes += strlen(m->headers[i++]) + 1;
    }
    return bytes < MCP_HTTP_HEADERS
               ? 0
               : manifest_report(&list, e, "more than %u KiB in all",
                                 MCP_HTTP_HEADERS >> 10);
}

/* The needs that a server over HTTP may have: of files nothing but what its
 * certificate is checked by. */
struct http_needs {
    struct manifest_needs needs; /* first: its rows count from there */
    bool plain;
};

static int
read_http_needs(const struct json *entry, struct mcp_server *m,
                const struct manifest_spot *at, struct err *e)
{
    static const char *const names[] = {"read", "time_limit_ms", "memory_mb"};
    const struct manifest_spot spot = {.up = at, .name = "agentsh"};
    const struct json *v = m->session ? NULL : json_get(entry, "agentsh");
    struct manifest_member rows[ARRAY_SIZE(names) + 2] = {
        {"plain_http", manifest_read_bool, offsetof(struct http_needs, plain),
         false}};
    struct http_needs out = {0};
    size_t n = 1;

    for (const struct manifest_member *r = manifest_needs_rows(); r->name; r++)
        if (str_in_list(r->name, names, ARRAY_SIZE(names)))
            rows[n++] = *r;
    if (v && manifest_read_members(v, &spot, rows, &out, e) < 0)
        return -1;
    m->needs = out.needs;
    m->needs.network = true;
    m->plain = out.plain;
    return 0;
}

int
mcp_http_read_entry(const struct json *entry, struct mcp_server *m,
                    mcp_http_expand *expand, const struct manifest_spot *at,
                    struct err *e)
{
    const struct manifest_spot url = {.up = at, .name = "url"};

    if (!(m->argv = calloc(2, sizeof(*m->argv))) ||
        !(m->env = calloc(1, sizeof(*m->env))) ||
        !(m->argv[0] = strdup(MCP_HTTP_PROGRAM)))
        return err_nomem(e);
    if (read_http_needs(entry, m, at, e) < 0 ||
        !(m->url = expand(json_get(entry, "url"), m, &url, e)) ||
        check_url(m, &url, e) < 0)
        return -1;
    return read_headers(entry, m, expand, at, e);
}

void
mcp_http_write_first_line(const struct mcp_server *m, struct buf *out)
{
    struct json_writer w;

    json_write_init(&w, out);
    json_open_object(&w);
    json_member_str(&w, "url", m->url);
    json_member_bool(&w, "plain", m->plain);
    json_key(&w, "headers");
    json_open_object(&w);
    for (size_t i = 0; m->headers[i]; i++) {
        const char *colon = strchr(m->headers[i], ':');

        json_keyn(&w, m->headers[i], (size_t)(colon - m->headers[i]));
        json_put_str(&w, colon + 2);
    }
    json_close_object(&w);
    json_close_object(&w);
}

void
mcp_http_write_url(const struct mcp_server *m, struct buf *out)
{
    size_t n = strcspn(m->url, "?#");

    buf_add(out, m->url, n);
    if (m->url[n])
        buf_str(out, "?…");
}
