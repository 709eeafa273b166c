/* SPDX-License-Identifier: GPL-3.0-or-later */
/* relay_held.c - records of the stream that wait while a node joins. */
#include "wire/relay_held.h"

#include <string.h>

struct held_head {
    uint64_t turn;
    size_t n; /* bytes of the record, which follow it with a NUL */
};

bool
relay_held_add(struct buf *held, uint64_t turn, const char *bytes, size_t n)
{
    const struct held_head head = {turn, n};

    buf_add(held, &head, sizeof(head));
    buf_add(held, bytes, n);
    buf_ch(held, '\0');
    return !held->bad;
}

bool
relay_held_next(const struct buf *held, size_t *at, uint64_t *turn,
                struct relay_record *rec)
{
    struct held_head head;

    if (held->len - *at < sizeof(head))
        return false;
    memcpy(&head, held->p + *at, sizeof(head));
    if (held->len - *at - sizeof(head) <= head.n)
        return false;
    *turn = head.turn;
    if (!relay_record_read(held->p + *at + sizeof(head), head.n, rec))
        *rec = (struct relay_record){0};
    *at += sizeof(head) + head.n + 1;
    return true;
}

void
relay_held_rewind(const struct buf *held, size_t at, struct relay_stream *s)
{
    struct relay_record rec;
    uint64_t turn;

    if (relay_held_next(held, &at, &turn, &rec))
        relay_stream_rewind(s, turn);
}
