/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cpu.h - the processors. */
#ifndef PLUGINS_SYSINFO_CPU_H
#define PLUGINS_SYSINFO_CPU_H

#include "plugins/lib/span.h"

struct cpu {
    char model[128];
    /* what the first processor's record says of its package; 0: nothing */
    uint64_t package_cores, package_threads;
};

/* Reads the front of /proc/cpuinfo. Its names differ between architectures. */
void cpu_parse(struct span text, struct cpu *out);

/* How many a list such as "0-3,8,10-11" names. */
uint64_t cpu_list_count(struct span list);

/* The first number of such a list. */
bool cpu_list_first(struct span list, uint64_t *out);

#endif
