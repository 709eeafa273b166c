/* SPDX-License-Identifier: GPL-3.0-or-later */
/* answer.c - an answer in words, on standard output, as it comes. */
#include "person/answer.h"

#include <string.h>

#include "person/report.h"
#include "person/result.h"
#include "person/show_plan.h"
#include "term/emoji_width.h"
#include "term/markdown.h"
#include "term/style.h"

#define SHOWN_MAX (32u << 20)

struct answer {
    struct app *app;
    struct markdown *markdown;
    bool begun;
};

struct answer *
answer_new(struct app *a, struct err *e)
{
    CLEANUP(answer_free_p) struct answer *w = calloc(1, sizeof(*w));

    if (!w) {
        err_nomem(e);
        return NULL;
    }
    w->app = a;
    w->markdown = markdown_new(&a->result, 0, e);
    return w->markdown ? TAKE_PTR(w) : NULL;
}

void
answer_free(struct answer *w)
{
    if (!w)
        return;
    markdown_free(w->markdown);
    free(w);
}

bool
answer_begun(const struct answer *w)
{
    return w->begun;
}

void
answer_add(struct answer *w, const char *bytes, size_t n)
{
    CLEANUP_BUF struct buf b = buf_of(SHOWN_MAX);

    if (w->app->output != OUTPUT_TEXT || !w->app->result.tty)
        return;
    w->begun = true;
    emoji_width_measure(&w->app->result, bytes, n);
    (void)markdown_add(w->markdown, bytes, n, &b);
    result_put(w->app, &b);
}

/* What was shown belongs to an answer that could not be used: the one that
 * counts is shown after it, whole. */
static void
begin_again(struct answer *w)
{
    CLEANUP_BUF struct buf b = buf_of(SHOWN_MAX);

    (void)markdown_end(w->markdown, &b);
    result_put(w->app, &b);
    app_note(w->app, "That answer was invalid. Asked again:");
    w->begun = false;
}

static void
show_rest(struct answer *w, const struct aiaction *action)
{
    CLEANUP_BUF struct buf b = buf_of(SHOWN_MAX);

    size_t n = strlen(action->summary);

    if (!w->begun) {
        emoji_width_measure(&w->app->result, action->summary, n);
        (void)markdown_add(w->markdown, action->summary, n, &b);
    }
    (void)markdown_end(w->markdown, &b);
    result_put(w->app, &b);
}

/* What it cost, for a person who sits there. */
static void
show_cost(struct app *a, const char *model, const struct inquiry_facts *facts)
{
    CLEANUP_BUF struct buf b = buf_of(SHOWN_MAX);

    if (!facts || a->quiet || !a->screen.tty)
        return;
    buf_printf(&b, "\n%s", style_on(&a->screen, STYLE_DIM));
    show_facts(&b, &a->screen, model, facts, a->config);
    buf_printf(&b, "%s\n", style_off(&a->screen, STYLE_DIM));
    (void)term_put(&a->screen, &b, NULL);
}

int
answer_finish(struct answer *w, const struct aiaction *action,
              const char *model, const struct inquiry_facts *facts,
              const struct err *why)
{
    int status = why ? err_exit_status(why->code) : 0;
    struct app *a = w->app;
    struct err e = {0};
    CLEANUP(report_free_p) struct report *r = NULL;

    if (a->output == OUTPUT_TEXT) {
        if (w->begun && facts && facts->repaired)
            begin_again(w);
        show_rest(w, action);
        if (action->dropped)
            app_note(a, "The answer came with commands; they were dropped.");
        show_cost(a, model, facts);
        if (why && why->code != ERR_UNFIT)
            app_say(a, why);
        return status;
    }
    r = report_new(a, action, facts, &e);
    if (!r)
        return app_fail(a, &e);
    report_plan(r, NULL);
    report_write(r, why, status);
    if (why && why->code != ERR_UNFIT)
        app_say(a, why);
    return status;
}
