/* SPDX-License-Identifier: GPL-3.0-or-later */
/* opens.c - opens a file many times and says how long that took.
 *
 *     opens FILE COUNT
 *
 * Prints the wall clock in microseconds: how it was started does not count. */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static int64_t
now_us(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (int64_t)ts.tv_sec * 1000000 + ts.tv_nsec / 1000;
}

int
main(int argc, char **argv)
{
    long count = argc == 3 ? strtol(argv[2], NULL, 10) : 0;
    int64_t from = now_us();

    if (count <= 0)
        return 2;
    while (count-- > 0) {
        int fd = open(argv[1], O_RDONLY | O_CLOEXEC);

        if (fd < 0 || close(fd) < 0)
            return 1;
    }
    printf("%jd\n", (intmax_t)(now_us() - from));
    return 0;
}
