/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_inventory.c - lists of packages: read, and compared; the managers. */
#include <string.h>

#include "base/cleanup.h"
#include "plugins/pkg.manage/inventory.h"
#include "unit.h"

static const struct {
    enum manager_list form;
    const char *text;
    const char *items; /* name=version, by name */
} lists[] = {
    {LIST_PAIR, "b 2\na 1\n", "a=1 b=2 "},
    {LIST_PAIR, "python@3.12 3.12.3 3.12.4\n", "python@3.12=3.12.3 3.12.4 "},
    {LIST_PAIR, "a\t1", "a=1 "},
    {LIST_PAIR, "", ""},
    {LIST_PAIR, "\n\n  \nalone\n x\n", ""},
    {LIST_STATUS, "a 1 installed\nb 2 config-files\nc 3 unpacked\nd 4\n",
     "a=1 "},
    {LIST_STATUS, "b  not-installed\n", ""},
    {LIST_JOINED, "musl-utils-1.2.5-r0\nmusl-1.2.5_git1-r11\n",
     "musl=1.2.5_git1-r11 musl-utils=1.2.5-r0 "},
    {LIST_JOINED, "nothing\n-r1\na-r1\n-1-r1\na-1\n", ""},
};

static void
fill(struct inventory *v, const char *text, enum manager_list form)
{
    inventory_init(v);
    buf_str(&v->text, text);
    assert_int_equal(inventory_parse(v, form, NULL), 0);
}

static void
each_form_of_list_is_read(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(lists); i++) {
        CLEANUP(inventory_done) struct inventory v;
        CLEANUP_BUF struct buf got = buf_of(1000);

        fill(&v, lists[i].text, lists[i].form);
        for (size_t k = 0; k < v.n; k++)
            buf_printf(&got, "%s=%s ", v.items[k].name, v.items[k].version);
        assert_string_equal(got.p, lists[i].items);
    }
}

static const struct {
    const char *before, *after, *changes;
} changes[] = {
    {"a 1\n", "a 1\n", ""},
    {"", "", ""},
    {"", "b 1\na 1\n", "+a +b "},
    {"b 1\na 1\n", "", "-a -b "},
    {"a 1\nb 1\nc 1\n", "b 2\nc 1\nd 1\n", "-a ^b +d "},
    {"a 2\n", "a 1\n", "^a "},
    {"kernel 1\n", "kernel 1\nkernel 2\n", "+kernel "},
    {"kernel 1\nkernel 2\n", "kernel 2\n", "-kernel "},
    {"kernel 1\nkernel 2\n", "kernel 2\nkernel 3\n", "^kernel "},
    {"libc 1\n", "libc 1\nlibc 1\n", "+libc "},
    {"ab 1\n", "a 1\nab 1\nabc 1\n", "+a +abc "},
};

static void
note(void *arg, enum inventory_change what, const char *name)
{
    buf_printf(arg, "%c%s ", "+-^"[what], name);
}

static void
what_changed_is_told_once_a_name(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(changes); i++) {
        CLEANUP(inventory_done) struct inventory before, after;
        CLEANUP_BUF struct buf got = buf_of(1000);

        inventory_init(&after);
        fill(&before, changes[i].before, LIST_PAIR);
        fill(&after, changes[i].after, LIST_PAIR);
        inventory_compare(&before, &after, note, &got);
        assert_string_equal(got.p, changes[i].changes);
    }
}

static void
a_list_that_was_cut_is_not_read(void **state)
{
    static const struct {
        const char *bytes;
        int rc;
    } rows[] = {{"8388607", 0}, {"8388608", -1}, {"8388609", -1}};

    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++) {
        const struct manager m = {
            .list = LIST_PAIR,
            .row[ASK_LIST] = {"head", "-c", rows[i].bytes, "/dev/zero"}};
        CLEANUP(inventory_done) struct inventory v;
        struct err e = {0};

        inventory_init(&v);
        assert_int_equal(inventory_read(&v, &m, &e), rows[i].rc);
        assert_int_equal(v.n, 0);
        if (rows[i].rc < 0)
            assert_non_null(strstr(e.text, "a list of more than 8 MiB"));
    }
}

/* A row's words: no placeholder twice, none that is not known, room left. */
static void
check_row(const char *const row[WORDS_ROW], bool needs_names)
{
    size_t names = 0, i;

    for (i = 0; i < WORDS_ROW && row[i]; i++) {
        names += strcmp(row[i], "%p") == 0;
        if (row[i][0] == '%' && strlen(row[i]) == 2)
            assert_non_null(strstr("%p%y%q", row[i]));
    }
    assert_true(i < WORDS_ROW);
    assert_int_equal(names, needs_names);
}

static void
every_manager_can_do_every_action(void **state)
{
    const struct manager *m;

    (void)state;
    for (size_t i = 0; (m = manager_at(i)) != NULL; i++) {
        for (int ask = 0; ask < ASK_MARK; ask++) {
            assert_non_null(m->row[ask][0]);
            check_row(m->row[ask], ask == ASK_INSTALL || ask == ASK_REMOVE);
        }
        assert_true(!m->row[ASK_MARK_AUTOMATIC][0] ==
                    !m->row[ASK_MARK_MANUAL][0]);
        assert_true(!m->row[ASK_MARK_AUTOMATIC][0] ==
                    !(m->marks || m->row[ASK_AUTOMATIC][0]));
        assert_true(!m->joins == !m->row[ASK_INSTALL_VERSION][0]);
        assert_true(!m->joins == !m->row[ASK_VERSIONS][0]);
        assert_non_null(m->row[ASK_LIST][0]);
        assert_true(m->row[ASK_KNOWN][0] || m->unknown);
        assert_true(!m->loose || m->row[ASK_NAMES][0]);
        assert_true(manager_is_fine(m, 0));
        assert_false(manager_is_fine(m, 1));
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_form_of_list_is_read),
        cmocka_unit_test(what_changed_is_told_once_a_name),
        cmocka_unit_test(a_list_that_was_cut_is_not_read),
        cmocka_unit_test(every_manager_can_do_every_action),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
