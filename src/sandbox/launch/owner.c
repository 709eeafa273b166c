/* SPDX-License-Identifier: GPL-3.0-or-later */
/* owner.c - root without namespaces works as the owner of what it works in. */
#include "sandbox/launch/owner.h"

#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sandbox/layer.h"

#define LAYER      "owner of the workspace"
#define NOBODY     65534u /* the kernel's overflow id */
#define GROUPS_MAX 256    /* who is in more stays root */

static const char *
place_of_work(const struct sandbox_spec *s)
{
    if (s->profile == PROFILE_PLUGIN && s->writable[0])
        return s->writable[0];
    return s->profile == PROFILE_OBSERVE ? NULL : s->workspace;
}

static bool
is_open(const struct inside *in)
{
    const char *program = in->argv[0];

    return faccessat(AT_FDCWD, in->cwd, X_OK, AT_EACCESS) == 0 &&
           (!strchr(program, '/') ||
            faccessat(AT_FDCWD, program, X_OK, AT_EACCESS) == 0);
}

/* Whether the program could start as the owner, who is in no other group. */
static int
try_as(const struct inside *in, uid_t uid, gid_t gid, bool *open, struct err *e)
{
    gid_t groups[GROUPS_MAX];
    int n = getgroups(GROUPS_MAX, groups);
    bool left = n >= 0 && setgroups(0, NULL) == 0;

    *open = left && setegid(gid) == 0 && seteuid(uid) == 0 && is_open(in);
    if (seteuid(0) < 0 || setegid(0) < 0 ||
        (left && setgroups((size_t)n, groups) < 0))
        return layer_missing(e, LAYER);
    return 0;
}

static int
become(const struct inside *in, uid_t uid, gid_t gid, struct err *e)
{
    if (setgroups(0, NULL) < 0 || setresgid(gid, gid, gid) < 0 ||
        setresuid(uid, uid, uid) < 0)
        return layer_missing(e, LAYER);
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL); /* another user's has none */
    if (getppid() != in->launcher)
        _exit(EXIT_SANDBOX);
    /* what is ours in /proc is the new user's again */
    (void)prctl(PR_SET_DUMPABLE, 1);
    return 0;
}

int
owner_become(const struct inside *in, struct err *e)
{
    const char *place = place_of_work(in->spec);
    bool open = false;
    struct stat st;
    gid_t gid;

    if (geteuid() != 0 || getuid() != 0 || !place || stat(place, &st) < 0 ||
        st.st_uid == 0)
        return 0;
    gid = st.st_gid ? st.st_gid : NOBODY; /* root's group is not for others */
    if (try_as(in, st.st_uid, gid, &open, e) < 0)
        return -1;
    if (!open || (in->scratch[0] && chown(in->scratch, st.st_uid, gid) < 0))
        return 0;
    return become(in, st.st_uid, gid, e);
}
