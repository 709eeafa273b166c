/* SPDX-License-Identifier: GPL-3.0-or-later */
/* find_measures.c - find: size, time, permissions and owner of files. */
#include <string.h>

#include "base/array.h"
#include "offline/generate/find.h"

#define KIB 1024

/* The size for "big files" without a number. */
#define LARGE "100M"

/* "+", "-" or nothing, before find's number. */
static const char *
size_sign(const struct find *f, size_t i, const struct request_value *v)
{
    bool no = generate_negated(f->q, i);

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
    if (generate_is(f->q, i + 1, "or") || generate_is(f->q, i + 1, "and"))
        i++;
    if (generate_is(f->q, i + 1, "more larger bigger greater above over up"))
        return "+";
    if (generate_is(f->q, i + 1, "less smaller under below"))
        return "-";
    return "";
}

/* Adds a size. find rounds sizes up to the unit, so that -1M matches only empty
 * files: one unit is written in the next smaller unit. find has no T. */
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
        if (v->amount || *size_sign(f, i, v))
            add_size(f, size_sign(f, i, v), v->amount, v->unit);
        else
            find_test(f, FIND_SIZE, " -size 0");
    }
}

/* "10 blocks", "size 0", "bigger than 500 bytes" as two words */
static void
read_measures(struct find *f)
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
    struct generate_hit hit;

    for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
        const struct request_value *v;

        if (!find_sees(f, rows[i].row, &hit))
            continue;
        f->used |= hit.set;
        v = hit.at == REQUEST_NONE ? NULL : request_value_of(f->q, hit.at);
        if (!v || !v->amount)
            find_test(f, FIND_SIZE, " -size 0");
        else
            find_test(f, FIND_SIZE, " -size %s%lld%s", size_sign(f, hit.at, v),
                      (long long)v->amount, rows[i].unit);
    }
}

void
find_read_size(struct find *f)
{
    struct generate_hit hit;

    if (find_sees(f, "empty|zero-length|zero-byte|zero-sized", &hit)) {
        f->used |= hit.set;
        find_test(f, FIND_SIZE,
                  generate_negated(f->q, hit.from) ? " ! -empty" : " -empty");
    }
    if (find_says(f, "non-empty|nonempty"))
        find_test(f, FIND_SIZE, " ! -empty");
    read_sizes(f);
    read_measures(f);
    if (!f->part[FIND_SIZE].len && !request_has(f->q, "than order sort by") &&
        find_sees(f, "big|large|huge file|files", &hit)) {
        find_use(f, hit.from);
        find_test(f, FIND_SIZE, " -size +" LARGE);
    }
}

/* Times: modified, read, changed. */

#define ACCESS                                                                 \
    "access accessed accessing read opened open used use atime viewed"
#define STATUS                                                                 \
    "status created create creation birth attribute attributes ctime metadata"
/* "nobody touched for a week", "unused for a week" */
#define CONTRARY                                                               \
    "not never havent hasnt nobody unchanged untouched unmodified unused "     \
    "unread"

/* The time that word i names: 'a', 'c' or 'm'. */
static char
clock_of(const struct find *f, size_t i)
{
    for (size_t at = i; at-- > 0;) {
        if (generate_is(f->q, at, ACCESS))
            return 'a';
        if (generate_is(f->q, at, STATUS))
            return 'c';
        if (at && generate_is(f->q, at - 1, STATUS))
            return 'c';
        if (generate_is(f->q, at,
                        "modified modify change changed edited touched "
                        "updated modification written"))
            break;
    }
    return 'm';
}

/* The words that name the time. */
static void
use_clock(struct find *f)
{
    for (size_t i = 0; i < f->q->n; i++)
        if (generate_is(f->q, i,
                        ACCESS
                        " " STATUS " modified modify edited "
                        "changed modification updated change ago last "
                        "past touch time older newer within recent recently"))
            find_use(f, i);
}

static bool
is_word_near(const struct find *f, size_t i, const char *list)
{
    for (size_t n = 0; n < 3 && i-- > 0; n++)
        if (generate_is(f->q, i, list))
            return true;
    return false;
}

/* "all but those of the last week": no other value is what is left out. */
static bool
is_left_out(const struct find *f, size_t i)
{
    while (i-- > 1 && !request_value_of(f->q, i))
        if (generate_is(f->q, i, "but except"))
            return generate_is(f->q, i - 1, "all everything");
    return false;
}

/* "+", "-" or nothing: find's number of an age. */
static const char *
age_sign(const struct find *f, size_t i, const struct request_value *v)
{
    static const char *const flip[] = {"+", "-"};
    /* "not read for a year" is more than a year, as the bound says */
    bool since = i && v->bound == BOUND_MORE && generate_is(f->q, i - 1, "for");
    bool no = !since && (generate_negated(f->q, i) ||
                         is_word_near(f, i, CONTRARY) || is_left_out(f, i));

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
    if (is_word_near(f, i, "older over before above"))
        return flip[no];
    if (generate_is(f->q, i + 1, "ago") || generate_is(f->q, i + 1, "before"))
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

    for (size_t i = 0; i < ARRAY_SIZE(units); i++) {
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

/* Adds today or yesterday, which begin at midnight. Returns whether it was
 * one. */
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
            add_age(f, clock, age_sign(f, i, v), v->amount, v->unit);
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
    struct generate_hit hit;

    for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
        while (find_sees(f, rows[i].row, &hit) &&
               !generate_may(request_value_of(f->q, hit.at), SLOT_AGE)) {
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
                      is_word_near(f, i, "before until older");
        bool after = v->bound == BOUND_MORE || v->bound == BOUND_AT_LEAST ||
                     is_word_near(f, i, "after since newer from");
        CLEANUP_BUF struct buf day = buf_of(FIND_PART_BYTES);
        CLEANUP_BUF struct buf next = buf_of(FIND_PART_BYTES);
        CLEANUP_BUF struct buf text = buf_of(FIND_PART_BYTES);

        generate_quoted(&day, v->text);
        buf_printf(&text, "%s +1 day", v->text);
        generate_quoted(&next, text.p);
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

/* Permissions. */

#define WHO_OTHER "others|other|world|everyone|anyone|everybody|anybody"
#define WHO_ALL   "all|everybody|everyone"

/* Permissions that have names. */
static const struct named {
    const char *row, *text;
} named[] = {
    {"read write execute ?permission|permissions ?set ?for|to|by "
     "all|everyone|everybody ?user|users",
     " -perm 777"},
    {"suid|setuid|set-uid", " -perm -4000"},
    {"set user|uid id|bit", " -perm -4000"},
    {"sgid|setgid|set-gid|guid", " -perm -2000"},
    {"set group|gid|guid id|bit", " -perm -2000"},
    {"sticky ?bit", " -perm -1000"},
    {"world|globally writable|writeable", " -perm -o+w"},
    {WHO_OTHER "|anyone|all can execute|run", " -perm -a+x"},
    {WHO_OTHER " can read", " -perm -o+r"},
    {"writable|writeable by|for|to " WHO_OTHER, " -perm -o+w"},
    {WHO_OTHER " can write", " -perm -o+w"},
    {"writable|writeable by|for|to ?its group", " -perm -g+w"},
    {"group writable|writeable", " -perm -g+w"},
    {"world readable", " -perm -o+r"},
    {"readable by|for|to " WHO_OTHER, " -perm -o+r"},
    {"executable|execute|executed by|for|to|permission " WHO_ALL,
     " -perm -a+x"},
    {"executable by|for ?their|its owner|user", " -perm -u+x"},
    {"writable|writeable", " -writable"},
    {"readable|unreadable", " -readable"},
    {"executable|executables", " -executable"},
};

static void
read_named(struct find *f)
{
    struct generate_hit hit;

    for (size_t i = 0; i < ARRAY_SIZE(named); i++) {
        bool no;

        if (!find_sees(f, named[i].row, &hit))
            continue;
        no = generate_negated(f->q, hit.from) ||
             generate_is(f->q, hit.from, "unreadable");
        f->used |= hit.set;
        find_test(f, FIND_PERM, "%s%s", no ? " !" : "", named[i].text);
    }
    if (f->part[FIND_PERM].len) {
        find_says(f, "bit ?set|on|enabled");
        find_says(f, "permission|permissions");
    }
}

/* "mode 755", "at least 644", "any of u+x": what find puts before a mode. */
static const char *
match_mode(const struct find *f, size_t i, const struct request_value *v)
{
    if (v->bound == BOUND_AT_LEAST || v->bound == BOUND_MORE)
        return "-";
    if (i >= 2 && generate_is(f->q, i - 1, "of") &&
        generate_is(f->q, i - 2, "any some one"))
        return "/";
    if (i && generate_is(f->q, i - 1, "least"))
        return "-";
    return strpbrk(v->text, "+") ? "-" : "";
}

/* Reads modes that files have: those with "permission", or before the mode that
 * is to be set. find_actions.c has read that one already. */
static void
read_modes(struct find *f)
{
    for (size_t i = find_value(f, SLOT_MODE, 0); i != REQUEST_NONE;
         i = find_value(f, SLOT_MODE, i + 1)) {
        const struct request_value *v = request_value_of(f->q, i);

        if (v->is != SLOT_MODE &&
            !request_has(f->q, "permission permissions mode chmod perm"))
            continue;
        find_use(f, i);
        find_test(f, FIND_PERM, "%s -perm %s",
                  generate_negated(f->q, i) ? " !" : "", match_mode(f, i, v));
        generate_word(&f->part[FIND_PERM], v->text);
        find_says(f, "permission|permissions|mode|perm ?set");
    }
}

void
find_read_perm(struct find *f)
{
    read_modes(f);
    read_named(f);
}

/* Owner and other facts of the inode. */

#define BY "owned|belong|belonging|belongs"

/* Rows with an operand; longer ones first. */
static const struct owner {
    const char *row, *text;
} owners[] = {
    {BY " by|to group {}", " -group"},
    {"group id|gid {number}", " -gid"},
    {"gid {number}", " -gid"},
    {"user id|uid {number}", " -uid"},
    {"uid {number}", " -uid"},
    {"group owner|ownership ?is {}", " -group"},
    {BY " by|to ?user {user}", " -user"},
    {BY " by|to user {}", " -user"},
    {BY " by|to {}", " -user"},
    {"owner ?is {}", " -user"},
    {"whose group ?is {}", " -group"},
    {"group {group}", " -group"},
    {"group {name}", " -group"},
    {"user {user}", " -user"},
    {"{user} file|files", " -user"},
    {"inode ?number ?of {number}", " -inum"},
    {"{number} hard ?link|links", " -links"},
    {"{number} links", " -links"},
    {"hard ?link|links to|of ?file {path}", " -samefile"},
    {"same file|inode as ?file {path}", " -samefile"},
    {"link|links|symlink|symlinks|point|pointing|points to ?file|path {path}",
     " -lname"},
};

static const struct nobody {
    const char *row, *text;
} nobodies[] = {
    {"no|any ?known|valid|existing user|owner or|nor|and ?no|any ?valid group",
     " \\( -nouser -o -nogroup \\)"},
    {BY " ?by|to no|nonexistent|any ?known|valid|existing user|one|owner",
     " -nouser"},
    {"no|without|missing|nonexistent ?known|valid|existing user|owner",
     " -nouser"},
    {BY " ?by|to no|any|nonexistent ?known|valid|existing group", " -nogroup"},
    {"no|without ?known|valid|existing group", " -nogroup"},
};

static void
read_nobody(struct find *f)
{
    for (size_t i = 0; i < ARRAY_SIZE(nobodies); i++)
        if (find_says(f, nobodies[i].row)) {
            find_test(f, FIND_OWNER, "%s", nobodies[i].text);
            return;
        }
}

void
find_read_owner(struct find *f)
{
    struct generate_hit hit;

    read_nobody(f);
    for (size_t i = 0; i < ARRAY_SIZE(owners); i++)
        while (find_sees(f, owners[i].row, &hit)) {
            const struct request_value *v = request_value_of(f->q, hit.at);
            const char *more = "";

            if (!generate_is_name(f->q, hit.at))
                break;

            if (v && v->bound == BOUND_MORE)
                more = "+";
            f->used |= hit.set;
            find_test(f, FIND_OWNER, "%s%s %s",
                      generate_negated(f->q, hit.from) ? " !" : "",
                      owners[i].text, more);
            find_add_word(f, &f->part[FIND_OWNER], hit.at);
        }
}
