/* SPDX-License-Identifier: GPL-3.0-or-later */
/* blame.c - what went wrong on the way, in one line. */
#include "model/process/blame.h"

#include <stdio.h>
#include <string.h>

#include "model/fault.h"
#include "model/process/origin.h"

/* libcurl's codes before an answer began. %s in advice: the variable of the
 * server's address. */
struct row {
    CURLcode code;
    const char *what, *advice;
};

static const struct row rows[] = {
    {CURLE_COULDNT_RESOLVE_HOST, "unknown host", "check the network and %s"},
    {CURLE_COULDNT_RESOLVE_PROXY, "unknown proxy", "check HTTPS_PROXY"},
    {CURLE_PROXY, "proxy connection refused", "check HTTPS_PROXY"},
    {CURLE_COULDNT_CONNECT, "connection refused",
     "start the server or check %s"},
    {CURLE_PEER_FAILED_VERIFICATION, "certificate not trusted",
     "check %s, or name its authority in SSL_CERT_FILE"},
    {CURLE_SSL_CONNECT_ERROR, "TLS handshake failed", "check %s"},
    {CURLE_SSL_CACERT_BADFILE,
     "cannot verify the certificate: no CA certificates",
     "check SSL_CERT_FILE and SSL_CERT_DIR"},
    {CURLE_URL_MALFORMAT, "invalid URL", "check %s"},
    {CURLE_UNSUPPORTED_PROTOCOL, "not an HTTP server", "check %s"},
    {CURLE_WEIRD_SERVER_REPLY, "not an HTTP server", "check %s"},
    {CURLE_GOT_NOTHING, "connection closed without an answer", "try again"},
    {CURLE_OK, "connection closed before the answer", "try again"},
};

static const struct row *
row_of(CURLcode code)
{
    const struct row *r = rows;

    while (r->code != CURLE_OK && r->code != code)
        r++;
    return r;
}

/* libcurl does not say that it was the proxy which took no connection. */
static const char *
also_proxy(CURLcode code)
{
    static const char *const names[] = {
        "http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        const char *value = getenv(names[i]);

        if (code == CURLE_COULDNT_CONNECT && value && *value)
            return " and HTTPS_PROXY";
    }
    return "";
}

/* Whether libcurl's own words would say it a second time. */
static bool
is_plain(CURLcode code)
{
    return code == CURLE_COULDNT_RESOLVE_HOST ||
           code == CURLE_COULDNT_CONNECT || code == CURLE_GOT_NOTHING;
}

static int
tell_late(const struct exchange *x, const char *host,
          const struct ask_limits *l, struct err *e)
{
    switch (exchange_phase(x)) {
    case PHASE_CONNECT:
        return err_set(e, ERR_TIMEOUT,
                       "%.64s: no connection within %g s "
                       "(connect_timeout_s). To do: check the network, or "
                       "use --offline",
                       host, (double)l->connect_ms / 1000);
    case PHASE_SENT:
        return err_set(e, ERR_TIMEOUT,
                       "%.64s: no answer within %g s. To do: try again, or "
                       "raise first_byte_timeout_s",
                       host, (double)l->first_byte_ms / 1000);
    default:
        return err_set(e, ERR_TIMEOUT,
                       "%.64s: no data for %g s in the middle of the answer. "
                       "To do: try again, or raise idle_timeout_s",
                       host, (double)l->idle_ms / 1000);
    }
}

int
blame_exchange(const struct exchange *x, const char *host, const struct call *c,
               struct err *e)
{
    const struct row *r = row_of(exchange_code(x));
    const char *proxy = also_proxy(exchange_code(x));
    int status = exchange_status(x);
    char advice[96], words[96] = "";

    if (exchange_fate(x) == FATE_LATE)
        return tell_late(x, host, exchange_limits(x), e);
    if (exchange_fate(x) == FATE_HEADERS)
        return err_set(e, ERR_MODEL,
                       "%.64s sent more than %u KiB of headers. To do: check "
                       "%s, or use --offline",
                       host, EXCHANGE_HEADERS_MAX >> 10, c->provider->url_var);
    if (exchange_phase(x) == PHASE_BODY && status >= 200 && status <= 299)
        return err_set(
            e, ERR_ANSWER,
            "%.64s: the answer ended early (%.100s). To do: try again", host,
            exchange_curl_text(x));
    fault_advice(advice, sizeof(advice), r->advice, c->provider->url_var);
    if (!is_plain(r->code) || *proxy)
        snprintf(words, sizeof(words), " (%.80s)", exchange_curl_text(x));
    return err_set(e, ERR_MODEL, "%.64s: %s%s. To do: %s%s, or use --offline",
                   host, r->what, words, advice, proxy);
}

int
blame_redirect(const char *host, const struct call *c, const char *to,
               struct err *e)
{
    if (to && origin_is_same(c->url, to))
        return err_set(
            e, ERR_MODEL,
            "%.64s: redirect loop. To do: check %s, or use --offline", host,
            c->provider->url_var);
    return err_set(e, ERR_MODEL,
                   "%.64s redirects to %.90s, which is not followed. To do: "
                   "if that is right, set %s to it",
                   host, to ? to : "nowhere", c->provider->url_var);
}

int
blame_total(const char *host, int64_t limit_ms, struct err *e)
{
    return err_set(e, ERR_TIMEOUT,
                   "%.64s: the answer was not complete within %g s. To do: try "
                   "again, or raise total_timeout_s",
                   host, (double)limit_ms / 1000);
}

int
blame_answer(const char *host, struct err *e)
{
    struct err inner = *e;

    return err_set_kind(
        e, inner.code, inner.kind, "%.64s: %.150s. To do: %s", host, inner.text,
        inner.kind == ERR_KIND_CUT ? "ask for less at once"
                                   : "try again, or another model with -m");
}

bool
blame_is_passing(const struct exchange *x)
{
    if (exchange_fate(x) != FATE_BROKEN || exchange_phase(x) == PHASE_BODY)
        return false;
    switch (exchange_code(x)) {
    case CURLE_GOT_NOTHING:
    case CURLE_SEND_ERROR:
    case CURLE_RECV_ERROR:
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM:
        return exchange_phase(x) != PHASE_CONNECT;
    default:
        return false;
    }
}
