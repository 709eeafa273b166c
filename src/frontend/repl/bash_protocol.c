/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bash_protocol.c - reading the messages of the REPL and its bash. */
#include "frontend/repl/bash_protocol.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define PROMPT_FIELDS  8
#define MATCHES_FIELDS 6

int
bash_protocol_fields(const char *msg, size_t n, const char **fields, int max)
{
    size_t at = 1;
    int count = 0;

    if (n == 0 || (n > 1 && msg[n - 1] != '\0'))
        return -1;
    while (at < n) {
        if (count == max)
            return -1;
        fields[count++] = msg + at;
        at += strlen(msg + at) + 1;
    }
    return count;
}

int
bash_protocol_number(const char *text, long min, long max, long *out)
{
    char *end;
    long n;

    errno = 0;
    n = strtol(text, &end, 10);
    if (end == text || *end || errno || n < min || n > max)
        return -1;
    *out = n;
    return 0;
}

int
bash_protocol_read_prompt(const char *msg, size_t n, struct bash_prompt *out)
{
    const char *f[PROMPT_FIELDS];
    long seq, status, binds;

    if (n == 0 || (msg[0] != BASH_MSG_PROMPT && msg[0] != BASH_MSG_MORE) ||
        bash_protocol_fields(msg, n, f, PROMPT_FIELDS) != PROMPT_FIELDS ||
        bash_protocol_number(f[0], 0, LONG_MAX, &seq) < 0 ||
        bash_protocol_number(f[1], 0, INT_MAX, &status) < 0 ||
        bash_protocol_number(f[7], 0, LONG_MAX, &binds) < 0)
        return -1;
    *out = (struct bash_prompt){
        .more = msg[0] == BASH_MSG_MORE,
        .seq = (unsigned long)seq,
        .status = (int)status,
        .vi = strcmp(f[2], "vi") == 0,
        .cwd = f[3],
        .prompt = f[4],
        .prefix_set = f[5][0] == '=',
        .prefix = f[5][0] == '=' ? f[5] + 1 : "",
        .breaks = f[6],
        .binds = binds,
    };
    return 0;
}

static int
read_matches(const char *msg, size_t n, struct bash_matches *out)
{
    const char *f[MATCHES_FIELDS];
    long v[MATCHES_FIELDS];

    if (n == 0 || msg[0] != BASH_MSG_MATCHES ||
        bash_protocol_fields(msg, n, f, MATCHES_FIELDS) != MATCHES_FIELDS)
        return -1;
    for (int i = 0; i < MATCHES_FIELDS; i++) {
        if (bash_protocol_number(f[i], 0, i == 0 ? BASH_MSG_LINE_MAX : 255,
                                 &v[i]) < 0)
            return -1;
    }
    *out = (struct bash_matches){.start = (int)v[0],
                                 .filenames = v[1] != 0,
                                 .quoting = v[2] != 0,
                                 .sort = v[3] != 0,
                                 .suppress_quote = v[4] != 0,
                                 .append = (int)v[5]};
    return 0;
}

/* The reply to a question. */

void
bash_reply_init(struct bash_reply *r)
{
    *r = (struct bash_reply){.whole = true};
    buf_init(&r->fields, BASH_MSG_PARTS_MAX);
}

void
bash_reply_done(struct bash_reply *r)
{
    if (!r)
        return;
    buf_done(&r->fields);
}

void
bash_reply_begin(struct bash_reply *r)
{
    buf_clear(&r->fields);
    r->whole = r->matches_known = false;
}

void
bash_reply_end(struct bash_reply *r)
{
    r->whole = true;
}

void
bash_reply_add(struct bash_reply *r, const char *msg, size_t n)
{
    if (r->whole || n == 0)
        return; /* late: the question was given up */
    if (msg[0] == BASH_MSG_DONE)
        r->whole = true;
    else if (msg[0] == BASH_MSG_MATCHES && !r->matches_known)
        r->matches_known = read_matches(msg, n, &r->matches) == 0;
    else if (n > 1 && msg[n - 1] == '\0')
        buf_add(&r->fields, msg + 1, n - 1);
}

const struct buf *
bash_reply_fields(const struct bash_reply *r)
{
    return r->whole && !r->fields.bad ? &r->fields : NULL;
}
