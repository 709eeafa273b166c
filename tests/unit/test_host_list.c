/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_host_list.c - which names --on takes, and which it does not. */
#include "unit.h"

#include <string.h>

#include "action/host_list.h"

static const struct {
    const char *text, *listed, *wrong; /* listed NULL: an error that says it */
} rows[] = {
    {"web1", "web1", NULL},
    {"web1,web2", "web1, web2", NULL},
    {"ann@web-1.example.org", "ann@web-1.example.org", NULL},
    {"ssh://ann@[::1]:2222,b", "ssh://ann@[::1]:2222, b", NULL},
    {"fe80::1%eth0", "fe80::1%eth0", NULL},
    {"", NULL, "empty"},
    {",", NULL, "empty"},
    {"a,", NULL, "empty"},
    {"a,,b", NULL, "empty"},
    {"-v", NULL, "no name"},
    {"a,-oProxyCommand=b", NULL, "no name"},
    {"ann@-v", NULL, "no name"},
    {"ann@b@-v", NULL, "no name"},
    {"ssh://-v", NULL, "no name"},
    {"ssh://ann@-v", NULL, "no name"},
    {"@web1", NULL, "no name"},
    {"ann@", NULL, "no name"},
    {"a b", NULL, "no name"},
    {"a;b", NULL, "no name"},
    {"$(a)", NULL, "no name"},
    {"a\nb", NULL, "no name"},
    {"a\x1b[m", NULL, "no name"},
    {"web\xc3\xa9", NULL, "no name"},
    {"a,b,a", NULL, "a is named twice"},
};

static void
names_are_read_as_ssh_takes_them(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++) {
        CLEANUP(host_list_done) struct host_list h = {.n = 0};
        CLEANUP_BUF struct buf text = buf_of(256);
        struct err e = {0};
        int rc = host_list_read(&h, rows[i].text, &e);

        assert_int_equal(rc, rows[i].listed ? 0 : -1);
        host_list_put(&h, &text);
        assert_string_equal(text.p, rows[i].listed ? rows[i].listed : "");
        assert_true(rows[i].listed ||
                    (e.code == ERR_USAGE && strstr(e.text, rows[i].wrong)));
        assert_null(h.names[h.n]);
    }
}

static void
names_are_bounded(void **state)
{
    CLEANUP_BUF struct buf many = buf_of(1024), name = buf_of(1024);
    struct host_list h = {.n = 0};
    struct err e = {0};

    (void)state;
    for (int i = 0; i < HOST_LIST_MAX; i++)
        buf_printf(&many, "%sh%d", i > 0 ? "," : "", i);
    assert_int_equal(host_list_read(&h, many.p, &e), 0);
    assert_int_equal(h.n, HOST_LIST_MAX);
    host_list_done(&h);
    buf_str(&many, ",h");
    assert_int_equal(host_list_read(&h, many.p, &e), -1);
    for (int i = 0; i < HOST_LIST_NAME_MAX; i++)
        buf_ch(&name, 'a');
    assert_int_equal(host_list_read(&h, name.p, &e), 0);
    host_list_done(&h);
    buf_ch(&name, 'a');
    assert_int_equal(host_list_read(&h, name.p, &e), -1);
    assert_int_equal(h.n, 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_read_as_ssh_takes_them),
        cmocka_unit_test(names_are_bounded),
    };

    return cmocka_run_group_tests_name("host_list", tests, NULL, NULL);
}
