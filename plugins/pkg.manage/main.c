/* SPDX-License-Identifier: GPL-3.0-or-later */
/* main.c - the tool pkg.manage: packages of whichever manager is here. */
#include "base/fd.h"
#include "plugins/lib/reply.h"
#include "plugins/pkg.manage/change.h"
#include "plugins/pkg.manage/package_reversal.h"

static void
handle(const struct request *r)
{
    const struct manager *m;
    struct args a;
    struct err e = {0};

    if (args_read(r, &a, &e) < 0 || !(m = manager_find(a.manager, &e)) ||
        (a.action == ASK_SEARCH    ? search_run(r, &a, m, &e)
         : a.action == ASK_STATE   ? package_state_run(r, m, &e)
         : a.action == ASK_REVERSE ? package_reversal_run(r, m, &e)
                                   : change_run(r, &a, m, &e)) < 0)
        reply_error(r, &e);
}

int
main(void)
{
    if (fd_fill_standard(NULL) < 0)
        return 1;
    return plugin_serve("pkg.manage", handle);
}
