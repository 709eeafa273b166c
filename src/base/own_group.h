/* SPDX-License-Identifier: GPL-3.0-or-later */
/* own_group.h - tells whether a user is the only member of a group.
 *
 * Debian gives each user a group of the same name, and with umask 002 that
 * group may write all of the user's files. That is harmless only while nobody
 * else is in it, by /etc/passwd and /etc/group. Both files are read directly:
 * getgrgid(3) asks the services of nsswitch.conf, which may be a server that is
 * slow or gone, and that does not list members. So where nsswitch.conf names
 * other services, no group counts as a user's own. Groups that root gives a
 * process beside these files (a unit's Group=, a group password) are root's
 * decision. */
#ifndef BASE_OWN_GROUP_H
#define BASE_OWN_GROUP_H

#include <stdbool.h>
#include <sys/types.h>

#define OWN_GROUP_WHY 96

/* The texts of the three files; nsswitch is NULL where there is none. */
struct own_group_files {
    const char *passwd, *group, *nsswitch;
};

/* Whether the group exists, some account has it as its primary group, and every
 * account that has it so, or that it lists, is `us` or root. If not, why says
 * it: "www-data is also a member of its group (33)". */
bool own_group_check(const struct own_group_files *files, gid_t gid, uid_t us,
                     char why[OWN_GROUP_WHY]);

/* The same by the files of this machine. */
bool own_group_is(gid_t gid, uid_t us, char why[OWN_GROUP_WHY]);

#endif
