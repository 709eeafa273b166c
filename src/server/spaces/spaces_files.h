/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spaces_files.h - the file operations, each below the workspace.
 *
 * The kernel keeps every path below the directory `root`, links and all
 * (openat2(2), RESOLVE_BENEATH). A thread may call these, and does, since a
 * disk may take its time. The text of an error is what the agent gets: "File
 * not found", "File already exists", or the system's reason. */
#ifndef SERVER_SPACES_SPACES_FILES_H
#define SERVER_SPACES_SPACES_FILES_H

#include <limits.h>

#include "base/worker.h"
#include "server/spaces/spaces_message.h"

/* Opens what a path leads to, as O_PATH, and writes its name without links to
 * real. ERR_NOT_FOUND: nothing is there yet. ERR_PERMISSION with e->sys EXDEV:
 * it leads out of the workspace. */
int spaces_files_find(int root, const char *path, char real[PATH_MAX],
                      struct err *e);

/* Creates a file with n bytes, and its missing parents. All of it is there at
 * once, and what it replaces stays until then. */
int spaces_files_create(int root, const char *path, const void *bytes, size_t n,
                        bool overwrite, struct err *e);

/* Appends the bytes of the regular file that is found, an O_PATH descriptor:
 * what a judgement was about is what is read. */
int spaces_files_read(int found, struct buf *out, struct err *e);

/* Replaces the first match of each edit, one after another, all or none;
 * *applied is their number. Many edits of a long file take minutes: unwanted
 * ends that (worker_is_unwanted). */
int spaces_files_edit(int root, const char *path, const struct json *edits,
                      const atomic_bool *unwanted, size_t *applied,
                      struct err *e);

/* Deletes a file or a link, no directory. */
int spaces_files_delete(int root, const char *path, struct err *e);

#endif
