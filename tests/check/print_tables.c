/* SPDX-License-Identifier: GPL-3.0-or-later */
/* print_tables.c - the tables of the code as text, for manual.sh.
 *
 * usage: print_tables settings|statuses|facts|presets
 * settings: section, name, default and words, with tabs between, "-" for none.
 * statuses: each exit status that some error has.
 * facts, presets: the words of rules. */
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "config/config.h"
#include "guard/policy/policy_in.h"

static const char *
or_dash(const char *s)
{
    return s ? s : "-";
}

static int
print_settings(void)
{
    for (int i = 0; i < CONFIG_N; i++) {
        const struct config_row *row = config_row((enum config_key)i);

        printf("%s\t%s\t%s\t%s\n", row->section, row->name,
               or_dash(row->fallback), or_dash(row->words));
    }
    return 0;
}

static int
print_statuses(void)
{
    for (int i = ERR_NONE; i < ERR_N; i++)
        printf("%d\n", err_exit_status((enum err_code)i));
    return 0;
}

static int
print_words(const char *(*word)(size_t i))
{
    for (size_t i = 0; word(i); i++)
        printf("%s\n", word(i));
    return 0;
}

int
main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "settings") == 0)
        return print_settings();
    if (argc == 2 && strcmp(argv[1], "statuses") == 0)
        return print_statuses();
    if (argc == 2 && strcmp(argv[1], "facts") == 0)
        return print_words(policy_fact_word);
    if (argc == 2 && strcmp(argv[1], "presets") == 0)
        return print_words(policy_preset_name);
    fprintf(stderr, "usage: print_tables settings|statuses|facts|presets\n");
    return 2;
}
