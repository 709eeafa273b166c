/* SPDX-License-Identifier: GPL-3.0-or-later */
/* look_offer.c - which tools a model may look with, under which names. */
#include <stdio.h>
#include <string.h>

#include "action/look_in.h"
#include "json/write.h"

#define SCHEMA_MAX      (64u << 10)
#define DESCRIPTION_MAX 1024 /* a model needs to tell them apart */

void
look_offers_done(struct look *k)
{
    if (!k)
        return;
    for (size_t i = 0; i < k->n_offers; i++) {
        free(k->offers[i].description);
        free(k->offers[i].schema);
    }
    k->n_offers = 0;
}

const struct look_offer *
look_find_offer(const struct look *k, const char *name)
{
    for (size_t i = 0; i < k->n_offers; i++) {
        if (strcmp(k->offers[i].name, name) == 0)
            return &k->offers[i];
    }
    return NULL;
}

/* Whether the rules allow it before anyone knows with which arguments. */
static bool
is_allowed(const struct look *k, const struct tool *t,
           const struct manifest_action *action)
{
    CLEANUP(json_free_p) struct json *none = json_parse("{}", 2, 0, NULL);
    CLEANUP(permit_done) struct permit p = {0};

    return none &&
           permit_judge(k->set.policy, t, action->name, none, &k->where, &p,
                        NULL) == 0 &&
           p.decision == GUARD_ALLOW;
}

/* TOOL, or TOOL__ACTION where the tool has several; providers take letters,
 * digits, _ and - alone. */
static bool
name_offer(const struct tool *t, const struct manifest_action *action,
           char name[LOOK_NAME_MAX + 1])
{
    bool several = t->manifest->n_actions > 1;
    int n = snprintf(name, LOOK_NAME_MAX + 1, "%s%s%s", t->name,
                     several ? "__" : "", several ? action->name : "");

    for (char *p = name; *p; p++) {
        if (*p == '.')
            *p = '_';
    }
    return n > 0 && n <= LOOK_NAME_MAX;
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
describe(const struct tool *t, const struct manifest_action *action)
{
    CLEANUP_BUF struct buf text = buf_of(DESCRIPTION_MAX);

    buf_str(&text, t->manifest->summary);
    buf_printf(&text, ": %s", action->summary);
    return buf_take(&text);
}

/* A name that is taken already, or too long, is passed over; so is an action
 * whose words would fill the request. */
static void
add_offer(struct look *k, const struct tool *t,
          const struct manifest_action *action)
{
    struct look_offer *o = &k->offers[k->n_offers];

    if (k->n_offers == LOOK_TOOLS_MAX || !name_offer(t, action, o->name) ||
        look_find_offer(k, o->name))
        return;
    o->tool = t;
    o->action = action;
    o->schema = schema_text(action->args);
    o->description = describe(t, action);
    if (!o->schema || !o->description) {
        free(o->schema);
        free(o->description);
        return;
    }
    o->outside[0] = '\0';
    if (t->source == TOOL_MCP)
        snprintf(o->outside, sizeof(o->outside), "what the server of %s says",
                 t->name);
    k->tools[k->n_offers++] = (struct model_tool){
        o->name, o->description, o->schema, o->outside[0] ? o->outside : NULL};
}

void
look_read_offers(struct look *k)
{
    const struct tool *t;

    for (size_t i = 0; (t = registry_at(k->set.registry, i)) != NULL; i++) {
        if (!t->manifest || t->manifest->step || t->trust != TOOL_TRUSTED)
            continue;
        for (size_t j = 0; j < t->manifest->n_actions; j++) {
            const struct manifest_action *action = &t->manifest->actions[j];

            if (action->read_only && is_allowed(k, t, action))
                add_offer(k, t, action);
        }
    }
}
