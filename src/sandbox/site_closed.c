/* SPDX-License-Identifier: GPL-3.0-or-later */
/* site_closed.c - what is closed below home directories, and what is not. */
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/path.h"
#include "guard/path/path_home.h"
#include "guard/path/path_table.h"
#include "guard/path/secret.h"
#include "sandbox/present.h"
#include "sandbox/site_paths.h"

/* Kept for what the settings, the system's own secrets and the workspace's
 * need. */
#define ROOM_LEFT (64 + SECRET_TREE_MAX)

static size_t
count(const char *const *list)
{
    size_t n = 0;

    while (list[n])
        n++;
    return n;
}

/* One entry of a real directory that is seen itself. What is no link is what
 * it is called, and stands in the directory once: neither need be asked. */
static int
hide_entry(struct site *s, const char *home, const struct dirent *entry,
           size_t n, struct err *e)
{
    char *path = path_join(home, entry->d_name);

    if (!path || entry->d_type == DT_LNK || entry->d_type == DT_UNKNOWN ||
        site_is_named(s->spec.readable, path))
        return site_append_secret(s, path, e);
    s->spec.secret[n] = site_keep(s, path, e);
    return s->spec.secret[n] ? 0 : -1;
}

/* Hides each entry of a home directory that is closed, or closed but for a
 * part. 1: there are too many. */
static int
hide_entries(struct site *s, const char *home, struct err *e)
{
    CLEANUP(dir_close_p)
    DIR *dir = site_shows(&s->spec, home) ? opendir(home) : NULL;
    const struct dirent *entry;
    size_t n;

    while (dir && (entry = readdir(dir)) != NULL) {
        const char *name = entry->d_name;

        if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 ||
            secret_share_of(name) == SECRET_NONE)
            continue;
        n = count(s->spec.secret);
        if (n + ROOM_LEFT >= SPEC_SECRETS_MAX)
            return 1;
        if (hide_entry(s, home, entry, n, e) < 0)
            return -1;
    }
    return 0;
}

static int
hide_home(struct site *s, const char *home, struct err *e)
{
    bool own = s->spec.home && strcmp(home, s->spec.home) == 0;
    int rc = hide_entries(s, home, e);

    if (rc <= 0)
        return rc;
    if (own)
        return err_set(e, ERR_SANDBOX,
                       "%.100s: more than %d names that begin with a dot", home,
                       SPEC_SECRETS_MAX - ROOM_LEFT);
    return site_append_secret(s, strdup(home), e);
}

/* Homes of other users, where this one may read them. */
static int
hide_others(struct site *s, const char *homes, struct err *e)
{
    CLEANUP(dir_close_p) DIR *dir = opendir(homes);
    const struct dirent *entry;

    while (dir && (entry = readdir(dir)) != NULL) {
        CLEANUP(free_p) char *home = path_join(homes, entry->d_name);
        bool own = home && s->spec.home && strcmp(home, s->spec.home) == 0;

        if (!home)
            return err_nomem(e);
        if (own || entry->d_name[0] == '.' || access(home, R_OK | X_OK) < 0)
            continue;
        if (hide_home(s, home, e) < 0)
            return -1;
    }
    return 0;
}

int
site_append_closed(struct site *s, const char *own, struct err *e)
{
    const char *row;
    size_t at = 0;

    if (s->spec.home && hide_home(s, s->spec.home, e) < 0)
        return -1;
    if (own && (!s->spec.home || strcmp(own, s->spec.home) != 0) &&
        hide_home(s, own, e) < 0)
        return -1;
    while ((row = path_next(PATH_IS_HOMES, &at)))
        if (hide_others(s, row, e) < 0)
            return -1;
    at = 0;
    while ((row = path_next(PATH_IS_ROOT_READABLE, &at)))
        if ((!s->spec.home || strcmp(row, s->spec.home) != 0) &&
            access(row, R_OK | X_OK) == 0 && hide_home(s, row, e) < 0)
            return -1;
    return 0;
}

int
site_append_harmless(struct site *s, struct err *e)
{
    const char *row;
    size_t at = 0;
    CLEANUP(present_done) struct present there = {0};

    present_init(&there, s->spec.home);
    while ((row = path_home_next(PATH_HOME_VISIBLE, &at))) {
        char *path;

        /* of a directory that is open itself nothing need be put back */
        if (!strchr(row, '/') || !present_has(&there, row))
            continue;
        path = path_join(s->spec.home, row);
        if (path && site_is_led(s, path)) {
            free(path);
            continue;
        }
        if (site_append(s, s->spec.readable, path, e) < 0)
            return -1;
    }
    return 0;
}
