/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spawn.c - starts a tool's program by the launcher, in its confinement. */
#include "tool/spawn.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/path.h"
#include "sandbox/launch/launch.h"
#include "tool/environ.h"

/* The program that speaks the API for tools of the form "words". */
#define WORDS       "plugins/words/words"
#define WORDS_BYTES (1u << 20) /* all paths of a spec at their longest */

int
spawn_prepare(struct spawn *l, const char *const *argv,
              const struct tool_setting *s, struct err *e)
{
    const struct environ_params params = {.seat = s->seat,
                                          .spec = s->sandbox,
                                          .config = s->config,
                                          .colour = s->colour};

    *l = (struct spawn){.words = buf_of(WORDS_BYTES), .seat = s->seat};
    l->env = environ_for(&params, e);
    return l->env ? spec_write(s->sandbox, argv, &l->words, &l->n_words, e)
                  : -1;
}

int
spawn_prepare_tool(struct spawn *l, const struct tool *t,
                   const struct tool_setting *s, struct err *e)
{
    const char *argv[] = {t->program, NULL, NULL};
    CLEANUP(free_p) char *words = NULL;

    *l = (struct spawn){0};
    if (t->manifest->words) {
        if (!(words = path_libexec(WORDS, e)))
            return -1;
        argv[0] = words;
        argv[1] = t->program;
    }
    return spawn_prepare(l, argv, s, e);
}

void
spawn_done(struct spawn *l)
{
    buf_done(&l->words);
    environ_free(l->env);
    l->env = NULL;
}

void
spawn_key(const struct spawn *l, const char *version, struct buf *out)
{
    const char *dir = l->cwd ? l->cwd : seat_dir(l->seat);

    buf_add(out, l->words.p, l->words.len);
    for (char **v = l->env; *v; v++)
        buf_add(out, *v, strlen(*v) + 1);
    buf_add(out, version, strlen(version) + 1);
    buf_str(out, dir ? dir : "");
}

struct spawn_plan *
spawn_plan_new(const struct tool *t, const struct tool_setting *s, bool waits,
               struct err *e)
{
    CLEANUP(spawn_plan_free_p) struct spawn_plan *p = calloc(1, sizeof(*p));

    if (!p) {
        err_nomem(e);
        return NULL;
    }
    p->users = 1;
    buf_init(&p->key, SPAWN_KEY_MAX);
    if (spawn_prepare_tool(&p->is, t, s, e) < 0)
        return NULL;
    if (waits)
        spawn_key(&p->is, t->hash, &p->key);
    return buf_ok(&p->key, "its environment", e) < 0 ? NULL : TAKE_PTR(p);
}

struct spawn_plan *
spawn_plan_share(struct spawn_plan *p)
{
    p->users++;
    return p;
}

void
spawn_plan_free(struct spawn_plan *p)
{
    if (!p || --p->users > 0)
        return;
    spawn_done(&p->is);
    buf_done(&p->key);
    free(p);
}

bool
spawn_plan_is_same(const struct spawn_plan *a, const struct spawn_plan *b)
{
    return a == b || (a->key.len == b->key.len &&
                      memcmp(a->key.p, b->key.p, a->key.len) == 0);
}

static struct proc *
exec_program(const struct spawn *l, struct proc_spec *spec, struct err *e)
{
    CLEANUP(free_p) char *launcher = path_libexec(SPAWN_LAUNCHER, e);
    CLEANUP(free_p)
    const char **argv = launcher ? spec_argv(&l->words, l->n_words, e) : NULL;

    if (!argv)
        return NULL;
    argv[0] = launcher;
    spec->argv = argv;
    spec->envp = (const char *const *)l->env;
    return proc_start(spec, e);
}

int
spawn_start(const struct spawn *l, struct zygote_client *zygote,
            struct spawned *out, struct err *e)
{
    struct proc_spec spec = {.fds = {PROC_PIPE, PROC_PIPE, PROC_PIPE}};
    CLEANUP(fd_close_p) int reads = -1, writes = -1;
    struct proc *p = NULL;
    int fds[2];

    if (fd_pipe(fds, e) < 0)
        return -1;
    reads = fds[0];
    spec.pass_fd = writes = fds[1];
    spec.cwd = l->cwd;
    spec.seat = l->seat;
    if (zygote && !l->cwd && seat_fd(l->seat) >= 0)
        p = zygote_client_start(zygote, &l->words, l->n_words,
                                (const char *const *)l->env, seat_fd(l->seat),
                                writes, NULL);
    if (!p && !(p = exec_program(l, &spec, e)))
        return -1;
    *out = (struct spawned){.proc = p, .report = TAKE_FD(reads)};
    return 0;
}

int
spawn_start_alone(const struct spawn *l, const char *cwd, int tty, bool whole,
                  struct spawned *out, struct err *e)
{
    struct proc_spec spec = {.cwd = cwd,
                             .fds = {PROC_NULL, PROC_PIPE, PROC_PIPE},
                             .pass_fd = -1,
                             .takes_terminal = tty >= 0};
    struct proc *p;

    for (int i = 0; tty >= 0 && i < (whole ? 3 : 1); i++)
        spec.fds[i] = tty;
    p = exec_program(l, &spec, e);

    if (!p)
        return -1;
    *out = (struct spawned){.proc = p, .report = -1};
    return 0;
}

void
spawn_signal(struct proc *launcher, int signo)
{
    (void)sigqueue(proc_pid(launcher), LAUNCH_PASS,
                   (union sigval){.sival_int = signo});
    if (signo == SIGCONT) /* it stops when the program does, for its terminal */
        proc_signal(launcher, SIGCONT);
}

void
spawned_done(struct spawned *l)
{
    proc_free(l->proc);
    fd_close_p(&l->report);
    *l = (struct spawned){.report = -1};
}
