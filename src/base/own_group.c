/* SPDX-License-Identifier: GPL-3.0-or-later */
/* own_group.c - whether a group is one person's own. */
#include "base/own_group.h"

#include <dirent.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"

#define FILE_MAX  (1u << 20) /* some ten thousand accounts */
#define COLONS    ":"
#define ACCOUNT_N 4 /* fields of /etc/passwd up to the first group */
#define GROUP_N   4

/* A piece of one of the texts. */
struct span {
    const char *p;
    size_t n;
};

struct question {
    const struct own_group_files *files;
    gid_t gid;
    uid_t us;
    char *why;
};

static bool
refuse(const struct question *q, const char *what)
{
    snprintf(q->why, OWN_GROUP_WHY, "%s", what);
    return false;
}

static bool
is_member(const struct question *q, const struct span *who)
{
    snprintf(q->why, OWN_GROUP_WHY, "%.*s is also a member of its group (%u)",
             who->n > 40 ? 40 : (int)who->n, who->p, (unsigned)q->gid);
    return false;
}

/* The next piece of *text, which ends at one of the bytes; false: no more. */
static bool
cut(const char **text, const char *end, const char *ends, struct span *out)
{
    const char *p = *text, *stop = p;

    if (p > end)
        return false;
    while (stop < end && !strchr(ends, *stop))
        stop++;
    *out = (struct span){p, (size_t)(stop - p)};
    *text = stop + 1;
    return true;
}

static struct span
trim(struct span s)
{
    while (s.n > 0 && strchr(" \t\r", s.p[0]))
        s = (struct span){s.p + 1, s.n - 1};
    while (s.n > 0 && strchr(" \t\r", s.p[s.n - 1]))
        s.n--;
    return s;
}

static bool
is_number(const struct span *s, uint32_t *out)
{
    uint64_t v = 0;

    if (s->n == 0 || s->n > 10)
        return false;
    for (size_t i = 0; i < s->n; i++) {
        if (s->p[i] < '0' || s->p[i] > '9')
            return false;
        v = v * 10 + (uint64_t)(s->p[i] - '0');
    }
    *out = (uint32_t)v;
    return v <= UINT32_MAX;
}

static bool
is_same(const struct span *a, const struct span *b)
{
    return a->n == b->n && memcmp(a->p, b->p, a->n) == 0;
}

/* The fields of the next line that holds any; 0: there is none; -1: it is no
 * line of such a file, or one that names a server (+, -: nsswitch.conf(5)). */
static int
take_line(const char **text, struct span *fields, size_t n)
{
    struct span line;
    const char *p;

    do {
        size_t length = strcspn(*text, "\n");

        if (!**text)
            return 0;
        line = trim((struct span){*text, length});
        *text += length + ((*text)[length] == '\n');
    } while (line.n == 0 || line.p[0] == '#');
    if (strchr("+-", line.p[0]))
        return -1;
    p = line.p;
    for (size_t i = 0; i < n; i++)
        if (!cut(&p, line.p + line.n, COLONS, &fields[i]))
            return -1;
    return 1;
}

/* Asks of every account whether it may have the group: by its name, where one
 * is given, else as its first. Counts those that have it. */
static bool
judge_accounts(const struct question *q, const struct span *name, size_t *found)
{
    const char *p = q->files->passwd;
    struct span f[ACCOUNT_N];
    uint32_t uid, gid;
    int rc;

    *found = 0;
    while ((rc = take_line(&p, f, ACCOUNT_N)) > 0) {
        if (!is_number(&f[2], &uid) || !is_number(&f[3], &gid))
            break;
        if (name ? !is_same(&f[0], name) : gid != q->gid)
            continue;
        if (uid != 0 && uid != q->us)
            return is_member(q, &f[0]);
        ++*found;
    }
    return rc == 0 ||
           refuse(q, "cannot tell from /etc/passwd who is in its group");
}

/* Whoever a line of /etc/group lists. */
static bool
judge_members(const struct question *q, const struct span *list)
{
    const char *p = list->p, *end = p + list->n;
    struct span name;
    size_t found;

    while (cut(&p, end, ",", &name)) {
        name = trim(name);
        if (name.n == 0)
            continue;
        if (!judge_accounts(q, &name, &found))
            return false;
        if (found == 0)
            return is_member(q, &name);
    }
    return true;
}

static bool
judge_groups(const struct question *q)
{
    const char *p = q->files->group;
    struct span f[GROUP_N];
    bool found = false;
    uint32_t gid;
    int rc;

    while ((rc = take_line(&p, f, GROUP_N)) > 0) {
        if (!is_number(&f[2], &gid))
            break;
        if (gid != q->gid)
            continue;
        if (!judge_members(q, &f[3]))
            return false;
        found = true;
    }
    if (rc != 0 || !found)
        return refuse(q, "cannot tell from /etc/group who is in its group");
    return true;
}

/* What asks the two files, or knows the system's own accounts alone. */
static bool
is_local(const struct span *service)
{
    static const char *const local[] = {"files", "compat", "systemd"};

    for (size_t i = 0; i < sizeof(local) / sizeof(*local); i++)
        if (service->n == strlen(local[i]) &&
            memcmp(service->p, local[i], service->n) == 0)
            return true;
    return service->n == 0;
}

/* The services of a line; "[…]" between them says what their answers mean. */
static bool
judge_services(const struct question *q, const char *p, const char *end)
{
    struct span one;

    while (cut(&p, end, " \t\r", &one)) {
        if (one.n > 0 && one.p[0] == '[') {
            p = memchr(one.p, ']', (size_t)(end - one.p));
            p = p ? p + 1 : end;
            continue;
        }
        if (is_local(&one))
            continue;
        snprintf(q->why, OWN_GROUP_WHY,
                 "the members of its group are in %.*s (/etc/nsswitch.conf)",
                 one.n > 20 ? 20 : (int)one.n, one.p);
        return false;
    }
    return true;
}

static bool
judge_nsswitch(const struct question *q)
{
    static const char *const tables[] = {"passwd", "group", "initgroups"};
    const char *p = q->files->nsswitch, *end = p ? p + strlen(p) : NULL;
    struct span line, rest;

    while (p && cut(&p, end, "\n", &line)) {
        const char *at = line.p, *stop = memchr(line.p, '#', line.n);
        struct span name;

        stop = stop ? stop : line.p + line.n;
        if (!cut(&at, stop, COLONS, &rest) || at > stop)
            continue;
        name = trim(rest);
        for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++)
            if (name.n == strlen(tables[i]) &&
                memcmp(name.p, tables[i], name.n) == 0 &&
                !judge_services(q, at, stop))
                return false;
    }
    return true;
}

bool
own_group_judge(const struct own_group_files *files, gid_t gid, uid_t us,
                char why[OWN_GROUP_WHY])
{
    const struct question q = {files, gid, us, why};
    size_t first;

    if (!judge_nsswitch(&q) || !judge_accounts(&q, NULL, &first) ||
        !judge_groups(&q))
        return false;
    return first > 0 || refuse(&q, "its group has other members");
}

/* systemd answers from these for accounts of homes that it manages, and for
 * what is written down there (userdbctl(1)). */
static bool
has_managed_accounts(void)
{
    static const char *const places[] = {"/var/lib/systemd/home", "/etc/userdb",
                                         "/run/userdb", "/run/host/userdb",
                                         "/usr/lib/userdb"};

    for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++)
        if (access(places[i], F_OK) == 0)
            return true;
    return false;
}

/* Whole, and without a NUL, behind which another reader would see more. */
static bool
read_whole(const char *path, struct buf *out, bool *there)
{
    struct err e = {0};
    int rc = file_read(path, out, &e);

    *there = rc == 0 || e.sys != ENOENT;
    return rc == 0 && !memchr(out->p, '\0', out->len);
}

bool
own_group_is(gid_t gid, uid_t us, char why[OWN_GROUP_WHY])
{
    CLEANUP_BUF struct buf passwd = buf_of(FILE_MAX);
    CLEANUP_BUF struct buf group = buf_of(FILE_MAX);
    CLEANUP_BUF struct buf nsswitch = buf_of(FILE_MAX);
    struct own_group_files files;
    bool there;

    if (!read_whole("/etc/passwd", &passwd, &there) ||
        !read_whole("/etc/group", &group, &there) ||
        (!read_whole("/etc/nsswitch.conf", &nsswitch, &there) && there) ||
        has_managed_accounts()) {
        snprintf(why, OWN_GROUP_WHY, "cannot tell who is in its group");
        return false;
    }
    files = (struct own_group_files){passwd.p, group.p,
                                     there ? nsswitch.p : NULL};
    return own_group_judge(&files, gid, us, why);
}
