/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain_sed.c - what a small program in sed's language does. */
#include "offline/explain/explain_sed.h"

#include <string.h>

#include "base/cleanup.h"
#include "offline/explain/explain_language.h"
#include "offline/explain/explain_phrase.h"

#define SAID_MAX 512 /* bytes: what a sentence can take */

struct sayer_of_sed {
    struct buf *out;
    bool quiet; /* -n: only what is written by command */
};

static bool
has_flag(const struct sed_command *c, char flag)
{
    return c->flags.n > 0 && memchr(c->flags.p, flag, c->flags.n) != NULL;
}

static bool
is_text(const struct sed_text *t, const char *text)
{
    return t->n == strlen(text) && memcmp(t->p, text, t->n) == 0;
}

/* The number among the flags of s; 0: none. */
static long
number_of(const struct sed_command *c)
{
    long n = 0;

    for (size_t i = 0; i < c->flags.n && n < 1000000; i++)
        if (c->flags.p[i] >= '0' && c->flags.p[i] <= '9')
            n = n * 10 + (c->flags.p[i] - '0');
    return n;
}

/* "every a", "the second a of each line". */
static void
say_found(const struct sed_command *c, struct buf *out)
{
    bool every = has_flag(c, 'g');
    long n = number_of(c);

    if (every && n < 2) {
        buf_str(out, "every ");
    } else {
        buf_str(out, "the ");
        value_ordinal(n > 0 ? n : 1, out);
        buf_ch(out, ' ');
    }
    if (c->from.n > 0)
        buf_printf(out, "%.*s", language_shown(c->from.n), c->from.p);
    else
        buf_str(out, "match of the pattern before");
    if (every && n > 1)
        buf_str(out, " and all behind it");
    if ((!every || n > 1) && c->address[0].n == 0)
        buf_str(out, " of each line");
    if (has_flag(c, 'I') || has_flag(c, 'i'))
        buf_str(out, ", large or small letters,");
}

/* s/x/y/ where x is a place, or blanks: "with y at the end of each line". */
static bool
say_place(const struct sed_command *c, struct buf *out)
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

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const char *what = c->to.n > 0 ? rows[i].with : rows[i].without;

        if (!what || !is_text(&c->from, rows[i].from))
            continue;
        if (c->to.n > 0)
            buf_printf(out, ", with %.*s %s", language_shown(c->to.n), c->to.p,
                       what);
        else
            buf_printf(out, ", without %s", what);
        return true;
    }
    return false;
}

static void
say_substitution(const struct sayer_of_sed *s, const struct sed_command *c)
{
    if (s->quiet && has_flag(c, 'p'))
        buf_printf(s->out, ", only those with %.*s", language_shown(c->from.n),
                   c->from.p);
    if (say_place(c, s->out))
        return;
    buf_str(s->out, c->to.n > 0 ? ", with " : ", without ");
    say_found(c, s->out);
    if (c->to.n > 0)
        buf_printf(s->out, " made %.*s", language_shown(c->to.n), c->to.p);
}

/* "lines 5 to 9", for what is done to all of them. */
static void
say_lines(const struct sed_command *c, const char *all, struct buf *out)
{
    if (c->address[0].n == 0)
        buf_str(out, all);
    else
        sed_say_where(c, out);
}

/* a, i and c: a line beside others, or in their place. */
static void
say_text(const struct sed_command *c, const char *beside, struct buf *out)
{
    buf_printf(out, ", with the line %.*s %s ", language_shown(c->to.n),
               c->to.p, beside);
    say_lines(c, "each line", out);
}

static void
say_written(const struct sayer_of_sed *s, const struct sed_command *c)
{
    buf_str(s->out, s->quiet ? ", only " : ", with ");
    say_lines(c, "each line", s->out);
    buf_str(s->out, s->quiet ? "" : " twice");
}

/* = */
static void
say_number(const struct sayer_of_sed *s, const struct sed_command *c)
{
    if (s->quiet && is_text(&c->address[0], "$") && c->address[1].n == 0) {
        buf_str(s->out, ", only how many there are");
        return;
    }
    buf_str(s->out, s->quiet ? ", only the numbers of " : ", with numbers at ");
    say_lines(c, "all lines", s->out);
}

/* d */
static void
say_deleted(const struct sed_command *c, struct buf *out)
{
    struct sed_command kept = *c;

    kept.not = false;
    buf_str(out, c->not ? ", only " : ", without ");
    say_lines(&kept, "any of them", out);
}

static void
say_command(const struct sayer_of_sed *s, const struct sed_command *c)
{
    bool where = c->address[0].n > 0;

    switch (c->command) {
    case 's':
        say_substitution(s, c);
        break;
    case 'y':
        buf_printf(s->out, ", with the letters %.*s made %.*s",
                   language_shown(c->from.n), c->from.p,
                   language_shown(c->to.n), c->to.p);
        break;
    case 'd':
        say_deleted(c, s->out);
        return;
    case 'p':
        say_written(s, c);
        return;
    case 'q':
    case 'Q':
        buf_str(s->out, c->command == 'q' ? ", up to " : ", up to before ");
        say_lines(c, "the first line", s->out);
        return;
    case '=':
        say_number(s, c);
        return;
    case 'a':
        say_text(c, "after", s->out);
        return;
    case 'i':
        say_text(c, "before", s->out);
        return;
    case 'c':
        say_text(c, "in place of", s->out);
        return;
    case 'G':
        buf_str(s->out, ", with an empty line after ");
        say_lines(c, "each", s->out);
        return;
    default: /* r */
        buf_printf(s->out, ", with what is in %.*s after ",
                   language_shown(c->to.n), c->to.p);
        say_lines(c, "each line", s->out);
        return;
    }
    if (where) {
        buf_str(s->out, " in ");
        sed_say_where(c, s->out);
    }
}

/* Whether anything is written at all with -n. */
static bool
writes(const struct sed_program *program)
{
    for (size_t i = 0; i < program->n; i++)
        if (strchr("p=", program->v[i].command) ||
            has_flag(&program->v[i], 'p'))
            return true;
    return false;
}

/* Where the script first makes one text of all lines, what follows it. */
static const char *
skip_joining(const char *text, bool *joined)
{
    static const char *const forms[] = {":a;N;$!ba;", ":a; N; $!ba; ",
                                        ":a\nN\n$!ba\n", ":a;$!{N;ba};"};

    *joined = false;
    for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++)
        if (strncmp(text, forms[i], strlen(forms[i])) == 0) {
            *joined = true;
            return text + strlen(forms[i]);
        }
    return text;
}

bool
sed_say(const char *text, bool quiet, struct buf *out)
{
    CLEANUP_BUF struct buf said = buf_of(SAID_MAX);
    struct sayer_of_sed s = {.out = &said, .quiet = quiet};
    struct sed_program program;
    bool joined;

    if (strcmp(text, "n;d") == 0 || strcmp(text, "n; d") == 0) {
        buf_str(out, ", without every second line");
        return true;
    }
    text = skip_joining(text, &joined);
    if (!sed_read(text, &program) || program.n == 0)
        return false;
    if (quiet && !writes(&program))
        return false;
    if (joined && (program.n > 1 || !is_text(&program.v[0].from, "\\n")))
        return false;
    if (joined)
        program.v[0].from = (struct sed_text){"line end", 8};
    for (size_t i = 0; i < program.n; i++)
        say_command(&s, &program.v[i]);
    if (said.bad)
        return false;
    buf_add(out, said.p, said.len);
    return true;
}

bool
sed_part(const char *form, const char *text, struct buf *out)
{
    bool quiet = strcmp(form, "quiet") == 0;

    return (quiet || strcmp(form, "sed") == 0) && sed_say(text, quiet, out);
}

bool
sed_meaning(const char *text, bool quiet, struct buf *out)
{
    CLEANUP_BUF struct buf said = buf_of(SAID_MAX);

    if (!sed_say(text, quiet, &said))
        return false;
    buf_printf(out, "the lines%s", said.p);
    return true;
}
