/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spelling_value.c - the value that an option takes, behind its name. */
#include <ctype.h>
#include <string.h>

#include "offline/manual/roff.h"
#include "offline/manual/spelling_in.h"

/* Copies [from, to) without marks and angle brackets; false when it does not
 * fit. */
static bool
copy(char *out, size_t size, const char *from, const char *to)
{
    size_t n = 0;

    for (; from < to; from++) {
        if (spelling_is_mark(*from) || *from == '<' || *from == '>')
            continue;
        if (n + 1 >= size)
            return false;
        out[n++] = *from == '\t' || *from == '\n' ? ' ' : *from;
    }
    while (n > 0 && (out[n - 1] == ' ' || out[n - 1] == ':'))
        n--;
    out[n] = '\0';
    return true;
}

/* The end of a value's name, from p: a separator outside all brackets. */
const char *
spelling_value_end(const char *p)
{
    const char *from = p;
    int depth = 0;

    for (; *p && *p != '\n'; p++) {
        if (strchr("[<({", *p))
            depth++;
        else if (strchr("]>)}", *p) && --depth < 0)
            break;
        if (depth > 0)
            continue;
        if (*p == ',' && (p[1] == ' ' || spelling_begins_option(p + 1)))
            break;
        if (*p == '|' && spelling_begins_option(spelling_skip_blanks(p + 1)))
            break;
        if (*p == ' ' && p > from &&
            (spelling_begins_option(p + 1) || spelling_is_word(p + 1, "or") ||
             p[1] == '|' || (p[1] == '/' && p[2] == ' ')))
            break;
    }
    return p;
}

/* One word, or several as "SRC DEST" and "N [default: 3]". */
static bool
is_names(char *arg)
{
    char *more = strstr(arg, " [");

    if (more && arg[strlen(arg) - 1] == ']')
        *more = '\0';
    return !strchr(arg, ' ') ||
           strspn(arg, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_ ") == strlen(arg);
}

void
spelling_take_value(struct spelling_reader *r, struct spelling *s,
                    enum option_takes takes)
{
    const char *from = spelling_skip_blanks(r->p),
               *end = spelling_value_end(from);
    bool marked = memchr(r->p, ROFF_ARG_ON, (size_t)(end - r->p)) != NULL;

    s->takes = takes;
    /* a sentence is no value's name */
    if (!copy(s->arg, sizeof(s->arg), from, end) ||
        (r->whole && !marked && *from != '<' && *from != '[' &&
         !is_names(s->arg))) {
        s->arg[0] = '\0';
        s->takes = TAKES_NOTHING;
        r->bad = r->bad || r->whole;
    }
    r->p = end;
}

/* "[=WHEN]", "[N]", "[<mode>]". */
static void
take_optional(struct spelling_reader *r, struct spelling *s)
{
    const char *from = spelling_skip_marks(r->p + 1), *end;

    from += *from == '=';
    end = spelling_value_end(from);
    s->takes = TAKES_MAYBE;
    if (!copy(s->arg, sizeof(s->arg), from, end))
        s->arg[0] = '\0';
    r->p = end + (*end == ']');
    while (*r->p == '[' && !spelling_begins_option(r->p)) { /* -B[N][/M] */
        end = spelling_value_end(spelling_skip_marks(r->p + 1));
        r->p = end + (*end == ']');
    }
}

/* Whether the bracket at p holds all of the value: not "[host:]port". */
static bool
is_all_optional(const char *p)
{
    const char *end = spelling_value_end(spelling_skip_marks(p + 1));

    end = spelling_skip_marks(end + (*end == ']'));
    return !isalnum((unsigned char)*end) && *end != '<' && *end != ':';
}

/* What follows the option's name. */
void
spelling_take_argument(struct spelling_reader *r, struct spelling *s)
{
    const char *p = spelling_skip_marks(r->p), *next = spelling_skip_blanks(p);

    if (*p == '=') {
        r->p = p + 1;
        spelling_take_value(r, s, TAKES_VALUE);
    } else if (*p == '[' && !spelling_begins_option(p)) {
        r->p = p;
        take_optional(r, s);
    } else if (*p == '<' || (*p == ':' && p[1] == '<') ||
               (*r->p == ROFF_ARG_ON && *p && *p != ' ' &&
                !strchr(",|/)]", *p))) {
        spelling_take_value(r, s, TAKES_VALUE);
    } else if (next > p && *next == '[' && !spelling_begins_option(next) &&
               is_all_optional(next)) {
        r->p = next;
        take_optional(r, s);
    } else if (next > p && *next &&
               (!strchr(",|/;)]\n", *next) ||
                (*next == '/' && next[1] == ROFF_ARG_ON)) &&
               !spelling_begins_option(next) && !spelling_is_word(next, "or") &&
               !spelling_is_word(next, "and") && spelling_dots_at(next) == 0) {
        r->p = *next == '=' ? next + 1 : p;
        spelling_take_value(r, s, TAKES_VALUE);
    }
}
