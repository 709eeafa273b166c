/* SPDX-License-Identifier: GPL-3.0-or-later */
/* doubt.c - why the best that is known is not proposed all the same. */
#include "offline/wish/doubt.h"

#include <string.h>

#include "base/cleanup.h"
#include "offline/request/words.h"
#include "offline/wish/ruin.h"

#define TEXT_MAX (64u << 10)

/* What changes something must account for so much of the wish, and what
 * deletes or takes root for more. */
#define COVER_CHANGES 0.5
#define COVER_HARMS   0.75
/* "clean up" is not all that "clean up python's caches" says. */
#define WHOLE_HARMS 0.6
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
        "avoid alone safe safely whether how before explain server remote "
        "remotely ";
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

/* "find x and delete them": what the wish orders, in the form of an order and
 * at the head of a clause; NULL. */
static const char *
orders(const struct request *q)
{
    static const char changes[] =
        " delete remove erase uninstall install move rename copy commit kill "
        "restart stop compress encrypt unzip extract unpack upgrade ";
    static const char heads[] = " and then please you, also to ";
    static const char none[] = " find list show print what which ";

    for (size_t i = 0; i < q->n; i++) {
        const char *word = q->words[i].plain;
        bool first = i == 0 || (words_listed(q->words[i - 1].plain, heads) &&
                                strcmp(q->words[i - 1].plain, "to") != 0);

        if (q->words[i].value < 0 && first && words_listed(word, changes) &&
            !(i + 1 < q->n && words_listed(q->words[i + 1].plain, none)))
            return word;
    }
    return NULL;
}

/* Whether a clause begins at word i: behind "and", "then" or a comma. */
static bool
begins_clause(const struct request *q, size_t i)
{
    size_t from = q->words[i].from;

    if (i == 0)
        return false;
    while (from > 0 && q->text[from - 1] == ' ')
        from--;
    return words_listed(q->words[i - 1].plain, " and then ") ||
           (from > 0 && strchr(",;", q->text[from - 1]));
}

/* "sort x, drop doubles and save it": a clause that the command leaves out. */
static const char *
half(const struct doubt *d)
{
    static const char verbs[] =
        " delete remove erase uninstall install move rename copy commit kill "
        "restart stop compress encrypt unzip extract unpack upgrade save "
        "sort convert upload download create make add write push serve "
        "publish send start mail email print count replace ";
    const struct request *q = d->q;

    for (size_t i = 1; i < q->n; i++)
        if (q->words[i].value < 0 && !is_used(d, i) && begins_clause(q, i) &&
            words_listed(q->words[i].plain, verbs))
            return q->words[i].plain;
    return NULL;
}

/* What holds for the shell that runs it, and ends with that. */
static bool
is_for_own_shell(const char *commands)
{
    static const char names[] =
        " alias bg bind cd dirs disown export fg hash history jobs popd pushd "
        "set shopt source trap ulimit umask unalias unset ";
    char first[16];
    size_t n = strcspn(commands, " ");

    if (n >= sizeof(first) || strpbrk(commands, ";&|\n"))
        return false;
    memcpy(first, commands, n);
    first[n] = '\0';
    return words_listed(first, names);
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
    word = half(d);
    if (word) {
        buf_printf(why, "leaves out \"%s\"", word);
        return true;
    }
    if (is_for_own_shell(d->commands)) {
        buf_str(why, "is for the shell that it is typed into");
        return true;
    }
    word = d->risk == RECIPE_READS ? orders(d->q) : NULL;
    if (word)
        buf_printf(why, "changes nothing, and the wish says \"%s\"", word);
    if (d->risk == RECIPE_READS)
        return word != NULL;
    if (ruin_of(d->commands, &ruin)) {
        buf_printf(why, "would delete or change all of %.60s", ruin.p);
        return true;
    }
    word = turned_round(d);
    if (word)
        buf_printf(why, "would change something, and the wish says \"%s\"",
                   word);
    else if (asks(d->q))
        buf_str(why, "would change something, and the wish is a question");
    else if (d->risk >= RECIPE_DELETES && d->whole < WHOLE_HARMS)
        buf_str(why, "would do more than the wish says");
    else if (d->cover < least)
        buf_str(why, "would change something, and knows too little of the "
                     "wish");
    else
        return false;
    return true;
}
