/* SPDX-License-Identifier: GPL-3.0-or-later */
/* environ_given.c - collects environment variables that a caller gives to a
 * command, within bounds. */
#include "base/environ_given.h"

#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"

#define SHOWN_MAX 64 /* of a name, in an error */

/* The bytes up to an = or the NUL. */
static size_t
given_name_length(const char *variable)
{
    return strcspn(variable, "=");
}

static bool
is_name(const char *name, size_t n)
{
    if (n == 0 || ascii_is_digit(name[0]))
        return false;
    for (size_t i = 0; i < n; i++)
        if (!ascii_is_word(name[i]))
            return false;
    return true;
}

static int
check_variable(const struct environ_given *g, const char *name, size_t name_n,
               const char *value, size_t value_n, struct err *e)
{
    int shown = (int)(name_n < SHOWN_MAX ? name_n : SHOWN_MAX);

    if (!is_name(name, name_n))
        return err_set(e, ERR_INVALID,
                       "\"%.*s\" is no name of a variable: letters, digits and "
                       "_ only, no digit first",
                       shown, name);
    if (memchr(value, '\0', value_n))
        return err_set(e, ERR_INVALID, "%.*s contains a NUL character", shown,
                       name);
    if (g->n == ENVIRON_GIVEN_MAX)
        return err_set(e, ERR_INVALID, "more than %d variables",
                       ENVIRON_GIVEN_MAX);
    if (name_n + value_n + 2 > ENVIRON_GIVEN_BYTES - g->bytes)
        return err_set(e, ERR_INVALID, "the variables have over %u bytes",
                       ENVIRON_GIVEN_BYTES);
    return 0;
}

int
environ_given_add(struct environ_given *g, const char *name, size_t name_n,
                  const char *value, size_t value_n, struct err *e)
{
    char *variable;

    if (check_variable(g, name, name_n, value, value_n, e) < 0)
        return -1;
    variable = malloc(name_n + value_n + 2);
    if (!variable)
        return err_nomem(e);
    memcpy(variable, name, name_n);
    variable[name_n] = '=';
    memcpy(variable + name_n + 1, value, value_n);
    variable[name_n + 1 + value_n] = '\0';
    g->list[g->n++] = variable;
    g->bytes += name_n + value_n + 2;
    return 0;
}

void
environ_given_done(struct environ_given *g)
{
    if (!g)
        return;
    for (size_t i = 0; i < g->n; i++)
        free(g->list[i]);
    *g = (struct environ_given){0};
}

bool
environ_given_has(const struct environ_given *g, const char *variable)
{
    size_t n = given_name_length(variable);

    for (size_t i = 0; i < g->n; i++)
        if (given_name_length(g->list[i]) == n &&
            memcmp(g->list[i], variable, n) == 0)
            return true;
    return false;
}
