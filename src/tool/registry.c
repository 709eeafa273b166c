/* SPDX-License-Identifier: GPL-3.0-or-later */
/* registry.c - the tools that there are: finding one, going through all. */
#include "tool/registry.h"

#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "config/nearest.h"
#include "tool/registry_in.h"
#include "tool/trust.h"

static void
row_free(struct registry_row *row)
{
    if (!row)
        return;
    free(row->name);
    free(row->tool.dir);
    free(row->tool.program);
    manifest_free(row->manifest);
    free(row);
}

void
registry_free(struct registry *r)
{
    if (!r)
        return;
    for (size_t i = 0; i < r->n; i++)
        row_free(r->rows[i]);
    free(r->rows);
    while (r->hidden) {
        struct registry_row *row = r->hidden;

        r->hidden = row->next;
        row_free(row);
    }
    mcp_servers_free(r->servers);
    buf_done(&r->notes);
    free(r);
}

struct registry_row *
registry_add(struct registry *r, const char *name, enum tool_source source,
             char *dir, struct err *e)
{
    CLEANUP(free_p) char *own = dir;
    struct registry_row *row;

    if (r->n == REGISTRY_TOOLS_MAX) {
        err_set(e, ERR_NOMEM, "there are more than %d tools (%.100s)",
                REGISTRY_TOOLS_MAX, dir ? dir : name);
        return NULL;
    }
    row = calloc(1, sizeof(*row));
    if (!row || !(row->name = strdup(name))) {
        row_free(row);
        err_nomem(e);
        return NULL;
    }
    row->tool = (struct tool){
        .name = row->name, .source = source, .dir = TAKE_PTR(own)};
    row->order = r->n;
    r->rows[r->n++] = row;
    return row;
}

static int
by_name(const void *a, const void *b)
{
    const struct registry_row *x = *(struct registry_row *const *)a;
    const struct registry_row *y = *(struct registry_row *const *)b;
    int rc = strcmp(x->name, y->name);

    return rc ? rc : x->order < y->order ? -1 : 1;
}

void
registry_sort(struct registry *r)
{
    qsort(r->rows, r->n, sizeof(struct registry_row *), by_name);
}

struct registry *
registry_open_at(const struct registry_places *p, const struct config *c,
                 struct err *e)
{
    CLEANUP(registry_free_p) struct registry *r = calloc(1, sizeof(*r));

    if (!r || !(r->rows = calloc(REGISTRY_TOOLS_MAX,
                                 sizeof(struct registry_row *)))) {
        err_nomem(e);
        return NULL;
    }
    r->config = c;
    buf_init(&r->notes, TRUST_NOTES_MAX);
    if (registry_scan(r, p, e) < 0 || registry_add_servers(r, p, e) < 0)
        return NULL;
    registry_sort(r);
    return TAKE_PTR(r);
}

struct registry *
registry_open(const struct config *c, struct err *e)
{
    CLEANUP(free_p) char *builtin = path_libexec("plugins", e);
    CLEANUP(free_p) char *user = path_of(PATH_DATA, "plugins", NULL);
    CLEANUP(free_p) char *mcp = path_of(PATH_CONFIG, "mcp.json", NULL);
    const struct registry_places places = {
        .builtin = builtin,
        .user = user,
        .list = getenv("AGENTSH_PLUGIN_PATH"),
        .mcp = mcp,
        .mcp_system = SYSCONFDIR "/agentsh/mcp.json",
    };

    return builtin ? registry_open_at(&places, c, e) : NULL;
}

static const struct tool *
unknown(const struct registry *r, const char *name, struct err *e)
{
    struct nearest near;

    nearest_init(&near, name);
    for (size_t i = 0; i < r->n; i++)
        if (!r->rows[i]->is_place)
            nearest_consider(&near, r->rows[i]->name);
    if (near.best)
        err_set(e, ERR_NOT_FOUND, "unknown tool '%.64s'; did you mean %s?",
                name, near.best);
    else
        err_set(e, ERR_NOT_FOUND, "unknown tool '%.64s'", name);
    return NULL;
}

/* The first good one of that name; NULL, and the first faulty one, if any. */
static const struct tool *
find(struct registry *r, const char *name, const struct tool **faulty)
{
    *faulty = NULL;

    for (size_t i = 0; i < r->n; i++) {
        struct registry_row *row = r->rows[i];

        if (strcmp(row->name, name) != 0)
            continue;
        registry_look(r, row);
        if (row->manifest)
            return &row->tool;
        if (!*faulty)
            *faulty = &row->tool;
    }
    return NULL;
}

const struct tool *
registry_find(struct registry *r, const char *name, struct err *e)
{
    const struct tool *faulty, *found = find(r, name, &faulty);
    struct registry_row *server = found ? NULL : registry_server_of(r, name);

    if (server && registry_expand(r, server, true))
        found = find(r, name, &faulty);
    else if (server && server->tool.manifest)
        found = &server->tool; /* which nobody agreed to yet */
    else if (server)
        faulty = &server->tool;
    if (found)
        return found;
    if (!faulty)
        return unknown(r, name, e);
    if (e)
        *e = faulty->fault;
    return NULL;
}

/* Of a name that is there more than once, the first good one counts. */
static void
settle(struct registry *r)
{
    const struct registry_row *first = NULL;

    for (size_t i = 0; i < r->n;)
        i = registry_expand(r, r->rows[i], false) ? 0 : i + 1;
    for (size_t i = 0; i < r->n; i++) {
        struct registry_row *row = r->rows[i];

        registry_look(r, row);
        if (!row->manifest)
            continue;
        if (!first || strcmp(first->name, row->name) != 0) {
            first = row;
            continue;
        }
        row->tool.manifest = NULL;
        err_set(&row->tool.fault, ERR_INVALID,
                "not used: the one in %.150s has the same name",
                first->tool.dir ? first->tool.dir : "mcp.json");
    }
    r->settled = true;
}

const struct tool *
registry_at(struct registry *r, size_t i)
{
    if (!r->settled)
        settle(r);
    return i < r->n ? &r->rows[i]->tool : NULL;
}

const struct tool *
registry_lost_place(const struct registry *r, size_t i)
{
    for (size_t k = 0; k < r->n; k++)
        if (r->rows[k]->is_place && i-- == 0)
            return &r->rows[k]->tool;
    return NULL;
}

static void
mark_trusted(struct registry *r, const struct tool *t)
{
    for (size_t i = 0; i < r->n; i++)
        if (&r->rows[i]->tool == t)
            r->rows[i]->tool.trust = TOOL_TRUSTED;
}

int
registry_trust(struct registry *r, const struct tool *t, struct err *e)
{
    char hash[SHA256_HEX_SIZE];

    if (t->source == TOOL_BUILTIN)
        return 0;
    if (t->server) {
        if (registry_trust_server(t, e) < 0)
            return -1;
        mark_trusted(r, t);
        return 0;
    }
    if (trust_hash(t->dir, hash, e) < 0)
        return -1;
    if (strcmp(hash, t->hash) != 0)
        return err_set(
            e, ERR_INVALID,
            "%.100s changed since it was shown; run agentsh tool list again",
            t->dir);
    if (trust_write(t->dir, hash, e) < 0)
        return -1;
    mark_trusted(r, t);
    return 0;
}
