/* SPDX-License-Identifier: GPL-3.0-or-later */
/* effects_copy.c - what cp or mv of a pattern would overwrite. */
#include <stdio.h>
#include <string.h>

#include "base/path.h"
#include "guard/effects/effects_look.h"
#include "guard/effects/effects_path.h"

/* A path that is copied: the line names it, and it ends as p does. */
static bool
is_source(const struct risk_path *source, const struct risk_path *p)
{
    return source != p && source->word && source->known &&
           source->from < p->from && source->use != RISK_CHANGES &&
           strcmp(path_base(source->text), path_base(p->text)) == 0;
}

static void
copy_into(struct effects_look *l, const char *dir,
          const struct glob_list *sources)
{
    for (size_t i = 0; i < sources->n; i++) {
        char path[PATH_MAX];

        if (snprintf(path, sizeof(path), "%s/%s", dir,
                     path_base(sources->v[i])) < PATH_MAX)
            effects_add_path(l, path, RISK_CHANGES, false);
    }
}

bool
effects_copy(struct effects_look *l, const struct risk_path *p)
{
    char dir[PATH_MAX], all_of[PATH_MAX];
    const char *base = path_base(p->text);
    struct risk_path into = *p;
    struct glob_list dirs = {0}, sources = {0};
    bool known = false;

    if (base == p->text || base - p->text >= PATH_MAX || !base[0])
        return false;
    snprintf(dir, sizeof(dir), "%.*s", (int)(base - p->text), p->text);
    into.text = dir;
    for (size_t i = 0; i < l->r->n_paths; i++)
        if (is_source(&l->r->paths[i], p))
            known = effects_path_expand(l, &l->r->paths[i], &sources, all_of);
    if (known)
        known = effects_path_expand(l, &into, &dirs, all_of);
    for (size_t i = 0; known && i < dirs.n; i++)
        copy_into(l, dirs.v[i], &sources);
    l->out->more |= sources.more;
    glob_list_done(&sources);
    glob_list_done(&dirs);
    return known;
}
