/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain_sed.h - inside explain_sed.c: reading sed's language. */
#ifndef OFFLINE_EXPLAIN_SED_H
#define OFFLINE_EXPLAIN_SED_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/* Of one script; what has more is no small program. */
#define SED_COMMANDS_MAX 12

struct sed_text {
    const char *p; /* into the script */
    size_t n;
};

/* 5,9d; /x/!s/from/to/flags; $a to. */
struct sed_command {
    struct sed_text address[2]; /* n 0: none; patterns with their marks */
    bool not ;                  /* !: all other lines */
    char command;               /* one of "sydpqQ=aicrG" */
    struct sed_text from, to, flags;
};

struct sed_program {
    struct sed_command v[SED_COMMANDS_MAX];
    size_t n;
};

/* Reads a script, commands parted by newlines or semicolons, those of {} with
 * the address before that. False where it has others than the above. */
bool sed_read(const char *text, struct sed_program *out);

/* Appends which lines: "lines 5 to 9", "lines that begin with #". The command
 * has an address. */
void sed_say_where(const struct sed_command *c, struct buf *out);

#endif
