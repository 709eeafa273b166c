/* SPDX-License-Identifier: GPL-3.0-or-later */
/* find_perm.c - which permissions files have. */
#include <string.h>

#include "offline/compose/find.h"

#define WHO_OTHER "others|other|world|everyone|anyone|everybody|anybody"
#define WHO_ALL   "all|everybody|everyone"

/* Permissions that have names. */
static const struct named {
    const char *row, *text;
} named[] = {
    {"read write execute ?permission|permissions ?set ?for|to|by "
     "all|everyone|everybody ?user|users",
     " -perm 777"},
    {"suid|setuid|set-uid", " -perm -4000"},
    {"set user|uid id|bit", " -perm -4000"},
    {"sgid|setgid|set-gid|guid", " -perm -2000"},
    {"set group|gid|guid id|bit", " -perm -2000"},
    {"sticky ?bit", " -perm -1000"},
    {"world|globally writable|writeable", " -perm -o+w"},
    {WHO_OTHER "|anyone|all can execute|run", " -perm -a+x"},
    {WHO_OTHER " can read", " -perm -o+r"},
    {"writable|writeable by|for|to " WHO_OTHER, " -perm -o+w"},
    {WHO_OTHER " can write", " -perm -o+w"},
    {"writable|writeable by|for|to ?its group", " -perm -g+w"},
    {"group writable|writeable", " -perm -g+w"},
    {"world readable", " -perm -o+r"},
    {"readable by|for|to " WHO_OTHER, " -perm -o+r"},
    {"executable|execute|executed by|for|to|permission " WHO_ALL,
     " -perm -a+x"},
    {"executable by|for ?their|its owner|user", " -perm -u+x"},
    {"writable|writeable", " -writable"},
    {"readable|unreadable", " -readable"},
    {"executable|executables", " -executable"},
};

static void
read_named(struct find *f)
{
    struct compose_hit hit;

    for (size_t i = 0; i < sizeof(named) / sizeof(named[0]); i++) {
        bool no;

        if (!find_sees(f, named[i].row, &hit))
            continue;
        no = compose_negated(f->q, hit.from) ||
             compose_is(f->q, hit.from, "unreadable");
        f->used |= hit.set;
        find_test(f, FIND_PERM, "%s%s", no ? " !" : "", named[i].text);
    }
    if (f->part[FIND_PERM].len) {
        find_says(f, "bit ?set|on|enabled");
        find_says(f, "permission|permissions");
    }
}

/* "mode 755", "at least 644", "any of u+x": what find puts before a mode. */
static const char *
how(const struct find *f, size_t i, const struct request_value *v)
{
    if (v->bound == BOUND_AT_LEAST || v->bound == BOUND_MORE)
        return "-";
    if (i >= 2 && compose_is(f->q, i - 1, "of") &&
        compose_is(f->q, i - 2, "any some one"))
        return "/";
    if (i && compose_is(f->q, i - 1, "least"))
        return "-";
    return strpbrk(v->text, "+") ? "-" : "";
}

/* A mode is what files have when it stands with "permission" or before the
 * word to which it would be changed; find_action.c has had that one. */
static void
read_modes(struct find *f)
{
    for (size_t i = find_value(f, SLOT_MODE, 0); i != REQUEST_NONE;
         i = find_value(f, SLOT_MODE, i + 1)) {
        const struct request_value *v = request_value_of(f->q, i);

        if (v->is != SLOT_MODE &&
            !request_has(f->q, "permission permissions mode chmod perm"))
            continue;
        find_use(f, i);
        find_test(f, FIND_PERM, "%s -perm %s",
                  compose_negated(f->q, i) ? " !" : "", how(f, i, v));
        compose_word(&f->part[FIND_PERM], v->text);
        find_says(f, "permission|permissions|mode|perm ?set");
    }
}

void
find_read_perm(struct find *f)
{
    read_modes(f);
    read_named(f);
}
