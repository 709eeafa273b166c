/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rules_tree.c - keywords for objects and arrays. */
#include <string.h>

#include "json/rule.h"

#define REASON_MAX 512 /* bytes of a part of a message, which may be cut */

static int
load_required(struct json_schema *s, const struct json *arg, struct err *e)
{
    (void)s;
    if (json_type(arg) != JSON_ARRAY)
        return err_set(e, ERR_INVALID, "must be a list of names");
    for (const struct json *c = json_first(arg); c; c = json_next(c)) {
        size_t len;
        const char *name = json_str(c, &len);

        if (!name || strlen(name) != len)
            return err_set(e, ERR_INVALID, "must be a list of names");
    }
    return 0;
}

static int
check_required(struct json_check *c, const struct json *schema,
               const struct json *arg, const struct json *v,
               const struct json_place *at)
{
    (void)schema;
    if (json_type(v) != JSON_OBJECT)
        return 0;
    for (const struct json *n = json_first(arg); n; n = json_next(n)) {
        CLEANUP_BUF struct buf name = buf_of(REASON_MAX);

        if (json_get(v, json_str(n, NULL)))
            continue;
        json_describe(&name, n);
        return json_fault(c, at, "missing %s", name.p);
    }
    return 0;
}

static bool
is_required(const struct json *schema, const char *member)
{
    const struct json *n = json_first(json_get(schema, "required"));

    while (n && strcmp(json_str(n, NULL), member) != 0)
        n = json_next(n);
    return n != NULL;
}

int
json_load_members(struct json_schema *s, const struct json *arg, struct err *e)
{
    if (json_type(arg) != JSON_OBJECT)
        return err_set(e, ERR_INVALID, "must be an object");
    for (const struct json *c = json_first(arg); c; c = json_next(c)) {
        if (json_rule_load(s, c, e) < 0)
            return err_wrap(e, "%s", json_name(c, NULL));
    }
    return 0;
}

static bool
counts_as_absent(const struct json_check *c, const struct json *schema,
                 const struct json *member)
{
    return (c->flags & JSON_SCHEMA_NULL_ABSENT) &&
           json_type(member) == JSON_NULL &&
           !is_required(schema, json_name(member, NULL));
}

static int
check_properties(struct json_check *c, const struct json *schema,
                 const struct json *arg, const struct json *v,
                 const struct json_place *at)
{
    if (json_type(v) != JSON_OBJECT)
        return 0;
    for (const struct json *p = json_first(arg); p; p = json_next(p)) {
        const struct json *member = json_member_like(v, p);
        struct json_place here = {.up = at, .member = member};

        if (!member || counts_as_absent(c, schema, member))
            continue;
        if (json_rule_check(c, p, member, &here) < 0)
            return -1;
    }
    return 0;
}

static int
fault_unknown(struct json_check *c, const struct json *member,
              const struct json_place *at)
{
    CLEANUP_BUF struct buf name = buf_of(REASON_MAX);
    size_t len;
    const char *s = json_name(member, &len);

    json_describe_string(&name, s, len);
    return json_fault(c, at, "has an unknown member %s", name.p);
}

static int
check_additional(struct json_check *c, const struct json *schema,
                 const struct json *arg, const struct json *v,
                 const struct json_place *at)
{
    const struct json *known = json_get(schema, "properties");
    bool allowed = true;

    if (json_type(v) != JSON_OBJECT || (json_bool(arg, &allowed) && allowed))
        return 0;
    for (const struct json *m = json_first(v); m; m = json_next(m)) {
        struct json_place here = {.up = at, .member = m};

        if (json_member_like(known, m))
            continue;
        if (!allowed)
            return fault_unknown(c, m, at);
        if (json_rule_check(c, arg, m, &here) < 0)
            return -1;
    }
    return 0;
}

static int
check_items(struct json_check *c, const struct json *schema,
            const struct json *arg, const struct json *v,
            const struct json_place *at)
{
    struct json_place here = {.up = at};

    (void)schema;
    if (json_type(v) != JSON_ARRAY)
        return 0;
    for (const struct json *i = json_first(v); i; i = json_next(i)) {
        if (json_rule_check(c, arg, i, &here) < 0)
            return -1;
        here.index++;
    }
    return 0;
}

static int
check_min_items(struct json_check *c, const struct json *schema,
                const struct json *arg, const struct json *v,
                const struct json_place *at)
{
    size_t least = 0;

    (void)schema;
    json_is_size(arg, &least);
    if (json_type(v) != JSON_ARRAY || json_count(v) >= least)
        return 0;
    if (json_count(v) == 0)
        return json_fault(c, at, "must not be empty");
    return json_fault(c, at, "must have at least %zu items, not %zu", least,
                      json_count(v));
}

static int
check_max_items(struct json_check *c, const struct json *schema,
                const struct json *arg, const struct json *v,
                const struct json_place *at)
{
    size_t most = 0;

    (void)schema;
    json_is_size(arg, &most);
    if (json_type(v) != JSON_ARRAY || json_count(v) <= most)
        return 0;
    return json_fault(c, at, "must have at most %zu items, not %zu", most,
                      json_count(v));
}

const struct json_rule *
json_rules_tree(void)
{
    static const struct json_rule rules[] = {
        {"required", load_required, check_required},
        {"properties", json_load_members, check_properties},
        {"additionalProperties", json_rule_load, check_additional},
        {"minItems", json_load_size, check_min_items},
        {"maxItems", json_load_size, check_max_items},
        {"items", json_rule_load, check_items},
        {NULL, NULL, NULL},
    };

    return rules;
}
