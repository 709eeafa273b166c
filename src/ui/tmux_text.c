/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tmux_text.c - reads from tmux what the last command showed in its pane. */
#include "ui/tmux_text.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/proc.h"
#include "ui/pane_text.h"
#include "ui/plain_text.h"

#define ANSWER_MS  500         /* tmux needs 3 ms, and seconds when it hangs */
#define HISTORY    "-3000"     /* lines above the pane; see PANE_LINES_MAX */
#define ANSWER_MAX (4u << 20)  /* bytes of them; more of them are not read */
#define TEXT_MAX   (64u << 10) /* bytes of what a command showed */

struct tmux_text {
    struct app *app;
    const char *command;
    tmux_text_cb *cb;
    void *arg;
    struct proc *proc;
    struct watch *readable, *late;
    struct buf answer; /* the pane's terminal in a line, then its text */
};

void
tmux_text_free(struct tmux_text *t)
{
    if (!t)
        return;
    watch_free(t->readable);
    watch_free(t->late);
    proc_free(t->proc);
    buf_done(&t->answer);
    free(t);
}

/* Whether the terminal of the pane is one of our streams: what this process
 * inherited may name a pane of another terminal, as in a terminal that the
 * pane's own runs. */
static bool
is_own_terminal(const char *tty)
{
    struct stat pane, own;

    if (stat(tty, &pane) < 0 || !S_ISCHR(pane.st_mode))
        return false;
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (fstat(fd, &own) == 0 && S_ISCHR(own.st_mode) &&
            own.st_rdev == pane.st_rdev)
            return true;
    }
    return false;
}

static bool
read_pane_answer(struct tmux_text *t, struct buf *out)
{
    char *nl = strchr(t->answer.p, '\n');
    CLEANUP_BUF struct buf between = buf_of(t->answer.max);

    if (!nl || t->answer.bad)
        return false;
    *nl++ = '\0';
    if (!is_own_terminal(t->answer.p) ||
        !pane_text_between(nl, (size_t)(t->answer.p + t->answer.len - nl),
                           t->command, &between))
        return false;
    plain_text_put(out, between.p, between.len);
    return !out->bad;
}

static void
end_pane_answer(struct tmux_text *t)
{
    CLEANUP_BUF struct buf text = buf_of(TEXT_MAX);
    bool found = read_pane_answer(t, &text);

    watch_free(t->readable);
    watch_free(t->late);
    t->readable = t->late = NULL;
    t->cb(t->arg, found ? text.p : NULL);
}

static void
on_tmux_answer(void *arg, unsigned events)
{
    struct tmux_text *t = arg;
    char bytes[65536];
    ssize_t n = read(proc_fd(t->proc, 1), bytes, sizeof(bytes));

    (void)events;
    if (n > 0)
        buf_add(&t->answer, bytes, (size_t)n);
    else if (n == 0 || (errno != EINTR && errno != EAGAIN))
        end_pane_answer(t);
}

static void
on_tmux_late(void *arg, unsigned events)
{
    struct tmux_text *t = arg;

    (void)events;
    buf_clear(&t->answer);
    end_pane_answer(t);
}

static int
ask_for_pane(struct tmux_text *t, const char *program, const char *pane)
{
    const char *const argv[] = {
        program, "display-message", "-p", "-t", pane, "#{pane_tty}",
        ";",     "capture-pane",    "-p", "-J", "-t", pane,
        "-S",    HISTORY,           NULL};
    const struct proc_spec spec = {.argv = argv,
                                   .envp = seat_variables(t->app->seat),
                                   .cwd = "/",
                                   .fds = {PROC_NULL, PROC_PIPE, PROC_NULL},
                                   .pass_fd = -1};

    t->proc = proc_start(&spec, NULL);
    if (!t->proc || fd_set_nonblock(proc_fd(t->proc, 1), true, NULL) < 0)
        return -1;
    t->readable = loop_fd(t->app->loop, proc_fd(t->proc, 1), LOOP_READ,
                          on_tmux_answer, t, NULL);
    t->late = loop_timer(t->app->loop, ANSWER_MS, on_tmux_late, t, NULL);
    return t->readable && t->late ? 0 : -1;
}

struct tmux_text *
tmux_text_start(struct app *a, const char *command, tmux_text_cb *cb, void *arg)
{
    const char *pane = seat_variable(a->seat, "TMUX_PANE");
    const char *server = seat_variable(a->seat, "TMUX");
    CLEANUP(free_p) char *program = NULL;
    struct tmux_text *t;

    if (!pane || !server || !server[0] || pane[0] != '%' ||
        (!isatty(STDIN_FILENO) && !isatty(STDOUT_FILENO) &&
         !isatty(STDERR_FILENO)) ||
        !(program = seat_find_program(a->seat, "tmux")) ||
        !(t = calloc(1, sizeof(*t))))
        return NULL;
    *t = (struct tmux_text){.app = a, .command = command, .cb = cb, .arg = arg};
    buf_init(&t->answer, ANSWER_MAX);
    if (ask_for_pane(t, program, pane) == 0)
        return t;
    tmux_text_free(t);
    return NULL;
}
