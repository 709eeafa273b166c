/* SPDX-License-Identifier: GPL-3.0-or-later */
/* confine.c - no new privileges, Landlock, and the embedded filters. */
#include "sandbox/confine.h"

#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cleanup.h"

#include "src/sandbox/filters.h" /* made by mkfilter in the build tree */

/* Rights of Landlock's ABI 1 (Linux 5.13) that change files or execute them;
 * later ones are added where the kernel knows them. */
#define WRITES_ABI1                                                            \
    (LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_WRITE_FILE |              \
     LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_REMOVE_FILE |          \
     LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_DIR |              \
     LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_SOCK |              \
     LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_BLOCK |            \
     LANDLOCK_ACCESS_FS_MAKE_SYM)
#define REFER_ABI2    (1ULL << 13) /* linux/landlock.h of Linux 5.19 */
#define TRUNCATE_ABI3 (1ULL << 14) /* linux/landlock.h of Linux 6.2 */

/* The layer that errno is about. */
static int
missing(struct err *e, const char *layer)
{
    err_sys(e, "sandbox: %s", layer);
    if (e)
        e->code = ERR_SANDBOX;
    return -1;
}

static int
no_new_privs(struct err *e)
{
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
        return missing(e, "no_new_privs");
    return 0;
}

static int
load_filter(const struct sock_filter *filter, size_t n, struct err *e)
{
    struct sock_fprog prog = {
        .len = (unsigned short)n,
        .filter = (struct sock_filter *)(uintptr_t)filter,
    };

    if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &prog) < 0)
        return missing(e, "seccomp");
    return 0;
}

int
confine_landlock_abi(void)
{
    long abi = syscall(SYS_landlock_create_ruleset, NULL, 0,
                       LANDLOCK_CREATE_RULESET_VERSION);

    return abi < 0 ? 0 : (int)abi;
}

/* Handles every right to write or execute and grants none of them. */
static int
landlock_read_only(struct err *e)
{
    int abi = confine_landlock_abi();
    struct landlock_ruleset_attr attr = {.handled_access_fs = WRITES_ABI1};
    CLEANUP(fd_close_p) int fd = -1;

    if (abi == 0) /* the filter refuses the same; this is the second wall */
        return 0;
    if (abi >= 2)
        attr.handled_access_fs |= REFER_ABI2;
    if (abi >= 3)
        attr.handled_access_fs |= TRUNCATE_ABI3;
    fd = (int)syscall(SYS_landlock_create_ruleset, &attr, sizeof(attr), 0);
    if (fd < 0 || syscall(SYS_landlock_restrict_self, fd, 0) < 0)
        return missing(e, "landlock");
    return 0;
}

int
confine_step(struct err *e)
{
    if (no_new_privs(e) < 0)
        return -1;
    return load_filter(step_filter, sizeof(step_filter) / sizeof(*step_filter),
                       e);
}

int
confine_model(struct err *e)
{
    if (no_new_privs(e) < 0 || landlock_read_only(e) < 0)
        return -1;
    return load_filter(model_filter,
                       sizeof(model_filter) / sizeof(*model_filter), e);
}
