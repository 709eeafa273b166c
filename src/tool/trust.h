/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trust.h - hashes a plugin, and stores which hashes a person trusts.
 *
 * The file `trusted` of the state directory has a line for each plugin: its
 * hash, a blank, its path. The path identifies the plugin: the real path of its
 * directory, or a server's name in its mcp.json. */
#ifndef TOOL_TRUST_H
#define TOOL_TRUST_H

#include "base/buf.h"
#include "tool/registry.h"

#define TRUST_FILES_MAX 4096
#define TRUST_BYTES_MAX (64u << 20) /* bytes of all files of a plugin */
#define TRUST_DEPTH_MAX 16

/* Hashes a directory: its files in the order of their names, with modes and
 * contents. ERR_INVALID: it holds a link, a device or the like, or passes a
 * bound; ERR_PERMISSION: another user may write one of the files. */
int trust_hash(const char *dir, char hex[SHA256_HEX_SIZE], struct err *e);

/* Checks that the plugin's files still have t->hash, before it is started: much
 * may happen between its approval and its start. ERR_DENIED: they have changed.
 * A built-in tool has no hash. */
int trust_check_unchanged(const struct tool *t, struct err *e);

/* Reads the file of the seat's person; without a file the text is empty.
 * ERR_CONFIG: another user may write it. */
int trust_read(const struct seat *s, struct buf *notes, struct err *e);
#define TRUST_NOTES_MAX (4u << 20) /* 512 paths at their longest */

/* What the file says of a plugin with this path and hash. */
enum tool_trust trust_find(const struct buf *notes, const char *path,
                           const char *hash);

/* Stores the hash for the path, in place of an earlier one. */
int trust_write(const struct seat *s, const char *path, const char *hash,
                struct err *e);

#endif
