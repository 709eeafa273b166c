/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spawn.c - the least that a program can do to run another.
 *
 *     spawn PROGRAM ARG…
 *
 * Starts it with posix_spawn and ends as it does. */
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

int
main(int argc, char **argv)
{
    int status;
    pid_t pid;

    if (argc < 2 ||
        posix_spawnp(&pid, argv[1], NULL, NULL, argv + 1, environ) != 0 ||
        waitpid(pid, &status, 0) != pid)
        return 2;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 2;
}
