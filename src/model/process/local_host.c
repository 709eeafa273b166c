/* SPDX-License-Identifier: GPL-3.0-or-later */
/* local_host.c - whether a server is on this machine, so that no proxy is
 * asked for it. */
#include "model/process/local_host.h"

#include <arpa/inet.h>
#include <curl/curl.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "model/provider/provider_table.h"

#define HOST_SIZE    256 /* a name of DNS has at most 253 bytes */
#define DISCARD_PORT 9   /* any but 0 */

DEFINE_CLEANUP(CURLU, curl_url_cleanup)

/* Any address, as the kernel takes it. */
union address {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
};

/* Copies the host as libcurl understands it (127.1 is 127.0.0.1), without the
 * brackets of IPv6 and the dot of a fully qualified name. False: none. */
static bool
read_host_of_url(const char *url, char host[HOST_SIZE])
{
    CLEANUP(curl_url_cleanup_p) CURLU *u = curl_url();
    char *text = NULL;
    size_t n;

    if (!u || curl_url_set(u, CURLUPART_URL, url, 0) != CURLUE_OK ||
        curl_url_get(u, CURLUPART_HOST, &text, 0) != CURLUE_OK)
        return false;
    n = strlen(text);
    if (n > 0 && (text[n - 1] == ']' || text[n - 1] == '.'))
        text[--n] = '\0';
    if (n < HOST_SIZE)
        strncpy(host, text + (*text == '['), HOST_SIZE - 1);
    host[HOST_SIZE - 1] = '\0';
    curl_free(text);
    return n > 0 && n < HOST_SIZE;
}

/* Whether it is localhost or ends in .localhost (RFC 6761, 6.3). */
static bool
is_localhost(const char *host)
{
    static const char name[] = "localhost";
    size_t n = strlen(host), m = sizeof(name) - 1;

    return n >= m && strcasecmp(host + n - m, name) == 0 &&
           (n == m || host[n - m - 1] == '.');
}

static bool
read_address(const char *host, union address *a)
{
    *a = (union address){0};
    if (inet_pton(AF_INET, host, &a->v4.sin_addr) == 1) {
        a->v4.sin_family = AF_INET;
        return true;
    }
    if (inet_pton(AF_INET6, host, &a->v6.sin6_addr) == 1) {
        a->v6.sin6_family = AF_INET6;
        return true;
    }
    return false;
}

/* Whether it is the host of a provider's own service: never on this machine,
 * and not worth a lookup. */
static bool
is_service(const char *host)
{
    const struct provider *p;
    char own[HOST_SIZE];

    for (size_t i = 0; (p = provider_at(i)) != NULL; i++) {
        if (read_host_of_url(p->url, own) && strcasecmp(own, host) == 0)
            return true;
    }
    return false;
}

enum local_host
local_host_find(const char *url)
{
    char host[HOST_SIZE];
    union address a;

    if (!read_host_of_url(url, host))
        return LOCAL_HOST_NO; /* no URL: libcurl will say so */
    if (is_localhost(host))
        return LOCAL_HOST_YES;
    if (read_address(host, &a))
        return local_host_is_address(&a.any) ? LOCAL_HOST_YES : LOCAL_HOST_NO;
    return is_service(host) ? LOCAL_HOST_NO : LOCAL_HOST_UNKNOWN;
}

/* Writes an IPv4 address within IPv6 (::ffff:127.0.0.1) as IPv4. */
static void
unmap(const struct sockaddr *a, union address *out)
{
    const struct in6_addr *v6 = &out->v6.sin6_addr;
    struct sockaddr_in v4 = {.sin_family = AF_INET};

    *out = (union address){0};
    if (a->sa_family == AF_INET)
        memcpy(&out->v4, a, sizeof(out->v4));
    else
        memcpy(&out->v6, a, sizeof(out->v6));
    if (a->sa_family != AF_INET6 || !IN6_IS_ADDR_V4MAPPED(v6))
        return;
    memcpy(&v4.sin_addr, v6->s6_addr + 12, sizeof(v4.sin_addr));
    out->v4 = v4;
}

static bool
is_loopback(const union address *a)
{
    const struct in6_addr *v6 = &a->v6.sin6_addr;

    if (a->any.sa_family == AF_INET)
        return ntohl(a->v4.sin_addr.s_addr) >> 24 == 127 ||
               a->v4.sin_addr.s_addr == htonl(INADDR_ANY);
    return IN6_IS_ADDR_LOOPBACK(v6) || IN6_IS_ADDR_UNSPECIFIED(v6);
}

/* Whether the kernel would send to it from the same address: it does so for its
 * own alone. A datagram socket sends nothing when it is connected. (The list of
 * interfaces takes a bind(2) of netlink, which the filter refuses.) */
static bool
is_own(const union address *a)
{
    CLEANUP(fd_close_p)
    int fd = socket(a->any.sa_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    union address to = *a, from = {0};
    socklen_t size = sizeof(from);

    to.v4.sin_port = htons(DISCARD_PORT); /* v6.sin6_port is at its place */
    if (fd < 0 || connect(fd, &to.any, sizeof(to)) < 0 ||
        getsockname(fd, &from.any, &size) < 0)
        return false;
    if (a->any.sa_family == AF_INET)
        return a->v4.sin_addr.s_addr == from.v4.sin_addr.s_addr;
    return memcmp(&a->v6.sin6_addr, &from.v6.sin6_addr,
                  sizeof(a->v6.sin6_addr)) == 0;
}

bool
local_host_is_address(const struct sockaddr *a)
{
    union address own;

    if (a->sa_family != AF_INET && a->sa_family != AF_INET6)
        return false;
    unmap(a, &own);
    return is_loopback(&own) || is_own(&own);
}

/* The variables that libcurl reads, in its order for each scheme. */
struct proxy_row {
    const char *scheme; /* NULL: any */
    const char *variable;
};

static const struct proxy_row proxy_rows[] = {
    {"http:", "http_proxy"},   {"https:", "https_proxy"},
    {"https:", "HTTPS_PROXY"}, {NULL, "all_proxy"},
    {NULL, "ALL_PROXY"},
};

/* The next row whose variable is set; NULL: none. */
static const struct proxy_row *
next_set(const struct proxy_row *r)
{
    for (; r < proxy_rows + ARRAY_SIZE(proxy_rows); r++) {
        const char *value = getenv(r->variable);

        if (value && *value)
            return r;
    }
    return NULL;
}

bool
local_host_may_use_proxy(void)
{
    return next_set(proxy_rows) != NULL;
}

bool
local_host_proxy_resolves(void)
{
    const struct proxy_row *r = proxy_rows;

    for (; (r = next_set(r)) != NULL; r++) {
        const char *value = getenv(r->variable);

        if (strncasecmp(value, "socks5h:", 8) == 0 ||
            strncasecmp(value, "socks4a:", 8) == 0)
            return true;
    }
    return false;
}

const char *
local_host_proxy_variable(const char *url)
{
    const struct proxy_row *r = proxy_rows;

    for (; (r = next_set(r)) != NULL; r++) {
        if (!r->scheme || strncasecmp(url, r->scheme, strlen(r->scheme)) == 0)
            return r->variable;
    }
    return NULL;
}
