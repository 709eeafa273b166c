/* SPDX-License-Identifier: GPL-3.0-or-later */
/* repair_find.h - what is really there: candidates, facts and conditions that a
 * rule names.
 *
 * Each is one bounded look at files; nothing is run, no name is resolved over
 * a network, nothing waits: a FIFO is not opened. What it finds is as
 * untrusted as a message. */
#ifndef OFFLINE_REPAIR_REPAIR_FIND_H
#define OFFLINE_REPAIR_REPAIR_FIND_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/seat.h"
#include "offline/repair/repair_command.h"

#define REPAIR_ENTRIES_MAX 20000        /* looked at for one candidate */
#define REPAIR_FILE_MAX    (256u << 10) /* bytes of a file that is read */

/* Where a rule looks. */
struct repair_place {
    const struct seat *seat;
    const struct repair_command *command;
    const char *message; /* as the rules read it */
};

/* The candidate that is nearest so far. */
struct repair_near {
    const char *word;     /* as it was typed; borrowed */
    const char *favoured; /* a list of repair_words.h whose words go first */
    char best[PATH_MAX];  /* "": none is near */
    size_t score;
    size_t left; /* how many more are looked at */
};

/* repair_near.c: a candidate is near when at most a third of its letters
 * differ. Of several the one with the fewest edits is best, then one that is
 * favoured, has the same first letter, or the same letters. */
void repair_near_init(struct repair_near *n, const char *word,
                      const char *favoured);
void repair_near_offer(struct repair_near *n, const char *candidate);
/* Names in a directory; those that begin with a dot only for such a word. */
void repair_near_entries(const struct repair_place *p, struct repair_near *n,
                         const char *dir, bool directories, bool programs);
/* The path with each part that is not there as its nearest name. */
bool repair_near_path(const struct repair_place *p, const char *path,
                      bool directory, char out[PATH_MAX]);

/* repair_git.c */
void repair_git_near(const struct repair_place *p, const char *what,
                     struct repair_near *n);
/* "branch": that of HEAD; "remote": the only one, or origin; "root": where the
 * repository is; "default": the branch that origin's HEAD names, or main or
 * master where one of them is there. */
bool repair_git_fact(const struct repair_place *p, const char *what,
                     char out[PATH_MAX]);

/* repair_project.c: targets of the makefile, scripts of package.json. */
void repair_project_targets(const struct repair_place *p,
                            struct repair_near *n);
void repair_project_scripts(const struct repair_place *p,
                            struct repair_near *n);

/* repair_file.c: the kind of a file by its first bytes (gzip, bzip2, xz, zstd,
 * zip, tar, 7z, rar, elf, crlf, script, text), and what its first line runs.
 */
bool repair_file_kind(const struct repair_place *p, const char *path,
                      char out[PATH_MAX]);
bool repair_file_interpreter(const struct repair_place *p, const char *path,
                             char out[PATH_MAX]);
/* Reads the begin of a regular file, at most out->max bytes of it. */
bool repair_file_begin(const struct repair_place *p, const char *path,
                       struct buf *out);

/* repair_machine.c: the process (its number) that listens on a port of this
 * machine; whether a program runs, in a directory or below it ("": anywhere);
 * whether the index of this distribution's
 * packages, as it was last fetched, names a package, and it is found within
 * 400 ms: this is the one look that reads much. */
bool repair_machine_holder(const struct repair_place *p, const char *port,
                           char out[PATH_MAX]);
bool repair_machine_runs(const char *program, const char *below);
bool repair_machine_has_package(const struct repair_place *p,
                                const char *package);

/* The kinds, by name and argument ("list:git", "in:/usr/share/zoneinfo");
 * repair_find.c. False: nothing was found, or there is no such kind. */
bool repair_find_near(const struct repair_place *p, const char *kind,
                      const char *word, char out[PATH_MAX]);
bool repair_find_fact(const struct repair_place *p, const char *kind,
                      const char *value, char out[PATH_MAX]);
bool repair_find_holds(const struct repair_place *p, const char *condition,
                       const char *value);

/* Whether there is such a kind, for a check of the rules: `row` is near, find
 * or if. */
bool repair_find_is_kind(const char *row, const char *kind);

#endif
