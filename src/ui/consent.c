/* SPDX-License-Identifier: GPL-3.0-or-later */
/* consent.c - asks whether a model server that was found here may be used. */
#include "ui/consent.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/message.h"
#include "base/passwd.h"
#include "term/menu.h"

struct consent {
    struct app *app;
    struct model_selection *selection;
    struct menu *menu; /* NULL: it is answered */
    consent_cb *cb;
    void *arg;
};

void
consent_write_user(long user, char *text, size_t size)
{
    struct passwd_user other;

    if (user < 0)
        snprintf(text, size, _("; another user may be listening there"));
    else if ((uid_t)user == geteuid())
        text[0] = '\0';
    else if (passwd_find_uid((uid_t)user, &other))
        snprintf(text, size, _(", run by the user %.64s"), other.name);
    else
        snprintf(text, size, _(", run by the user %ld"), user);
}

static void
print_server(struct app *a, const struct model_selection *c)
{
    const char *why = model_selection_reason(c);
    char user[96];

    consent_write_user(model_selection_server_uid(c), user, sizeof(user));
    app_note(a,
             "%s answers on this machine at %s%s.\nIts best model for this is "
             "%s%s%s%s.\nYour request, piped input, the directory's name, your "
             "last command and what the model asks to see would be sent to it.",
             model_selection_title(c), model_selection_url(c), user,
             model_selection_model(c), why[0] ? " (" : "", why,
             why[0] ? ")" : "");
}

void
consent_close(struct consent *q)
{
    if (!q)
        return;
    menu_close(q->menu);
    free(q);
}

static void
on_key(void *arg, char key, const struct err *why)
{
    struct consent *q = arg;
    bool yes = key == 'y';
    struct err e = {0};

    menu_close(q->menu);
    q->menu = NULL;
    if (why)
        e = *why;
    else if (model_selection_store_consent(q->selection, yes, &e) == 0 && !yes)
        app_note(q->app,
                 "It will not be used, and you will not be asked again; "
                 "agentsh doctor says how to change that.");
    q->cb(q->arg, yes, &e);
}

bool
consent_can_ask(struct app *a, const struct model_selection *c)
{
    return model_selection_needs_consent(c) && term_keys(&a->screen, NULL) == 0;
}

struct consent *
consent_open(struct app *a, struct model_selection *c, consent_cb *cb,
             void *arg, struct err *e)
{
    CLEANUP(consent_close_p) struct consent *q = calloc(1, sizeof(*q));

    if (!q) {
        err_nomem(e);
        return NULL;
    }
    *q = (struct consent){.app = a, .selection = c, .cb = cb, .arg = arg};
    print_server(a, c);
    q->menu = menu_open_yes_no(a->loop, &a->screen, _("Use it from now on?"),
                               on_key, q, e);
    return q->menu ? TAKE_PTR(q) : NULL;
}
