/* SPDX-License-Identifier: GPL-3.0-or-later */
/* roff.c - the lines of a manual page, conditions and macros resolved. */
#include "offline/manual/roff.h"

#include <stdlib.h>
#include <string.h>

#include "offline/manual/roff_state.h"

/* What man(7) defines is not replaced by a page's own idea of it. */
static const char standard[] =
    " TH SH SS TP TQ IP PP P LP HP RS RE B I BR RB BI IB IR RI SM SB UR UE MT "
    "ME EX EE SY YS OP br sp nf fi in ti ft ";

static bool
is_standard(const char *name)
{
    size_t n = strlen(name);

    for (const char *p = strstr(standard, name); p; p = strstr(p + 1, name))
        if (p[-1] == ' ' && p[n] == ' ')
            return true;
    return false;
}

struct roff *
roff_new(const char *text, size_t n)
{
    struct roff *r = calloc(1, sizeof(*r));

    if (!r)
        return NULL;
    r->sources[0] = (struct roff_source){.at = text, .end = text + n};
    r->depth = 1;
    return r;
}

static void
pop_source(struct roff *r)
{
    struct roff_source *s = &r->sources[--r->depth];

    for (size_t i = 0; i < 9; i++)
        free(s->args[i]);
    free(s->owned);
}

void
roff_free(struct roff *r)
{
    if (!r)
        return;
    while (r->depth > 0)
        pop_source(r);
    for (size_t i = 0; i < r->n_defs; i++) {
        free(r->defs[i].name);
        free(r->defs[i].text);
    }
    free(r);
}

const struct roff_def *
roff_find(const struct roff *r, const char *name, size_t n)
{
    for (size_t i = 0; i < r->n_defs; i++)
        if (strlen(r->defs[i].name) == n &&
            memcmp(r->defs[i].name, name, n) == 0)
            return &r->defs[i];
    return NULL;
}

const char *
roff_string(const struct roff *r, const char *name, size_t n)
{
    const struct roff_def *d = roff_find(r, name, n);

    return d && !d->is_macro ? d->text : "";
}

static size_t
put_argument(struct roff *r, size_t len, const char *arg)
{
    size_t n = arg ? strlen(arg) : 0;

    if (n > ROFF_LINE_MAX - 1 - len)
        n = ROFF_LINE_MAX - 1 - len;
    memcpy(r->line + len, arg ? arg : "", n);
    return len + n;
}

/* Copies a physical line to the end of r->line; \$1 becomes the argument. */
static size_t
put_line(struct roff *r, size_t len, const char *s, const char *end)
{
    const struct roff_source *src = &r->sources[r->depth - 1];

    while (s < end && len < ROFF_LINE_MAX - 1) {
        if (r->depth > 1 && end - s >= 3 && s[0] == '\\' && s[1] == '$') {
            bool known = s[2] >= '1' && s[2] <= '9';

            len = put_argument(r, len, known ? src->args[s[2] - '1'] : "");
            s += 3;
        } else {
            r->line[len++] = *s ? *s : ' ';
            s++;
        }
    }
    return len;
}

/* Whether the line ends in a backslash that hides its newline. */
static bool
is_continued(const char *s, const char *end)
{
    size_t n = 0;

    while (end > s && end[-1] == '\\') {
        n++;
        end--;
    }
    return n % 2 == 1;
}

/* The next line into r->line, continued ones joined. */
bool
roff_read_line(struct roff *r)
{
    struct roff_source *src = &r->sources[r->depth - 1];
    bool more = true;
    size_t len = 0;

    while (src->at >= src->end && r->depth > 1) {
        pop_source(r);
        src = &r->sources[r->depth - 1];
    }
    if (src->at >= src->end || r->work > ROFF_WORK_MAX)
        return false;
    while (more && src->at < src->end) {
        const char *s = src->at;
        const char *nl = memchr(s, '\n', (size_t)(src->end - s));
        const char *end = nl ? nl : src->end;

        src->at = nl ? nl + 1 : src->end;
        end -= end > s && end[-1] == '\r';
        more = is_continued(s, end);
        len = put_line(r, len, s, end - more);
    }
    r->line[len] = '\0';
    r->work += len + ROFF_LINE_TOLL + r->n_defs;
    return true;
}

/* Takes out each \} and leaves its block. */
static void
close_blocks(struct roff *r)
{
    char *to = strstr(r->line, "\\}"), *from = to;

    while (from && *from) {
        if (from[0] == '\\' && from[1] == '}') {
            r->blocks -= r->blocks > 0;
            from += 2;
        } else {
            *to++ = *from++;
        }
    }
    if (to)
        *to = '\0';
}

/* Splits r->line's arguments into r->words. */
static void
split_args(struct roff *r, struct roff_line *out)
{
    const char *s = r->line + 1;
    char *w = r->words;

    out->n = 0;
    out->macro = NULL;
    while (*(s += strspn(s, " \t")) && strncmp(s, "\\\"", 2) != 0) {
        bool quoted = *s == '"' && out->macro;
        char *word = w;

        for (s += quoted; *s; s++) {
            if (quoted ? *s == '"' && *++s != '"' : *s == ' ' || *s == '\t')
                break;
            if (s[0] == '\\' && s[1] == '"') {
                s += strlen(s); /* a comment */
                break;
            }
            if (*s == '\\' && s[1])
                *w++ = *s++;
            *w++ = *s;
        }
        *w++ = '\0';
        if (!out->macro)
            out->macro = word;
        else if (out->n < ROFF_ARGS_MAX)
            out->args[out->n++] = word;
    }
}

/* Calls a macro of the page's own; false when the name is none. */
static bool
call_macro(struct roff *r, const struct roff_line *line)
{
    const struct roff_def *d = roff_find(r, line->macro, strlen(line->macro));
    struct roff_source *src = &r->sources[r->depth];

    if (!d || !d->is_macro || is_standard(line->macro))
        return false;
    if (r->depth == ROFF_DEPTH_MAX)
        return true;
    *src = (struct roff_source){.owned = strdup(d->text)};
    if (!src->owned)
        return true;
    src->at = src->owned;
    src->end = src->owned + strlen(src->owned);
    for (size_t i = 0; i < 9 && i < line->n; i++)
        src->args[i] = strdup(line->args[i]);
    r->depth++;
    return true;
}

bool
roff_next(struct roff *r, struct roff_line *line)
{
    enum roff_verdict v = ROFF_SKIP;

    for (;;) {
        if (v != ROFF_AGAIN && !roff_read_line(r))
            return false;
        if (v == ROFF_AGAIN)
            r->work += strlen(r->line);
        close_blocks(r);
        v = roff_is_control(r->line) ? roff_take_request(r) : ROFF_OUT;
        if (v != ROFF_OUT)
            continue;
        if (!roff_is_control(r->line)) {
            *line = (struct roff_line){.args = {r->line}, .n = 1};
            return true;
        }
        split_args(r, line);
        if (line->macro && !call_macro(r, line))
            return true;
        v = ROFF_SKIP;
    }
}
