/* SPDX-License-Identifier: GPL-3.0-or-later */
/* registry_scan.c - the directories that hold plugins, and their names. */
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "base/path.h"
#include "tool/registry_in.h"

#define PATHS_MAX 64 /* of AGENTSH_PLUGIN_PATH */

/* Whether an entry may be a plugin: a directory, or a link to one. */
static bool
is_plugin(int at, const struct dirent *entry, enum tool_source source)
{
    CLEANUP_BUF struct buf manifest = buf_of(512);
    struct stat st;

    if (entry->d_name[0] == '.')
        return false;
    if (entry->d_type != DT_DIR &&
        (fstatat(at, entry->d_name, &st, 0) < 0 || !S_ISDIR(st.st_mode)))
        return false;
    if (source != TOOL_BUILTIN)
        return true; /* one without a manifest is told as faulty */
    buf_printf(&manifest, "%s/plugin.json", entry->d_name);
    return faccessat(at, manifest.p, F_OK, 0) == 0;
}

/* Without the built-in ones there is nothing to go on with; without others
 * the rest is used, and the place is a faulty row. */
static int
lose_place(struct registry *r, const char *place, enum tool_source source,
           struct err *e)
{
    struct registry_row *row;
    struct err why = {0};
    char *dir;

    err_sys(&why, "cannot be read");
    if (source == TOOL_BUILTIN)
        return err_set(e, why.code, "%s: %s", place, why.text);
    if (!(dir = strdup(place)))
        return err_nomem(e);
    if (!(row = registry_add(r, place, source, dir, e)))
        return -1;
    row->looked = row->is_place = true;
    row->tool.fault = why;
    return 0;
}

static int
scan_dir(struct registry *r, const char *place, enum tool_source source,
         struct err *e)
{
    CLEANUP(dir_close_p) DIR *dir = opendir(place);
    const struct dirent *entry;

    if (!dir && (errno == ENOENT || errno == ENOTDIR))
        return 0;
    if (!dir)
        return lose_place(r, place, source, e);
    while ((errno = 0, entry = readdir(dir)) != NULL) {
        char *path;

        if (!is_plugin(dirfd(dir), entry, source))
            continue;
        if (!(path = path_join(place, entry->d_name)))
            return err_nomem(e);
        if (!registry_add(r, entry->d_name, source, path, e))
            return -1;
    }
    return errno ? lose_place(r, place, source, e) : 0;
}

/* AGENTSH_PLUGIN_PATH, as PATH is written. What is not absolute would be
 * another place in each directory, and is passed over. */
static int
scan_list(struct registry *r, const char *list, struct err *e)
{
    for (int i = 0; list && *list && i < PATHS_MAX; i++) {
        size_t n = strcspn(list, ":");
        CLEANUP(free_p) char *place = strndup(list, n);

        if (!place)
            return err_nomem(e);
        if (place[0] == '/' && scan_dir(r, place, TOOL_PATH, e) < 0)
            return -1;
        list += n + (list[n] == ':');
    }
    return 0;
}

int
registry_scan(struct registry *r, const struct registry_places *p,
              struct err *e)
{
    if (p->builtin && scan_dir(r, p->builtin, TOOL_BUILTIN, e) < 0)
        return -1;
    if (p->user && scan_dir(r, p->user, TOOL_USER, e) < 0)
        return -1;
    return scan_list(r, p->list, e);
}
