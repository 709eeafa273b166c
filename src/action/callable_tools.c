/* SPDX-License-Identifier: GPL-3.0-or-later */
/* callable_tools.c - lists the tools that a model may call, as it is told
 * of them. */
#include "action/callable_tools.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "model/provider/schema_dialect.h"
#include "tool/permit.h"
#include "json/write.h"

#define SCHEMA_MAX      (64u << 10)
#define DESCRIPTION_MAX 1024 /* a model needs to tell them apart */

void
callable_tools_done(struct callable_tools *d)
{
    if (!d)
        return;
    for (size_t i = 0; i < d->n; i++) {
        free(d->all[i].description);
        free(d->all[i].schema);
    }
    d->n = 0;
}

const struct callable_tool *
callable_tools_find(const struct callable_tools *d, const char *name)
{
    for (size_t i = 0; i < d->n; i++) {
        if (strcmp(d->all[i].name, name) == 0)
            return &d->all[i];
    }
    return NULL;
}

/* Whether the rules allow the action with arguments that are not known yet. */
static bool
is_allowed(const struct policy *p, const struct path_context *where,
           const struct tool *t, const struct manifest_action *action)
{
    CLEANUP(json_free_p) struct json *none = json_parse("{}", 2, 0, NULL);
    CLEANUP(permit_done) struct permit permit = {0};

    return none &&
           permit_judge(p, t, action->name, none, where, &permit, NULL) == 0 &&
           permit.decision == GUARD_ALLOW;
}

/* Names it TOOL, or TOOL__ACTION where the tool has several; providers accept
 * letters, digits, _ and - only. */
static bool
name_declaration(const struct tool *t, const struct manifest_action *action,
                 char name[CALLABLE_TOOL_NAME_MAX + 1])
{
    bool several = t->manifest->n_actions > 1;
    int n = snprintf(name, CALLABLE_TOOL_NAME_MAX + 1, "%s%s%s", t->name,
                     several ? "__" : "", several ? action->name : "");

    for (char *p = name; *p; p++) {
        if (*p == '.')
            *p = '_';
    }
    return n > 0 && n <= CALLABLE_TOOL_NAME_MAX;
}

/* Members of our tools that narrow what they return, or write it as no model
 * reads it. A result is cut to what a model may get anyway, and each member is
 * sent with every request, so that no model is told of these. It may use them
 * all the same. */
static const char *const bounds[] = {"encoding", "hidden",    "limit",
                                     "lines",    "max_bytes", "max_entries",
                                     "offset",   "parts"};

static bool
is_bound(const char *name)
{
    for (size_t i = 0; i < ARRAY_SIZE(bounds); i++) {
        if (strcmp(name, bounds[i]) == 0)
            return true;
    }
    return false;
}

/* Writes the arguments of one of our tools in few words: each is sent with
 * every request, and the members' names say enough. *empty: there are none. */
static void
put_own_schema(struct json_writer *w, const struct json *schema, bool *empty)
{
    const struct json *p = json_first(json_get(schema, "properties"));
    const struct json *required = json_get(schema, "required");

    *empty = true;
    json_open_object(w);
    json_member_str(w, "type", "object");
    json_key(w, "properties");
    json_open_object(w);
    for (; p; p = json_next(p)) {
        if (is_bound(json_name(p, NULL)))
            continue;
        *empty = false;
        json_key(w, json_name(p, NULL));
        schema_dialect_write(w, p,
                             SCHEMA_DIALECT_ONE_TYPE | SCHEMA_DIALECT_BOUNDS |
                                 SCHEMA_DIALECT_RANGES | SCHEMA_DIALECT_TERSE);
    }
    json_close_object(w);
    if (required) {
        json_key(w, "required");
        json_put_value(w, required);
    }
    json_close_object(w);
}

static char *
schema_text(const struct tool *t, const struct json *schema, bool *empty)
{
    CLEANUP_BUF struct buf text = buf_of(SCHEMA_MAX);
    struct json_writer w;

    *empty = false;
    json_write_init(&w, &text);
    if (t->source == TOOL_BUILTIN)
        put_own_schema(&w, schema, empty);
    else
        json_put_value(&w, schema);
    return buf_take(&text);
}

static char *
describe_action(const struct tool *t, const struct manifest_action *action)
{
    CLEANUP_BUF struct buf text = buf_of(DESCRIPTION_MAX);
    const char *summary = t->manifest->summary;

    if (t->source == TOOL_BUILTIN) /* what follows, the members say */
        buf_add(&text, summary, strcspn(summary, ":"));
    else if (strcmp(summary, action->summary) == 0) /* a tool of MCP */
        buf_str(&text, summary);
    else
        buf_printf(&text, "%s: %s", summary, action->summary);
    return buf_take(&text);
}

/* Whether the tool is one of ours for steps: what it can look up, commands can,
 * and the model is told of one way to use it. */
static bool
is_step_tool(const struct tool *t)
{
    for (size_t i = 0; t->source == TOOL_BUILTIN && i < t->manifest->n_actions;
         i++) {
        if (!t->manifest->actions[i].read_only)
            return true;
    }
    return false;
}

/* Adds an action, unless its name is taken or too long, or its texts are. */
static void
add_declaration(struct callable_tools *d, const struct tool *t,
                const struct manifest_action *action)
{
    struct callable_tool *o = &d->all[d->n];

    if (d->n == CALLABLE_TOOLS_MAX || !name_declaration(t, action, o->name) ||
        callable_tools_find(d, o->name))
        return;
    o->tool = t;
    o->action = action;
    o->schema = schema_text(t, action->args, &o->takes_nothing);
    o->description = describe_action(t, action);
    if (!o->schema || !o->description) {
        free(o->schema);
        free(o->description);
        return;
    }
    o->outside[0] = '\0';
    if (t->source == TOOL_MCP)
        snprintf(o->outside, sizeof(o->outside), "what the server of %s says",
                 t->name);
    d->tools[d->n++] = (struct model_tool){o->name, o->description, o->schema,
                                           o->outside[0] ? o->outside : NULL};
}

void
callable_tools_read(struct callable_tools *d, struct registry *r,
                    const struct policy *p, const struct path_context *where)
{
    const struct tool *t;

    for (size_t i = 0; (t = registry_at(r, i)) != NULL; i++) {
        if (!t->manifest || t->manifest->step || t->trust != TOOL_TRUSTED ||
            is_step_tool(t))
            continue;
        for (size_t j = 0; j < t->manifest->n_actions; j++) {
            const struct manifest_action *action = &t->manifest->actions[j];

            if (action->read_only && is_allowed(p, where, t, action))
                add_declaration(d, t, action);
        }
    }
}
