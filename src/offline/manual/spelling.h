/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spelling.h - how an option is written, read from where a page shows it. */
#ifndef OFFLINE_SPELLING_H
#define OFFLINE_SPELLING_H

#include <stdbool.h>
#include <stddef.h>

enum option_takes {
    TAKES_NOTHING,
    TAKES_VALUE, /* -f FILE, --file=FILE */
    TAKES_MAYBE, /* -O[N], --color[=WHEN]: only attached */
};

#define SPELLING_NAME_SIZE 64
#define SPELLING_ARG_SIZE  64
#define SPELLINGS_MAX      16

struct spelling {
    char name[SPELLING_NAME_SIZE]; /* "-x", "--extract", "-name", "+x" */
    char arg[SPELLING_ARG_SIZE];   /* "FILE"; "" where none is named */
    enum option_takes takes;
};

/* Reads "-f, --file=ARCHIVE", "-exec command ;", "-u[<mode>]" and the like
 * (marks of roff.h tell where arguments begin). Returns how many options are
 * named, 0 when it is no list of options. `whole`: the text must be nothing
 * else, else a rest that is no option is passed over. */
size_t spelling_read(const char *tag, bool whole,
                     struct spelling out[SPELLINGS_MAX]);

#endif
