/* SPDX-License-Identifier: GPL-3.0-or-later */
/* manual.c - reads plugin.json as far as a program of words needs it. */
#include "plugins/words/manual.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/path.h"
#include "json/schema.h"

#define FILE_BYTES (256u * 1024) /* as the front takes it */

struct manual {
    struct json *root;
    const char *name;
    char *program;
};

void
manual_free(struct manual *m)
{
    if (!m)
        return;
    json_free(m->root);
    free(m->program);
    free(m);
}

int
manual_place(const char *program, struct err *e)
{
    const char *base = path_base(program);
    CLEANUP(free_p) char *dir = NULL;

    if (program[0] != '/' || base - program < 2)
        return err_set(e, ERR_USAGE, "%s: not an absolute path", program);
    dir = strndup(program, (size_t)(base - program) - 1);
    if (!dir || setenv(MANUAL_PLACE, dir, 1) < 0)
        return err_nomem(e);
    return 0;
}

struct manual *
manual_read(struct err *e)
{
    CLEANUP(manual_free_p) struct manual *m = calloc(1, sizeof(*m));
    CLEANUP_BUF struct buf text = buf_of(FILE_BYTES);
    CLEANUP(free_p) char *path = NULL;
    const char *dir = getenv(MANUAL_PLACE), *program;

    if (!m || !dir || !(path = path_join(dir, "plugin.json"))) {
        err_nomem(e);
        return NULL;
    }
    if (file_read(path, &text, e) < 0 ||
        !(m->root = json_parse(text.p, text.len, JSON_UNIQUE, e)))
        return NULL;
    m->name = json_get_str(m->root, "name");
    program = json_get_str(m->root, "executable");
    if (!m->name || !program || !(m->program = path_join(dir, program))) {
        err_set(e, ERR_INVALID, "%s: no name, or not executable", path);
        return NULL;
    }
    return TAKE_PTR(m);
}

const char *
manual_name(const struct manual *m)
{
    return m->name;
}

const char *
manual_program(const struct manual *m)
{
    return m->program;
}

int
manual_check(const struct manual *m, const char *action,
             const struct json *args, struct err *e)
{
    const struct json *a = json_get(json_get(m->root, "actions"), action);
    CLEANUP(json_schema_free_p) struct json_schema *schema = NULL;
    CLEANUP(json_free_p) struct json *none = NULL;

    if (!a)
        return err_set(e, ERR_INVALID, "%s has no action '%.64s'", m->name,
                       action);
    if (!(schema = json_schema_new(json_get(a, "args"), e)))
        return -1;
    if (!args && !(args = none = json_parse("{}", 2, 0, e)))
        return -1;
    if (json_schema_check(schema, args, 0, e) < 0)
        return err_wrap(e, "args");
    return 0;
}
