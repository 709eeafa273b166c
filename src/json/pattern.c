/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pattern.c - the keyword "pattern": POSIX regular expressions, weighed. */
#include <stdlib.h>
#include <string.h>

#include "json/rule.h"

/* regcomp copies what is repeated: a few nested repetitions fill the memory.
 * At this many atoms a pattern takes some megabytes at most. */
#define WEIGHT_MAX 1000
#define GROUPS_MAX 32 /* within each other */

struct scale {
    size_t outside[GROUPS_MAX]; /* weight before each open group */
    size_t depth;
    size_t sum;  /* of the innermost open group */
    size_t last; /* of the last atom: what a repetition repeats */
};

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

/* The most that "{m,n}" at p repeats. */
static size_t
interval_max(const char *p)
{
    const char *comma = p + 1 + strspn(p + 1, "0123456789");
    unsigned long m = strtoul(p + 1, NULL, 10), n = m;

    if (*comma == ',')
        n = strtoul(comma + 1, NULL, 10);
    m = m > n ? m : n;
    return m < WEIGHT_MAX ? m + 1 : WEIGHT_MAX;
}

static void
add_atom(struct scale *s, size_t weight)
{
    s->last = weight;
    s->sum += weight;
}

static void
repeat_last(struct scale *s, size_t times)
{
    s->sum += s->last * (times - 1);
    s->last *= times;
}

/* Weighs what stands at p and returns its length; 0: not to be taken. */
static size_t
weigh(struct scale *s, const char *p)
{
    switch (*p) {
    case '(':
        if (s->depth == GROUPS_MAX)
            return 0;
        s->outside[s->depth++] = s->sum;
        s->sum = 1;
        s->last = 0;
        return 1;
    case ')':
        if (s->depth > 0) {
            s->last = s->sum;
            s->sum += s->outside[--s->depth];
        }
        return 1;
    case '[':
        add_atom(s, 1);
        return bracket_len(p);
    case '\\': /* a reference back may take exponential time to match */
        add_atom(s, 1);
        return p[1] >= '0' && p[1] <= '9' ? 0 : p[1] != '\0' ? 2 : 1;
    case '*':
    case '+':
    case '?':
        repeat_last(s, 2);
        return 1;
    case '{':
        repeat_last(s, interval_max(p));
        return strcspn(p, "}") + (strchr(p, '}') != NULL);
    default:
        add_atom(s, 1);
        return 1;
    }
}

static bool
is_light(const char *text)
{
    struct scale s = {.depth = 0};

    while (*text != '\0') {
        size_t len = weigh(&s, text);

        if (len == 0 || s.sum > WEIGHT_MAX)
            return false;
        text += len;
    }
    return true;
}

/* Room for one more pattern; the caller counts it. */
static struct json_pattern *
next_pattern(struct json_schema *s)
{
    struct json_pattern *grown;

    grown = realloc(s->patterns, (s->n_patterns + 1) * sizeof(*grown));
    if (!grown)
        return NULL;
    s->patterns = grown;
    return &grown[s->n_patterns];
}

int
json_load_pattern(struct json_schema *s, const struct json *arg, struct err *e)
{
    struct json_pattern *next;
    size_t len;
    const char *text = json_str(arg, &len);

    if (!text || strlen(text) != len)
        return err_set(e, ERR_INVALID, "must be a string");
    if (!is_light(text))
        return err_set(e, ERR_INVALID,
                       "\"%s\" repeats too much, or refers back", text);
    next = next_pattern(s);
    if (!next)
        return err_sys(e, "pattern");
    if (regcomp(&next->compiled, text, REG_EXTENDED | REG_NOSUB) != 0)
        return err_set(e, ERR_INVALID, "\"%s\" is no regular expression", text);
    next->text = arg;
    s->n_patterns++;
    return 0;
}

static const regex_t *
compiled(const struct json_schema *s, const struct json *arg)
{
    size_t i = 0;

    while (s->patterns[i].text != arg)
        i++;
    return &s->patterns[i].compiled;
}

int
json_check_pattern(struct json_check *c, const struct json *schema,
                   const struct json *arg, const struct json *v,
                   const struct json_place *at)
{
    CLEANUP_BUF struct buf found = buf_of(sizeof(c->e->text));
    size_t len;
    const char *s = json_str(v, &len);

    (void)schema;
    /* a match ends at a NUL, so what holds one cannot match as a whole */
    if (!s || (strlen(s) == len &&
               regexec(compiled(c->schema, arg), s, 0, NULL, 0) == 0))
        return 0;
    json_describe(&found, v);
    return json_fault(c, at, "must match %.99s, not be %s", json_str(arg, NULL),
                      found.p);
}
