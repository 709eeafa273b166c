/* SPDX-License-Identifier: GPL-3.0-or-later */
/* acp_agent.c - the agent of all editors of a process. */
#include "server/acp/acp_agent.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "model/model_process.h"
#include "server/acp/acp_draft_queue.h"
#include "server/acp/acp_history.h"
#include "server/acp/acp_poll.h"
#include "server/acp/acp_servers.h"

#define TICK_MS 1000 /* between two checks for sessions without an editor */

struct acp_agent {
    struct acp_agent_setup set;
    struct acp_shared shared;
    struct acp_model *model;
    struct acp_session *sessions; /* the one that was opened last is first */
    size_t n_sessions;
    bool stopping;
    struct watch *tick; /* NULL: no session was left yet */
};

int
acp_agent_load(struct acp_agent *a, struct config *config, struct err *e)
{
    if (acp_session_check_policy(&a->shared, e) < 0)
        return -1;
    a->shared.config = config;
    return 0;
}

const struct acp_shared *
acp_agent_shared(const struct acp_agent *a)
{
    return &a->shared;
}

struct acp_model *
acp_agent_model(const struct acp_agent *a)
{
    return a->model;
}

bool
acp_agent_is_ready(struct acp_agent *a, const struct err **why)
{
    *why = acp_model_fault(a->model);
    a->shared.selection = acp_model_selection(a->model);
    return (*why)->code == ERR_NONE;
}

struct acp_session *
acp_agent_find(const struct acp_agent *a, const char *id)
{
    struct acp_session *s = a->sessions;

    while (s && (!id || strcmp(s->id, id) != 0))
        s = s->next;
    return s;
}

struct acp_session *
acp_agent_find_own(const struct acp_agent *a, const struct acp_editor *ed,
                   const char *id)
{
    struct acp_session *s = acp_agent_find(a, id);

    return s && acp_editor_watches(ed, s) ? s : NULL;
}

struct acp_session *
acp_agent_latest(const struct acp_agent *a, const struct acp_editor *ed)
{
    struct acp_session *s = a->sessions;

    while (s && !acp_editor_watches(ed, s))
        s = s->next;
    return s;
}

bool
acp_agent_is_busy(const struct acp_session *s)
{
    return s->turn || acp_draft_queue_waits(s);
}

void
acp_agent_cancel(struct acp_session *s)
{
    acp_draft_queue_cancel(s);
    if (s->ops)
        s->ops->cancel(s->turn);
}

void
acp_agent_end(struct acp_agent *a, struct acp_session *s)
{
    struct acp_session **at = &a->sessions;

    while (*at != s)
        at = &(*at)->next;
    *at = s->next;
    a->n_sessions--;
    acp_draft_queue_free(s->queue);
    acp_session_free(s);
}

/* Whether a session without an editor may be closed: a stored one can be opened
 * again. */
static bool
is_left_for_good(const struct acp_agent *a, const struct acp_session *s,
                 int64_t now)
{
    if (s->n_editors > 0)
        return false;
    return (!acp_agent_is_busy(s) && a->shared.store) ||
           now - s->alone_ms >= ACP_ALONE_MS;
}

static void
on_agent_tick(void *arg, unsigned events)
{
    struct acp_agent *a = arg;
    struct acp_session *next;
    int64_t now = clock_ms();
    bool again = false;

    (void)events;
    for (struct acp_session *s = a->sessions; s; s = next) {
        next = s->next;
        if (is_left_for_good(a, s, now))
            acp_agent_end(a, s);
        else
            again = again || s->n_editors == 0;
    }
    if (again)
        watch_again(a->tick, TICK_MS);
}

static void
watch_alone(struct acp_agent *a)
{
    struct err e = {0};

    if (a->tick)
        watch_again(a->tick, TICK_MS);
    else if (!(a->tick = loop_timer(a->set.loop, TICK_MS, on_agent_tick, a,
                                    &e)))
        a->set.log(a->set.arg, e.text);
}

/* At the limit of sessions, closes one without an editor and without a turn. */
static bool
make_acp_place(struct acp_agent *a)
{
    if (a->n_sessions < ACP_SESSIONS_MAX)
        return true;
    for (struct acp_session *s = a->sessions; s; s = s->next) {
        if (s->n_editors == 0 && !acp_agent_is_busy(s)) {
            acp_agent_end(a, s);
            return true;
        }
    }
    return false;
}

/* Opens a new session; or, with an id, a stored one, which replaces old, which
 * may be NULL. */
static struct acp_session *
open_acp_session(struct acp_agent *a, struct acp_editor *ed, const char *id,
                 struct acp_session *old, const struct json *params,
                 struct err *e)
{
    const char *roots[SEAT_ROOTS_MAX + 1];
    CLEANUP(acp_session_free_p) struct acp_session *s = NULL;
    struct acp_place place = {.dialect = ed->client.dialect, .id = id};

    if (!old && !make_acp_place(a)) {
        err_set(e, ERR_NOMEM, "%d sessions are open: close one first",
                ACP_SESSIONS_MAX);
        return NULL;
    }
    if (acp_place_read(params, place.dialect == ACP_SIMPLE, &place, roots, e) <
            0 ||
        !(s = acp_session_new(&a->shared, &place, e)) ||
        acp_servers_add(s, json_get(params, "mcpServers"), e) < 0 ||
        (id ? acp_history_restore : acp_history_create)(s, e) < 0 ||
        acp_editor_join(ed, s, e) < 0)
        return NULL;
    if (old)
        acp_agent_end(a, old);
    s->next = a->sessions;
    a->sessions = s;
    a->n_sessions++;
    return TAKE_PTR(s);
}

struct acp_session *
acp_agent_open(struct acp_agent *a, struct acp_editor *ed,
               const struct json *params, struct err *e)
{
    return open_acp_session(a, ed, NULL, NULL, params, e);
}

static struct acp_session *
join_session(struct acp_editor *ed, struct acp_session *s, struct err *e)
{
    if (s->dialect != ed->client.dialect) {
        err_set(e, ERR_INVALID,
                "sessionId: who has this session open speaks another version "
                "of the protocol");
        return NULL;
    }
    return acp_editor_join(ed, s, e) < 0 ? NULL : s;
}

struct acp_session *
acp_agent_reopen(struct acp_agent *a, struct acp_editor *ed, const char *id,
                 const struct json *params, struct err *e)
{
    struct acp_session *s = acp_agent_find(a, id);
    bool others = s && s->n_editors > (acp_editor_watches(ed, s) ? 1u : 0u);

    if (s && (acp_agent_is_busy(s) || others || !a->shared.store))
        return join_session(ed, s, e);
    return open_acp_session(a, ed, id, s, params, e);
}

static void
leave_session(struct acp_editor *ed, struct acp_session *s)
{
    acp_draft_queue_leave(s, ed);
    acp_editor_leave(ed, s);
    if (s->n_editors == 0)
        s->alone_ms = clock_ms();
}

void
acp_agent_close(struct acp_agent *a, struct acp_editor *ed,
                struct acp_session *s)
{
    bool others = s->n_editors > (acp_editor_watches(ed, s) ? 1u : 0u);

    if (!others) {
        acp_agent_end(a, s);
        return;
    }
    if (s->asker == ed && s->ops)
        s->ops->cancel(s->turn);
    leave_session(ed, s);
}

void
acp_agent_set_full(struct acp_agent *a, struct acp_editor *ed, bool full)
{
    ed->full = full;
    for (struct acp_session *s = a->sessions; s; s = s->next)
        acp_editor_set_full(ed, s, full);
}

void
acp_agent_leave(struct acp_agent *a, struct acp_editor *ed)
{
    bool alone = false;

    for (struct acp_session *s = a->sessions; s; s = s->next) {
        if (!acp_editor_watches(ed, s))
            continue;
        leave_session(ed, s);
        alone = alone || s->n_editors == 0;
    }
    if (alone)
        watch_alone(a);
}

void
acp_agent_stop(struct acp_agent *a)
{
    a->stopping = true;
}

bool
acp_agent_is_stopping(const struct acp_agent *a)
{
    return a->stopping;
}

void
acp_agent_cancel_all(struct acp_agent *a)
{
    a->stopping = true;
    for (struct acp_session *s = a->sessions; s; s = s->next)
        acp_agent_cancel(s);
}

bool
acp_agent_is_idle(const struct acp_agent *a)
{
    for (const struct acp_session *s = a->sessions; s; s = s->next) {
        if (s->turn)
            return false;
    }
    return !acp_model_has_waiting(a->model);
}

void
acp_agent_count(const struct acp_agent *a, size_t *open, size_t *busy)
{
    *open = a->n_sessions;
    *busy = 0;
    for (const struct acp_session *s = a->sessions; s; s = s->next)
        *busy += s->turn ? 1 : 0;
}

struct acp_agent *
acp_agent_new(const struct acp_agent_setup *set, struct err *e)
{
    CLEANUP(acp_agent_free_p) struct acp_agent *a = calloc(1, sizeof(*a));

    if (!a) {
        err_nomem(e);
        return NULL;
    }
    a->set = *set;
    a->shared = (struct acp_shared){.loop = set->loop,
                                    .seat = set->seat,
                                    .config = set->config,
                                    .policy = set->policy,
                                    .keeps = set->keeps,
                                    .journal = set->journal,
                                    .store = set->store,
                                    .log = set->log,
                                    .log_arg = set->arg};
    /* without --policy an editor hears of it from its first session */
    if ((set->policy && acp_session_check_policy(&a->shared, e) < 0) ||
        !(a->model = acp_model_new(set->loop, set->seat, set->config, e)) ||
        !(a->shared.process = model_process_new(set->loop, -1, e)))
        return NULL;
    return TAKE_PTR(a);
}

void
acp_agent_free(struct acp_agent *a)
{
    if (!a)
        return;
    watch_free(a->tick);
    while (a->sessions)
        acp_agent_end(a, a->sessions);
    model_process_free(a->shared.process);
    acp_model_free(a->model);
    free(a);
}
