/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run_as_owner.c - without namespaces, root runs as the workspace's owner. */
#include "sandbox/launch/run_as_owner.h"

#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sandbox/launch/namespaces.h"
#include "sandbox/spec.h"

#define LAYER      "owner of the workspace"
#define GROUPS_MAX 256 /* a user in more groups than this: root stays root */

static const char *
work_directory(const struct sandbox_spec *s)
{
    if (s->profile == PROFILE_PLUGIN && s->writable[0])
        return s->writable[0];
    return s->profile == PROFILE_OBSERVE ? NULL : s->workspace;
}

static bool
owner_can_run(const struct child_config *conf)
{
    const char *program = conf->argv[0];

    return faccessat(AT_FDCWD, conf->cwd, X_OK, AT_EACCESS) == 0 &&
           (!strchr(program, '/') ||
            faccessat(AT_FDCWD, program, X_OK, AT_EACCESS) == 0);
}

/* Returns whether the program could start as the owner with no other groups. */
static int
try_as(const struct child_config *conf, uid_t uid, gid_t gid, bool *open,
       struct err *e)
{
    gid_t groups[GROUPS_MAX];
    int n = getgroups(GROUPS_MAX, groups);
    bool left = n >= 0 && setgroups(0, NULL) == 0;

    *open = left && setegid(gid) == 0 && seteuid(uid) == 0 &&
            owner_can_run(conf);
    if (seteuid(0) < 0 || setegid(0) < 0 ||
        (left && setgroups((size_t)n, groups) < 0))
        return sandbox_layer_missing(e, LAYER);
    return 0;
}

static int
set_ids(const struct child_config *conf, uid_t uid, gid_t gid, struct err *e)
{
    if (setgroups(0, NULL) < 0 || setresgid(gid, gid, gid) < 0 ||
        setresuid(uid, uid, uid) < 0)
        return sandbox_layer_missing(e, LAYER);
    (void)prctl(PR_SET_PDEATHSIG,
                SIGKILL); /* supplementary groups: another user gets none */
    if (getppid() != conf->launcher)
        _exit(LAUNCH_FAILED);
    /* our files in /proc belong to the new user again */
    (void)prctl(PR_SET_DUMPABLE, 1);
    return 0;
}

int
run_as_owner(const struct child_config *conf, struct err *e)
{
    const char *place = work_directory(conf->spec);
    bool open = false;
    struct stat st;
    gid_t gid;

    if (geteuid() != 0 || getuid() != 0 || !place || stat(place, &st) < 0 ||
        st.st_uid == 0)
        return 0;
    gid = st.st_gid
              ? st.st_gid
              : NAMESPACES_NOBODY; /* another user does not get root's group */
    if (try_as(conf, st.st_uid, gid, &open, e) < 0)
        return -1;
    if (!open || (conf->scratch[0] && chown(conf->scratch, st.st_uid, gid) < 0))
        return 0;
    return set_ids(conf, st.st_uid, gid, e);
}
