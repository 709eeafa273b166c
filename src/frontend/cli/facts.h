/* SPDX-License-Identifier: GPL-3.0-or-later */
/* facts.h - call a read-only tool of facts and print its result for a person.
 *
 * The tool is the one that a model calls; only `meta` of its response is shown.
 * All of that is untrusted bytes, so it is escaped for the terminal. */
#ifndef FRONTEND_CLI_FACTS_H
#define FRONTEND_CLI_FACTS_H

#include "frontend/cli/command.h"
#include "json/json.h"
#include "json/write.h"

#define FACTS_TEXT_MAX (64u << 20) /* 65,536 packages, escaped */

/* The call of a command, and how it prints the result. */
struct facts_verb {
    const char *tool, *action;
    /* writes the words of the command line as members of args; ERR_USAGE */
    int (*args)(const struct command_args *c, struct json_writer *w,
                struct err *e);
    void (*show)(struct buf *out, const struct term *t,
                 const struct json *meta);
};

/* The whole of a command: calls the tool and prints. Returns the exit status,
 * or APP_GOES_ON. */
int facts_run(struct command_args *c, const struct facts_verb *verb);

#define FACTS_COLUMNS_MAX 8

struct facts_table {
    const struct term *term;  /* borrowed */
    const char *const *heads; /* NULL last, borrowed */
    unsigned right; /* a bit for each column that is aligned to the right */
    size_t n_columns;
    char **cells; /* escaped, row after row */
    size_t n, room;
    bool bad; /* no memory: nothing is printed */
};

void facts_table_init(struct facts_table *t, const struct term *term,
                      const char *const *heads, unsigned right);
void facts_table_done(struct facts_table *t);

/* Adds the next cell; NULL and "" become "-". */
void facts_table_cell(struct facts_table *t, const char *text);
void facts_table_text(struct facts_table *t, const struct json *string);
void facts_table_number(struct facts_table *t, const struct json *number);
void facts_table_size(struct facts_table *t, const struct json *bytes);

/* Appends the table, or nothing when it has no rows. On a terminal no line is
 * wider than the screen: the widest cells are cut first, then columns are left
 * out, from the last on. */
void facts_table_put(const struct facts_table *t, struct buf *out);

#endif
