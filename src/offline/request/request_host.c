/* SPDX-License-Identifier: GPL-3.0-or-later */
/* request_host.c - names and addresses of machines, by their looks. */
#include <string.h>
#include <strings.h>

#include "offline/request/request_in.h"

/* Last labels of hosts' names that are no ending of a file. */
static const char *const domains[] = {
    "arpa", "at",       "au",  "be",  "biz",  "ca",  "ch",    "com",
    "de",   "dev",      "edu", "eu",  "fr",   "gov", "home",  "info",
    "int",  "internal", "io",  "it",  "jp",   "lan", "local", "localhost",
    "mil",  "net",      "nl",  "org", "test", "uk",  "us",
};

static bool
has(const char *s, size_t n, char c)
{
    return memchr(s, c, n) != NULL;
}

/* 10.0.0.1, also with a /24 or a :80 */
static bool
is_ip4(const char *s, size_t n)
{
    size_t at = 0;

    for (int i = 0; i < 4; i++) {
        size_t k = request_span(s + at, n - at, DIGITS);

        if (k == 0 || k > 3 || (i < 3 && (at + k >= n || s[at + k] != '.')))
            return false;
        at += k + (i < 3);
    }
    return at == n ||
           ((s[at] == '/' || s[at] == ':') && at + 1 < n &&
            request_span(s + at + 1, n - at - 1, DIGITS) == n - at - 1);
}

static bool
is_ip6(const char *s, size_t n)
{
    unsigned colons = 0;

    for (size_t i = 0; i < n; i++)
        colons += s[i] == ':';
    return colons >= 2 && (colons >= 7 || strstr(s, "::")) &&
           request_span(s, n, "0123456789abcdefABCDEF:") == n;
}

/* Letters, digits, dots and dashes that end in a domain that we know. */
static bool
is_domain(const char *s, size_t n)
{
    const char *dot = memrchr(s, '.', n);
    size_t last = dot ? (size_t)(dot + 1 - s) : n;

    return last < n && last > 1 && request_span(s, n, ALNUM ".-") == n &&
           request_in_table(s + last, n - last, domains,
                            sizeof(domains) / sizeof(domains[0]));
}

/* ":80" at the end */
static size_t
port_length(const char *s, size_t n)
{
    const char *colon = memrchr(s, ':', n);
    size_t k = colon ? (size_t)(s + n - colon) : 0;

    return k > 1 && k < 7 && request_span(colon + 1, k - 1, DIGITS) == k - 1
               ? k
               : 0;
}

bool
request_is_host(const char *s, size_t n)
{
    const char *at = memchr(s, '@', n);

    if (at && at > s && at + 1 < s + n && !has(s, n, '/') &&
        request_span(at + 1, n - (size_t)(at + 1 - s), ALNUM ".-_") ==
            n - (size_t)(at + 1 - s))
        return true;
    if (n - port_length(s, n) == 9 && strncasecmp(s, "localhost", 9) == 0)
        return true;
    if (n > 4 && strncmp(s, "www.", 4) == 0 && !has(s, n, '/'))
        return true;
    return is_ip4(s, n) || is_ip6(s, n) || is_domain(s, n - port_length(s, n));
}

bool
request_is_remote_path(const char *text)
{
    return request_is_remote(text, strlen(text));
}

/* box:/etc, bob@box:file */
bool
request_is_remote(const char *s, size_t n)
{
    const char *colon = memchr(s, ':', n);
    size_t k = colon ? (size_t)(colon - s) : 0;

    if (k == 0 || k + 1 > n || has(s, k, '/'))
        return false;
    if (has(s, k, '@'))
        return request_span(s, k, ALNUM "@._-") == k;
    return k + 1 < n && (s[k + 1] == '/' || s[k + 1] == '~') &&
           request_span(s, k, ALNUM "._-") == k;
}
