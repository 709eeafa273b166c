/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trial.c - the tests of a plugin, one after the other. */
#include "tool/trial/trial.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "tool/trial/trial_in.h"

void
trial_pass(struct trial *t, const char *name)
{
    trial_tell(t, TRIAL_OK, name, "");
}

void
trial_tell(struct trial *t, enum trial_verdict v, const char *name,
           const char *came)
{
    const struct trial_finding f = {
        .verdict = v, .name = name, .wanted = "", .came = came, .advice = ""};

    t->wish->told(t->wish->arg, &f);
}

void
trial_fault(struct trial *t, const char *name, const char *wanted,
            const char *came, const char *advice)
{
    const struct trial_finding f = {.verdict = TRIAL_NOT_OK,
                                    .name = name,
                                    .wanted = wanted,
                                    .came = came,
                                    .advice = advice};

    if (*t->wish->stop)
        return; /* what an interrupt ended says nothing */
    t->failed++;
    t->wish->told(t->wish->arg, &f);
}

bool
trial_is_over(const struct trial *t)
{
    return t->hopeless || *t->wish->stop;
}

static void
trial_done(struct trial *t)
{
    chat_free(t->chat);
    sandbox_setup_done(&t->site);
    buf_done(&t->refused);
    trial_place_drop(t);
    manifest_free(t->manifest);
    free(t->program);
    free(t->dir);
}

static int
find_dir(struct trial *t, struct err *e)
{
    struct stat st;

    if (!(t->dir = realpath(t->wish->dir, NULL)) || stat(t->dir, &st) < 0) {
        err_sys(e, "%s", t->wish->dir);
        if (e)
            e->code = ERR_USAGE;
        return -1;
    }
    if (!S_ISDIR(st.st_mode))
        return err_set(
            e, ERR_USAGE,
            "%s is not a directory: give the directory of plugin.json",
            t->wish->dir);
    return 0;
}

int
trial_run(const struct trial_wish *w, struct err *e)
{
    CLEANUP(trial_done) struct trial t = {.wish = w, .refused = buf_of(4096)};
    struct err why = {0};

    if (find_dir(&t, e) < 0 || trial_place_make(&t, e) < 0)
        return -1;
    if (!trial_manifest(&t, &why))
        return why.code == ERR_NONE ? t.failed
                                    : err_set(e, why.code, "%s", why.text);
    for (size_t i = 0; i < t.manifest->n_actions && !trial_is_over(&t); i++)
        trial_action(&t, &t.manifest->actions[i]);
    if (!trial_is_over(&t))
        trial_tool(&t);
    if (t.hopeless && !*w->stop)
        trial_tell(&t, TRIAL_SKIPPED, "the other tests",
                   "not run: the first test failed");
    return *w->stop ? err_set(e, ERR_INTERRUPTED, "interrupted") : t.failed;
}
