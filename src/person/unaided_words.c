/* SPDX-License-Identifier: GPL-3.0-or-later */
/* unaided_words.c - what is near a wish, as an answer in words. */
#include "person/unaided_words.h"

#include <string.h>
#include <unistd.h>

#include "guard/risk/risk.h"
#include "offline/explain/explain.h"
#include "offline/wish/drop_sudo.h"

#define NEAREST        4  /* are shown; a fifth is rarely what was meant */
#define ANSWER_COLUMNS 72 /* of explanations, which the answer indents */
#define TEXT_MAX       (1u << 20)

/* A block of code in Markdown, its lines as they are. */
static void
put_block(struct buf *out, const char *text)
{
    buf_str(out, "\n    ");
    for (const char *p = text; *p; p++) {
        buf_ch(out, *p);
        if (*p == '\n' && p[1])
            buf_str(out, "    ");
    }
    buf_str(out, "\n\n");
}

/* Whether some of them may be shown under a doubt. */
static bool
has_nearest(const struct engine_answers *a)
{
    bool some = false;

    for (size_t i = 0; i < a->n; i++)
        some = some || !a->v[i].blind;
    return some;
}

static void
put_nearest(struct buf *out, const struct engine_answers *a, size_t from)
{
    size_t n = 0;

    for (size_t i = from; i < a->n && n < NEAREST; i++) {
        const struct engine_answer *v = &a->v[i];

        if (v->blind)
            continue;
        n++;
        buf_printf(out, "- %s%s%s%s\n", v->title[0] ? v->title : "or so",
                   v->missing ? " (takes " : "", v->missing ? v->missing : "",
                   v->missing ? ", which is not installed)" : "");
        put_block(out, v->command);
    }
}

static void
put_unsure(struct buf *out, const struct engine_answers *a)
{
    const char *lead = has_nearest(a) ? "Not proposed, but to choose from:\n\n"
                                      : "Nothing is proposed. ";

    if (a->sure)
        buf_printf(out,
                   "What comes nearest says nothing of \"%s\"; no model was "
                   "asked. %s",
                   a->lost, lead);
    else if (a->doubt[0])
        buf_printf(out, "What comes nearest %s; no model was asked. %s",
                   a->doubt, lead);
    else
        buf_printf(out,
                   "No recipe fits well enough to be proposed, and no model "
                   "was asked. %s",
                   has_nearest(a) ? "The nearest:\n\n" : "");
    put_nearest(out, a, 0);
    buf_str(out, "Other words may fit better; `agentsh doctor` says how to get "
                 "a model.\n");
}

/* The command is known, but not all that it works on. */
static void
put_open(struct buf *out, const struct engine_answers *a)
{
    buf_printf(out,
               "%s: the words in capitals stand for what the wish does "
               "not name.\n",
               a->v[0].title[0] ? a->v[0].title : "This may be it");
    put_block(out, a->v[0].command);
    buf_str(out, "Name it, and it can be run.\n");
    if (a->n > 1) {
        buf_str(out, "\nAlso near:\n\n");
        put_nearest(out, a, 1);
    }
}

static void
put_missing(struct buf *out, const struct engine_answers *a)
{
    buf_printf(out, "%s: it takes %s, which is not installed here.\n",
               a->v[0].title[0] ? a->v[0].title : "This", a->v[0].missing);
    put_block(out, a->v[0].command);
    if (a->n > 1) {
        buf_str(out, "Other ways:\n\n");
        put_nearest(out, a, 1);
    }
}

/* Root needs nobody's rights, and often has no sudo. */
static int
put_own(struct buf *out, const char *command, struct err *e)
{
    CLEANUP_BUF struct buf own = buf_of(AIACTION_COMMAND_MAX);

    if (geteuid() == 0 && drop_sudo(command, &own, e) < 0)
        return -1;
    put_block(out, geteuid() == 0 ? own.p : command);
    return 0;
}

static int
put_terminal(struct buf *out, const struct engine_answers *a, struct err *e)
{
    buf_printf(out,
               "%s: it wants a terminal of its own, which a step does not "
               "have. Type it yourself:\n",
               a->v[0].title[0] ? a->v[0].title : "This does it");
    return put_own(out, a->v[0].command, e);
}

/* ai explain "how do I …": the command, and what its parts mean. */
static int
put_how(struct buf *out, const struct engine_answers *a, struct err *e)
{
    CLEANUP(explain_done) struct explain x = {0};
    CLEANUP_BUF struct buf parts = buf_of(TEXT_MAX);

    if (explain_line(a->v[0].command, &x, e) < 0)
        return -1;
    explain_text(&x, ANSWER_COLUMNS, &parts);
    buf_printf(out, "%s:\n", a->v[0].title[0] ? a->v[0].title : "This does it");
    put_block(out, parts.p); /* the command is its first line */
    if (a->n > 1) {
        buf_str(out, "Other ways, or near it:\n\n");
        put_nearest(out, a, 1);
    }
    return buf_ok(&parts, "the explanation", e);
}

bool
unaided_wants_terminal(const char *command)
{
    static const struct risk_place nowhere;
    struct syntax syntax = {0};
    struct risk risk = {0};
    bool yes = syntax_read(command, strlen(command), &syntax, NULL) == 0 &&
               risk_read(&syntax, &nowhere, &risk, NULL) == 0 &&
               risk.facts & RISK_TERMINAL;

    risk_done(&risk);
    syntax_done(&syntax);
    return yes;
}

void
unaided_plan_words(const struct engine_plan *p, struct buf *out)
{
    if (p->lost[0])
        buf_printf(out,
                   "%s: comes nearest, but says nothing of \"%s\"; no model "
                   "was asked.",
                   p->title, p->lost);
    else if (p->missing[0])
        buf_printf(out, "%s: takes %s, which is not installed here.", p->title,
                   p->missing);
    else
        buf_printf(out,
                   "%s: the words in capitals stand for what the wish does "
                   "not name.",
                   p->title);
    buf_str(out, " The steps:\n\n");
    for (size_t i = 0; i < p->n; i++) {
        buf_printf(out, "%zu. %s\n", i + 1, p->steps[i].description);
        put_block(out, p->steps[i].command);
    }
}

bool
unaided_is_half(const struct wish *wish, const struct engine_answers *a)
{
    return wish->mode == AIACTION_DO && a->lost[0];
}

int
unaided_words(const struct wish *wish, const struct engine_answers *a,
              struct buf *out, struct err *e)
{
    if (!a->sure || unaided_is_half(wish, a))
        put_unsure(out, a);
    else if (wish->mode == AIACTION_EXPLAIN)
        return put_how(out, a, e);
    else if (a->v[0].open > 0)
        put_open(out, a);
    else if (a->v[0].missing)
        put_missing(out, a);
    else
        return put_terminal(out, a, e);
    return 0;
}
