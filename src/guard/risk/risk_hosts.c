/* SPDX-License-Identifier: GPL-3.0-or-later */
/* risk_hosts.c - recognizes hosts in arguments: names, URLs, host:path. */
#include "guard/risk/risk_hosts.h"

#include <string.h>

#include "guard/risk/risk_findings.h"

bool
risk_host_is_remote(const char *text)
{
    size_t n = strcspn(text, ":/@ ");

    if (strstr(text, "://"))
        return strncmp(text, "file:", 5) != 0;
    if (text[n] == '@')
        return n > 0 && text[n + 1] && text[n + 1] != '/';
    /* ./a:b and /a:b are files; the a of a:b is a host */
    return text[n] == ':' && n > 0;
}

bool
risk_host_is_loopback(const char *host)
{
    static const char *const names[] = {"localhost", "::1",           "[::1]",
                                        "0.0.0.0",   "ip6-localhost", NULL};

    for (const char *const *p = names; *p; p++)
        if (strcmp(host, *p) == 0)
            return true;
    if (strncmp(host, "127.", 4) == 0)
        return strspn(host, "0123456789.") == strlen(host);
    host = strrchr(host, '.');
    return host && strcmp(host, ".localhost") == 0;
}

/* Whether it is an IPv6 address without brackets: fe80::1. */
static bool
is_bare_ipv6(const char *text)
{
    const char *colon = strchr(text, ':');

    return colon && strchr(colon + 1, ':') &&
           !text[strspn(text, "0123456789abcdefABCDEF:.")];
}

const char *
risk_host_parse(struct risk_state *st, const char *text)
{
    const char *scheme = strstr(text, "://");
    const char *at, *end;
    size_t n;

    if (is_bare_ipv6(text))
        return text;
    if (scheme)
        text = scheme + 3;
    n = strcspn(text, "/?#");
    at = memchr(text, '@', n);
    if (at) {
        n -= (size_t)(at + 1 - text);
        text = at + 1;
    }
    end = text[0] == '[' ? memchr(text, ']', n) : memchr(text, ':', n);
    if (end)
        n = (size_t)(end - text) + (text[0] == '[');
    return risk_copy(st, text, n);
}
