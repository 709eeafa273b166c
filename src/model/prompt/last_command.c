/* SPDX-License-Identifier: GPL-3.0-or-later */
/* last_command.c - writes and reads the record of the shell's last command. */
#include "model/prompt/last_command.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/fd.h"
#include "base/file.h"
#include "base/owner.h"
#include "base/path.h"

#define SHOWN_MAX (16u << 10) /* bytes of output that are read */
#define WRITE_MS  1000

void
last_command_done(struct last_command *last)
{
    if (!last)
        return;
    buf_done(&last->command);
    buf_done(&last->shown);
}

/* Whether the name of a session may become a part of a file's name. */
static bool
is_session_name(const char *name)
{
    size_t n = name ? strspn(name, "0123456789abcdefghijklmnopqrstuvwxyz"
                                   "ABCDEFGHIJKLMNOPQRSTUVWXYZ_.-")
                    : 0;

    return n > 0 && n < 100 && !name[n];
}

/* The path of the file KIND-SESSION; the caller frees it. */
static char *
record_path(const struct seat *s, const char *kind, const char *session,
            struct err *e)
{
    char name[128];

    snprintf(name, sizeof(name), "%s-%s", kind, session);
    return seat_place(s, PATH_RUNTIME, name, e);
}

/* Reads the file KIND-SESSION when it is ours and nobody else may write it. */
static int
read_own_file(const struct seat *s, const char *kind, const char *session,
              struct buf *out)
{
    CLEANUP(free_p) char *path = record_path(s, kind, session, NULL);
    CLEANUP(fd_close_p) int fd = -1;
    struct stat st;

    if (!path)
        return -1;
    fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) ||
        st.st_uid != geteuid() || owner_check_file(fd, path, NULL) < 0)
        return -1;
    return file_read_fd(fd, out, NULL);
}

/* Returns the next line of *p, its length in *len, and moves *p behind it. */
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
has_label(const char *line, size_t len, const char *with)
{
    return len >= strlen(with) && memcmp(line, with, strlen(with)) == 0;
}

static void
parse_record(struct last_command *last, const char *p, size_t n)
{
    static const char status[] = "status=", command[] = "command=";
    const char *end = p + n, *line;
    bool has_status = false;
    size_t len;

    while (p < end) {
        line = next_line(&p, end, &len);
        if (has_label(line, len, status) && len < 16) {
            last->exit_code = (int)strtol(line + strlen(status), NULL, 10);
            has_status = true;
        }
        if (!has_label(line, len, command))
            continue;
        line += strlen(command); /* up to the end of the file, with newlines */
        n = (size_t)(end - line);
        last->known = has_status && n > 0 && n <= LAST_COMMAND_MAX;
        if (last->known)
            buf_add(&last->command, line, n);
        return;
    }
}

void
last_command_read(const struct seat *s, struct last_command *last)
{
    const char *session = seat_variable(s, "AGENTSH_SESSION");
    CLEANUP_BUF struct buf record = buf_of(LAST_RECORD_MAX);

    *last = (struct last_command){.command = buf_of(LAST_COMMAND_MAX),
                                  .shown = buf_of(SHOWN_MAX)};
    if (!is_session_name(session) ||
        read_own_file(s, "last", session, &record) < 0)
        return;
    parse_record(last, record.p, record.len);
    last->captured = last->known &&
                     read_own_file(s, "stderr", session, &last->shown) == 0;
}

/* Writes without fsync: the record need not survive a crash of the machine. */
static int
write_file(const char *path, const char *bytes, size_t n, struct err *e)
{
    CLEANUP(fd_close_p)
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC,
                  0600);

    if (fd < 0)
        return err_sys(e, "%s", path);
    return fd_write_all(fd, bytes, n, WRITE_MS, e);
}

static int
write_command(const struct seat *s, const struct last_command_record *r,
              struct err *e)
{
    CLEANUP(free_p) char *path = record_path(s, "last", r->session, e);
    CLEANUP_BUF struct buf b = buf_of(LAST_RECORD_MAX);

    if (!path)
        return -1;
    buf_printf(&b, "status=%d\n", r->status);
    if (!strchr(r->cwd, '\n'))
        buf_printf(&b, "cwd=%s\n", r->cwd);
    buf_printf(&b, "duration_ms=%lld\ncommand=%.*s", (long long)r->duration_ms,
               (int)LAST_COMMAND_MAX, r->command);
    if (buf_ok(&b, "the last command", e) < 0)
        return -1;
    return write_file(path, b.p, b.len, e);
}

static int
write_output(const struct seat *s, const struct last_command_record *r,
             struct err *e)
{
    CLEANUP(free_p) char *path = record_path(s, "stderr", r->session, e);

    if (!path)
        return -1;
    if (r->status == 0) {
        (void)unlink(path);
        return 0;
    }
    return write_file(path, r->shown, strlen(r->shown), e);
}

int
last_command_write(const struct seat *s, const struct last_command_record *r,
                   struct err *e)
{
    CLEANUP(free_p) char *dir = seat_place(s, PATH_RUNTIME, NULL, e);

    if (!r->command)
        return 0;
    if (!dir || file_private_dir(dir, e) < 0 || write_command(s, r, e) < 0)
        return -1;
    return write_output(s, r, e);
}

void
last_command_remove(const struct seat *s, const char *session)
{
    CLEANUP(free_p) char *last = record_path(s, "last", session, NULL);
    CLEANUP(free_p) char *shown = record_path(s, "stderr", session, NULL);

    if (last)
        (void)unlink(last);
    if (shown)
        (void)unlink(shown);
}
