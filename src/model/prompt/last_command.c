/* SPDX-License-Identifier: GPL-3.0-or-later */
/* last_command.c - writes and reads the record of the shell's last command. */
#include "model/prompt/last_command.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/fd.h"
#include "base/file.h"
#include "base/path.h"
#include "record/shell_file.h"

#define SHOWN_MAX (16u << 10) /* bytes of output that are read */
#define WRITE_MS  1000
#define NS_PER_S  1000000000

#define RERUN_MAX (LAST_RERUN_WHY_MAX + LAST_RERUN_TEXT_MAX + 64)

void
last_command_done(struct last_command *last)
{
    if (!last)
        return;
    buf_done(&last->command);
    buf_done(&last->cwd);
    buf_done(&last->shown);
}

/* Reads a file of the shell. stamp gets the time of its last change; NULL:
 * nobody asks. */
static int
read_shell_file(const struct seat *s, enum shell_file kind, const char *session,
                struct buf *out, int64_t *stamp)
{
    struct stat st;
    CLEANUP(fd_close_p)
    int fd = shell_file_open(s, kind, session, O_RDONLY, &st);

    if (fd < 0)
        return -1;
    if (stamp)
        *stamp = (int64_t)st.st_mtim.tv_sec * NS_PER_S + st.st_mtim.tv_nsec;
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
    static const char cwd[] = "cwd=";
    const char *end = p + n, *line;
    bool has_status = false;
    size_t len;

    while (p < end) {
        line = next_line(&p, end, &len);
        if (has_label(line, len, status) && len < 16) {
            last->exit_code = (int)strtol(line + strlen(status), NULL, 10);
            has_status = true;
        }
        if (has_label(line, len, cwd) && len < PATH_MAX)
            buf_add(&last->cwd, line + strlen(cwd), len - strlen(cwd));
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
                                  .cwd = buf_of(PATH_MAX),
                                  .shown = buf_of(SHOWN_MAX)};
    if (read_shell_file(s, SHELL_FILE_LAST, session, &record, &last->stamp) < 0)
        return;
    parse_record(last, record.p, record.len);
    last->captured = last->known &&
                     read_shell_file(s, SHELL_FILE_STDERR, session,
                                     &last->shown, NULL) == 0;
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
    CLEANUP(free_p)
    char *path = shell_file_path(s, SHELL_FILE_LAST, r->session, e);
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
    CLEANUP(free_p)
    char *path = shell_file_path(s, SHELL_FILE_STDERR, r->session, e);

    if (!path)
        return -1;
    if (!r->shown)
        return unlink(path) < 0 && errno != ENOENT ? err_sys(e, "%s", path) : 0;
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
last_rerun_done(struct last_rerun *r)
{
    if (!r)
        return;
    buf_done(&r->why);
    buf_done(&r->text);
}

void
last_rerun_read(const struct seat *s, const struct last_command *last,
                struct last_rerun *out)
{
    const char *session = seat_variable(s, "AGENTSH_SESSION");
    CLEANUP_BUF struct buf b = buf_of(RERUN_MAX);
    CLEANUP_BUF struct buf head = buf_of(64);
    const char *p, *line;
    size_t len;

    *out = (struct last_rerun){.why = buf_of(LAST_RERUN_WHY_MAX),
                               .text = buf_of(LAST_RERUN_TEXT_MAX)};
    buf_printf(&head, "of=%lld\n", (long long)last->stamp);
    if (!last->known ||
        read_shell_file(s, SHELL_FILE_RERUN, session, &b, NULL) < 0 ||
        b.len < head.len || memcmp(b.p, head.p, head.len) != 0)
        return;
    p = b.p + head.len;
    line = next_line(&p, b.p + b.len, &len);
    if (!has_label(line, len, "why="))
        return;
    out->known = true;
    buf_add(&out->why, line + strlen("why="), len - strlen("why="));
    buf_add(&out->text, p, (size_t)(b.p + b.len - p));
}

int
last_rerun_write(const struct seat *s, const struct last_command *last,
                 const char *why, const char *text, struct err *e)
{
    const char *session = seat_variable(s, "AGENTSH_SESSION");
    CLEANUP_BUF struct buf b = buf_of(RERUN_MAX);
    CLEANUP(free_p) char *path = NULL;
    size_t why_n = why ? strcspn(why, "\n") : 0;

    if (!(path = shell_file_path(s, SHELL_FILE_RERUN, session, e)))
        return -1;
    buf_printf(&b, "of=%lld\n", (long long)last->stamp);
    buf_str(&b, "why=");
    buf_add(&b, why ? why : "",
            why_n < LAST_RERUN_WHY_MAX ? why_n : LAST_RERUN_WHY_MAX);
    buf_ch(&b, '\n');
    buf_str(&b, text ? text : "");
    if (buf_ok(&b, "the second run", e) < 0)
        return -1;
    return write_file(path, b.p, b.len, e);
}

void
last_command_remove(const struct seat *s, const char *session)
{
    static const enum shell_file kinds[] = {SHELL_FILE_LAST, SHELL_FILE_STDERR,
                                            SHELL_FILE_RERUN};

    for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
        shell_file_remove(s, kinds[i], session);
}
