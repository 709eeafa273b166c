/* SPDX-License-Identifier: GPL-3.0-or-later */
/* archive.h - the formats of archives and compressed files. */
#ifndef OFFLINE_GENERATE_ARCHIVE_H
#define OFFLINE_GENERATE_ARCHIVE_H

#include "offline/generate/builder.h"

/* What a request does with an archive. */
enum archive_action {
    ARCHIVE_CREATE,
    ARCHIVE_EXTRACT,
    ARCHIVE_LIST,
    ARCHIVE_VIEW,
    ARCHIVE_ACTIONS
};

struct archive_format {
    const char *endings; /* of file names, separated by blanks */
    const char *words;   /* that name the format in a request */
    const char *actions[ARCHIVE_ACTIONS]; /* the command; NULL: none */
    bool single; /* one compressed file, which replaces the original */
};

/* Whether it is the name of an archive or a compressed file: "x.tar.gz". */
bool archive_is_name(const char *text);

/* Whether a value of the request is one. */
bool archive_is_named(const struct builder *k);

#endif
