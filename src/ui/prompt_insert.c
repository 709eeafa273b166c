/* SPDX-License-Identifier: GPL-3.0-or-later */
/* prompt_insert.c - puts a command on the user's next prompt, not yet entered.
 */
#include "ui/prompt_insert.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/fd.h"
#include "base/file.h"
#include "base/owner.h"
#include "base/path.h"
#include "term/escape.h"

#define WRITE_MS 1000

/* The PID of a session "PID-NUMBER", which becomes a part of a file name; 0: it
 * is not one. */
static pid_t
session_pid(const char *session)
{
    size_t pid = session ? strspn(session, "0123456789") : 0;
    size_t number;

    if (pid == 0 || pid > 9 || session[pid] != '-')
        return 0;
    number = strspn(session + pid + 1, "0123456789");
    if (number == 0 || number > 30 || session[pid + 1 + number])
        return 0;
    return (pid_t)strtol(session, NULL, 10);
}

/* The caller frees it; NULL: not the name of a session, or no memory. */
static char *
insert_path(const struct seat *s, const char *session)
{
    char name[64];

    if (session_pid(session) == 0)
        return NULL;
    snprintf(name, sizeof(name), "insert-%s", session);
    return seat_place(s, PATH_RUNTIME, name, NULL);
}

/* Opens the file; -1 where others could have written it or it has two names. */
static int
open_insert_file(const struct seat *s, const char *session, int flags,
                 struct stat *st)
{
    CLEANUP(free_p) char *path = insert_path(s, session);
    CLEANUP(fd_close_p) int fd = -1;

    if (!path)
        return -1;
    fd = open(path, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0 || fstat(fd, st) < 0 || !S_ISREG(st->st_mode) ||
        st->st_uid != geteuid() || (st->st_mode & 077) != 0 ||
        st->st_nlink != 1 || owner_check_file(fd, path, NULL) < 0)
        return -1;
    return TAKE_FD(fd);
}

/* Length of the quoted part that begins at p; 0: none does. */
static size_t
quoted_size(const char *p)
{
    const char *end = *p == '\'' ? strchr(p + 1, '\'') : NULL;

    return end ? (size_t)(end - p) + 1 : *p == '\\' && p[1] ? 2 : 0;
}

/* Whether the history expansion of bash or zsh would change the line: at `!`,
 * unless a blank, `=` or the end follows, and at `^` in front. '…' and a
 * backslash prevent it; they are trusted only where it is certain what they
 * quote: on one line without "…", comments, $'…' and the like. */
static bool
has_history_expansion(const char *text)
{
    bool plain = !strpbrk(text, "\n\"#`$") && !strstr(text, "<<");

    for (const char *p = text; *p; p++) {
        size_t quoted = plain ? quoted_size(p) : 0;

        if (quoted > 0)
            p += quoted - 1;
        else if (*p == '!' && p[1] && !strchr(" \t\n=", p[1]))
            return true;
        else if (*p == '^' && (p == text || p[-1] == '\n'))
            return true;
    }
    return false;
}

/* Refuses a text that must not be on a prompt. A NUL follows the text. */
static int
check_insert_text(const char *text, size_t n, struct err *e)
{
    if (n == 0 || n > PROMPT_INSERT_MAX)
        return err_set(e, ERR_INVALID, "the command is longer than %u bytes",
                       PROMPT_INSERT_MAX);
    if (!escape_is_clean(text, n))
        return err_set(e, ERR_INVALID, "contains invisible characters");
    if (has_history_expansion(text))
        return err_set(
            e, ERR_INVALID,
            "the shell's history expansion would change it (! or ^)");
    return 0;
}

int
prompt_insert_put(const struct seat *s, const char *text, size_t n,
                  struct err *e)
{
    const char *session = seat_variable(s, "AGENTSH_SESSION");
    CLEANUP(fd_close_p) int fd = -1;
    struct stat st = {0};

    if (check_insert_text(text, n, e) < 0)
        return -1;
    if (session_pid(session) == getppid())
        fd = open_insert_file(s, session, O_WRONLY, &st);
    if (fd < 0 || st.st_size != 0)
        return err_set(e, ERR_UNSUPPORTED,
                       "this shell has not loaded the hook (agentsh init)");
    if (fd_write_all(fd, text, n, WRITE_MS, e) == 0)
        return 0;
    (void)!ftruncate(fd, 0); /* a part of the text would be another command */
    return -1;
}

int
prompt_insert_open(const struct seat *s, const char *session, struct err *e)
{
    CLEANUP(free_p) char *dir = seat_place(s, PATH_RUNTIME, NULL, e);
    CLEANUP(free_p) char *path = insert_path(s, session);
    CLEANUP(fd_close_p) int fd = -1;

    if (!dir || !path || file_private_dir(dir, e) < 0)
        return -1;
    (void)unlink(path);
    fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    return fd < 0 ? err_sys(e, "%s", path) : 0;
}

void
prompt_insert_read(const struct seat *s, const char *session, struct buf *out)
{
    CLEANUP_BUF struct buf text = buf_of(PROMPT_INSERT_MAX);
    struct stat st;
    CLEANUP(fd_close_p) int fd = open_insert_file(s, session, O_RDWR, &st);

    if (fd < 0 || st.st_size == 0)
        return;
    if (file_read_fd(fd, &text, NULL) == 0 &&
        check_insert_text(text.p, text.len, NULL) == 0)
        buf_add(out, text.p, text.len);
    (void)!ftruncate(fd, 0);
}

void
prompt_insert_remove(const struct seat *s, const char *session)
{
    CLEANUP(free_p) char *path = insert_path(s, session);

    if (path)
        (void)unlink(path);
}
