/* SPDX-License-Identifier: GPL-3.0-or-later */
/* repair_rows.h - the stanzas and rows of the rules' text. */
#ifndef OFFLINE_REPAIR_REPAIR_ROWS_H
#define OFFLINE_REPAIR_REPAIR_ROWS_H

#include <stdbool.h>
#include <stddef.h>

#define REPAIR_ROW_MAX 1024 /* bytes of a row */

struct repair_rule {
    char name[64];
    char title[160];
    const char *rows; /* for repair_rows_next */
};

/* Iterates over the rules; *at begins as NULL. Lists, tables and comments are
 * passed over. False: there are no more. */
bool repair_rows_rule(const char **at, struct repair_rule *out);

/* Iterates over a stanza's rows, without the blanks before them. False: the
 * stanza ends. */
bool repair_rows_next(const char **at, char row[REPAIR_ROW_MAX]);

#endif
