/* SPDX-License-Identifier: GPL-3.0-or-later */
/* overlaid.c - scripts in a copy-on-write view, for the tests of previews. */
#include "tests/unit/unit.h"

#include "tests/unit/overlaid.h"

#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "sandbox/kernel.h"
#include "sandbox/preview/beneath.h"
#include "sandbox/preview/changes.h"
#include "sandbox/preview/overlay.h"
#include "sandbox/preview/workcopy.h"

#define USER 12345 /* of no entry in the password file */

static bool
put(const char *path, const char *text)
{
    CLEANUP(fd_close_p) int fd = open(path, O_WRONLY | O_CLOEXEC);

    return fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);
}

/* The namespaces that the launcher makes, with the same user inside. */
static bool
enter(void)
{
    char map[64];
    unsigned uid = getuid(), gid = getgid();

    if (unshare(CLONE_NEWUSER | CLONE_NEWNS) < 0)
        return false;
    snprintf(map, sizeof(map), "%u %u 1", uid, uid);
    if (!put("/proc/self/setgroups", "deny") || !put("/proc/self/uid_map", map))
        return false;
    snprintf(map, sizeof(map), "%u %u 1", gid, gid);
    return put("/proc/self/gid_map", map);
}

static bool
become(bool as_user)
{
    if (!as_user || geteuid() != 0)
        return true;
    /* /proc/self stays root's otherwise, and with it the maps of users */
    return setgroups(0, NULL) == 0 && setresgid(USER, USER, USER) == 0 &&
           setresuid(USER, USER, USER) == 0 && prctl(PR_SET_DUMPABLE, 1) == 0;
}

static bool
cover(const struct overlaid *o)
{
    struct err e = {0};
    int fd = overlay_open(o->place, o->state, &e);

    if (fd < 0)
        fprintf(stderr, "# %s\n", e.text);
    return fd >= 0 &&
           move_mount(fd, "", AT_FDCWD, o->place, MOVE_MOUNT_F_EMPTY_PATH) == 0;
}

static int
run(const struct overlaid *o, const char *script, bool in_view,
    const char *where)
{
    pid_t pid = fork();
    int st;

    if (pid == 0) {
        if (!become(o->way == OVERLAID_USER) ||
            (in_view && (!enter() || !cover(o))) || chdir(where) < 0)
            _exit(125);
        umask(022);
        (void)setenv("STATE", o->state, 1);
        execl("/bin/sh", "sh", "-c", script, (char *)NULL);
        _exit(127);
    }
    assert_true(pid > 0);
    assert_int_equal(waitpid(pid, &st, 0), pid);
    return WIFEXITED(st) ? WEXITSTATUS(st) : 255;
}

int
overlaid_plain(const struct overlaid *o, const char *script)
{
    return run(o, script, false, o->place);
}

int
overlaid_run(const struct overlaid *o, const char *script)
{
    char upper[OVERLAID_PATH_MAX + sizeof("/upper")];

    if (o->way != OVERLAID_COPY)
        return run(o, script, true, o->place);
    snprintf(upper, sizeof(upper), "%s/upper", o->state);
    return run(o, script, false, upper);
}

static struct workcopy *
copy(const struct overlaid *o)
{
    char path[OVERLAID_PATH_MAX + sizeof("/copied")];
    const struct workcopy_spec spec = {.from = o->lower,
                                       .to = o->upper,
                                       .place = o->state,
                                       .room_bytes = 4 * WORKCOPY_BYTES_MAX};
    CLEANUP(fd_close_p) int list = -1;
    struct workcopy *w;
    struct err e = {0};

    snprintf(path, sizeof(path), "%s/copied", o->state);
    list = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (workcopy_make(&spec, list, &e) < 0)
        fail_msg("%s", e.text);
    w = workcopy_read(list, &e);
    assert_non_null(w);
    return w;
}

struct changes_spec
overlaid_begin(struct overlaid *o)
{
    struct changes_spec spec = {
        .upper = o->upper, .lower = o->lower, .place = o->place};

    assert_int_equal(changes_begin(&spec.since, NULL), 0);
    if (o->way == OVERLAID_COPY)
        spec.copied = o->copied = copy(o);
    return spec;
}

static void
make_dir(char *out, const char *root, const char *name, bool as_user)
{
    snprintf(out, OVERLAID_PATH_MAX, "%.200s/%s", root, name);
    assert_int_equal(mkdir(out, 0755), 0);
    if (as_user && geteuid() == 0)
        assert_int_equal(chown(out, USER, USER), 0);
}

void
overlaid_open(struct overlaid *o, enum overlaid_way way)
{
    bool as_user = way == OVERLAID_USER;
    char upper[OVERLAID_PATH_MAX], work[OVERLAID_PATH_MAX];

    *o = (struct overlaid){.way = way};
    snprintf(o->root, sizeof(o->root), "/tmp/agentsh-unit-XXXXXX");
    assert_non_null(mkdtemp(o->root));
    assert_int_equal(chmod(o->root, 0755), 0);
    make_dir(o->place, o->root, "place", as_user);
    make_dir(o->state, o->root, "state", as_user);
    make_dir(upper, o->state, "upper", as_user);
    make_dir(work, o->state, "work", as_user);
    o->lower = open(o->place, O_PATH | O_DIRECTORY | O_CLOEXEC);
    o->upper = open(upper, O_PATH | O_DIRECTORY | O_CLOEXEC);
    assert_true(o->lower >= 0 && o->upper >= 0);
}

void
overlaid_close(struct overlaid *o)
{
    CLEANUP(fd_close_p) int tmp = open("/tmp", O_PATH | O_CLOEXEC);

    workcopy_free(o->copied);
    close(o->lower);
    close(o->upper);
    assert_int_equal(beneath_remove(tmp, o->root + strlen("/tmp/"), NULL), 0);
}

static bool
is_possible(enum overlaid_way way)
{
    struct overlaid o;
    bool can;

    overlaid_open(&o, way);
    can = overlaid_run(&o, ":") == 0;
    overlaid_close(&o);
    return can;
}

bool
overlaid_is_possible(void)
{
    return is_possible(OVERLAID_VIEW) && is_possible(OVERLAID_USER);
}
