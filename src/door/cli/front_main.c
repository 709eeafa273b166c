/* SPDX-License-Identifier: GPL-3.0-or-later */
/* front_main.c - the program agentsh-front: every verb and subcommand. */
#include <string.h>

#include "base/fd.h"
#include "base/path.h"
#include "door/cli/call.h"

int
main(int argc, char **argv)
{
    const char *name = argc > 0 ? path_base(argv[0]) : "agentsh";

    if (fd_fill_standard(NULL) < 0)
        return 1;
    if (strcmp(name, AI_NAME) == 0 || strcmp(name, "ai") == 0)
        return call_main(AI_NAME, ai_rows(), argc, argv);
    return call_main("agentsh", agentsh_rows(), argc, argv);
}
