/* SPDX-License-Identifier: GPL-3.0-or-later */
/* guest_record.c - what the journal is told of a connection's requests. */
#include "server/guest/guest_record.h"

#include "server/guest/guest_command.h"

void
guest_record_request(const struct guest_connection *c, const char *method,
                     const struct json *params)
{
    (void)journal_add_later(c->run, "call",
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
guest_record_end(const struct guest_connection *c, int status, int64_t ms,
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
guest_record_failed(const struct guest_connection *c, const char *why)
{
    (void)journal_add_later(c->run, "result",
                            (const struct journal_member[]){
                                JOURNAL_FLAG("ok", false),
                                JOURNAL_STR("why", why),
                                {0},
                            });
}
