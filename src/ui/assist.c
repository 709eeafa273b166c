/* SPDX-License-Identifier: GPL-3.0-or-later */
/* assist.c - ai do, ai run, ai explain: finds who answers a request. */
#include "ui/assist.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "action/offline_proposal.h"
#include "base/array.h"
#include "base/file.h"
#include "guard/path/path_table.h"
#include "model/discovery.h"
#include "model/prompt/origin.h"
#include "offline/explain/explain.h"
#include "ui/assist_turn.h"
#include "ui/consent.h"
#include "ui/explain_view.h"
#include "ui/model_wait.h"
#include "ui/stdin_input.h"
#include "ui/tool_listing.h"

#define OPTIONS_MAX 256 /* bytes: there are seven */

/* A run, from the request to the exit status. */
struct assist {
    struct app *app;
    struct assist_request request; /* its text is the next */
    char *text;
    struct buf options; /* that decide what may run, as typed */
    struct run_audit audit;
    struct run_audit_request about;
    struct buf input;                  /* what was piped in */
    struct model_selection *selection; /* NULL: the offline engine */
    struct assist_turn *turn;          /* NULL: it has not begun */
    bool second; /* the model is selected for the second time */
};

static void
free_assist(struct assist *s)
{
    if (!s)
        return;
    assist_turn_free(s->turn);
    model_selection_free(s->selection);
    buf_done(&s->input);
    buf_done(&s->options);
    free(s->text);
    free(s);
}
DEFINE_CLEANUP(struct assist, free_assist)

/* Ends the run. The user reads an answer already: only steps must be on the
 * disk. */
static int
end_assist(struct assist *s, int status)
{
    struct app *a = s->app;

    app_record_sync(a, !run_audit_done(&s->audit, status));
    a->audit = NULL;
    free_assist(s);
    return status;
}

static int select_and_answer(struct assist *s);

static void
on_over(void *arg, int status, bool lost)
{
    struct assist *s = arg;
    struct app *a = s->app;

    if (lost) {
        model_selection_drop_cache(s->selection);
        model_selection_free(s->selection);
        s->selection = NULL;
        assist_turn_free(s->turn);
        s->turn = NULL;
    }
    /* what a new discovery finds is not from the cache: no third attempt */
    if (lost && !s->second) {
        s->second = true;
        status = select_and_answer(s);
    }
    if (status != APP_GOES_ON)
        app_over(a, end_assist(s, status));
}

static struct assist_turn_params
turn_params(const struct assist *s)
{
    return (struct assist_turn_params){.app = s->app,
                                       .request = &s->request,
                                       .selection = s->selection,
                                       .input = &s->input};
}

static int
start_turn(struct assist *s)
{
    const struct assist_turn_params p = turn_params(s);
    struct err e = {0};

    s->turn = assist_turn_start(&p, on_over, s, &e);
    return s->turn ? APP_GOES_ON : app_fail(s->app, &e);
}

/* A plan from a file. */

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
run_saved(struct assist *s)
{
    CLEANUP(aiaction_free_p) struct aiaction *action = NULL;
    CLEANUP_BUF struct buf text = buf_of(AIACTION_JSON_MAX);
    const struct assist_turn_params p = turn_params(s);
    const char *path = s->request.plan_in, *outside = NULL;
    struct aiaction_tools tools;
    struct app *a = s->app;
    struct err e = {0};

    if (read_plan(&s->request, &text, &outside, &e) < 0 ||
        app_registry(a, &e) < 0)
        return app_fail(a, &e);
    if (stdin_input_is_waiting() && !path_is(path, PATH_IS_DEVICE))
        app_note(a, "standard input is ignored: the plan is %s", path);
    tools = tool_listing_checker(a);
    action = aiaction_load(text.p, text.len, &tools, &e);
    if (!action) {
        err_wrap(&e, "%s is not a plan", path);
        return app_fail(a, &e);
    }
    s->turn = assist_turn_start_saved(&p, action, outside, on_over, s, &e);
    if (!s->turn)
        return app_fail(a, &e);
    TAKE_PTR(action);
    return APP_GOES_ON;
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

/* What was piped in is read where the words ask about it. */
static int
read_offline_input(struct assist *s, struct err *e)
{
    const struct user_request u = {.mode = s->request.mode,
                                   .text = s->request.text};

    if (!offline_proposal_is_about_error(&u, stdin_input_is_piped())) {
        if (u.text[0] && stdin_input_is_waiting())
            app_note(s->app, "standard input is ignored: it needs a model");
        return 0;
    }
    return u.text[0] && stdin_input_is_piped()
               ? stdin_input_read(s->app, &s->input, e)
               : 0;
}

/* A command line is explained from manual pages; recipes answer a request. */
static int
answer_offline(struct assist *s)
{
    const char *line = command_line_of(s->app->seat, &s->request, &s->input);
    struct err e = {0};

    model_selection_free(s->selection);
    s->selection = NULL;
    if (line)
        return explain_view_show(s->app, line);
    if (s->request.show_request)
        err_set(&e, ERR_USAGE, "no model is used: there is no request");
    if (e.code != ERR_NONE || read_offline_input(s, &e) < 0)
        return app_fail(s->app, &e);
    return start_turn(s);
}

/* Who answers. */

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
select_and_answer(struct assist *s)
{
    struct app *a = s->app;
    const struct assist_request *request = &s->request;
    struct model_select_params params = request->model;
    struct discovery_missing missing = {0};
    struct err e = {0};
    bool yes = false;

    params.can_ask = term_keys(&a->screen, NULL) == 0;
    params.missing = &missing;
    if (model_wait(a, &params, &s->selection, &e) < 0)
        return app_fail(a, &e);
    if (s->selection && consent_ask(a, s->selection, &yes, &e) < 0)
        return app_fail(a, &e);
    log_choice(a, request, s->selection, yes);
    if (!s->selection || !yes) {
        note_missing(a, &missing);
        return answer_offline(s);
    }
    if (request->text[0] && s->input.len == 0 &&
        stdin_input_read(a, &s->input, &e) < 0)
        return app_fail(a, &e);
    return start_turn(s);
}

static int
answer_or_run_saved(struct assist *s)
{
    struct app *a = s->app;
    struct err e = {0};

    if (app_config(a, &e) < 0)
        return app_fail(a, &e);
    if (s->request.plan_in)
        return run_saved(s);
    if (!s->request.text[0] && read_request_text(a, &s->input, &e) < 0)
        return app_fail(a, &e);
    return select_and_answer(s);
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
        .verb = verbs[request->mode],
        .text = request->text,
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
new_assist(struct app *a, const struct assist_request *request)
{
    CLEANUP(free_assist_p) struct assist *s = calloc(1, sizeof(*s));

    if (!s || !(s->text = strdup(request->text)))
        return NULL;
    s->app = a;
    s->request = *request;
    s->request.text = s->text;
    buf_init(&s->options, OPTIONS_MAX);
    buf_init(&s->input,
             3 * STDIN_INPUT_MAX); /* an invalid byte becomes three */
    return TAKE_PTR(s);
}

int
assist_start(struct app *a, const struct assist_request *request)
{
    struct assist *s = new_assist(a, request);
    struct err e = {0};
    int status;

    if (!s) {
        err_nomem(&e);
        return app_fail(a, &e);
    }
    app_set_named_paths(a, s->text);
    begin_assist_audit(s);
    status = answer_or_run_saved(s);
    return status == APP_GOES_ON ? status : end_assist(s, status);
}
