/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shell_session.c - keeps which conversation belongs to a shell. */
#include "record/shell_session.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/file.h"
#include "base/path.h"
#include "record/shell_file.h"

#define WRITE_MS 1000

/* The shell of the seat; NULL: none is known. */
static const char *
shell_of(const struct seat *s)
{
    return seat_variable(s, "AGENTSH_SESSION");
}

/* The path of the shell's file, which the caller frees; NULL: no shell. */
static char *
talk_path(const struct seat *s, struct err *e)
{
    return shell_file_path(s, SHELL_FILE_TALK, shell_of(s), e);
}

/* Reads the id in the file of a shell; *used: when it was written. */
static bool
read_talk(const struct seat *s, const char *shell, char id[SESSION_ID_SIZE],
          time_t *used)
{
    struct stat st;
    CLEANUP(fd_close_p)
    int fd = shell_file_open(s, SHELL_FILE_TALK, shell, O_RDONLY, &st);
    CLEANUP_BUF struct buf text = buf_of(SESSION_ID_SIZE);

    if (fd < 0 || file_read_fd(fd, &text, NULL) < 0 || text.len == 0 ||
        !session_id_is(text.p, text.len))
        return false;
    snprintf(id, SESSION_ID_SIZE, "%s", text.p);
    *used = st.st_mtime;
    return true;
}

bool
shell_session_find(const struct seat *s, int64_t idle_s,
                   char id[SESSION_ID_SIZE])
{
    time_t used;

    return read_talk(s, shell_of(s), id, &used) && time(NULL) - used <= idle_s;
}

/* Writes the id to a file beside the path, which nobody else reads. */
static int
write_beside(const char *beside, const char *id, struct err *e)
{
    CLEANUP(fd_close_p) int fd = -1;

    (void)unlink(beside); /* of a process that was killed and had our number */
    fd = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
              0600);
    if (fd < 0)
        return err_sys(e, "%s", beside);
    return fd_write_all(fd, id, strlen(id), WRITE_MS, e);
}

/* Puts the file in place whole: over what is there, or where nothing is. */
static int
place_talk(const char *path, const char *id, bool over, struct err *e)
{
    char suffix[32];
    CLEANUP(free_p) char *beside = NULL;
    int rc;

    snprintf(suffix, sizeof(suffix), ".%ld", (long)getpid());
    if (!(beside = path_beside(path, suffix)))
        return err_nomem(e);
    rc = write_beside(beside, id, e);
    if (rc == 0 && (over ? rename(beside, path) : link(beside, path)) < 0)
        rc = err_sys(e, "%s", path);
    (void)unlink(beside);
    return rc;
}

static int
make_runtime(const struct seat *s, struct err *e)
{
    CLEANUP(free_p) char *dir = seat_place(s, PATH_RUNTIME, NULL, e);

    return dir ? file_private_dir(dir, e) : -1;
}

int
shell_session_claim(const struct seat *s, int64_t idle_s, bool anew,
                    char id[SESSION_ID_SIZE], struct err *e)
{
    CLEANUP(free_p) char *path = talk_path(s, e);
    struct err why = {0};
    struct stat st;
    bool over;

    if (!path || make_runtime(s, e) < 0)
        return -1;
    if (!anew && shell_session_find(s, idle_s, id))
        return 0;
    over = anew || lstat(path, &st) == 0;
    if (session_id_make(id, e) < 0)
        return -1;
    if (place_talk(path, id, over, &why) == 0)
        return 0;
    /* another line of this shell came first: its conversation is ours */
    if (!over && why.sys == EEXIST && shell_session_find(s, idle_s, id))
        return 0;
    return err_set(e, why.code, "%s", why.text);
}

int
shell_session_set(const struct seat *s, const char *id, struct err *e)
{
    CLEANUP(free_p) char *path = talk_path(s, e);

    if (!path || make_runtime(s, e) < 0)
        return -1;
    return place_talk(path, id, true, e);
}

void
shell_session_touch(const struct seat *s, const char *id)
{
    CLEANUP(free_p) char *path = talk_path(s, NULL);
    char now[SESSION_ID_SIZE];
    time_t used;

    if (path && read_talk(s, shell_of(s), now, &used) && strcmp(now, id) == 0)
        (void)utimensat(AT_FDCWD, path, NULL, AT_SYMLINK_NOFOLLOW);
}

void
shell_session_remove(const struct seat *s, const char *shell)
{
    shell_file_remove(s, SHELL_FILE_TALK, shell);
}

static void
forget_in(const struct seat *s, const char *shell, const char *id)
{
    char now[SESSION_ID_SIZE];
    time_t used;

    if (read_talk(s, shell, now, &used) && strcmp(now, id) == 0)
        shell_session_remove(s, shell);
}

void
shell_session_forget(const struct seat *s, const char *id)
{
    CLEANUP(free_p) char *dir = seat_place(s, PATH_RUNTIME, NULL, NULL);
    CLEANUP(dir_close_p) DIR *d = dir ? opendir(dir) : NULL;
    const struct dirent *entry;

    while (d && (entry = readdir(d)) != NULL) {
        const char *shell = shell_file_session(entry->d_name, SHELL_FILE_TALK);

        if (shell)
            forget_in(s, shell, id);
    }
}
