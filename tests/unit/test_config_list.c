/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_config_list.c - the table of settings, and those that are lists. */
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "config/config_table.h"

static void
a_list_has_elements(void **state)
{
    static const struct {
        const char *text, *joined;
    } rows[] = {
        {"~/.rc : /opt/my tools", "<~/.rc></opt/my tools>"},
        {"/a:/b/.x:/..c:/d/", "</a></b/.x></..c></d/>"},
        {" \t~/a\t", "<~/a>"},
        {"none", ""},
        {NULL, ""},
    };

    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++) {
        const char *at = rows[i].text, *item;
        char joined[80] = "";
        size_t n;

        if (at)
            assert_int_equal(
                config_check(config_row(CONFIG_SANDBOX_CACHE), at, NULL), 0);
        while (config_list_next(&at, &item, &n))
            snprintf(joined + strlen(joined), sizeof(joined) - strlen(joined),
                     "<%.*s>", (int)n, item);
        assert_string_equal(joined, rows[i].joined);
    }
}

static void
an_element_that_does_not_fit_is_named(void **state)
{
    static const struct {
        enum config_key key;
        const char *text, *wrong; /* NULL: there are too many */
    } rows[] = {
        {CONFIG_SANDBOX_CACHE, ".cargo", ".cargo"},
        {CONFIG_SANDBOX_CACHE, "/a::/b", ""},
        {CONFIG_SANDBOX_CACHE, "/a: :/b", ""},
        {CONFIG_SANDBOX_SECRET, "~/../x:/y", "~/../x"},
        {CONFIG_SANDBOX_SECRET, "~", "~"},
        {CONFIG_SANDBOX_SECRET, "~bob/x", "~bob/x"},
        {CONFIG_SANDBOX_SECRET, "/x/.", "/x/."},
        {CONFIG_SANDBOX_SECRET, "/x/..", "/x/.."},
        {CONFIG_SANDBOX_READABLE,
         "/1:/2:/3:/4:/5:/6:/7:/8:/9:/a:/b:/c:/d:/e:/f:/g:/h", NULL},
        {CONFIG_SANDBOX_PASS_ENV, "A B", "A B"},
        {CONFIG_SANDBOX_PASS_ENV, "A:NPM_TOKEN", "NPM_TOKEN"},
        {CONFIG_SANDBOX_PASS_ENV, "1A", "1A"},
    };

    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++) {
        const struct config_row *row = config_row(rows[i].key);
        char told[80];
        struct err e = {0};

        assert_int_equal(config_check(row, rows[i].text, &e), -1);
        assert_int_equal(e.code, ERR_CONFIG);
        snprintf(told, sizeof(told), "or none; not \"%s\"", rows[i].wrong);
        if (!strstr(e.text, rows[i].wrong ? told : "more than 16 elements"))
            fail_msg("%s: %s", rows[i].text, e.text);
    }
}

static void
every_row_of_the_table_is_whole(void **state)
{
    (void)state;
    for (int i = 0; i < CONFIG_N; i++) {
        const struct config_row *row = config_row((enum config_key)i);

        assert_non_null(row->section);
        assert_non_null(row->name);
        assert_non_null(row->help);
        assert_true((row->type == CONFIG_WORD || row->type == CONFIG_FORM) ==
                    (row->words != NULL));
        assert_true(!row->fallback ||
                    config_check(row, row->fallback, NULL) == 0);
        if (row->type == CONFIG_INT || row->type == CONFIG_NUMBER)
            assert_true(row->min < row->max);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_list_has_elements),
        cmocka_unit_test(every_row_of_the_table_is_whole),
        cmocka_unit_test(an_element_that_does_not_fit_is_named),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
