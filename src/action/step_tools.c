/* SPDX-License-Identifier: GPL-3.0-or-later */
/* step_tools.c - checks and describes the tools that a step may name. */
#include "action/step_tools.h"

#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "model/provider/tool_declarations.h"

#define ACTIONS_MAX 64 /* that are told together */

static int
unknown_action(const struct tool *t, const char *action, struct err *e)
{
    const struct manifest *m = t->manifest;
    char names[128] = "";
    size_t used = 0;

    for (size_t i = 0; i < m->n_actions && used < sizeof(names); i++) {
        int n = snprintf(names + used, sizeof(names) - used, "%s%s",
                         i ? ", " : "", m->actions[i].name);

        used += n > 0 ? (size_t)n : 0;
    }
    if (!action)
        return err_set(e, ERR_ANSWER, "%s needs an action: %s", t->name, names);
    return err_set(e, ERR_ANSWER, "%s has no action \"%.60s\", but %s", t->name,
                   action, names);
}

int
step_tools_check_trust(const struct tool *t, enum err_code code, struct err *e)
{
    const char *why = t->trust == TOOL_CHANGED
                          ? "it changed since you trusted it"
                          : "it is not trusted";

    if (t->trust == TOOL_TRUSTED)
        return 0;
    return err_set(
        e, code,
        "cannot use the tool %.64s: %s. To do: agentsh tool trust %.64s",
        t->name, why, t->name);
}

static int
check_tool(void *arg, const char *name, const char **action,
           const struct json *args, struct err *e)
{
    const struct tool *t = registry_find(arg, name, e);
    const struct manifest_action *row;

    if (!t)
        return -1;
    if (step_tools_check_trust(t, ERR_ANSWER, e) < 0)
        return -1;
    if (!t->manifest)
        return err_set(e, ERR_ANSWER, "the tool %s is faulty", name);
    if (!*action && t->manifest->n_actions == 1)
        *action = t->manifest->actions[0].name;
    row = *action ? manifest_action(t->manifest, *action) : NULL;
    if (!row)
        return unknown_action(t, *action, e);
    if (row->args_check && json_schema_check(row->args_check, args, 0, e) < 0)
        return err_wrap(e, "args of %s %s", name, row->name);
    return 0;
}

struct aiaction_tools
step_tools_checker(struct registry *r, const struct seat *s)
{
    return (struct aiaction_tools){check_tool, r, seat_dir(s)};
}

/* Whether a model is told of the tool. */
static bool
is_offered(const struct tool *t)
{
    return t->manifest && !t->manifest->step && t->trust == TOOL_TRUSTED;
}

/* Collects the actions from i on that take the same arguments and change
 * something, and moves i behind them. */
static size_t
next_actions(const struct manifest *m, size_t *i, const char **names,
             const struct json **args)
{
    size_t n = 0;

    for (*args = NULL; *i < m->n_actions && n < ACTIONS_MAX; ++*i) {
        const struct manifest_action *a = &m->actions[*i];

        if (a->read_only)
            continue;
        if (*args && !json_equal(*args, a->args))
            break;
        *args = a->args;
        names[n++] = a->name;
    }
    return n;
}

void
step_tools_each(struct registry *r, step_tools_put *put, void *arg)
{
    const struct tool *t;

    for (size_t k = 0; (t = registry_at(r, k)) != NULL; k++) {
        const char *names[ACTIONS_MAX];
        const struct json *args;
        size_t i = 0, n;

        while (is_offered(t) &&
               (n = next_actions(t->manifest, &i, names, &args)) > 0)
            put(arg, t, names, n, args);
    }
}

struct tool_lines {
    struct buf *out;
    const struct tool *tool; /* of the last line */
    size_t named;            /* where its names end */
};

/* Writes a line: svc.manage start|stop|restart {service}
 * Actions of a tool whose members are told alike share one. */
static void
put_line(void *arg, const struct tool *t, const char *const *actions, size_t n,
         const struct json *args)
{
    struct tool_lines *l = arg;
    CLEANUP_BUF struct buf members = buf_of(l->out->max);
    bool same = false;

    buf_ch(&members, ' ');
    tool_declarations_write_members(
        args, t->source == TOOL_BUILTIN ? TOOL_MEMBERS_REQUIRED : 0, &members);
    buf_ch(&members, '\n');
    if (l->tool == t)
        same = strcmp(l->out->p + l->named, members.p) == 0;
    if (same)
        buf_cut(l->out, l->named);
    for (size_t i = 0; i < n; i++)
        buf_printf(l->out, "%s%s%s", i || same ? "" : t->name,
                   i || same ? "|" : " ", actions[i]);
    l->tool = t;
    l->named = l->out->len;
    buf_add(l->out, members.p, members.len);
}

void
step_tools_describe(struct registry *r, struct buf *out, struct origin *o)
{
    struct tool_lines lines = {.out = out};
    const struct tool *t;
    const struct manifest_action *a;

    step_tools_each(r, put_line, &lines);
    for (size_t k = 0; (t = registry_at(r, k)) != NULL; k++) {
        for (size_t i = 0; t->source == TOOL_MCP && is_offered(t) &&
                           i < t->manifest->n_actions;
             i++) {
            a = &t->manifest->actions[i];
            if (!a->read_only)
                origin_note(o, "what a server of mcp.json says of its tools");
        }
    }
}
