/* SPDX-License-Identifier: GPL-3.0-or-later */
/* provider_names.h - the names of the providers, in the one place that has
 * them: here, since the settings check them, and model/ and ui/ may look down
 * to config/. */
#ifndef CONFIG_PROVIDER_NAMES_H
#define CONFIG_PROVIDER_NAMES_H

/* The names in the order in which keys are looked for: the first, then each of
 * the others. model/provider/provider_table.c has a provider for each. */
#define PROVIDER_NAMES(FIRST, OTHER)                                           \
    FIRST(openai) OTHER(anthropic) OTHER(gemini) OTHER(ollama)

#define PROVIDER_NAME_FIRST(name) #name
#define PROVIDER_NAME_BAR(name)   "|" #name
#define PROVIDER_NAME_COMMA(name) ", " #name

/* "a|b|offline", as tables of choices have it, and "a, b and offline". */
#define PROVIDER_CHOICES                                                       \
    PROVIDER_NAMES(PROVIDER_NAME_FIRST, PROVIDER_NAME_BAR) "|offline"
#define PROVIDER_LIST                                                          \
    PROVIDER_NAMES(PROVIDER_NAME_FIRST, PROVIDER_NAME_COMMA) " and offline"

#endif
