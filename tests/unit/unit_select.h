/* SPDX-License-Identifier: GPL-3.0-or-later */
/* unit_select.h - selects a model in a unit test, and waits for it. */
#ifndef TESTS_UNIT_SELECT_H
#define TESTS_UNIT_SELECT_H

#include "unit_seat.h"

#include "base/clock.h"
#include "model/select.h"

#define UNIT_SELECT_MS 30000

/* What came of a search. */
struct unit_found {
    int events;
    struct model_selection *selection; /* the test's */
    struct err why;                    /* code ERR_NONE: it was found */
    int64_t at_ms;                     /* by clock_ms() */
};

static inline void
on_unit_found(void *arg, struct model_selection *m)
{
    struct unit_found *f = arg;

    f->events++;
    f->selection = m;
    f->at_ms = clock_ms();
}

static inline void
on_unit_failed(void *arg, const struct err *why)
{
    struct unit_found *f = arg;

    f->events++;
    f->why = *why;
    f->at_ms = clock_ms();
}

static const struct model_search_events unit_select_events = {on_unit_found,
                                                              on_unit_failed};

static inline void
unit_select_wait(struct loop *l, const struct unit_found *f)
{
    int64_t until = clock_ms() + UNIT_SELECT_MS;

    while (!f->events && clock_ms() < until)
        assert_true(loop_turn(l, 100, NULL) >= 0);
    assert_int_equal(f->events, 1);
}

/* For the seat of the test's process, as it is now. */
static inline int
unit_select(const struct config *c, const struct model_select_params *p,
            struct model_selection **out, struct err *e)
{
    CLEANUP(loop_free_p) struct loop *l = loop_new(NULL);
    struct unit_found f = {0};
    struct model_search *s = model_search_start(l, unit_seat(), c, p,
                                                &unit_select_events, &f, NULL);

    assert_non_null(s);
    unit_select_wait(l, &f);
    model_search_free(s);
    if (f.why.code == ERR_NONE) {
        *out = f.selection;
        return 0;
    }
    if (e)
        *e = f.why;
    return -1;
}

#endif
