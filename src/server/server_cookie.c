/* SPDX-License-Identifier: GPL-3.0-or-later */
/* server_cookie.c - the cookie by which a browser proves that it knows the
 * token. */
#include "server/server_cookie.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/sha256.h"
#include "server/server_token.h"

#define NAME_MAX_BYTES 32
#define SALT           "agentsh, the cookie of a page: "
#define LASTS_S        "2592000" /* 30 days */

static void
cookie_name(const struct http_incoming *r, char out[NAME_MAX_BYTES])
{
    const char *port = r->host ? strrchr(r->host, ':') : NULL;

    if (port && port[1 + strspn(port + 1, "0123456789")] != '\0')
        port = NULL; /* the end of an address of IPv6 */
    snprintf(out, NAME_MAX_BYTES, "agentsh%s%.5s", port ? "_" : "",
             port ? port + 1 : "");
}

static void
cookie_value(const char *token, char hex[SHA256_HEX_SIZE])
{
    CLEANUP_BUF struct buf text = buf_of_secret(SERVER_TOKEN_MAX +
                                                sizeof(SALT));

    buf_str(&text, SALT);
    buf_str(&text, token);
    sha256_hex(text.p, text.len, hex);
}

/* Whether the Origin is the one of a page of the request's own host. */
static bool
is_from_own_page(const struct http_incoming *r)
{
    const char *origin = http_incoming_field(r, "origin");
    const char *host = origin ? strstr(origin, "://") : NULL;

    return host && r->host && http_incoming_count(r, "origin") == 1 &&
           strcasecmp(host + 3, r->host) == 0;
}

bool
server_cookie_shows(const struct http_incoming *r, const char *token)
{
    const char *at = http_incoming_field(r, "cookie");
    char name[NAME_MAX_BYTES], value[SHA256_HEX_SIZE];
    size_t len, n;

    if (!at || http_incoming_count(r, "cookie") > 1 || !is_from_own_page(r))
        return false;
    cookie_name(r, name);
    cookie_value(token, value);
    len = strlen(name);
    for (;; at += n + 1) {
        at += strspn(at, " \t");
        n = strcspn(at, ";");
        if (n > len && at[len] == '=' && strncmp(at, name, len) == 0 &&
            server_token_is(value, at + len + 1, n - len - 1))
            return true;
        if (!at[n])
            return false;
    }
}

void
server_cookie_put(struct buf *out, const struct http_incoming *r,
                  const char *token)
{
    const char *origin = http_incoming_field(r, "origin");
    char name[NAME_MAX_BYTES], value[SHA256_HEX_SIZE] = "";

    cookie_name(r, name);
    if (token)
        cookie_value(token, value);
    buf_printf(out,
               "Set-Cookie: %s=%s; Path=/; Max-Age=%s; HttpOnly; "
               "SameSite=Strict%s\r\n",
               name, value, token ? LASTS_S : "0",
               origin && strncmp(origin, "https://", 8) == 0 ? "; Secure" : "");
}
