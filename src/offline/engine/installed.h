/* SPDX-License-Identifier: GPL-3.0-or-later */
/* installed.h - knows which programs are installed on this machine.
 *
 * The PATH of a seat is searched once for each program that is asked for. A
 * fixed number of answers is kept: among many names an older one is dropped,
 * and searched again. */
#ifndef OFFLINE_ENGINE_INSTALLED_H
#define OFFLINE_ENGINE_INSTALLED_H

#include <stdbool.h>
#include <stddef.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/seat.h"

struct installed; /* the directories of a PATH, and the kept answers */

/* Opens the directories of the seat's PATH. The seat is borrowed. ERR_NOMEM. */
struct installed *installed_new(const struct seat *s, struct err *e);
void installed_free(struct installed *m);
DEFINE_CLEANUP(struct installed, installed_free)

/* Whether bash would find a program of that name, or has it as a builtin. */
bool installed_has(struct installed *m, const char *program);

#endif
