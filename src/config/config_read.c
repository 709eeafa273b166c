/* SPDX-License-Identifier: GPL-3.0-or-later */
/* config_read.c - parses an INI file into settings. */
#include <stdlib.h>
#include <string.h>

#include "config/config_table.h"
#include "config/ini_file.h"
#include "config/nearest.h"

#define SHOWN_MAX 48 /* bytes of a wrong name in a message */

struct config_source {
    struct config *config;
    unsigned set_at[CONFIG_N];
};

static int
check_config_section(void *arg, const char *name, struct err *e)
{
    struct nearest meant;

    (void)arg;
    if (config_is_section(name))
        return 0;
    nearest_init(&meant, name);
    for (int i = 0; i < CONFIG_N; i++)
        nearest_consider(&meant, config_row(i)->section);
    if (meant.best)
        return err_set(e, ERR_CONFIG,
                       "unknown section [%s]; did you mean [%s]?", name,
                       meant.best);
    return err_set(e, ERR_CONFIG, "unknown section [%s]", name);
}

static int
unknown_key(const char *section, const char *name, struct err *e)
{
    struct nearest meant;

    if (strcmp(section, "sandbox") == 0 && strcmp(name, "without") == 0)
        return err_set(e, ERR_CONFIG,
                       "without is no setting any more: delete the line; what "
                       "a machine lacks is found each time");
    nearest_init(&meant, name);
    for (int i = 0; i < CONFIG_N; i++) {
        const struct config_row *row = config_row(i);

        if (strcmp(row->name, name) == 0)
            return err_set(e, ERR_CONFIG, "%s belongs in [%s]", name,
                           row->section);
        if (strcmp(row->section, section) == 0)
            nearest_consider(&meant, row->name);
    }
    if (*section == '\0')
        return err_set(e, ERR_CONFIG,
                       "\"%.*s\" comes before the first [section]", SHOWN_MAX,
                       name);
    if (meant.best)
        return err_set(e, ERR_CONFIG,
                       "unknown key \"%.*s\" in [%s]; did you mean \"%s\"?",
                       SHOWN_MAX, name, section, meant.best);
    return err_set(e, ERR_CONFIG, "unknown key \"%.*s\" in [%s]", SHOWN_MAX,
                   name, section);
}

static int
set_config_value(void *arg, const char *section, const char *name,
                 const char *value, unsigned line, struct err *e)
{
    struct config_source *s = arg;
    int key = config_find(section, name);
    char *copy;

    if (key < 0)
        return unknown_key(section, name, e);
    if (s->set_at[key])
        return err_set(e, ERR_CONFIG, "%s is set already, on line %u", name,
                       s->set_at[key]);
    if (config_check(config_row(key), value, e) < 0)
        return -1;
    copy = strdup(value);
    if (!copy)
        return err_sys(e, "%s", name);
    free(s->config->text[key]);
    s->config->text[key] = copy;
    s->set_at[key] = line;
    return 0;
}

int
config_read(struct config *c, const char *path, const char *text, size_t n,
            struct err *e)
{
    static const struct ini_events events = {.section = check_config_section,
                                             .value = set_config_value};
    struct config_source s = {.config = c};

    return ini_file_parse(path, text, n, &events, &s, e);
}
