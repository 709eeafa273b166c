/* SPDX-License-Identifier: GPL-3.0-or-later */
/* server_policy.c - the rules that a server's option --policy names. */
#include "server/server_policy.h"

#include <string.h>
#include <unistd.h>

#define SYSTEM_RULES SYSCONFDIR "/agentsh/policy"

struct policy *
server_policy_load(const char *option, const struct seat *s, struct err *e)
{
    static const char *const presets[] = {"restrictive", "standard",
                                          "permissive", NULL};

    if (!option)
        return policy_load(s, e);
    for (size_t i = 0; presets[i]; i++) {
        if (strcmp(presets[i], option) == 0)
            return policy_load_files(SYSTEM_RULES, NULL, presets[i],
                                     seat_home(s), e);
    }
    if (access(option, R_OK) < 0) {
        err_set(e, ERR_USAGE,
                "--policy %.100s: %s; it is restrictive, standard, permissive, "
                "or a file of rules",
                option, err_system(errno));
        return NULL;
    }
    return policy_load_files(SYSTEM_RULES, option, NULL, seat_home(s), e);
}
