/* SPDX-License-Identifier: GPL-3.0-or-later */
/* assist.c - ai do, ai run, ai explain: finds who answers a request. */
#include "ui/assist.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "action/error_triage.h"
#include "action/offline_proposal.h"
#include "action/shell_memory.h"
#include "action/undo_files.h"
#include "base/array.h"
#include "guard/exit_status.h"
#include "model/discovery.h"
#include "model/prompt/last_command.h"
#include "offline/explain/explain.h"
#include "record/shell_session.h"
#include "ui/assist_turn.h"
#include "ui/consent.h"
#include "ui/explain_view.h"
#include "ui/plan_file.h"
#include "ui/prompt_line.h"
#include "ui/stdin_input.h"
#include "ui/stop_signals.h"
#include "ui/tmux_text.h"
#include "ui/undo_recover.h"

/* Bytes: there are eight, one of which names hosts. */
#define OPTIONS_MAX (256 + HOST_LIST_MAX * (HOST_LIST_NAME_MAX + 1))

#define LAST_TEXT_MAX (64u << 10) /* bytes about the last command */

/* A run, from the request to the exit status. It is a chain of callbacks: each
 * of the open things below ends with one. */
struct assist {
    struct app *app;
    struct assist_request request; /* its text is the next */
    char *text;
    bool about_last;             /* the text is the shell's last command */
    struct tmux_text *tmux;      /* is asked for what that showed */
    struct buf last_shown;       /* what tmux had of it */
    bool seen;                   /* tmux had it */
    struct shell_memory *memory; /* NULL: there is none */
    char *failed;                /* the request's, as shown is in the input: */
    struct host_list hosts;      /* of the request */
    struct buf options;          /* that decide what may run, as typed */
    struct run_audit audit;
    struct run_audit_request about;
    struct buf input;            /* what was piped in */
    struct stdin_input *reading; /* it is being read; then comes: */
    void (*read)(struct assist *s);
    struct plan_file *plan;      /* of --plan, is being read */
    struct model_search *search; /* a model is selected */
    struct discovery_missing missing;
    struct stop_signals stops;         /* meanwhile */
    struct model_selection *selection; /* NULL: the offline engine */
    struct consent *consent;           /* asks whether that may be used */
    struct assist_turn *turn;          /* NULL: it has not begun */
    bool second; /* the model is selected for the second time */
};

static void
free_assist(struct assist *s)
{
    if (!s)
        return;
    stdin_input_close(s->reading);
    plan_file_close(s->plan);
    tmux_text_free(s->tmux);
    buf_done(&s->last_shown);
    stop_signals_done(&s->stops);
    model_search_free(s->search);
    consent_close(s->consent);
    assist_turn_free(s->turn);
    model_selection_free(s->selection);
    shell_memory_free(s->memory);
    buf_done(&s->input);
    buf_done(&s->options);
    host_list_done(&s->hosts);
    aiaction_free(s->request.repair);
    undo_files_free(s->request.undoing);
    free(s->failed);
    free(s->text);
    free(s);
}
DEFINE_CLEANUP(struct assist, free_assist)

/* What cannot be remembered is no reason to fail. */
static void
keep_memory(struct assist *s)
{
    struct err e = {0};

    if (shell_memory_save(s->memory, &e) < 0)
        app_note(s->app, "this is not remembered: %s", e.text);
}

/* Ends the run. The user reads an answer already: only steps must be on the
 * disk. */
static void
end_assist(struct assist *s, int status)
{
    struct app *a = s->app;

    keep_memory(s);
    app_record_sync(a, !run_audit_done(&s->audit, status));
    a->audit = NULL;
    free_assist(s);
    app_over(a, status);
}

static void
fail_assist(struct assist *s, const struct err *why)
{
    end_assist(s, app_fail(s->app, why));
}

/* What was piped in. */

static void
on_input_read(void *arg, const struct err *why)
{
    struct assist *s = arg;
    CLEANUP(stdin_input_close_p)
    struct stdin_input *held = TAKE_PTR(s->reading);

    if (why)
        fail_assist(s, why);
    else
        s->read(s);
}

static void
read_piped_input(struct assist *s, void (*then)(struct assist *s))
{
    struct err e = {0};

    s->read = then;
    s->reading = stdin_input_open(s->app, &s->input, on_input_read, s, &e);
    if (!s->reading)
        fail_assist(s, &e);
}

/* The turn. */

static void select_model(struct assist *s);

static void
on_over(void *arg, int status, bool lost)
{
    struct assist *s = arg;

    if (lost)
        model_selection_drop_cache(s->selection);
    /* what a new discovery finds is not from the cache: no third attempt */
    if (!lost || s->second) {
        end_assist(s, status);
        return;
    }
    s->second = true;
    assist_turn_free(s->turn);
    s->turn = NULL;
    model_selection_free(s->selection);
    s->selection = NULL;
    select_model(s);
}

static struct assist_turn_params
turn_params(const struct assist *s)
{
    return (struct assist_turn_params){.app = s->app,
                                       .request = &s->request,
                                       .selection = s->selection,
                                       .memory = s->memory,
                                       .about_last = s->about_last,
                                       .last_shown = s->seen ? s->last_shown.p
                                                             : NULL,
                                       .input = &s->input};
}

static void
start_turn(struct assist *s)
{
    const struct assist_turn_params p = turn_params(s);
    struct err e = {0};

    s->turn = assist_turn_start(&p, on_over, s, &e);
    if (!s->turn)
        fail_assist(s, &e);
}

static void
on_plan_read(void *arg, struct aiaction *action, const char *outside,
             const struct err *why)
{
    struct assist *s = arg;
    CLEANUP(plan_file_close_p) struct plan_file *held = TAKE_PTR(s->plan);
    const struct assist_turn_params p = turn_params(s);
    struct err e = *why;

    if (action)
        s->turn = assist_turn_start_saved(&p, action, outside, on_over, s, &e);
    if (s->turn)
        return;
    aiaction_free(action);
    fail_assist(s, &e);
}

static void
open_plan(struct assist *s)
{
    struct err e = {0};

    if (s->text[0])
        err_set(&e, ERR_USAGE, "--plan takes no other words: \"%.60s\"",
                s->text);
    if (e.code != ERR_NONE || plan_file_open(s->app, s->request.plan_in,
                                             on_plan_read, s, &s->plan, &e) < 0)
        fail_assist(s, &e);
}

/* A plan that a rule made is run as one that was saved. What it was made of is
 * what a command showed, which others could have written. */
static void
start_repair(struct assist *s)
{
    const struct assist_turn_params p = turn_params(s);
    struct err e = {0};

    if (app_registry(s->app, &e) == 0)
        s->turn = assist_turn_start_saved(&p, s->request.repair,
                                          s->request.outside, on_over, s, &e);
    if (!s->turn) {
        fail_assist(s, &e);
        return;
    }
    s->request.repair = NULL;
}

/* The offline engine. */

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

/* Whether what was piped in is read: where the words ask about it. */
static bool
needs_input_offline(struct assist *s)
{
    const struct user_request u = {.mode = s->request.mode, .text = s->text};

    if (!u.text[0] || s->request.line)
        return false; /* it is read, or is not of it */
    if (offline_proposal_is_about_error(&u, stdin_input_is_piped()))
        return stdin_input_is_piped();
    if (stdin_input_is_waiting())
        app_note(s->app, "standard input is ignored: it needs a model");
    return false;
}

/* How the last command ended, and the lines of what it showed that look like
 * errors, if it failed. */
static void
note_last_end(const struct assist *s)
{
    struct app *a = s->app;
    CLEANUP(last_command_done) struct last_command last;
    CLEANUP_BUF struct buf meaning = buf_of(LAST_TEXT_MAX);
    CLEANUP_BUF struct buf lines = buf_of(LAST_TEXT_MAX);
    struct error_lines found = {0};
    const struct buf *shown;

    last_command_read(a->seat, &last);
    if (!last.known)
        return;
    exit_status_describe(last.command.p, last.exit_code, &meaning);
    app_note(a, "Its exit status was %d: %s.", last.exit_code, meaning.p);
    if (last.exit_code == 0 || (!last.captured && !s->seen))
        return;
    shown = last.captured ? &last.shown : &s->last_shown;
    error_triage_find_lines(shown->p ? shown->p : "", shown->len, &found,
                            &lines);
    if (found.kind == ERROR_LINES_NONE)
        app_note(a, "It showed nothing.");
    else
        app_note(a, "It showed:");
    for (char *at = lines.p, *line; at && (line = strsep(&at, "\n"));)
        if (line[0])
            app_note(a, "  %s", line);
}

/* A command line is explained from manual pages; recipes answer a request. */
static void
answer_offline(struct assist *s)
{
    const char *line = command_line_of(s->app->seat, &s->request, &s->input);
    struct err e = {0};

    model_selection_free(s->selection);
    s->selection = NULL;
    if (s->request.line && prompt_line_mend(s->app, s->text)) {
        end_assist(s, 0);
    } else if (s->request.show_request && !line) {
        err_set(&e, ERR_USAGE, "no model is used: there is no request");
        fail_assist(s, &e);
    } else if (s->request.repair) {
        if (s->text[s->request.hint])
            app_note(s->app, "the hint was for a model, and none is used");
        start_repair(s);
    } else if (s->request.failed) {
        if (seat_need_dir(s->app->seat, &e))
            err_set(&e, ERR_UNFIT,
                    "no rule repairs that; a model may know more");
        fail_assist(s, &e);
    } else if (line) {
        int status = explain_view_show(s->app, line);

        if (s->about_last)
            note_last_end(s);
        end_assist(s, status);
    } else if (needs_input_offline(s)) {
        read_piped_input(s, start_turn);
    } else {
        start_turn(s);
    }
}

/* Who answers. */

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

/* Asks the model, if there is one that may be asked. */
static void
choose_answerer(struct assist *s, bool agreed)
{
    log_choice(s->app, &s->request, s->selection, agreed);
    if (!s->selection || !agreed) {
        note_missing(s->app, &s->missing);
        answer_offline(s);
    } else if (s->text[0] && s->input.len == 0 && !s->request.line) {
        read_piped_input(s, start_turn);
    } else {
        start_turn(s);
    }
}

static void
on_consent(void *arg, bool yes, const struct err *why)
{
    struct assist *s = arg;
    CLEANUP(consent_close_p) struct consent *held = TAKE_PTR(s->consent);

    if (why->code != ERR_NONE)
        fail_assist(s, why);
    else
        choose_answerer(s, yes);
}

static void
end_model_search(struct assist *s)
{
    stop_signals_done(&s->stops);
    model_search_free(s->search);
    s->search = NULL;
}

static void
on_found(void *arg, struct model_selection *m)
{
    struct assist *s = arg;
    struct err e = {0};

    end_model_search(s);
    s->selection = m;
    if (!m || s->request.line || !consent_can_ask(s->app, m)) {
        choose_answerer(s, m && !model_selection_needs_consent(m));
        return;
    }
    s->consent = consent_open(s->app, m, on_consent, s, &e);
    if (!s->consent)
        fail_assist(s, &e);
}

static void
on_search_failed(void *arg, const struct err *why)
{
    struct assist *s = arg;
    struct err e = *why;

    end_model_search(s);
    fail_assist(s, &e);
}

/* The signal ends the search and all that runs for it, and then has its usual
 * effect. One that is ignored, as SIGHUP is by nohup(1), is reported too. */
static void
on_stop(void *arg, unsigned signo)
{
    struct assist *s = arg;
    struct err e = {0};
    struct sigaction now;

    if (sigaction((int)signo, NULL, &now) == 0 && now.sa_handler == SIG_IGN)
        return;
    end_model_search(s);
    (void)raise((int)signo);
    err_set(&e, ERR_INTERRUPTED, "interrupted");
    fail_assist(s, &e);
}

static void
select_model(struct assist *s)
{
    static const struct model_search_events events = {on_found,
                                                      on_search_failed};
    struct model_select_params params = s->request.model;
    struct app *a = s->app;
    struct err e = {0};

    s->missing = (struct discovery_missing){0};
    params.can_ask = !s->request.line && term_keys(&a->screen, NULL) == 0;
    params.missing = &s->missing;
    params.on_terminal = true;
    s->search = model_search_start(a->loop, a->seat, a->config, &params,
                                   &events, s, &e);
    if (!s->search || stop_signals_init(&s->stops, a->loop, on_stop, s, &e) < 0)
        fail_assist(s, &e);
}

static void
on_tmux_shown(void *arg, const char *text)
{
    struct assist *s = arg;

    s->seen = text != NULL;
    buf_str(&s->last_shown, text ? text : "");
    tmux_text_free(TAKE_PTR(s->tmux));
    select_model(s);
}

/* Takes the last command line of the shell as the text. Where the shell kept
 * nothing of what it showed, tmux is asked, and goes on from there. */
static bool
take_last_command(struct assist *s)
{
    CLEANUP(last_command_done) struct last_command last;
    char *text;

    last_command_read(s->app->seat, &last);
    text = last.known ? strndup(last.command.p, last.command.len) : NULL;
    if (!text)
        return false;
    free(s->text);
    s->text = text;
    s->request.text = s->about.text = text;
    s->about_last = true;
    if (!last.captured)
        s->tmux = tmux_text_start(s->app, s->text, on_tmux_shown, s);
    return true;
}

/* A request without words must be piped in; `explain` alone is about the last
 * command. */
static void
check_request(struct assist *s)
{
    struct err e = {0};

    if (s->input.len > 0 ||
        (s->request.mode == AIACTION_EXPLAIN && take_last_command(s))) {
        if (!s->tmux)
            select_model(s);
        return;
    }
    if (s->request.mode == AIACTION_EXPLAIN)
        err_set(&e, ERR_USAGE,
                "missing request (%s --help); the last command is not known: "
                "the shell's hook (agentsh init) records it",
                s->app->name);
    else
        err_set(&e, ERR_USAGE, "missing request (%s --help)", s->app->name);
    fail_assist(s, &e);
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
        {request->line, "(for the line)"},
    };

    for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
        if (rows[i].given)
            buf_printf(out, "%s%s", out->len ? " " : "", rows[i].name);
    }
    if (request->on)
        buf_printf(out, "%s--on %s", out->len ? " " : "", request->on);
}

/* The run begins in the journal. */
static void
begin_assist_audit(struct assist *s)
{
    static const char *const verbs[] = {[AIACTION_DO] = "do",
                                        [AIACTION_RUN] = "run",
                                        [AIACTION_EXPLAIN] = "explain"};
    const struct run_audit_journal to = app_audit_journal(s->app);
    const struct assist_request *request = &s->request;

    put_request_options(request, &s->options);
    s->about = (struct run_audit_request){
        .verb = request->failed    ? "fix"
                : request->undoing ? "undo"
                                   : verbs[request->mode],
        .text = request->failed ? request->failed : request->text,
        .hint = request->failed && request->text[request->hint]
                    ? request->text + request->hint
                    : NULL,
        .directory = seat_dir(s->app->seat),
        .options = s->options.len ? s->options.p : NULL,
        .plan = request->plan_in,
        .plan_out = request->plan_out,
        .offline_reason = s->app->offline_reason,
        .approved_by = request->yes ? "--yes" : "rules",
        .answered_by = "person"};
    run_audit_begin(&s->audit, &s->about, &to);
    s->app->audit = &s->audit;
}

static struct assist *
new_assist(struct app *a, const struct assist_request *request, struct err *e)
{
    CLEANUP(free_assist_p) struct assist *s = calloc(1, sizeof(*s));

    if (!s || !(s->text = strdup(request->text)) ||
        (request->failed && !(s->failed = strdup(request->failed)))) {
        err_nomem(e);
        return NULL;
    }
    if (request->on && host_list_read(&s->hosts, request->on, e) < 0)
        return NULL;
    s->app = a;
    s->request = *request;
    s->request.text = s->text;
    s->request.failed = s->failed;
    s->request.hosts = request->on ? &s->hosts : NULL;
    buf_init(&s->options, OPTIONS_MAX);
    buf_init(&s->last_shown, LAST_TEXT_MAX);
    buf_init(&s->input,
             3 * STDIN_INPUT_MAX); /* an invalid byte becomes three */
    if (request->failed) {
        buf_str(&s->input, request->shown);
        s->request.shown = NULL; /* it is in the input now */
    }
    if (request->aliases)
        buf_printf(&s->input, "%s:\n%s\n", PROMPT_LINE_ALIASES,
                   request->aliases);
    return TAKE_PTR(s);
}

/* The conversation that the request is a part of. */
static void
open_memory(struct assist *s)
{
    const struct shell_memory_params p = {.seat = s->app->seat,
                                          .config = s->app->config,
                                          .anew = s->request.anew,
                                          .looks = s->request.show_request};
    struct err e = {0};

    s->memory = shell_memory_open(&p, &e);
    if (e.code != ERR_NONE)
        app_note(s->app, "this is not remembered: %s", e.text);
    s->about.session = shell_memory_id(s->memory);
}

int
assist_begin_conversation(struct app *a)
{
    CLEANUP(session_store_close_p) struct session_store *s = NULL;
    char id[SESSION_ID_SIZE];
    struct err e = {0};

    if (app_config(a, &e) < 0)
        return app_fail(a, &e);
    if (!shell_memory_is_kept(a->config)) {
        app_note(a, "no conversation is kept: the settings journal and "
                    "conversation of [record] say so");
        return 0;
    }
    /* a store that cannot be read would be told only by the next line */
    if (!(s = session_store_open_quickly(&e)) ||
        shell_session_claim(a->seat, 0, true, id, &e) < 0)
        return app_fail(a, &e);
    app_note(a, "a new conversation begins");
    return 0;
}

int
assist_start(struct app *a, const struct assist_request *request)
{
    struct err e = {0};
    struct assist *s = new_assist(a, request, &e);

    if (!s) {
        aiaction_free(request->repair);
        undo_files_free(request->undoing);
        return app_fail(a, &e);
    }
    app_set_named_paths(a, s->text);
    if (!request->undoing) /* it was done before that */
        undo_recover(a);
    begin_assist_audit(s);
    if (app_config(a, &e) < 0) {
        fail_assist(s, &e);
        return APP_GOES_ON;
    }
    open_memory(s);
    if (s->request.repair && !s->request.asks_model)
        start_repair(s);
    else if (s->request.plan_in)
        open_plan(s);
    else if (!s->text[0])
        read_piped_input(s, check_request);
    else
        select_model(s);
    return APP_GOES_ON;
}
