/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wish.c - ai do, ai run, ai explain: from a wish to an exit status. */
#include "person/wish.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "action/known.h"
#include "base/file.h"
#include "guard/path/path_table.h"
#include "offline/explain/explain.h"
#include "person/asking.h"
#include "person/chronicle.h"
#include "person/consent.h"
#include "person/input.h"
#include "person/manual.h"
#include "person/message.h"
#include "person/perform.h"
#include "person/report.h"
#include "person/result.h"
#include "person/show_plan.h"
#include "person/suggestions.h"
#include "person/unaided.h"
#include "term/escape.h"

#define USER_MAX   (1u << 20)
#define SHOWN_MAX  (8u << 20)
#define UNFIT_TEXT "nothing is proposed: the answer says why"
#define WORDS_MAX                                                              \
    (64u << 10) /* of a person, on how a plan is to be changed                 \
                 */

static int
show_only(struct app *a, const struct wish *w, const struct proposal *proposal)
{
    const struct aiaction *action = proposal->action;
    const struct inquiry_facts *f = proposal->asked ? &proposal->facts : NULL;
    CLEANUP_BUF struct buf facts = buf_of(SHOWN_MAX);
    CLEANUP_BUF struct buf shown = buf_of(SHOWN_MAX);
    CLEANUP(report_free_p) struct report *r = NULL;
    CLEANUP(plan_free_p) struct plan *p = NULL;
    static const struct plan_events none = {0};
    const struct plan_setting set = {.policy = a->policy,
                                     .config = a->config,
                                     .registry = a->registry,
                                     .outside = proposal->outside,
                                     .named = (const char *const *)a->named,
                                     .yes = w->yes};
    struct err e = {0};

    p = plan_new(a->loop, action, &set, &none, NULL, &e);
    r = p ? report_new(a, action, f, &e) : NULL;
    if (!r)
        return app_fail(a, &e);
    chronicle_plan(a, action, p, f);
    report_plan(r, p);
    report_write(r, NULL, 0);
    if (a->output != OUTPUT_TEXT)
        return 0;
    if (f)
        show_facts(&facts, &a->result, proposal->model, f, a->config);
    show_plan(&shown, &a->result, action, p,
              &(struct show_how){.facts = facts.p});
    result_put(a, &shown);
    return 0;
}

static int
save_plan(const char *path, const struct aiaction *action, struct err *e)
{
    CLEANUP_BUF struct buf out = buf_of(AIACTION_JSON_MAX);
    struct json_writer w;

    json_write_init(&w, &out);
    aiaction_put(&w, action);
    buf_ch(&out, '\n');
    if (buf_ok(&out, "the plan", e) < 0)
        return -1;
    return file_save(path, out.p, out.len, 0600, e);
}

/* An action is there, from a model or from a file. */
static int
act(struct app *a, const struct wish *w, const struct proposal *proposal,
    struct outcome *out)
{
    struct err e = {0};

    if (app_policy(a, &e) < 0)
        return app_fail(a, &e);
    if (w->plan_out) {
        if (save_plan(w->plan_out, proposal->action, &e) < 0)
            return app_fail(a, &e);
        app_note(a, "saved: %s do --plan %s reviews and runs it", a->name,
                 w->plan_out);
    }
    if (w->plan_out || w->dry_run)
        return show_only(a, w, proposal);
    return perform(a, w, proposal, out);
}

/* A file that cannot be read is a wrong word of the command line, like one
 * that holds no plan. What it holds may be another's, as of a pipe. */
static int
read_plan(const struct wish *w, struct buf *text, const char **outside,
          struct err *e)
{
    CLEANUP(fd_close_p) int fd = -1;
    struct err why = {0};
    struct stat st;

    if (w->text[0])
        return err_set(e, ERR_USAGE, "--plan takes no other words: \"%.60s\"",
                       w->text);
    fd = open(w->plan_in, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (fd < 0 || fstat(fd, &st) < 0) {
        err_sys(&why, "%s", w->plan_in);
        return err_set(e, ERR_USAGE, "--plan: %.240s", why.text);
    }
    if (file_read_fd(fd, text, &why) < 0)
        return err_set(e, ERR_USAGE, "--plan: %.100s: %.130s", w->plan_in,
                       why.text);
    if (!S_ISREG(st.st_mode) || origin_is_others(fd, w->plan_in))
        *outside = "the plan itself";
    return 0;
}

static int
run_saved(struct app *a, const struct wish *w)
{
    CLEANUP(proposal_done) struct proposal p = {0};
    CLEANUP_BUF struct buf text = buf_of(AIACTION_JSON_MAX);
    struct aiaction_tools tools;
    struct err e = {0};

    if (read_plan(w, &text, &p.outside, &e) < 0 || app_registry(a, &e) < 0)
        return app_fail(a, &e);
    if (input_is_waiting() && !path_is(w->plan_in, PATH_IS_DEVICE))
        app_note(a, "standard input is ignored: the plan is %s", w->plan_in);
    tools = known_tools(a->registry);
    p.action = aiaction_load(text.p, text.len, &tools, &e);
    if (!p.action) {
        err_wrap(&e, "%s is not a plan", w->plan_in);
        return app_fail(a, &e);
    }
    return act(a, w, &p, NULL);
}

/* A conversation with a model. */
struct talk {
    const struct model_selection *choice;
    struct asking *asking;
    struct buf words; /* that the plan is to be changed by; "": none */
    bool begun;       /* it has answered */
    bool lost;        /* it is not there any more, and nothing was shown */
};

static void
talk_words_done(struct talk *t)
{
    buf_done(&t->words);
}

static int
show_request(struct app *a, const struct model_selection *c,
             const struct asking *q)
{
    CLEANUP_BUF struct buf out = buf_of(4 * USER_MAX);
    struct model_turn turn;
    struct model_request r;
    struct err e = {0};

    asking_request(q, &turn, &r);
    if (model_show_request(c, &r, &out, &e) < 0)
        return app_fail(a, &e);
    result_put(a, &out);
    return 0;
}

/* An answer in words is the last; failed: the status of the steps before. */
static int
give_answer(struct app *a, const struct wish *w, const struct proposal *p,
            struct answer *text, int failed)
{
    struct err e = {0};
    int status;

    if (p->unfit)
        err_set(&e, ERR_UNFIT, UNFIT_TEXT);
    else if (w->plan_out)
        err_set(&e, ERR_ANSWER, "the answer has no plan to save");
    chronicle_answer(a, p->action->summary, p->model, &p->facts);
    if (!p->n_choices && !p->lacks)
        chronicle_end(a, &e, e.code ? err_exit_status(e.code) : failed);
    status = answer_finish(text, p->action, p->model, &p->facts,
                           e.code ? &e : NULL);
    return status ? status : failed;
}

/* A server that an earlier search found is gone, or its model is: nobody has
 * seen anything yet, and another search may find another. */
static bool
is_lost(struct talk *t, const struct answer *text, const struct err *e)
{
    t->lost = model_selection_is_cached(t->choice) && e->code == ERR_MODEL &&
              !t->begun && text && !answer_begun(text);
    return t->lost;
}

/* One question and what becomes of it; *told: what came of the steps before
 * goes to the model, and what came of these is there afterwards. */
static int
ask_model(struct app *a, const struct wish *w, struct talk *t,
          struct outcome *told, int failed)
{
    CLEANUP(proposal_done) struct proposal p = {0};
    CLEANUP(answer_free_p) struct answer *text = NULL;
    struct err e = {0};
    int rc;

    text = answer_new(a, &e);
    rc = text ? asking_run(t->asking, told->wanted ? told : NULL,
                           t->words.len ? t->words.p : NULL, text, &p, &e)
              : -1;
    told->wanted = false;
    buf_clear(&t->words);
    buf_clear(&told->text);
    if (rc < 0 && is_lost(t, text, &e)) {
        log_debug(&a->log, "%s", e.text);
        return err_exit_status(e.code);
    }
    if (rc < 0) {
        if (text && answer_begun(text))
            (void)term_write(&a->result, "\n", 1, NULL);
        return app_fail(a, &e);
    }
    t->begun = true;
    p.words = &t->words;
    if (p.action->kind == ANSWER_ONLY)
        return give_answer(a, w, &p, text, failed);
    return act(a, w, &p, told);
}

/* Until an answer needs no other. */
static int
converse(struct app *a, const struct wish *w, struct talk *t)
{
    CLEANUP(outcome_done) struct outcome told;
    int status = 0;

    outcome_init(&told);
    do {
        status = ask_model(a, w, t, &told, status);
    } while (told.wanted || t->words.len > 0);
    return status;
}

/* A command line to explain. What was piped in may be anything: it is one
 * when a command of it is known. */
static const char *
line_of(const struct wish *w, const struct buf *input)
{
    CLEANUP(explain_done) struct explain x = {0};
    const char *line = w->text[0] ? w->text : input->p;

    if (w->mode != AIACTION_EXPLAIN || !explain_is_command(line))
        return NULL;
    if (line == input->p && strlen(line) < input->len)
        return NULL; /* a NUL byte: it is no text */
    if (!w->text[0] && (explain_line(line, &x, NULL) < 0 || !x.known))
        return NULL;
    return line;
}

static bool
is_same_plan(const struct aiaction *a, const struct aiaction *b)
{
    if (a->n != b->n)
        return false;
    for (size_t i = 0; i < a->n; i++) {
        if (strcmp(a->steps[i].command, b->steps[i].command) != 0)
            return false;
    }
    return true;
}

/* The wish goes on with the words. What the engine has no plan for, and words
 * that change nothing, leave the plan as it was, and the wish too. */
static void
revise_offline(struct app *a, struct wish *now, struct buf *text,
               struct buf *input, struct buf *words, struct proposal *p)
{
    CLEANUP(proposal_done) struct proposal other = {0};
    CLEANUP_BUF struct buf joined = buf_of(USER_MAX);
    struct wish wish = *now;
    struct err e = {0};

    buf_printf(&joined, "%s %s", now->text, words->p);
    wish.text = joined.p;
    wish.whole = true;
    if (joined.bad || unaided_propose(a, &wish, input, &other, &e) < 0 ||
        other.action->kind == ANSWER_ONLY ||
        is_same_plan(other.action, p->action)) {
        app_note(a,
                 "the offline engine cannot tell what \"%.200s\" should "
                 "change: the plan is unchanged",
                 words->p);
    } else {
        buf_clear(text);
        buf_add(text, joined.p, joined.len);
        now->text = text->p;
        proposal_done(p);
        *p = other;
        other = (struct proposal){0};
    }
    buf_clear(words);
}

/* Until a plan is not to be changed. */
static int
act_offline(struct app *a, const struct wish *w, struct buf *input,
            struct proposal *p)
{
    CLEANUP_BUF struct buf words = buf_of(WORDS_MAX);
    CLEANUP_BUF struct buf text = buf_of(USER_MAX);
    struct wish now = *w;
    int status;

    for (;;) {
        p->words = &words;
        status = act(a, &now, p, NULL);
        p->words = NULL;
        if (words.len == 0)
            return status;
        revise_offline(a, &now, &text, input, &words, p);
    }
}

/* The wish goes on with what it lacked. */
static int
name_it(struct app *a, struct wish *now, struct buf *text, struct buf *input,
        const struct buf *name, struct proposal *p, struct err *e)
{
    CLEANUP_BUF struct buf joined = buf_of(USER_MAX);

    buf_printf(&joined, "%s %s", now->text, name->p);
    buf_clear(text);
    buf_add(text, joined.p, joined.len);
    if (buf_ok(text, "the request", e) < 0)
        return -1;
    now->text = text->p;
    proposal_done(p);
    return unaided_propose(a, now, input, p, e);
}

/* Nobody chose. */
static int
leave_answer(struct app *a, const struct proposal *p, int status)
{
    struct err e = {0};

    if (p->n_choices == 0 && !p->lacks)
        return status; /* give_answer has ended it */
    if (p->unfit)
        err_set(&e, ERR_UNFIT, UNFIT_TEXT);
    chronicle_end(a, &e, status);
    return status;
}

/* Words that name commands: one of them may be chosen, and is then a plan like
 * another. *again: what it lacked was named, and p is another proposal. */
static int
give_choice(struct app *a, struct wish *now, struct buf *text,
            struct buf *input, struct proposal *p, bool *again)
{
    CLEANUP(proposal_done) struct proposal next = {0};
    CLEANUP(answer_free_p) struct answer *words = NULL;
    CLEANUP_BUF struct buf name = buf_of(WORDS_MAX);
    enum suggestions_end end = DOUBT_LEFT;
    struct err e = {0};
    size_t chosen = 0;
    int status;

    if (!(words = answer_new(a, &e)))
        return app_fail(a, &e);
    status = give_answer(a, now, p, words, 0);
    if (now->dry_run || now->plan_out)
        return leave_answer(a, p, status);
    if (suggestions_ask(a, p, &end, &chosen, &name, &e) < 0)
        return app_fail(a, &e);
    if (end == DOUBT_LEFT)
        return leave_answer(a, p, status);
    if (end == DOUBT_NAMED) {
        if (name_it(a, now, text, input, &name, p, &e) < 0)
            return app_fail(a, &e);
        *again = true;
        return 0;
    }
    if (unaided_choose(now, p, chosen, &next, &e) < 0)
        return app_fail(a, &e);
    return act_offline(a, now, input, &next);
}

/* The pages explain a command line; recipes answer a wish. */
static int
without_model(struct app *a, const struct wish *w, struct buf *input)
{
    CLEANUP(proposal_done) struct proposal p = {0};
    CLEANUP_BUF struct buf text = buf_of(USER_MAX);
    const char *line = line_of(w, input);
    struct wish now = *w;
    struct err e = {0};
    bool again = true;
    int status = 0;

    if (line)
        return manual_explain(a, line);
    if (unaided_propose(a, w, input, &p, &e) < 0)
        return app_fail(a, &e);
    while (again && p.action->kind == ANSWER_ONLY) {
        again = false;
        status = give_choice(a, &now, &text, input, &p, &again);
    }
    return again ? act_offline(a, &now, input, &p) : status;
}

static bool
may_look(struct app *a, const struct wish *w)
{
    return !w->no_look && config_bool(a->config, CONFIG_MODEL_LOOK);
}

static int
with_model(struct app *a, const struct wish *w, const struct model_selection *c,
           const struct buf *input, bool *lost)
{
    CLEANUP(model_free_p) struct model *m = NULL;
    CLEANUP(asking_close_p) struct asking *q = NULL;
    CLEANUP_BUF struct buf user = buf_of(USER_MAX);
    struct asking_wish wish = {.model_name = model_selection_model(c),
                               .mode = w->mode,
                               .look = may_look(a, w)};
    CLEANUP(talk_words_done)
    struct talk t = {.choice = c, .words = buf_of(WORDS_MAX)};
    struct origin origin = {0};
    struct err e = {0};
    int status;

    /* it loads while the rest is gathered */
    if (!w->show_request && !(m = model_start(a->loop, c, &e)))
        return app_fail(a, &e);
    wish.model = m;
    if (app_policy(a, &e) < 0 || !(q = asking_open(a, &wish, &e)) ||
        message_write(a, w, c, input, &user, &origin, &e) < 0)
        return app_fail(a, &e);
    asking_say(q, user.p, origin_outside(&origin));
    chronicle_model(a, c, user.len);
    if (w->show_request)
        return show_request(a, c, q);
    t.asking = q;
    status = converse(a, w, &t);
    *lost = t.lost;
    return status;
}

/* A wish without words is all in what was piped in. */
static int
take_wish(struct app *a, struct buf *input, struct err *e)
{
    if (input_take(a, input, e) < 0)
        return -1;
    if (input->len == 0)
        return err_set(e, ERR_USAGE, "missing request (%s --help)", a->name);
    return 0;
}

/* Who is asked, and why, for -v. */
static void
tell_choice(const struct app *a, const struct wish *w,
            const struct model_selection *c, bool agreed)
{
    const char *why = c ? model_selection_reason(c) : "";

    if (c && agreed)
        log_debug(&a->log, "asking %s at %s (%s)%s%s", model_selection_model(c),
                  model_selection_url(c), model_selection_title(c),
                  why && *why ? ": " : "", why ? why : "");
    else if (c)
        log_debug(&a->log, "no model is used: %s at %s was not approved",
                  model_selection_title(c), model_selection_url(c));
    else if (w->model.offline)
        log_debug(&a->log, "no model is used: --offline");
    else
        log_debug(&a->log,
                  "no model is used: offline is configured, or there is no key "
                  "and no model server here (agentsh doctor)");
}

/* By a model where there is one that may be asked, else without. */
static int
answer_wish(struct app *a, const struct wish *w, struct buf *input, bool *lost)
{
    CLEANUP(model_selection_free_p) struct model_selection *choice = NULL;
    struct model_select_params wish = w->model;
    struct err e = {0};
    bool yes = false;
    int status;

    wish.can_ask = term_keys(&a->screen, NULL) == 0;
    if (model_select(a->config, &wish, &choice, &e) < 0)
        return app_fail(a, &e);
    if (choice && consent_ask(a, choice, &yes, &e) < 0)
        return app_fail(a, &e);
    tell_choice(a, w, choice, yes);
    if (!choice || !yes)
        return without_model(a, w, input);
    if (w->text[0] && input->len == 0 && input_take(a, input, &e) < 0)
        return app_fail(a, &e);
    status = with_model(a, w, choice, input, lost);
    if (*lost)
        model_selection_drop_cache(choice);
    return status;
}

/* From the wish to the exit status; the chronicle is begun. */
static int
fulfil(struct app *a, const struct wish *w)
{
    /* a bad byte becomes three */
    CLEANUP_BUF struct buf input = buf_of(3 * INPUT_MAX);
    struct err e = {0};
    bool lost = false;
    int status;

    if (app_config(a, &e) < 0)
        return app_fail(a, &e);
    if (w->plan_in)
        return run_saved(a, w);
    if (!w->text[0] && take_wish(a, &input, &e) < 0)
        return app_fail(a, &e);
    status = answer_wish(a, w, &input, &lost);
    /* what a new search finds is not remembered, and cannot be lost again */
    return lost ? answer_wish(a, w, &input, &lost) : status;
}

int
wish_run(struct app *a, const struct wish *w)
{
    struct chronicle c;
    int status;

    app_name_places(a, w->text);
    chronicle_begin(&c, a, w);
    status = fulfil(a, w);
    chronicle_done(&c, status);
    return status;
}
