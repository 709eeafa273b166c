/* SPDX-License-Identifier: GPL-3.0-or-later */
/* preview.c - agentsh preview: runs whose changes wait to be kept. */
#include "person/preview.h"

#include "door/cli/call.h"
#include "person/result.h"

#define LIST_MAX (1u << 20)

int
call_preview_list(struct call *c)
{
    CLEANUP_BUF struct buf out = buf_of(LIST_MAX);
    struct err e = {0};

    if (c->n > 0)
        err_set(&e, ERR_USAGE, "preview list takes no words");
    else if (preview_list(c->app, &out, &e) == 0) {
        result_put(c->app, &out);
        return 0;
    }
    return app_fail(c->app, &e);
}

/* One of the answers, for the preview that the words name. */
static int
answer(struct call *c, int (*act)(struct preview *p, struct err *e))
{
    CLEANUP(preview_close_p) struct preview *p = NULL;
    struct err e = {0};

    if (c->n > 1)
        err_set(&e, ERR_USAGE, "one preview at a time");
    else
        p = preview_find(c->app, c->n ? c->words[0] : NULL, &e);
    if (!p || act(p, &e) < 0)
        return app_fail(c->app, &e);
    return 0;
}

int
call_preview_show(struct call *c)
{
    return answer(c, preview_show);
}

int
call_preview_keep(struct call *c)
{
    return answer(c, preview_keep);
}

int
call_preview_drop(struct call *c)
{
    return answer(c, preview_drop);
}
