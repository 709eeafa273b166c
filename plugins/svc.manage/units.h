/* SPDX-License-Identifier: GPL-3.0-or-later */
/* units.h - what systemd's files say of a unit, where it cannot be asked. */
#ifndef PLUGINS_SVC_MANAGE_UNITS_H
#define PLUGINS_SVC_MANAGE_UNITS_H

#include <stdbool.h>

/* Whether there is a unit file of that name, or of its template, in the
 * directories of systemd.unit(5). A name without a type is a service's. */
bool units_has(const char *name);

/* Whether a process is in the unit's control group: then it runs. One that
 * has none may be stopped, or failed, or have done its work. */
bool units_is_populated(const char *name);

#endif
