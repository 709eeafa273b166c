/* SPDX-License-Identifier: GPL-3.0-or-later */
/* weigh.c - whether a regular expression can be compiled in bounded time. */
#include <stdlib.h>
#include <string.h>

#include "json/rule.h"

/* glibc's regcomp copies what is repeated, and takes exponential time where
 * what is repeated may be empty, as in (a*b*)*: a hundred bytes of a schema
 * could keep us for ever. So that is weighed first. */
#define WEIGHT_MAX 1000 /* atoms, copies counted: some megabytes */
#define GROUPS_MAX 32   /* within each other */

/* One open group, or the whole pattern. */
struct level {
    size_t weight;
    size_t solid; /* atoms of this branch that match at least a character */
    bool may_be_empty; /* so may a branch before this one */
};

struct scale {
    struct level level[GROUPS_MAX + 1];
    size_t depth;
    size_t last;     /* weight of the last atom: what a repetition repeats */
    bool last_solid; /* it is there and matches at least a character */
};

static struct level *
inner(struct scale *s)
{
    return &s->level[s->depth];
}

/* The length of a bracket expression at p, which begins with '['. */
static size_t
bracket_len(const char *p)
{
    const char *at = p + 1;

    at += *at == '^';
    at += *at == ']'; /* first in the list, it is itself */
    while (*at != '\0' && *at != ']') {
        const char *end = NULL;

        if (*at == '[' && at[1] != '\0' && strchr(":.=", at[1])) {
            const char close[] = {at[1], ']', '\0'};

            end = strstr(at + 2, close);
        }
        at = end ? end + 2 : at + 1;
    }
    return (size_t)(at - p) + (*at == ']');
}

static void
add_atom(struct scale *s, size_t weight, bool solid)
{
    inner(s)->weight += weight;
    inner(s)->solid += solid;
    s->last = weight;
    s->last_solid = solid;
}

static void
end_branch(struct scale *s)
{
    inner(s)->may_be_empty |= inner(s)->solid == 0;
    inner(s)->solid = 0;
    s->last_solid = false;
}

static bool
open_group(struct scale *s)
{
    if (s->depth == GROUPS_MAX)
        return false;
    s->depth++;
    *inner(s) = (struct level){.weight = 1};
    s->last_solid = false;
    return true;
}

static void
close_group(struct scale *s)
{
    struct level group;

    end_branch(s);
    group = *inner(s);
    s->depth -= s->depth > 0; /* a lone ')' is regcomp's to judge */
    add_atom(s, group.weight, !group.may_be_empty);
}

static bool
repeat_last(struct scale *s, bool may_be_none, size_t times)
{
    if (!s->last_solid)
        return false;
    inner(s)->weight += s->last * (times - 1);
    s->last *= times;
    if (may_be_none) {
        inner(s)->solid--;
        s->last_solid = false;
    }
    return true;
}

/* "{m,n}" at p. */
static bool
repeat_interval(struct scale *s, const char *p)
{
    const char *comma = p + 1 + strspn(p + 1, "0123456789");
    unsigned long m = strtoul(p + 1, NULL, 10), n = m;

    if (*comma == ',')
        n = strtoul(comma + 1, NULL, 10);
    n = m > n ? m : n;
    return repeat_last(s, m == 0, n < WEIGHT_MAX ? n + 1 : WEIGHT_MAX);
}

/* Weighs what stands at p and returns its length; 0: not to be taken. */
static size_t
weigh(struct scale *s, const char *p)
{
    switch (*p) {
    case '(':
        return open_group(s);
    case ')':
        close_group(s);
        return 1;
    case '|':
        end_branch(s);
        return 1;
    case '^':
    case '$':
        add_atom(s, 1, false);
        return 1;
    case '[':
        add_atom(s, 1, true);
        return bracket_len(p);
    case '\\': /* a reference back may take exponential time to match */
        add_atom(s, 1, p[1] != '\0' && !strchr("bB<>`'", p[1]));
        return p[1] >= '0' && p[1] <= '9' ? 0 : p[1] != '\0' ? 2 : 1;
    case '+':
        return repeat_last(s, false, 2);
    case '*':
    case '?':
        return repeat_last(s, true, 2);
    case '{':
        if (!repeat_interval(s, p))
            return 0;
        return strcspn(p, "}") + (strchr(p, '}') != NULL);
    default:
        add_atom(s, 1, true);
        return 1;
    }
}

bool
json_pattern_is_light(const char *text)
{
    struct scale s = {.depth = 0};

    while (*text != '\0') {
        size_t len = weigh(&s, text);

        if (len == 0 || inner(&s)->weight > WEIGHT_MAX)
            return false;
        text += len;
    }
    return true;
}
