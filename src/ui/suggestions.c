/* SPDX-License-Identifier: GPL-3.0-or-later */
/* suggestions.c - asks which command of an answer in words is meant. */
#include "ui/suggestions.h"

#include <string.h>

#include "term/menu.h"

/* The reply to a menu or to a question for a line. */
struct menu_reply {
    struct buf *line; /* where a line goes */
    bool done;
    char key;
    struct err why;
};

static void
on_reply_key(void *arg, char key, const struct err *why)
{
    struct menu_reply *r = arg;

    r->done = true;
    r->key = key;
    if (why)
        r->why = *why;
}

static void
on_reply_line(void *arg, const char *line, const struct err *why)
{
    struct menu_reply *r = arg;

    r->done = true;
    if (why)
        r->why = *why;
    else
        buf_str(r->line, line);
}

static int
wait_for_reply(struct app *a, const struct menu *m, struct menu_reply *r,
               struct err *e)
{
    if (!m)
        return -1;
    while (!r->done) {
        if (loop_turn(a->loop, -1, e) < 0)
            return -1;
    }
    if (r->why.code == ERR_NONE)
        return 0;
    if (e)
        *e = r->why;
    return -1;
}

/* Asks for the value that a command lacks; an empty line is none. */
static int
ask_missing_value(struct app *a, enum suggestions_end *end, struct buf *name,
                  struct err *e)
{
    struct menu_reply r = {.line = name};
    CLEANUP(menu_close_p)
    struct menu *m = menu_open_line(a->loop, &a->screen,
                                    "Value: ", on_reply_line, &r, e);

    if (wait_for_reply(a, m, &r, e) < 0)
        return -1;
    *end = name->len > 0 ? SUGGESTIONS_NAMED : SUGGESTIONS_LEFT;
    return 0;
}

static int
ask_choice(struct app *a, const struct proposal *p, char *key, struct err *e)
{
    static const char digits[][2] = {"1", "2", "3"};
    struct menu_row rows[PROPOSAL_CHOICES + 3] = {0};
    struct menu_spec spec = {.rows = rows, .enter = 'q'};
    struct menu_reply r = {0};
    CLEANUP(menu_close_p) struct menu *m = NULL;
    size_t n = 0;

    if (p->lacks)
        rows[n++] = (struct menu_row){'n', "name",
                                      "enter values for the words in capitals"};
    for (size_t i = 0; i < p->n_choices; i++)
        rows[n++] = (struct menu_row){digits[i][0], digits[i],
                                      "review this command"};
    rows[n] = (struct menu_row){'q', "quit", "run nothing"};
    m = menu_open(a->loop, &a->screen, &spec, on_reply_key, &r, e);
    if (wait_for_reply(a, m, &r, e) < 0)
        return -1;
    *key = r.key;
    return 0;
}

int
suggestions_ask(struct app *a, const struct proposal *p,
                enum suggestions_end *end, size_t *chosen, struct buf *name,
                struct err *e)
{
    char key = 'q';

    *end = SUGGESTIONS_LEFT;
    if ((p->n_choices == 0 && !p->lacks) || a->output != OUTPUT_TEXT ||
        !a->result.tty || term_keys(&a->screen, NULL) < 0)
        return 0;
    if (ask_choice(a, p, &key, e) < 0)
        return -1;
    if (key == 'q')
        return 0;
    *chosen = (size_t)(key - '1');
    if (key == 'n' || p->choices[*chosen].lacks)
        return ask_missing_value(a, end, name, e);
    *end = SUGGESTIONS_CHOSEN;
    return 0;
}
