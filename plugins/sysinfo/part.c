/* SPDX-License-Identifier: GPL-3.0-or-later */
/* part.c - what the parts have in common. */
#include "plugins/sysinfo/part.h"

void
part_member(struct json_writer *w, const char *name, const char *value)
{
    json_member_str(w, name, value && *value ? value : NULL);
}
