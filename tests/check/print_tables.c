/* SPDX-License-Identifier: GPL-3.0-or-later */
/* print_tables.c - the tables of the code as text, for manual.sh.
 *
 * usage: print_tables settings|statuses|facts|presets|profiles|keys|
 *     manifest|needs|actions|codes
 * settings: section, name, default and words, with tabs between, "-" for none.
 * statuses: each exit status that some error has.
 * facts, presets: the words of rules.
 * profiles: those that a person can name.
 * keys: of the question about a plan.
 * manifest, needs, actions: the members of plugin.json.
 * codes: those of the Plugin Tool API. */
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "config/config.h"
#include "guard/policy/policy_rule.h"
#include "guard/profile/profile.h"
#include "tool/manifest_reader.h"
#include "tool/protocol.h"
#include "ui/review_menu.h"

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

static int
print_facts(void)
{
    char all[512];

    policy_facts_text(~0u, all, sizeof(all));
    for (char *p = all; (p = strchr(p, ' ')) != NULL;)
        *p++ = '\n';
    puts(all);
    return 0;
}

static int
print_presets(void)
{
    return print_words(policy_preset_name);
}

static int
print_profiles(void)
{
    for (int i = 0; i < PROFILE_N; i++) {
        if (i != PROFILE_PLUGIN)
            printf("%s\n", profile_row((enum profile)i)->name);
    }
    return 0;
}

static int
print_keys(void)
{
    const struct review_choice *c = review_choices(PLAN_ASK_ALL, false);

    for (; c->row.key; c++)
        printf("%c\n", c->row.key);
    return 0;
}

static int
print_members(const struct manifest_member *rows)
{
    for (; rows->name; rows++)
        printf("%s\n", rows->name);
    return 0;
}

static int
print_manifest(void)
{
    return print_members(manifest_rows());
}

static int
print_needs(void)
{
    return print_members(manifest_needs_rows());
}

static int
print_actions(void)
{
    return print_members(manifest_action_rows());
}

static int
print_codes(void)
{
    for (size_t i = 0; protocol_error_code(i); i++)
        printf("%s\n", protocol_error_code(i));
    return 0;
}

static const struct table {
    const char *name;
    int (*print)(void);
} tables[] = {
    {"settings", print_settings}, {"statuses", print_statuses},
    {"facts", print_facts},       {"presets", print_presets},
    {"profiles", print_profiles}, {"keys", print_keys},
    {"manifest", print_manifest}, {"needs", print_needs},
    {"actions", print_actions},   {"codes", print_codes},
};

int
main(int argc, char **argv)
{
    for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++) {
        if (argc == 2 && strcmp(argv[1], tables[i].name) == 0)
            return tables[i].print();
    }
    fprintf(stderr, "usage: print_tables TABLE\n");
    return 2;
}
