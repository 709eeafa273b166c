/* SPDX-License-Identifier: GPL-3.0-or-later */
/* note.c - how a plugin ended, by its status and the end of its log. */
#include "tool/note.h"

#include <stdio.h>
#include <string.h>

#define SANDBOX_MISSING 125 /* the launcher's exit status: nothing ran */
#define LIMIT_PASSED    124 /* the same: its time was over */
#define NOT_FOUND       127 /* of the shell, and of exec: no such program */
#define NOTE_MAX        200 /* of the log; err.text is 256 */
#define LAUNCHER_NAME   "agentsh-launch: "

/* The line that ends before n, without control characters; returns where it
 * begins. */
static size_t
take_line(const char *log, size_t n, char *out, size_t size)
{
    size_t begin, len = 0;

    for (begin = n; begin > 0 && log[begin - 1] != '\n';)
        begin--;
    for (size_t i = begin; i < n && len + 1 < size; i++)
        out[len++] = (unsigned char)log[i] < ' ' ? ' ' : log[i];
    out[len] = '\0';
    return begin;
}

/* "TypeError: x is not a function", "[error] …", "panic: …" */
static bool
tells_error(const char *line)
{
    static const char *const words[] = {"error", "panic", "fatal", "exception"};

    for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
        if (strcasestr(line, words[i]))
            return true;
    return false;
}

/* Of its log, for the reason: the last line that tells of an error, for some
 * print a stack or their version behind it; else the last one. */
static void
reason_line(const struct buf *b, char *out, size_t size)
{
    char line[NOTE_MAX];
    size_t n = b->len;

    out[0] = '\0';
    while (n > 0) {
        size_t begin = take_line(b->p, n, line, sizeof(line));

        if (line[strspn(line, " ")] && (!out[0] || tells_error(line)))
            snprintf(out, size, "%s", line);
        if (tells_error(line))
            return;
        n = begin > 0 ? begin - 1 : 0;
    }
}

/* The launcher begins its sentences with its name. */
static const char *
without_name(const char *note)
{
    const size_t n = sizeof(LAUNCHER_NAME) - 1;

    return strncmp(note, LAUNCHER_NAME, n) == 0 ? note + n : note;
}

/* EROFS has no other way out of a program. */
static enum err_kind
kind_of(const char *note, int status)
{
    if (strstr(note, "Read-only file system"))
        return ERR_KIND_READ_ONLY;
    return status == NOT_FOUND ? ERR_KIND_NO_START : ERR_KIND_ENDED;
}

int
note_explain(const struct buf *log, int status, struct err *e)
{
    char note[NOTE_MAX];

    reason_line(log, note, sizeof(note));
    if (status == NOTE_GOES_ON)
        return err_set(e, ERR_PEER, "closed its output without an answer%s%s",
                       note[0] ? ": " : "", note);
    if (status == SANDBOX_MISSING)
        return err_set(e, ERR_SANDBOX,
                       "nothing ran: %s. To do: agentsh doctor says what is "
                       "missing",
                       without_name(note));
    if (status == LIMIT_PASSED && note != without_name(note))
        return err_set(e, ERR_TIMEOUT, "%s", without_name(note));
    return err_set_kind(e, ERR_PEER, kind_of(note, status),
                        "ended without an answer (status %d)%s%s", status,
                        note[0] ? ": " : "", note);
}
