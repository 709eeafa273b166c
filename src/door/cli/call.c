/* SPDX-License-Identifier: GPL-3.0-or-later */
/* call.c - from a command line's words to a verb's exit status. */
#include "door/cli/call.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "config/nearest.h"
#include "person/result.h"

#define HELP_MAX  16384
#define NAMES_MAX 200

/* How many of the words name the row ("action check" takes two); 0: not it. */
static int
match(const struct call_row *row, const char *const *words, int n)
{
    const char *p = row->name;
    int used = 0;

    for (;;) {
        size_t len = strcspn(p, " ");

        if (used == n || strlen(words[used]) != len ||
            memcmp(words[used], p, len) != 0)
            return 0;
        used++;
        if (!p[len])
            return used;
        p += len + 1;
    }
}

static const struct call_row *
find_row(const struct call_row *rows, const char *const *words, int n,
         int *used)
{
    for (; rows->name; rows++) {
        *used = match(rows, words, n);
        if (*used)
            return rows;
    }
    return NULL;
}

static int
print_version(struct app *a)
{
    CLEANUP_BUF struct buf out = buf_of(HELP_MAX);

    buf_str(&out, PACKAGE_STRING "\n");
    result_put(a, &out);
    return 0;
}

/* Whether the verb is two words, of which this is the first; any verb is in
 * the group NULL. */
static bool
is_in_group(const struct call_row *row, const char *group)
{
    size_t n = group ? strlen(group) : 0;

    return n == 0 || (strncmp(row->name, group, n) == 0 && row->name[n] == ' ');
}

/* The word, when it is the first of some verbs: else NULL. */
static const char *
find_group(const struct call_row *rows, const char *word)
{
    for (; word && *word && rows->name; rows++)
        if (is_in_group(rows, word))
            return word;
    return NULL;
}

/* Options of some verbs are known before them, for `ai -y run …`. */
static unsigned
all_options(const struct call_row *rows, const char *group)
{
    unsigned known = 0;

    for (; rows->name; rows++)
        if (is_in_group(rows, group))
            known |= rows->options;
    return known;
}

/* Help for the program (row NULL), for those of its verbs that begin with a
 * word, or for one of its verbs. */
static int
print_help(struct app *a, const char *program, const struct call_row *rows,
           const struct call_row *row, const char *group)
{
    CLEANUP_BUF struct buf out = buf_of(HELP_MAX);
    unsigned known = row ? row->options : all_options(rows, group);

    if (row) {
        buf_printf(&out, "Usage: %s %s%s%s\n\n%s\n", program, row->name,
                   row->args[0] ? " " : "", row->args, row->help);
    } else {
        buf_printf(&out, "Usage: %s [option…] %s%sVERB [argument…]\n\n",
                   program, group ? group : "", group ? " " : "");
        for (const struct call_row *r = rows; r->name; r++)
            if (is_in_group(r, group))
                buf_printf(&out, "  %-26s%s\n", r->name, r->help);
    }
    buf_str(&out, "\nOptions\n");
    options_help(&out, known);
    buf_printf(&out, "\nThe manual: man %s\n", program);
    result_put(a, &out);
    return 0;
}

/* The verbs, or those of a group without its word. */
static void
list_verbs(const struct call_row *rows, const char *group, struct buf *out)
{
    for (; rows->name; rows++) {
        if (!is_in_group(rows, group))
            continue;
        buf_printf(out, "%s%s", out->len ? ", " : "",
                   rows->name + (group ? strlen(group) + 1 : 0));
    }
}

/* The verb that a word may have meant; NULL: none. */
static const char *
nearest_verb(const struct call_row *rows, const char *word,
             struct nearest *near)
{
    nearest_init(near, word);
    for (; rows->name; rows++)
        nearest_offer(near, rows->name);
    return near->best;
}

/* A long list is left to --help: it would be cut. */
static int
unknown_verb(struct app *a, const struct call_row *rows, const char *word)
{
    CLEANUP_BUF struct buf names = buf_of(HELP_MAX);
    struct nearest near;
    struct err e = {0};

    list_verbs(rows, NULL, &names);
    if (names.len > NAMES_MAX && !word)
        err_set(&e, ERR_USAGE, "say a verb (%s --help lists them)", a->name);
    else if (names.len > NAMES_MAX && nearest_verb(rows, word, &near))
        err_set(&e, ERR_USAGE,
                "unknown verb '%.40s'; did you mean %s? (%s --help)", word,
                near.best, a->name);
    else if (names.len > NAMES_MAX)
        err_set(&e, ERR_USAGE, "unknown verb '%.40s' (%s --help lists them)",
                word, a->name);
    else if (word)
        err_set(&e, ERR_USAGE, "unknown verb '%.40s'; verbs are %s", word,
                names.p);
    else
        err_set(&e, ERR_USAGE, "say a verb: %s", names.p);
    return app_fail(a, &e);
}

/* The group was said, and behind it no verb of its. */
static int
unknown_in_group(struct app *a, const struct call_row *rows, const char *group,
                 const char *word)
{
    CLEANUP_BUF struct buf names = buf_of(HELP_MAX);
    struct err e = {0};

    list_verbs(rows, group, &names);
    if (word)
        err_set(&e, ERR_USAGE, "unknown verb '%.20s %.40s'; verbs of %.20s: %s",
                group, word, group, names.p);
    else
        err_set(&e, ERR_USAGE, "say what of %.20s: %s", group, names.p);
    return app_fail(a, &e);
}

static void
apply(struct app *a, const struct options *o)
{
    if (o->output && strcmp(o->output, "json") == 0)
        a->output = OUTPUT_JSON;
    if (o->output && strcmp(o->output, "jsonl") == 0)
        a->output = OUTPUT_JSONL;
    a->quiet = o->quiet;
    a->verbose = a->log.verbose = o->verbose;
}

/* One quoted text may be followed by options too. A line (FOR_LINE) with words
 * behind it that look like options of others is a line. */
static int
read_options_behind(struct call *c, const struct call_row *row,
                    const char *const *words, int n, int at, struct err *e)
{
    bool is_line = row->options & FOR_LINE, is_word = row->options & FOR_LOG;
    struct options o = c->options;
    int after = at + 1;

    if (c->n < 2 || !(is_line || is_word || row->options & FOR_WISH) ||
        !(is_word || strchr(words[at], ' ')))
        return 0;
    if (options_read(words, n, &after, row->options, &o, e) < 0)
        return is_line ? 0 : -1;
    if (after == n)
        c->n = 1;
    if (after == n || !is_line)
        c->options = o;
    return 0;
}

/* Names (FOR_NAMES) begin with no hyphen: what does is an option behind them.
 */
static int
read_options_last(struct call *c, const struct call_row *row,
                  const char *const *words, int n, int at, struct err *e)
{
    int last = at;

    while (last < n && words[last][0] != '-')
        last++;
    c->n = last - at;
    if (options_read(words, n, &last, row->options, &c->options, e) < 0)
        return -1;
    return last == n ? 0
                     : err_set(e, ERR_USAGE,
                               "%.64s: options stand before all words, or "
                               "behind them",
                               words[last]);
}

/* The verb was found: its options, then its words. */
static int
read_words(struct call *c, const struct call_row *row, const char *const *words,
           int n, int at, struct err *e)
{
    if (options_read(words, n, &at, row->options, &c->options, e) < 0)
        return -1;
    c->words = words + at;
    c->n = n - at;
    if (row->options & FOR_NAMES)
        return read_options_last(c, row, words, n, at, e);
    return read_options_behind(c, row, words, n, at, e);
}

static int
run(struct app *a, const char *program, const struct call_row *rows,
    const char *const *words, int n)
{
    struct call c = {.app = a};
    const struct call_row *row;
    const char *group = NULL;
    struct err e = {0};
    int at = 0, used = 0;

    if (options_read(words, n, &at, all_options(rows, NULL), &c.options, &e) <
        0)
        return app_fail(a, &e);
    row = find_row(rows, words + at, n - at, &used);
    if (row && read_words(&c, row, words, n, at + used, &e) < 0)
        return app_fail(a, &e);
    if (!row && at < n && (group = find_group(rows, words[at])) != NULL)
        at++;
    if (group && options_read(words, n, &at, all_options(rows, group),
                              &c.options, &e) < 0)
        return app_fail(a, &e);
    apply(a, &c.options);
    if (c.options.version)
        return print_version(a);
    if (c.options.help)
        return print_help(a, program, rows, row, group);
    if (group)
        return unknown_in_group(a, rows, group, at < n ? words[at] : NULL);
    if (!row)
        return unknown_verb(a, rows, at < n ? words[at] : NULL);
    if (c.options.no_color) {
        term_init(&a->screen, a->screen.out, true);
        term_init(&a->result, a->result.out, true);
    }
    return row->run(&c);
}

int
call_words(const struct call *c, struct buf *out, struct err *e)
{
    for (int i = 0; i < c->n; i++)
        buf_printf(out, "%s%s", i ? " " : "", c->words[i]);
    return buf_ok(out, "what the words come to", e);
}

int
call_main(const char *program, const struct call_row *rows, int argc,
          char **argv)
{
    struct app a;
    struct err e = {0};
    int status;

    (void)signal(SIGPIPE, SIG_IGN); /* a reader that left is an error to us */
    if (app_init(&a, program, false, &e) < 0)
        status = app_fail(&a, &e);
    else
        status = result_status(
            &a,
            run(&a, program, rows, (const char *const *)argv + 1, argc - 1));
    app_done(&a);
    return status;
}
