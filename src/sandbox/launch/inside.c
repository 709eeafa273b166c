/* SPDX-License-Identifier: GPL-3.0-or-later */
/* inside.c - the child of the launcher, up to the program. */
#include "sandbox/launch/inside.h"

#include <errno.h>
#include <linux/capability.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/linux_calls.h"
#include "base/path.h"
#include "sandbox/confine.h"
#include "sandbox/launch/brief.h"
#include "sandbox/launch/landlock.h"
#include "sandbox/launch/limits.h"
#include "sandbox/launch/mounts.h"
#include "sandbox/launch/mounts_own.h"
#include "sandbox/launch/namespaces.h"
#include "sandbox/launch/owner.h"
#include "sandbox/launch/reaper.h"
#include "sandbox/launch/scratch.h"
#include "sandbox/launch/terminal.h"
#include "sandbox/layer.h"

/* What root's lsof needs to look into other people's processes. */
#define READER_CAPABILITIES (1u << CAP_SYS_PTRACE | 1u << CAP_DAC_READ_SEARCH)

int
inside_complain(const char *what, int status)
{
    dprintf(STDERR_FILENO, "agentsh-launch: %s\n", what);
    return status;
}

/* The launcher hears of refused calls by it. */
static int
send_listener(int line, int listener, struct err *e)
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
    n = sendmsg(line, &msg, MSG_NOSIGNAL);
    close(listener);
    return n == 1 ? 0 : layer_missing(e, "reports");
}

/* The first thing with no capabilities is the last with a say in it. */
static int
confine(const struct inside *in, struct err *e)
{
    const struct sandbox_spec *s = in->spec;
    /* a reader of processes is given /dev/null by the launcher */
    bool reader = s->profile == PROFILE_OBSERVE_PROC;
    bool asks = s->report || reader || s->owners;
    uint64_t keep = reader ? READER_CAPABILITIES : 0;
    int listener = -1;

    if (s->profile == PROFILE_FULL)
        return 0;
    if (confine_no_new_privs(e) < 0 ||
        (!in->namespaces && confine_bounds(keep, e) < 0) ||
        (spec_is_reduced(s) && owner_become(in, e) < 0) ||
        confine_capabilities(keep, e) < 0)
        return -1;
    if (s->owners && landlock_reads(s, e) < 0)
        return -1;
    if (!s->owners && spec_is_reduced(s) &&
        landlock_reduced(s, &in->binds, in->scratch, e) < 0)
        return -1;
    if (in->namespaces && landlock_writes(s, &in->binds, e) < 0)
        return -1;
    if (confine_profile(s, asks ? &listener : NULL, e) < 0)
        return -1;
    return listener < 0 ? 0 : send_listener(in->line, listener, e);
}

/* The launcher may look for it while we mount. */
static int
hear_kept(struct inside *in, struct err *e)
{
    struct brief *b = in->brief;

    in->brief = NULL;
    return b ? brief_hear_kept(in->line, b, e) : 0;
}

static int
see(struct inside *in, struct err *e)
{
    bool own_pids = (in->namespaces & CLONE_NEWPID) != 0;
    /* an overlay makes files of its own: as whom, the maps must say before */
    bool early = in->spec->preview != NULL;
    unsigned pids = in->root ? limits_processes(in->spec) : 0;
    struct mounts_own *own = in->own, taken;
    struct mounts m;

    if (early && !in->ready)
        namespaces_wait(in->line);
    if (early && hear_kept(in, e) < 0) /* it is made below an overlay */
        return -1;
    if (mounts_take(&m, in->spec, &in->binds, e) < 0 ||
        (!in->ready && confine_bounds(0, e) < 0))
        return -1;
    if (!early && !in->ready)
        namespaces_wait(in->line);
    if (!own) {
        own = &taken;
        if (mounts_own_take(own, own_pids, pids, e) < 0)
            return -1;
    }
    if (own->room_bytes == m.room_bytes)
        m.room = own->room;
    if (mounts_place(&m, &in->binds, e) < 0 ||
        mounts_own_place(own, pids, e) < 0 || hear_kept(in, e) < 0 ||
        mounts_protect(in->kept, in->n_kept, e) < 0)
        return -1;
    /* a tool was not started there by a person */
    return mounts_enter(in->cwd, in->spec->profile == PROFILE_PLUGIN, e);
}

static int
prepare(struct inside *in, struct err *e)
{
    if (!in->spec)
        return confine_step(e);
    if (in->namespaces && see(in, e) < 0)
        return -1;
    if (in->scratch && scratch_export(in->scratch, e) < 0)
        return -1;
    return confine(in, e);
}

static int
by_number(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

int
inside_close_but(int first, int *kept, size_t n)
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

bool
inside_has_program(const struct inside *in)
{
    return in->tool && strcmp(in->argv[0], in->tool->program) == 0;
}

/* As if it were executed: with nothing open but its streams. */
static _Noreturn void
run_tool(const struct inside_tool *tool)
{
    (void)prctl(PR_SET_NAME, path_base(tool->program));
    (void)linux_close_range(STDERR_FILENO + 1, ~0u, 0);
    _exit(tool->run());
}

/* No capability is left, so that this is what the program met. */
static bool
is_closed(const char *path)
{
    return access(path, F_OK) < 0 && errno == EACCES;
}

void
inside_execute(const struct inside *in)
{
    struct err e = {0};
    int sys;

    /* the program's alone: the reaper has to live on whatever it uses */
    if (in->spec && limits_set(in->spec, &e) < 0)
        _exit(inside_complain(e.text, EXIT_SANDBOX));
    for (size_t i = 0; i < in->n_kept; i++)
        protect_lower_files(&in->kept[i]);
    if (in->tty >= 0) {
        (void)setpgid(0, 0);
        if (in->foreground)
            terminal_give(in->tty, getpid());
    } else if (in->session) {
        (void)setpgid(0, 0);
    } else if (in->spec) {
        (void)setsid(); /* /dev/tty does not open */
    }
    sigprocmask(SIG_SETMASK, &in->mask, NULL);
    if (inside_has_program(in))
        run_tool(in->tool);
    execvp(in->argv[0], in->argv); /* by PATH, as a shell would find it */
    sys = errno;
    dprintf(STDERR_FILENO, "agentsh-launch: %s: %s%s\n", in->argv[0],
            strerror(sys), is_closed(in->argv[0]) ? ": " LAYER_CLOSED : "");
    _exit(sys == ENOENT ? 127 : 126);
}

void
inside_run(struct inside *in)
{
    struct err e = {0};

    /* with the launcher gone, nobody would end it */
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (!(in->namespaces & CLONE_NEWPID) && getppid() != in->launcher)
        _exit(EXIT_SANDBOX); /* it died before it could be watched */
    if (prepare(in, &e) < 0)
        _exit(inside_complain(e.text, EXIT_SANDBOX));
    if (in->namespaces & CLONE_NEWPID)
        reaper_run(in);
    inside_execute(in);
}
