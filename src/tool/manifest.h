/* SPDX-License-Identifier: GPL-3.0-or-later */
/* manifest.h - reads plugin.json: what a tool is, what it offers and needs.
 *
 * agentsh-plugin(7) describes its form. A manifest is bytes from outside: an
 * unknown member, a schema with an unknown keyword, or a path that is neither
 * absolute nor below ~ is an error that names the file and the place in it, and
 * the tool is not used. */
#ifndef TOOL_MANIFEST_H
#define TOOL_MANIFEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "json/json.h"
#include "json/schema.h"

#define MANIFEST_NAME_MAX    64
#define MANIFEST_ACTIONS_MAX 64
#define MANIFEST_VERSION_MAX 64
#define MANIFEST_LIST_MAX    16 /* of each list of paths or names */

/* What one action does. Strings and JSON are borrowed from the manifest. */
struct manifest_action {
    const char *name, *summary;
    bool read_only;   /* hint: changes nothing; false unless it says so */
    bool destructive; /* hint: may lose data; true unless it says otherwise */
    const struct json *args, *meta; /* schemas as written; meta may be NULL */
    struct json_schema *args_check, *meta_check; /* meta_check NULL: any meta */
    /* names of the arguments (strings, or lists of strings) that hold a path
     * which it reads, a path which it writes, a host; NULL-ended */
    const char *reads[MANIFEST_LIST_MAX + 1];
    const char *writes[MANIFEST_LIST_MAX + 1];
    const char *hosts[MANIFEST_LIST_MAX + 1];
    /* "state": the read-only actions `state` and `reverse` of the same tool say
     * how it is taken back; "versions": as far as old versions can be had.
     * NULL: it cannot be */
    const char *undo;
};

/* What a tool must have to work. All of it is shown before a new tool is
 * trusted. Lists are NULL-ended. */
struct manifest_needs {
    /* absolute paths, "~/x", or "workspace", the caller's directory. "/" in
     * read is everything but secrets. Written paths must exist */
    const char *read[MANIFEST_LIST_MAX + 1];
    const char *write[MANIFEST_LIST_MAX + 1];
    bool network;       /* IPv4 and IPv6; "none" and "internet" in the file */
    bool all_processes; /* "processes": "all": it sees the machine's processes
                           and their descriptors, in the profile observe-proc */
    bool state;         /* a directory of its own that persists */
    const char *programs[MANIFEST_LIST_MAX + 1]; /* looked up on PATH */
    /* programs that it may ask to be run as root, by a `need` event */
    const char *privileged[MANIFEST_LIST_MAX + 1];
    int64_t time_limit_ms; /* of a call; 0: only the request's limit */
    int64_t memory_mb;     /* of one process; 0: the setting's */
};

struct manifest {
    const char *name, *version, *summary;
    const char *executable; /* a file beside plugin.json */
    bool step;              /* "confinement": "step": only of a built-in tool */
    bool persistent;        /* one process may answer several requests */
    bool words; /* "form": "words": the program `words` speaks the API for it
                   and starts it anew for each request */
    struct manifest_needs needs;
    struct manifest_action *actions;
    size_t n_actions;
    struct json *root; /* owns what the others point into */
};

/* Reads the text of a plugin.json; `where` names it in errors. ERR_PARSE,
 * ERR_INVALID. */
struct manifest *manifest_parse(const char *text, size_t n, const char *where,
                                struct err *e);
/* Reads DIR/plugin.json, whose name must be that of DIR. Also ERR_NOT_FOUND:
 * there is no manifest, or no executable. */
struct manifest *manifest_read(const char *dir, struct err *e);
void manifest_free(struct manifest *m);
DEFINE_CLEANUP(struct manifest, manifest_free)

/* The action of that name; NULL: there is none. */
const struct manifest_action *manifest_action(const struct manifest *m,
                                              const char *name);

/* Whether a text could name a tool: [a-z0-9][a-z0-9_.-]*, at most 64 bytes. */
bool manifest_is_name(const char *name);

#endif
