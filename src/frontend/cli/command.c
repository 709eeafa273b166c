/* SPDX-License-Identifier: GPL-3.0-or-later */
/* command.c - read a command line, and run the command that it names. */
#include "frontend/cli/command.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/shell_quote.h"
#include "config/nearest.h"
#include "term/style.h"
#include "ui/app.h"

#define HELP_MAX  16384
#define NAMES_MAX 200

/* How many of the words name the row ("action check" takes two); 0: not it. */
static int
match(const struct command *row, const char *const *words, int n)
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

static const struct command *
find_command(const struct command *const *all, const char *const *words, int n,
             int *used)
{
    const struct command *found = NULL;

    *used = 0;
    for (; *all; all++) {
        int matched = match(*all, words, n);

        if (matched > *used) { /* "guest call" rather than "guest" */
            *used = matched;
            found = *all;
        }
    }
    return found;
}

static void
print_version(struct command_args *c)
{
    CLEANUP_BUF struct buf out = buf_of(HELP_MAX);

    if (c->version && c->app->output != OUTPUT_TEXT) {
        (void)c->version(c);
        return;
    }
    buf_str(&out, PACKAGE_STRING "\n");
    app_put_result(c->app, &out);
}

/* Whether the verb is two words, of which this is the first; any verb is in
 * the group NULL. */
static bool
is_in_group(const struct command *row, const char *group)
{
    size_t n = group ? strlen(group) : 0;

    return n == 0 || (strncmp(row->name, group, n) == 0 && row->name[n] == ' ');
}

/* The word, when it is the first of some verbs: else NULL. */
static const char *
find_verb_group(const struct command *const *all, const char *word)
{
    for (; word && *word && *all; all++)
        if (is_in_group(*all, word))
            return word;
    return NULL;
}

/* Options of some verbs are known before them, for `ai -y run …`. */
static unsigned
all_options(const struct command *const *all, const char *group)
{
    unsigned known = 0;

    for (; *all; all++)
        if (is_in_group(*all, group))
            known |= (*all)->options;
    return known;
}

/* Appends words of the tables, in which "…" says that more may follow. */
static void
put_usage_words(struct buf *out, const struct term *t, const char *words)
{
    static const char more[] = "…";
    const char *at;

    while ((at = strstr(words, more)) != NULL) {
        buf_add(out, words, (size_t)(at - words));
        buf_str(out, style_symbol(t, SYMBOL_ELLIPSIS));
        words = at + sizeof(more) - 1;
    }
    buf_str(out, words);
}

static void
put_usage(struct buf *out, const struct command_args *c, const char *group)
{
    const struct term *t = &c->app->result;

    buf_printf(out, _("Usage: %s"), c->program);
    put_usage_words(out, t, " [option…] ");
    buf_printf(out, "%s%s", group ? group : "", group ? " " : "");
    put_usage_words(out, t, "VERB [argument…]\n");
    if (!c->any)
        return;
    buf_printf(out, "       %s", c->program);
    put_usage_words(out, t, " [option…] TEXT…\n");
}

/* Help for one of the program's verbs; or, with c->command NULL, for the
 * program or for those of its verbs that begin with a word. */
static void
print_help(const struct command_args *c, const char *group)
{
    CLEANUP_BUF struct buf out = buf_of(HELP_MAX);
    const struct command *row = c->command;
    unsigned known = row ? row->options : all_options(c->all, group);
    bool plain = c->app->result.plain;

    if (row) {
        buf_printf(&out, _("Usage: %s"), c->program);
        buf_printf(&out, " %s%s", row->name, row->args[0] ? " " : "");
        put_usage_words(&out, &c->app->result, row->args);
        buf_printf(&out, "\n\n%s\n", _(row->help));
    } else {
        put_usage(&out, c, group);
        buf_ch(&out, '\n');
        for (const struct command *const *r = c->all; *r; r++)
            if (is_in_group(*r, group))
                buf_printf(&out, plain ? "%s: %s\n" : "  %-26s%s\n", (*r)->name,
                           _((*r)->help));
    }
    buf_printf(&out, "\n%s\n", _("Options"));
    options_help(&out, known, plain);
    buf_ch(&out, '\n');
    buf_printf(&out, _("The manual: man %s\n"),
               row && row->manual ? row->manual : c->program);
    app_put_result(c->app, &out);
}

bool
command_exists(const struct command *const *all, const char *word)
{
    for (; *all; all++) {
        if (strcmp((*all)->name, word) == 0 || is_in_group(*all, word))
            return true;
    }
    return strcmp(word, "help") == 0;
}

/* The verbs, or those of a group without its word. */
static void
list_verbs(const struct command *const *all, const char *group, struct buf *out)
{
    for (; *all; all++) {
        if (!is_in_group(*all, group))
            continue;
        buf_printf(out, "%s%s", out->len ? ", " : "",
                   (*all)->name + (group ? strlen(group) + 1 : 0));
    }
}

const char *
command_nearest(const struct command *const *all, const char *word)
{
    struct nearest near;
    const char *found = NULL;

    nearest_init(&near, word);
    for (; *all; all++) {
        nearest_consider(&near, (*all)->name);
        if (near.best && strcmp(near.best, (*all)->name) == 0)
            found = (*all)->name; /* which lasts longer than the search */
    }
    return found;
}

/* A long list is left to --help: it would be cut. */
static int
unknown_verb(struct app *a, const struct command *const *all, const char *word)
{
    CLEANUP_BUF struct buf names = buf_of(HELP_MAX);
    const char *near = word ? command_nearest(all, word) : NULL;
    struct err e = {0};

    list_verbs(all, NULL, &names);
    if (names.len > NAMES_MAX && !word)
        err_set(&e, ERR_USAGE, "missing verb (%s --help lists them)", a->name);
    else if (names.len > NAMES_MAX && near)
        err_set(&e, ERR_USAGE,
                "unknown verb '%.40s'; did you mean %s? (%s --help)", word,
                near, a->name);
    else if (names.len > NAMES_MAX)
        err_set(&e, ERR_USAGE, "unknown verb '%.40s' (%s --help lists them)",
                word, a->name);
    else if (word)
        err_set(&e, ERR_USAGE, "unknown verb '%.40s'; verbs are %s", word,
                names.p);
    else
        err_set(&e, ERR_USAGE, "missing verb: %s", names.p);
    return app_fail(a, &e);
}

/* The group was said, and behind it no verb of its. */
static int
unknown_in_group(struct app *a, const struct command *const *all,
                 const char *group, const char *word)
{
    CLEANUP_BUF struct buf names = buf_of(HELP_MAX);
    struct err e = {0};

    list_verbs(all, group, &names);
    if (word)
        err_set(&e, ERR_USAGE, "unknown verb '%.20s %.40s'; verbs of %.20s: %s",
                group, word, group, names.p);
    else
        err_set(&e, ERR_USAGE, "missing verb of %.20s: %s", group, names.p);
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

/* Options may stand behind the one word of `log`, and behind a line (FOR_LINE)
 * that is one quoted word; a line with words behind it that look like options
 * of others is a line. A text's are read by who has it: text_options.h. */
static int
read_options_behind(struct command_args *c, const struct command *row,
                    const char *const *words, int n, int at, struct err *e)
{
    bool is_line = row->options & FOR_LINE;
    struct options o = c->options;
    int after = at + 1;

    if (c->n < 2 || !(is_line ? strchr(words[at], ' ') != NULL
                              : (row->options & FOR_LOG) != 0))
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
read_options_last(struct command_args *c, const struct command *row,
                  const char *const *words, int n, int at, struct err *e)
{
    int last = at;

    while (last < n && words[last][0] != '-')
        last++;
    c->n = last - at;
    if (options_read(words, n, &last, row->options, &c->options, e) < 0)
        return -1;
    return last == n
               ? 0
               : err_set(e, ERR_USAGE,
                         "%.64s: options go before all words, or after them",
                         words[last]);
}

/* The options that the row takes. Behind `help` a text may stand, and before
 * it then what a text takes. */
static unsigned
row_options(const struct command_args *c)
{
    return c->any && c->command->run == command_help ? all_options(c->all, NULL)
                                                     : c->command->options;
}

/* The verb was found: its options, then its words. */
static int
read_command_words(struct command_args *c, const struct command *row,
                   const char *const *words, int n, int at, struct err *e)
{
    int from = at;

    if (options_read(words, n, &at, row_options(c), &c->options, e) < 0)
        return -1;
    c->words = words + at;
    c->n = n - at;
    c->ended = at > from && strcmp(words[at - 1], "--") == 0;
    if (row->options & FOR_NAMES)
        return read_options_last(c, row, words, n, at, e);
    return read_options_behind(c, row, words, n, at, e);
}

/* Whether the settings say so. They are read where something is shown on a
 * terminal; what is wrong with them is told where they are needed. */
static bool
is_plain_set(const struct command_args *c)
{
    struct app *a = c->app;

    return (a->screen.tty || a->result.tty) && !a->screen.plain &&
           !(c->command && c->command->options & FOR_EXEC) &&
           app_config(a, NULL) == 0 &&
           config_bool(a->config, CONFIG_SHELL_PLAIN);
}

bool
command_apply_options(struct command_args *c)
{
    struct app *a = c->app;

    apply(a, &c->options);
    if (c->options.no_color) {
        term_init(&a->screen, a->screen.out, true);
        term_init(&a->result, a->result.out, true);
    }
    if (c->options.plain || is_plain_set(c))
        app_set_plain(a);
    if (c->options.version)
        print_version(c);
    else if (c->options.help)
        print_help(c, NULL);
    return c->options.version || c->options.help;
}

/* What stands before a verb is known to some verb; it must be to this one. */
static int
check_options_before(const struct command_args *c, const char *const *words,
                     int n, struct err *e)
{
    struct options unused = {0};
    int at = 0;

    if (!c->command || c->options.help || c->options.version)
        return 0;
    if (options_read(words, n, &at, row_options(c), &unused, e) < 0)
        return err_wrap(e, "%s", c->command->name);
    return 0;
}

/* The words begin with no verb, but perhaps with a group of such. */
static int
run_group(struct command_args *c, const char *const *words, int n, int at)
{
    const char *group = at < n ? find_verb_group(c->all, words[at]) : NULL;
    struct err e = {0};

    if (group)
        at++;
    if (group && options_read(words, n, &at, all_options(c->all, group),
                              &c->options, &e) < 0)
        return app_fail(c->app, &e);
    if (group && c->options.help && !c->options.version) {
        print_help(c, group);
        return 0;
    }
    if (command_apply_options(c))
        return 0;
    if (group)
        return unknown_in_group(c->app, c->all, group,
                                at < n ? words[at] : NULL);
    c->words = words + at;
    c->n = n - at;
    c->before = at;
    c->ended = at > 0 && strcmp(words[at - 1], "--") == 0;
    if (c->any && (c->n > 0 || c->options.anew))
        return c->any(c);
    return unknown_verb(c->app, c->all, at < n ? words[at] : NULL);
}

/* The row is c's: its options and words behind `at`, then it. */
static int
run_command_row(struct command_args *c, const char *const *words, int n,
                int before, int at)
{
    struct err e = {0};

    if (check_options_before(c, words, before, &e) < 0 ||
        read_command_words(c, c->command, words, n, at, &e) < 0)
        return app_fail(c->app, &e);
    return command_apply_options(c) ? 0 : c->command->run(c);
}

int
command_run_as(struct command_args *c, const char *verb)
{
    const char *const *words = c->words - c->before;
    int used = 0;

    c->command = find_command(c->all, &verb, 1, &used);
    return run_command_row(c, words, c->before + c->n, c->before,
                           c->before + 1);
}

static int
run_line(struct command_args *c, const char *const *words, int n)
{
    struct err e = {0};
    int at = 0, used = 0;

    if (options_read(words, n, &at, all_options(c->all, NULL), &c->options,
                     &e) < 0)
        return app_fail(c->app, &e);
    c->command = find_command(c->all, words + at, n - at, &used);
    if (!c->command)
        return run_group(c, words, n, at);
    return run_command_row(c, words, n, at, at + used);
}

/* "help me find it" is a text, whatever options stand between its words. */
static int
run_help_text(struct command_args *c)
{
    size_t n = (size_t)c->n;
    const char **words = c->own = calloc(n + 1, sizeof(*words));
    struct err e = {0};

    if (!words) {
        err_sys(&e, "the words");
        return app_fail(c->app, &e);
    }
    words[0] = c->command->name;
    memcpy(words + 1, c->words, n * sizeof(*words));
    c->command = NULL;
    c->words = words;
    c->n++;
    return c->any(c);
}

int
command_help(struct command_args *c)
{
    const struct command *help = c->command;
    const char *group = NULL;
    int used = 0;

    c->command = c->n ? find_command(c->all, c->words, c->n, &used) : NULL;
    if (!c->command && c->n == 1)
        group = find_verb_group(c->all, c->words[0]);
    if (c->n > 0 && c->n != used && !group) {
        if (!c->any || c->n == 1)
            return unknown_verb(c->app, c->all, c->words[0]);
        c->command = help;
        return run_help_text(c);
    }
    print_help(c, group);
    return 0;
}

int
command_join_words(const struct command_args *c, struct buf *out, struct err *e)
{
    for (int i = 0; i < c->n; i++)
        buf_printf(out, "%s%s", i ? " " : "", c->words[i]);
    return buf_ok(out, "the words", e);
}

static bool
path_exists(const char *path)
{
    return faccessat(AT_FDCWD, path, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

/* Whether a blank of the word stands outside of quotation marks of its own:
 * the interactive shell leaves a text's quotes in it. */
static bool
has_bare_blank(const char *word)
{
    const char *end;

    for (; *word; word++) {
        if (*word == ' ')
            return true;
        if ((*word == '\'' || *word == '"') &&
            (end = strchr(word + 1, *word)) != NULL)
            word = end;
    }
    return false;
}

int
command_request_text(const struct command_args *c, struct buf *out,
                     struct err *e)
{
    for (int i = 0; i < c->n; i++) {
        const char *word = c->words[i], *quote = "";

        buf_str(out, i ? " " : "");
        if (i > 0 && shell_quote_has_control(word) && path_exists(word)) {
            shell_quote_ansi(out, word);
            continue;
        }
        if (i > 0 && (has_bare_blank(word) || shell_quote_has_control(word)))
            quote = !strchr(word, '\'')        ? "'"
                    : !strpbrk(word, "\"$`\\") ? "\""
                                               : "";
        buf_printf(out, "%s%s%s", quote, word, quote);
    }
    return buf_ok(out, "the words", e);
}

/* Whether the option stands before or behind a verb of at most two words: what
 * is wrong with the others is told plainly, too. */
static bool
is_plain_asked(int argc, char **argv)
{
    int verb = 0;

    for (int i = 1; i < argc && verb <= 2; i++) {
        if (strcmp(argv[i], "--plain") == 0)
            return true;
        if (strcmp(argv[i], "--") == 0)
            return false;
        verb += argv[i][0] != '-';
    }
    return false;
}

int
command_main(struct command_args *c, int argc, char **argv)
{
    struct app a;
    struct err e = {0};
    int status;

    (void)signal(SIGPIPE, SIG_IGN); /* a reader that left is an error to us */
    c->app = &a;
    if (app_init(&a, c->program, false, &e) < 0) {
        status = app_fail(&a, &e);
    } else {
        if (is_plain_asked(argc, argv))
            app_set_plain(&a);
        status = run_line(c, (const char *const *)argv + 1, argc - 1);
        if (status == APP_GOES_ON)
            status = app_wait(&a);
        status = app_exit_status(&a, status);
    }
    if (c->finish)
        status = c->finish(c->finish_arg, status);
    app_done(&a);
    free(c->own);
    c->own = NULL;
    c->app = NULL;
    return status;
}
