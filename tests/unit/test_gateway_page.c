/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_gateway_page.c - the gateway's page, and how a browser logs in. */
#include "unit.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/fd.h"
#include "server/gateway/gateway_page.h"
#include "server/server_http.h"

#define TOKEN    "a b+c%;=\xc3\xa9"
#define FORM     "token=a+b%2bc%25%3B%3d%C3%A9"
#define TURN_MS  100
#define TURNS    100
#define BODY_MAX 4096

struct page_site {
    struct loop *loop;
    struct server_http *http;
    struct gateway_page *page;
    int port;
};

static void
on_page(void *arg, struct http_connection *c)
{
    struct page_site *s = arg;

    gateway_page_request(s->page, s->http, c);
}

static void
on_closed(void *arg, struct http_connection *c)
{
    (void)arg;
    http_answer_text(c, 200, NULL, "come in");
}

static const struct server_http_route routes[] = {
    {GATEWAY_PAGE_PATH, "GET, HEAD", on_page},
    {GATEWAY_PAGE_LOGIN, "POST", on_page},
    {GATEWAY_PAGE_LOGOUT, "POST", on_page},
    {"/closed", "GET", on_closed},
    {0},
};

static void
on_log(void *arg, const char *line)
{
    struct page_site *s = arg;
    const char *port = strstr(line, "tcp:127.0.0.1:");

    if (port)
        s->port = (int)strtol(port + strlen("tcp:127.0.0.1:"), NULL, 10);
}

static void
open_site(struct page_site *s, const char *token)
{
    static const char *const listen[] = {"tcp:127.0.0.1:0", NULL};
    static const char *const open[] = {GATEWAY_PAGE_PATH, GATEWAY_PAGE_LOGIN,
                                       GATEWAY_PAGE_LOGOUT, NULL};
    struct err e = {0};

    *s = (struct page_site){.loop = loop_new(&e)};
    assert_non_null(s->loop);
    s->page = gateway_page_new(token, &e);
    assert_non_null(s->page);
    s->http = server_http_new(&(struct server_http_setup){.loop = s->loop,
                                                          .listen = listen,
                                                          .token = token,
                                                          .max_connections = 9,
                                                          .max_body = BODY_MAX,
                                                          .routes = routes,
                                                          .open = open,
                                                          .arg = s,
                                                          .log = on_log,
                                                          .log_arg = s},
                              &e);
    assert_non_null(s->http);
    assert_true(s->port > 0);
}

static void
close_site(struct page_site *s)
{
    server_http_free(s->http);
    gateway_page_free(s->page);
    loop_free(s->loop);
}

/* Sends a request whose lines end in LF, and returns all of the answer. */
static char *
ask_site(struct page_site *s, const char *head, const char *body)
{
    struct sockaddr_in at = {.sin_family = AF_INET,
                             .sin_port = htons((uint16_t)s->port),
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    CLEANUP_BUF struct buf text = buf_of(1u << 16);
    CLEANUP_BUF struct buf answer = buf_of(1u << 20);
    CLEANUP(fd_close_p) int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct err e = {0};
    char part[4096];
    ssize_t n = 1;

    for (const char *p = head; *p; p++) {
        if (*p == '\n')
            buf_ch(&text, '\r');
        buf_ch(&text, *p);
    }
    buf_printf(&text,
               "Host: localhost:%d\r\nConnection: close\r\n"
               "Content-Length: %zu\r\n\r\n%s",
               s->port, strlen(body), body);
    assert_int_equal(connect(fd, (struct sockaddr *)&at, sizeof(at)), 0);
    assert_int_equal(send(fd, text.p, text.len, MSG_NOSIGNAL), text.len);
    for (int i = 0; i < TURNS && n != 0; i++) {
        assert_true(loop_turn(s->loop, TURN_MS, &e) >= 0);
        while ((n = recv(fd, part, sizeof(part), MSG_DONTWAIT)) > 0)
            buf_add(&answer, part, (size_t)n);
    }
    assert_int_equal(n, 0);
    return buf_take(&answer);
}

static void
expect(struct page_site *s, const char *head, const char *body, int status,
       const char *words)
{
    char *answer = ask_site(s, head, body);
    char first[32];

    snprintf(first, sizeof(first), "HTTP/1.1 %d ", status);
    if (strncmp(answer, first, strlen(first)) != 0 || !strstr(answer, words))
        fail_msg("%s%s: wants %d and \"%s\", is: %.2000s", head, body, status,
                 words, answer);
    free(answer);
}

static void
the_page_is_sent_to_whoever_asks(void **state)
{
    struct page_site s;
    char *answer, *tag, head[256];

    (void)state;
    open_site(&s, TOKEN);
    answer = ask_site(&s, "GET / HTTP/1.1\n", "");
    assert_non_null(strstr(answer, "Content-Type: text/html; charset=utf-8"));
    assert_non_null(strstr(answer, "default-src 'none'; script-src 'sha256-"));
    assert_non_null(strstr(answer, "frame-ancestors 'none'"));
    assert_null(strstr(answer, "unsafe"));
    assert_non_null(strstr(answer, "Referrer-Policy: same-origin\r\n"));
    assert_non_null(strstr(answer, "<script>\"use strict\";\n"));
    assert_non_null(strstr(answer, "</html>"));
    assert_null(strstr(answer, "@S"));
    assert_null(strstr(answer, TOKEN));
    assert_non_null(tag = strstr(answer, "ETag: \""));
    snprintf(head, sizeof(head), "GET / HTTP/1.1\nIf-None-Match: W/%.66s\n",
             tag + strlen("ETag: "));
    expect(&s, head, "", 304, "ETag: ");
    free(answer);
    answer = ask_site(&s, "HEAD / HTTP/1.1\n", "");
    assert_null(strstr(answer, "<html"));
    free(answer);
    expect(&s, "POST / HTTP/1.1\n", "", 405, "Allow: GET, HEAD");
    expect(&s, "GET /closed HTTP/1.1\n", "", 401, "Bearer");
    close_site(&s);
}

/* The cookie as a browser sends it back, from the answer that set it. */
static void
log_in_site(struct page_site *s, char cookie[200])
{
    char *answer = ask_site(s, "POST /login HTTP/1.1\n", FORM);
    char *at = strstr(answer, "Set-Cookie: ");

    assert_non_null(at);
    assert_non_null(strstr(at, "; HttpOnly; SameSite=Strict\r\n"));
    assert_null(strstr(at, TOKEN));
    at += strlen("Set-Cookie: ");
    snprintf(cookie, 200, "%.*s", (int)strcspn(at, ";"), at);
    assert_non_null(strstr(answer, "{\"token\":true}"));
    free(answer);
}

static void
a_cookie_counts_for_the_page_of_the_host_alone(void **state)
{
    static const struct {
        const char *origin;
        bool port; /* behind it */
        const char *before, *behind;
        int status;
    } rows[] = {
        {"http://localhost:", true, "", "", 200},
        {"http://LOCALHOST:", true, "", "", 200},
        {"http://localhost:", true, "a=b; ", "; c=d", 200},
        {"http://localhost:", true, "a=b;", "", 200},
        {"http://localhost:", true, "x", "", 401},
        {"http://localhost:", true, "", "0", 401},
        {"http://localhost:", true, "a=", "", 401},
        {"http://127.0.0.1:", true, "", "", 403},
        {"http://localhost:1", true, "", "", 403},
        {"http://evil.example", false, "", "", 403},
        {"null", false, "", "", 403},
    };
    struct page_site s;
    char cookie[200], head[1024], origin[100];

    (void)state;
    open_site(&s, TOKEN);
    log_in_site(&s, cookie);
    for (size_t i = 0; i < N_OF(rows); i++) {
        snprintf(origin, sizeof(origin), "Origin: %s", rows[i].origin);
        if (rows[i].port)
            snprintf(origin + strlen(origin), 8, "%d", s.port);
        snprintf(head, sizeof(head),
                 "GET /closed HTTP/1.1\n%s\nCookie: %s%s%s\n", origin,
                 rows[i].before, cookie, rows[i].behind);
        expect(&s, head, "", rows[i].status, "");
    }
    snprintf(head, sizeof(head), "GET /closed HTTP/1.1\nCookie: %s\n", cookie);
    expect(&s, head, "", 401, "");
    snprintf(head, sizeof(head),
             "POST /login HTTP/1.1\nOrigin: http://localhost:%d\nCookie: %s\n",
             s.port, cookie);
    expect(&s, head, "", 200, "{\"token\":true}");
    expect(&s, "POST /login HTTP/1.1\n", "", 401, "Bearer");
    expect(&s, "POST /logout HTTP/1.1\n", "", 204, "Max-Age=0; HttpOnly");
    close_site(&s);
    open_site(&s, "another");
    snprintf(head, sizeof(head),
             "GET /closed HTTP/1.1\nOrigin: http://localhost:%d\nCookie: "
             "agentsh_%d%s\n",
             s.port, s.port, strchr(cookie, '='));
    expect(&s, head, "", 401, "");
    close_site(&s);
}

static void
wrong_tokens_are_refused_and_guessing_ends(void **state)
{
    static const char *const forms[] = {
        "token=",       "token=a",  "token",       "other=1",
        "token=%",      "token=%4", "token=%zz",   "token=%00",
        FORM "x",       "x" FORM,   "token=a%20b", "{\"token\":\"a\"}",
        "&&&&&&&&&&&&",
    };
    struct page_site s;

    (void)state;
    open_site(&s, TOKEN);
    for (size_t i = 0; i < N_OF(forms); i++)
        expect(&s, "POST /login HTTP/1.1\n", forms[i], 401, "Bearer");
    expect(&s, "POST /login HTTP/1.1\n", FORM "&x=y", 200, "Set-Cookie");
    for (size_t i = N_OF(forms); i < 20; i++)
        expect(&s, "POST /login HTTP/1.1\n", "token=x", 401, "");
    expect(&s, "POST /login HTTP/1.1\n", FORM, 429, "Retry-After: ");
    close_site(&s);
}

static void
without_a_token_nobody_logs_in(void **state)
{
    struct page_site s;

    (void)state;
    open_site(&s, NULL);
    expect(&s, "POST /login HTTP/1.1\n", "", 200, "{\"token\":false}");
    expect(&s, "POST /login HTTP/1.1\n", "token=x", 200, "{\"token\":false}");
    expect(&s, "GET /closed HTTP/1.1\n", "", 200, "come in");
    close_site(&s);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_page_is_sent_to_whoever_asks),
        cmocka_unit_test(a_cookie_counts_for_the_page_of_the_host_alone),
        cmocka_unit_test(wrong_tokens_are_refused_and_guessing_ends),
        cmocka_unit_test(without_a_token_nobody_logs_in),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
