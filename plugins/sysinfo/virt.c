/* SPDX-License-Identifier: GPL-3.0-or-later */
/* virt.c - whether the machine is a virtual one, and this a container. */
#include <stdio.h>
#include <string.h>
#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

#include "plugins/lib/machine.h"
#include "plugins/sysinfo/part.h"
#include "plugins/sysinfo/virt.h"

#define CGROUP_SIZE 4096

/* A word that begins what somebody says of the machine, and its kind. */
struct kind {
    const char *word, *kind;
};

static const char *
kind_of(const struct kind *rows, const char *text)
{
    for (; rows->word; rows++) {
        if (strncmp(text, rows->word, strlen(rows->word)) == 0)
            return rows->kind;
    }
    return NULL;
}

/* What the firmware names as the maker. */
static const struct kind makers[] = {
    {"QEMU", "qemu"},
    {"VMware", "vmware"},
    {"innotek GmbH", "virtualbox"},
    {"Xen", "xen"},
    {"Amazon EC2", "amazon"},
    {"Google", "google"},
    {"Parallels", "parallels"},
    {"BHYVE", "bhyve"},
    {"DigitalOcean", "kvm"},
    {"Hetzner", "kvm"},
    {"OpenStack", "kvm"},
    {NULL, NULL},
};

/* The maker's name for the machine: some make real ones too. */
static const struct kind products[] = {
    {"KVM", "kvm"},
    {"Virtual Machine", "hyper-v"},
    {"VirtualBox", "virtualbox"},
    {"VMware", "vmware"},
    {"HVM domU", "xen"},
    {"Google Compute Engine", "google"},
    {"OpenStack", "kvm"},
    {"BHYVE", "bhyve"},
    {NULL, NULL},
};

const char *
virt_hypervisor_of(const char *vendor, const char *product)
{
    const char *kind = kind_of(products, product);

    /* an Amazon EC2 bare-metal instance says so */
    if (!kind && !strstr(product, ".metal"))
        kind = kind_of(makers, vendor);
    /* Google makes laptops as well: only its cloud's product tells */
    return kind && strcmp(kind, "google") == 0 &&
                   strncmp(product, "Google Compute", 14) != 0
               ? NULL
               : kind;
}

#if defined(__x86_64__) || defined(__i386__)
/* What a hypervisor calls itself in leaf 0x40000000; it is there when leaf 1
 * says so (the bit is kept for them by both makers of processors). */
static const struct kind signatures[] = {
    {"KVMKVMKVM", "kvm"},       {"Microsoft Hv", "hyper-v"},
    {"VMwareVMware", "vmware"}, {"XenVMMXenVMM", "xen"},
    {"TCGTCGTCGTCG", "qemu"},   {"VBoxVBoxVBox", "virtualbox"},
    {"bhyve bhyve ", "bhyve"},  {" lrpepyh  vr", "parallels"},
    {"ACRNACRNACRN", "acrn"},   {"QNXQVMBSQG", "qnx"},
    {"Linux KVM Hv", "kvm"},    {NULL, NULL},
};

static const char *
processor_says(char text[16])
{
    unsigned a, b, c, d;
    const char *kind;

    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & (1u << 31)))
        return NULL;
    __cpuid(0x40000000, a, b, c, d);
    memcpy(text, &b, 4);
    memcpy(text + 4, &c, 4);
    memcpy(text + 8, &d, 4);
    text[12] = '\0';
    kind = kind_of(signatures, text);
    return kind ? kind : "unknown";
}
#else
static const char *
processor_says(char text[16])
{
    (void)text;
    return NULL;
}
#endif

static const char *
hypervisor(int root, char text[16])
{
    char vendor[128], product[128];
    const char *kind = processor_says(text), *firmware;

    machine_read(root, "sys/class/dmi/id/sys_vendor", vendor, sizeof(vendor));
    machine_read(root, "sys/class/dmi/id/product_name", product,
                 sizeof(product));
    firmware = virt_hypervisor_of(vendor, product);
    if (kind && strcmp(kind, "unknown") != 0)
        return kind;
    return firmware ? firmware : kind;
}

/* Words of the path of a process's group, and who makes such paths. */
const char *
virt_container_of(struct span cgroup)
{
    static const struct kind rows[] = {
        {"kubepods", "kubernetes"},
        {"docker", "docker"},
        {"libpod", "podman"},
        {"lxc", "lxc"},
        {NULL, NULL},
    };
    struct span line, group;

    while (span_line(&cgroup, &line)) {
        while (span_split(&line, '/', &group)) {
            char name[32];
            const char *kind = kind_of(rows, span_copy(group, name, 32));

            if (kind)
                return kind;
        }
    }
    return NULL;
}

static const char *
container(int root, char text[64])
{
    char release[256], cgroup[CGROUP_SIZE];

    if (machine_has(root, "run/.containerenv"))
        return "podman";
    if (machine_has(root, ".dockerenv"))
        return "docker";
    /* systemd writes here what its maker told it */
    if (machine_read(root, "run/systemd/container", text, 64) > 0)
        return text;
    machine_read(root, "proc/sys/kernel/osrelease", release, sizeof(release));
    if (strstr(release, "microsoft") || strstr(release, "Microsoft"))
        return "wsl";
    machine_read(root, "proc/1/cgroup", cgroup, sizeof(cgroup));
    return virt_container_of(span_of(cgroup));
}

void
part_virtualisation(int root, struct buf *text, struct json_writer *w)
{
    char signature[16], name[64];
    const char *kind = hypervisor(root, signature);
    const char *in = container(root, name);

    if (kind)
        buf_printf(text, "virtual machine: %s\n", kind);
    if (in)
        buf_printf(text, "container: %s\n", in);
    json_open_object(w);
    part_member(w, "hypervisor", kind);
    part_member(w, "container", in);
    json_close_object(w);
}
