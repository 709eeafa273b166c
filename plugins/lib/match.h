/* SPDX-License-Identifier: GPL-3.0-or-later */
/* match.h - names that a pattern fits. */
#ifndef PLUGINS_LIB_MATCH_H
#define PLUGINS_LIB_MATCH_H

#include <stdbool.h>

/* The whole of text against * (anything), ? (one byte) and [abc], [a-z],
 * [!abc]; case counts. Takes at most as many steps as both are long,
 * multiplied, whatever the pattern. An unclosed [ is a plain one. */
bool match_glob(const char *pattern, const char *text);

/* Whether it holds one of these signs. */
bool match_is_pattern(const char *text);

#endif
