/* SPDX-License-Identifier: GPL-3.0-or-later */
/* repair_git.c - branches, tags and remotes, from git's own files. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/str.h"
#include "offline/repair/repair_find.h"

#define PARENTS_MAX   40
#define REF_DEPTH_MAX 6
#define PACKED_MAX    (1u << 20)

struct git_places {
    char root[PATH_MAX];   /* of the work tree */
    char own[PATH_MAX];    /* HEAD and the index */
    char common[PATH_MAX]; /* refs and config */
};

/* Reads a file below a directory as text. */
static bool
read_below(const struct repair_place *p, const char *dir, const char *name,
           struct buf *out)
{
    char path[PATH_MAX];

    if (snprintf(path, sizeof(path), "%s/%s", dir, name) >= (int)sizeof(path))
        return false;
    buf_clear(out);
    return repair_file_begin(p, path, out);
}

/* Appends what a line of the file names, a path below base or an absolute one.
 */
static bool
read_link_line(const char *text, const char *mark, const char *base,
               char out[PATH_MAX])
{
    size_t n;

    if (!str_begins(text, mark))
        return false;
    text += strlen(mark);
    n = strcspn(text, "\n");
    if (text[0] == '/')
        return snprintf(out, PATH_MAX, "%.*s", (int)n, text) < PATH_MAX;
    return snprintf(out, PATH_MAX, "%s/%.*s", base, (int)n, text) < PATH_MAX;
}

static bool
find_places(const struct repair_place *p, struct git_places *g)
{
    CLEANUP_BUF struct buf text = buf_of(PATH_MAX);
    char path[PATH_MAX];
    struct stat st;

    if (!seat_dir(p->seat))
        return false;
    snprintf(g->root, sizeof(g->root), "%s", seat_dir(p->seat));
    for (size_t i = 0;; i++) {
        char *slash = strrchr(g->root, '/');

        if (snprintf(path, sizeof(path), "%s/.git", g->root) >=
            (int)sizeof(path))
            return false;
        if (seat_stat(p->seat, path, 0, &st) == 0)
            break;
        if (!slash || slash == g->root || i == PARENTS_MAX)
            return false;
        *slash = '\0';
    }
    snprintf(g->own, sizeof(g->own), "%s", path);
    if (S_ISREG(st.st_mode) &&
        (!repair_file_begin(p, path, &text) ||
         !read_link_line(text.p, "gitdir: ", g->root, g->own)))
        return false;
    snprintf(g->common, sizeof(g->common), "%s", g->own);
    if (read_below(p, g->own, "commondir", &text))
        return read_link_line(text.p, "", g->own, g->common);
    return true;
}

/* Offers the names below refs/KIND, and, for remotes, also without the remote.
 */
static void
offer_ref(struct repair_near *n, const char *name, bool remote)
{
    const char *slash = remote ? strchr(name, '/') : NULL;

    if (slash && strcmp(slash + 1, "HEAD") != 0)
        repair_near_offer(n, slash + 1);
    repair_near_offer(n, name);
}

/* The directories that are still to be read, each a level deeper. */
struct ref_walk {
    char base[PATH_MAX]; /* .../refs/heads */
    char below[REF_DEPTH_MAX][NAME_MAX + 1];
    DIR *open[REF_DEPTH_MAX];
    size_t depth;
};

static bool
enter_refs(const struct repair_place *p, struct ref_walk *w, const char *name)
{
    char path[PATH_MAX];
    size_t n = (size_t)snprintf(path, sizeof(path), "%s", w->base);
    int fd;

    if (w->depth == REF_DEPTH_MAX)
        return false;
    snprintf(w->below[w->depth], sizeof(w->below[0]), "%s", name);
    for (size_t i = 1; i <= w->depth && n < sizeof(path); i++)
        n += (size_t)snprintf(path + n, sizeof(path) - n, "/%s", w->below[i]);
    if (n >= sizeof(path))
        return false;
    fd = openat(seat_fd(p->seat), path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    w->open[w->depth] = fd >= 0 ? fdopendir(fd) : NULL;
    if (!w->open[w->depth]) {
        if (fd >= 0)
            close(fd);
        return false;
    }
    w->depth++;
    return true;
}

static void
offer_refs(const struct repair_place *p, const struct git_places *g,
           const char *kind, struct repair_near *n)
{
    struct ref_walk w = {0};
    bool remote = strcmp(kind, "remotes") == 0;

    if (snprintf(w.base, sizeof(w.base), "%s/refs/%s", g->common, kind) >=
        (int)sizeof(w.base))
        return;
    enter_refs(p, &w, "");
    while (w.depth > 0) {
        struct dirent *x = n->left > 0 ? readdir(w.open[w.depth - 1]) : NULL;
        char name[PATH_MAX];
        size_t len = 0;

        if (!x) {
            closedir(w.open[--w.depth]);
            continue;
        }
        if (x->d_name[0] == '.' || enter_refs(p, &w, x->d_name))
            continue;
        for (size_t i = 1; i < w.depth && len < sizeof(name); i++)
            len += (size_t)snprintf(name + len, sizeof(name) - len, "%s/",
                                    w.below[i]);
        if (len < sizeof(name))
            snprintf(name + len, sizeof(name) - len, "%s", x->d_name);
        offer_ref(n, name, remote);
    }
}

static void
offer_packed(const struct repair_place *p, const struct git_places *g,
             const char *kind, struct repair_near *n)
{
    CLEANUP_BUF struct buf text = buf_of(PACKED_MAX);
    char mark[32], name[PATH_MAX];

    snprintf(mark, sizeof(mark), " refs/%s/", kind);
    if (!read_below(p, g->common, "packed-refs", &text))
        return;
    for (const char *at = text.p; (at = strstr(at, mark));) {
        size_t len;

        at += strlen(mark);
        len = strcspn(at, "\n");
        if (len < sizeof(name)) {
            snprintf(name, sizeof(name), "%.*s", (int)len, at);
            offer_ref(n, name, strcmp(kind, "remotes") == 0);
        }
    }
}

/* The next name of a section [remote "NAME"]. */
static bool
next_remote(const char **at, char out[PATH_MAX])
{
    static const char mark[] = "[remote \"";
    const char *p = strstr(*at, mark);
    size_t n;

    if (!p)
        return false;
    p += strlen(mark);
    n = strcspn(p, "\"\n");
    snprintf(out, PATH_MAX, "%.*s", (int)(n < PATH_MAX ? n : 0), p);
    *at = p + n;
    return true;
}

void
repair_git_near(const struct repair_place *p, const char *what,
                struct repair_near *n)
{
    static const struct {
        const char *what, *kinds[3];
    } rows[] = {{"branch", {"heads", "remotes"}},
                {"local", {"heads"}},
                {"tag", {"tags"}},
                {"ref", {"heads", "tags", "remotes"}}};
    CLEANUP_BUF struct buf text = buf_of(REPAIR_FILE_MAX);
    struct git_places g;
    char name[PATH_MAX];

    if (!find_places(p, &g))
        return;
    if (strcmp(what, "remote") == 0 && read_below(p, g.common, "config", &text))
        for (const char *at = text.p; next_remote(&at, name);)
            repair_near_offer(n, name);
    for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
        for (size_t k = 0; strcmp(what, rows[i].what) == 0 && k < 3; k++) {
            if (!rows[i].kinds[k])
                break;
            offer_refs(p, &g, rows[i].kinds[k], n);
            offer_packed(p, &g, rows[i].kinds[k], n);
        }
    }
}

/* The only remote, or origin among several. */
static bool
choose_remote(const struct repair_place *p, const struct git_places *g,
              char out[PATH_MAX])
{
    CLEANUP_BUF struct buf text = buf_of(REPAIR_FILE_MAX);
    char name[PATH_MAX];
    size_t count = 0;

    if (!read_below(p, g->common, "config", &text))
        return false;
    for (const char *at = text.p; next_remote(&at, name);) {
        count++;
        if (count == 1 || strcmp(name, "origin") == 0)
            snprintf(out, PATH_MAX, "%s", name);
    }
    return count > 0 && (count == 1 || strcmp(out, "origin") == 0);
}

static bool
has_branch(const struct repair_place *p, const struct git_places *g,
           const char *name)
{
    CLEANUP_BUF struct buf text = buf_of(PACKED_MAX);
    char path[PATH_MAX], mark[64];

    snprintf(path, sizeof(path), "refs/heads/%s", name);
    if (read_below(p, g->common, path, &text))
        return true;
    snprintf(mark, sizeof(mark), " refs/heads/%s\n", name);
    return read_below(p, g->common, "packed-refs", &text) &&
           strstr(text.p, mark) != NULL;
}

static bool
choose_default(const struct repair_place *p, const struct git_places *g,
               char out[PATH_MAX])
{
    static const char *const names[] = {"main", "master", "trunk", "develop"};
    CLEANUP_BUF struct buf text = buf_of(PATH_MAX);

    if (read_below(p, g->common, "refs/remotes/origin/HEAD", &text) &&
        read_link_line(text.p, "ref: refs/remotes/origin/", "", out)) {
        memmove(out, out + 1, strlen(out)); /* the base was "" */
        return true;
    }
    for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
        if (has_branch(p, g, names[i])) {
            snprintf(out, PATH_MAX, "%s", names[i]);
            return true;
        }
    }
    return false;
}

bool
repair_git_fact(const struct repair_place *p, const char *what,
                char out[PATH_MAX])
{
    CLEANUP_BUF struct buf text = buf_of(PATH_MAX);
    static const char head[] = "ref: refs/heads/";
    struct git_places g;

    if (!find_places(p, &g))
        return false;
    if (strcmp(what, "root") == 0) {
        snprintf(out, PATH_MAX, "%s", g.root);
        return true;
    }
    if (strcmp(what, "remote") == 0)
        return choose_remote(p, &g, out);
    if (strcmp(what, "default") == 0)
        return choose_default(p, &g, out);
    if (strcmp(what, "branch") != 0 || !read_below(p, g.own, "HEAD", &text) ||
        !str_begins(text.p, head))
        return false;
    snprintf(out, PATH_MAX, "%.*s", (int)strcspn(text.p + strlen(head), "\n"),
             text.p + strlen(head));
    return true;
}
