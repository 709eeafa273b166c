/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_effects_signals.c - whom kill, pkill and killall would signal. */
#include "unit.h"

#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "guard/effects/effects.h"
#include "guard/effects/effects_text.h"

/* A process of the test, known by a number of seconds that no other sleep
 * has. */
struct sleeper {
    pid_t pid;
    char pid_text[16], group_text[16], seconds[16], pattern[32];
};

/* A parent goes on from vfork(2) a moment before the new program's arguments
 * can be seen. */
static int
wait_for_arguments(pid_t pid)
{
    const struct timespec pause = {.tv_nsec = 1000000};
    int64_t until = clock_ms() + 10000;
    char path[64];
    int c = EOF;

    snprintf(path, sizeof(path), "/proc/%d/cmdline", (int)pid);
    while (c == EOF && clock_ms() < until) {
        FILE *file = fopen(path, "r");

        if (!file)
            return -1;
        c = fgetc(file);
        (void)fclose(file);
        if (c == EOF)
            (void)nanosleep(&pause, NULL);
    }
    return c == EOF ? -1 : 0;
}

static int
sleeper_start(void **state)
{
    static struct sleeper s;
    posix_spawnattr_t attr;
    const char *argv[] = {"sleep", s.seconds, NULL};
    char *env[] = {NULL};
    int rc;

    snprintf(s.seconds, sizeof(s.seconds), "%d", 500000 + (int)getpid());
    snprintf(s.pattern, sizeof(s.pattern), "^sleep %s$", s.seconds);
    posix_spawnattr_init(&attr);
    posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETPGROUP);
    rc = posix_spawnp(&s.pid, "sleep", NULL, &attr, (char *const *)argv, env);
    posix_spawnattr_destroy(&attr);
    snprintf(s.pid_text, sizeof(s.pid_text), "%d", (int)s.pid);
    snprintf(s.group_text, sizeof(s.group_text), "-%d", (int)s.pid);
    *state = &s;
    return rc == 0 ? wait_for_arguments(s.pid) : rc;
}

static int
sleeper_stop(void **state)
{
    struct sleeper *s = *state;

    kill(s->pid, SIGKILL);
    return waitpid(s->pid, NULL, 0) == s->pid ? 0 : -1;
}

enum who { OURS, NOBODY, UNKNOWN };

/* "PID", "GROUP", "PATTERN" and "SECONDS" are the sleeper's. */
static const struct {
    const char *argv[6];
    enum who who;
} rows[] = {
    {{"kill", "PID"}, OURS},
    {{"kill", "-9", "PID"}, OURS},
    {{"kill", "-KILL", "PID"}, OURS},
    {{"kill", "-s", "TERM", "PID"}, OURS},
    {{"kill", "-TERM", "--", "GROUP"}, OURS},
    {{"kill", "-9", "GROUP"}, OURS},
    {{"kill", "%1"}, UNKNOWN},
    {{"kill", "-9", "-1"}, UNKNOWN},
    {{"kill", "999999999"}, NOBODY},
    {{"kill", "PIDx"}, UNKNOWN},
    {{"pkill", "-f", "PATTERN"}, OURS},
    {{"pkill", "PATTERN", "-9", "-f"}, OURS},
    {{"pkill", "-f", "-u", "65533", "PATTERN"}, NOBODY},
    {{"pkill", "-x", "PATTERN"}, NOBODY},
    {{"pkill", "-f", "(a|b)*"}, UNKNOWN},
    {{"pkill", "-P", "1", "x"}, UNKNOWN},
    {{"killall", "no-such-program-here"}, NOBODY},
    {{"killall", "-r", "x"}, UNKNOWN},
    {{"xkill", "PID"}, UNKNOWN},
};

static const char *
word_of(const struct sleeper *s, const char *word)
{
    if (strcmp(word, "PID") == 0)
        return s->pid_text;
    if (strcmp(word, "GROUP") == 0)
        return s->group_text;
    return strcmp(word, "PATTERN") == 0 ? s->pattern : word;
}

static void
find(const struct sleeper *s, const char *const *words, struct effects *x)
{
    const char *argv[8] = {NULL};
    struct risk_call call = {.argv = argv,
                             .facts = RISK_DESTRUCTIVE,
                             .name = words[0],
                             .wrapper = ""};
    struct risk r = {.facts = RISK_DESTRUCTIVE, .calls = &call, .n_calls = 1};
    struct path_context where = {.cwd = "/"};
    struct err e;

    for (; call.n < 6 && words[call.n]; call.n++)
        argv[call.n] = word_of(s, words[call.n]);
    assert_int_equal(effects_find(&r, &where, NULL, x, &e), 0);
}

/* On a busy machine a scan may end before it has read every process, which
 * `more` tells. Then it is repeated. */
static void
find_all(const struct sleeper *s, const char *const *words, struct effects *x)
{
    int64_t until = clock_ms() + 60000;

    for (find(s, words, x); x->more && clock_ms() < until; find(s, words, x))
        effects_done(x);
}

/* Between fork and exec the child has the test's own name. */
static void
wait_for_exec(const struct sleeper *s)
{
    int64_t until = clock_ms() + 10000;
    char path[64], name[32];

    snprintf(path, sizeof(path), "/proc/%d/comm", (int)s->pid);
    do {
        FILE *f = fopen(path, "re");

        assert_non_null(f);
        assert_non_null(fgets(name, sizeof(name), f));
        fclose(f);
    } while (strcmp(name, "sleep\n") != 0 && clock_ms() < until);
    assert_string_equal(name, "sleep\n");
}

static void
a_signal_is_known_by_whom_it_reaches(void **state)
{
    const struct sleeper *s = *state;

    wait_for_exec(s);
    for (size_t i = 0; i < N_OF(rows); i++) {
        struct effects x;

        find_all(s, rows[i].argv, &x);
        if (x.unknown != (rows[i].who == UNKNOWN) ||
            (x.n_processes == 1) != (rows[i].who == OURS))
            fail_msg("row %zu: %zu processes, unknown %d", i, x.n_processes,
                     x.unknown);
        if (x.n_processes)
            assert_int_equal(x.processes[0].pid, s->pid);
        effects_done(&x);
    }
}

static void
a_process_is_shown_with_its_owner_and_its_age(void **state)
{
    static const char *const words[] = {"kill", "PID", NULL};
    const struct sleeper *s = *state;
    CLEANUP_BUF struct buf b = buf_of(4096);
    struct path_context where = {.cwd = "/"};
    char want[64];
    struct effects x;
    time_t now = time(NULL);

    wait_for_exec(s);
    find(s, words, &x);
    assert_true(x.processes[0].ours);
    assert_true(x.processes[0].owner[0] != '\0');
    assert_true(x.processes[0].started > now - 3600);
    assert_true(x.processes[0].started < now + 60);
    effects_summary(&x, &where, " - ", &b);
    snprintf(want, sizeof(want), "ends sleep (pid %d, started ", (int)s->pid);
    assert_int_equal(strncmp(b.p, want, strlen(want)), 0);
    assert_non_null(strstr(b.p, ", yours)"));
    effects_done(&x);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_signal_is_known_by_whom_it_reaches),
        cmocka_unit_test(a_process_is_shown_with_its_owner_and_its_age),
    };

    return cmocka_run_group_tests_name("effects of kill", tests, sleeper_start,
                                       sleeper_stop);
}
