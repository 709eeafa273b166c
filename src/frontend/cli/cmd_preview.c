/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_preview.c - agentsh preview: changes of a run that wait for an answer. */
#include "frontend/cli/command.h"
#include "ui/app.h"
#include "ui/preview.h"

#define LIST_MAX (1u << 20)

static int
run_preview_list(struct command_args *c)
{
    CLEANUP_BUF struct buf out = buf_of(LIST_MAX);
    struct err e = {0};

    if (c->n > 0)
        err_set(&e, ERR_USAGE, "preview list takes no words");
    else if (preview_list(c->app, &out, &e) == 0) {
        app_put_result(c->app, &out);
        return 0;
    }
    return app_fail(c->app, &e);
}

/* One of the answers, for the preview that the words name. */
static int
answer(struct command_args *c, int (*act)(struct preview *p, struct err *e))
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

static int
run_preview_show(struct command_args *c)
{
    return answer(c, preview_show);
}

static int
run_preview_keep(struct command_args *c)
{
    return answer(c, preview_keep);
}

static int
run_preview_drop(struct command_args *c)
{
    return answer(c, preview_drop);
}

const struct command cmd_preview_list = {
    .name = "preview list",
    .args = "",
    .help = N_("runs whose changes wait to be kept or dropped"),
    .run = run_preview_list,
};
const struct command cmd_preview_show = {
    .name = "preview show",
    .args = "[RUN]",
    .help = N_("show what a run changed, line by line"),
    .run = run_preview_show,
};
const struct command cmd_preview_keep = {
    .name = "preview keep",
    .args = "[RUN]",
    .help = N_("make those changes in the workspace"),
    .run = run_preview_keep,
};
const struct command cmd_preview_drop = {
    .name = "preview drop",
    .args = "[RUN]",
    .help = N_("discard them"),
    .run = run_preview_drop,
};
