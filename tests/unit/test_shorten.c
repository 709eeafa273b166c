/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_shorten.c - seccomp programs that become shorter and stay the same. */
#include "unit.h"

#include <linux/seccomp.h>
#include <string.h>

#include "sandbox/shorten.h"

#define NUMBER offsetof(struct seccomp_data, nr)
#define LOW    offsetof(struct seccomp_data, args)
#define HIGH   (LOW + 4)

#define LOAD(at)          BPF_STMT(BPF_LD | BPF_W | BPF_ABS, at)
#define MASK(bits)        BPF_STMT(BPF_ALU | BPF_AND | BPF_K, bits)
#define EQUAL(k, yes, no) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, k, yes, no)
#define ANSWER(what)      BPF_STMT(BPF_RET | BPF_K, what)
#define YES               ANSWER(SECCOMP_RET_ALLOW)
#define NO                ANSWER(SECCOMP_RET_ERRNO | 1)

static const struct {
    const char *what;
    struct sock_filter code[16];
    size_t n, shorter;
} rows[] = {
    {"values in a row are a range",
     {LOAD(LOW), EQUAL(3, 5, 0), EQUAL(1, 4, 0), EQUAL(2, 3, 0), EQUAL(4, 2, 0),
      EQUAL(9, 1, 0), YES, NO},
     8,
     6},
    {"two values are no range",
     {LOAD(LOW), EQUAL(3, 2, 0), EQUAL(2, 1, 0), YES, NO},
     5,
     5},
    {"a range to the last value there is",
     {LOAD(LOW), EQUAL(0xfffffffd, 3, 0), EQUAL(0xffffffff, 2, 0),
      EQUAL(0xfffffffe, 1, 0), YES, NO},
     6,
     5},
    {"a mask of nothing",
     {LOAD(HIGH), MASK(0), EQUAL(0, 0, 2), LOAD(LOW), EQUAL(7, 1, 0), YES, NO},
     7,
     4},
    {"what the mask's place was loaded for stays",
     {LOAD(HIGH), MASK(0), EQUAL(0, 0, 1), EQUAL(0, 1, 0), YES, NO},
     6,
     6},
    {"bits of one word are asked for together",
     {LOAD(LOW), MASK(8), EQUAL(8, 4, 0), LOAD(LOW), MASK(2), EQUAL(2, 1, 0),
      YES, NO},
     8,
     4},
    {"bits of two words are not",
     {LOAD(LOW), MASK(8), EQUAL(8, 4, 0), LOAD(HIGH), MASK(2), EQUAL(2, 1, 0),
      YES, NO},
     8,
     6},
    {"two bits at once are not one or the other",
     {LOAD(LOW), MASK(10), EQUAL(10, 1, 0), YES, NO},
     5,
     5},
    {"a bit that has to be missing",
     {LOAD(LOW), MASK(8), EQUAL(8, 0, 1), NO, YES},
     5,
     4},
    {"what nothing leads to",
     {LOAD(NUMBER), EQUAL(1, 1, 2), YES, YES, NO},
     5,
     4},
};

static void
a_program_becomes_shorter(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++) {
        struct sock_filter code[16];
        size_t n;

        memcpy(code, rows[i].code, sizeof(code));
        n = shorten(code, rows[i].n);
        if (n != rows[i].shorter)
            fail_msg("%s: %zu", rows[i].what, n);
        assert_true(shorten_same(rows[i].code, rows[i].n, code, n));
    }
}

static void
another_answer_is_seen(void **state)
{
    static const struct {
        struct sock_filter a[8], b[8];
        size_t n_a, n_b;
    } pairs[] = {
        {{YES}, {NO}, 1, 1},
        {{LOAD(NUMBER), EQUAL(59, 0, 1), YES, NO}, {YES}, 4, 1},
        {{LOAD(LOW), EQUAL(5, 1, 0), YES, NO},
         {LOAD(LOW), EQUAL(6, 1, 0), YES, NO},
         4,
         4},
        {{LOAD(HIGH), EQUAL(0, 1, 0), YES, NO}, {NO}, 4, 1},
        {{LOAD(LOW), EQUAL(5, 1, 0), YES, NO},
         {LOAD(LOW + 8), EQUAL(5, 1, 0), YES, NO},
         4,
         4},
    };

    (void)state;
    for (size_t i = 0; i < N_OF(pairs); i++)
        assert_false(
            shorten_same(pairs[i].a, pairs[i].n_a, pairs[i].b, pairs[i].n_b));
}

static void
a_program_of_another_kind_stays(void **state)
{
    static const struct sock_filter odd[] = {
        BPF_STMT(BPF_LD | BPF_B | BPF_ABS, 0),
        EQUAL(0, 0, 1),
        YES,
        YES,
    };
    struct sock_filter code[N_OF(odd)];

    (void)state;
    memcpy(code, odd, sizeof(odd));
    assert_int_equal(shorten(code, N_OF(odd)), N_OF(odd));
    assert_memory_equal(code, odd, sizeof(odd));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_program_becomes_shorter),
        cmocka_unit_test(another_answer_is_seen),
        cmocka_unit_test(a_program_of_another_kind_stays),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
