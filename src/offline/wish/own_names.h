/* SPDX-License-Identifier: GPL-3.0-or-later */
/* own_names.h - names of files that could pass for options. */
#ifndef OFFLINE_OWN_NAMES_H
#define OFFLINE_OWN_NAMES_H

#include "base/buf.h"
#include "base/err.h"

/* Appends the command with ./ before each glob that could match a name like
 * -rf: "rm *" is "rm ./" and the star. */
int own_names(const char *command, struct buf *out, struct err *e);

#endif
