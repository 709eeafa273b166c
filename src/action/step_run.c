/* SPDX-License-Identifier: GPL-3.0-or-later */
/* step_run.c - runs the approved steps of a plan, one at a time, by their
 * tools. */
#include "action/step_run.h"
#include "action/approval.h"
#include "action/remote_run.h"
#include "action/terminal_step.h"

#include <limits.h>
#include <string.h>

#include "base/buf.h"
#include "base/path.h"
#include "guard/exit_status.h"
#include "sandbox/preview/additions.h"
#include "sandbox/setup.h"
#include "json/write.h"

#define DENIED_MAX   16384 /* bytes: a sentence with a path in it */
#define EXIT_LAUNCH  124   /* and above: the launcher's, a shell's, a signal */
#define EXIT_UNKNOWN 255
/* Bytes of a sentence with a few paths, every byte escaped. */
#define DROPPED_MAX 65536
#define READ_MAX    (2u << 20) /* of a reader: escaped it fits a request */

/* A request: the command and a path, every byte escaped at worst. */
#define REQUEST_MAX (6 * (AIACTION_COMMAND_MAX + PATH_MAX) + 4096)

/* The tool of a step that names none. */
struct command_tool {
    struct manifest *manifest;
    char *program;
    struct tool tool;
};

/* What of a step runs now. */
enum step_part {
    PART_WHOLE,
    PART_READER, /* profile_choice.reader */
    PART_REST,   /* profile_choice.rest, with the reader's output */
};

struct step_run {
    struct step_run_params set;
    const struct step_run_events *ev;
    void *arg;
    struct step_run_step now; /* the step that runs */
    enum step_part part;
    struct command_tool tool;
    struct tool_pool *pool;
    struct tool_call *call;
    struct terminal_step *own; /* runs in the person's terminal */
    struct remote_run *remote; /* NULL: steps run here */
    struct watch *soon; /* starts the rest from the loop, not from a callback */
    /* the output of a reader; unused in a whole step */
    struct buf read;
    int64_t reader_ms;           /* that it took */
    struct additions *additions; /* the view of a step that runs unasked */
    struct denial_remedy remedy; /* what the step lacked */
    bool paused;
    bool interrupted; /* by the Ctrl-C that a step in the terminal got */
    bool streamed;    /* the step wrote something while it ran */
};

/* The call is over, or is ended. */
static void
end_step_call(struct step_run *run)
{
    tool_call_free(run->call);
    run->call = NULL;
    terminal_step_free(run->own);
    run->own = NULL;
    additions_close(TAKE_PTR(run->additions)); /* nothing writes there now */
}

static enum tool_elevation
on_elevate(void *arg, const char *const *argv)
{
    const struct step_run *run = arg;

    return run->ev->elevate(run->arg, argv);
}

static void
on_output(void *arg, const char *stream, const char *bytes, size_t n)
{
    struct step_run *run = arg;

    if (run->part == PART_READER && strcmp(stream, "stdout") == 0) {
        buf_add(&run->read, bytes, n);
        return;
    }
    if (run->part == PART_READER &&
        run->now.verdict->found.profile.reader_quiet)
        return;
    run->streamed = true;
    run->ev->output(run->arg, NULL, stream, bytes, n);
}

/* Delivers the output of a tool that did not stream it. */
static void
put_unstreamed(struct step_run *run, const struct tool_result *r)
{
    if (!run->now.verdict->tool || run->streamed)
        return;
    if (r->out_len > 0)
        run->ev->output(run->arg, NULL, "stdout", r->out, r->out_len);
    if (r->err_len > 0)
        run->ev->output(run->arg, NULL, "stderr", r->err, r->err_len);
}

/* The code of a failure: of the two with an exit status of their own, else
 * ERR_TOOL. */
static enum err_code
failure_code(const struct tool_result *r)
{
    static const enum err_code codes[] = {ERR_TIMEOUT, ERR_SANDBOX};

    for (size_t i = 0; r->error_code && i < 2; i++) {
        if (strcmp(r->error_code, err_tool_code(codes[i])) == 0)
            return codes[i];
    }
    return ERR_TOOL;
}

/* The command was not started, of which cmd.run says why. A directory that is
 * there for us is hidden by the step's sandbox. */
static void
write_no_start(const struct step_run *run, const struct tool_result *r,
               struct err *why)
{
    const struct step_verdict *v = run->now.verdict;
    bool missing = r->error_code &&
                   strcmp(r->error_code, err_tool_code(ERR_NOT_FOUND)) == 0;

    err_set(why, failure_code(r), "step %zu did not start: %.*s%s",
            run->now.index + 1, (int)strcspn(r->err, "\n"), r->err,
            missing && !run->set.preview && access(v->directory, X_OK) == 0
                ? "; its sandbox hides that directory"
                : "");
}

static void
write_failure(const struct step_run *run, const struct tool_result *r,
              const struct step_end *end, struct err *why)
{
    const struct step_verdict *v = run->now.verdict;
    bool answers;
    const char *meaning = v->tool
                              ? NULL
                              : exit_status_meaning(&v->found.syntax,
                                                    &v->found.risk,
                                                    end->exit_code, &answers);

    if (!v->tool && !r->has_exit_code && !run->streamed && r->err_len > 0)
        write_no_start(run, r, why);
    else if (v->tool && !r->has_exit_code)
        err_set(why, failure_code(r), "step %zu failed: %s: %s",
                run->now.index + 1, v->tool->name,
                r->error_code ? r->error_code : "no reason");
    else
        err_set(why, ERR_TOOL, "step %zu failed with exit status %d%s%s",
                run->now.index + 1, end->exit_code, meaning ? ": " : "",
                meaning ? meaning : "");
}

/* Explains what the sandbox denied a failed step, and what it lacked. Where the
 * exit status is an answer (grep's 1), denials did not matter. */
static void
explain_block(struct step_run *run, const struct tool_result *r, int status,
              struct buf *out)
{
    const struct step_verdict *v = run->now.verdict;
    const struct profile_choice *c = &v->found.profile;
    const char *writable[PROFILE_DIRS_MAX];
    struct denial_run ran = {
        .profile = c->profile,
        .reduced = c->reduced,
        .net = c->net,
        .workspace = seat_dir(run->set.seat),
        .writable = writable,
        .n_writable = c->n_writable,
        .calls = r->refused->names,
        .n_calls = r->refused->n,
        .auto_approved = run->now.auto_approved,
        .asks_next = run->set.can_ask && !run->set.preview,
        .stderr_text = r->err,
        .stderr_len = r->err_len,
    };
    struct path_context where = path_context_of(run->set.seat);
    bool answers;

    where.workspace = where.cwd;
    where.cwd = v->directory;
    (void)exit_status_meaning(&v->found.syntax, &v->found.risk, status,
                              &answers);
    if (answers)
        ran.n_calls = ran.stderr_len = 0;
    memcpy(writable, c->writable, c->n_writable * sizeof(*writable));
    (void)denial_explain(&v->found, &ran, &where, &run->remedy, out);
    /* running without a sandbox is offered by the review alone */
    if (run->set.preview || run->remedy.kind == DENIAL_REMEDY_FULL)
        run->remedy.kind = DENIAL_REMEDY_NONE;
}

/* Keeps the files that the step added. */
static int
keep_additions(struct step_run *run, struct buf *dropped, struct err *e)
{
    const struct profile_choice *c = &run->now.verdict->found.profile;

    return run->additions ? additions_keep(run->additions, c->added, c->n_added,
                                           dropped, e)
                          : 0;
}

/* The tool has answered, and none of its processes runs. */
static void
end_step(struct step_run *run, const struct tool_result *r)
{
    struct step_end end = {
        .exit_code = r->has_exit_code ? r->exit_code : (r->ok ? 0 : 1),
        .duration_ms = r->duration_ms,
        .out = r->out,
        .out_len = r->out_len,
        .err = r->err,
        .err_len = r->err_len,
        .truncated = r->truncated,
        .secret = run->now.verdict->secret,
        .error_code = r->error_code,
    };
    bool named = run->now.verdict->tool != NULL;
    CLEANUP_BUF struct buf denied = buf_of(DENIED_MAX);
    CLEANUP_BUF struct buf dropped = buf_of(DROPPED_MAX);
    struct err why = {0};
    bool kept;

    run->part = PART_WHOLE;
    end.duration_ms += run->reader_ms;
    put_unstreamed(run, r);
    if (named)
        end.meta = r->meta;
    else if (end.exit_code != 0)
        explain_block(run, r, end.exit_code, &denied);
    end.denied = denied.p;
    kept = keep_additions(run, &dropped, &why) == 0;
    end.dropped = dropped.p;
    run->ev->complete(run->arg, &end, r->duration_ms);
    if (r->ok && end.exit_code == 0 && kept) {
        end_step_call(run);
        run->ev->over(run->arg, NULL);
        return;
    }
    if (kept && run->interrupted) {
        err_set(&why, ERR_INTERRUPTED, "interrupted in step %zu",
                run->now.index + 1);
    } else if (kept) {
        write_failure(run, r, &end, &why);
    } else {
        err_wrap(&why, "step %zu", run->now.index + 1);
        if (why.code == ERR_DENIED) /* what was dropped needs a yes */
            run->remedy.kind = DENIAL_REMEDY_APPROVAL;
    }
    end_step_call(run);
    run->ev->over(run->arg, &why);
}

/* Checks that a reader's output is complete. Its own exit status does not
 * matter, as in a shell pipe. A missing sandbox (125), a time limit (124), a
 * program that could not be executed and a signal do. */
static int
check_reader(const struct step_run *run, int status, struct err *why)
{
    const char *name = run->now.verdict->found.profile.reader[0];

    if (run->read.bad)
        return err_set(why, ERR_TOOL, "step %zu: %s wrote more than %u MiB",
                       run->now.index + 1, name, READ_MAX >> 20);
    if (status >= EXIT_LAUNCH)
        return err_set(why, ERR_TOOL, "step %zu: %s did not exit",
                       run->now.index + 1, name);
    return 0;
}

/* A part has ended. After a reader the rest of the line is started from the
 * loop, since this call must not end in its own callback. */
static void
on_done(void *arg, const struct tool_result *r)
{
    struct step_run *run = arg;
    int status = r->has_exit_code ? r->exit_code : EXIT_UNKNOWN;
    struct err why = {0};

    if (run->part != PART_READER) {
        end_step(run, r);
        return;
    }
    run->reader_ms = r->duration_ms;
    end_step_call(run);
    if (check_reader(run, status, &why) < 0) {
        run->part = PART_WHOLE;
        run->ev->over(run->arg, &why);
        return;
    }
    run->part = PART_REST;
    watch_again(run->soon, 0);
}

/* Ctrl-C went to the step alone, which had the terminal: it is meant for the
 * plan as well. */
static void
on_terminal_done(void *arg, const struct tool_result *r, bool interrupted)
{
    struct step_run *run = arg;

    run->interrupted = interrupted;
    end_step(run, r);
}

static void
on_failed(void *arg, const struct err *why)
{
    struct step_run *run = arg;
    struct err copy = *why;

    if (copy.code != ERR_SANDBOX)
        copy.code = ERR_TOOL;
    err_wrap(&copy, "step %zu", run->now.index + 1);
    run->part = PART_WHOLE;
    end_step_call(run);
    run->ev->over(run->arg, &copy);
}

/* Stops a step that is not what was approved. */
static int
check_approval(struct step_run *run, struct err *e)
{
    char now[SHA256_HEX_SIZE];

    if (approval_digest(run->now.step, run->now.verdict, now, e) < 0)
        return -1;
    if (strcmp(now, run->now.digest) != 0)
        return err_set(e, ERR_DENIED, "the step differs from the approved one");
    return 0;
}

/* The arguments of cmd.run; the caller frees them. */
static struct json *
step_args(const char *command, const char *directory, struct err *e)
{
    CLEANUP_BUF struct buf text = buf_of(REQUEST_MAX);
    struct json_writer w;

    json_write_init(&w, &text);
    json_open_object(&w);
    json_member_str(&w, "command", command);
    json_member_str(&w, "working_directory", directory);
    json_member_str(&w, "timeout_ms", NULL); /* Ctrl-C is the limit of a step */
    json_close_object(&w);
    if (buf_ok(&text, "the request", e) < 0)
        return NULL;
    return json_parse(text.p, text.len, JSON_UNIQUE, e);
}

static int
find_command_tool(struct command_tool *t, struct err *e)
{
    CLEANUP(free_p) char *dir = NULL;

    if (t->program)
        return 0;
    if (!(dir = path_libexec("plugins/" AIACTION_TOOL, e)) ||
        !(t->manifest = manifest_read(dir, e)))
        return -1;
    if (!(t->program = path_join(dir, t->manifest->executable)))
        return err_nomem(e);
    t->tool = (struct tool){.name = t->manifest->name,
                            .program = t->program,
                            .manifest = t->manifest};
    return 0;
}

/* Opens the view of a step that may only add files. */
static int
open_additions(struct step_run *run, struct sandbox_setup *s, struct err *e)
{
    if (!s->spec.workspace)
        return err_set(e, ERR_SANDBOX, "no workspace to add files to");
    additions_close(TAKE_PTR(run->additions));
    run->additions = additions_open(run->set.seat, s->spec.workspace,
                                    run->now.step->command, e);
    return run->additions
               ? sandbox_setup_use_view(s, additions_view(run->additions), e)
               : -1;
}

/* The files of the workspace that the step must not read; NULL: there are
 * none. */
static char *const *
closed_to(const struct step_run *run)
{
    return run->now.verdict->closed ? run->set.secrets->paths : NULL;
}

/* Makes the sandbox setup of the profile that was approved. */
static int
fill_step_setup(struct step_run *run, struct sandbox_setup *s, struct err *e)
{
    const struct profile_choice *c = &run->now.verdict->found.profile;
    const char *writable[PROFILE_DIRS_MAX + 1] = {NULL};
    const char *readable[PROFILE_DIRS_MAX + 1] = {NULL};
    bool reader = run->part == PART_READER;
    const struct sandbox_setup_params params = {
        .profile = reader ? PROFILE_OBSERVE_PROC : c->profile,
        .seat = run->set.seat,
        .net = c->net && !reader,
        .writable = writable,
        .readable = readable,
        .named = run->set.named,
        .closed = closed_to(run),
        .programs = true};

    memcpy(writable, c->writable, c->n_writable * sizeof(*writable));
    memcpy(readable, c->readable, c->n_readable * sizeof(*readable));
    if (sandbox_setup_fill(s, &params, run->set.config, e) < 0)
        return -1;
    s->spec.report = true;
    s->spec.owners = c->owners && !reader;
    if (reader)
        return 0;
    if (c->profile == PROFILE_PREVIEW)
        return sandbox_setup_use_view(s, run->set.preview, e);
    if (run->now.view)
        return sandbox_setup_use_view(s, run->now.view, e);
    return c->n_added > 0 ? open_additions(run, s, e) : 0;
}

/* What the tool is asked, and how its process is started. */
struct step_call {
    struct json *args; /* of a command; owned */
    struct tool_request request;
    struct tool_invocation in;
    struct sandbox_setup setup; /* of a command */
    struct path_context where;
};

static void
step_call_done(struct step_call *c)
{
    sandbox_setup_done(&c->setup);
    json_free(c->args);
}

static int
prepare_command(struct step_run *run, struct step_call *c, struct err *e)
{
    const struct step_verdict *v = run->now.verdict;
    const struct profile_choice *how = &v->found.profile;
    CLEANUP(free_p) char *directory = NULL;

    if (run->part == PART_READER || (how->n_reader > 0 && !how->rest))
        c->in.confine.argv = (const char *const *)how->reader;
    if (run->part == PART_REST)
        c->in.confine.input = &run->read;
    directory = how->profile == PROFILE_PREVIEW
                    ? view_path(run->set.preview, v->directory)
                    : strdup(v->directory);
    if (!directory)
        return err_nomem(e);
    c->args = step_args(run->part == PART_REST ? how->rest
                                               : run->now.step->command,
                        directory, e);
    c->request.action = "execute";
    c->request.args = c->args;
    c->in.confine.tool = &run->tool.tool;
    c->in.confine.sandbox = &c->setup.spec;
    return c->args && find_command_tool(&run->tool, e) == 0
               ? fill_step_setup(run, &c->setup, e)
               : -1;
}

/* What it asks the front to run as root is covered by a yes to this step. */
static void
prepare_tool(const struct step_run *run, struct step_call *c)
{
    const struct step_verdict *v = run->now.verdict;
    struct confinement_params *how = &c->in.confine;

    c->where = path_context_of(run->set.seat);
    c->where.workspace = c->where.cwd;
    c->request.action = run->now.step->action;
    c->request.args = run->now.step->args;
    c->in.where = &c->where;
    how->tool = v->tool;
    how->permit = &v->permit;
    how->closed = closed_to(run);
    how->privileged = v->permit.privileged && run->now.privileged;
    how->sudo = run->now.own_terminal;
    how->roots = CONFINEMENT_ROOTS_DIRECTORY;
    how->directory = seat_dir(run->set.seat);
}

/* Starts a step that has the person's terminal. */
static int
start_in_terminal(struct step_run *run, struct err *e)
{
    static const struct terminal_step_events events = {
        .output = on_output, .done = on_terminal_done};
    const struct step_verdict *v = run->now.verdict;
    CLEANUP(sandbox_setup_done) struct sandbox_setup setup = {0};
    CLEANUP(free_p) char *directory = NULL;
    struct terminal_step_params params = {.verdict = v,
                                          .command = run->now.step->command,
                                          .setup = &setup,
                                          .seat = run->set.seat,
                                          .config = run->set.config,
                                          .colour = run->set.colour};

    directory = v->found.profile.profile == PROFILE_PREVIEW
                    ? view_path(run->set.preview, v->directory)
                    : strdup(v->directory);
    if (!directory)
        return err_nomem(e);
    params.directory = directory;
    if (fill_step_setup(run, &setup, e) < 0)
        return -1;
    run->own = terminal_step_start(run->set.loop, &params, &events, run, e);
    if (run->own && run->paused)
        terminal_step_pause(run->own, true);
    return run->own ? 0 : -1;
}

/* Starts the part of the step that is next. */
static int
start_part(struct step_run *run, struct err *e)
{
    static const struct tool_events events = {.elevate = on_elevate,
                                              .output = on_output,
                                              .done = on_done,
                                              .failed = on_failed};
    const struct step *step = run->now.step;
    CLEANUP(step_call_done)
    struct step_call c = {
        .request = {.step_id = step->id, .stream = true, .timeout_ms = -1},
        .in = {.confine = {.seat = run->set.seat,
                           .config = run->set.config,
                           .colour = run->set.colour},
               .files = run->set.preview ? NULL : run->set.files},
    };

    if (run->set.pool)
        run->pool = run->set.pool;
    if (!run->pool && run->set.reuse &&
        !(run->pool = tool_pool_new(run->set.loop, e)))
        return -1;
    c.in.confine.pool = run->pool;
    if (check_approval(run, e) < 0)
        return -1;
    if (run->now.verdict->tty != STEP_TTY_NONE)
        return start_in_terminal(run, e);
    if (step->tool)
        prepare_tool(run, &c);
    else if (prepare_command(run, &c, e) < 0)
        return -1;
    run->call = tool_invoke(run->set.loop, &c.in, &c.request, &events, run, e);
    if (run->call && run->paused)
        tool_call_pause(run->call, true);
    return run->call ? 0 : -1;
}

static void
on_remote_output(void *arg, const char *host, const char *stream,
                 const char *bytes, size_t n)
{
    const struct step_run *run = arg;

    run->ev->output(run->arg, host, stream, bytes, n);
}

static void
on_remote_complete(void *arg, const char *host, const struct remote_end *end,
                   bool last)
{
    const struct step_run *run = arg;
    const struct step_end step = {.host = host,
                                  .lost = end->why.text,
                                  .partial = !last,
                                  .exit_code = end->exit_code,
                                  .duration_ms = end->ms,
                                  .out = end->out->p,
                                  .out_len = end->out->len,
                                  .err = end->err->p,
                                  .err_len = end->err->len,
                                  .truncated = end->truncated,
                                  .secret = run->now.verdict->secret,
                                  .denied = "",
                                  .dropped = ""};

    run->ev->complete(run->arg, &step, last ? end->ms : 0);
}

static void
on_remote_over(void *arg, const struct err *why)
{
    const struct step_run *run = arg;
    struct err copy;

    if (!why) {
        run->ev->over(run->arg, NULL);
        return;
    }
    copy = *why;
    err_wrap(&copy, "step %zu", run->now.index + 1);
    run->ev->over(run->arg, &copy);
}

static int
open_remote_run(struct step_run *run, struct err *e)
{
    static const struct remote_run_events events = {
        .output = on_remote_output,
        .complete = on_remote_complete,
        .over = on_remote_over};
    const struct config *c = run->set.config;
    const struct remote_run_params set = {
        .loop = run->set.loop,
        .seat = run->set.seat,
        .hosts = run->set.hosts,
        .wait_ms = config_int(c, CONFIG_HOSTS_TIMEOUT_S) * 1000};

    run->remote = remote_run_new(&set, &events, run, e);
    return run->remote ? 0 : -1;
}

/* Starts a step on the other hosts. The agent there begins in the home. */
static int
start_remote(struct step_run *run, struct err *e)
{
    const struct step_verdict *v = run->now.verdict;
    const struct profile_choice *how = &v->found.profile;
    enum profile profile = how->profile;
    const char *dir = v->directory;
    const struct remote_command c = {
        .line = how->n_reader > 0 ? NULL : run->now.step->command,
        .argv = (const char *const *)how->reader,
        .owners = how->owners,
        .directory = dir[0] != '~'      ? dir
                     : dir[1] && dir[2] ? dir + 2
                                        : NULL,
        .profile = profile == PROFILE_FULL ? NULL : profile_row(profile)->name};

    if (check_approval(run, e) < 0)
        return -1;
    remote_run_start(run->remote, &c);
    return 0;
}

int
step_run_start(struct step_run *run, const struct step_run_step *s,
               struct err *e)
{
    run->now = *s;
    if (run->remote)
        return start_remote(run, e);
    run->streamed = run->interrupted = false;
    run->remedy.kind = DENIAL_REMEDY_NONE;
    run->reader_ms = 0;
    run->part = s->verdict->found.profile.rest ? PART_READER : PART_WHOLE;
    buf_clear(&run->read);
    return start_part(run, e);
}

static void
on_rest(void *arg, unsigned events)
{
    struct step_run *run = arg;
    struct err why = {0};

    (void)events;
    if (run->part == PART_REST && !run->call && start_part(run, &why) < 0) {
        run->part = PART_WHOLE;
        run->ev->not_started(run->arg, &why);
    }
}

struct step_run *
step_run_new(const struct step_run_params *set,
             const struct step_run_events *ev, void *arg, struct err *e)
{
    CLEANUP(step_run_free_p) struct step_run *run = calloc(1, sizeof(*run));

    if (!run) {
        err_nomem(e);
        return NULL;
    }
    *run = (struct step_run){.set = *set, .ev = ev, .arg = arg};
    buf_init(&run->read, READ_MAX);
    if (!(run->soon = loop_soon(set->loop, on_rest, run, e)))
        return NULL;
    watch_stop(run->soon);
    if (set->hosts && open_remote_run(run, e) < 0)
        return NULL;
    return TAKE_PTR(run);
}

void
step_run_free(struct step_run *run)
{
    if (!run)
        return;
    watch_free(run->soon);
    tool_call_free(run->call);
    terminal_step_free(run->own);
    remote_run_free(run->remote);
    buf_done(&run->read);
    additions_close(run->additions);
    if (!run->set.pool)
        tool_pool_free(run->pool);
    manifest_free(run->tool.manifest);
    free(run->tool.program);
    free(run);
}

void
step_run_stop(struct step_run *run)
{
    if (run->remote)
        remote_run_stop(run->remote);
    end_step_call(run);
    run->part = PART_WHOLE;
    watch_stop(run->soon);
}

void
step_run_end_pool(struct step_run *run)
{
    if (run->remote)
        remote_run_stop(run->remote);
    if (run->set.pool)
        tool_pool_rest(run->set.pool);
    else
        tool_pool_free(TAKE_PTR(run->pool));
}

bool
step_run_is_running(const struct step_run *run)
{
    return run->call || run->own || run->part == PART_REST ||
           (run->remote && remote_run_is_running(run->remote));
}

void
step_run_signal(struct step_run *run, int signo)
{
    if (run->remote)
        remote_run_signal(run->remote, signo);
    if (run->call)
        tool_call_signal(run->call, signo);
    if (run->own)
        terminal_step_signal(run->own, signo);
}

void
step_run_pause(struct step_run *run, bool paused)
{
    run->paused = paused;
    if (run->remote)
        remote_run_pause(run->remote, paused);
    if (run->call)
        tool_call_pause(run->call, paused);
    if (run->own)
        terminal_step_pause(run->own, paused);
}

void
step_run_elevate(struct step_run *run, bool yes)
{
    tool_call_elevate(run->call, yes);
}

void
step_run_note_failure(const struct step_run *run, struct err *why)
{
    if (run->remote)
        (void)remote_run_failed(run->remote, why);
}

struct denial_remedy *
step_run_remedy(struct step_run *run)
{
    return &run->remedy;
}
