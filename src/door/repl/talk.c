/* SPDX-License-Identifier: GPL-3.0-or-later */
/* talk.c - reading the messages of the REPL and its bash. */
#include "door/repl/talk.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define PROMPT_FIELDS  8
#define MATCHES_FIELDS 6

int
talk_fields(const char *msg, size_t n, const char **fields, int max)
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
talk_number(const char *text, long min, long max, long *out)
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
talk_read_prompt(const char *msg, size_t n, struct talk_prompt *out)
{
    const char *f[PROMPT_FIELDS];
    long seq, status, binds;

    if (n == 0 || (msg[0] != TALK_PROMPT && msg[0] != TALK_MORE) ||
        talk_fields(msg, n, f, PROMPT_FIELDS) != PROMPT_FIELDS ||
        talk_number(f[0], 0, LONG_MAX, &seq) < 0 ||
        talk_number(f[1], 0, INT_MAX, &status) < 0 ||
        talk_number(f[7], 0, LONG_MAX, &binds) < 0)
        return -1;
    *out = (struct talk_prompt){
        .more = msg[0] == TALK_MORE,
        .seq = (unsigned long)seq,
        .status = (int)status,
        .vi = strcmp(f[2], "vi") == 0,
        .cwd = f[3],
        .prompt = f[4],
        .sign_set = f[5][0] == '=',
        .sign = f[5][0] == '=' ? f[5] + 1 : "",
        .breaks = f[6],
        .binds = binds,
    };
    return 0;
}

int
talk_read_matches(const char *msg, size_t n, struct talk_matches *out)
{
    const char *f[MATCHES_FIELDS];
    long v[MATCHES_FIELDS];

    if (n == 0 || msg[0] != TALK_MATCHES ||
        talk_fields(msg, n, f, MATCHES_FIELDS) != MATCHES_FIELDS)
        return -1;
    for (int i = 0; i < MATCHES_FIELDS; i++) {
        if (talk_number(f[i], 0, i == 0 ? TALK_LINE_MAX : 255, &v[i]) < 0)
            return -1;
    }
    *out = (struct talk_matches){.start = (int)v[0],
                                 .filenames = v[1] != 0,
                                 .quoting = v[2] != 0,
                                 .sort = v[3] != 0,
                                 .suppress_quote = v[4] != 0,
                                 .append = (int)v[5]};
    return 0;
}
