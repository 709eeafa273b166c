/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain.h - what a command line means, from this machine's manual pages.
 *
 * explain/ names every part of a command line (command, option, value, operand,
 * redirection ...) and writes one sentence about the whole line. What it knows
 * comes from manual/: the manual pages of this machine and, where there are
 * none, the tables in manual/tables/.
 * It must not start a process, open a connection, run the line or decide
 * whether it may run: the risk that it shows is read by guard/risk/.
 * What can fail: memory, and a line over SYNTAX_LINE_MAX bytes. A page that is
 * missing, damaged or hostile is no error: less is known then, and the parts
 * say so (known is false). */
#ifndef OFFLINE_EXPLAIN_EXPLAIN_H
#define OFFLINE_EXPLAIN_EXPLAIN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/seat.h"
#include "json/write.h"

enum explain_kind {
    EXPLAIN_COMMAND,    /* the name of a program, builtin or subcommand */
    EXPLAIN_KEYWORD,    /* if, while, { and other words of the shell */
    EXPLAIN_OPTION,     /* -x, --extract, the x of xzvf */
    EXPLAIN_VALUE,      /* the value of the option before it */
    EXPLAIN_OPERAND,    /* what the command works on */
    EXPLAIN_OPERATOR,   /* | && ; and the -- that ends options */
    EXPLAIN_REDIRECT,   /* 2>errors.txt */
    EXPLAIN_ASSIGNMENT, /* LANG=C before a command */
    EXPLAIN_EXPANSION,  /* $x, $(…), *.c inside the part before it */
    EXPLAIN_COMMENT,
};

/* One part of the command line and its meaning. Parts are sorted by from. */
struct explain_part {
    enum explain_kind kind;
    size_t from, to; /* bytes of the command line: [from, to) */
    unsigned depth;  /* 0, and 1 more inside each substitution */
    char *what;      /* the part in its usual spelling: "-x", "a.tgz" */
    char *meaning;   /* plain text, one line of UTF-8; never NULL */
    char *source; /* of a command: "tar(1)", "our table for tar"; else NULL */
    bool known;   /* false: the meaning says that it is unknown */
};

/* What the guard finds in the line; guard/risk/risk.h defines the terms. */
struct explain_risk {
    bool destructive, privileged, network, opaque;
    char **reasons; /* "rm deletes files" */
    size_t n;
};

struct explain {
    struct explain_part *parts;
    size_t n;
    char *line;    /* a copy of the whole command line */
    char *summary; /* one sentence about the whole line; "" when no sentence
                      would say more than the parts */
    struct explain_risk risk;
    char *source; /* "tar(1), gzip(1)": every source that was used, or "" */
    bool known;   /* at least one of the commands is known */
    bool person;  /* it is in the person's language, else in English */
};

/* The most parts of one line. The rest of a longer line is not explained. */
#define EXPLAIN_PARTS_MAX 1024

/* Explains a command line that would run in the seat's directory, by the manual
 * pages that its variables name. Returns 0 also when no command of it is known.
 * The caller frees *out with explain_done(). ERR_INVALID: the line is too long;
 * ERR_NOMEM. *out is untouched on failure. */
int explain_line(const struct seat *s, const char *line, struct explain *out,
                 struct err *e);
/* The same for who reads it: a person in the person's language, a program in
 * English, as explain_line() does. What manual pages say stays as it is. */
int explain_for(bool person, const struct seat *s, const char *line,
                struct explain *out, struct err *e);
void explain_done(struct explain *x); /* accepts NULL */

#define EXPLAIN_PLAIN 0 /* no columns: a part a line, of any length */

/* Appends the explanation for a person: the command line, the sentence about
 * the whole, the risk if there is any, then two columns with each part and its
 * meaning. An option and its value share a row. Rows are wrapped to `width`
 * columns (at least 24), but for EXPLAIN_PLAIN. Control characters are shown as
 * escapes. */
void explain_text(const struct explain *x, int width, struct buf *out);

/* Appends the facts and then the reasons, "destructive, needs root: rm deletes
 * files"; nothing when there is no risk. */
void explain_risk_text(const struct explain_risk *r, bool person,
                       struct buf *out);

/* Writes one object: {"known","source","summary","risk":{"destructive",
 * "privileged","network","opaque","reasons":[…]},"parts":[{"kind","from","to",
 * "depth","text","spelling"?,"meaning","source"?,"known"}]}. "text" is bytes
 * [from, to) of the line; "spelling" is what they stand for where that differs:
 * "-m" for the m of -am. */
void explain_json(const struct explain *x, struct json_writer *w);

/* Whether the text is rather a command line than a question in plain
 * words. It searches for programs in the seat's PATH and for files in its
 * directory, and runs nothing. */
bool explain_is_command(const struct seat *s, const char *text);

#endif
