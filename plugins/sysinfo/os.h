/* SPDX-License-Identifier: GPL-3.0-or-later */
/* os.h - which system it is. */
#ifndef PLUGINS_SYSINFO_OS_H
#define PLUGINS_SYSINFO_OS_H

#include "plugins/lib/span.h"

struct os_release {
    char name[128];   /* PRETTY_NAME, else NAME */
    char id[64];      /* "debian" */
    char version[64]; /* VERSION_ID; "" of a rolling one */
};

/* Reads os-release(5). What it does not say is "". */
void os_release_parse(struct span text, struct os_release *out);

#endif
