/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_key_sequence.c - the names of keys and the bytes that they send. */
#include "tests/unit/unit.h"

#include <string.h>

#include "config/key_sequence.h"

static void
names_are_read_as_the_bytes_of_a_terminal(void **state)
{
    static const struct {
        const char *text, *bytes;
    } rows[] = {
        {"Ctrl-X Ctrl-A", "\x18\x01"},
        {"ctrl-x  ctrl-y", "\x18\x19"},
        {"Alt-A", "\x1b"
                  "a"},
        {"alt-1", "\x1b"
                  "1"},
        {"Ctrl-X a", "\x18"
                     "a"},
        {"none", ""},
        {"Ctrl-G", "\x07"},
        {"Ctrl-X Ctrl-C", "\x18\x03"},
        {"Alt-A Alt-B Alt-C Alt-D", "\x1b"
                                    "a\x1b"
                                    "b\x1b"
                                    "c\x1b"
                                    "d"},
    };
    struct key_sequence k;
    struct err e;

    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++) {
        assert_int_equal(key_sequence_read(rows[i].text, &k, &e), 0);
        assert_int_equal(k.n, strlen(rows[i].bytes));
        assert_memory_equal(k.bytes, rows[i].bytes, k.n);
    }
}

static void
what_is_no_key_or_ends_lines_is_refused(void **state)
{
    static const char *const rows[] = {
        "",        " ",      "a",       "Ctrl-",       "Ctrl-1",
        "Ctrl-AB", "Ctrl-C", "Ctrl-M",  "Ctrl-J",      "Ctrl-X é",
        "F1",      "Alt--",  "nothing", "Ctrl-X none", "Ctrl-A b c d e",
        "^X^A",
    };
    struct key_sequence k = {.n = 3};
    struct err e;

    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++) {
        assert_int_equal(key_sequence_read(rows[i], &k, &e), -1);
        assert_int_equal(e.code, ERR_CONFIG);
        assert_int_equal(k.n, 3);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_read_as_the_bytes_of_a_terminal),
        cmocka_unit_test(what_is_no_key_or_ends_lines_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
