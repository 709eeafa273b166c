/* SPDX-License-Identifier: GPL-3.0-or-later */
/* endpoint.c - the one server that agentsh-mcp-http talks to. */
#include "model/mcp_http/endpoint.h"

#include <arpa/inet.h>
#include <curl/curl.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/cleanup.h"
#include "model/process/http_util.h"
#include "model/process/local_host.h"
#include "model/provider/provider.h"
#include "tool/mcp/mcp_http.h"

#define PROXY_PORT 1080 /* libcurl's, where a proxy names none */
#define PORT_MAX   65535

DEFINE_CLEANUP(CURLU, curl_url_cleanup)

/* The port of a URL; 0: it names none. */
static uint16_t
port_of(const char *url, unsigned flags)
{
    CLEANUP(curl_url_cleanup_p) CURLU *u = curl_url();
    char *text = NULL;
    unsigned long port;

    if (!u || curl_url_set(u, CURLUPART_URL, url, CURLU_GUESS_SCHEME) ||
        curl_url_get(u, CURLUPART_PORT, &text, flags))
        return 0;
    port = strtoul(text, NULL, 10);
    curl_free(text);
    return port <= PORT_MAX ? (uint16_t)port : 0;
}

/* A proxy is reached in place of the server. */
static void
add_proxy_port(struct endpoint *p)
{
    const char *variable = local_host_proxy_variable(p->url), *value;
    uint16_t port;

    if (!variable || local_host_find(p->url) == LOCAL_HOST_YES)
        return;
    value = getenv(variable);
    port = port_of(value ? value : "", 0);
    if (!port)
        port = value && strncasecmp(value, "https:", 6) == 0 ? 443 : PROXY_PORT;
    p->ports[p->n_ports++] = port;
}

static int
add_headers(struct endpoint *p, const struct json *headers, struct err *e)
{
    for (const struct json *v = json_first(headers); v; v = json_next(v)) {
        size_t n_name, n = 0;
        const char *name = json_name(v, &n_name), *value = json_str(v, &n);

        if (!value || strcspn(value, "\r\n") != n ||
            strcspn(name, "\r\n:") != n_name)
            return err_set(e, ERR_INVALID, "a header is not valid");
        buf_printf(&p->headers, "%s: %s\n", name, value);
    }
    return buf_ok(&p->headers, "the headers", e);
}

int
endpoint_read(struct endpoint *p, const struct json *v, struct err *e)
{
    const char *url = json_get_str(v, "url");
    bool plain = false;

    *p = (struct endpoint){.headers = buf_of_secret(MCP_HTTP_HEADERS)};
    if (!url || !(p->ports[0] = port_of(url, CURLU_DEFAULT_PORT)))
        return err_set(e, ERR_INVALID, "the URL is not valid");
    if (!(p->url = strdup(url)))
        return err_nomem(e);
    p->n_ports = 1;
    provider_url_host(url, p->host, sizeof(p->host));
    (void)json_bool(json_get(v, "plain"), &plain);
    p->local_only = !plain && strncasecmp(url, "http:", 5) == 0;
    add_proxy_port(p);
    return add_headers(p, json_get(v, "headers"), e);
}

void
endpoint_done(struct endpoint *p)
{
    if (!p)
        return;
    free(p->url);
    buf_done(&p->headers);
}

bool
endpoint_follow(struct endpoint *p, const char *url)
{
    char *own;

    if (!url || !http_util_same_origin(p->url, url) || !(own = strdup(url)))
        return false;
    free(p->url);
    p->url = own;
    return true;
}

bool
endpoint_may_connect(const struct endpoint *p, const struct sockaddr *a)
{
    union {
        struct sockaddr any;
        struct sockaddr_in v4;
        struct sockaddr_in6 v6;
    } to = {0};
    uint16_t port;

    if (a->sa_family != AF_INET && a->sa_family != AF_INET6)
        return false;
    memcpy(&to, a, a->sa_family == AF_INET ? sizeof(to.v4) : sizeof(to.v6));
    port = ntohs(a->sa_family == AF_INET ? to.v4.sin_port : to.v6.sin6_port);
    if (p->local_only && !local_host_is_address(a))
        return false;
    for (size_t i = 0; i < p->n_ports; i++)
        if (p->ports[i] == port)
            return true;
    return false;
}
