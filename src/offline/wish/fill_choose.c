/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fill_choose.c - which value of a request is meant for which slot. */
#include <ctype.h>
#include <string.h>

#include "offline/request/words.h"
#include "offline/wish/fill.h"

/* What is added to the kinship of a value. A neighbour that the phrase has
 * too counts more than the order, since people turn sentences around. */
#define SAME_BEFORE 0.30 /* "to {path2}", and "to" stands before the value */
#define SAME_AFTER  0.15
#define PER_PLACE   0.10 /* off, for each place out of order */
#define NEGATED     0.40 /* off: "not named x" */
#define EXISTS      0.05

struct choice {
    struct fill *f;
    const char *text; /* of the phrase or command that is being read */
    bool phrase;
    const struct index *x;
    const struct recipe *r;
    unsigned way; /* the command that is being read, as a set */
};

/* The stem of the word that ends at `to`, or begins at `from`; "". */
static void
stem_before(const char *text, size_t to, char *out)
{
    size_t from;

    while (to > 0 && text[to - 1] == ' ')
        to--;
    for (from = to; from > 0 && isalnum((unsigned char)text[from - 1]); from--)
        ;
    words_stem(text + from, to - from, out);
}

static void
stem_after(const char *text, size_t from, char *out)
{
    size_t to;

    from += strspn(text + from, " ");
    for (to = from; isalnum((unsigned char)text[to]); to++)
        ;
    words_stem(text + from, to - from, out);
}

static struct fill_slot *
slot_like(struct fill *f, const struct recipe_slot *s)
{
    for (size_t i = 0; i < f->n; i++) {
        if (f->slots[i].slot.type == s->type && f->slots[i].slot.nth == s->nth)
            return &f->slots[i];
    }
    return NULL;
}

static int
add_slot(void *arg, const struct recipe_slot *s, size_t from, size_t to)
{
    struct choice *c = arg;
    struct fill_slot *slot;

    if (s->known)
        return 0;
    slot = slot_like(c->f, s);
    if (slot)
        slot->ways |= c->way;
    if (slot || c->f->n == RECIPE_SLOTS_MAX)
        return 0;
    slot = &c->f->slots[c->f->n];
    *slot = (struct fill_slot){
        .slot = *s, .word = REQUEST_NONE, .ways = c->way};
    slot->slot.otherwise = NULL; /* valid for the call only */
    if (c->phrase) {
        slot->in_phrase = true;
        stem_before(c->text, from, slot->before);
        stem_after(c->text, to, slot->after);
    }
    c->f->n++;
    return 0;
}

static void
read_slots(struct choice *c, const char *text, bool phrase)
{
    struct err ignored; /* the linter has read it */

    c->text = text;
    c->phrase = phrase;
    recipe_slots(text, add_slot, c, &ignored);
}

/* Only what commands have counts; but the phrase says the order. */
static void
drop_unwanted(struct choice *c)
{
    struct fill commands = {.n = 0};
    struct choice all = {.f = &commands};
    size_t kept = 0;

    for (size_t i = 0; i < c->r->n_steps; i++)
        read_slots(&all, c->r->steps[i].command, false);
    for (size_t i = 0; i < c->f->n; i++) {
        if (slot_like(&commands, &c->f->slots[i].slot))
            c->f->slots[kept++] = c->f->slots[i];
    }
    c->f->n = kept;
}

/* Whether a slot that stands beside that one has the word; other ways to the
 * same may have it as well. */
static bool
is_taken(const struct choice *c, const struct fill_slot *s, size_t word)
{
    for (size_t i = 0; i < c->f->n; i++) {
        if (c->f->slots[i].word == word && c->f->slots[i].ways & s->ways)
            return true;
    }
    return false;
}

static bool
is_same(const char *stem, const struct request *q, size_t word)
{
    return stem[0] && word < q->n && strcmp(stem, q->words[word].stem) == 0;
}

/* How many values stand before that word: its place among them. */
static unsigned
place_of(const struct request *q, size_t word)
{
    unsigned n = 0;

    for (size_t i = 0; i < word; i++)
        n += q->words[i].value >= 0;
    return n;
}

static double
suits(const struct choice *c, size_t slot, size_t word)
{
    const struct request *q = c->f->q;
    const struct fill_slot *s = &c->f->slots[slot];
    const struct request_value *v = request_value_of(q, word);
    unsigned place = place_of(q, word);
    double score = v ? fill_kinship(s->slot.type, v) : 0;

    if (score <= 0)
        return 0;
    if (word > 0 && is_same(s->before, q, word - 1))
        score += SAME_BEFORE;
    if (is_same(s->after, q, word + 1))
        score += SAME_AFTER;
    if (s->slot.type == SLOT_PATH && v->exists)
        score += EXISTS;
    if (v->negated)
        score -= NEGATED;
    return score -
           PER_PLACE * (double)(place > slot ? place - slot : slot - place);
}

/* The best pair of what is left; false: none suits. */
static bool
take_best(struct choice *c)
{
    size_t best_slot = 0, best_word = 0;
    double best = 0;

    for (size_t s = 0; s < c->f->n; s++) {
        if (c->f->slots[s].word != REQUEST_NONE)
            continue;
        for (size_t w = 0; w < c->f->q->n; w++) {
            double score = is_taken(c, &c->f->slots[s], w) ? 0 : suits(c, s, w);

            if (score > best) {
                best = score;
                best_slot = s;
                best_word = w;
            }
        }
    }
    if (best <= 0)
        return false;
    c->f->slots[best_slot].word = best_word;
    return true;
}

/* Whether a phrase of the recipe has that stem itself. */
static bool
is_of_recipe(const struct recipe *r, const char *stem)
{
    char own[REQUEST_STEM_MAX];

    for (size_t i = 0; i < r->n_phrases; i++) {
        const char *at = r->phrases[i];

        while (*at) {
            size_t n = strcspn(at, " ");

            words_stem(at, n, own);
            if (strcmp(own, stem) == 0)
                return true;
            at += n + strspn(at + n, " ");
        }
    }
    return false;
}

/* What is only read must be there: "order me a pizza" names no file. */
static bool
is_said_file(const struct request *q, size_t word)
{
    while (word > 0 && words_listed(q->words[word - 1].plain, " the a an my "))
        word--;
    return word > 0 && words_listed(q->words[word - 1].plain,
                                    " file files folder directory dir named "
                                    "called of in under from inside ");
}

/* Words that hold a wish together: nothing is called so unless in quotes. */
static const char no_names[] =
    " one ones them all everything anything nothing that this these those "
    "others other another any some each every both without except excluding "
    "only but not no nor neither unless until instead also again already still "
    "yet never always than then else here there now either lower upper "
    "lowercase uppercase remote local ";

/* "locally", "quietly" */
static bool
is_adverb(const char *word)
{
    size_t n = strlen(word);

    return n > 5 && strcmp(word + n - 2, "ly") == 0;
}

/* "install nginx" for "install {name}": a word that recipes rarely say, where
 * the phrase has its slot. */
static bool
may_name(const struct choice *c, const struct fill_slot *s, size_t word)
{
    const struct request *q = c->f->q;
    const struct request_word *w = &q->words[word];
    double known = index_weight(c->x, w->stem);
    double unknown = index_weight(c->x, "");

    if (w->value >= 0 || w->weak || is_taken(c, s, word) ||
        w->to - w->from >= REQUEST_STEM_MAX || is_of_recipe(c->r, w->stem))
        return false;
    switch (s->slot.type) {
    case SLOT_PATH:
        return known >= unknown &&
               (c->r->risk != RECIPE_READS || is_said_file(q, word));
    case SLOT_NAME:
    case SLOT_TEXT:
        return !words_listed(w->plain, no_names) && !is_adverb(w->plain);
    case SLOT_USER: /* no word of the language is one */
    case SLOT_GROUP:
    case SLOT_HOST:
        return request_is_name(q, word);
    default:
        return false;
    }
}

/* Whether the phrase has its slot where the request has that word; weak words
 * may stand between. */
static bool
stands_there(const struct request *q, const struct fill_slot *s, size_t word)
{
    size_t before = word;

    while (before > 0 && q->words[before - 1].weak &&
           !is_same(s->before, q, before - 1))
        before--;
    return (before > 0 && is_same(s->before, q, before - 1)) ||
           is_same(s->after, q, word + 1);
}

static void
take_plain(struct choice *c, struct fill_slot *s)
{
    for (size_t i = 0; i < c->f->q->n; i++) {
        if (stands_there(c->f->q, s, i) && may_name(c, s, i)) {
            s->word = i;
            return;
        }
    }
}

void
fill_choose(const struct request *q, const struct index *x,
            const struct fill_said *place, const struct recipe *r,
            unsigned phrase, struct fill *out)
{
    struct choice c = {.f = out, .x = x, .r = r};

    *out = (struct fill){.q = q, .place = place};
    if (phrase < r->n_phrases)
        read_slots(&c, r->phrases[phrase], true);
    drop_unwanted(&c);
    for (size_t i = 0; i < r->n_steps; i++) {
        c.way = r->job ? 1 : 1u << i; /* a job's steps are one way */
        read_slots(&c, r->steps[i].command, false);
    }
    while (take_best(&c))
        ;
    for (size_t i = 0; i < out->n; i++) {
        if (out->slots[i].word == REQUEST_NONE)
            take_plain(&c, &out->slots[i]);
    }
}
