/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_step_verdict.c - whether a step may run, and who must agree. */
#include "tests/unit/unit_seat.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "action/approval.h"
#include "action/step_verdict.h"

/* A directory of its own, the standard rules and the built-in tools. */
struct bench {
    char dir[64];
    struct seat *seat;
    struct policy *policy;
    struct config *config;
    struct registry *registry;
    struct step_verdict_params judge;
};

static int
set_up(void **state)
{
    struct bench *b = calloc(1, sizeof(*b));
    struct err e = {0};

    assert_non_null(b);
    snprintf(b->dir, sizeof(b->dir), "/tmp/agentsh-judge-XXXXXX");
    assert_non_null(mkdtemp(b->dir));
    b->seat = unit_seat_at(b->dir, "/nonexistent", "/usr/bin:/bin");
    b->policy = policy_load_files(NULL, NULL, "standard", NULL, &e);
    assert_non_null(b->policy);
    b->config = config_load_files("/nonexistent", "/nonexistent", &e);
    b->registry = registry_open(b->seat, b->config, &e);
    assert_non_null(b->registry);
    b->judge = (struct step_verdict_params){.policy = b->policy,
                                            .config = b->config,
                                            .registry = b->registry,
                                            .seat = b->seat};
    *state = b;
    return 0;
}

static int
tear_down(void **state)
{
    struct bench *b = *state;

    rmdir(b->dir);
    registry_free(b->registry);
    config_free(b->config);
    policy_free(b->policy);
    seat_free(b->seat);
    free(b);
    return 0;
}

#define ASKS        1u
#define DESTRUCTIVE 2u
#define PRIVILEGED  4u
#define HIDDEN      8u
#define REFUSED     16u
#define ALONE       32u
#define TERMINAL    64u

static const struct {
    const char *command;
    bool confirm, destructive, sudo; /* what the model says */
    unsigned wants;
} steps[] = {
    {"ls -l", false, false, false, 0},
    {"ls -l", true, false, false, ASKS},
    {"ls -l", false, true, false, ASKS | DESTRUCTIVE},
    {"rm x", false, false, false, ASKS | DESTRUCTIVE},
    {"rm x", true, true, false, ASKS | DESTRUCTIVE},
    {"sudo id", false, false, false, ASKS | PRIVILEGED | REFUSED | ALONE},
    {"rm -rf /", false, false, false,
     ASKS | DESTRUCTIVE | PRIVILEGED | REFUSED | ALONE},
    {"ls \xe2\x80\xae", false, false, false, ASKS | DESTRUCTIVE | HIDDEN},
    {"eval \"$x\"", false, false, false, ASKS | DESTRUCTIVE},
    {"systemctl status x", false, false, false, ASKS | ALONE},
    {"echo 'rm -rf /'", false, false, false, 0},
    {"vim a.txt", false, false, false, ASKS | TERMINAL},
};

static unsigned
flags_of(const struct step_verdict *v)
{
    return (v->decision != GUARD_ALLOW ? ASKS : 0) |
           (v->destructive ? DESTRUCTIVE : 0) |
           (v->privileged ? PRIVILEGED : 0) | (v->hidden ? HIDDEN : 0) |
           (v->refused ? REFUSED : 0) | (v->alone ? ALONE : 0) |
           (v->terminal ? TERMINAL : 0);
}

static void
the_model_only_raises_what_the_guard_found(void **state)
{
    struct bench *b = *state;

    for (size_t i = 0; i < N_OF(steps); i++) {
        struct step s = {.command = (char *)(uintptr_t)steps[i].command,
                         .needs_confirmation = steps[i].confirm,
                         .is_destructive = steps[i].destructive,
                         .requires_sudo = steps[i].sudo};
        CLEANUP(step_verdict_done) struct step_verdict j = {0};
        struct err e = {0};

        assert_int_equal(step_verdict_make(&b->judge, &s, &j, &e), 0);
        if (flags_of(&j) != steps[i].wants)
            print_error("# %s: %s (%s)\n", s.command, j.reason, j.found.rule);
        assert_int_equal(flags_of(&j), steps[i].wants);
        if ((j.reason[0] == 0) != (j.decision == GUARD_ALLOW))
            print_error("# %s: %s (%s)\n", s.command, j.reason, j.found.rule);
        assert_int_equal(j.reason[0] == 0, j.decision == GUARD_ALLOW);
    }
}

static void
digest_of(const struct bench *b, const char *command, const char *description,
          char hex[SHA256_HEX_SIZE])
{
    struct step s = {.command = (char *)(uintptr_t)command,
                     .description = (char *)(uintptr_t)description};
    CLEANUP(step_verdict_done) struct step_verdict j = {0};

    assert_int_equal(step_verdict_make(&b->judge, &s, &j, NULL), 0);
    assert_int_equal(approval_digest(&s, &j, hex, NULL), 0);
}

static void
an_approval_covers_what_runs_and_nothing_else(void **state)
{
    struct bench *b = *state;
    char one[SHA256_HEX_SIZE], two[SHA256_HEX_SIZE];

    digest_of(b, "ls", "list", one);
    digest_of(b, "ls", "other words", two);
    assert_string_equal(one, two);
    digest_of(b, "ls -l", "list", two);
    assert_string_not_equal(one, two);
}

static void
an_approval_covers_the_profile(void **state)
{
    struct bench *b = *state;
    struct step s = {.command = (char *)(uintptr_t) "ls"};
    CLEANUP(step_verdict_done) struct step_verdict j = {0};
    char one[SHA256_HEX_SIZE], two[SHA256_HEX_SIZE];

    assert_int_equal(step_verdict_make(&b->judge, &s, &j, NULL), 0);
    assert_int_equal(approval_digest(&s, &j, one, NULL), 0);
    j.found.profile.net = true;
    assert_int_equal(approval_digest(&s, &j, two, NULL), 0);
    assert_string_not_equal(one, two);
    j.found.profile.net = false;
    j.found.profile.profile = PROFILE_FULL;
    assert_int_equal(approval_digest(&s, &j, two, NULL), 0);
    assert_string_not_equal(one, two);
}

/* Over 1 MiB a file is not read, and yet every write to it counts. */
static void
an_approval_covers_a_long_file_of_code(void **state)
{
    struct bench *b = *state;
    char path[] = "/tmp/agentsh-unit-XXXXXX", command[64];
    char hex[3][SHA256_HEX_SIZE];
    int fd = mkstemp(path);

    assert_true(fd >= 0);
    snprintf(command, sizeof(command), "sh %s", path);
    assert_int_equal(ftruncate(fd, 2 << 20), 0);
    digest_of(b, command, "run", hex[0]);
    digest_of(b, command, "run", hex[1]);
    assert_int_equal(pwrite(fd, "rm -rf ~", 8, (2 << 20) - 8), 8);
    digest_of(b, command, "run", hex[2]);
    close(fd);
    unlink(path);
    assert_string_equal(hex[0], hex[1]);
    assert_string_not_equal(hex[0], hex[2]);
}

#define ROOT_ONLY 64u /* refused to who is not root */

static const struct {
    const char *command, *tool, *action, *args;
    unsigned wants;
} calls[] = {
    {"cat /etc/fstab", "fs.read_file", "read", "{\"path\":\"/etc/fstab\"}", 0},
    /* the call is the stricter one */
    {"ls", "fs.read_file", "read", "{\"path\":\".ssh/id_rsa\"}",
     ASKS | REFUSED},
    {"ls", "fs.delete_file", "delete", "{\"path\":\"/etc/fstab\"}",
     ASKS | DESTRUCTIVE},
    {"ls", "svc.manage", "restart", "{\"service\":\"cron\"}",
     ASKS | DESTRUCTIVE | PRIVILEGED | ROOT_ONLY},
    /* the command is */
    {"rm -rf /", "fs.read_file", "read", "{\"path\":\"/etc/fstab\"}",
     ASKS | DESTRUCTIVE | PRIVILEGED | REFUSED},
    {"rm x", "fs.read_file", "read", "{\"path\":\"/etc/fstab\"}",
     ASKS | DESTRUCTIVE},
    /* a new file loses nothing */
    {"touch x", "fs.write_file", "write", "{\"path\":\"x\",\"content\":\"\"}",
     0},
    {"touch x", "fs.write_file", "write",
     "{\"path\":\"/etc/fstab\",\"content\":\"\"}", ASKS | DESTRUCTIVE},
    {"touch x", "fs.write_file", "write",
     "{\"path\":\"x\",\"content\":\"\xe2\x80\xae\"}", ASKS | HIDDEN},
};

static struct step
call_step(const char *command, const char *tool, const char *action,
          const char *args)
{
    return (struct step){
        .command = (char *)(uintptr_t)command,
        .tool = (char *)(uintptr_t)tool,
        .action = (char *)(uintptr_t)action,
        .args = json_parse(args, strlen(args), JSON_UNIQUE, NULL),
    };
}

static void
of_a_command_and_its_tool_the_stricter_decides(void **state)
{
    struct bench *b = *state;

    for (size_t i = 0; i < N_OF(calls); i++) {
        struct step s = call_step(calls[i].command, calls[i].tool,
                                  calls[i].action, calls[i].args);
        CLEANUP(step_verdict_done) struct step_verdict j = {0};
        unsigned wants = calls[i].wants & ~ROOT_ONLY;
        struct err e = {0};

        if (calls[i].wants & ROOT_ONLY && geteuid() != 0)
            wants |= REFUSED;
        if (step_verdict_make(&b->judge, &s, &j, &e) < 0)
            fail_msg("%s: %s", calls[i].args, e.text);
        if (flags_of(&j) != wants)
            fail_msg("%s, %s %s: %x (%s)", s.command, s.tool, calls[i].args,
                     flags_of(&j), j.reason);
        json_free(s.args);
    }
}

static void
digest_of_call(const struct bench *b, const char *args,
               char hex[SHA256_HEX_SIZE])
{
    struct step s = call_step("ls", "fs.write_file", "write", args);
    CLEANUP(step_verdict_done) struct step_verdict j = {0};

    assert_int_equal(step_verdict_make(&b->judge, &s, &j, NULL), 0);
    assert_int_equal(approval_digest(&s, &j, hex, NULL), 0);
    json_free(s.args);
}

static void
an_approval_covers_the_arguments_of_a_tool(void **state)
{
    struct bench *b = *state;
    char one[SHA256_HEX_SIZE], two[SHA256_HEX_SIZE];

    digest_of_call(b, "{\"path\":\"x\",\"content\":\"\"}", one);
    digest_of_call(b, "{ \"content\":\"\", \"path\":\"x\"}", two);
    assert_string_equal(one, two);
    digest_of_call(b, "{\"path\":\"x\",\"content\":\"y\"}", two);
    assert_string_not_equal(one, two);
    digest_of(b, "ls", "list", two);
    assert_string_not_equal(one, two);
}

static void
what_the_model_read_makes_every_step_a_question(void **state)
{
    struct bench *b = *state;
    struct step_verdict_params judge = b->judge;
    struct step s = {.command = (char *)(uintptr_t) "ls"};
    CLEANUP(step_verdict_done) struct step_verdict j = {0};

    judge.outside = "fs.read_file notes";
    assert_int_equal(step_verdict_make(&judge, &s, &j, NULL), 0);
    assert_int_equal(j.decision, GUARD_ASK);
    assert_non_null(strstr(j.reason, "fs.read_file notes"));
}

static void
a_view_takes_no_tool_that_changes_something(void **state)
{
    struct bench *b = *state;
    struct step_verdict_params judge = b->judge;
    struct step s = call_step("touch x", "fs.write_file", "write",
                              "{\"path\":\"x\",\"content\":\"\"}");
    CLEANUP(step_verdict_done) struct step_verdict j = {0};

    judge.preview = true;
    assert_int_equal(step_verdict_make(&judge, &s, &j, NULL), 0);
    assert_true(j.refused);
    assert_non_null(strstr(j.reason, "cannot be previewed"));
    json_free(s.args);
}

static void
a_directory_that_is_not_there_is_named(void **state)
{
    struct bench *b = *state;
    struct step s = {.command = (char *)(uintptr_t) "ls",
                     .directory = (char *)(uintptr_t) "nowhere"};
    CLEANUP(step_verdict_done) struct step_verdict j = {0};
    struct err e = {0};

    assert_int_equal(step_verdict_make(&b->judge, &s, &j, &e), -1);
    assert_non_null(strstr(e.text, "nowhere"));
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_model_only_raises_what_the_guard_found),
        cmocka_unit_test(an_approval_covers_what_runs_and_nothing_else),
        cmocka_unit_test(an_approval_covers_the_profile),
        cmocka_unit_test(an_approval_covers_a_long_file_of_code),
        cmocka_unit_test(of_a_command_and_its_tool_the_stricter_decides),
        cmocka_unit_test(an_approval_covers_the_arguments_of_a_tool),
        cmocka_unit_test(what_the_model_read_makes_every_step_a_question),
        cmocka_unit_test(a_view_takes_no_tool_that_changes_something),
        cmocka_unit_test(a_directory_that_is_not_there_is_named),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
