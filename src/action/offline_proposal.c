/* SPDX-License-Identifier: GPL-3.0-or-later */
/* offline_proposal.c - proposes commands for a request without a model. */
#include "action/offline_proposal.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "action/error_triage.h"
#include "base/clock.h"
#include "base/message.h"
#include "guard/risk/risk.h"
#include "offline/engine/out_of_scope.h"
#include "offline/engine/sanitize.h"
#include "offline/explain/explain.h"
#include "term/width.h"

#define NEAREST_MAX    3 /* to choose from; a fourth is rarely meant */
#define LABEL_COLUMNS  3 /* "1. " */
#define GAP            2
#define WIDE           60 /* columns from which each command is one line */
#define TITLE_MIN      12 /* columns; less of a title says nothing */
#define ANSWER_COLUMNS 72 /* of an explanation, at most */
#define ANSWER_INDENT  5  /* columns: its indent, and the last one left free */
#define ANSWER_LEAST   20
#define TEXT_MAX       (1u << 20)
#define NAME           "offline engine"
#define PLAN_CLEAR     0.7 /* confidence from which a plan beats a command */

/* Appends a block of code in Markdown, its lines unchanged. */
static void
put_indented_code(struct buf *out, const char *text)
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

/* Finds the commands that are numbered in an answer, in this order, from
 * answer `from` on. Those that are blind or slight, or that do the same as
 * another, are left out. Returns how many; borrowed from a. */
static size_t
find_nearest(const struct engine_answers *a, size_t from,
             const struct engine_answer *out[NEAREST_MAX])
{
    size_t n = 0;

    for (size_t i = from; i < a->n && n < NEAREST_MAX; i++) {
        const struct engine_answer *v = &a->v[i];

        if (!v->blind && !v->slight &&
            (!v->title[0] || !has_title(out, n, v->title)))
            out[n++] = v;
    }
    return n;
}

/* The length of the longest run of backticks. */
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

/* Appends a span of code in Markdown, between more backticks than are in it. */
static void
put_code_span(struct buf *out, const char *command)
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

/* What an answer in words is written for. */
struct wording {
    const struct seat *seat;
    size_t columns; /* of the screen that shows it; 0: none does */
    bool person;    /* it is in the person's language, else in English */
};

/* What the command does, or the text where that is not known. */
static const char *
title_or(const struct wording *w, const struct engine_answer *v,
         const char *text)
{
    if (!v->title[0])
        return message_for(w->person, text);
    return w->person && v->shown ? v->shown : v->title;
}

/* Appends what the command does, cut to `columns`; 0: in full. */
static void
put_answer_title(struct buf *out, const struct wording *w,
                 const struct engine_answer *v, size_t columns)
{
    CLEANUP_BUF struct buf text = buf_of(TEXT_MAX);

    if (v->missing)
        buf_printf(&text, message_for(w->person, "(no %s here) "), v->missing);
    buf_str(&text, title_or(w, v, N_("or so")));
    if (columns)
        (void)width_truncate(out, text.p, text.len, columns, "...");
    else
        buf_add(out, text.p, text.len);
}

/* Appends a numbered line for each command. On a wide screen the title is cut
 * to fit; a narrow one wraps the line, and nothing is left out. */
static void
put_nearest(struct buf *out, const struct wording *w,
            const struct engine_answer *const *v, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        size_t used = LABEL_COLUMNS + width_str(v[i]->command) + GAP;
        bool wide = w->columns >= WIDE && w->columns > used;
        size_t room = wide ? w->columns - used : 0;

        buf_printf(out, "%zu. ", i + 1);
        put_code_span(out, v[i]->command);
        if (w->columns < WIDE || room >= TITLE_MIN) {
            buf_str(out, "  ");
            put_answer_title(out, w, v[i], room);
        }
        buf_ch(out, '\n');
    }
}

static void
put_uncertainty(struct buf *out, const struct wording *w,
                const struct engine_answers *a)
{
    if (a->sure)
        buf_printf(
            out,
            message_for(w->person,
                        "Not sure: the best match does not cover \"%s\"."),
            a->lost);
    else if (a->doubt[0])
        buf_printf(out, message_for(w->person, "Not sure: the best match %s."),
                   w->person ? a->shown_doubt : a->doubt);
    else
        buf_str(out, message_for(w->person,
                                 "Not sure: no recipe matches well enough."));
}

static void
put_unsure(struct buf *out, const struct wording *w,
           const struct engine_answers *a)
{
    const struct engine_answer *near[NEAREST_MAX];
    size_t n = find_nearest(a, 0, near);

    put_uncertainty(out, w, a);
    buf_printf(out, "%s\n\n",
               n ? message_for(w->person, " To choose from:")
                 : message_for(w->person, " Nothing is proposed."));
    put_nearest(out, w, near, n);
    buf_str(out, n ? "\n" : "");
    buf_str(out,
            message_for(w->person,
                        "Try other words, or a model (`agentsh doctor`).\n"));
}

/* Appends the nearest commands after the first. */
static void
put_others(struct buf *out, const struct wording *w,
           const struct engine_answers *a, const char *lead)
{
    const struct engine_answer *near[NEAREST_MAX];
    size_t n = find_nearest(a, 1, near);

    if (n == 0)
        return;
    buf_printf(out, "%s\n\n", message_for(w->person, lead));
    put_nearest(out, w, near, n);
}

/* The command is known, but a value for it is missing. */
static void
put_missing_value(struct buf *out, const struct wording *w,
                  const struct engine_answers *a)
{
    buf_printf(
        out,
        message_for(
            w->person,
            "%s: the words in capitals stand for values that the request "
            "does not give.\n"),
        title_or(w, &a->v[0], N_("This may be it")));
    put_indented_code(out, a->v[0].command);
    buf_str(out, message_for(w->person, "Give the value to run it.\n"));
    buf_ch(out, '\n');
    put_others(out, w, a, N_("Similar:"));
}

static void
put_missing_program(struct buf *out, const struct wording *w,
                    const struct engine_answers *a)
{
    buf_printf(
        out,
        message_for(w->person, "%s: needs %s, which is not installed here.\n"),
        title_or(w, &a->v[0], N_("This")), a->v[0].missing);
    put_indented_code(out, a->v[0].command);
    put_others(out, w, a, N_("Other ways:"));
}

/* Appends the command; for root without sudo, which root does not need. */
static int
put_command_block(struct buf *out, const char *command, struct err *e)
{
    CLEANUP_BUF struct buf own = buf_of(AIACTION_COMMAND_MAX);

    if (geteuid() == 0 && sanitize_drop_sudo(command, &own, e) < 0)
        return -1;
    put_indented_code(out, geteuid() == 0 ? own.p : command);
    return 0;
}

static int
put_needs_terminal(struct buf *out, const struct wording *w,
                   const struct engine_answers *a, struct err *e)
{
    buf_printf(
        out,
        message_for(
            w->person,
            "%s: it needs a terminal, which a step does not have. Run it "
            "yourself:\n"),
        title_or(w, &a->v[0], N_("This does it")));
    return put_command_block(out, a->v[0].command, e);
}

static int
answer_columns(size_t columns)
{
    if (columns == COLUMNS_PLAIN)
        return EXPLAIN_PLAIN;
    if (columns == 0 || columns >= ANSWER_COLUMNS + ANSWER_INDENT)
        return ANSWER_COLUMNS;
    return columns > ANSWER_LEAST + ANSWER_INDENT
               ? (int)(columns - ANSWER_INDENT)
               : ANSWER_LEAST;
}

/* For ai explain "how do I …": the command and what its parts mean. */
static int
put_explained(struct buf *out, const struct wording *w,
              const struct engine_answers *a, struct err *e)
{
    CLEANUP(explain_done) struct explain x = {0};
    CLEANUP_BUF struct buf parts = buf_of(TEXT_MAX);

    if (explain_for(w->person, w->seat, a->v[0].command, &x, e) < 0)
        return -1;
    explain_text(&x, answer_columns(w->columns), &parts);
    buf_printf(out, "%s:\n", title_or(w, &a->v[0], N_("This does it")));
    put_indented_code(out, parts.p); /* the command is its first line */
    put_others(out, w, a, N_("Other ways, or similar:"));
    return buf_ok(&parts, "the explanation", e);
}

/* Whether a command would ask or draw on a terminal, which a step lacks. */
static bool
needs_terminal(const char *command)
{
    static const struct path_context nowhere;
    struct syntax syntax = {0};
    struct risk risk = {0};
    bool yes = syntax_read(command, strlen(command), &syntax, NULL) == 0 &&
               risk_read(&syntax, &nowhere, &risk, NULL) == 0 &&
               risk.facts & RISK_TERMINAL;

    risk_done(&risk);
    syntax_done(&syntax);
    return yes;
}

/* Appends the steps of a plan that is not proposed, since a program, a word of
 * the request or a value is missing. */
static void
put_plan_text(struct buf *out, const struct wording *w,
              const struct engine_plan *p)
{
    const char *title = w->person ? p->shown : p->title;

    if (p->lost[0])
        buf_printf(out,
                   message_for(w->person, "%s: the best match, but does not "
                                          "cover \"%s\"; no model was used."),
                   title, p->lost);
    else if (p->missing[0])
        buf_printf(out,
                   message_for(w->person,
                               "%s: needs %s, which is not installed here."),
                   title, p->missing);
    else
        buf_printf(
            out,
            message_for(w->person,
                        "%s: the words in capitals stand for values that the "
                        "request does not give."),
            title);
    buf_printf(out, "%s\n\n", message_for(w->person, " The steps:"));
    for (size_t i = 0; i < p->n; i++) {
        buf_printf(out, "%zu. %s\n", i + 1,
                   w->person && p->steps[i].shown ? p->steps[i].shown
                                                  : p->steps[i].description);
        put_indented_code(out, p->steps[i].command);
    }
}

/* ai do is for the whole job: a command that does a part of it is no answer. */
static bool
is_partial(const struct user_request *request, const struct engine_answers *a)
{
    return request->mode == AIACTION_DO && a->lost[0];
}

static int
put_answer_text(struct buf *out, const struct wording *w,
                const struct user_request *request,
                const struct engine_answers *a, struct err *e)
{
    if (!a->sure || is_partial(request, a))
        put_unsure(out, w, a);
    else if (request->mode == AIACTION_EXPLAIN)
        return put_explained(out, w, a, e);
    else if (a->v[0].open > 0)
        put_missing_value(out, w, a);
    else if (a->v[0].missing)
        put_missing_program(out, w, a);
    else
        return put_needs_terminal(out, w, a, e);
    return 0;
}

int
offline_proposal_text(const struct seat *s, const struct user_request *request,
                      const struct engine_answers *a, size_t columns,
                      struct buf *out, struct err *e)
{
    const struct wording english = {.seat = s, .columns = columns};

    return put_answer_text(out, &english, request, a, e);
}

/* What the engine found for a request. */
struct offline_results {
    const struct seat *seat;
    struct engine *engine; /* owns the strings of the other members */
    struct engine_answers answers;
    struct engine_plan plan;
    size_t columns; /* of the screen that shows the answer; 0: none does */
};

static void
offline_results_done(struct offline_results *f)
{
    engine_answers_done(&f->answers);
    engine_plan_done(&f->plan);
    engine_free(f->engine);
}

/* Root does not need sudo, which is dropped; for other users a step may need
 * root though it does not name sudo. */
static int
add_step(struct aiaction *action, const struct engine_step *s, bool needs_root,
         struct err *e)
{
    CLEANUP_BUF struct buf own = buf_of(AIACTION_COMMAND_MAX);
    bool is_root = geteuid() == 0;

    if (is_root && sanitize_drop_sudo(s->command, &own, e) < 0)
        return -1;
    if (aiaction_add_step(action, s->description, is_root ? own.p : s->command,
                          needs_root && !is_root, e) < 0)
        return -1;
    return s->shown ? aiaction_show_step(action, s->shown, e) : 0;
}

/* The request stands above what the command does, so that the user sees
 * whether they agree. title "": nothing is known of it; shown is the title in
 * the person's language. */
static struct aiaction *
command_action(enum aiaction_kind kind, const char *request,
               const char *command, const char *title, const char *shown,
               struct err *e)
{
    static const char plain[] = N_("run it");
    const struct engine_step s = {
        .description = (char *)(title[0] ? title : plain),
        .command = (char *)command,
        .shown = (char *)(title[0] ? shown : _(plain))};

    CLEANUP(aiaction_free_p)
    struct aiaction *a = aiaction_new(kind, request, e);

    if (!a || add_step(a, &s, false, e) < 0)
        return NULL;
    return TAKE_PTR(a);
}

static struct aiaction *
plan_action(enum aiaction_kind kind, const struct engine_plan *p, struct err *e)
{
    CLEANUP(aiaction_free_p)
    struct aiaction *a = aiaction_new(kind, p->title, e);

    if (!a || aiaction_show_summary(a, p->shown, e) < 0)
        return NULL;
    for (size_t i = 0; i < p->n; i++) {
        if (add_step(a, &p->steps[i], p->steps[i].risk == RECIPE_ROOT, e) < 0)
            return NULL;
    }
    return TAKE_PTR(a);
}

/* Writes an answer in words; what it gets as arg is what to write about. */
typedef int (*answer_writer)(struct buf *out, const struct wording *w,
                             const void *arg, struct err *e);

/* An answer in words: in English, and once more where the person reads another
 * language. */
static struct aiaction *
answer_action(const struct seat *s, size_t columns, answer_writer write,
              const void *arg, struct err *e)
{
    CLEANUP(aiaction_free_p) struct aiaction *a = NULL;
    struct wording w = {.seat = s, .columns = columns};

    for (int pass = 0; pass < 1 + message_is_translated(); pass++) {
        CLEANUP_BUF struct buf text = buf_of(TEXT_MAX);

        w.person = pass > 0;
        if (write(&text, &w, arg, e) < 0 || buf_ok(&text, "the answer", e) < 0)
            return NULL;
        if (pass == 0 && !(a = aiaction_new(ANSWER_ONLY, text.p, e)))
            return NULL;
        if (pass > 0 && aiaction_show_summary(a, text.p, e) < 0)
            return NULL;
    }
    return TAKE_PTR(a);
}

/* A request, and what the engine found for it. */
struct answered_request {
    const struct user_request *request;
    const struct offline_results *found;
};

static int
write_answers(struct buf *out, const struct wording *w, const void *arg,
              struct err *e)
{
    const struct answered_request *r = arg;

    return put_answer_text(out, w, r->request, &r->found->answers, e);
}

static struct aiaction *
text_action(const struct user_request *request, const struct offline_results *f,
            struct err *e)
{
    const struct answered_request r = {request, f};

    return answer_action(f->seat, f->columns, write_answers, &r, e);
}

static bool
can_run(const struct user_request *request, const struct engine_answers *a)
{
    return a->sure && a->v[0].open == 0 && !a->v[0].missing &&
           !(request->whole && a->lost[0]) && !is_partial(request, a) &&
           !needs_terminal(a->v[0].command);
}

/* Whether the request is a command line: a recipe would lose its options and
 * what follows its operators. */
static bool
is_command_line(const struct seat *s, const char *text)
{
    const char *option = strstr(text, " -");

    return ((option &&
             isalpha((unsigned char)option[2 + (option[2] == '-')])) ||
            strpbrk(text, "|;&<>")) &&
           explain_is_command(s, text);
}

static bool
is_runnable(const struct engine_plan *p)
{
    return p->open == 0 && !p->missing[0];
}

/* A plan is preferred for ai do, since it checks before it acts; else where no
 * command can run and none is a better match. */
static bool
prefers_plan(const struct user_request *request,
             const struct offline_results *f)
{
    const struct engine_plan *p = &f->plan;

    if (request->mode == AIACTION_EXPLAIN || !p->sure)
        return false;
    if (request->mode == AIACTION_DO)
        return !can_run(request, &f->answers) || p->confidence >= PLAN_CLEAR ||
               p->confidence >= f->answers.confidence;
    return is_runnable(p) && !can_run(request, &f->answers) &&
           p->confidence >= f->answers.confidence;
}

static int
write_plan(struct buf *out, const struct wording *w, const void *arg,
           struct err *e)
{
    (void)e;
    put_plan_text(out, w, arg);
    return 0;
}

static struct aiaction *
plan_or_text(enum aiaction_kind kind, const struct offline_results *f,
             struct err *e)
{
    if (f->plan.sure && is_runnable(&f->plan))
        return plan_action(kind, &f->plan, e);
    return answer_action(f->seat, f->columns, write_plan, &f->plan, e);
}

/* What may stand in a proposal of commands. */
static enum aiaction_kind
kind_of_mode(enum aiaction_mode mode)
{
    return mode == AIACTION_RUN ? COMMAND_SEQUENCE : PLAN_AND_COMMANDS;
}

/* The action that the results make, where some are near enough. */
static struct aiaction *
results_action(const struct user_request *request,
               const struct offline_results *f, struct err *e)
{
    enum aiaction_kind kind = kind_of_mode(request->mode);

    if (prefers_plan(request, f))
        return plan_or_text(kind, f, e);
    if (request->mode != AIACTION_EXPLAIN && can_run(request, &f->answers))
        return command_action(kind, request->text, f->answers.v[0].command,
                              f->answers.v[0].title, f->answers.v[0].shown, e);
    if (request->mode == AIACTION_DO && f->plan.near)
        return plan_or_text(kind, f, e);
    if (!f->answers.sure && !(f->answers.n > 0 && f->answers.v[0].covers) &&
        out_of_scope_language(request->text))
        err_set(e, ERR_UNFIT,
                "most of these words are unknown: the offline engine reads "
                "English, and no model was used (see agentsh doctor)");
    else if (f->answers.sure || f->answers.near)
        return text_action(request, f, e);
    else
        err_set(e, ERR_UNFIT,
                "no recipe matches this request, and no model was used: "
                "try other words, or a model (see agentsh doctor)");
    return NULL;
}

static struct aiaction *
proposed_action(const struct user_request *request,
                const struct offline_results *f, struct err *e)
{
    static const char as_is[] = N_("the command as it is");
    CLEANUP_BUF struct buf why = buf_of(TEXT_MAX);
    bool is_command = (request->whole || request->mode != AIACTION_EXPLAIN) &&
                      is_command_line(f->seat, request->text);

    if (request->whole && is_command) {
        err_set(e, ERR_UNFIT,
                "a command that was typed is not changed by words");
        return NULL;
    }
    if (is_command)
        return command_action(kind_of_mode(request->mode), request->text,
                              request->text, as_is, _(as_is), e);
    if (out_of_scope_reason(request->text, &why)) {
        err_set(e, ERR_UNFIT, "%.240s", why.p);
        return NULL;
    }
    return results_action(request, f, e);
}

static int
ask_engine(const char *text, struct offline_results *f, struct err *e)
{
    f->engine = engine_new(f->seat, e);
    /* the strings of answers live until the next request, those of a plan as
     * long as the engine */
    if (!f->engine || engine_plan(f->engine, text, &f->plan, e) < 0)
        return -1;
    return engine_ask(f->engine, text, &f->answers, e);
}

/* Makes a proposal of an action, which it takes; NULL: there is none, and e is
 * set. */
static int
make_proposal(struct aiaction *action, enum aiaction_mode mode, int64_t begun,
              struct proposal *out, struct err *e)
{
    out->action = action;
    if (!action || aiaction_check_mode(action, mode, e) < 0)
        return -1;
    out->model = strdup(NAME);
    if (!out->model)
        return err_sys(e, "the proposal");
    out->unfit = action->kind == ANSWER_ONLY && mode != AIACTION_EXPLAIN;
    out->asked = out->recipes = true;
    out->facts = (struct conversation_usage){.model = out->model,
                                             .tokens_in = -1,
                                             .tokens_out = -1,
                                             .tokens_cached = -1,
                                             .tokens_cache_written = -1,
                                             .tokens_reasoning = -1,
                                             .ms = clock_ms() - begun};
    return 0;
}

static int
write_triage(struct buf *out, const struct wording *w, const void *arg,
             struct err *e)
{
    (void)e;
    error_triage_write(w->seat, arg, w->person, out);
    return 0;
}

/* Proposes an answer about an error, as far as one is possible without a model.
 */
static int
propose_triage(const struct seat *s, const struct user_request *request,
               struct proposal *out, struct err *e)
{
    int64_t begun = clock_ms();

    return make_proposal(answer_action(s, 0, write_triage, request, e),
                         request->mode, begun, out, e);
}

/* Keeps the commands that text_action numbers, in its order. */
static int
keep_choices(const struct user_request *request, const struct engine_answers *a,
             struct proposal *out, struct err *e)
{
    const struct engine_answer *near[NEAREST_MAX];
    bool sure = a->sure && !is_partial(request, a);
    size_t n = find_nearest(a, sure ? 1 : 0, near);

    out->lacks = sure && a->v[0].open > 0;
    if (sure && !out->lacks && !a->v[0].missing)
        return 0;
    for (size_t i = 0; i < n && i < PROPOSAL_CHOICES; i++) {
        struct proposal_choice *c = &out->choices[out->n_choices++];

        c->command = strdup(near[i]->command);
        c->title = strdup(near[i]->title);
        c->shown = strdup(near[i]->shown);
        c->lacks = near[i]->open > 0;
        if (!c->command || !c->title || !c->shown)
            return err_nomem(e);
    }
    return 0;
}

int
offline_proposal_choose(const struct user_request *request,
                        const struct proposal *from, size_t chosen,
                        struct proposal *out, struct err *e)
{
    const struct proposal_choice *c = &from->choices[chosen];
    int64_t begun = clock_ms();

    return make_proposal(command_action(kind_of_mode(request->mode),
                                        request->text, c->command, c->title,
                                        c->shown, e),
                         request->mode, begun, out, e);
}

static int
propose_from_engine(const struct seat *s, const struct user_request *request,
                    size_t columns, struct proposal *out, struct err *e)
{
    CLEANUP(offline_results_done)
    struct offline_results f = {.seat = s, .columns = columns};
    int64_t begun = clock_ms();

    if (ask_engine(request->text, &f, e) < 0 ||
        make_proposal(proposed_action(request, &f, e), request->mode, begun,
                      out, e) < 0)
        return -1;
    out->unfit = out->unfit ||
                 (request->mode == AIACTION_EXPLAIN && !f.answers.sure);
    if (out->action->kind == ANSWER_ONLY && request->mode != AIACTION_EXPLAIN &&
        !prefers_plan(request, &f) &&
        !(request->mode == AIACTION_DO && f.plan.near))
        return keep_choices(request, &f.answers, out, e);
    return 0;
}

static int
write_explanation(struct buf *out, const struct wording *w, const void *arg,
                  struct err *e)
{
    const struct user_request *request = arg;
    CLEANUP(explain_done) struct explain x = {0};
    CLEANUP_BUF struct buf parts = buf_of(TEXT_MAX);

    if (explain_for(w->person, w->seat, request->text, &x, e) < 0)
        return -1;
    explain_text(&x, answer_columns(w->columns), &parts);
    put_indented_code(out, parts.p);
    return 0;
}

/* A command line is explained from manual pages. */
static int
propose_explanation(const struct seat *s, const struct user_request *request,
                    size_t columns, struct proposal *out, struct err *e)
{
    int64_t begun = clock_ms();

    return make_proposal(
        answer_action(s, columns, write_explanation, request, e), request->mode,
        begun, out, e);
}

bool
offline_proposal_is_about_error(const struct user_request *request, bool input)
{
    return request->text[0]
               ? error_triage_is_question(request->text, request->mode, input)
               : request->mode == AIACTION_EXPLAIN;
}

int
offline_proposal_make(const struct seat *s, const struct user_request *request,
                      size_t columns, struct proposal *out, struct err *e)
{
    if (offline_proposal_is_about_error(request, request->input_len > 0))
        return propose_triage(s, request, out, e);
    if (!request->text[0])
        return err_set(e, ERR_USAGE,
                       request->input_len > 0
                           ? "piped input needs a model, and none was used: "
                             "say it in words"
                           : "the request is empty");
    if (request->mode == AIACTION_EXPLAIN &&
        explain_is_command(s, request->text))
        return propose_explanation(s, request, columns, out, e);
    return propose_from_engine(s, request, columns, out, e);
}
