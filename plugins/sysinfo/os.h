/* SPDX-License-Identifier: GPL-3.0-or-later */
/* os.h - which system it is, and what it runs in. */
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

/* The kind of machine, from the words of its firmware: "kvm", "vmware"; NULL:
 * none that is known. */
const char *os_hypervisor_of(const char *vendor, const char *product);

/* The kind of container, from /proc/1/cgroup: "docker", "kubernetes"; NULL. */
const char *os_container_of(struct span cgroup);

#endif
