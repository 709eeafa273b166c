/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_own_names.c - names of files that could pass for options. */
#include <string.h>

#include "tests/unit/unit.h"

#include "base/cleanup.h"
#include "offline/engine/sanitize.h"

static const struct {
    const char *command, *own;
} rows[] = {
    {"rm *", "rm ./*"},
    {"rm -f *.o [ab]*", "rm -f ./*.o ./[ab]*"},
    {"sed -i 's/a*/b/' ?.txt", "sed -i 's/a*/b/' ./?.txt"},
    {"for f in *; do mv \"$f\" x; done", "for f in ./*; do mv \"$f\" x; done"},
    {"find . -name '*.o' -delete", "find . -name '*.o' -delete"},
    {"rm a* src/*", "rm a* src/*"},
    {"[ -f x ] && rm x", "[ -f x ] && rm x"},
    {"", ""},
};

static void
a_glob_that_could_match_an_option_is_a_path(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        CLEANUP_BUF struct buf out = buf_of(256);

        assert_int_equal(sanitize_own_names(rows[i].command, &out, NULL), 0);
        assert_string_equal(out.len ? out.p : "", rows[i].own);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_glob_that_could_match_an_option_is_a_path),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
