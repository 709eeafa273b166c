/* SPDX-License-Identifier: GPL-3.0-or-later */
/* inside.c - a confined start from a process that is already there.
 *
 *     inside ROUNDS DIRECTORY LAUNCHER WAITING
 *
 * Starts `sh -c true` by turns with posix_spawn, behind the launcher, and
 * behind one that waits, which is WAITING --wait (workspace-write in DIRECTORY,
 * network off), as the front does, and prints the times in microseconds, a line
 * each round: behind one that waits, plain, behind one that is executed. */
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/path.h"
#include "base/proc.h"
#include "sandbox/launch/zygote_client.h"
#include "sandbox/spec.h"

#define WAIT_MS 10000

static const char *const shell[] = {"/bin/sh", "-c", "true", NULL};

static int64_t
now_us(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (int64_t)ts.tv_sec * 1000000 + ts.tv_nsec / 1000;
}

/* Both return microseconds, -1 when the shell did not end well. */
static int64_t
plain(void)
{
    int64_t from = now_us();
    int status;
    pid_t pid;

    if (posix_spawn(&pid, shell[0], NULL, NULL, (char *const *)shell,
                    environ) != 0 ||
        waitpid(pid, &status, 0) != pid || status != 0)
        return -1;
    return now_us() - from;
}

static int64_t
confined(const char *launcher, const struct sandbox_spec *s)
{
    CLEANUP_BUF struct buf words = buf_of(16384);
    CLEANUP(proc_free_p) struct proc *p = NULL;
    CLEANUP(free_p) const char **argv = NULL;
    struct proc_spec spec = {.fds = {PROC_NULL, PROC_INHERIT, PROC_INHERIT},
                             .pass_fd = -1,
                             .adopt = true};
    int64_t from = now_us();
    size_t n;
    int status;

    if (spec_write(s, shell, &words, &n, NULL) < 0 ||
        !(argv = spec_argv(&words, n, NULL)))
        return -1;
    argv[0] = launcher;
    spec.argv = argv;
    p = proc_start(&spec, NULL);
    if (!p || proc_wait(p, WAIT_MS, &status, NULL) != 0 || status != 0)
        return -1;
    return now_us() - from;
}

/* The same, by a launcher that is there already, as it is between two steps. */
static int64_t
spared(struct zygote_client *spare, const struct seat *here,
       const struct sandbox_spec *s)
{
    static const char *const variables[] = {"PATH=/usr/bin:/bin", NULL};
    CLEANUP_BUF struct buf words = buf_of(16384);
    CLEANUP(proc_free_p) struct proc *p = NULL;
    int64_t from = now_us();
    size_t n;
    int status;

    if (spec_write(s, shell, &words, &n, NULL) < 0)
        return -1;
    p = zygote_client_start(spare, &words, n, variables, seat_fd(here),
                            STDERR_FILENO, NULL);
    if (!p || proc_wait(p, WAIT_MS, &status, NULL) != 0 || status != 0)
        return -1;
    return now_us() - from;
}

int
main(int argc, char **argv)
{
    struct sandbox_spec s = {.profile = PROFILE_WORKSPACE_WRITE};
    CLEANUP(zygote_client_free_p) struct zygote_client *spare = NULL;
    CLEANUP(seat_free_p) struct seat *here = seat_of_process(NULL);

    if (argc != 5 || !here)
        return 2;
    s.workspace = argv[2];
    s.home = seat_home(here);
    if (!(spare = zygote_client_new(argv[4], NULL)))
        return 1;
    for (long i = strtol(argv[1], NULL, 10); i > 0; i--) {
        int64_t executed = confined(argv[3], &s), theirs = plain();
        int64_t ours = spared(spare, here, &s);

        if (executed < 0 || theirs < 0 || ours < 0)
            return 1;
        printf("%jd %jd %jd\n", (intmax_t)ours, (intmax_t)theirs,
               (intmax_t)executed);
    }
    return 0;
}
