/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spec.h - everything that describes one confined child.
 *
 * The folder sandbox/ runs one child process in a sandbox. It does not know
 * what the child is for: the caller gives it a profile, directories and an
 * argv. The front fills in a struct sandbox_spec and starts agentsh-launch
 * with the words that spec_write makes of it; the launcher (launch/launch.c),
 * a small static program, reads them back with spec_read.
 *
 * What can fail: where this machine lacks a layer of the sandbox, the error is
 * ERR_SANDBOX with the layer's name, the exit status is 125, and nothing was
 * run. */
#ifndef SANDBOX_SPEC_H
#define SANDBOX_SPEC_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "guard/path/secret_tree.h"
#include "guard/profile/profile.h"

#define SPEC_PATHS_MAX 32
/* One for each closed entry of a home directory, and for each file of the
 * workspace that is closed. */
#define SPEC_SECRETS_MAX  (320 + SECRET_TREE_MAX)
#define SPEC_READABLE_MAX 160

struct sandbox_spec {
    enum profile profile;
    bool net;              /* IPv4 and IPv6 sockets, in addition to netlink */
    const char *workspace; /* absolute; NULL: there is none */
    const char *home;      /* absolute; NULL: there is none */
    /* Lists of absolute paths, each with a NULL at its end: directories that
     * are writable as the workspace is; files and directories that can be read
     * below $HOME, or in place of the private /tmp and similar directories;
     * caches, which are empty and writable, and whose contents are lost; our
     * own programs, bound read-only at their own path. */
    const char *writable[SPEC_PATHS_MAX + 1];
    const char *readable[SPEC_READABLE_MAX + 1];
    const char *cache[SPEC_PATHS_MAX + 1];
    const char *programs[SPEC_PATHS_MAX + 1];
    const char *secret[SPEC_SECRETS_MAX + 1]; /* hidden, in `observe` too */
    /* The workspace is seen through a copy-on-write view, whose upper and work
     * directories are created in this directory. Used by the profile preview,
     * and by read-only and observe for a step of which only additions are
     * kept (preview/additions.h). */
    const char *preview;
    bool copied; /* the view is a copy of the workspace that already exists in
                    `upper`; in a reduced sandbox `workspace` is that copy */
    int64_t limit_ms; /* wall-clock limit; 0: none. At the limit the exit
                         status is 124, with a message */
    uint64_t memory_bytes, file_bytes; /* 0: the default (launch/limits.h) */
    unsigned processes;                /* 0: the default */
    bool sees_all;     /* profile `plugin`: the child sees the machine's files
                          as they are, except the secret ones */
    const char *state; /* a tool's own directory, one of `writable`; its
                          environment names it */
    bool owners;  /* profile `observe`: no user namespace, which would hide who
                     owns a file; Landlock alone protects the files */
    bool reduced; /* no namespaces, for any profile but preview, full and
                     observe-proc: Landlock alone protects the files. /tmp and
                     similar directories are hidden; TMPDIR names a new one */
    bool keep_terminal; /* the child stays in the session: it has job control
                           and /dev/tty */
    bool leave;  /* profile `full`: processes that the program leaves behind
                    when it ends by itself go on, as daemons must */
    bool alike;  /* a signal that ended the program ends the launcher too,
                    which has no status 128 + signal then */
    bool report; /* descriptor 3 gets a line for each refused system call */
};

/* Returns whether the child is confined without namespaces, by Landlock and
 * the seccomp filter alone. */
bool spec_is_reduced(const struct sandbox_spec *s);

/* Returns whether the child may write anywhere except to devices and to its
 * own state directory. */
bool spec_writes(const struct sandbox_spec *s);

/* Returns whether the home directory is hidden, except for the readable
 * paths. */
bool spec_hides_home(const struct sandbox_spec *spec);

/* Returns whether the child sees what is on disk at an absolute path. */
bool spec_shows_path(const struct sandbox_spec *spec, const char *path);

/* Appends the launcher's words to out, each with its NUL:
 * "agentsh-launch --profile=... -- argv...". argv ends with NULL; *words
 * becomes the number of words. ERR_INVALID: a path is not absolute, or the
 * spec has no profile or program. */
int spec_write(const struct sandbox_spec *s, const char *const *argv,
               struct buf *out, size_t *words, struct err *e);

/* Returns the n words as an argv, which the caller frees; its strings are
 * those of `words` and live as long. NULL with ERR_NOMEM. */
const char **spec_argv(const struct buf *words, size_t n, struct err *e);

/* Reads the words back. Every string of *out points into argv; *rest becomes
 * the index of the program. ERR_USAGE names the option that is wrong. */
int spec_read(int argc, char **argv, struct sandbox_spec *out, int *rest,
              struct err *e);

/* Errors that name the missing layer of the sandbox. All return -1. */

#define SANDBOX_LAYER_MOUNTS "mounts"

/* Sandboxed root has no right to read what belongs to another user. */
#define SANDBOX_LAYER_CLOSED                                                   \
    "install it, or put it, where the user that runs it may read without "     \
    "root's rights"

/* ERR_SANDBOX: "sandbox: LAYER: REASON", the reason being errno's. */
int sandbox_layer_missing(struct err *e, const char *layer);

/* The same for a part of a layer: "sandbox: LAYER: PART: REASON". */
int sandbox_layer_missing_at(struct err *e, const char *layer,
                             const char *part);

/* The same for a file. Where errno is EACCES, the text also says what the
 * person can do (SANDBOX_LAYER_CLOSED). */
int sandbox_layer_closed_at(struct err *e, const char *layer, const char *part);

#endif
