/* SPDX-License-Identifier: GPL-3.0-or-later */
/* roff_request.c - what a page defines, and what its conditions hide. */
#include <stdlib.h>
#include <string.h>

#include "offline/manual/roff_state.h"

bool
roff_is_control(const char *line)
{
    return line[0] == '.' || line[0] == '\'';
}

/* Takes text over. */
static void
define(struct roff *r, const char *name, char *text, bool is_macro)
{
    struct roff_def *d = (struct roff_def *)roff_find(r, name, strlen(name));

    if (!d && r->n_defs < ROFF_DEFS_MAX) {
        d = &r->defs[r->n_defs];
        d->name = strdup(name);
        r->n_defs += d->name != NULL;
        d = d->name ? d : NULL;
    }
    if (!d || !text) {
        free(text);
        return;
    }
    free(d->text);
    d->text = text;
    d->is_macro = is_macro;
}

/* The request's name of a control line, and what follows it. */
static const char *
request_name(const char *line, size_t *n)
{
    line++;
    line += strspn(line, " \t");
    *n = strcspn(line, " \t\\");
    return line;
}

static bool
is_request(const char *line, const char *name)
{
    size_t n;
    const char *s = roff_is_control(line) ? request_name(line, &n) : NULL;

    return s && strlen(name) == n && memcmp(s, name, n) == 0;
}

/* Takes the lines up to the one that ends a definition or a table. */
static char *
take_body(struct roff *r, const char *end)
{
    CLEANUP_BUF struct buf body = buf_of(64 * 1024);

    while (roff_read_line(r) && !is_request(r->line, end)) {
        for (const char *p = r->line; *p; p++) {
            buf_ch(&body, *p);
            p += p[0] == '\\' && p[1] == '\\'; /* read once, in copy mode */
        }
        buf_ch(&body, '\n');
    }
    return buf_take(&body);
}

/* .de NAME [END] */
static void
take_macro(struct roff *r, const char *rest)
{
    char name[64], end[64];
    size_t n = strcspn(rest, " \t"), m;
    const char *second = rest + n + strspn(rest + n, " \t");

    m = strcspn(second, " \t\\");
    if (n == 0 || n >= sizeof(name) || m >= sizeof(end))
        n = m = 0;
    memcpy(name, rest, n);
    name[n] = '\0';
    memcpy(end, m ? second : ".", m ? m : 1);
    end[m ? m : 1] = '\0';
    define(r, name, take_body(r, end), true);
}

/* .ds NAME value */
static void
take_string(struct roff *r, const char *rest)
{
    char name[64];
    size_t n = strcspn(rest, " \t");
    const char *value = rest + n + strspn(rest + n, " \t");

    if (n == 0 || n >= sizeof(name))
        return;
    memcpy(name, rest, n);
    name[n] = '\0';
    define(r, name, strdup(value + (*value == '"')), false);
}

/* .nr NAME value: what conditions may ask for. */
static void
take_register(struct roff *r, const char *rest)
{
    char name[64] = {ROFF_REGISTER};
    size_t n = strcspn(rest, " \t");
    const char *value = rest + n + strspn(rest + n, " \t");

    if (n == 0 || n + 1 >= sizeof(name))
        return;
    memcpy(name + 1, rest, n);
    name[n + 1] = '\0';
    define(r, name, strdup(value), false);
}

static long
count(const char *s, const char *what)
{
    long n = 0;

    for (s = strstr(s, what); s; s = strstr(s + 2, what))
        n++;
    return n;
}

/* What a false condition hides: the line, or the block that it opens. */
static void
skip_branch(struct roff *r, const char *rest)
{
    long open = count(rest, "\\{") - count(rest, "\\}");

    while (open > 0 && roff_read_line(r))
        open += count(r->line, "\\{") - count(r->line, "\\}");
}

/* The line becomes what follows a condition; false when it is skipped. */
static bool
take_branch(struct roff *r, bool holds, const char *rest)
{
    if (!holds) {
        skip_branch(r, rest);
        return false;
    }
    while (strncmp(rest, "\\{", 2) == 0) {
        rest += 2;
        r->blocks += r->blocks < 31;
        r->else_branch[r->blocks] = false;
    }
    rest += strspn(rest, " \t");
    memmove(r->line, rest, strlen(rest) + 1);
    return r->line[0] != '\0';
}

enum roff_verdict
roff_take_request(struct roff *r)
{
    size_t n;
    const char *name = request_name(r->line, &n), *rest = name + n;
    bool holds;

    rest += strspn(rest, " \t");
    if (is_request(r->line, "if") || is_request(r->line, "ie")) {
        holds = roff_condition(r, rest, &rest);
        if (name[1] == 'e')
            r->else_branch[r->blocks] = !holds;
        return take_branch(r, holds, rest) ? ROFF_AGAIN : ROFF_SKIP;
    }
    if (is_request(r->line, "el"))
        return take_branch(r, r->else_branch[r->blocks], rest) ? ROFF_AGAIN
                                                               : ROFF_SKIP;
    if (is_request(r->line, "de") || is_request(r->line, "de1"))
        take_macro(r, rest);
    else if (is_request(r->line, "ds"))
        take_string(r, rest);
    else if (is_request(r->line, "nr"))
        take_register(r, rest);
    else if (is_request(r->line, "ig") || is_request(r->line, "am"))
        free(take_body(r, "."));
    else if (is_request(r->line, "TS"))
        free(take_body(r, "TE"));
    else if (is_request(r->line, "EQ"))
        free(take_body(r, "EN"));
    else
        return n > 0 ? ROFF_OUT : ROFF_SKIP;
    return ROFF_SKIP;
}
