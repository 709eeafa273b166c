/* SPDX-License-Identifier: GPL-3.0-or-later */
/* roff.c - reads the lines of a manual page and carries out its requests.
 *
 * Conditions, strings, registers and macros that the page defines are
 * resolved; comments, tables and equations are skipped. */
#include "offline/manual/roff.h"

#include <stdlib.h>
#include <string.h>

#include "offline/manual/roff_state.h"

static const char *
skip_roff_blanks(const char *s)
{
    return s + strspn(s, " \t");
}

void
roff_take_name(const char **p, const char **name, size_t *n)
{
    const char *s = *p;

    if (*s == '(') {
        *name = s + 1;
        *n = strnlen(s + 1, 2);
        *p = s + 1 + *n;
    } else if (*s == '[') {
        *name = s + 1;
        *n = strcspn(s + 1, "]");
        *p = s + 1 + *n + (s[1 + *n] == ']');
    } else {
        *name = s;
        *n = *s != '\0';
        *p = s + *n;
    }
}

/* The definition of a name, or NULL. */
static const struct roff_def *
find_definition(const struct roff *r, const char *name, size_t n)
{
    for (size_t i = 0; i < r->n_defs; i++)
        if (strlen(r->defs[i].name) == n &&
            memcmp(r->defs[i].name, name, n) == 0)
            return &r->defs[i];
    return NULL;
}

/* The value of a register that .nr set. The register .g ("is this groff?") is
 * 1. */
static long
register_value(const struct roff *r, const char *name, size_t n)
{
    char key[64] = {ROFF_REGISTER};
    const struct roff_def *def;

    if (n == 2 && memcmp(name, ".g", 2) == 0)
        return 1;
    if (n + 1 >= sizeof(key))
        return 0;
    memcpy(key + 1, name, n);
    def = find_definition(r, key, n + 1);
    return def ? strtol(def->text, NULL, 10) : 0;
}

/* Reads a number: digits or a register. A width, \w, counts as 1. */
static long
take_roff_number(const struct roff *r, const char **p)
{
    const char *s = *p, *name;
    size_t n;
    long v = 0;

    if (s[0] == '\\' && s[1] == 'w') {
        s += 2;
        s = *s ? strchr(s + 1, *s) : NULL;
        *p = s ? s + 1 : *p + strlen(*p);
        return 1;
    }
    if (s[0] == '\\' && s[1] == 'n') {
        s += 2;
        roff_take_name(&s, &name, &n);
        *p = s;
        return register_value(r, name, n);
    }
    for (; *s >= '0' && *s <= '9'; s++)
        v = v > 100000 ? v : v * 10 + (*s - '0');
    *p = s + strspn(s, "ciPpmnuvs"); /* a unit */
    return v;
}

static bool
roff_comparison(long a, char op, bool or_equal, long b)
{
    if (op == '>')
        return a > b || (or_equal && a == b);
    if (op == '<')
        return a < b || (or_equal && a == b);
    if (op == '=')
        return a == b;
    if (op == '&')
        return a > 0 && b > 0;
    return a > 0 || b > 0;
}

/* Evaluates numbers joined by comparisons, from left to right as roff does. */
static bool
take_roff_expression(const struct roff *r, const char **p)
{
    const char *s = *p + strspn(*p, "(");
    long v = take_roff_number(r, &s);

    s += strspn(s, ")");
    while (*s && strchr("><=&:", *s)) {
        char op = *s++;
        bool or_equal = *s == '=';

        s += or_equal;
        s += strspn(s, "(");
        v = roff_comparison(v, op, or_equal, take_roff_number(r, &s));
        s += strspn(s, ")");
    }
    *p = s;
    return v > 0;
}

/* Compares two texts, 'one'other'. Any byte may be the delimiter. */
static bool
take_comparison(const char **p)
{
    const char *a = *p + 1, *b = strchr(a, **p), *end;
    bool same;

    end = b ? strchr(b + 1, **p) : NULL;
    if (!end) {
        *p += strlen(*p);
        return false;
    }
    same = b - a == end - b - 1 && memcmp(a, b + 1, (size_t)(b - a)) == 0;
    *p = end + 1;
    return same;
}

static bool
is_macro_defined(const struct roff *r, const char **p)
{
    const char *name = skip_roff_blanks(*p);
    size_t n = strcspn(name, " \t");

    *p = name + n;
    return find_definition(r, name, n) != NULL;
}

/* Whether the condition in the text behind .if holds; *rest is what follows
 * it. */
static bool
take_condition(const struct roff *r, const char *text, const char **rest)
{
    const char *s = skip_roff_blanks(text);
    bool negated = *s == '!', holds;

    s += negated;
    if (strchr("notev", *s) && *s) {
        holds = *s == 'n' || *s == 'o'; /* nroff, and an odd page */
        s++;
    } else if (*s == 'd') {
        s++;
        holds = is_macro_defined(r, &s);
    } else if (*s == 'r' || *s == 'm' || *s == 'c' || *s == 'F') {
        s = skip_roff_blanks(s + 1);
        s += strcspn(s, " \t");
        holds = false;
    } else if (*s == '\'' || *s == '"') {
        holds = take_comparison(&s);
    } else if (*s == '\\' && s[1] != 'n' && s[1] != 'w') {
        s += strcspn(s, " \t");
        holds = false;
    } else {
        holds = take_roff_expression(r, &s);
    }
    *rest = skip_roff_blanks(s);
    return holds != negated;
}

/* Requests: definitions and conditions. */

static bool
is_control_line(const char *line)
{
    return line[0] == '.' || line[0] == '\'';
}

/* Takes text over. */
static void
add_definition(struct roff *r, const char *name, char *text, bool is_macro)
{
    struct roff_def *d = (struct roff_def *)find_definition(r, name,
                                                            strlen(name));

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

/* The name of the request in a control line, of *n bytes. */
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
    const char *s = is_control_line(line) ? request_name(line, &n) : NULL;

    return s && strlen(name) == n && memcmp(s, name, n) == 0;
}

/* Whether the line ends with a backslash that joins it with the next one. */
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

static void
pop_source(struct roff *r)
{
    struct roff_source *s = &r->sources[--r->depth];

    for (size_t i = 0; i < 9; i++)
        free(s->args[i]);
    free(s->owned);
}

static size_t
put_macro_argument(struct roff *r, size_t len, const char *arg)
{
    size_t n = arg ? strlen(arg) : 0;

    if (n > ROFF_LINE_MAX - 1 - len)
        n = ROFF_LINE_MAX - 1 - len;
    memcpy(r->line + len, arg ? arg : "", n);
    return len + n;
}

/* Appends a physical line to r->line; \$1 is replaced by the argument. */
static size_t
put_physical_line(struct roff *r, size_t len, const char *s, const char *end)
{
    const struct roff_source *src = &r->sources[r->depth - 1];

    while (s < end && len < ROFF_LINE_MAX - 1) {
        if (r->depth > 1 && end - s >= 3 && s[0] == '\\' && s[1] == '$') {
            bool known = s[2] >= '1' && s[2] <= '9';

            len = put_macro_argument(r, len,
                                     known ? src->args[s[2] - '1'] : "");
            s += 3;
        } else {
            r->line[len++] = *s ? *s : ' ';
            s++;
        }
    }
    return len;
}

/* Reads the next line into r->line, with its continuation lines. */
static bool
read_roff_line(struct roff *r)
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
        len = put_physical_line(r, len, s, end - more);
    }
    r->line[len] = '\0';
    r->work += len + ROFF_LINE_TOLL + r->n_defs;
    return true;
}

/* Reads the lines up to the request that ends a definition or a table. */
static char *
take_body(struct roff *r, const char *end)
{
    CLEANUP_BUF struct buf body = buf_of(64 * 1024);

    while (read_roff_line(r) && !is_request(r->line, end)) {
        for (const char *p = r->line; *p; p++) {
            buf_ch(&body, *p);
            p += p[0] == '\\' &&
                 p[1] == '\\'; /* copy mode reads \\ as one backslash */
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
    add_definition(r, name, take_body(r, end), true);
}

/* .ds NAME value */
static void
define_string(struct roff *r, const char *rest)
{
    char name[64];
    size_t n = strcspn(rest, " \t");
    const char *value = rest + n + strspn(rest + n, " \t");

    if (n == 0 || n >= sizeof(name))
        return;
    memcpy(name, rest, n);
    name[n] = '\0';
    add_definition(r, name, strdup(value + (*value == '"')), false);
}

/* .nr NAME value */
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
    add_definition(r, name, strdup(value), false);
}

static long
count_marks(const char *s, const char *what)
{
    long n = 0;

    for (s = strstr(s, what); s; s = strstr(s + 2, what))
        n++;
    return n;
}

/* Skips what a false condition hides: the line, or the block that begins
 * there. */
static void
skip_branch(struct roff *r, const char *rest)
{
    long open = count_marks(rest, "\\{") - count_marks(rest, "\\}");

    while (open > 0 && read_roff_line(r))
        open += count_marks(r->line, "\\{") - count_marks(r->line, "\\}");
}

/* Makes what follows a condition the current line. Returns false when it is
 * skipped. */
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

static enum roff_verdict
take_request(struct roff *r)
{
    size_t n;
    const char *name = request_name(r->line, &n), *rest = name + n;
    bool holds;

    rest += strspn(rest, " \t");
    if (is_request(r->line, "if") || is_request(r->line, "ie")) {
        holds = take_condition(r, rest, &rest);
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
        define_string(r, rest);
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

/* The macros of man(7). A page that defines one of them is ignored. */
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

const char *
roff_string(const struct roff *r, const char *name, size_t n)
{
    const struct roff_def *d = find_definition(r, name, n);

    return d && !d->is_macro ? d->text : "";
}

/* Removes each \} from the line and closes its block. */
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

/* Calls a macro that the page defines. Returns false when there is none. */
static bool
call_macro(struct roff *r, const struct roff_line *line)
{
    const struct roff_def *d = find_definition(r, line->macro,
                                               strlen(line->macro));
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
        if (v != ROFF_AGAIN && !read_roff_line(r))
            return false;
        if (v == ROFF_AGAIN)
            r->work += strlen(r->line);
        close_blocks(r);
        v = is_control_line(r->line) ? take_request(r) : ROFF_OUT;
        if (v != ROFF_OUT)
            continue;
        if (!is_control_line(r->line)) {
            *line = (struct roff_line){.args = {r->line}, .n = 1};
            return true;
        }
        split_args(r, line);
        if (line->macro && !call_macro(r, line))
            return true;
        v = ROFF_SKIP;
    }
}
