/* SPDX-License-Identifier: GPL-3.0-or-later */
/* memory.h - /proc/meminfo. */
#ifndef PLUGINS_SYSINFO_MEMORY_H
#define PLUGINS_SYSINFO_MEMORY_H

#include "plugins/lib/span.h"

/* In bytes; 0 where the file does not say. */
struct memory {
    uint64_t total, available, swap_total, swap_free;
};

/* Kernels before 3.14 do not say what is available: then it is what is free
 * or can be freed at once. */
void memory_parse(struct span text, struct memory *out);

#endif
