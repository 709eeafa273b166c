/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_ai.c - the verbs of ai(1): do, run, explain, undo, log, help. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/path.h"
#include "frontend/cli/command.h"
#include "offline/parse/lexicon.h"
#include "term/menu.h"
#include "ui/assist.h"
#include "ui/audit_log.h"
#include "ui/fix.h"
#include "ui/options.h"
#include "ui/text_options.h"
#include "ui/undo.h"

/* help is the same function for both programs. */
#define cmd_ai_run_help command_help

/* The rows of the one list of verbs, as commands. */
#define DEFINE_COMMAND(name, args, help, options)                              \
    static const struct command cmd_ai_##name = {                              \
        #name, args, help, options, cmd_ai_run_##name, NULL};
#define POINTER(name, args, help, options) &cmd_ai_##name,

#define RUNS_MAX 1000000
#define TEXT_MAX (256u << 10) /* what the kernel passes at most, about */

static int
check_options(const struct options *o, enum aiaction_mode mode, struct err *e)
{
    if (mode == AIACTION_EXPLAIN &&
        (o->yes || o->step || o->dry_run || o->plan_in || o->plan_out ||
         o->profile || o->hosts))
        return err_set(e, ERR_USAGE,
                       "explain runs nothing: --yes, --step, --dry-run, "
                       "--plan, --plan-out, --on and --profile are for do and "
                       "run");
    if (o->hosts && (o->preview || o->profile))
        return err_set(e, ERR_USAGE,
                       "--on: there is no view and no profile of here on other "
                       "hosts, so no --preview and no --profile");
    return 0;
}

/* The text is c's words; what stands behind it is none of it. */
static int
run_request(struct command_args *c, enum aiaction_mode mode, bool fixes)
{
    const struct options *o = &c->options;
    CLEANUP_BUF struct buf text = buf_of(TEXT_MAX);
    struct err e = {0};
    struct assist_request w = {
        .mode = mode,
        .model = {.provider = o->provider,
                  .model = o->model,
                  .offline = o->offline},
        .anew = o->anew,
        .yes = o->yes,
        .each_step = o->step,
        .preview = o->preview,
        .reduced = o->profile != NULL,
        .dry_run = o->dry_run,
        .no_tool_calls = o->no_tool_calls,
        .show_request = o->show_request,
        .plan_out = o->plan_out,
        .plan_in = o->plan_in,
        .on = o->hosts,
    };

    if (command_request_text(c, &text, NULL) < 0) {
        err_set(&e, ERR_USAGE, "the text is longer than %u bytes", TEXT_MAX);
        return app_fail(c->app, &e);
    }
    w.text = text.p + strspn(text.p, " \t\n");
    if (check_options(o, mode, &e) < 0)
        return app_fail(c->app, &e);
    if (fixes)
        return fix_start(c->app, &w,
                         &(struct fix_given){o->failed_command,
                                             o->failed_status, o->stderr_file});
    return assist_start(c->app, &w);
}

static int
read_request_options(struct command_args *c, enum aiaction_mode mode,
                     bool fixes)
{
    unsigned known = FOR_REQUEST | FOR_REPORT |
                     (mode == AIACTION_EXPLAIN ? 0 : FOR_PLAN) |
                     (fixes ? FOR_FIX : 0);
    struct err e = {0};

    if (!c->ended && text_options_read(c->app->seat, c->words, &c->n, known,
                                       &c->options, &e) < 0)
        return app_fail(c->app, &e);
    return command_apply_options(c) ? 0 : run_request(c, mode, fixes);
}

int
cmd_ai_run_do(struct command_args *c)
{
    return read_request_options(c, AIACTION_DO, false);
}

int
cmd_ai_run_run(struct command_args *c)
{
    return read_request_options(c, AIACTION_RUN, false);
}

int
cmd_ai_run_fix(struct command_args *c)
{
    return read_request_options(c, AIACTION_DO, true);
}

int
cmd_ai_run_explain(struct command_args *c)
{
    return read_request_options(c, AIACTION_EXPLAIN, false);
}

/* 0: not given. */
static int
read_count_option(const char *text, int64_t *n, struct err *e)
{
    char *end = NULL;
    long v;

    if (!text)
        return 0;
    errno = 0;
    v = strtol(text, &end, 10);
    if (errno || end == text || *end || v < 1 || v > RUNS_MAX)
        return err_set(e, ERR_USAGE, "-n is a number of runs, not '%.40s'",
                       text);
    *n = v;
    return 0;
}

int
cmd_ai_run_log(struct command_args *c)
{
    const struct options *o = &c->options;
    const struct audit_log_filter filter = {o->search, o->status, o->directory};
    bool filtered = o->search || o->status || o->directory;
    struct err e = {0};
    int64_t n = 0;

    if (c->n > 1)
        err_set(&e, ERR_USAGE, "log takes one run; options go before it");
    else if (o->verify && (c->n > 0 || o->count))
        err_set(&e, ERR_USAGE, "--verify checks all of it: no run, no -n");
    else if (o->cost && (c->n > 0 || o->count || o->verify))
        err_set(&e, ERR_USAGE,
                "--cost totals all of it: no run, no -n, no --verify");
    else if (c->n == 1 && o->count)
        err_set(&e, ERR_USAGE, "-n is for the list of runs");
    else if (o->tools && (c->n == 1 || o->verify || o->cost))
        err_set(&e, ERR_USAGE, "--tools is for the list of runs");
    else if (filtered && (c->n == 1 || o->verify || o->cost))
        err_set(&e, ERR_USAGE,
                "-s, --status and --directory are for the list of runs");
    else
        (void)read_count_option(o->count, &n, &e);
    if (e.code != ERR_NONE)
        return app_fail(c->app, &e);
    if (o->verify)
        return audit_log_verify(c->app);
    if (o->cost)
        return audit_log_cost(c->app);
    if (c->n == 1)
        return audit_log_run(c->app, c->words[0]);
    return audit_log_list(c->app, n, o->tools, &filter);
}

int
cmd_ai_run_undo(struct command_args *c)
{
    struct undo_request w;
    struct err e = {0};

    if (c->n > 1) {
        err_set(&e, ERR_USAGE, "undo takes one run");
        return app_fail(c->app, &e);
    }
    w = (struct undo_request){.run = c->n ? c->words[0] : NULL,
                              .dry_run = c->options.dry_run,
                              .each = c->options.step};
    return undo_start(c->app, &w);
}

/* Whether the word is no other than a verb that was mistyped: no word of the
 * language, and no program that could begin a command line. */
static const char *
mistyped_verb(const char *word)
{
    CLEANUP(free_p) char *program = path_find_program(word);
    const char *verb = program || lexicon_known(word)
                           ? NULL
                           : command_nearest(commands_ai, word);

    return verb && strpbrk(word, " /.=") == NULL ? verb : NULL;
}

/* Whether the words ask for an answer, and not for what an answer could be:
 * "what is in /srv" is as well answered by a command. */
static bool
asks_how(const struct command_args *c)
{
    static const char *const beginnings[] = {
        "how do",      "how does",   "how can",   "how could",
        "how to",      "how should", "how would", "why",
        "what does",   "what do",    "should i",  "what is the difference",
        "when should",
    };
    CLEANUP_BUF struct buf text = buf_of(TEXT_MAX);

    if (command_request_text(c, &text, NULL) < 0)
        return false;
    for (size_t i = 0; i < ARRAY_SIZE(beginnings); i++) {
        size_t n = strlen(beginnings[i]);

        if (strncasecmp(text.p, beginnings[i], n) == 0 && text.p[n] == ' ')
            return true;
    }
    return false;
}

/* The words begin with what is nearly a verb: the question about it. */
struct verb_question {
    struct command_args *args;
    const char *verb;
    struct menu *menu;
    char text[128];
};

static void
on_verb_key(void *arg, char key, const struct err *why)
{
    struct verb_question *q = arg;
    struct command_args *c = q->args;
    const char *verb = q->verb;
    struct err e = {0};
    int status;

    menu_close(q->menu);
    free(q);
    if (why)
        e = *why;
    else if (key == 'q')
        err_set(&e, ERR_USAGE, "unknown verb '%.40s': nothing was asked",
                c->words[0]);
    status = e.code != ERR_NONE ? app_fail(c->app, &e)
             : key == 'y'       ? command_run_as(c, verb)
                                : cmd_ai_run_run(c);
    if (status != APP_GOES_ON)
        app_over(c->app, status);
}

static int
ask_verb(struct command_args *c, const char *verb)
{
    static const struct menu_row rows[] = {
        {'y', N_("yes"), N_("yes, that verb")},
        {'n', N_("no"), N_("no, it is a word of the text")},
        {'q', N_("quit"), N_("quit, to type it again")},
        {0},
    };
    struct verb_question *q = calloc(1, sizeof(*q));
    struct app *a = c->app;
    struct menu_spec spec = {.rows = rows, .enter = 'q'};
    struct err e = {0};

    if (!q) {
        err_nomem(&e);
        return app_fail(a, &e);
    }
    q->args = c;
    q->verb = verb;
    snprintf(q->text, sizeof(q->text),
             "unknown verb '%.40s'; did you mean %s?  ", c->words[0], verb);
    spec.question = q->text;
    if ((q->menu = menu_open(a->loop, &a->screen, &spec, on_verb_key, q, &e)))
        return APP_GOES_ON;
    free(q);
    return app_fail(a, &e);
}

int
cmd_ai_text(struct command_args *c)
{
    const char *verb = c->ended || c->n == 0 ? NULL
                                             : mistyped_verb(c->words[0]);
    struct err e = {0};

    if (c->n == 0) /* --new alone */
        return assist_begin_conversation(c->app);
    if (verb && term_keys(&c->app->screen, NULL) == 0)
        return ask_verb(c, verb);
    if (verb) {
        err_set(
            &e, ERR_USAGE,
            "unknown verb '%.40s'; did you mean %s? (%s run %.40s ... takes "
            "it for a word of the text)",
            c->words[0], verb, c->app->name, c->words[0]);
        return app_fail(c->app, &e);
    }
    return asks_how(c) ? cmd_ai_run_explain(c) : cmd_ai_run_run(c);
}

/* clang-format off */
VERBS(DEFINE_COMMAND)

const struct command *const commands_ai[] = {VERBS(POINTER) NULL};
/* clang-format on */
