/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rank.c - ranks candidates, and estimates how sure the first one is. */
#include "offline/engine/rank.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "offline/parse/lexicon.h"

static bool
is_unknown_word(const struct request_word *w, const char *text, size_t n)
{
    return w->value < 0 && w->plain[0] == tolower((unsigned char)*text) &&
           strncasecmp(w->plain, text, n) == 0 && !w->plain[n];
}

/* The next word of a phrase; n is 0 behind the last. */
static const char *
next_phrase_word(const char **at, size_t *n)
{
    const char *p = *at + strspn(*at, " ");

    *n = strcspn(p, " ");
    *at = p + *n;
    while (*n > 0 && ispunct((unsigned char)p[*n - 1]) && p[*n - 1] != '}')
        --*n;
    return p;
}

/* Removes the first equal word of the remaining ones; whether there was one. */
static bool
take_equal_word(const struct request *q, uint64_t *words_left, const char *text,
                size_t n)
{
    for (size_t i = 0; i < q->n; i++) {
        if (*words_left >> i & 1 && is_unknown_word(&q->words[i], text, n)) {
            *words_left &= ~(UINT64_C(1) << i);
            return true;
        }
    }
    return false;
}

/* The share of common words among all words of both. */
static double
wording_likeness(const struct request *q, const char *phrase)
{
    uint64_t words_left = ~UINT64_C(0);
    size_t words = 0, same = 0, n;

    for (size_t i = 0; i < q->n; i++)
        words += q->words[i].value < 0;
    for (const char *p; p = next_phrase_word(&phrase, &n), n > 0;) {
        if (*p == '{')
            continue;
        words++;
        same += take_equal_word(q, &words_left, p,
                                n < REQUEST_STEM_MAX ? n : 0);
    }
    return words ? 2 * (double)same / (double)words : 0;
}

/* The share of words that a request and a phrase have in common, squared. */
static double
rank_wording(const struct request *q, const struct recipe *r)
{
    double best = 0;

    for (size_t i = 0; i < r->n_phrases; i++) {
        double one = wording_likeness(q, r->phrases[i]);

        best = one > best ? one : best;
    }
    return best * best;
}

/* Features: numbers from 0 to 1. */

#define LITERAL_WEIGHT 1.5 /* of a rare word's, what a value weighs */
#define OPEN_MOST      3
#define MISSING        0.4 /* it can be installed */
#define OPEN_FIRST     0.6 /* it cannot be run as it is */

/* Sets the weight of each word of the request; weak words have none. */
static void
rank_weigh(struct ranking *r)
{
    const struct request *q = r->q;
    double rare = index_weight(r->x, "");

    r->weight = 0;
    for (size_t i = 0; i < q->n; i++) {
        const struct request_word *w = &q->words[i];

        if (w->value >= 0)
            r->weights[i] = LITERAL_WEIGHT * rare / 2;
        else
            r->weights[i] = w->weak ? 0 : index_weight(r->x, w->stem);
        r->weight += r->weights[i];
    }
}

static double
plain_words_used(const struct ranking *r, uint64_t used)
{
    double all = 0, has = 0;

    for (size_t i = 0; i < r->q->n; i++) {
        if (r->q->words[i].value >= 0)
            continue;
        all += r->weights[i];
        if (used & UINT64_C(1) << i)
            has += r->weights[i];
    }
    return all > 0 ? has / all : 0;
}

/* Most often it is the verb. */
static bool
begins_with_verb(const struct ranking *r, uint64_t used)
{
    for (size_t i = 0; i < r->q->n; i++) {
        if (r->weights[i] > 0 && r->q->words[i].value < 0)
            return used & UINT64_C(1) << i;
    }
    return false;
}

/* The share of the request's weight that these words have. */
static double
rank_cover(const struct ranking *r, uint64_t used)
{
    double sum = 0;

    for (size_t i = 0; i < r->q->n; i++) {
        if (used & UINT64_C(1) << i)
            sum += r->weights[i];
    }
    return r->weight > 0 ? sum / r->weight : 0;
}

static double
words_left(const struct request *q, uint64_t used)
{
    size_t all = 0, without = 0;

    for (size_t i = 0; i < q->n; i++) {
        if (q->words[i].value < 0)
            continue;
        all++;
        without += !(used & UINT64_C(1) << i);
    }
    return all ? (double)without / (double)all : 0;
}

static bool
word_is(const struct request *q, size_t i, const char *word)
{
    return i < q->n && strcmp(q->words[i].plain, word) == 0;
}

static size_t
named_at(const struct request *q, const char *program, size_t from)
{
    for (size_t i = from; i < q->n; i++) {
        if (word_is(q, i, program))
            return i;
    }
    return REQUEST_NONE;
}

static bool
is_any(const struct request *q, size_t i, const char *const *words)
{
    for (; *words; words++) {
        if (word_is(q, i, *words))
            return true;
    }
    return false;
}

/* Whether the request names the program as one: "using awk", "the sort
 * command". */
static bool
is_ordered(const struct request *q, const char *program)
{
    static const char *const before[] = {"using", "with", "via",     "use",
                                         "by",    "call", "through", NULL};
    static const char *const after[] = {"command", "utility", "program", "tool",
                                        NULL};

    for (size_t i = named_at(q, program, 0); i != REQUEST_NONE;
         i = named_at(q, program, i + 1)) {
        if ((i > 0 && is_any(q, i - 1, before)) || is_any(q, i + 1, after))
            return true;
    }
    return false;
}

/* Package managers: those of other systems are no answer unless the request
 * names them. */
static bool
is_foreign(const struct request *q, const char *program)
{
    static const char managers[] =
        " apk apt apt-get brew dnf emerge pacman pkg port yum zypper ";

    return lexicon_listed(program, managers) &&
           named_at(q, program, 0) == REQUEST_NONE;
}

static void
name_features(const struct ranking *r, const struct candidate *c,
              struct rank_row *row)
{
    const struct command_programs *p = &row->programs;

    if (p->n == 0)
        return;
    row->v[RANK_NAMED] = named_at(r->q, p->names[0], 0) != REQUEST_NONE;
    row->v[RANK_ORDERED] = is_ordered(r->q, p->names[0]);
    row->v[RANK_PROGRAM] = index_rate_of(r->x, r->rates, p->names[0]);
    if (c->recipe >= 0 && c->way == 0)
        row->v[RANK_PROGRAM] = index_rate_at(r->x, r->rates, (size_t)c->recipe);
    row->v[RANK_COMMON] = command_programs_common(p->names[0]);
    for (size_t i = 1; i < p->n; i++) {
        if (named_at(r->q, p->names[i], 0) != REQUEST_NONE)
            row->v[RANK_LATER] = 1;
    }
    for (size_t i = 0; i < p->n; i++) {
        if (!installed_has(r->installed, p->names[i]))
            row->v[RANK_MISSING] = is_foreign(r->q, p->names[i]) ? 1 : MISSING;
    }
}

static double
generator_advice(const struct ranking *r, const char *generator)
{
    for (size_t i = 0; i < r->n_hits; i++) {
        const char *name = r->advice[i].generator;

        if (name && strcmp(name, generator) == 0)
            return r->advice[i].share;
    }
    return 0;
}

/* How far the phrase and the request have the same words. A plain word in a
 * slot belongs to the phrase, and the slot to the request. */
static double
exact_hit(const struct ranking *r, const struct candidate *c)
{
    const struct index_hit *h = &r->hits[c->hit];
    double whole = h->whole + (c->open == 0 ? h->slots : 0);
    double both = rank_cover(r, h->matched | c->filled) *
                  (whole < 1 ? whole : 1);

    return both * both;
}

/* Whether an alternative uses more words of the request than those before it:
 * ssh {user}@{host} when a user is named. */
static bool
accounts_for_more(const struct ranking *r, const struct candidate *c)
{
    for (size_t i = 0; i < r->list->n; i++) {
        const struct candidate *other = &r->list->v[i];

        if (other->recipe == c->recipe && other->way < c->way &&
            (c->open > other->open || (c->filled & ~other->filled) == 0))
            return false;
    }
    return true;
}

#define STRONGEST 4.0 /* BM25 of the same words in the same order */

/* How near a recipe is to the best possible one. */
static double
strong_hit(const struct ranking *r, size_t hit)
{
    return r->weight > 0 ? r->hits[hit].score / r->weight / STRONGEST : 0;
}

static double
votes_for(const struct ranking *r, const char *head)
{
    double sum = 0;

    for (size_t i = 0; i < r->n_hits; i++) {
        if (strcmp(r->advice[i].head, head) == 0)
            sum += r->advice[i].vote;
    }
    return r->votes > 0 ? sum / r->votes : 0;
}

static void
rank_heed(const struct ranking *r, const struct candidate *c, enum rank_as as,
          struct rank_row *row)
{
    if (row->programs.n > 0)
        row->v[RANK_VOTE] = votes_for(r, row->programs.names[0]);
    if (as == RANK_AS_GENERATED) {
        row->v[RANK_GENERATED] = 1;
        row->v[RANK_FIT] = c->fit;
        row->v[RANK_MADE] = row->v[RANK_COVER];
        row->v[RANK_ADVISED] = generator_advice(r, c->generator);
        return;
    }
    row->v[RANK_STRONG] = strong_hit(r, (size_t)c->hit);
    row->v[RANK_TEXT] = r->advice[c->hit].share;
    row->v[RANK_SHARE] = r->hits[c->hit].share;
    row->v[RANK_EXACT] = exact_hit(r, c);
    row->v[RANK_WORDING] = r->advice[c->hit].wording;
    row->v[RANK_WHOLE] = r->hits[c->hit].whole;
    row->v[RANK_STRAIN] = c->strain < 1 ? c->strain : 1;
    row->v[RANK_WAY] = c->way > 0 && !accounts_for_more(r, c);
}

static void
rank_features(const struct ranking *r, const struct candidate *c,
              enum rank_as as, struct rank_row *row)
{
    row->v[RANK_COVER] = rank_cover(r, c->used);
    row->v[RANK_PLAIN] = plain_words_used(r, c->used);
    row->v[RANK_BEGINS] = begins_with_verb(r, c->used);
    row->v[RANK_LEFT] = words_left(r->q, c->used);
    if (c->open > 0)
        row->v[RANK_OPEN] = OPEN_FIRST + (1 - OPEN_FIRST) *
                                             (double)(c->open < OPEN_MOST
                                                          ? c->open - 1
                                                          : OPEN_MOST - 1) /
                                             (OPEN_MOST - 1);
    name_features(r, c, row);
    rank_heed(r, c, as, row);
}

/* Advice: what the recipes that were found say about a candidate. */

/* The program of a generator's first candidate, "" when it has none. */
static const char *
head_of_generator(const struct ranking *r, const char *generator)
{
    for (size_t i = 0; i < r->list->n; i++) {
        const char *name = r->list->v[i].generator;

        if (name && strcmp(name, generator) == 0 && r->rows[i].programs.n > 0)
            return r->rows[i].programs.names[0];
    }
    return "";
}

static void
read_hit(struct ranking *r, size_t i)
{
    struct rank_advice *a = &r->advice[i];
    struct command_programs programs = {.n = 0};
    struct recipe recipe;
    const char *head = "";

    index_recipe(r->x, r->hits[i].recipe, &recipe);
    if (recipe.generator)
        head = head_of_generator(r, recipe.generator);
    else if (recipe.n_steps > 0)
        command_programs_of(recipe.steps[0].command, &programs);
    if (programs.n > 0)
        head = programs.names[0];
    snprintf(a->head, sizeof(a->head), "%s", head);
    a->generator = recipe.generator;
    a->wording = recipe.job || recipe.generator ? 0
                                                : rank_wording(r->q, &recipe);
    a->share = r->hits[0].score > 0 ? r->hits[i].score / r->hits[0].score : 0;
    /* The best few decide. A job's first step says nothing. */
    a->vote = recipe.job ? 0 : a->share * a->share * a->share * a->share;
}

static void
rank_advise(struct ranking *r)
{
    r->votes = 0;
    for (size_t i = 0; i < r->n_hits; i++) {
        read_hit(r, i);
        r->votes += r->advice[i].vote;
    }
}

/* A logistic regression over requests with known answers, NL2Bash's and those
 * of people: is the first right? Found as the weights above were, but for
 * doubt, of which those requests say little: nobody measures nonsense. How far
 * the next of another kind lies behind says most. */
#define SURE_BASE    (-2.9)
#define SURE_COMMON  0.95
#define SURE_MARGIN  0.64
#define SURE_SCORE   0.2
#define SURE_WORDING 1.5
#define SURE_OPEN    (-0.6)
#define SURE_DOUBT   (-4.0)
#define SURE_JOB     (-1.5)

#define MARGIN_MOST 4.0 /* nobody is that near: as good as none */
#define MENDED      0.5

/* The program that candidate i begins with; "". */
static const char *
rank_head(const struct ranking *r, size_t i)
{
    return r->rows[i].programs.n > 0 ? r->rows[i].programs.names[0] : "";
}

/* Whether a candidate is like the first one: of the same program, or an
 * alternative of the same recipe. */
static bool
is_like_first(const struct ranking *r, size_t i)
{
    const struct candidate *v = r->list->v;

    return strcmp(rank_head(r, i), rank_head(r, 0)) == 0 ||
           (v[i].recipe >= 0 && v[i].recipe == v[0].recipe);
}

/* The difference of score to the best candidate of another kind. */
static double
score_margin(const struct ranking *r)
{
    for (size_t i = 1; i < r->list->n; i++) {
        double by = r->list->v[0].score - r->list->v[i].score;

        if (!is_like_first(r, i))
            return by < 0 ? 0 : by < MARGIN_MOST ? by : MARGIN_MOST;
    }
    return MARGIN_MOST;
}

/* Whether the spelling of a word was corrected. */
static bool
is_mended(const struct request *q, const struct request_word *w)
{
    size_t n = strlen(w->plain);

    return n != w->to - w->from ||
           strncasecmp(w->plain, q->text + w->from, n) != 0;
}

/* The share of the request's weight of words that no recipe has and the
 * candidate does not use. A corrected word may be another one. */
double
rank_unknown_share(const struct ranking *r)
{
    double unknown = index_weight(r->x, ""), sum = 0;

    for (size_t i = 0; i < r->q->n; i++) {
        const struct request_word *w = &r->q->words[i];

        if (w->value >= 0 || w->weak)
            continue;
        if (index_weight(r->x, w->stem) >= unknown)
            sum += r->list->v[0].used >> i & 1 ? 0 : r->weights[i];
        else if (is_mended(r->q, w))
            sum += MENDED * r->weights[i];
    }
    return r->weight > 0 ? sum / r->weight : 1;
}

/* 1 / (1 + e^-z) without libm: (1 - z/1024)^1024 is near enough to e^-z. */
static double
logistic(double z)
{
    double power = 1 - (z > 20 ? 20 : z < -20 ? -20 : z) / 1024;

    for (int i = 0; i < 10; i++)
        power *= power;
    return 1 / (1 + power);
}

/* How much nearer a job is to the request than all recipes like the first
 * candidate: then the request takes several commands. */
static double
plan_margin(const struct ranking *r)
{
    struct recipe best;

    if (r->n_hits == 0)
        return 0;
    index_recipe(r->x, r->hits[0].recipe, &best);
    for (size_t i = 0; best.job && i < r->n_hits; i++)
        if (strcmp(r->advice[i].head, rank_head(r, 0)) == 0 &&
            r->advice[i].vote > 0)
            return 1 - r->advice[i].share;
    return best.job;
}

double
rank_confidence(const struct ranking *r)
{
    const double *v = r->rows[0].v;

    if (r->list->n == 0)
        return 0;
    return logistic(
        SURE_BASE + SURE_COMMON * v[RANK_COMMON] +
        SURE_MARGIN * score_margin(r) + SURE_SCORE * r->list->v[0].score +
        SURE_WORDING * v[RANK_WORDING] + SURE_OPEN * v[RANK_OPEN] +
        SURE_DOUBT * rank_unknown_share(r) + SURE_JOB * plan_margin(r));
}

#define ROW_SPREAD 2 /* of the first five, so many of one program */
#define ROW_FIRST  5
#define WAY_BEHIND 0.01

/* Found by maximum likelihood over requests with known answers, in five parts
 * of which each was held out once, and rounded: what matters is the order of
 * size. */
static const struct {
    const char *name;
    double weight;
} features[RANK_FEATURES] = {
    [RANK_TEXT] = {"text", 3.6},        [RANK_SHARE] = {"share", 0.3},
    [RANK_WHOLE] = {"whole", -0.8},     [RANK_COVER] = {"cover", 2.2},
    [RANK_PLAIN] = {"said", 0.9},       [RANK_BEGINS] = {"begins", 0.6},
    [RANK_EXACT] = {"exact", 1.1},      [RANK_WORDING] = {"wording", 2.3},
    [RANK_PROGRAM] = {"program", 2.1},  [RANK_STRONG] = {"strong", 2.1},
    [RANK_MADE] = {"made", 2.1},        [RANK_LEFT] = {"left", -0.5},
    [RANK_FIT] = {"fit", 1.3},          [RANK_GENERATED] = {"composed", 1.7},
    [RANK_ADVISED] = {"advised", 2.2},  [RANK_VOTE] = {"vote", -0.9},
    [RANK_NAMED] = {"named", 0.8},      [RANK_ORDERED] = {"ordered", 0.8},
    [RANK_LATER] = {"later", 0.8},      [RANK_COMMON] = {"common", 1.2},
    [RANK_MISSING] = {"missing", -0.8}, [RANK_OPEN] = {"open", -2.4},
    [RANK_STRAIN] = {"strain", -2.4},   [RANK_WAY] = {"way", -0.5},
};

const char *
rank_feature_name(enum rank_feature f)
{
    return features[f].name;
}

static double
score(const struct rank_row *row)
{
    double sum = 0;

    for (size_t f = 0; f < RANK_FEATURES; f++)
        sum += features[f].weight * row->v[f];
    return sum;
}

/* As what it is better. */
static void
score_candidate(struct ranking *r, size_t i)
{
    struct candidate *c = &r->list->v[i];
    struct rank_row row = r->rows[i];

    c->score = -HUGE_VAL;
    if (c->recipe >= 0) {
        rank_features(r, c, RANK_AS_RECIPE, &r->rows[i]);
        c->score = score(&r->rows[i]);
    }
    if (!c->generator)
        return;
    rank_features(r, c, RANK_AS_GENERATED, &row);
    if (score(&row) > c->score) {
        r->rows[i] = row;
        c->score = score(&row);
    }
}

static void
swap(struct ranking *r, size_t a, size_t b)
{
    struct candidate c = r->list->v[a];
    struct rank_row row = r->rows[a];

    r->list->v[a] = r->list->v[b];
    r->list->v[b] = c;
    r->rows[a] = r->rows[b];
    r->rows[b] = row;
}

/* Moves a candidate forward, and those before it back. */
static void
advance_head(struct ranking *r, size_t from, size_t to)
{
    for (; from > to; from--)
        swap(r, from, from - 1);
}

void
rank_drop(struct ranking *r, size_t i)
{
    size_t behind = r->list->n - i - 1;

    shortlist_drop(r->list, i);
    memmove(&r->rows[i], &r->rows[i + 1], behind * sizeof(r->rows[0]));
}

static size_t
heads_before(const struct ranking *r, size_t at, const char *head)
{
    size_t n = 0;

    for (size_t i = 0; i < at; i++)
        n += strcmp(rank_head(r, i), head) == 0;
    return n;
}

/* Limits the candidates of one program among the first five. */
static void
spread_programs(struct ranking *r)
{
    for (size_t i = 1; i < ROW_FIRST && i < r->list->n; i++) {
        for (size_t k = i; k < r->list->n; k++) {
            if (heads_before(r, i, rank_head(r, k)) < ROW_SPREAD) {
                advance_head(r, k, i);
                break;
            }
        }
    }
}

/* Whether it is an alternative of the same recipe that has no fewer open
 * slots. */
static bool
is_way_of(const struct ranking *r, size_t i, size_t first)
{
    const struct candidate *a = &r->list->v[first], *b = &r->list->v[i];
    const double *v = r->rows[first].v, *w = r->rows[i].v;

    return a->recipe == b->recipe && a->way < b->way &&
           v[RANK_MISSING] <= w[RANK_MISSING] && v[RANK_OPEN] <= w[RANK_OPEN];
}

/* Keeps the commands of a recipe in its order, except one that uses more words
 * of the request, or whose program the request names. */
static void
keep_order(struct ranking *r)
{
    for (size_t i = 0; i < r->list->n; i++) {
        struct candidate *c = &r->list->v[i];

        if (r->rows[i].v[RANK_WAY] == 0 || r->rows[i].v[RANK_NAMED] > 0)
            continue;
        for (size_t k = 0; k < i; k++) {
            if (is_way_of(r, i, k) && r->list->v[k].score <= c->score)
                c->score = r->list->v[k].score - WAY_BEHIND;
        }
    }
}

void
rank_sort(struct ranking *r)
{
    memset(r->rows, 0, sizeof(r->rows));
    for (size_t i = 0; i < r->list->n; i++)
        command_programs_of(r->list->v[i].command, &r->rows[i].programs);
    rank_weigh(r);
    rank_advise(r);
    for (size_t i = 0; i < r->list->n; i++)
        score_candidate(r, i);
    keep_order(r);
    for (size_t i = 1; i < r->list->n; i++) {
        size_t to = i;

        while (to > 0 && r->list->v[to - 1].score < r->list->v[i].score)
            to--;
        advance_head(r, i, to);
    }
    spread_programs(r);
}
