/* SPDX-License-Identifier: GPL-3.0-or-later */
/* config_edit.c - changes settings in a configuration file that a person wrote.
 */
#include "config/config_edit.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/ascii.h"
#include "base/file.h"
#include "config/config_file.h"
#include "config/config_table.h"

#define NAME_SIZE 64   /* longer than any section or setting */
#define LOCK_MS   5000 /* another change takes milliseconds */

static const char bom[] = "\xEF\xBB\xBF";

/* A line of a text that config_read() accepts. */
struct ini_line {
    const char *p;
    size_t len;    /* with its line end */
    size_t body;   /* without */
    bool is_blank; /* or a comment */
    bool is_section;
    char name[NAME_SIZE]; /* of the section or the setting */
    size_t value;         /* of a setting: the offset of its value */
};

/* The text between two offsets without the blanks around it. */
static void
copy_ini_name(struct ini_line *l, size_t from, size_t to)
{
    size_t n;

    while (from < to && ascii_is_blank(l->p[from]))
        from++;
    while (to > from && ascii_is_blank(l->p[to - 1]))
        to--;
    n = to - from < NAME_SIZE ? to - from : NAME_SIZE - 1;
    memcpy(l->name, l->p + from, n);
    l->name[n] = '\0';
}

static void
parse_setting(struct ini_line *l, size_t from)
{
    size_t at = from;

    while (at < l->body && l->p[at] != '=' && l->p[at] != ':')
        at++;
    copy_ini_name(l, from, at);
    at += at < l->body;
    while (at < l->body && ascii_is_blank(l->p[at]))
        at++;
    l->value = at;
}

static void
parse_section(struct ini_line *l, size_t from)
{
    const char *end = memchr(l->p, ']', l->body);

    l->is_section = true;
    copy_ini_name(l, from + 1, end ? (size_t)(end - l->p) : l->body);
}

/* Reads the line at *at, and moves *at behind it. False: there is none. */
static bool
read_ini_line(const char *text, size_t n, size_t *at, struct ini_line *l)
{
    const char *newline = memchr(text + *at, '\n', n - *at);
    size_t from = 0;

    *l = (struct ini_line){.p = text + *at};
    l->len = newline ? (size_t)(newline - l->p) + 1 : n - *at;
    if (l->len == 0)
        return false;
    l->body = l->len - (newline != NULL);
    l->body -= l->body > 0 && l->p[l->body - 1] == '\r';
    if (*at == 0 && n >= strlen(bom) && memcmp(text, bom, strlen(bom)) == 0)
        from = strlen(bom);
    *at += l->len;
    while (from < l->body && ascii_is_blank(l->p[from]))
        from++;
    l->is_blank = from >= l->body || strchr("#;", l->p[from]);
    if (!l->is_blank && l->p[from] == '[')
        parse_section(l, from);
    else if (!l->is_blank)
        parse_setting(l, from);
    return true;
}

static const char *
ini_line_end(const char *text, size_t n)
{
    const char *newline = memchr(text, '\n', n);

    return newline && newline > text && newline[-1] == '\r' ? "\r\n" : "\n";
}

static const struct config_edit *
find_edit(const struct config_edit *edits, size_t n, int key)
{
    for (size_t i = 0; i < n; i++) {
        if ((int)edits[i].key == key)
            return &edits[i];
    }
    return NULL;
}

/* Copies the text with the lines that the changes are about. */
static void
change_lines(const char *text, size_t n, const struct config_edit *edits,
             size_t n_edits, struct buf *out)
{
    char section[NAME_SIZE] = "";
    struct ini_line l;
    size_t at = 0;

    while (read_ini_line(text, n, &at, &l)) {
        const struct config_edit *d = NULL;

        if (l.is_section)
            memcpy(section, l.name, sizeof(section));
        else if (!l.is_blank)
            d = find_edit(edits, n_edits, config_find(section, l.name));
        if (d && d->value) {
            buf_add(out, l.p, l.value);
            buf_str(out, d->value);
            buf_add(out, l.p + l.body, l.len - l.body);
        } else {
            buf_str(out, d ? "# " : "");
            buf_add(out, l.p, l.len);
        }
    }
}

/* The offset behind the last setting of the first such section, or behind its
 * name where it has none; 0: there is no such section. */
static size_t
end_of_section(const char *text, size_t n, const char *name)
{
    struct ini_line l;
    size_t at = 0, end = 0;
    bool inside = false;

    while (read_ini_line(text, n, &at, &l)) {
        if (l.is_section && end > 0)
            break;
        if (l.is_section)
            inside = strcmp(l.name, name) == 0;
        if (inside && !l.is_blank)
            end = at;
    }
    return end;
}

/* Inserts a setting that no line sets. */
static void
insert_setting(struct buf *text, const struct config_edit *d)
{
    CLEANUP_BUF struct buf tail = config_edit_buf();
    const struct config_row *row = config_row(d->key);
    const char *eol = ini_line_end(text->p, text->len);
    size_t end = end_of_section(text->p, text->len, row->section);
    size_t at = end ? end : text->len;

    buf_add(&tail, text->p + at, text->len - at);
    buf_cut(text, at);
    if (at > 0 && text->p[at - 1] != '\n')
        buf_str(text, eol);
    if (!end)
        buf_printf(text, "%s[%s]%s", at > 0 ? eol : "", row->section, eol);
    buf_printf(text, "%s = %s%s", row->name, d->value, eol);
    buf_add(text, tail.p, tail.len);
}

static struct config *
read_settings(const char *path, const char *text, size_t n, struct err *e)
{
    CLEANUP(config_free_p) struct config *c = calloc(1, sizeof(*c));

    if (!c) {
        err_nomem(e);
        return NULL;
    }
    return config_read(c, path, text, n, e) < 0 ? NULL : TAKE_PTR(c);
}

static bool
is_same(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

/* Whether the new text sets what is wanted, and all else as before. */
static int
check_result(const char *path, const struct config *before,
             const struct buf *text, const struct config_edit *edits,
             size_t n_edits, struct err *e)
{
    CLEANUP(config_free_p)
    struct config *after = read_settings(path, text->p, text->len, e);

    if (!after)
        return -1;
    for (int i = 0; i < CONFIG_N; i++) {
        const struct config_edit *d = find_edit(edits, n_edits, i);

        if (!is_same(after->text[i], d ? d->value : before->text[i]))
            return err_set(e, ERR_CONFIG, "%s: %s cannot be changed", path,
                           config_row((enum config_key)i)->name);
    }
    return 0;
}

static int
check_values(const struct config_edit *edits, size_t n, struct err *e)
{
    for (size_t i = 0; i < n; i++) {
        const char *value = edits[i].value;

        if (value && config_check(config_row(edits[i].key), value, e) < 0)
            return -1;
        if (value && strpbrk(value, "\r\n"))
            return err_set(e, ERR_CONFIG, "%s has more than one line",
                           config_row(edits[i].key)->name);
    }
    return 0;
}

int
config_edit_text(const char *path, const char *text, size_t n,
                 const struct config_edit *edits, size_t n_edits,
                 struct buf *out, struct err *e)
{
    CLEANUP_BUF struct buf changed = config_edit_buf();
    CLEANUP(config_free_p)
    struct config *before = read_settings(path, text, n, e);

    if (!before || check_values(edits, n_edits, e) < 0)
        return -1;
    change_lines(text, n, edits, n_edits, &changed);
    for (size_t i = 0; i < n_edits; i++) {
        if (edits[i].value && !before->text[edits[i].key])
            insert_setting(&changed, &edits[i]);
    }
    if (buf_ok(&changed, path, e) < 0 ||
        check_result(path, before, &changed, edits, n_edits, e) < 0)
        return -1;
    buf_add(out, changed.p, changed.len);
    return buf_ok(out, path, e);
}

struct buf
config_edit_buf(void)
{
    return buf_of(CONFIG_FILE_MAX);
}

/* The file's mode in *mode. A link of somebody else's could lead us to write
 * what they choose. */
static int
check_own(const char *path, mode_t *mode, struct err *e)
{
    struct stat link, file = {0};
    bool there;

    if (lstat(path, &link) < 0)
        return errno == ENOENT ? 0 : err_sys(e, "%s", path);
    there = stat(path, &file) == 0;
    if (!there && errno != ENOENT)
        return err_sys(e, "%s", path);
    if (link.st_uid != geteuid() || (there && file.st_uid != geteuid()))
        return err_set(e, ERR_CONFIG,
                       "%s belongs to another user, and is not changed", path);
    if (there)
        *mode = file.st_mode & 07777;
    return 0;
}

static int
read_own(const char *path, struct buf *text, mode_t *mode, struct err *e)
{
    bool there = false;

    if (config_file_read(path, CONFIG_FILE_ANYONE, text, &there, e) < 0)
        return -1;
    return check_own(path, mode, e);
}

int
config_edit_read(const char *path, struct buf *text, struct err *e)
{
    mode_t mode;

    return read_own(path, text, &mode, e);
}

static int
lock_directory(const char *path, struct err *e)
{
    const char *slash = strrchr(path, '/');
    CLEANUP(free_p)
    char *dir = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");

    return dir ? file_lock_dir(dir, LOCK_MS, e) : err_nomem(e);
}

int
config_edit_file(const char *path, const struct config_edit *edits,
                 size_t n_edits, struct err *e)
{
    CLEANUP(fd_close_p) int lock = lock_directory(path, e);
    CLEANUP_BUF struct buf text = config_edit_buf();
    CLEANUP_BUF struct buf out = config_edit_buf();
    mode_t mode = 0600;

    if (lock < 0 || read_own(path, &text, &mode, e) < 0 ||
        config_edit_text(path, text.p, text.len, edits, n_edits, &out, e) < 0)
        return -1;
    return file_save(path, out.p, out.len, mode, e);
}
