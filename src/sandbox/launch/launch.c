/* SPDX-License-Identifier: GPL-3.0-or-later */
/* launch.c - OPTIONS -- PROGRAM ARG…: one confined child.
 *
 * It stands between the front and everything that a step starts, so that when
 * the program ends, or the front dies, nothing that it started goes on: by
 * its pid namespace, and where there is none, because what leaves its process
 * group or loses its parent becomes the launcher's child. Exit status: the
 * program's, 128 + signal, 126 or 127 as a shell, 125 when a layer of the
 * sandbox is missing and nothing ran, 124 when the time limit passed. Without
 * options (spec.h) the program is started behind the filter for steps. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/children.h"
#include "base/clock.h"
#include "base/fd.h"
#include "sandbox/launch/landlock.h"
#include "sandbox/launch/launch.h"
#include "sandbox/launch/namespaces.h"
#include "sandbox/launch/ready.h"
#include "sandbox/launch/scratch.h"
#include "sandbox/launch/streams.h"
#include "sandbox/launch/supervise.h"
#include "sandbox/launch/terminal.h"
#include "sandbox/layer.h"

struct launch {
    char **words;
    bool apart;          /* what has no network gets one with nobody in it */
    struct ready *ready; /* a child that is there already; NULL: none */
    int baton;           /* to who makes the next one; -1 */
    struct sandbox_spec spec;
    struct inside in;
    struct protect kept[SPEC_PATHS_MAX + 1];
    char cwd[PATH_MAX];
    char scratch[SCRATCH_SIZE];
    int report;
};

/* Before anything else: what we inherited is nobody's business. */
static int
close_inherited(struct launch *l, struct err *e)
{
    const struct ready *r = l->ready;
    int kept[] = {r ? r->line : -1, r ? r->mounts : -1, l->baton};

    l->report = l->spec.report ? LAUNCH_REPORT_FD : -1;
    if (l->spec.report && fd_set_cloexec(LAUNCH_REPORT_FD, true, e) < 0)
        return -1;
    if (inside_close_but(LAUNCH_REPORT_FD + l->spec.report, kept,
                         sizeof(kept) / sizeof(*kept)) < 0)
        return layer_missing(e, "descriptors");
    return 0;
}

static int
protect_writable(struct launch *l, struct err *e)
{
    const struct binds *b = &l->in.binds;

    for (size_t i = 0; i < b->n; i++) {
        const struct bind *at = &b->at[i];
        struct protect *p;
        bool workspace = l->spec.workspace &&
                         strcmp(at->given, l->spec.workspace) == 0;

        if (at->kind != BIND_WRITE && at->kind != BIND_COPY)
            continue;
        p = &l->kept[l->in.n_kept++];
        if (protect_open(p, at->real, l->spec.home, workspace, e) < 0)
            return -1;
        if (!l->in.namespaces)
            protect_copy(p);
    }
    return 0;
}

/* The child that is there already begins; if it is none for this, it goes. */
static void
begin_ready(struct launch *l)
{
    struct ready *r = l->ready;

    if (r && (!ready_fits(r, &l->in) || ready_go(r, &l->in, l->words) < 0))
        ready_drop(r);
}

/* Everything that is looked up where paths still mean what was meant. */
static int
look(struct launch *l, struct err *e)
{
    struct inside *in = &l->in;

    in->spec = &l->spec;
    in->kept = l->kept;
    /* without Landlock the namespaces stay, where others' files are shown as
     * nobody's */
    l->spec.owners &= landlock_can_read();
    in->namespaces = l->spec.owners || spec_is_reduced(&l->spec)
                         ? 0
                         : namespaces_of(l->spec.profile);
    if (l->apart && in->namespaces)
        in->namespaces |= namespaces_network(&l->spec);
    in->root = geteuid() == 0;
    in->cwd = getcwd(l->cwd, sizeof(l->cwd));
    if (!in->cwd || in->cwd[0] != '/')
        return layer_missing(e, "working directory");
    if (l->spec.profile != PROFILE_FULL && streams_check(e) < 0)
        return -1;
    if (l->spec.profile == PROFILE_OBSERVE && !l->spec.workspace)
        l->spec.workspace = l->cwd;
    if (l->spec.keep_terminal) {
        in->tty = terminal_open();
        in->foreground = terminal_is_ours(in->tty);
    }
    if ((in->namespaces || spec_is_reduced(&l->spec)) &&
        binds_of(&l->spec, &in->binds, e) < 0)
        return -1;
    if (spec_is_reduced(&l->spec))
        scratch_make(l->scratch);
    in->scratch = l->scratch;
    begin_ready(l);
    return protect_writable(l, e); /* of none, where nothing is bound */
}

/* Its child is about to fail, or waits for a word: which of the two speaks? */
static int
give_up(pid_t child, int line, const struct err *e)
{
    int st = 0;

    close(line);
    while (waitpid(child, &st, 0) < 0 && errno == EINTR)
        ;
    if (!WIFEXITED(st) || WEXITSTATUS(st) != EXIT_SANDBOX)
        (void)inside_complain(e->text, 0);
    return -1;
}

/* Returns the child, or -1 when somebody has said why not; in the child
 * itself never. */
static pid_t
start(struct launch *l, int *line)
{
    struct err e = {0};
    int ends[2];
    pid_t pid;

    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
        return inside_complain("no socket pair", -1);
    l->in.line = ends[1];
    l->in.launcher = getpid();
    pid = namespaces_fork(l->in.namespaces, &e);
    if (pid < 0 && (l->in.namespaces & CLONE_NEWNET)) {
        l->in.namespaces &= ~(unsigned)CLONE_NEWNET; /* the filter stands */
        pid = namespaces_fork(l->in.namespaces, &e);
    }
    if (pid == 0) {
        close(ends[0]);
        inside_run(&l->in);
    }
    close(ends[1]);
    if (pid < 0)
        return inside_complain(e.text, -1);
    if (l->in.namespaces &&
        namespaces_map(pid, l->in.namespaces, ends[0], &e) < 0)
        return give_up(pid, ends[0], &e);
    *line = ends[0];
    return pid;
}

static void
told(void *arg, const char *what, const char *root, const char *path)
{
    const struct launch *l = arg;
    char place[PATH_MAX];

    snprintf(place, sizeof(place), "%s/%s", root, path);
    notify_say(l->report, what, place);
    if (strcmp(what, PROTECT_STAYS) == 0)
        notify_say(STDERR_FILENO,
                   "agentsh-launch: the command left files that git would "
                   "trust, and they could not be set aside: do not use git in",
                   place);
    if (strcmp(what, PROTECT_BACK) == 0)
        notify_say(STDERR_FILENO,
                   "agentsh-launch: the command changed what git or agentsh "
                   "trusts; it was put back:",
                   place);
    if (strcmp(what, PROTECT_ASIDE) == 0 && strcmp(path, PROTECT_POLICY) == 0)
        notify_say(STDERR_FILENO,
                   "agentsh-launch: the command changed its own permissions; "
                   "these files were set aside:",
                   place);
    else if (strcmp(what, PROTECT_ASIDE) == 0)
        notify_say(STDERR_FILENO,
                   "agentsh-launch: the command left files that git would "
                   "trust; they were set aside:",
                   place);
}

static int
run(struct launch *l, const sigset_t *signals)
{
    struct supervise s = {
        .in = &l->in,
        .signals = signalfd(-1, signals, SFD_CLOEXEC),
        .notify = {.listener = -1, .report = l->report},
        .until = l->spec.limit_ms ? clock_ms() + l->spec.limit_ms : -1,
    };
    int status = EXIT_SANDBOX;

    if (s.signals < 0)
        return inside_complain("signalfd failed", EXIT_SANDBOX);
    if (l->ready) {
        s.line = l->ready->line;
        s.child = ready_take(l->ready, &l->in);
    }
    if (s.child == 0)
        s.child = start(l, &s.line);
    if (s.child > 0)
        status = supervise_run(&s);
    return status;
}

/* What was made for the run goes, whether there was one or not. */
static void
let_go(struct launch *l)
{
    for (size_t i = 0; i < l->in.n_kept; i++)
        protect_close(&l->kept[i], told, l);
    binds_done(&l->in.binds);
    scratch_remove(l->scratch);
}

/* The spec of the words, or none: a program alone. */
static int
read_words(int argc, char **argv, struct launch *l, struct err *e)
{
    int rest = 1;

    if (argc < 2)
        return err_set(e, ERR_USAGE,
                       "usage: agentsh-launch [OPTION... --] PROGRAM [ARG...]");
    if (strncmp(argv[1], "--", 2) == 0 &&
        spec_read(argc, argv, &l->spec, &rest, e) < 0)
        return -1;
    l->words = argv;
    l->in.argv = argv + rest;
    if (rest > 1 && (close_inherited(l, e) < 0 || look(l, e) < 0))
        return -1;
    return 0;
}

static int
launch(struct launch *l, int argc, char **argv, bool tied)
{
    pid_t front = getppid();
    sigset_t signals;
    struct err e = {0};
    int status;

    supervise_signals(&signals);
    sigprocmask(SIG_BLOCK, &signals, &l->in.mask);
    /* The front's death must be a signal that we can act on. Until here it
     * was SIGKILL (base/proc), so no moment is without. */
    if (tied)
        (void)prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (tied && getppid() != front)
        return 128 + SIGTERM;
    children_adopt();
    if (read_words(argc, argv, l, &e) == 0) {
        status = run(l, &signals);
    } else {
        if (l->ready) /* it must not speak, too, of what it does not hear */
            ready_drop(l->ready);
        status = inside_complain(e.text,
                                 e.code == ERR_USAGE ? 2 : EXIT_SANDBOX);
    }
    let_go(l);
    return status;
}

/* A process launches once. Of the many pages of this only those that it needs
 * are made: to set all of them to zero would take as long as ten mounts. */
static struct launch only;

int
launch_words(int argc, char **argv, bool tied)
{
    only.apart = tied;
    only.baton = only.report = only.in.tty = only.in.line = -1;
    return launch(&only, argc, argv, tied);
}

int
launch_ready(int argc, char **argv, struct ready *ready, int baton, bool tied)
{
    only.ready = ready;
    only.in.tool = ready->tool;
    only.apart = tied;
    only.baton = baton;
    only.report = only.in.tty = only.in.line = -1;
    return launch(&only, argc, argv, tied);
}
