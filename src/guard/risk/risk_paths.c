/* SPDX-License-Identifier: GPL-3.0-or-later */
/* risk_paths.c - what it means to touch a path: whose it is, what is lost. */
#include "guard/risk/risk_paths.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/path.h"
#include "guard/path/path_table.h"
#include "guard/risk/risk_args.h"
#include "guard/risk/risk_memory.h"
#include "guard/risk/risk_places.h"

#define NAMED_MAX   64    /* bytes of a path that a reason names */
#define SEEN_MAX    8     /* a root behind a root behind a directory */
#define ENTRIES_MAX 65536 /* of directories, for one line: then who knows */

/* The kernel shows a process's working directory and its root: what is named
 * through them lies elsewhere. Whoever the process is, its directory is taken
 * for dir. */
static bool
see_through(char *path, const char *dir)
{
    char seen[PATH_MAX];
    const char *rest = strchr(path + 1, '/');
    unsigned kinds = path_kinds(path);
    int n;

    if (!(kinds & PATH_IS_VIRTUAL) || kinds & PATH_IS_DEVICE || !rest ||
        !(rest = strchr(rest + 1, '/')))
        return false;
    if (strncmp(rest, "/task/", 6) == 0 && !(rest = strchr(rest + 6, '/')))
        return false;
    rest++;
    if (strncmp(rest, "root", 4) == 0 && (!rest[4] || rest[4] == '/'))
        n = snprintf(seen, sizeof(seen), "/%s", rest + 4);
    else if (dir && strncmp(rest, "cwd", 3) == 0 &&
             (!rest[3] || rest[3] == '/'))
        n = snprintf(seen, sizeof(seen), "%s%s", dir, rest + 3);
    else
        return false;
    if (n < 0 || n >= (int)sizeof(seen))
        return false;
    snprintf(path, PATH_MAX, "%s", seen);
    path_clean(path);
    return true;
}

/* The absolute path of an argument, * standing for what is not known. false:
 * nobody knows where it begins. */
static bool
resolve(const struct risk_state *st, const struct risk_arg *a, char *out)
{
    const char *text = a->known ? a->text : a->glob;
    const char *home = st->where->home;
    const char *dir = st->directory->dir;
    int n;

    if (a->tilde) {
        if (!home || (text[1] && text[1] != '/'))
            return false;
        n = snprintf(out, PATH_MAX, "%s%s", home, text + 1);
    } else if (text[0] == '/') {
        n = snprintf(out, PATH_MAX, "%s", text);
    } else {
        if (!dir || (!a->known && text[0] == '*' && strchr(text, '/')))
            return false;
        n = snprintf(out, PATH_MAX, "%s/%s", dir, text);
    }
    if (n < 0 || n >= PATH_MAX)
        return false;
    path_clean(out);
    for (int i = 0; i < SEEN_MAX && see_through(out, dir); i++)
        ;
    return true;
}

bool
risk_is_directory(const struct risk_state *st, const struct risk_arg *a)
{
    char path[PATH_MAX];
    struct stat s;

    return a->known && resolve(st, a, path) && stat(path, &s) == 0 &&
           S_ISDIR(s.st_mode);
}

/* Whether a file's bytes are there. A device or a FIFO loses nothing, nor
 * does what the kernel shows as a file. */
static bool
holds_bytes(const char *path)
{
    struct stat s;

    return !(risk_place_of(path, NULL) & RISK_PLACE_SHOWN) &&
           stat(path, &s) == 0 && S_ISREG(s.st_mode);
}

/* Whether some file's path fits, or may; what is not known stands in its last
 * part. */
static bool
matches_file(struct risk_state *st, char *pattern)
{
    CLEANUP(dir_close_p) DIR *d = NULL;
    char *name = strrchr(pattern, '/');
    char path[PATH_MAX];
    struct dirent *entry;

    if (st->entries > ENTRIES_MAX)
        return true;
    *name++ = '\0';
    if (strchr(pattern, '*') || !(d = opendir(pattern[0] ? pattern : "/")))
        return false;
    while ((entry = readdir(d))) {
        int n = snprintf(path, sizeof(path), "%s/%s", pattern, entry->d_name);

        if (++st->entries > ENTRIES_MAX ||
            (n > 0 && n < (int)sizeof(path) &&
             risk_matches(name, entry->d_name) && holds_bytes(path)))
            return true;
    }
    return false;
}

bool
risk_exists(struct risk_state *st, const struct risk_arg *a)
{
    char path[PATH_MAX];

    if (a->fresh)
        return false;
    if (a->pattern && a->known && !a->inside)
        return true;
    if (strspn(a->glob, "*") == strlen(a->glob) && !a->known)
        return true;
    if (!resolve(st, a, path))
        return !a->known && !strpbrk(a->glob, "./");
    if (a->known && !a->inside)
        return holds_bytes(path);
    return matches_file(st, path);
}

bool
risk_is_system(const struct risk_state *st, const struct risk_arg *a)
{
    char path[PATH_MAX];

    return resolve(st, a, path) &&
           risk_place_of(path, st->where) & RISK_PLACE_SYSTEM;
}

bool
risk_is_fetched(const struct risk_state *st, const struct risk_arg *a)
{
    char path[PATH_MAX];

    if (!(st->out->facts & RISK_NETWORK) || a->pattern)
        return false;
    return !a->known || !resolve(st, a, path) || access(path, F_OK) < 0;
}

static const char *
without_dot(const char *path)
{
    while (path[0] == '.' && path[1] == '/')
        path += 2;
    return path;
}

bool
risk_is_made(const struct risk_state *st, const struct risk_arg *a)
{
    const char *path = without_dot(a->text);

    for (const struct risk_name *n = st->fetched; n; n = n->next)
        if (n->name[0] && strcmp(n->name, path) == 0)
            return true;
    for (size_t i = 0; i < st->out->n_paths; i++) {
        const struct risk_path *p = &st->out->paths[i];

        if ((p->use == RISK_MAKES || p->use == RISK_CHANGES) &&
            strcmp(without_dot(p->text), path) == 0)
            return true;
    }
    return false;
}

static struct risk_path *
record(struct risk_state *st, const struct risk_arg *a, enum risk_use use,
       bool recursive)
{
    struct risk_path *p = risk_add_path(st);

    if (!p)
        return NULL;
    *p = (struct risk_path){
        .use = use,
        .recursive = recursive,
        .known = a->known,
        .text = a->text,
        .word = a->word,
        .dir = st->directory->dir,
        .from = a->from,
        .to = a->to,
    };
    return p;
}

/* A reason about the path that the word is. */
static void
report(struct risk_state *st, unsigned fact, const struct risk_arg *a,
       const char *name, const char *says)
{
    risk_report(st, fact,
                (struct risk_reason){.kind = RISK_KIND_PATH,
                                     .program = name,
                                     .about = a->text,
                                     .from = a->from,
                                     .to = a->to,
                                     .says = says});
}

static void
say_overwrite(struct risk_state *st, const struct risk_arg *a, const char *name)
{
    const char *how = a->known && !a->inside ? "overwrites " : "may overwrite ";
    bool brief = strlen(a->text) <= NAMED_MAX;

    report(st, RISK_DESTRUCTIVE, a, name,
           risk_join(st, how, brief ? a->text : "existing files"));
}

static void
say_read(struct risk_state *st, const struct risk_arg *a, unsigned place,
         const char *name)
{
    if (place & RISK_PLACE_SECRET)
        report(st, RISK_SECRET, a, name,
               "reads a key, a password or a history");
    if (place & (RISK_PLACE_DISK | RISK_PLACE_CLOSED))
        report(st, RISK_PRIVILEGED, a, name,
               "reads files that only root may read");
}

/* A file of the kernel's that is no file: what is written there stops the
 * machine, takes a device away or changes how the kernel behaves. */
static bool
is_switch(const char *path)
{
    static const char *const ends[] = {"/delete", "/remove", "/unbind",
                                       "/reset", "/offline"};
    unsigned kinds = path_kinds(path);

    if (kinds & PATH_IS_CONTROL)
        return true;
    for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
        size_t n = strlen(path), m = strlen(ends[i]);

        if (n > m && strcmp(path + n - m, ends[i]) == 0)
            return kinds & PATH_IS_VIRTUAL && kinds & PATH_IS_ROOT_WRITABLE;
    }
    return false;
}

static void
say_write(struct risk_state *st, const struct risk_arg *a, unsigned place,
          enum risk_use use, const char *name)
{
    if (place & RISK_PLACE_WIDE_GATE ||
        (use != RISK_MAKES && place & RISK_PLACE_GATE))
        report(st, RISK_DESTRUCTIVE, a, name,
               "changes permissions on this machine");
    if (place & RISK_PLACE_DISK) {
        report(st, RISK_DESTRUCTIVE, a, name, "overwrites a disk");
        report(st, RISK_PRIVILEGED, a, name,
               "writes to a disk, which only root may");
    } else if (place & RISK_PLACE_SYSTEM) {
        report(st, RISK_PRIVILEGED, a, name, "writes where only root may");
    }
}

void
risk_touch(struct risk_state *st, const struct risk_frame *f,
           const struct risk_arg *a, enum risk_use use, bool recursive,
           const char *name)
{
    char path[PATH_MAX];
    unsigned place;

    if (use == RISK_DELETES)
        report(st, RISK_DESTRUCTIVE, a, name,
               st->facts & RISK_DESTRUCTIVE ? "" : "deletes files");
    if (a->process || (a->known && strcmp(a->text, "-") == 0))
        return;
    if (use != RISK_READS)
        report(st, RISK_WRITES, a, name, "");
    if (f->elsewhere)
        return;
    if (use == RISK_CHANGES && risk_exists(st, a))
        say_overwrite(st, a, name);
    (void)record(st, a, use, recursive);
    if (!resolve(st, a, path))
        return;
    place = risk_place_of(path, st->where);
    if (use == RISK_READS)
        say_read(st, a, place, name);
    else
        say_write(st, a, place, use, name);
    if (use != RISK_READS && is_switch(path))
        report(st, RISK_DESTRUCTIVE, a, name, "changes kernel settings");
}

void
risk_list(struct risk_state *st, const struct risk_frame *f,
          const struct risk_arg *a, bool recursive, const char *name)
{
    struct risk_path *p;
    char path[PATH_MAX];
    char *slash;
    bool inside;

    if (a->process || f->elsewhere)
        return;
    p = record(st, a, RISK_READS, recursive);
    if (p)
        p->listed = true;
    if (!resolve(st, a, path))
        return;
    inside = recursive || risk_is_directory(st, a);
    slash = strrchr(path, '/');
    if (!inside && slash && slash > path)
        *slash = '\0';
    if (risk_place_of(path, st->where) & RISK_PLACE_CLOSED)
        report(st, RISK_PRIVILEGED, a, name,
               "reads files that only root may read");
}
