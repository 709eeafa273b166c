/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tool_lookup.c - checks the tools that an AiAction names. */
#include "ui/tool_lookup.h"

#include <stdlib.h>
#include <string.h>

#include "action/step_tools.h"
#include "ui/tool_listing.h"

struct tool_lookup {
    struct app *app;
    struct tool_listing *listing;    /* NULL: no server is asked */
    char *asked[AIACTION_STEPS_MAX]; /* tools whose servers were, or are */
    size_t n_asked;
    bool waits;
    void (*cb)(void *arg);
    void *arg;
};

struct tool_lookup *
tool_lookup_new(struct app *a, struct err *e)
{
    struct tool_lookup *k = calloc(1, sizeof(*k));

    if (!k)
        err_nomem(e);
    else
        k->app = a;
    return k;
}

void
tool_lookup_again(struct tool_lookup *k)
{
    for (size_t i = 0; i < k->n_asked; i++)
        free(k->asked[i]);
    k->n_asked = 0;
    k->waits = false;
}

void
tool_lookup_free(struct tool_lookup *k)
{
    if (!k)
        return;
    tool_listing_close(k->listing);
    tool_lookup_again(k);
    free(k);
}

/* Whether the server of this tool must be asked, for the first time here. */
static bool
must_ask(const struct tool_lookup *k, const char *name)
{
    const struct tool *servers[REGISTRY_SERVERS_MAX];

    for (size_t i = 0; i < k->n_asked; i++) {
        if (strcmp(k->asked[i], name) == 0)
            return false;
    }
    return k->n_asked < AIACTION_STEPS_MAX &&
           registry_unlisted(k->app->registry, name, servers) > 0;
}

static int
look_up_tool(void *arg, const char *name, const char **action,
             const struct json *args, struct err *e)
{
    struct tool_lookup *k = arg;
    const struct aiaction_tools tools = step_tools_checker(k->app->registry,
                                                           k->app->seat);

    if (!must_ask(k, name))
        return tools.check(tools.arg, name, action, args, e);
    if (!(k->asked[k->n_asked] = strdup(name)))
        return err_nomem(e);
    k->n_asked++;
    k->waits = true;
    return err_set(e, ERR_INVALID, "%.64s: its server was not asked", name);
}

struct aiaction_tools
tool_lookup_checker(struct tool_lookup *k)
{
    k->waits = false;
    return (struct aiaction_tools){look_up_tool, k, seat_dir(k->app->seat)};
}

bool
tool_lookup_waits(const struct tool_lookup *k)
{
    return k->waits;
}

static void
on_listed(void *arg)
{
    struct tool_lookup *k = arg;

    tool_listing_close(k->listing);
    k->listing = NULL;
    k->cb(k->arg);
}

int
tool_lookup_ask(struct tool_lookup *k, void (*cb)(void *arg), void *arg,
                struct err *e)
{
    struct app *a = k->app;

    k->cb = cb;
    k->arg = arg;
    k->listing = tool_listing_open(a, a->registry, k->asked[k->n_asked - 1],
                                   on_listed, k, e);
    return k->listing ? 0 : -1;
}
