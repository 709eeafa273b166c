/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rerun_check.c - decides whether a line that failed may run once more. */
#include "guard/rerun_check.h"

#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/path.h"
#include "base/str.h"
#include "guard/path/path_table.h"
#include "guard/profile/profile_keys.h"
#include "guard/profile/profile_programs.h"

/* Facts that keep a line from running again, the gravest first. What is unknown
 * is none of them. */
static const struct {
    unsigned fact;
    const char *why;
} facts[] = {
    {RISK_SUDO, "it asks for the rights of another user"},
    {RISK_SECRET, "it reads secrets"},
    {RISK_NETWORK, "it talks to other hosts"},
    {RISK_ACTS, "it acts on the machine, beyond its files"},
    {RISK_TERMINAL, "it wants a terminal"},
    {RISK_HOLDERS, "it reads what other processes have open"},
};

/* Programs that are not run again. */
struct rerun_names {
    const char *why;
    const char *names[16];
};

static const struct rerun_names programs[] = {
    {"would signal other processes",
     {"kill", "killall", "killall5", "pkill", "skill", "snice", "fuser",
      "xkill", "renice"}},
    {"talks to a server of its own",
     {"tmux", "screen", "zellij", "byobu", "dtach", "abduco"}},
    {"means the shell that it is typed in",
     {"fg", "bg", "jobs", "disown", "wait", "suspend", "logout", "history",
      "fc", "exec", "trap"}},
    {"is this program", {"ai", "agentsh"}},
};

/* Why the program is not run again; NULL: it may be. */
static const char *
refused_program(const char *name)
{
    for (size_t i = 0; i < ARRAY_SIZE(programs); i++) {
        for (size_t j = 0; j < ARRAY_SIZE(programs[i].names); j++) {
            if (programs[i].names[j] && strcmp(programs[i].names[j], name) == 0)
                return programs[i].why;
        }
    }
    return profile_name_needs_full(name);
}

static bool
refuse_rerun(char why[RERUN_WHY_SIZE], const char *name, const char *text)
{
    snprintf(why, RERUN_WHY_SIZE, "%.60s%s%s", name, name[0] ? " " : "", text);
    return false;
}

/* What works in no sandbox at all; else it would only say so. */
static bool
check_calls(const struct risk *r, const struct path_context *where,
            char why[RERUN_WHY_SIZE])
{
    const char *carrier = profile_remote_program_with_keys(r);

    for (size_t i = 0; i < r->n_calls; i++) {
        const struct risk_call *c = &r->calls[i];
        const char *text = refused_program(c->name);

        if (text)
            return refuse_rerun(why, c->name, text);
        if (profile_call_uses_keys(c, r, where))
            return refuse_rerun(why, c->name, "uses your keys");
        if (profile_call_sets_ids(c))
            return refuse_rerun(why, c->name, "sets setuid or setgid");
    }
    return !carrier || refuse_rerun(why, carrier, "uses your keys");
}

/* Whether the code of an interpreter is all that cannot be read of the line:
 * `python3 -c TEXT` may do what `python3 FILE` may. A shell's text would be a
 * part of the line, of which more is decided here. */
static bool
is_read_but_for_code(const struct guard_finding *f)
{
    static const char *const interpreters[] = {
        "python", "python3", "perl", "ruby", "node",
        "php",    "lua",     "awk",  "gawk", "mawk",
    };
    static const char *const shells[] = {"eval", "source", ".",    "sh",
                                         "bash", "dash",   "zsh",  "ksh",
                                         "fish", "xargs",  "find", "parallel"};
    bool code = false;

    if (f->risk.n_reasons == 0) /* deceptive characters, or too long */
        return false;
    for (size_t i = 0; i < f->risk.n_calls; i++) {
        const char *name = f->risk.calls[i].name;

        if (!name[0] || STR_IN(name, shells))
            return false;
        code |= STR_IN(name, interpreters);
    }
    return code;
}

bool
rerun_check(const struct guard_finding *f, const struct path_context *where,
            char why[RERUN_WHY_SIZE])
{
    if (f->syntax.fault)
        return refuse_rerun(why, "", "it cannot be read as a command line");
    if (f->risk.facts & RISK_OPAQUE && !is_read_but_for_code(f))
        return refuse_rerun(why, "", "nobody can tell what it would run");
    if (f->decision == GUARD_DENY)
        return refuse_rerun(why, "", "the rules deny it");
    if (!check_calls(&f->risk, where, why))
        return false;
    for (size_t i = 0; i < ARRAY_SIZE(facts); i++) {
        if (f->risk.facts & facts[i].fact)
            return refuse_rerun(why, "", facts[i].why);
    }
    /* it says the same there that it said to a user without those rights */
    if (f->risk.facts & RISK_PRIVILEGED && where->as_root)
        return refuse_rerun(why, "", "it uses root's rights");
    if (f->effects.n_processes > 0)
        return refuse_rerun(why, "", "it would signal other processes");
    if (f->profile.net)
        return refuse_rerun(why, "", "it talks to other hosts");
    return true;
}

/* Whether a path as written lies below the workspace, or where both profiles
 * show the same. One that is not known may lie anywhere. */
static bool
is_shown_alike(const char *text, const char *dir,
               const struct path_context *where, const char *workspace)
{
    char path[PATH_MAX];
    bool cut;

    if (!path_absolute(text, dir, where, path, &cut))
        return false;
    return path_is_below(path, workspace) || !path_is_hidden(path, where->home);
}

enum profile
rerun_check_profile(const struct guard_finding *f,
                    const struct path_context *where, const char *workspace)
{
    const struct risk *r = &f->risk;

    if (!workspace || r->facts & (RISK_LOOKS | RISK_OWNERS) ||
        f->profile.n_writable > 0)
        return PROFILE_OBSERVE;
    for (size_t i = 0; i < r->n_paths; i++) {
        const struct risk_path *p = &r->paths[i];

        if (p->known && !is_shown_alike(p->text, p->dir, where, workspace))
            return PROFILE_OBSERVE;
    }
    return PROFILE_PREVIEW;
}
