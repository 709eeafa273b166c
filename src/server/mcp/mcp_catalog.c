/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp_catalog.c - the tools as a client sees them, described once. */
#include "server/mcp/mcp_catalog.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "server/mcp/mcp_answer.h"

#define PAGE_BYTES (512u << 10) /* of descriptions; one more may pass it */
#define TEXT_MAX   (64u << 20)  /* of all: more than servers may describe */

struct described {
    struct mcp_catalog_tool tool;
    size_t from, to; /* of its description in the text */
};

struct mcp_catalog {
    struct described *v;
    size_t n, room;
    struct buf text;
};

static void
make_catalog_name(const struct tool *t, const struct manifest_action *a,
                  char name[MCP_CATALOG_NAME_SIZE])
{
    bool alone = t->manifest->n_actions == 1;

    snprintf(name, MCP_CATALOG_NAME_SIZE, "%s%s%s", t->name, alone ? "" : "__",
             alone ? "" : a->name);
    for (char *p = name; *p; p++)
        if (!ascii_is_alnum(*p) && *p != '-')
            *p = '_';
}

static int
compare_described(const void *a, const void *b)
{
    const struct described *x = a, *y = b;
    int order = strcmp(x->tool.name, y->tool.name);

    /* of two with one name the first in the registry stays */
    return order ? order : strcmp(x->tool.tool->name, y->tool.tool->name);
}

static int
add_described(struct mcp_catalog *c, const struct tool *t,
              const struct manifest_action *a, struct err *e)
{
    if (c->n == c->room) {
        size_t room = c->room ? 2 * c->room : 64;
        struct described *v = reallocarray(c->v, room, sizeof(*v));

        if (!v)
            return err_nomem(e);
        c->v = v;
        c->room = room;
    }
    c->v[c->n] = (struct described){.tool = {.tool = t, .action = a}};
    make_catalog_name(t, a, c->v[c->n++].tool.name);
    return 0;
}

/* The entry of a server stands for tools that are not known yet. */
static bool
is_in_catalog(const struct tool *t)
{
    return t->manifest && t->fault.code == ERR_NONE &&
           t->trust == TOOL_TRUSTED && (!t->server || t->remote);
}

static int
collect_tools(struct mcp_catalog *c, struct registry *r, struct err *e)
{
    const struct tool *t;

    for (size_t i = 0; (t = registry_at(r, i)) != NULL; i++) {
        if (!is_in_catalog(t))
            continue;
        for (size_t k = 0; k < t->manifest->n_actions; k++)
            if (add_described(c, t, &t->manifest->actions[k], e) < 0)
                return -1;
    }
    return 0;
}

static void
drop_doubles(struct mcp_catalog *c, void (*left_out)(void *arg, const char *),
             void *arg)
{
    size_t n = 0;

    for (size_t i = 0; i < c->n; i++) {
        char why[2 * MCP_CATALOG_NAME_SIZE];

        if (n == 0 || strcmp(c->v[n - 1].tool.name, c->v[i].tool.name) != 0) {
            c->v[n++] = c->v[i];
            continue;
        }
        snprintf(why, sizeof(why), "%s is left out: %s has the same name here",
                 c->v[i].tool.tool->name, c->v[n - 1].tool.tool->name);
        left_out(arg, why);
    }
    c->n = n;
}

/* The arguments' schema, which says that they are an object. */
static void
put_input_schema(struct json_writer *w, const struct json *args)
{
    json_key(w, "inputSchema");
    if (json_get_str(args, "type")) {
        json_put_value(w, args);
        return;
    }
    json_open_object(w);
    json_member_str(w, "type", "object");
    for (const struct json *m = json_first(args); m; m = json_next(m)) {
        size_t n;
        const char *name = json_name(m, &n);

        json_keyn(w, name, n);
        json_put_value(w, m);
    }
    json_close_object(w);
}

static void
put_annotations(struct json_writer *w, const struct tool *t,
                const struct manifest_action *a)
{
    bool open = t->manifest->step || t->manifest->needs.network || a->hosts[0];

    json_key(w, "annotations");
    json_open_object(w);
    json_member_bool(w, "readOnlyHint", a->read_only);
    json_member_bool(w, "destructiveHint", a->destructive);
    json_member_bool(w, "idempotentHint", a->read_only);
    json_member_bool(w, "openWorldHint", open);
    json_close_object(w);
}

static void
describe_for_client(struct buf *out, const struct mcp_catalog_tool *d)
{
    struct json_writer w;

    json_write_init(&w, out);
    json_open_object(&w);
    json_member_str(&w, "name", d->name);
    json_member_str(&w, "title", d->tool->manifest->summary);
    json_member_str(&w, "description", d->action->summary);
    put_input_schema(&w, d->action->args);
    if (mcp_answer_has_schema(d->tool, d->action)) {
        json_key(&w, "outputSchema");
        mcp_answer_put_schema(&w, d->action);
    }
    put_annotations(&w, d->tool, d->action);
    json_close_object(&w);
}

struct mcp_catalog *
mcp_catalog_new(struct registry *r, void (*left_out)(void *arg, const char *),
                void *arg, struct err *e)
{
    CLEANUP(mcp_catalog_free_p) struct mcp_catalog *c = calloc(1, sizeof(*c));

    if (!c) {
        err_nomem(e);
        return NULL;
    }
    buf_init(&c->text, TEXT_MAX);
    if (collect_tools(c, r, e) < 0)
        return NULL;
    if (c->n > 0)
        qsort(c->v, c->n, sizeof(*c->v), compare_described);
    drop_doubles(c, left_out, arg);
    for (size_t i = 0; i < c->n; i++) {
        c->v[i].from = c->text.len;
        describe_for_client(&c->text, &c->v[i].tool);
        c->v[i].to = c->text.len;
    }
    return buf_ok(&c->text, "the list of tools", e) < 0 ? NULL : TAKE_PTR(c);
}

void
mcp_catalog_free(struct mcp_catalog *c)
{
    if (!c)
        return;
    free(c->v);
    buf_done(&c->text);
    free(c);
}

const struct mcp_catalog_tool *
mcp_catalog_find(const struct mcp_catalog *c, const char *name)
{
    size_t low = 0, high = c->n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = strcmp(name, c->v[middle].tool.name);

        if (order == 0)
            return &c->v[middle].tool;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

int
mcp_catalog_put_page(const struct mcp_catalog *c, int64_t from,
                     struct json_writer *w, size_t *next, struct err *e)
{
    size_t i, bytes = 0;

    if (from < 0 || (from > 0 && (uint64_t)from >= c->n))
        return err_set(e, ERR_INVALID, "cursor: there is no such page");
    json_open_array(w);
    for (i = (size_t)from; i < c->n && bytes < PAGE_BYTES; i++) {
        size_t n = c->v[i].to - c->v[i].from;

        json_put_raw(w, c->text.p + c->v[i].from, n);
        bytes += n;
    }
    json_close_array(w);
    *next = i < c->n ? i : 0;
    return 0;
}

bool
mcp_catalog_is_same(const struct mcp_catalog *a, const struct mcp_catalog *b)
{
    return a->text.len == b->text.len &&
           memcmp(a->text.p, b->text.p, a->text.len) == 0;
}
