/* SPDX-License-Identifier: GPL-3.0-or-later */
/* call.c - from a command line's words to a verb's exit status. */
#include "door/cli/call.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

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

/* Help for the program (row NULL) or for one of its verbs. */
static int
print_help(struct app *a, const char *program, const struct call_row *rows,
           const struct call_row *row)
{
    CLEANUP_BUF struct buf out = buf_of(HELP_MAX);
    unsigned known = row ? row->options : 0;

    if (row) {
        buf_printf(&out, "Usage: %s %s%s%s\n\n%s\n", program, row->name,
                   row->args[0] ? " " : "", row->args, row->help);
    } else {
        buf_printf(&out, "Usage: %s [option…] VERB [argument…]\n\n", program);
        for (const struct call_row *r = rows; r->name; r++) {
            buf_printf(&out, "  %-26s%s\n", r->name, r->help);
            known |= r->options;
        }
    }
    buf_str(&out, "\nOptions\n");
    options_help(&out, known);
    buf_printf(&out, "\nThe manual: man %s\n", program);
    result_put(a, &out);
    return 0;
}

static int
unknown_verb(struct app *a, const struct call_row *rows, const char *word)
{
    char names[NAMES_MAX] = "";
    struct err e = {0};

    for (; rows->name; rows++) {
        size_t n = strlen(names);

        snprintf(names + n, sizeof(names) - n, "%s%s", n ? ", " : "",
                 rows->name);
    }
    if (word)
        err_set(&e, ERR_USAGE, "unknown verb '%.40s'; verbs are %s", word,
                names);
    else
        err_set(&e, ERR_USAGE, "say a verb: %s", names);
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

/* Options of every verb are known before it, for `ai -y run …`. */
static unsigned
all_options(const struct call_row *rows)
{
    unsigned known = 0;

    for (; rows->name; rows++)
        known |= rows->options;
    return known;
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
    struct err e = {0};
    int at = 0, used = 0;

    if (options_read(words, n, &at, all_options(rows), &c.options, &e) < 0)
        return app_fail(a, &e);
    row = find_row(rows, words + at, n - at, &used);
    if (row && read_words(&c, row, words, n, at + used, &e) < 0)
        return app_fail(a, &e);
    apply(a, &c.options);
    if (c.options.version)
        return print_version(a);
    if (c.options.help)
        return print_help(a, program, rows, row);
    if (!row)
        return unknown_verb(a, rows, at < n ? words[at] : NULL);
    if (c.options.no_color) {
        term_init(&a->screen, a->screen.out, true);
        term_init(&a->result, a->result.out, true);
    }
    return row->run(&c);
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
        return app_fail(&a, &e);
    status = run(&a, program, rows, (const char *const *)argv + 1, argc - 1);
    status = result_status(&a, status);
    app_done(&a);
    return status;
}
