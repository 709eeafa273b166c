/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_tool_list.c - agentsh tool list: show the tools, and why one is unusable.
 */
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "base/message_put.h"
#include "frontend/cli/command.h"
#include "term/escape.h"
#include "term/menu.h"
#include "term/style.h"
#include "term/width.h"
#include "tool/registry.h"
#include "ui/app.h"
#include "ui/tool_listing.h"
#include "json/write.h"

#define LIST_MAX  (8u << 20) /* 512 tools with their schemas */
#define ROW_MAX   4096
#define NAME_WIDE 32 /* columns of a name, unless it has more */

static const char *const sources[] = {
    [TOOL_BUILTIN] = "builtin",
    [TOOL_USER] = "user",
    [TOOL_PATH] = "path",
    [TOOL_MCP] = "mcp",
};

static const char *const trusts[] = {
    [TOOL_TRUSTED] = "trusted",
    [TOOL_NEW] = "new",
    [TOOL_CHANGED] = "changed",
};

/* A server that was not asked yet has none, and is nothing. */
static bool
has_only_reads(const struct manifest *m)
{
    for (size_t i = 0; i < m->n_actions; i++)
        if (!m->actions[i].read_only)
            return false;
    return m->n_actions > 0;
}

static bool
may_destroy(const struct manifest *m)
{
    for (size_t i = 0; i < m->n_actions; i++)
        if (m->actions[i].destructive)
            return true;
    return false;
}

static void
put_listed_action(struct json_writer *w, const struct manifest_action *a)
{
    json_open_object(w);
    json_member_str(w, "name", a->name);
    json_member_str(w, "summary", a->summary);
    json_member_bool(w, "read_only", a->read_only);
    json_member_bool(w, "destructive", a->destructive);
    json_key(w, "args");
    json_put_value(w, a->args);
    json_close_object(w);
}

static void
put_manifest(struct json_writer *w, const struct manifest *m)
{
    json_member_str(w, "version", m->version);
    json_member_str(w, "summary", m->summary);
    json_member_bool(w, "read_only", has_only_reads(m));
    json_member_bool(w, "destructive", may_destroy(m));
    json_key(w, "actions");
    json_open_array(w);
    for (size_t i = 0; i < m->n_actions; i++)
        put_listed_action(w, &m->actions[i]);
    json_close_array(w);
}

static void
put_tool_json(struct json_writer *w, const struct tool *t)
{
    json_open_object(w);
    json_member_str(w, "name", t->name);
    json_member_str(w, "source", sources[t->source]);
    if (t->dir)
        json_member_str(w, "directory", t->dir);
    if (t->manifest) {
        json_member_str(w, "trust", trusts[t->trust]);
        put_manifest(w, t->manifest);
    } else {
        json_member_str(w, "fault", t->fault.text);
    }
    if (t->hash[0])
        json_member_str(w, "sha256", t->hash);
    if (t->skipped > 0)
        json_member_int(w, "skipped_lines", t->skipped);
    json_close_object(w);
}

static void
put_tools_json(struct registry *r, struct buf *out)
{
    struct json_writer w;
    const struct tool *t;

    json_write_init(&w, out);
    json_open_object(&w);
    json_key(&w, "tools");
    json_open_array(&w);
    for (size_t i = 0; (t = registry_at(r, i)) != NULL; i++)
        put_tool_json(&w, t);
    json_close_array(&w);
    json_close_object(&w);
    buf_ch(out, '\n');
}

static const char *
effect(const struct manifest *m)
{
    return m->n_actions == 0   ? N_("not asked yet")
           : has_only_reads(m) ? N_("read-only")
           : may_destroy(m)    ? N_("may lose data")
                               : N_("changes things");
}

static const char *
origin(const struct tool *t)
{
    switch (t->source) {
    case TOOL_BUILTIN:
        return N_("built in");
    case TOOL_USER:
        return N_("yours");
    case TOOL_PATH:
        return N_("plugin path");
    case TOOL_MCP:
        return N_("MCP server");
    }
    return "";
}

static void
put_note(struct buf *out, const struct term *screen, const char *text)
{
    buf_printf(out, "%*s%s", 4, "", style_on(screen, STYLE_WARNING));
    escape_str(out, screen, text, ESCAPE_LINES);
    buf_printf(out, "%s\n", style_off(screen, STYLE_WARNING));
}

/* Below the line: why it is not used, or not yet. */
static void
put_state(struct buf *out, const struct term *screen, const struct tool *t)
{
    CLEANUP_BUF struct buf text = buf_of(1024);

    if (!t->manifest)
        (void)message_put(&text, t->fault.text);
    else if (t->trust != TOOL_TRUSTED)
        buf_printf(&text, "%s: agentsh tool trust %s",
                   t->trust == TOOL_CHANGED ? _("changed since you trusted it")
                                            : _("not trusted"),
                   t->name);
    if (text.len)
        put_note(out, screen, text.p);
}

/* Once for each server: its tools stand together. */
static void
put_skipped(struct buf *out, const struct term *screen, const struct tool *t,
            const struct tool *before)
{
    char text[120];

    if (t->skipped == 0 || (before && before->server == t->server))
        return;
    snprintf(text, sizeof(text),
             "its server wrote %lld line%s that %s not JSON; skipped",
             (long long)t->skipped, t->skipped == 1 ? "" : "s",
             t->skipped == 1 ? "is" : "are");
    put_note(out, screen, text);
}

/* As much of the line as the terminal is wide. */
static void
put_cut_row(struct buf *out, const struct term *screen, const struct buf *row)
{
    if (screen->tty)
        width_truncate(out, row->p, row->len, (size_t)screen->columns,
                       style_symbol(screen, SYMBOL_ELLIPSIS));
    else
        buf_add(out, row->p, row->len);
    buf_ch(out, '\n');
}

/* "fs.list_dir, built in, reads only: lists a directory". */
static void
put_plain_summary(struct buf *out, const struct term *screen,
                  const struct tool *t)
{
    const struct manifest *m = t->manifest;

    escape_str(out, screen, t->name, ESCAPE_LINES);
    buf_printf(out, ", %s, %s", _(origin(t)), m ? _(effect(m)) : _("faulty"));
    if (m && m->summary[0]) {
        buf_str(out, ": ");
        escape_str(out, screen, m->summary, ESCAPE_PROSE | ESCAPE_LINES);
    }
    buf_ch(out, '\n');
    put_state(out, screen, t);
}

static void
put_tool_cell(struct buf *row, const char *text, size_t columns)
{
    size_t shown = width_str(text);

    buf_printf(row, "  %s", text);
    buf_blanks(row, shown < columns ? columns - shown : 0);
}

static void
put_tool_summary(struct buf *out, const struct term *screen,
                 const struct tool *t, size_t wide)
{
    CLEANUP_BUF struct buf row = buf_of(ROW_MAX);
    const struct manifest *m = t->manifest;

    if (screen->plain) {
        put_plain_summary(out, screen, t);
        return;
    }
    escape_str(&row, screen, t->name, ESCAPE_LINES);
    for (size_t n = width_str(row.p); n < wide; n++)
        buf_ch(&row, ' ');
    put_tool_cell(&row, _(origin(t)), 11);
    put_tool_cell(&row, m ? _(effect(m)) : _("faulty"), 14);
    buf_str(&row, "  ");
    if (m)
        escape_str(&row, screen, m->summary, ESCAPE_PROSE | ESCAPE_LINES);
    while (row.len && row.p[row.len - 1] == ' ')
        buf_cut(&row, row.len - 1);
    put_cut_row(out, screen, &row);
    put_state(out, screen, t);
}

static void
put_tools_text(struct registry *r, const struct term *screen, struct buf *out)
{
    const struct tool *t, *before = NULL;
    size_t wide = 0;

    for (size_t i = 0; (t = registry_at(r, i)) != NULL; i++)
        if (strlen(t->name) > wide)
            wide = strlen(t->name);
    if (wide > NAME_WIDE)
        wide = NAME_WIDE;
    for (size_t i = 0; (t = registry_at(r, i)) != NULL; i++) {
        put_tool_summary(out, screen, t, wide);
        put_skipped(out, screen, t, before);
        before = t;
    }
}

/* What is listed, while servers are asked for their tools. */
struct tool_list {
    struct app *app;
    struct registry *registry;
    struct tool_listing *listing;
};

static void
free_tool_list(struct tool_list *l)
{
    if (!l)
        return;
    tool_listing_close(l->listing);
    registry_free(l->registry);
    free(l);
}
DEFINE_CLEANUP(struct tool_list, free_tool_list)

static void
print_tool_list(void *arg)
{
    CLEANUP(free_tool_list_p) struct tool_list *l = arg;
    CLEANUP_BUF struct buf out = buf_of(LIST_MAX);
    struct app *a = l->app;
    struct err e = {0};
    int status = 0;

    if (a->output == OUTPUT_TEXT)
        put_tools_text(l->registry, &a->result, &out);
    else
        put_tools_json(l->registry, &out);
    if (buf_ok(&out, "the list of tools", &e) < 0)
        status = app_fail(a, &e);
    else
        app_put_result(a, &out);
    app_over(a, status);
}

static int
begin_tool_list(struct tool_list *l, struct err *e)
{
    struct app *a = l->app;

    if (app_config(a, e) < 0 ||
        !(l->registry = registry_open(a->seat, a->config, e)))
        return -1;
    l->listing = tool_listing_open(a, l->registry, NULL, print_tool_list, l, e);
    return l->listing ? 0 : -1;
}

static int
run_tool_list(struct command_args *c)
{
    CLEANUP(free_tool_list_p) struct tool_list *l = calloc(1, sizeof(*l));
    struct app *a = c->app;
    struct err e = {0};

    if (!l)
        err_nomem(&e);
    else if (c->n > 0)
        err_set(&e, ERR_USAGE, "tool list takes no words");
    else
        l->app = a;
    if (e.code != ERR_NONE || begin_tool_list(l, &e) < 0)
        return app_fail(a, &e);
    TAKE_PTR(l);
    return APP_GOES_ON;
}

const struct command cmd_tool_list = {
    .name = "tool list",
    .args = "",
    .help = N_("list the tools, and why one cannot be used"),
    .options = FOR_REPORT,
    .run = run_tool_list,
};
