/* SPDX-License-Identifier: GPL-3.0-or-later */
/* index_search.c - searches the recipes that fit a request, with BM25.
 *
 * First every phrase that has one of the words gets its BM25 score. The best
 * recipes are then compared closely: how much of the phrase the request has,
 * and in which order. The same score over all phrases of a program rates
 * programs. */
#include <stdlib.h>
#include <string.h>

#include "offline/index/index_format.h"
#include "offline/parse/lexicon.h"
#include "offline/parse/synonyms.h"

/* A value asks for every type that it may be. */
#define SEARCH_ASKED_MAX (4 * REQUEST_WORDS_MAX)

/* A stem that the request asks for. */
struct search_asked {
    const struct index_stem *stem;
    uint64_t words; /* words of the request that ask for it */
    uint64_t own;   /* those of them that say it themselves, and do not merely
                       stand where a slot does */
    double share;   /* of the stem's weight: less for what a literal is
                       not likely to be */
};

struct index_query {
    const struct index *x;
    struct index_tables t;
    const struct request *q;
    uint16_t *place; /* of each stem in asked, and 1; 0: not asked for */
    struct search_asked asked[SEARCH_ASKED_MAX];
    size_t n;
    /* the request's words that count, in order: numbers of asked; that of a
     * word which no recipe has is SEARCH_ASKED_MAX */
    unsigned row[REQUEST_WORDS_MAX];
    size_t n_row;
    double weight[REQUEST_WORDS_MAX]; /* of each word of the request */
    double all;                       /* their sum */
};

/* The share of a type that a value may be, but probably is not. */
#define UNLIKELY 0.5

/* The share of an unknown word for a slot that takes a name. */
#define NAME_SHARE 0.8

/* "this folder" is nearly a path. */
#define PLACE_SHARE 0.8

/* The share of the kind of a file: it hints at what is to be done. */
#define KIND_SHARE 0.6

/* Adds a stem to asked, unless it is there. */
static unsigned
ask_stem(struct index_query *s, const struct index_stem *stem, size_t word,
         double share)
{
    unsigned number = (unsigned)(stem - s->t.stems);
    struct search_asked *a;

    if (!s->place[number]) {
        if (s->n == SEARCH_ASKED_MAX)
            return SEARCH_ASKED_MAX;
        s->asked[s->n++] = (struct search_asked){.stem = stem};
        s->place[number] = (uint16_t)s->n;
    }
    a = &s->asked[s->place[number] - 1];
    a->words |= 1ull << word;
    if (a->share < share)
        a->share = share;
    return s->place[number] - 1u;
}

/* The same for a stem that the word itself has. */
static unsigned
add_stem_asked(struct index_query *s, const struct index_stem *stem,
               size_t word, double share)
{
    unsigned at = ask_stem(s, stem, word, share);

    if (at < SEARCH_ASKED_MAX)
        s->asked[at].own |= 1ull << word;
    return at;
}

/* The entry that asks for that stem, or NULL. */
static const struct search_asked *
search_asked_of(const struct index_query *s, uint32_t stem)
{
    return s->place[stem] ? &s->asked[s->place[stem] - 1] : NULL;
}

static void
ask_kind(struct index_query *s, size_t word, const char *kind)
{
    char text[REQUEST_STEM_MAX];
    const struct index_stem *stem;

    lexicon_stem(kind, strlen(kind), text);
    stem = *text ? index_stem_find(s->x, text) : NULL;
    if (stem)
        add_stem_asked(s, stem, word, KIND_SHARE);
}

/* Asks for the kinds of a file: "x.tar.gz" asks for tar.gz, and a little for
 * gz. */
static void
ask_kinds(struct index_query *s, size_t word, const struct request_value *v)
{
    const char *kind = index_kind(v), *last = strrchr(kind, '.');

    ask_kind(s, word, kind);
    if (last)
        ask_kind(s, word, last + 1);
}

/* The most likely type of a value enters the row. */
static unsigned
ask_value_type(struct index_query *s, size_t word,
               const struct request_value *v)
{
    unsigned likely = SEARCH_ASKED_MAX;
    char name[INDEX_SLOT_MAX];

    for (int type = 0; type < SLOT_TYPES; type++) {
        const struct index_stem *stem;
        bool is = v->is == (enum slot_type)type;

        if (!is && !(v->types & 1u << type))
            continue;
        index_slot_stem(type, name);
        stem = index_stem_find(s->x, name);
        if (!stem)
            continue;
        if (is)
            likely = add_stem_asked(s, stem, word, 1);
        else
            add_stem_asked(s, stem, word, UNLIKELY);
        if (is)
            s->weight[word] = stem->weight / INDEX_ONE;
    }
    ask_kinds(s, word, v);
    return likely;
}

/* Asks for a slot that the word may fill. */
static void
ask_slot(struct index_query *s, size_t word, enum slot_type type, double share)
{
    char name[INDEX_SLOT_MAX];
    const struct index_stem *stem;

    index_slot_stem(type, name);
    stem = index_stem_find(s->x, name);
    if (stem)
        ask_stem(s, stem, word, share);
}

/* Whether the stem stands for a path: "this folder". */
static bool
is_a_place(const char *stem)
{
    return strcmp(stem, "current") == 0 || strcmp(stem, "here") == 0;
}

static unsigned
ask_word(struct index_query *s, size_t word, const char *text)
{
    const struct index_stem *stem = index_stem_find(s->x, text);

    s->weight[word] = (stem ? stem->weight : s->x->unknown) / INDEX_ONE;
    if (is_a_place(text))
        ask_slot(s, word, SLOT_PATH, PLACE_SHARE);
    /* An unknown word may be a name, as in kill {name}, unless it is the first
     * word, which says what to do. */
    if (s->n_row > 0 && (!stem || !lexicon_is_common(text)))
        ask_slot(s, word, SLOT_NAME, NAME_SHARE);
    if (stem)
        return add_stem_asked(s, stem, word, 1);
    return SEARCH_ASKED_MAX;
}

static void
index_query_done(struct index_query *s)
{
    if (!s)
        return;
    free(s->place);
}

/* Collects the stems that a request asks for. Returns -1 without memory;
 * index_query_done() is needed in any case. */
static int
search_ask(struct index_query *s, const struct index *x,
           const struct request *q)
{
    *s = (struct index_query){.x = x, .t = index_tables_of(x), .q = q};
    s->place = calloc(x->n_stems + 1, sizeof(*s->place));
    if (!s->place)
        return -1;
    for (size_t i = 0; i < q->n; i++) {
        const struct request_word *w = &q->words[i];
        const struct request_value *v = request_value_of(q, i);

        if (!v && (w->weak || !*w->stem))
            continue;
        s->row[s->n_row++] = v ? ask_value_type(s, i, v)
                               : ask_word(s, i, w->stem);
        s->all += s->weight[i];
    }
    return 0;
}

/* The order of words: "count lines and sort" and "sort and count lines" have
 * the same words. */

/* The factor when every pair of the phrase is in the request. */
#define PAIR_BONUS  0.3
#define FIRST_BONUS 0.2

/* Whether word i of the row asks for the stem. */
static bool
row_has(const struct index_query *s, size_t i, const struct search_asked *a)
{
    return a && i < s->n_row && s->row[i] == (size_t)(a - s->asked);
}

/* Whether one stem follows the other in the request. */
static bool
has_pair(const struct index_query *s, uint32_t one, uint32_t other)
{
    const struct search_asked *a = search_asked_of(s, one);
    const struct search_asked *b = search_asked_of(s, other);

    for (size_t i = 0; a && b && i + 1 < s->n_row; i++)
        if (row_has(s, i, a) && row_has(s, i + 1, b))
            return true;
    return false;
}

/* How well the order of a phrase agrees with the request: 1 when it does not,
 * more for pairs in the same order and for the same first word. */
static double
search_order(const struct index_query *s, const struct index_phrase *p)
{
    const uint32_t *terms = s->t.terms + p->term;
    double order = 1, pairs = 0;

    if (p->n_terms == 0)
        return order;
    if (row_has(s, 0, search_asked_of(s, terms[0])))
        order += FIRST_BONUS;
    for (size_t i = 0; i + 1 < p->n_terms; i++)
        pairs += has_pair(s, terms[i], terms[i + 1]);
    if (p->n_terms > 1)
        order += PAIR_BONUS * pairs / (p->n_terms - 1);
    return order;
}

/* The share of the weight of a phrase's words that the request has. */
static double
search_whole(const struct index_query *s, const struct index_phrase *p)
{
    const uint32_t *terms = s->t.terms + p->term;
    double has = 0;

    for (size_t i = 0; i < p->n_terms; i++) {
        const struct search_asked *a = search_asked_of(s, terms[i]);

        if (a)
            has += a->share * a->stem->weight;
    }
    return p->length ? has / p->length : 0;
}

/* Rates of programs: all phrases of all recipes that begin with a program are
 * one text about it. */

/* BM25 parameters for programs. A program of many recipes has many words, so
 * that its length must count. */
#define RATE_K1 2.0
#define RATE_B  0.6

struct rating {
    struct index_query s;
    uint32_t *times; /* of one stem, in each program */
    double *rates;
    double mean; /* length of a program's text */
};

static void
rating_done(struct rating *r)
{
    index_query_done(&r->s);
    free(r->times);
    free(r->rates);
}

static const struct index_recipe *
recipe_of(const struct rating *r, const struct index_posting *p)
{
    return &r->s.t.recipes[r->s.t.phrases[p->phrase].recipe];
}

static void
rate_stem(struct rating *r, const struct search_asked *a)
{
    const struct index_posting *v = r->s.t.postings + a->stem->posting;
    double weight = a->share * a->stem->rarity / INDEX_ONE;

    for (size_t i = 0; i < a->stem->n_postings; i++)
        r->times[recipe_of(r, &v[i])->program]++;
    for (size_t i = 0; i < a->stem->n_postings; i++) {
        uint32_t program = recipe_of(r, &v[i])->program;
        double times = r->times[program];
        double longer = 1 - RATE_B +
                        RATE_B * r->s.t.programs[program].n_terms / r->mean;

        r->times[program] = 0; /* once is enough */
        r->rates[program] += weight * times * (RATE_K1 + 1) /
                             (times + RATE_K1 * longer);
    }
}

void
index_rate(const struct index *x, const struct request *q,
           struct index_rates *out)
{
    CLEANUP(rating_done) struct rating r = {.mean = 1};

    *out = (struct index_rates){0};
    if (search_ask(&r.s, x, q) < 0)
        return;
    r.times = calloc(x->n_programs + 1, sizeof(*r.times));
    r.rates = calloc(x->n_programs + 1, sizeof(*r.rates));
    if (!r.times || !r.rates)
        return;
    if (x->n_programs > 0)
        r.mean += (double)x->n_terms / x->n_programs;
    for (size_t i = 0; i < r.s.n; i++)
        rate_stem(&r, &r.s.asked[i]);
    for (size_t i = 0; i < x->n_programs; i++) {
        if (!r.s.t.text[r.s.t.programs[i].text])
            r.rates[i] = 0; /* jobs */
        if (r.rates[i] > out->best)
            out->best = r.rates[i];
    }
    out->v = TAKE_PTR(r.rates);
}

void
index_rates_done(struct index_rates *r)
{
    if (!r)
        return;
    free(r->v);
    *r = (struct index_rates){0};
}

double
index_rate_at(const struct index *x, const struct index_rates *r, size_t recipe)
{
    struct index_tables t = index_tables_of(x);

    if (!r->v || r->best <= 0)
        return 0;
    return r->v[t.recipes[recipe].program] / r->best;
}

double
index_rate_of(const struct index *x, const struct index_rates *r,
              const char *program)
{
    struct index_tables t = index_tables_of(x);
    const struct index_program *found;

    if (!r->v || r->best <= 0)
        return 0;
    found = index_find(t.text, t.programs, x->n_programs, sizeof(*t.programs),
                       program);
    return found ? r->v[found - t.programs] / r->best : 0;
}

/* BM25 parameters for phrases: the saturation of repeated words, and the
 * penalty for length. Phrases are short, and lengths are sums of weights. */
#define BM25_K1 0.5
#define BM25_B  0.4

/* The factors of the extra phrases: a title counts as a phrase, names of
 * programs are a hint. */
#define TITLE_SHARE 1.0
#define NAMES_SHARE 0.8

/* The share that further phrases of a recipe add to the best one. */
#define OTHERS_SHARE 0.2

/* The factor of a phrase of which the request has only a slot. */
#define WHOLE_LEAST 0.5

/* The penalty for a different number of words: of two equal phrases the one
 * with as many words as the request is nearer. */
#define WORDS_COST 0.1

/* The number of recipes that are compared closely. */
#define CLOSELY (2 * INDEX_HITS_MAX)

struct passes {
    struct index_query s;
    double *phrases; /* the score of each */
    uint64_t *used;  /* per recipe: slots that words may fill */
    uint64_t *own;   /* without those */
    double *best;    /* of each recipe */
};

static void
passes_done(struct passes *p)
{
    index_query_done(&p->s);
    free(p->phrases);
    free(p->used);
    free(p->own);
    free(p->best);
}

/* The factor of a phrase by its kind. */
static double
kind_share(const struct index_tables *t, uint32_t phrase)
{
    const struct index_recipe *r = &t->recipes[t->phrases[phrase].recipe];
    uint32_t nth = phrase - r->phrase;

    return nth < r->n_phrases    ? 1
           : nth == r->n_phrases ? TITLE_SHARE
                                 : NAMES_SHARE;
}

static void
score_stem(struct passes *p, const struct search_asked *a)
{
    const struct index_tables *t = &p->s.t;
    const struct index_posting *v = t->postings + a->stem->posting;
    double weight = a->share * a->stem->weight / INDEX_ONE;
    double mean = p->s.x->mean;

    for (size_t i = 0; i < a->stem->n_postings; i++) {
        const struct index_phrase *phrase = &t->phrases[v[i].phrase];
        double times = v[i].times;
        double longer = 1 - BM25_B + BM25_B * phrase->length / mean;

        p->phrases[v[i].phrase] += weight * kind_share(t, v[i].phrase) * times *
                                   (BM25_K1 + 1) / (times + BM25_K1 * longer);
        p->used[phrase->recipe] |= a->words;
        p->own[phrase->recipe] |= a->own;
    }
}

/* Sums the score of each recipe: its best phrase, and a share of the others. */
static void
sum_recipes(struct passes *p)
{
    for (size_t i = 0; i < p->s.x->n_recipes; i++) {
        const struct index_recipe *r = &p->s.t.recipes[i];
        double sum = 0, best = 0;

        if (!p->used[i])
            continue;
        for (size_t k = 0; k < r->n_phrases + INDEX_EXTRA; k++) {
            double score = p->phrases[r->phrase + k];

            sum += score;
            best = score > best ? score : best;
        }
        p->best[i] = best + OTHERS_SHARE * (sum - best);
    }
}

/* A recipe with its score. */
struct search_place {
    unsigned recipe;
    double score;
};

/* Inserts one into the sorted list of at most max best. */
static void
keep_best(struct search_place *v, size_t *n, size_t max,
          struct search_place one)
{
    size_t i = *n;

    if (*n == max && one.score <= v[max - 1].score)
        return;
    if (*n < max)
        ++*n;
    else
        i--;
    for (; i > 0 && v[i - 1].score < one.score; i--)
        v[i] = v[i - 1];
    v[i] = one;
}

static double
share_of(const struct index_query *s, uint64_t used)
{
    double has = 0;

    for (size_t i = 0; i < s->q->n; i++)
        if (used & 1ull << i)
            has += s->weight[i];
    return s->all > 0 ? has / s->all : 0;
}

/* How different the numbers of words are: 0 when they are equal. */
static double
unevenness(const struct passes *p, const struct index_phrase *phrase)
{
    double asked = p->s.q->n, has = phrase->n_words;
    double most = asked > has ? asked : has;

    return most > 0 ? 1 - (asked + has - most) / most : 0;
}

/* The set of the request's words that a phrase has. */
static uint64_t
matched_words(const struct index_query *s, const struct index_phrase *p)
{
    const uint32_t *terms = s->t.terms + p->term;
    uint64_t words = 0;

    for (size_t i = 0; i < p->n_terms; i++) {
        const struct search_asked *a = search_asked_of(s, terms[i]);

        words |= a ? a->own : 0;
    }
    return words;
}

/* The share of a phrase's weight that are slots which nothing asks for. */
static double
unasked_slots(const struct index_query *s, const struct index_phrase *p)
{
    const uint32_t *terms = s->t.terms + p->term;
    double sum = 0;

    for (size_t i = 0; i < p->n_terms; i++) {
        const struct index_stem *stem = &s->t.stems[terms[i]];
        const struct search_asked *a = search_asked_of(s, terms[i]);

        if (s->t.text[stem->text] == '<')
            sum += stem->weight * (1 - (a ? a->share : 0));
    }
    return p->length ? sum / p->length : 0;
}

/* Compares all phrases of a recipe closely. The hit names the best of the
 * recipe's own phrases, also when the title or the names of programs score
 * better. */
static struct index_hit
look_closely(const struct passes *p, unsigned recipe)
{
    const struct index_recipe *r = &p->s.t.recipes[recipe];
    struct index_hit hit = {.recipe = recipe, .used = p->own[recipe]};
    double own = -1, sum = 0;

    for (unsigned k = 0; k < r->n_phrases + INDEX_EXTRA; k++) {
        const struct index_phrase *phrase = &p->s.t.phrases[r->phrase + k];
        double whole = search_whole(&p->s, phrase);
        double score = p->phrases[r->phrase + k] * search_order(&p->s, phrase) *
                       (1 - WORDS_COST * unevenness(p, phrase)) *
                       (WHOLE_LEAST + (1 - WHOLE_LEAST) * whole);

        sum += score;
        if (k < r->n_phrases && score > own) {
            own = score;
            hit.phrase = k;
            hit.whole = whole;
        }
        if (score > hit.score)
            hit.score = score;
    }
    hit.score += OTHERS_SHARE * (sum - hit.score);
    hit.matched = matched_words(&p->s, &p->s.t.phrases[r->phrase + hit.phrase]);
    hit.slots = unasked_slots(&p->s, &p->s.t.phrases[r->phrase + hit.phrase]);
    hit.share = share_of(&p->s, p->used[recipe]);
    return hit;
}

static int
by_score(const void *a, const void *b)
{
    const struct index_hit *s = a, *t = b;

    if (s->score != t->score)
        return s->score > t->score ? -1 : 1;
    return s->recipe < t->recipe ? -1 : s->recipe > t->recipe;
}

static size_t
best_of(const struct passes *p, struct index_hit *hits, size_t max)
{
    struct search_place first[CLOSELY];
    struct index_hit close[CLOSELY] = {{0}};
    size_t n = 0;

    for (unsigned i = 0; i < p->s.x->n_recipes; i++)
        if (p->best[i] > 0)
            keep_best(first, &n, CLOSELY, (struct search_place){i, p->best[i]});
    for (size_t i = 0; i < n; i++)
        close[i] = look_closely(p, first[i].recipe);
    if (n > 0)
        qsort(close, n, sizeof(close[0]), by_score);
    if (n > max)
        n = max;
    memcpy(hits, close, n * sizeof(*hits));
    return n;
}

size_t
index_search(const struct index *x, const struct request *q,
             struct index_hit *hits, size_t max)
{
    CLEANUP(passes_done) struct passes p = {0};

    if (search_ask(&p.s, x, q) < 0)
        return 0;
    p.phrases = calloc(x->n_phrases + 1, sizeof(*p.phrases));
    p.used = calloc(x->n_recipes + 1, sizeof(*p.used));
    p.own = calloc(x->n_recipes + 1, sizeof(*p.own));
    p.best = calloc(x->n_recipes + 1, sizeof(*p.best));
    if (!p.phrases || !p.used || !p.own || !p.best)
        return 0;
    for (size_t i = 0; i < p.s.n; i++)
        score_stem(&p, &p.s.asked[i]);
    sum_recipes(&p);
    return best_of(&p, hits, max);
}
