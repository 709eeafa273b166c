/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu.c - what draws or computes: display devices on the buses. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "plugins/lib/machine.h"
#include "plugins/lib/span.h"
#include "plugins/sysinfo/part.h"

#define DEVICES_MAX 1024 /* looked at on the bus */
#define GPUS_MAX    32

struct gpu {
    char slot[64]; /* of the bus: "0000:01:00.0"; else the device's name */
    char driver[64];
    uint64_t vendor, device; /* 0: on no bus that numbers them */
};

struct gpus {
    struct gpu rows[GPUS_MAX];
    size_t n;
};

struct vendor {
    uint64_t id;
    const char *name;
};

/* Numbers that the PCI-SIG has given. */
static const struct vendor vendors[] = {
    {0x1002, "AMD"},
    {0x8086, "Intel"},
    {0x10de, "NVIDIA"},
    {0x1a03, "ASPEED"},
    {0x102b, "Matrox"},
    {0x15ad, "VMware"},
    {0x1234, "QEMU"},
    {0x1b36, "Red Hat"},
    {0x1af4, "Red Hat (virtio)"},
    {0x80ee, "VirtualBox"},
    {0x1414, "Microsoft"},
    {0x1d0f, "Amazon"},
    {0x1013, "Cirrus Logic"},
    {0x1022, "AMD"},
    {0x106b, "Apple"},
    {0x5143, "Qualcomm"},
    {0x1ed5, "Moore Threads"},
    {0x0014, "Loongson"},
};

static const char *
vendor_name(uint64_t id)
{
    for (size_t i = 0; i < sizeof(vendors) / sizeof(*vendors); i++) {
        if (vendors[i].id == id)
            return vendors[i].name;
    }
    return NULL;
}

/* "0x10de" in a file of a device's directory. */
static uint64_t
read_number(int root, const char *dir, const char *name)
{
    char path[256], text[32];
    uint64_t v = 0;

    snprintf(path, sizeof(path), "%s/%s", dir, name);
    if (machine_read(root, path, text, sizeof(text)) > 2)
        span_number(span_of(text + 2), 16, &v);
    return v;
}

static void
add(int root, struct gpus *g, const char *dir, const char *slot)
{
    struct gpu *one = &g->rows[g->n];
    char path[256];

    for (size_t i = 0; i < g->n; i++) {
        if (strcmp(g->rows[i].slot, slot) == 0)
            return;
    }
    if (g->n == GPUS_MAX)
        return;
    snprintf(one->slot, sizeof(one->slot), "%s", slot);
    snprintf(path, sizeof(path), "%s/driver", dir);
    machine_link_name(root, path, one->driver, sizeof(one->driver));
    one->vendor = read_number(root, dir, "vendor");
    one->device = read_number(root, dir, "device");
    g->n++;
}

/* card0 is one, card0-HDMI-A-1 a plug of it. */
static void
add_cards(int root, struct gpus *g)
{
    CLEANUP(dir_close_p) DIR *d = machine_list(root, "sys/class/drm");
    struct dirent *at;

    while (d && (at = readdir(d)) != NULL) {
        char path[128], slot[64];

        if (strncmp(at->d_name, "card", 4) != 0 || strchr(at->d_name, '-'))
            continue;
        snprintf(path, sizeof(path), "sys/class/drm/%.64s/device", at->d_name);
        machine_link_name(root, path, slot, sizeof(slot));
        if (slot[0])
            add(root, g, path, slot);
    }
}

/* Those without a driver that draws have no card: class 03 is display. */
static void
add_devices(int root, struct gpus *g)
{
    CLEANUP(dir_close_p) DIR *d = machine_list(root, "sys/bus/pci/devices");
    struct dirent *at;

    for (int i = 0; d && i < DEVICES_MAX && (at = readdir(d)) != NULL; i++) {
        char path[128];

        if (at->d_name[0] == '.')
            continue;
        snprintf(path, sizeof(path), "sys/bus/pci/devices/%.64s", at->d_name);
        if (read_number(root, path, "class") >> 16 == 0x03)
            add(root, g, path, at->d_name);
    }
}

static void
put(const struct gpu *g, struct buf *text, struct json_writer *w)
{
    const char *vendor = vendor_name(g->vendor);
    char ids[32] = "";

    if (g->vendor)
        snprintf(ids, sizeof(ids), "%04" PRIx64 ":%04" PRIx64,
                 g->vendor & 0xffff, g->device & 0xffff);
    buf_printf(text, "gpu: %s%s%s, driver %s\n",
               vendor           ? vendor
               : g->vendor == 0 ? g->slot
                                : "unknown vendor",
               ids[0] ? ", pci id " : "", ids,
               g->driver[0] ? g->driver : "none");
    json_open_object(w);
    json_member_str(w, "slot", g->slot);
    part_member(w, "vendor", vendor);
    part_member(w, "pci_id", ids);
    part_member(w, "driver", g->driver);
    json_close_object(w);
}

void
part_gpu(int root, struct buf *text, struct json_writer *w)
{
    struct gpus g = {.n = 0};

    add_cards(root, &g);
    add_devices(root, &g);
    json_open_array(w);
    for (size_t i = 0; i < g.n; i++)
        put(&g.rows[i], text, w);
    json_close_array(w);
}
