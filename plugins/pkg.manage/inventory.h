/* SPDX-License-Identifier: GPL-3.0-or-later */
/* inventory.h - what is installed, and what a manager changed in it.
 *
 * Read before and after, from the manager's own database by the means that it
 * has for programs: what it prints while it works is for people. */
#ifndef PLUGINS_PKG_MANAGE_INVENTORY_H
#define PLUGINS_PKG_MANAGE_INVENTORY_H

#include <stddef.h>

#include "base/buf.h"
#include "plugins/lib/need.h"
#include "plugins/pkg.manage/manager.h"

/* Some 100 bytes a package, and no machine has 80,000. */
#define INVENTORY_MAX (8u << 20)

struct inventory_item {
    const char *name, *version; /* point into the text */
    bool automatic;             /* set by inventory_read_marks */
};

struct inventory {
    struct buf text;
    struct inventory_item *items; /* by name, then version */
    size_t n;
};

void inventory_init(struct inventory *v);
void inventory_done(struct inventory *v); /* accepts NULL */

/* From v->text, which it cuts into strings. Lines that are no package are
 * passed over. ERR_NOMEM. */
int inventory_parse(struct inventory *v, enum manager_list form, struct err *e);

/* Asks about some names, unprivileged; out as with run_program. */
int inventory_ask(const struct manager *m, enum manager_ask ask,
                  const char *const *names, size_t n, struct need_answer *out,
                  struct err *e);

/* Notes which packages came since others need them, where the manager tells. */
int inventory_read_marks(struct inventory *v, const struct manager *m,
                         struct err *e);

/* The first item of that name; v->n: there is none. */
size_t inventory_find(const struct inventory *v, const char *name);

/* Asks the manager. */
int inventory_read(struct inventory *v, const struct manager *m, struct err *e);

/* What became of a package. One of which a further version came beside those
 * that stay (a kernel) is installed; one whose version changed, either way,
 * is upgraded. */
enum inventory_change {
    CHANGE_INSTALLED,
    CHANGE_REMOVED,
    CHANGE_UPGRADED,
    CHANGE_N
};

/* Calls back once for each package that differs, by name. */
void inventory_compare(const struct inventory *before,
                       const struct inventory *after,
                       void (*changed)(void *arg, enum inventory_change what,
                                       const char *name),
                       void *arg);

#endif
