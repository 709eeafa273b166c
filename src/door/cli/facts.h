/* SPDX-License-Identifier: GPL-3.0-or-later */
/* facts.h - the read-only facts, as a person reads them.
 *
 * A tool gathers them, as it does for a model; only its meta is shown here.
 * Everything in it is bytes from outside: it goes to a screen escaped. */
#ifndef DOOR_CLI_FACTS_H
#define DOOR_CLI_FACTS_H

#include "door/cli/call.h"
#include "json/json.h"
#include "json/write.h"

#define FACTS_TEXT_MAX (64u << 20) /* 65,536 packages, escaped */

/* What a subcommand asks of its tool, and how it shows the answer. */
struct facts_verb {
    const char *tool, *action;
    /* the words of the command line as members of args. ERR_USAGE */
    int (*args)(const struct call *c, struct json_writer *w, struct err *e);
    void (*show)(struct buf *out, const struct term *t,
                 const struct json *meta);
};

/* The whole of a subcommand: calls the tool, shows, returns the status. */
int facts_run(struct call *c, const struct facts_verb *verb);

#define FACTS_COLUMNS_MAX 8

struct facts_table {
    const struct term *term;  /* borrowed */
    const char *const *heads; /* NULL-ended, borrowed */
    unsigned right;           /* columns of numbers, a bit each */
    size_t n_columns;
    char **cells; /* escaped, row after row */
    size_t n, room;
    bool bad; /* no memory: nothing is shown */
};

void facts_table_init(struct facts_table *t, const struct term *term,
                      const char *const *heads, unsigned right);
void facts_table_done(struct facts_table *t);

/* The next cell; "-" for NULL and "". */
void facts_table_cell(struct facts_table *t, const char *text);
void facts_table_text(struct facts_table *t, const struct json *string);
void facts_table_number(struct facts_table *t, const struct json *number);
void facts_table_size(struct facts_table *t, const struct json *bytes);

/* Appends it; on a terminal no line is wider than that: the widest texts give
 * way, and then columns from the last on. Nothing where there are no rows. */
void facts_table_put(const struct facts_table *t, struct buf *out);

#endif
