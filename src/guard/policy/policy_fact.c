/* SPDX-License-Identifier: GPL-3.0-or-later */
/* policy_fact.c - the words that rules have for what a line would do. */
#include <stdio.h>
#include <string.h>

#include "guard/policy/policy_in.h"

static const struct {
    const char *word;
    unsigned fact;
} facts[] = {
    {"destructive", RISK_DESTRUCTIVE},
    {"privileged", RISK_PRIVILEGED},
    {"sudo", RISK_SUDO},
    {"network", RISK_NETWORK},
    {"secret", RISK_SECRET},
    {"opaque", RISK_OPAQUE},
    {"outside", POLICY_OUTSIDE},
    {"settings", POLICY_SETTINGS},
    {"by-name", POLICY_BY_NAME},
    {"nowhere", POLICY_NOWHERE},
    {"acts", RISK_ACTS},
    {"unknown", RISK_UNKNOWN},
    {"terminal", RISK_TERMINAL},
    {"writes", RISK_WRITES},
    {"looks", RISK_LOOKS},
    {"holders", RISK_HOLDERS},
    {"owners", RISK_OWNERS},
};

#define N_FACTS (sizeof(facts) / sizeof(facts[0]))

unsigned
policy_fact_of(const char *word)
{
    for (size_t i = 0; i < N_FACTS; i++)
        if (strcmp(facts[i].word, word) == 0)
            return facts[i].fact;
    return 0;
}

const char *
policy_fact_word(size_t i)
{
    return i < N_FACTS ? facts[i].word : NULL;
}

void
policy_facts_text(unsigned set, char *out, size_t size)
{
    out[0] = '\0';
    for (size_t i = 0; i < N_FACTS; i++) {
        size_t n = strlen(out);

        if (set & facts[i].fact)
            snprintf(out + n, size - n, "%s%s", n ? " " : "", facts[i].word);
    }
}
