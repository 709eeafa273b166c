/* SPDX-License-Identifier: GPL-3.0-or-later */
/* launch_main.c - the program agentsh-launch. */
#include <unistd.h>

#include "base/fd.h"
#include "sandbox/launch/child.h"
#include "sandbox/launch/launch.h"

int
main(int argc, char **argv)
{
    if (fd_fill_standard(NULL) < 0)
        return LAUNCH_FAILED;
    /* no functions at exit: under a sanitizer they look for leaks by stopping
     * the process, and a SIGCONT at that moment lets them wait for ever */
    _exit(launch_run(argc, argv, true));
}
