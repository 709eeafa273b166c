/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_judge.c - what a step needs before it may run. */
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "action/judge.h"

/* A directory of its own, and the standard rules. */
struct bench {
    char dir[64];
    struct policy *policy;
    struct judge judge;
};

static int
set_up(void **state)
{
    struct bench *b = calloc(1, sizeof(*b));
    struct err e = {0};

    assert_non_null(b);
    snprintf(b->dir, sizeof(b->dir), "/tmp/agentsh-judge-XXXXXX");
    assert_non_null(mkdtemp(b->dir));
    b->policy = policy_load_files(NULL, NULL, "standard", &e);
    assert_non_null(b->policy);
    b->judge = (struct judge){.policy = b->policy,
                              .cwd = b->dir,
                              .home = "/nonexistent",
                              .path = "/usr/bin:/bin"};
    *state = b;
    return 0;
}

static int
tear_down(void **state)
{
    struct bench *b = *state;

    rmdir(b->dir);
    policy_free(b->policy);
    free(b);
    return 0;
}

#define ASKS        1u
#define DESTRUCTIVE 2u
#define PRIVILEGED  4u
#define HIDDEN      8u
#define REFUSED     16u
#define ALONE       32u

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
};

static unsigned
flags_of(const struct judgement *j)
{
    return (j->decision != GUARD_ALLOW ? ASKS : 0) |
           (j->destructive ? DESTRUCTIVE : 0) |
           (j->privileged ? PRIVILEGED : 0) | (j->hidden ? HIDDEN : 0) |
           (j->refused ? REFUSED : 0) | (j->alone ? ALONE : 0);
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
        CLEANUP(judgement_done) struct judgement j = {0};
        struct err e = {0};

        assert_int_equal(judge_step(&b->judge, &s, &j, &e), 0);
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
    CLEANUP(judgement_done) struct judgement j = {0};

    assert_int_equal(judge_step(&b->judge, &s, &j, NULL), 0);
    assert_int_equal(judge_digest(&s, &j, hex, NULL), 0);
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
    CLEANUP(judgement_done) struct judgement j = {0};
    char one[SHA256_HEX_SIZE], two[SHA256_HEX_SIZE];

    assert_int_equal(judge_step(&b->judge, &s, &j, NULL), 0);
    assert_int_equal(judge_digest(&s, &j, one, NULL), 0);
    j.found.profile.net = true;
    assert_int_equal(judge_digest(&s, &j, two, NULL), 0);
    assert_string_not_equal(one, two);
    j.found.profile.net = false;
    j.found.profile.profile = PROFILE_FULL;
    assert_int_equal(judge_digest(&s, &j, two, NULL), 0);
    assert_string_not_equal(one, two);
}

static void
a_directory_that_is_not_there_is_named(void **state)
{
    struct bench *b = *state;
    struct step s = {.command = (char *)(uintptr_t) "ls",
                     .directory = (char *)(uintptr_t) "nowhere"};
    CLEANUP(judgement_done) struct judgement j = {0};
    struct err e = {0};

    assert_int_equal(judge_step(&b->judge, &s, &j, &e), -1);
    assert_non_null(strstr(e.text, "nowhere"));
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_model_only_raises_what_the_guard_found),
        cmocka_unit_test(an_approval_covers_what_runs_and_nothing_else),
        cmocka_unit_test(an_approval_covers_the_profile),
        cmocka_unit_test(a_directory_that_is_not_there_is_named),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
