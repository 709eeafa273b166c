/* SPDX-License-Identifier: GPL-3.0-or-later */
/* last_command.c - the record that the hook and the REPL leave behind. */
#include "model/last_command.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/owner.h"
#include "base/path.h"

#define SHOWN_MAX (16u << 10)

void
last_command_done(struct last_command *last)
{
    if (!last)
        return;
    buf_done(&last->command);
    buf_done(&last->shown);
}

/* A session's name is a file's name, and nothing more. */
static bool
is_session(const char *name)
{
    size_t n = name ? strspn(name, "0123456789abcdefghijklmnopqrstuvwxyz"
                                   "ABCDEFGHIJKLMNOPQRSTUVWXYZ_.-")
                    : 0;

    return n > 0 && n < 100 && !name[n];
}

/* Reads a file of ours that no one else may write. */
static int
read_ours(const char *kind, const char *session, struct buf *out)
{
    char name[128];
    CLEANUP(free_p) char *path = NULL;
    CLEANUP(fd_close_p) int fd = -1;
    struct stat st;

    snprintf(name, sizeof(name), "%s-%s", kind, session);
    path = path_of(PATH_RUNTIME, name, NULL);
    if (!path)
        return -1;
    fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) ||
        st.st_uid != geteuid() || owner_check_file(fd, path, NULL) < 0)
        return -1;
    return file_read_fd(fd, out, NULL);
}

/* The next line of *p, its length in *len; *p moves behind it. */
static const char *
next_line(const char **p, const char *end, size_t *len)
{
    const char *line = *p;
    const char *nl = memchr(line, '\n', (size_t)(end - line));

    *len = (size_t)((nl ? nl : end) - line);
    *p = nl ? nl + 1 : end;
    return line;
}

static bool
begins(const char *line, size_t len, const char *with)
{
    return len >= strlen(with) && memcmp(line, with, strlen(with)) == 0;
}

void
last_command_parse(struct last_command *last, const char *p, size_t n)
{
    static const char status[] = "status=", command[] = "command=";
    const char *end = p + n, *line;
    bool has_status = false;
    size_t len;

    while (p < end) {
        line = next_line(&p, end, &len);
        if (begins(line, len, status) && len < 16) {
            last->exit_code = (int)strtol(line + strlen(status), NULL, 10);
            has_status = true;
        }
        if (!begins(line, len, command))
            continue;
        line += strlen(command); /* from here to the end, newlines too */
        n = (size_t)(end - line);
        last->known = has_status && n > 0 && n <= LAST_COMMAND_MAX;
        if (last->known)
            buf_add(&last->command, line, n);
        return;
    }
}

void
last_command_read(struct last_command *last)
{
    const char *session = getenv("AGENTSH_SESSION");
    CLEANUP_BUF struct buf record = buf_of(LAST_RECORD_MAX);

    *last = (struct last_command){.command = buf_of(LAST_COMMAND_MAX),
                                  .shown = buf_of(SHOWN_MAX)};
    if (!is_session(session) || read_ours("last", session, &record) < 0)
        return;
    last_command_parse(last, record.p, record.len);
    last->captured = last->known &&
                     read_ours("stderr", session, &last->shown) == 0;
}
