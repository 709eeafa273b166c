/* SPDX-License-Identifier: GPL-3.0-or-later */
/* schema_scalar.c - the keywords of a schema for strings and numbers. */
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "json/schema_rule.h"
#include "json/write.h"

/* The regcomp(3) of glibc copies a part that is repeated, and takes exponential
 * time where that part may be empty, as in (a*b*)*: a hundred bytes of a schema
 * could block us for ever. So a pattern's cost is estimated first. */
#define WEIGHT_MAX 1000 /* atoms, copies included: some megabytes */
#define GROUPS_MAX 32   /* nested */

/* One open group, or the whole pattern. */
struct pattern_group {
    size_t weight;
    size_t solid; /* atoms of this branch that match at least one character */
    bool may_be_empty; /* a branch before this one may be empty */
};

struct pattern_weight {
    struct pattern_group level[GROUPS_MAX + 1];
    size_t depth;
    size_t last;     /* weight of the last atom, which a repetition repeats */
    bool last_solid; /* it exists and matches at least one character */
};

static struct pattern_group *
inner_level(struct pattern_weight *s)
{
    return &s->level[s->depth];
}

/* The length of a bracket expression at p, which begins with '['. */
static size_t
bracket_len(const char *p)
{
    const char *at = p + 1;

    at += *at == '^';
    at += *at == ']'; /* a ']' at the front stands for itself */
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
add_atom(struct pattern_weight *s, size_t weight, bool solid)
{
    inner_level(s)->weight += weight;
    inner_level(s)->solid += solid;
    s->last = weight;
    s->last_solid = solid;
}

static void
end_branch(struct pattern_weight *s)
{
    inner_level(s)->may_be_empty |= inner_level(s)->solid == 0;
    inner_level(s)->solid = 0;
    s->last_solid = false;
}

static bool
open_group(struct pattern_weight *s)
{
    if (s->depth == GROUPS_MAX)
        return false;
    s->depth++;
    *inner_level(s) = (struct pattern_group){.weight = 1};
    s->last_solid = false;
    return true;
}

static void
close_group(struct pattern_weight *s)
{
    struct pattern_group group;

    end_branch(s);
    group = *inner_level(s);
    s->depth -= s->depth > 0; /* regcomp reports a lone ')' */
    add_atom(s, group.weight, !group.may_be_empty);
}

static bool
repeat_last(struct pattern_weight *s, bool may_be_none, size_t times)
{
    if (!s->last_solid)
        return false;
    inner_level(s)->weight += s->last * (times - 1);
    s->last *= times;
    if (may_be_none) {
        inner_level(s)->solid--;
        s->last_solid = false;
    }
    return true;
}

/* "{m,n}" at p. */
static bool
repeat_interval(struct pattern_weight *s, const char *p)
{
    const char *comma = p + 1 + strspn(p + 1, "0123456789");
    unsigned long m = strtoul(p + 1, NULL, 10), n = m;

    if (*comma == ',')
        n = strtoul(comma + 1, NULL, 10);
    n = m > n ? m : n;
    return repeat_last(s, m == 0, n < WEIGHT_MAX ? n + 1 : WEIGHT_MAX);
}

/* Adds the weight of the element at p and returns its length; 0: the pattern is
 * rejected. */
static size_t
weigh_next(struct pattern_weight *s, const char *p)
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
    case '\\': /* a back-reference may take exponential time to match */
        add_atom(s, 1, p[1] != '\0' && !strchr("bB<>`'", p[1]));
        return ascii_is_digit(p[1]) ? 0 : p[1] != '\0' ? 2 : 1;
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

static bool
pattern_is_bounded(const char *text)
{
    struct pattern_weight s = {.depth = 0};

    while (*text != '\0') {
        size_t len = weigh_next(&s, text);

        if (len == 0 || inner_level(&s)->weight > WEIGHT_MAX)
            return false;
        text += len;
    }
    return true;
}

/* The keyword "pattern": POSIX extended regular expressions. */

/* regexec keeps a set of states for each byte: longer strings do not match. */
#define STRING_MAX 4096

/* Makes room for one more pattern, which the caller counts. */
static struct schema_pattern *
next_pattern(struct json_schema *s)
{
    struct schema_pattern *grown;

    grown = realloc(s->patterns, (s->n_patterns + 1) * sizeof(*grown));
    if (!grown)
        return NULL;
    s->patterns = grown;
    return &grown[s->n_patterns];
}

static int
load_pattern(struct json_schema *s, const struct json *arg, struct err *e)
{
    struct schema_pattern *next;
    size_t len;
    const char *text = json_str(arg, &len);

    if (!text || strlen(text) != len)
        return err_set(e, ERR_INVALID, "must be a string");
    if (!pattern_is_bounded(text))
        return err_set(
            e, ERR_INVALID,
            "\"%s\" is too complex (too many repeats, or a back-reference)",
            text);
    next = next_pattern(s);
    if (!next)
        return err_sys(e, "pattern");
    if (regcomp(&next->compiled, text, REG_EXTENDED | REG_NOSUB) != 0)
        return err_set(e, ERR_INVALID,
                       "\"%s\" is not a valid regular expression", text);
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

static int
check_pattern(struct schema_check *c, const struct json *schema,
              const struct json *arg, const struct json *v,
              const struct schema_path *at)
{
    CLEANUP_BUF struct buf found = buf_of(sizeof(c->e->text));
    size_t len;
    const char *s = json_str(v, &len);

    (void)schema;
    /* regexec stops at a NUL, so a string with one cannot match as a whole */
    if (!s || (len <= STRING_MAX && strlen(s) == len &&
               regexec(compiled(c->schema, arg), s, 0, NULL, 0) == 0))
        return 0;
    json_describe(&found, v);
    return schema_error(c, at, "must match %.99s, not be %s",
                        json_str(arg, NULL), found.p);
}

bool
schema_is_size(const struct json *v, size_t *out)
{
    int64_t n;

    if (!json_int(v, &n) || n < 0)
        return false;
    *out = (size_t)n;
    return true;
}

int
schema_load_size(struct json_schema *s, const struct json *arg, struct err *e)
{
    size_t n;

    (void)s;
    if (schema_is_size(arg, &n))
        return 0;
    return err_set(e, ERR_INVALID, "must be a whole number, 0 or more");
}

static size_t
code_points(const char *s, size_t len)
{
    const uint64_t each = UINT64_C(0x0101010101010101);
    size_t n = len, i = 0;
    uint64_t word;

    for (; i + sizeof(word) <= len; i += sizeof(word)) {
        memcpy(&word, s + i, sizeof(word));
        /* bytes 10xxxxxx go on with a character */
        n -= (size_t)__builtin_popcountll((word >> 7) & (~word >> 6) & each);
    }
    for (; i < len; i++)
        n -= ((unsigned char)s[i] & 0xC0) == 0x80;
    return n;
}

static int
check_min_length(struct schema_check *c, const struct json *schema,
                 const struct json *arg, const struct json *v,
                 const struct schema_path *at)
{
    size_t len, least = 0;
    const char *s = json_str(v, &len);

    (void)schema;
    schema_is_size(arg, &least);
    /* a character has four bytes at most */
    if (!s || len / 4 >= least || code_points(s, len) >= least)
        return 0;
    if (len == 0)
        return schema_error(c, at, "must not be empty");
    return schema_error(c, at, "must have at least %zu characters, not %zu",
                        least, code_points(s, len));
}

static int
check_max_length(struct schema_check *c, const struct json *schema,
                 const struct json *arg, const struct json *v,
                 const struct schema_path *at)
{
    size_t len, most = 0;
    const char *s = json_str(v, &len);

    (void)schema;
    schema_is_size(arg, &most);
    /* as many bytes are no more characters: a long text need not be counted */
    if (!s || len <= most || (len / 4 <= most && code_points(s, len) <= most))
        return 0;
    return schema_error(c, at, "must have at most %zu characters, not %zu",
                        most, code_points(s, len));
}

static int
load_number(struct json_schema *s, const struct json *arg, struct err *e)
{
    double d;

    (void)s;
    if (json_num(arg, &d))
        return 0;
    return err_set(e, ERR_INVALID, "must be a number");
}

/* Returns -1, 0 or 1 for a less than, equal to or more than b; exact for
 * integers. */
static int
compare_json_numbers(const struct json *a, const struct json *b)
{
    double x = 0, y = 0;
    int64_t i, j;

    if (json_int(a, &i) && json_int(b, &j))
        return i < j ? -1 : i > j;
    if (!json_num(a, &x)) /* too large for a double */
        return json_digits(a, NULL)[0] == '-' ? -1 : 1;
    json_num(b, &y);
    return x < y ? -1 : x > y;
}

static int
check_minimum(struct schema_check *c, const struct json *schema,
              const struct json *arg, const struct json *v,
              const struct schema_path *at)
{
    (void)schema;
    if (json_type(v) != JSON_NUMBER || compare_json_numbers(v, arg) >= 0)
        return 0;
    return schema_error(c, at, "must be at least %s, not %.40s",
                        json_digits(arg, NULL), json_digits(v, NULL));
}

static int
check_maximum(struct schema_check *c, const struct json *schema,
              const struct json *arg, const struct json *v,
              const struct schema_path *at)
{
    (void)schema;
    if (json_type(v) != JSON_NUMBER || compare_json_numbers(v, arg) <= 0)
        return 0;
    return schema_error(c, at, "must be at most %s, not %.40s",
                        json_digits(arg, NULL), json_digits(v, NULL));
}

const struct schema_rule *
schema_scalar_rules(void)
{
    static const struct schema_rule rules[] = {
        {"minLength", schema_load_size, check_min_length},
        {"maxLength", schema_load_size, check_max_length},
        {"pattern", load_pattern, check_pattern},
        {"minimum", load_number, check_minimum},
        {"maximum", load_number, check_maximum},
        {NULL, NULL, NULL},
    };

    return rules;
}
