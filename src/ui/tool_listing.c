/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tool_listing.c - waits for the tools of MCP servers, for who needs them now.
 */
#include "ui/tool_listing.h"

#include "action/step_tools.h"
#include "tool/registry_listing.h"

static void
on_done(void *arg)
{
    *(bool *)arg = true;
}

static int
wait_for_servers(struct app *a, struct registry *r, const char *tool,
                 const int *stop, struct err *e)
{
    static const struct registry_listing_events events = {.done = on_done};
    const struct registry_listing_params params = {.tool = tool};
    const struct tool *servers[REGISTRY_SERVERS_MAX];
    CLEANUP(registry_listing_free_p) struct registry_listing *l = NULL;
    bool done = false;

    if (registry_unlisted(r, tool, servers) == 0)
        return 0;
    if (!(l = registry_listing_start(a->loop, r, &params, &events, &done, e)))
        return -1;
    while (!done) {
        if (stop && *stop)
            return err_set(e, ERR_INTERRUPTED, "interrupted");
        if (loop_turn(a->loop, -1, e) < 0)
            return -1;
    }
    return 0;
}

int
tool_listing_wait(struct app *a, struct registry *r, const int *stop,
                  struct err *e)
{
    return wait_for_servers(a, r, NULL, stop, e);
}

const struct tool *
tool_listing_find(struct app *a, struct registry *r, const char *name,
                  const int *stop, struct err *e)
{
    if (wait_for_servers(a, r, name, stop, e) < 0)
        return NULL;
    return registry_find(r, name, e);
}

static int
check_listed_tool(void *arg, const char *name, const char **action,
                  const struct json *args, struct err *e)
{
    struct app *a = arg;
    const struct aiaction_tools tools = step_tools_checker(a->registry,
                                                           a->seat);

    if (wait_for_servers(a, a->registry, name, NULL, e) < 0)
        return -1;
    return tools.check(tools.arg, name, action, args, e);
}

struct aiaction_tools
tool_listing_checker(struct app *a)
{
    return (struct aiaction_tools){check_listed_tool, a, seat_dir(a->seat)};
}
