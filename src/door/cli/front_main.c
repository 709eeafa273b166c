/* SPDX-License-Identifier: GPL-3.0-or-later */
/* front_main.c - the program agentsh-front: every verb and subcommand. */
#include <string.h>
#include <sys/prctl.h>

#include "base/fd.h"
#include "base/path.h"
#include "door/cli/call.h"

int
main(int argc, char **argv)
{
    struct call ai = {.program = AI_NAME,
                      .rows = ai_rows(),
                      .any = call_ai_any,
                      .version = call_version};
    struct call agentsh = {
        .program = "agentsh", .rows = agentsh_rows(), .version = call_version};
    const char *name = argc > 0 ? path_base(argv[0]) : "agentsh";

    if (fd_fill_standard(NULL) < 0)
        return 1;
    /* the journal's descriptor, and what was asked, are nobody's business who
     * runs as the same user: proc(5), ptrace(2) */
    (void)prctl(PR_SET_DUMPABLE, 0);
    if (strcmp(name, AI_NAME) == 0 || strcmp(name, "ai") == 0)
        return call_main(&ai, argc, argv);
    return call_main(&agentsh, argc, argv);
}
