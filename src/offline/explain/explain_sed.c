/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain_sed.c - describes small sed scripts in words. */
#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/buf.h"
#include "offline/explain/explain_language.h"
#include "offline/explain/explain_phrase.h"

/* The most commands of one script. */
#define SED_COMMANDS_MAX 12

struct sed_text {
    const char *p; /* into the script */
    size_t n;
};

/* 5,9d; /x/!s/from/to/flags; $a to. */
struct sed_command {
    struct sed_text address[2]; /* n 0: none. Patterns have their delimiters */
    bool not ;                  /* !: all other lines */
    char command;               /* one of "sydpqQ=aicrG" */
    struct sed_text from, to, flags;
};

struct sed_program {
    struct sed_command v[SED_COMMANDS_MAX];
    size_t n;
};

/* The end of a part that ends with the delimiter, which may also be in a
 * bracket expression: s/[/]/x/. */
static const char *
part_end(const char *p, char mark)
{
    const char *stop = value_part_end(p, mark);

    for (; p < stop; p++) {
        if (*p == '\\' && p[1]) {
            p++;
        } else if (*p == '[') {
            const char *close = p + 1 + (p[1] == '^');

            close = strchr(close + (*close == ']'), ']');
            if (!close)
                return stop;
            p = close;
            if (p >= stop)
                stop = value_part_end(p, mark);
        }
    }
    return stop;
}

/* Reads an address: 5, $, /x/I, \%x%, 1~2, +3. Without one its length is 0. */
static bool
read_sed_address(const char **p, struct sed_text *out)
{
    const char *from = *p, *s = from;

    if (*s == '/' || (*s == '\\' && s[1])) {
        char mark = *s == '/' ? '/' : *++s;

        s = part_end(s + 1, mark);
        if (*s != mark)
            return false;
        s++;
        s += *s == 'I' || *s == 'M';
    } else {
        s += *s == '$' ? 1 : strspn(s, "0123456789~+");
    }
    *out = (struct sed_text){from, (size_t)(s - from)};
    *p = s;
    return true;
}

static bool
read_addresses(const char **p, struct sed_command *c)
{
    if (!read_sed_address(p, &c->address[0]))
        return false;
    if (**p == ',') {
        ++*p;
        if (!read_sed_address(p, &c->address[1]) || c->address[1].n == 0)
            return false;
    }
    *p += strspn(*p, " ");
    c->not = **p == '!';
    *p += c->not ;
    *p += strspn(*p, " ");
    return c->address[0].n > 0 || !c->not ;
}

/* Reads the two parts of s and y; *p is at their first delimiter. */
static bool
read_parts(const char **p, struct sed_command *c)
{
    char mark = **p;
    const char *s;

    if (!mark || isalnum((unsigned char)mark) || strchr("\\ \n;", mark))
        return false;
    c->from.p = *p + 1;
    s = part_end(c->from.p, mark);
    c->from.n = (size_t)(s - c->from.p);
    if (!*s)
        return false;
    c->to.p = s + 1;
    s = value_part_end(c->to.p, mark);
    c->to.n = (size_t)(s - c->to.p);
    if (!*s)
        return false;
    s++;
    c->flags = (struct sed_text){s, 0};
    if (c->command == 's')
        c->flags.n = strspn(s, "gIip0123456789");
    *p = s + c->flags.n;
    return true;
}

/* Reads the rest of the line: the text of a, i and c, or the name behind r. */
static bool
read_sed_text(const char **p, struct sed_command *c)
{
    const char *s = *p + strspn(*p, " \t");

    if (*s == '\\' && c->command != 'r') {
        s++;
        s += strspn(s, " \t");
        s += *s == '\n';
    }
    c->to = (struct sed_text){s, strcspn(s, "\n")};
    *p = s + c->to.n;
    return c->to.n > 0 && !memchr(s, '\\', c->to.n);
}

static bool
read_sed_command(const char **p, struct sed_command *c)
{
    c->command = **p;
    if (!c->command || !strchr("sydpqQ=aicrG", c->command))
        return false;
    ++*p;
    if (strchr("sy", c->command))
        return read_parts(p, c);
    if (strchr("aicr", c->command))
        return read_sed_text(p, c);
    return true;
}

/* Reads commands up to the end, or to the } of the group with the address
 * `outer`. */
static bool
read_commands(const char **p, const struct sed_command *outer,
              struct sed_program *out)
{
    for (;;) {
        struct sed_command c = {0};

        *p += strspn(*p, " \t\n;");
        if (!**p || **p == '}')
            return (**p == '}') == (outer != NULL);
        if (!read_addresses(p, &c))
            return false;
        if (**p == '{') {
            ++*p;
            if (outer || !read_commands(p, &c, out))
                return false;
            ++*p;
            continue;
        }
        if (outer && c.address[0].n > 0)
            return false;
        if (outer)
            c = *outer;
        if (out->n == SED_COMMANDS_MAX || !read_sed_command(p, &c))
            return false;
        out->v[out->n++] = c;
        *p += strspn(*p, " \t");
        if (**p && !strchr(";\n}", **p))
            return false;
    }
}

/* Reads a script: commands separated by newlines or semicolons; commands in {}
 * get the address before it. Returns false for a command that is not listed
 * above. */
static bool
sed_read(const char *text, struct sed_program *out)
{
    out->n = 0;
    return read_commands(&text, NULL, out);
}

static bool
is_plain_expression(const char *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strchr(".*[]^$\\+?(){}|", p[i]))
            return false;
    return n > 0;
}

static bool
is_blank_lines(const char *p, size_t n)
{
    static const char *const forms[] = {"^ *$", "^\\s*$", "^[ \\t]*$",
                                        "^[[:space:]]*$", "^[[:blank:]]*$"};

    for (size_t i = 0; i < ARRAY_SIZE(forms); i++)
        if (strlen(forms[i]) == n && memcmp(forms[i], p, n) == 0)
            return true;
    return false;
}

/* The pattern of an address without its delimiters and flags. */
static struct sed_text
inside_slashes(const struct sed_text *a)
{
    size_t skip = *a->p == '\\' ? 2 : 1, end = a->n - 1;

    end -= strchr("IM", a->p[end]) && a->p[end] != a->p[skip - 1];
    return (struct sed_text){a->p + skip, end > skip ? end - skip : 0};
}

static bool
is_pattern(const struct sed_text *a)
{
    return a->n > 1 && (*a->p == '/' || *a->p == '\\');
}

/* Appends the lines that match: "empty lines", "lines that begin with #",
 * "lines that match x"; for one: "one that matches x". */
static void
describe_pattern(const struct sed_text *a, bool one, struct buf *out)
{
    struct sed_text t = inside_slashes(a);
    const char *many = one ? "s" : "", *verb = "match";
    size_t n = t.n;

    if (n == 2 && memcmp(t.p, "^$", 2) == 0) {
        buf_str(out, one ? "an empty one" : "empty lines");
        return;
    }
    if (is_blank_lines(t.p, n)) {
        buf_str(out, one ? "a blank one" : "lines of nothing but blanks");
        return;
    }
    buf_str(out, one ? "one that " : "lines that ");
    if (n > 1 && *t.p == '^' && is_plain_expression(t.p + 1, n - 1)) {
        buf_printf(out, "begin%s with %.*s", many, value_shown(n - 1), t.p + 1);
    } else if (n > 1 && t.p[n - 1] == '$' && is_plain_expression(t.p, n - 1)) {
        buf_printf(out, "end%s in %.*s", many, value_shown(n - 1), t.p);
    } else {
        verb = is_plain_expression(t.p, n) ? "contain" : verb;
        buf_printf(out, "%s%s %.*s", verb,
                   !one           ? ""
                   : *verb == 'm' ? "es"
                                  : "s",
                   value_shown(n), t.p);
    }
}

/* 0~3, 1~2 */
static void
describe_every(long first, long step, struct buf *out)
{
    buf_str(out, "every ");
    value_ordinal(step, out);
    buf_str(out, " line");
    if (first > 0)
        buf_printf(out, " from line %ld on", first);
}

/* Appends one address: "line 5", "the last line", "every second line from line
 * 1 on". */
static void
describe_sed_address(const struct sed_text *a, struct buf *out)
{
    const char *tilde = memchr(a->p, '~', a->n);

    if (*a->p == '$')
        buf_str(out, "the last line");
    else if (tilde)
        describe_every(strtol(a->p, NULL, 10), strtol(tilde + 1, NULL, 10),
                       out);
    else
        buf_printf(out, "line %.*s", value_shown(a->n), a->p);
}

static void
describe_end(const struct sed_text *a, struct buf *out)
{
    if (is_pattern(a)) {
        buf_str(out, " to ");
        describe_pattern(a, true, out);
    } else if (*a->p == '+') {
        buf_printf(out, " and %.*s behind it", value_shown(a->n - 1), a->p + 1);
    } else if (*a->p == '$') {
        buf_str(out, " to the last");
    } else {
        buf_printf(out, " to %.*s", value_shown(a->n), a->p);
    }
}

/* Appends the lines of a command that has an address: "lines 5 to 9", "lines
 * that begin with #". */
static void
sed_describe_where(const struct sed_command *c, struct buf *out)
{
    const struct sed_text *a = c->address;

    buf_str(out, c->not ? "all but " : "");
    if (a[1].n == 0) {
        if (is_pattern(a))
            describe_pattern(a, false, out);
        else
            describe_sed_address(a, out);
        return;
    }
    if (is_pattern(a)) {
        buf_str(out, "the lines from ");
        describe_pattern(a, true, out);
    } else if (strspn(a[1].p, "0123456789$") >= a[1].n && *a[0].p != '$') {
        buf_printf(out, "lines %.*s", value_shown(a[0].n), a[0].p);
    } else {
        buf_printf(out, "the lines from line %.*s", value_shown(a[0].n),
                   a[0].p);
    }
    describe_end(&a[1], out);
}

/* What the commands of a script do, in words. */

#define MEANING_MAX 512 /* bytes of the description */

struct sed_description {
    struct buf *out;
    bool quiet; /* -n: only what commands print */
};

static bool
has_flag(const struct sed_command *c, char flag)
{
    return c->flags.n > 0 && memchr(c->flags.p, flag, c->flags.n) != NULL;
}

static bool
sed_text_is(const struct sed_text *t, const char *text)
{
    return t->n == strlen(text) && memcmp(t->p, text, t->n) == 0;
}

/* The number among the flags of s, 0 when there is none. */
static long
substitute_number(const struct sed_command *c)
{
    long n = 0;

    for (size_t i = 0; i < c->flags.n && n < 1000000; i++)
        if (c->flags.p[i] >= '0' && c->flags.p[i] <= '9')
            n = n * 10 + (c->flags.p[i] - '0');
    return n;
}

/* Appends what s finds: "every a", "the second a of each line". */
static void
describe_found(const struct sed_command *c, struct buf *out)
{
    bool every = has_flag(c, 'g');
    long n = substitute_number(c);

    if (every && n < 2) {
        buf_str(out, "every ");
    } else {
        buf_str(out, "the ");
        value_ordinal(n > 0 ? n : 1, out);
        buf_ch(out, ' ');
    }
    if (c->from.n > 0)
        buf_printf(out, "%.*s", value_shown(c->from.n), c->from.p);
    else
        buf_str(out, "match of the pattern before");
    if (every && n > 1)
        buf_str(out, " and all behind it");
    if ((!every || n > 1) && c->address[0].n == 0)
        buf_str(out, " of each line");
    if (has_flag(c, 'I') || has_flag(c, 'i'))
        buf_str(out, ", large or small letters,");
}

/* Describes s/x/y/ where x is a position or blanks: "with y at the end of each
 * line". Returns false for others. */
static bool
describe_place(const struct sed_command *c, struct buf *out)
{
    static const struct {
        const char *from, *without, *with;
    } rows[] = {
        {"$", NULL, "at the end of each line"},
        {"^", NULL, "at the beginning of each line"},
        {"[ \\t]*$", "blanks at the end of each line", NULL},
        {" *$", "blanks at the end of each line", NULL},
        {"\\s*$", "blanks at the end of each line", NULL},
        {"\\s\\+$", "blanks at the end of each line", NULL},
        {"[[:space:]]*$", "blanks at the end of each line", NULL},
        {"^[ \\t]*", "blanks at the beginning of each line", NULL},
        {"^ *", "blanks at the beginning of each line", NULL},
        {"^\\s*", "blanks at the beginning of each line", NULL},
        {"^[[:space:]]*", "blanks at the beginning of each line", NULL},
        {"\\r$", "carriage returns at the end of each line", NULL},
    };

    for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
        const char *what = c->to.n > 0 ? rows[i].with : rows[i].without;

        if (!what || !sed_text_is(&c->from, rows[i].from))
            continue;
        if (c->to.n > 0)
            buf_printf(out, ", with %.*s %s", value_shown(c->to.n), c->to.p,
                       what);
        else
            buf_printf(out, ", without %s", what);
        return true;
    }
    return false;
}

static void
describe_substitution(const struct sed_description *s,
                      const struct sed_command *c)
{
    if (s->quiet && has_flag(c, 'p'))
        buf_printf(s->out, ", only those with %.*s", value_shown(c->from.n),
                   c->from.p);
    if (describe_place(c, s->out))
        return;
    buf_str(s->out, c->to.n > 0 ? ", with " : ", without ");
    describe_found(c, s->out);
    if (c->to.n > 0)
        buf_printf(s->out, " made %.*s", value_shown(c->to.n), c->to.p);
}

/* Appends the lines of a command, or `all` when it has no address. */
static void
describe_sed_lines(const struct sed_command *c, const char *all,
                   struct buf *out)
{
    if (c->address[0].n == 0)
        buf_str(out, all);
    else
        sed_describe_where(c, out);
}

/* a, i and c: a line beside other lines, or in their place. */
static void
describe_text(const struct sed_command *c, const char *beside, struct buf *out)
{
    buf_printf(out, ", with the line %.*s %s ", value_shown(c->to.n), c->to.p,
               beside);
    describe_sed_lines(c, "each line", out);
}

static void
describe_written(const struct sed_description *s, const struct sed_command *c)
{
    buf_str(s->out, s->quiet ? ", only " : ", with ");
    describe_sed_lines(c, "each line", s->out);
    buf_str(s->out, s->quiet ? "" : " twice");
}

/* = */
static void
describe_number(const struct sed_description *s, const struct sed_command *c)
{
    if (s->quiet && sed_text_is(&c->address[0], "$") && c->address[1].n == 0) {
        buf_str(s->out, ", only how many there are");
        return;
    }
    buf_str(s->out, s->quiet ? ", only the numbers of " : ", with numbers at ");
    describe_sed_lines(c, "all lines", s->out);
}

/* d */
static void
describe_deleted(const struct sed_command *c, struct buf *out)
{
    struct sed_command kept = *c;

    kept.not = false;
    buf_str(out, c->not ? ", only " : ", without ");
    describe_sed_lines(&kept, "any of them", out);
}

static void
describe_command(const struct sed_description *s, const struct sed_command *c)
{
    bool where = c->address[0].n > 0;

    switch (c->command) {
    case 's':
        describe_substitution(s, c);
        break;
    case 'y':
        buf_printf(s->out, ", with the letters %.*s made %.*s",
                   value_shown(c->from.n), c->from.p, value_shown(c->to.n),
                   c->to.p);
        break;
    case 'd':
        describe_deleted(c, s->out);
        return;
    case 'p':
        describe_written(s, c);
        return;
    case 'q':
    case 'Q':
        buf_str(s->out, c->command == 'q' ? ", up to " : ", up to before ");
        describe_sed_lines(c, "the first line", s->out);
        return;
    case '=':
        describe_number(s, c);
        return;
    case 'a':
        describe_text(c, "after", s->out);
        return;
    case 'i':
        describe_text(c, "before", s->out);
        return;
    case 'c':
        describe_text(c, "in place of", s->out);
        return;
    case 'G':
        buf_str(s->out, ", with an empty line after ");
        describe_sed_lines(c, "each", s->out);
        return;
    default: /* r */
        buf_printf(s->out, ", with what is in %.*s after ",
                   value_shown(c->to.n), c->to.p);
        describe_sed_lines(c, "each line", s->out);
        return;
    }
    if (where) {
        buf_str(s->out, " in ");
        sed_describe_where(c, s->out);
    }
}

/* Whether the script prints anything with -n. */
static bool
writes_file(const struct sed_program *program)
{
    for (size_t i = 0; i < program->n; i++)
        if (strchr("p=", program->v[i].command) ||
            has_flag(&program->v[i], 'p'))
            return true;
    return false;
}

/* Skips commands that join all lines into one. */
static const char *
skip_joining(const char *text, bool *joined)
{
    static const char *const forms[] = {":a;N;$!ba;", ":a; N; $!ba; ",
                                        ":a\nN\n$!ba\n", ":a;$!{N;ba};"};

    *joined = false;
    for (size_t i = 0; i < ARRAY_SIZE(forms); i++)
        if (strncmp(text, forms[i], strlen(forms[i])) == 0) {
            *joined = true;
            return text + strlen(forms[i]);
        }
    return text;
}

bool
sed_render(const char *text, bool quiet, struct buf *out)
{
    CLEANUP_BUF struct buf meaning = buf_of(MEANING_MAX);
    struct sed_description s = {.out = &meaning, .quiet = quiet};
    struct sed_program program;
    bool joined;

    if (strcmp(text, "n;d") == 0 || strcmp(text, "n; d") == 0) {
        buf_str(out, ", without every second line");
        return true;
    }
    text = skip_joining(text, &joined);
    if (!sed_read(text, &program) || program.n == 0)
        return false;
    if (quiet && !writes_file(&program))
        return false;
    if (joined && (program.n > 1 || !sed_text_is(&program.v[0].from, "\\n")))
        return false;
    if (joined)
        program.v[0].from = (struct sed_text){"line end", 8};
    for (size_t i = 0; i < program.n; i++)
        describe_command(&s, &program.v[i]);
    if (meaning.bad)
        return false;
    buf_add(out, meaning.p, meaning.len);
    return true;
}

bool
sed_part(const char *form, const char *text, struct buf *out)
{
    bool quiet = strcmp(form, "quiet") == 0;

    return (quiet || strcmp(form, "sed") == 0) && sed_render(text, quiet, out);
}

bool
sed_meaning(const char *text, bool quiet, struct buf *out)
{
    CLEANUP_BUF struct buf meaning = buf_of(MEANING_MAX);

    if (!sed_render(text, quiet, &meaning))
        return false;
    buf_printf(out, "the lines%s", meaning.p);
    return true;
}
