/* SPDX-License-Identifier: GPL-3.0-or-later */
/* grep_pattern.c - what lines are asked for, as a regular expression. */
#include "offline/compose/grep.h"

#include <stdio.h>
#include <string.h>

#include "offline/compose/compose.h"

static const char matching[] =
    "contain contains containing match matches matching have has having "
    "include includes including with mention mentions mentioning equal";
static const char starting[] = "start starts starting begin begins beginning";
static const char ending[] = "end ends ending finish finishing";

/* The word before that one, weak ones passed over; REQUEST_NONE. */
static size_t
before(const struct request *q, size_t at)
{
    while (at-- > 0)
        if (!q->words[at].weak &&
            !literals_word_is(&q->words[at], "with by in the a of"))
            return at;
    return REQUEST_NONE;
}

static bool
leads(const struct sketch *k, const struct literal *l, const char *list)
{
    const struct request *q = k->l->q;
    size_t at = before(q, l->word);

    for (unsigned most = 3; at != REQUEST_NONE && most-- > 0;) {
        const struct request_word *w = &q->words[at];

        if (literals_word_is(w, list))
            return true;
        if (!literals_word_is(w, "text string word pattern regex regexp "
                                 "expression regular phrase letter character "
                                 "prefix suffix line exact"))
            return false;
        at = before(q, at);
    }
    return false;
}

/* "files ending with x", "files named x": it is files that are chosen. */
static bool
chooses_files(const struct sketch *k, const struct literal *l)
{
    const struct request *q = k->l->q;
    size_t at = l->word;
    bool content = false;

    for (unsigned most = 6;
         most-- > 0 && (at = before(q, at)) != REQUEST_NONE;) {
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

/* How much a literal looks like what is looked for; 0: not at all. */
static unsigned
pattern_rank(const struct sketch *k, const struct literal *l)
{
    const struct request_value *v = l->value;

    if (!sketch_is_free(k, l) || v->is == SLOT_AGE || v->is == SLOT_SIZE ||
        ((leads(k, l, starting) || leads(k, l, ending) ||
          leads(k, l, matching)) &&
         chooses_files(k, l)))
        return 0;
    if (leads(k, l, starting) || leads(k, l, ending))
        return !v->quoted && (v->is == SLOT_NUMBER || l->role == ROLE_IN) ? 0
                                                                          : 6;
    if (l->noun == NOUN_TEXT)
        return 5;
    if (literal_is_surely_file(l) && !v->quoted)
        return leads(k, l, matching) && l->role != ROLE_IN ? 1 : 0;
    if (leads(k, l, matching))
        return 4;
    if (leads(k, l,
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
pattern_best(const struct sketch *k)
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

/* Whether only weak words and that conjunction stand between two literals. */
static bool
joined(const struct request *q, size_t from, size_t to, const char *list)
{
    bool said = false;

    for (size_t i = from + 1; i < to; i++) {
        if (literals_word_is(&q->words[i], list))
            said = true;
        else if (!q->words[i].weak &&
                 !literals_word_is(&q->words[i], "either both and or text "
                                                 "string word pattern"))
            return false;
    }
    return said || to == from + 1;
}

/* "foo or bar", "foo and bar" */
static void
read_others(struct sketch *k, struct grep_wish *w)
{
    const struct request *q = k->l->q;

    for (size_t i = 0; i < k->l->n && w->n < GREP_PATTERNS; i++) {
        const struct literal *l = &k->l->v[i];
        size_t last = w->pattern[w->n - 1]->word;

        if (l->word <= last || !sketch_is_free(k, l) ||
            (literal_is_surely_file(l) && !l->value->quoted) ||
            !joined(q, last, l->word, "or and nor"))
            continue;
        for (size_t at = last + 1; at < l->word; at++)
            w->both |= literals_word_is(&q->words[at], "and");
        sketch_mark(k, l->word);
        w->pattern[w->n++] = l;
    }
}

/* "lines that are empty" */
static bool
read_blank(struct sketch *k, struct grep_wish *w)
{
    if (sketch_says(k, "nonempty nonblank non-empty non-blank"))
        w->invert = true;
    else if (!sketch_says(k, "empty blank"))
        return false;
    else if (sketch_has(k, "not non skip ignore exclude without except "
                           "ignoring excluding"))
        w->invert = sketch_says(k, "not non skip ignore exclude without "
                                   "except ignoring excluding");
    w->blank = true;
    return true;
}

/* "starting with a digit", "lines that contain numbers" */
static bool
read_class(struct sketch *k, struct grep_wish *w)
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
        size_t at = before(q, i);

        for (size_t r = 0; r < sizeof(rows) / sizeof(rows[0]); r++) {
            if (!literals_word_is(&q->words[i], rows[r].words) ||
                at == REQUEST_NONE || at + 4 < i)
                continue;
            w->starts = literals_word_is(&q->words[at], starting);
            w->ends = literals_word_is(&q->words[at], ending);
            if (!w->starts && !w->ends &&
                !literals_word_is(&q->words[at], matching))
                continue;
            sketch_mark(k, i);
            sketch_mark(k, at);
            w->expression = rows[r].expression;
            return true;
        }
    }
    return false;
}

bool
grep_read_pattern(struct sketch *k, struct grep_wish *w)
{
    const struct literal *l = pattern_best(k);

    if (!l)
        return (sketch_has(k, "line") && read_blank(k, w)) || read_class(k, w);
    w->pattern[w->n++] = l;
    w->starts = leads(k, l, starting);
    w->ends = leads(k, l, ending);
    w->invert |= l->value->negated;
    w->matched = w->starts || w->ends || l->role == ROLE_WITH ||
                 leads(k, l, matching);
    sketch_mark(k, l->word);
    for (size_t i = l->word; i-- > 0 && i + 4 > l->word;)
        if (literals_word_is(&k->l->q->words[i], starting) ||
            literals_word_is(&k->l->q->words[i], ending) ||
            literals_word_is(&k->l->q->words[i], matching))
            sketch_mark(k, i);
    read_others(k, w);
    return true;
}

/* Whether the text needs egrep's operators; what a person who writes "a.txt"
 * means is the dot, what one who writes "a+|b" means is not. */
static bool
is_extended(const char *text)
{
    return strpbrk(text, "|") || strstr(text, ")+") || strstr(text, "]+") ||
           strstr(text, "]{") || strstr(text, ".+");
}

static void
put_one(struct sketch *k, const struct grep_wish *w, size_t i)
{
    char text[1024];
    const char *one = w->pattern[i]->value->text;
    size_t n = strlen(one);

    if ((w->n > 1 && !w->both) || one[0] == '-')
        sketch_put(k, "-e");
    snprintf(text, sizeof(text), "%s%s%s",
             w->starts && one[0] != '^' ? "^" : "", one,
             w->ends && n && one[n - 1] != '$' ? "$" : "");
    buf_ch(&k->out, ' ');
    compose_word(&k->out, text);
}

void
grep_put_pattern(struct sketch *k, const struct grep_wish *w)
{
    char text[1024];

    if (w->blank || w->expression) {
        snprintf(text, sizeof(text), "%s%s%s", w->starts || w->blank ? "^" : "",
                 w->expression ? w->expression : "",
                 w->ends || w->blank ? "$" : "");
        sketch_put_quoted(k, text);
        return;
    }
    if (is_extended(w->pattern[0]->value->text) && !w->fixed)
        sketch_put(k, "-E");
    for (size_t i = 0; i < (w->both ? 1 : w->n); i++)
        put_one(k, w, i);
}

void
grep_put_rest(struct sketch *k, const struct grep_wish *w)
{
    for (size_t i = 1; w->both && i < w->n; i++) {
        sketch_put(k, "| grep");
        put_one(k, w, i);
    }
}
