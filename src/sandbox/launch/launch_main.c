/* SPDX-License-Identifier: GPL-3.0-or-later */
/* launch_main.c - the program agentsh-launch. */
#include <string.h>

#include "base/fd.h"
#include "sandbox/launch/launch.h"
#include "sandbox/launch/wait.h"

#define EXIT_SANDBOX 125

int
main(int argc, char **argv)
{
    if (fd_fill_standard(NULL) < 0)
        return EXIT_SANDBOX;
    if (argc == 2 && strcmp(argv[1], "--wait") == 0)
        return wait_serve();
    return launch_words(argc, argv, true);
}
