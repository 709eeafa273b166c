/* SPDX-License-Identifier: GPL-3.0-or-later */
/* suggestions.c - asks which command of an answer in words is meant. */
#include "ui/suggestions.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/message.h"
#include "term/menu.h"

struct suggestions {
    struct app *app;
    const struct proposal *proposal;
    struct menu *menu; /* on the screen; NULL: none */
    struct menu_row rows[PROPOSAL_CHOICES + 3];
    struct menu_spec spec;
    char line[MENU_LINE_MAX];
    struct suggestions_answer answer;
    suggestions_cb *cb;
    void *arg;
};

void
suggestions_close(struct suggestions *s)
{
    if (!s)
        return;
    menu_close(s->menu);
    free(s);
}

static void
hide_menu(struct suggestions *s)
{
    menu_close(s->menu);
    s->menu = NULL;
}

static void
fail_question(struct suggestions *s, const struct err *why)
{
    s->answer.end = SUGGESTIONS_FAILED;
    s->answer.why = *why;
    s->cb(s->arg, &s->answer);
}

/* An empty line is no value. */
static void
on_line(void *arg, const char *line, const struct err *why)
{
    struct suggestions *s = arg;

    if (line)
        snprintf(s->line, sizeof(s->line), "%s", line);
    hide_menu(s);
    if (why) {
        fail_question(s, why);
        return;
    }
    s->answer.name = s->line;
    s->answer.end = s->line[0] ? SUGGESTIONS_NAMED : SUGGESTIONS_LEFT;
    s->cb(s->arg, &s->answer);
}

static void
ask_missing_value(struct suggestions *s)
{
    struct err e = {0};

    s->menu = menu_open_line(s->app->loop, &s->app->screen, _("Value: "),
                             on_line, s, &e);
    if (!s->menu)
        fail_question(s, &e);
}

static void
on_key(void *arg, char key, const struct err *why)
{
    struct suggestions *s = arg;
    size_t chosen = (size_t)(key - '1');

    hide_menu(s);
    if (why) {
        fail_question(s, why);
    } else if (key == 'n' ||
               (key != 'q' && s->proposal->choices[chosen].lacks)) {
        ask_missing_value(s);
    } else {
        s->answer.end = key == 'q' ? SUGGESTIONS_LEFT : SUGGESTIONS_CHOSEN;
        s->answer.chosen = chosen;
        s->cb(s->arg, &s->answer);
    }
}

bool
suggestions_can_ask(struct app *a, const struct proposal *p)
{
    return (p->n_choices > 0 || p->lacks) && a->output == OUTPUT_TEXT &&
           a->result.tty && term_keys(&a->screen, NULL) == 0;
}

static void
fill_rows(struct suggestions *s)
{
    static const char digits[][2] = {"1", "2", "3"};
    size_t n = 0;

    if (s->proposal->lacks)
        s->rows[n++] = (struct menu_row){'n', N_("name"),
                                         "enter values for the words in "
                                         "capitals"};
    for (size_t i = 0; i < s->proposal->n_choices; i++)
        s->rows[n++] = (struct menu_row){digits[i][0], digits[i],
                                         "review this command"};
    s->rows[n] = (struct menu_row){'q', N_("quit"), N_("run nothing")};
    s->spec = (struct menu_spec){.rows = s->rows, .enter = 'q'};
}

struct suggestions *
suggestions_open(struct app *a, const struct proposal *p, suggestions_cb *cb,
                 void *arg, struct err *e)
{
    CLEANUP(suggestions_close_p) struct suggestions *s = calloc(1, sizeof(*s));

    if (!s) {
        err_nomem(e);
        return NULL;
    }
    *s = (struct suggestions){.app = a, .proposal = p, .cb = cb, .arg = arg};
    fill_rows(s);
    s->menu = menu_open(a->loop, &a->screen, &s->spec, on_key, s, e);
    return s->menu ? TAKE_PTR(s) : NULL;
}
