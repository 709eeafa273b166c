/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_host_lines.c - what several hosts write becomes lines with their names.
 */
#include "unit.h"

#include <string.h>

#include "ui/host_lines.h"

static void
on_line(void *arg, bool err, const char *line, size_t n)
{
    struct buf *out = arg;

    buf_str(out, err ? "2>" : "1>");
    buf_add(out, line, n);
}

struct part {
    const char *host; /* NULL: the end of the row */
    bool err;
    const char *text; /* NULL: the host ends */
};

static const struct {
    struct part parts[6];
    const char *lines;
} rows[] = {
    {{{"a", false, "x\ny\n"}}, "1>a: x\n1>a: y\n"},
    {{{"a", false, "x"}, {"b", true, "y\n"}, {"a", false, "z\n"}},
     "2>b: y\n1>a: xz\n"},
    {{{"a", false, "open"}, {"a", true, "too"}, {"a", false, NULL}},
     "1>a: open\n2>a: too\n"},
    {{{"a", false, NULL}}, ""},
    {{{"a", false, "\n\n"}}, "1>a: \n1>a: \n"},
    {{{"a", false, "x\r\ny\r"}, {"a", false, "\nz\n"}},
     "1>a: x\n1>a: y\n1>a: z\n"},
    {{{"a", false, "10%\r20%\rend\n"}}, "1>a: 10%\n1>a: 20%\n1>a: end\n"},
};

static void
each_line_begins_with_its_host(void **state)
{
    CLEANUP(host_list_done) struct host_list hosts = {.n = 0};

    (void)state;
    assert_int_equal(host_list_read(&hosts, "a,b", NULL), 0);
    for (size_t i = 0; i < N_OF(rows); i++) {
        CLEANUP_BUF struct buf out = buf_of(1024);
        struct host_lines *l = host_lines_new(&hosts, on_line, &out, NULL);

        assert_non_null(l);
        for (const struct part *p = rows[i].parts; p->host; p++) {
            if (p->text)
                host_lines_add(l, p->host, p->err, p->text, strlen(p->text));
            else
                host_lines_end(l, p->host);
        }
        assert_string_equal(out.p, rows[i].lines);
        host_lines_free(l);
    }
}

static void
a_line_without_end_comes_in_pieces(void **state)
{
    CLEANUP(host_list_done) struct host_list hosts = {.n = 0};
    CLEANUP_BUF struct buf out = buf_of(1u << 20);
    struct host_lines *l;

    (void)state;
    assert_int_equal(host_list_read(&hosts, "a,b", NULL), 0);
    l = host_lines_new(&hosts, on_line, &out, NULL);
    assert_non_null(l);
    for (int i = 0; i < 100000; i++)
        host_lines_add(l, "b", false, "x", 1);
    assert_true(out.len > 90000 && out.len < 101000);
    assert_true(strncmp(out.p, "1>b: xxx", 8) == 0);
    host_lines_free(l);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_line_begins_with_its_host),
        cmocka_unit_test(a_line_without_end_comes_in_pieces),
    };

    return cmocka_run_group_tests_name("host_lines", tests, NULL, NULL);
}
