/* SPDX-License-Identifier: GPL-3.0-or-later */
/* step_sandbox.c - says in words what a step runs in. */
#include "action/step_sandbox.h"

#include <limits.h>

#include "base/message.h"
#include "base/message_put.h"
#include "base/path.h"

/* Appends the new files that a step may add, or those that it may append to. */
static void
put_added_files(struct buf *line, const struct profile_choice *c, bool grows,
                const char *before)
{
    for (size_t i = 0; i < c->n_added; i++) {
        if (c->added[i].grows != grows)
            continue;
        buf_printf(line, "%s%s", before, path_base(c->added[i].path));
        before = ", ";
    }
}

static void
put_writable(struct buf *out, const struct seat *s,
             const struct profile_choice *c, const char *before)
{
    char text[PATH_MAX];

    for (size_t i = 0; i < c->n_writable; i++)
        buf_printf(out, "%s%s", i ? ", " : before,
                   path_short(c->writable[i], seat_home(s), text));
}

/* Appends what Landlock alone protects, and what it does not protect from a
 * step that writes. */
static void
put_reduced(struct buf *out, const struct seat *s,
            const struct profile_choice *c)
{
    bool here = c->profile == PROFILE_REDUCED;

    if (!here)
        buf_printf(out, "%s, ", profile_row(c->profile)->name);
    buf_str(out, _("reduced: no namespaces here"));
    if (!here && c->n_writable == 0)
        return;
    buf_str(out, here ? _("; writes only in this directory")
                      : _("; writes only in"));
    put_writable(out, s, c, here ? _(" and ") : " ");
    buf_str(out, c->net ? _(", with network") : _(", no network"));
    buf_str(out,
            _("; mode, owner and times of other files can change, secrets "
              "in these directories can be replaced or deleted, though not "
              "read, and what git runs is put back only afterwards"));
}

static void
put_profile(struct buf *out, const struct seat *s,
            const struct profile_choice *c)
{
    if (c->profile == PROFILE_WORKSPACE_WRITE && !c->rest) {
        buf_str(out, _("writes only in this directory"));
        put_writable(out, s, c, _(" and "));
        buf_str(out, c->net ? _(", with network") : _(", no network"));
        return;
    }
    if (c->reduced) {
        put_reduced(out, s, c);
    } else {
        buf_printf(out, "%s%s", profile_row(c->profile)->name,
                   c->net ? _(" with network") : "");
        put_writable(out, s, c, _(", writes in "));
    }
    put_added_files(out, c, false, _(", adds "));
    put_added_files(out, c, true, _(", adds to "));
    if (c->why[0]) {
        buf_str(out, " (");
        (void)message_put(out, c->why);
        buf_ch(out, ')');
    }
    if (c->rest)
        buf_printf(out, _("; %s alone: %s"), path_base(c->reader[0]),
                   profile_row(PROFILE_OBSERVE_PROC)->name);
}

/* What confines a step on another host is the agent there. */
static void
put_hosts_sandbox(struct buf *out, const struct step_verdict *v)
{
    enum profile p = v->found.profile.profile;

    if (p == PROFILE_FULL)
        buf_str(out, _("none there: it has all rights of that login, and no "
                       "preview or undo"));
    else
        buf_printf(out, _("%s there, by the agent of each host"),
                   profile_row(p)->name);
}

void
step_sandbox_write(struct buf *out, const struct seat *s,
                   const struct step_verdict *v)
{
    if (v->undoing)
        buf_str(out, _("none: agentsh itself puts the files back"));
    else if (v->hosts)
        put_hosts_sandbox(out, v);
    else if (v->tool)
        buf_str(out, v->confinement);
    else
        put_profile(out, s, &v->found.profile);
}
