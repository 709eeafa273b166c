/* SPDX-License-Identifier: GPL-3.0-or-later */
/* own_group.c - tells whether a user is the only member of a group. */
#include "base/own_group.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/ascii.h"
#include "base/cleanup.h"
#include "base/file.h"
#include "base/str.h"

#define FILE_MAX  (1u << 20) /* some ten thousand accounts */
#define COLONS    ":"
#define ACCOUNT_N 4 /* fields of /etc/passwd up to the first group */
#define GROUP_N   4

/* A part of one of the texts. */
struct file_span {
    const char *p;
    size_t n;
};

struct group_check {
    const struct own_group_files *files;
    gid_t gid;
    uid_t us;
    char *why;
};

static bool
refuse(const struct group_check *q, const char *what)
{
    snprintf(q->why, OWN_GROUP_WHY, "%s", what);
    return false;
}

static bool
refuse_member(const struct group_check *q, const struct file_span *who)
{
    snprintf(q->why, OWN_GROUP_WHY, "%.*s is also a member of its group (%u)",
             who->n > 40 ? 40 : (int)who->n, who->p, (unsigned)q->gid);
    return false;
}

/* Splits off the next part of *text, which ends at one of the bytes; false: no
 * more. */
static bool
next_file_field(const char **text, const char *end, const char *ends,
                struct file_span *out)
{
    const char *p = *text, *stop = p;

    if (p > end)
        return false;
    while (stop < end && !strchr(ends, *stop))
        stop++;
    *out = (struct file_span){p, (size_t)(stop - p)};
    *text = stop + 1;
    return true;
}

static struct file_span
trim_span(struct file_span s)
{
    while (s.n > 0 && strchr(" \t\r", s.p[0]))
        s = (struct file_span){s.p + 1, s.n - 1};
    while (s.n > 0 && strchr(" \t\r", s.p[s.n - 1]))
        s.n--;
    return s;
}

static bool
is_number(const struct file_span *s, uint32_t *out)
{
    uint64_t v = 0;

    if (s->n == 0 || s->n > 10)
        return false;
    for (size_t i = 0; i < s->n; i++) {
        if (!ascii_is_digit(s->p[i]))
            return false;
        v = v * 10 + (uint64_t)(s->p[i] - '0');
    }
    *out = (uint32_t)v;
    return v <= UINT32_MAX;
}

static bool
is_same_span(const struct file_span *a, const struct file_span *b)
{
    return a->n == b->n && memcmp(a->p, b->p, a->n) == 0;
}

/* Reads the fields of the next line that is not empty. Returns 0 at the end; -1
 * where the line is malformed, or refers to a server (+, -: nsswitch.conf(5)).
 */
static int
read_fields(const char **text, struct file_span *fields, size_t n)
{
    struct file_span line;
    const char *p;

    do {
        size_t length = strcspn(*text, "\n");

        if (!**text)
            return 0;
        line = trim_span((struct file_span){*text, length});
        *text += length + ((*text)[length] == '\n');
    } while (line.n == 0 || line.p[0] == '#');
    if (strchr("+-", line.p[0]))
        return -1;
    p = line.p;
    for (size_t i = 0; i < n; i++)
        if (!next_file_field(&p, line.p + line.n, COLONS, &fields[i]))
            return -1;
    return 1;
}

/* Checks every account with the name, or, without a name, with the group as its
 * primary one: each must be root or us. *found is their number. */
static bool
check_accounts(const struct group_check *q, const struct file_span *name,
               size_t *found)
{
    const char *p = q->files->passwd;
    struct file_span f[ACCOUNT_N];
    uint32_t uid, gid;
    int rc;

    *found = 0;
    while ((rc = read_fields(&p, f, ACCOUNT_N)) > 0) {
        if (!is_number(&f[2], &uid) || !is_number(&f[3], &gid))
            break;
        if (name ? !is_same_span(&f[0], name) : gid != q->gid)
            continue;
        if (uid != 0 && uid != q->us)
            return refuse_member(q, &f[0]);
        ++*found;
    }
    return rc == 0 ||
           refuse(q, "cannot tell from /etc/passwd who is in its group");
}

/* Checks the members that a line of /etc/group lists. */
static bool
check_group_members(const struct group_check *q, const struct file_span *list)
{
    const char *p = list->p, *end = p + list->n;
    struct file_span name;
    size_t found;

    while (next_file_field(&p, end, ",", &name)) {
        name = trim_span(name);
        if (name.n == 0)
            continue;
        if (!check_accounts(q, &name, &found))
            return false;
        if (found == 0)
            return refuse_member(q, &name);
    }
    return true;
}

static bool
check_groups(const struct group_check *q)
{
    const char *p = q->files->group;
    struct file_span f[GROUP_N];
    bool found = false;
    uint32_t gid;
    int rc;

    while ((rc = read_fields(&p, f, GROUP_N)) > 0) {
        if (!is_number(&f[2], &gid))
            break;
        if (gid != q->gid)
            continue;
        if (!check_group_members(q, &f[3]))
            return false;
        found = true;
    }
    if (rc != 0 || !found)
        return refuse(q, "cannot tell from /etc/group who is in its group");
    return true;
}

/* Whether a service uses the two files only, or knows only system accounts. */
static bool
is_local(const struct file_span *service)
{
    static const char *const local[] = {"files", "compat", "systemd"};

    return service->n == 0 || STR_IN_N(service->p, service->n, local);
}

/* Checks the services of a line; "[…]" between them is an action for their
 * results. */
static bool
check_services(const struct group_check *q, const char *p, const char *end)
{
    struct file_span one;

    while (next_file_field(&p, end, " \t\r", &one)) {
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
check_nsswitch(const struct group_check *q)
{
    static const char *const tables[] = {"passwd", "group", "initgroups"};
    const char *p = q->files->nsswitch, *end = p ? p + strlen(p) : NULL;
    struct file_span line, rest;

    while (p && next_file_field(&p, end, "\n", &line)) {
        const char *at = line.p, *stop = memchr(line.p, '#', line.n);
        struct file_span name;

        stop = stop ? stop : line.p + line.n;
        if (!next_file_field(&at, stop, COLONS, &rest) || at > stop)
            continue;
        name = trim_span(rest);
        if (STR_IN_N(name.p, name.n, tables) && !check_services(q, at, stop))
            return false;
    }
    return true;
}

bool
own_group_check(const struct own_group_files *files, gid_t gid, uid_t us,
                char why[OWN_GROUP_WHY])
{
    const struct group_check q = {files, gid, us, why};
    size_t first;

    if (!check_nsswitch(&q) || !check_accounts(&q, NULL, &first) ||
        !check_groups(&q))
        return false;
    return first > 0 || refuse(&q, "its group has other members");
}

/* Whether systemd has accounts beyond the two files: of homes that it manages,
 * and of records in these directories (userdbctl(1)). */
static bool
has_managed_accounts(void)
{
    static const char *const places[] = {"/var/lib/systemd/home", "/etc/userdb",
                                         "/run/userdb", "/run/host/userdb",
                                         "/usr/lib/userdb"};

    for (size_t i = 0; i < ARRAY_SIZE(places); i++)
        if (access(places[i], F_OK) == 0)
            return true;
    return false;
}

/* Reads a file as a whole. False also where it contains a NUL, behind which
 * another reader would see more. */
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
    return own_group_check(&files, gid, us, why);
}
