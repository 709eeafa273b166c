/* SPDX-License-Identifier: GPL-3.0-or-later */
/* recipe_slots.c - the slots of a template: {path}, {number:10}, {text!}. */
#include <string.h>

#include "offline/recipe/recipe.h"

#define OTHERWISE_MAX 128 /* bytes, with the NUL */

struct scan {
    const char *text;
    size_t at; /* behind the brace that opened */
    struct recipe_slot slot;
    char otherwise[OTHERWISE_MAX];
};

static int
wrong(const struct scan *sc, size_t n, const char *what, struct err *e)
{
    return err_set(e, ERR_USAGE, "{%.*s}: %s", n > 40 ? 40 : (int)n,
                   sc->text + sc->at, what);
}

/* A number behind the name of the type: 2 of path2. */
static bool
read_nth(struct scan *sc, const char **p)
{
    sc->slot.nth = 1;
    if (**p < '0' || **p > '9')
        return true;
    sc->slot.nth = (unsigned)(*(*p)++ - '0');
    return sc->slot.nth >= 1 && sc->slot.nth <= RECIPE_SLOTS_MAX;
}

static bool
read_unit(struct scan *sc, const char **p)
{
    const char *units = sc->slot.type == SLOT_AGE    ? "smhdwMy"
                        : sc->slot.type == SLOT_SIZE ? "ckMGT"
                        : sc->slot.type == SLOT_PATH ? "dn"
                                                     : "";

    if (**p != '.')
        return true;
    ++*p;
    if (!strchr(units, **p))
        return false;
    sc->slot.unit = *(*p)++;
    return true;
}

/* {@today}, n bytes from sc->at on. */
static int
read_known(struct scan *sc, size_t n, struct err *e)
{
    static const struct {
        const char *name;
        enum recipe_known known;
    } names[] = {{"@today", RECIPE_KNOWN_TODAY},
                 {"@day", RECIPE_KNOWN_DAY},
                 {"@home", RECIPE_KNOWN_HOME},
                 {"@user", RECIPE_KNOWN_USER}};
    const char *p = sc->text + sc->at;
    size_t end = n > 1 && p[n - 1] == '!' ? n - 1 : n;

    sc->slot = (struct recipe_slot){.nth = 1, .bare = end < n};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (strlen(names[i].name) == end && !memcmp(names[i].name, p, end)) {
            sc->slot.known = names[i].known;
            return 0;
        }
    return wrong(sc, n, "known are @today, @day, @home and @user", e);
}

/* What stands between the braces, n bytes from sc->at on. */
static int
read_slot(struct scan *sc, size_t n, struct err *e)
{
    const char *p = sc->text + sc->at, *end = p + n;
    int type;

    sc->slot = (struct recipe_slot){0};
    if (n == 0)
        return err_set(e, ERR_USAGE, "{}: write {{}} for a shell's own");
    if (*p == '@')
        return read_known(sc, n, e);
    while (p < end && *p >= 'a' && *p <= 'z')
        p++;
    type = slot_find(sc->text + sc->at, (size_t)(p - sc->text) - sc->at);
    if (type < 0)
        return wrong(sc, n, "no type of slot; a shell's own brace is {{", e);
    sc->slot.type = type;
    if (!read_nth(sc, &p))
        return wrong(sc, n, "the first is {name}, then {name2} up to 8", e);
    if (!read_unit(sc, &p))
        return wrong(sc, n,
                     "ages have units smhdwMy, sizes ckMGT, "
                     "paths dn",
                     e);
    if (*p == '!') {
        sc->slot.bare = true;
        p++;
    }
    if (*p == ':') {
        if (end - p > OTHERWISE_MAX)
            return wrong(sc, n, "what stands there otherwise is too long", e);
        memcpy(sc->otherwise, p + 1, (size_t)(end - p) - 1);
        sc->otherwise[end - p - 1] = '\0';
        sc->slot.otherwise = sc->otherwise;
        p = end;
    }
    return p == end ? 0 : wrong(sc, n, "odd behind the type", e);
}

int
recipe_slots(const char *text,
             int (*slot)(void *arg, const struct recipe_slot *s, size_t from,
                         size_t to),
             void *arg, struct err *e)
{
    struct scan sc = {.text = text};
    size_t i = 0, n;

    while (text[i += strcspn(text + i, "{}")]) {
        if (text[i] == text[i + 1]) {
            i += 2;
            continue;
        }
        sc.at = i + 1;
        n = strcspn(text + sc.at, "}");
        if (text[i] == '}' || !text[sc.at + n])
            return err_set(e, ERR_USAGE,
                           "a lone %c: a shell's own brace is "
                           "written twice",
                           text[i]);
        if (read_slot(&sc, n, e) < 0)
            return -1;
        if (slot && slot(arg, &sc.slot, i, sc.at + n + 1) < 0)
            return -1;
        i = sc.at + n + 1;
    }
    return 0;
}
