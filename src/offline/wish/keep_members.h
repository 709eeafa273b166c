/* SPDX-License-Identifier: GPL-3.0-or-later */
/* keep_members.h - what is brought into a directory leaves files there alone.
 */
#ifndef OFFLINE_KEEP_MEMBERS_H
#define OFFLINE_KEEP_MEMBERS_H

#include "base/buf.h"
#include "base/err.h"
#include "offline/request/request.h"

/* Appends the command with -k in each tar that unpacks to where something
 * is already: tar then names the files that are there and leaves them, where
 * it would have put its own in their place. And with -n behind each mv and cp
 * of find's -exec, for the same. Not where the request says that they may go,
 * nor where the command says itself what becomes of them. */
int keep_members(const struct request *q, const char *command, struct buf *out,
                 struct err *e);

#endif
