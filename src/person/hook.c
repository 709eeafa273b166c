/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hook.c - what `agentsh init` gives to a shell, and what dead shells left. */
#include "person/hook.h"

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/owner.h"
#include "base/path.h"
#include "person/hook_text.h"

/* Appends the script hooks/KIND.SHELL. */
static int
print(const char *kind, const char *shell, struct buf *out, struct err *e)
{
    size_t n = strlen(kind);

    for (const struct hook_text *t = hook_texts(); t->file; t++) {
        if (strncmp(t->file, kind, n) == 0 && t->file[n] == '.' &&
            strcmp(t->file + n + 1, shell) == 0) {
            buf_str(out, t->text);
            return buf_ok(out, "the script", e);
        }
    }
    return err_set(e, ERR_USAGE, "unsupported shell %.40s: bash, zsh or fish",
                   shell);
}

int
hook_print(const char *shell, struct buf *out, struct err *e)
{
    return print("agentsh", shell, out, e);
}

int
completion_print(const char *shell, struct buf *out, struct err *e)
{
    return print("completion", shell, out, e);
}

/* The process that a file name belongs to, or 0 when it is no file of a
 * session: last-PID-NUMBER, line-PID-NUMBER, stderr-PID-NUMBER. */
static pid_t
owner(const char *name)
{
    static const char *const kinds[] = {"last-", "line-", "stderr-", "insert-"};
    size_t i, n;
    char *end;
    long pid;

    for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        n = strlen(kinds[i]);
        if (strncmp(name, kinds[i], n) == 0 && name[n] >= '1' &&
            name[n] <= '9') {
            errno = 0;
            pid = strtol(name + n, &end, 10);
            return errno || *end != '-' || (pid_t)pid != pid ? 0 : (pid_t)pid;
        }
    }
    return 0;
}

/* The runtime directory, when it is ours alone. */
static DIR *
open_runtime(void)
{
    CLEANUP(free_p) char *path = path_of(PATH_RUNTIME, NULL, NULL);
    CLEANUP(fd_close_p) int fd = -1;
    struct stat st;
    DIR *dir;

    if (!path)
        return NULL;
    fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &st) != 0 || st.st_uid != geteuid() ||
        (st.st_mode & 077) != 0 || owner_check_file(fd, path, NULL) < 0)
        return NULL;
    dir = fdopendir(fd);
    if (dir)
        fd = -1;
    return dir;
}

void
hook_sweep(void)
{
    CLEANUP(dir_close_p) DIR *dir = open_runtime();
    const struct dirent *d;
    pid_t pid;

    while (dir && (d = readdir(dir))) {
        pid = owner(d->d_name);
        if (pid > 0 && kill(pid, 0) != 0 && errno == ESRCH)
            (void)unlinkat(dirfd(dir), d->d_name, 0);
    }
}
