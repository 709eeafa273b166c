/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_svc_state.c - what each manager of services says becomes one word. */
#include <string.h>

#include "plugins/svc.manage/state.h"
#include "unit.h"

#define U(active, sub, file)                                                   \
    "LoadState=loaded\nActiveState=" active "\nSubState=" sub                  \
    "\nUnitFileState=" file "\nCanReload=no\n"

static const struct {
    const char *text;
    enum err_code code;
    enum state_word word;
    const char *detail;
    int boot; /* -1: not known */
} units[] = {
    {U("active", "running", "enabled"), ERR_NONE, STATE_RUNNING,
     "active/running", 1},
    {U("active", "exited", "static"), ERR_NONE, STATE_RUNNING, "active/exited",
     -1},
    {U("reloading", "reload", "disabled"), ERR_NONE, STATE_RUNNING,
     "reloading/reload", 0},
    {U("inactive", "dead", "masked"), ERR_NONE, STATE_STOPPED, "inactive/dead",
     0},
    {U("failed", "failed", ""), ERR_NONE, STATE_FAILED, "failed/failed", -1},
    {U("activating", "auto-restart", "enabled"), ERR_NONE, STATE_UNKNOWN,
     "activating/auto-restart", 1},
    {U("something-new", "x", "enabled-runtime"), ERR_NONE, STATE_UNKNOWN,
     "something-new/x", 0},
    {"ActiveState=active", ERR_NONE, STATE_RUNNING, "active/", -1},
    {"LoadState=not-found\nActiveState=inactive\n", ERR_NOT_FOUND, 0, "", 0},
    {"XActiveState=active\n", ERR_PARSE, 0, "", 0},
    {"ActiveState=\n", ERR_PARSE, 0, "", 0},
    {"", ERR_PARSE, 0, "", 0},
};

static void
systemds_properties_are_read(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(units); i++) {
        struct state s = {0};
        struct err e = {0};
        int rc = state_of_systemd(units[i].text, &s, &e);

        assert_int_equal(e.code, units[i].code);
        assert_int_equal(rc, e.code ? -1 : 0);
        assert_int_equal(s.word, units[i].word);
        assert_string_equal(s.detail, units[i].detail);
        assert_int_equal(s.boot_known, rc == 0 && units[i].boot >= 0);
        assert_int_equal(s.boot, rc == 0 && units[i].boot == 1);
    }
}

static void
a_reload_and_a_process_are_read(void **state)
{
    struct state s;

    (void)state;
    assert_int_equal(state_of_systemd(U("active", "x", ""), &s, NULL), 0);
    assert_true(s.no_reload);
    assert_int_equal(s.pid, 0);
    assert_int_equal(state_of_systemd("ActiveState=active\nCanReload=yes\n"
                                      "MainPID=4711\n",
                                      &s, NULL),
                     0);
    assert_false(s.no_reload);
    assert_int_equal(s.pid, 4711);
}

static const struct {
    const char *text;
    int rc;
    enum state_word word;
    int64_t pid;
} jobs[] = {
    {"system/a = {\n\tstate = running\n\tpid = 9\n}\n", 0, STATE_RUNNING, 9},
    {"system/a = {\n\tstate = not running\n\tlast exit code = 0\n}\n", 0,
     STATE_STOPPED, 0},
    {"\tstate = not running\n\tlast exit code = (never exited)\n", 0,
     STATE_STOPPED, 0},
    {"\tstate = not running\n\tlast exit code = 78: EX_CONFIG\n", 0,
     STATE_FAILED, 0},
    {"\tstate = running\n\tlast exit code = 1\n", 0, STATE_RUNNING, 0},
    {"\tstate = spawn scheduled\n", 0, STATE_UNKNOWN, 0},
    {"\tnothing\n", -1, 0, 0},
};

static void
launchds_print_is_read(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(jobs); i++) {
        struct state s = {0};

        assert_int_equal(state_of_launchd(jobs[i].text, &s, NULL), jobs[i].rc);
        assert_int_equal(s.word, jobs[i].word);
        assert_int_equal(s.pid, jobs[i].pid);
    }
}

static const struct {
    void (*read)(const char *text, const char *name, struct state *out);
    const char *text, *name;
    bool known, boot;
} boots[] = {
    {state_boot_of_launchd, "\t\"a.b\" => disabled\n", "a.b", true, false},
    {state_boot_of_launchd, "\t\"a.b\" => true\n", "a.b", true, false},
    {state_boot_of_launchd, "\t\"a.b\" => enabled\n", "a.b", true, true},
    {state_boot_of_launchd, "\t\"a.b\" => false\n", "a.b", true, true},
    {state_boot_of_launchd, "\t\"a.bc\" => enabled\n", "a.b", false, false},
    {state_boot_of_openrc, "   sshd | default\n", "sshd", true, true},
    {state_boot_of_openrc, "   sshd |\n   x | default\n", "sshd", true, false},
    {state_boot_of_openrc, "  sshd2 | default\n", "sshd", true, false},
    {state_boot_of_openrc, "", "sshd", true, false},
    {state_boot_of_openrc, "sshd", "sshd", true, false},
};

static void
what_starts_at_boot_is_read(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(boots); i++) {
        struct state s = {0};

        boots[i].read(boots[i].text, boots[i].name, &s);
        assert_int_equal(s.boot_known, boots[i].known);
        assert_int_equal(s.boot, boots[i].boot);
    }
}

static const struct {
    void (*read)(int exit_code, struct state *out);
    int exit_code;
    const char *name;
} statuses[] = {
    {state_of_lsb, 0, "running"},    {state_of_lsb, 1, "failed"},
    {state_of_lsb, 2, "failed"},     {state_of_lsb, 3, "stopped"},
    {state_of_lsb, 4, "unknown"},    {state_of_lsb, 150, "unknown"},
    {state_of_openrc, 0, "running"}, {state_of_openrc, 3, "stopped"},
    {state_of_openrc, 8, "unknown"}, {state_of_openrc, 32, "failed"},
    {state_of_openrc, 1, "unknown"},
};

static void
exit_statuses_of_status_become_words(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(statuses); i++) {
        struct state s = {0};

        statuses[i].read(statuses[i].exit_code, &s);
        assert_string_equal(state_name(s.word), statuses[i].name);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(systemds_properties_are_read),
        cmocka_unit_test(a_reload_and_a_process_are_read),
        cmocka_unit_test(launchds_print_is_read),
        cmocka_unit_test(what_starts_at_boot_is_read),
        cmocka_unit_test(exit_statuses_of_status_become_words),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
