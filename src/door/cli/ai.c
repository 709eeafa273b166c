/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ai.c - the verbs of ai(1). */
#include <string.h>

#include "door/cli/call.h"
#include "person/verbs.h"
#include "person/wish.h"

#define ROW(name, args, help, options)                                         \
    {#name, args, help, options, call_##name},

#define TEXT_MAX (256u << 10) /* what the kernel passes at most, about */

/* An option behind words that are not quoted became one of them, which is
 * the opposite of what was meant: it would not be a dry run. A command line
 * to explain has options of its own. */
static int
check_words(const struct call *c, enum aiaction_mode mode, struct err *e)
{
    for (int i = 1; i < c->n && mode != AIACTION_EXPLAIN; i++) {
        if (options_has(c->words[i], FOR_WISH | FOR_PLAN | FOR_REPORT))
            return err_set(e, ERR_USAGE,
                           "%s stands behind the text: put it before, or "
                           "quote the text",
                           c->words[i]);
    }
    return 0;
}

static int
check_options(const struct options *o, enum aiaction_mode mode, struct err *e)
{
    if (mode == AIACTION_EXPLAIN &&
        (o->yes || o->step || o->dry_run || o->plan_in || o->plan_out))
        return err_set(e, ERR_USAGE,
                       "explain runs nothing: --yes, --step, --dry-run, "
                       "--plan and --plan-out are for do and run");
    return 0;
}

static int
wish(struct call *c, enum aiaction_mode mode)
{
    const struct options *o = &c->options;
    CLEANUP_BUF struct buf text = buf_of(TEXT_MAX);
    struct err e = {0};
    struct wish w = {
        .mode = mode,
        .model = {.provider = o->provider,
                  .model = o->model,
                  .offline = o->offline},
        .yes = o->yes,
        .each_step = o->step,
        .preview = o->preview,
        .dry_run = o->dry_run,
        .no_look = o->no_look,
        .show_request = o->show_request,
        .plan_out = o->plan_out,
        .plan_in = o->plan_in,
    };

    if (call_words(c, &text, NULL) < 0) {
        err_set(&e, ERR_USAGE, "the text is over %u bytes", TEXT_MAX);
        return app_fail(c->app, &e);
    }
    w.text = text.p + strspn(text.p, " \t\n");
    if (check_words(c, mode, &e) < 0 || check_options(o, mode, &e) < 0)
        return app_fail(c->app, &e);
    return wish_run(c->app, &w);
}

int
call_do(struct call *c)
{
    return wish(c, AIACTION_DO);
}

int
call_run(struct call *c)
{
    return wish(c, AIACTION_RUN);
}

int
call_explain(struct call *c)
{
    return wish(c, AIACTION_EXPLAIN);
}

const struct call_row *
ai_rows(void)
{
    static const struct call_row rows[] = {
        /* clang-format off */
        VERBS(ROW)
        /* clang-format on */
        {0},
    };

    return rows;
}
