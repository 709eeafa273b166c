/* SPDX-License-Identifier: GPL-3.0-or-later */
/* launch.c - a program's process, behind the launcher. */
#include "tool/launch.h"

#include <string.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/path.h"
#include "tool/environ.h"

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
    buf_str(out, cwd ? cwd : "");
}

int
launch_start(const struct launch *l, bool alone, struct launched *out,
             struct err *e)
{
    CLEANUP(free_p) char *launcher = path_libexec("agentsh-launch", e);
    CLEANUP(free_p)
    const char **argv = launcher ? spec_argv(&l->words, l->n_words, e) : NULL;
    CLEANUP(fd_close_p) int reads = -1, writes = -1;
    struct proc_spec spec = {
        .envp = (const char *const *)l->env,
        .cwd = alone ? "/" : NULL,
        .fds = {alone ? PROC_NULL : PROC_PIPE, PROC_PIPE, PROC_PIPE}};
    struct proc *p;
    int fds[2];

    if (!argv)
        return -1;
    if (!alone) {
        if (fd_pipe(fds, e) < 0)
            return -1;
        reads = fds[0];
        writes = fds[1];
    }
    argv[0] = launcher;
    spec.argv = argv;
    spec.pass_fd = writes;
    if (!(p = proc_start(&spec, e)))
        return -1;
    *out = (struct launched){.proc = p, .report = TAKE_FD(reads)};
    return 0;
}

void
launched_done(struct launched *l)
{
    proc_free(l->proc);
    fd_close_p(&l->report);
    *l = (struct launched){.report = -1};
}
