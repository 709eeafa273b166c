/* SPDX-License-Identifier: GPL-3.0-or-later */
/* note.c - how a plugin ended, by its status and the end of its log. */
#include "tool/note.h"

#include <string.h>

#define SANDBOX_MISSING 125 /* the launcher's exit status: nothing ran */
#define LIMIT_PASSED    124 /* the same: its time was over */
#define NOT_FOUND       127 /* of the shell, and of exec: no such program */
#define NOTE_MAX        200 /* of the log; err.text is 256 */
#define LAUNCHER_NAME   "agentsh-launch: "

/* The last line of its log, without control characters, for the reason. */
static void
last_line(const struct buf *b, char *out, size_t size)
{
    const char *note = b->p;
    size_t n = b->len, from, len = 0;

    while (n > 0 && note[n - 1] == '\n')
        n--;
    for (from = n; from > 0 && note[from - 1] != '\n';)
        from--;
    for (; from < n && len + 1 < size; from++)
        out[len++] = (unsigned char)note[from] < ' ' ? ' ' : note[from];
    out[len] = '\0';
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

    last_line(log, note, sizeof(note));
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
