/* SPDX-License-Identifier: GPL-3.0-or-later */
/* doubt.c - why the best that is known is not proposed all the same. */
#include "offline/wish/doubt.h"

#include <string.h>

#include "base/cleanup.h"
#include "guard/risk/risk.h"
#include "offline/request/words.h"
#include "offline/wish/ruin.h"

#define TEXT_MAX    (64u << 10)
#define UNHEARD_MAX 2 /* words that are named */

/* What changes something must account for so much of the wish, and what
 * deletes or takes root for more. */
#define COVER_CHANGES 0.5
#define COVER_HARMS   0.75
/* Then a "but" is a part of what is known. */
#define COVER_ALL 0.95

static bool
is_used(const struct doubt *d, size_t word)
{
    return d->used >> word & 1;
}

/* Appends the text without what quotes it. */
static void
put_bare(struct buf *out, const char *text)
{
    for (const char *p = text; *p; p++) {
        if (!strchr("'\"\\", *p))
            buf_ch(out, *p);
    }
}

static bool
stands_in(const char *commands, const char *text)
{
    CLEANUP_BUF struct buf all = buf_of(TEXT_MAX);
    CLEANUP_BUF struct buf one = buf_of(TEXT_MAX);

    put_bare(&all, commands);
    put_bare(&one, text);
    while (one.len > 1 && one.p[one.len - 1] == '/')
        one.p[--one.len] = '\0';
    return one.len == 0 || (all.len > 0 && strstr(all.p, one.p));
}

/* Quantities are written in other ways than they were said. */
static bool
is_quantity(const struct request_value *v)
{
    static const uint32_t quantities = 1u << SLOT_SIZE | 1u << SLOT_AGE |
                                       1u << SLOT_DATE | 1u << SLOT_NUMBER |
                                       1u << SLOT_MODE | 1u << SLOT_EXT;

    return !v->quoted && (quantities >> v->is & 1);
}

/* The first literal that a command leaves out. */
static const struct request_value *
left_out(const struct doubt *d)
{
    for (size_t i = 0; i < d->q->n; i++) {
        const struct request_word *w = &d->q->words[i];
        const struct request_value *v = request_value_of(d->q, i);

        /* a plain word that may be a name is none that must stand there */
        if (!v || w->stem[0] != '{')
            continue;
        if (is_quantity(v) ? is_used(d, i) || stands_in(d->commands, v->text)
                           : stands_in(d->commands, v->text))
            continue;
        return v;
    }
    return NULL;
}

/* Whether the command leaves something out by itself. */
static bool
can_say_not(const char *commands)
{
    static const char *const ways[] = {
        "!", "-not", "-prune", "exclude", "ignore", "grep -v", "-vE", "-v ",
    };

    for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++) {
        if (strstr(commands, ways[i]))
            return true;
    }
    return false;
}

/* "do not", "all but": a word that turns the wish round, and that the command
 * knows nothing of. */
static const char *
turned_round(const struct doubt *d)
{
    static const char nots[] = " not except ";
    static const char turns[] =
        " but without unless keep only instead would other else nothing "
        "pretend simulate simulating dry undo restore recover prevent protect "
        "avoid alone safe safely whether how before explain ";
    static const char against[] = " protect prevent avoid pretend simulate "
                                  "simulating undeletable nothing ";
    bool can = can_say_not(d->commands);

    for (size_t i = 0; i < d->q->n; i++) {
        const struct request_word *w = &d->q->words[i];

        if (request_value_of(d->q, i))
            continue;
        if ((!can && words_listed(w->stem, nots)) ||
            words_listed(w->plain, against) ||
            (!is_used(d, i) && !(w->weak && d->cover > COVER_ALL) &&
             words_listed(w->plain, turns)))
            return w->plain;
    }
    return NULL;
}

/* "show me how to delete x", "teach me how" */
static bool
wants_to_know(const struct request *q)
{
    for (size_t i = 1; i < q->n && i < 5; i++)
        if (strcmp(q->words[i].plain, "how") == 0 &&
            (words_listed(q->words[i - 1].plain, " me know learn explain ") ||
             words_listed(q->words[0].plain, " show tell explain teach ")))
            return true;
    return false;
}

/* "is", "which", "what": who asks so wants to know, not to change. */
static bool
asks(const struct request *q)
{
    static const char first[] =
        " is are was were does did has have which what whats who whose where "
        "why when should may might shall do does am explain ";
    static const char modal[] = " can could will would ";

    if (q->n == 0)
        return false;
    if (words_listed(q->words[0].plain, modal)) /* "can you delete x" */
        return q->n == 1 || strcmp(q->words[1].plain, "you") != 0;
    return words_listed(q->words[0].plain, first) || wants_to_know(q);
}

/* ---- what only looks, though it takes root to look */

static bool
call_looks(const struct risk_call *call)
{
    static const unsigned changes = RISK_DESTRUCTIVE | RISK_WRITES | RISK_ACTS |
                                    RISK_UNKNOWN | RISK_OPAQUE;

    return !(call->facts & changes) &&
           (!(call->facts & RISK_PRIVILEGED) ||
            call->facts & (RISK_LOOKS | RISK_HOLDERS));
}

static bool
looks_only(const char *commands)
{
    static const struct risk_place nowhere;
    struct syntax syntax = {0};
    struct risk risk = {0};
    bool yes = syntax_read(commands, strlen(commands), &syntax, NULL) == 0 &&
               risk_read(&syntax, &nowhere, &risk, NULL) == 0 &&
               risk.n_calls > 0 && !(risk.facts & RISK_DESTRUCTIVE);

    for (size_t i = 0; i < risk.n_calls; i++)
        yes = yes && call_looks(&risk.calls[i]);
    risk_done(&risk);
    syntax_done(&syntax);
    return yes;
}

/* ---- the reason */

/* Words of the wish that the command has nothing of, as it has them. */
static void
put_unheard(const struct doubt *d, struct buf *why)
{
    size_t n = 0;

    for (size_t i = 0; i < d->q->n && n < UNHEARD_MAX; i++) {
        const struct request_word *w = &d->q->words[i];

        if (w->weak || is_used(d, i) || request_value_of(d->q, i))
            continue;
        buf_printf(why, "%s\"%.24s\"", n++ ? ", " : ", and takes no notice of ",
                   w->plain);
    }
    if (n == 0)
        buf_str(why, ", and knows too little of the wish");
}

bool
doubt_of(const struct doubt *d, struct buf *why)
{
    CLEANUP_BUF struct buf ruin = buf_of(TEXT_MAX);
    const struct request_value *v = left_out(d);
    const char *word;
    double least = d->risk == RECIPE_WRITES ? COVER_CHANGES : COVER_HARMS;

    if (v) {
        buf_printf(why, "leaves out \"%.60s\"", v->text);
        return true;
    }
    if (d->risk == RECIPE_READS ||
        (d->risk == RECIPE_ROOT && looks_only(d->commands)))
        return false;
    if (ruin_of(d->commands, &ruin)) {
        buf_printf(why, "would delete or change all of %.60s", ruin.p);
        return true;
    }
    word = turned_round(d);
    if (!word && !asks(d->q) && d->cover >= least)
        return false;
    buf_str(why, d->risk == RECIPE_ROOT ? "would act as root"
                                        : "would change something");
    if (word)
        buf_printf(why, ", and the wish says \"%s\"", word);
    else if (asks(d->q))
        buf_str(why, ", and the wish is a question");
    else
        put_unheard(d, why);
    return true;
}
