/* SPDX-License-Identifier: GPL-3.0-or-later */
/* deed.c - the last command: what it was, how it ended, what it showed. */
#include "door/repl/deed.h"

#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "door/repl/talk.h"
#include "door/repl/trace.h"

int
deed_init(struct deed *d, struct err *e)
{
    *d = (struct deed){.transcript = transcript_new(e)};
    buf_init(&d->line, 2 * TALK_LINE_MAX);
    return d->transcript ? 0 : -1;
}

void
deed_done(struct deed *d)
{
    if (!d)
        return;
    transcript_free(d->transcript);
    buf_done(&d->line);
}

void
deed_begin(struct deed *d, const char *line, bool more)
{
    if (more && d->under_way) {
        buf_ch(&d->line, '\n');
    } else if (!more && line[strspn(line, " \t\r\n")]) {
        transcript_clear(d->transcript);
        buf_clear(&d->line);
        d->begun_us = clock_us();
        d->under_way = true;
    }
    if (d->under_way)
        buf_str(&d->line, line);
}

void
deed_end(struct deed *d, int status)
{
    if (!d->under_way)
        return;
    d->under_way = false;
    d->status = status;
    d->took_ms = (clock_us() - d->begun_us) / 1000;
}

int
deed_record(const struct deed *d, const char *session, const char *cwd,
            struct err *e)
{
    struct trace r = {.session = session,
                      .command = d->line.len ? d->line.p : NULL,
                      .status = d->status,
                      .cwd = cwd,
                      .duration_ms = d->took_ms};
    CLEANUP_BUF struct buf shown = buf_of(TRACE_STDERR_MAX);

    transcript_tail(d->transcript, TRACE_STDERR_MAX, &shown);
    r.shown = shown.p;
    return trace_write(&r, e);
}
