/* SPDX-License-Identifier: GPL-3.0-or-later */
/* remote_copy.c - generates commands of rsync and scp. */
#include <string.h>

#include "offline/generate/archive.h"
#include "offline/generate/builder.h"
#include "offline/generate/generate.h"

static bool
has_remote_path(const struct builder *k)
{
    for (size_t i = 0; i < k->l->n; i++)
        if (request_is_remote_path(k->l->v[i].value->text))
            return true;
    return builder_find(k, ROLE_ANY, 1u << SLOT_HOST) != NULL;
}

static bool
wants_rsync(const struct builder *k)
{
    const struct literal *to = builder_find_file(k, 1u << ROLE_TO);

    if (builder_has(k, "rsync synchronize sync mirror"))
        return true;
    if (!to || archive_is_name(to->value->text))
        return false;
    return builder_plain_at(k, "archive archives") == 0;
}

/* Appends the source and the target, with the name of the machine as it is. */
static bool
put_source_and_target(struct builder *k, bool ssh)
{
    const struct literal *host = NULL;
    const struct literal *user = NULL;
    const struct literal *from, *to;

    for (size_t i = 0; ssh && i < k->l->n; i++) {
        const struct literal *l = &k->l->v[i];

        if (!builder_is_free(k, l) || strchr(l->value->text, '/'))
            continue;
        if (l->value->is == SLOT_USER && !user)
            user = l;
        else if (l->value->is == SLOT_HOST &&
                 !request_is_remote_path(l->value->text))
            host = l;
    }
    if (host)
        builder_mark(k, host->word);
    if (user)
        builder_mark(k, user->word);
    to = builder_find_file(k, 1u << ROLE_TO);
    if (!to && host)
        to = builder_find_file(k, 1u << ROLE_IN);
    if (to)
        builder_mark(k, to->word);
    from = builder_find_file(k, ROLE_ANY & ~(1u << ROLE_EXCEPT));
    if (!from || (!to && !host))
        return false;
    builder_put_literal(k, from);
    if (!host) {
        builder_put_literal(k, to);
        return true;
    }
    buf_ch(&k->out, ' ');
    if (user) {
        generate_word(&k->out, user->value->text);
        buf_ch(&k->out, '@');
    }
    generate_word(&k->out, host->value->text);
    buf_ch(&k->out, ':');
    if (to) /* else the home there */
        generate_word(&k->out, to->value->text);
    return true;
}

static void
put_remote_shell(struct builder *k)
{
    const struct literal *port = builder_take(k, ROLE_ANY, 1u << SLOT_PORT);

    if (port && builder_says(k, "port"))
        buf_printf(&k->out, " -e 'ssh -p %lld'",
                   (long long)port->value->amount);
    builder_says(k, "ssh");
}

static int
add_sync(struct builder *k, struct shortlist *s, struct err *e)
{
    buf_str(&k->out, "rsync -a");
    if (builder_says(k, "compress compressed compressing compression"))
        buf_ch(&k->out, 'z');
    if (builder_says(k, "verbose verbosely"))
        buf_ch(&k->out, 'v');
    if (builder_says(k, "quiet quietly suppress suppressing"))
        buf_ch(&k->out, 'q');
    if (builder_row(k, "relative path"))
        buf_ch(&k->out, 'R');
    if (builder_says(k, "newer update"))
        buf_ch(&k->out, 'u');
    builder_option(k, "progress", "--progress");
    if (builder_says(k, "delete deleting extraneous mirror"))
        builder_put(k, "--delete");
    if (builder_row(k, "dry run") || builder_says(k, "dry-run"))
        builder_put(k, "--dry-run");
    builder_put_excluded(k, " --exclude=");
    put_remote_shell(k);
    builder_says(k, "archive rsync synchronize sync copy");
    builder_says(k, "file files directory folder host server");
    if (!put_source_and_target(k, true))
        return 0;
    return builder_add_plain(k, s, FIT_SURE, "bring files up to date", e);
}

static int
add_scp(struct builder *k, struct shortlist *s, struct err *e)
{
    const struct literal *port = NULL;

    buf_str(&k->out, "scp");
    if (builder_says(k, "recursive recursively directory folder"))
        builder_put(k, "-r");
    if (builder_has(k, "port"))
        port = builder_take(k, ROLE_ANY, 1u << SLOT_PORT);
    if (port) {
        builder_says(k, "port");
        buf_printf(&k->out, " -P %lld", (long long)port->value->amount);
    }
    builder_says(k, "copy send upload transfer download");
    builder_says(k, "ssh scp remote");
    builder_says(k, "host server machine");
    if (!put_source_and_target(k, true))
        return 0;
    return builder_add_plain(k, s, FIT_SURE,
                             "copy files to or from another machine", e);
}

int
generate_sync(const struct request *q, struct shortlist *s, struct err *e)
{
    struct literals l;
    CLEANUP_BUILDER struct builder k;

    literals_read(q, &l);
    builder_init(&k, &l, "sync");
    if (wants_rsync(&k))
        return add_sync(&k, s, e);
    /* from there to here: generate_remote() */
    if (has_remote_path(&k) &&
        !builder_find(&k, 1u << ROLE_FROM, 1u << SLOT_HOST) &&
        builder_has(&k, "copy send upload transfer download scp"))
        return add_scp(&k, s, e);
    return 0;
}
