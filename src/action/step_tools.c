/* SPDX-License-Identifier: GPL-3.0-or-later */
/* step_tools.c - checks and describes the tools that a step may name. */
#include "action/step_tools.h"

#include <stdio.h>
#include <string.h>

#include "json/schema.h"

#define MEMBERS_MAX 1024 /* bytes of an action's members */

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
step_tools_checker(struct registry *r)
{
    return (struct aiaction_tools){check_tool, r};
}

/* Writes the members of an action: {path,content,mode?,packages[]} */
static void
put_action_members(struct buf *out, const struct json *schema)
{
    const struct json *p = json_first(json_get(schema, "properties"));

    buf_ch(out, '{');
    for (bool first = true; p; p = json_next(p), first = false) {
        const char *name = json_name(p, NULL);
        const char *type = json_get_str(p, "type");

        buf_printf(out, "%s%s%s%s", first ? "" : ",", name,
                   type && strcmp(type, "array") == 0 ? "[]" : "",
                   json_schema_requires(schema, name) ? "" : "?");
    }
    buf_ch(out, '}');
}

/* Writes a tool. Actions with the same members are joined: start|stop|restart
 * {service} */
static void
put_tool_text(struct buf *out, const struct tool *t)
{
    CLEANUP_BUF struct buf last = buf_of(MEMBERS_MAX);

    for (size_t i = 0; i < t->manifest->n_actions; i++) {
        const struct manifest_action *a = &t->manifest->actions[i];
        CLEANUP_BUF struct buf members = buf_of(MEMBERS_MAX);

        if (a->read_only)
            continue;
        put_action_members(&members, a->args);
        if (last.len && strcmp(last.p, members.p) == 0) {
            buf_printf(out, "|%s", a->name);
            continue;
        }
        if (last.len)
            buf_printf(out, " %s\n", last.p);
        buf_printf(out, "%s %s", t->name, a->name);
        buf_clear(&last);
        buf_str(&last, members.p);
    }
    if (last.len)
        buf_printf(out, " %s\n", last.p);
}

void
step_tools_describe(struct registry *r, struct buf *out, struct origin *o)
{
    const struct tool *t;

    for (size_t i = 0; (t = registry_at(r, i)) != NULL; i++) {
        size_t before = out->len;

        if (!t->manifest || t->manifest->step || t->trust != TOOL_TRUSTED)
            continue;
        put_tool_text(out, t);
        if (t->source == TOOL_MCP && out->len > before)
            origin_note(o, "what a server of mcp.json says of its tools");
    }
}
