/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pattern.c - the keyword "pattern": POSIX extended regular expressions. */
#include <stdlib.h>
#include <string.h>

#include "json/rule.h"

/* regexec keeps a set of states for each byte: a longer string is refused. */
#define STRING_MAX 4096

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
    if (!json_pattern_is_light(text))
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
    if (!s || (len <= STRING_MAX && strlen(s) == len &&
               regexec(compiled(c->schema, arg), s, 0, NULL, 0) == 0))
        return 0;
    json_describe(&found, v);
    return json_fault(c, at, "must match %.99s, not be %s", json_str(arg, NULL),
                      found.p);
}
