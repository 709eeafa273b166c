/* SPDX-License-Identifier: GPL-3.0-or-later */
/* grep.c - generates commands of grep(1). */
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/message.h"
#include "offline/generate/builder.h"
#include "offline/generate/generate.h"
#include "offline/generate/grep.h"

static const char matching[] =
    "contain contains containing match matches matching have has having "
    "include includes including with mention mentions mentioning equal";
static const char starting[] = "start starts starting begin begins beginning";
static const char ending[] = "end ends ending finish finishing";

/* The word before that one, weak words ignored; or REQUEST_NONE. */
static size_t
word_before_weak(const struct request *q, size_t at)
{
    while (at-- > 0)
        if (!q->words[at].weak &&
            !literals_word_is(&q->words[at], "with by in the a of"))
            return at;
    return REQUEST_NONE;
}

static bool
leads_to(const struct builder *k, const struct literal *l, const char *list)
{
    const struct request *q = k->l->q;
    size_t at = word_before_weak(q, l->word);

    for (unsigned most = 3; at != REQUEST_NONE && most-- > 0;) {
        const struct request_word *w = &q->words[at];

        if (literals_word_is(w, list))
            return true;
        if (!literals_word_is(w, "text string word pattern regex regexp "
                                 "expression regular phrase letter character "
                                 "prefix suffix line exact"))
            return false;
        at = word_before_weak(q, at);
    }
    return false;
}

/* "files ending with x", "files named x": it is files that are chosen. */
static bool
chooses_files(const struct builder *k, const struct literal *l)
{
    const struct request *q = k->l->q;
    size_t at = l->word;
    bool content = false;

    for (unsigned most = 6;
         most-- > 0 && (at = word_before_weak(q, at)) != REQUEST_NONE;) {
        const struct request_word *w = &q->words[at];

        if (w->value >= 0)
            return false;
        if (literals_word_is(w, "name names named"))
            return true;
        content |= literals_word_is(w, "contain contains containing include");
        if (literals_word_is(w, "line lines word words string strings"))
            return false;
        if (literals_word_is(w, "file files directory directories"))
            return !content || literal_is_surely_file(l);
    }
    return false;
}

/* How likely a literal is the pattern; 0: not at all. */
static unsigned
pattern_rank(const struct builder *k, const struct literal *l)
{
    const struct request_value *v = l->value;

    if (!builder_is_free(k, l) || v->is == SLOT_AGE || v->is == SLOT_SIZE ||
        ((leads_to(k, l, starting) || leads_to(k, l, ending) ||
          leads_to(k, l, matching)) &&
         chooses_files(k, l)))
        return 0;
    if (leads_to(k, l, starting) || leads_to(k, l, ending))
        return !v->quoted && (v->is == SLOT_NUMBER || l->role == ROLE_IN) ? 0
                                                                          : 6;
    if (l->noun == NOUN_TEXT)
        return 5;
    if (literal_is_surely_file(l) && !v->quoted)
        return leads_to(k, l, matching) && l->role != ROLE_IN ? 1 : 0;
    if (leads_to(k, l, matching))
        return 4;
    if (leads_to(k, l,
                 "part parts highlight highlighting search find look grep for "
                 "show print occurrence "
                 "occurrences instance instances times count"))
        return v->is == SLOT_NUMBER ? 0 : 3;
    if (v->quoted && l->role != ROLE_IN && l->role != ROLE_FROM &&
        l->noun == NOUN_NONE)
        return 2;
    return 0;
}

static const struct literal *
pattern_best(const struct builder *k)
{
    const struct literal *best = NULL;
    unsigned most = 0;

    for (size_t i = 0; i < k->l->n; i++) {
        unsigned rank = pattern_rank(k, &k->l->v[i]);

        if (rank > most) {
            most = rank;
            best = &k->l->v[i];
        }
    }
    return best;
}

/* Whether only weak words and the conjunction are between two literals. */
static bool
joined_patterns(const struct request *q, size_t from, size_t to,
                const char *list)
{
    bool found = false;

    for (size_t i = from + 1; i < to; i++) {
        if (literals_word_is(&q->words[i], list))
            found = true;
        else if (!q->words[i].weak &&
                 !literals_word_is(&q->words[i], "either both and or text "
                                                 "string word pattern"))
            return false;
    }
    return found || to == from + 1;
}

/* "foo or bar", "foo and bar" */
static void
read_others(struct builder *k, struct grep_params *w)
{
    const struct request *q = k->l->q;

    for (size_t i = 0; i < k->l->n && w->n < GREP_PATTERNS; i++) {
        const struct literal *l = &k->l->v[i];
        size_t last = w->pattern[w->n - 1]->word;

        if (l->word <= last || !builder_is_free(k, l) ||
            (literal_is_surely_file(l) && !l->value->quoted) ||
            !joined_patterns(q, last, l->word, "or and nor"))
            continue;
        for (size_t at = last + 1; at < l->word; at++)
            w->both |= literals_word_is(&q->words[at], "and");
        builder_mark(k, l->word);
        w->pattern[w->n++] = l;
    }
}

/* "lines that are empty" */
static bool
read_blank(struct builder *k, struct grep_params *w)
{
    if (builder_says(k, "nonempty nonblank non-empty non-blank"))
        w->invert = true;
    else if (!builder_says(k, "empty blank"))
        return false;
    else if (builder_has(k, "not non skip ignore exclude without except "
                            "ignoring excluding"))
        w->invert = builder_says(k, "not non skip ignore exclude without "
                                    "except ignoring excluding");
    w->blank = true;
    return true;
}

/* "starting with a digit", "lines that contain numbers" */
static bool
read_character_class(struct builder *k, struct grep_params *w)
{
    static const struct {
        const char *words, *expression;
    } rows[] = {
        {"digit digits number numbers", "[0-9]"},
        {"uppercase capital", "[A-Z]"},
        {"lowercase", "[a-z]"},
        {"letter letters", "[A-Za-z]"},
        {"tab tabs", "\t"},
    };
    const struct request *q = k->l->q;

    for (size_t i = 1; i < q->n; i++) {
        size_t at = word_before_weak(q, i);

        for (size_t r = 0; r < ARRAY_SIZE(rows); r++) {
            if (!literals_word_is(&q->words[i], rows[r].words) ||
                at == REQUEST_NONE || at + 4 < i)
                continue;
            w->starts = literals_word_is(&q->words[at], starting);
            w->ends = literals_word_is(&q->words[at], ending);
            if (!w->starts && !w->ends &&
                !literals_word_is(&q->words[at], matching))
                continue;
            builder_mark(k, i);
            builder_mark(k, at);
            w->expression = rows[r].expression;
            return true;
        }
    }
    return false;
}

bool
grep_read_pattern(struct builder *k, struct grep_params *w)
{
    const struct literal *l = pattern_best(k);

    if (!l)
        return (builder_has(k, "line") && read_blank(k, w)) ||
               read_character_class(k, w);
    w->pattern[w->n++] = l;
    w->starts = leads_to(k, l, starting);
    w->ends = leads_to(k, l, ending);
    w->invert |= l->value->negated;
    w->matched = w->starts || w->ends || l->role == ROLE_WITH ||
                 leads_to(k, l, matching);
    builder_mark(k, l->word);
    for (size_t i = l->word; i-- > 0 && i + 4 > l->word;)
        if (literals_word_is(&k->l->q->words[i], starting) ||
            literals_word_is(&k->l->q->words[i], ending) ||
            literals_word_is(&k->l->q->words[i], matching))
            builder_mark(k, i);
    read_others(k, w);
    return true;
}

/* Whether the text has operators of grep -E: the dot of "a.txt" is meant as a
 * dot, "a+|b" is an expression. */
static bool
is_extended(const char *text)
{
    return strpbrk(text, "|") || strstr(text, ")+") || strstr(text, "]+") ||
           strstr(text, "]{") || strstr(text, ".+");
}

static void
put_one(struct builder *k, const struct grep_params *w, size_t i)
{
    char text[1024];
    const char *one = w->pattern[i]->value->text;
    size_t n = strlen(one);

    if ((w->n > 1 && !w->both) || one[0] == '-')
        builder_put(k, "-e");
    snprintf(text, sizeof(text), "%s%s%s",
             w->starts && one[0] != '^' ? "^" : "", one,
             w->ends && n && one[n - 1] != '$' ? "$" : "");
    buf_ch(&k->out, ' ');
    generate_word(&k->out, text);
}

/* Appends the pattern in quotes: only the first of several that must all match,
 * else each with -e. */
static void
grep_put_pattern(struct builder *k, const struct grep_params *w)
{
    char text[1024];

    if (w->blank || w->expression) {
        snprintf(text, sizeof(text), "%s%s%s", w->starts || w->blank ? "^" : "",
                 w->expression ? w->expression : "",
                 w->ends || w->blank ? "$" : "");
        builder_put_quoted(k, text);
        return;
    }
    if (is_extended(w->pattern[0]->value->text) && !w->fixed)
        builder_put(k, "-E");
    for (size_t i = 0; i < (w->both ? 1 : w->n); i++)
        put_one(k, w, i);
}

/* Appends, behind the files, a pipe for each further pattern that must
 * match. */
static void
grep_put_rest(struct builder *k, const struct grep_params *w)
{
    for (size_t i = 1; w->both && i < w->n; i++) {
        builder_put(k, "| grep");
        put_one(k, w, i);
    }
}

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
literal_is_directory(const struct literal *l)
{
    const char *text = l->value->text;
    size_t n = strlen(text);

    return l->value->is_dir ||
           (l->noun == NOUN_DIRECTORY && !strchr(text, '*')) ||
           (n && text[n - 1] == '/') || !strcmp(text, ".") ||
           !strcmp(text, "..");
}

/* Appends options that change what is printed. */
static void
put_grep_options(struct builder *k, struct grep_params *w)
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

    for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
        if (!strcmp(rows[i].option, last) || !builder_row(k, rows[i].row))
            continue;
        builder_put_option(k, rows[i].option);
        w->fixed |= !strcmp(rows[i].option, "-F");
        last = rows[i].option;
    }
    if (builder_row(k, "literal/literally"))
        builder_put_option(k, "-F");
}

/* "3 lines after it", "two lines of context" */
static void
put_context(struct builder *k)
{
    static const char *const nouns = "line lines";
    const char *option = NULL;
    bool after = builder_has(k, "after following follow");
    bool before = builder_has(k, "before preceding precede");
    long n;

    if (builder_has(k, "around surrounding context") || (after && before))
        option = "-C";
    else if (after)
        option = "-A";
    else if (before)
        option = "-B";
    if (!option || (n = builder_count(k, nouns)) < 0)
        return;
    builder_says(k, "after following follow around surrounding context");
    builder_says(k, "before preceding precede");
    buf_printf(&k->out, " %s %ld", option, n);
}

/* "files that contain": their names are wanted, not the lines. */
static bool
wants_names(struct builder *k, const struct grep_params *w)
{
    const struct request *q = k->l->q;
    size_t at = w->n ? w->pattern[0]->word : q->n;
    bool names = false;

    if (builder_row(k, "file/files name/names") ||
        builder_says(k, "filenames") ||
        builder_row(k, "which/what file/files") ||
        builder_row(k, "name/names of file/files"))
        return true;
    if (builder_has(k, "line lines occurrence occurrences"))
        return false;
    for (size_t i = at; i-- > 0 && i + 6 > at;)
        if (literals_word_is(&q->words[i], "file files document documents"))
            names = true;
    return names && w->matched;
}

/* Appends the files, or a directory with -r; whether it is one. */
static bool
put_grep_places(struct builder *k, bool names)
{
    const unsigned parts = ROLE_ANY & ~(1u << ROLE_TO | 1u << ROLE_EXCEPT);
    const struct literal *l;
    const struct literal *kind = NULL;
    bool below = builder_says(k, "recursive recursively recurse") ||
                 builder_row(k, "all file") || names;

    for (size_t i = 0; i < k->l->n; i++) {
        l = &k->l->v[i];
        if (builder_is_free(k, l) &&
            (l->value->is == SLOT_EXT || l->value->is == SLOT_GLOB) &&
            !strchr(l->value->text, '/'))
            kind = l;
    }
    l = builder_find_file(k, parts);
    if (l == kind)
        l = NULL;
    below |= !l && !k->piped &&
             builder_has(k, "code codebase project repository repo source");
    below |= builder_has(k, "under below subdirectory subdirectories tree") ||
             builder_row_at(k, "current directory") != REQUEST_NONE;
    if (!below && !(l && literal_is_directory(l)))
        return false;
    if (l && !literal_is_directory(l) && !l->value->is_dir &&
        l->value->is != SLOT_PATH)
        return false;
    builder_put_option(k, "-r");
    if (kind) {
        builder_mark(k, kind->word);
        buf_str(&k->out, " --include=");
        builder_add_pattern(k, kind);
    }
    return true;
}

static bool
grep_applies(struct builder *k)
{
    if (builder_has(k, refused) || builder_wants_find(k))
        return false;
    if (builder_has(k, "grep"))
        return true;
    if (builder_has(k, "line") || builder_has(k, "occurrence occurrences"))
        return true;
    return builder_has(k, looking) || builder_has(k, "file files");
}

static double
grep_fit(struct builder *k, const struct grep_params *w, bool names)
{
    bool lines = builder_says(k, "line lines");
    bool verb = builder_says(k, looking);

    if (builder_says(k, "grep"))
        return 1.0;
    if (lines && (w->matched || w->blank || w->expression))
        return FIT_SURE;
    if (names)
        return FIT_LIKELY;
    if (builder_has(k, "search text string pattern regex occurrence "
                       "occurrences") &&
        verb)
        return FIT_SURE;
    return verb && (w->pattern[0] && w->pattern[0]->value->quoted) ? FIT_LIKELY
                                                                   : FIT_MAYBE;
}

/* Writes the command up to its operands. Returns false when grep is not
 * meant. */
static bool
start_grep(struct builder *k, struct grep_params *w, bool *names)
{
    if (!grep_applies(k))
        return false;
    builder_source(k);
    if (!grep_read_pattern(k, w))
        return false;
    builder_put(k, "grep");
    *names = wants_names(k, w);
    if (!*names && !w->matched && !w->blank && !w->expression &&
        !builder_has(k, "grep search look text string pattern regex word "
                        "occurrence occurrences line lines filter occur "
                        "times highlight part"))
        return false;
    if (builder_has(k, inverted) && (w->matched || w->blank) &&
        (builder_has(k, "line lines") || *names) && !w->blank)
        w->invert = builder_says(k, inverted);
    put_grep_options(k, w);
    put_context(k);
    if (*names)
        builder_put_option(k, w->invert ? "-L" : "-l");
    else if (w->invert)
        builder_put_option(k, "-v");
    return true;
}

static bool
wants_count(struct builder *k)
{
    return builder_says(k, "count number") || builder_row(k, "how many") ||
           builder_says(k, "times");
}

static int
add_grep_commands(struct builder *k, struct grep_params *w, struct shortlist *s,
                  struct err *e)
{
    bool names = false;
    bool count, each, below;
    double fit;
    static const char title[] = N_("lines that match");

    if (!start_grep(k, w, &names))
        return 0;
    count = !names &&
            builder_row_at(k, "line number/numbers") == REQUEST_NONE &&
            wants_count(k);
    each = count && builder_says(k, "occurrence occurrences times instances");
    if (count)
        builder_put_option(k, each ? "-o" : "-c");
    fit = grep_fit(k, w, names);
    below = !k->piped && put_grep_places(k, names);
    grep_put_pattern(k, w);
    if (below) {
        if (!builder_files(k,
                           ROLE_ANY & ~(1u << ROLE_TO | 1u << ROLE_EXCEPT)) &&
            !builder_places(k))
            builder_put(k, ".");
        grep_put_rest(k, w);
        return builder_add(k, s, fit, names ? N_("files that match") : title,
                           e);
    }
    builder_files_or(k, ROLE_ANY & ~(1u << ROLE_TO), "FILE");
    grep_put_rest(k, w);
    if (each)
        builder_put(k, "| wc -l");
    return builder_add(k, s, k->open ? fit * 0.8 : fit, title, e);
}

int
generate_grep(const struct request *q, struct shortlist *s, struct err *e)
{
    struct literals l;
    CLEANUP_BUILDER struct builder k;
    struct grep_params w = {0};

    literals_read(q, &l);
    builder_init(&k, &l, "grep");
    return add_grep_commands(&k, &w, s, e);
}
