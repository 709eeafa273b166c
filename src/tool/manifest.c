/* SPDX-License-Identifier: GPL-3.0-or-later */
/* manifest.c - from plugin.json to what a tool is. */
#include "tool/manifest.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/path.h"
#include "tool/manifest_in.h"

#define FILE_BYTES  (256u * 1024) /* 64 actions with their schemas */
#define WHERE_MAX   100 /* of a path in a message; its end tells more */
#define VERSION_MAX 64

bool
manifest_is_name(const char *name)
{
    static const char first[] = "abcdefghijklmnopqrstuvwxyz0123456789";
    static const char rest[] = "abcdefghijklmnopqrstuvwxyz0123456789_.-";
    size_t n = strspn(name, rest);

    return n > 0 && n <= MANIFEST_NAME_MAX && !name[n] && strchr(first, *name);
}

static int
take_name(const struct json *v, const struct manifest_spot *at, void *out,
          struct err *e)
{
    const char *s = manifest_string(v, at, MANIFEST_NAME_MAX, e);

    if (!s)
        return -1;
    if (!manifest_is_name(s))
        return manifest_fault(at, e,
                              "\"%.40s\" is not a valid name: a-z 0-9 _ . - "
                              "and a letter or digit first",
                              s);
    *(const char **)out = s;
    return 0;
}

static int
take_version(const struct json *v, const struct manifest_spot *at, void *out,
             struct err *e)
{
    const char *s = manifest_string(v, at, VERSION_MAX, e);

    if (!s)
        return -1;
    *(const char **)out = s;
    return 0;
}

static int
take_executable(const struct json *v, const struct manifest_spot *at, void *out,
                struct err *e)
{
    const char *s = manifest_string(v, at, NAME_MAX, e);

    if (!s)
        return -1;
    if (strchr(s, '/') || strcmp(s, ".") == 0 || strcmp(s, "..") == 0)
        return manifest_fault(
            at, e, "must be a file next to plugin.json, not \"%.40s\"", s);
    *(const char **)out = s;
    return 0;
}

static int
take_confinement(const struct json *v, const struct manifest_spot *at,
                 void *out, struct err *e)
{
    const char *s = manifest_string(v, at, MANIFEST_NAME_MAX, e);

    if (!s)
        return -1;
    if (strcmp(s, "step") != 0)
        return manifest_fault(at, e, "must be \"step\" or absent");
    *(bool *)out = true;
    return 0;
}

static int
take_form(const struct json *v, const struct manifest_spot *at, void *out,
          struct err *e)
{
    const char *s = manifest_string(v, at, MANIFEST_NAME_MAX, e);

    if (!s)
        return -1;
    if (strcmp(s, "words") != 0 && strcmp(s, "json") != 0)
        return manifest_fault(at, e, "must be \"json\" or \"words\"");
    *(bool *)out = strcmp(s, "words") == 0;
    return 0;
}

static const struct manifest_member rows[] = {
    {"name", take_name, offsetof(struct manifest, name), true},
    {"version", take_version, offsetof(struct manifest, version), true},
    {"summary", manifest_take_sentence, offsetof(struct manifest, summary),
     true},
    {"executable", take_executable, offsetof(struct manifest, executable),
     true},
    {"confinement", take_confinement, offsetof(struct manifest, step), false},
    {"form", take_form, offsetof(struct manifest, words), false},
    {"persistent", manifest_take_bool, offsetof(struct manifest, persistent),
     false},
    {"needs", manifest_take_needs, offsetof(struct manifest, needs), false},
    {"actions", manifest_take_actions, 0, true},
    {0},
};

const struct manifest_member *
manifest_rows(void)
{
    return rows;
}

int
manifest_blame(struct err *e, const char *where)
{
    size_t n = strlen(where);
    bool cut = n > WHERE_MAX;

    return err_wrap(e, "%s%s", cut ? "…" : "",
                    where + (cut ? n - WHERE_MAX : 0));
}

struct manifest *
manifest_parse(const char *text, size_t n, const char *where, struct err *e)
{
    CLEANUP(manifest_free_p) struct manifest *m = calloc(1, sizeof(*m));

    if (!m) {
        err_nomem(e);
        return NULL;
    }
    if (!(m->root = json_parse(text, n, JSON_UNIQUE, e)) ||
        manifest_members(m->root, NULL, rows, m, e) < 0 ||
        (m->words && manifest_check_words(m, e) < 0)) {
        manifest_blame(e, where);
        return NULL;
    }
    return TAKE_PTR(m);
}

/* The file's bytes; a link, a FIFO or a device is no manifest. */
static int
read_text(const char *path, struct buf *text, struct err *e)
{
    CLEANUP(fd_close_p)
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    struct stat st;

    if (fd < 0 || fstat(fd, &st) < 0)
        return err_sys(e, "%s", path);
    if (!S_ISREG(st.st_mode))
        return err_set(e, ERR_INVALID, "%s is not a regular file", path);
    if (file_read_fd(fd, text, e) < 0)
        return err_wrap(e, "%s", path);
    return 0;
}

static int
check_beside(const struct manifest *m, const char *dir, struct err *e)
{
    CLEANUP(free_p) char *program = path_join(dir, m->executable);
    struct stat st;

    if (strcmp(m->name, path_base(dir)) != 0)
        return err_set(e, ERR_INVALID,
                       "name: must be that of the directory (\"%.64s\"), not "
                       "\"%s\"",
                       path_base(dir), m->name);
    if (!program)
        return err_nomem(e);
    if (stat(program, &st) < 0 || !S_ISREG(st.st_mode))
        return err_set(e, ERR_NOT_FOUND,
                       "executable: no such file next to it: \"%.80s\"",
                       m->executable);
    if (!(st.st_mode & 0111))
        return err_set(
            e, ERR_PERMISSION,
            "executable: \"%.80s\" is not executable. To do: chmod +x it",
            m->executable);
    return 0;
}

struct manifest *
manifest_read(const char *dir, struct err *e)
{
    CLEANUP(manifest_free_p) struct manifest *m = NULL;
    CLEANUP(free_p) char *path = path_join(dir, "plugin.json");
    CLEANUP_BUF struct buf text = buf_of(FILE_BYTES);

    if (!path) {
        err_nomem(e);
        return NULL;
    }
    if (read_text(path, &text, e) < 0 ||
        !(m = manifest_parse(text.p, text.len, path, e)))
        return NULL;
    if (check_beside(m, dir, e) < 0) {
        manifest_blame(e, path);
        return NULL;
    }
    return TAKE_PTR(m);
}

void
manifest_free(struct manifest *m)
{
    if (!m)
        return;
    manifest_actions_done(m);
    json_free(m->root);
    free(m);
}

const struct manifest_action *
manifest_action(const struct manifest *m, const char *name)
{
    for (size_t i = 0; i < m->n_actions; i++)
        if (strcmp(m->actions[i].name, name) == 0)
            return &m->actions[i];
    return NULL;
}
