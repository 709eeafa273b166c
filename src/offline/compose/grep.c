/* SPDX-License-Identifier: GPL-3.0-or-later */
/* grep.c - commands that look for text in files. */
#include "offline/compose/grep.h"

#include <string.h>

#include "offline/compose/composers.h"

static const char looking[] = "search find look grep show print list display "
                              "get extract filter output count check see "
                              "return locate highlight occur appear where";
static const char refused[] =
    "replace substitute rename process package delete remove change convert "
    "move copy insert append add sort compress archive commit branch variable "
    "differ diff unified cron crontab job jobs environment kill download "
    "install command alias execute run";
static const char inverted[] = "not without lacking no except excluding "
                               "exclude n't don't doesn't omit omitting "
                               "unmatched ignoring";

static bool
is_directory(const struct literal *l)
{
    const char *text = l->value->text;
    size_t n = strlen(text);

    return l->value->is_dir ||
           (l->noun == NOUN_DIRECTORY && !strchr(text, '*')) ||
           (n && text[n - 1] == '/') || !strcmp(text, ".") ||
           !strcmp(text, "..");
}

/* Options that change what is printed of the lines. */
static void
put_options(struct sketch *k, struct grep_wish *w)
{
    static const struct {
        const char *row, *option;
    } rows[] = {
        {"ignore/ignoring/regardless/insensitive case", "-i"},
        {"case insensitive/insensitively", "-i"},
        {"case-insensitive/case-insensitively/insensitive", "-i"},
        {"upper/uppercase or lower/lowercase", "-i"},
        {"whole/exact/full/entire word/words", "-w"},
        {"whole/exact/entire line", "-x"},
        {"line number/numbers", "-n"},
        {"only/just match/matching/matched", "-o"},
        {"only/just part/parts", "-o"},
        {"fixed string", "-F"},
        {"binary file", "-I"},
        {"highlight/colour/color/highlighting", "--color=always"},
        {"no/without file/filename name/names", "-h"},
    };
    const char *last = "";

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (!strcmp(rows[i].option, last) || !sketch_row(k, rows[i].row))
            continue;
        sketch_put_option(k, rows[i].option);
        w->fixed |= !strcmp(rows[i].option, "-F");
        last = rows[i].option;
    }
    if (sketch_row(k, "literal/literally"))
        sketch_put_option(k, "-F");
}

/* "3 lines after it", "two lines of context" */
static void
put_context(struct sketch *k)
{
    static const char *const nouns = "line lines";
    const char *option = NULL;
    bool after = sketch_has(k, "after following follow");
    bool before = sketch_has(k, "before preceding precede");
    long n;

    if (sketch_has(k, "around surrounding context") || (after && before))
        option = "-C";
    else if (after)
        option = "-A";
    else if (before)
        option = "-B";
    if (!option || (n = sketch_count(k, nouns)) < 0)
        return;
    sketch_says(k, "after following follow around surrounding context");
    sketch_says(k, "before preceding precede");
    buf_printf(&k->out, " %s %ld", option, n);
}

/* "files that contain": their names are wanted, not the lines. */
static bool
wants_names(struct sketch *k, const struct grep_wish *w)
{
    const struct request *q = k->l->q;
    size_t at = w->n ? w->pattern[0]->word : q->n;
    bool names = false;

    if (sketch_row(k, "file/files name/names") || sketch_says(k, "filenames") ||
        sketch_row(k, "which/what file/files") ||
        sketch_row(k, "name/names of file/files"))
        return true;
    if (sketch_has(k, "line lines occurrence occurrences"))
        return false;
    for (size_t i = at; i-- > 0 && i + 6 > at;)
        if (literals_word_is(&q->words[i], "file files document documents"))
            names = true;
    return names && w->matched;
}

/* The files, or a directory with all below it; whether it is one. */
static bool
put_places(struct sketch *k, bool names)
{
    const unsigned parts = ROLE_ANY & ~(1u << ROLE_TO | 1u << ROLE_EXCEPT);
    const struct literal *l;
    const struct literal *kind = NULL;
    bool below = sketch_says(k, "recursive recursively recurse") ||
                 sketch_row(k, "all file") || names;

    for (size_t i = 0; i < k->l->n; i++) {
        l = &k->l->v[i];
        if (sketch_is_free(k, l) &&
            (l->value->is == SLOT_EXT || l->value->is == SLOT_GLOB) &&
            !strchr(l->value->text, '/'))
            kind = l;
    }
    l = sketch_find_file(k, parts);
    if (l == kind)
        l = NULL;
    below |= !l && !k->piped &&
             sketch_has(k, "code codebase project repository repo source");
    below |= sketch_has(k, "under below subdirectory subdirectories tree") ||
             sketch_row_at(k, "current directory") != REQUEST_NONE;
    if (!below && !(l && is_directory(l)))
        return false;
    if (l && !is_directory(l) && !l->value->is_dir && l->value->is != SLOT_PATH)
        return false;
    sketch_put_option(k, "-r");
    if (kind) {
        sketch_mark(k, kind->word);
        buf_str(&k->out, " --include=");
        sketch_add_pattern(k, kind);
    }
    return true;
}

static bool
applies(struct sketch *k)
{
    if (sketch_has(k, refused) || sketch_wants_find(k))
        return false;
    if (sketch_has(k, "grep"))
        return true;
    if (sketch_has(k, "line") || sketch_has(k, "occurrence occurrences"))
        return true;
    return sketch_has(k, looking) || sketch_has(k, "file files");
}

static double
fit_of(struct sketch *k, const struct grep_wish *w, bool names)
{
    bool lines = sketch_says(k, "line lines");
    bool verb = sketch_says(k, looking);

    if (sketch_says(k, "grep"))
        return 1.0;
    if (lines && (w->matched || w->blank || w->expression))
        return FIT_SURE;
    if (names)
        return FIT_LIKELY;
    if (sketch_has(k, "search text string pattern regex occurrence "
                      "occurrences") &&
        verb)
        return FIT_SURE;
    return verb && (w->pattern[0] && w->pattern[0]->value->quoted) ? FIT_LIKELY
                                                                   : FIT_MAYBE;
}

/* grep's command up to its operands; false: it is no wish of grep's. */
static bool
start(struct sketch *k, struct grep_wish *w, bool *names)
{
    if (!applies(k))
        return false;
    sketch_source(k);
    if (!grep_read_pattern(k, w))
        return false;
    sketch_put(k, "grep");
    *names = wants_names(k, w);
    if (!*names && !w->matched && !w->blank && !w->expression &&
        !sketch_has(k, "grep search look text string pattern regex word "
                       "occurrence occurrences line lines filter occur "
                       "times highlight part"))
        return false;
    if (sketch_has(k, inverted) && (w->matched || w->blank) &&
        (sketch_has(k, "line lines") || *names) && !w->blank)
        w->invert = sketch_says(k, inverted);
    put_options(k, w);
    put_context(k);
    if (*names)
        sketch_put_option(k, w->invert ? "-L" : "-l");
    else if (w->invert)
        sketch_put_option(k, "-v");
    return true;
}

static bool
wants_count(struct sketch *k)
{
    return sketch_says(k, "count number") || sketch_row(k, "how many") ||
           sketch_says(k, "times");
}

static int
add_all(struct sketch *k, struct grep_wish *w, struct shortlist *s,
        struct err *e)
{
    bool names = false;
    bool count, each, below;
    double fit;
    static const char title[] = "lines that match";

    if (!start(k, w, &names))
        return 0;
    count = !names && sketch_row_at(k, "line number/numbers") == REQUEST_NONE &&
            wants_count(k);
    each = count && sketch_says(k, "occurrence occurrences times instances");
    if (count)
        sketch_put_option(k, each ? "-o" : "-c");
    fit = fit_of(k, w, names);
    below = !k->piped && put_places(k, names);
    grep_put_pattern(k, w);
    if (below) {
        if (!sketch_files(k, ROLE_ANY & ~(1u << ROLE_TO | 1u << ROLE_EXCEPT)) &&
            !sketch_places(k))
            sketch_put(k, ".");
        grep_put_rest(k, w);
        return sketch_add(k, s, fit, names ? "files that match" : title, e);
    }
    sketch_files_or(k, ROLE_ANY & ~(1u << ROLE_TO), "FILE");
    grep_put_rest(k, w);
    if (each)
        sketch_put(k, "| wc -l");
    return sketch_add(k, s, k->open ? fit * 0.8 : fit, title, e);
}

int
grep_compose(const struct request *q, struct shortlist *s, struct err *e)
{
    struct literals l;
    CLEANUP_SKETCH struct sketch k;
    struct grep_wish w = {0};

    literals_read(q, &l);
    sketch_init(&k, &l, "grep");
    return add_all(&k, &w, s, e);
}
