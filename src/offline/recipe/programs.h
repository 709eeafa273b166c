/* SPDX-License-Identifier: GPL-3.0-or-later */
/* programs.h - which programs a command of ours starts. */
#ifndef OFFLINE_PROGRAMS_H
#define OFFLINE_PROGRAMS_H

#include <stddef.h>

#define PROGRAMS_MAX  6
#define PROGRAMS_NAME 24

/* In order; sudo and its like passed over, what xargs starts included. It
 * reads commands that recipes and composers made, and decides nothing about
 * safety: that is the guard's. */
struct programs {
    char names[PROGRAMS_MAX][PROGRAMS_NAME];
    size_t n;
};

void programs_of(const char *command, struct programs *out);

/* 0..1: how often people use it, of what they might have meant; 0 for what is
 * not in the table. */
double programs_common(const char *name);

#endif
