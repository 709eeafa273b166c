/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp_config.h - reads the MCP servers of mcp.json.
 *
 * mcp/ makes tools of what MCP servers offer: it starts a server in the
 * confinement that its entry declares, asks it for its tools, and calls them.
 * It must not know a plan or a frontend. A server is not trusted with anything
 * else: its texts are data, its hints can only make a verdict stricter, and
 * whatever it does wrong ends in an error and the end of its processes.
 *
 * mcp.json has the form of other clients, so that members which only they know
 * are ignored. Below "agentsh" an unknown member is an error. An error in one
 * entry concerns this entry alone. */
#ifndef TOOL_MCP_MCP_CONFIG_H
#define TOOL_MCP_MCP_CONFIG_H

#include "base/seat.h"
#include "tool/manifest.h"

#define MCP_WORDS_MAX   128 /* arguments, and variables, of an entry */
#define MCP_SERVERS_MAX 64  /* of a file */

struct mcp_server {
    char *name;              /* as part of a tool's: lower case, no dot */
    const char *title;       /* its name in the file */
    const char *file;        /* the path of the file */
    char *url;               /* of a server over HTTP; NULL: it is a command */
    char **headers;          /* of its requests, "name: value"; NULL-ended */
    bool plain;              /* its http: may lead to another machine */
    char **argv;             /* the command and its arguments; NULL-ended */
    char **env;              /* NAME=value; NULL-ended */
    char *cwd;               /* NULL: that of the seat */
    bool session;            /* of a session, not of a file */
    const struct seat *seat; /* the person's; borrowed */
    struct manifest_needs needs;
    const struct json *json; /* the entry, with variables not expanded */
    struct err fault;        /* ERR_NONE: it can be started */
};

struct mcp_config {
    const struct seat *seat;
    struct mcp_server *all; /* an invalid file is an entry with a fault */
    size_t n;
    struct json *roots[2];
    char *files[2];
    bool session; /* all are of a session */
};

/* Reads the user's file and the system's, with the variables of the seat, which
 * is borrowed. Of two servers with the same name the user's counts. Either path
 * may be NULL, or of no file. */
struct mcp_config *mcp_config_read(const struct seat *seat, const char *user,
                                   const char *system, struct err *e);
/* Reads the servers of a session, which another program names. It may not have
 * our variables, so that its texts are taken as they are; nor may it widen the
 * sandbox, so that "agentsh" is ignored. The seat is that of the session,
 * and borrowed: a server starts in its directory, unless its entry says
 * another. ERR_CONFIG: text is not of that form. */
struct mcp_config *mcp_config_read_session(const struct seat *seat,
                                           const char *text, size_t n,
                                           struct err *e);
/* Whether m is one of s; both may be NULL. */
bool mcp_config_has(const struct mcp_config *s, const struct mcp_server *m);
void mcp_config_free(struct mcp_config *s);
DEFINE_CLEANUP(struct mcp_config, mcp_config_free)

/* Adds the entries of a file's text; s->seat is set. Apart from
 * mcp_config_read, tests and the fuzz target call it. */
int mcp_config_add(struct mcp_config *s, int which, const char *text, size_t n,
                   struct err *e);

/* Makes a part of a tool's name of a server's text: lower case, no dot; "" when
 * nothing of it is left. The result may be as long as the text. */
void mcp_config_name(const char *text, char *out, size_t size);

/* The path of the server's command, or of the program that talks to it over
 * HTTP; the caller frees it. ERR_NOT_FOUND. */
char *mcp_config_program(const struct mcp_server *m, struct err *e);

#endif
