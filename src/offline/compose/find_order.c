/* SPDX-License-Identifier: GPL-3.0-or-later */
/* find_order.c - the biggest, the newest, by size, by date: what find prints
 * for sort to put in order. */
#include <string.h>

#include "offline/compose/find.h"

static const struct order {
    const char *row, *format, *sort;
    bool one; /* "the largest file": one, when no number is said */
} orders[] = {
    {"biggest|largest", "%s\\t%p", "-rn", true},
    {"top {number} big|large", "%s\\t%p", "-rn", true},
    {"smallest", "%s\\t%p", "-n", true},
    {"most|more recently|recent ?modified|changed", "%T+ %p", "-r", true},
    {"newest|latest|last-modified", "%T+ %p", "-r", true},
    {"oldest", "%T+ %p", "", true},
    {"sort|sorted|order|ordered by|on ?file size|sizes", "%s\\t%p", "-n",
     false},
    {"sort|sorted|order|ordered by|on|according ?last|modification "
     "time|date|age|modified|timestamp",
     "%T+ %p", "", false},
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

/* Those at the head of the list go, or all but those: one at a time through
 * the pipe, since what find deletes itself it deletes before sort has seen
 * it. */
static void
delete_some(struct find *f, const struct order *o, long long n)
{
    bool keep = find_says(f, "but|except|keep|keeping|leave");
    bool time = strchr(o->format, 'T') != NULL;
    bool down = strchr(o->sort, 'r') != NULL;

    find_says(f, "only");
    buf_printf(&f->part[FIND_ACTION], " -printf '%s\\t%%p\\0'",
               time ? "%T@" : "%s");
    buf_printf(&f->part[FIND_PIPE], " | sort -zn%s | ", down ? "r" : "");
    if (keep)
        buf_printf(&f->part[FIND_PIPE], "tail -zn +%lld", n + 1);
    else
        buf_printf(&f->part[FIND_PIPE], "head -zn %lld", n);
    buf_str(&f->part[FIND_PIPE], " | cut -zf2- | xargs -0 rm");
    f->deletes = false;
    f->regular = true;
}

static void
print_ordered(struct find *f, const struct order *o, long long n)
{
    static const char *const down = "descending|decreasing|reverse|reversed|"
                                    "largest|biggest|newest|latest|recent";
    const char *sort = o->sort;

    if (!o->one && find_says(f, down))
        sort = *o->sort ? "-rn" : "-r";
    find_says(f, "first|order|top|sorted|sort");
    buf_printf(&f->part[FIND_ACTION], " -printf '%s\\n'", o->format);
    buf_printf(&f->part[FIND_PIPE], " | sort%s%s", *sort ? " " : "", sort);
    if (n)
        buf_printf(&f->part[FIND_PIPE], " | head -n %lld", n);
}

/* How many when it is not said: "the largest file", "the largest files" */
static long long
usual(const struct find *f, const struct order *o)
{
    if (!o->one)
        return 0;
    for (size_t i = 0; i < f->q->n; i++)
        if (!strcmp(f->q->words[i].plain, "files"))
            return 10;
    return 1;
}

void
find_read_order(struct find *f)
{
    struct compose_hit hit;
    long long n;

    for (size_t i = 0; i < sizeof(orders) / sizeof(orders[0]); i++) {
        if (!find_sees(f, orders[i].row, &hit))
            continue;
        f->used |= hit.set;
        n = amount(f, &hit);
        n = n ? n : usual(f, &orders[i]);
        if (f->deletes && n)
            delete_some(f, &orders[i], n);
        else
            print_ordered(f, &orders[i], n);
        return;
    }
}
