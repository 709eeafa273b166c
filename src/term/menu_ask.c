/* SPDX-License-Identifier: GPL-3.0-or-later */
/* menu_ask.c - a question for a door that waits for the answer. */
#include "term/menu.h"

struct answer {
    bool done;
    char key;
    struct err why;
};

static void
on_answer(void *arg, char key, const struct err *why)
{
    struct answer *a = arg;

    a->done = true;
    a->key = key;
    if (why)
        a->why = *why;
}

static int
wait_for(struct loop *l, const struct answer *a, struct err *e)
{
    while (!a->done) {
        if (loop_turn(l, -1, e) < 0)
            return -1;
    }
    if (a->key)
        return 0;
    if (e)
        *e = a->why;
    return -1;
}

int
menu_key(struct loop *l, struct term *t, const struct menu_spec *spec,
         char *key, struct err *e)
{
    struct answer a = {0};
    CLEANUP(menu_close_p)
    struct menu *m = menu_open(l, t, spec, on_answer, &a, e);

    if (!m || wait_for(l, &a, e) < 0)
        return -1;
    *key = a.key;
    return 0;
}

int
menu_yes_no(struct loop *l, struct term *t, const char *question, bool *yes,
            struct err *e)
{
    static const struct menu_row rows[] = {
        {'y', "yes", "yes, do it"},
        {'n', "no", "no, leave it"},
        {0},
    };
    struct menu_spec spec = {.question = question, .rows = rows, .enter = 'n'};
    char key;

    if (menu_key(l, t, &spec, &key, e) < 0)
        return -1;
    *yes = key == 'y';
    return 0;
}
