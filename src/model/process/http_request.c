/* SPDX-License-Identifier: GPL-3.0-or-later */
/* http_request.c - one HTTP request and its response, with time limits. */
#include "model/process/http_request.h"

#include <string.h>
#include <strings.h>

#include "base/clock.h"
#include "model/process/http_util.h"
#include "model/process/local_host.h"

/* What a name's addresses are waited for, before its proxy is asked: a network
 * behind a proxy may have no DNS that answers. */
#define LOOKUP_MS 1000

/* A server on this machine is never asked through a proxy. Whether a name is
 * one of this machine only its addresses tell: it is connected to directly,
 * and where the first address is another machine's, libcurl gets no socket and
 * the request goes the usual way. */
enum http_route {
    HTTP_ROUTE_USUAL,  /* as the environment says */
    HTTP_ROUTE_DIRECT, /* no proxy */
    HTTP_ROUTE_LOOKUP, /* no proxy, and no socket to another machine */
};

struct http_request {
    struct http_request_spec spec;
    struct curl_loop *curl_loop;
    struct curl_loop_transfer transfer;
    CURL *easy;
    struct curl_slist *headers;
    struct watch *timer;
    enum http_phase phase;
    enum http_result result;
    enum http_route route;
    bool is_local; /* on HTTP_ROUTE_LOOKUP: an address of this machine */
    bool began_tls;
    bool paused;   /* nobody takes more of the body */
    bool withheld; /* libcurl has a piece that was not taken */
    CURLcode code;
    int64_t since_ms; /* the start of the phase, or the last byte */
    size_t header_bytes;
    char retry_after[64];
    char curl_text[CURL_ERROR_SIZE];
};

/* Whether it is not known yet on which machine the server is. */
static bool
is_lookup(const struct http_request *x)
{
    return x->route == HTTP_ROUTE_LOOKUP && !x->is_local;
}

static int64_t
limit_ms(const struct http_request *x)
{
    switch (x->phase) {
    case HTTP_PHASE_CONNECT:
        return is_lookup(x) && x->spec.limits->connect_ms > LOOKUP_MS
                   ? LOOKUP_MS
                   : x->spec.limits->connect_ms;
    case HTTP_PHASE_SENT:
        return x->spec.limits->first_byte_ms;
    default:
        return x->spec.limits->idle_ms;
    }
}

static void
enter_phase(struct http_request *x, enum http_phase phase)
{
    int64_t left = limit_ms(x);

    x->phase = phase;
    x->since_ms = clock_ms();
    if (limit_ms(x) < left)
        watch_again(x->timer, limit_ms(x));
}

/* libcurl calls it for each address that it connects to. */
static curl_socket_t
on_open_socket(void *arg, curlsocktype purpose, struct curl_sockaddr *a)
{
    struct http_request *x = arg;

    (void)purpose;
    if (x->route == HTTP_ROUTE_LOOKUP && !local_host_is_address(&a->addr))
        return CURL_SOCKET_BAD;
    if (x->spec.may_connect && !x->spec.may_connect(x->spec.arg, &a->addr))
        return CURL_SOCKET_BAD;
    x->is_local = true;
    return socket(a->family, a->socktype | SOCK_CLOEXEC, a->protocol);
}

static void
choose_route(struct http_request *x)
{
    enum local_host host = local_host_may_use_proxy()
                               ? local_host_find(x->spec.url)
                               : LOCAL_HOST_NO;

    if (host == LOCAL_HOST_YES)
        x->route = HTTP_ROUTE_DIRECT;
    else if (host == LOCAL_HOST_UNKNOWN && !local_host_proxy_resolves())
        x->route = HTTP_ROUTE_LOOKUP;
    if (x->route != HTTP_ROUTE_USUAL)
        curl_easy_setopt(x->easy, CURLOPT_PROXY, "");
    if (x->route == HTTP_ROUTE_LOOKUP || x->spec.may_connect) {
        curl_easy_setopt(x->easy, CURLOPT_OPENSOCKETFUNCTION, on_open_socket);
        curl_easy_setopt(x->easy, CURLOPT_OPENSOCKETDATA, x);
    }
}

/* The name is not known to be one of this machine: starts again, with the
 * proxy of the environment. */
static int
take_usual_route(struct http_request *x)
{
    curl_loop_remove(x->curl_loop, x->easy);
    x->route = HTTP_ROUTE_USUAL;
    x->curl_text[0] = '\0';
    curl_easy_setopt(x->easy, CURLOPT_PROXY, NULL);
    if (!x->spec.may_connect)
        curl_easy_setopt(x->easy, CURLOPT_OPENSOCKETFUNCTION, NULL);
    watch_again(x->timer, limit_ms(x));
    x->since_ms = clock_ms();
    return curl_loop_add(x->curl_loop, x->easy, &x->transfer, NULL);
}

/* A byte that arrives only changes since_ms; the timer checks it when it fires.
 */
static void
on_timer(void *arg, unsigned events)
{
    struct http_request *x = arg;
    int64_t left = x->since_ms + limit_ms(x) - clock_ms();

    (void)events;
    if (x->paused)
        left = limit_ms(x);
    if (left > 0) {
        watch_again(x->timer, left);
        return;
    }
    if (is_lookup(x) && take_usual_route(x) == 0)
        return;
    x->result = HTTP_RESULT_TIMEOUT;
    x->spec.on_end(x->spec.arg, x);
}

/* libcurl calls it when the connection is made and before anything is sent. */
static int
on_connected(void *arg, char *ip, char *local_ip, int port, int local_port)
{
    struct http_request *x = arg;

    (void)ip;
    (void)local_ip;
    (void)port;
    (void)local_port;
    x->is_local = true; /* also by a connection that was kept */
    enter_phase(x, HTTP_PHASE_SENT);
    return CURL_PREREQFUNC_OK;
}

static void
store_retry_after(struct http_request *x, const char *line, size_t n)
{
    static const char name[] = "retry-after:";
    const size_t skip = sizeof(name) - 1;

    if (n <= skip || strncasecmp(line, name, skip) != 0)
        return;
    line += skip;
    n -= skip;
    while (n > 0 && strchr(" \t", *line)) {
        line++;
        n--;
    }
    while (n > 0 && strchr(" \t\r\n", line[n - 1]))
        n--;
    if (n < sizeof(x->retry_after)) {
        memcpy(x->retry_after, line, n);
        x->retry_after[n] = '\0';
    }
}

static size_t
on_header(char *line, size_t size, size_t n, void *arg)
{
    struct http_request *x = arg;

    n *= size;
    x->header_bytes += n;
    if (x->header_bytes > HTTP_REQUEST_HEADERS_MAX) {
        x->result = HTTP_RESULT_HEADERS_TOO_LARGE;
        return 0;
    }
    if (x->phase < HTTP_PHASE_HEAD)
        enter_phase(x, HTTP_PHASE_HEAD);
    if (n <= 2 && http_request_status(x) >= 200)
        x->phase = HTTP_PHASE_BODY; /* the blank line */
    x->since_ms = clock_ms();
    store_retry_after(x, line, n);
    if (x->spec.on_header)
        x->spec.on_header(x->spec.arg, line, n);
    return n;
}

static size_t
on_body(char *bytes, size_t size, size_t n, void *arg)
{
    struct http_request *x = arg;

    if (x->paused) {
        x->withheld = true;
        return CURL_WRITEFUNC_PAUSE;
    }
    n *= size;
    x->since_ms = clock_ms();
    if (x->spec.on_body(x->spec.arg, http_request_status(x), bytes, n) == 0)
        return n;
    x->result = HTTP_RESULT_STOPPED;
    return n + 1; /* libcurl stops at any other count than n */
}

static void
on_done(void *arg, CURLcode code)
{
    struct http_request *x = arg;

    if (is_lookup(x) && take_usual_route(x) == 0)
        return;
    if (code == CURLE_OK && x->phase != HTTP_PHASE_BODY)
        code = CURLE_GOT_NOTHING; /* it ended in the headers */
    watch_stop(x->timer);         /* the caller may keep it */
    x->code = code;
    if (x->result == HTTP_RESULT_COMPLETE && code != CURLE_OK)
        x->result = HTTP_RESULT_FAILED;
    x->spec.on_end(x->spec.arg, x);
}

void
http_request_pause(struct http_request *x)
{
    x->paused = true;
}

/* Where on_body wants no more of a piece that was withheld, libcurl says so
 * here, and does not end the transfer. */
void
http_request_resume(struct http_request *x)
{
    CURLcode code;

    if (!x->paused)
        return;
    x->paused = false;
    x->since_ms = clock_ms();
    if (!x->withheld)
        return;
    x->withheld = false;
    code = curl_easy_pause(x->easy, CURLPAUSE_CONT);
    if (code == CURLE_OK)
        return;
    curl_loop_remove(x->curl_loop, x->easy);
    on_done(x, code);
}

/* libcurl calls it when TCP stands: what it tells of a connection that is not
 * complete, its time or address, differs between its versions. */
static CURLcode
on_tls_start(CURL *easy, void *context, void *arg)
{
    struct http_request *x = arg;

    (void)easy;
    (void)context;
    x->began_tls = true;
    return CURLE_OK;
}

static int
set_headers(struct http_request *x, const char *lines, struct err *e)
{
    /* libcurl must not wait for "100 Continue" before a large body */
    if (!(x->headers = curl_slist_append(NULL, "Expect:")))
        return err_nomem(e);
    while (lines && *lines) {
        size_t n = strcspn(lines, "\n");
        char *line = strndup(lines, n);
        struct curl_slist *more = line ? curl_slist_append(x->headers, line)
                                       : NULL;

        free(line);
        if (!more)
            return err_nomem(e);
        x->headers = more;
        lines += n + (lines[n] == '\n');
    }
    curl_easy_setopt(x->easy, CURLOPT_HTTPHEADER, x->headers);
    return 0;
}

static void
set_callbacks(struct http_request *x)
{
    CURL *h = x->easy;

    curl_easy_setopt(h, CURLOPT_HEADERFUNCTION, on_header);
    curl_easy_setopt(h, CURLOPT_HEADERDATA, x);
    curl_easy_setopt(h, CURLOPT_WRITEFUNCTION, on_body);
    curl_easy_setopt(h, CURLOPT_WRITEDATA, x);
    curl_easy_setopt(h, CURLOPT_PREREQFUNCTION, on_connected);
    curl_easy_setopt(h, CURLOPT_PREREQDATA, x);
    curl_easy_setopt(h, CURLOPT_SSL_CTX_FUNCTION, on_tls_start);
    curl_easy_setopt(h, CURLOPT_SSL_CTX_DATA, x);
    curl_easy_setopt(h, CURLOPT_ERRORBUFFER, x->curl_text);
}

static void
set_options(struct http_request *x)
{
    const struct http_request_spec *s = &x->spec;
    CURL *h = x->easy;

    curl_easy_setopt(h, CURLOPT_URL, s->url);
    curl_easy_setopt(h, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(h, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(h, CURLOPT_NOSIGNAL, 1L);
    /* a name lookup must not delay a cancel */
    curl_easy_setopt(h, CURLOPT_QUICK_EXIT, 1L);
    curl_easy_setopt(h, CURLOPT_TCP_KEEPALIVE, 1L);
    curl_easy_setopt(h, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
    curl_easy_setopt(h, CURLOPT_ACCEPT_ENCODING, "gzip");
    curl_easy_setopt(h, CURLOPT_USERAGENT, provider_user_agent());
    /* our own limit decides; libcurl's default would cut connect_timeout_s */
    curl_easy_setopt(h, CURLOPT_CONNECTTIMEOUT_MS,
                     (long)s->limits->connect_ms + 60000L);
    curl_easy_setopt(h, CURLOPT_FRESH_CONNECT, (long)s->fresh);
    if (s->body) {
        curl_easy_setopt(h, CURLOPT_POST, 1L);
        curl_easy_setopt(h, CURLOPT_POSTFIELDS, s->body);
        curl_easy_setopt(h, CURLOPT_POSTFIELDSIZE_LARGE,
                         (curl_off_t)s->body_len);
    }
    if (s->method)
        curl_easy_setopt(h, CURLOPT_CUSTOMREQUEST, s->method);
    if (strncasecmp(s->url, "https:", 6) == 0)
        http_util_set_ca_certificates(h, s->ca_file);
}

struct http_request *
http_request_start(struct loop *l, struct curl_loop *c,
                   const struct http_request_spec *spec, struct err *e)
{
    CLEANUP(http_request_free_p) struct http_request *x = calloc(1, sizeof(*x));

    if (!x) {
        err_sys(e, "request");
        return NULL;
    }
    x->spec = *spec;
    x->transfer = (struct curl_loop_transfer){on_done, x};
    x->easy = curl_easy_init();
    if (!x->easy) {
        err_set(e, ERR_NOMEM, "libcurl cannot start");
        return NULL;
    }
    set_options(x);
    set_callbacks(x);
    if (spec->group)
        connection_group_join(spec->group, x->easy);
    choose_route(x);
    x->since_ms = clock_ms();
    x->timer = loop_timer(l, limit_ms(x), on_timer, x, e);
    if (!x->timer || set_headers(x, spec->headers, e) < 0 ||
        curl_loop_add(c, x->easy, &x->transfer, e) < 0)
        return NULL;
    x->curl_loop = c;
    return TAKE_PTR(x);
}

void
http_request_free(struct http_request *x)
{
    if (!x)
        return;
    watch_free(x->timer);
    if (x->curl_loop)
        curl_loop_remove(x->curl_loop, x->easy);
    if (x->easy)
        curl_easy_cleanup(x->easy);
    curl_slist_free_all(x->headers);
    free(x);
}

enum http_result
http_request_result(const struct http_request *x)
{
    return x->result;
}

enum http_phase
http_request_phase(const struct http_request *x)
{
    return x->phase;
}

CURLcode
http_request_curl_code(const struct http_request *x)
{
    return x->code;
}

const char *
http_request_curl_text(const struct http_request *x)
{
    return *x->curl_text ? x->curl_text : curl_easy_strerror(x->code);
}

int
http_request_status(const struct http_request *x)
{
    long status = 0;

    curl_easy_getinfo(x->easy, CURLINFO_RESPONSE_CODE, &status);
    return (int)status;
}

const char *
http_request_retry_after(const struct http_request *x)
{
    return *x->retry_after ? x->retry_after : NULL;
}

const char *
http_request_redirect(const struct http_request *x)
{
    char *url = NULL;

    curl_easy_getinfo(x->easy, CURLINFO_REDIRECT_URL, &url);
    return url;
}

const char *
http_request_proxy_variable(const struct http_request *x)
{
    return x->route == HTTP_ROUTE_USUAL ? local_host_proxy_variable(x->spec.url)
                                        : NULL;
}

bool
http_request_was_kept(const struct http_request *x)
{
    long opened = 1;

    curl_easy_getinfo(x->easy, CURLINFO_NUM_CONNECTS, &opened);
    return opened == 0;
}

bool
http_request_was_accepted(const struct http_request *x)
{
    return x->began_tls;
}

int
http_request_proxy_status(const struct http_request *x)
{
    long status = 0;

    curl_easy_getinfo(x->easy, CURLINFO_HTTP_CONNECTCODE, &status);
    return (int)status;
}

const struct model_limits *
http_request_limits(const struct http_request *x)
{
    return x->spec.limits;
}
