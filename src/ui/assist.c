/* SPDX-License-Identifier: GPL-3.0-or-later */
/* assist.c - ai do, ai run, ai explain: answers a request and runs the plan. */
#include "ui/assist.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "action/offline_proposal.h"
#include "action/run_audit.h"
#include "base/array.h"
#include "base/file.h"
#include "guard/path/path_table.h"
#include "model/discovery.h"
#include "model/prompt/origin.h"
#include "offline/explain/explain.h"
#include "term/escape.h"
#include "ui/app.h"
#include "ui/consent.h"
#include "ui/explain_view.h"
#include "ui/model_query.h"
#include "ui/model_wait.h"
#include "ui/plan_text.h"
#include "ui/report_json.h"
#include "ui/run_plan.h"
#include "ui/stdin_input.h"
#include "ui/suggestions.h"
#include "ui/tool_listing.h"

#define USER_MAX    (1u << 20)
#define SHOWN_MAX   (8u << 20)
#define OPTIONS_MAX 256 /* bytes: there are seven */
#define UNFIT_TEXT  "nothing is proposed: the answer says why"

static int
show_only(struct app *a, const struct assist_request *request,
          const struct proposal *proposal)
{
    const struct aiaction *action = proposal->action;
    const struct conversation_usage *f = proposal->asked ? &proposal->facts
                                                         : NULL;
    CLEANUP_BUF struct buf facts = buf_of(SHOWN_MAX);
    CLEANUP_BUF struct buf shown = buf_of(SHOWN_MAX);
    CLEANUP(report_json_free_p) struct report_json *r = NULL;
    CLEANUP(plan_free_p) struct plan *p = NULL;
    static const struct plan_events none = {0};
    const struct plan_setting set = {.policy = a->policy,
                                     .seat = a->seat,
                                     .config = a->config,
                                     .registry = a->registry,
                                     .outside = proposal->outside,
                                     .named = (const char *const *)a->named,
                                     .yes = request->yes};
    struct err e = {0};

    p = plan_new(a->loop, action, &set, &none, NULL, &e);
    r = p ? report_json_new(a, action, f, &e) : NULL;
    if (!r)
        return app_fail(a, &e);
    run_audit_plan(a->audit, action, p, f);
    report_json_plan(r, p);
    report_json_write(r, NULL, 0);
    if (a->output != OUTPUT_TEXT)
        return 0;
    if (f)
        plan_text_put_facts(&facts, &a->result, proposal->model, f);
    plan_text_put(&shown, &a->result, action, p,
                  &(struct plan_text_options){.facts = facts.p});
    app_put_result(a, &shown);
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

/* Saves, shows or runs a plan, from a model, the offline engine or a file. */
static int
act_on_proposal(struct app *a, const struct assist_request *request,
                const struct proposal *proposal)
{
    struct err e = {0};

    if (app_policy(a, &e) < 0)
        return app_fail(a, &e);
    if (request->plan_out) {
        if (save_plan(request->plan_out, proposal->action, &e) < 0)
            return app_fail(a, &e);
        app_note(a, "saved: %s do --plan %s reviews and runs it", a->name,
                 request->plan_out);
    }
    if (request->plan_out || request->dry_run)
        return show_only(a, request, proposal);
    return run_plan(a, request, proposal);
}

/* Reads the file of --plan. A file that cannot be read is a usage error, as one
 * that holds no plan is. A pipe, or a file that others can write, marks the
 * plan as coming from outside. */
static int
read_plan(const struct assist_request *request, struct buf *text,
          const char **outside, struct err *e)
{
    CLEANUP(fd_close_p) int fd = -1;
    struct err why = {0};
    struct stat st;

    if (request->text[0])
        return err_set(e, ERR_USAGE, "--plan takes no other words: \"%.60s\"",
                       request->text);
    fd = open(request->plan_in, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (fd < 0 || fstat(fd, &st) < 0) {
        err_sys(&why, "%s", request->plan_in);
        return err_set(e, ERR_USAGE, "--plan: %.240s", why.text);
    }
    if (file_read_fd(fd, text, &why) < 0)
        return err_set(e, ERR_USAGE, "--plan: %.100s: %.130s", request->plan_in,
                       why.text);
    if (!S_ISREG(st.st_mode) || origin_is_others(fd, request->plan_in))
        *outside = "the plan itself";
    return 0;
}

static int
run_saved(struct app *a, const struct assist_request *request)
{
    CLEANUP(proposal_done) struct proposal p = {0};
    CLEANUP_BUF struct buf text = buf_of(AIACTION_JSON_MAX);
    struct aiaction_tools tools;
    struct err e = {0};

    if (read_plan(request, &text, &p.outside, &e) < 0 ||
        app_registry(a, &e) < 0)
        return app_fail(a, &e);
    if (stdin_input_is_waiting() && !path_is(request->plan_in, PATH_IS_DEVICE))
        app_note(a, "standard input is ignored: the plan is %s",
                 request->plan_in);
    tools = tool_listing_checker(a);
    p.action = aiaction_load(text.p, text.len, &tools, &e);
    if (!p.action) {
        err_wrap(&e, "%s is not a plan", request->plan_in);
        return app_fail(a, &e);
    }
    return act_on_proposal(a, request, &p);
}

static int
show_request(struct app *a, const struct model_selection *c,
             const struct model_query *q)
{
    CLEANUP_BUF struct buf out = buf_of(4 * USER_MAX);
    struct model_turn turn;
    struct model_request r;
    struct err e = {0};

    model_query_first_request(q, &turn, &r);
    if (model_show_request(c, &r, &out, &e) < 0)
        return app_fail(a, &e);
    app_put_result(a, &out);
    return 0;
}

/* Prints an answer in words. It ends the audit, unless it names commands that
 * the user can choose from. failed: the status of the steps before it. */
static int
finish_answer(struct app *a, const struct assist_request *request,
              const struct proposal *p, struct answer_stream *text, int failed)
{
    struct err e = {0};
    int status;

    if (p->unfit)
        err_set(&e, ERR_UNFIT, UNFIT_TEXT);
    else if (request->plan_out)
        err_set(&e, ERR_ANSWER, "the answer has no plan to save");
    run_audit_answer(a->audit, p->action->summary, p->model, &p->facts);
    if (!p->n_choices && !p->lacks)
        run_audit_end(a->audit, &e, e.code ? err_exit_status(e.code) : failed);
    status = answer_finish(text, p->action, p->model, &p->facts,
                           e.code ? &e : NULL);
    return status ? status : failed;
}

/* No answer came, or no whole one. */
static int
fail_answer(struct app *a, const struct answer_stream *text,
            const struct err *e)
{
    if (answer_begun(text))
        (void)term_write(&a->result, "\n", 1, NULL);
    return app_fail(a, e);
}

/* Another server is looked for in place of the one that failed. */
static int
skip_server(struct app *a, const struct err *e)
{
    log_debug(&a->log, "%s", e->text);
    return err_exit_status(e->code);
}

/* Sends the next message and handles the answer. failed: the status of the
 * steps before it. Returns the status, or -1: no answer came. */
static int
ask_model(struct app *a, const struct assist_request *request,
          struct model_query *q, struct answer_stream *text, int failed,
          struct err *why)
{
    CLEANUP(proposal_done) struct proposal p = {0};

    if (model_query_run(q, text, &p, why) < 0)
        return -1;
    if (p.action->kind == ANSWER_ONLY)
        return finish_answer(a, request, &p, text, failed);
    return act_on_proposal(a, request, &p);
}

/* Goes on until an answer needs no further message. *lost: the server that an
 * earlier discovery found is gone, or its model is, and nothing was shown: a
 * new discovery may find another one. */
static int
run_conversation(struct app *a, const struct assist_request *request,
                 const struct model_selection *c, struct model_query *q,
                 bool *lost)
{
    int status = 0;

    for (bool first = true;; first = false) {
        CLEANUP(answer_free_p) struct answer_stream *text = NULL;
        struct err e = {0};

        if (!(text = answer_new(a, &e)))
            return app_fail(a, &e);
        status = ask_model(a, request, q, text, status, &e);
        if (status < 0) {
            *lost = first && e.code == ERR_MODEL && !answer_begun(text) &&
                    model_selection_is_cached(c);
            return *lost ? skip_server(a, &e) : fail_answer(a, text, &e);
        }
        if (!model_query_has_message(q))
            return status;
    }
}

/* The command line to explain; NULL: the request is not one. What was piped in
 * counts as one only when a program in it is known. */
static const char *
command_line_of(const struct seat *s, const struct assist_request *request,
                const struct buf *input)
{
    CLEANUP(explain_done) struct explain x = {0};
    const char *line = request->text[0] ? request->text : input->p;

    if (request->mode != AIACTION_EXPLAIN || !explain_is_command(s, line))
        return NULL;
    if (line == input->p && strlen(line) < input->len)
        return NULL; /* a NUL byte: it is no text */
    if (!request->text[0] && (explain_line(s, line, &x, NULL) < 0 || !x.known))
        return NULL;
    return line;
}

/* The request as the offline engine takes it. */
static struct user_request
user_request(const struct assist_request *request, const struct buf *input)
{
    return (struct user_request){.mode = request->mode,
                                 .text = request->text,
                                 .input = input->p,
                                 .input_len = input->len,
                                 .input_name = STDIN_INPUT_NAME,
                                 .whole = request->whole};
}

/* Proposes without a model. What was piped in is read where the words ask about
 * it. */
static int
propose_offline(struct app *a, const struct assist_request *request,
                struct buf *input, struct proposal *out, struct err *e)
{
    bool screen = a->output == OUTPUT_TEXT && a->result.tty;
    struct user_request u = user_request(request, input);

    if (request->show_request)
        return err_set(e, ERR_USAGE, "no model is used: there is no request");
    if (!offline_proposal_is_about_error(&u, stdin_input_is_piped())) {
        if (request->text[0] && stdin_input_is_waiting())
            app_note(a, "standard input is ignored: it needs a model");
    } else if (request->text[0] && stdin_input_is_piped() &&
               stdin_input_read(a, input, e) < 0) {
        return -1;
    }
    u = user_request(request, input);
    return offline_proposal_make(
        a->seat, &u, screen ? (size_t)a->result.columns : 0, out, e);
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

/* Adds the words to the request. Where the engine has no plan for that, or the
 * same plan, both the plan and the request stay as they were. */
static void
revise_offline(struct app *a, struct assist_request *now, struct buf *text,
               struct buf *input, struct buf *words, struct proposal *p)
{
    CLEANUP(proposal_done) struct proposal other = {0};
    CLEANUP_BUF struct buf joined = buf_of(USER_MAX);
    struct assist_request params = *now;
    struct err e = {0};

    buf_printf(&joined, "%s %s", now->text, words->p);
    params.text = joined.p;
    params.whole = true;
    if (joined.bad || propose_offline(a, &params, input, &other, &e) < 0 ||
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

/* Runs plans until the user does not want to change one. */
static int
act_offline(struct app *a, const struct assist_request *request,
            struct buf *input, struct proposal *p)
{
    CLEANUP_BUF struct buf words = buf_of(PROPOSAL_WORDS_MAX);
    CLEANUP_BUF struct buf text = buf_of(USER_MAX);
    struct assist_request now = *request;
    int status;

    for (;;) {
        p->words = &words;
        status = act_on_proposal(a, &now, p);
        p->words = NULL;
        if (words.len == 0)
            return status;
        revise_offline(a, &now, &text, input, &words, p);
    }
}

/* Adds the missing value to the request and proposes anew. */
static int
add_missing_value(struct app *a, struct assist_request *now, struct buf *text,
                  struct buf *input, const struct buf *name, struct proposal *p,
                  struct err *e)
{
    CLEANUP_BUF struct buf joined = buf_of(USER_MAX);

    buf_printf(&joined, "%s %s", now->text, name->p);
    buf_clear(text);
    buf_add(text, joined.p, joined.len);
    if (buf_ok(text, "the request", e) < 0)
        return -1;
    now->text = text->p;
    proposal_done(p);
    return propose_offline(a, now, input, p, e);
}

/* Ends the run where no command was chosen. */
static int
leave_answer(struct app *a, const struct proposal *p, int status)
{
    struct err e = {0};

    if (p->n_choices == 0 && !p->lacks)
        return status; /* finish_answer has ended the audit */
    if (p->unfit)
        err_set(&e, ERR_UNFIT, UNFIT_TEXT);
    run_audit_end(a->audit, &e, status);
    return status;
}

/* An answer that names commands: the user may choose one, which becomes a plan
 * like any other. *again: the user gave the missing value, and p is a new
 * proposal. */
static int
offer_choices(struct app *a, struct assist_request *now, struct buf *text,
              struct buf *input, struct proposal *p, bool *again)
{
    CLEANUP(proposal_done) struct proposal next = {0};
    CLEANUP(answer_free_p) struct answer_stream *words = NULL;
    CLEANUP_BUF struct buf name = buf_of(PROPOSAL_WORDS_MAX);
    enum suggestions_end end = SUGGESTIONS_LEFT;
    struct user_request u;
    struct err e = {0};
    size_t chosen = 0;
    int status;

    if (!(words = answer_new(a, &e)))
        return app_fail(a, &e);
    status = finish_answer(a, now, p, words, 0);
    if (now->dry_run || now->plan_out)
        return leave_answer(a, p, status);
    if (suggestions_ask(a, p, &end, &chosen, &name, &e) < 0)
        return app_fail(a, &e);
    if (end == SUGGESTIONS_LEFT)
        return leave_answer(a, p, status);
    if (end == SUGGESTIONS_NAMED) {
        if (add_missing_value(a, now, text, input, &name, p, &e) < 0)
            return app_fail(a, &e);
        *again = true;
        return 0;
    }
    u = user_request(now, input);
    if (offline_proposal_choose(&u, p, chosen, &next, &e) < 0)
        return app_fail(a, &e);
    return act_offline(a, now, input, &next);
}

/* A command line is explained from manual pages; recipes answer a request. */
static int
answer_offline(struct app *a, const struct assist_request *request,
               struct buf *input)
{
    CLEANUP(proposal_done) struct proposal p = {0};
    CLEANUP_BUF struct buf text = buf_of(USER_MAX);
    const char *line = command_line_of(a->seat, request, input);
    struct assist_request now = *request;
    struct err e = {0};
    bool again = true;
    int status = 0;

    if (line)
        return explain_view_show(a, line);
    if (propose_offline(a, request, input, &p, &e) < 0)
        return app_fail(a, &e);
    while (again && p.action->kind == ANSWER_ONLY) {
        again = false;
        status = offer_choices(a, &now, &text, input, &p, &again);
    }
    return again ? act_offline(a, &now, input, &p) : status;
}

static int
answer_by_model(struct app *a, const struct assist_request *request,
                const struct model_selection *c, const struct buf *input,
                bool *lost)
{
    CLEANUP(model_query_close_p) struct model_query *q = NULL;
    struct err e = {0};

    if (!(q = model_query_open(a, request, c, input, &e)))
        return app_fail(a, &e);
    if (request->show_request)
        return show_request(a, c, q);
    return run_conversation(a, request, c, q, lost);
}

/* A request without words must be piped in. */
static int
read_request_text(struct app *a, struct buf *input, struct err *e)
{
    if (stdin_input_read(a, input, e) < 0)
        return -1;
    if (input->len == 0)
        return err_set(e, ERR_USAGE, "missing request (%s --help)", a->name);
    return 0;
}

/* Logs which model is asked, and why, for -v. */
static void
log_choice(const struct app *a, const struct assist_request *request,
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
    else if (request->model.offline)
        log_debug(&a->log, "no model is used: --offline");
    else
        log_debug(&a->log,
                  "no model is used: offline is configured, or there is no key "
                  "and no model server here (agentsh doctor)");
}

/* Says above the answer why no model gives it, where one is expected to. */
static void
note_missing(struct app *a, const struct discovery_missing *m)
{
    if (m->why == DISCOVERY_PRESENT)
        return;
    discovery_missing_text(m, a->offline_reason, sizeof(a->offline_reason));
    app_note(a, "%s: answered without a model", a->offline_reason);
}

/* Asks a model where there is one that may be asked, else the offline engine.
 */
static int
answer_request(struct app *a, const struct assist_request *request,
               struct buf *input, bool *lost)
{
    CLEANUP(model_selection_free_p) struct model_selection *choice = NULL;
    struct model_select_params params = request->model;
    struct discovery_missing missing = {0};
    struct err e = {0};
    bool yes = false;
    int status;

    params.can_ask = term_keys(&a->screen, NULL) == 0;
    params.missing = &missing;
    if (model_wait(a, &params, &choice, &e) < 0)
        return app_fail(a, &e);
    if (choice && consent_ask(a, choice, &yes, &e) < 0)
        return app_fail(a, &e);
    log_choice(a, request, choice, yes);
    if (!choice || !yes) {
        note_missing(a, &missing);
        return answer_offline(a, request, input);
    }
    if (request->text[0] && input->len == 0 &&
        stdin_input_read(a, input, &e) < 0)
        return app_fail(a, &e);
    status = answer_by_model(a, request, choice, input, lost);
    if (*lost)
        model_selection_drop_cache(choice);
    return status;
}

/* From the request to the exit status; the audit has begun. */
static int
answer_or_run_saved(struct app *a, const struct assist_request *request)
{
    /* an invalid byte becomes three bytes */
    CLEANUP_BUF struct buf input = buf_of(3 * STDIN_INPUT_MAX);
    struct err e = {0};
    bool lost = false;
    int status;

    if (app_config(a, &e) < 0)
        return app_fail(a, &e);
    if (request->plan_in)
        return run_saved(a, request);
    if (!request->text[0] && read_request_text(a, &input, &e) < 0)
        return app_fail(a, &e);
    status = answer_request(a, request, &input, &lost);
    /* what a new discovery finds is not from the cache: no third attempt */
    return lost ? answer_request(a, request, &input, &lost) : status;
}

/* Writes the options that decide what may run, as they are typed. */
static void
put_request_options(const struct assist_request *request, struct buf *out)
{
    const struct {
        bool given;
        const char *name;
    } rows[] = {
        {request->yes, "--yes"},
        {request->each_step, "--step"},
        {request->preview, "--preview"},
        {request->reduced, "--profile reduced"},
        {request->dry_run, "--dry-run"},
        {request->show_request, "--show-request"},
        {request->model.offline, "--offline"},
    };

    for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
        if (rows[i].given)
            buf_printf(out, "%s%s", out->len ? " " : "", rows[i].name);
    }
}

int
assist_run(struct app *a, const struct assist_request *request)
{
    static const char *const verbs[] = {[AIACTION_DO] = "do",
                                        [AIACTION_RUN] = "run",
                                        [AIACTION_EXPLAIN] = "explain"};
    CLEANUP_BUF struct buf options = buf_of(OPTIONS_MAX);
    const struct run_audit_journal to = app_audit_journal(a);
    struct run_audit_request about = {.verb = verbs[request->mode],
                                      .text = request->text,
                                      .directory = seat_dir(a->seat),
                                      .plan = request->plan_in,
                                      .plan_out = request->plan_out,
                                      .offline_reason = a->offline_reason,
                                      .approved_by = request->yes ? "--yes"
                                                                  : "rules",
                                      .answered_by = "person"};
    struct run_audit audit;
    int status;

    app_set_named_paths(a, request->text);
    put_request_options(request, &options);
    about.options = options.len ? options.p : NULL;
    run_audit_begin(&audit, &about, &to);
    a->audit = &audit;
    status = answer_or_run_saved(a, request);
    /* the user reads an answer already: only steps must be on the disk */
    app_record_sync(a, !run_audit_done(&audit, status));
    a->audit = NULL;
    return status;
}
