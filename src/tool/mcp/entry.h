/* SPDX-License-Identifier: GPL-3.0-or-later */
/* entry.h - the servers of mcp.json.
 *
 * mcp/ makes tools of what MCP servers offer: it starts a server behind the
 * walls that its entry declares, asks it for its tools and calls them. It
 * knows nothing of a plan or a door. A server is a stranger: its texts are
 * data, its hints only raise caution, and all of its misbehaviours end in an
 * error and the end of its processes.
 *
 * mcp.json is written as other clients write it, so that members which are
 * theirs are passed over; below "agentsh" a member that is not known is a
 * fault. What is wrong with one entry is that entry's fault. */
#ifndef TOOL_MCP_ENTRY_H
#define TOOL_MCP_ENTRY_H

#include "tool/manifest.h"

#define MCP_WORDS_MAX   128 /* arguments, and variables, of an entry */
#define MCP_SERVERS_MAX 64  /* of a file */

struct mcp_entry {
    char *name;        /* as part of a tool's: lower case, no dot */
    const char *title; /* as it is written */
    const char *file;  /* which it stands in */
    char **argv;       /* the command and its arguments; NULL-ended */
    char **env;        /* NAME=value; NULL-ended */
    char *cwd;         /* NULL: where the person works */
    struct manifest_needs needs;
    const struct json *json; /* the whole, before variables were put in */
    struct err fault;        /* ERR_NONE: it can be started */
};

struct mcp_servers {
    struct mcp_entry *all; /* a file that is wrong is an entry with a fault */
    size_t n;
    struct json *roots[2];
    char *files[2];
};

/* The user's file and the machine's; of servers with the same name the user's
 * is the one. Either may be NULL or absent. */
struct mcp_servers *mcp_servers_read(const char *user, const char *system,
                                     struct err *e);
void mcp_servers_free(struct mcp_servers *s);
DEFINE_CLEANUP(struct mcp_servers, mcp_servers_free)

/* One file's text, for tests: its entries are added. */
int mcp_servers_add(struct mcp_servers *s, int which, const char *text,
                    size_t n, struct err *e);

/* ${NAME} and ${NAME:-otherwise} with the value of the variable; the caller
 * frees it. NULL: one is not set (ERR_CONFIG), or no memory. */
char *mcp_expand(const char *text, struct err *e);

/* A name of somebody else's as part of a tool's; "" when nothing of it is
 * left. The result may be as long as the text is. */
void mcp_name(const char *text, char *out, size_t size);

/* Where the command is; the caller frees it. ERR_NOT_FOUND. */
char *mcp_program(const struct mcp_entry *m, struct err *e);

#endif
