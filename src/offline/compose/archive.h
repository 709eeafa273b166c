/* SPDX-License-Identifier: GPL-3.0-or-later */
/* archive.h - the formats of archives and compressed files. */
#ifndef OFFLINE_ARCHIVE_H
#define OFFLINE_ARCHIVE_H

#include "offline/compose/sketch.h"

/* What is to be done with an archive. */
enum archive_deed {
    ARCHIVE_CREATE,
    ARCHIVE_EXTRACT,
    ARCHIVE_LIST,
    ARCHIVE_VIEW,
    ARCHIVE_DEEDS
};

struct archive_format {
    const char *endings;              /* of names */
    const char *words;                /* that name it in a request */
    const char *deeds[ARCHIVE_DEEDS]; /* the command; NULL: there is none */
    bool single;                      /* of one file, which it replaces */
};

/* Whether the name is that of an archive or a compressed file: "x.tar.gz". */
bool archive_is_name(const char *text);

/* The format of a name, by its ending; NULL. */
const struct archive_format *archive_of_name(const char *text);
/* Of a literal that is a format and no name: "a tar.gz"; NULL. */
const struct archive_format *archive_of_literal(const struct literal *l);
/* Of the request's words, which are marked; NULL. */
const struct archive_format *archive_of_words(struct sketch *k);
/* The usual one, of a file alone or of several. */
const struct archive_format *archive_usual(bool single);

/* Appends docs.tar.gz for docs/, when that is the only file of those parts
 * that is packed; of endings the first counts. */
bool archive_put_own_name(struct sketch *k, const char *endings,
                          unsigned parts);

#endif
