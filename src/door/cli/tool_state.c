/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tool_state.c - the tools in one sentence, for agentsh doctor. */
#include "door/cli/tool_state.h"

#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "tool/registry.h"

#define STATE_MAX 4096 /* what fits is shown, and the list tells the rest */

struct count {
    size_t builtin, trusted;
    size_t faulty;
    struct buf told; /* of those that are not used */
};

static void
count_done(struct count *n)
{
    buf_done(&n->told);
}

static void
look(const struct tool *t, struct count *n)
{
    if (!t->manifest) {
        n->faulty++;
        buf_printf(&n->told, "; %s: %s", t->name, t->fault.text);
        return;
    }
    if (t->source == TOOL_BUILTIN)
        n->builtin++;
    else if (t->trust == TOOL_TRUSTED)
        n->trusted++;
    else
        buf_printf(&n->told, "; %s is %s (agentsh tool trust %s)", t->name,
                   t->trust == TOOL_NEW ? "new" : "changed", t->name);
}

bool
tool_state_say(struct app *a, char *out, size_t size)
{
    CLEANUP(count_done) struct count n = {.told = buf_of(STATE_MAX)};
    CLEANUP(registry_free_p) struct registry *r = NULL;
    const struct tool *t;
    struct err e = {0};
    char more[64] = "";
    size_t len;

    if (app_config(a, &e) < 0 || !(r = registry_open(a->config, &e)) ||
        !registry_find(r, "cmd.run", &e)) {
        snprintf(out, size, "%s", e.text);
        return false;
    }
    for (size_t i = 0; (t = registry_at(r, i)) != NULL; i++)
        if (t->source != TOOL_MCP)
            look(t, &n);
    if (n.trusted)
        snprintf(more, sizeof(more), ", %zu that you agreed to", n.trusted);
    snprintf(out, size, "%zu built in%s%s", n.builtin, more,
             n.told.bad ? "; agentsh tool list" : n.told.p);
    len = strlen(out);
    out[len - utf8_partial(out, len)] = '\0';
    return n.faulty == 0 && !n.told.bad;
}

bool
tool_state_servers(struct app *a, char *out, size_t size)
{
    CLEANUP(count_done) struct count n = {.told = buf_of(STATE_MAX)};
    CLEANUP(registry_free_p) struct registry *r = NULL;
    const struct tool *t;
    struct err e = {0};
    size_t len;

    if (app_config(a, &e) < 0 || !(r = registry_open(a->config, &e))) {
        snprintf(out, size, "%s", e.text);
        return false;
    }
    for (size_t i = 0; (t = registry_at(r, i)) != NULL; i++)
        if (t->source == TOOL_MCP)
            look(t, &n);
    if (n.trusted == 0 && n.told.len == 0)
        snprintf(out, size, "none in mcp.json");
    else
        snprintf(out, size, "%zu tools%s", n.trusted,
                 n.told.bad ? "; agentsh tool list" : n.told.p);
    len = strlen(out);
    out[len - utf8_partial(out, len)] = '\0';
    return n.faulty == 0 && !n.told.bad;
}
