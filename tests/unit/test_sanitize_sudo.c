/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_sanitize_sudo.c - sudo is removed from commands for root. */
#include <string.h>

#include "tests/unit/unit.h"

#include "base/cleanup.h"
#include "offline/engine/sanitize.h"

static const struct {
    const char *command, *dropped;
} rows[] = {
    {"sudo apt update", "apt update"},
    {"sudo apt update && sudo apt upgrade", "apt update && apt upgrade"},
    {"echo 1 | sudo tee /proc/x", "echo 1 | tee /proc/x"},
    {"x=$(sudo blkid -o value /dev/sda1)", "x=$(blkid -o value /dev/sda1)"},
    {"sudo -u bob id", "sudo -u bob id"},
    {"echo sudo apt", "echo sudo apt"},
    {"sudo", "sudo"},
    {"sudo sudo id", "sudo id"},
    {"A=1 sudo id", "A=1 id"},
    {"", ""},
};

static void
sudo_without_options_is_dropped(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        CLEANUP_BUF struct buf out = buf_of(256);

        assert_int_equal(sanitize_drop_sudo(rows[i].command, &out, NULL), 0);
        assert_string_equal(out.len ? out.p : "", rows[i].dropped);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sudo_without_options_is_dropped),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
