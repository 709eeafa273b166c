/* SPDX-License-Identifier: GPL-3.0-or-later */
/* unaided.c - what agentsh proposes for a wish when no model is asked. */
#include "person/unaided.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "offline/explain/explain.h"
#include "offline/wish/drop_sudo.h"
#include "offline/wish/engine.h"
#include "json/write.h"

#define NAME           "offline engine"
#define NEAREST        4  /* are shown; a fifth is rarely what was meant */
#define ANSWER_COLUMNS 72 /* of explanations, which the answer indents */
#define TEXT_MAX       (1u << 20)

/* What the engine made of the wish. */
struct findings {
    struct engine *engine; /* what the others' titles belong to */
    struct engine_answers answers;
    struct engine_plan plan;
};

static void
findings_done(struct findings *f)
{
    engine_answers_done(&f->answers);
    engine_plan_done(&f->plan);
    engine_free(f->engine);
}

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

static void
put_nearest(struct buf *out, const struct engine_answers *a, size_t from)
{
    for (size_t i = from; i < a->n && i < NEAREST; i++) {
        const struct engine_answer *v = &a->v[i];

        buf_printf(out, "- %s%s%s%s\n", v->title[0] ? v->title : "or so",
                   v->missing ? " (takes " : "", v->missing ? v->missing : "",
                   v->missing ? ", which is not installed)" : "");
        put_block(out, v->command);
    }
}

static void
put_unsure(struct buf *out, const struct engine_answers *a)
{
    if (a->doubt[0])
        buf_printf(out,
                   "What comes nearest %s; no model was asked. Not "
                   "proposed, but to choose from:\n\n",
                   a->doubt);
    else
        buf_str(out, "No recipe fits well enough to be proposed, and no model "
                     "was asked. The nearest:\n\n");
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
    buf_printf(out, "%s takes %s, which is not installed here.\n",
               a->v[0].title[0] ? a->v[0].title : "This", a->v[0].missing);
    put_block(out, a->v[0].command);
    if (a->n > 1) {
        buf_str(out, "Other ways:\n\n");
        put_nearest(out, a, 1);
    }
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
    put_block(out, a->v[0].command);
    put_block(out, parts.p);
    if (a->n > 1) {
        buf_str(out, "Other ways, or near it:\n\n");
        put_nearest(out, a, 1);
    }
    return buf_ok(&parts, "the explanation", e);
}

static void
put_head(struct json_writer *w, enum aiaction_kind kind, const char *summary)
{
    json_open_object(w);
    json_member_str(w, "kind", aiaction_kind_name(kind));
    json_member_str(w, "summary", summary);
    json_key(w, "steps");
    json_open_array(w);
}

/* Root needs nobody's rights, and often has no sudo. */
static int
put_step(struct json_writer *w, size_t i, const char *description,
         const char *command, struct err *e)
{
    CLEANUP_BUF struct buf own = buf_of(AIACTION_COMMAND_MAX);
    char id[24];

    if (geteuid() == 0 && drop_sudo(command, &own, e) < 0)
        return -1;
    snprintf(id, sizeof(id), "%zu", i + 1);
    json_open_object(w);
    json_member_str(w, "id", id);
    json_member_str(w, "description", description);
    json_member_str(w, "shell_command", geteuid() == 0 ? own.p : command);
    json_close_object(w);
    return 0;
}

static void
put_tail(struct json_writer *w)
{
    json_close_array(w);
    json_close_object(w);
}

/* The wish above what the command does: a person sees whether they agree. */
static int
put_command(struct json_writer *w, enum aiaction_kind kind, const char *wish,
            const struct engine_answer *v, struct err *e)
{
    put_head(w, kind, wish);
    if (put_step(w, 0, v->title[0] ? v->title : "run it", v->command, e) < 0)
        return -1;
    put_tail(w);
    return 0;
}

static int
put_plan(struct json_writer *w, enum aiaction_kind kind,
         const struct engine_plan *p, struct err *e)
{
    put_head(w, kind, p->title);
    for (size_t i = 0; i < p->n; i++) {
        if (put_step(w, i, p->steps[i].description, p->steps[i].command, e) < 0)
            return -1;
    }
    put_tail(w);
    return 0;
}

static int
put_words(struct json_writer *w, const struct wish *wish,
          const struct engine_answers *a, struct err *e)
{
    CLEANUP_BUF struct buf text = buf_of(TEXT_MAX);

    if (!a->sure)
        put_unsure(&text, a);
    else if (wish->mode == AIACTION_EXPLAIN) {
        if (put_how(&text, a, e) < 0)
            return -1;
    } else if (a->v[0].open > 0)
        put_open(&text, a);
    else
        put_missing(&text, a);
    if (buf_ok(&text, "the answer", e) < 0)
        return -1;
    put_head(w, ANSWER_ONLY, text.p);
    put_tail(w);
    return 0;
}

static bool
can_run(const struct engine_answers *a)
{
    return a->sure && a->v[0].open == 0 && !a->v[0].missing;
}

/* A wish that is a command line already: recipes would lose its options and
 * what is behind its operators. */
static bool
is_typed(const char *text)
{
    const char *option = strstr(text, " -");

    return ((option &&
             isalpha((unsigned char)option[2 + (option[2] == '-')])) ||
            strpbrk(text, "|;&<>")) &&
           explain_is_command(text);
}

/* A plan beats a command where it was asked for, and else where no command
 * will do. */
static bool
prefers_plan(const struct wish *w, const struct findings *f)
{
    if (w->mode == AIACTION_EXPLAIN || !f->plan.sure || f->plan.open > 0)
        return false;
    return !can_run(&f->answers) ||
           (w->mode == AIACTION_DO &&
            f->plan.confidence >= f->answers.confidence);
}

static int
put_action(struct buf *out, const struct wish *w, const struct findings *f,
           struct err *e)
{
    enum aiaction_kind kind = w->mode == AIACTION_RUN ? COMMAND_SEQUENCE
                                                      : PLAN_AND_COMMANDS;
    struct json_writer j;

    json_write_init(&j, out);
    if (w->mode != AIACTION_EXPLAIN && is_typed(w->text)) {
        const struct engine_answer typed = {.command = w->text,
                                            .title = "the command as it is"};

        return put_command(&j, kind, w->text, &typed, e);
    }
    if (prefers_plan(w, f))
        return put_plan(&j, kind, &f->plan, e);
    if (w->mode != AIACTION_EXPLAIN && can_run(&f->answers))
        return put_command(&j, kind, w->text, &f->answers.v[0], e);
    if (f->answers.n > 0)
        return put_words(&j, w, &f->answers, e);
    return err_set(e, ERR_MODEL,
                   "no recipe is near this wish, and no model was asked: try "
                   "other words, or a model (agentsh doctor says how to get "
                   "one)");
}

static int
ask(const char *text, struct findings *f, struct err *e)
{
    f->engine = engine_new(e);
    /* the answers' words live until the next wish, a plan's as long as the
     * engine */
    if (!f->engine || engine_plan(f->engine, text, &f->plan, e) < 0)
        return -1;
    return engine_ask(f->engine, text, &f->answers, e);
}

int
unaided_propose(const struct wish *w, struct proposal *out, struct err *e)
{
    CLEANUP(findings_done) struct findings f = {0};
    CLEANUP_BUF struct buf text = buf_of(AIACTION_JSON_MAX);
    int64_t begun = clock_ms();

    if (ask(w->text, &f, e) < 0 || put_action(&text, w, &f, e) < 0 ||
        buf_ok(&text, "the proposal", e) < 0)
        return -1;
    out->model = strdup(NAME);
    if (!out->model)
        return err_sys(e, "the proposal");
    out->action = aiaction_parse(text.p, text.len, w->mode, NULL, e);
    if (!out->action)
        return -1;
    out->asked = true;
    out->facts = (struct inquiry_facts){.model = out->model,
                                        .tokens_in = -1,
                                        .tokens_out = -1,
                                        .ms = clock_ms() - begun};
    return 0;
}
