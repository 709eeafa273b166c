/* SPDX-License-Identifier: GPL-3.0-or-later */
/* request_bounds.c - reads bounds of quantities, and rows of words with one
 * meaning.
 *
 * "more than", "not" and "between" say which side of a value is meant. */
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "offline/parse/lexicon.h"
#include "offline/parse/request_parser.h"

/* Stems that follow each other, = before a word as it is written, and what
 * stands for each of them; words that nothing stands for say nothing any
 * more. */
static const struct stem_row {
    const char *words, *means;
} rows[] = {
    {"how many", "count"},
    {"=find out", "list"},
    {"number of", "count"},
    {"list rid of", "delete"},
    {"work directory", "current directory"},
    {"this directory", "current directory"},
    {"sub directory", "subdirectory"},
    {"symbolic link", "symlink"},
    {"soft link", "symlink"},
    {"sym link", "symlink"},
    {"most recent", "newest"},
    {"white space", "whitespace"},
    {"file system", "filesystem"},
    {"other than", "except"},
    {"=leave out", "except"},
    {"=leaving out", "except"},
    {"all but", "except"},
    {"regular expression", "pattern"},
    {"turn off", "shutdown"},
    {"power off", "shutdown"},
    {"shut down", "shutdown"},
    {"back up", "backup"},
    {"ignore case", "case insensitive"},
    {"regardless of case", "case insensitive"},
    {"no matter case", "case insensitive"},
    {"disk use", "disk usage"},
    {"give me", "list"},
    {"look at", "list"},
    {"=log in", "login"}, /* not "logs in /var/log" */
    {"=logging in", "login"},
    {"log out", "logout"},
    {"logged in", "login"},
    {"take up", "consume"},
    {"set up", "setup"},
    {"e-mail", "mail"},
    {"wi-fi", "wifi"},
    {"host name", "hostname"},
    {"user name", "username"},
    {"time stamp", "timestamp"},
    {"check sum", "checksum"},
    {"upper case", "uppercase"},
    {"lower case", "lowercase"},
    {"uppercase case", "uppercase"},
    {"lowercase case", "lowercase"},
};

/* The next of words between blanks. */
static const char *
next_list_word(const char **list, size_t *n)
{
    const char *s = *list + strspn(*list, " ");

    *n = strcspn(s, " ");
    *list = s + *n;
    return s;
}

/* Plain words alone stand in rows. */
static size_t
row_length(const struct request *q, size_t i, const char *words)
{
    size_t n, k = 0;

    for (const char *s = next_list_word(&words, &n); n;
         s = next_list_word(&words, &n)) {
        const struct request_word *w = &q->words[i + k];
        bool plain = *s == '=';
        const char *word = plain ? w->plain : w->stem;

        n -= plain;
        if (i + k >= q->n || w->value >= 0 ||
            strncmp(word, s + plain, n) != 0 || word[n])
            return 0;
        k++;
    }
    return k;
}

static void
replace_words(struct request *q, size_t i, size_t count, const char *means)
{
    for (size_t k = 0; k < count; k++) {
        struct request_word *w = &q->words[i + k];
        size_t n;
        const char *s = next_list_word(&means, &n);

        snprintf(w->stem, sizeof(w->stem), "%.*s", (int)n, s);
        w->weak = n == 0;
    }
}

void
request_rows(struct request *q)
{
    for (size_t i = 0; i < q->n; i++)
        for (size_t k = 0; k < ARRAY_SIZE(rows); k++) {
            size_t n = 0;

            if (*rows[k].words == '=' || *rows[k].words == q->words[i].stem[0])
                n = row_length(q, i, rows[k].words);
            if (n) {
                replace_words(q, i, n, rows[k].means);
                break;
            }
        }
}

/* The word that is `back` before i and plain; "" */
static const char *
plain_word_before(const struct request *q, size_t i, size_t back)
{
    return back <= i && q->words[i - back].value < 0 ? q->words[i - back].plain
                                                     : "";
}

static bool
is_no(const char *w)
{
    return lexicon_listed(
        w, "not no never don't isn't aren't wasn't weren't haven't "
           "hasn't cannot without dont isnt arent havent hasnt");
}

#define MORE_WORDS                                                             \
    "more greater larger bigger older over above exceeding exceeds exceed "    \
    "beyond longer higher"
#define LESS_WORDS "less fewer smaller newer younger under below lower shorter"

static enum bound
opposite_bound(enum bound b)
{
    switch (b) {
    case BOUND_MORE:
        return BOUND_AT_MOST;
    case BOUND_LESS:
        return BOUND_AT_LEAST;
    default:
        return b;
    }
}

/* "more than or equal to", "at least", "within the last" */
static enum bound
bound_before(const struct request *q, size_t i)
{
    size_t k = 1;
    enum bound b = BOUND_NONE;
    bool equal = false;

    while (lexicon_listed(plain_word_before(q, i, k),
                          "the a an to or equal equals about of")) {
        equal |= strncmp(plain_word_before(q, i, k), "equal", 5) == 0;
        k++;
    }
    if (lexicon_listed(plain_word_before(q, i, k), "least most")) {
        if (!lexicon_listed(plain_word_before(q, i, k + 1), "at"))
            return BOUND_NONE;
        return *plain_word_before(q, i, k) == 'l' ? BOUND_AT_LEAST
                                                  : BOUND_AT_MOST;
    }
    if (lexicon_listed(plain_word_before(q, i, k), "exactly precisely exact"))
        return BOUND_EXACT;
    if (lexicon_listed(plain_word_before(q, i, k), "maximum max"))
        return BOUND_AT_MOST;
    if (lexicon_listed(plain_word_before(q, i, k), "minimum min"))
        return BOUND_AT_LEAST;
    if (lexicon_listed(plain_word_before(q, i, k),
                       "last past within previous since"))
        return BOUND_AT_MOST;
    k += lexicon_listed(plain_word_before(q, i, k), "than");
    if (lexicon_listed(plain_word_before(q, i, k), MORE_WORDS))
        b = BOUND_MORE;
    else if (lexicon_listed(plain_word_before(q, i, k), LESS_WORDS))
        b = BOUND_LESS;
    if (is_no(plain_word_before(q, i, k + 1)))
        return opposite_bound(b);
    if (equal && b)
        b = b == BOUND_MORE ? BOUND_AT_LEAST : BOUND_AT_MOST;
    return b;
}

/* "between A and B", "from A to B" of sizes and ages */
static void
bound_pair(struct request *q, size_t i)
{
    const struct request_value *b = request_value_of(q, i + 2);
    struct request_value *v = &q->values[q->words[i].value];

    if (!b || !lexicon_listed(plain_word_before(q, i + 2, 1), "and to") ||
        !lexicon_listed(plain_word_before(q, i, 1), "between from"))
        return;
    if (*plain_word_before(q, i, 1) == 'f' && b->is == SLOT_NUMBER)
        return;
    v->bound = BOUND_AT_LEAST;
    q->values[q->words[i + 2].value].bound = BOUND_AT_MOST;
    if (v->is == SLOT_NUMBER && (b->is == SLOT_SIZE || b->is == SLOT_AGE)) {
        v->types = b->types;
        v->is = b->is;
        v->unit = b->unit;
    }
}

/* "5m" is megabytes where sizes are spoken of. */
static void
choose_unit(const struct request *q, struct request_value *v)
{
    if (v->is != SLOT_AGE || !(v->types & TYPE(SIZE)) ||
        !request_has(q, "size big bigger small smaller greater large space"))
        return;
    v->types &= ~TYPE(AGE);
    v->is = SLOT_SIZE;
    v->unit = 'M';
}

static bool
is_quantity_value(const struct request_value *v)
{
    return v->is == SLOT_SIZE || v->is == SLOT_AGE || v->is == SLOT_NUMBER ||
           v->is == SLOT_DATE;
}

/* "not modified in 30 days": longer ago than that */
static bool
is_untouched(const struct request *q, size_t i)
{
    for (size_t k = 1; k <= 8 && k <= i; k++)
        if (is_no(plain_word_before(q, i, k)))
            return lexicon_listed(q->words[i - k + 1].stem,
                                  "modify access change use been touch open") ||
                   lexicon_listed(plain_word_before(q, i, k - 1),
                                  "modified accessed changed "
                                  "used touched opened read");
    return false;
}

/* Of dates the later is more: "older than 2024-05-01" is less. */
static enum bound
bound_date(const char *word, enum bound as_age)
{
    if (lexicon_listed(word, "since from"))
        return BOUND_AT_LEAST;
    if (lexicon_listed(word, "after"))
        return BOUND_MORE;
    if (lexicon_listed(word, "before"))
        return BOUND_LESS;
    if (lexicon_listed(word, "until till by"))
        return BOUND_AT_MOST;
    if (as_age == BOUND_MORE || as_age == BOUND_LESS)
        return as_age == BOUND_MORE ? BOUND_LESS : BOUND_MORE;
    return as_age;
}

static void
bound_quantity(struct request *q, size_t i)
{
    struct request_value *v = &q->values[q->words[i].value];
    enum bound b = bound_before(q, i);
    const char *after = i + 1 < q->n ? q->words[i + 1].plain : "";
    const char *then = i + 2 < q->n ? q->words[i + 2].plain : "";

    if (v->is == SLOT_DATE)
        v->bound = bound_date(plain_word_before(q, i, 1), b);
    else if (b)
        v->bound = b;
    else if (strcmp(after, "or") == 0)
        v->bound = lexicon_listed(then,
                                  "more larger bigger older above greater")
                       ? BOUND_AT_LEAST
                   : lexicon_listed(then, "less smaller newer fewer below")
                       ? BOUND_AT_MOST
                       : v->bound;
    else if (v->is == SLOT_AGE && strcmp(after, "ago") == 0 && !v->bound)
        v->bound = BOUND_EXACT;
    if (v->is == SLOT_AGE && v->bound != BOUND_MORE && is_untouched(q, i))
        v->bound = BOUND_MORE;
    bound_pair(q, i);
    choose_unit(q, v);
}

/* "not named x", "except *.c", "excluding .git": up to three words before. */
static bool
is_negated_before(const struct request *q, size_t i)
{
    for (size_t k = 1; k <= 4 && k <= i; k++) {
        const struct request_word *w = &q->words[i - k];

        if (w->value >= 0)
            return lexicon_listed(plain_word_before(q, i, 1), "and or") &&
                   k == 2 && q->values[w->value].negated;
        if (is_no(w->plain) || strcmp(w->stem, "except") == 0 ||
            (strcmp(w->plain, "but") == 0 &&
             request_has(q, "all every everything")) ||
            strcmp(w->plain, "non") == 0)
            return true;
    }
    return false;
}

/* "in x", "under the directory x" */
static bool
is_within(const struct request *q, size_t i)
{
    for (size_t k = 1; k <= 4 && k <= i; k++) {
        const char *word = plain_word_before(q, i, k);

        if (lexicon_listed(word, "in inside under within below beneath"))
            return true;
        if (!lexicon_listed(word, "the a an my this our directory folder dir"))
            return false;
    }
    return false;
}

void
request_bounds(struct request *q)
{
    for (size_t i = 0; i < q->n; i++) {
        struct request_value *v;

        if (q->words[i].value < 0)
            continue;
        v = &q->values[q->words[i].value];
        if (is_quantity_value(v))
            bound_quantity(q, i);
        else
            v->negated = is_negated_before(q, i);
        v->within = is_within(q, i);
    }
}
