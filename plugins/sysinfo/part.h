/* SPDX-License-Identifier: GPL-3.0-or-later */
/* part.h - the parts of what sysinfo tells.
 *
 * Each reads its facts, appends a line or a few to text (bytes of the machine
 * as they are: the response's writer mends them) and writes one JSON value,
 * whose shape is in plugin.json. A fact that the machine does not tell is null
 * or left out, never guessed. */
#ifndef PLUGINS_SYSINFO_PART_H
#define PLUGINS_SYSINFO_PART_H

#include "base/buf.h"
#include "json/write.h"

typedef void part_give(int root, struct buf *text, struct json_writer *w);

part_give part_os, part_virtualisation, part_cpu, part_load, part_memory,
    part_disks, part_network, part_gpu;

/* "name": the string, or null where it is empty. */
void part_member(struct json_writer *w, const char *name, const char *value);

#endif
