/* SPDX-License-Identifier: GPL-3.0-or-later */
/* acp_servers.c - the MCP servers that an editor hands to a session. */
#include "server/acp/acp_servers.h"

#include <string.h>

#include "tool/registry.h"
#include "json/write.h"

/* A member that may be left out. */
static int
get_list(const struct json *server, const char *name, const struct json **list,
         struct err *e)
{
    *list = json_get(server, name);
    if (*list && json_type(*list) != JSON_ARRAY)
        return err_set(e, ERR_INVALID, "%s: must be an array", name);
    return 0;
}

/* A list of {name, value} becomes an object. */
static int
put_pairs(struct json_writer *w, const struct json *server, const char *name,
          struct err *e)
{
    const struct json *list;

    if (get_list(server, name, &list, e) < 0)
        return -1;
    json_key(w, name);
    json_open_object(w);
    for (const struct json *v = json_first(list); v; v = json_next(v)) {
        const char *key = json_get_str(v, "name");
        const char *value = json_get_str(v, "value");

        if (!key || !value)
            return err_set(e, ERR_INVALID,
                           "%s: each has the strings name and value", name);
        json_member_str(w, key, value);
    }
    json_close_object(w);
    return 0;
}

static int
put_http(struct json_writer *w, const struct json *server, struct err *e)
{
    const char *url = json_get_str(server, "url");

    if (!url)
        return err_set(e, ERR_INVALID, "url: must be a string");
    json_member_str(w, "type", "http");
    json_member_str(w, "url", url);
    return put_pairs(w, server, "headers", e);
}

static int
put_stdio(struct json_writer *w, const struct json *server, struct err *e)
{
    const char *command = json_get_str(server, "command");
    const struct json *args;

    if (!command)
        return err_set(e, ERR_INVALID, "command: must be a string");
    if (get_list(server, "args", &args, e) < 0)
        return -1;
    json_member_str(w, "command", command);
    json_key(w, "args");
    json_open_array(w);
    for (const struct json *v = json_first(args); v; v = json_next(v)) {
        if (!json_text(v))
            return err_set(e, ERR_INVALID, "args: must be strings without NUL");
        json_put_value(w, v);
    }
    json_close_array(w);
    return put_pairs(w, server, "env", e);
}

static int
put_server(struct json_writer *w, const struct json *server, struct err *e)
{
    const char *name = json_get_str(server, "name");
    const char *type = json_get_str(server, "type");
    int rc;

    if (!name || !name[0])
        return err_set(e, ERR_INVALID, "name: must be a string");
    if (type && strcmp(type, "http") != 0 && strcmp(type, "stdio") != 0)
        return err_set(e, ERR_INVALID, "type: %.40s is not taken", type);
    json_key(w, name);
    json_open_object(w);
    rc = type && strcmp(type, "http") == 0 ? put_http(w, server, e)
                                           : put_stdio(w, server, e);
    json_close_object(w);
    return rc;
}

/* Whether a server before this one of the list has its name. */
static bool
has_earlier_name(const struct json *servers, const struct json *server)
{
    const char *name = json_get_str(server, "name");
    const struct json *s = json_first(servers);

    for (; name && s != server; s = json_next(s)) {
        const char *earlier = json_get_str(s, "name");

        if (earlier && strcmp(earlier, name) == 0)
            return true;
    }
    return false;
}

int
acp_servers_read(const struct json *servers, struct buf *out, struct err *e)
{
    struct json_writer w;
    size_t i = 0;

    if (servers && json_type(servers) != JSON_ARRAY)
        return err_set(e, ERR_INVALID, "mcpServers: must be an array");
    if (json_count(servers) > REGISTRY_SERVERS_MAX)
        return err_set(e, ERR_INVALID, "mcpServers: there are more than %d",
                       REGISTRY_SERVERS_MAX);
    json_write_init(&w, out);
    json_open_object(&w);
    json_key(&w, "mcpServers");
    json_open_object(&w);
    for (const struct json *s = json_first(servers); s; s = json_next(s), i++) {
        if (!has_earlier_name(servers, s) && put_server(&w, s, e) < 0)
            return err_wrap(e, "mcpServers[%zu]", i);
    }
    json_close_object(&w);
    json_close_object(&w);
    return buf_ok(out, "mcpServers", e);
}

static void
log_refused(void *arg, const char *title, const struct err *why)
{
    const struct acp_session *s = arg;
    CLEANUP_BUF struct buf b = buf_of(1024);

    buf_printf(&b, "MCP server %.100s: %s", title, why->text);
    if (!b.bad)
        s->shared->log(s->shared->log_arg, b.p);
}

static void
log_repeated(struct acp_session *s, const struct json *servers)
{
    struct err why = {0};

    err_set(&why, ERR_INVALID, "one before it has this name");
    for (const struct json *v = json_first(servers); v; v = json_next(v)) {
        if (has_earlier_name(servers, v))
            log_refused(s, json_get_str(v, "name"), &why);
    }
}

int
acp_servers_add(struct acp_session *s, const struct json *servers,
                struct err *e)
{
    CLEANUP_BUF struct buf text = buf_of(ACP_SERVERS_MAX);

    if (acp_servers_read(servers, &text, e) < 0)
        return -1;
    if (json_count(servers) == 0)
        return 0;
    log_repeated(s, servers);
    if (registry_add_servers(s->registry, text.p, text.len, log_refused, s, e) <
        0) {
        if (e->code == ERR_CONFIG) /* the editor wrote it */
            e->code = ERR_INVALID;
        return err_wrap(e, "mcpServers");
    }
    return 0;
}
