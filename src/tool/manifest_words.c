/* SPDX-License-Identifier: GPL-3.0-or-later */
/* manifest_words.c - what a manifest of the form "words" may hold. */
#include <ctype.h>
#include <string.h>

#include "tool/manifest_in.h"

#define NAME_BYTES 64 /* of an argument that becomes a variable */

static bool
is_variable(const char *name, size_t n)
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

/* Whether two names are one variable. */
static bool
same_variable(const char *a, const char *b)
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

    if (!is_variable(name, n))
        return manifest_fault(
            &spot, e,
            "cannot be a variable name: letters, digits, _ and - only");
    for (const struct json *o = json_next(v); o; o = json_next(o)) {
        if (same_variable(name, json_name(o, NULL)))
            return manifest_fault(&spot, e, "is the same variable as \"%.40s\"",
                                  json_name(o, NULL));
    }
    return 0;
}

static int
check_action(const struct manifest_action *a, struct err *e)
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

int
manifest_check_words(const struct manifest *m, struct err *e)
{
    const struct manifest_spot form = {.name = "form"};

    if (m->step || m->persistent || m->needs.privileged[0])
        return manifest_fault(&form, e,
                              "\"words\" is for programs that are started once "
                              "per request, without \"%s\"",
                              m->step         ? "confinement"
                              : m->persistent ? "persistent"
                                              : "privileged");
    for (size_t i = 0; i < m->n_actions; i++) {
        if (check_action(&m->actions[i], e) < 0)
            return -1;
    }
    return 0;
}
