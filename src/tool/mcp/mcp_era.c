/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp_era.c - the two ways in which MCP servers say their version. */
#include "tool/mcp/mcp_era.h"

#include <string.h>

#include "base/array.h"

#define CLIENT      "{\"name\":\"agentsh\",\"version\":\"" PACKAGE_VERSION "\"}"
#define OFFERS      "{\"roots\":{}}" /* our capabilities */
#define SHOWN_BYTES 120              /* of a list of versions */

static const char *const words[] = {
    [MCP_ERA_HANDSHAKE] = "handshake",
    [MCP_ERA_REQUEST] = "request",
};

const char *
mcp_era_word(enum mcp_era era)
{
    return words[era];
}

enum mcp_era
mcp_era_of_word(const char *word)
{
    for (size_t i = MCP_ERA_HANDSHAKE; word && i < ARRAY_SIZE(words); i++)
        if (strcmp(words[i], word) == 0)
            return (enum mcp_era)i;
    return MCP_ERA_UNKNOWN;
}

void
mcp_era_write_initialize(struct buf *out)
{
    buf_str(out, "{\"protocolVersion\":\"" MCP_ERA_HANDSHAKE_VERSION "\","
                 "\"capabilities\":" OFFERS ",\"clientInfo\":" CLIENT "}");
}

static enum mcp_era
era_of_version(const char *version)
{
    static const char *const handshake[] = {
        "2024-11-05", "2025-03-26", "2025-06-18", MCP_ERA_HANDSHAKE_VERSION};

    if (version && strcmp(version, MCP_ERA_REQUEST_VERSION) == 0)
        return MCP_ERA_REQUEST;
    for (size_t i = 0; version && i < ARRAY_SIZE(handshake); i++)
        if (strcmp(version, handshake[i]) == 0)
            return MCP_ERA_HANDSHAKE;
    return MCP_ERA_UNKNOWN;
}

int
mcp_era_check_initialized(const struct json *result, struct err *e)
{
    const char *version = json_get_str(result, "protocolVersion");

    if (era_of_version(version) == MCP_ERA_HANDSHAKE)
        return 0;
    return err_set(e, ERR_PEER,
                   "uses protocol version %.40s, which is not supported",
                   version ? version : "(none)");
}

void
mcp_era_write_meta(enum mcp_era era, int64_t token, struct buf *out)
{
    struct json_writer w;

    json_write_init(&w, out);
    json_open_object(&w);
    if (token)
        json_member_int(&w, "progressToken", token);
    if (era == MCP_ERA_REQUEST) {
        json_member_str(&w, MCP_ERA_META_VERSION, MCP_ERA_REQUEST_VERSION);
        json_key(&w, MCP_ERA_PREFIX "clientInfo");
        json_put_raw(&w, CLIENT, strlen(CLIENT));
        json_key(&w, MCP_ERA_PREFIX "clientCapabilities");
        json_put_raw(&w, OFFERS, strlen(OFFERS));
        if (token) /* otherwise a server must not send its log */
            json_member_str(&w, MCP_ERA_PREFIX "logLevel", "info");
    }
    json_close_object(&w);
}

/* The newest version in a list that is spoken here decides. */
static enum mcp_era
era_of_versions(const struct json *list, struct err *e)
{
    CLEANUP_BUF struct buf shown = buf_of(SHOWN_BYTES);
    enum mcp_era best = MCP_ERA_UNKNOWN;

    for (const struct json *v = json_first(list); v; v = json_next(v)) {
        const char *version = json_str(v, &(size_t){0});
        enum mcp_era era = era_of_version(version);

        best = era > best ? era : best;
        buf_printf(&shown, "%s%.20s", shown.len ? ", " : "",
                   version ? version : "?");
    }
    if (best == MCP_ERA_UNKNOWN)
        err_set(e, ERR_PEER, "uses protocol version %s, which is not supported",
                shown.len ? shown.p : "(none)");
    return best;
}

enum mcp_era
mcp_era_of_discovery(const struct jsonrpc *m, struct err *e)
{
    const struct json *data = json_get(json_get(m->root, "error"), "data");
    const struct json *versions = json_get(m->result, "supportedVersions");

    if (m->kind == JSONRPC_RESULT && json_type(versions) == JSON_ARRAY)
        return era_of_versions(versions, e);
    if (m->kind == JSONRPC_RESULT) /* it answers whatever it is asked */
        return MCP_ERA_HANDSHAKE;
    if (m->code == MCP_ERA_UNSUPPORTED_VERSION)
        return era_of_versions(json_get(data, "supported"), e);
    if (m->code != MCP_ERA_MISSING_CAPABILITY &&
        m->code != MCP_ERA_HEADER_MISMATCH)
        return MCP_ERA_HANDSHAKE;
    err_set(e, ERR_PEER, "refused server/discover: %.160s", m->message);
    return MCP_ERA_UNKNOWN;
}

const char *
mcp_era_server_version(const struct json *result)
{
    const struct json *info = json_get(result, "serverInfo");

    if (!info)
        info = json_get(json_get(result, "_meta"), MCP_ERA_PREFIX "serverInfo");
    return json_get_str(info, "version");
}
