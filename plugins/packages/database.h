/* SPDX-License-Identifier: GPL-3.0-or-later */
/* database.h - what is installed, as the package managers keep it.
 *
 * dpkg, apk and pacman keep their lists in files whose form they document;
 * rpm's form is its own, so that its program is asked, in a form that we name.
 * The first manager whose list is there is the machine's. */
#ifndef PLUGINS_PACKAGES_DATABASE_H
#define PLUGINS_PACKAGES_DATABASE_H

#include "base/buf.h"
#include "plugins/lib/span.h"

#define DATABASE_MAX (64u << 20) /* ten times what a full desktop has */

/* Points into the database's text, or into arch. */
struct package {
    struct span name, version, arch;
};

struct database {
    const char *manager; /* "dpkg", …; NULL: none is here */
    struct buf text;     /* what the packages point into */
    struct package *rows;
    size_t n, room;
};

/* Reads it; sorted by name. ERR_UNSUPPORTED: no manager that is known;
 * ERR_NOMEM, ERR_IO. d needs database_done in any case. */
int database_read(int root, struct database *d, struct err *e);
void database_done(struct database *d);

/* The architecture of pacman's, which is in a file for each package. Returns
 * text. */
const char *database_pacman_arch(int root, const struct package *p, char *text,
                                 size_t size);

/* dpkg's status file: stanzas, those whose status ends in "installed". */
int database_parse_dpkg(struct database *d, struct err *e);
/* apk's: stanzas of lines with one letter. */
int database_parse_apk(struct database *d, struct err *e);
/* Lines NAME-VERSION-RELEASE, the directories of pacman's. */
int database_parse_pacman(struct database *d, struct err *e);
/* Lines NAME<tab>VERSION<tab>ARCH, as rpm is asked to write them. */
int database_parse_rpm(struct database *d, struct err *e);

#endif
