/* SPDX-License-Identifier: GPL-3.0-or-later */
/* doctor_tools.c - summarize the state of all tools for agentsh doctor. */
#include "frontend/cli/doctor_tools.h"

#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "sandbox/probe.h"

#define STATE_MAX 4096 /* bytes; when more is found, tool list shows it */

struct tool_count {
    size_t builtin, trusted;
    size_t faulty, open;
    bool closed;
    const struct mcp_server *noisy; /* the last one that was reported */
    struct buf unused;              /* why some are not used */
};

static void
tool_count_done(struct tool_count *n)
{
    buf_done(&n->unused);
}

/* What lies in a closed directory fails at each call: once is enough. */
static void
check_tool_program(const struct tool *t, struct tool_count *n)
{
    struct err e = {0};

    if (t->source == TOOL_MCP || n->closed || !t->program ||
        probe_program(t->program, &e) == 0)
        return;
    n->closed = true;
    n->faulty++;
    buf_printf(&n->unused, "; %s: %s", t->name, e.text);
}

/* What it prints in the place of messages is told once for each server. */
static void
check_skipped_lines(const struct tool *t, struct tool_count *n)
{
    if (t->skipped == 0 || t->server == n->noisy)
        return;
    n->noisy = t->server;
    buf_printf(&n->unused,
               "; %lld line%s of the server of %s skipped: not JSON",
               (long long)t->skipped, t->skipped == 1 ? "" : "s", t->name);
}

static void
count_tool(const struct tool *t, struct tool_count *n)
{
    check_skipped_lines(t, n);
    if (!t->manifest) {
        n->faulty++;
        buf_printf(&n->unused, "; %s: %s", t->name, t->fault.text);
        return;
    }
    if (t->source == TOOL_BUILTIN)
        n->builtin++;
    else if (t->trust == TOOL_TRUSTED)
        n->trusted++;
    if (t->source == TOOL_BUILTIN || t->trust == TOOL_TRUSTED)
        check_tool_program(t, n);
    else if (++n->open)
        buf_printf(&n->unused, "; %s is %s (agentsh tool trust %s)", t->name,
                   t->trust == TOOL_NEW ? "new" : "changed", t->name);
}

/* Those of the servers, or all others. */
static void
count_all(struct registry *r, bool servers, struct tool_count *n)
{
    const struct tool *t;

    for (size_t i = 0; (t = registry_at(r, i)) != NULL; i++)
        if ((t->source == TOOL_MCP) == servers)
            count_tool(t, n);
}

/* What there is, and what is not used. */
static bool
format_state(const struct tool_count *n, const char *there, char *out,
             size_t size)
{
    size_t len;

    snprintf(out, size, "%s%s", there,
             n->unused.bad ? "; agentsh tool list" : n->unused.p);
    len = strlen(out);
    out[len - utf8_incomplete_tail(out, len)] = '\0';
    return n->faulty == 0 && !n->unused.bad;
}

bool
doctor_tools_describe(struct app *a, char *out, size_t size, bool *open)
{
    CLEANUP(tool_count_done)
    struct tool_count n = {.unused = buf_of(STATE_MAX)};
    CLEANUP(registry_free_p) struct registry *r = NULL;
    struct err e = {0};
    char there[128];

    if (app_config(a, &e) < 0 || !(r = registry_open(a->seat, a->config, &e)) ||
        !registry_find(r, "cmd.run", &e)) {
        snprintf(out, size, "%s", e.text);
        return false;
    }
    count_all(r, false, &n);
    if (n.trusted)
        snprintf(there, sizeof(there), "%zu built in, %zu trusted", n.builtin,
                 n.trusted);
    else
        snprintf(there, sizeof(there), "%zu built in", n.builtin);
    *open = n.open > 0;
    return format_state(&n, there, out, size);
}

bool
doctor_tools_describe_mcp(const struct doctor_found *found, char *out,
                          size_t size, bool *open)
{
    CLEANUP(tool_count_done)
    struct tool_count n = {.unused = buf_of(STATE_MAX)};
    char there[64];

    if (found->registry_why.code != ERR_NONE) {
        snprintf(out, size, "%s", found->registry_why.text);
        return false;
    }
    count_all(found->registry, true, &n);
    if (n.trusted == 0 && n.unused.len == 0)
        snprintf(there, sizeof(there), "none in mcp.json");
    else
        snprintf(there, sizeof(there), "%zu tools", n.trusted);
    *open = n.open > 0;
    return format_state(&n, there, out, size);
}
