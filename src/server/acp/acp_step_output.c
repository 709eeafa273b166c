/* SPDX-License-Identifier: GPL-3.0-or-later */
/* acp_step_output.c - keeps the end of what a step writes. */
#include "server/acp/acp_step_output.h"

#include "server/acp/acp_update.h"

#define OUTPUT_MS 100 /* between two updates about a step's output */

static void
on_output_due(void *arg, unsigned events)
{
    struct acp_step_output *o = arg;

    (void)events;
    o->armed = false;
    o->show(o->arg);
}

int
acp_step_output_init(struct acp_step_output *o, struct loop *l,
                     void (*show)(void *arg), void *arg, struct err *e)
{
    *o = (struct acp_step_output){.show = show, .arg = arg};
    buf_init(&o->end, ACP_OUTPUT_SHOWN);
    if (!(o->due = loop_timer(l, 0, on_output_due, o, e)))
        return -1;
    watch_stop(o->due);
    return 0;
}

void
acp_step_output_done(struct acp_step_output *o)
{
    watch_free(o->due);
    buf_done(&o->end);
}

void
acp_step_output_clear(struct acp_step_output *o)
{
    buf_clear(&o->end);
}

void
acp_step_output_add(struct acp_step_output *o, const char *bytes, size_t n)
{
    size_t keep = ACP_OUTPUT_SHOWN;

    if (n > keep) {
        bytes += n - keep;
        n = keep;
    }
    if (o->end.len + n > keep)
        buf_drop(&o->end, o->end.len + n - keep);
    if (!o->armed)
        watch_again(o->due, OUTPUT_MS);
    o->armed = true;
    buf_add(&o->end, bytes, n);
}

void
acp_step_output_stop(struct acp_step_output *o)
{
    watch_stop(o->due);
    o->armed = false;
}
