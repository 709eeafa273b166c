/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain.h - what a command line means, from this machine's manual pages.
 *
 * offline/ is what agentsh knows without a model; it starts no process and
 * opens no connection. It reads man(7) and mdoc(7) pages, compressed or not
 * (zlib's only room), and where pages are missing short tables of our own. */
#ifndef OFFLINE_EXPLAIN_H
#define OFFLINE_EXPLAIN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"

/* One part of the command line and its meaning, in reading order. */
struct explain_part {
    size_t from, to; /* bytes of the command line: [from, to) */
    char *what;      /* the part as it is explained: "-x", "a.tgz" */
    char *meaning;   /* plain text, UTF-8; NULL: not known */
    bool is_command; /* names a program, not an argument */
};

struct explain {
    struct explain_part *parts;
    size_t n;
    char *source; /* "tar(1)", "built-in table", … for what was used */
    bool known;   /* at least one command was found */
};

/* 0 also when nothing is known (known is false then). */
int explain_line(const char *line, struct explain *out, struct err *e);
void explain_done(struct explain *x);

/* Whether the text looks like a command line rather than a question. */
bool explain_is_command(const char *text);

#endif
