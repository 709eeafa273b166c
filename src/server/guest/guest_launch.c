/* SPDX-License-Identifier: GPL-3.0-or-later */
/* guest_launch.c - starts the process of a command, confined or not. */
#include "server/guest/guest_launch.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/path.h"
#include "sandbox/launch/launch.h"
#include "server/guest/guest_orphans.h"
#include "tool/confinement.h"
#include "tool/spawn.h"

/* What a process is started with, freed when it has been. */
struct launched {
    struct sandbox_spec spec;
    struct spawn spawn;
    const char **words; /* the command's argv */
    char *launcher;
    const char **argv;
    const char **variables;
};

static void
launched_done(struct launched *l)
{
    spawn_done(&l->spawn);
    free(l->words);
    free(l->launcher);
    free(l->argv);
    free(l->variables);
}

static int
launch_command(const struct guest_shared *sh,
               const struct guest_command_spec *spec, struct launched *l,
               struct proc_spec *proc, struct err *e)
{
    const struct tool_setting setting = {.sandbox = &l->spec,
                                         .seat = sh->seat,
                                         .config = spec->settings->config};
    size_t n = 0;

    while (spec->argv[n])
        n++;
    if (!(l->words = calloc(n + 1, sizeof(*l->words))))
        return err_nomem(e);
    memcpy(l->words, spec->argv, n * sizeof(*l->words));
    l->words[0] = spec->program; /* which the launcher executes */
    l->spec = spec->settings->setup->spec;
    l->spec.keep_terminal = spec->tty != NULL;
    l->spec.memory_bytes = spec->memory_bytes;
    l->spec.processes = spec->processes;
    l->spec.alike = true;
    /* as the profile's choice says it: root's namespace maps everybody */
    l->spec.owners = spec->owners && sh->profile == PROFILE_OBSERVE &&
                     geteuid() != 0;
    if (spawn_prepare(&l->spawn, l->words, &setting, e) < 0 ||
        !(l->launcher = path_libexec(SPAWN_LAUNCHER, e)) ||
        !(l->argv = spec_argv(&l->spawn.words, l->spawn.n_words, e)))
        return -1;
    l->argv[0] = l->launcher;
    proc->argv = l->argv;
    proc->program = NULL;
    proc->held_signal = LAUNCH_PASS;
    if (!spec->env)
        proc->envp = (const char *const *)l->spawn.env;
    return 0;
}

/* The limits of one that is not confined. */
static int
limit_command(const struct guest_command_spec *spec, struct proc_spec *proc,
              struct err *e)
{
    if (spec->processes > 0 && geteuid() == 0)
        return err_set(e, ERR_UNSUPPORTED,
                       "limits.processes: the system does not limit root's "
                       "processes. To do: run the agent with --profile "
                       "workspace-write, or as another user");
    proc->limits[0] = (struct proc_limit){RLIMIT_DATA, spec->memory_bytes};
    proc->limits[1] = (struct proc_limit){RLIMIT_NPROC, spec->processes};
    return 0;
}

/* The variables of a command that is not confined. The caller frees the array;
 * its strings are borrowed. NULL: ERR_NOMEM. */
static const char **
marked_variables(const char *const *all, const char *mark, struct err *e)
{
    const char **marked;
    size_t n = 0, at = 0;

    while (all[n])
        n++;
    marked = calloc(n + 2, sizeof(*marked));
    if (!marked) {
        err_nomem(e);
        return NULL;
    }
    for (size_t i = 0; i < n; i++) {
        if (!guest_orphans_is_mark(all[i]))
            marked[at++] = all[i];
    }
    marked[at] = mark;
    return marked;
}

struct proc *
guest_launch(const struct guest_shared *sh, uint64_t owner,
             const struct guest_command_spec *spec, struct pty *pty,
             struct err *e)
{
    CLEANUP(launched_done) struct launched l = {0};
    char mark[GUEST_MARK_BYTES];
    struct proc_spec proc = {
        .argv = spec->argv,
        .program = spec->program,
        .envp = spec->env ? spec->env : sh->variables,
        .cwd = spec->cwd ? spec->cwd : sh->root,
        .seat = sh->seat,
        .fds = {spec->input ? PROC_PIPE : PROC_NULL, PROC_PIPE, PROC_PIPE},
        .pass_fd = -1};

    if (spec->tty) {
        if (pty_open(pty, spec->tty, NULL, e) < 0)
            return NULL;
        proc.fds[0] = proc.fds[1] = proc.fds[2] = pty->slave;
        proc.session = true;
    }
    if (spec->settings->setup) {
        if (launch_command(sh, spec, &l, &proc, e) < 0)
            return NULL;
        return proc_start(&proc, e);
    }
    guest_orphans_mark(owner, mark);
    if (limit_command(spec, &proc, e) < 0 ||
        !(l.variables = marked_variables(proc.envp, mark, e)))
        return NULL;
    proc.envp = l.variables;
    return proc_start(&proc, e);
}
