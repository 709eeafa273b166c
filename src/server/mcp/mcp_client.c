/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp_client.c - what a client says of itself, and with each request. */
#include "server/mcp/mcp_client.h"

#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/utf8.h"

#define META_CAPABILITIES MCP_ERA_PREFIX "clientCapabilities"
#define META_LEVEL        MCP_ERA_PREFIX "logLevel"
#define META_CLIENT       MCP_ERA_PREFIX "clientInfo"

static const char *const levels[] = {
    [MCP_LEVEL_DEBUG] = "debug",   [MCP_LEVEL_INFO] = "info",
    [MCP_LEVEL_NOTICE] = "notice", [MCP_LEVEL_WARNING] = "warning",
    [MCP_LEVEL_ERROR] = "error",   [MCP_LEVEL_CRITICAL] = "critical",
    [MCP_LEVEL_ALERT] = "alert",   [MCP_LEVEL_EMERGENCY] = "emergency",
};

const char *
mcp_level_name(enum mcp_level level)
{
    return levels[level];
}

int
mcp_level_read(const struct json *name, enum mcp_level *out, struct err *e)
{
    const char *text = json_text(name);

    for (size_t i = 0; text && i < ARRAY_SIZE(levels); i++) {
        if (strcmp(levels[i], text) == 0) {
            *out = (enum mcp_level)i;
            return 0;
        }
    }
    return err_set(e, ERR_INVALID,
                   "the level must be one of debug, info, notice, warning, "
                   "error, critical, alert, emergency");
}

/* A client that says nothing of modes has the form, which came first. */
static bool
has_form(const struct json *capabilities)
{
    const struct json *v = json_get(capabilities, "elicitation");

    return json_type(v) == JSON_OBJECT &&
           (json_get(v, "form") || !json_get(v, "url"));
}

static const char *
spoken_version(const char *wanted)
{
    static const char *const spoken[] = {MCP_CLIENT_OLDEST_VERSION,
                                         MCP_ERA_HANDSHAKE_VERSION};

    for (size_t i = 0; i < ARRAY_SIZE(spoken); i++)
        if (strcmp(spoken[i], wanted) == 0)
            return spoken[i];
    return MCP_ERA_HANDSHAKE_VERSION;
}

int
mcp_client_initialize(struct mcp_client *c, const struct json *params,
                      struct err *e)
{
    const char *version = json_get_str(params, "protocolVersion");
    const struct json *capabilities = json_get(params, "capabilities");
    const char *name = json_get_str(json_get(params, "clientInfo"), "name");

    if (!version)
        return err_set(e, ERR_INVALID, "protocolVersion: must be a string");
    if (json_type(capabilities) != JSON_OBJECT)
        return err_set(e, ERR_INVALID, "capabilities: must be an object");
    if (!name)
        return err_set(e, ERR_INVALID, "clientInfo: must have a name");
    c->initialized = true;
    c->version = spoken_version(version);
    c->elicits = has_form(capabilities);
    c->level = MCP_LEVEL_NONE;
    snprintf(c->name, sizeof(c->name), "%.*s",
             (int)utf8_boundary(name, strlen(name), sizeof(c->name) - 1), name);
    return 0;
}

enum mcp_era
mcp_frame_era(const struct mcp_client *c, const struct json *params)
{
    if (json_get(json_get(params, "_meta"), MCP_ERA_META_VERSION))
        return MCP_ERA_REQUEST;
    return c->initialized ? MCP_ERA_HANDSHAKE : MCP_ERA_UNKNOWN;
}

static int
read_request_meta(const struct json *meta, struct mcp_frame *out, struct err *e)
{
    const struct json *capabilities = json_get(meta, META_CAPABILITIES);
    const struct json *level = json_get(meta, META_LEVEL);

    if (!(out->version = json_get_str(meta, MCP_ERA_META_VERSION)))
        return err_set(e, ERR_INVALID, "_meta: %s must be a string",
                       MCP_ERA_META_VERSION);
    if (strcmp(out->version, MCP_ERA_REQUEST_VERSION) != 0)
        return err_set(e, ERR_UNSUPPORTED, "unsupported protocol version");
    if (json_type(capabilities) != JSON_OBJECT)
        return err_set(e, ERR_INVALID, "_meta: %s \"%s\"",
                       capabilities ? "must be an object:" : "missing",
                       META_CAPABILITIES);
    out->elicits = has_form(capabilities);
    out->tasks = json_type(json_get(json_get(capabilities, "extensions"),
                                    MCP_EXTENSION_TASKS)) == JSON_OBJECT;
    out->client = json_get_str(json_get(meta, META_CLIENT), "name");
    return level ? mcp_level_read(level, &out->level, e) : 0;
}

static int
read_progress_token(const struct json *meta, struct mcp_frame *out,
                    struct err *e)
{
    const struct json *token = json_get(meta, "progressToken");
    int64_t number;

    if (token && json_type(token) != JSON_STRING && !json_int(token, &number))
        return err_set(e, ERR_INVALID,
                       "_meta: progressToken must be a string or an integer");
    out->token = token;
    return 0;
}

int
mcp_frame_read(const struct mcp_client *c, const struct json *params,
               struct mcp_frame *out, struct err *e)
{
    const struct json *meta = json_get(params, "_meta");
    struct mcp_frame f = {.era = mcp_frame_era(c, params),
                          .level = MCP_LEVEL_NONE};

    if (params && json_type(params) != JSON_OBJECT) {
        err_set(e, ERR_INVALID, "params: must be an object");
        return JSONRPC_INVALID_PARAMS;
    }
    if (f.era == MCP_ERA_HANDSHAKE) {
        f.elicits = c->elicits;
        f.level = c->level;
    } else if (f.era == MCP_ERA_UNKNOWN) {
        err_set(e, ERR_INVALID,
                "_meta: missing \"%s\" (or call initialize first)",
                MCP_ERA_META_VERSION);
        return JSONRPC_INVALID_PARAMS;
    } else if (read_request_meta(meta, &f, e) < 0) {
        *out = f;
        return e->code == ERR_UNSUPPORTED ? MCP_ERA_UNSUPPORTED_VERSION
                                          : JSONRPC_INVALID_PARAMS;
    }
    if (read_progress_token(meta, &f, e) < 0)
        return JSONRPC_INVALID_PARAMS;
    *out = f;
    return 0;
}
