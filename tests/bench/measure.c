/* SPDX-License-Identifier: GPL-3.0-or-later */
/* measure.c - runs one program and says what it took.
 *
 *     measure PROGRAM ARG…
 *
 * Prints wall clock and CPU in microseconds, the largest resident size in
 * KiB, and the exit status. CPU and size are those of the program and of the
 * children that it waited for. It is small itself: the kernel counts the size
 * of a program's starter as the program's own until it executes. */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

static int64_t
now_us(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (int64_t)ts.tv_sec * 1000000 + ts.tv_nsec / 1000;
}

static int64_t
to_us(struct timeval tv)
{
    return (int64_t)tv.tv_sec * 1000000 + tv.tv_usec;
}

/* Standard input and outputs are /dev/null: a terminal would be measured
 * too. */
static int
start(char **argv, pid_t *pid)
{
    posix_spawn_file_actions_t files;
    int rc = posix_spawn_file_actions_init(&files);

    for (int fd = 0; rc == 0 && fd < 3; fd++)
        rc = posix_spawn_file_actions_addopen(&files, fd, "/dev/null", O_RDWR,
                                              0);
    if (rc == 0)
        rc = posix_spawnp(pid, argv[0], &files, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&files);
    return rc;
}

int
main(int argc, char **argv)
{
    int64_t from = now_us(), wall;
    struct rusage use;
    int status, rc;
    pid_t pid;

    if (argc < 2)
        return 2;
    rc = start(argv + 1, &pid);
    if (rc != 0) {
        fprintf(stderr, "measure: %s: %s\n", argv[1], strerror(rc));
        return 2;
    }
    while (wait4(pid, &status, 0, &use) < 0) {
        if (errno != EINTR)
            return 2;
    }
    wall = now_us() - from;
    printf("%jd %jd %ld %d\n", (intmax_t)wall,
           (intmax_t)(to_us(use.ru_utime) + to_us(use.ru_stime)), use.ru_maxrss,
           WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
    return 0;
}
