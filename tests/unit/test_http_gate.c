/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_http_gate.c - which hosts and origins a request may name. */
#include "unit.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>

#include "base/array.h"
#include "server/server_http_gate.h"

#define ALLOWED "https://a.example,http://[2001:db8::5]:8443 , x://b.example:9"

static struct sockaddr_storage
address_of(const char *text)
{
    struct sockaddr_storage at = {0};
    struct sockaddr_in *four = (void *)&at;
    struct sockaddr_in6 *six = (void *)&at;

    if (inet_pton(AF_INET, text, &four->sin_addr) == 1)
        at.ss_family = AF_INET;
    else if (inet_pton(AF_INET6, text, &six->sin6_addr) == 1)
        at.ss_family = AF_INET6;
    else
        at.ss_family = AF_UNIX;
    return at;
}

static void
a_host_is_where_the_connection_came(void **state)
{
    static const struct {
        const char *local, *host;
        bool ours;
    } rows[] = {
        {"127.0.0.1", "127.0.0.1", true},
        {"127.0.0.1", "localhost:80", true},
        {"127.0.0.1", "LocalHost", true},
        {"127.0.0.1", "[::1]:1", true},
        {"127.0.0.5", "127.0.0.5:8", true},
        {"127.0.0.1", "127.0.0.1.", false},
        {"127.0.0.1", "localhost.", false},
        {"127.0.0.1", "localhost.evil", false},
        {"127.0.0.1", "evil", false},
        {"127.0.0.1", "", false},
        {"127.0.0.1", ":80", false},
        {"127.0.0.1", NULL, false},
        {"127.0.0.1", "10.0.0.1", false},
        {"127.0.0.1", "localhost:80:80", false},
        {"127.0.0.1", "[::1", false},
        {"127.0.0.1", "[::1]x", false},
        {"::1", "localhost", true},
        {"::1", "[::1]", true},
        {"10.0.0.1", "10.0.0.1:99", true},
        {"10.0.0.1", "localhost", false},
        {"10.0.0.1", "10.0.0.2", false},
        {"::ffff:10.0.0.1", "10.0.0.1", true},
        {"::ffff:127.0.0.1", "localhost", true},
        {"2001:db8::1", "[2001:DB8::1]:80", true},
        {"2001:db8::1", "[2001:db8::2]", false},
        {"10.0.0.1", "a.example", true},
        {"10.0.0.1", "A.example:443", true},
        {"10.0.0.1", "[2001:db8::5]", true},
        {"10.0.0.1", "b.example", true},
        {"10.0.0.1", "c.a.example", false},
        {"10.0.0.1", "example", false},
        {"unix", "anything", true},
        {"unix", NULL, true},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
        struct sockaddr_storage at = address_of(rows[i].local);

        if (server_http_host_is_ours(rows[i].host, &at, ALLOWED) !=
            rows[i].ours)
            fail_msg("%s at %s", rows[i].host, rows[i].local);
    }
}

static void
an_origin_is_this_host_or_in_the_list(void **state)
{
    (void)state;
    assert_true(
        server_http_origin_is_allowed("http://h:1", "http://", "h:1", NULL));
    assert_false(
        server_http_origin_is_allowed("https://h:1", "http://", "h:1", NULL));
    assert_false(
        server_http_origin_is_allowed("http://h", "http://", "h:1", NULL));
    assert_true(
        server_http_origin_is_allowed("https://h:1", "https://", "h:1", NULL));
    assert_false(
        server_http_origin_is_allowed("http://h:1", "https://", "h:1", NULL));
    assert_false(server_http_origin_is_allowed("null", "http://", "h", NULL));
    assert_false(server_http_origin_is_allowed("", "http://", "h", ALLOWED));
    assert_true(server_http_origin_is_allowed("https://a.example", "http://",
                                              "h", ALLOWED));
    assert_true(server_http_origin_is_allowed("x://b.example:9", "http://", "h",
                                              ALLOWED));
    assert_false(server_http_origin_is_allowed("https://a.example2", "http://",
                                               "h", ALLOWED));
    assert_false(server_http_origin_is_allowed("https://a.exampl", "http://",
                                               "h", ALLOWED));
}

static void
a_list_of_origins_is_checked(void **state)
{
    struct err e = {0};

    (void)state;
    assert_int_equal(server_http_check_origins(NULL, &e), 0);
    assert_int_equal(server_http_check_origins(ALLOWED, &e), 0);
    assert_int_equal(server_http_check_origins("*", &e), -1);
    assert_int_equal(server_http_check_origins("a.example", &e), -1);
    assert_int_equal(server_http_check_origins("https://", &e), -1);
    assert_int_equal(server_http_check_origins("https://a/", &e), -1);
    assert_int_equal(server_http_check_origins("https://a,b", &e), -1);
    assert_int_equal(e.code, ERR_USAGE);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_host_is_where_the_connection_came),
        cmocka_unit_test(an_origin_is_this_host_or_in_the_list),
        cmocka_unit_test(a_list_of_origins_is_checked),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
