/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plugin_dirs.c - finds what may be a plugin in the directories of plugins. */
#include "tool/plugin_dirs.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/path.h"

#define PATHS_MAX 64 /* directories of AGENTSH_PLUGIN_PATH */

struct plugin_search {
    const struct plugin_dirs_events *ev;
    void *arg;
};

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
        return true; /* without a manifest it is an invalid tool */
    buf_printf(&manifest, "%s/plugin.json", entry->d_name);
    return faccessat(at, manifest.p, F_OK, 0) == 0;
}

/* An unreadable directory is an error if it is the one of the built-in tools.
 * Else the other tools are used. */
static int
report_unreadable(const struct plugin_search *s, const char *place,
                  enum tool_source source, struct err *e)
{
    struct err why = {0};

    err_sys(&why, "cannot be read");
    if (source == TOOL_BUILTIN)
        return err_set(e, why.code, "%s: %s", place, why.text);
    return s->ev->unreadable(s->arg, place, source, &why, e);
}

static int
scan_dir(const struct plugin_search *s, const char *place,
         enum tool_source source, struct err *e)
{
    CLEANUP(dir_close_p) DIR *dir = opendir(place);
    const struct dirent *entry;

    if (!dir && (errno == ENOENT || errno == ENOTDIR))
        return 0;
    if (!dir)
        return report_unreadable(s, place, source, e);
    while ((errno = 0, entry = readdir(dir)) != NULL) {
        char *path;

        if (!is_plugin(dirfd(dir), entry, source))
            continue;
        if (!(path = path_join(place, entry->d_name)))
            return err_nomem(e);
        if (s->ev->plugin(s->arg, entry->d_name, source, path, e) < 0)
            return -1;
    }
    return errno ? report_unreadable(s, place, source, e) : 0;
}

/* Reads AGENTSH_PLUGIN_PATH, which has the form of PATH. A relative path is
 * ignored: it would mean another place in each directory. */
static int
scan_list(const struct plugin_search *s, const char *list, struct err *e)
{
    for (int i = 0; list && *list && i < PATHS_MAX; i++) {
        size_t n = strcspn(list, ":");
        CLEANUP(free_p) char *place = strndup(list, n);

        if (!place)
            return err_nomem(e);
        if (place[0] == '/' && scan_dir(s, place, TOOL_PATH, e) < 0)
            return -1;
        list += n + (list[n] == ':');
    }
    return 0;
}

int
plugin_dirs_each(const struct registry_dirs *p,
                 const struct plugin_dirs_events *ev, void *arg, struct err *e)
{
    const struct plugin_search s = {ev, arg};

    if (p->builtin && scan_dir(&s, p->builtin, TOOL_BUILTIN, e) < 0)
        return -1;
    if (p->user && scan_dir(&s, p->user, TOOL_USER, e) < 0)
        return -1;
    return scan_list(&s, p->list, e);
}
