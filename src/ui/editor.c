/* SPDX-License-Identifier: GPL-3.0-or-later */
/* editor.c - opens a command in the user's editor. */
#include "ui/editor.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "action/aiaction.h"
#include "base/file.h"
#include "base/path.h"
#include "base/proc.h"

/* The temporary file of a command, in a directory of its own. */
struct edit_file {
    char *dir;
    bool made; /* dir was created by us */
    char *path;
};

/* Removes the directory with all files in it, such as the editor's backups. */
static void
edit_file_done(struct edit_file *d)
{
    CLEANUP(dir_close_p) DIR *entries = d->made ? opendir(d->dir) : NULL;
    const struct dirent *de;

    while (entries && (de = readdir(entries)) != NULL)
        (void)unlinkat(dirfd(entries), de->d_name, 0);
    if (d->made)
        (void)rmdir(d->dir);
    free(d->dir);
    free(d->path);
}

static int
edit_file_init(struct edit_file *d, const struct seat *s, const char *text,
               struct err *e)
{
    CLEANUP_BUF struct buf line = buf_of(AIACTION_COMMAND_MAX + 1);
    const char *temp = seat_variable(s, "TMPDIR");

    d->dir = path_join(temp && temp[0] == '/' ? temp : "/tmp",
                       "agentsh-edit-XXXXXX");
    d->made = d->dir && mkdtemp(d->dir);
    if (!d->made)
        return err_sys(e, "a file to edit");
    d->path = path_join(d->dir, "command.sh");
    if (!d->path)
        return err_nomem(e);
    buf_printf(&line, "%s\n", text);
    if (buf_ok(&line, "the command", e) < 0)
        return -1;
    return file_write(d->path, line.p, line.len, 0600, e);
}

/* The command line that starts the editor; the user's may have arguments. */
static char *
editor_line(const struct seat *s, struct err *e)
{
    static const char *const usual[] = {"editor", "vi", "nano"};
    const char *editor = seat_variable(s, "VISUAL");
    char *line = NULL;

    if (!editor || !editor[0])
        editor = seat_variable(s, "EDITOR");
    for (size_t i = 0; (!editor || !editor[0]) && i < 3; i++) {
        CLEANUP(free_p) char *found = seat_find_program(s, usual[i]);

        editor = found ? usual[i] : NULL;
    }
    if (!editor || !editor[0])
        err_set(e, ERR_NOT_FOUND, "no editor: set EDITOR");
    else if (asprintf(&line, "exec %s \"$@\"", editor) < 0)
        err_nomem(e);
    return line;
}

static void
on_wakeup(void *arg, unsigned events)
{
    bool *seen = arg;

    (void)events;
    *seen = true;
}

/* Turns the loop until the editor ends. Ctrl-C goes to the editor alone; Ctrl-Z
 * stops the editor and us. */
static int
wait_for_editor(struct app *a, struct proc *p, int *status, struct err *e)
{
    bool ended = false, ignored = false;
    struct watch *sig = loop_signal(a->loop, SIGINT, on_wakeup, &ignored, e);
    struct watch *chld = loop_signal(a->loop, SIGCHLD, on_wakeup, &ignored, e);
    struct watch *w = loop_fd(a->loop, proc_pidfd(p), LOOP_READ, on_wakeup,
                              &ended, e);
    int rc = w && sig && chld ? 0 : -1;

    while (!ended && rc >= 0) {
        rc = loop_turn(a->loop, -1, e);
        if (!ended && proc_was_stopped(p)) {
            term_suspend(&a->screen);
            proc_signal(p, SIGCONT);
        }
    }
    watch_free(w);
    watch_free(chld);
    watch_free(sig);
    return rc < 0 ? -1 : proc_wait(p, 0, status, e);
}

int
editor_edit(struct app *a, const char *text, struct buf *out, struct err *e)
{
    CLEANUP(edit_file_done) struct edit_file d = {0};
    CLEANUP(free_p) char *line = editor_line(a->seat, e);
    CLEANUP(fd_close_p) int tty = open("/dev/tty", O_RDWR | O_CLOEXEC);
    CLEANUP(proc_free_p) struct proc *p = NULL;
    struct proc_spec spec = {.seat = a->seat,
                             .envp = seat_variables(a->seat),
                             .fds = {tty, tty, tty},
                             .pass_fd = -1,
                             .foreground = true};
    int status = -1;

    if (!line)
        return -1;
    if (tty < 0)
        return err_sys(e, "the editor's terminal");
    if (edit_file_init(&d, a->seat, text, e) < 0)
        return -1;
    spec.argv = (const char *const[]){"/bin/sh", "-c",   line,
                                      "edit",    d.path, NULL};
    p = proc_start(&spec, e);
    if (!p)
        return -1;
    if (wait_for_editor(a, p, &status, e) < 0)
        return -1;
    if (status != 0)
        return err_set(e, ERR_TOOL,
                       "the editor ended with status %d: nothing was changed",
                       status);
    if (file_read(d.path, out, e) < 0)
        return -1;
    if (memchr(out->p, '\0', out->len))
        return err_set(e, ERR_INVALID, "the text contains a NUL character");
    while (out->len > 0 && out->p[out->len - 1] == '\n')
        buf_cut(out, out->len - 1);
    return 0;
}
