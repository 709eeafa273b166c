/* SPDX-License-Identifier: GPL-3.0-or-later */
/* temp.c - a file on its way to its name. */
#include "plugins/lib/temp.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

#include "base/linux_calls.h"

#define TRIES 10
#define SELF  "/proc/self/fd" /* by which a file without a name gets one */

/* A name that nobody else can know. */
static int
make_name(char name[TEMP_NAME_SIZE])
{
    uint64_t r = 0;

    if (getrandom(&r, sizeof(r), 0) < 0)
        return -1;
    snprintf(name, TEMP_NAME_SIZE, ".agentsh-%016" PRIx64, r);
    return 0;
}

static int
open_named(struct temp *t, mode_t mode)
{
    char name[TEMP_NAME_SIZE];

    for (int i = 0; i < TRIES && make_name(name) == 0; i++) {
        t->fd = openat(t->dir, name,
                       O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                       mode);
        if (t->fd >= 0) {
            memcpy(t->name, name, sizeof(name));
            return 0;
        }
        if (errno != EEXIST)
            break;
    }
    return -1;
}

int
temp_open(struct temp *t, const struct place *p, mode_t mode, struct err *e)
{
    *t = (struct temp){.dir = p->dir, .fd = -1};
    if (access(SELF, F_OK) == 0)
        t->fd = openat(p->dir, ".", O_WRONLY | O_TMPFILE | O_CLOEXEC, mode);
    /* refused in many ways where it is not known: open(2), O_TMPFILE */
    if (t->fd < 0 && open_named(t, mode) < 0)
        return err_sys(e, "%s", p->shown);
    return 0;
}

/* A first name for a file that has none. */
static int
link_to(const struct temp *t, const char *name)
{
    char self[32];

    snprintf(self, sizeof(self), SELF "/%d", t->fd);
    return linkat(AT_FDCWD, self, t->dir, name, AT_SYMLINK_FOLLOW);
}

/* A file system without RENAME_NOREPLACE may know hard links, which replace
 * nothing either; then the name of its own is left for temp_done. */
static int
settle_new(struct temp *t, const char *name, bool exclusive)
{
    int rc;

    if (!t->name[0])
        return link_to(t, name);
    rc = linux_renameat2(t->dir, t->name, t->dir, name, RENAME_NOREPLACE);
    if (rc < 0 && (errno == EINVAL || errno == ENOSYS)) {
        rc = linkat(t->dir, t->name, t->dir, name, 0);
        if (rc == 0 || errno == EEXIST)
            return rc;
        if (exclusive)
            errno = EOPNOTSUPP;
        else
            rc = renameat(t->dir, t->name, t->dir, name);
    }
    if (rc == 0)
        t->name[0] = '\0';
    return rc;
}

/* A link replaces nothing, so that a name of its own comes between. */
static int
settle_over(struct temp *t, const char *name)
{
    char own[TEMP_NAME_SIZE];

    if (!t->name[0]) {
        if (make_name(own) < 0 || link_to(t, own) < 0)
            return -1;
        memcpy(t->name, own, sizeof(own));
    }
    if (renameat(t->dir, t->name, t->dir, name) < 0)
        return -1;
    t->name[0] = '\0';
    return 0;
}

int
temp_settle(struct temp *t, const struct place *p, enum temp_name how,
            struct err *e)
{
    int rc = how == TEMP_OVER ? settle_over(t, p->name)
                              : settle_new(t, p->name, how == TEMP_EXCLUSIVE);

    if (rc < 0 && how == TEMP_EXCLUSIVE && errno == EOPNOTSUPP)
        return err_set(e, ERR_UNSUPPORTED,
                       "%s: its file system cannot create a file only where "
                       "there is none",
                       p->shown);
    return rc < 0 ? err_sys(e, "%s", p->shown) : 0;
}

void
temp_done(struct temp *t)
{
    if (t->name[0])
        (void)unlinkat(t->dir, t->name, 0);
    fd_close_p(&t->fd);
    t->fd = -1;
}
