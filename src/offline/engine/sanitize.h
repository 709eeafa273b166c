/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sanitize.h - rewrites a generated command so that it does less harm.
 *
 * Every function appends the rewritten command to out, or the command as it is
 * when it cannot be parsed. They return -1 with ERR_NOMEM or the error of out.
 */
#ifndef OFFLINE_ENGINE_SANITIZE_H
#define OFFLINE_ENGINE_SANITIZE_H

#include "base/buf.h"
#include "base/err.h"
#include "offline/parse/request_parse.h"

/* For root: removes each sudo without options, so that "sudo apt update" is
 * "apt update". */
int sanitize_drop_sudo(const char *command, struct buf *out, struct err *e);

/* Puts ./ before each pattern that could match a name like -rf: "rm *" gets it
 * before the star. */
int sanitize_own_names(const char *command, struct buf *out, struct err *e);

/* Gives another name to each existing file that the command would overwrite and
 * that the request does not name ("archive.tar.gz" exists, so it becomes
 * "archive-2.tar.gz"), and excludes .git from what find deletes or changes in a
 * repository. *clear is set to false where that is not possible. */
int sanitize_keep_files(const struct request *q, const char *command,
                        struct buf *out, bool *clear, struct err *e);

/* Adds -k to each tar that unpacks into a directory that is not empty: tar then
 * names the files that exist and keeps them. Adds -n to each mv and cp of
 * find's -exec, for the same reason. Does neither where the request allows to
 * replace files, or where the command itself has an option for it. */
int sanitize_keep_members(const struct request *q, const char *command,
                          struct buf *out, struct err *e);

#endif
