/* SPDX-License-Identifier: GPL-3.0-or-later */
/* child.c - the launcher's child: confines itself and executes the program; in
 * a pid namespace it is init. */
#include "sandbox/launch/child.h"

#include <errno.h>
#include <linux/capability.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/linux_calls.h"
#include "base/path.h"
#include "sandbox/confine.h"
#include "sandbox/launch/kernel_mounts.h"
#include "sandbox/launch/landlock.h"
#include "sandbox/launch/limits.h"
#include "sandbox/launch/mounts.h"
#include "sandbox/launch/namespaces.h"
#include "sandbox/launch/prefork_message.h"
#include "sandbox/launch/run_as_owner.h"
#include "sandbox/launch/scratch.h"
#include "sandbox/launch/streams.h"
#include "sandbox/spec.h"

/* Root's lsof needs these to inspect other users' processes. */
#define READER_CAPABILITIES (1u << CAP_SYS_PTRACE | 1u << CAP_DAC_READ_SEARCH)

int
child_print_error(const char *what, int status)
{
    dprintf(STDERR_FILENO, "agentsh-launch: %s\n", what);
    return status;
}

/* Sends the seccomp listener to the launcher, which answers refused calls. */
static int
send_listener(int channel, int listener, struct err *e)
{
    char control[CMSG_SPACE(sizeof(listener))] = {0};
    struct iovec byte = {(char[]){'L'}, 1};
    struct msghdr msg = {
        .msg_iov = &byte,
        .msg_iovlen = 1,
        .msg_control = control,
        .msg_controllen = sizeof(control),
    };
    struct cmsghdr *c = CMSG_FIRSTHDR(&msg);
    ssize_t n;

    c->cmsg_level = SOL_SOCKET;
    c->cmsg_type = SCM_RIGHTS;
    c->cmsg_len = CMSG_LEN(sizeof(listener));
    memcpy(CMSG_DATA(c), &listener, sizeof(listener));
    n = sendmsg(channel, &msg, MSG_NOSIGNAL);
    close(listener);
    return n == 1 ? 0 : sandbox_layer_missing(e, "reports");
}

/* The seccomp filter comes last, since the other layers need calls that it
 * refuses. */
static int
apply_confinement(const struct child_config *conf, struct err *e)
{
    const struct sandbox_spec *s = conf->spec;
    /* the launcher gives a reader of processes /dev/null */
    bool reader = s->profile == PROFILE_OBSERVE_PROC;
    bool asks = s->report || reader || s->owners;
    uint64_t keep = reader ? READER_CAPABILITIES : 0;
    int listener = -1;

    if (s->profile == PROFILE_FULL)
        return 0;
    if (confine_no_new_privs(e) < 0 ||
        (!conf->namespaces && confine_bounds(keep, e) < 0) ||
        (spec_is_reduced(s) && run_as_owner(conf, e) < 0) ||
        confine_capabilities(keep, e) < 0)
        return -1;
    if (s->owners && landlock_restrict_reads(s, e) < 0)
        return -1;
    if (!s->owners && spec_is_reduced(s) &&
        landlock_restrict_reduced(s, &conf->binds, conf->scratch, e) < 0)
        return -1;
    if (conf->namespaces &&
        landlock_restrict_writes(s, &conf->binds, conf->scratch, e) < 0)
        return -1;
    if (confine_profile(s, asks ? &listener : NULL, e) < 0)
        return -1;
    return listener < 0 ? 0 : send_listener(conf->channel, listener, e);
}

/* The launcher may still be searching for the protected paths while we
 * mount. */
static int
receive_kept(struct child_config *conf, struct err *e)
{
    struct prefork_message *b = conf->message;

    conf->message = NULL;
    return b ? prefork_message_receive_kept(conf->channel, b, e) : 0;
}

static int
enter_sandbox_view(struct child_config *conf, struct err *e)
{
    bool own_pids = (conf->namespaces & CLONE_NEWPID) != 0;
    /* an overlay creates files, whose owner needs the id maps */
    bool early = conf->spec->preview != NULL;
    unsigned pids = conf->root ? limits_processes(conf->spec) : 0;
    struct kernel_mounts *own = conf->kernel_mounts, taken;
    struct mounts m;

    if (early && !conf->preforked)
        namespaces_wait(conf->channel);
    if (early &&
        receive_kept(conf, e) < 0) /* the launcher's placeholders lie below the
                                      overlay and must be made before it */
        return -1;
    if (mounts_open(&m, conf->spec, &conf->binds, e) < 0 ||
        (!conf->preforked && confine_bounds(0, e) < 0))
        return -1;
    if (!early && !conf->preforked)
        namespaces_wait(conf->channel);
    if (!own) {
        own = &taken;
        if (kernel_mounts_open(own, own_pids, pids, e) < 0)
            return -1;
    }
    if (own->room_bytes == m.room_bytes)
        m.room = own->room;
    if (mounts_attach(&m, &conf->binds, e) < 0 ||
        kernel_mounts_attach(own, pids, e) < 0 || receive_kept(conf, e) < 0 ||
        mounts_protect(conf->kept, conf->n_kept, e) < 0)
        return -1;
    /* nobody chose the working directory of a tool */
    return mounts_chdir(conf->cwd, conf->spec->profile == PROFILE_PLUGIN, e);
}

/* Where the private /tmp cannot be written, since something of the machine is
 * seen in it, a directory in it can. */
static void
make_private_scratch(struct child_config *conf, char scratch[SCRATCH_SIZE])
{
    const struct binds *b = &conf->binds;

    for (size_t i = 0; i < b->n; i++)
        if (b->at[i].kind == BIND_EMPTY &&
            path_is_below(SCRATCH_TEMPLATE, b->at[i].real) &&
            confine_landlock_abi() > 0 && binds_shows_more(b, &b->at[i])) {
            scratch_make(scratch);
            conf->scratch = scratch;
        }
}

static int
confine_child(struct child_config *conf, struct err *e)
{
    char scratch[SCRATCH_SIZE]; /* read until the confinement is applied */
    int rc;

    if (!conf->spec)
        return confine_step(e);
    if (conf->namespaces && enter_sandbox_view(conf, e) < 0)
        return -1;
    if (conf->namespaces)
        make_private_scratch(conf, scratch);
    if (conf->scratch && scratch_export(conf->scratch, e) < 0)
        return -1;
    rc = apply_confinement(conf, e);
    conf->scratch = NULL;
    return rc;
}

static int
by_number(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

int
child_close_all_but(int first, int *kept, size_t n)
{
    qsort(kept, n, sizeof(*kept), by_number);
    for (size_t i = 0; i < n; i++) {
        if (kept[i] < first)
            continue;
        if (kept[i] > first &&
            linux_close_range((unsigned)first, (unsigned)kept[i] - 1, 0) < 0)
            return -1;
        first = kept[i] + 1;
    }
    return linux_close_range((unsigned)first, ~0u, 0);
}

static bool
is_builtin_program(const struct child_config *conf)
{
    return conf->builtin && strcmp(conf->argv[0], conf->builtin->program) == 0;
}

/* Runs a builtin program as if it were executed, with only its streams open. */
static _Noreturn void
run_builtin(const struct child_builtin *tool)
{
    (void)prctl(PR_SET_NAME, path_base(tool->program));
    (void)linux_close_range(STDERR_FILENO + 1, ~0u, 0);
    _exit(tool->run());
}

/* No capability is left, so this check gives the same answer as execve(2). */
static bool
is_not_searchable(const char *path)
{
    return access(path, F_OK) < 0 && errno == EACCES;
}

static _Noreturn void
execute_program(const struct child_config *conf)
{
    struct err e = {0};
    int sys;

    /* only the program's: init must go on whatever the program uses */
    if (conf->spec &&
        limits_set(conf->spec, conf->namespaces & CLONE_NEWUSER, &e) < 0)
        _exit(child_print_error(e.text, LAUNCH_FAILED));
    for (size_t i = 0; i < conf->n_kept; i++)
        protect_lower_fd_limit(&conf->kept[i]);
    if (conf->tty >= 0) {
        (void)setpgid(0, 0);
        if (conf->foreground)
            streams_set_foreground(conf->tty, getpid());
    } else if (conf->has_session) {
        (void)setpgid(0, 0);
    } else if (conf->spec) {
        (void)setsid(); /* so that /dev/tty cannot be opened */
    }
    sigprocmask(SIG_SETMASK, &conf->mask, NULL);
    if (is_builtin_program(conf))
        run_builtin(conf->builtin);
    execvp(conf->argv[0], conf->argv); /* found in PATH, as a shell does */
    sys = errno;
    dprintf(STDERR_FILENO, "agentsh-launch: %s: %s%s\n", conf->argv[0],
            err_system(sys),
            is_not_searchable(conf->argv[0]) ? ": " SANDBOX_LAYER_CLOSED : "");
    _exit(sys == ENOENT ? 127 : 126);
}

/* Init: the first process of the pid namespace. */

/* Closes what init does not need: the directories by which the paths were found
 * are the machine's own. */
static void
close_rest(const struct child_config *conf)
{
    int kept[] = {conf->channel, conf->tty};

    (void)child_close_all_but(STDERR_FILENO + 1, kept, 2);
}

static void
report_stop(const struct child_config *conf, int signo)
{
    char byte = (char)signo;

    if (conf->tty >= 0)
        (void)!send(conf->channel, &byte, 1, MSG_NOSIGNAL);
}

/* Reaps children. Returns the program's status when it has ended, else -1. */
static int
reap_as_init(const struct child_config *conf, pid_t program, int *killed_by)
{
    int status = -1, st;
    pid_t pid;

    while ((pid = waitpid(-1, &st, WNOHANG | WUNTRACED)) > 0) {
        if (pid != program)
            continue;
        if (WIFSTOPPED(st))
            report_stop(conf, WSTOPSIG(st));
        else {
            status = WIFSIGNALED(st) ? 128 + WTERMSIG(st) : WEXITSTATUS(st);
            *killed_by = WIFSIGNALED(st) ? WTERMSIG(st) : 0;
        }
    }
    return status;
}

/* Every process of the namespace is our descendant and becomes our child when
 * its parent ends. So without a child we are alone. */
static bool
is_alone(void)
{
    siginfo_t si;

    return waitid(P_ALL, 0, &si, WEXITED | WNOHANG | WNOWAIT | __WALL) < 0 &&
           errno == ECHILD;
}

/* Kills everything else in the namespace at once, by kill(-1), for which the
 * kernel goes through all processes of the machine; so only if anything is
 * left. */
static _Noreturn void
end_namespace(const struct child_config *conf, int status, int killed_by)
{
    const char over[] = {CHILD_INIT_OVER, (char)status, (char)killed_by};

    if (!is_alone()) {
        (void)kill(-1, SIGKILL);
        while (waitpid(-1, NULL, 0) > 0 || errno == EINTR)
            ;
    }
    (void)!send(conf->channel, over, sizeof(over), MSG_NOSIGNAL);
    _exit(status);
}

static void
resume_program(const struct child_config *conf, pid_t program, bool foreground)
{
    if (foreground)
        streams_set_foreground(conf->tty, program);
    (void)kill(conf->tty < 0 ? -1 : -program, SIGCONT);
}

static _Noreturn void
run_as_init(struct child_config *conf)
{
    sigset_t awaited;
    siginfo_t si;
    pid_t program;
    int status, killed_by = 0;

    /* its memory, with the environment, is a copy of the launcher's */
    (void)prctl(PR_SET_DUMPABLE, 0);
    close_rest(conf);
    sigemptyset(&awaited);
    sigaddset(&awaited, SIGCHLD);
    sigaddset(&awaited, CHILD_INIT_BACKGROUND);
    sigaddset(&awaited, CHILD_INIT_FOREGROUND);
    sigaddset(&awaited, SIGTSTP);
    sigaddset(&awaited, LAUNCH_PASS);
    program = is_builtin_program(conf) ? fork() : vfork();
    if (program == 0)
        execute_program(conf);
    if (program < 0)
        _exit(child_print_error(err_system(errno), LAUNCH_FAILED));
    for (;;) {
        int signo = sigwaitinfo(&awaited, &si);

        if (signo == SIGCHLD &&
            (status = reap_as_init(conf, program, &killed_by)) >= 0)
            end_namespace(conf, status, killed_by);
        if (signo == LAUNCH_PASS)
            (void)kill(-program, si.si_value.sival_int);
        if (signo == SIGTSTP &&
            conf->tty <
                0) /* stops all of them, since there is no terminal to do it */
            (void)kill(-1, SIGSTOP);
        if (signo == CHILD_INIT_BACKGROUND || signo == CHILD_INIT_FOREGROUND)
            resume_program(conf, program, signo == CHILD_INIT_FOREGROUND);
    }
}

void
child_run(struct child_config *conf)
{
    struct err e = {0};

    /* without the launcher nobody would end it */
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (!(conf->namespaces & CLONE_NEWPID) && getppid() != conf->launcher)
        _exit(LAUNCH_FAILED); /* the launcher died before PDEATHSIG was set */
    if (confine_child(conf, &e) < 0)
        _exit(child_print_error(e.text, LAUNCH_FAILED));
    if (conf->namespaces & CLONE_NEWPID)
        run_as_init(conf);
    execute_program(conf);
}
