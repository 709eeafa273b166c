/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pool.c - keeps the processes of persistent plugins between two requests. */
#include "tool/pool.h"

#include "base/path.h"

#define IDLE_MAX 8 /* processes that wait: more than a session has tools */
#define WAITING  "plugins/cmd.run/cmd.run" /* for a launcher as well */

struct idle {
    struct tool_pool *pool;
    struct idle *next;
    struct plugin_process *process;
    struct spawn_plan *plan;
    bool step;
};

struct tool_pool {
    struct loop *loop;
    struct idle *idle; /* the most recently used one is first */
    size_t n;
    int64_t asked;
    struct mcp_pool *servers;
    struct call_queue *queues;
    struct zygote_client *zygote;
    unsigned starts; /* processes started so far */
};

static void
idle_process_free(struct idle *i)
{
    plugin_process_free(i->process);
    spawn_plan_free(i->plan);
    free(i);
}

/* Takes a process out of the list for the caller. */
static struct idle *
unlink_process(struct idle **at)
{
    struct idle *i = *at;

    *at = i->next;
    i->pool->n--;
    return i;
}

static void
end_idle(struct idle *i)
{
    struct idle **at = &i->pool->idle;

    while (*at != i)
        at = &(*at)->next;
    idle_process_free(unlink_process(at));
}

/* It wrote without a request, so that it is not used again. */
static bool
on_line(void *arg, const char *line, size_t n)
{
    (void)line;
    (void)n;
    end_idle(arg);
    return false;
}

static void
on_closed(void *arg)
{
    end_idle(arg);
}

static void
on_gone(void *arg, struct err *why)
{
    (void)why;
    end_idle(arg);
}

static const struct plugin_process_events idle_events = {
    .line = on_line, .closed = on_closed, .gone = on_gone};

struct tool_pool *
tool_pool_new(struct loop *l, struct err *e)
{
    struct tool_pool *p = calloc(1, sizeof(*p));

    if (p)
        p->loop = l;
    else
        err_set(e, ERR_NOMEM, "persistent tools: out of memory");
    return p;
}

void
tool_pool_rest(struct tool_pool *p)
{
    for (struct idle *i = p->idle; i; i = i->next)
        plugin_process_terminate(i->process);
    while (p->idle)
        idle_process_free(unlink_process(&p->idle));
    zygote_client_free(TAKE_PTR(p->zygote));
    p->starts = 0;
}

void
tool_pool_free(struct tool_pool *p)
{
    if (!p)
        return;
    mcp_pool_terminate(p->servers);
    tool_pool_rest(p);
    mcp_pool_free(&p->servers);
    free(p);
}

/* Whether the end of a command ends all of its processes: they are in a pid
 * namespace. */
static bool
has_pid_namespace(const struct sandbox_spec *s)
{
    enum profile p = s->profile;

    if (spec_is_reduced(s))
        return false;
    return p == PROFILE_READ_ONLY || p == PROFILE_WORKSPACE_WRITE ||
           p == PROFILE_PLUGIN;
}

bool
pool_may_keep(const struct tool *t, const struct tool_setting *s)
{
    /* the changes of a preview are read when its process is gone */
    if (!s->pool || !t->manifest->persistent || s->sandbox->preview)
        return false;
    return !t->manifest->step || has_pid_namespace(s->sandbox);
}

struct zygote_client *
pool_zygote(struct tool_pool *p)
{
    CLEANUP(free_p) char *launcher = NULL;

    /* a caller may start only one process. If the zygote cannot be started,
     * that is not tried again */
    if (p->starts++ != 1)
        return p->zygote;
    if ((launcher = path_libexec(WAITING, NULL)))
        p->zygote = zygote_client_new(launcher, NULL);
    return NULL;
}

struct mcp_pool **
pool_mcp(struct tool_pool *p)
{
    return &p->servers;
}

struct call_queue **
pool_queues(struct tool_pool *p)
{
    return &p->queues;
}

int64_t
pool_next_id(struct tool_pool *p)
{
    return ++p->asked;
}

void
tool_pool_end_servers(struct tool_pool *p, const struct registry *r)
{
    mcp_pool_end(&p->servers, registry_session_servers(r));
}

struct plugin_process *
pool_take(struct tool_pool *p, const struct spawn_plan *plan)
{
    struct idle **at = &p->idle;
    struct plugin_process *process;
    struct idle *i;

    while (*at && !spawn_plan_is_same((*at)->plan, plan))
        at = &(*at)->next;
    if (!*at)
        return NULL;
    i = unlink_process(at);
    process = TAKE_PTR(i->process);
    idle_process_free(i);
    if (plugin_process_is_quiet(process))
        return process;
    plugin_process_free(process);
    return NULL;
}

static bool
is_other_step(const struct idle *i, const struct spawn_plan *plan)
{
    return i->step && (!plan || !spawn_plan_is_same(i->plan, plan));
}

void
pool_end_steps(struct tool_pool *p, const struct spawn_plan *plan)
{
    struct idle **at = &p->idle;

    for (struct idle *i = p->idle; i; i = i->next)
        if (is_other_step(i, plan))
            plugin_process_terminate(i->process);
    while (*at) {
        if (is_other_step(*at, plan))
            idle_process_free(unlink_process(at));
        else
            at = &(*at)->next;
    }
}

static void
drop_oldest_process(struct tool_pool *p)
{
    struct idle *i = p->idle;

    while (i->next)
        i = i->next;
    end_idle(i);
}

void
pool_give(struct tool_pool *p, struct plugin_process *process,
          struct spawn_plan *plan, bool step)
{
    struct idle *i = calloc(1, sizeof(*i));

    if (!i || !plugin_process_is_quiet(process)) {
        free(i);
        plugin_process_free(process);
        return;
    }
    *i = (struct idle){.pool = p,
                       .next = p->idle,
                       .process = process,
                       .plan = spawn_plan_share(plan),
                       .step = step};
    plugin_process_set_events(process, &idle_events, i);
    p->idle = i;
    if (++p->n > IDLE_MAX)
        drop_oldest_process(p);
}
