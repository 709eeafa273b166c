/* SPDX-License-Identifier: GPL-3.0-or-later */
/* launch.c - a plugin's process, behind the launcher. */
#include "tool/launch.h"

#include "base/fd.h"
#include "base/path.h"
#include "tool/environ.h"

#define WORDS_BYTES (1u << 20) /* paths of a spec, all at their longest */

/* Where the launcher finds a plugin: libexec/agentsh/plugins/NAME/NAME. */
static char *
plugin_path(const char *name, struct err *e)
{
    CLEANUP_BUF struct buf path = buf_of(256);

    buf_printf(&path, "plugins/%s/%s", name, name);
    if (buf_ok(&path, "a tool's name", e) < 0)
        return NULL;
    return path_libexec(path.p, e);
}

struct proc *
launch_plugin(const char *name, const struct tool_setting *s, int *report,
              struct err *e)
{
    CLEANUP(free_p) char *launcher = path_libexec("agentsh-launch", e);
    CLEANUP(free_p) char *program = plugin_path(name, e);
    const struct environ_wish wish = {
        .spec = s->sandbox, .config = s->config, .colour = s->colour};
    CLEANUP(environ_free_p) char **env = environ_for(&wish, e);
    CLEANUP(free_p) const char **argv = NULL;
    CLEANUP(fd_close_p) int reads = -1, writes = -1;
    CLEANUP_BUF struct buf words = buf_of(WORDS_BYTES);
    struct proc_spec spec = {.fds = {PROC_PIPE, PROC_PIPE, PROC_PIPE},
                             .adopt = true};
    struct proc *p;
    size_t n;
    int fds[2];

    if (!launcher || !program || !env ||
        spec_write(s->sandbox, (const char *const[]){program, NULL}, &words, &n,
                   e) < 0 ||
        fd_pipe(fds, e) < 0)
        return NULL;
    reads = fds[0];
    writes = fds[1];
    if (!(argv = spec_argv(&words, n, e)))
        return NULL;
    argv[0] = launcher;
    spec.argv = argv;
    spec.envp = (const char *const *)env;
    spec.pass_fd = writes;
    p = proc_start(&spec, e);
    if (p)
        *report = TAKE_FD(reads);
    return p;
}
