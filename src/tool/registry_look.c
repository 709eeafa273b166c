/* SPDX-License-Identifier: GPL-3.0-or-later */
/* registry_look.c - one tool: its manifest, its hash, who agreed to it. */
#include <string.h>
#include <sys/stat.h>

#include "base/owner.h"
#include "base/path.h"
#include "tool/manifest_in.h"
#include "tool/registry_in.h"
#include "tool/trust.h"

int
registry_notes(struct registry *r, struct err *e)
{
    if (r->noted)
        return 0;
    if (trust_read(&r->notes, e) < 0) {
        buf_clear(&r->notes);
        return -1;
    }
    r->noted = true;
    return 0;
}

static int
not_so(const struct tool *t, struct err *e, const char *why)
{
    err_set(e, ERR_INVALID, "%s", why);
    return manifest_blame(e, t->dir);
}

/* Where it really is, which is what the notes name. */
static int
resolve(struct tool *t, struct err *e)
{
    char *real = realpath(t->dir, NULL);

    if (!real)
        return err_sys(e, "%s", t->dir);
    free(t->dir);
    t->dir = real;
    for (const char *p = real; *p; p++)
        if ((unsigned char)*p < ' ')
            return not_so(t, e, "its path contains a control character");
    return owner_check_parents(real, e);
}

static int
read_manifest(struct registry_row *row, struct err *e)
{
    struct tool *t = &row->tool;
    CLEANUP(manifest_free_p) struct manifest *m = manifest_read(t->dir, e);

    if (!m)
        return -1;
    if (strcmp(m->name, row->name) != 0)
        return not_so(t, e,
                      "its name differs from that of the symbolic link to it");
    if (m->step && t->source != TOOL_BUILTIN)
        return not_so(t, e, "confinement: only for built-in tools");
    if (!(t->program = path_join(t->dir, m->executable)))
        return err_nomem(e);
    row->manifest = TAKE_PTR(m);
    return 0;
}

static int
weigh(struct registry *r, struct tool *t, struct err *e)
{
    if (trust_hash(t->dir, t->hash, e) < 0 || registry_notes(r, e) < 0)
        return -1;
    t->trust = trust_find(&r->notes, t->dir, t->hash);
    return 0;
}

static int
fill_plugin(struct registry *r, struct registry_row *row, struct err *e)
{
    struct tool *t = &row->tool;

    t->trust = TOOL_NEW;
    if (resolve(t, e) < 0 || read_manifest(row, e) < 0)
        return -1;
    return weigh(r, t, e);
}

static int
fill(struct registry *r, struct registry_row *row, struct err *e)
{
    if (row->tool.server)
        return registry_fill_server(r, row, e);
    if (!manifest_is_name(row->name))
        return not_so(
            &row->tool, e,
            "the directory's name is not a valid tool name (a-z 0-9 _ . -)");
    if (row->tool.source == TOOL_BUILTIN)
        return read_manifest(row, e);
    return fill_plugin(r, row, e);
}

void
registry_look(struct registry *r, struct registry_row *row)
{
    if (row->looked)
        return;
    row->looked = true;
    if (fill(r, row, &row->tool.fault) < 0) {
        manifest_free(row->manifest);
        row->manifest = NULL;
    }
    row->tool.manifest = row->manifest;
}
