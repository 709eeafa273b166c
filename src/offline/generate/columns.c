/* SPDX-License-Identifier: GPL-3.0-or-later */
/* columns.c - generates cut, awk and paste commands for columns. */
#include <string.h>

#include "base/array.h"
#include "offline/generate/builder.h"
#include "offline/generate/generate.h"

static const char columns[] = "column columns field fields";
static const char refused[] = "find process processes sort sorted unique "
                              "database table window match delete remove "
                              "rename grep join ls";

#define COLUMNS_MAX 4

struct columns {
    long v[COLUMNS_MAX]; /* -1: the last one */
    size_t n;
    bool range;            /* from the first to the second */
    const char *separator; /* a byte; NULL: blanks */
};

static const struct {
    const char *words, *separator;
} separators[] = {
    {"comma commas comma-separated comma-delimited csv", ","},
    {"colon colons colon-separated colon-delimited", ":"},
    {"semicolon semicolons semicolon-separated", ";"},
    {"tab tabs tab-separated tab-delimited tsv", "\\t"},
    {"pipe pipes pipe-separated", "|"},
    {"slash slashes", "/"},
    {"dash dashes hyphen hyphens", "-"},
    {"dot dots", "."},
    {"equals equal", "="},
    {"space spaces blank blanks space-separated", " "},
};

static void
read_separator(struct builder *k, struct columns *c)
{
    const struct literal *l;

    for (size_t i = 0; i < k->l->n; i++) {
        l = &k->l->v[i];
        if (!builder_is_free(k, l) || !l->value->quoted ||
            strlen(l->value->text) > 2 ||
            (strlen(l->value->text) == 2 && l->value->text[0] != '\\'))
            continue;
        builder_mark(k, l->word);
        builder_says(k, "delimiter separator separated delimited");
        c->separator = l->value->text;
        return;
    }
    for (size_t i = 0; i < ARRAY_SIZE(separators); i++)
        if (builder_says(k, separators[i].words)) {
            builder_says(k, "delimiter separator separated delimited");
            c->separator = separators[i].separator;
            return;
        }
}

/* "data.csv" says its separator itself. */
static void
guess_separator(const struct builder *k, struct columns *c)
{
    if (c->separator)
        return;
    if (builder_has_ending(k, ".csv"))
        c->separator = ",";
    else if (builder_has_ending(k, ".tsv"))
        c->separator = "\\t";
    else if (builder_has_ending(k, "/etc/passwd") ||
             builder_has_ending(k, "/etc/group"))
        c->separator = ":";
}

static void
add_column(struct columns *c, long n)
{
    if (c->n < COLUMNS_MAX)
        c->v[c->n++] = n;
}

static void
read_column_numbers(struct builder *k, struct columns *c)
{
    static const struct {
        const char *words;
        long n;
    } ordinals[] = {
        {"first 1st", 1},  {"second 2nd", 2}, {"third 3rd", 3},
        {"fourth 4th", 4}, {"fifth 5th", 5},  {"sixth 6th", 6},
        {"last", -1},
    };

    for (size_t i = 0; i < ARRAY_SIZE(ordinals); i++)
        if (builder_says(k, ordinals[i].words))
            add_column(c, ordinals[i].n);
    for (size_t i = 0; i < k->l->n; i++) {
        const struct literal *l = &k->l->v[i];

        if (!builder_is_free(k, l) || l->value->is != SLOT_NUMBER ||
            l->value->amount < 1)
            continue;
        builder_mark(k, l->word);
        add_column(c, (long)l->value->amount);
    }
    c->range = c->n == 2 && c->v[0] > 0 && c->v[1] > c->v[0] &&
               builder_says(k, "to through until between - thru");
}

static void
put_awk_start(struct builder *k, const struct columns *c)
{
    buf_str(&k->out, "awk ");
    if (!c->separator || !strcmp(c->separator, " "))
        return;
    buf_str(&k->out, "-F");
    if (!strcmp(c->separator, ",") || !strcmp(c->separator, ":"))
        buf_str(&k->out, c->separator);
    else
        generate_quoted(&k->out, c->separator);
    buf_ch(&k->out, ' ');
}

static void
put_awk_column(struct buf *out, long n)
{
    if (n < 0)
        buf_str(out, "$NF");
    else
        buf_printf(out, "$%ld", n);
}

static void
put_awk(struct builder *k, const struct columns *c)
{
    put_awk_start(k, c);
    buf_str(&k->out, "'{print ");
    for (size_t i = 0; i < c->n; i++) {
        if (i)
            buf_str(&k->out, ", ");
        put_awk_column(&k->out, c->v[i]);
    }
    buf_str(&k->out, "}'");
}

static bool
put_cut(struct builder *k, const struct columns *c)
{
    buf_str(&k->out, "cut");
    if (c->separator && strcmp(c->separator, "\\t")) {
        buf_str(&k->out, " -d");
        if (!strcmp(c->separator, ",") || !strcmp(c->separator, ":") ||
            !strcmp(c->separator, "=") || !strcmp(c->separator, "/"))
            buf_str(&k->out, c->separator);
        else
            generate_quoted(&k->out, c->separator);
    }
    buf_str(&k->out, " -f");
    for (size_t i = 0; i < c->n; i++) {
        if (c->v[i] < 0)
            return false;
        if (i)
            buf_ch(&k->out, c->range ? '-' : ',');
        buf_printf(&k->out, "%ld", c->v[i]);
    }
    return true;
}

/* Appends the files, or feeds a quoted text by a pipe. */
static bool
put_column_input(struct builder *k)
{
    if (builder_files(k, ROLE_ANY & ~(1u << ROLE_TO)) || k->piped)
        return true;
    if (!builder_has(k, "file line lines input stdin output each"))
        return false;
    builder_open(k, "FILE");
    return true;
}

static int
add_both(struct builder *k, const struct columns *c, struct shortlist *s,
         struct err *e)
{
    uint64_t used;
    bool cut_first = c->separator && strcmp(c->separator, " ");

    if (builder_says(k, "swap exchange switch") && c->n == 2) {
        put_awk_start(k, c);
        buf_printf(&k->out, "'{t = $%ld; $%ld = $%ld; $%ld = t; print}'",
                   c->v[0], c->v[0], c->v[1], c->v[1]);
        return put_column_input(k)
                   ? builder_add(k, s, FIT_SURE, "swap two columns", e)
                   : 0;
    }
    builder_says(k, columns);
    used = k->used;
    put_awk(k, c);
    if (!put_column_input(k))
        return 0;
    if (builder_add(k, s, cut_first ? FIT_LIKELY : FIT_SURE, "columns of lines",
                    e) < 0)
        return -1;
    builder_again(k);
    k->used = used;
    if (!put_cut(k, c) || !put_column_input(k))
        return 0;
    return builder_add(k, s, cut_first ? FIT_SURE : FIT_LIKELY,
                       "columns of lines", e);
}

/* "sum of the second column", "average of the numbers in x" */
static int
add_sum(struct builder *k, struct columns *c, struct shortlist *s,
        struct err *e)
{
    bool average = builder_says(k, "average mean avg");
    bool max = builder_says(k, "maximum max largest highest biggest");
    bool min = !max && builder_says(k, "minimum min smallest lowest");
    long n = c->n ? c->v[0] : 1;

    if (!average && !max && !min && !builder_says(k, "sum total add up"))
        return 0;
    builder_says(k, columns);
    builder_says(k, "number numbers value values");
    put_awk_start(k, c);
    buf_str(&k->out, "'");
    if (max || min) {
        buf_str(&k->out, "NR == 1 || ");
        put_awk_column(&k->out, n);
        buf_printf(&k->out, " %c m {m = ", max ? '>' : '<');
        put_awk_column(&k->out, n);
        buf_str(&k->out, "} END {print m}'");
    } else {
        buf_str(&k->out, "{s += ");
        put_awk_column(&k->out, n);
        buf_printf(&k->out, "} END {print s%s}'", average ? " / NR" : "");
    }
    if (!put_column_input(k))
        return 0;
    return builder_add_plain(k, s, FIT_SURE, "reckon with a column", e);
}

/* "characters 1 to 5 of each line" */
static int
add_characters(struct builder *k, struct columns *c, struct shortlist *s,
               struct err *e)
{
    if (!c->n || c->v[0] < 0)
        return 0;
    builder_says(k, "character characters");
    builder_says(k, "line each");
    if (builder_row_at(k, "first character/characters") != REQUEST_NONE ||
        (c->n == 2 && c->v[0] == 1 && !c->range))
        buf_printf(&k->out, "cut -c1-%ld", c->v[c->n - 1]);
    else if (c->range)
        buf_printf(&k->out, "cut -c%ld-%ld", c->v[0], c->v[1]);
    else
        buf_printf(&k->out, "cut -c%ld", c->v[0]);
    return put_column_input(k)
               ? builder_add(k, s, FIT_SURE, "characters of lines", e)
               : 0;
}

int
generate_columns(const struct request *q, struct shortlist *s, struct err *e)
{
    struct literals l;
    CLEANUP_BUILDER struct builder k;
    struct columns c = {0};
    bool sums;

    literals_read(q, &l);
    builder_init(&k, &l, "columns");
    sums = builder_has(&k, "sum average mean total maximum minimum max min") &&
           builder_has(&k, "number numbers column field value values");
    sums |= builder_has(&k, "sum") && builder_has(&k, "line lines");
    sums |= builder_row_at(&k, "add/adding up") != REQUEST_NONE &&
            builder_has(&k, "column field");
    if (builder_has(&k, refused) ||
        (!sums && !builder_has(&k, columns) &&
         !(builder_has(&k, "character characters") &&
           builder_has(&k, "each every") && builder_has(&k, "line"))))
        return 0;
    builder_source(&k);
    read_separator(&k, &c);
    guess_separator(&k, &c);
    read_column_numbers(&k, &c);
    builder_says(&k, "print show display list extract get cut keep output only "
                     "just");
    if (sums)
        return add_sum(&k, &c, s, e);
    if (!c.n)
        return 0;
    if (!builder_has(&k, columns))
        return add_characters(&k, &c, s, e);
    return add_both(&k, &c, s, e);
}
