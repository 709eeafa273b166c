/* SPDX-License-Identifier: GPL-3.0-or-later */
/* virt.h - what the system runs in. */
#ifndef PLUGINS_SYSINFO_VIRT_H
#define PLUGINS_SYSINFO_VIRT_H

#include "plugins/lib/span.h"

/* The kind of machine, from the words of its firmware: "kvm", "vmware"; NULL:
 * none that is known. */
const char *virt_hypervisor_of(const char *vendor, const char *product);

/* The kind of container, from /proc/1/cgroup: "docker", "kubernetes"; NULL. */
const char *virt_container_of(struct span cgroup);

#endif
