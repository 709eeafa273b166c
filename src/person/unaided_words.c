/* SPDX-License-Identifier: GPL-3.0-or-later */
/* unaided_words.c - what is near a wish, as an answer in words. */
#include "person/unaided_words.h"

#include <string.h>
#include <unistd.h>

#include "guard/risk/risk.h"
#include "offline/explain/explain.h"
#include "offline/wish/drop_sudo.h"
#include "term/width.h"

#define LABEL_COLUMNS  3 /* "1. " */
#define GAP            2
#define WIDE           60 /* columns from which each is one line */
#define TITLE_MIN      12 /* columns; less of a title says nothing */
#define ANSWER_COLUMNS 72 /* of explanations, at most */
#define ANSWER_INDENT  5  /* columns: the answer's, and the last, left free */
#define ANSWER_LEAST   20
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

static bool
has_title(const struct engine_answer *const *v, size_t n, const char *title)
{
    for (size_t i = 0; i < n; i++) {
        if (strcmp(v[i]->title, title) == 0)
            return true;
    }
    return false;
}

size_t
unaided_nearest(const struct engine_answers *a, size_t from,
                const struct engine_answer *out[UNAIDED_NEAREST])
{
    size_t n = 0;

    for (size_t i = from; i < a->n && n < UNAIDED_NEAREST; i++) {
        const struct engine_answer *v = &a->v[i];

        if (!v->blind && !v->slight &&
            (!v->title[0] || !has_title(out, n, v->title)))
            out[n++] = v;
    }
    return n;
}

/* How many backticks stand together at most. */
static size_t
longest_run(const char *text)
{
    size_t most = 0;

    for (size_t n; *text; text += n + (text[n] != '\0')) {
        n = strspn(text, "`");
        most = n > most ? n : most;
    }
    return most;
}

/* A span of code in Markdown, between more backticks than are in it. */
static void
put_code(struct buf *out, const char *command)
{
    size_t fence = longest_run(command) + 1;
    const char *pad = fence > 1 ? " " : "";

    for (size_t i = 0; i < fence; i++)
        buf_ch(out, '`');
    buf_str(out, pad);
    for (const char *p = command; *p; p++)
        buf_ch(out, *p == '\n' ? ' ' : *p);
    buf_str(out, pad);
    for (size_t i = 0; i < fence; i++)
        buf_ch(out, '`');
}

/* What it does, in so many columns; 0: as many as it takes. */
static void
put_title(struct buf *out, const struct engine_answer *v, size_t columns)
{
    CLEANUP_BUF struct buf text = buf_of(TEXT_MAX);

    if (v->missing)
        buf_printf(&text, "(no %s here) ", v->missing);
    buf_str(&text, v->title[0] ? v->title : "or so");
    if (columns)
        (void)width_truncate(out, text.p, text.len, columns, "...");
    else
        buf_add(out, text.p, text.len);
}

/* One line each where the screen is wide; a narrow one breaks it, and nothing
 * is left out. */
static void
put_nearest(struct buf *out, const struct engine_answer *const *v, size_t n,
            size_t columns)
{
    for (size_t i = 0; i < n; i++) {
        size_t used = LABEL_COLUMNS + width_str(v[i]->command) + GAP;
        bool wide = columns >= WIDE && columns > used;
        size_t room = wide ? columns - used : 0;

        buf_printf(out, "%zu. ", i + 1);
        put_code(out, v[i]->command);
        if (columns < WIDE || room >= TITLE_MIN) {
            buf_str(out, "  ");
            put_title(out, v[i], room);
        }
        buf_ch(out, '\n');
    }
}

static void
put_doubt(struct buf *out, const struct engine_answers *a)
{
    if (a->sure)
        buf_printf(out, "Not sure: the best match does not cover \"%s\".",
                   a->lost);
    else if (a->doubt[0])
        buf_printf(out, "Not sure: the best match %s.", a->doubt);
    else
        buf_str(out, "Not sure: no recipe matches well enough.");
}

static void
put_unsure(struct buf *out, const struct engine_answers *a, size_t columns)
{
    const struct engine_answer *near[UNAIDED_NEAREST];
    size_t n = unaided_nearest(a, 0, near);

    put_doubt(out, a);
    buf_str(out, n ? " To choose from:\n\n" : " Nothing is proposed.\n\n");
    put_nearest(out, near, n, columns);
    buf_str(out, n ? "\n" : "");
    buf_str(out, "Try other words, or a model (`agentsh doctor`).\n");
}

/* What is near beside the first. */
static void
put_others(struct buf *out, const struct engine_answers *a, const char *lead,
           size_t columns)
{
    const struct engine_answer *near[UNAIDED_NEAREST];
    size_t n = unaided_nearest(a, 1, near);

    if (n == 0)
        return;
    buf_printf(out, "%s\n\n", lead);
    put_nearest(out, near, n, columns);
}

/* The command is known, but not all that it works on. */
static void
put_open(struct buf *out, const struct engine_answers *a, size_t columns)
{
    buf_printf(out,
               "%s: the words in capitals stand for values that the request "
               "does not give.\n",
               a->v[0].title[0] ? a->v[0].title : "This may be it");
    put_block(out, a->v[0].command);
    buf_str(out, "Give the value to run it.\n");
    put_others(out, a, "\nSimilar:", columns);
}

static void
put_missing(struct buf *out, const struct engine_answers *a, size_t columns)
{
    buf_printf(out, "%s: needs %s, which is not installed here.\n",
               a->v[0].title[0] ? a->v[0].title : "This", a->v[0].missing);
    put_block(out, a->v[0].command);
    put_others(out, a, "Other ways:", columns);
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
               "%s: it needs a terminal, which a step does not have. Run it "
               "yourself:\n",
               a->v[0].title[0] ? a->v[0].title : "This does it");
    return put_own(out, a->v[0].command, e);
}

static size_t
answer_columns(size_t columns)
{
    if (columns == 0 || columns >= ANSWER_COLUMNS + ANSWER_INDENT)
        return ANSWER_COLUMNS;
    return columns > ANSWER_LEAST + ANSWER_INDENT ? columns - ANSWER_INDENT
                                                  : ANSWER_LEAST;
}

/* ai explain "how do I …": the command, and what its parts mean. */
static int
put_how(struct buf *out, const struct engine_answers *a, size_t columns,
        struct err *e)
{
    CLEANUP(explain_done) struct explain x = {0};
    CLEANUP_BUF struct buf parts = buf_of(TEXT_MAX);

    if (explain_line(a->v[0].command, &x, e) < 0)
        return -1;
    explain_text(&x, answer_columns(columns), &parts);
    buf_printf(out, "%s:\n", a->v[0].title[0] ? a->v[0].title : "This does it");
    put_block(out, parts.p); /* the command is its first line */
    put_others(out, a, "Other ways, or similar:", columns);
    return buf_ok(&parts, "the explanation", e);
}

bool
unaided_wants_terminal(const char *command)
{
    static const struct risk_context nowhere;
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
        buf_printf(
            out,
            "%s: the best match, but does not cover \"%s\"; no model was used.",
            p->title, p->lost);
    else if (p->missing[0])
        buf_printf(out, "%s: needs %s, which is not installed here.", p->title,
                   p->missing);
    else
        buf_printf(out,
                   "%s: the words in capitals stand for values that the "
                   "request does not give.",
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
              size_t columns, struct buf *out, struct err *e)
{
    if (!a->sure || unaided_is_half(wish, a))
        put_unsure(out, a, columns);
    else if (wish->mode == AIACTION_EXPLAIN)
        return put_how(out, a, columns, e);
    else if (a->v[0].open > 0)
        put_open(out, a, columns);
    else if (a->v[0].missing)
        put_missing(out, a, columns);
    else
        return put_terminal(out, a, e);
    return 0;
}
