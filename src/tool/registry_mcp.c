/* SPDX-License-Identifier: GPL-3.0-or-later */
/* registry_mcp.c - servers of mcp.json, and their tools as rows. */
#include <string.h>

#include "tool/mcp/list.h"
#include "tool/mcp/listing.h"
#include "tool/mcp/program.h"
#include "tool/registry_in.h"
#include "tool/trust.h"

int
registry_add_servers(struct registry *r, const struct registry_places *p,
                     struct err *e)
{
    r->servers = mcp_servers_read(p->mcp, p->mcp_system, e);
    if (!r->servers)
        return -1;
    for (size_t i = 0; i < r->servers->n; i++) {
        const struct mcp_entry *m = &r->servers->all[i];
        struct registry_row *row = registry_add(r, m->name, TOOL_MCP, NULL, e);

        if (!row)
            return -1;
        row->tool.server = m;
    }
    return 0;
}

/* By which the notes of what was agreed to know it. */
static int
note_name(const struct mcp_entry *m, struct buf *out, struct err *e)
{
    buf_printf(out, "%s:%s", m->file, m->name);
    return buf_ok(out, "the name of a server", e);
}

/* It offers nothing before it was asked, and that is only after a yes. */
static struct manifest *
stand_in(const struct registry_row *row, struct err *e)
{
    struct manifest *m = calloc(1, sizeof(*m));

    if (!m) {
        err_nomem(e);
        return NULL;
    }
    m->name = row->name;
    m->version = "-";
    m->summary = "a server of mcp.json; its tools are listed once it is used";
    m->needs = row->tool.server->needs;
    m->persistent = true;
    return m;
}

int
registry_fill_server(struct registry *r, struct registry_row *row,
                     struct err *e)
{
    CLEANUP_BUF struct buf name = buf_of(TRUST_NOTES_MAX);
    struct tool *t = &row->tool;

    t->trust = TOOL_NEW;
    if (t->server->fault.code != ERR_NONE) {
        if (e)
            *e = t->server->fault;
        return -1;
    }
    if (mcp_hash(t->server, t->hash, e) < 0 || registry_notes(r, e) < 0 ||
        note_name(t->server, &name, e) < 0 ||
        !(row->manifest = stand_in(row, e)))
        return -1;
    t->trust = trust_find(&r->notes, name.p, t->hash);
    return 0;
}

int
registry_trust_server(const struct tool *t, struct err *e)
{
    CLEANUP_BUF struct buf name = buf_of(TRUST_NOTES_MAX);
    char hash[SHA256_HEX_SIZE];

    if (mcp_hash(t->server, hash, e) < 0 || note_name(t->server, &name, e) < 0)
        return -1;
    if (strcmp(hash, t->hash) != 0)
        return err_set(
            e, ERR_INVALID,
            "%s changed since it was shown; run agentsh tool list again",
            t->name);
    return trust_write(name.p, hash, e);
}

/* One that cannot be used is a row too, which says why. */
static int
add_tool(struct registry *r, const struct registry_row *of,
         const struct json *list, const struct json *v, struct err *e)
{
    const struct tool *server = &of->tool;
    char name[MANIFEST_NAME_MAX + 1] = "";
    struct err why = {0};
    const char *remote = NULL;
    CLEANUP(manifest_free_p)
    struct manifest *m = mcp_list_manifest(server->server, list, v, name,
                                           &remote, &why);
    struct registry_row *row = registry_add(r, name[0] ? name : of->name,
                                            TOOL_MCP, NULL, e);

    if (!row)
        return -1;
    row->looked = true;
    row->tool.server = server->server;
    row->tool.remote = remote;
    (void)json_int(json_get(list, "skipped"), &row->tool.skipped);
    row->tool.trust = server->trust;
    row->tool.fault = why;
    memcpy(row->tool.hash, server->hash, sizeof(row->tool.hash));
    row->manifest = TAKE_PTR(m);
    row->tool.manifest = row->manifest;
    return 0;
}

/* The row of the server goes out of sight; who holds its tool keeps it. */
static void
hide(struct registry *r, struct registry_row *row)
{
    size_t i = 0;

    while (r->rows[i] != row)
        i++;
    memmove(&r->rows[i], &r->rows[i + 1],
            (--r->n - i) * sizeof(struct registry_row *));
    row->next = r->hidden;
    r->hidden = row;
}

static struct json *
read_list(const struct registry *r, const struct tool *t, bool again,
          struct err *e)
{
    struct json *list = mcp_list_read(t->hash, again, e);

    if (list || (e && e->code != ERR_NOT_FOUND))
        return list;
    if (mcp_listing_fetch(t, r->config, e) == 0)
        return mcp_list_read(t->hash, true, e);
    mcp_list_keep_fault(t->hash, e);
    return NULL;
}

static int
add_tools(struct registry *r, struct registry_row *row, bool again,
          struct err *e)
{
    CLEANUP(json_free_p)
    struct json *list = read_list(r, &row->tool, again, e);
    const struct json *v = json_first(json_get(list, "tools"));

    if (!list)
        return -1;
    if (!v)
        return err_set(e, ERR_NOT_FOUND, "the server offers no tools");
    for (; v; v = json_next(v))
        if (add_tool(r, row, list, v, e) < 0)
            return -1;
    return 0;
}

bool
registry_expand(struct registry *r, struct registry_row *row, bool again)
{
    struct tool *t = &row->tool;
    struct err why = {0};

    registry_look(r, row);
    if (t->source != TOOL_MCP || t->remote || !t->manifest ||
        t->trust != TOOL_TRUSTED)
        return false;
    if (add_tools(r, row, again, &why) < 0) {
        t->fault = why;
        t->manifest = NULL;
        return false;
    }
    hide(r, row);
    registry_sort(r);
    return true;
}

struct registry_row *
registry_server_of(struct registry *r, const char *name)
{
    const char *dot = strchr(name, '.');
    size_t n = dot ? (size_t)(dot - name) : 0;

    for (size_t i = 0; n > 0 && i < r->n; i++) {
        struct registry_row *row = r->rows[i];

        if (row->tool.source == TOOL_MCP && !row->tool.remote &&
            strlen(row->name) == n && strncmp(row->name, name, n) == 0)
            return row;
    }
    return NULL;
}
