/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_protected_paths.c - commands that delete protected paths are found. */
#include "unit.h"

#include "base/cleanup.h"
#include "offline/engine/protected_paths.h"

static const struct {
    const char *command, *which; /* NULL: nothing of the kind */
} rows[] = {
    {"rm -r /", "/"},
    {"rm ''/*", "/*"},
    {"rm -rf /*", "/*"},
    {"rm ~", "~"},
    {"rm -rf ~/", "~/"},
    {"rm -rf ~/*", "~/*"},
    {"rm -rf \"$HOME\"", "$HOME"},
    {"rm -rf ~/..", "~/.."},
    {"rm -rf $HOME/docs/../", "$HOME/docs/../"},
    {"rm ..", ".."},
    {"rm -r ../", "../"},
    {"rm -r .", "."},
    {"rm -rf ./", "./"},
    {"rm -r /etc/", "/etc/"},
    {"sudo rm -r /usr/*", "/usr/*"},
    {"rm /dev/sdb", "/dev/sdb"},
    {"find ~ -maxdepth 1 -delete", "~"},
    {"find . -delete", "."},
    {"find / -type f -delete", "/"},
    {"chmod -R 777 /", "/"},
    {"sudo chown -R bob /etc", "/etc"},
    {"ls && rm -r /var", "/var"},
    {"rm -r build", NULL},
    {"rm -r ./*", NULL},
    {"rm *.o", NULL},
    {"rm -r /tmp/x", NULL},
    {"rm ~/x.txt", NULL},
    {"rm -r ~/docs", NULL},
    {"rm -r /home/*/docs", NULL},
    {"rm /etc/motd", NULL},
    {"find . -name '*.o' -delete", NULL},
    {"find / -name core -delete", NULL},
    {"chmod -R u+w .", NULL},
    {"chmod 755 /srv", NULL},
    {"ls /", NULL},
    {"cp -r ~ /mnt", NULL},
};

static void
what_nobody_means_to_lose_is_seen(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++) {
        CLEANUP_BUF struct buf which = buf_of(4096);
        bool found = protected_paths_hit(rows[i].command, &which);

        if (found != (rows[i].which != NULL))
            fail_msg("%s: %s", rows[i].command, found ? which.p : "nothing");
        if (found)
            assert_string_equal(which.p, rows[i].which);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_nobody_means_to_lose_is_seen),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
