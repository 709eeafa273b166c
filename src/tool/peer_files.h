/* SPDX-License-Identifier: GPL-3.0-or-later */
/* peer_files.h - files that a peer reads and writes for us.
 *
 * An editor has text that is not saved yet, and wants to see what changes: it
 * may offer to read and write files itself. Then fs.read_file and fs.write_file
 * are answered by it in place of their plugins, after the same verdict. It is
 * asked only about a path in the seat's directories that holds no symbolic
 * link: what a link leads to was not judged, and the editor has no sandbox. */
#ifndef TOOL_PEER_FILES_H
#define TOOL_PEER_FILES_H

#include "tool/call.h"

/* Called once, from the loop: the text that was read, n bytes (of a write: "");
 * or why there is none. */
typedef void peer_files_cb(void *arg, const char *text, size_t n,
                           const struct err *why);

/* What the peer offers; NULL: not that. Each starts, and returns a handle that
 * is valid until cb was called. path is absolute. */
struct peer_files {
    /* from this line on, counted from 1, and so many; 0: all */
    void *(*read)(void *owner, const char *path, int64_t line, int64_t lines,
                  peer_files_cb *cb, void *arg, struct err *e);
    void *(*write)(void *owner, const char *path, const char *text, size_t n,
                   peer_files_cb *cb, void *arg, struct err *e);
    void (*cancel)(void *handle); /* cb is not called */
    void *owner;
};

struct peer_call; /* a call that the peer answers */

/* Whether the peer answers this call; files NULL: no. */
bool peer_call_takes(const struct peer_files *files, const struct seat *s,
                     const struct tool *t, const struct tool_request *rq);

/* Starts one that peer_call_takes; `done` or `failed` of the events comes from
 * the loop. */
struct peer_call *peer_call_start(const struct peer_files *files,
                                  const struct seat *s, const struct tool *t,
                                  const struct tool_request *rq,
                                  const struct tool_events *ev, void *arg,
                                  struct err *e);
void peer_call_free(struct peer_call *c); /* cancels it; accepts NULL */
DEFINE_CLEANUP(struct peer_call, peer_call_free)

#endif
