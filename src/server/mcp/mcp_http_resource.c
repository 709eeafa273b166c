/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp_http_resource.c - tells clients who gives the tokens (RFC 9728). */
#include "server/mcp/mcp_http_resource.h"

#include <string.h>

#include "json/write.h"

#define URL_MAX 1024

static bool
is_issuer_url(const char *url)
{
    bool https = strncmp(url, "https://", 8) == 0;
    bool http = strncmp(url, "http://", 7) == 0;
    const char *host = url + (https ? 8 : 7);

    if ((!https && !http) || !host[0] || host[0] == '/')
        return false;
    for (const char *p = url; *p; p++)
        if (*p <= ' ' || *p >= 0x7f || strchr("\"\\#?", *p))
            return false;
    return true;
}

int
mcp_http_resource_check(const char *server, bool has_token, struct err *e)
{
    if (!server)
        return 0;
    if (strlen(server) > URL_MAX || !is_issuer_url(server))
        return err_set(e, ERR_USAGE,
                       "--authorization-server: no URL of http or https");
    if (!has_token)
        return err_set(e, ERR_USAGE,
                       "--authorization-server: its tokens cannot be checked "
                       "here; --token-file names the one that is taken");
    return 0;
}

/* The Host was checked by its form, and is one of ours. */
static void
put_base_url(struct buf *out, const struct http_incoming *r, bool tls)
{
    buf_printf(out, "%s://%s", tls ? "https" : "http",
               r->host ? r->host : "localhost");
}

void
mcp_http_resource_put(struct buf *out, const struct http_incoming *r, bool tls,
                      const char *server)
{
    CLEANUP_BUF struct buf url = buf_of(HTTP_HEAD_MAX);
    struct json_writer w;

    put_base_url(&url, r, tls);
    buf_str(&url, MCP_RESOURCE_PATH);
    json_write_init(&w, out);
    json_open_object(&w);
    json_member_str(&w, "resource", url.p);
    json_member_str(&w, "resource_name", "agentsh");
    json_key(&w, "authorization_servers");
    json_open_array(&w);
    json_put_str(&w, server);
    json_close_array(&w);
    json_key(&w, "bearer_methods_supported");
    json_open_array(&w);
    json_put_str(&w, "header");
    json_close_array(&w);
    json_close_object(&w);
}

void
mcp_http_resource_put_challenge(struct buf *out, const struct http_incoming *r,
                                bool tls, bool shown)
{
    buf_str(out, shown ? " error=\"invalid_token\", resource_metadata=\""
                       : " resource_metadata=\"");
    put_base_url(out, r, tls);
    buf_str(out, MCP_METADATA_PATH "\"");
}
