/* SPDX-License-Identifier: GPL-3.0-or-later */
/* attributes.h - a new file that is to look like an old one. */
#ifndef PLUGINS_LIB_ATTRIBUTES_H
#define PLUGINS_LIB_ATTRIBUTES_H

#include <sys/stat.h>

#include "base/err.h"

/* Gives `to` the owner, the group, the mode, the ACL and the extended
 * attributes of a file: st is that file's, `from` is it, or -1 where it cannot
 * be read. What the system does not let us give is left: then the group and
 * the set-id bits, which would mean somebody else, are not handed on. Bits
 * that make a program run as another user go as they do on any write. */
int attributes_give(int from, const struct stat *st, int to, struct err *e);

/* The bytes, the attributes and the times. */
int attributes_copy(int from, const struct stat *st, int to, struct err *e);

#endif
