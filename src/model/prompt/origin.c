/* SPDX-License-Identifier: GPL-3.0-or-later */
/* origin.c - records whether a request holds text that other people could have
 * written. */
#include "model/prompt/origin.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/owner.h"
#include "model/client.h"

void
origin_note(struct origin *o, const char *what)
{
    if (what && !o->outside[0])
        snprintf(o->outside, sizeof(o->outside), "%s", what);
}

const char *
origin_outside(const struct origin *o)
{
    return o->outside[0] ? o->outside : NULL;
}

void
origin_note_request(struct origin *o, const struct model_request *r)
{
    for (size_t i = 0; i < r->n_turns; i++)
        origin_note(o, r->turns[i].outside);
    for (size_t i = 0; i < r->n_tools; i++)
        origin_note(o, r->tools[i].outside);
}

static bool
is_owned(const struct stat *st)
{
    return st->st_uid == geteuid() || st->st_uid == 0;
}

bool
origin_is_others(int fd, const char *path)
{
    return owner_check_file(fd, path, NULL) < 0;
}

/* We named an entry that is ours, unless another user can rename it. */
bool
origin_names_others(const char *path)
{
    char part[PATH_MAX];
    struct stat st;

    if (path[0] != '/' || strlen(path) >= sizeof(part))
        return true;
    for (const char *end = path + 1; *end; end += *end == '/') {
        end += strcspn(end, "/");
        snprintf(part, sizeof(part), "%.*s", (int)(end - path), path);
        if (lstat(part, &st) < 0 || !is_owned(&st))
            return true;
        if (*end && !(st.st_mode & S_ISVTX) &&
            owner_check_path(part, OWNER_OURS, NULL) < 0)
            return true;
    }
    return false;
}
