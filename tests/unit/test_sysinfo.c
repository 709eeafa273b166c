/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_sysinfo.c - what sysinfo reads, from texts of the test's own. */
#include <arpa/inet.h>
#include <linux/if.h>
#include <linux/if_arp.h>
#include <string.h>

#include "base/size.h"
#include "plugins/lib/match.h"
#include "plugins/lib/netlink.h"
#include "plugins/sysinfo/cpu.h"
#include "plugins/sysinfo/disks.h"
#include "plugins/sysinfo/load.h"
#include "plugins/sysinfo/memory.h"
#include "plugins/sysinfo/network.h"
#include "plugins/sysinfo/os.h"
#include "plugins/sysinfo/virt.h"
#include "tests/unit/unit.h"

static const struct release_row {
    const char *text, *name, *id, *version;
} release_rows[] = {
    {"NAME=\"A Linux\"\nVERSION_ID=\"7.1\"\nID=a\nPRETTY_NAME=\"A Linux 7\"\n",
     "A Linux 7", "a", "7.1"},
    {"ID='b'\nNAME=Bee", "Bee", "b", ""},
    {"PRETTY_NAME=\"say \\\"C\\\" \\$5\"\n", "say \"C\" $5", "", ""},
    {"PRETTY_NAME=\"\n=\n#ID=x\n", "\"", "", ""},
    {"", "", "", ""},
};

static void
a_distribution_is_what_its_file_says(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(release_rows); i++) {
        const struct release_row *row = &release_rows[i];
        struct os_release got;

        os_release_parse(span_of(row->text), &got);
        assert_string_equal(got.name, row->name);
        assert_string_equal(got.id, row->id);
        assert_string_equal(got.version, row->version);
    }
}

static const struct virt_row {
    const char *vendor, *product, *kind;
} virt_rows[] = {
    {"QEMU", "Standard PC (Q35 + ICH9, 2009)", "qemu"},
    {"Red Hat", "KVM", "kvm"},
    {"Microsoft Corporation", "Virtual Machine", "hyper-v"},
    {"Microsoft Corporation", "Surface Laptop", NULL},
    {"Google", "Google Compute Engine", "google"},
    {"Google", "Chromebook", NULL},
    {"Amazon EC2", "m5.large", "amazon"},
    {"Amazon EC2", "m5.metal", NULL},
    {"LENOVO", "20XW", NULL},
    {"", "", NULL},
};

static void
a_virtual_machine_is_known_by_its_firmware(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(virt_rows); i++) {
        const char *kind = virt_hypervisor_of(virt_rows[i].vendor,
                                              virt_rows[i].product);

        if (virt_rows[i].kind) {
            assert_non_null(kind);
            assert_string_equal(kind, virt_rows[i].kind);
        } else {
            assert_null(kind);
        }
    }
    assert_string_equal(virt_container_of(span_of("0::/docker/0a1b\n")),
                        "docker");
    assert_string_equal(
        virt_container_of(span_of("1:cpu:/\n0::/kubepods/besteffort/pod1\n")),
        "kubernetes");
    assert_null(virt_container_of(span_of("0::/init.scope\n")));
}

static void
memory_is_counted_in_bytes(void **state)
{
    struct memory m;

    (void)state;
    memory_parse(span_of("MemTotal:  1000 kB\nMemFree: 100 kB\n"
                         "MemAvailable:  400 kB\nSwapTotal: 50 kB\n"
                         "SwapFree:  20 kB\nHugePages_Total: 3\n"),
                 &m);
    assert_int_equal(m.total, 1000 * 1024);
    assert_int_equal(m.available, 400 * 1024);
    assert_int_equal(m.swap_total, 50 * 1024);
    assert_int_equal(m.swap_free, 20 * 1024);
}

static void
memory_of_an_old_kernel_is_what_can_be_freed(void **state)
{
    struct memory m;

    (void)state;
    memory_parse(span_of("MemTotal: 1000 kB\nMemFree: 100 kB\n"
                         "Buffers: 10 kB\nCached: 20 kB\n"),
                 &m);
    assert_int_equal(m.available, 130 * 1024);
    memory_parse(span_of("MemAvailable: 99999999999999999999 kB\n"), &m);
    assert_int_equal(m.available, 0);
}

static const struct cpu_row {
    const char *text, *model;
    unsigned cores, threads;
} cpu_rows[] = {
    {"processor\t: 0\nmodel name\t: Chip 9\nsiblings\t: 16\n"
     "cpu cores\t: 8\n\nprocessor\t: 1\nmodel name\t: Chip 8\n",
     "Chip 9", 8, 16},
    {"processor : 0\ncpu : POWER9, altivec\n", "POWER9, altivec", 0, 0},
    {"processor : 0\nCPU part : 0xd08\n", "", 0, 0},
};

static void
a_processor_is_named_as_its_architecture_does(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(cpu_rows); i++) {
        struct cpu got;

        cpu_parse(span_of(cpu_rows[i].text), &got);
        assert_string_equal(got.model, cpu_rows[i].model);
        assert_int_equal(got.package_cores, cpu_rows[i].cores);
        assert_int_equal(got.package_threads, cpu_rows[i].threads);
    }
}

static void
lists_of_processors_are_counted(void **state)
{
    uint64_t first = 0;

    (void)state;
    assert_int_equal(cpu_list_count(span_of("0-3,8,10-11")), 7);
    assert_int_equal(cpu_list_count(span_of("5")), 1);
    assert_int_equal(cpu_list_count(span_of("")), 0);
    assert_int_equal(cpu_list_count(span_of("0-18446744073709551615")), 0);
    assert_int_equal(cpu_list_count(span_of("4-2")), 0);
    assert_true(cpu_list_first(span_of("2,34"), &first));
    assert_int_equal(first, 2);
}

static void
load_is_read_without_a_locale(void **state)
{
    struct load l;

    (void)state;
    assert_true(load_parse(span_of("0.52 12.05 3.1 2/345 6789"), &l));
    assert_int_equal(l.hundredths[0], 52);
    assert_int_equal(l.hundredths[1], 1205);
    assert_int_equal(l.hundredths[2], 310);
    assert_int_equal(l.running, 2);
    assert_int_equal(l.processes, 345);
    assert_false(load_parse(span_of("0.52 x"), &l));
    assert_false(load_parse(span_of(""), &l));
}

static const char mounts[] =
    "20 1 254:1 / / rw,relatime shared:1 - ext4 /dev/vda1 rw\n"
    "21 20 0:5 / /proc rw - proc proc rw\n"
    "22 20 0:6 / /tmp rw - tmpfs tmpfs rw\n"
    "23 20 254:1 /var/lib/x /srv/bound rw - ext4 /dev/vda1 rw\n"
    "24 20 254:2 /@home /home rw - btrfs /dev/vda2 rw\n"
    "25 20 0:40 /@snap /home/.snap ro - btrfs /dev/vda2 ro\n"
    "26 20 0:50 / /mnt/far rw - nfs4 server:/export rw\n"
    "27 26 254:3 / /mnt/far/in rw - xfs /dev/vda3 rw\n"
    "28 20 7:0 / /snap/core/1 ro - squashfs /dev/loop0 ro\n"
    "29 20 254:4 / /mnt/a\\040b\\134 ro,nosuid - vfat /dev/vda4 ro\n"
    "30 20 254:5 / /covered rw - ext4 /dev/vda5 rw\n"
    "31 20 0:60 / /covered rw - tmpfs tmpfs rw\n"
    "32 20 0:61 / /auto rw - autofs systemd-1 rw\n"
    "garbage\n33 20 1:1 / /x rw - \n";

static void
disks_are_devices_each_once(void **state)
{
    static const char *const points[] = {"/", "/home", "/mnt/far",
                                         "/mnt/far/in", "/mnt/a b\\"};
    struct disks d = {.n = 0};

    (void)state;
    assert_int_equal(disks_parse(span_of(mounts), &d, NULL), 0);
    assert_int_equal(d.n, N_OF(points));
    for (size_t i = 0; i < N_OF(points); i++)
        assert_string_equal(d.rows[i].mount_point, points[i]);
    assert_true(d.rows[2].network);
    assert_true(d.rows[4].read_only);
    disks_measure(-1, &d);
    for (size_t i = 0; i < d.n; i++)
        assert_false(d.rows[i].measured);
    disks_done(&d);
}

/* A message's payload: a fixed head, then attributes. */
struct message {
    _Alignas(4) char bytes[512];
    size_t n;
};

static void
put(struct message *m, const void *bytes, size_t n)
{
    memcpy(m->bytes + m->n, bytes, n);
    m->n = NLMSG_ALIGN(m->n + n);
}

static void
put_attr(struct message *m, unsigned short type, const void *bytes, size_t n)
{
    struct rtattr a = {.rta_len = (unsigned short)RTA_LENGTH(n),
                       .rta_type = type};

    put(m, &a, sizeof(a));
    put(m, bytes, n);
}

static void
put_address(struct message *m, unsigned short type, int family,
            const char *text)
{
    char bytes[16];

    assert_int_equal(inet_pton(family, text, bytes), 1);
    put_attr(m, type, bytes, family == AF_INET ? 4 : 16);
}

static void
an_interface_is_told_with_its_addresses_and_the_way_out(void **state)
{
    struct ifinfomsg link = {
        .ifi_index = 3, .ifi_type = ARPHRD_ETHER, .ifi_flags = IFF_UP};
    struct ifaddrmsg address = {
        .ifa_family = AF_INET, .ifa_prefixlen = 24, .ifa_index = 3};
    struct rtmsg route = {.rtm_family = AF_INET6,
                          .rtm_table = RT_TABLE_MAIN,
                          .rtm_type = RTN_UNICAST};
    struct message m = {.n = 0};
    static struct network net; /* too large for a stack */
    unsigned out = 3;

    (void)state;
    put(&m, &link, sizeof(link));
    put_attr(&m, IFLA_IFNAME, "net3", 5);
    put_attr(&m, IFLA_ADDRESS, "\x02\x00\xff\x10\x20\x30", 6);
    put_attr(&m, IFLA_OPERSTATE, "\x06", 1);
    network_take(&net, RTM_NEWLINK, m.bytes, m.n);
    m.n = 0;
    put(&m, &address, sizeof(address));
    put_address(&m, IFA_ADDRESS, AF_INET, "10.0.0.1");
    put_address(&m, IFA_LOCAL, AF_INET, "10.0.0.2");
    network_take(&net, RTM_NEWADDR, m.bytes, m.n);
    m.n = 0;
    put(&m, &route, sizeof(route));
    put_attr(&m, RTA_OIF, &out, sizeof(out));
    put_address(&m, RTA_GATEWAY, AF_INET6, "fd00::1");
    network_take(&net, RTM_NEWROUTE, m.bytes, m.n);

    assert_int_equal(net.n_interfaces, 1);
    assert_string_equal(net.interfaces[0].name, "net3");
    assert_string_equal(net.interfaces[0].mac, "02:00:ff:10:20:30");
    assert_string_equal(net.interfaces[0].state, "up");
    assert_int_equal(net.n_addresses, 1);
    assert_string_equal(net.addresses[0].text, "10.0.0.2");
    assert_int_equal(net.n_routes, 1);
    assert_string_equal(net.routes[0].gateway, "fd00::1");
    assert_string_equal(network_name(&net, 3), "net3");
    assert_string_equal(network_name(&net, 4), "");
}

static const struct glob_row {
    const char *pattern, *text;
    bool fits;
} glob_rows[] = {
    {"lib*", "libc6", true},
    {"lib*", "alib", false},
    {"*", "", true},
    {"a?c", "abc", true},
    {"a?c", "ac", false},
    {"[a-c]x", "bx", true},
    {"[!a-c]x", "bx", false},
    {"[]]", "]", true},
    {"[a", "[a", true},
    {"*-dev*", "x-dev-y", true},
    {"*a*b", "aXbXb", true},
    {"", "", true},
    {"", "a", false},
    {"a*", "a", true},
    {"*[0-9].1", "perl5.1", true},
    {"A", "a", false},
};

static void
a_pattern_fits_a_whole_name(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(glob_rows); i++) {
        if (match_glob(glob_rows[i].pattern, glob_rows[i].text) !=
            glob_rows[i].fits)
            fail_msg("%s, %s", glob_rows[i].pattern, glob_rows[i].text);
    }
}

static void
sizes_and_times_are_short(void **state)
{
    char text[SIZE_TEXT];

    (void)state;
    assert_string_equal(size_text(0, text), "0 B");
    assert_string_equal(size_text(1023, text), "1023 B");
    assert_string_equal(size_text(1024, text), "1.0 KiB");
    assert_string_equal(size_text((1 << 20) - 1, text), "1.0 MiB");
    assert_string_equal(size_text(UINT64_MAX, text), "16.0 EiB");
    assert_string_equal(size_time_text(59, text), "59 s");
    assert_string_equal(size_time_text(3700, text), "1 h 1 min");
    assert_string_equal(size_time_text(90000, text), "1 d 1 h");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_distribution_is_what_its_file_says),
        cmocka_unit_test(a_virtual_machine_is_known_by_its_firmware),
        cmocka_unit_test(memory_is_counted_in_bytes),
        cmocka_unit_test(memory_of_an_old_kernel_is_what_can_be_freed),
        cmocka_unit_test(a_processor_is_named_as_its_architecture_does),
        cmocka_unit_test(lists_of_processors_are_counted),
        cmocka_unit_test(load_is_read_without_a_locale),
        cmocka_unit_test(disks_are_devices_each_once),
        cmocka_unit_test(
            an_interface_is_told_with_its_addresses_and_the_way_out),
        cmocka_unit_test(a_pattern_fits_a_whole_name),
        cmocka_unit_test(sizes_and_times_are_short),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
