/* SPDX-License-Identifier: GPL-3.0-or-later */
/* recipe_check_quotes.c - slots and the quotes that a command has itself.
 *
 * What is filled in gets quotes where it needs them; within quotes it must be
 * put in bare, and bare it must stand within quotes. */
#include <string.h>

#include "offline/recipe/recipe_check.h"

#define DEPTH_MAX 16 /* "$( … "$( … )" … )" */

/* How the bytes of a command are quoted, read from its beginning on. */
struct quoting {
    const char *text;
    size_t at;
    char quote[DEPTH_MAX]; /* 0, ' or " of each $(…) we are in */
    unsigned depth;
    struct recipe_checking *c;
};

static void
read_byte(struct quoting *q)
{
    char *quote = &q->quote[q->depth];
    char c = q->text[q->at];

    if (c == '\\' && *quote != '\'' && q->text[q->at + 1])
        q->at++;
    else if (*quote && c == *quote)
        *quote = 0;
    else if (!*quote && (c == '\'' || c == '"'))
        *quote = c;
    else if (*quote != '\'' && c == '$' && q->text[q->at + 1] == '(' &&
             q->depth + 1 < DEPTH_MAX)
        q->quote[++q->depth] = 0;
    else if (!*quote && c == ')' && q->depth > 0)
        q->depth--;
    q->at++;
}

/* Types whose values have no byte that a shell reads in its own way. */
static bool
is_plain(enum slot_type type)
{
    return type == SLOT_NUMBER || type == SLOT_PORT || type == SLOT_SIZE ||
           type == SLOT_AGE || type == SLOT_MODE || type == SLOT_EXT ||
           type == SLOT_DATE;
}

static int
see_slot(void *arg, const struct recipe_slot *s, size_t from, size_t to)
{
    struct quoting *q = arg;
    bool quoted;

    while (q->at < from)
        read_byte(q);
    quoted = q->quote[q->depth] != 0;
    q->at = to;
    if (!s->bare && quoted && s->known >= RECIPE_KNOWN_HOME)
        recipe_complain(q->c, "%.*s stands in quotes: it ends in !}",
                        (int)(to - from), q->text + from);
    if (s->bare && !quoted)
        recipe_complain(q->c, "%.*s stands in no quotes: leave the ! out",
                        (int)(to - from), q->text + from);
    if (!s->bare && quoted && !s->known && !is_plain(s->type))
        recipe_complain(q->c, "%.*s stands in quotes: {%s!}", (int)(to - from),
                        q->text + from, slot_name(s->type));
    return 0;
}

void
recipe_check_quotes(struct recipe_checking *c, const char *command)
{
    struct quoting q = {.text = command, .c = c};

    recipe_slots(command, see_slot, &q, NULL);
}
