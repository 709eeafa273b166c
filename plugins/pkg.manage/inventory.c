/* SPDX-License-Identifier: GPL-3.0-or-later */
/* inventory.c - lists of packages, read and compared. */
#include "plugins/pkg.manage/inventory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "plugins/lib/run.h"

void
inventory_init(struct inventory *v)
{
    *v = (struct inventory){0};
    buf_init(&v->text, INVENTORY_MAX);
}

void
inventory_done(struct inventory *v)
{
    if (!v)
        return;
    buf_done(&v->text);
    free(v->items);
    *v = (struct inventory){0};
}

/* Ends the word at p; the start of the next one, or NULL. */
static char *
next_word(char *p)
{
    p += strcspn(p, " \t");
    if (!*p)
        return NULL;
    *p++ = '\0';
    p += strspn(p, " \t");
    return *p ? p : NULL;
}

/* musl-utils-1.2.4-r2: the version begins at the last hyphen but one. */
static char *
split_joined(char *line)
{
    char *last = strrchr(line, '-'), *p;

    if (!last || last == line || last[1] != 'r')
        return NULL;
    for (p = last - 1; p > line && *p != '-'; p--)
        ;
    if (p == line)
        return NULL;
    *p = '\0';
    return p + 1;
}

/* False: no package, or none that is there. */
static bool
parse_line(char *line, enum manager_list form, struct inventory_item *item)
{
    char *version, *status;

    version = form == LIST_JOINED ? split_joined(line) : next_word(line);
    if (!version || !*line || !*version)
        return false;
    if (form == LIST_STATUS) {
        status = next_word(version);
        if (!status || strcmp(status, "installed") != 0)
            return false;
    }
    *item = (struct inventory_item){line, version, false};
    return true;
}

static int
by_name(const void *a, const void *b)
{
    const struct inventory_item *x = a, *y = b;
    int rc = strcmp(x->name, y->name);

    return rc ? rc : strcmp(x->version, y->version);
}

static size_t
count_lines(const struct buf *text)
{
    size_t n = 1;

    for (size_t i = 0; i < text->len; i++)
        n += text->p[i] == '\n';
    return n;
}

int
inventory_parse(struct inventory *v, enum manager_list form, struct err *e)
{
    char *next = v->text.p, *line;

    v->n = 0;
    free(v->items);
    v->items = calloc(count_lines(&v->text), sizeof(*v->items));
    if (!v->items)
        return err_sys(e, "the list of packages");
    while ((line = strsep(&next, "\n")) != NULL) {
        if (parse_line(line, form, &v->items[v->n]))
            v->n++;
    }
    qsort(v->items, v->n, sizeof(*v->items), by_name);
    return 0;
}

int
inventory_read(struct inventory *v, const struct manager *m, struct err *e)
{
    static const struct words_value none[] = {{0}};
    CLEANUP(words_done) struct words w = {0};
    CLEANUP(need_answer_done) struct need_answer a;

    need_answer_init(&a, INVENTORY_MAX);
    if (words_fill(&w, m->row[ASK_LIST], none, e) < 0 ||
        run_program(w.argv, &(struct run_how){0}, &a, e) < 0)
        return -1;
    if (a.exit_code != 0)
        return err_set(e, ERR_IO, "%s: exit status %d", w.argv[0], a.exit_code);
    if (a.out.len >= INVENTORY_MAX) /* what was over is gone */
        return err_set(e, ERR_IO, "%s: a list of more than %u MiB", w.argv[0],
                       INVENTORY_MAX >> 20);
    buf_clear(&v->text);
    buf_add(&v->text, a.out.p, a.out.len);
    if (buf_ok(&v->text, "the list of packages", e) < 0)
        return -1;
    return inventory_parse(v, m->list, e);
}

int
inventory_ask(const struct manager *m, enum manager_ask ask,
              const char *const *names, size_t n, struct need_answer *out,
              struct err *e)
{
    const struct words_value values[] = {{"%p", names, n}, {0}};
    CLEANUP(words_done) struct words w = {0};

    if (words_fill(&w, m->row[ask], values, e) < 0)
        return -1;
    return run_program(w.argv, &(struct run_how){0}, out, e);
}

size_t
inventory_find(const struct inventory *v, const char *name)
{
    size_t low = 0, high = v->n;

    while (low < high) {
        size_t mid = low + (high - low) / 2;

        if (strcmp(v->items[mid].name, name) < 0)
            low = mid + 1;
        else
            high = mid;
    }
    return low < v->n && strcmp(v->items[low].name, name) == 0 ? low : v->n;
}

static void
mark_automatic(struct inventory *v, const char *name)
{
    for (size_t i = inventory_find(v, name);
         i < v->n && strcmp(v->items[i].name, name) == 0; i++)
        v->items[i].automatic = true;
}

/* From the file that apt keeps of it: asking apt takes a second and more where
 * it may not write its cache. */
static int
read_marks_file(struct inventory *v, const char *path, struct err *e)
{
    CLEANUP_BUF struct buf text = buf_of(INVENTORY_MAX);
    struct err why = {0};
    const char *name = NULL;
    char *next, *line;

    if (file_read(path, &text, &why) < 0)
        return why.code == ERR_NOT_FOUND || why.sys == ENOENT
                   ? 0 /* nothing was marked ever */
                   : err_set(e, why.code, "%s", why.text);
    next = text.p;
    while (next && (line = strsep(&next, "\n"))) {
        if (strncmp(line, "Package: ", 9) == 0)
            name = line + 9;
        else if (name && strcmp(line, "Auto-Installed: 1") == 0)
            mark_automatic(v, name);
    }
    return 0;
}

int
inventory_read_marks(struct inventory *v, const struct manager *m,
                     struct err *e)
{
    static const struct words_value none[] = {{0}};
    CLEANUP(words_done) struct words w = {0};
    CLEANUP(need_answer_done) struct need_answer a;
    char *next, *line;

    need_answer_init(&a, INVENTORY_MAX);
    if (m->marks)
        return read_marks_file(v, m->marks, e);
    if (!m->row[ASK_AUTOMATIC][0])
        return 0;
    if (words_fill(&w, m->row[ASK_AUTOMATIC], none, e) < 0 ||
        run_program(w.argv, &(struct run_how){0}, &a, e) < 0)
        return -1;
    /* pacman -Qdq: 1 where there are none */
    if (*a.error_code || (a.exit_code != 0 && a.out.len > 0))
        return err_set(e, ERR_IO, "%s: exit status %d", w.argv[0], a.exit_code);
    next = a.out.p;
    while (next && (line = strsep(&next, "\n")))
        mark_automatic(v, line);
    return 0;
}

/* How many items of a name that begin at i are not in the other's at *j. */
struct difference {
    size_t gone, come;
};

static int
compare_at(const struct inventory *a, size_t i, const struct inventory *b,
           size_t j)
{
    if (i == a->n || j == b->n)
        return (i == a->n) - (j == b->n);
    return by_name(&a->items[i], &b->items[j]);
}

static bool
is_of(const struct inventory *v, size_t i, const char *name)
{
    return i < v->n && strcmp(v->items[i].name, name) == 0;
}

/* Steps over all items of one name in both. */
static struct difference
step(const struct inventory *a, size_t *i, const struct inventory *b, size_t *j,
     const char *name)
{
    struct difference d = {0};

    while (is_of(a, *i, name) || is_of(b, *j, name)) {
        int rc = compare_at(a, *i, b, *j);

        d.gone += rc < 0;
        d.come += rc > 0;
        *i += rc <= 0;
        *j += rc >= 0;
    }
    return d;
}

void
inventory_compare(const struct inventory *before, const struct inventory *after,
                  void (*changed)(void *arg, enum inventory_change what,
                                  const char *name),
                  void *arg)
{
    size_t i = 0, j = 0;

    while (i < before->n || j < after->n) {
        const char *name = compare_at(before, i, after, j) <= 0
                               ? before->items[i].name
                               : after->items[j].name;
        struct difference d = step(before, &i, after, &j, name);

        if (d.gone || d.come)
            changed(arg,
                    !d.come   ? CHANGE_REMOVED
                    : !d.gone ? CHANGE_INSTALLED
                              : CHANGE_UPGRADED,
                    name);
    }
}
