/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tool_state.c - the tools in one sentence, for agentsh doctor. */
#include "door/cli/tool_state.h"

#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "sandbox/probe.h"
#include "tool/registry.h"

#define STATE_MAX 4096 /* what fits is shown, and the list tells the rest */

struct count {
    size_t builtin, trusted;
    size_t faulty, open;
    bool closed;
    const struct mcp_entry *noisy; /* told last */
    struct buf told;               /* of those that are not used */
};

static void
count_done(struct count *n)
{
    buf_done(&n->told);
}

/* What lies in a closed directory fails at each call: once is enough. */
static void
look_at_program(const struct tool *t, struct count *n)
{
    struct err e = {0};

    if (t->source == TOOL_MCP || n->closed || !t->program ||
        probe_program(t->program, &e) == 0)
        return;
    n->closed = true;
    n->faulty++;
    buf_printf(&n->told, "; %s: %s", t->name, e.text);
}

/* What it prints in the place of messages is told once for each server. */
static void
look_at_skipped(const struct tool *t, struct count *n)
{
    if (t->skipped == 0 || t->server == n->noisy)
        return;
    n->noisy = t->server;
    buf_printf(&n->told, "; %lld line%s of the server of %s skipped: not JSON",
               (long long)t->skipped, t->skipped == 1 ? "" : "s", t->name);
}

static void
look(const struct tool *t, struct count *n)
{
    look_at_skipped(t, n);
    if (!t->manifest) {
        n->faulty++;
        buf_printf(&n->told, "; %s: %s", t->name, t->fault.text);
        return;
    }
    if (t->source == TOOL_BUILTIN)
        n->builtin++;
    else if (t->trust == TOOL_TRUSTED)
        n->trusted++;
    if (t->source == TOOL_BUILTIN || t->trust == TOOL_TRUSTED)
        look_at_program(t, n);
    else if (++n->open)
        buf_printf(&n->told, "; %s is %s (agentsh tool trust %s)", t->name,
                   t->trust == TOOL_NEW ? "new" : "changed", t->name);
}

/* Those of the servers, or all others; -1: there is no telling. */
static int
look_at_all(struct app *a, bool servers, struct count *n, struct err *e)
{
    CLEANUP(registry_free_p) struct registry *r = NULL;
    const struct tool *t;

    if (app_config(a, e) < 0 || !(r = registry_open(a->config, e)) ||
        (!servers && !registry_find(r, "cmd.run", e)))
        return -1;
    for (size_t i = 0; (t = registry_at(r, i)) != NULL; i++)
        if ((t->source == TOOL_MCP) == servers)
            look(t, n);
    return 0;
}

/* What there is, and what is not used. */
static bool
say(const struct count *n, const char *there, char *out, size_t size)
{
    size_t len;

    snprintf(out, size, "%s%s", there,
             n->told.bad ? "; agentsh tool list" : n->told.p);
    len = strlen(out);
    out[len - utf8_partial(out, len)] = '\0';
    return n->faulty == 0 && !n->told.bad;
}

bool
tool_state_say(struct app *a, char *out, size_t size, bool *open)
{
    CLEANUP(count_done) struct count n = {.told = buf_of(STATE_MAX)};
    struct err e = {0};
    char there[128];

    if (look_at_all(a, false, &n, &e) < 0) {
        snprintf(out, size, "%s", e.text);
        return false;
    }
    if (n.trusted)
        snprintf(there, sizeof(there), "%zu built in, %zu trusted", n.builtin,
                 n.trusted);
    else
        snprintf(there, sizeof(there), "%zu built in", n.builtin);
    *open = n.open > 0;
    return say(&n, there, out, size);
}

bool
tool_state_servers(struct app *a, char *out, size_t size, bool *open)
{
    CLEANUP(count_done) struct count n = {.told = buf_of(STATE_MAX)};
    struct err e = {0};
    char there[64];

    if (look_at_all(a, true, &n, &e) < 0) {
        snprintf(out, size, "%s", e.text);
        return false;
    }
    if (n.trusted == 0 && n.told.len == 0)
        snprintf(there, sizeof(there), "none in mcp.json");
    else
        snprintf(there, sizeof(there), "%zu tools", n.trusted);
    *open = n.open > 0;
    return say(&n, there, out, size);
}
