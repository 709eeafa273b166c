/* SPDX-License-Identifier: GPL-3.0-or-later */
/* relay_record.c - what the nodes of a bus write to each other. */
#include "wire/relay_record.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void
relay_record_put(struct buf *out, const struct relay_record *r)
{
    buf_printf(out, "%c %s %s %" PRIu64 " %" PRIu64, (char)r->kind, r->node,
               r->other[0] ? r->other : "-", r->a, r->b);
    for (size_t i = 0; i < RELAY_RECORD_PARTS; i++)
        buf_printf(out, " %zu", r->parts[i].n);
    buf_ch(out, '\n');
    for (size_t i = 0; i < RELAY_RECORD_PARTS; i++)
        if (r->parts[i].n > 0)
            buf_add(out, r->parts[i].p, r->parts[i].n);
}

/* The next word, of `size` - 1 bytes at most; moves *at behind the blank. */
static bool
read_record_word(const char **at, char *out, size_t size)
{
    size_t n = strcspn(*at, " \n");

    if (n == 0 || n >= size || (*at)[n] != ' ')
        return false;
    memcpy(out, *at, n);
    out[n] = '\0';
    *at += n + 1;
    return true;
}

/* The same for a number, which the byte `end` follows. */
static bool
read_record_number(const char **at, uint64_t *out, char end)
{
    size_t n = strspn(*at, "0123456789");

    if (n == 0 || n > 20 || (*at)[n] != end)
        return false;
    *out = strtoull(*at, NULL, 10);
    *at += n + 1;
    return true;
}

bool
relay_record_read(const char *bytes, size_t n, struct relay_record *out)
{
    const char *at = bytes, *end = bytes + n;
    char kind[2];
    uint64_t sizes[RELAY_RECORD_PARTS];

    if (!memchr(bytes, '\n', n < RELAY_RECORD_HEAD ? n : RELAY_RECORD_HEAD) ||
        !read_record_word(&at, kind, sizeof(kind)) ||
        !read_record_word(&at, out->node, sizeof(out->node)) ||
        !read_record_word(&at, out->other, sizeof(out->other)) ||
        !read_record_number(&at, &out->a, ' ') ||
        !read_record_number(&at, &out->b, ' '))
        return false;
    out->kind = (enum relay_record_kind)kind[0];
    for (size_t i = 0; i < RELAY_RECORD_PARTS; i++)
        if (!read_record_number(&at, &sizes[i],
                                i + 1 < RELAY_RECORD_PARTS ? ' ' : '\n'))
            return false;
    for (size_t i = 0; i < RELAY_RECORD_PARTS; i++) {
        if (sizes[i] > (size_t)(end - at))
            return false;
        out->parts[i] = (struct relay_bytes){at, (size_t)sizes[i]};
        at += sizes[i];
    }
    return at == end;
}
