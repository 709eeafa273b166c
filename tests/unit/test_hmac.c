/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_hmac.c - codes are those of another implementation. */
#include "tests/unit/unit.h"

#include <string.h>

#include "base/hmac.h"

/* Made by Python's hmac: the key is 32 times its byte. */
static const struct {
    unsigned char key;
    const char *text, *code;
} known[] = {
    {0x00, "",
     "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"},
    {0x0b, "Hi There",
     "198a607eb44bfbc69903a0f1cf2bbdc5ba0aa3f3d9ae3c1c7a3b1696a0b68cf7"},
    {0xff, "what do ya want for nothing?",
     "de70dfcdf751733c6c5beee659cffa538e30e0b64b4e46ff97f1ea886c4b88fc"},
    {0x5c,
     "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
     "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
     "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
     "e4f72bef0143ad00b8cb979f56bb434852572820bcb978efa5593783bc71fa29"},
};

static void
codes_are_those_of_another_implementation(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(known); i++) {
        unsigned char key[HMAC_KEY_SIZE];
        char hex[SHA256_HEX_SIZE];

        memset(key, known[i].key, sizeof(key));
        assert_int_equal(hmac_sha256_hex(key, known[i].text,
                                         strlen(known[i].text), hex, NULL),
                         0);
        assert_string_equal(hex, known[i].code);
        assert_true(hmac_is_same(hex, known[i].code));
    }
}

static void
a_code_with_one_other_digit_is_not_the_same(void **state)
{
    char other[SHA256_HEX_SIZE];

    (void)state;
    for (size_t i = 0; i < SHA256_HEX_SIZE - 1; i++) {
        memcpy(other, known[0].code, sizeof(other));
        other[i] = other[i] == '0' ? '1' : '0';
        assert_false(hmac_is_same(other, known[0].code));
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(codes_are_those_of_another_implementation),
        cmocka_unit_test(a_code_with_one_other_digit_is_not_the_same),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
