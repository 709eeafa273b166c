/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_packages.c - each manager's list, in a text of the test's own. */
#include <string.h>

#include "plugins/packages/database.h"
#include "tests/unit/unit.h"

typedef int parser(struct database *d, struct err *e);

static const struct list_row {
    const char *name;
    parser *parse;
    const char *text;
    const char *packages; /* NAME VERSION ARCH; … */
} list_rows[] = {
    {"dpkg", database_parse_dpkg,
     "Package: zlib1g\nStatus: install ok installed\nArchitecture: amd64\n"
     "Version: 1:1.2\nDescription: x\n Version: 9\n\n"
     "Package: gone\nStatus: deinstall ok config-files\nVersion: 1\n\n"
     "Package: held\nStatus: hold ok installed\nVersion: 2\n"
     "Architecture: all\n",
     "zlib1g 1:1.2 amd64;held 2 all;"},
    {"dpkg, half a stanza", database_parse_dpkg,
     "Status: install ok installed\nVersion: 1\n\n\n\nPackage: a\n", ""},
    {"dpkg, a field of the same letters", database_parse_dpkg,
     "Package: a\nStatus: install ok installed\nVersions: 3\n"
     "Package-Type: udeb\n",
     "a  ;"},
    {"apk", database_parse_apk,
     "C:Q1x=\nP:musl\nV:1.2.4-r2\nA:x86_64\nF:lib\nR:ld.so\n\n"
     "P:busybox\nV:1.36\nA:x86_64\n",
     "musl 1.2.4-r2 x86_64;busybox 1.36 x86_64;"},
    {"pacman", database_parse_pacman,
     "gcc-libs-13.2.1-3\nALPM_DB_VERSION\nxz-5.4-1\n-1-1\na-b\n",
     "gcc-libs 13.2.1-3 ;xz 5.4-1 ;"},
    {"rpm", database_parse_rpm,
     "bash\t5.2-1.fc39\tx86_64\ngpg-pubkey\t1-2\t(none)\nbad line\n"
     "data\t1:2-3\tnoarch\n",
     "bash 5.2-1.fc39 x86_64;data 1:2-3 noarch;"},
    {"nothing", database_parse_dpkg, "", ""},
};

static void
a_list_is_read_as_its_manager_writes_it(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(list_rows); i++) {
        const struct list_row *row = &list_rows[i];
        struct database d = {.manager = row->name};
        struct buf got = buf_of(4096);

        buf_init(&d.text, 4096);
        buf_str(&d.text, row->text);
        assert_int_equal(row->parse(&d, NULL), 0);
        for (size_t k = 0; k < d.n; k++)
            buf_printf(&got, "%.*s %.*s %.*s;", (int)d.rows[k].name.n,
                       d.rows[k].name.p, (int)d.rows[k].version.n,
                       d.rows[k].version.p, (int)d.rows[k].arch.n,
                       d.rows[k].arch.p);
        if (strcmp(got.p, row->packages) != 0)
            fail_msg("%s: %s", row->name, got.p);
        buf_done(&got);
        database_done(&d);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_list_is_read_as_its_manager_writes_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
