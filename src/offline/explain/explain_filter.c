/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain_filter.c - sort, uniq, head, tail and wc, said of what they read. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "offline/explain/explain_phrase.h"

static const struct fact_option *
has(const struct sayer *s, const char *option)
{
    return fact_option(s->f, option, strlen(option));
}

/* The value of one of two options; "" without. */
static const char *
value_of(const struct sayer *s, const char *a, const char *b, char text[64])
{
    const struct fact_option *o = has(s, a);
    size_t n;

    if (!o && b)
        o = has(s, b);
    n = o ? o->to - o->from : 0;
    if (n >= 64)
        n = 0;
    if (n > 0)
        memcpy(text, s->x->line + o->from, n);
    text[n] = '\0';
    return text;
}

/* What is read: the files that are named, or what came before. */
static void
begin(struct sayer *s)
{
    struct phrase *out = s->out;
    const struct phrase *in = s->in;

    s->in_used = s->f->n_operands == 0 && in;
    if (s->in_used && in->many) {
        buf_str(&out->verb, in->verb.p);
        buf_str(&out->noun, in->noun.p);
        buf_str(&out->rest, in->rest.p);
        buf_str(&out->tail, in->tail.p);
        memcpy(out->columns, in->columns, sizeof(out->columns));
        out->order = in->order;
        out->many = true;
        return;
    }
    buf_str(&out->verb, "shows");
    buf_str(&out->noun, "lines");
    out->many = true;
    if (s->f->n_operands > 0 || s->each) {
        struct sayer files = *s;
        struct phrase made;

        phrase_init(&made);
        files.out = &made;
        if (template_say(&files))
            buf_str(&out->rest, made.rest.p);
        s->each_used = files.each_used;
        phrase_done(&made);
    } else if (in) {
        buf_printf(&out->rest, " of %s", in->noun.p);
    }
}

static void
say_sort(struct sayer *s)
{
    struct phrase *out = s->out;
    char text[64];
    const char *k = value_of(s, "-k", NULL, text);
    size_t column = *k ? strtoul(k, NULL, 10) : 1;
    bool down = has(s, "-r") || strchr(k, 'r');
    bool number = has(s, "-n") || has(s, "-h") || has(s, "-g") ||
                  strpbrk(k, "nhg");
    enum phrase_key key = column < PHRASE_COLUMNS ? out->columns[column]
                                                  : KEY_NONE;

    out->order = NULL;
    if (has(s, "-R")) {
        buf_str(&out->tail, ", in random order");
    } else if (number && key) {
        out->order = key_order(key, down);
    } else {
        buf_str(&out->tail, ", sorted");
        if (*k && column > 0)
            buf_printf(&out->tail, " by field %zu", column);
        if (number)
            buf_printf(&out->tail, " as numbers, the %s first",
                       down ? "largest" : "smallest");
        else if (down)
            buf_str(&out->tail, " backwards");
    }
    if (has(s, "-u"))
        buf_str(&out->tail, ", each once");
    if (*value_of(s, "-o", NULL, text))
        buf_printf(&out->tail, ", and writes that into %s", text);
}

/* Takes a clause out of what is said behind: ", sorted as numbers, the largest
 * first". */
static void
drop_clause(struct buf *tail, const char *clause)
{
    char *at = strstr(tail->p, clause);
    const char *end = at ? strstr(at + 2, ", ") : NULL;
    size_t n;

    if (!at)
        return;
    if (end && strncmp(end, ", the ", 6) == 0)
        end = strstr(end + 2, ", ");
    n = end ? (size_t)(end - at) : strlen(at);
    memmove(at, at + n, strlen(at + n) + 1);
    buf_cut(tail, tail->len - n);
}

/* What is done next does not depend on the order of the lines. */
static void
drop_order(struct phrase *out)
{
    drop_clause(&out->tail, ", sorted");
    drop_clause(&out->tail, ", in random order");
    out->order = NULL;
}

/* uniq -c ends its sentence with a word that nothing can follow; whether it
 * did. */
static bool
drop_occurs(struct buf *tail)
{
    static const char word[] = "occurs";
    size_t n = sizeof(word) - 1;

    if (tail->len < n || strcmp(tail->p + tail->len - n, word) != 0)
        return false;
    buf_cut(tail, tail->len - n);
    while (tail->len > 0 && strchr(" ,", tail->p[tail->len - 1]))
        buf_cut(tail, tail->len - 1);
    return true;
}

static void
say_uniq(struct sayer *s)
{
    struct phrase *out = s->out;

    drop_order(out);
    if (has(s, "-c")) {
        buf_clear(&out->verb);
        buf_str(&out->verb, "counts how often each of");
        buf_str(&out->tail, out->tail.len > 0 ? ", occurs" : " occurs");
        memset(out->columns, 0, sizeof(out->columns));
        out->columns[1] = KEY_COUNT;
    } else if (has(s, "-d") || has(s, "-D")) {
        buf_str(&out->tail, ", those that are repeated");
    } else if (has(s, "-u")) {
        buf_str(&out->tail, ", those that occur only once");
    } else {
        buf_str(&out->tail, ", each once");
    }
}

/* "the ten largest files", "the first ten lines". */
static void
cut_to(struct phrase *out, long n, const char *order, const char *place)
{
    CLEANUP_BUF struct buf noun = buf_of(PHRASE_PART_MAX);

    buf_printf(&noun, "%s", order ? "" : place);
    if (n != 1 && !order)
        buf_ch(&noun, ' ');
    if (n != 1)
        value_number(n, &noun);
    if (order)
        buf_printf(&noun, "%s%s", n != 1 ? " " : "", order);
    if (n == 1)
        buf_str(&noun, " one of the");
    buf_printf(&noun, " %s", out->noun.p);
    buf_clear(&out->noun);
    buf_str(&out->noun, noun.p);
    if (order)
        drop_order(out);
    if (strncmp(out->verb.p, "counts", 6) == 0) {
        buf_clear(&out->verb);
        buf_str(&out->verb, "shows");
        (void)drop_occurs(&out->tail);
    }
    out->order = NULL;
}

/* A text stands for the bytes: "the first 20 bytes of a.bin". */
static void
say_bytes(struct phrase *out, const char *count, const char *place)
{
    CLEANUP_BUF struct buf noun = buf_of(PHRASE_PART_MAX);

    buf_printf(&noun, "%s %s bytes%s", place, count, out->rest.p);
    buf_clear(&out->noun);
    buf_clear(&out->rest);
    buf_str(&out->noun, noun.p);
}

/* How many lines, whatever sign stands before that: ten where none is said.
 * What strtol cannot hold is as good as its most. */
static long
count_of(const char *n)
{
    return *n ? strtol(n + (*n == '-' || *n == '+'), NULL, 10) : 10;
}

static void
say_head(struct sayer *s)
{
    char text[64];
    const char *n = value_of(s, "-n", "-NUM", text);

    if (has(s, "-c"))
        say_bytes(s->out, value_of(s, "-c", NULL, text), "first");
    else if (*n == '-')
        buf_printf(&s->out->tail, ", all but the last %ld", count_of(n));
    else
        cut_to(s->out, count_of(n), s->out->order, "first");
}

/* tail -n +2 */
static void
say_from(struct phrase *out, long n)
{
    buf_str(&out->tail, ", from the ");
    value_ordinal(n, &out->tail);
    buf_str(&out->tail, " on");
}

static void
say_tail(struct sayer *s)
{
    struct phrase *out = s->out;
    char text[64];
    const char *n = value_of(s, "-n", "-NUM", text);
    const char *order = out->order ? key_other_end(out->order) : NULL;

    if (has(s, "-c"))
        say_bytes(out, value_of(s, "-c", NULL, text), "last");
    else if (*n == '+')
        say_from(out, count_of(n));
    else
        cut_to(out, count_of(n), order, "last");
    if (has(s, "-f") || has(s, "-F"))
        buf_str(&out->tail, ", and those that are added from now on");
}

static void
say_wc(struct sayer *s)
{
    static const struct {
        const char *option, *what;
    } counts[] = {{"-w", "words"}, {"-c", "bytes"}, {"-m", "characters"}};
    struct phrase *out = s->out;
    CLEANUP_BUF struct buf thing = buf_of(PHRASE_PART_MAX);

    buf_clear(&out->verb);
    buf_str(&out->verb, "counts");
    drop_order(out);
    if (drop_occurs(&out->tail))
        buf_str(&out->tail, ", each once");
    if (has(s, "-l"))
        return;
    phrase_thing(out, &thing);
    buf_clear(&out->noun);
    buf_clear(&out->rest);
    buf_str(&out->noun, "lines, words and bytes");
    for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
        if (has(s, counts[i].option)) {
            buf_clear(&out->noun);
            buf_str(&out->noun, counts[i].what);
        }
    buf_printf(&out->rest, " of %s", thing.p);
}

static const struct {
    const char *name;
    void (*say)(struct sayer *s);
} filters[] = {
    {"sort", say_sort}, {"uniq", say_uniq}, {"head", say_head},
    {"tail", say_tail}, {"wc", say_wc},
};

bool
filter_say(struct sayer *s)
{
    if (!s->f->p || (!s->in && !s->each && s->f->n_operands == 0))
        return false;
    for (size_t i = 0; i < sizeof(filters) / sizeof(filters[0]); i++)
        if (strcmp(filters[i].name, s->f->p->name) == 0) {
            begin(s);
            filters[i].say(s);
            return true;
        }
    return false;
}
