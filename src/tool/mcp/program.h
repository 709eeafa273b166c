/* SPDX-License-Identifier: GPL-3.0-or-later */
/* program.h - the files that a server is made of, as far as its entry tells.
 */
#ifndef TOOL_MCP_PROGRAM_H
#define TOOL_MCP_PROGRAM_H

#include "base/sha256.h"
#include "tool/mcp/entry.h"

/* What a person agrees to: the entry as it is written, and the files that its
 * command and its arguments name, their contents where others than root may
 * write them. Of a file over 8 MiB what the system tells of it stands for its
 * contents: its number, its size and when it was changed. ERR_NOT_FOUND: there
 * is no such command; ERR_PERMISSION: somebody else may write one of them. */
int mcp_hash(const struct mcp_entry *m, char hex[SHA256_HEX_SIZE],
             struct err *e);

/* ERR_DENIED: they are not any more what hash is of. For who is about to start
 * it, long after it was looked at. */
int mcp_check_same(const struct mcp_entry *m, const char *hash, struct err *e);

/* The directory that holds the program, with what it is packed with (the one
 * of its package.json, or above node_modules), to be shown to it; the caller
 * frees it. NULL: it is the system's, or all of the home directory. */
char *mcp_place(const struct mcp_entry *m);

#endif
