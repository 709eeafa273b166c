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

struct command_editor {
    struct app *app;
    struct edit_file file;
    struct proc *proc;
    struct watch *ended, *interrupt, *child;
    editor_cb *cb;
    void *arg;
};

void
editor_close(struct command_editor *d)
{
    if (!d)
        return;
    watch_free(d->ended);
    watch_free(d->interrupt);
    watch_free(d->child);
    proc_free(d->proc);
    edit_file_done(&d->file);
    free(d);
}

/* What the file holds now, without the newlines at its end. */
static int
read_edited(struct command_editor *d, struct buf *out, struct err *e)
{
    int status = -1;

    if (proc_wait(d->proc, 0, &status, e) < 0)
        return -1;
    if (status != 0)
        return err_set(e, ERR_TOOL,
                       "the editor ended with status %d: nothing was changed",
                       status);
    if (file_read(d->file.path, out, e) < 0)
        return -1;
    if (memchr(out->p, '\0', out->len))
        return err_set(e, ERR_INVALID, "the text contains a NUL character");
    while (out->len > 0 && out->p[out->len - 1] == '\n')
        buf_cut(out, out->len - 1);
    return 0;
}

static void
on_ended(void *arg, unsigned events)
{
    struct command_editor *d = arg;
    CLEANUP_BUF struct buf text = buf_of(AIACTION_COMMAND_MAX);
    struct err e = {0};
    bool read = read_edited(d, &text, &e) == 0;

    (void)events;
    watch_free(d->ended);
    d->ended = NULL;
    d->cb(d->arg, read ? text.p : NULL, &e);
}

/* Ctrl-C goes to the editor alone. */
static void
on_interrupt(void *arg, unsigned signo)
{
    (void)arg;
    (void)signo;
}

/* Ctrl-Z stops the editor and us. */
static void
on_child(void *arg, unsigned signo)
{
    struct command_editor *d = arg;

    (void)signo;
    if (!proc_was_stopped(d->proc))
        return;
    term_suspend(&d->app->screen);
    proc_signal(d->proc, SIGCONT);
}

static int
start_editor(struct command_editor *d, int tty, const char *line, struct err *e)
{
    const char *const argv[] = {"/bin/sh", "-c",         line,
                                "edit",    d->file.path, NULL};
    const struct seat *s = d->app->seat;
    const struct proc_spec spec = {.argv = argv,
                                   .seat = s,
                                   .envp = seat_variables(s),
                                   .fds = {tty, tty, tty},
                                   .pass_fd = -1,
                                   .foreground = true};
    struct loop *l = d->app->loop;

    if (!(d->interrupt = loop_signal(l, SIGINT, on_interrupt, d, e)) ||
        !(d->child = loop_signal(l, SIGCHLD, on_child, d, e)) ||
        !(d->proc = proc_start(&spec, e)))
        return -1;
    d->ended = loop_fd(l, proc_pidfd(d->proc), LOOP_READ, on_ended, d, e);
    return d->ended ? 0 : -1;
}

struct command_editor *
editor_open(struct app *a, const char *text, editor_cb *cb, void *arg,
            struct err *e)
{
    CLEANUP(editor_close_p) struct command_editor *d = calloc(1, sizeof(*d));
    CLEANUP(free_p) char *line = editor_line(a->seat, e);
    CLEANUP(fd_close_p) int tty = open("/dev/tty", O_RDWR | O_CLOEXEC);

    if (!d)
        err_nomem(e);
    if (!d || !line)
        return NULL;
    *d = (struct command_editor){.app = a, .cb = cb, .arg = arg};
    if (tty < 0) {
        err_sys(e, "the editor's terminal");
        return NULL;
    }
    if (edit_file_init(&d->file, a->seat, text, e) < 0 ||
        start_editor(d, tty, line, e) < 0)
        return NULL;
    return TAKE_PTR(d);
}
