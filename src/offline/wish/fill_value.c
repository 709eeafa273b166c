/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fill_value.c - a value as a slot wants it, where it stands in a command. */
#include <ctype.h>
#include <inttypes.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "base/shell_quote.h"
#include "offline/compose/compose.h"
#include "offline/wish/fill_place.h"

#define VALUE_MAX (REQUEST_BYTES_MAX + PATH_MAX)

/* In seconds, and in bytes. */
static const struct unit {
    char unit;
    int64_t amount;
} times[] = {{'s', 1},          {'m', 60},        {'h', 3600},
             {'d', 86400},      {'w', 7 * 86400}, {'M', 30 * 86400},
             {'y', 365 * 86400}};
static const struct unit sizes[] = {{'c', 1},
                                    {'k', INT64_C(1) << 10},
                                    {'M', INT64_C(1) << 20},
                                    {'G', INT64_C(1) << 30},
                                    {'T', INT64_C(1) << 40}};

#define N_TIMES (sizeof(times) / sizeof(times[0]))
#define N_SIZES (sizeof(sizes) / sizeof(sizes[0]))

static int64_t
amount_of(const struct unit *units, size_t n, char unit)
{
    for (size_t i = 0; i < n; i++) {
        if (units[i].unit == unit)
            return units[i].amount;
    }
    return 0;
}

/* Rounded up, so that it never becomes 0. */
static int64_t
convert(enum slot_type slot, int64_t amount, char from, char to)
{
    const struct unit *u = slot == SLOT_SIZE ? sizes : times;
    size_t n = slot == SLOT_SIZE ? N_SIZES : N_TIMES;
    int64_t have = amount_of(u, n, from), want = amount_of(u, n, to);
    int64_t all;

    if (!have || !want || __builtin_mul_overflow(amount, have, &all))
        return amount;
    return all / want + (all % want > 0);
}

/* Options that take a pattern as it is, whichever dashes are before them. */
static const char *const pattern_options[] = {
    "name",    "iname",   "path",       "ipath",  "wholename", "lname", "regex",
    "include", "exclude", "iwholename", "ilname", "iregex",    "x", /* of zip */
};

#define N_PATTERN_OPTIONS (sizeof(pattern_options) / sizeof(pattern_options[0]))

/* Whether the shell is to expand a pattern there: not behind -name, nor in
 * --include=. */
static bool
is_operand(const struct fill_place *at)
{
    size_t end = at->n_before, from;

    if (end > 1 && memcmp(at->before + end - 2, "!(", 2) == 0)
        return true; /* a pattern of the shell's own */
    if (end == 0 || at->before[--end] != ' ')
        return false;
    for (from = end; from > 0 && at->before[from - 1] != ' '; from--)
        ;
    if (at->before[from] != '-')
        return true;
    for (; from < end && at->before[from] == '-'; from++)
        ;
    for (size_t i = 0; i < N_PATTERN_OPTIONS; i++) {
        if (strlen(pattern_options[i]) == end - from &&
            memcmp(pattern_options[i], at->before + from, end - from) == 0)
            return false;
    }
    return true;
}

/* Nothing but a pattern of plain characters, which expands to names. */
static bool
is_plain_glob(const char *text)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "abcdefghijklmnopqrstuvwxyz"
                                "0123456789_./-*?[]";

    return text[0] && text[0] != '-' && !text[strspn(text, plain)];
}

/* A path or a pattern as one shell reads it. */
static void
put_word(struct buf *out, enum slot_type slot, const char *text,
         const struct fill_place *at)
{
    bool names = slot == SLOT_PATH || slot == SLOT_GLOB;

    if (names && is_operand(at) && is_plain_glob(text))
        buf_str(out, text);
    else if (slot == SLOT_PATH)
        compose_word(out, text);
    else if (slot == SLOT_GLOB)
        compose_quoted(out, text);
    else
        shell_quote_word(out, text);
}

void
fill_text(struct buf *out, enum slot_type slot, const char *text,
          const struct fill_place *at)
{
    CLEANUP_BUF struct buf own = buf_of(VALUE_MAX);
    CLEANUP_BUF struct buf word = buf_of(FILL_WORD_MAX);
    bool names = slot == SLOT_PATH || slot == SLOT_GLOB;
    enum fill_reader reader = fill_reader(slot, at);

    if (names && strchr("-|", text[0]) && fill_begins_word(at))
        buf_str(&own, "./"); /* a file of that name, no option */
    else if (text[0] == '-' && fill_wants_e(at))
        buf_str(out, "-e ");
    buf_str(&own, text);
    if (fill_is_quoted(at)) {
        fill_inside(out, slot, own.p ? own.p : "", at);
    } else if (reader == FILL_READER_NONE) {
        put_word(out, slot, own.p ? own.p : "", at);
    } else {
        put_word(&word, slot, own.p, at);
        fill_for_reader(out, reader, word.p);
    }
}

static bool
is_amount(enum slot_type slot, const struct request_value *v)
{
    switch (slot) {
    case SLOT_NUMBER:
        return v->types & (1u << SLOT_NUMBER | 1u << SLOT_AGE);
    case SLOT_SIZE:
    case SLOT_AGE:
        return true;
    default:
        return false;
    }
}

static void
amount(struct buf *out, enum slot_type slot, const struct request_value *v,
       const struct fill_place *at)
{
    int64_t n = v->amount;

    if (at->unit && v->unit)
        n = convert(slot, n, v->unit, at->unit);
    buf_printf(out, "%" PRId64, n);
    if (slot != SLOT_SIZE || !v->unit || at->unit)
        return;
    /* find alone counts blocks where no unit stands */
    if (v->unit != 'c' || strstr(at->before, "-size"))
        buf_ch(out, v->unit);
}

/* Programs that start the one behind them. */
static bool
starts_others(const char *word, size_t n)
{
    static const char *const names[] = {"sudo",   "nohup",   "time",
                                        "nice",   "env",     "exec",
                                        "setsid", "timeout", "watch"};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (strlen(names[i]) == n && memcmp(names[i], word, n) == 0)
            return true;
    }
    return false;
}

/* Whether the name of a program stands there: nothing is before it in its
 * command but what starts others, with options and amounts. */
static bool
is_run(const struct fill_place *at)
{
    size_t from = at->n_before;
    const char *s = at->before, *end = at->before + at->n_before;

    while (from > 0 && !strchr(";|&", s[from - 1]))
        from--;
    if (memchr(s + from, '(', at->n_before - from))
        return false;
    for (s += from; s < end;) {
        size_t n = strcspn(s, " ");

        if (s + n > end)
            return false;
        if (n && !strchr("-{0123456789", *s) && !starts_others(s, n))
            return false;
        s += n + (s[n] == ' ');
    }
    return true;
}

/* A file that is here, for one who starts elsewhere: cron works in the home,
 * and neither the shell nor at looks for programs in the directory. */
static void
put_place(struct buf *out, enum slot_type slot, const struct request_value *v,
          const struct fill_place *at)
{
    enum fill_reader reader = fill_reader(slot, at);
    bool bare = !strchr(v->text, '/');
    char here[PATH_MAX];

    if (!v->exists || strchr("/~$", v->text[0]))
        return;
    if (reader == FILL_READER_CRON && getcwd(here, sizeof(here)) &&
        !strchr(here, '\n'))
        buf_printf(out, "%s/", here);
    else if (!v->is_dir && bare && (is_run(at) || fill_is_job(at)))
        buf_str(out, "./");
}

/* jpg, of .jpg and *.jpg. */
static const char *
extension_of(const struct request_value *v)
{
    const char *dot = v->is == SLOT_GLOB ? strrchr(v->text, '.') : NULL;

    return dot ? dot + 1 : v->text + strspn(v->text, ".");
}

void
fill_value(struct buf *out, enum slot_type slot, const struct request_value *v,
           const struct fill_place *at)
{
    CLEANUP_BUF struct buf text = buf_of(VALUE_MAX);

    if (is_amount(slot, v)) {
        amount(out, slot, v, at);
        return;
    }
    if (slot == SLOT_EXT)
        buf_str(&text, extension_of(v));
    else if ((slot == SLOT_GLOB || slot == SLOT_PATH) && v->is == SLOT_EXT)
        buf_printf(&text, "*.%s", extension_of(v));
    else if (slot == SLOT_PORT)
        buf_str(&text, v->text + (v->text[0] == ':'));
    else {
        put_place(&text, slot, v, at);
        buf_str(&text, v->text);
    }
    fill_text(out, slot, text.p, at);
}
