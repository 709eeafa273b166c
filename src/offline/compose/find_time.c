/* SPDX-License-Identifier: GPL-3.0-or-later */
/* find_time.c - when files were modified, read or changed. */
#include <string.h>

#include "offline/compose/find.h"

#define ACCESS                                                                 \
    "access accessed accessing read opened open used use atime viewed"
#define STATUS                                                                 \
    "status created create creation birth attribute attributes ctime metadata"
/* "nobody touched for a week", "unused for a week" */
#define CONTRARY                                                               \
    "not never havent hasnt nobody unchanged untouched unmodified unused "     \
    "unread"

/* Which of a file's times is meant by what stands at word i: 'a', 'c', 'm'. */
static char
clock_of(const struct find *f, size_t i)
{
    for (size_t at = i; at-- > 0;) {
        if (compose_is(f->q, at, ACCESS))
            return 'a';
        if (compose_is(f->q, at, STATUS))
            return 'c';
        if (at && compose_is(f->q, at - 1, STATUS))
            return 'c';
        if (compose_is(f->q, at,
                       "modified modify change changed edited touched "
                       "updated modification written"))
            break;
    }
    return 'm';
}

/* The words that said which time. */
static void
use_clock(struct find *f)
{
    for (size_t i = 0; i < f->q->n; i++)
        if (compose_is(f->q, i,
                       ACCESS
                       " " STATUS " modified modify edited "
                       "changed modification updated change ago last "
                       "past touch time older newer within recent recently"))
            find_use(f, i);
}

static bool
near(const struct find *f, size_t i, const char *list)
{
    for (size_t n = 0; n < 3 && i-- > 0; n++)
        if (compose_is(f->q, i, list))
            return true;
    return false;
}

/* "all but those of the last week": no other value is what is left out. */
static bool
is_left_out(const struct find *f, size_t i)
{
    while (i-- > 1 && !request_value_of(f->q, i))
        if (compose_is(f->q, i, "but except"))
            return compose_is(f->q, i - 1, "all everything");
    return false;
}

/* "+", "-" or nothing: find's number of an age. */
static const char *
sign(const struct find *f, size_t i, const struct request_value *v)
{
    static const char *const flip[] = {"+", "-"};
    /* "not read for a year" is more than a year, as the bound says */
    bool since = i && v->bound == BOUND_MORE && compose_is(f->q, i - 1, "for");
    bool no = !since && (compose_negated(f->q, i) || near(f, i, CONTRARY) ||
                         is_left_out(f, i));

    switch (v->bound) {
    case BOUND_MORE:
    case BOUND_AT_LEAST:
        return flip[no];
    case BOUND_LESS:
    case BOUND_AT_MOST:
        return flip[!no];
    case BOUND_EXACT:
        return "";
    default:
        break;
    }
    if (near(f, i, "older over before above"))
        return flip[no];
    if (compose_is(f->q, i + 1, "ago") || compose_is(f->q, i + 1, "before"))
        return "";
    return flip[!no];
}

static void
add_age(struct find *f, char clock, const char *before, int64_t n, char unit)
{
    static const struct {
        char unit;
        int64_t minutes, days;
    } units[] = {
        {'m', 1, 0}, {'h', 60, 0}, {'d', 0, 1},
        {'w', 0, 7}, {'M', 0, 30}, {'y', 0, 365},
    };

    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
        if (units[i].unit != unit)
            continue;
        if (unit == 'h' && n % 24 == 0 && n)
            find_test(f, FIND_TIME, " -%ctime %s%lld", clock, before,
                      (long long)n / 24);
        else if (units[i].days)
            find_test(f, FIND_TIME, " -%ctime %s%lld", clock, before,
                      (long long)(n * units[i].days));
        else
            find_test(f, FIND_TIME, " -%cmin %s%lld", clock, before,
                      (long long)(n * units[i].minutes));
        return;
    }
    find_test(f, FIND_TIME, " %s-newer%ct '%lld seconds ago'",
              *before == '+' ? "! " : "", clock, (long long)n);
}

/* today, yesterday: days that begin at midnight. Whether it was one. */
static bool
add_day(struct find *f, char clock, const struct request_value *v)
{
    bool today = !strcmp(v->text, "today");

    if (!today && strcmp(v->text, "yesterday"))
        return false;
    find_test(f, FIND_DEPTH, " -daystart");
    find_test(f, FIND_TIME, " -%ctime %d", clock, today ? 0 : 1);
    return true;
}

static void
read_ages(struct find *f)
{
    bool any = false;

    for (size_t i = find_value(f, SLOT_AGE, 0); i != REQUEST_NONE;
         i = find_value(f, SLOT_AGE, i + 1)) {
        const struct request_value *v = request_value_of(f->q, i);
        char clock = clock_of(f, i);

        find_use(f, i);
        any = true;
        if (!add_day(f, clock, v))
            add_age(f, clock, sign(f, i, v), v->amount, v->unit);
    }
    if (any)
        use_clock(f);
}

/* "newer than FILE", "modified after FILE" */
static void
read_newer(struct find *f)
{
    static const struct {
        const char *row;
        const char *text;
    } rows[] = {
        {"not|isnt newer|modified than|after ?file {path}", " ! -newer "},
        {"accessed|read ?more ?recently than|after|since ?file {path}",
         " -anewer "},
        {"status changed than|after|since ?file {path}", " -cnewer "},
        {"newer ?than ?file {path}", " -newer "},
        {"newer ?than ?file {name}", " -newer "},
        {"more recent|recently than ?file {path}", " -newer "},
        {"modified|changed|updated ?later after|since|than ?file {path}",
         " -newer "},
        {"older ?than ?file {path}", " ! -newer "},
        {"older ?than ?file {name}", " ! -newer "},
        {"modified|changed|updated before|earlier ?than ?file {path}",
         " ! -newer "},
    };
    struct compose_hit hit;

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        while (find_sees(f, rows[i].row, &hit) &&
               !compose_may(request_value_of(f->q, hit.at), SLOT_AGE)) {
            f->used |= hit.set;
            find_test(f, FIND_TIME, "%s", rows[i].text);
            find_add_word(f, &f->part[FIND_TIME], hit.at);
        }
}

/* "after 2024-05-01", "before …", "between … and …", "on …" */
static void
read_dates(struct find *f)
{
    for (size_t i = find_value(f, SLOT_DATE, 0); i != REQUEST_NONE;
         i = find_value(f, SLOT_DATE, i + 1)) {
        const struct request_value *v = request_value_of(f->q, i);
        char clock = clock_of(f, i);
        bool before = v->bound == BOUND_LESS || v->bound == BOUND_AT_MOST ||
                      near(f, i, "before until older");
        bool after = v->bound == BOUND_MORE || v->bound == BOUND_AT_LEAST ||
                     near(f, i, "after since newer from");
        CLEANUP_BUF struct buf day = buf_of(FIND_PART_BYTES);
        CLEANUP_BUF struct buf next = buf_of(FIND_PART_BYTES);
        CLEANUP_BUF struct buf text = buf_of(FIND_PART_BYTES);

        compose_quoted(&day, v->text);
        buf_printf(&text, "%s +1 day", v->text);
        compose_quoted(&next, text.p);
        f->none |= day.bad || next.bad || text.bad;
        find_use(f, i);
        if (before || after)
            find_test(f, FIND_TIME, " %s-newer%ct %s", before ? "! " : "",
                      clock, day.p);
        else
            find_test(f, FIND_TIME, " -newer%ct %s ! -newer%ct %s", clock,
                      day.p, clock, next.p);
        use_clock(f);
    }
}

void
find_read_time(struct find *f)
{
    read_newer(f);
    read_ages(f);
    read_dates(f);
}
