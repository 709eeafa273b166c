/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_tool_trust.c - agentsh tool trust: a person agrees to a plugin that is
 * not built in, as it is now. */
#include "frontend/cli/cmd_tool_trust.h"

#include <stdlib.h>
#include <string.h>

#include "base/sha256.h"
#include "frontend/cli/command.h"
#include "term/escape.h"
#include "term/menu.h"
#include "ui/tool_listing.h"

#define DESCRIPTION_MAX (256u * 1024) /* 64 actions with what they say */

struct tool_trust_question {
    struct registry *registry;
    const struct tool *tool;
    struct menu *menu; /* NULL: it is answered */
    tool_trust_cb *cb;
    void *arg;
};

void
tool_trust_close(struct tool_trust_question *q)
{
    if (!q)
        return;
    menu_close(q->menu);
    free(q);
}

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

static void
on_trust_key(void *arg, char key, const struct err *why)
{
    struct tool_trust_question *q = arg;
    const struct tool *t = q->tool;
    struct err e = {0};

    menu_close(q->menu);
    q->menu = NULL;
    if (why && why->code == ERR_DENIED)
        (void)nobody(t, &e);
    else if (why)
        e = *why;
    else if (key == 'y')
        (void)registry_trust(q->registry, t, &e);
    else
        err_set(&e, ERR_DENIED, "not using %s: you said no", t->name);
    q->cb(q->arg, key == 'n', &e);
}

static int
show_tool(struct app *a, const struct tool *t, struct err *e)
{
    CLEANUP_BUF struct buf text = buf_of(2 * DESCRIPTION_MAX);

    describe_tool(a, t, &text);
    buf_printf(&text, "%s\n",
               t->trust == TOOL_CHANGED
                   ? "It has changed since you trusted it."
                   : "It is new, and not part of agentsh.");
    return term_put(&a->screen, &text, e);
}

struct tool_trust_question *
tool_trust_open(struct app *a, struct registry *r, const struct tool *t,
                tool_trust_cb *cb, void *arg, struct err *e)
{
    CLEANUP(tool_trust_close_p)
    struct tool_trust_question *q = calloc(1, sizeof(*q));
    struct err why = {0};

    if (!q) {
        err_nomem(e);
        return NULL;
    }
    if (term_keys(&a->screen, NULL) < 0) {
        (void)nobody(t, e);
        return NULL;
    }
    *q = (struct tool_trust_question){
        .registry = r, .tool = t, .cb = cb, .arg = arg};
    if (show_tool(a, t, e) < 0)
        return NULL;
    q->menu = menu_open_yes_no(a->loop, &a->screen, _("Use it?"), on_trust_key,
                               q, &why);
    if (q->menu)
        return TAKE_PTR(q);
    if (why.code == ERR_DENIED)
        (void)nobody(t, e);
    else
        err_set(e, why.code, "%s", why.text);
    return NULL;
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

/* The command, while a server is asked for its tools, and then the person. */
struct trust_command {
    struct command_args *args;
    struct registry *registry;
    struct tool_listing *listing;
    const struct tool *tool;
    struct tool_trust_question *question;
};

static void
free_trust_command(struct trust_command *t)
{
    if (!t)
        return;
    tool_trust_close(t->question);
    tool_listing_close(t->listing);
    registry_free(t->registry);
    free(t);
}
DEFINE_CLEANUP(struct trust_command, free_trust_command)

static void
end_trust(struct trust_command *t, const struct err *why)
{
    struct app *a = t->args->app;
    int status = why->code != ERR_NONE ? app_fail(a, why) : 0;

    free_trust_command(t);
    app_over(a, status);
}

static void
on_trusted(void *arg, bool no, const struct err *why)
{
    struct trust_command *t = arg;

    (void)no;
    if (why->code == ERR_NONE)
        app_note(t->args->app, "%s is now trusted", t->tool->name);
    end_trust(t, why);
}

/* Nobody has to be asked. */
static int
note_trusted(struct trust_command *t, struct err *e)
{
    struct command_args *c = t->args;

    if (c->n == 2 && check_hash(t->tool, c->words[1], e) < 0)
        return -1;
    app_note(c->app, "%s is already %s", t->tool->name,
             t->tool->source == TOOL_BUILTIN ? "built in, and trusted"
                                             : "trusted");
    return 0;
}

static void
trust_found_tool(void *arg)
{
    struct trust_command *t = arg;
    const struct command_args *c = t->args;
    struct err e = {0};

    if (!(t->tool = registry_find(t->registry, c->words[0], &e))) {
        end_trust(t, &e);
    } else if (t->tool->trust == TOOL_TRUSTED) {
        (void)note_trusted(t, &e);
        end_trust(t, &e);
    } else if (c->n == 2) {
        (void)trust_hash_given(t->registry, t->tool, c->words[1], &e);
        on_trusted(t, false, &e);
    } else {
        t->question = tool_trust_open(c->app, t->registry, t->tool, on_trusted,
                                      t, &e);
        if (!t->question)
            end_trust(t, &e);
    }
}

static int
begin_trust(struct trust_command *t, struct err *e)
{
    struct command_args *c = t->args;
    struct app *a = c->app;

    if (c->n < 1)
        return err_set(e, ERR_USAGE,
                       "which tool? agentsh tool list shows them");
    if (c->n > 2)
        return err_set(e, ERR_USAGE, "tool trust takes a name and a hash");
    if (app_config(a, e) < 0 ||
        !(t->registry = registry_open(a->seat, a->config, e)))
        return -1;
    t->listing = tool_listing_open(a, t->registry, c->words[0],
                                   trust_found_tool, t, e);
    return t->listing ? 0 : -1;
}

static int
run_tool_trust(struct command_args *c)
{
    CLEANUP(free_trust_command_p)
    struct trust_command *t = calloc(1, sizeof(*t));
    struct err e = {0};

    if (!t)
        err_nomem(&e);
    else
        t->args = c;
    if (!t || begin_trust(t, &e) < 0)
        return app_fail(c->app, &e);
    TAKE_PTR(t);
    return APP_GOES_ON;
}

const struct command cmd_tool_trust = {
    .name = "tool trust",
    .args = "NAME [SHA256]",
    .help = N_("trust a tool that is not built in, as it is now"),
    .run = run_tool_trust,
};
