/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_term_keys.c - which key a terminal's bytes are. */
#include "tests/unit/unit.h"

#include <string.h>

#include "term/keys.h"

static const struct {
    const char *name, *in;
    int key;
} reads[] = {
    {"a letter", "r", 'r'},
    {"a letter and Enter", "r\r", 'r'},
    {"Enter", "\r", KEY_ENTER},
    {"Enter as newline", "\n", KEY_ENTER},
    {"Ctrl-D", "\004", KEY_EOF},
    {"two letters", "rs", KEY_MANY},
    {"Enter and a letter", "\nr", KEY_MANY},
    {"a line", "rm -rf /\r", KEY_MANY},
    {"an arrow", "\033[A", KEY_NONE},
    {"an application arrow", "\033OA", KEY_NONE},
    {"an arrow and a letter", "\033[Ar", 'r'},
    {"a modified arrow", "\033[1;5C", KEY_NONE},
    {"a function key", "\033[15~", KEY_NONE},
    {"a function key of the console", "\033[[A", KEY_NONE},
    {"Alt and a letter", "\033r", KEY_NONE},
    {"Alt and an arrow", "\033\033[A", KEY_NONE},
    {"Escape", "\033", KEY_NONE},
    {"pasted text", "\033[200~run it\r\033[201~", KEY_MANY},
    {"the beginning of a paste", "\033[200~run it\r", KEY_NONE},
    {"a report of the cursor", "\033[12;40R", KEY_NONE},
    {"a report of a colour", "\033]11;rgb:0/0/0\007", KEY_NONE},
    {"a report of the terminal", "\033P>|xterm\033\\", KEY_NONE},
    {"a letter outside ASCII", "\xC3\xA9", KEY_OTHER},
    {"a control character", "\001", KEY_OTHER},
    {"question mark", "?", '?'},
};

static void
one_key_is_one_key(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(reads); i++) {
        struct keys k;
        int key;

        keys_init(&k);
        key = keys_decode(&k, reads[i].in, strlen(reads[i].in), 5000);
        if (key != reads[i].key)
            print_error("%s\n", reads[i].name);
        assert_int_equal(key, reads[i].key);
    }
}

static void
a_sequence_may_come_in_parts(void **state)
{
    const char *in = "\033[1;5A\033[200~x\033[201~";
    struct keys k;
    int last = KEY_NONE;

    (void)state;
    keys_init(&k);
    for (size_t i = 0; in[i]; i++) {
        assert_int_equal(last, KEY_NONE);
        last = keys_decode(&k, in + i, 1, 5000 + (int64_t)i);
    }
    assert_int_equal(last, KEY_MANY);
    assert_int_equal(keys_decode(&k, "r", 1, 5100), 'r');
}

static void
only_time_tells_escape_from_a_sequence(void **state)
{
    struct keys k;

    (void)state;
    keys_init(&k);
    assert_int_equal(keys_decode(&k, "\033", 1, 5000), KEY_NONE);
    assert_int_equal(keys_decode(&k, "r", 1, 5050), KEY_NONE);
    assert_int_equal(keys_decode(&k, "\033", 1, 6000), KEY_NONE);
    assert_int_equal(keys_decode(&k, "r", 1, 6500), 'r');
    assert_int_equal(keys_decode(&k, "\033[200~x", 7, 7000), KEY_NONE);
    assert_int_equal(keys_decode(&k, "r", 1, 9000), 'r');
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_key_is_one_key),
        cmocka_unit_test(a_sequence_may_come_in_parts),
        cmocka_unit_test(only_time_tells_escape_from_a_sequence),
    };

    return cmocka_run_group_tests_name("term/keys", tests, NULL, NULL);
}
