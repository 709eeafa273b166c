/* SPDX-License-Identifier: GPL-3.0-or-later */
/* table.h - looking settings up and reading files into them.
 *
 * Only config/ includes this; the table itself is read by config_row(). */
#ifndef CONFIG_TABLE_H
#define CONFIG_TABLE_H

#include "config/config.h"

struct config {
    char *text[CONFIG_N]; /* as a file has it, checked; NULL: not set */
};

/* The key of [section] name, or -1. */
int config_find(const char *section, const char *name);
bool config_is_section(const char *name);

/* 0 when text is a value for the row; else -1 with ERR_CONFIG and what it
 * must be. */
int config_check(const struct config_row *row, const char *text, struct err *e);
/* The same for a list's elements. */
int config_check_list(const struct config_row *row, const char *text,
                      struct err *e);
/* What checked text says. */
bool config_truth(const char *text);
double config_parse_number(const char *text);

/* Sets what the text of a file says; path is for messages. */
int config_read(struct config *c, const char *path, const char *text, size_t n,
                struct err *e);

#endif
