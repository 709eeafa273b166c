/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_row.c - a row of the journal, whatever is in it, shown and hashed.
 *
 * The first line is the time, the second the kind, the rest the body. Control
 * characters never reach the terminal. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "ui/audit_log.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The bytes up to a newline, terminated; what is behind it. */
static char *
take_line(const char **p, size_t *n)
{
    const char *end = memchr(*p, '\n', *n);
    size_t len = end ? (size_t)(end - *p) : *n;
    char *line = strndup(*p, len);

    *p += len + (end != NULL);
    *n -= len + (end != NULL);
    return line;
}

static void
show(const struct ledger_row *r)
{
    CLEANUP_BUF struct buf out = buf_of(AUDIT_LOG_MAX);
    CLEANUP_BUF struct buf json = buf_of(AUDIT_LOG_MAX);
    char hash[SHA256_HEX_SIZE];
    struct json_writer w;

    audit_log_row_text(&out, NULL, r);
    for (size_t i = 0; i < out.len; i++) {
        if ((unsigned char)out.p[i] < 0x20 && out.p[i] != '\n')
            abort();
    }
    json_write_init(&w, &json);
    audit_log_row_json(&w, r);
    json_free(json_parse(json.p, json.len, 0, NULL));
    (void)ledger_hash(LEDGER_FIRST_HASH, r, hash, NULL);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *p = (const char *)data;
    size_t n = size;
    CLEANUP(free_p) char *time = take_line(&p, &n);
    CLEANUP(free_p) char *kind = take_line(&p, &n);
    CLEANUP(free_p) char *body = strndup(p, n);
    struct ledger_row r = {.seq = 1, .run = "", .hash = ""};

    if (!time || !kind || !body)
        return 0;
    r.time = time;
    r.time_len = strlen(time);
    r.kind = kind;
    r.kind_len = strlen(kind);
    r.body = body;
    r.body_len = strlen(body);
    show(&r);
    return 0;
}
