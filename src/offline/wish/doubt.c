/* SPDX-License-Identifier: GPL-3.0-or-later */
/* doubt.c - why the best that is known is not proposed all the same. */
#include "offline/wish/doubt.h"

#include <string.h>

#include "base/cleanup.h"
#include "base/shell_quote.h"
#include "guard/risk/risk.h"
#include "offline/request/words.h"
#include "offline/wish/doubt_in.h"
#include "offline/wish/ruin.h"

#define TEXT_MAX    (64u << 10)
#define UNHEARD_MAX 2 /* words that are named */

/* What changes something must account for so much of the wish, and what
 * deletes or takes root for more. */
#define COVER_CHANGES 0.5
#define COVER_HARMS   0.75
/* "clean up" is not all that "clean up python's caches" says. */
#define WHOLE_CHANGES 0.5
#define WHOLE_HARMS   0.6
#define WHOLE_DELETES 0.75

/* Appends the text without what quotes it. */
static void
put_bare(struct buf *out, const char *text)
{
    for (const char *p = text; *p; p++) {
        if (!strchr("'\"\\", *p))
            buf_ch(out, *p);
    }
}

/* The same of one that has control characters: they stand there as escapes. */
static bool
stands_escaped(const char *commands, const char *text)
{
    CLEANUP_BUF struct buf one = buf_of(TEXT_MAX);

    shell_quote_ansi(&one, text);
    buf_cut(&one, one.len ? one.len - 1 : 0);
    return one.len > 2 && strstr(commands, one.p + 2);
}

static bool
stands_in(const char *commands, const char *text)
{
    CLEANUP_BUF struct buf all = buf_of(TEXT_MAX);
    CLEANUP_BUF struct buf one = buf_of(TEXT_MAX);

    if (shell_quote_has_control(text) && stands_escaped(commands, text))
        return true;
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

/* "under projects": where it is to happen, though the word is known. */
static bool
is_place(const struct request *q, size_t i)
{
    const struct request_value *v = request_value_of(q, i);

    while (i > 0 && words_listed(q->words[i - 1].plain, " the my this "))
        i--;
    return v->exists && v->is_dir && i > 0 &&
           words_listed(q->words[i - 1].plain,
                        " in under below beneath inside within ");
}

/* The first literal that a command leaves out. */
static const struct request_value *
left_out(const struct doubt *d)
{
    for (size_t i = 0; i < d->q->n; i++) {
        const struct request_word *w = &d->q->words[i];
        const struct request_value *v = request_value_of(d->q, i);

        /* a plain word that may be a name is none that must stand there, but
         * for what is to stay */
        if (!v || (w->stem[0] != '{' && !v->negated && !is_place(d->q, i)))
            continue;
        if (is_quantity(v) ? doubt_uses(d, i) || stands_in(d->commands, v->text)
                           : stands_in(d->commands, v->text))
            continue;
        return v;
    }
    return NULL;
}

/* Whether it only looks, though it may take root to look. */
static bool
call_looks(const struct risk_call *call)
{
    static const unsigned changes = RISK_DESTRUCTIVE | RISK_WRITES | RISK_ACTS |
                                    RISK_UNKNOWN | RISK_OPAQUE;

    return !(call->facts & changes) &&
           (!(call->facts & RISK_PRIVILEGED) ||
            call->facts & (RISK_LOOKS | RISK_HOLDERS));
}

/* Whether nothing changes, here (looks) or on another machine (shows). */
static void
read_deeds(const char *commands, bool *looks, bool *shows)
{
    static const struct risk_context nowhere;
    struct syntax syntax = {0};
    struct risk risk = {0};

    *looks = syntax_read(commands, strlen(commands), &syntax, NULL) == 0 &&
             risk_read(&syntax, &nowhere, &risk, NULL) == 0 &&
             risk.n_calls > 0 &&
             !(risk.facts & (RISK_DESTRUCTIVE | RISK_WRITES));
    for (size_t i = 0; i < risk.n_calls; i++)
        *looks = *looks && call_looks(&risk.calls[i]);
    *shows = *looks && !(risk.facts & RISK_NETWORK);
    risk_done(&risk);
    syntax_done(&syntax);
}

bool
doubt_hides(const struct doubt *d)
{
    const struct request_value *v = left_out(d);
    bool looks, shows;

    if (doubt_unasked(d) || doubt_exposes(d))
        return true;
    read_deeds(d->commands, &looks, &shows);
    return (!looks && d->risk != RECIPE_READS) ||
           (!shows && (doubt_denies(d) || (v && v->negated)));
}

/* What holds for the shell that runs it, and ends with that. */
static bool
is_for_own_shell(const char *commands)
{
    static const char names[] =
        " alias bg bind cd dirs disown exit export fg hash history jobs "
        "logout popd pushd set shopt source trap ulimit umask unalias unset ";
    char first[16];
    size_t n = strcspn(commands, " ");

    if (n >= sizeof(first) || strpbrk(commands, ";&|\n"))
        return false;
    memcpy(first, commands, n);
    first[n] = '\0';
    return words_listed(first, names);
}

/* Words of the wish that the command has nothing of, as it has them. */
static void
put_unheard(const struct doubt *d, struct buf *why)
{
    size_t n = 0;

    for (size_t i = 0; i < d->q->n && n < UNHEARD_MAX; i++) {
        const struct request_word *w = &d->q->words[i];

        if (w->weak || doubt_uses(d, i) || request_value_of(d->q, i))
            continue;
        buf_printf(why, "%s\"%.24s\"", n++ ? ", " : ", and ignores ", w->plain);
    }
    if (n == 0)
        buf_str(why, ", and covers too little of the request");
}

/* Of what only looks; false: there is no reason. */
static bool
doubt_answer(const struct doubt *d, bool looks, bool shows, struct buf *why)
{
    const char *word = doubt_half(d);

    if (word) {
        buf_printf(why, "leaves out \"%s\"", word);
        return true;
    }
    word = doubt_unasked(d);
    if (word) {
        buf_printf(why, "has %s, which was not requested", word);
        return true;
    }
    word = doubt_exposes(d);
    if (word) {
        buf_printf(why,
                   "opens a port to the network, and the request says \"%s\"",
                   word);
        return true;
    }
    if (is_for_own_shell(d->commands)) {
        buf_str(why, "only affects the shell that it is typed into");
        return true;
    }
    word = shows ? doubt_orders(d->q) : NULL;
    if (word) {
        buf_printf(why, "changes nothing, and the request says \"%s\"", word);
        return true;
    }
    word = looks || d->risk == RECIPE_READS ? doubt_denies(d) : NULL;
    if (word)
        buf_printf(why, "ignores \"%s\"", word);
    return word != NULL;
}

/* Of what changes something. */
static bool
doubt_change(const struct doubt *d, struct buf *why)
{
    double least = d->risk == RECIPE_WRITES ? COVER_CHANGES : COVER_HARMS;
    CLEANUP_BUF struct buf ruin = buf_of(TEXT_MAX);
    const char *turned = doubt_turned_round(d);
    const char *word = turned ? turned : doubt_state(d->q);
    bool asks = doubt_asks(d->q);
    bool more = d->graver ||
                d->whole < (d->risk == RECIPE_DELETES ? WHOLE_DELETES
                            : d->risk == RECIPE_ROOT  ? WHOLE_HARMS
                                                      : WHOLE_CHANGES);

    if (ruin_of(d->commands, &ruin)) {
        buf_printf(why, "would delete or change all of %.60s", ruin.p);
        return true;
    }
    if (d->covers) {
        buf_str(why, "would overwrite existing files");
        return true;
    }
    if (doubt_points(d->q)) {
        buf_str(why, "changes files, and the request does not say which");
        return true;
    }
    if (!word && !asks && !more && d->cover >= least && !d->lost[0])
        return false;
    buf_str(why, d->risk == RECIPE_ROOT ? "would act as root"
                                        : "would change something");
    if (word)
        buf_printf(why, ", and the request says \"%s\"", word);
    else if (asks)
        buf_str(why, ", and the request is a question");
    else if (more)
        buf_str(why, ", and does more than requested");
    else
        put_unheard(d, why);
    return true;
}

bool
doubt_of(const struct doubt *d, struct buf *why)
{
    const struct request_value *v = left_out(d);
    bool looks, shows;

    if (v) {
        buf_printf(why, "leaves out \"%.60s\"", v->text);
        return true;
    }
    read_deeds(d->commands, &looks, &shows);
    if (doubt_answer(d, looks, shows, why))
        return true;
    return d->risk != RECIPE_READS && !(d->risk == RECIPE_ROOT && looks) &&
           doubt_change(d, why);
}
