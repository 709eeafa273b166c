/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_doctor_text.c - what agentsh doctor found, as a person reads it. */
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "frontend/cli/doctor_text.h"

#define MANY 300

static void
each_finding_is_shown_however_many_there_are(void **state)
{
    CLEANUP_BUF struct buf out = buf_of(1u << 20);
    struct term screen = {0};
    struct err e = {0};
    struct doctor_text *t = doctor_text_new(&screen, true, &e);
    char name[32];

    (void)state;
    assert_non_null(t);
    for (int i = 0; i < MANY; i++) {
        struct doctor_finding f = {.name = name, .state = DOCTOR_CHOICE};

        snprintf(name, sizeof(name), "server-%d", i);
        snprintf(f.text, sizeof(f.text), "is at port %d.", i);
        doctor_text_add(t, &f);
    }
    doctor_text_write(t, &out);
    assert_int_equal(buf_ok(&out, "the findings", &e), 0);
    for (int i = 0; i < MANY; i++) {
        snprintf(name, sizeof(name), "is at port %d.", i);
        assert_non_null(strstr(out.p, name));
    }
    doctor_text_free(t);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_finding_is_shown_however_many_there_are),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
