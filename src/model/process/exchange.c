/* SPDX-License-Identifier: GPL-3.0-or-later */
/* exchange.c - one HTTP request and its response, with its time limits. */
#include "model/process/exchange.h"

#include <string.h>
#include <strings.h>

#include "base/clock.h"
#include "model/process/tls.h"

struct exchange {
    struct exchange_spec spec;
    struct pump *pump;
    struct pump_ticket ticket;
    CURL *easy;
    struct curl_slist *headers;
    struct watch *timer;
    enum exchange_phase phase;
    enum exchange_fate fate;
    CURLcode code;
    int64_t since_ms; /* when the phase began, or the last byte came */
    size_t header_bytes;
    char retry_after[64];
    char curl_text[CURL_ERROR_SIZE];
};

static int64_t
limit_ms(const struct exchange *x)
{
    switch (x->phase) {
    case PHASE_CONNECT:
        return x->spec.limits->connect_ms;
    case PHASE_SENT:
        return x->spec.limits->first_byte_ms;
    default:
        return x->spec.limits->idle_ms;
    }
}

static void
enter(struct exchange *x, enum exchange_phase phase)
{
    int64_t left = limit_ms(x);

    x->phase = phase;
    x->since_ms = clock_ms();
    if (limit_ms(x) < left)
        watch_again(x->timer, limit_ms(x));
}

/* A byte only moves since_ms; the timer finds that out when it fires. */
static void
on_timer(void *arg, unsigned events)
{
    struct exchange *x = arg;
    int64_t left = x->since_ms + limit_ms(x) - clock_ms();

    (void)events;
    if (left > 0) {
        watch_again(x->timer, left);
        return;
    }
    x->fate = FATE_LATE;
    x->spec.end(x->spec.arg, x);
}

/* libcurl calls it when the connection stands and nothing was sent yet. */
static int
on_connected(void *arg, char *ip, char *local_ip, int port, int local_port)
{
    (void)ip;
    (void)local_ip;
    (void)port;
    (void)local_port;
    enter(arg, PHASE_SENT);
    return CURL_PREREQFUNC_OK;
}

static void
keep_retry_after(struct exchange *x, const char *line, size_t n)
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
    struct exchange *x = arg;

    n *= size;
    x->header_bytes += n;
    if (x->header_bytes > EXCHANGE_HEADERS_MAX) {
        x->fate = FATE_HEADERS;
        return 0;
    }
    if (x->phase < PHASE_HEAD)
        enter(x, PHASE_HEAD);
    if (n <= 2 && exchange_status(x) >= 200)
        x->phase = PHASE_BODY; /* the blank line */
    x->since_ms = clock_ms();
    keep_retry_after(x, line, n);
    return n;
}

static size_t
on_body(char *bytes, size_t size, size_t n, void *arg)
{
    struct exchange *x = arg;

    n *= size;
    x->since_ms = clock_ms();
    if (x->spec.take(x->spec.arg, exchange_status(x), bytes, n) == 0)
        return n;
    x->fate = FATE_STOPPED;
    return n + 1; /* libcurl's sign that we want no more */
}

static void
on_done(void *arg, CURLcode code)
{
    struct exchange *x = arg;

    if (code == CURLE_OK && x->phase != PHASE_BODY)
        code = CURLE_GOT_NOTHING; /* it ended within its headers */
    x->code = code;
    if (x->fate == FATE_ANSWERED && code != CURLE_OK)
        x->fate = FATE_BROKEN;
    x->spec.end(x->spec.arg, x);
}

static int
set_headers(struct exchange *x, const char *lines, struct err *e)
{
    /* no waiting for "100 Continue" before a large body */
    x->headers = curl_slist_append(NULL, "Expect:");
    while (x->headers && lines && *lines) {
        size_t n = strcspn(lines, "\n");
        char *line = strndup(lines, n);
        struct curl_slist *more = line ? curl_slist_append(x->headers, line)
                                       : NULL;

        free(line);
        if (!more)
            return err_set(e, ERR_NOMEM, "out of memory for a header");
        x->headers = more;
        lines += n + (lines[n] == '\n');
    }
    curl_easy_setopt(x->easy, CURLOPT_HTTPHEADER, x->headers);
    return 0;
}

static void
set_callbacks(struct exchange *x)
{
    CURL *h = x->easy;

    curl_easy_setopt(h, CURLOPT_HEADERFUNCTION, on_header);
    curl_easy_setopt(h, CURLOPT_HEADERDATA, x);
    curl_easy_setopt(h, CURLOPT_WRITEFUNCTION, on_body);
    curl_easy_setopt(h, CURLOPT_WRITEDATA, x);
    curl_easy_setopt(h, CURLOPT_PREREQFUNCTION, on_connected);
    curl_easy_setopt(h, CURLOPT_PREREQDATA, x);
    curl_easy_setopt(h, CURLOPT_ERRORBUFFER, x->curl_text);
}

static void
set_options(struct exchange *x)
{
    const struct exchange_spec *s = &x->spec;
    CURL *h = x->easy;

    curl_easy_setopt(h, CURLOPT_URL, s->url);
    curl_easy_setopt(h, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(h, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(h, CURLOPT_NOSIGNAL, 1L);
    /* a name that is being looked up must not hold up a cancel */
    curl_easy_setopt(h, CURLOPT_QUICK_EXIT, 1L);
    curl_easy_setopt(h, CURLOPT_TCP_KEEPALIVE, 1L);
    curl_easy_setopt(h, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
    curl_easy_setopt(h, CURLOPT_ACCEPT_ENCODING, "gzip");
    curl_easy_setopt(h, CURLOPT_USERAGENT, call_user_agent());
    /* our own limits decide; libcurl's would cut a longer connect_timeout_s */
    curl_easy_setopt(h, CURLOPT_CONNECTTIMEOUT_MS,
                     (long)s->limits->connect_ms + 60000L);
    if (s->body) {
        curl_easy_setopt(h, CURLOPT_POST, 1L);
        curl_easy_setopt(h, CURLOPT_POSTFIELDS, s->body);
        curl_easy_setopt(h, CURLOPT_POSTFIELDSIZE_LARGE,
                         (curl_off_t)s->body_len);
    }
    if (strncasecmp(s->url, "https:", 6) == 0)
        tls_set_authorities(h);
}

struct exchange *
exchange_start(struct loop *l, struct pump *p, const struct exchange_spec *spec,
               struct err *e)
{
    CLEANUP(exchange_free_p) struct exchange *x = calloc(1, sizeof(*x));

    if (!x) {
        err_sys(e, "request");
        return NULL;
    }
    x->spec = *spec;
    x->ticket = (struct pump_ticket){on_done, x};
    x->easy = curl_easy_init();
    if (!x->easy) {
        err_set(e, ERR_NOMEM, "libcurl cannot start");
        return NULL;
    }
    set_options(x);
    set_callbacks(x);
    x->since_ms = clock_ms();
    x->timer = loop_timer(l, limit_ms(x), on_timer, x, e);
    if (!x->timer || set_headers(x, spec->headers, e) < 0 ||
        pump_add(p, x->easy, &x->ticket, e) < 0)
        return NULL;
    x->pump = p;
    return TAKE_PTR(x);
}

void
exchange_free(struct exchange *x)
{
    if (!x)
        return;
    watch_free(x->timer);
    if (x->pump)
        pump_remove(x->pump, x->easy);
    if (x->easy)
        curl_easy_cleanup(x->easy);
    curl_slist_free_all(x->headers);
    free(x);
}

enum exchange_fate
exchange_fate(const struct exchange *x)
{
    return x->fate;
}

enum exchange_phase
exchange_phase(const struct exchange *x)
{
    return x->phase;
}

CURLcode
exchange_code(const struct exchange *x)
{
    return x->code;
}

const char *
exchange_curl_text(const struct exchange *x)
{
    return *x->curl_text ? x->curl_text : curl_easy_strerror(x->code);
}

int
exchange_status(const struct exchange *x)
{
    long status = 0;

    curl_easy_getinfo(x->easy, CURLINFO_RESPONSE_CODE, &status);
    return (int)status;
}

const char *
exchange_retry_after(const struct exchange *x)
{
    return *x->retry_after ? x->retry_after : NULL;
}

const char *
exchange_redirect(const struct exchange *x)
{
    char *url = NULL;

    curl_easy_getinfo(x->easy, CURLINFO_REDIRECT_URL, &url);
    return url;
}

const struct ask_limits *
exchange_limits(const struct exchange *x)
{
    return x->spec.limits;
}
