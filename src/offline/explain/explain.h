/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain.h - what a command line means, from this machine's manual pages.
 *
 * offline/ is what agentsh knows without a model; it starts no process and
 * opens no connection. It reads man(7) and mdoc(7) pages, compressed or not
 * (zlib's only room), and where pages are missing short tables of our own.
 * What can fail: memory and bounds. A page that is missing, broken or hostile
 * is no failure: then less is known, and the parts say so. */
#ifndef OFFLINE_EXPLAIN_H
#define OFFLINE_EXPLAIN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"
#include "json/write.h"

enum explain_kind {
    EXPLAIN_COMMAND,    /* names what runs: a program, builtin, subcommand */
    EXPLAIN_KEYWORD,    /* if, while, { … of the shell's own language */
    EXPLAIN_OPTION,     /* -x, --extract, the x of xzvf */
    EXPLAIN_VALUE,      /* the argument of the option before it */
    EXPLAIN_OPERAND,    /* what the command works on */
    EXPLAIN_OPERATOR,   /* | && ; and the -- that ends options */
    EXPLAIN_REDIRECT,   /* 2>errors.txt */
    EXPLAIN_ASSIGNMENT, /* LANG=C before a command */
    EXPLAIN_EXPANSION,  /* $x, $(…), *.c inside the part before it */
    EXPLAIN_COMMENT,
};

/* One part of the command line and its meaning, in reading order. */
struct explain_part {
    enum explain_kind kind;
    size_t from, to; /* bytes of the command line: [from, to) */
    unsigned depth;  /* 0; one more inside each substitution */
    char *what;      /* the part as it is explained: "-x", "a.tgz" */
    char *meaning;   /* plain text, one line, UTF-8; never NULL */
    char *source;    /* of a command: "tar(1)", "our table", …; or NULL */
    bool known;      /* false: the meaning says that we do not know */
};

/* What the guard finds in the line (guard/risk/risk.h). */
struct explain_risk {
    bool destructive, privileged, network, opaque;
    char **reasons; /* "rm deletes files" */
    size_t n;
};

struct explain {
    struct explain_part *parts;
    size_t n;
    char *line;    /* as it was given */
    char *summary; /* what the whole does, one line; "": see the parts */
    struct explain_risk risk;
    char *source; /* "tar(1), gzip(1)": all that was used; "" for nothing */
    bool known;   /* at least one command was found */
};

/* At most this many parts; a longer line is explained up to there. */
#define EXPLAIN_PARTS_MAX 1024

/* 0 also when nothing is known (known is false then). */
int explain_line(const char *line, struct explain *out, struct err *e);
void explain_done(struct explain *x); /* accepts NULL */

/* Appends the command line once, below it what the whole does and its risk
 * where there is any, and then two columns, each part and its meaning, wrapped
 * to width columns (at least 40), an option and its value on one row. Bytes
 * that could steer a terminal are shown as escapes. */
void explain_text(const struct explain *x, int width, struct buf *out);

/* Appends "destructive (rm deletes files); needs root"; nothing without. */
void explain_risk_text(const struct explain_risk *r, struct buf *out);

/* Writes one object: {"known","source","summary","risk":{"destructive",
 * "privileged","network","opaque","reasons":[…]},"parts":[{"kind","from","to",
 * "depth","text","spelling"?,"meaning","source"?,"known"}]}: text is bytes
 * [from, to) of the line, and spelling what they stand for where that differs,
 * "-m" for the m of -am. */
void explain_json(const struct explain *x, struct json_writer *w);

/* Whether the text looks like a command line rather than a question. */
bool explain_is_command(const char *text);

#endif
