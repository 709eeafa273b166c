/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pins.c - keeps a hidden place where it is. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/path.h"
#include "sandbox/launch/binds.h"
#include "sandbox/layer.h"

/* Whether the directory can be renamed inside: what it lies in, nearest, is
 * writable, and it is no mount itself. */
static bool
is_loose(const struct binds *b, const char *dir)
{
    const struct bind *nearest = NULL;
    size_t longest = 0;

    for (size_t i = 0; i < b->n; i++) {
        const struct bind *at = &b->at[i];
        size_t length = strlen(at->real);

        if (strcmp(at->real, dir) == 0)
            return false;
        if (at->kind != BIND_PIN && length >= longest &&
            path_is_below(dir, at->real)) {
            longest = length;
            nearest = at;
        }
    }
    return nearest && nearest->kind == BIND_WRITE;
}

static int
add(struct binds *b, const char *dir, struct err *e)
{
    char *real = strdup(dir);

    if (!real)
        return err_nomem(e);
    if (b->n == BINDS_MAX) {
        free(real);
        errno = E2BIG;
        return layer_missing_at(e, "mounts", dir);
    }
    b->at[b->n++] = (struct bind){
        .given = real, .real = real, .kind = BIND_PIN, .directory = true};
    return 0;
}

/* The directories above one place. */
static int
pin_above(struct binds *b, const char *real, struct err *e)
{
    CLEANUP(free_p) char *dir = strdup(real);
    char *slash;

    if (!dir)
        return err_nomem(e);
    while ((slash = strrchr(dir, '/')) != NULL && slash > dir) {
        *slash = '\0';
        if (is_loose(b, dir) && add(b, dir, e) < 0)
            return -1;
    }
    return 0;
}

/* Elsewhere nothing is renamed. */
static bool
has_writable(const struct binds *b)
{
    for (size_t i = 0; i < b->n; i++)
        if (b->at[i].kind == BIND_WRITE)
            return true;
    return false;
}

int
binds_pin(struct binds *b, struct err *e)
{
    size_t n = b->n;

    if (!has_writable(b))
        return 0;
    for (size_t i = 0; i < n; i++)
        if (b->at[i].kind != BIND_WRITE && pin_above(b, b->at[i].real, e) < 0)
            return -1;
    return 0;
}
