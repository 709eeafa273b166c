/* SPDX-License-Identifier: GPL-3.0-or-later */
/* config_headers.h - checks a setting that is a list of HTTP headers. Only
 * config/ includes this; config_header_next() is in config.h. */
#ifndef CONFIG_CONFIG_HEADERS_H
#define CONFIG_CONFIG_HEADERS_H

#include "config/config.h"

/* 0 when text is a list of headers that a request may have beside its own;
 * else -1 with ERR_CONFIG. A message names a header, never its value. */
int config_headers_check(const struct config_row *row, const char *text,
                         struct err *e);

#endif
