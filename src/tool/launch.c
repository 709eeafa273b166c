/* SPDX-License-Identifier: GPL-3.0-or-later */
/* launch.c - a program's process, behind the launcher. */
#include "tool/launch.h"

#include <string.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/path.h"
#include "tool/environ.h"

#define WORDS       "plugins/words/words" /* for who knows only words */
#define WORDS_BYTES (1u << 20) /* paths of a spec, all at their longest */

int
launch_prepare(struct launch *l, const char *const *argv,
               const struct tool_setting *s, struct err *e)
{
    const struct environ_wish wish = {
        .spec = s->sandbox, .config = s->config, .colour = s->colour};

    *l = (struct launch){.words = buf_of(WORDS_BYTES)};
    l->env = environ_for(&wish, e);
    return l->env ? spec_write(s->sandbox, argv, &l->words, &l->n_words, e)
                  : -1;
}

int
launch_prepare_tool(struct launch *l, const struct tool *t,
                    const struct tool_setting *s, struct err *e)
{
    const char *argv[] = {t->program, NULL, NULL};
    CLEANUP(free_p) char *words = NULL;

    *l = (struct launch){0};
    if (t->manifest->words) {
        if (!(words = path_libexec(WORDS, e)))
            return -1;
        argv[0] = words;
        argv[1] = t->program;
    }
    return launch_prepare(l, argv, s, e);
}

void
launch_done(struct launch *l)
{
    buf_done(&l->words);
    environ_free(l->env);
    l->env = NULL;
}

void
launch_key(const struct launch *l, const char *version, struct buf *out)
{
    CLEANUP(free_p) char *cwd = getcwd(NULL, 0);

    buf_add(out, l->words.p, l->words.len);
    for (char **v = l->env; *v; v++)
        buf_add(out, *v, strlen(*v) + 1);
    buf_add(out, version, strlen(version) + 1);
    buf_str(out, l->cwd ? l->cwd : cwd ? cwd : "");
}

static struct proc *
execute(const struct launch *l, struct proc_spec *spec, struct err *e)
{
    CLEANUP(free_p) char *launcher = path_libexec(LAUNCHER, e);
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
launch_start(const struct launch *l, struct zygote_client *spare,
             struct launched *out, struct err *e)
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
    if (spare && !l->cwd)
        p = zygote_client_start(spare, &l->words, l->n_words,
                                (const char *const *)l->env, writes, NULL);
    if (!p && !(p = execute(l, &spec, e)))
        return -1;
    *out = (struct launched){.proc = p, .report = TAKE_FD(reads)};
    return 0;
}

int
launch_start_alone(const struct launch *l, struct launched *out, struct err *e)
{
    struct proc_spec spec = {
        .cwd = "/", .fds = {PROC_NULL, PROC_PIPE, PROC_PIPE}, .pass_fd = -1};
    struct proc *p = execute(l, &spec, e);

    if (!p)
        return -1;
    *out = (struct launched){.proc = p, .report = -1};
    return 0;
}

void
launched_done(struct launched *l)
{
    proc_free(l->proc);
    fd_close_p(&l->report);
    *l = (struct launched){.report = -1};
}
