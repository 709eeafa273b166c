/* SPDX-License-Identifier: GPL-3.0-or-later */
/* doubt_said.c - what the words of a wish say against a command. */
#include <string.h>

#include "offline/request/words.h"
#include "offline/wish/doubt_in.h"

/* Behind "and" these take what was found somewhere. */
#define TAKES " put pack zip tar archive store "

/* Then a "but" is a part of what is known. */
#define COVER_ALL 0.95

/* Verbs that order something: to change what is here … */
#define CHANGES                                                                \
    " delete remove erase uninstall install move rename copy commit kill "     \
    "restart stop compress encrypt unzip extract unpack upgrade squash close " \
    "enable disable block wipe format mount unmount lock unlock merge rebase " \
    "revert undo purge prune drop truncate discard restore uncompress "        \
    "decompress unmute mute detach cancel reload unstage swap change start "   \
    "toss "
/* … and others that are clauses of their own. */
#define MORE                                                                   \
    "save sort convert upload download create make add write push serve "      \
    "publish send start mail email print count replace "

bool
doubt_uses(const struct doubt *d, size_t word)
{
    return d->used >> word & 1;
}

/* Whether the command leaves something out by itself. */
static bool
can_say_not(const char *commands)
{
    static const char *const ways[] = {
        "!",         "-not",    "-prune", "exclude", "--ignore=",
        "--ignored", "grep -v", "-vE",    "-v ",     "-L",
        "comm -",    "--no",    "..",     "NR > 1",  "-I ",
        "--hide",    "uniq -u", "-x ",    "without",
    };

    for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++) {
        if (strstr(commands, ways[i]))
            return true;
    }
    return false;
}

/* "directories to 755 but files to 644": two orders, of which one command
 * heeds one. */
static bool
is_other_half(const struct request *q, size_t i)
{
    static const char kinds[] = " file directory folder subdirectory ";

    return strcmp(q->words[i].plain, "but") == 0 && i + 1 < q->n &&
           words_listed(q->words[i + 1].stem, kinds);
}

const char *
doubt_turned_round(const struct doubt *d)
{
    static const char nots[] = " not except ";
    static const char turns[] =
        " but without unless keep only instead would other else nothing "
        "pretend simulate simulating dry undo restore recover prevent protect "
        "avoid alone safe safely whether how before explain server remote "
        "remotely outside ";
    static const char against[] = " protect prevent avoid pretend simulate "
                                  "simulating undeletable nothing ";
    bool can = can_say_not(d->commands);

    for (size_t i = 0; i < d->q->n; i++) {
        const struct request_word *w = &d->q->words[i];

        if (request_value_of(d->q, i))
            continue;
        if ((!can && words_listed(w->stem, nots)) || is_other_half(d->q, i) ||
            words_listed(w->plain, against) ||
            (!doubt_uses(d, i) && !(w->weak && d->cover > COVER_ALL) &&
             words_listed(w->plain, turns)))
            return w->plain;
    }
    return NULL;
}

/* "do not remove anything": what only looks heeds that. */
static bool
is_kept(const struct request *q, size_t i)
{
    return i + 1 < q->n && words_listed(q->words[i + 1].plain, CHANGES);
}

const char *
doubt_denies(const struct doubt *d)
{
    static const char nots[] = " not no never outside except excluding without "
                               "dont doesnt isnt arent don't "
                               "doesn't isn't aren't ";

    size_t in = request_find_row(d->q, "place");

    if (d->q->n > 1 &&
        words_listed(d->q->words[0].plain, " never don't dont ") &&
        !is_kept(d->q, 0))
        return d->q->words[0].plain;
    if (in != REQUEST_NONE && in > 0 &&
        strcmp(d->q->words[in - 1].plain, "in") == 0)
        return "in place";
    if (can_say_not(d->commands))
        return NULL;
    for (size_t i = 0; i < d->q->n; i++)
        if (!request_value_of(d->q, i) && !doubt_uses(d, i) &&
            words_listed(d->q->words[i].plain, nots) && !is_kept(d->q, i))
            return d->q->words[i].plain;
    return NULL;
}

/* "throw everything away": a verb, and nothing that it is done to. */
static bool
means_all(const struct request *q)
{
    static const char verbs[] =
        " delete remove erase throw reset wipe clean destroy kill purge drop "
        "undo discard stop revert uninstall nuke trash ";
    static const char nothing[] = " everything all away up out off thing "
                                  "stuff junk every now again please rid get ";
    bool all = false;

    for (size_t i = 0; i < q->n; i++) {
        const struct request_word *w = &q->words[i];

        if (w->value >= 0 || words_listed(w->plain, " here this these "))
            return false;
        all = all || words_listed(w->plain, " everything all stuff junk ");
        if (!w->weak && !words_listed(w->stem, nothing) &&
            !words_listed(w->plain, nothing) && !words_listed(w->stem, verbs))
            return false;
    }
    return all;
}

/* "from a to b", where nothing can follow an article: somebody's name. */
static bool
has_lone_article(const struct request *q)
{
    static const char behind[] =
        " to into onto except but and from in with without ";

    for (size_t i = 1; i < q->n; i++)
        if (strcmp(q->words[i].plain, "a") == 0 && !request_value_of(q, i) &&
            (i + 1 == q->n || words_listed(q->words[i + 1].plain, behind)))
            return true;
    return false;
}

/* "fix permissions": of what, and which? */
static bool
mends_rights(const struct request *q)
{
    static const char said[] =
        " fix repair correct mend permission permissions "
        "right rights file files wrong broken ";

    for (size_t i = 0; i < q->n; i++)
        if (!q->words[i].weak && !words_listed(q->words[i].plain, said))
            return false;
    return request_has(q, "permission");
}

bool
doubt_points(const struct request *q)
{
    static const char one[] = " file document ";
    static const char place[] = " folder directory ";
    size_t last = q->n - 1;

    if (has_lone_article(q))
        return true;
    if (q->n < 2 || q->n_values > 0)
        return false;
    return means_all(q) || mends_rights(q) ||
           (words_listed(q->words[last].plain, one) &&
            words_listed(q->words[last - 1].plain, " that this the my ")) ||
           (words_listed(q->words[last].plain, place) &&
            words_listed(q->words[last - 1].plain, " that ")) ||
           (q->n < 4 &&
            words_listed(q->words[last].plain, " it them that those "));
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

/* Whether an order may begin at word i: "please delete", "and delete". */
static bool
begins_order(const struct request *q, size_t i)
{
    static const char heads[] = " and then please you, also git docker ";

    return i == 0 || words_listed(q->words[i - 1].plain, heads);
}

/* "list the packages that can be upgraded": no verb of it changes anything. */
static bool
only_looks(const struct request *q)
{
    if (!words_listed(q->words[0].plain, " list show display view count see "))
        return false;
    for (size_t i = 1; i < q->n; i++)
        if (q->words[i].value < 0 && begins_order(q, i) &&
            words_listed(q->words[i].plain, CHANGES MORE))
            return false;
    return true;
}

bool
doubt_asks(const struct request *q)
{
    static const char first[] =
        " is are was were does did has have which what whats who whose where "
        "why when should may might shall do does am explain ";
    static const char modal[] = " can could will would ";

    if (q->n == 0)
        return false;
    if (words_listed(q->words[0].plain, modal)) /* "can you delete x" */
        return q->n == 1 || strcmp(q->words[1].plain, "you") != 0;
    return words_listed(q->words[0].plain, first) || wants_to_know(q) ||
           only_looks(q);
}

const char *
doubt_orders(const struct request *q)
{
    static const char none[] = " find list show print what which ";
    bool joins = q->n_values > 1; /* "merge a.txt and b.txt" prints both */

    if (q->n == 2 && strcmp(q->words[0].plain, "empty") == 0 &&
        request_value_of(q, 1)) /* "empty files" are looked for */
        return "empty";

    for (size_t i = 0; i < q->n; i++) {
        const char *word = q->words[i].plain;

        if (q->words[i].value < 0 && begins_order(q, i) &&
            words_listed(word, CHANGES) &&
            !(joins && strcmp(word, "merge") == 0) &&
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

    while (from > 0 && q->text[from - 1] == ' ')
        from--;
    return words_listed(q->words[i - 1].plain, " and then ") ||
           (from > 0 && strchr(",;", q->text[from - 1]));
}

const char *
doubt_state(const struct request *q)
{
    static const char states[] =
        " stopped deleted removed killed installed uninstalled disabled "
        "enabled blocked locked mounted unmounted closed exited ";
    const char *state = NULL;

    for (size_t i = 0; i < q->n; i++) {
        const char *word = q->words[i].plain;

        if (q->words[i].value >= 0)
            continue;
        if (words_listed(word, CHANGES MORE))
            return NULL;
        if (!state && words_listed(word, states))
            state = word;
    }
    return state;
}

const char *
doubt_half(const struct doubt *d)
{
    const struct request *q = d->q;

    for (size_t i = 1; i < q->n; i++)
        if (q->words[i].value < 0 && !doubt_uses(d, i) && begins_clause(q, i) &&
            words_listed(q->words[i].plain, CHANGES MORE TAKES))
            return q->words[i].plain;
    return NULL;
}
