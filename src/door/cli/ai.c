/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ai.c - the verbs of ai(1). */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/path.h"
#include "door/cli/call.h"
#include "offline/request/words.h"
#include "person/text_options.h"
#include "person/verbs.h"
#include "person/wish.h"
#include "term/menu.h"

#define ROW(name, args, help, options)                                         \
    {#name, args, help, options, call_##name},

#define TEXT_MAX (256u << 10) /* what the kernel passes at most, about */

static int
check_options(const struct options *o, enum aiaction_mode mode, struct err *e)
{
    if (mode == AIACTION_EXPLAIN && (o->yes || o->step || o->dry_run ||
                                     o->plan_in || o->plan_out || o->profile))
        return err_set(e, ERR_USAGE,
                       "explain runs nothing: --yes, --step, --dry-run, "
                       "--plan, --plan-out and --profile are for do and run");
    return 0;
}

/* The text is c's words; what stands behind it is none of it. */
static int
wish(struct call *c, enum aiaction_mode mode)
{
    const struct options *o = &c->options;
    CLEANUP_BUF struct buf text = buf_of(TEXT_MAX);
    struct err e = {0};
    struct wish w = {
        .mode = mode,
        .model = {.provider = o->provider,
                  .model = o->model,
                  .offline = o->offline},
        .yes = o->yes,
        .each_step = o->step,
        .preview = o->preview,
        .reduced = o->profile != NULL,
        .dry_run = o->dry_run,
        .no_look = o->no_look,
        .show_request = o->show_request,
        .plan_out = o->plan_out,
        .plan_in = o->plan_in,
    };

    if (call_text(c, &text, NULL) < 0) {
        err_set(&e, ERR_USAGE, "the text is longer than %u bytes", TEXT_MAX);
        return app_fail(c->app, &e);
    }
    w.text = text.p + strspn(text.p, " \t\n");
    if (check_options(o, mode, &e) < 0)
        return app_fail(c->app, &e);
    return wish_run(c->app, &w);
}

static int
read_wish(struct call *c, enum aiaction_mode mode)
{
    unsigned known = FOR_WISH | FOR_REPORT |
                     (mode == AIACTION_EXPLAIN ? 0 : FOR_PLAN);
    struct err e = {0};

    if (!c->ended &&
        text_options_read(c->words, &c->n, known, &c->options, &e) < 0)
        return app_fail(c->app, &e);
    return call_settle(c) ? 0 : wish(c, mode);
}

int
call_do(struct call *c)
{
    return read_wish(c, AIACTION_DO);
}

int
call_run(struct call *c)
{
    return read_wish(c, AIACTION_RUN);
}

int
call_explain(struct call *c)
{
    return read_wish(c, AIACTION_EXPLAIN);
}

/* Whether the word is no other than a verb that was mistyped: no word of the
 * language, and no program that could begin a command line. */
static const char *
mistyped_verb(const char *word)
{
    CLEANUP(free_p) char *program = path_find_program(word);
    const char *verb = program || words_known(word)
                           ? NULL
                           : call_nearest(ai_rows(), word);

    return verb && strpbrk(word, " /.=") == NULL ? verb : NULL;
}

/* Whether the words ask for an answer, and not for what an answer could be:
 * "what is in /srv" is as well answered by a command. */
static bool
asks_how(const struct call *c)
{
    static const char *const beginnings[] = {
        "how do",      "how does",   "how can",   "how could",
        "how to",      "how should", "how would", "why",
        "what does",   "what do",    "should i",  "what is the difference",
        "when should",
    };
    CLEANUP_BUF struct buf text = buf_of(TEXT_MAX);

    if (call_text(c, &text, NULL) < 0)
        return false;
    for (size_t i = 0; i < sizeof(beginnings) / sizeof(*beginnings); i++) {
        size_t n = strlen(beginnings[i]);

        if (strncasecmp(text.p, beginnings[i], n) == 0 && text.p[n] == ' ')
            return true;
    }
    return false;
}

/* The words begin with what is nearly a verb. */
static int
ask_verb(struct call *c, const char *verb)
{
    static const struct menu_row rows[] = {
        {'y', "yes", "yes, that verb"},
        {'n', "no", "no, it is a word of the text"},
        {'q', "quit", "quit, to type it again"},
        {0},
    };
    struct app *a = c->app;
    char question[128], key;
    struct menu_spec spec = {.question = question, .rows = rows, .enter = 'q'};
    struct err e = {0};

    snprintf(question, sizeof(question),
             "unknown verb '%.40s'; did you mean %s?  ", c->words[0], verb);
    if (menu_key(a->loop, &a->screen, &spec, &key, &e) < 0)
        return app_fail(a, &e);
    if (key == 'y')
        return call_as_verb(c, verb);
    if (key == 'n')
        return call_run(c);
    err_set(&e, ERR_USAGE, "unknown verb '%.40s': nothing was asked",
            c->words[0]);
    return app_fail(a, &e);
}

int
call_ai_any(struct call *c)
{
    const char *verb = c->ended ? NULL : mistyped_verb(c->words[0]);
    struct err e = {0};

    if (verb && term_keys(&c->app->screen, NULL) == 0)
        return ask_verb(c, verb);
    if (verb) {
        err_set(&e, ERR_USAGE,
                "unknown verb '%.40s'; did you mean %s? (%s run %.40s … takes "
                "it for a word of the text)",
                c->words[0], verb, c->app->name, c->words[0]);
        return app_fail(c->app, &e);
    }
    return asks_how(c) ? call_explain(c) : call_run(c);
}

const struct call_row *
ai_rows(void)
{
    static const struct call_row rows[] = {
        /* clang-format off */
        VERBS(ROW)
        /* clang-format on */
        {0},
    };

    return rows;
}
