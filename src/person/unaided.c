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
#include "person/beyond.h"
#include "person/input.h"
#include "person/trouble.h"
#include "person/unaided_words.h"
#include "json/write.h"

#define NAME     "offline engine"
#define TEXT_MAX (1u << 20)

#define PLAN_CLEAR 0.7 /* a job that says so much of the wish is meant */

/* What the engine made of the wish. */
struct findings {
    struct engine *engine; /* what the others' titles belong to */
    struct engine_answers answers;
    struct engine_plan plan;
    size_t columns; /* of the screen that shows them; 0: none does */
};

static void
findings_done(struct findings *f)
{
    engine_answers_done(&f->answers);
    engine_plan_done(&f->plan);
    engine_free(f->engine);
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

/* Root needs nobody's rights, and often has no sudo; of others, a step may
 * need root though it does not say sudo. */
static int
put_step(struct json_writer *w, size_t i, const char *description,
         const char *command, bool needs_root, struct err *e)
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
    if (needs_root && geteuid() != 0)
        json_member_bool(w, "requires_sudo", true);
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
    if (put_step(w, 0, v->title[0] ? v->title : "run it", v->command, false,
                 e) < 0)
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
        const struct engine_step *s = &p->steps[i];

        if (put_step(w, i, s->description, s->command, s->risk == RECIPE_ROOT,
                     e) < 0)
            return -1;
    }
    put_tail(w);
    return 0;
}

static int
put_answer(struct json_writer *w, const struct buf *text, struct err *e)
{
    if (buf_ok(text, "the answer", e) < 0)
        return -1;
    put_head(w, ANSWER_ONLY, text->p);
    put_tail(w);
    return 0;
}

static int
put_words(struct json_writer *w, const struct wish *wish,
          const struct findings *f, struct err *e)
{
    CLEANUP_BUF struct buf text = buf_of(TEXT_MAX);

    if (unaided_words(wish, &f->answers, f->columns, &text, e) < 0)
        return -1;
    return put_answer(w, &text, e);
}

static bool
can_run(const struct wish *w, const struct engine_answers *a)
{
    return a->sure && a->v[0].open == 0 && !a->v[0].missing &&
           !(w->whole && a->lost[0]) && !unaided_is_half(w, a) &&
           !unaided_wants_terminal(a->v[0].command);
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

static bool
is_ready(const struct engine_plan *p)
{
    return p->open == 0 && !p->missing[0];
}

/* A plan beats a command where it was asked for, since it looks before it
 * acts, and else where no command will do and none is nearer. */
static bool
means_plan(const struct wish *w, const struct findings *f)
{
    const struct engine_plan *p = &f->plan;

    if (w->mode == AIACTION_EXPLAIN || !p->sure)
        return false;
    if (w->mode == AIACTION_DO)
        return !can_run(w, &f->answers) || p->confidence >= PLAN_CLEAR ||
               p->confidence >= f->answers.confidence;
    return is_ready(p) && !can_run(w, &f->answers) &&
           p->confidence >= f->answers.confidence;
}

static int
put_meant(struct json_writer *w, enum aiaction_kind kind,
          const struct engine_plan *p, struct err *e)
{
    CLEANUP_BUF struct buf text = buf_of(TEXT_MAX);

    if (p->sure && is_ready(p))
        return put_plan(w, kind, p, e);
    unaided_plan_words(p, &text);
    return put_answer(w, &text, e);
}

static int
put_action(struct buf *out, const struct wish *w, const struct findings *f,
           struct err *e)
{
    enum aiaction_kind kind = w->mode == AIACTION_RUN ? COMMAND_SEQUENCE
                                                      : PLAN_AND_COMMANDS;
    CLEANUP_BUF struct buf why = buf_of(TEXT_MAX);
    struct json_writer j;

    json_write_init(&j, out);
    if (w->whole && is_typed(w->text))
        return err_set(e, ERR_UNFIT,
                       "a command that was typed is not changed by words");
    if (w->mode != AIACTION_EXPLAIN && is_typed(w->text)) {
        const struct engine_answer typed = {.command = w->text,
                                            .title = "the command as it is"};

        return put_command(&j, kind, w->text, &typed, e);
    }
    if (beyond_commands(w->text, &why))
        return err_set(e, ERR_UNFIT, "%.240s", why.p);
    if (means_plan(w, f))
        return put_meant(&j, kind, &f->plan, e);
    if (w->mode != AIACTION_EXPLAIN && can_run(w, &f->answers))
        return put_command(&j, kind, w->text, &f->answers.v[0], e);
    if (w->mode == AIACTION_DO && f->plan.near)
        return put_meant(&j, kind, &f->plan, e);
    if (!f->answers.sure && !(f->answers.n > 0 && f->answers.v[0].covers) &&
        beyond_english(w->text))
        return err_set(
            e, ERR_UNFIT,
            "most of these words are unknown: the offline engine reads "
            "English, and no model was used (see agentsh doctor)");
    if (f->answers.sure || f->answers.near)
        return put_words(&j, w, f, e);
    return err_set(e, ERR_UNFIT,
                   "no recipe matches this request, and no model was used: "
                   "try other words, or a model (see agentsh doctor)");
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

/* The JSON as a proposal. */
static int
propose(const struct buf *json, enum aiaction_mode mode, int64_t begun,
        struct proposal *out, struct err *e)
{
    if (buf_ok(json, "the proposal", e) < 0)
        return -1;
    out->model = strdup(NAME);
    if (!out->model)
        return err_sys(e, "the proposal");
    out->action = aiaction_parse(json->p, json->len, mode, NULL, e);
    if (!out->action)
        return -1;
    out->unfit = out->action->kind == ANSWER_ONLY && mode != AIACTION_EXPLAIN;
    out->asked = out->recipes = true;
    out->facts = (struct inquiry_facts){.model = out->model,
                                        .tokens_in = -1,
                                        .tokens_out = -1,
                                        .ms = clock_ms() - begun};
    return 0;
}

/* What went wrong, as far as it is known without a model. */
static int
propose_trouble(struct app *a, const struct wish *w, struct buf *input,
                struct proposal *out, struct err *e)
{
    CLEANUP_BUF struct buf json = buf_of(AIACTION_JSON_MAX);
    CLEANUP_BUF struct buf text = buf_of(TEXT_MAX);
    int64_t begun = clock_ms();
    struct json_writer j;

    if (w->text[0] && input_is_piped() && input_take(a, input, e) < 0)
        return -1;
    trouble_tell(input, &text);
    if (buf_ok(&text, "the answer", e) < 0)
        return -1;
    json_write_init(&j, &json);
    put_head(&j, ANSWER_ONLY, text.p);
    put_tail(&j);
    return propose(&json, w->mode, begun, out, e);
}

/* The commands that put_words numbers, in its order. */
static int
note_choices(const struct wish *w, const struct engine_answers *a,
             struct proposal *out, struct err *e)
{
    const struct engine_answer *near[UNAIDED_NEAREST];
    bool sure = a->sure && !unaided_is_half(w, a);
    size_t n = unaided_nearest(a, sure ? 1 : 0, near);

    out->lacks = sure && a->v[0].open > 0;
    if (sure && !out->lacks && !a->v[0].missing)
        return 0;
    for (size_t i = 0; i < n && i < PROPOSAL_CHOICES; i++) {
        struct proposal_choice *c = &out->choices[out->n_choices++];

        c->command = strdup(near[i]->command);
        c->title = strdup(near[i]->title);
        c->lacks = near[i]->open > 0;
        if (!c->command || !c->title)
            return err_nomem(e);
    }
    return 0;
}

int
unaided_choose(const struct wish *w, const struct proposal *from, size_t chosen,
               struct proposal *out, struct err *e)
{
    const struct proposal_choice *c = &from->choices[chosen];
    const struct engine_answer v = {.command = c->command, .title = c->title};
    CLEANUP_BUF struct buf json = buf_of(AIACTION_JSON_MAX);
    struct json_writer j;

    json_write_init(&j, &json);
    if (put_command(
            &j, w->mode == AIACTION_RUN ? COMMAND_SEQUENCE : PLAN_AND_COMMANDS,
            w->text, &v, e) < 0)
        return -1;
    return propose(&json, w->mode, clock_ms(), out, e);
}

static int
propose_known(struct app *a, const struct wish *w, struct proposal *out,
              struct err *e)
{
    bool screen = a->output == OUTPUT_TEXT && a->result.tty;
    CLEANUP(findings_done)
    struct findings f = {.columns = screen ? (size_t)a->result.columns : 0};
    CLEANUP_BUF struct buf json = buf_of(AIACTION_JSON_MAX);
    int64_t begun = clock_ms();

    if (ask(w->text, &f, e) < 0 || put_action(&json, w, &f, e) < 0 ||
        propose(&json, w->mode, begun, out, e) < 0)
        return -1;
    out->unfit = out->unfit || (w->mode == AIACTION_EXPLAIN && !f.answers.sure);
    if (out->action->kind == ANSWER_ONLY && w->mode != AIACTION_EXPLAIN &&
        !means_plan(w, &f) && !(w->mode == AIACTION_DO && f.plan.near))
        return note_choices(w, &f.answers, out, e);
    return 0;
}

/* A question about what was piped in, or about what went wrong before. */
static bool
is_trouble(const struct wish *w)
{
    return w->text[0] ? trouble_is_meant(w->text, w->mode, input_is_piped())
                      : w->mode == AIACTION_EXPLAIN;
}

int
unaided_propose(struct app *a, const struct wish *w, struct buf *input,
                struct proposal *out, struct err *e)
{
    if (w->show_request)
        return err_set(e, ERR_USAGE, "no model is used: there is no request");
    if (is_trouble(w))
        return propose_trouble(a, w, input, out, e);
    if (!w->text[0])
        return err_set(
            e, ERR_USAGE,
            "piped input needs a model, and none was used: say it in words");
    if (input_is_waiting())
        app_note(a, "standard input is ignored: it needs a model");
    return propose_known(a, w, out, e);
}
