/* SPDX-License-Identifier: GPL-3.0-or-later */
/* effects_select.c - what git clean, find or a copied pattern would lose. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/path.h"
#include "guard/effects/effects_scan.h"
#include "guard/effects/find_tests.h"
#include "guard/path/git_files.h"
#include "guard/path/path_table.h"

/* git clean */

#define SETTINGS_MAX (64 * 1024) /* people write these files by hand */

/* The options of a call of git clean, and the state of its scan. */
struct git_clean {
    struct effects_scan *scan;
    const struct git_index *index;
    const char *top;
    bool directories, ignored; /* -d, -x */
    unsigned force; /* given twice: nested repositories are deleted too */
    struct glob_list pending; /* directories still to be scanned */
};

static bool
exists_in(const char *dir, const char *name)
{
    char path[PATH_MAX];
    struct stat st;

    return snprintf(path, sizeof(path), "%s/%s", dir, name) < PATH_MAX &&
           lstat(path, &st) == 0;
}

/* Reads the letters of -fdx. False: a letter has another meaning, such as -X or
 * -e. */
static bool
read_clean_letters(struct git_clean *c, const char *letters)
{
    for (; *letters; letters++) {
        if (*letters == 'f')
            c->force++;
        else if (*letters == 'd')
            c->directories = true;
        else if (*letters == 'x')
            c->ignored = true;
        else if (*letters != 'q')
            return false;
    }
    return true;
}

/* Reads the options of `git clean …`. False: it has a path, or an option that
 * is not known here. */
static bool
read_clean_options(struct git_clean *c, const struct risk_call *call)
{
    for (size_t i = 2; i < call->n; i++) {
        const char *word = call->argv[i];

        if (call->expands && (call->expands[i] & SYNTAX_EXPANDS))
            return false;
        if (strcmp(word, "--force") == 0)
            c->force++;
        else if (word[0] != '-' || word[1] == '-' || !word[1] ||
                 !read_clean_letters(c, word + 1))
            return false;
    }
    return c->force > 0;
}

/* Whether a file of settings contains the word or, without a word, any line
 * that is no comment. */
static bool
file_mentions(const char *path, const char *word)
{
    CLEANUP_BUF struct buf b = buf_of(SETTINGS_MAX);
    struct stat st;

    if (file_read(path, &b, NULL) < 0)
        return lstat(path, &st) == 0;
    if (word)
        return strcasestr(b.p, word) != NULL;
    for (const char *p = b.p; *p; p += strcspn(p, "\n"), p += *p == '\n')
        if (!strchr("#\n", *p))
            return true;
    return false;
}

static bool
file_below_mentions(const char *dir, const char *name, const char *word)
{
    char path[PATH_MAX];

    return snprintf(path, sizeof(path), "%s/%s", dir, name) < PATH_MAX &&
           file_mentions(path, word);
}

/* Only git knows which files its patterns ignore, so nobody else can tell what
 * git clean keeps when patterns exist outside the working tree. */
static bool
may_have_ignores(const struct git_clean *c)
{
    CLEANUP(free_p) char *git = git_index_dir(c->top);
    const struct git_person who = path_context_person(c->scan->where);
    char path[PATH_MAX];
    size_t at = 0;

    while (git_files_next(GIT_FILES_SYSTEM | GIT_FILES_PERSON, &who, &at, path))
        if (file_mentions(path, "excludesfile"))
            return true;
    at = 0;
    while (git_files_next(GIT_FILES_IGNORE, &who, &at, path))
        if (file_mentions(path, NULL))
            return true;
    return !git || file_below_mentions(git, "info/exclude", NULL) ||
           file_below_mentions(git, "config", "excludesfile");
}

static void
clean_subdirectory(struct git_clean *c, const char *path, const char *name)
{
    if (git_index_has_below(c->index, name))
        glob_list_add(&c->pending, path, strlen(path));
    else if (c->directories && (c->force > 1 || !exists_in(path, ".git")))
        effects_scan_add(c->scan, path, RISK_DELETES, true);
}

/* False: it is not known which files are ignored. */
static bool
clean_entry(struct git_clean *c, const char *dir, const char *entry)
{
    char path[PATH_MAX];
    const char *name;
    struct stat st;

    if (strcmp(entry, ".") == 0 || strcmp(entry, "..") == 0 ||
        strcmp(entry, ".git") == 0)
        return true;
    if (!c->ignored && strcmp(entry, ".gitignore") == 0)
        return false;
    if (snprintf(path, sizeof(path), "%s/%s", dir, entry) >= PATH_MAX ||
        lstat(path, &st) < 0)
        return true;
    name = path + strlen(c->top) + 1;
    if (S_ISDIR(st.st_mode))
        clean_subdirectory(c, path, name);
    else if (!git_index_has(c->index, name))
        effects_scan_add(c->scan, path, RISK_DELETES, false);
    return true;
}

static bool
clean_directory_entries(struct git_clean *c, const char *dir)
{
    CLEANUP(dir_close_p) DIR *d = opendir(dir);
    const struct dirent *entry;

    while (d && glob_limit_take(&c->scan->limit) &&
           (entry = readdir(d)) != NULL)
        if (!clean_entry(c, dir, entry->d_name))
            return false;
    return true;
}

/* False: it is not known what would be deleted. */
static bool
scan_git_clean(struct effects_scan *scan, const struct risk_call *call,
               const char *dir)
{
    struct git_clean c = {.scan = scan};
    char inside[PATH_MAX], cwd[PATH_MAX];
    bool known;

    if (!dir || !read_clean_options(&c, call) || !realpath(dir, cwd) ||
        snprintf(inside, sizeof(inside), "%s/.", cwd) >= PATH_MAX)
        return false;
    /* the repository of cwd itself, which may be its top */
    c.index = effects_open_index(scan, inside);
    c.top = scan->top;
    if (!c.index || (!c.ignored && may_have_ignores(&c)))
        return false;
    glob_list_add(&c.pending, cwd, strlen(cwd));
    known = true;
    for (size_t i = 0; i < c.pending.n && known; i++)
        known = clean_directory_entries(&c, c.pending.v[i]);
    scan->out->more |= c.pending.more;
    glob_list_done(&c.pending);
    return known;
}

/* Recognises git clean, whose path is `.`, the directory that it starts in. */
static bool
is_git_clean(struct effects_scan *scan, const struct risk_call *call,
             const struct risk_path *p)
{
    bool clean = false;

    if (strcmp(call->name, "git") != 0)
        return false;
    for (size_t i = 1; i < call->n && !clean; i++)
        clean = strcmp(call->argv[i], "clean") == 0;
    if (!clean)
        return false;
    /* an option before the verb may name another directory */
    scan->out->unknown |= strcmp(call->argv[1], "clean") != 0 ||
                          strcmp(p->text, ".") != 0 ||
                          !scan_git_clean(scan, call, p->dir);
    if (scan->where->home && p->dir &&
        path_is_below(scan->where->home, p->dir) && strcmp(p->text, ".") == 0)
        effects_refuse(scan, "everything in ", p->dir, " not tracked by git");
    return true;
}

struct find_walk {
    struct effects_scan *scan;
    const struct find_tests *tests;
    enum risk_use use;
    bool deep; /* -exec rm -r: a directory is deleted with all its contents */
    size_t root_len;
    dev_t device;
    struct glob_list pending;
};

static unsigned
depth_below_root(const struct find_walk *f, const char *path)
{
    unsigned depth = 0;

    for (const char *p = path + f->root_len; *p; p++)
        depth += *p == '/';
    return depth;
}

static void
find_visit(struct find_walk *f, const char *path)
{
    unsigned depth = depth_below_root(f, path);
    struct stat st;
    bool hit;

    if (lstat(path, &st) < 0)
        return;
    if (depth == 0)
        f->device = st.st_dev;
    hit = find_tests_hold(f->tests, path, &st, depth);
    if (hit)
        effects_scan_add(f->scan, path, f->use, f->deep && S_ISDIR(st.st_mode));
    if (!S_ISDIR(st.st_mode) || depth >= f->tests->max_depth ||
        (hit && f->deep))
        return;
    if (st.st_dev == f->device)
        glob_list_add(&f->pending, path, strlen(path));
    else
        f->scan->limit.more = true;
}

static void
find_visit_directory(struct find_walk *f, const char *dir)
{
    CLEANUP(dir_close_p) DIR *d = opendir(dir);
    const struct dirent *entry;

    while (d && glob_limit_take(&f->scan->limit) &&
           (entry = readdir(d)) != NULL) {
        char path[PATH_MAX];

        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        if (snprintf(path, sizeof(path), "%s%s%s", dir, dir[1] ? "/" : "",
                     entry->d_name) < PATH_MAX)
            find_visit(f, path);
    }
}

static void
find_walk_root(struct find_walk *f, const char *root)
{
    f->root_len = root[1] ? strlen(root) : 0;
    find_visit(f, root);
    for (size_t i = 0; i < f->pending.n; i++)
        find_visit_directory(f, f->pending.v[i]);
    f->scan->out->more |= f->pending.more;
    glob_list_done(&f->pending);
}

/* find with tests
 *
 * The call of find that passes `{}` to another command. */
static const struct risk_call *
find_with_exec(const struct risk *r, const struct risk_path *p)
{
    for (size_t i = 0; i < r->n_calls; i++) {
        const struct risk_call *c = &r->calls[i];

        if (strcmp(c->name, "find") == 0 && c->from <= p->from &&
            p->from < c->to)
            return c;
    }
    return NULL;
}

/* The call of find whose output xargs, directly behind it, passes on. */
static const struct risk_call *
find_before_xargs(const struct risk *r, const struct risk_path *p)
{
    const struct risk_call *last = NULL;

    for (size_t i = 1; i < r->n_calls; i++)
        if (strcmp(r->calls[i].wrapper, "xargs") == 0 &&
            strcmp(r->calls[i - 1].name, "find") == 0 &&
            r->calls[i - 1].to <= p->from)
            last = &r->calls[i - 1];
    return last;
}

/* Whether find starts there: it is one of the paths among its first words. */
static bool
is_find_root(const struct risk_path *p, const struct risk_call *c)
{
    if (p->use != RISK_READS || p->from < c->from || p->from >= c->to)
        return false;
    for (size_t i = 1; i < c->n && !strchr("-(!", c->argv[i][0]); i++)
        if (strcmp(c->argv[i], p->text) == 0)
            return true;
    return false;
}

/* Adds what passes the tests below a root, touched as p is. */
static void
find_from(struct effects_scan *scan, const struct find_tests *tests,
          const struct risk_path *p, const struct risk_path *root)
{
    struct find_walk f = {.scan = scan, .tests = tests, .use = p->use};
    struct glob_list found = {0};
    char all_of[PATH_MAX];

    /* find -delete removes a directory only when it is empty */
    f.deep = p != root && p->recursive;
    if (!tests->narrow && p->use == RISK_DELETES)
        effects_check_deleted(scan, root);
    if (!effects_expand(scan, root, &found, all_of))
        scan->out->unknown = true;
    for (size_t i = 0; i < found.n && !scan->out->protected_path; i++)
        find_walk_root(&f, found.v[i]);
    glob_list_done(&found);
}

/* Whether a {} of this call was scanned for the same use; marks it as
 * scanned. */
static bool
was_scanned(struct effects_scan *scan, const struct risk_call *c,
            const struct risk_path *p)
{
    unsigned use = 1u << (2 * p->use + p->recursive);
    bool known;

    if (scan->find != c)
        scan->find_uses = 0;
    known = scan->find_uses & use;
    scan->find = c;
    scan->find_uses |= use;
    return known;
}

/* Scans find … -exec rm {} and find … | xargs rm. Without a root, find starts
 * in the working directory. */
static bool
scan_find_exec(struct effects_scan *scan, const struct risk_path *p)
{
    const struct risk_call *c = NULL;
    struct risk_path here = {.known = true, .text = ".", .dir = p->dir};
    struct find_tests tests;
    bool rooted = false;

    if (strcmp(p->text, "{}") != 0)
        return false;
    c = find_with_exec(scan->r, p);
    if (!c)
        c = find_before_xargs(scan->r, p);
    if (!c)
        return false;
    if (was_scanned(scan, c, p))
        return true;
    if (!find_tests_read(c, &tests)) {
        scan->out->unknown = true;
        return true;
    }
    for (size_t i = 0; i < scan->r->n_paths; i++) {
        if (!is_find_root(&scan->r->paths[i], c))
            continue;
        find_from(scan, &tests, p, &scan->r->paths[i]);
        rooted = true;
    }
    if (!rooted)
        find_from(scan, &tests, p, &here);
    return true;
}

static void
scan_find_delete(struct effects_scan *scan, const struct risk_call *call,
                 const struct risk_path *p)
{
    struct find_tests tests;

    if (find_tests_read(call, &tests))
        find_from(scan, &tests, p, p);
    else
        scan->out->unknown = true;
}

/* The directory that a call starts in, if only `cd` with plain words changes
 * it. False: not known. */
static bool
find_working_directory(const struct effects_scan *scan,
                       const struct risk_call *call, char out[PATH_MAX])
{
    bool cut;

    if (!scan->where->cwd || strlen(scan->where->cwd) >= PATH_MAX)
        return false;
    snprintf(out, PATH_MAX, "%s", scan->where->cwd);
    for (const struct risk_call *c = scan->r->calls; c < call; c++) {
        char from[PATH_MAX];

        if (strcmp(c->name, "pushd") == 0 || strcmp(c->name, "popd") == 0)
            return false;
        if (strcmp(c->name, "cd") != 0)
            continue;
        memcpy(from, out, sizeof(from));
        if (c->n > 2 ||
            !path_absolute(c->n == 2 ? c->argv[1] : "~", from, scan->where, out,
                           &cut) ||
            cut)
            return false;
    }
    return true;
}

bool
effects_select_here(struct effects_scan *scan, const struct risk_call *call)
{
    char dir[PATH_MAX];
    struct risk_path p = {.use = RISK_DELETES,
                          .recursive = true,
                          .known = true,
                          .text = ".",
                          .dir = dir};
    bool deletes = false;

    if (strcmp(call->name, "find") != 0 || call->n < 2 ||
        !strchr("-(!", call->argv[1][0]))
        return false;
    for (size_t i = 1; i < call->n; i++)
        deletes |= strcmp(call->argv[i], "-delete") == 0;
    if (!deletes || !find_working_directory(scan, call, dir))
        return false;
    scan_find_delete(scan, call, &p);
    return true;
}

bool
effects_select(struct effects_scan *scan, const struct risk_call *call,
               const struct risk_path *p)
{
    struct find_tests tests;

    if (!p->known)
        return scan_find_exec(scan, p);
    if (!call || p->use != RISK_DELETES)
        return false;
    if (is_git_clean(scan, call, p))
        return true;
    if (strcmp(call->name, "find") != 0)
        return false;
    /* without tests it equals rm -r: p stands for itself and everything below
     * it */
    if (find_tests_read(call, &tests) && !tests.narrow && !tests.type &&
        !tests.min_depth)
        return false;
    scan_find_delete(scan, call, p);
    return true;
}

/* A copy of a pattern
 *
 * Whether a path is what p copies: the line names it, and it ends as p does. */
static bool
is_source(const struct risk_path *source, const struct risk_path *p)
{
    return source != p && source->word && source->known &&
           source->from < p->from && source->use != RISK_CHANGES &&
           strcmp(path_base(source->text), path_base(p->text)) == 0;
}

static void
add_overwritten(struct effects_scan *scan, const char *dir,
                const struct glob_list *sources)
{
    for (size_t i = 0; i < sources->n; i++) {
        char path[PATH_MAX];

        if (snprintf(path, sizeof(path), "%s/%s", dir,
                     path_base(sources->v[i])) < PATH_MAX)
            effects_scan_add(scan, path, RISK_CHANGES, false);
    }
}

bool
effects_copy(struct effects_scan *scan, const struct risk_path *p)
{
    char dir[PATH_MAX], all_of[PATH_MAX];
    const char *base = path_base(p->text);
    struct risk_path into = *p;
    struct glob_list dirs = {0}, sources = {0};
    bool known = false;

    if (base == p->text || base - p->text >= PATH_MAX || !base[0])
        return false;
    snprintf(dir, sizeof(dir), "%.*s", (int)(base - p->text), p->text);
    into.text = dir;
    for (size_t i = 0; i < scan->r->n_paths; i++)
        if (is_source(&scan->r->paths[i], p))
            known = effects_expand(scan, &scan->r->paths[i], &sources, all_of);
    if (known)
        known = effects_expand(scan, &into, &dirs, all_of);
    for (size_t i = 0; known && i < dirs.n; i++)
        add_overwritten(scan, dirs.v[i], &sources);
    scan->out->more |= sources.more;
    glob_list_done(&sources);
    glob_list_done(&dirs);
    return known;
}
