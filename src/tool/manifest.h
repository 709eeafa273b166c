/* SPDX-License-Identifier: GPL-3.0-or-later */
/* manifest.h - plugin.json: what a tool is, offers and needs.
 *
 * Its form is described for people in agentsh-plugin(7). A manifest is bytes
 * from outside: an unknown member, a schema with an unknown keyword, a path
 * that is neither absolute nor below ~ is an error that names the file and
 * the place in it, and the tool is not used. */
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
#define MANIFEST_LIST_MAX    16 /* of each list of paths or names */

/* What one action does. Strings and JSON are borrowed from the manifest. */
struct manifest_action {
    const char *name, *summary;
    bool read_only;   /* hint: changes nothing; false unless it says so */
    bool destructive; /* hint: may lose data; true unless it says otherwise */
    const struct json *args, *meta; /* their schemas as written; meta: NULL */
    struct json_schema *args_check, *meta_check; /* meta_check: NULL: any */
    /* the arguments (strings, or lists of strings) that name a path which it
     * reads, a path which it writes, a host that it contacts; NULL-ended */
    const char *reads[MANIFEST_LIST_MAX + 1];
    const char *writes[MANIFEST_LIST_MAX + 1];
    const char *hosts[MANIFEST_LIST_MAX + 1];
};

/* What it cannot do without; all of it is shown before a tool from a new
 * place is used. Lists are NULL-ended. */
struct manifest_needs {
    /* absolute, "~/x", or "workspace"; "/" in read: everything but secrets.
     * Written paths must be there; the workspace is the caller's directory */
    const char *read[MANIFEST_LIST_MAX + 1];
    const char *write[MANIFEST_LIST_MAX + 1];
    bool network;       /* IPv4 and IPv6; "none" and "internet" in the file */
    bool all_processes; /* "processes": "all": sees the machine's, with their
                           descriptors; runs in the profile observe-proc */
    bool state;         /* a directory of its own to keep things in */
    const char *programs[MANIFEST_LIST_MAX + 1]; /* looked up on PATH */
    /* programs that it may ask the front to run with the right to change the
     * machine, by a `need` event */
    const char *privileged[MANIFEST_LIST_MAX + 1];
    int64_t time_limit_ms; /* a call's longest; 0: none but the request's */
    int64_t memory_mb;     /* of one process; 0: the setting's */
};

struct manifest {
    const char *name, *version, *summary;
    const char *executable; /* a file beside plugin.json */
    bool step;              /* "confinement": "step": only of a built-in tool */
    bool persistent;        /* one process may answer several requests */
    bool words; /* "form": "words": started once a request by the program
                   `words`, which speaks the API for it */
    struct manifest_needs needs;
    struct manifest_action *actions;
    size_t n_actions;
    struct json *root; /* owns what the others point into */
};

/* From plugin.json's text; `where` names it in errors. ERR_PARSE,
 * ERR_INVALID. */
struct manifest *manifest_parse(const char *text, size_t n, const char *where,
                                struct err *e);
/* From DIR/plugin.json; its name must be that of DIR. Also ERR_NOT_FOUND: no
 * manifest, or no executable. */
struct manifest *manifest_read(const char *dir, struct err *e);
void manifest_free(struct manifest *m);
DEFINE_CLEANUP(struct manifest, manifest_free)

/* NULL: it has no such action. */
const struct manifest_action *manifest_action(const struct manifest *m,
                                              const char *name);

/* Whether a text could name a tool: [a-z0-9][a-z0-9_.-]*, at most 64 bytes. */
bool manifest_is_name(const char *name);

#endif
