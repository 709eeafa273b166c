/* SPDX-License-Identifier: GPL-3.0-or-later */
/* find_size.c - how big the files are. */
#include <string.h>

#include "offline/compose/find.h"

#define KIB 1024

/* Where a wish says no more than "big files". */
#define LARGE "100M"

/* "+", "-" or nothing, before find's number. */
static const char *
sign(const struct find *f, size_t i, const struct request_value *v)
{
    bool no = compose_negated(f->q, i);

    switch (v->bound) {
    case BOUND_MORE:
    case BOUND_AT_LEAST:
        return no ? "-" : "+";
    case BOUND_LESS:
    case BOUND_AT_MOST:
        return no ? "+" : "-";
    default:
        break;
    }
    if (compose_is(f->q, i + 1, "or") || compose_is(f->q, i + 1, "and"))
        i++;
    if (compose_is(f->q, i + 1, "more larger bigger greater above over up"))
        return "+";
    if (compose_is(f->q, i + 1, "less smaller under below"))
        return "-";
    return "";
}

/* find rounds sizes up to its unit: -1M would be empty files alone, so that
 * one of a unit is said in the next smaller one. It has no T. */
static void
add_size(struct find *f, const char *before, int64_t n, char unit)
{
    static const char units[] = "ckMGT";
    const char *u = unit ? strchr(units, unit) : units;

    u = u ? u : units;
    if (*u == 'T' || (*before == '-' && n == 1 && u > units)) {
        n *= KIB;
        u--;
    }
    find_test(f, FIND_SIZE, " -size %s%lld%c", before, (long long)n, *u);
}

static void
read_sizes(struct find *f)
{
    for (size_t i = find_value(f, SLOT_SIZE, 0); i != REQUEST_NONE;
         i = find_value(f, SLOT_SIZE, i + 1)) {
        const struct request_value *v = request_value_of(f->q, i);

        find_use(f, i);
        if (v->amount || *sign(f, i, v))
            add_size(f, sign(f, i, v), v->amount, v->unit);
        else
            find_test(f, FIND_SIZE, " -size 0");
    }
}

/* "10 blocks", "size 0", "bigger than 500 bytes" as two words */
static void
read_numbers(struct find *f)
{
    static const struct {
        const char *row, *unit;
    } rows[] = {
        {"{number} block|blocks", ""},
        {"{number} byte|bytes|b", "c"},
        {"{number} character|characters", "c"},
        {"size ?of|is|equals {number}", "c"},
        {"zero byte|bytes|size|length", ""},
    };
    struct compose_hit hit;

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const struct request_value *v;

        if (!find_sees(f, rows[i].row, &hit))
            continue;
        f->used |= hit.set;
        v = hit.at == REQUEST_NONE ? NULL : request_value_of(f->q, hit.at);
        if (!v || !v->amount)
            find_test(f, FIND_SIZE, " -size 0");
        else
            find_test(f, FIND_SIZE, " -size %s%lld%s", sign(f, hit.at, v),
                      (long long)v->amount, rows[i].unit);
    }
}

void
find_read_size(struct find *f)
{
    struct compose_hit hit;

    if (find_sees(f, "empty|zero-length|zero-byte|zero-sized", &hit)) {
        f->used |= hit.set;
        find_test(f, FIND_SIZE,
                  compose_negated(f->q, hit.from) ? " ! -empty" : " -empty");
    }
    if (find_says(f, "non-empty|nonempty"))
        find_test(f, FIND_SIZE, " ! -empty");
    read_sizes(f);
    read_numbers(f);
    if (!f->part[FIND_SIZE].len && !request_has(f->q, "than order sort by") &&
        find_sees(f, "big|large|huge file|files", &hit)) {
        find_use(f, hit.from);
        find_test(f, FIND_SIZE, " -size +" LARGE);
    }
}
