/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_exec.c - agentsh exec: run one command in the sandbox. */
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fd.h"
#include "base/path.h"
#include "base/proc.h"
#include "base/process_list.h"
#include "frontend/cli/command.h"
#include "sandbox/confine.h"
#include "sandbox/launch/launch.h"
#include "sandbox/launch/prefork.h"
#include "sandbox/setup.h"
#include "tool/environ.h"
#include "ui/preview.h"
#include "ui/pty_relay.h"
#include "ui/sandbox_denial.h"

#define EXIT_NOT_EXECUTABLE 126
#define EXIT_NOT_FOUND      127
#define EXIT_INTERRUPTED    (128 + SIGINT)
#define ARGUMENTS_MAX       (2u << 20) /* what the kernel takes by default */

/* What is started: each part is the next one's reason. */
struct launch {
    struct app *app;
    struct sandbox_setup setup;
    struct preview *preview; /* NULL: what it writes is there at once */
    struct buf words;
    const char **argv; /* into words */
    size_t n_words;
    char **env;
    char *launcher;
    int notes;            /* what the launcher says of refused calls */
    struct prefork ready; /* its child, where that has begun already */
    bool begun;
    int status; /* of the command, while its changes are asked about */
};

static void
launch_done(struct launch *l)
{
    prefork_drop(&l->ready);
    preview_close(l->preview);
    sandbox_setup_done(&l->setup);
    buf_done(&l->words);
    free(l->argv);
    if (environ == l->env) /* run_here came back */
        environ = NULL;
    environ_free(l->env);
    free(l->launcher);
    fd_close_p(&l->notes);
}

/* Where the network can be had, and where it is there anyway. */
static int
check_net(enum profile p, bool net, struct err *e)
{
    if (!net || p == PROFILE_WORKSPACE_WRITE || p == PROFILE_PREVIEW ||
        p == PROFILE_REDUCED || p == PROFILE_FULL)
        return 0;
    return err_set(e, ERR_USAGE,
                   "the profile %s has no network; --net goes with "
                   "workspace-write",
                   profile_row(p)->name);
}

/* What nobody named a profile for, and became one that only looks, sees the
 * machine where there is no workspace to see. */
static int
see_something(struct command_args *c, struct sandbox_setup_params *w,
              struct sandbox_setup *s, struct err *e)
{
    if (!w->or_reads || s->spec.profile != PROFILE_READ_ONLY ||
        s->spec.workspace)
        return 0;
    sandbox_setup_done(s);
    w->profile = PROFILE_OBSERVE;
    return sandbox_setup_fill(s, w, c->app->config, e);
}

/* It failed, nobody knows why, and could not write where it usually can. */
static void
note_reduced_exec(const struct command_args *c, const struct sandbox_spec *s)
{
    if (s->reduced && !c->options.profile && !spec_writes(s))
        app_print(c->app,
                  "reduced: no namespaces here, so nothing is writable; "
                  "--profile observe shows the machine, --profile "
                  "reduced writes in the workspace");
}

static int
fill_exec_setup(struct command_args *c, bool made, struct sandbox_setup *s,
                struct err *e)
{
    const struct options *o = &c->options;
    struct sandbox_setup_params params = {.profile = PROFILE_WORKSPACE_WRITE,
                                          .seat = c->app->seat,
                                          .net = o->net,
                                          .workspace = o->workspace,
                                          .made = made,
                                          .or_reads = !o->profile};

    if (c->n == 0)
        return err_set(e, ERR_USAGE,
                       "missing command: agentsh exec -- CMD ARG...");
    if (o->profile && !profile_find(o->profile, &params.profile))
        return err_set(e, ERR_USAGE, "unknown profile '%.40s'", o->profile);
    if (check_net(params.profile, o->net, e) < 0 || app_config(c->app, e) < 0 ||
        sandbox_setup_fill(s, &params, c->app->config, e) < 0 ||
        see_something(c, &params, s, e) < 0)
        return -1;
    /* the terminal is one that filters stand behind, or there is none */
    s->spec.keep_terminal = pty_relay_detect() == PTY_RELAY_ALL;
    s->spec.report = true;
    return 0;
}

/* The command starts where it would in the workspace. */
static int
enter_preview_view(const struct seat *s, const struct view *v, struct err *e)
{
    const char *cwd = seat_need_dir(s, e);
    CLEANUP(free_p) char *dir = cwd ? view_path(v, cwd) : NULL;

    if (!dir)
        return cwd ? err_nomem(e) : -1;
    if (strcmp(dir, cwd) != 0 && chdir(dir) < 0)
        return err_sys(e, "%s", dir);
    return 0;
}

/* What is written goes where the person will look at it first. */
static int
fill_preview(struct command_args *c, struct launch *l, struct err *e)
{
    CLEANUP_BUF struct buf command = buf_of(ARGUMENTS_MAX);

    if (l->setup.spec.profile != PROFILE_PREVIEW)
        return 0;
    if (!l->setup.spec.workspace)
        return err_set(e, ERR_USAGE,
                       "a preview needs a workspace: use --workspace DIR");
    if (command_join_words(c, &command, e) < 0)
        return -1;
    l->preview = preview_begin(c->app, l->setup.spec.workspace, command.p, e);
    if (!l->preview ||
        sandbox_setup_use_view(&l->setup, preview_view(l->preview), e) < 0)
        return -1;
    return enter_preview_view(c->app->seat, preview_view(l->preview), e);
}

/* As a shell says it: 127 there is none, 126 it cannot be executed. */
static int
check_can_execute(const char *name, const struct sandbox_spec *spec,
                  struct err *e)
{
    CLEANUP(free_p) char *path = path_find_program(name);
    CLEANUP(free_p) char *real = path ? realpath(path, NULL) : NULL;

    if (!path && strchr(name, '/') && access(name, F_OK) == 0)
        return err_set(e, ERR_PERMISSION, "%.100s: not executable", name);
    if (!path)
        return err_set(e, ERR_NOT_FOUND, "%.100s: command not found", name);
    if (real && spec->profile != PROFILE_FULL && !spec_shows_path(spec, real))
        return err_set(e, ERR_NOT_FOUND,
                       "%.100s: hidden in the profile %s; add its directory to "
                       "readable in [sandbox]",
                       path, profile_row(spec->profile)->name);
    return 0;
}

static int
prepare_launch(struct command_args *c, struct launch *l, struct err *e)
{
    struct environ_params params = {
        .seat = c->app->seat, .spec = &l->setup.spec, .config = c->app->config};

    if (spec_write(&l->setup.spec, c->words, &l->words, &l->n_words, e) < 0 ||
        !(l->argv = spec_argv(&l->words, l->n_words, e)))
        return -1;
    l->env = environ_for(&params, e);
    return l->env ? 0 : -1;
}

/* A terminal that is the input is only read. One of another session could be
 * opened again to write, but for Landlock, or in full, where there is none. */
static int
read_terminal(int *out, bool full, struct err *e)
{
    bool again;

    if (fd_read_terminal(out, &again, e) < 0)
        return -1;
    if (!again || full || confine_landlock_abi() > 0)
        return 0;
    fd_close_p(out);
    *out = -1;
    return err_set(
        e, ERR_SANDBOX,
        "standard input is a terminal of another session, and without Landlock "
        "the command could write to it; redirect standard input (</dev/null)");
}

/* The same for all children that are to come. */
static int
set_without_terminal(bool full, struct err *e)
{
    CLEANUP(fd_close_p) int fd = -1;

    if (read_terminal(&fd, full, e) < 0)
        return -1;
    return fd >= 0 ? fd_set_input(fd, e) : 0;
}

/* What does not depend on the settings is made while they are read. */
static void
start_early_launch(const struct command_args *c, struct launch *l)
{
    if (c->options.profile || c->n == 0 || pty_relay_detect() != PTY_RELAY_NONE)
        return;
    if (set_without_terminal(false, NULL) < 0)
        return; /* whoever runs it says so */
    prefork_make(&l->ready, NULL, NULL, true);
    l->begun = true;
}

/* Nobody stands between: what the caller started waits for the command. */
static int
run_here(struct launch *l, struct err *e)
{
    char **argv = (char **)(uintptr_t)l->argv;

    if (!l->begun &&
        set_without_terminal(l->setup.spec.profile == PROFILE_FULL, e) < 0)
        return -1;
    (void)signal(SIGPIPE, SIG_DFL);
    (void)prctl(PR_SET_NAME, PROCESS_EXEC);
    environ = l->env;
    if (fd_move(&l->notes, LAUNCH_REPORT_FD, e) < 0)
        return -1;
    l->notes = LAUNCH_REPORT_FD;
    if (l->begun)
        return launch_run_preforked((int)l->n_words, argv, &l->ready, -1,
                                    false);
    return launch_run((int)l->n_words, argv, false);
}

/* Somebody must be there afterwards to say what changed. */
static int
run_beside(struct launch *l, struct err *e)
{
    struct proc_spec spec = {.argv = l->argv,
                             .envp = (const char *const *)(uintptr_t)l->env,
                             .fds = {PROC_INHERIT, PROC_INHERIT, PROC_INHERIT},
                             .pass_fd = l->notes,
                             .foreground = true};
    CLEANUP(proc_free_p) struct proc *child = NULL;
    CLEANUP(fd_close_p) int input = -1;
    int status = 0;

    if (!(l->launcher = path_libexec("agentsh-launch", e)) ||
        read_terminal(&input, false, e) < 0)
        return -1;
    if (input >= 0)
        spec.fds[0] = input;
    l->argv[0] = l->launcher;
    child = proc_start(&spec, e);
    if (!child || proc_wait(child, -1, &status, e) < 0)
        return -1;
    return status;
}

static int
run_behind(struct command_args *c, struct launch *l, enum pty_relay_kind kind,
           struct err *e)
{
    struct pty_relay_command command = {
        .argv = l->argv,
        .envp = (const char *const *)(uintptr_t)l->env,
        .pass_fd = l->notes};
    int status = 0;

    if (!(l->launcher = path_libexec("agentsh-launch", e)))
        return -1;
    l->argv[0] = l->launcher;
    if (kind == PTY_RELAY_ERROR &&
        set_without_terminal(l->setup.spec.profile == PROFILE_FULL, e) < 0)
        return -1;
    return pty_relay_run(c->app->loop, kind, &command, &status, e) < 0 ? -1
                                                                       : status;
}

/* The exit status, or -1. */
static int
launch(struct command_args *c, struct launch *l, struct err *e)
{
    enum pty_relay_kind kind = pty_relay_detect();
    int64_t limit_ms = l->setup.spec.limit_ms, start = clock_ms();
    int status;

    if ((l->notes = sandbox_denial_notes(e)) < 0)
        return -1;
    if (kind == PTY_RELAY_NONE && l->preview)
        status = run_beside(l, e);
    else if (kind == PTY_RELAY_NONE)
        status = run_here(l, e);
    else
        status = run_behind(c, l, kind, e);
    if (limit_ms > 0 && status == LAUNCH_LATE && clock_ms() - start >= limit_ms)
        return err_exit_status(ERR_TIMEOUT);
    if (status > 0 &&
        !sandbox_denial_explain(c->app, &l->setup.spec,
                                l->preview ? preview_view(l->preview) : NULL,
                                c->words, l->notes, status))
        note_reduced_exec(c, &l->setup.spec);
    return status;
}

/* As a shell says it, where there is nothing to start. */
static int
status_of(const struct err *e)
{
    return e->code == ERR_NOT_FOUND ? EXIT_NOT_FOUND : EXIT_NOT_EXECUTABLE;
}

/* A loop of a shell ends with what Ctrl-C has ended, when it sees that a
 * signal did it. */
static int
end_as(int status)
{
    if (status == EXIT_INTERRUPTED && pty_relay_detect() != PTY_RELAY_NONE) {
        (void)signal(SIGINT, SIG_DFL);
        (void)raise(SIGINT);
    }
    return status;
}

static void
on_preview_decided(void *arg, enum preview_end how, const struct err *why)
{
    struct launch *l = arg;
    struct app *a = l->app;
    int status = why->code != ERR_NONE ? app_fail(a, why) : end_as(l->status);

    (void)how;
    launch_done(l);
    app_over(a, status);
}

/* The command has ended with a status, which stays what it is. */
static int
finish_exec(struct launch *l, int status)
{
    if (!l->preview)
        return end_as(status);
    if (status == err_exit_status(ERR_SANDBOX)) {
        (void)preview_forget(l->preview, NULL); /* nothing ran */
        return end_as(status);
    }
    l->status = status;
    preview_finish(l->preview, on_preview_decided, l);
    return APP_GOES_ON;
}

static int
run_launch(struct command_args *c, struct launch *l)
{
    struct err e = {0};
    int status;

    start_early_launch(c, l);
    if (fill_exec_setup(c, l->ready.child > 0, &l->setup, &e) < 0)
        return app_fail(c->app, &e);
    if (check_can_execute(c->words[0], &l->setup.spec, &e) < 0) {
        app_print_err(c->app, &e);
        return status_of(&e);
    }
    if (fill_preview(c, l, &e) < 0 || prepare_launch(c, l, &e) < 0) {
        if (l->preview)
            (void)preview_forget(l->preview, NULL); /* nothing ran */
        return app_fail(c->app, &e);
    }
    if ((status = launch(c, l, &e)) < 0)
        return app_fail(c->app, &e);
    return finish_exec(l, status);
}

static int
run_exec(struct command_args *c)
{
    static struct launch l; /* many pages, of which it needs few */
    int status;

    buf_init(&l.words, ARGUMENTS_MAX);
    l.notes = l.ready.channel = l.ready.mounts = -1;
    l.app = c->app;
    status = run_launch(c, &l);
    if (status != APP_GOES_ON)
        launch_done(&l);
    return status;
}

const struct command cmd_exec = {
    .name = "exec",
    .args = "-- CMD ARG…",
    .help = N_("run one command in the sandbox"),
    .options = FOR_EXEC,
    .run = run_exec,
};
