/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trust.h - what of a plugin a person agrees to, and the note of it; inside
 * the registry.
 *
 * The file `trusted` of the state directory has a line a plugin: its hash, a
 * blank, its path. A path is whatever tells one from another: a directory's
 * real one, or a server's name in its file. */
#ifndef TOOL_TRUST_H
#define TOOL_TRUST_H

#include "base/buf.h"
#include "tool/registry.h"

#define TRUST_FILES_MAX 4096
#define TRUST_BYTES_MAX (64u << 20) /* of all files of a plugin */
#define TRUST_DEPTH_MAX 16

/* The hash of a directory: of its files in the order of their names, with
 * modes and contents. ERR_INVALID: it holds a link, a device or the like, or
 * is over a bound; ERR_PERMISSION: somebody else may write one of them. */
int trust_hash(const char *dir, char hex[SHA256_HEX_SIZE], struct err *e);

/* ERR_DENIED: the plugin's files are not those any more that t->hash is of.
 * What is built in has none. For who is about to start it: between the look
 * at it and its start lies all the time that a person takes to answer, and
 * the steps of a plan before its own. */
int trust_check_same(const struct tool *t, struct err *e);

/* The notes as text; no file is no notes. ERR_CONFIG: somebody else may write
 * them. */
int trust_read(struct buf *notes, struct err *e);
#define TRUST_NOTES_MAX (4u << 20) /* 512 paths at their longest */

enum tool_trust trust_find(const struct buf *notes, const char *path,
                           const char *hash);

/* Notes it, instead of what stood there about the path. */
int trust_write(const char *path, const char *hash, struct err *e);

#endif
