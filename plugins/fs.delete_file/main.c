/* SPDX-License-Identifier: GPL-3.0-or-later */
/* main.c - the tool fs.delete_file: a name, taken out of its directory. */
#include <fcntl.h>
#include <unistd.h>

#include "base/fd.h"
#include "plugins/lib/args.h"
#include "plugins/lib/backup.h"
#include "plugins/lib/replace.h"
#include "plugins/lib/reply.h"

struct delete_wanted {
    const char *path;
    bool backup, directory;
};

static int
read_args(const struct request *r, struct delete_wanted *want, struct err *e)
{
    *want = (struct delete_wanted){.backup = true};
    if (args_action(r, "delete", e) < 0 ||
        args_path(r, "path", &want->path, e) < 0 ||
        args_bool(r, "backup", &want->backup, e) < 0)
        return -1;
    return args_bool(r, "directory", &want->directory, e);
}

static int
remove_dir(const struct place *p, const struct delete_wanted *want,
           struct err *e)
{
    if (!want->directory)
        return err_set(e, ERR_IO,
                       "%s: is a directory; an empty one is deleted with "
                       "\"directory\": true",
                       p->shown);
    if (unlinkat(p->dir, p->name, AT_REMOVEDIR) < 0)
        return err_sys(e, "%s", p->shown);
    return 0;
}

static int
remove_file(const struct place *p, const struct delete_wanted *want,
            char **backup, struct err *e)
{
    if (want->backup)
        return backup_move(p, backup, e);
    if (unlinkat(p->dir, p->name, 0) < 0)
        return err_sys(e, "%s", p->shown);
    return 0;
}

/* A file or a link, or a directory by its own word. What is neither is not
 * this tool's: a backup of a socket would be no backup. */
static int
remove_it(const struct place *p, const struct delete_wanted *want,
          char **backup, struct err *e)
{
    struct stat st;

    if (p->root)
        return err_set(
            e, ERR_PERMISSION,
            "%s: is the top writable directory, and cannot be deleted",
            p->shown);
    if (place_stat(p, &st, e) < 0)
        return -1;
    if (S_ISDIR(st.st_mode))
        return remove_dir(p, want, e);
    if (!S_ISLNK(st.st_mode) && place_check_file(p, &st, e) < 0)
        return -1;
    if (want->directory)
        return err_set(e, ERR_IO, "%s: is a %s, not a directory", p->shown,
                       place_kind(st.st_mode));
    return remove_file(p, want, backup, e);
}

static void
answer(const struct request *r, const char *backup)
{
    CLEANUP_BUF struct buf line = buf_of(REPLY_LINE_MAX);
    struct json_writer w;

    reply_begin(r, &w, &line, true, "", 0, "", 0);
    if (backup)
        json_member_str(&w, "backup_path", backup);
    (void)reply_send(&w, NULL);
}

static int
delete_file(const struct request *r, struct err *e)
{
    CLEANUP(place_done) struct place place = {0};
    CLEANUP(free_p) char *backup = NULL;
    struct delete_wanted want;

    if (read_args(r, &want, e) < 0 ||
        place_to_write(r, want.path, PLACE_ITSELF, &place, e) < 0 ||
        remove_it(&place, &want, &backup, e) < 0 || replace_sync(&place, e) < 0)
        return -1;
    answer(r, backup);
    return 0;
}

static void
handle(const struct request *r)
{
    struct err e = {0};

    if (delete_file(r, &e) < 0)
        reply_error(r, &e);
}

int
main(void)
{
    if (fd_fill_standard(NULL) < 0)
        return 1;
    return plugin_serve("fs.delete_file", handle);
}
