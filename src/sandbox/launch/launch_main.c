/* SPDX-License-Identifier: GPL-3.0-or-later */
/* launch_main.c - the program agentsh-launch. */
#include "base/fd.h"
#include "sandbox/launch/child.h"
#include "sandbox/launch/launch.h"

int
main(int argc, char **argv)
{
    if (fd_fill_standard(NULL) < 0)
        return LAUNCH_FAILED;
    return launch_run(argc, argv, true);
}
