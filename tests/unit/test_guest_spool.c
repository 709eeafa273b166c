/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_guest_spool.c - what is kept of a stream, and what is read of it. */
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "server/guest/guest_spool.h"

#define MAX (100u << 10)

/* The byte of the stream at an offset. */
static char
byte_at(uint64_t offset)
{
    return (char)(offset * 7 + offset / 251);
}

static void
add_bytes(struct guest_spool *s, size_t n)
{
    CLEANUP(free_p) char *bytes = malloc(n + 1);

    assert_non_null(bytes);
    for (size_t i = 0; i < n; i++)
        bytes[i] = byte_at(s->total + i);
    assert_int_equal(guest_spool_add(s, bytes, n, NULL), 0);
}

static void
check_kept_bytes(const struct guest_spool *s)
{
    for (uint64_t at = guest_spool_first(s); at < guest_spool_end(s);) {
        char bytes[1000];
        ssize_t n = guest_spool_read(s, at, bytes, sizeof(bytes), NULL);

        assert_true(n > 0);
        for (ssize_t i = 0; i < n; i++)
            assert_int_equal(bytes[i], byte_at(at + (uint64_t)i));
        at += (uint64_t)n;
    }
    assert_int_equal(
        guest_spool_read(s, guest_spool_end(s), (char[1]){0}, 1, NULL), 0);
}

static void
however_a_stream_comes_the_same_is_kept(void **state)
{
    (void)state;
    for (unsigned seed = 1; seed < 60; seed++) {
        bool last = seed % 2;
        struct guest_spool s;

        srandom(seed);
        guest_spool_init(&s, "/tmp", MAX, last);
        for (int i = 0; i < 20; i++) {
            static const int sizes[] = {1, 300, 20000, 150000};

            add_bytes(&s, (size_t)random() % (size_t)sizes[random() % 4]);
            assert_int_equal(s.file >= 0, s.total > GUEST_SPOOL_MEMORY);
            assert_int_equal(guest_spool_first(&s),
                             last && s.total > MAX ? s.total - MAX : 0);
            assert_int_equal(guest_spool_end(&s),
                             !last && s.total > MAX ? MAX : s.total);
            check_kept_bytes(&s);
        }
        guest_spool_done(&s);
    }
}

static void
a_directory_that_is_not_there_is_no_need(void **state)
{
    struct guest_spool s;

    (void)state;
    guest_spool_init(&s, "/nonexistent", MAX, true);
    add_bytes(&s, GUEST_SPOOL_MEMORY + 1);
    check_kept_bytes(&s);
    guest_spool_done(&s);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(however_a_stream_comes_the_same_is_kept),
        cmocka_unit_test(a_directory_that_is_not_there_is_no_need),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
