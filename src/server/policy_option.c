/* SPDX-License-Identifier: GPL-3.0-or-later */
/* policy_option.c - the rules that a server's option --policy names. */
#include "server/policy_option.h"

#include <string.h>
#include <unistd.h>

#include "base/str.h"

#define SYSTEM_RULES SYSCONFDIR "/agentsh/policy"

struct policy *
policy_option_load(const char *option, const struct seat *s, struct err *e)
{
    static const char *const presets[] = {"restrictive", "standard",
                                          "permissive"};

    if (!option)
        return policy_load(s, e);
    if (STR_IN(option, presets))
        return policy_load_files(SYSTEM_RULES, NULL, option, seat_home(s), e);
    if (access(option, R_OK) < 0) {
        err_set(e, ERR_USAGE,
                "--policy %.100s: %s; it is restrictive, standard, permissive, "
                "or a file of rules",
                option, strerror(errno));
        return NULL;
    }
    return policy_load_files(SYSTEM_RULES, option, NULL, seat_home(s), e);
}
