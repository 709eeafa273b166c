/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_guard_sudo.c - where a line calls sudo, and where it names it only. */
#include "unit.h"

#include "guard/plain.h"

static const char *const with_sudo[] = {
    "sudo ls",
    "/usr/bin/sudo ls",
    "ls; sudo ls",
    "ls | sudo tee x",
    "true && su -c ls",
    "doas ls",
    "pkexec ls",
    "env A=1 sudo ls",
    "nice -n 5 sudo ls",
    "timeout 5 sudo ls",
    "A=1 sudo ls",
    "if true; then sudo ls; fi",
    "{ sudo ls; }",
    "(sudo ls)",
    "! sudo ls",
    "time sudo ls",
    "echo $(sudo id)",
    "echo \"`sudo id`\"",
    "cat <(sudo id)",
    "bash -c 'sudo ls'",
    "bash -lc \"cd / && sudo ls\"",
    "eval 'sudo ls'",
    "find . -exec sudo rm {} +",
    "ls | xargs sudo rm",
    "s''udo ls",
    "$'sudo' ls",
    "\\sudo ls",
    "command sudo ls",
    "echo sudo ls | sh",
    "bash <<E\nsudo ls\nE",
    "nohup bash -c \"timeout 5 sudo ls\" &",
    "sh -c \"sh -c 'sudo ls'\"",
    "env -S 'sudo ls'",
    "cat <<E\n$(sudo id)\nE",
    ">x sudo ls",
};

static const char *const without_sudo[] = {
    "echo sudo",
    "command -v sudo",
    "man sudo",
    "grep sudo /etc/group",
    "apt install sudo",
    "which sudo",
    "find / -name sudo",
    "ls sudo",
    "echo 'sudo ls'",
    "ls # sudo",
    "cat sudo.txt",
    "pseudo ls",
    "echo \"use sudo\" > x",
    "grep su x | wc -l",
    "env | grep sudo",
};

static void
sudo_is_seen_wherever_it_is_called(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(with_sudo); i++) {
        struct guard_finding f;

        plain_judge(with_sudo[i], "/tmp", &f);
        if (!f.needs_sudo || f.decision != GUARD_ASK)
            fail_msg("%s: not seen", with_sudo[i]);
    }
}

static void
sudo_that_is_only_named_does_not_count(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(without_sudo); i++) {
        struct guard_finding f;

        plain_judge(without_sudo[i], "/tmp", &f);
        if (f.needs_sudo)
            fail_msg("%s: seen", without_sudo[i]);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sudo_is_seen_wherever_it_is_called),
        cmocka_unit_test(sudo_that_is_only_named_does_not_count),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
