/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sync.c - rsync and scp: files to another place, or another machine. */
#include <string.h>

#include "offline/compose/archive.h"
#include "offline/compose/composers.h"
#include "offline/compose/sketch.h"

static bool
has_remote(const struct sketch *k)
{
    for (size_t i = 0; i < k->l->n; i++)
        if (request_is_remote_path(k->l->v[i].value->text))
            return true;
    return sketch_find(k, ROLE_ANY, 1u << SLOT_HOST) != NULL;
}

static bool
wants_rsync(const struct sketch *k)
{
    const struct literal *to = sketch_find_file(k, 1u << ROLE_TO);

    if (sketch_has(k, "rsync synchronize sync mirror"))
        return true;
    if (!to || archive_is_name(to->value->text))
        return false;
    return sketch_plain_at(k, "archive archives") == 0;
}

/* Where from and where to; of the machine's name what the request says. */
static bool
put_ends(struct sketch *k, bool ssh)
{
    const struct literal *host = NULL;
    const struct literal *user = NULL;
    const struct literal *from, *to;

    for (size_t i = 0; ssh && i < k->l->n; i++) {
        const struct literal *l = &k->l->v[i];

        if (!sketch_is_free(k, l) || strchr(l->value->text, '/'))
            continue;
        if (l->value->is == SLOT_USER && !user)
            user = l;
        else if (l->value->is == SLOT_HOST &&
                 !request_is_remote_path(l->value->text))
            host = l;
    }
    if (host)
        sketch_mark(k, host->word);
    if (user)
        sketch_mark(k, user->word);
    to = sketch_find_file(k, 1u << ROLE_TO);
    if (!to && host)
        to = sketch_find_file(k, 1u << ROLE_IN);
    if (to)
        sketch_mark(k, to->word);
    from = sketch_find_file(k, ROLE_ANY & ~(1u << ROLE_EXCEPT));
    if (!from || (!to && !host))
        return false;
    sketch_put_literal(k, from);
    if (!host) {
        sketch_put_literal(k, to);
        return true;
    }
    buf_ch(&k->out, ' ');
    if (user) {
        compose_word(&k->out, user->value->text);
        buf_ch(&k->out, '@');
    }
    compose_word(&k->out, host->value->text);
    buf_ch(&k->out, ':');
    if (to) /* else the home there */
        compose_word(&k->out, to->value->text);
    return true;
}

static void
put_shell(struct sketch *k)
{
    const struct literal *port = sketch_take(k, ROLE_ANY, 1u << SLOT_PORT);

    if (port && sketch_says(k, "port"))
        buf_printf(&k->out, " -e 'ssh -p %lld'",
                   (long long)port->value->amount);
    sketch_says(k, "ssh");
}

static int
add_rsync(struct sketch *k, struct shortlist *s, struct err *e)
{
    buf_str(&k->out, "rsync -a");
    if (sketch_says(k, "compress compressed compressing compression"))
        buf_ch(&k->out, 'z');
    if (sketch_says(k, "verbose verbosely"))
        buf_ch(&k->out, 'v');
    if (sketch_says(k, "quiet quietly suppress suppressing"))
        buf_ch(&k->out, 'q');
    if (sketch_row(k, "relative path"))
        buf_ch(&k->out, 'R');
    if (sketch_says(k, "newer update"))
        buf_ch(&k->out, 'u');
    sketch_option(k, "progress", "--progress");
    if (sketch_says(k, "delete deleting extraneous mirror"))
        sketch_put(k, "--delete");
    if (sketch_row(k, "dry run") || sketch_says(k, "dry-run"))
        sketch_put(k, "--dry-run");
    sketch_put_excluded(k, " --exclude=");
    put_shell(k);
    sketch_says(k, "archive rsync synchronize sync copy");
    sketch_says(k, "file files directory folder host server");
    if (!put_ends(k, true))
        return 0;
    return sketch_add_plain(k, s, FIT_SURE, "bring files up to date", e);
}

static int
add_scp(struct sketch *k, struct shortlist *s, struct err *e)
{
    const struct literal *port = NULL;

    buf_str(&k->out, "scp");
    if (sketch_says(k, "recursive recursively directory folder"))
        sketch_put(k, "-r");
    if (sketch_has(k, "port"))
        port = sketch_take(k, ROLE_ANY, 1u << SLOT_PORT);
    if (port) {
        sketch_says(k, "port");
        buf_printf(&k->out, " -P %lld", (long long)port->value->amount);
    }
    sketch_says(k, "copy send upload transfer download");
    sketch_says(k, "ssh scp remote");
    sketch_says(k, "host server machine");
    if (!put_ends(k, true))
        return 0;
    return sketch_add_plain(k, s, FIT_SURE,
                            "copy files to or from another machine", e);
}

int
sync_compose(const struct request *q, struct shortlist *s, struct err *e)
{
    struct literals l;
    CLEANUP_SKETCH struct sketch k;

    literals_read(q, &l);
    sketch_init(&k, &l, "sync");
    if (wants_rsync(&k))
        return add_rsync(&k, s, e);
    /* from there to here is remote.c's */
    if (has_remote(&k) && !sketch_find(&k, 1u << ROLE_FROM, 1u << SLOT_HOST) &&
        sketch_has(&k, "copy send upload transfer download scp"))
        return add_scp(&k, s, e);
    return 0;
}
