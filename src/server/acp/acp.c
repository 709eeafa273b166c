/* SPDX-License-Identifier: GPL-3.0-or-later */
/* acp.c - the agent of one editor on a pair of descriptors. */
#include "server/acp/acp.h"

#include <stdlib.h>

#include "base/clock.h"
#include "server/acp/acp_connection.h"

#define STOP_STEP_MS 5 /* between two looks whether all is over */

struct acp {
    struct acp_setup set;
    struct acp_agent *agent;
    struct acp_connection editor;
    struct read_buffer *buffer;
    struct watch *stopping; /* polls for the end of what runs; NULL: acp_stop
                               was not called */
    int64_t stop_by_ms;
};

static void
on_stopping(void *arg, unsigned events)
{
    struct acp *a = arg;
    bool idle = acp_agent_is_idle(a->agent) &&
                rpc_is_drained(a->editor.editor.rpc);

    (void)events;
    if (idle || clock_ms() >= a->stop_by_ms)
        a->set.ended(a->set.agent.arg);
    else
        watch_again(a->stopping, STOP_STEP_MS);
}

void
acp_stop(struct acp *a)
{
    if (a->stopping)
        return;
    a->stop_by_ms = clock_ms() + ACP_STOP_MS;
    a->stopping = loop_soon(a->set.agent.loop, on_stopping, a, NULL);
    acp_agent_cancel_all(a->agent);
    if (!a->stopping)
        a->set.ended(a->set.agent.arg);
}

static void
on_editor_ended(void *arg, enum rpc_end what, const struct err *why)
{
    struct acp *a = arg;

    if (why && what == RPC_INPUT_ENDED)
        a->set.agent.log(a->set.agent.arg, why->text);
    acp_stop(a);
}

static int
open_acp_rpc(struct acp *a, struct err *e)
{
    struct rpc_setup set = {.loop = a->set.agent.loop,
                            .in = a->set.in,
                            .out = a->set.out,
                            .buffer = a->buffer};

    a->editor.agent = a->agent;
    a->editor.ended = on_editor_ended;
    a->editor.arg = a;
    acp_connection_setup(&a->editor, &set);
    a->editor.editor.rpc = rpc_new(&set, e);
    return a->editor.editor.rpc ? 0 : -1;
}

struct acp *
acp_new(const struct acp_setup *set, struct err *e)
{
    CLEANUP(acp_free_p) struct acp *a = calloc(1, sizeof(*a));

    if (!a) {
        err_nomem(e);
        return NULL;
    }
    a->set = *set;
    if (!(a->agent = acp_agent_new(&set->agent, e)) ||
        !(a->buffer = read_buffer_new(e)) || open_acp_rpc(a, e) < 0)
        return NULL;
    return TAKE_PTR(a);
}

void
acp_free(struct acp *a)
{
    struct rpc *rpc;

    if (!a)
        return;
    watch_free(a->stopping);
    rpc = a->editor.editor.rpc;
    acp_agent_free(a->agent);
    rpc_free(rpc);
    read_buffer_free(a->buffer);
    free(a);
}
