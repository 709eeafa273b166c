/* SPDX-License-Identifier: GPL-3.0-or-later */
/* link.c - ln: a name for a file that has one. */
#include <string.h>

#include "offline/compose/composers.h"
#include "offline/compose/sketch.h"

static const char linking[] = "link symlink links symlinks ln softlink "
                              "hardlink shortcut";
static const char making[] = "create make add set link symlink point build "
                             "put establish ln new update force replace";
static const char refused[] = "find list show remove delete broken dangling "
                              "follow count display print copy search url "
                              "download dereference resolve read where";

/* Two literals: what exists, and the name that it gets. */
struct ends {
    const struct literal *target, *name;
};

/* "link a to b": a has to be there. "a link a to b": it is the new name. */
static bool
link_is_verb(const struct sketch *k)
{
    size_t at = sketch_at(k, linking);
    size_t make = sketch_at(k, "create make add set put establish build new");

    return make == REQUEST_NONE || make > at;
}

static void
read_ends(struct sketch *k, struct ends *it)
{
    const struct literal *object;

    it->name = sketch_take(k, 1u << ROLE_NAMED, ~0u);
    it->target = sketch_find_file(k, 1u << ROLE_TO);
    object = sketch_take(k, 1u << ROLE_OBJECT | 1u << ROLE_FROM, ~0u);
    if (it->target)
        sketch_mark(k, it->target->word);
    if (it->name) { /* "a link named x to y", "link y as x" */
        if (!it->target)
            it->target = object;
        else if (object) { /* "link y to z as x" */
            it->name = it->target;
            it->target = object;
        }
    } else if (object && it->target &&
               (link_is_verb(k) || object->role == ROLE_FROM ||
                (object->value->exists && !it->target->value->exists))) {
        it->name = it->target;
        it->target = object;
    } else if (it->target) {
        it->name = object;
    } else {
        it->target = object;
        it->name = sketch_take(k, 1u << ROLE_OBJECT, ~0u);
    }
    if (!it->target)
        it->target = sketch_take(k, 1u << ROLE_IN | 1u << ROLE_WITH, ~0u);
}

static void
put_options(struct sketch *k, bool symbolic)
{
    if (symbolic)
        sketch_put_option(k, "-s");
    sketch_option(k,
                  "force overwrite overwriting replace replacing update "
                  "existing",
                  "-f");
    sketch_option(k, "relative", "-r");
    sketch_option(k, "verbose verbosely", "-v");
    if (sketch_row(k, "without dereferencing/dereference") ||
        sketch_row(k, "no dereference"))
        sketch_put_option(k, "-n");
}

/* A symbolic link is read from where it is: what is here, and linked to from
 * elsewhere, needs its whole path. */
static void
put_target(struct sketch *k, const struct ends *it, const struct literal *in,
           bool symbolic, bool desktop)
{
    const char *text = it->target->value->text;
    bool away = desktop || in ||
                (it->name && strchr(it->name->value->text, '/'));

    if (!symbolic || !away || !it->target->value->exists ||
        strchr("/~$", text[0])) {
        sketch_put_literal(k, it->target);
        return;
    }
    sketch_mark(k, it->target->word);
    buf_str(&k->out, " \"$PWD\"/");
    compose_path(&k->out, text);
}

int
link_compose(const struct request *q, struct shortlist *s, struct err *e)
{
    struct literals l;
    CLEANUP_SKETCH struct sketch k;
    struct ends it;
    const struct literal *in;
    bool hard, desktop;
    size_t n;

    literals_read(q, &l);
    sketch_init(&k, &l, "link");
    sketch_put(&k, "ln");
    if (!sketch_has(&k, linking) || sketch_has(&k, refused) ||
        !sketch_has(&k, making))
        return 0;
    hard = sketch_says(&k, "hard hardlink");
    sketch_says(&k, "symbolic soft sym");
    put_options(&k, !hard);
    sketch_says(&k, linking);
    read_ends(&k, &it);
    if (!it.name && !sketch_has(&k, "create make add link symlink ln in"))
        return 0;
    sketch_says(&k, making);
    in = it.target ? sketch_find_file(&k, 1u << ROLE_IN) : NULL;
    desktop = sketch_row(&k, "on/to/in my/the desktop") ||
              sketch_row(&k, "on/to/in desktop");
    if (!it.target)
        sketch_open(&k, "TARGET");
    else
        put_target(&k, &it, in, !hard, desktop);
    n = k.out.len;
    in = sketch_find_file(&k, 1u << ROLE_IN);
    if (in) {
        sketch_put_literal(&k, in);
        if (it.name && k.out.p[k.out.len - 1] != '/')
            buf_ch(&k.out, '/');
    } else if (desktop && !it.name) {
        sketch_put(&k, "~/Desktop");
    } else if (sketch_row(&k, "current directory/folder") && !it.name) {
        sketch_put(&k, ".");
    }
    if (it.name) {
        if (in)
            compose_word(&k.out, it.name->value->text);
        else
            sketch_put_literal(&k, it.name);
    }
    if (k.out.len == n && k.open)
        sketch_open(&k, "NAME");
    return sketch_add_plain(&k, s, k.open ? FIT_LIKELY : FIT_SURE,
                            hard ? "make a hard link" : "make a symbolic link",
                            e);
}
