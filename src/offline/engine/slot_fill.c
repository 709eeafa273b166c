/* SPDX-License-Identifier: GPL-3.0-or-later */
/* slot_fill.c - fills the slots of a recipe with the values of a request. */
#include "offline/engine/slot_fill.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/passwd.h"
#include "base/path.h"
#include "base/shell_quote.h"
#include "offline/parse/lexicon.h"

#define DAY_SIZE sizeof("2026-11-23")

static const char *
write_day(bool dashes, char text[DAY_SIZE])
{
    time_t now = time(NULL);
    struct tm tm;

    if (!localtime_r(&now, &tm) ||
        !strftime(text, DAY_SIZE, dashes ? "%Y-%m-%d" : "%Y%m%d", &tm))
        return "";
    return text;
}

/* Appends a value that is known without a request: as a word of the shell, or
 * as it is when bare is set. */
static void
put_known(struct buf *out, const struct seat *s, enum recipe_known known,
          bool bare)
{
    const char *home = s ? seat_home(s) : NULL, *value;
    struct passwd_user user;
    char text[DAY_SIZE];

    if (known == RECIPE_KNOWN_HOME && !home) {
        buf_str(out, "~"); /* which the shell may know */
        return;
    }

    if (known == RECIPE_KNOWN_TODAY)
        value = write_day(true, text);
    else if (known == RECIPE_KNOWN_DAY)
        value = write_day(false, text);
    else if (known == RECIPE_KNOWN_USER)
        value = passwd_find_uid(geteuid(), &user) ? user.name : "";
    else
        value = home;
    if (bare)
        buf_str(out, value);
    else
        shell_quote_word(out, value);
}

/* dirname(3) or basename(3) of a constant path. */
static char *
part_of(const char *path, char unit)
{
    size_t n = strlen(path), from;

    while (n > 1 && path[n - 1] == '/')
        n--;
    for (from = n; from > 0 && path[from - 1] != '/'; from--)
        ;
    if (unit == 'n')
        return n == 1 ? strndup(path, 1) : strndup(path + from, n - from);
    while (from > 1 && path[from - 1] == '/')
        from--;
    return from > 0 ? strndup(path, from) : strdup(".");
}

/* The path, without ~ when plain is set, or the part of it that the unit names.
 * The caller frees it. NULL without memory. */
static char *
expand_slot_path(const struct seat *s, const char *path, bool plain, char unit)
{
    const char *home = s ? seat_home(s) : NULL;
    char *whole = NULL, *part;

    if (plain && home && path[0] == '~' && (!path[1] || path[1] == '/'))
        part = asprintf(&whole, "%s%s", home, path + 1) < 0 ? NULL : whole;
    else
        part = whole = strdup(path);
    if (!part || !unit)
        return part;
    part = part_of(whole, unit);
    free(whole);
    return part;
}

/* Which value is for which slot. */

/* What is added to the kinship of a value. A neighbour as in the phrase counts
 * more than the order, which varies between sentences. */
#define SAME_BEFORE 0.30 /* "to {path2}", and "to" stands before the value */
#define SAME_AFTER  0.15
#define PER_PLACE   0.10 /* off, for each place out of order */
#define NEGATED     0.40 /* off: "not named x" */
#define EXISTS      0.05

struct slot_choice {
    struct slot_fill *f;
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
    lexicon_stem(text + from, to - from, out);
}

static void
stem_after(const char *text, size_t from, char *out)
{
    size_t to;

    from += strspn(text + from, " ");
    for (to = from; isalnum((unsigned char)text[to]); to++)
        ;
    lexicon_stem(text + from, to - from, out);
}

/* The number of a slot; f->n when it is not among them. */
static size_t
slot_number(const struct slot_fill *f, const struct recipe_slot *s)
{
    size_t i = 0;

    while (i < f->n &&
           (f->slots[i].slot.type != s->type || f->slots[i].slot.nth != s->nth))
        i++;
    return i;
}

static int
add_slot_choice(void *arg, const struct recipe_slot *s, size_t from, size_t to)
{
    struct slot_choice *c = arg;
    size_t i = slot_number(c->f, s);
    struct slot_binding *slot;

    if (s->known)
        return 0;
    if (i < c->f->n) {
        c->f->slots[i].ways |= c->way;
        return 0;
    }
    if (i == RECIPE_SLOTS_MAX)
        return 0;
    slot = &c->f->slots[i];
    *slot = (struct slot_binding){
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
read_slots(struct slot_choice *c, const char *text, bool phrase)
{
    struct err ignored; /* the linter has read it */

    c->text = text;
    c->phrase = phrase;
    recipe_slots(text, add_slot_choice, c, &ignored);
}

/* Only slots that commands have count; the phrase gives their order. */
static void
drop_unwanted(struct slot_choice *c)
{
    struct slot_fill commands = {.n = 0};
    struct slot_choice all = {.f = &commands};
    size_t kept = 0;

    for (size_t i = 0; i < c->r->n_steps; i++)
        read_slots(&all, c->r->steps[i].command, false);
    for (size_t i = 0; i < c->f->n; i++) {
        if (slot_number(&commands, &c->f->slots[i].slot) < commands.n)
            c->f->slots[kept++] = c->f->slots[i];
    }
    c->f->n = kept;
}

/* Whether another slot of the same command has the word; alternatives may use
 * it again. */
static bool
is_word_taken(const struct slot_choice *c, const struct slot_binding *s,
              size_t word)
{
    for (size_t i = 0; i < c->f->n; i++) {
        if (c->f->slots[i].word == word && c->f->slots[i].ways & s->ways)
            return true;
    }
    return false;
}

static bool
is_same_stem(const char *stem, const struct request *q, size_t word)
{
    return stem[0] && word < q->n && strcmp(stem, q->words[word].stem) == 0;
}

/* The position of a word among the values. */
static unsigned
place_of(const struct request *q, size_t word)
{
    unsigned n = 0;

    for (size_t i = 0; i < word; i++)
        n += q->words[i].value >= 0;
    return n;
}

static double
suits_slot(const struct slot_choice *c, size_t slot, size_t word)
{
    const struct request *q = c->f->q;
    const struct slot_binding *s = &c->f->slots[slot];
    const struct request_value *v = request_value_of(q, word);
    unsigned place = place_of(q, word);
    double score = v ? slot_type_kinship(s->slot.type, v) : 0;

    if (score <= 0)
        return 0;
    if (word > 0 && is_same_stem(s->before, q, word - 1))
        score += SAME_BEFORE;
    if (is_same_stem(s->after, q, word + 1))
        score += SAME_AFTER;
    if (s->slot.type == SLOT_PATH && v->exists)
        score += EXISTS;
    if (v->negated)
        score -= NEGATED;
    return score -
           PER_PLACE * (double)(place > slot ? place - slot : slot - place);
}

/* Binds the best remaining pair of slot and value. Returns false when none
 * fits. */
static bool
take_best(struct slot_choice *c)
{
    size_t best_slot = 0, best_word = 0;
    double best = 0;

    for (size_t s = 0; s < c->f->n; s++) {
        if (c->f->slots[s].word != REQUEST_NONE)
            continue;
        for (size_t w = 0; w < c->f->q->n; w++) {
            double score = is_word_taken(c, &c->f->slots[s], w)
                               ? 0
                               : suits_slot(c, s, w);

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

            lexicon_stem(at, n, own);
            if (strcmp(own, stem) == 0)
                return true;
            at += n + strspn(at + n, " ");
        }
    }
    return false;
}

/* A file that is only read must exist: "order me a pizza" names no file. */
static bool
is_said_file(const struct request *q, size_t word)
{
    while (word > 0 &&
           lexicon_listed(q->words[word - 1].plain, " the a an my "))
        word--;
    return word > 0 && lexicon_listed(q->words[word - 1].plain,
                                      " file files folder directory dir named "
                                      "called of in under from inside ");
}

/* Words of grammar: no name unless in quotes. */
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

/* Fills a slot with a rare plain word in the position of the slot: "install
 * nginx" for "install {name}". */
static bool
may_name(const struct slot_choice *c, const struct slot_binding *s, size_t word)
{
    const struct request *q = c->f->q;
    const struct request_word *w = &q->words[word];
    double known = index_weight(c->x, w->stem);
    double unknown = index_weight(c->x, "");

    if (w->value >= 0 || w->weak || is_word_taken(c, s, word) ||
        w->to - w->from >= REQUEST_STEM_MAX || is_of_recipe(c->r, w->stem))
        return false;
    switch (s->slot.type) {
    case SLOT_PATH:
        return known >= unknown &&
               (c->r->risk != RECIPE_READS || is_said_file(q, word));
    case SLOT_NAME:
    case SLOT_TEXT:
        return !lexicon_listed(w->plain, no_names) && !is_adverb(w->plain);
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
stands_there(const struct request *q, const struct slot_binding *s, size_t word)
{
    size_t before = word;

    while (before > 0 && q->words[before - 1].weak &&
           !is_same_stem(s->before, q, before - 1))
        before--;
    return (before > 0 && is_same_stem(s->before, q, before - 1)) ||
           is_same_stem(s->after, q, word + 1);
}

static void
take_plain(struct slot_choice *c, struct slot_binding *s)
{
    for (size_t i = 0; i < c->f->q->n; i++) {
        if (stands_there(c->f->q, s, i) && may_name(c, s, i)) {
            s->word = i;
            return;
        }
    }
}

void
slot_fill_choose(const struct request *q, const struct index *x,
                 const struct slot_stated_place *place, const struct recipe *r,
                 unsigned phrase, struct slot_fill *out)
{
    struct slot_choice c = {.f = out, .x = x, .r = r};

    *out = (struct slot_fill){.q = q, .place = place};
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

#define PLAIN_SUITS 0.6 /* a plain word that stands where the slot does */

struct template_filling {
    const struct slot_fill *f;
    const char *text; /* the template */
    size_t done;      /* bytes of it that are written */
    struct buf *out;
    struct slot_fill_result *result;
};

/* Appends the text of the template up to a slot; {{ and }} become one brace. */
static void
plain_to(struct template_filling *g, size_t to)
{
    for (size_t i = g->done; i < to; i++) {
        char c = g->text[i];

        buf_ch(g->out, c);
        if ((c == '{' || c == '}') && i + 1 < to && g->text[i + 1] == c)
            i++;
    }
    g->done = to;
}

/* Appends the word for an open slot: PATH, NAME2. */
static void
put_open(struct template_filling *g, const struct recipe_slot *s)
{
    for (const char *c = slot_name(s->type); *c; c++)
        buf_ch(g->out, (char)toupper((unsigned char)*c));
    if (s->nth > 1)
        buf_printf(g->out, "%u", s->nth);
    g->result->open++;
}

/* "useradd -d {path}": the home directory of another user. */
static bool
is_of_user(const struct slot_position *at)
{
    return strncmp(at->before, "sudo user", 9) == 0 ||
           strncmp(at->before, "user", 4) == 0;
}

/* Whether the unit or the home directory changes a path. */
static bool
is_path_changed(const struct template_filling *g, const char *path,
                const struct slot_position *at)
{
    return at->unit || (g->f->plain && path[0] == '~');
}

/* Appends a path that is written for the shell: a default, or a place in
 * words. */
static void
put_slot_path(struct template_filling *g, const char *text,
              const struct slot_position *at)
{
    CLEANUP(free_p) char *path = NULL;

    if (!is_path_changed(g, text, at)) {
        buf_str(g->out, text);
        return;
    }
    path = expand_slot_path(g->f->q->seat, text, g->f->plain, at->unit);
    if (path && at->inside)
        buf_str(g->out, path);
    else if (path)
        shell_quote_word(g->out, path);
}

/* Appends the place that the request names in words: "the current
 * directory". */
static bool
put_stated_place(struct template_filling *g, const struct recipe_slot *s,
                 const struct slot_position *at)
{
    const struct slot_stated_place *place = g->f->place;

    if (s->type != SLOT_PATH || s->nth > 1 || at->inside || !place ||
        !place->used || (place->text.p[0] == '~' && is_of_user(at)) ||
        !slot_type_takes_directory(at))
        return false;
    put_slot_path(g, place->text.p, at);
    g->result->used |= place->used;
    return true;
}

/* Appends the value of a slot. Returns false when it may not stand there. */
static bool
put_slot_value(struct template_filling *g, size_t word, enum slot_type type,
               const struct slot_position *at)
{
    const struct request *q = g->f->q;
    const struct request_value *v = request_value_of(q, word);
    const struct request_word *w = &q->words[word];
    char text[REQUEST_STEM_MAX];

    snprintf(text, sizeof(text), "%.*s", (int)(w->to - w->from),
             q->text + w->from);
    if (!slot_type_may_stand(type, v ? v->text : text, at))
        return false;
    g->result->used |= UINT64_C(1) << word;
    g->result->harms |= v && (type != SLOT_PATH || !at->unit) &&
                        slot_type_harms(v, at);
    g->result->strain += 1 - (v ? slot_type_kinship(type, v) : PLAIN_SUITS);
    if (type == SLOT_PATH && is_path_changed(g, v ? v->text : text, at)) {
        CLEANUP(free_p)
        char *path = expand_slot_path(q->seat, v ? v->text : text, g->f->plain,
                                      at->unit);

        slot_shell_text(g->out, type, path ? path : "", at);
        return true;
    }
    if (v) {
        slot_shell_value(g->out, q->seat, type, v, at);
        return true;
    }
    slot_shell_text(g->out, type, text, at);
    return true;
}

static int
put_slot(void *arg, const struct recipe_slot *s, size_t from, size_t to)
{
    struct template_filling *g = arg;
    size_t i = slot_number(g->f, s);
    struct slot_position at = {.before = g->text,
                               .n_before = from,
                               .unit = s->unit,
                               .inside = s->bare};

    plain_to(g, from);
    g->done = to;
    if (s->known) {
        put_known(g->out, g->f->q->seat, s->known, s->bare);
        return 0;
    }
    if (i < g->f->n && g->f->slots[i].word != REQUEST_NONE) {
        if (!put_slot_value(g, g->f->slots[i].word, s->type, &at))
            put_open(g, s);
    } else if (put_stated_place(g, s, &at))
        ;
    else if (s->otherwise && s->type == SLOT_PATH)
        put_slot_path(g, s->otherwise, &at);
    else if (s->otherwise)
        buf_str(g->out, s->otherwise);
    else
        put_open(g, s);
    if (s->type == SLOT_PATH && g->text[to] == '/' && g->out->len &&
        g->out->p[g->out->len - 1] == '/')
        buf_cut(g->out, g->out->len - 1); /* {path}/ of "build/" */
    return 0;
}

bool
slot_fill_leaves(const struct request *q, const struct slot_fill_result *result)
{
    for (size_t i = 0; i < q->n; i++) {
        if (q->words[i].value >= 0 && !(result->used & UINT64_C(1) << i))
            return true;
    }
    return false;
}

int
slot_fill_command(const struct slot_fill *f, const char *command,
                  struct buf *out, struct slot_fill_result *result,
                  struct err *e)
{
    struct template_filling g = {
        .f = f, .text = command, .out = out, .result = result};

    *result = (struct slot_fill_result){0};
    if (recipe_slots(command, put_slot, &g, e) < 0)
        return -1;
    plain_to(&g, strlen(command));
    return buf_ok(out, "a command", e);
}
