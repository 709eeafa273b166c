/* SPDX-License-Identifier: GPL-3.0-or-later */
/* manifest.c - reads plugin.json and checks it. */
#include "tool/manifest.h"

#include <ctype.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/path.h"
#include "tool/manifest_reader.h"

#define FILE_BYTES (256u * 1024) /* 64 actions with their schemas */
#define WHERE_MAX  100 /* bytes of a path in a message; its end is kept */

#define NAME_BYTES 64 /* of an argument that becomes a variable */

bool
manifest_is_name(const char *name)
{
    static const char first[] = "abcdefghijklmnopqrstuvwxyz0123456789";
    static const char rest[] = "abcdefghijklmnopqrstuvwxyz0123456789_.-";
    size_t n = strspn(name, rest);

    return n > 0 && n <= MANIFEST_NAME_MAX && !name[n] && strchr(first, *name);
}

static int
read_manifest_name(const struct json *v, const struct manifest_spot *at,
                   void *out, struct err *e)
{
    const char *s = manifest_read_string(v, at, MANIFEST_NAME_MAX, e);

    if (!s)
        return -1;
    if (!manifest_is_name(s))
        return manifest_report(at, e,
                               "\"%.40s\" is not a valid name: a-z 0-9 _ . - "
                               "and a letter or digit first",
                               s);
    *(const char **)out = s;
    return 0;
}

static int
read_version(const struct json *v, const struct manifest_spot *at, void *out,
             struct err *e)
{
    const char *s = manifest_read_string(v, at, MANIFEST_VERSION_MAX, e);

    if (!s)
        return -1;
    *(const char **)out = s;
    return 0;
}

static int
read_executable(const struct json *v, const struct manifest_spot *at, void *out,
                struct err *e)
{
    const char *s = manifest_read_string(v, at, NAME_MAX, e);

    if (!s)
        return -1;
    if (strchr(s, '/') || strcmp(s, ".") == 0 || strcmp(s, "..") == 0)
        return manifest_report(
            at, e, "must be a file next to plugin.json, not \"%.40s\"", s);
    *(const char **)out = s;
    return 0;
}

static int
read_confinement(const struct json *v, const struct manifest_spot *at,
                 void *out, struct err *e)
{
    const char *s = manifest_read_string(v, at, MANIFEST_NAME_MAX, e);

    if (!s)
        return -1;
    if (strcmp(s, "step") != 0)
        return manifest_report(at, e, "must be \"step\" or absent");
    *(bool *)out = true;
    return 0;
}

static int
read_form(const struct json *v, const struct manifest_spot *at, void *out,
          struct err *e)
{
    const char *s = manifest_read_string(v, at, MANIFEST_NAME_MAX, e);

    if (!s)
        return -1;
    if (strcmp(s, "words") != 0 && strcmp(s, "json") != 0)
        return manifest_report(at, e, "must be \"json\" or \"words\"");
    *(bool *)out = strcmp(s, "words") == 0;
    return 0;
}

static int
load_schema(const struct json *v, const struct manifest_spot *at,
            struct json_schema **out, struct err *e)
{
    struct err why = {0};

    *out = json_schema_new(v, &why);
    return *out ? 0 : manifest_report(at, e, "%.140s", why.text);
}

static int
read_args_schema(const struct json *v, const struct manifest_spot *at,
                 void *out, struct err *e)
{
    struct manifest_action *a = out;
    const char *type = json_get_str(v, "type");

    if (!type || strcmp(type, "object") != 0)
        return manifest_report(at, e,
                               "must be a schema with \"type\": \"object\"");
    a->args = v;
    return load_schema(v, at, &a->args_check, e);
}

static int
read_meta(const struct json *v, const struct manifest_spot *at, void *out,
          struct err *e)
{
    struct manifest_action *a = out;

    a->meta = v;
    return load_schema(v, at, &a->meta_check, e);
}

static int
read_argument_names(const struct json *v, const struct manifest_spot *at,
                    void *out, struct err *e)
{
    return manifest_read_list(v, at, manifest_read_sentence, out, e);
}

static int
read_undo(const struct json *v, const struct manifest_spot *at, void *out,
          struct err *e)
{
    const char **undo = out;
    const char *s = json_str(v, NULL);

    if (!s || (strcmp(s, "state") != 0 && strcmp(s, "versions") != 0))
        return manifest_report(at, e, "must be \"state\" or \"versions\"");
    *undo = s;
    return 0;
}

static const struct manifest_member action_rows[] = {
    {"summary", manifest_read_sentence,
     offsetof(struct manifest_action, summary), true},
    {"read_only", manifest_read_bool,
     offsetof(struct manifest_action, read_only), false},
    {"destructive", manifest_read_bool,
     offsetof(struct manifest_action, destructive), false},
    {"args", read_args_schema, 0, true},
    {"meta", read_meta, 0, false},
    {"reads", read_argument_names, offsetof(struct manifest_action, reads),
     false},
    {"writes", read_argument_names, offsetof(struct manifest_action, writes),
     false},
    {"hosts", read_argument_names, offsetof(struct manifest_action, hosts),
     false},
    {"undo", read_undo, offsetof(struct manifest_action, undo), false},
    {0},
};

/* Whether a schema's type is the one, or a list of it and null. */
static bool
schema_has_type(const struct json *schema, const char *type)
{
    const struct json *v = json_get(schema, "type");
    const char *s = json_str(v, NULL);
    bool found = false;

    if (s)
        return strcmp(s, type) == 0;
    for (const struct json *c = json_first(v); c; c = json_next(c)) {
        s = json_str(c, NULL);
        if (!s || (strcmp(s, type) != 0 && strcmp(s, "null") != 0))
            return false;
        found = found || strcmp(s, type) == 0;
    }
    return found;
}

static bool
is_string_or_list(const struct json *schema)
{
    return schema_has_type(schema, "string") ||
           (schema_has_type(schema, "array") &&
            schema_has_type(json_get(schema, "items"), "string"));
}

/* The arguments that the rules judge must exist, and be text. */
static int
check_judged_arguments(const struct manifest_action *a,
                       const char *const *names, const char *list,
                       const struct manifest_spot *at, struct err *e)
{
    const struct json *properties = json_get(a->args, "properties");
    const struct manifest_spot member = {.up = at, .name = list};

    for (size_t i = 0; names[i]; i++) {
        const struct manifest_spot spot = {.up = &member, .index = i};
        const struct json *schema = json_get(properties, names[i]);

        if (!schema)
            return manifest_report(&spot, e, "\"%.40s\" is not an argument",
                                   names[i]);
        if (!is_string_or_list(schema))
            return manifest_report(&spot, e,
                                   "\"%.40s\" must be a string or a list of "
                                   "strings",
                                   names[i]);
    }
    return 0;
}

static int
check_action_rules(struct manifest_action *a, const struct json *v,
                   const struct manifest_spot *at, struct err *e)
{
    if (!json_get(v, "destructive"))
        a->destructive = !a->read_only;
    if (a->read_only && a->destructive)
        return manifest_report(at, e,
                               "a read_only action cannot be destructive");
    if (a->read_only && a->writes[0])
        return manifest_report(at, e, "a read_only action cannot write");
    if (check_judged_arguments(a, a->reads, "reads", at, e) < 0 ||
        check_judged_arguments(a, a->writes, "writes", at, e) < 0)
        return -1;
    return check_judged_arguments(a, a->hosts, "hosts", at, e);
}

static int
read_manifest_action(const struct json *v, const struct manifest_spot *at,
                     struct manifest_action *a, struct err *e)
{
    size_t n;

    a->name = json_name(v, &n);
    if (strlen(a->name) < n || !manifest_is_name(a->name))
        return manifest_report(at, e, "is not a valid action name");
    if (manifest_read_members(v, at, action_rows, a, e) < 0)
        return -1;
    return check_action_rules(a, v, at, e);
}

/* What can be undone needs the two actions that tell how. */
static int
check_ways_back(const struct manifest *m, const struct manifest_spot *at,
                struct err *e)
{
    const struct manifest_action *state = manifest_action(m, "state");
    const struct manifest_action *reverse = manifest_action(m, "reverse");
    bool told = state && state->read_only && reverse && reverse->read_only;

    for (size_t i = 0; i < m->n_actions; i++) {
        const struct manifest_spot spot = {.up = at,
                                           .name = m->actions[i].name};

        if (m->actions[i].undo && !told)
            return manifest_report(&spot, e,
                                   "\"undo\" needs the read_only actions "
                                   "state and reverse");
    }
    return 0;
}

static int
read_manifest_actions(const struct json *v, const struct manifest_spot *at,
                      void *out, struct err *e)
{
    struct manifest *m = out;
    size_t n = json_count(v);

    if (json_type(v) != JSON_OBJECT || n == 0 || n > MANIFEST_ACTIONS_MAX)
        return manifest_report(at, e, "must be an object of 1 to %d actions",
                               MANIFEST_ACTIONS_MAX);
    m->actions = calloc(n, sizeof(*m->actions));
    if (!m->actions)
        return err_nomem(e);
    for (const struct json *c = json_first(v); c; c = json_next(c)) {
        const struct manifest_spot spot = {.up = at,
                                           .name = json_name(c, NULL)};

        /* counted first, so that a half-read action is freed as well */
        if (read_manifest_action(c, &spot, &m->actions[m->n_actions++], e) < 0)
            return -1;
    }
    return check_ways_back(m, at, e);
}

static const struct manifest_member rows[] = {
    {"name", read_manifest_name, offsetof(struct manifest, name), true},
    {"version", read_version, offsetof(struct manifest, version), true},
    {"summary", manifest_read_sentence, offsetof(struct manifest, summary),
     true},
    {"executable", read_executable, offsetof(struct manifest, executable),
     true},
    {"confinement", read_confinement, offsetof(struct manifest, step), false},
    {"form", read_form, offsetof(struct manifest, words), false},
    {"persistent", manifest_read_bool, offsetof(struct manifest, persistent),
     false},
    {"needs", manifest_read_needs, offsetof(struct manifest, needs), false},
    {"actions", read_manifest_actions, 0, true},
    {0},
};

const struct manifest_member *
manifest_rows(void)
{
    return rows;
}

int
manifest_name_file(struct err *e, const char *where)
{
    size_t n = strlen(where);
    bool cut = n > WHERE_MAX;

    return err_wrap(e, "%s%s", cut ? "…" : "",
                    where + (cut ? n - WHERE_MAX : 0));
}

static bool
is_variable_argument(const char *name, size_t n)
{
    if (n == 0 || n > NAME_BYTES)
        return false;
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)name[i];

        if (c > 0x7e || (!isalnum(c) && c != '_' && c != '-'))
            return false;
    }
    return true;
}

/* Whether two argument names make the same variable. */
static bool
is_same_variable(const char *a, const char *b)
{
    for (; *a && *b; a++, b++) {
        int x = *a == '-' ? '_' : toupper((unsigned char)*a);
        int y = *b == '-' ? '_' : toupper((unsigned char)*b);

        if (x != y)
            return false;
    }
    return *a == *b;
}

static int
check_argument(const struct json *v, const struct manifest_spot *at,
               struct err *e)
{
    size_t n;
    const char *name = json_name(v, &n);
    const struct manifest_spot spot = {.up = at, .name = name};

    if (!is_variable_argument(name, n))
        return manifest_report(
            &spot, e,
            "cannot be a variable name: letters, digits, _ and - only");
    for (const struct json *o = json_next(v); o; o = json_next(o)) {
        if (is_same_variable(name, json_name(o, NULL)))
            return manifest_report(&spot, e,
                                   "is the same variable as \"%.40s\"",
                                   json_name(o, NULL));
    }
    return 0;
}

static int
check_variable_names(const struct manifest_action *a, struct err *e)
{
    const struct manifest_spot actions = {.name = "actions"};
    const struct manifest_spot action = {.up = &actions, .name = a->name};
    const struct manifest_spot args = {.up = &action, .name = "args"};
    const struct json *v = json_first(json_get(a->args, "properties"));

    for (; v; v = json_next(v)) {
        if (check_argument(v, &args, e) < 0)
            return -1;
    }
    return 0;
}

static int
check_words_form(const struct manifest *m, struct err *e)
{
    const struct manifest_spot form = {.name = "form"};

    if (m->step || m->persistent || m->needs.privileged[0])
        return manifest_report(
            &form, e,
            "\"words\" is for programs that are started once "
            "per request, without \"%s\"",
            m->step         ? "confinement"
            : m->persistent ? "persistent"
                            : "privileged");
    for (size_t i = 0; i < m->n_actions; i++) {
        if (check_variable_names(&m->actions[i], e) < 0)
            return -1;
    }
    return 0;
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
        manifest_read_members(m->root, NULL, rows, m, e) < 0 ||
        (m->words && check_words_form(m, e) < 0)) {
        manifest_name_file(e, where);
        return NULL;
    }
    return TAKE_PTR(m);
}

/* Reads the file. A link, a FIFO or a device is not a manifest. */
static int
read_manifest_file(const char *path, struct buf *text, struct err *e)
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
check_executable(const struct manifest *m, const char *dir, struct err *e)
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
    if (read_manifest_file(path, &text, e) < 0 ||
        !(m = manifest_parse(text.p, text.len, path, e)))
        return NULL;
    if (check_executable(m, dir, e) < 0) {
        manifest_name_file(e, path);
        return NULL;
    }
    return TAKE_PTR(m);
}

static void
actions_done(struct manifest *m)
{
    if (!m)
        return;
    for (size_t i = 0; i < m->n_actions; i++) {
        json_schema_free(m->actions[i].args_check);
        json_schema_free(m->actions[i].meta_check);
    }
    free(m->actions);
}

void
manifest_free(struct manifest *m)
{
    if (!m)
        return;
    actions_done(m);
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

const struct manifest_member *
manifest_action_rows(void)
{
    return action_rows;
}
