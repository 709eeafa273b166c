/* SPDX-License-Identifier: GPL-3.0-or-later */
/* manager.h - the package managers: one row each, with what they are told.
 *
 * pkg.manage is the same actions on any of them. A row holds words, never
 * a line for a shell; what changes the machine goes to the front as a need,
 * what only reads is run here, in the locale C.UTF-8. */
#ifndef PLUGINS_PKG_MANAGE_MANAGER_H
#define PLUGINS_PKG_MANAGE_MANAGER_H

#include <stdbool.h>

#include "base/err.h"
#include "plugins/lib/words.h"

/* What a manager is asked: the actions, in the order of their names, and what
 * is asked on the way. */
enum manager_ask {
    ASK_INSTALL,
    ASK_REMOVE,
    ASK_UPDATE,
    ASK_UPGRADE,
    ASK_SEARCH,
    ASK_MARK,
    ASK_STATE,   /* has no row: it is asked by others */
    ASK_REVERSE, /* the same */
    ASK_ACTIONS,
    ASK_UPGRADE_SOME = ASK_ACTIONS, /* only the named */
    ASK_INSTALL_VERSION,            /* of names with versions, older ones too */
    ASK_MARK_AUTOMATIC,             /* as what came since others need it */
    ASK_MARK_MANUAL,
    ASK_LIST,         /* all that is installed */
    ASK_AUTOMATIC,    /* what of it is marked so, a name a line */
    ASK_VERSIONS,     /* "NAME … VERSION" a line, for all that can be had */
    ASK_WOULD_REMOVE, /* "Remv NAME" a line, for all that would go along */
    ASK_KNOWN,        /* is there a package of this name? */
    ASK_NAMES,        /* names that begin so; see `loose` */
    ASK_N
};

/* How a line of ASK_LIST is read. */
enum manager_list {
    LIST_PAIR,   /* name, blank, version (the rest of the line) */
    LIST_STATUS, /* name, version, "installed" or another word */
    LIST_JOINED, /* name-version-rNUMBER: neither part of the version has a
                    hyphen */
};

#define MANAGER_FINE 5
#define MANAGER_YES  6

struct manager {
    const char *name; /* "apt" */
    const char *mark; /* there where it manages the system, since it manages
                         itself or has its sources there; NULL: its program */
    const char *yes[MANAGER_YES]; /* %y: says yes to what it asks; none: it
                                     never asks */
    bool own;                     /* refuses root: run by us, as who we are */
    bool loose;     /* takes a name that it does not know for a pattern, or
                       + and - at its end for an order */
    bool silent;    /* ASK_KNOWN says no by writing nothing */
    int found_none; /* exit status of a search without a match; 0: as with */
    int unknown;    /* exit status for a name that it does not know; or 0 */
    int fine[MANAGER_FINE]; /* exit statuses beside 0 of work that was done */
    enum manager_list list;
    const char *marks; /* the file that has "Package: NAME" and then
                          "Auto-Installed: 1" for ASK_AUTOMATIC; or NULL */
    const char *joins; /* between a name and the version to install; NULL: it
                          cannot be told a version */
    /* "%p" the packages, "%y" the yes, "%q" the query; an empty row: it
     * cannot */
    const char *row[ASK_N][WORDS_ROW];
};

/* The one of that name, or with NULL the one that manages this system.
 * ERR_UNSUPPORTED says what was looked for. */
const struct manager *manager_find(const char *name, struct err *e);

/* The rows in order; NULL after the last. */
const struct manager *manager_at(size_t i);

/* "install"…; the row's index is the ask. */
const char *manager_action_name(enum manager_ask ask);

bool manager_is_fine(const struct manager *m, int exit_code);

#endif
