/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fake_servers.h - MCP servers of a few lines of shell, and a registry of them.
 */
#ifndef TESTS_FAKE_SERVERS_H
#define TESTS_FAKE_SERVERS_H

#include "base/clock.h"
#include "base/seat.h"
#include "tool/registry_listing.h"
#include "tree.h"

#define FAKE_MS 30000 /* for all that a test waits for */

struct fakes {
    struct tree tree;
    struct seat *seat; /* of the tree */
    struct registry *registry;
    struct loop *loop;
};

int fakes_setup(void **state);
int fakes_teardown(void **state);

/* Appends the entries of servers, a blank between two names, and writes their
 * programs: good and fine have the tools one and two, and those of good say
 * where it was started; silent, flood, dies and empty are at fault. */
void fakes_entries(const struct fakes *f, const char *names, struct buf *out);

/* Opens f->registry with these servers in mcp.json, all of them trusted. */
void fakes_open(struct fakes *f, const char *names);

/* Asks all servers, or that of a tool, and waits. */
void fakes_list(const struct fakes *f, const char *tool);

/* Without a sandbox no server starts, and the reason is printed. */
bool fakes_can_start(void);

const struct tool *must_find_tool(struct registry *r, const char *name);
void on_fakes_listed(void *arg); /* sets the bool that arg points to */

/* Of this process. */
int count_fds(void);
size_t count_children(void);

#endif
