/* SPDX-License-Identifier: GPL-3.0-or-later */
/* denials.c - reads the refused system calls from the launcher's report. */
#include "sandbox/denials.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/linebuf.h"

#define LINE_MAX_BYTES 8192 /* a path and a few words */
#define NAME_MAX_BYTES 64   /* of a system call's name */
#define READ_BYTES     4096

void
denials_done(struct denials *r)
{
    buf_done(&r->text);
    r->n = 0;
}

/* Appends the name in a line "blocked NAME"; skips any other line. */
static void
parse_line(struct denials *r, const char *line, size_t n)
{
    static const char mark[] = "blocked ";
    const size_t m = sizeof(mark) - 1;

    if (r->n == DENIALS_MAX || n <= m || n > m + NAME_MAX_BYTES ||
        memcmp(line, mark, m) != 0)
        return;
    buf_add(&r->text, line + m, n - m);
    buf_ch(&r->text, '\0');
    r->n++;
}

static int
take_lines(struct denials *r, struct linebuf *lines, const char *bytes,
           size_t n, struct err *e)
{
    const char *line;
    size_t len;

    if (linebuf_add(lines, bytes, n, e) < 0)
        return -1;
    while ((line = linebuf_next(lines, &len)))
        parse_line(r, line, len);
    return 0;
}

/* Reads to the end of the report, or until a pipe has no more data. Most have
 * none at all: they need no buffer. */
static int
read_lines(int report, struct denials *r, struct err *e)
{
    CLEANUP(linebuf_free_p) struct linebuf *lines = NULL;
    char bytes[READ_BYTES];
    ssize_t n;

    while ((n = read(report, bytes, sizeof(bytes))) != 0) {
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            break;
        if (!lines && !(lines = linebuf_new(LINE_MAX_BYTES, e)))
            return -1;
        if (take_lines(r, lines, bytes, (size_t)n, e) < 0)
            return -1;
    }
    if (n < 0 && errno != EAGAIN)
        return err_sys(e, "the launcher's report");
    return buf_ok(&r->text, "the launcher's report", e);
}

int
denials_read(int report, struct denials *r, struct err *e)
{
    const char *p;

    *r = (struct denials){
        .text = buf_of((size_t)DENIALS_MAX * (NAME_MAX_BYTES + 1))};
    if (lseek(report, 0, SEEK_SET) < 0 && errno != ESPIPE)
        return err_sys(e, "the launcher's report");
    if (read_lines(report, r, e) < 0) {
        denials_done(r);
        return -1;
    }
    p = r->text.p; /* the text does not move any more */
    for (size_t i = 0; i < r->n; i++, p += strlen(p) + 1)
        r->names[i] = p;
    return 0;
}
