/* SPDX-License-Identifier: GPL-3.0-or-later */
/* find_order.c - the biggest, the newest, by size, by date: what find prints
 * for sort to put in order. */
#include "offline/compose/find.h"

static const struct order {
    const char *row, *format, *sort;
    bool one; /* "the largest file": one, when no number is said */
} orders[] = {
    {"biggest|largest", "%s\\t%p", "-rn", true},
    {"top {number} big|large", "%s\\t%p", "-rn", true},
    {"smallest", "%s\\t%p", "-n", true},
    {"most|more recently|recent ?modified|changed", "%T@ %p", "-rn", true},
    {"newest|latest|last-modified", "%T@ %p", "-rn", true},
    {"oldest", "%T@ %p", "-n", true},
    {"sort|sorted|order|ordered by|on ?file size|sizes", "%s\\t%p", "-n",
     false},
    {"sort|sorted|order|ordered by|on|according ?last|modification "
     "time|date|age|modified|timestamp",
     "%T@ %p", "-n", false},
};

/* How many: "the 10 biggest", "top 5 largest"; 0: not said. */
static long long
amount(struct find *f, const struct compose_hit *hit)
{
    for (size_t i = hit->from > 2 ? hit->from - 2 : 0; i <= hit->to; i++) {
        const struct request_value *v = request_value_of(f->q, i);

        if (!compose_may(v, SLOT_NUMBER) || compose_used(f->used, i) || v->unit)
            continue;
        find_use(f, i);
        return v->amount;
    }
    return 0;
}

void
find_read_order(struct find *f)
{
    static const char *const down = "descending|decreasing|reverse|reversed|"
                                    "largest|biggest|newest|latest|recent";
    struct compose_hit hit;

    for (size_t i = 0; i < sizeof(orders) / sizeof(orders[0]); i++) {
        const struct order *o = &orders[i];
        const char *sort = o->sort;
        long long n;

        if (!find_sees(f, o->row, &hit))
            continue;
        f->used |= hit.set;
        n = amount(f, &hit);
        if (!o->one && find_says(f, down))
            sort = "-rn";
        find_says(f, "first|order|top|sorted|sort");
        buf_printf(&f->part[FIND_ACTION], " -printf '%s\\n'", o->format);
        buf_printf(&f->part[FIND_PIPE], " | sort %s", sort);
        if (n || o->one)
            buf_printf(&f->part[FIND_PIPE], " | head -n %lld",
                       n                           ? n
                       : request_has(f->q, "file") ? 1
                                                   : 10);
        return;
    }
}
