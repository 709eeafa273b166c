/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_base64.c - base64 both ways, and the texts that are none. */
#include "tests/unit/unit.h"

#include <string.h>

#include "base/base64.h"
#include "base/cleanup.h"

/* RFC 4648, section 10, and bytes that use the last two digits. */
static const struct {
    const char *bytes, *text;
} pairs[] = {
    {"", ""},
    {"f", "Zg=="},
    {"fo", "Zm8="},
    {"foo", "Zm9v"},
    {"foob", "Zm9vYg=="},
    {"fooba", "Zm9vYmE="},
    {"foobar", "Zm9vYmFy"},
    {"\xfb\xff\xbf", "+/+/"},
};

static void
bytes_become_the_texts_of_the_standard_and_come_back(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(pairs); i++) {
        CLEANUP_BUF struct buf text = buf_of(64);
        CLEANUP_BUF struct buf bytes = buf_of(64);
        size_t n = strlen(pairs[i].bytes);

        assert_int_equal(base64_encode(&text, pairs[i].bytes, n), 0);
        assert_string_equal(text.p, pairs[i].text);
        assert_int_equal(text.len, BASE64_TEXT_SIZE(n));
        assert_int_equal(base64_decode(&bytes, text.p, text.len, NULL), 0);
        assert_int_equal(bytes.len, n);
        assert_memory_equal(bytes.p, pairs[i].bytes, n);
        assert_true(n <= BASE64_BYTES_SIZE(text.len));
    }
}

static void
every_byte_comes_back(void **state)
{
    CLEANUP_BUF struct buf text = buf_of(1024);
    CLEANUP_BUF struct buf bytes = buf_of(256);
    unsigned char all[256];

    (void)state;
    for (size_t i = 0; i < sizeof(all); i++)
        all[i] = (unsigned char)i;
    assert_int_equal(base64_encode(&text, all, sizeof(all)), 0);
    assert_int_equal(base64_decode(&bytes, text.p, text.len, NULL), 0);
    assert_int_equal(bytes.len, sizeof(all));
    assert_memory_equal(bytes.p, all, sizeof(all));
}

static const struct {
    const char *text;
    size_t n, at;
} wrong[] = {
    {"Z", 1, 0},
    {"Zg=", 3, 0},
    {"Zm9vY", 5, 0},
    {"Zg==Zg==", 8, 3},
    {"Z===", 4, 2},
    {"====", 4, 1},
    {"=m9v", 4, 1},
    {"Zm=v", 4, 3},
    {"Zm 9", 4, 3},
    {"Zm9v\nZm9", 8, 5},
    {"Zm-_", 4, 3},
    {"Zh==", 4, 2},
    {"Zm9=", 4, 3},
    {"Zm\0v", 4, 3},
    {"Zm\xff"
     "v",
     4, 3},
};

static void
what_no_encoder_writes_is_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(wrong); i++) {
        CLEANUP_BUF struct buf bytes = buf_of(64);
        struct err e = {0};

        assert_int_equal(base64_decode(&bytes, wrong[i].text, wrong[i].n, &e),
                         -1);
        assert_int_equal(e.code, ERR_INVALID);
        assert_int_equal(e.at, wrong[i].at);
    }
}

static void
a_full_buffer_is_an_error_both_ways(void **state)
{
    CLEANUP_BUF struct buf few = buf_of(5);
    struct err e = {0};

    (void)state;
    assert_int_equal(base64_encode(&few, "foob", 4), -1);
    buf_clear(&few);
    assert_int_equal(base64_decode(&few, "Zm9vYmFy", 8, &e), -1);
    assert_int_equal(e.code, ERR_NOMEM);
}

/* Each byte at each place: only digits are taken, and padding at the end. */
static void
a_check_knows_every_byte_at_every_place(void **state)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                 "abcdefghijklmnopqrstuvwxyz0123456789+/";
    char text[136];

    (void)state;
    for (size_t i = 0; i < sizeof(text); i++) {
        for (int c = 0; c < 256; c++) {
            bool digit = c != 0 && strchr(digits, c);

            memset(text, 'x', sizeof(text));
            text[i] = (char)c;
            assert_int_equal(base64_is_text(text, sizeof(text)),
                             digit || (c == '=' && i == sizeof(text) - 1));
        }
    }
    for (size_t n = 0; n < N_OF(pairs); n++)
        assert_true(base64_is_text(pairs[n].text, strlen(pairs[n].text)));
    assert_true(base64_is_text("", 0));
    assert_false(base64_is_text("Zg=", 3));
    assert_false(base64_is_text("Z===", 4));
    assert_false(base64_is_text("====", 4));
    assert_false(base64_is_text("Zg==Zg==", 7));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_become_the_texts_of_the_standard_and_come_back),
        cmocka_unit_test(every_byte_comes_back),
        cmocka_unit_test(what_no_encoder_writes_is_refused),
        cmocka_unit_test(a_check_knows_every_byte_at_every_place),
        cmocka_unit_test(a_full_buffer_is_an_error_both_ways),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
