/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trial_manifest.c - the tests that need no process: what plugin.json says. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/owner.h"
#include "base/path.h"
#include "tool/permit.h"
#include "tool/trial/trial_in.h"
#include "tool/trust.h"

#define LIMIT_MS 10000 /* of an answer, where the manifest says no less */

static bool
is_builtin(const char *dir)
{
    CLEANUP(free_p) char *place = path_libexec("plugins", NULL);
    CLEANUP(free_p) char *real = place ? realpath(place, NULL) : NULL;
    size_t n = real ? strlen(real) : 0;

    return n > 0 && strncmp(dir, real, n) == 0 && dir[n] == '/';
}

static int
read_manifest(struct trial *t, struct err *e)
{
    struct err why = {0};

    t->manifest = manifest_read(t->dir, &why);
    if (!t->manifest) {
        trial_fault(
            t, "its manifest is valid",
            "a plugin.json as in agentsh-plugin(7), and a program next to it",
            why.text, "fix what is named");
        return 1;
    }
    trial_pass(t, "its manifest is valid");
    t->program = path_join(t->dir, t->manifest->executable);
    if (!t->program)
        return err_nomem(e);
    t->tool = (struct tool){
        .name = t->manifest->name,
        .source = is_builtin(t->dir) ? TOOL_BUILTIN : TOOL_USER,
        .dir = t->dir,
        .program = t->program,
        .manifest = t->manifest,
        .trust = TOOL_TRUSTED,
    };
    t->limit_ms = t->manifest->needs.time_limit_ms;
    if (t->limit_ms == 0 || t->limit_ms > LIMIT_MS)
        t->limit_ms = LIMIT_MS;
    return 0;
}

/* What `tool trust` would say of it. */
static void
check_trust(struct trial *t)
{
    static const char name[] = "it can be trusted";
    char hash[SHA256_HEX_SIZE];
    struct err why = {0};

    if (t->tool.source == TOOL_BUILTIN)
        return;
    if (t->manifest->step)
        trial_fault(t, name, "no \"confinement\", which is for built-in tools",
                    "\"confinement\": \"step\"", "remove it");
    else if (owner_check_parents(t->dir, &why) < 0 ||
             trust_hash(t->dir, hash, &why) < 0)
        trial_fault(t, name,
                    "regular files that only you can change, in a directory "
                    "that only you can change",
                    why.text, "fix what is named, or remove it");
    else
        trial_pass(t, name);
}

static void
check_programs(struct trial *t)
{
    const char *const *names = t->manifest->needs.programs;

    for (size_t i = 0; names[i]; i++) {
        CLEANUP(free_p) char *path = path_find_program(names[i]);

        if (!path)
            trial_tell(t, TRIAL_NOTE,
                       "a program that it needs is not installed", names[i]);
    }
}

/* A model sees an argument's name, its schema and this. */
static void
check_descriptions(struct trial *t, const struct manifest_action *a)
{
    const struct json *v = json_first(json_get(a->args, "properties"));
    char text[160];

    for (; v; v = json_next(v)) {
        if (json_get(v, "description"))
            continue;
        snprintf(text, sizeof(text), "%.60s of %.60s", json_name(v, NULL),
                 a->name);
        trial_tell(t, TRIAL_NOTE,
                   "an argument has no description for the model", text);
    }
}

static void
check_examples(struct trial *t, const struct manifest_action *a)
{
    const struct json *v = json_first(json_get(a->args, "examples"));
    struct err why = {0};
    char name[160];

    snprintf(name, sizeof(name), "%.64s: its examples match its schema",
             a->name);
    if (!v)
        return;
    for (; v; v = json_next(v)) {
        if (json_schema_check(a->args_check, v, 0, &why) == 0)
            continue;
        trial_fault(t, name, "examples that match the schema", why.text,
                    "fix the example or the schema");
        return;
    }
    trial_pass(t, name);
}

/* cmd.run has the walls of a step. */
static int
make_walls(struct trial *t, struct err *e)
{
    const struct sandbox_setup_params wish = {
        .profile = PROFILE_WORKSPACE_WRITE,
        .workspace = t->scratch,
        .or_reads = true,
        .programs = true};
    int rc = t->manifest->step
                 ? sandbox_setup_fill(&t->site, &wish, t->wish->config, e)
                 : permit_site(NULL, &t->tool, t->scratch, NULL,
                               t->wish->config, &t->site, e);

    t->site.spec.report = true;
    return rc;
}

bool
trial_manifest(struct trial *t, struct err *e)
{
    struct err why = {0};
    int rc = read_manifest(t, e);

    if (rc != 0)
        return false;
    check_trust(t);
    check_programs(t);
    for (size_t i = 0; i < t->manifest->n_actions; i++) {
        check_examples(t, &t->manifest->actions[i]);
        check_descriptions(t, &t->manifest->actions[i]);
    }
    if (make_walls(t, &why) == 0)
        return true;
    trial_fault(t, "its sandbox can be set up", "needs that this machine meets",
                why.text, "create what is named, or need less");
    return false;
}
