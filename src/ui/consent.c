/* SPDX-License-Identifier: GPL-3.0-or-later */
/* consent.c - asks whether a model server that was found here may be used. */
#include "ui/consent.h"

#include <stdio.h>
#include <unistd.h>

#include "base/passwd.h"
#include "term/menu.h"

void
consent_write_user(long user, char *text, size_t size)
{
    struct passwd_user other;

    if (user < 0)
        snprintf(text, size, "; another user may be listening there");
    else if ((uid_t)user == geteuid())
        text[0] = '\0';
    else if (passwd_find_uid((uid_t)user, &other))
        snprintf(text, size, ", run by the user %.64s", other.name);
    else
        snprintf(text, size, ", run by the user %ld", user);
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

int
consent_ask(struct app *a, struct model_selection *c, bool *yes, struct err *e)
{
    bool answer = false;

    *yes = !model_selection_needs_consent(c);
    if (*yes || term_keys(&a->screen, NULL) < 0)
        return 0;
    print_server(a, c);
    if (menu_yes_no(a->loop, &a->screen, "Use it from now on?", &answer, e) <
            0 ||
        model_selection_store_consent(c, answer, e) < 0)
        return -1;
    if (!answer)
        app_note(a, "It will not be used, and you will not be asked again; "
                    "agentsh doctor says how to change that.");
    *yes = answer;
    return 0;
}
