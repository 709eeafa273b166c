/* SPDX-License-Identifier: GPL-3.0-or-later */
/* schema.c - loading a schema and walking a value along it. */
#include "json/schema.h"

#include <stdlib.h>
#include <string.h>

#include "json/rule.h"

/* A schema that refers to itself without end, or doubles its work at each
 * step, is stopped here. The deepest value takes some four levels each. */
#define STEPS_MAX (1 << 24)
#define DEPTH_MAX (4 * JSON_DEPTH_MAX)

static const struct json_rule *(*const groups[])(void) = {
    json_rules_form, json_rules_any, json_rules_scalar, json_rules_tree};

#define N_GROUPS (sizeof(groups) / sizeof(groups[0]))

static bool
is_annotation(const char *keyword)
{
    static const char *const words[] = {"title",    "description", "default",
                                        "examples", "$id",         "$schema",
                                        "$comment"};

    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        if (strcmp(keyword, words[i]) == 0)
            return true;
    }
    return false;
}

static const struct json_rule *
find_rule(const char *keyword)
{
    for (size_t g = 0; g < N_GROUPS; g++) {
        for (const struct json_rule *r = groups[g](); r->keyword; r++) {
            if (strcmp(r->keyword, keyword) == 0)
                return r;
        }
    }
    return NULL;
}

static int
load_member(struct json_schema *s, const struct json *member, struct err *e)
{
    const char *keyword = json_name(member, NULL);
    const struct json_rule *r = find_rule(keyword);

    if (r && r->load(s, member, e) < 0)
        return err_wrap(e, "%s", keyword);
    if (r || is_annotation(keyword))
        return 0;
    return err_set(e, ERR_INVALID, "unknown keyword \"%s\"", keyword);
}

int
json_rule_load(struct json_schema *s, const struct json *schema, struct err *e)
{
    if (json_type(schema) == JSON_BOOL)
        return 0;
    if (json_type(schema) != JSON_OBJECT)
        return err_set(e, ERR_INVALID, "a schema must be an object");
    for (const struct json *c = json_first(schema); c; c = json_next(c)) {
        if (load_member(s, c, e) < 0)
            return -1;
    }
    return 0;
}

struct json_schema *
json_schema_new(const struct json *root, struct err *e)
{
    CLEANUP(json_schema_free_p)
    struct json_schema *s = calloc(1, sizeof(*s));

    if (!s) {
        err_sys(e, "schema");
        return NULL;
    }
    s->root = root;
    if (json_rule_load(s, root, e) < 0) {
        err_wrap(e, "schema");
        return NULL;
    }
    return TAKE_PTR(s);
}

void
json_schema_free(struct json_schema *s)
{
    if (!s)
        return;
    for (size_t i = 0; i < s->n_patterns; i++)
        regfree(&s->patterns[i].compiled);
    free(s->patterns);
    free(s);
}

static int
check_rules(struct json_check *c, const struct json *schema,
            const struct json *v, const struct json_place *at)
{
    for (size_t g = 0; g < N_GROUPS; g++) {
        for (const struct json_rule *r = groups[g](); r->keyword; r++) {
            const struct json *arg = json_get(schema, r->keyword);

            if (arg && r->check && r->check(c, schema, arg, v, at) < 0)
                return -1;
        }
    }
    return 0;
}

int
json_rule_check(struct json_check *c, const struct json *schema,
                const struct json *v, const struct json_place *at)
{
    bool anything;
    int rc;

    if (json_bool(schema, &anything))
        return anything ? 0 : json_fault(c, at, "is not allowed here");
    if (c->steps++ == STEPS_MAX || c->depth == DEPTH_MAX) {
        c->gave_up = true;
        return json_fault(c, at, "the schema refers to itself");
    }
    c->depth++;
    rc = check_rules(c, schema, v, at);
    c->depth--;
    return rc;
}

int
json_schema_check(const struct json_schema *s, const struct json *value,
                  unsigned flags, struct err *e)
{
    struct err ignored = {0};
    struct json_check c = {.schema = s, .flags = flags, .e = e ? e : &ignored};

    return json_rule_check(&c, s->root, value, NULL);
}
