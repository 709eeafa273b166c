/* SPDX-License-Identifier: GPL-3.0-or-later */
/* probe_try.h - tries name spaces in a process that ends; for probe.c alone. */
#ifndef SANDBOX_PROBE_TRY_H
#define SANDBOX_PROBE_TRY_H

#include "base/err.h"

#define PROBE_UNTRIED (-1) /* what it stands on is missing */

/* 0, errno, or PROBE_UNTRIED. */
struct probe_tries {
    int user, mount, overlay, net, pid, proc;
    int pid_max; /* a bound on processes of the name space's own */
};

int probe_try(struct probe_tries *out, struct err *e);

#endif
