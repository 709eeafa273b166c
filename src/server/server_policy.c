/* SPDX-License-Identifier: GPL-3.0-or-later */
/* server_policy.c - the rules that a server's option --policy names. */
#include "server/server_policy.h"

#include <unistd.h>

#include "base/str.h"

#define SYSTEM_RULES SYSCONFDIR "/agentsh/policy"

bool
server_policy_is_preset(const char *option)
{
    static const char *const presets[] = {"restrictive", "standard",
                                          "permissive"};

    return STR_IN(option, presets);
}

struct policy *
server_policy_load(const char *option, const struct seat *s, struct err *e)
{
    if (!option)
        return policy_load(s, e);
    if (server_policy_is_preset(option))
        return policy_load_files(SYSTEM_RULES, NULL, option, seat_home(s), e);
    if (access(option, R_OK) < 0) {
        err_set(e, ERR_USAGE,
                "--policy %.100s: %s; it is restrictive, standard, permissive, "
                "or a file of rules",
                option, err_system(errno));
        return NULL;
    }
    return policy_load_files(SYSTEM_RULES, option, NULL, seat_home(s), e);
}
