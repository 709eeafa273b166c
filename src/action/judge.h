/* SPDX-License-Identifier: GPL-3.0-or-later */
/* judge.h - what a step needs before it may run: the one place that decides.
 *
 * The guard's finding, raised by what the rules say of the tool that the step
 * names, by the model's own flags, by text that does not show itself, and by
 * what the model had read; nothing here or later lowers it. */
#ifndef ACTION_JUDGE_H
#define ACTION_JUDGE_H

#include "action/aiaction.h"
#include "base/sha256.h"
#include "guard/guard.h"
#include "guard/path/secret_tree.h"
#include "sandbox/probe.h"
#include "tool/permit.h"

/* By what steps are judged; borrowed for as long as the judge lives. */
struct judge {
    const struct policy *policy;
    const char *cwd;  /* where the person is: the workspace */
    const char *home; /* NULL: not known */
    const char *path; /* the variable PATH */
    bool preview;     /* steps run in a copy-on-write view */
    bool unasked;     /* nobody is asked: a step that the rules allow changes
                         nothing but what it adds (guard_unasked) */
    enum probe_machine machine; /* how a step can be confined */
    bool allow_reduced; /* what writes may do without namespaces, unasked */
    struct registry *registry;   /* NULL: no step names a tool */
    const struct config *config; /* of a tool's walls */
    /* what others can write and the model was told, in words; NULL: nothing */
    const char *outside;
    const char *const *named; /* see struct risk_context; borrowed */
    /* what is closed to a step that nobody is asked about; looked for when one
     * is judged, and kept as long as the caller says */
    struct secret_tree *secrets;
};

struct judgement {
    struct guard_finding found;
    enum guard_decision decision;
    bool destructive; /* asks for the word by itself */
    bool privileged;  /* the same */
    bool alone;       /* is asked about by itself: it runs unconfined */
    bool calls_sudo;  /* its command says so itself */
    bool needs_sudo;  /* or the model does, and we are not root */
    bool terminal;    /* wants a terminal, which a step does not have */
    bool hidden;      /* holds characters that do not show */
    bool secret;      /* names what opens doors: what it writes is not sent */
    bool refused;     /* cannot be run by us at all */
    char reason[512]; /* why it is not plainly allowed; "" when it is */
    char *directory;  /* absolute; where it will run */
    /* what runs instead of the command, and behind which walls, in words; NULL:
     * the command itself, in found.profile */
    const struct tool *tool;
    struct permit permit;
    char walls[256];
    bool closed; /* it is judged as one that nobody is asked about: what
                    judge.secrets holds is closed to it */
};

/* Judges a step. ERR_NOT_FOUND when its working directory or its tool does not
 * exist. j needs judgement_done in any case. */
int judge_step(const struct judge *by, const struct step *s,
               struct judgement *j, struct err *e);
void judgement_done(struct judgement *j);

/* Whether a step that was judged to run for real could run in a view too. */
bool judge_fits_view(const struct step *s, const struct judgement *j);

/* How it will run, command or tool: the name of its profile, whether it may
 * reach the network; and the rule that decided. */
const char *judge_profile(const struct judgement *j);
bool judge_network(const struct judgement *j);
const char *judge_rule(const struct judgement *j);

/* SHA-256 of a judged step, canonical: what an approval covers. Its command,
 * directory, tool and profile; "+net" and the directories that it may write
 * beside the workspace belong to the profile; the bytes of a file of code that
 * it runs, up to 1 MiB, to the command; action, arguments and the hash
 * of its files to a tool. */
int judge_digest(const struct step *s, const struct judgement *j,
                 char hex[SHA256_HEX_SIZE], struct err *e);

#endif
