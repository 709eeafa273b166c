/* SPDX-License-Identifier: GPL-3.0-or-later */
/* launch.c - runs the launcher's command line, OPTIONS -- PROGRAM ARG...: one
 * confined child.
 *
 * The launcher stands between the front and everything that a step starts. So
 * when the program ends, or the front dies, nothing that the program started
 * goes on: the kernel ends its pid namespace, or, where there is none,
 * processes that leave the process group or lose their parent become the
 * launcher's children. The exit status is the program's, 128 + signal, 126 or
 * 127 as in a shell, 125 when a layer of the sandbox is missing and nothing was
 * run, 124 at the time limit. Without options (spec.h) the program gets only
 * the filter for steps. */
#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/array.h"
#include "base/children.h"
#include "base/clock.h"
#include "base/fd.h"
#include "base/terminal_keeper.h"
#include "sandbox/launch/landlock.h"
#include "sandbox/launch/launch.h"
#include "sandbox/launch/namespaces.h"
#include "sandbox/launch/prefork.h"
#include "sandbox/launch/scratch.h"
#include "sandbox/launch/streams.h"
#include "sandbox/launch/supervise.h"
#include "sandbox/spec.h"

struct launcher {
    char **words;
    bool apart; /* a child without a network gets an empty network namespace */
    struct prefork *prefork; /* a child that was forked before; NULL: none */
    int baton;               /* the socket to the zygote; -1: none */
    struct sandbox_spec spec;
    struct child_config conf;
    struct protect kept[SPEC_PATHS_MAX + 1];
    char cwd[PATH_MAX];
    char scratch[SCRATCH_SIZE];
    int report;
    int killed_by; /* the signal to end by; 0: none */
};

/* Closes inherited descriptors, before anything else. */
static int
close_inherited(struct launcher *l, struct err *e)
{
    const struct prefork *r = l->prefork;
    int kept[] = {r ? r->channel : -1, r ? r->mounts : -1, l->baton};

    l->report = l->spec.report ? LAUNCH_REPORT_FD : -1;
    if (l->spec.report && fd_set_cloexec(LAUNCH_REPORT_FD, true, e) < 0)
        return -1;
    if (child_close_all_but(LAUNCH_REPORT_FD + l->spec.report, kept,
                            ARRAY_SIZE(kept)) < 0)
        return sandbox_layer_missing(e, "descriptors");
    return 0;
}

static int
protect_writable(struct launcher *l, struct err *e)
{
    const struct binds *b = &l->conf.binds;

    for (size_t i = 0; i < b->n; i++) {
        const struct bind *at = &b->at[i];
        struct protect *p;
        const struct git_person who = {
            .home = l->spec.home, .config_home = getenv("XDG_CONFIG_HOME")};
        bool workspace = l->spec.workspace &&
                         strcmp(at->given, l->spec.workspace) == 0;

        if (at->kind != BIND_WRITE && at->kind != BIND_COPY)
            continue;
        p = &l->kept[l->conf.n_kept++];
        if (protect_open(p, at->real, &who, workspace, e) < 0)
            return -1;
        if (!l->conf.namespaces)
            protect_copy(p);
    }
    return 0;
}

/* Starts the preforked child, or ends it if it does not fit. */
static void
use_prefork(struct launcher *l)
{
    struct prefork *r = l->prefork;

    if (r && (!prefork_fits(r, &l->conf) ||
              prefork_start(r, &l->conf, l->words) < 0))
        prefork_drop(r);
}

/* Looks up everything while paths still mean what the person meant. */
static int
resolve_paths(struct launcher *l, struct err *e)
{
    struct child_config *conf = &l->conf;

    conf->spec = &l->spec;
    conf->kept = l->kept;
    /* without Landlock the namespaces are used, in which other users' files
     * belong to nobody */
    l->spec.owners &= landlock_can_stand_alone();
    conf->namespaces = l->spec.owners || spec_is_reduced(&l->spec)
                           ? 0
                           : namespaces_of_profile(l->spec.profile);
    if (l->apart && conf->namespaces)
        conf->namespaces |= namespaces_network(&l->spec);
    conf->root = geteuid() == 0;
    conf->cwd = getcwd(l->cwd, sizeof(l->cwd));
    if (!conf->cwd || conf->cwd[0] != '/')
        return sandbox_layer_missing(e, "working directory");
    if (l->spec.profile != PROFILE_FULL && streams_check(e) < 0)
        return -1;
    if (l->spec.profile == PROFILE_OBSERVE && !l->spec.workspace)
        l->spec.workspace = l->cwd;
    if (l->spec.keep_terminal) {
        conf->tty = streams_open_terminal();
        conf->foreground = streams_is_foreground(conf->tty);
        conf->has_modes = conf->foreground &&
                          terminal_keeper_begin(conf->tty, &conf->modes);
    }
    if ((conf->namespaces || spec_is_reduced(&l->spec)) &&
        binds_make(&l->spec, &conf->binds, e) < 0)
        return -1;
    if (spec_is_reduced(&l->spec))
        scratch_make(l->scratch);
    conf->scratch = l->scratch;
    use_prefork(l);
    return protect_writable(l, e); /* does nothing where nothing is bound */
}

/* Ends a child that failed or still waits, and prints the error unless the
 * child has printed one. */
static int
end_failed_child(pid_t child, int channel, const struct err *e)
{
    int st = 0;

    close(channel);
    while (waitpid(child, &st, 0) < 0 && errno == EINTR)
        ;
    if (!WIFEXITED(st) || WEXITSTATUS(st) != LAUNCH_FAILED)
        (void)child_print_error(e->text, 0);
    return -1;
}

/* Returns the child, or -1 when the error has been printed. Does not return in
 * the child. */
static pid_t
fork_child(struct launcher *l, int *channel)
{
    struct err e = {0};
    int ends[2];
    pid_t pid;

    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
        return child_print_error("no socket pair", -1);
    l->conf.channel = ends[1];
    l->conf.launcher = getpid();
    pid = namespaces_fork(l->conf.namespaces, &e);
    if (pid < 0 && (l->conf.namespaces & CLONE_NEWNET)) {
        l->conf.namespaces &= ~(
            unsigned)CLONE_NEWNET; /* the filter alone blocks the network */
        pid = namespaces_fork(l->conf.namespaces, &e);
    }
    if (pid == 0) {
        close(ends[0]);
        child_run(&l->conf);
    }
    close(ends[1]);
    if (pid < 0)
        return child_print_error(e.text, -1);
    if (l->conf.namespaces &&
        namespaces_map(pid, l->conf.namespaces, ends[0], &e) < 0)
        return end_failed_child(pid, ends[0], &e);
    *channel = ends[0];
    return pid;
}

static void
report_protect(void *arg, const char *what, const char *root, const char *path)
{
    const struct launcher *l = arg;
    char place[PATH_MAX];

    snprintf(place, sizeof(place), "%s/%s", root, path);
    seccomp_notify_write_line(l->report, what, place);
    if (strcmp(what, PROTECT_STAYS) == 0)
        seccomp_notify_write_line(
            STDERR_FILENO,
            "agentsh-launch: the command left files that git would "
            "trust, and they could not be set aside: do not use git in",
            place);
    if (strcmp(what, PROTECT_BACK) == 0)
        seccomp_notify_write_line(
            STDERR_FILENO,
            "agentsh-launch: the command changed what git or agentsh "
            "trusts; it was put back:",
            place);
    if (strcmp(what, PROTECT_ASIDE) == 0 && strcmp(path, PROTECT_POLICY) == 0)
        seccomp_notify_write_line(
            STDERR_FILENO,
            "agentsh-launch: the command changed its own permissions; "
            "these files were set aside:",
            place);
    else if (strcmp(what, PROTECT_ASIDE) == 0)
        seccomp_notify_write_line(
            STDERR_FILENO,
            "agentsh-launch: the command left files that git would "
            "trust; they were set aside:",
            place);
}

static int
run_child(struct launcher *l, const sigset_t *signals)
{
    struct supervise s = {
        .conf = &l->conf,
        .signals = signalfd(-1, signals, SFD_CLOEXEC),
        .notify = {.listener = -1, .report = l->report},
        .until = l->spec.limit_ms ? clock_ms() + l->spec.limit_ms : -1,
    };
    int status = LAUNCH_FAILED;

    if (s.signals < 0)
        return child_print_error("signalfd failed", LAUNCH_FAILED);
    if (l->prefork) {
        s.channel = l->prefork->channel;
        s.child = prefork_take(l->prefork, &l->conf);
    }
    if (s.child == 0)
        s.child = fork_child(l, &s.channel);
    if (s.child > 0)
        status = supervise_run(&s);
    l->killed_by = l->spec.alike ? s.killed_by : 0;
    return status;
}

/* Removes what was made for the run, also if nothing was run. */
static void
clean_up(struct launcher *l)
{
    for (size_t i = 0; i < l->conf.n_kept; i++)
        protect_close(&l->kept[i], report_protect, l);
    binds_done(&l->conf.binds);
    scratch_remove(l->scratch);
}

/* Parses the words: options and a program, or a program alone. */
static int
read_launch_words(int argc, char **argv, struct launcher *l, struct err *e)
{
    int rest = 1;

    if (argc < 2)
        return err_set(e, ERR_USAGE,
                       "usage: agentsh-launch [OPTION... --] PROGRAM [ARG...]");
    if (strncmp(argv[1], "--", 2) == 0 &&
        spec_read(argc, argv, &l->spec, &rest, e) < 0)
        return -1;
    l->words = argv;
    l->conf.argv = argv + rest;
    if (rest > 1 && (close_inherited(l, e) < 0 || resolve_paths(l, e) < 0))
        return -1;
    return 0;
}

/* Ends as the program did, without a dump of our own memory. */
static void
end_alike(int signo)
{
    static const struct rlimit none = {0, 0};
    sigset_t only_this;

    (void)prctl(PR_SET_DUMPABLE, 0);
    (void)setrlimit(RLIMIT_CORE, &none);
    (void)signal(signo, SIG_DFL);
    sigemptyset(&only_this);
    sigaddset(&only_this, signo);
    (void)sigprocmask(SIG_UNBLOCK, &only_this, NULL);
    (void)raise(signo);
}

static int
launch_and_clean_up(struct launcher *l, int argc, char **argv, bool tied)
{
    pid_t front = getppid();
    sigset_t signals;
    struct err e = {0};
    int status;

    l->conf.front = front;
    l->conf.front_group = getpgid(front);
    supervise_signals(&signals);
    sigprocmask(SIG_BLOCK, &signals, &l->conf.mask);
    sigdelset(&l->conf.mask, LAUNCH_PASS); /* it is for us, not the program */
    /* The front's death must send a signal that we can handle. Until now it was
     * SIGKILL (base/proc), so that there is no moment without. */
    if (tied)
        (void)prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (tied && getppid() != front)
        return 128 + SIGTERM;
    children_adopt();
    if (read_launch_words(argc, argv, l, &e) == 0) {
        status = run_child(l, &signals);
    } else {
        if (l->prefork) /* it must not print an error as well */
            prefork_drop(l->prefork);
        status = child_print_error(e.text,
                                   e.code == ERR_USAGE ? 2 : LAUNCH_FAILED);
    }
    clean_up(l);
    if (l->killed_by)
        end_alike(l->killed_by);
    return status;
}

/* A process launches once. Being static, this gets only the pages that are
 * used: setting all of it to zero would take as long as ten mounts. */
static struct launcher only;

int
launch_run(int argc, char **argv, bool tied)
{
    only.apart = tied;
    only.baton = only.report = only.conf.tty = only.conf.channel = -1;
    return launch_and_clean_up(&only, argc, argv, tied);
}

int
launch_run_preforked(int argc, char **argv, struct prefork *prefork, int baton,
                     bool tied)
{
    only.prefork = prefork;
    only.conf.builtin = prefork->builtin;
    only.apart = tied;
    only.baton = baton;
    only.report = only.conf.tty = only.conf.channel = -1;
    return launch_and_clean_up(&only, argc, argv, tied);
}
