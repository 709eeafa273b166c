/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gateway_page.c - the page for people, and how their browser logs in. */
#include "server/gateway/gateway_page.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/base64.h"
#include "base/sha256.h"
#include "server/server_cookie.h"
#include "server/server_token.h"

#define PAGE_MAX    (1u << 20)
#define FIELDS_MAX  (4u << 10)
#define FORM_NAME   "token="
#define DIGEST_SIZE 32 /* bytes of a SHA-256 */

struct gateway_page {
    const char *token;
    struct buf fields; /* of the answer that has the page */
    char tag[SHA256_HEX_SIZE + 2];
};

/* 'sha256-…' as a Content-Security-Policy names a script or a style. */
static void
put_digest(struct buf *out, enum gateway_page_part part)
{
    const char *text = gateway_page_part(part);
    unsigned char bytes[DIGEST_SIZE];
    char hex[SHA256_HEX_SIZE];

    sha256_hex(text, strlen(text), hex);
    for (size_t i = 0; i < DIGEST_SIZE; i++)
        bytes[i] = (unsigned char)(ascii_hex_value(hex[2 * i]) << 4 |
                                   ascii_hex_value(hex[2 * i + 1]));
    buf_str(out, "'sha256-");
    base64_encode(out, bytes, sizeof(bytes));
    buf_ch(out, '\'');
}

static void
put_page(struct buf *out)
{
    for (int i = 0; i < GATEWAY_PAGE_PARTS; i++)
        buf_str(out, gateway_page_part((enum gateway_page_part)i));
}

static void
put_page_fields(struct gateway_page *p)
{
    struct buf *out = &p->fields;

    buf_str(out, "Content-Security-Policy: default-src 'none'; script-src ");
    put_digest(out, GATEWAY_PAGE_SCRIPT);
    buf_str(out, "; style-src ");
    put_digest(out, GATEWAY_PAGE_STYLE);
    buf_str(out, "; img-src data:; connect-src 'self'; form-action 'self'; "
                 "base-uri 'none'; frame-ancestors 'none'; "
                 "require-trusted-types-for 'script'; trusted-types 'none'\r\n"
                 "X-Frame-Options: DENY\r\n"
                 "Referrer-Policy: same-origin\r\n"
                 "Cross-Origin-Opener-Policy: same-origin\r\n"
                 "Cross-Origin-Resource-Policy: same-origin\r\n"
                 "Cache-Control: no-cache\r\n");
    http_put_field(out, "ETag", p->tag);
}

static int
prepare_page(struct gateway_page *p, struct err *e)
{
    CLEANUP_BUF struct buf page = buf_of(PAGE_MAX);
    char hex[SHA256_HEX_SIZE];

    put_page(&page);
    if (buf_ok(&page, "the page", e) < 0)
        return -1;
    sha256_hex(page.p, page.len, hex);
    snprintf(p->tag, sizeof(p->tag), "\"%s\"", hex);
    put_page_fields(p);
    return buf_ok(&p->fields, "the page's fields", e);
}

struct gateway_page *
gateway_page_new(const char *token, struct err *e)
{
    CLEANUP(gateway_page_free_p) struct gateway_page *p = calloc(1, sizeof(*p));

    if (!p) {
        err_nomem(e);
        return NULL;
    }
    p->token = token;
    p->fields = buf_of(FIELDS_MAX);
    return prepare_page(p, e) < 0 ? NULL : TAKE_PTR(p);
}

void
gateway_page_free(struct gateway_page *p)
{
    if (!p)
        return;
    buf_done(&p->fields);
    free(p);
}

static void
answer_page(const struct gateway_page *p, struct http_connection *c)
{
    CLEANUP_BUF struct buf page = buf_of(PAGE_MAX);
    const struct http_incoming *r = http_connection_request(c);
    const char *known = http_incoming_field(r, "if-none-match");

    if (known && strstr(known, p->tag)) {
        http_answer(c, 304, &p->fields, NULL, NULL);
        return;
    }
    put_page(&page);
    http_answer(c, 200, &p->fields, "text/html; charset=utf-8", &page);
}

/* What the form has as the token, decoded; false: it is no such form. */
static bool
read_login_form(const struct buf *body, struct buf *out)
{
    size_t n = strlen(FORM_NAME);

    return strncmp(body->p, FORM_NAME, n) == 0 &&
           server_token_decode(body->p + n, true, out);
}

static void
answer_login(struct http_connection *c, const char *token, bool set)
{
    CLEANUP_BUF struct buf fields = buf_of(FIELDS_MAX);
    CLEANUP_BUF struct buf body = buf_of(64);

    buf_str(&fields, "Cache-Control: no-store\r\n");
    if (set)
        server_cookie_put(&fields, http_connection_request(c), token);
    buf_printf(&body, "{\"token\":%s}\n", token ? "true" : "false");
    http_answer(c, 200, &fields, "application/json", &body);
}

static void
log_browser_in(const struct gateway_page *p, struct server_http *h,
               struct http_connection *c)
{
    CLEANUP_BUF struct buf shown = buf_of_secret(SERVER_TOKEN_MAX);
    const struct http_incoming *r = http_connection_request(c);
    bool asks = r->body.len == 0;

    if (!p->token || (asks && server_cookie_shows(r, p->token)))
        answer_login(c, p->token, false);
    else if (!asks && read_login_form(&r->body, &shown) &&
             server_token_is(p->token, shown.p, shown.len))
        answer_login(c, p->token, true);
    else
        server_http_refuse_token(h, c, !asks);
}

static void
log_browser_out(struct http_connection *c)
{
    CLEANUP_BUF struct buf fields = buf_of(FIELDS_MAX);

    buf_str(&fields, "Cache-Control: no-store\r\n");
    server_cookie_put(&fields, http_connection_request(c), NULL);
    http_answer(c, 204, &fields, NULL, NULL);
}

void
gateway_page_request(const struct gateway_page *p, struct server_http *h,
                     struct http_connection *c)
{
    const struct http_incoming *r = http_connection_request(c);

    if (strcmp(r->path, GATEWAY_PAGE_LOGIN) == 0)
        log_browser_in(p, h, c);
    else if (strcmp(r->path, GATEWAY_PAGE_LOGOUT) == 0)
        log_browser_out(c);
    else
        answer_page(p, c);
}
