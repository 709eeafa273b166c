/* SPDX-License-Identifier: GPL-3.0-or-later */
/* args.c - looks at each argument before any manager sees it. */
#include "plugins/pkg.manage/args.h"

#include <string.h>

#include "base/utf8.h"

static int
read_action(const char *name, enum manager_ask *out, struct err *e)
{
    for (int i = 0; i < ASK_ACTIONS; i++) {
        if (strcmp(name, manager_action_name(i)) == 0) {
            *out = i;
            return 0;
        }
    }
    return err_set(e, ERR_INVALID,
                   "action must be install, remove, update, upgrade, search, "
                   "mark, state or reverse, not \"%.40s\"",
                   name);
}

/* NULL for what is absent or null. */
static const struct json *
member(const struct request *r, const char *name)
{
    const struct json *v = json_get(r->args, name);

    return v && json_type(v) != JSON_NULL ? v : NULL;
}

static int
read_name(const struct json *v, size_t i, const char **out, struct err *e)
{
    size_t n;
    const char *s = json_str(v, &n);

    if (!s)
        return err_set(e, ERR_INVALID, "args.packages[%zu] must be a string",
                       i);
    if (!words_is_name(s, n, "", ARGS_NAME_MAX))
        return err_set(e, ERR_INVALID,
                       "args.packages[%zu]: \"%.60s\" is not a package name: a "
                       "letter or digit, then letters, digits and + . _ : @ -",
                       i, s);
    *out = s;
    return 0;
}

static int
read_packages(const struct request *r, struct args *a, struct err *e)
{
    const struct json *list = member(r, "packages");
    bool needed = a->action == ASK_INSTALL || a->action == ASK_REMOVE ||
                  a->action == ASK_MARK;

    if (!list && !needed)
        return 0;
    if (!needed && a->action != ASK_UPGRADE)
        return err_set(e, ERR_INVALID, "%s takes no args.packages",
                       manager_action_name(a->action));
    if (json_type(list) != JSON_ARRAY || json_count(list) < 1 ||
        json_count(list) > ARGS_PACKAGES_MAX)
        return err_set(e, ERR_INVALID,
                       "args.packages must be a list of 1 to %d names",
                       ARGS_PACKAGES_MAX);
    for (const struct json *v = json_first(list); v; v = json_next(v)) {
        if (read_name(v, a->n, &a->packages[a->n], e) < 0)
            return -1;
        a->n++;
    }
    return 0;
}

static int
read_version(const struct json *v, size_t i, const char **out, struct err *e)
{
    size_t n;
    const char *s = json_str(v, &n);

    if (!s || (n > 0 && !words_is_name(s, n, ARGS_MARKS, ARGS_VERSION_MAX)))
        return err_set(e, ERR_INVALID,
                       "args.versions[%zu] must be a version, or \"\"", i);
    *out = s;
    return 0;
}

static int
read_versions(const struct request *r, struct args *a, struct err *e)
{
    const struct json *list = member(r, "versions");
    size_t n = 0;

    if (!list)
        return 0;
    if (a->action != ASK_INSTALL)
        return err_set(e, ERR_INVALID, "%s takes no args.versions",
                       manager_action_name(a->action));
    if (json_type(list) != JSON_ARRAY || json_count(list) != a->n)
        return err_set(e, ERR_INVALID,
                       "args.versions must have as many texts as "
                       "args.packages");
    for (const struct json *v = json_first(list); v; v = json_next(v), n++)
        if (read_version(v, n, &a->versions[n], e) < 0)
            return -1;
    a->has_versions = true;
    return 0;
}

static int
read_mark(const struct request *r, struct args *a, struct err *e)
{
    const struct json *v = member(r, "automatic");

    if (a->action != ASK_MARK)
        return v ? err_set(e, ERR_INVALID, "%s takes no args.automatic",
                           manager_action_name(a->action))
                 : 0;
    return !v || json_bool(v, &a->automatic)
               ? 0
               : err_set(e, ERR_INVALID,
                         "args.automatic must be true or false");
}

/* A word or a few: nothing that could be an option or hides. */
static bool
is_query(const char *s, size_t n)
{
    if (n == 0 || n > ARGS_QUERY_MAX || *s == '-')
        return false;
    for (size_t i = 0; i < n; i++) {
        if ((unsigned char)s[i] < ' ' || s[i] == 0x7f)
            return false;
    }
    return utf8_valid(s, n);
}

static int
read_query(const struct request *r, struct args *a, struct err *e)
{
    const struct json *v = member(r, "query");
    size_t n;

    if (a->action != ASK_SEARCH) {
        if (v)
            return err_set(e, ERR_INVALID, "%s takes no args.query",
                           manager_action_name(a->action));
        return 0;
    }
    a->query = json_str(v, &n);
    if (!a->query || !is_query(a->query, n))
        return err_set(e, ERR_INVALID,
                       "args.query must be a text of 1 to %d bytes that does "
                       "not begin with -",
                       ARGS_QUERY_MAX);
    return 0;
}

static int
read_rest(const struct request *r, struct args *a, struct err *e)
{
    const struct json *yes = member(r, "assume_yes");
    const struct json *manager = member(r, "manager");

    if (yes && !json_bool(yes, &a->assume_yes))
        return err_set(e, ERR_INVALID, "args.assume_yes must be true or false");
    a->manager = json_get_str(r->args, "manager");
    if (manager && !a->manager)
        return err_set(e, ERR_INVALID, "args.manager must be a string");
    return 0;
}

/* What is asked about another call has the arguments of that one. */
static int
read_about(const struct request *r, struct args *a, struct err *e)
{
    const struct json *of = json_get(r->args, "of");
    const struct json *manager = json_get(of, "manager");

    if (of && json_type(of) != JSON_OBJECT)
        return err_set(e, ERR_INVALID, "args.of must be an object");
    a->manager = json_str(manager, NULL);
    if (manager && !a->manager && json_type(manager) != JSON_NULL)
        return err_set(e, ERR_INVALID, "args.of.manager must be a string");
    return 0;
}

int
args_read(const struct request *r, struct args *out, struct err *e)
{
    struct args a = {0};

    if (read_action(r->action, &a.action, e) < 0)
        return -1;
    if (a.action == ASK_STATE || a.action == ASK_REVERSE) {
        if (read_about(r, &a, e) < 0)
            return -1;
        *out = a;
        return 0;
    }
    if (read_packages(r, &a, e) < 0 || read_versions(r, &a, e) < 0 ||
        read_mark(r, &a, e) < 0 || read_query(r, &a, e) < 0 ||
        read_rest(r, &a, e) < 0)
        return -1;
    *out = a;
    return 0;
}
