/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_request_bounds.c - any bytes are a request, within its bounds. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "offline/parse/request_parse.h"

static bool
some_paths(void *arg, const char *path, bool *is_dir)
{
    unsigned *lookups = arg;

    ++*lookups;
    *is_dir = strcmp(path, "logs") == 0;
    return *is_dir;
}

static void
any_bytes_give_a_request(void **state)
{
    static const char *const texts[] = {
        "",
        " ",
        "\xff\xfe",
        "\xc3",
        "a\nb\tc\033[1m",
        "((((",
        "''''",
        "${",
        "$(",
        "[",
        "{",
        "-",
        "--",
        "\"",
        "'s",
        "\xe2\x80\x99s",
        "/",
        "0.",
        ".0",
        "....",
        "1-",
        "1..",
        "a/",
        ",,,",
        "a,,b",
        "@",
        ":",
        "~",
        "999999999999999999999999 days",
        "99999999999 TB",
        "1,000,",
        "-",
        "+5",
    };

    (void)state;
    for (size_t i = 0; i < N_OF(texts); i++) {
        CLEANUP(request_done) struct request q = {0};

        assert_int_equal(request_read(texts[i], NULL, &q, NULL), 0);
        /* a blank each: none stands in quotes, or in the name of a file */
        assert_null(strpbrk(q.text, "\n\t"));
    }
}

static void
a_long_request_is_cut(void **state)
{
    CLEANUP(request_done) struct request q = {0};
    CLEANUP(free_p) char *text = malloc(5 * REQUEST_BYTES_MAX);
    size_t n = 0;

    (void)state;
    assert_non_null(text);
    while (n + 9 < 4 * REQUEST_BYTES_MAX) {
        memcpy(text + n, "a\"b.c 5 \xff", 9);
        n += 9;
    }
    text[n] = '\0';
    assert_int_equal(request_read(text, NULL, &q, NULL), 0);
    assert_int_equal(q.n, REQUEST_WORDS_MAX);
    assert_true(strlen(q.text) <= 3 * REQUEST_BYTES_MAX);
}

static void
few_files_are_looked_up(void **state)
{
    unsigned lookups = 0;
    const struct request_world world = {.path = some_paths, .arg = &lookups};
    CLEANUP(request_done) struct request q = {0};
    CLEANUP_BUF struct buf text = buf_of(REQUEST_BYTES_MAX);

    (void)state;
    for (int i = 0; i < 60; i++)
        buf_printf(&text, "/tmp/%d ", i);
    assert_int_equal(request_read(text.p, &world, &q, NULL), 0);
    assert_int_equal(lookups, 16);
}

static void
what_is_there_is_known_to_be(void **state)
{
    unsigned lookups = 0;
    const struct request_world world = {.path = some_paths, .arg = &lookups};
    CLEANUP(request_done) struct request q = {0};
    const struct request_value *v;

    (void)state;
    assert_int_equal(request_read("remove what is in logs", &world, &q, NULL),
                     0);
    v = request_value_of(&q, q.n - 1);
    assert_non_null(v);
    assert_true(v->exists && v->is_dir && (v->types & 1u << SLOT_PATH));
    assert_string_equal(q.words[q.n - 1].stem, "log");
}

static void
generators_find_words_and_rows(void **state)
{
    CLEANUP(request_done) struct request q = {0};

    (void)state;
    assert_int_equal(request_read("erase 5 files of the current folder, b.txt",
                                  NULL, &q, NULL),
                     0);
    assert_int_equal(request_find(&q, "copy delete"), 0);
    assert_int_equal(request_find(&q, "delet"), REQUEST_NONE);
    assert_true(request_has(&q, "file"));
    assert_int_equal(request_find_row(&q, "current directory"), 5);
    assert_int_equal(request_find_row(&q, "file current directory"), 2);
    assert_int_equal(request_find_row(&q, "delete file"), REQUEST_NONE);
    assert_int_equal(request_find_row(&q, ""), REQUEST_NONE);
    assert_int_equal(request_value_of(&q, 1)->is, SLOT_NUMBER);
    assert_true(request_value_of(&q, 7)->types & 1u << SLOT_PATH);
    assert_null(request_value_of(&q, 0));
    assert_null(request_value_of(&q, 99));
    assert_int_equal(request_set(&q, "delete file"), 1u << 0 | 1u << 2);
}

static void
slots_have_names(void **state)
{
    (void)state;
    for (int i = 0; i < SLOT_TYPES; i++) {
        const char *name = slot_name((enum slot_type)i);

        assert_int_equal(slot_find(name, strlen(name)), i);
    }
    assert_int_equal(slot_find("pat", 3), -1);
    assert_int_equal(slot_find("path:", 4), SLOT_PATH);
    assert_int_equal(slot_find("", 0), -1);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_bytes_give_a_request),
        cmocka_unit_test(a_long_request_is_cut),
        cmocka_unit_test(few_files_are_looked_up),
        cmocka_unit_test(what_is_there_is_known_to_be),
        cmocka_unit_test(generators_find_words_and_rows),
        cmocka_unit_test(slots_have_names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
