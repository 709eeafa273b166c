/* SPDX-License-Identifier: GPL-3.0-or-later */
/* profile.c - the names of the sandbox's profiles. */
#include "guard/profile.h"

#include <string.h>

static const struct profile_row rows[PROFILE_N] = {
    [PROFILE_READ_ONLY] = {"read-only",
                           "reads the workspace; writes nothing, no network, "
                           "the home directory hidden"},
    [PROFILE_OBSERVE] = {"observe", "reads the machine and the home directory "
                                    "without its keys; writes nothing"},
    [PROFILE_OBSERVE_PROC] = {"observe-proc",
                              "reads other processes' open files (lsof, fuser, "
                              "ss -p); writes nothing"},
    [PROFILE_WORKSPACE_WRITE] = {"workspace-write",
                                 "reads and writes inside the workspace; the "
                                 "network only with --net"},
    [PROFILE_PREVIEW] =
        {"preview", "writes into a copy of the workspace, to keep or drop"},
    [PROFILE_PLUGIN] = {"plugin", "what a tool's manifest declares"},
    [PROFILE_REDUCED] =
        {"reduced",
         "workspace-write without user namespaces: fewer protections"},
    [PROFILE_FULL] = {"full",
                      "no sandbox: everything that you may do yourself"},
};

const struct profile_row *
profile_row(enum profile p)
{
    return &rows[p < PROFILE_N ? p : PROFILE_READ_ONLY];
}

bool
profile_find(const char *name, enum profile *out)
{
    for (int i = 0; i < PROFILE_N; i++) {
        if (strcmp(rows[i].name, name) != 0)
            continue;
        *out = (enum profile)i;
        return true;
    }
    return false;
}
