/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp_hash.h - hashes an MCP server's entry and the files that it names. */
#ifndef TOOL_MCP_MCP_HASH_H
#define TOOL_MCP_MCP_HASH_H

#include "base/sha256.h"
#include "tool/mcp/mcp_config.h"

/* Hashes what a person trusts: the entry as it is written, and the files that
 * its command and its arguments name, with their contents where others than
 * root may write them. For a file over 8 MiB its inode, size and time of change
 * stand for its contents. Of a server over HTTP the entry and its URL count.
 * ERR_NOT_FOUND: there is no such command;
 * ERR_PERMISSION: another user may write one of the files. */
int mcp_hash(const struct mcp_server *m, char hex[SHA256_HEX_SIZE],
             struct err *e);

/* Checks before a start that they still have this hash. ERR_DENIED: they have
 * changed. */
int mcp_hash_check(const struct mcp_server *m, const char *hash, struct err *e);

/* The directory of the program's package (the one of its package.json, or above
 * node_modules), which the server must see; the caller frees it. NULL: it is a
 * system directory, or the home directory itself. */
char *mcp_hash_package_dir(const struct mcp_server *m);

#endif
