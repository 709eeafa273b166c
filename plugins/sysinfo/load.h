/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load.h - how busy the processors are. */
#ifndef PLUGINS_SYSINFO_LOAD_H
#define PLUGINS_SYSINFO_LOAD_H

#include "plugins/lib/span.h"

struct load {
    uint64_t hundredths[3]; /* of 1, 5 and 15 minutes */
    uint64_t running, processes;
};

/* Reads /proc/loadavg. False: it is not that. */
bool load_parse(struct span text, struct load *out);

#endif
