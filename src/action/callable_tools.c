/* SPDX-License-Identifier: GPL-3.0-or-later */
/* callable_tools.c - lists the tools that a model may call, as it is told
 * of them. */
#include "action/callable_tools.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static char *
schema_text(const struct json *schema)
{
    CLEANUP_BUF struct buf text = buf_of(SCHEMA_MAX);
    struct json_writer w;

    json_write_init(&w, &text);
    json_put_value(&w, schema);
    return buf_take(&text);
}

static char *
describe_action(const struct tool *t, const struct manifest_action *action)
{
    CLEANUP_BUF struct buf text = buf_of(DESCRIPTION_MAX);

    buf_str(&text, t->manifest->summary);
    buf_printf(&text, ": %s", action->summary);
    return buf_take(&text);
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
    o->schema = schema_text(action->args);
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
        if (!t->manifest || t->manifest->step || t->trust != TOOL_TRUSTED)
            continue;
        for (size_t j = 0; j < t->manifest->n_actions; j++) {
            const struct manifest_action *action = &t->manifest->actions[j];

            if (action->read_only && is_allowed(p, where, t, action))
                add_declaration(d, t, action);
        }
    }
}
