/* SPDX-License-Identifier: GPL-3.0-or-later */
/* field.h - the files that are kept between runs: lines, fields between tabs.
 */
#ifndef MODEL_FIELD_H
#define MODEL_FIELD_H

/* The next field at *at, ended in place; *at moves behind the tab or the
 * newline that ends it. NULL, and *at stays, where neither follows. */
char *field_take(char **at);

#endif
