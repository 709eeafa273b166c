/* SPDX-License-Identifier: GPL-3.0-or-later */
/* own_group.h - whether a group is one person's own.
 *
 * Debian gives each user a group of the same name, and who has umask 002 lets
 * it write all of his files. That is nobody else only while nobody else is in
 * it, by /etc/passwd and /etc/group. Both are read directly: getgrgid(3) asks
 * what nsswitch.conf names, which may be a server that is slow, or gone, and
 * which lists no members. So where that file names more than these two, a
 * group is never known to be somebody's own. What root gives a process beside
 * them (a unit's Group=, a group's password) is root's to say. */
#ifndef BASE_OWN_GROUP_H
#define BASE_OWN_GROUP_H

#include <stdbool.h>
#include <sys/types.h>

#define OWN_GROUP_WHY 96

/* The texts of three files; NULL nsswitch: there is none. */
struct own_group_files {
    const char *passwd, *group, *nsswitch;
};

/* Whether the group has a line, somebody's account belongs to it, and every
 * account that has it as its first group, or that it lists, is us or root. If
 * not, why says so: "www-data is also a member of its group (33)". */
bool own_group_judge(const struct own_group_files *files, gid_t gid, uid_t us,
                     char why[OWN_GROUP_WHY]);

/* The same of this machine's files. */
bool own_group_is(gid_t gid, uid_t us, char why[OWN_GROUP_WHY]);

#endif
