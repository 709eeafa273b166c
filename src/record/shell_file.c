/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shell_file.c - names, opens and removes the files of a shell. */
#include "record/shell_file.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/fd.h"
#include "base/owner.h"
#include "base/path.h"

#define NAME_MAX_BYTES 100 /* of a shell */
#define PID_DIGITS     9   /* of any process */
#define NUMBER_DIGITS  30

static const char *
shell_file_prefix(enum shell_file kind)
{
    static const char *const names[SHELL_FILE_KINDS] = {
        [SHELL_FILE_LAST] = "last",     [SHELL_FILE_STDERR] = "stderr",
        [SHELL_FILE_INSERT] = "insert", [SHELL_FILE_CHANGE] = "change",
        [SHELL_FILE_LINE] = "line",     [SHELL_FILE_RERUN] = "rerun",
        [SHELL_FILE_TALK] = "talk",
    };

    return names[kind];
}

bool
shell_file_is_name(const char *session)
{
    size_t n = session ? strspn(session, "0123456789abcdefghijklmnopqrstuvwxyz"
                                         "ABCDEFGHIJKLMNOPQRSTUVWXYZ_.-")
                       : 0;

    return n > 0 && n < NAME_MAX_BYTES && !session[n];
}

pid_t
shell_file_pid(const char *session)
{
    static const char digits[] = "0123456789";
    size_t pid = session ? strspn(session, digits) : 0;
    size_t number;

    if (pid == 0 || pid > PID_DIGITS || session[0] == '0' ||
        session[pid] != '-')
        return 0;
    number = strspn(session + pid + 1, digits);
    if (number == 0 || number > NUMBER_DIGITS || session[pid + 1 + number])
        return 0;
    return (pid_t)strtol(session, NULL, 10);
}

char *
shell_file_path(const struct seat *s, enum shell_file kind, const char *session,
                struct err *e)
{
    char name[NAME_MAX_BYTES + 16];

    if (!shell_file_is_name(session)) {
        err_set(e, ERR_NOT_FOUND,
                "no shell is known here: its hook (agentsh init) sets "
                "AGENTSH_SESSION");
        return NULL;
    }
    snprintf(name, sizeof(name), "%s-%s", shell_file_prefix(kind), session);
    return seat_place(s, PATH_RUNTIME, name, e);
}

int
shell_file_open(const struct seat *s, enum shell_file kind, const char *session,
                int flags, struct stat *st)
{
    CLEANUP(free_p) char *path = shell_file_path(s, kind, session, NULL);
    CLEANUP(fd_close_p) int fd = -1;

    if (!path)
        return -1;
    fd = open(path, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0 || fstat(fd, st) < 0 || !S_ISREG(st->st_mode) ||
        st->st_uid != geteuid() || owner_check_file(fd, path, NULL) < 0)
        return -1;
    return TAKE_FD(fd);
}

void
shell_file_remove(const struct seat *s, enum shell_file kind,
                  const char *session)
{
    CLEANUP(free_p) char *path = shell_file_path(s, kind, session, NULL);

    if (path)
        (void)unlink(path);
}

const char *
shell_file_session(const char *name, enum shell_file kind)
{
    size_t n = strlen(shell_file_prefix(kind));

    return strncmp(name, shell_file_prefix(kind), n) == 0 && name[n] == '-'
               ? name + n + 1
               : NULL;
}
