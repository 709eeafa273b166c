/* SPDX-License-Identifier: GPL-3.0-or-later */
/* server_http_gate.c - checks the Host and the Origin of a request. */
#include "server/server_http_gate.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define SCHEME_END "://"

/* The next element of a list and its length; NULL: the end. */
static const char *
next_origin(const char **list, size_t *n)
{
    const char *s = *list ? *list + strspn(*list, ", ") : "";

    *n = strcspn(s, ", ");
    *list = s + *n;
    return *n > 0 ? s : NULL;
}

/* The part behind SCHEME:// of an origin of n bytes; NULL: it is none. */
static const char *
origin_host(const char *origin, size_t n)
{
    size_t scheme = strspn(origin, "abcdefghijklmnopqrstuvwxyz0123456789+-.");

    if (scheme == 0 || scheme + strlen(SCHEME_END) >= n ||
        strncmp(origin + scheme, SCHEME_END, strlen(SCHEME_END)) != 0)
        return NULL;
    return origin + scheme + strlen(SCHEME_END);
}

int
server_http_check_origins(const char *origins, struct err *e)
{
    const char *origin, *host;
    size_t n;

    while ((origin = next_origin(&origins, &n)) != NULL) {
        host = origin_host(origin, n);
        if (!host || memchr(host, '/', n - (size_t)(host - origin)))
            return err_set(e, ERR_USAGE,
                           "--allow-origin %.*s: an origin is "
                           "SCHEME://HOST[:PORT], such as https://example.com",
                           (int)(n < 100 ? n : 100), origin);
    }
    return 0;
}

/* How many bytes of HOST[:PORT] are the host; an address of IPv6 is in
 * brackets. */
static size_t
host_span(const char *host, size_t n)
{
    const char *end = host[0] == '[' ? memchr(host, ']', n)
                                     : memchr(host, ':', n);

    if (!end)
        return n;
    return (size_t)(end - host) + (host[0] == '[');
}

/* Whether what follows a host is nothing, or a colon and a port. */
static bool
is_port_part(const char *s)
{
    return !*s || (s[0] == ':' && s[1 + strspn(s + 1, "0123456789")] == '\0');
}

size_t
server_http_host_name(const char **host)
{
    size_t n = host_span(*host, strlen(*host));

    if (!is_port_part(*host + n))
        return 0;
    if ((*host)[0] != '[' || n < 2)
        return n;
    (*host)++;
    return n - 2;
}

static bool
is_host_of_origin(const char *host, size_t n, const char *origins)
{
    const char *origin, *other;
    size_t len, left;

    while ((origin = next_origin(&origins, &len)) != NULL) {
        if (!(other = origin_host(origin, len)))
            continue;
        left = len - (size_t)(other - origin);
        if (host_span(other, left) == n && strncasecmp(other, host, n) == 0)
            return true;
    }
    return false;
}

/* Writes the address as a Host has it. False: it is not of TCP. */
static bool
put_local(const struct sockaddr_storage *local, char *out, size_t size,
          bool *loopback)
{
    const struct sockaddr_in *in = (const void *)local;
    const struct sockaddr_in6 *in6 = (const void *)local;
    char text[INET6_ADDRSTRLEN] = "";
    struct in_addr four = in->sin_addr;

    if (local->ss_family != AF_INET && local->ss_family != AF_INET6)
        return false;
    *loopback = local->ss_family == AF_INET6 &&
                IN6_IS_ADDR_LOOPBACK(&in6->sin6_addr);
    if (local->ss_family == AF_INET6 &&
        !IN6_IS_ADDR_V4MAPPED(&in6->sin6_addr)) {
        (void)inet_ntop(AF_INET6, &in6->sin6_addr, text, sizeof(text));
        snprintf(out, size, "[%s]", text);
        return true;
    }
    if (local->ss_family == AF_INET6)
        memcpy(&four, in6->sin6_addr.s6_addr + 12, sizeof(four));
    *loopback = ntohl(four.s_addr) >> 24 == 127;
    (void)inet_ntop(AF_INET, &four, out, (socklen_t)size);
    return true;
}

static bool
is_loopback_name(const char *host, size_t n)
{
    static const char *const names[] = {"localhost", "127.0.0.1", "[::1]",
                                        NULL};
    size_t i = 0;

    while (names[i] &&
           (strlen(names[i]) != n || strncasecmp(names[i], host, n) != 0))
        i++;
    return names[i] != NULL;
}

bool
server_http_host_is_ours(const char *host, const struct sockaddr_storage *local,
                         const char *origins)
{
    char address[INET6_ADDRSTRLEN + 2];
    bool loopback;
    size_t n;

    if (!put_local(local, address, sizeof(address), &loopback))
        return true;
    n = host ? host_span(host, strlen(host)) : 0;
    if (n == 0 || !is_port_part(host + n))
        return false;
    return (loopback && is_loopback_name(host, n)) ||
           (strlen(address) == n && strncasecmp(address, host, n) == 0) ||
           is_host_of_origin(host, n, origins);
}

bool
server_http_origin_is_allowed(const char *origin, const char *scheme,
                              const char *host, const char *origins)
{
    size_t len = strlen(origin), skip = strlen(scheme);
    size_t n = host ? host_span(host, strlen(host)) : 0;
    const char *allowed;

    /* a name that is only in --allow-origin may resolve to any address */
    if (host && strncmp(origin, scheme, skip) == 0 &&
        strcasecmp(origin + skip, host) == 0 &&
        (is_loopback_name(host, n) || !is_host_of_origin(host, n, origins)))
        return true;
    while ((allowed = next_origin(&origins, &n)) != NULL)
        if (n == len && strncmp(allowed, origin, n) == 0)
            return true;
    return false;
}
