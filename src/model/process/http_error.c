/* SPDX-License-Identifier: GPL-3.0-or-later */
/* http_error.c - describes in one line why an HTTP request failed. */
#include "model/process/http_error.h"

#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "model/process/http_util.h"
#include "model/provider/api_error_report.h"

/* What libcurl's codes mean before an answer has begun. "%s" in an advice is
 * the variable of the base URL. The row with CURLE_OK is for every other code.
 */
struct curl_advice {
    CURLcode code;
    const char *what, *advice;
};

static const struct curl_advice curl_advices[] = {
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

static const struct curl_advice *
find_advice(CURLcode code)
{
    const struct curl_advice *r = curl_advices;

    while (r->code != CURLE_OK && r->code != code)
        r++;
    return r;
}

/* More advice when a proxy is set: libcurl does not tell that it was the proxy
 * which refused the connection. */
static const char *
proxy_advice(CURLcode code)
{
    static const char *const names[] = {
        "http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"};

    for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
        const char *value = getenv(names[i]);

        if (code == CURLE_COULDNT_CONNECT && value && *value)
            return " and HTTPS_PROXY";
    }
    return "";
}

/* Whether libcurl's text would only repeat ours. */
static bool
is_self_explanatory(CURLcode code)
{
    return code == CURLE_COULDNT_RESOLVE_HOST ||
           code == CURLE_COULDNT_CONNECT || code == CURLE_GOT_NOTHING;
}

static int
report_timeout(const struct http_request *x, const char *host,
               const struct model_limits *l, struct err *e)
{
    switch (http_request_phase(x)) {
    case HTTP_PHASE_CONNECT:
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

int
http_error_request(const struct http_request *x, const char *host,
                   const struct provider_request *req, struct err *e)
{
    const struct curl_advice *r = find_advice(http_request_curl_code(x));
    const char *proxy = proxy_advice(http_request_curl_code(x));
    int status = http_request_status(x);
    char advice[96], words[96] = "";

    if (http_request_result(x) == HTTP_RESULT_TIMEOUT)
        return report_timeout(x, host, http_request_limits(x), e);
    if (http_request_result(x) == HTTP_RESULT_HEADERS_TOO_LARGE)
        return err_set(e, ERR_MODEL,
                       "%.64s sent more than %u KiB of headers. To do: check "
                       "%s, or use --offline",
                       host, HTTP_REQUEST_HEADERS_MAX >> 10,
                       req->provider->url_var);
    if (http_request_phase(x) == HTTP_PHASE_BODY && status >= 200 &&
        status <= 299)
        return err_set(
            e, ERR_ANSWER,
            "%.64s: the answer ended early (%.100s). To do: try again", host,
            http_request_curl_text(x));
    api_error_format_advice(advice, sizeof(advice), r->advice,
                            req->provider->url_var);
    if (!is_self_explanatory(r->code) || *proxy)
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
            req->provider->url_var);
    return err_set(e, ERR_MODEL,
                   "%.64s redirects to %.90s, which is not followed. To do: "
                   "if that is right, set %s to it",
                   host, to ? to : "nowhere", req->provider->url_var);
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
