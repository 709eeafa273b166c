/* SPDX-License-Identifier: GPL-3.0-or-later */
/* command_programs.h - the programs that a generated command starts.
 *
 * For ranking and for the index. It reads commands of recipes and generators
 * only, and decides nothing about safety: the guard does. */
#ifndef OFFLINE_INDEX_COMMAND_PROGRAMS_H
#define OFFLINE_INDEX_COMMAND_PROGRAMS_H

#include <stddef.h>

#define COMMAND_PROGRAMS_MAX  6
#define COMMAND_PROGRAMS_NAME 24

/* In order. sudo and similar programs are skipped; what xargs starts is
 * included. */
struct command_programs {
    char names[COMMAND_PROGRAMS_MAX][COMMAND_PROGRAMS_NAME];
    size_t n;
};

void command_programs_of(const char *command, struct command_programs *out);

/* How often people use a program, 0..1; 0 for one that is not in the table. */
double command_programs_common(const char *name);

#endif
