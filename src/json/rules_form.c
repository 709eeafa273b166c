/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rules_form.c - keywords that lead to other schemas for the same value. */
#include <string.h>

#include "json/rule.h"

static const struct json *
resolve(const struct json_schema *s, const struct json *ref)
{
    static const char prefix[] = "#/definitions/";
    const char *path = json_str(ref, NULL);

    if (!path || strncmp(path, prefix, strlen(prefix)) != 0)
        return NULL;
    return json_get(json_get(s->root, "definitions"), path + strlen(prefix));
}

static int
load_ref(struct json_schema *s, const struct json *arg, struct err *e)
{
    if (resolve(s, arg))
        return 0;
    return err_set(e, ERR_INVALID, "names nothing in \"definitions\"");
}

static int
check_ref(struct json_check *c, const struct json *schema,
          const struct json *arg, const struct json *v,
          const struct json_place *at)
{
    (void)schema;
    return json_rule_check(c, resolve(c->schema, arg), v, at);
}

static int
load_forms(struct json_schema *s, const struct json *arg, struct err *e)
{
    if (json_type(arg) != JSON_ARRAY || json_count(arg) == 0)
        return err_set(e, ERR_INVALID, "must be a list of schemas");
    for (const struct json *c = json_first(arg); c; c = json_next(c)) {
        if (json_rule_load(s, c, e) < 0)
            return -1;
    }
    return 0;
}

/* How many forms fit, at most enough of them. When none does, the fault is
 * that of the form which came furthest into the value: it is the one that
 * was meant. -1 when a bound was reached. */
static int
count_fits(struct json_check *c, const struct json *forms, int enough,
           const struct json *v, const struct json_place *at)
{
    struct err fault = {0};
    struct json_check form = *c; /* its faults are not yet c's */
    bool faulty = false;
    int fits = 0;

    form.e = &fault;
    for (const struct json *f = json_first(forms); f; f = json_next(f)) {
        if (json_rule_check(&form, f, v, at) == 0) {
            if (++fits == enough)
                break;
        } else if (!faulty || form.gave_up ||
                   form.fault_level > c->fault_level) {
            *c->e = fault;
            c->fault_level = form.fault_level;
            faulty = true;
        }
        if (form.gave_up)
            break;
    }
    c->steps = form.steps;
    c->gave_up = form.gave_up;
    return form.gave_up ? -1 : fits;
}

static int
check_any_of(struct json_check *c, const struct json *schema,
             const struct json *arg, const struct json *v,
             const struct json_place *at)
{
    (void)schema;
    return count_fits(c, arg, 1, v, at) > 0 ? 0 : -1;
}

static int
check_one_of(struct json_check *c, const struct json *schema,
             const struct json *arg, const struct json *v,
             const struct json_place *at)
{
    int fits = count_fits(c, arg, 2, v, at);

    (void)schema;
    if (fits == 2)
        return json_fault(c, at, "matches more than one of the allowed forms");
    return fits == 1 ? 0 : -1;
}

const struct json_rule *
json_rules_form(void)
{
    static const struct json_rule rules[] = {
        {"definitions", json_load_members, NULL},
        {"$ref", load_ref, check_ref},
        {"anyOf", load_forms, check_any_of},
        {"oneOf", load_forms, check_one_of},
        {NULL, NULL, NULL},
    };

    return rules;
}
