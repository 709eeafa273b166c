/* SPDX-License-Identifier: GPL-3.0-or-later */
/* review_menu.c - shows the menus of a review, one at a time. */
#include "ui/review_menu.h"

#include <stdio.h>

#include "base/message.h"

void
review_menu_hide(struct review *r)
{
    menu_close(r->menu);
    r->menu = NULL;
    editor_close(r->editor);
    r->editor = NULL;
}

void
review_menu_end(struct review *r)
{
    review_menu_hide(r);
    r->done = true;
    r->cb(r->arg, &r->answer); /* may free r */
}

void
review_menu_fail(struct review *r, const struct err *why)
{
    r->answer.why = *why;
    review_menu_end(r);
}

static void
on_key(void *arg, char key, const struct err *why)
{
    struct review *r = arg;
    const struct review_choice *c = r->choices;

    if (why) {
        review_menu_fail(r, why);
        return;
    }
    while (c->row.key && c->row.key != key)
        c++;
    if (c->chosen)
        c->chosen(r, key);
}

void
review_menu_show(struct review *r, const struct review_choice *choices,
                 const char *text, void (*mark)(struct review *r))
{
    struct err e = {0};
    size_t n = 0; /* never none: the last one changes nothing */

    for (; n < REVIEW_ROWS && choices[n].row.key; n++)
        r->rows[n] = choices[n].row;
    r->rows[n] = (struct menu_row){0};
    r->choices = choices;
    r->spec = (struct menu_spec){
        .question = text, .rows = r->rows, .enter = r->rows[n - 1].key};
    if (mark)
        mark(r);
    review_menu_hide(r);
    r->menu = menu_open(r->app->loop, &r->app->screen, &r->spec, on_key, r, &e);
    if (!r->menu)
        review_menu_fail(r, &e);
}

void
review_menu_back(struct review *r, char key)
{
    (void)key;
    rule_proposal_done(&r->rules);
    r->put(r);
}

void
review_menu_steps(struct review *r, const char *text, const char *help,
                  review_key *chosen)
{
    size_t n = r->action->n < REVIEW_DIGITS ? r->action->n : REVIEW_DIGITS;

    for (size_t i = 0; i < n; i++) {
        snprintf(r->labels[i], REVIEW_TEXT, "%zu", i + 1);
        r->digits[i] = (struct review_choice){
            {(char)('1' + i), r->labels[i], help}, chosen};
    }
    r->digits[n] = (struct review_choice){
        {'q', N_("back"), N_("change nothing")}, review_menu_back};
    r->digits[n + 1] = (struct review_choice){{0}, NULL};
    review_menu_show(r, r->digits, text, NULL);
}

void
review_menu_line(struct review *r, const char *text, menu_line_cb *cb)
{
    struct err e = {0};

    review_menu_hide(r);
    r->menu = menu_open_line(r->app->loop, &r->app->screen, text, cb, r, &e);
    if (!r->menu)
        review_menu_fail(r, &e);
}

void
review_menu_yes(struct review *r, const struct review_choice *choices)
{
    struct err e = {0};

    r->choices = choices;
    r->menu = menu_open_word(r->app->loop, &r->app->screen, r->text, "yes",
                             on_key, r, &e);
    if (!r->menu)
        review_menu_fail(r, &e);
}
