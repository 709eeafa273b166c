/* SPDX-License-Identifier: GPL-3.0-or-later */
/* http_error.c - describes in one line why an HTTP request failed. */
#include "model/process/http_error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "model/process/http_util.h"
#include "model/provider/api_error_report.h"

/* What libcurl's codes mean before an answer has begun, and what to do; the
 * first row that fits counts. words: what libcurl's text has, for a code of
 * many meanings. "%s" in an advice is the variable of the base URL. The row
 * with CURLE_OK is for every other code. */
struct curl_advice {
    CURLcode code;
    const char *words;
    const char *what, *advice;
    bool plain; /* says it all: libcurl's text adds nothing */
};

/* The words are those of OpenSSL 1.1 to 3 and of libcurl's own checks. */
static const struct curl_advice curl_advices[] = {
    {CURLE_COULDNT_RESOLVE_HOST, NULL, "unknown host",
     "check the network and %s", true},
    {CURLE_COULDNT_RESOLVE_PROXY, NULL, "unknown proxy", "check HTTPS_PROXY",
     false},
    {CURLE_PROXY, NULL, "proxy connection refused", "check HTTPS_PROXY", false},
    {CURLE_COULDNT_CONNECT, NULL, "connection refused",
     "start the server or check %s", true},
    {CURLE_PEER_FAILED_VERIFICATION, "not yet valid",
     "the server's certificate is not valid yet",
     "check the clock of both machines", true},
    {CURLE_PEER_FAILED_VERIFICATION, "expired",
     "the server's certificate has expired",
     "renew it on the server, or check the clock here", true},
    {CURLE_PEER_FAILED_VERIFICATION, "certificate chain",
     "the authority of the server's certificate is unknown",
     "name the authority's file in ca_file, or check %s", true},
    {CURLE_PEER_FAILED_VERIFICATION, "issuer",
     "the authority of the server's certificate is unknown",
     "name the authority's file in ca_file, or check %s", true},
    {CURLE_PEER_FAILED_VERIFICATION, "self",
     "the server's certificate is self-signed",
     "name its file in ca_file, or check %s", true},
    {CURLE_PEER_FAILED_VERIFICATION, "subject name",
     "the server's certificate is for another name",
     "use a name of the certificate in %s", true},
    {CURLE_PEER_FAILED_VERIFICATION, NULL, "certificate not trusted",
     "name its authority in ca_file, or check %s", false},
    {CURLE_SSL_CONNECT_ERROR, "wrong version number",
     "the server speaks plain HTTP there, not TLS", "use http:// in %s", true},
    {CURLE_SSL_CONNECT_ERROR, "packet length too long",
     "the server speaks plain HTTP there, not TLS", "use http:// in %s", true},
    {CURLE_SSL_CONNECT_ERROR, "record layer failure",
     "the server speaks plain HTTP there, not TLS", "use http:// in %s", true},
    {CURLE_SSL_CONNECT_ERROR, "unsupported protocol",
     "the server's TLS is too old", "enable TLS 1.2 on it, or check %s", true},
    {CURLE_SSL_CONNECT_ERROR, "protocol version", "the server's TLS is too old",
     "enable TLS 1.2 on it, or check %s", true},
    {CURLE_SSL_CONNECT_ERROR, NULL, "TLS handshake failed", "check %s", false},
    {CURLE_SSL_CACERT_BADFILE, NULL,
     "cannot verify the certificate: no CA certificates",
     "check ca_file, SSL_CERT_FILE and SSL_CERT_DIR", false},
    {CURLE_URL_MALFORMAT, NULL, "invalid URL", "check %s", false},
    {CURLE_UNSUPPORTED_PROTOCOL, "HTTP/0.9", "not an HTTP server",
     "use https:// in %s if it speaks TLS", true},
    {CURLE_UNSUPPORTED_PROTOCOL, NULL, "not an HTTP server", "check %s", false},
    {CURLE_WEIRD_SERVER_REPLY, NULL, "not an HTTP server", "check %s", false},
    {CURLE_GOT_NOTHING, NULL, "connection closed without an answer",
     "try again", true},
    {CURLE_OK, NULL, "connection closed before the answer", "try again", false},
};

static const struct curl_advice *
find_failure_advice(const struct http_request *x)
{
    const struct curl_advice *r = curl_advices;
    CURLcode code = http_request_curl_code(x);

    for (; r->code != CURLE_OK; r++) {
        if (r->code == code &&
            (!r->words || strstr(http_request_curl_text(x), r->words)))
            break;
    }
    return r;
}

const char *
http_error_reason(const struct http_request *x)
{
    return find_failure_advice(x)->what;
}

/* More advice when a proxy is set: libcurl does not tell that it was the proxy
 * which refused the connection. */
static const char *
proxy_advice(const struct http_request *x)
{
    return http_request_curl_code(x) == CURLE_COULDNT_CONNECT &&
                   http_request_proxy_variable(x)
               ? " and HTTPS_PROXY"
               : "";
}

/* Copies "host:port" of the proxy, without the login that may be in it. */
static void
read_proxy(const char *variable, char *text, size_t size)
{
    const char *value = getenv(variable), *at;
    char host[192];

    provider_url_host(value ? value : "", host, sizeof(host));
    at = strrchr(host, '@');
    snprintf(text, size, "%.63s", at ? at + 1 : host);
}

int
http_error_proxy_login(const struct http_request *x, const char *host,
                       struct err *e)
{
    const char *variable = http_request_proxy_variable(x);
    const char *value = variable ? getenv(variable) : NULL;
    char proxy[64];

    if (!value)
        return err_set(e, ERR_MODEL,
                       "%.64s answers as a proxy that wants a login (407). To "
                       "do: check the address of the server, or use --offline",
                       host);
    read_proxy(variable, proxy, sizeof(proxy));
    if (strchr(value, '@'))
        return err_set(e, ERR_MODEL,
                       "%.64s: the proxy %s refused the login (407). To do: "
                       "correct user and password in %s, or use --offline",
                       host, proxy, variable);
    return err_set(e, ERR_MODEL,
                   "%.64s: the proxy %s wants a login (407). To do: put "
                   "USER:PASSWORD@ before its name in %s, or use --offline",
                   host, proxy, variable);
}

static int
report_proxy(const struct http_request *x, const char *host, struct err *e)
{
    const char *variable = http_request_proxy_variable(x);
    int status = http_request_proxy_status(x);
    char proxy[64];

    if (status == 407 || !variable)
        return http_error_proxy_login(x, host, e);
    read_proxy(variable, proxy, sizeof(proxy));
    return err_set(e, ERR_MODEL,
                   "%.64s: the proxy %s refused the connection (%d). To do: "
                   "check %s, or name the server in NO_PROXY, or use --offline",
                   host, proxy, status, variable);
}

/* How servers say that HTTP was spoken to their TLS port: nginx, Go, Apache. */
static const char *const tls_words[] = {
    "HTTP request was sent to HTTPS port",
    "HTTP request to an HTTPS server",
    "plain HTTP to an SSL-enabled server port",
};

bool
http_error_wants_tls(const char *body)
{
    for (size_t i = 0; body && i < ARRAY_SIZE(tls_words); i++) {
        if (strstr(body, tls_words[i]))
            return true;
    }
    return false;
}

int
http_error_no_tls(const char *host, const struct provider_request *req,
                  struct err *e)
{
    return err_set(e, ERR_MODEL,
                   "%.64s: the server speaks TLS there, not plain HTTP. To "
                   "do: use https:// in %s, or use --offline",
                   host, provider_url_name(req));
}

static int
report_timeout(const struct http_request *x, const char *host,
               const struct provider_request *req, struct err *e)
{
    const struct model_limits *l = http_request_limits(x);

    switch (http_request_phase(x)) {
    case HTTP_PHASE_CONNECT:
        if (http_request_was_accepted(x) && !http_request_proxy_variable(x))
            return err_set(e, ERR_TIMEOUT,
                           "%.64s: took the connection, but began no TLS "
                           "within %g s (connect_timeout_s). To do: use "
                           "http:// in %s if it speaks no TLS, or use "
                           "--offline",
                           host, (double)l->connect_ms / 1000,
                           provider_url_name(req));
        return err_set(e, ERR_TIMEOUT,
                       "%.64s: no connection within %g s "
                       "(connect_timeout_s). To do: check the network, or "
                       "use --offline",
                       host, (double)l->connect_ms / 1000);
    case HTTP_PHASE_SENT:
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

/* Whether the server ended the connection in place of an answer. */
static bool
is_closed(CURLcode code)
{
    return code == CURLE_GOT_NOTHING || code == CURLE_RECV_ERROR ||
           code == CURLE_SEND_ERROR;
}

int
http_error_request(const struct http_request *x, const char *host,
                   const struct provider_request *req, struct err *e)
{
    const struct curl_advice *r = find_failure_advice(x);
    const char *proxy = proxy_advice(x), *what = r->advice;
    int status = http_request_status(x);
    char advice[96], words[96] = "";

    if (http_request_result(x) == HTTP_RESULT_TIMEOUT)
        return report_timeout(x, host, req, e);
    if (http_request_proxy_status(x) >= 300)
        return report_proxy(x, host, e);
    if (http_request_result(x) == HTTP_RESULT_HEADERS_TOO_LARGE)
        return err_set(e, ERR_MODEL,
                       "%.64s sent more than %u KiB of headers. To do: check "
                       "%s, or use --offline",
                       host, HTTP_REQUEST_HEADERS_MAX >> 10,
                       provider_url_name(req));
    if (http_request_phase(x) == HTTP_PHASE_BODY && status >= 200 &&
        status <= 299)
        return err_set(
            e, ERR_ANSWER,
            "%.64s: the answer ended early (%.100s). To do: try again", host,
            http_request_curl_text(x));
    /* as a port of TLS does when it is asked by http: */
    if (is_closed(http_request_curl_code(x)) &&
        strncmp(req->url, "http:", 5) == 0)
        what = "try again, or use https:// in %s if it speaks TLS";
    api_error_format_advice(advice, sizeof(advice), what,
                            provider_url_name(req));
    if (!r->plain || *proxy)
        snprintf(words, sizeof(words), " (%.80s)", http_request_curl_text(x));
    return err_set(e, ERR_MODEL, "%.64s: %s%s. To do: %s%s, or use --offline",
                   host, r->what, words, advice, proxy);
}

int
http_error_redirect(const char *host, const struct provider_request *req,
                    const char *to, struct err *e)
{
    if (to && http_util_same_origin(req->url, to))
        return err_set(
            e, ERR_MODEL,
            "%.64s: redirect loop. To do: check %s, or use --offline", host,
            provider_url_name(req));
    return err_set(e, ERR_MODEL,
                   "%.64s redirects to %.90s, which is not followed. To do: "
                   "if that is right, set %s to it",
                   host, to ? to : "nowhere", provider_url_name(req));
}

int
http_error_total_timeout(const char *host, int64_t limit_ms, struct err *e)
{
    return err_set(e, ERR_TIMEOUT,
                   "%.64s: the answer was not complete within %g s. To do: try "
                   "again, or raise total_timeout_s",
                   host, (double)limit_ms / 1000);
}

int
http_error_bad_answer(const char *host, struct err *e)
{
    struct err inner = *e;

    return err_set_kind(e, inner.code, inner.kind, "%.64s: %.150s. To do: %s",
                        host, inner.text,
                        inner.kind == ERR_KIND_TRUNCATED
                            ? "ask for less at once"
                            : "try again, or another model with -m");
}

bool
http_error_is_transient(const struct http_request *x)
{
    if (http_request_result(x) != HTTP_RESULT_FAILED ||
        http_request_phase(x) == HTTP_PHASE_BODY)
        return false;
    switch (http_request_curl_code(x)) {
    case CURLE_GOT_NOTHING:
    case CURLE_SEND_ERROR:
    case CURLE_RECV_ERROR:
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM:
        return http_request_phase(x) != HTTP_PHASE_CONNECT;
    default:
        return false;
    }
}
