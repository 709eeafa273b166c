/* SPDX-License-Identifier: GPL-3.0-or-later */
/* glob.c - matches names against patterns, and expands patterns to paths. */
#include "guard/effects/glob.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <wctype.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/path.h"
#include "base/str.h"
#include "base/utf8.h"
#include "base/worker.h"

/* Reads one character; a byte that is not valid UTF-8 stands for itself. */
static uint32_t
next_char(const char **p)
{
    uint32_t c;
    size_t n = utf8_decode(*p, strlen(*p) < 4 ? strlen(*p) : 4, &c);

    if (n == 0) {
        c = (unsigned char)**p;
        n = 1;
    }
    *p += n;
    return c;
}

struct class_row {
    const char *name;
    int (*holds)(wint_t c);
};

static const struct class_row classes[] = {
    {"alnum", iswalnum}, {"alpha", iswalpha}, {"blank", iswblank},
    {"cntrl", iswcntrl}, {"digit", iswdigit}, {"graph", iswgraph},
    {"lower", iswlower}, {"print", iswprint}, {"punct", iswpunct},
    {"space", iswspace}, {"upper", iswupper}, {"xdigit", iswxdigit},
};

/* Reads [:name:] at *p and moves *p behind it. False: there is none. */
static bool
read_named_class(const char **p, uint32_t c, bool *hit)
{
    for (size_t i = 0; i < ARRAY_SIZE(classes); i++) {
        size_t n = strlen(classes[i].name);

        if (strncmp(*p, "[:", 2) != 0 ||
            strncmp(*p + 2, classes[i].name, n) != 0 ||
            strncmp(*p + 2 + n, ":]", 2) != 0)
            continue;
        *hit |= classes[i].holds((wint_t)c) != 0;
        *p += n + 4;
        return true;
    }
    return false;
}

static uint32_t
bracket_char(const char **p)
{
    if (**p == '\\' && (*p)[1])
        (*p)++;
    return next_char(p);
}

/* Reads a bracket behind its '[' and sets *hit. Returns the byte after the ']';
 * NULL: it is never closed, and so it is no bracket. */
static const char *
match_bracket(const char *p, uint32_t c, bool *hit)
{
    bool negated = *p == '!' || *p == '^', first = true;

    *hit = false;
    for (p += negated; *p && (first || *p != ']'); first = false) {
        uint32_t from, to;

        if (read_named_class(&p, c, hit))
            continue;
        from = to = bracket_char(&p);
        if (p[0] == '-' && p[1] && p[1] != ']') {
            p++;
            to = bracket_char(&p);
        }
        *hit |= from <= c && c <= to;
    }
    if (*p != ']')
        return NULL;
    *hit ^= negated;
    return p + 1;
}

/* Matches one character of the name with one item of the pattern, not a
 * star. */
static bool
match_one(const char **pattern, const char **name)
{
    const char *p = *pattern, *s = *name, *after;
    uint32_t c = next_char(&s);
    bool hit = false;

    if (*p == '?') {
        p++;
        hit = true;
    } else if (*p == '[' && (after = match_bracket(p + 1, c, &hit))) {
        p = after;
    } else {
        if (*p == '\\' && p[1])
            p++;
        hit = *p && next_char(&p) == c;
    }
    *pattern = p;
    *name = s;
    return hit;
}

/* Only the last star is tried again: if an earlier one took more, less would be
 * left for what follows it. */
bool
glob_match_any(const char *pattern, const char *name)
{
    const char *star = NULL, *retry = NULL;

    while (*name) {
        if (*pattern == '*') {
            star = ++pattern;
            retry = name;
        } else if (!match_one(&pattern, &name)) {
            if (!star)
                return false;
            pattern = star;
            next_char(&retry);
            name = retry;
        }
    }
    while (*pattern == '*')
        pattern++;
    return *pattern == '\0';
}

bool
glob_is_pattern(const char *pattern, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (pattern[i] == '\\')
            i++;
        else if (strchr("*?[", pattern[i]))
            return true;
    }
    return false;
}

bool
glob_match(const char *pattern, const char *name)
{
    if (name[0] == '.' && pattern[0] != '.' &&
        !(pattern[0] == '\\' && pattern[1] == '.'))
        return false;
    return glob_match_any(pattern, name);
}

/* The component has a star, and besides it only what no name can lack: dots,
 * question marks, and brackets that merely exclude characters. */
bool
glob_matches_all(const char *component, size_t n)
{
    bool star = false;

    for (size_t i = 0; i < n; i++) {
        const char *close;

        if (component[i] == '*')
            star = true;
        if (strchr("*?.", component[i]))
            continue;
        if (component[i] != '[' || i + 2 >= n ||
            !strchr("!^", component[i + 1]))
            return false;
        close = memchr(component + i + 3, ']', n - i - 3);
        if (!close)
            return false;
        i = (size_t)(close - component);
    }
    return star;
}

void
glob_quote(struct buf *out, const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (strchr("*?[]\\", text[i]))
            buf_ch(out, '\\');
        buf_ch(out, text[i]);
    }
}

void
glob_unquote(struct buf *out, const char *pattern, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (pattern[i] == '\\' && i + 1 < n)
            i++;
        buf_ch(out, pattern[i]);
    }
}

/* Expansion to paths */

bool
glob_limit_take(struct glob_limit *l)
{
    if (l->entries == 0 || clock_us() > l->until_us ||
        worker_is_unwanted(l->unwanted)) {
        l->more = true;
        return false;
    }
    l->entries--;
    return true;
}

static bool
list_room(struct glob_list *l)
{
    size_t room = l->room ? 2 * l->room : 16;
    char **more;

    if (l->n < l->room)
        return true;
    more = realloc(l->v, room * sizeof(*more));
    if (!more)
        return false;
    l->v = more;
    l->room = room;
    return true;
}

bool
glob_list_add(struct glob_list *l, const char *text, size_t n)
{
    char *copy = NULL;

    if (l->n < GLOB_LIST_MAX && n <= GLOB_LIST_BYTES - l->bytes && list_room(l))
        copy = strndup(text, n);
    if (!copy) {
        l->more = true;
        return false;
    }
    l->bytes += n;
    l->v[l->n++] = copy;
    return true;
}

void
glob_list_done(struct glob_list *l)
{
    if (!l)
        return;
    for (size_t i = 0; i < l->n; i++)
        free(l->v[i]);
    free(l->v);
    *l = (struct glob_list){0};
}

static void
add_joined_path(struct glob_list *l, const char *dir, const char *name,
                size_t n)
{
    CLEANUP_BUF struct buf b = buf_of(PATH_MAX);

    buf_str(&b, dir);
    buf_ch(&b, '/');
    buf_add(&b, name, n);
    if (!b.bad) /* no file has a longer path */
        glob_list_add(l, b.p, b.len);
}

static bool
may_be_directory(const char *dir, const struct dirent *d)
{
    CLEANUP_BUF struct buf b = buf_of(PATH_MAX);
    struct stat st;

    if (d->d_type == DT_DIR)
        return true;
    if (d->d_type != DT_LNK && d->d_type != DT_UNKNOWN)
        return false;
    buf_printf(&b, "%s/%s", dir, d->d_name);
    return !b.bad && stat(b.p, &st) == 0 && S_ISDIR(st.st_mode);
}

static void
match_directory(const char *dir, const char *component, bool last,
                struct glob_limit *limit, struct glob_list *out)
{
    CLEANUP(dir_close_p) DIR *d = NULL;
    CLEANUP(fd_close_p)
    int fd = open(dir[0] ? dir : "/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const struct dirent *entry;

    if (fd < 0 || !(d = fdopendir(fd))) {
        limit->more |= errno == EACCES; /* this user cannot see what is there */
        return;
    }
    fd = -1; /* d owns it now */
    while (glob_limit_take(limit) && (entry = readdir(d)) != NULL) {
        if (path_is_dot(entry->d_name) || !glob_match(component, entry->d_name))
            continue;
        if (last || may_be_directory(dir, entry))
            add_joined_path(out, dir, entry->d_name, strlen(entry->d_name));
    }
}

/* Extends every path found so far by one component. */
static void
expand_component(struct glob_list *paths, const char *component, size_t n,
                 bool last, struct glob_limit *limit)
{
    CLEANUP_BUF struct buf b = buf_of(PATH_MAX);
    struct glob_list next = {.more = paths->more};
    bool pattern = glob_is_pattern(component, n);

    if (pattern)
        buf_add(&b, component, n);
    else
        glob_unquote(&b, component, n);
    for (size_t i = 0; i < paths->n && !b.bad && !next.more; i++) {
        if (pattern)
            match_directory(paths->v[i], b.p, last, limit, &next);
        else
            add_joined_path(&next, paths->v[i], b.p, b.len);
    }
    glob_list_done(paths);
    *paths = next;
}

/* Keeps the paths that exist: a plain component behind a pattern may not. */
static void
keep_existing(const struct glob_list *found, bool seen, bool directory,
              struct glob_list *out)
{
    for (size_t i = 0; i < found->n; i++) {
        struct stat st;

        if (!seen && lstat(found->v[i], &st) < 0)
            continue;
        if (directory && (stat(found->v[i], &st) < 0 || !S_ISDIR(st.st_mode)))
            continue;
        glob_list_add(out, found->v[i], strlen(found->v[i]));
    }
}

void
glob_expand(const char *pattern, struct glob_limit *limit,
            struct glob_list *out)
{
    struct glob_list found = {0};
    size_t n = strlen(pattern);
    bool directory = n > 0 && pattern[n - 1] == '/';
    bool seen = false; /* the last component was read from its directory */

    glob_list_add(&found, "", 0);
    for (const char *p = pattern + strspn(pattern, "/"); *p;) {
        size_t len = strcspn(p, "/");
        const char *next = p + len + strspn(p + len, "/");

        expand_component(&found, p, len, *next == '\0' && !directory, limit);
        seen = !directory && glob_is_pattern(p, len);
        p = next;
    }
    if (found.n > 1)
        qsort(found.v, found.n, sizeof(*found.v), str_compare_items);
    keep_existing(&found, seen, directory, out);
    out->more |= found.more;
    glob_list_done(&found);
}
