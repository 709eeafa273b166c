/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ai_child.c - run `ai` as a child process on the terminal. */
#include "frontend/repl/ai_child.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "base/path.h"
#include "base/proc.h"
#include "frontend/repl/ai_line.h"

struct ai_child {
    struct proc *proc;
    struct watch *watch;
    ai_child_done *done;
    void *arg;
    struct warm_process *warm; /* NULL: nothing is lent */
};

/* Installed, bin/ and libexec/agentsh/ have one parent; in a build tree all
 * programs lie side by side. The name itself is kept: it may be a link, and
 * tells the program what it is. */
char *
ai_child_path(void)
{
    static const char *const places[] = {"/../../bin", ""};
    char exe[PATH_MAX], place[PATH_MAX + 16];
    ssize_t n = readlink("/proc/self/exe", exe, sizeof(exe) - 1);
    char *slash;

    exe[n > 0 ? n : 0] = '\0';
    slash = strrchr(exe, '/');
    if (slash)
        *slash = '\0';
    for (size_t i = 0; slash && i < ARRAY_SIZE(places); i++) {
        CLEANUP(free_p) char *dir = NULL;
        CLEANUP(free_p) char *path = NULL;

        snprintf(place, sizeof(place), "%s%s", exe, places[i]);
        dir = realpath(place, NULL);
        path = dir ? path_join(dir, AI_NAME) : NULL;
        if (path && access(path, X_OK) == 0)
            return TAKE_PTR(path);
    }
    return path_find_program(AI_NAME);
}

static bool
is_variable(const char *entry, const char *name)
{
    size_t n = strlen(name);

    return strncmp(entry, name, n) == 0 && entry[n] == '=';
}

const char **
ai_child_environ(const struct buf *fields, const char *session)
{
    const char **env;
    size_t n = 0, at;

    for (at = 0; at < fields->len; at += strlen(fields->p + at) + 1)
        n++;
    env = calloc(n + 2 + AI_CHILD_MORE, sizeof(*env));
    if (!env)
        return NULL;
    n = 0;
    for (at = 0; at < fields->len; at += strlen(fields->p + at) + 1) {
        if (!is_variable(fields->p + at, "AGENTSH_SESSION") &&
            !is_variable(fields->p + at, WARM_PROCESS_VARIABLE))
            env[n++] = fields->p + at;
    }
    env[n] = session;
    return env;
}

/* Lends the model process, and adds what tells the child so. Returns the
 * descriptor to pass; -1: none. */
static int
lend(struct ai_child *a, struct warm_process *warm, const char **env)
{
    int fd = warm && env ? warm_process_share(warm, env, NULL) : -1;

    if (fd < 0)
        return -1;
    while (*env)
        env++;
    *env = WARM_PROCESS_ENTRY;
    a->warm = warm;
    return fd;
}

static void
take_back(struct ai_child *a, bool killed)
{
    if (a->warm)
        warm_process_take_back(a->warm, killed);
    a->warm = NULL;
}

static void
on_end(void *arg, unsigned events)
{
    struct ai_child *a = arg;
    int status = 0;

    (void)events;
    watch_free(a->watch);
    a->watch = NULL;
    (void)proc_wait(a->proc, 0, &status, NULL);
    take_back(a, proc_killed_by(a->proc) != 0);
    a->done(a->arg, status);
}

static int
start_ai_child(struct ai_child *a, const struct ai_child_start *start,
               struct err *e)
{
    CLEANUP(free_p) char *program = ai_child_path();
    CLEANUP(free_p) char **argv = ai_line_split(start->line, start->environ, e);
    CLEANUP(free_p) const char **env = NULL;
    char session[128];
    struct proc_spec spec = {.cwd = start->cwd,
                             .fds = {PROC_INHERIT, PROC_INHERIT, PROC_INHERIT},
                             .pass_fd = -1,
                             .foreground = true};

    if (!argv)
        return -1;
    if (!program)
        return err_set(e, ERR_NOT_FOUND, "%s is not installed", AI_NAME);
    snprintf(session, sizeof(session), "AGENTSH_SESSION=%s", start->session);
    if (start->environ)
        env = ai_child_environ(start->environ, session);
    spec.pass_fd = lend(a, start->warm, env);
    argv[0] = program;
    spec.argv = (const char *const *)argv;
    spec.envp = env;
    a->proc = proc_start(&spec, e);
    return a->proc ? 0 : -1;
}

struct ai_child *
ai_child_new(struct loop *l, const struct ai_child_start *start,
             ai_child_done *done, void *arg, struct err *e)
{
    CLEANUP(ai_child_free_p) struct ai_child *a = calloc(1, sizeof(*a));

    if (!a) {
        err_sys(e, "assistant");
        return NULL;
    }
    *a = (struct ai_child){.done = done, .arg = arg};
    if (start_ai_child(a, start, e) < 0)
        return NULL;
    a->watch = loop_fd(l, proc_pidfd(a->proc), LOOP_READ, on_end, a, e);
    return a->watch ? TAKE_PTR(a) : NULL;
}

void
ai_child_free(struct ai_child *a)
{
    if (!a)
        return;
    watch_free(a->watch);
    proc_free(a->proc);
    take_back(a, true);
    free(a);
}
