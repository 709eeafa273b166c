/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spelling.h - reads the spellings of an option, as "-f, --file=ARCHIVE". */
#ifndef OFFLINE_MANUAL_SPELLING_H
#define OFFLINE_MANUAL_SPELLING_H

#include <stdbool.h>
#include <stddef.h>

enum option_takes {
    TAKES_NOTHING,
    TAKES_VALUE, /* -f FILE, --file=FILE */
    TAKES_MAYBE, /* -O[N], --color[=WHEN]: only attached, or none */
};

#define SPELLING_NAME_SIZE 64
#define SPELLING_ARG_SIZE  64
#define SPELLINGS_MAX      16

struct spelling {
    char name[SPELLING_NAME_SIZE]; /* "-x", "--extract", "-name", "+x" */
    char arg[SPELLING_ARG_SIZE];   /* "FILE"; "" where it has no name */
    enum option_takes takes;
};

/* Reads a tag such as "-f, --file=ARCHIVE", "-exec command ;" or "-u[<mode>]";
 * the marks of roff.h tell where arguments begin. Returns the number of
 * spellings, 0 when the text is no list of options. whole: nothing may follow
 * the options; else a rest that is no option is ignored. */
size_t spelling_read(const char *tag, bool whole,
                     struct spelling out[SPELLINGS_MAX]);

#endif
