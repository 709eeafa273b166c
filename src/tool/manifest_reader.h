/* SPDX-License-Identifier: GPL-3.0-or-later */
/* manifest_reader.h - reads a JSON object of a configuration file by a table.
 *
 * Each member of the object is a row: how its value is read, and where in a
 * struct it goes. A member without a row is an error. Used for plugin.json
 * (manifest.c, manifest_needs.c) and for mcp.json (mcp/mcp_config.c). */
#ifndef TOOL_MANIFEST_READER_H
#define TOOL_MANIFEST_READER_H

#include "tool/manifest.h"

/* A place in the file, as a chain on the stack up to the root. */
struct manifest_spot {
    const struct manifest_spot *up; /* NULL: the root */
    const char *name;               /* of a member; NULL: an element */
    size_t index;
};

/* Reads one value at a place into out. */
typedef int manifest_reader(const struct json *v,
                            const struct manifest_spot *at, void *out,
                            struct err *e);

struct manifest_member {
    const char *name;
    manifest_reader *read;
    size_t offset; /* of its value in the struct */
    bool needed;
};

/* Reads all members of an object into the struct at out. rows ends with a
 * NULL name. at NULL: the object is the root. */
int manifest_read_members(const struct json *object,
                          const struct manifest_spot *at,
                          const struct manifest_member *rows, void *out,
                          struct err *e);

/* Sets e to ERR_INVALID, "needs.read[2]: REASON"; returns -1. */
int manifest_report(const struct manifest_spot *at, struct err *e,
                    const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* A string of 1 to max bytes without control characters. NULL: e says what is
 * wrong with it. */
const char *manifest_read_string(const struct json *v,
                                 const struct manifest_spot *at, size_t max,
                                 struct err *e);

/* Reads each element of a list of strings by `one`, whose out is a const char
 * **. list has room for MANIFEST_LIST_MAX and a NULL. */
int manifest_read_list(const struct json *v, const struct manifest_spot *at,
                       manifest_reader *one, const char **list, struct err *e);

/* out is a const char * (a sentence, one line); a bool; a struct
 * manifest_needs. */
manifest_reader manifest_read_sentence, manifest_read_bool;

manifest_reader manifest_read_needs;

/* Puts the path of a file in front of an error, of a long path its end.
 * Returns -1. */
int manifest_name_file(struct err *e, const char *where);

/* The tables of a manifest, of its needs and of an action. tests/check
 * compares them with the manual. */
const struct manifest_member *manifest_rows(void);
const struct manifest_member *manifest_needs_rows(void);
const struct manifest_member *manifest_action_rows(void);

#endif
