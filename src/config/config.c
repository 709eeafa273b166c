/* SPDX-License-Identifier: GPL-3.0-or-later */
/* config.c - loads the configuration files and returns settings. */
#include "config/config.h"

#include <stdlib.h>

#include "base/path.h"
#include "config/config_file.h"
#include "config/config_table.h"

#define SYSTEM_FILE SYSCONFDIR "/agentsh/config"

static int
apply_text(struct config *c, const char *path, const char *text, size_t n,
           struct err *e)
{
    if (config_read(c, path, text, n, e) == 0)
        return 0;
    if (e)
        e->code = ERR_CONFIG; /* for any error in the file */
    return -1;
}

static int
load_config_file(struct config *c, const char *path,
                 enum config_file_owner owner, struct err *e)
{
    CLEANUP_BUF struct buf text = buf_of(CONFIG_FILE_MAX);
    bool there = false;

    if (!path)
        return 0;
    if (config_file_read(path, owner, &text, &there, e) < 0)
        return -1;
    return there ? apply_text(c, path, text.p, text.len, e) : 0;
}

struct config *
config_load_files(const char *system, const char *user, struct err *e)
{
    CLEANUP(config_free_p) struct config *c = calloc(1, sizeof(*c));

    if (!c) {
        err_sys(e, "configuration");
        return NULL;
    }
    if (load_config_file(c, system, CONFIG_FILE_ROOT, e) < 0 ||
        load_config_file(c, user, CONFIG_FILE_ANYONE, e) < 0)
        return NULL;
    return TAKE_PTR(c);
}

struct config *
config_load(struct err *e)
{
    /* without a home directory there is no user's file */
    CLEANUP(free_p) char *user = path_of(PATH_CONFIG, "config", NULL);

    return config_load_files(SYSTEM_FILE, user, e);
}

struct config *
config_load_text(const char *path, const char *text, size_t n, struct err *e)
{
    CLEANUP(config_free_p)
    struct config *c = config_load_files(SYSTEM_FILE, NULL, e);

    return c && apply_text(c, path, text, n, e) == 0 ? TAKE_PTR(c) : NULL;
}

void
config_free(struct config *c)
{
    if (!c || c->others-- > 0)
        return;
    for (int i = 0; i < CONFIG_N; i++)
        free(c->text[i]);
    free(c);
}

struct config *
config_hold(struct config *c)
{
    if (c)
        c->others++;
    return c;
}

const char *
config_text(const struct config *c, enum config_key key)
{
    return c && c->text[key] ? c->text[key] : config_row(key)->fallback;
}

double
config_number(const struct config *c, enum config_key key)
{
    const char *text = config_text(c, key);

    return text ? config_parse_number(text) : 0;
}

int64_t
config_int(const struct config *c, enum config_key key)
{
    return (int64_t)config_number(c, key);
}

bool
config_bool(const struct config *c, enum config_key key)
{
    const char *text = config_text(c, key);

    return text && config_truth(text);
}

bool
config_is_set(const struct config *c, enum config_key key)
{
    return c->text[key] != NULL;
}
