/* SPDX-License-Identifier: GPL-3.0-or-later */
/* manifest_action.c - the actions of a tool, and their arguments. */
#include <string.h>

#include "tool/manifest_in.h"

static int
load_schema(const struct json *v, const struct manifest_spot *at,
            struct json_schema **out, struct err *e)
{
    struct err why = {0};

    *out = json_schema_new(v, &why);
    return *out ? 0 : manifest_fault(at, e, "%.140s", why.text);
}

static int
take_args(const struct json *v, const struct manifest_spot *at, void *out,
          struct err *e)
{
    struct manifest_action *a = out;
    const char *type = json_get_str(v, "type");

    if (!type || strcmp(type, "object") != 0)
        return manifest_fault(at, e,
                              "must be a schema with \"type\": \"object\"");
    a->args = v;
    return load_schema(v, at, &a->args_check, e);
}

static int
take_meta(const struct json *v, const struct manifest_spot *at, void *out,
          struct err *e)
{
    struct manifest_action *a = out;

    a->meta = v;
    return load_schema(v, at, &a->meta_check, e);
}

static int
take_arguments(const struct json *v, const struct manifest_spot *at, void *out,
               struct err *e)
{
    return manifest_list(v, at, manifest_take_sentence, out, e);
}

/* Whether a schema's type is the one, or a list of it and null. */
static bool
has_type(const struct json *schema, const char *type)
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
    return has_type(schema, "string") ||
           (has_type(schema, "array") &&
            has_type(json_get(schema, "items"), "string"));
}

/* What is judged by the rules has to be there, and to be text. */
static int
check_arguments(const struct manifest_action *a, const char *const *names,
                const char *list, const struct manifest_spot *at, struct err *e)
{
    const struct json *properties = json_get(a->args, "properties");
    const struct manifest_spot member = {.up = at, .name = list};

    for (size_t i = 0; names[i]; i++) {
        const struct manifest_spot spot = {.up = &member, .index = i};
        const struct json *schema = json_get(properties, names[i]);

        if (!schema)
            return manifest_fault(&spot, e, "\"%.40s\" is not an argument",
                                  names[i]);
        if (!is_string_or_list(schema))
            return manifest_fault(&spot, e,
                                  "\"%.40s\" must be a string or a list of "
                                  "strings",
                                  names[i]);
    }
    return 0;
}

static const struct manifest_member rows[] = {
    {"summary", manifest_take_sentence,
     offsetof(struct manifest_action, summary), true},
    {"read_only", manifest_take_bool,
     offsetof(struct manifest_action, read_only), false},
    {"destructive", manifest_take_bool,
     offsetof(struct manifest_action, destructive), false},
    {"args", take_args, 0, true},
    {"meta", take_meta, 0, false},
    {"reads", take_arguments, offsetof(struct manifest_action, reads), false},
    {"writes", take_arguments, offsetof(struct manifest_action, writes), false},
    {"hosts", take_arguments, offsetof(struct manifest_action, hosts), false},
    {0},
};

const struct manifest_member *
manifest_action_rows(void)
{
    return rows;
}

static int
check_action(struct manifest_action *a, const struct json *v,
             const struct manifest_spot *at, struct err *e)
{
    if (!json_get(v, "destructive"))
        a->destructive = !a->read_only;
    if (a->read_only && a->destructive)
        return manifest_fault(at, e,
                              "a read_only action cannot be destructive");
    if (a->read_only && a->writes[0])
        return manifest_fault(at, e, "a read_only action cannot write");
    if (check_arguments(a, a->reads, "reads", at, e) < 0 ||
        check_arguments(a, a->writes, "writes", at, e) < 0)
        return -1;
    return check_arguments(a, a->hosts, "hosts", at, e);
}

static int
take_action(const struct json *v, const struct manifest_spot *at,
            struct manifest_action *a, struct err *e)
{
    size_t n;

    a->name = json_name(v, &n);
    if (strlen(a->name) < n || !manifest_is_name(a->name))
        return manifest_fault(at, e, "is not a valid action name");
    if (manifest_members(v, at, rows, a, e) < 0)
        return -1;
    return check_action(a, v, at, e);
}

int
manifest_take_actions(const struct json *v, const struct manifest_spot *at,
                      void *out, struct err *e)
{
    struct manifest *m = out;
    size_t n = json_count(v);

    if (json_type(v) != JSON_OBJECT || n == 0 || n > MANIFEST_ACTIONS_MAX)
        return manifest_fault(at, e, "must be an object of 1 to %d actions",
                              MANIFEST_ACTIONS_MAX);
    m->actions = calloc(n, sizeof(*m->actions));
    if (!m->actions)
        return err_nomem(e);
    for (const struct json *c = json_first(v); c; c = json_next(c)) {
        const struct manifest_spot spot = {.up = at,
                                           .name = json_name(c, NULL)};

        /* counted first, so that a half-read one is freed too */
        if (take_action(c, &spot, &m->actions[m->n_actions++], e) < 0)
            return -1;
    }
    return 0;
}

void
manifest_actions_done(struct manifest *m)
{
    if (!m)
        return;
    for (size_t i = 0; i < m->n_actions; i++) {
        json_schema_free(m->actions[i].args_check);
        json_schema_free(m->actions[i].meta_check);
    }
    free(m->actions);
}
