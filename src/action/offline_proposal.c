/* SPDX-License-Identifier: GPL-3.0-or-later */
/* offline_proposal.c - proposes commands for a request without a model. */
#include "action/offline_proposal.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "action/error_triage.h"
#include "base/clock.h"
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

/* Appends what the command does, cut to `columns`; 0: in full. */
static void
put_answer_title(struct buf *out, const struct engine_answer *v, size_t columns)
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

/* Appends a numbered line for each command. On a wide screen the title is cut
 * to fit; a narrow one wraps the line, and nothing is left out. */
static void
put_nearest(struct buf *out, const struct engine_answer *const *v, size_t n,
            size_t columns)
{
    for (size_t i = 0; i < n; i++) {
        size_t used = LABEL_COLUMNS + width_str(v[i]->command) + GAP;
        bool wide = columns >= WIDE && columns > used;
        size_t room = wide ? columns - used : 0;

        buf_printf(out, "%zu. ", i + 1);
        put_code_span(out, v[i]->command);
        if (columns < WIDE || room >= TITLE_MIN) {
            buf_str(out, "  ");
            put_answer_title(out, v[i], room);
        }
        buf_ch(out, '\n');
    }
}

static void
put_uncertainty(struct buf *out, const struct engine_answers *a)
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
    const struct engine_answer *near[NEAREST_MAX];
    size_t n = find_nearest(a, 0, near);

    put_uncertainty(out, a);
    buf_str(out, n ? " To choose from:\n\n" : " Nothing is proposed.\n\n");
    put_nearest(out, near, n, columns);
    buf_str(out, n ? "\n" : "");
    buf_str(out, "Try other words, or a model (`agentsh doctor`).\n");
}

/* Appends the nearest commands after the first. */
static void
put_others(struct buf *out, const struct engine_answers *a, const char *lead,
           size_t columns)
{
    const struct engine_answer *near[NEAREST_MAX];
    size_t n = find_nearest(a, 1, near);

    if (n == 0)
        return;
    buf_printf(out, "%s\n\n", lead);
    put_nearest(out, near, n, columns);
}

/* The command is known, but a value for it is missing. */
static void
put_missing_value(struct buf *out, const struct engine_answers *a,
                  size_t columns)
{
    buf_printf(out,
               "%s: the words in capitals stand for values that the request "
               "does not give.\n",
               a->v[0].title[0] ? a->v[0].title : "This may be it");
    put_indented_code(out, a->v[0].command);
    buf_str(out, "Give the value to run it.\n");
    put_others(out, a, "\nSimilar:", columns);
}

static void
put_missing_program(struct buf *out, const struct engine_answers *a,
                    size_t columns)
{
    buf_printf(out, "%s: needs %s, which is not installed here.\n",
               a->v[0].title[0] ? a->v[0].title : "This", a->v[0].missing);
    put_indented_code(out, a->v[0].command);
    put_others(out, a, "Other ways:", columns);
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
put_needs_terminal(struct buf *out, const struct engine_answers *a,
                   struct err *e)
{
    buf_printf(out,
               "%s: it needs a terminal, which a step does not have. Run it "
               "yourself:\n",
               a->v[0].title[0] ? a->v[0].title : "This does it");
    return put_command_block(out, a->v[0].command, e);
}

static size_t
answer_columns(size_t columns)
{
    if (columns == 0 || columns >= ANSWER_COLUMNS + ANSWER_INDENT)
        return ANSWER_COLUMNS;
    return columns > ANSWER_LEAST + ANSWER_INDENT ? columns - ANSWER_INDENT
                                                  : ANSWER_LEAST;
}

/* For ai explain "how do I …": the command and what its parts mean. */
static int
put_explained(const struct seat *s, struct buf *out,
              const struct engine_answers *a, size_t columns, struct err *e)
{
    CLEANUP(explain_done) struct explain x = {0};
    CLEANUP_BUF struct buf parts = buf_of(TEXT_MAX);

    if (explain_line(s, a->v[0].command, &x, e) < 0)
        return -1;
    explain_text(&x, answer_columns(columns), &parts);
    buf_printf(out, "%s:\n", a->v[0].title[0] ? a->v[0].title : "This does it");
    put_indented_code(out, parts.p); /* the command is its first line */
    put_others(out, a, "Other ways, or similar:", columns);
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
put_plan_text(const struct engine_plan *p, struct buf *out)
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
        put_indented_code(out, p->steps[i].command);
    }
}

/* ai do is for the whole job: a command that does a part of it is no answer. */
static bool
is_partial(const struct user_request *request, const struct engine_answers *a)
{
    return request->mode == AIACTION_DO && a->lost[0];
}

int
offline_proposal_text(const struct seat *s, const struct user_request *request,
                      const struct engine_answers *a, size_t columns,
                      struct buf *out, struct err *e)
{
    if (!a->sure || is_partial(request, a))
        put_unsure(out, a, columns);
    else if (request->mode == AIACTION_EXPLAIN)
        return put_explained(s, out, a, columns, e);
    else if (a->v[0].open > 0)
        put_missing_value(out, a, columns);
    else if (a->v[0].missing)
        put_missing_program(out, a, columns);
    else
        return put_needs_terminal(out, a, e);
    return 0;
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
add_step(struct aiaction *action, const char *description, const char *command,
         bool needs_root, struct err *e)
{
    CLEANUP_BUF struct buf own = buf_of(AIACTION_COMMAND_MAX);
    bool is_root = geteuid() == 0;

    if (is_root && sanitize_drop_sudo(command, &own, e) < 0)
        return -1;
    return aiaction_add_step(action, description, is_root ? own.p : command,
                             needs_root && !is_root, e);
}

/* The request stands above what the command does, so that the user sees
 * whether they agree. title "": nothing is known of it. */
static struct aiaction *
command_action(enum aiaction_kind kind, const char *request,
               const char *command, const char *title, struct err *e)
{
    CLEANUP(aiaction_free_p)
    struct aiaction *a = aiaction_new(kind, request, e);

    if (!a || add_step(a, title[0] ? title : "run it", command, false, e) < 0)
        return NULL;
    return TAKE_PTR(a);
}

static struct aiaction *
plan_action(enum aiaction_kind kind, const struct engine_plan *p, struct err *e)
{
    CLEANUP(aiaction_free_p)
    struct aiaction *a = aiaction_new(kind, p->title, e);

    for (size_t i = 0; a && i < p->n; i++) {
        const struct engine_step *s = &p->steps[i];

        if (add_step(a, s->description, s->command, s->risk == RECIPE_ROOT, e) <
            0)
            return NULL;
    }
    return TAKE_PTR(a);
}

static struct aiaction *
answer_action(const struct buf *text, struct err *e)
{
    if (buf_ok(text, "the answer", e) < 0)
        return NULL;
    return aiaction_new(ANSWER_ONLY, text->p, e);
}

static struct aiaction *
text_action(const struct user_request *request, const struct offline_results *f,
            struct err *e)
{
    CLEANUP_BUF struct buf text = buf_of(TEXT_MAX);

    if (offline_proposal_text(f->seat, request, &f->answers, f->columns, &text,
                              e) < 0)
        return NULL;
    return answer_action(&text, e);
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

static struct aiaction *
plan_or_text(enum aiaction_kind kind, const struct engine_plan *p,
             struct err *e)
{
    CLEANUP_BUF struct buf text = buf_of(TEXT_MAX);

    if (p->sure && is_runnable(p))
        return plan_action(kind, p, e);
    put_plan_text(p, &text);
    return answer_action(&text, e);
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
        return plan_or_text(kind, &f->plan, e);
    if (request->mode != AIACTION_EXPLAIN && can_run(request, &f->answers))
        return command_action(kind, request->text, f->answers.v[0].command,
                              f->answers.v[0].title, e);
    if (request->mode == AIACTION_DO && f->plan.near)
        return plan_or_text(kind, &f->plan, e);
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
                              request->text, "the command as it is", e);
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

/* Proposes an answer about an error, as far as one is possible without a model.
 */
static int
propose_triage(const struct seat *s, const struct user_request *request,
               struct proposal *out, struct err *e)
{
    CLEANUP_BUF struct buf text = buf_of(TEXT_MAX);
    int64_t begun = clock_ms();

    error_triage_write(s, request, &text);
    return make_proposal(answer_action(&text, e), request->mode, begun, out, e);
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
        c->lacks = near[i]->open > 0;
        if (!c->command || !c->title)
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
                                        request->text, c->command, c->title, e),
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

/* A command line is explained from manual pages. */
static int
propose_explanation(const struct seat *s, const struct user_request *request,
                    size_t columns, struct proposal *out, struct err *e)
{
    CLEANUP(explain_done) struct explain x = {0};
    CLEANUP_BUF struct buf parts = buf_of(TEXT_MAX);
    CLEANUP_BUF struct buf text = buf_of(TEXT_MAX);
    int64_t begun = clock_ms();

    if (explain_line(s, request->text, &x, e) < 0)
        return -1;
    explain_text(&x, answer_columns(columns), &parts);
    put_indented_code(&text, parts.p);
    return make_proposal(answer_action(&text, e), request->mode, begun, out, e);
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
