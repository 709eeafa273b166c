/* SPDX-License-Identifier: GPL-3.0-or-later */
/* machine.h - which programs are installed here.
 *
 * PATH is looked through once for each program that somebody asks about, and
 * what was found is kept, boundedly: of many names the older are forgotten
 * and looked for again. */
#ifndef OFFLINE_MACHINE_H
#define OFFLINE_MACHINE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/cleanup.h"
#include "base/err.h"

struct machine; /* the directories of a PATH, and the answers so far */

/* path as $PATH has it; NULL: the one of the environment. */
struct machine *machine_new(const char *path, struct err *e);
void machine_free(struct machine *m);
DEFINE_CLEANUP(struct machine, machine_free)

/* Whether bash would find a program of that name, or has it built in. */
bool machine_has(struct machine *m, const char *program);

/* The first of the names between blanks that is not here, copied into name;
 * false: all are. */
bool machine_misses(struct machine *m, const char *programs, char *name,
                    size_t size);

#endif
