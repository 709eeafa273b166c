/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_rerun_check.c - which lines may run again, and in which profile. */
#include "unit.h"

#include <string.h>

#include "guard/rerun_check.h"

#define PREVIEW PROFILE_PREVIEW
#define OBSERVE PROFILE_OBSERVE

/* Lines that may, in /home/u/p, where nothing is. What a makefile, a script or
 * an unknown program does nobody knows, and the view holds it. */
static const struct {
    const char *line;
    enum profile profile;
} may[] = {
    {"make", PREVIEW},
    {"python3 x.py", PREVIEW},
    {"python3 -c 'import zz'", PREVIEW},
    {"python3 -c 'import os; os.kill(1, 9)'", PREVIEW},
    {"npm test", PREVIEW},
    {"./x.sh", PREVIEW},
    {"bash x.sh", PREVIEW},
    {". ./x.sh", PREVIEW},
    {"nosuchprogram --now", PREVIEW},
    {"rm d", PREVIEW},
    {"rm -rf sub; false", PREVIEW},
    {"echo x > y; mv y z; exit 3", PREVIEW},
    {"gcc -Wal x.c", PREVIEW},
    {"git commit -m x", PREVIEW},
    {"git chekout main", PREVIEW},
    {"cd nosuch", PREVIEW},
    {"ls /usr/zz", PREVIEW},
    {"(nosuch &) ; false", PREVIEW},
    {"ls ~/zz", OBSERVE},
    {"cat ../q/zz", OBSERVE},
    {"cp x ~/zz", OBSERVE},
    {"ls -l zz", OBSERVE},
    {"ps -p 99999", OBSERVE},
    {"ls /usr/lib/ssl/private", PREVIEW},
};

/* Lines that may not, and a part of why. */
static const struct {
    const char *line, *why;
} may_not[] = {
    {"kill 1", "signal"},
    {"false || kill %1", "signal"},
    {"sh -c 'kill 3'", "signal"},
    {"find . -exec kill {} \\;", "signal"},
    {"echo 1 | xargs kill", "signal"},
    {"pkill -f x", "signal"},
    {"killall x", "signal"},
    {"fuser -k x", "signal"},
    {"systemctl restart x", ""},
    {"systemctl status x", ""},
    {"docker ps", ""},
    {"psql -c x", ""},
    {"redis-cli ping", ""},
    {"crontab -l", ""},
    {"dbus-send x", ""},
    {"logger x", ""},
    {"at now", ""},
    {"tmux ls", "server"},
    {"screen -ls", "server"},
    {"ssh host ls", ""},
    {"rsync -a x host:", ""},
    {"curl http://127.0.0.1:1/", "hosts"},
    {"nc localhost 3", ""},
    {"cat < /dev/tcp/127.0.0.1/2", "hosts"},
    {"git push", ""},
    {"git pull", ""},
    {"apt install x", ""},
    {"pip install x", "hosts"},
    {"sudo ls", "rights"},
    {"echo x | sudo tee /usr/x", "rights"},
    {"su", ""},
    {"vim x", "terminal"},
    {"git commit", "terminal"},
    {"passwd", ""},
    {"top", "terminal"},
    {"ls | less", "terminal"},
    {"cat ~/.ssh/id_rsa", "secrets"},
    {"eval \"$x\"", "nobody can tell"},
    {"$x a", "nobody can tell"},
    {"echo ls | bash <(cat)", "nobody can tell"},
    {"l\xe2\x80\x8bs", "nobody can tell"},
    {"if true", "cannot be read"},
    {"rm -rf /", "rules deny"},
    {"rm -rf ~", "rules deny"},
    {"fg", "shell"},
    {"wait", "shell"},
    {"ai do it", "this program"},
    {"make; ai fix", "this program"},
    {"lsof x", ""},
    {"chmod u+s x", ""},
    {"reboot", ""},
};

static void
judge_rerun(const char *line, struct guard_finding *f,
            struct path_context *where)
{
    struct err e = {0};
    struct policy *p = policy_load_files(NULL, NULL, "standard", NULL, &e);

    assert_non_null(p);
    *where = (struct path_context){.cwd = "/home/u/p",
                                   .home = "/home/u",
                                   .path = "/usr/bin:/bin:/usr/sbin:/sbin"};
    assert_int_equal(guard_judge(p, line, where, f, &e), 0);
    policy_free(p);
}

static void
what_the_view_holds_may_run_again(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(may); i++) {
        CLEANUP(guard_finding_done) struct guard_finding f = {0};
        struct path_context where;
        char why[RERUN_WHY_SIZE] = "", in[PATH_MAX];
        enum profile got;

        judge_rerun(may[i].line, &f, &where);
        if (!rerun_check(&f, &where, why))
            fail_msg("%s: %s", may[i].line, why);
        got = rerun_check_profile(&f, &where, guard_workspace(&where, in));
        if (got != may[i].profile)
            fail_msg("%s: %s", may[i].line, profile_row(got)->name);
    }
}

static void
without_a_workspace_it_looks_only(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(may); i++) {
        CLEANUP(guard_finding_done) struct guard_finding f = {0};
        struct path_context where;

        judge_rerun(may[i].line, &f, &where);
        assert_int_equal(rerun_check_profile(&f, &where, NULL), OBSERVE);
    }
}

static void
what_reaches_others_is_not_even_tried(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(may_not); i++) {
        CLEANUP(guard_finding_done) struct guard_finding f = {0};
        struct path_context where;
        char why[RERUN_WHY_SIZE] = "";

        judge_rerun(may_not[i].line, &f, &where);
        if (rerun_check(&f, &where, why))
            fail_msg("%s would run again", may_not[i].line);
        if (!why[0] || !strstr(why, may_not[i].why))
            fail_msg("%s: '%s'", may_not[i].line, why);
    }
}

/* A user without rights is told so again; root would use them. */
static void
root_does_not_use_its_rights_again(void **state)
{
    CLEANUP(guard_finding_done) struct guard_finding f = {0};
    struct path_context where;
    char why[RERUN_WHY_SIZE] = "";

    (void)state;
    judge_rerun("mkdir /usr/zz", &f, &where);
    assert_true(rerun_check(&f, &where, why));
    where.as_root = true;
    assert_false(rerun_check(&f, &where, why));
    assert_non_null(strstr(why, "root"));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_the_view_holds_may_run_again),
        cmocka_unit_test(without_a_workspace_it_looks_only),
        cmocka_unit_test(what_reaches_others_is_not_even_tried),
        cmocka_unit_test(root_does_not_use_its_rights_again),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
