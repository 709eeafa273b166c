/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spec.h - what a confined child is started with.
 *
 * sandbox/ runs one child, confined. It must not know what the child is for:
 * it gets a profile, directories and an argv. The front fills a spec and
 * starts agentsh-launch with its words; the launcher (launch.c), a small
 * static program, reads them back. What is missing on this machine is
 * ERR_SANDBOX with the layer's name and exit status 125: nothing ran. */
#ifndef SANDBOX_SPEC_H
#define SANDBOX_SPEC_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "guard/path/secret_tree.h"
#include "guard/profile/profile.h"

#define SPEC_PATHS_MAX 32
/* What is closed below home directories, one each, and what is shown of it; and
 * the files that are closed in a workspace. */
#define SPEC_SECRETS_MAX  (320 + SECRET_TREE_MAX)
#define SPEC_READABLE_MAX 160

struct sandbox_spec {
    enum profile profile;
    bool net;              /* IPv4, IPv6 beside netlink */
    const char *workspace; /* absolute, NULL: none */
    const char *home;      /* absolute, NULL: none */
    /* absolute paths: writable as the workspace is; readable below $HOME, or
     * over the private /tmp and its like, files and directories;
     * caches, empty and writable (writes vanish); our own programs, bound
     * read-only at their own place. NULL at the end. */
    const char *writable[SPEC_PATHS_MAX + 1];
    const char *readable[SPEC_READABLE_MAX + 1];
    const char *cache[SPEC_PATHS_MAX + 1];
    const char *programs[SPEC_PATHS_MAX + 1];
    const char *secret[SPEC_SECRETS_MAX + 1]; /* hidden in `observe` too */
    /* the workspace is a copy-on-write view: upper and work directories are
     * made here. Of preview, and of read-only and observe for a step of which
     * only additions are kept */
    const char *preview;
    bool copied; /* it is not made, but there: `upper`, a copy of the workspace.
                    Where it is reduced that is `workspace` itself */
    int64_t limit_ms; /* wall clock; 0: none. Exit status 124 + a note */
    uint64_t memory_bytes, file_bytes; /* 0: the defaults */
    unsigned processes;                /* 0: the default */
    bool sees_all;     /* of `plugin`: the files are seen as they are on the
                          machine, less the secret ones */
    const char *state; /* of a tool: one of `writable` is its own, which its
                          environment names */
    bool owners;  /* of observe: without a user namespace, which would hide who
                     owns what; its files are kept by Landlock alone */
    bool reduced; /* of any but preview, full and observe-proc: without
                     namespaces; its files are kept by Landlock alone, and
                     /tmp and its like are not seen, but for a new directory
                     that TMPDIR names */
    bool keep_terminal; /* stays in the session: job control, /dev/tty */
    bool leave;  /* in `full`: what the program leaves behind when it ends by
                    itself stays, as the daemons that it is to start do */
    bool report; /* one line a refused call on descriptor 3 */
};

/* Whether it is confined without namespaces, by Landlock and the filter. */
bool spec_is_reduced(const struct sandbox_spec *s);

/* Whether it may write anywhere but to devices and what is its own. */
bool spec_writes(const struct sandbox_spec *s);

/* The launcher's words: "agentsh-launch --profile=… -- argv…", each appended
 * with its NUL; *words is their number. argv ends with NULL. */
int spec_write(const struct sandbox_spec *s, const char *const *argv,
               struct buf *out, size_t *words, struct err *e);

/* These words as argv, which the caller frees; its texts stay in `words`. */
const char **spec_argv(const struct buf *words, size_t n, struct err *e);

/* Reads them back; every text points into argv. *rest: index of the program. */
int spec_read(int argc, char **argv, struct sandbox_spec *out, int *rest,
              struct err *e);

#endif
