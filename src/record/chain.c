/* SPDX-License-Identifier: GPL-3.0-or-later */
/* chain.c - each row carries the hash of the row before. */
#include "record/chain.h"

#include <inttypes.h>
#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"

#define FORM_MAX (8u << 20) /* a stored row has 4 MiB at most */

static void
put(struct buf *form, const char *part, size_t n)
{
    buf_printf(form, "%zu:", n);
    buf_add(form, part, n);
}

int
chain_hash(const char *prev, const struct chain_row *r,
           char hex[SHA256_HEX_SIZE], struct err *e)
{
    CLEANUP_BUF struct buf form = buf_of(FORM_MAX);

    put(&form, prev, strlen(prev));
    buf_printf(&form, "%" PRId64 ":", r->seq);
    put(&form, r->time, r->time_len);
    put(&form, r->run, r->run_len);
    put(&form, r->kind, r->kind_len);
    put(&form, r->body, r->body_len);
    if (buf_ok(&form, "the row", e) < 0)
        return -1;
    sha256_hex(form.p, form.len, hex);
    return 0;
}
