/* SPDX-License-Identifier: GPL-3.0-or-later */
/* line_query.c - asks `agentsh line` about the edited line. */
#include "frontend/repl/line_query.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/path.h"
#include "base/proc.h"
#include "frontend/repl/ai_child.h"
#include "ui/prompt_insert.h"

#define REPLY_MAX   (1u << 20)
#define ALIASES_MAX (64u << 10)

struct line_query {
    struct proc *proc;
    struct watch *reads;
    struct buf reply;
    bool explains;
    line_query_done *done;
    void *arg;
};

/* The reply is whole once the child has closed it: a command on its first line,
 * and what is to be shown below it. */
static void
end_line_query(struct line_query *q)
{
    char *below = q->reply.len > 0 ? strchr(q->reply.p, '\n') : NULL;
    const char *command = q->reply.p;

    if (below)
        *below++ = '\0';
    if (q->explains || !command || !*command ||
        prompt_insert_check(command, strlen(command), NULL) < 0)
        command = NULL;
    q->done(q->arg, command,
            below              ? below
            : q->reply.len > 0 ? ""
                               : "agentsh: no answer came\n");
}

static void
on_reply(void *arg, unsigned events)
{
    struct line_query *q = arg;
    char bytes[4096];
    ssize_t n = read(proc_fd(q->proc, STDOUT_FILENO), bytes, sizeof(bytes));

    (void)events;
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (n > 0 && !q->reply.bad) {
        buf_add(&q->reply, bytes, (size_t)n);
        return;
    }
    watch_free(q->reads);
    q->reads = NULL;
    end_line_query(q);
}

/* Beside `ai`, under the other name. */
static char *
find_agentsh(void)
{
    CLEANUP(free_p) char *ai = ai_child_path();
    char *slash = ai ? strrchr(ai, '/') : NULL;

    if (!slash)
        return NULL;
    *slash = '\0';
    return path_join(ai, "agentsh");
}

static int
start_line_query(struct line_query *q, const struct line_query_start *start,
                 struct err *e)
{
    CLEANUP(free_p) char *program = find_agentsh();
    CLEANUP(free_p) const char **env = NULL;
    CLEANUP_BUF struct buf aliases = buf_of(ALIASES_MAX);
    char session[128], columns[32], rows[32];
    const char *argv[] = {program, "line", "--for-key", NULL, NULL, NULL, NULL};
    struct proc_spec spec = {.argv = argv,
                             .cwd = start->cwd,
                             .fds = {PROC_NULL, PROC_PIPE, PROC_NULL},
                             .pass_fd = -1};
    size_t n = 3, at = 0;

    if (start->explains)
        argv[n++] = "--explain";
    argv[n++] = "--";
    argv[n] = start->line;
    snprintf(session, sizeof(session), "AGENTSH_SESSION=%s", start->session);
    snprintf(columns, sizeof(columns), "COLUMNS=%d", start->columns);
    snprintf(rows, sizeof(rows), "LINES=%d", start->rows);
    buf_printf(&aliases, "AGENTSH_ALIASES=%s", start->aliases);
    env = ai_child_environ(start->environ, session);
    if (!program)
        return err_set(e, ERR_NOT_FOUND, "agentsh is not installed");
    if (!env)
        return err_nomem(e);
    if (buf_ok(&aliases, "the aliases", e) < 0)
        return -1;
    while (env[at])
        at++;
    env[at++] = columns;
    env[at++] = rows;
    env[at] = aliases.p;
    spec.envp = env;
    q->proc = proc_start(&spec, e);
    return q->proc ? 0 : -1;
}

struct line_query *
line_query_new(struct loop *l, const struct line_query_start *start,
               line_query_done *done, void *arg, struct err *e)
{
    CLEANUP(line_query_free_p) struct line_query *q = calloc(1, sizeof(*q));

    if (!q) {
        err_nomem(e);
        return NULL;
    }
    *q = (struct line_query){
        .explains = start->explains, .done = done, .arg = arg};
    buf_init(&q->reply, REPLY_MAX);
    if (start_line_query(q, start, e) < 0)
        return NULL;
    q->reads = loop_fd(l, proc_fd(q->proc, STDOUT_FILENO), LOOP_READ, on_reply,
                       q, e);
    return q->reads ? TAKE_PTR(q) : NULL;
}

void
line_query_free(struct line_query *q)
{
    if (!q)
        return;
    watch_free(q->reads);
    proc_free(q->proc);
    buf_done(&q->reply);
    free(q);
}
