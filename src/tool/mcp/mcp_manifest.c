/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp_manifest.c - makes manifests of the tools that an MCP server lists. */
#include "tool/mcp/mcp_tools.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/utf8.h"
#include "tool/mcp/mcp_param_headers.h"
#include "tool/mcp/mcp_schema.h"
#include "json/write.h"

#define SUMMARY_MAX 600 /* bytes: some describe themselves by pages */
#define ROOT_MAX    (1u << 20)

/* Writes a description in one line, cut where it is too long. */
static void
put_summary(struct json_writer *w, const struct json *tool)
{
    size_t n = 0;
    const char *s = json_str(json_get(tool, "description"), &n);
    CLEANUP_BUF struct buf line = buf_of(SUMMARY_MAX + 4);

    if (!s)
        s = json_str(json_get(tool, "title"), &n);
    for (size_t i = 0; i < n && line.len < SUMMARY_MAX; i++) {
        bool blank = (unsigned char)s[i] <= ' ' || s[i] == 0x7f;

        if (!blank)
            buf_ch(&line, s[i]);
        else if (line.len > 0 && line.p[line.len - 1] != ' ')
            buf_ch(&line, ' ');
    }
    buf_cut(&line, line.len - utf8_incomplete_tail(line.p, line.len));
    while (line.len > 0 && line.p[line.len - 1] == ' ')
        buf_cut(&line, line.len - 1);
    json_key(w, "summary");
    json_put_str(w, line.len ? line.p : "says nothing about itself");
}

/* Makes the JSON that the manifest points into. */
static struct json *
make_root(const char *name, const struct json *list, const struct json *tool,
          struct err *e)
{
    CLEANUP_BUF struct buf text = buf_of(ROOT_MAX);
    struct json_writer w;

    json_write_init(&w, &text);
    json_open_object(&w);
    json_member_str(&w, "name", name);
    json_member_str(&w, "version", json_get_str(list, "version"));
    json_member_str(&w, "remote", json_get_str(tool, "name"));
    put_summary(&w, tool);
    json_key(&w, "args");
    mcp_schema_write(&w, json_get(tool, "inputSchema"));
    json_close_object(&w);
    if (text.bad) {
        err_set(e, ERR_PEER, "its schema is over %u bytes", ROOT_MAX);
        return NULL;
    }
    return json_parse(text.p, text.len, 0, e);
}

static bool
read_hint(const struct json *tool, const char *name, bool otherwise)
{
    bool v;

    return json_bool(json_get(json_get(tool, "annotations"), name), &v)
               ? v
               : otherwise;
}

/* Sets the hints. Where the sandbox lets the tool change nothing, it is
 * read-only, unless it says that it changes something. Where it can change
 * something, its own word does not make it read-only; whether it may lose data
 * is believed as of any plugin. */
static void
set_hints(struct manifest_action *a, const struct manifest_needs *n,
          const struct json *tool)
{
    bool can = n->write[0] || n->network || n->state;
    bool read_only = read_hint(tool, "readOnlyHint", !can);

    a->read_only = !can && read_only &&
                   !read_hint(tool, "destructiveHint", false);
    a->destructive = !a->read_only &&
                     read_hint(tool, "destructiveHint",
                               !read_hint(tool, "readOnlyHint", false));
}

static int
add_server_tool(struct manifest *m, const struct json *tool, struct err *e)
{
    struct manifest_action *a = m->actions = calloc(1, sizeof(*a));

    if (!a)
        return err_nomem(e);
    m->n_actions = 1;
    a->name = "call";
    a->summary = m->summary;
    a->args = json_get(m->root, "args");
    set_hints(a, &m->needs, tool);
    a->args_check = json_schema_new(a->args, e);
    return a->args_check ? 0 : -1;
}

/* Makes the name "SERVER.TOOL", if it is a valid one. */
static int
make_name(const struct mcp_server *m, const struct json *tool,
          char name[MANIFEST_NAME_MAX + 1], struct err *e)
{
    const char *remote = json_get_str(tool, "name");
    char part[2 * MANIFEST_NAME_MAX], whole[4 * MANIFEST_NAME_MAX];

    mcp_config_name(remote ? remote : "", part, sizeof(part));
    snprintf(whole, sizeof(whole), "%s.%s", m->name, part);
    snprintf(name, MANIFEST_NAME_MAX + 1, "%.*s", MANIFEST_NAME_MAX, whole);
    if (!part[0])
        return err_set(e, ERR_PEER, "a tool without a name");
    if (strlen(whole) > MANIFEST_NAME_MAX)
        return err_set(e, ERR_INVALID,
                       "not used: with its server's its name has more than %d "
                       "bytes",
                       MANIFEST_NAME_MAX);
    return 0;
}

struct manifest *
mcp_tools_manifest(const struct mcp_server *m, const struct json *list,
                   const struct json *tool, char name[MANIFEST_NAME_MAX + 1],
                   const char **remote, struct err *e)
{
    CLEANUP(manifest_free_p) struct manifest *out = NULL;

    if (make_name(m, tool, name, e) < 0)
        return NULL;
    if (m->url && mcp_tools_era(list) == MCP_ERA_REQUEST &&
        mcp_param_headers_check(json_get(tool, "inputSchema"), e) < 0)
        return NULL;
    if (!(out = calloc(1, sizeof(*out)))) {
        err_nomem(e);
        return NULL;
    }
    if (!(out->root = make_root(name, list, tool, e)))
        return NULL;
    out->name = json_get_str(out->root, "name");
    out->version = json_get_str(out->root, "version");
    out->summary = json_get_str(out->root, "summary");
    out->persistent = true;
    out->needs = m->needs;
    if (!out->version)
        out->version = "-";
    if (add_server_tool(out, tool, e) < 0)
        return NULL;
    *remote = json_get_str(out->root, "remote");
    return TAKE_PTR(out);
}

struct manifest *
mcp_tools_server_manifest(const struct mcp_server *m, struct err *e)
{
    struct manifest *out = calloc(1, sizeof(*out));

    if (!out) {
        err_nomem(e);
        return NULL;
    }
    out->name = m->name;
    out->version = "-";
    out->summary = "a server of mcp.json; its tools are listed once it is used";
    out->needs = m->needs;
    out->persistent = true;
    return out;
}
