/* SPDX-License-Identifier: GPL-3.0-or-later */
/* recipe_lint_job.c - checks the steps of a job against its title.
 *
 * A step may have no effect that the title does not announce, its sandbox
 * profile must not hide what it works on, and what is known before it runs
 * must be written out. */
#include <limits.h>
#include <string.h>

#include "base/array.h"
#include "base/path.h"
#include "guard/path/path_table.h"
#include "guard/path/secret.h"
#include "guard/profile/profile.h"
#include "offline/index/recipe_lint.h"
#include "offline/parse/lexicon.h"

#define WORD_MAX 32

/* An effect, and the words of a title that announce it, separated by blanks. */
static const struct job_effect {
    const char *name;
    unsigned facts; /* facts of the guard, any of which is this effect */
    const char *words;
} effects[] = {
    {"the network", RISK_NETWORK,
     " network web http site site's internet server github let's fetch get "
     "push "
     "download clone install date packages images docker serve host "},
    {"removing, replacing or letting others in", RISK_DESTRUCTIVE,
     " remove delete clean free aside rotate merge stop squash end restart "
     "reload replace write into empties swap let boot "},
    {"root's rights", RISK_SUDO | RISK_PRIVILEGED,
     " machine service services user group boot swap disk disks ssh nginx "
     "packages logs docker firewall time database usb serves nobody "
     "certificate "},
};

#define EFFECTS ARRAY_SIZE(effects)

static bool
title_says(const char *title, const char *words)
{
    char word[WORD_MAX];

    while (*title) {
        size_t n = strcspn(title, " ,;:");

        if (n > 0 && n < sizeof(word)) {
            memcpy(word, title, n);
            word[n] = '\0';
            for (char *c = word; *c; c++)
                *c |= *c >= 'A' && *c <= 'Z' ? 0x20 : 0;
            if (lexicon_listed(word, words))
                return true;
        }
        title += n + strspn(title + n, " ,;:");
    }
    return false;
}

static void
check_effects(struct recipe_lint *c, const struct recipe_line *l,
              unsigned *found)
{
    for (size_t i = 0; i < EFFECTS; i++) {
        if (*found & 1u << i || !(l->risk.facts & effects[i].facts) ||
            l->risk.facts & RISK_OPAQUE ||
            title_says(c->r->title, effects[i].words))
            continue;
        *found |= 1u << i;
        recipe_lint_report(c, "its title does not mention %s: %s",
                           effects[i].name, l->text.p);
    }
}

/* Whether it installs packages: of the system, of Python, of Node. */
static bool
installs_packages(const struct risk_call *call)
{
    bool asked = false;

    for (size_t i = 1; i < call->n; i++)
        asked |= strcmp(call->argv[i], "install") == 0;
    return asked && strcmp(call->name, "systemctl") != 0;
}

static void
check_installs(struct recipe_lint *c, const struct recipe_line *l)
{
    for (size_t i = 0; i < l->risk.n_calls; i++)
        if (installs_packages(&l->risk.calls[i]) &&
            !title_says(c->r->title, " install package packages needs "))
            recipe_lint_report(c, "its title does not mention installing: %s",
                               l->text.p);
}

/* Whether the sandbox profile hides the path: a confined step sees an empty
 * directory there. */
static bool
is_unseen(const char *word, enum profile profile, const struct path_context *at)
{
    char path[PATH_MAX];
    bool cut;

    if (profile == PROFILE_FULL || !strchr("/~", word[0]) ||
        !path_absolute(word, at->cwd, at, path, &cut) ||
        path_is_below(path, at->cwd))
        return false;
    return secret_is_hidden(path, at->home) ||
           (profile == PROFILE_WORKSPACE_WRITE &&
            path_is_below(path, at->home));
}

static void
check_sight(struct recipe_lint *c, const struct recipe_line *l)
{
    const struct path_context at = recipe_line_place();
    CLEANUP(profile_choice_done) struct profile_choice choice = {0};
    struct err e = {0};

    if (profile_choose(&l->risk, l->text.p, &at, at.cwd, &choice, &e) < 0)
        return;
    for (const struct syntax_node *n = l->syntax.all; n; n = n->after)
        for (const struct syntax_word *w = n->words; w; w = w->next)
            if (n->kind == SYNTAX_CALL && strcmp(n->words->text, "echo") != 0 &&
                is_unseen(w->text, choice.profile, &at))
                recipe_lint_report(c, "in %s, %s is not seen: %s",
                                   profile_row(choice.profile)->name, w->text,
                                   l->text.p);
}

/* In a text for another program, cron or sh, these belong to that program. */
static void
check_known(struct recipe_lint *c, const struct recipe_line *l)
{
    for (const struct syntax_node *n = l->syntax.all; n; n = n->after)
        for (const struct syntax_word *w = n->words; w; w = w->next) {
            if (n->kind == SYNTAX_CALL && w == n->words &&
                strcmp(w->text, "date") == 0)
                recipe_lint_report(c, "the day is known before: {@today}");
            if (w->text[0] == '~' && (!w->text[1] || w->text[1] == '/'))
                recipe_lint_report(c, "the home is known before: {@home}");
        }
}

void
recipe_lint_job_step(struct recipe_lint *c, const struct recipe_line *l,
                     unsigned *found)
{
    check_effects(c, l, found);
    check_installs(c, l);
    check_sight(c, l);
    check_known(c, l);
}
