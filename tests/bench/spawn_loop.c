/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spawn_loop.c - the least that a server can do to run a command for each
 * request.
 *
 *     spawn_loop N
 *
 * Runs `sh -c true` N times by posix_spawn, with two pipes that are read to
 * their ends, and prints the microseconds that each took. */
#include <fcntl.h>
#include <inttypes.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int64_t
now_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void
read_to_end(int fd)
{
    static char bytes[1 << 16];

    while (read(fd, bytes, sizeof(bytes)) > 0)
        ;
    close(fd);
}

static int
run_once(void)
{
    static char sh[] = "sh", option[] = "-c", line[] = "true";
    char *argv[] = {sh, option, line, NULL};
    posix_spawn_file_actions_t actions;
    int out[2], err[2], status;
    pid_t pid;

    if (pipe2(out, O_CLOEXEC) < 0 || pipe2(err, O_CLOEXEC) < 0)
        return -1;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, out[1], 1);
    posix_spawn_file_actions_adddup2(&actions, err[1], 2);
    if (posix_spawn(&pid, "/bin/sh", &actions, NULL, argv, environ) != 0)
        return -1;
    posix_spawn_file_actions_destroy(&actions);
    close(out[1]);
    close(err[1]);
    read_to_end(out[0]);
    read_to_end(err[0]);
    return waitpid(pid, &status, 0) == pid ? 0 : -1;
}

int
main(int argc, char **argv)
{
    int n = argc == 2 ? (int)strtol(argv[1], NULL, 10) : 0;
    int64_t began = now_ns();

    for (int i = 0; i < n; i++) {
        if (run_once() < 0)
            return 1;
    }
    if (n < 1)
        return 2;
    printf("%" PRId64 "\n", (now_ns() - began) / n / 1000);
    return 0;
}
