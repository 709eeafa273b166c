/* SPDX-License-Identifier: GPL-3.0-or-later */
/* front_main.c - the program agentsh-front, which has every command. */
#include <string.h>
#include <sys/prctl.h>

#include "base/fd.h"
#include "base/path.h"
#include "frontend/cli/command.h"
#include "frontend/cli/shell_call.h"

int
main(int argc, char **argv)
{
    struct command_args ai = {.program = AI_NAME,
                              .all = commands_ai,
                              .any = cmd_ai_text,
                              .version = command_version};
    struct command_args agentsh = {.program = "agentsh",
                                   .all = commands_agentsh,
                                   .version = command_version};
    const char *name = argc > 0 ? path_base(argv[0]) : "agentsh";

    if (fd_fill_standard(NULL) < 0)
        return 1;
    message_init();
    /* the journal's descriptor, and what was asked, are nobody's business who
     * runs as the same user: proc(5), ptrace(2) */
    (void)prctl(PR_SET_DUMPABLE, 0);
    if (strcmp(name, AI_NAME) == 0 || strcmp(name, "ai") == 0)
        return command_main(&ai, argc, argv);
    if (argc > 1 && !command_exists(commands_agentsh, argv[1]) &&
        shell_call_is_script(argv[1]))
        return shell_call_become_bash(argv);
    return command_main(&agentsh, argc, argv);
}
