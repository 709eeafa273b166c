/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shell_hook.c - prints the hook of `agentsh init` and removes the files of
 * shells that have ended. */
#include "ui/shell_hook.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "base/owner.h"
#include "base/path.h"
#include "ui/hook_text.h"

/* Appends the script hooks/KIND.SHELL. */
static int
put_script(const char *kind, const char *shell, struct buf *out, struct err *e)
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
shell_hook_print(const char *shell, struct buf *out, struct err *e)
{
    return put_script("agentsh", shell, out, e);
}

int
shell_hook_print_completion(const char *shell, struct buf *out, struct err *e)
{
    return put_script("completion", shell, out, e);
}

/* The process that a file of a session belongs to, by its name: last-, line-,
 * stderr- or insert-PID-NUMBER. 0: it is another file. */
static pid_t
session_owner(const char *name)
{
    static const char *const kinds[] = {"last-", "line-", "stderr-", "insert-"};
    size_t i, n;
    char *end;
    long pid;

    for (i = 0; i < ARRAY_SIZE(kinds); i++) {
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

/* The runtime directory; NULL where others could write in it. */
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
shell_hook_sweep(void)
{
    CLEANUP(dir_close_p) DIR *dir = open_runtime();
    const struct dirent *d;
    pid_t pid;

    while (dir && (d = readdir(dir))) {
        pid = session_owner(d->d_name);
        if (pid > 0 && kill(pid, 0) != 0 && errno == ESRCH)
            (void)unlinkat(dirfd(dir), d->d_name, 0);
    }
}
