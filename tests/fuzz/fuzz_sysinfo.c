/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_sysinfo.c - any bytes as the files and messages that sysinfo reads. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/lib/netlink.h"
#include "plugins/sysinfo/cpu.h"
#include "plugins/sysinfo/disks.h"
#include "plugins/sysinfo/load.h"
#include "plugins/sysinfo/memory.h"
#include "plugins/sysinfo/network.h"
#include "plugins/sysinfo/os.h"
#include "plugins/sysinfo/virt.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
read_messages(const void *bytes, size_t n)
{
    struct network *net = calloc(1, sizeof(*net));
    size_t left = 1000;

    if (!net)
        return;
    netlink_parse(bytes, n, &left, network_take, net, NULL);
    network_take(net, RTM_NEWLINK, bytes, n);
    network_take(net, RTM_NEWADDR, bytes, n);
    network_take(net, RTM_NEWROUTE, bytes, n);
    if (net->n_interfaces > NETWORK_INTERFACES_MAX ||
        net->n_addresses > NETWORK_ADDRESSES_MAX)
        abort();
    free(net);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct span text = {(const char *)data, size};
    struct os_release release;
    struct disks d = {.n = 0};
    struct memory m;
    struct load l;
    struct cpu c;

    os_release_parse(text, &release);
    (void)virt_container_of(text);
    memory_parse(text, &m);
    if (m.available > m.total || m.swap_free > m.swap_total)
        abort();
    cpu_parse(text, &c);
    if (cpu_list_count(text) > size * 4096)
        abort();
    (void)load_parse(text, &l);
    disks_parse(text, &d, NULL);
    disks_done(&d);
    read_messages(data, size);
    return 0;
}
