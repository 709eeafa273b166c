/* SPDX-License-Identifier: GPL-3.0-or-later */
/* terminal.c - who is in the foreground of the controlling terminal. */
#include "sandbox/launch/terminal.h"

#include <fcntl.h>
#include <unistd.h>

int
terminal_open(void)
{
    return open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC);
}

bool
terminal_is_ours(int tty)
{
    return tty >= 0 && tcgetpgrp(tty) == getpgrp();
}

void
terminal_give(int tty, pid_t group)
{
    if (tty >= 0)
        (void)tcsetpgrp(tty, group);
}
