/* SPDX-License-Identifier: GPL-3.0-or-later */
/* policy.c - finding the files of rules, and the preset beneath them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "config/config_file.h"
#include "guard/policy/policy_in.h"

#define DEFAULT_PRESET "standard"

static int
load_file(struct policy_rules *r, const char *path,
          enum config_file_owner owner, struct err *e)
{
    CLEANUP_BUF struct buf text = buf_of(POLICY_FILE_MAX);
    bool there = false;

    if (!path)
        return 0;
    if (config_file_read(path, owner, &text, &there, e) < 0)
        return -1;
    r->name = strdup(path);
    if (!r->name)
        return err_sys(e, "%s", path);
    if (!there ||
        (policy_read(r, text.p, text.len, e) == 0 && policy_try(r, e) == 0))
        return 0;
    if (e && e->code != ERR_NOMEM)
        e->code = ERR_CONFIG;
    return -1;
}

/* How strict a preset is; 0 is strictest. */
static size_t
rank_of(const char *name)
{
    size_t i = 0;

    while (policy_preset_name(i) && strcmp(policy_preset_name(i), name) != 0)
        i++;
    return i;
}

/* The stricter of two, of which each may be NULL. */
static const char *
stricter(const char *a, const char *b)
{
    if (!a || !b)
        return a ? a : b;
    return rank_of(a) < rank_of(b) ? a : b;
}

static int
load_preset(struct policy *p, const char *wanted, struct err *e)
{
    const char *name = stricter(p->system.preset,
                                wanted ? wanted : p->user.preset);
    const char *text;
    char shown[40];

    if (!name)
        name = DEFAULT_PRESET;
    text = policy_preset_text(name);
    if (!text)
        return err_set(e, ERR_CONFIG, "unknown preset \"%.40s\"", name);
    snprintf(shown, sizeof(shown), "preset %s", name);
    p->preset.built_in = true;
    p->preset.name = strdup(shown);
    if (!p->preset.name)
        return err_sys(e, "%s", shown);
    /* its examples are tried by a test: it is always the same */
    return policy_read(&p->preset, text, strlen(text), e);
}

struct policy *
policy_load_files(const char *system, const char *user, const char *preset,
                  struct err *e)
{
    CLEANUP(policy_free_p) struct policy *p = calloc(1, sizeof(*p));

    if (!p) {
        err_sys(e, "the rules");
        return NULL;
    }
    if (preset && !policy_preset_text(preset)) {
        err_set(e, ERR_CONFIG, "unknown preset \"%.40s\"", preset);
        return NULL;
    }
    if (load_file(&p->system, system, CONFIG_FILE_ROOT, e) < 0 ||
        load_file(&p->user, user, CONFIG_FILE_ANYONE, e) < 0 ||
        load_preset(p, preset, e) < 0)
        return NULL;
    return TAKE_PTR(p);
}

struct policy *
policy_load(struct err *e)
{
    /* who has no home directory has no file in it */
    CLEANUP(free_p) char *user = path_of(PATH_CONFIG, "policy", NULL);

    return policy_load_files(SYSCONFDIR "/agentsh/policy", user, NULL, e);
}

void
policy_free(struct policy *p)
{
    if (!p)
        return;
    policy_rules_done(&p->system);
    policy_rules_done(&p->user);
    policy_rules_done(&p->preset);
    free(p);
}
