/* SPDX-License-Identifier: GPL-3.0-or-later */
/* answer.c - prints an answer in words while it streams. */
#include "ui/answer.h"

#include <string.h>

#include "term/emoji_width.h"
#include "term/markdown.h"
#include "term/style.h"
#include "ui/app.h"
#include "ui/plan_text.h"
#include "ui/report_json.h"

#define SHOWN_MAX (32u << 20)

struct answer_stream {
    struct app *app;
    struct markdown *markdown;
    bool begun;
};

struct answer_stream *
answer_new(struct app *a, struct err *e)
{
    CLEANUP(answer_free_p) struct answer_stream *s = calloc(1, sizeof(*s));

    if (!s) {
        err_nomem(e);
        return NULL;
    }
    s->app = a;
    s->markdown = markdown_new(&a->result, 0, e);
    if (!s->markdown)
        return NULL;
    markdown_set_live(s->markdown);
    return TAKE_PTR(s);
}

void
answer_free(struct answer_stream *s)
{
    if (!s)
        return;
    markdown_free(s->markdown);
    free(s);
}

bool
answer_begun(const struct answer_stream *s)
{
    return s->begun;
}

void
answer_add(struct answer_stream *s, const char *bytes, size_t n)
{
    CLEANUP_BUF struct buf b = buf_of(SHOWN_MAX);

    if (s->app->output != OUTPUT_TEXT || !s->app->result.tty)
        return;
    s->begun = true;
    emoji_width_measure(&s->app->result, bytes, n);
    (void)markdown_add(s->markdown, bytes, n, &b);
    app_put_result(s->app, &b);
}

/* What was shown belongs to an answer that was invalid, or is no answer at all;
 * the one that counts is shown below it as a whole. */
static void
restart_answer(struct answer_stream *s, bool repaired)
{
    CLEANUP_BUF struct buf b = buf_of(SHOWN_MAX);

    (void)markdown_end(s->markdown, &b);
    app_put_result(s->app, &b);
    if (repaired)
        app_note(s->app, "That answer was invalid. Asked again:");
    else
        app_note(s->app, "That was not the answer yet. The answer:");
    s->begun = false;
}

static void
print_rest(struct answer_stream *s, const struct aiaction *action)
{
    CLEANUP_BUF struct buf b = buf_of(SHOWN_MAX);

    const char *text = aiaction_shown(action);
    size_t n = strlen(text);

    if (!s->begun) {
        emoji_width_measure(&s->app->result, text, n);
        (void)markdown_add(s->markdown, text, n, &b);
    }
    (void)markdown_end(s->markdown, &b);
    app_put_result(s->app, &b);
}

/* Prints the cost, where a user sits at a terminal. */
static void
print_cost(struct app *a, const char *model,
           const struct conversation_usage *facts)
{
    CLEANUP_BUF struct buf b = buf_of(SHOWN_MAX);

    if (!facts || a->quiet || !a->screen.tty)
        return;
    buf_printf(&b, "\n%s", style_on(&a->screen, STYLE_DIM));
    plan_text_put_facts(&b, &a->screen, model, facts);
    buf_printf(&b, "%s\n", style_off(&a->screen, STYLE_DIM));
    (void)term_put(&a->screen, &b, NULL);
}

int
answer_finish(struct answer_stream *s, const struct aiaction *action,
              const char *model, const struct conversation_usage *facts,
              const struct err *why)
{
    int status = why ? err_exit_status(why->code) : 0;
    struct app *a = s->app;
    struct err e = {0};
    CLEANUP(report_json_free_p) struct report_json *r = NULL;

    if (a->output == OUTPUT_TEXT) {
        if (s->begun && facts && (facts->repaired || facts->replaced))
            restart_answer(s, facts->repaired);
        print_rest(s, action);
        if (action->dropped)
            app_note(a, "The answer came with commands; they were dropped.");
        print_cost(a, model, facts);
        if (why && why->code != ERR_UNFIT)
            app_print_err(a, why);
        return status;
    }
    r = report_json_new(a, action, facts, &e);
    if (!r)
        return app_fail(a, &e);
    report_json_plan(r, NULL);
    report_json_write(r, why, status);
    if (why && why->code != ERR_UNFIT)
        app_print_err(a, why);
    return status;
}
