/* SPDX-License-Identifier: GPL-3.0-or-later */
/* result.c - standard output carries the result, or the run has failed. */
#include "person/result.h"

#include <signal.h>
#include <unistd.h>

#include "base/fd.h"

void
result_lost(struct app *a, const struct err *why)
{
    a->reader_left |= why->code == ERR_PEER;
    if (a->unwritten.code != ERR_NONE || why->code == ERR_PEER)
        return;
    a->unwritten = *why;
    err_wrap(&a->unwritten, "standard output");
}

void
result_put(struct app *a, struct buf *b)
{
    struct err e = {0};

    if (buf_ok(b, "the result", &e) < 0 ||
        fd_write_all(a->result.out, b->p, b->len, -1, &e) < 0)
        result_lost(a, &e);
    buf_clear(b);
}

int
result_write(const struct buf *b, struct err *e)
{
    struct err why = {0};

    if (fd_write_all(STDOUT_FILENO, b->p, b->len, -1, &why) == 0)
        return 0;
    if (why.code == ERR_PEER)
        why.kind = ERR_KIND_NO_READER;
    *e = why;
    return -1;
}

int
result_status(struct app *a, int status)
{
    bool ended = status == 0 || status == err_exit_status(ERR_INTERRUPTED);

    if (a->reader_left && ended && a->unwritten.code == ERR_NONE)
        return 128 + SIGPIPE;
    if (a->unwritten.code == ERR_NONE)
        return status;
    app_say(a, &a->unwritten);
    return status ? status : err_exit_status(a->unwritten.code);
}
