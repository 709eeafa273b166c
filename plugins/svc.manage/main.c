/* SPDX-License-Identifier: GPL-3.0-or-later */
/* main.c - the tool svc.manage: services of whatever starts them here. */
#include "base/fd.h"
#include "plugins/lib/reply.h"
#include "plugins/svc.manage/service_reversal.h"

static void
handle(const struct request *r)
{
    const struct init *i;
    struct act a;
    struct err e = {0};

    if (act_read(r, &a, &e) < 0 || !(i = init_find(a.manager, &e)) ||
        (a.action == ASK_STATE     ? service_state_run(r, &a, i, &e)
         : a.action == ASK_REVERSE ? service_reversal_run(r, &a, i, &e)
                                   : act_run(r, &a, i, &e)) < 0)
        reply_error(r, &e);
}

int
main(void)
{
    if (fd_fill_standard(NULL) < 0)
        return 1;
    return plugin_serve("svc.manage", handle);
}
