/* SPDX-License-Identifier: GPL-3.0-or-later */
/* guest_record.c - what the journal is told of a connection's requests. */
#include "server/guest/guest_record.h"

#include "server/guest/guest_command.h"

/* The run of a connection, which begins with its first event. */
static struct journal_run *
open_guest_run_record(struct guest_connection *c)
{
    const struct guest_shared *sh = c->shared;
    struct err e = {0};

    if (c->run || !sh->journal)
        return c->run;
    c->run = journal_run_new(sh->journal(sh->arg), &e);
    if (e.code != ERR_NONE)
        sh->log(sh->arg, e.text);
    return c->run;
}

void
guest_record_request(struct guest_connection *c, const char *method,
                     const struct json *params)
{
    (void)journal_add_later(open_guest_run_record(c), "call",
                            (const struct journal_member[]){
                                JOURNAL_STR("by", "guest"),
                                JOURNAL_STR("tool", "guest"),
                                JOURNAL_STR("action", method),
                                JOURNAL_TREE("args", params),
                                {0},
                            });
}

/* The end of a stream, as far as it is kept. */
static size_t
read_tail(const struct guest_spool *s, char tail[JOURNAL_TAIL_MAX])
{
    uint64_t end = guest_spool_end(s), first = guest_spool_first(s);
    uint64_t from = end - first > JOURNAL_TAIL_MAX ? end - JOURNAL_TAIL_MAX
                                                   : first;
    ssize_t n = guest_spool_read(s, from, tail, JOURNAL_TAIL_MAX, NULL);

    return n < 0 ? 0 : (size_t)n;
}

void
guest_record_end(struct guest_connection *c, int status, int64_t ms,
                 const struct guest_spool *streams)
{
    char tails[GUEST_STREAMS][JOURNAL_TAIL_MAX];
    size_t n[GUEST_STREAMS];

    if (!c->run)
        return;
    for (size_t i = 0; i < GUEST_STREAMS; i++)
        n[i] = read_tail(&streams[i], tails[i]);
    (void)journal_add_later(
        c->run, "result",
        (const struct journal_member[]){
            JOURNAL_FLAG("ok", true),
            JOURNAL_NUM("exit_code", status),
            JOURNAL_NUM("ms", ms),
            JOURNAL_TAIL("stdout", tails[GUEST_STDOUT], n[GUEST_STDOUT]),
            JOURNAL_TAIL("stderr", tails[GUEST_STDERR], n[GUEST_STDERR]),
            {0},
        });
}

void
guest_record_failed(struct guest_connection *c, const char *why)
{
    (void)journal_add_later(open_guest_run_record(c), "result",
                            (const struct journal_member[]){
                                JOURNAL_FLAG("ok", false),
                                JOURNAL_STR("why", why),
                                {0},
                            });
}
