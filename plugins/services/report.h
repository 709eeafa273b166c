/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report.h - what services tells: ports with their holders, and services. */
#ifndef PLUGINS_SERVICES_REPORT_H
#define PLUGINS_SERVICES_REPORT_H

#include "plugins/lib/facts.h"
#include "plugins/services/listeners.h"
#include "plugins/services/owners.h"
#include "plugins/services/units.h"

/* Begins zeroed but for name and listeners.only; needs report_done. */
struct report {
    const char *name; /* only what is called so; NULL: all. A pattern, or a
                         part of a name */
    struct listeners listeners;
    struct units units;
    struct users users;
    size_t hidden; /* processes whose descriptors were not seen */
    int root;
};

int report_gather(struct report *r, int root, struct err *e);
void report_give(struct report *r, struct facts *f);
void report_done(struct report *r);

#endif
