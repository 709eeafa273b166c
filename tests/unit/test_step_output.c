/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_step_output.c - the meta of a tool, as one line for the user. */
#include "unit.h"

#include <string.h>

#include "ui/step_output.h"

static const struct {
    const char *meta, *line;
} rows[] = {
    {"{}", ""},
    {"{\"duration_ms\":3}", ""},
    {"{\"bytes_written\":6,\"created\":true,\"duration_ms\":3}",
     "bytes written: 6; created: yes"},
    {"{\"created\":false,\"backup_path\":\"/a b\",\"x\":null,\"y\":\"\"}",
     "backup path: /a b"},
    {"{\"list\":[1,\"a\"],\"none\":[],\"o\":{\"k\":1.50}}",
     "list: [1,\"a\"]; o: {\"k\":1.50}"},
};

static void
its_members_become_words(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++) {
        CLEANUP(json_free_p)
        struct json *meta = json_parse(rows[i].meta, strlen(rows[i].meta), 0,
                                       NULL);
        CLEANUP_BUF struct buf out = buf_of(256);

        assert_non_null(meta);
        step_output_meta(&out, meta);
        assert_string_equal(out.p, rows[i].line);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(its_members_become_words),
    };

    return cmocka_run_group_tests_name("step_output", tests, NULL, NULL);
}
