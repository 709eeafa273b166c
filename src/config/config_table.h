/* SPDX-License-Identifier: GPL-3.0-or-later */
/* config_table.h - finds settings by name and checks values. Only config/,
 * its tests, and readers of files with the same kinds of values include this;
 * config_row() reads the table. */
#ifndef CONFIG_CONFIG_TABLE_H
#define CONFIG_CONFIG_TABLE_H

#include "config/config.h"

struct config {
    char *text[CONFIG_N]; /* as written in a file, checked; NULL: not set */
    size_t others;        /* owners but one */
};

/* The key of [section] name, or -1. */
int config_find(const char *section, const char *name);
bool config_is_section(const char *name);

/* Whether text is a value for the row: 0, or -1 with ERR_CONFIG and what it
 * must be. */
int config_check(const struct config_row *row, const char *text, struct err *e);

/* The values of text that was checked. */
bool config_truth(const char *text);
double config_parse_number(const char *text);

/* Applies the text of a file, n bytes; path is for messages. */
int config_read(struct config *c, const char *path, const char *text, size_t n,
                struct err *e);

#endif
