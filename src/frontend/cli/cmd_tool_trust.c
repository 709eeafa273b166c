/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_tool_trust.c - agentsh tool trust: a person agrees to a plugin that is
 * not built in, as it is now. */
#include "frontend/cli/cmd_tool_trust.h"

#include <string.h>

#include "base/sha256.h"
#include "frontend/cli/command.h"
#include "term/escape.h"
#include "term/menu.h"
#include "ui/tool_listing.h"

#define DESCRIPTION_MAX (256u * 1024) /* 64 actions with what they say */

/* What a person judges it by. Its texts are the plugin's. */
static void
describe_tool(const struct app *a, const struct tool *t, struct buf *out)
{
    CLEANUP_BUF struct buf text = buf_of(DESCRIPTION_MAX);

    registry_describe(a->seat, t, &text);
    escape_text(out, &a->screen, text.p, text.len, 0);
}

static int
nobody(const struct tool *t, struct err *e)
{
    return err_set(
        e, ERR_DENIED,
        "%s is %s, and there is no terminal to ask on. To do: agentsh tool "
        "trust %s %s",
        t->name,
        t->trust == TOOL_CHANGED ? "changed since you trusted it"
                                 : "not trusted",
        t->name, t->hash);
}

int
tool_trust_ask(struct app *a, struct registry *r, const struct tool *t,
               bool *no, struct err *e)
{
    CLEANUP_BUF struct buf text = buf_of(2 * DESCRIPTION_MAX);
    struct err why = {0};
    bool yes = false;

    if (term_keys(&a->screen, &why) < 0)
        return nobody(t, e);
    describe_tool(a, t, &text);
    buf_printf(&text, "%s\n",
               t->trust == TOOL_CHANGED
                   ? "It has changed since you trusted it."
                   : "It is new, and not part of agentsh.");
    if (term_put(&a->screen, &text, e) < 0)
        return -1;
    if (menu_yes_no(a->loop, &a->screen, "Use it?", &yes, &why) < 0 &&
        why.code != ERR_DENIED)
        return err_set(e, why.code, "%s", why.text);
    if (why.code == ERR_DENIED)
        return nobody(t, e);
    if (no)
        *no = !yes;
    if (!yes)
        return err_set(e, ERR_DENIED, "not using %s: you said no", t->name);
    return registry_trust(r, t, e);
}

static int
check_hash(const struct tool *t, const char *hash, struct err *e)
{
    if (!t->hash[0])
        return err_set(e, ERR_USAGE, "%s is built in, and has no hash",
                       t->name);
    if (strspn(hash, "0123456789abcdef") != SHA256_HEX_SIZE - 1 ||
        strlen(hash) != SHA256_HEX_SIZE - 1)
        return err_set(e, ERR_USAGE,
                       "'%.64s' is not a SHA-256 of 64 digits (0-9 a-f)", hash);
    if (strcmp(hash, t->hash) != 0)
        return err_set(e, ERR_DENIED, "%s has another hash: %s", t->name,
                       t->hash);
    return 0;
}

/* A hash in the place of an answer: for scripts, which know what they put
 * there. */
static int
trust_hash_given(struct registry *r, const struct tool *t, const char *hash,
                 struct err *e)
{
    return check_hash(t, hash, e) < 0 ? -1 : registry_trust(r, t, e);
}

static int
trust(struct command_args *c, struct registry *r, struct err *e)
{
    const struct tool *t = tool_listing_find(c->app, r, c->words[0], NULL, e);

    if (!t)
        return -1;
    if (t->trust == TOOL_TRUSTED) {
        if (c->n == 2 && check_hash(t, c->words[1], e) < 0)
            return -1;
        app_note(c->app, "%s is already %s", t->name,
                 t->source == TOOL_BUILTIN ? "built in, and trusted"
                                           : "trusted");
        return 0;
    }
    if (c->n == 2 ? trust_hash_given(r, t, c->words[1], e) < 0
                  : tool_trust_ask(c->app, r, t, NULL, e) < 0)
        return -1;
    app_note(c->app, "%s is now trusted", t->name);
    return 0;
}

static int
run_tool_trust(struct command_args *c)
{
    CLEANUP(registry_free_p) struct registry *r = NULL;
    struct err e = {0};

    if (c->n < 1)
        err_set(&e, ERR_USAGE, "which tool? agentsh tool list shows them");
    else if (c->n > 2)
        err_set(&e, ERR_USAGE, "tool trust takes a name and a hash");
    else if (app_config(c->app, &e) == 0 &&
             (r = registry_open(c->app->seat, c->app->config, &e)) &&
             trust(c, r, &e) == 0)
        return 0;
    return app_fail(c->app, &e);
}

const struct command cmd_tool_trust = {
    .name = "tool trust",
    .args = "NAME [SHA256]",
    .help = N_("trust a tool that is not built in, as it is now"),
    .run = run_tool_trust,
};
