/* SPDX-License-Identifier: GPL-3.0-or-later */
/* step_verdict.h - decides whether a step may run, how, and who must agree.
 *
 * This is the only place that decides. It begins with the guard's finding and
 * makes it stricter: by the rules about the tool that the step names, by the
 * model's own flags, by characters that a terminal does not show, and by what
 * others could have written of the model's request. Nothing here or later
 * makes it less strict. */
#ifndef ACTION_STEP_VERDICT_H
#define ACTION_STEP_VERDICT_H

#include "action/aiaction.h"
#include "action/host_list.h"
#include "base/sha256.h"
#include "guard/guard.h"
#include "guard/path/secret_tree.h"
#include "sandbox/probe.h"
#include "tool/permit.h"

struct undo_files;

/* What a verdict depends on beside the step; all of it is borrowed. */
struct step_verdict_params {
    const struct policy *policy;
    const struct seat *seat; /* the person's; its directory, which it needs to
                                have, is the workspace */
    bool preview;            /* steps run in a copy-on-write view */
    bool auto_approved; /* nobody is asked: a step that the rules allow may only
                     add new files (guard_auto_approved) */
    enum probe_machine machine; /* how a step can be confined */
    bool allow_reduced; /* without namespaces, what writes may run unasked */
    struct registry *registry;   /* NULL: no step names a tool */
    const struct config *config; /* for a tool's confinement */
    /* what the model was sent that others could have written, in words; NULL:
     * nothing */
    const char *outside;
    const char *const *named; /* see struct path_context; borrowed */
    /* the secrets in the workspace, which a step that nobody is asked about
     * must not read. Found when such a step is judged; the caller keeps them */
    struct secret_tree *secrets;
    const atomic_bool *unwanted; /* see struct path_context */
    /* the hosts that the steps run on, of which nothing is known here: neither
     * their files nor what this machine's are may make a step pass. NULL: they
     * run here. Borrowed */
    const struct host_list *hosts;
    /* steps can have the terminal of the person who approves them, and sudo on
     * it. Only for whoever sits at it: never for a peer */
    bool own_terminal;
    struct undo_files *undoing; /* of which steps put files back; NULL */
};

/* What of the person's terminal a step has. */
enum step_tty {
    STEP_TTY_NONE,
    STEP_TTY_INPUT, /* sudo asks there; the output is kept */
    STEP_TTY_WHOLE, /* a program that draws, whose output is not kept */
};

/* How a step can be taken back. */
enum undo_way {
    UNDO_WAY_NONE, /* it changes nothing, or nothing is kept of this plan */
    UNDO_WAY_KEEP, /* the originals of what it writes are kept before it */
    UNDO_WAY_VIEW, /* it runs in a view, which is applied at its end */
    UNDO_WAY_NOT,
    UNDO_WAY_TOOL,     /* by calls of the tool that knows what it changed */
    UNDO_WAY_VERSIONS, /* the same, as far as old versions can be had */
};
#define UNDO_WHY_SIZE 160

struct step_verdict {
    const struct seat *seat; /* where it was judged; borrowed */
    struct guard_finding found;
    enum guard_decision decision;
    bool destructive; /* needs the word "yes" for this step alone */
    bool privileged;  /* the same */
    bool alone;       /* is asked about by itself: it has no sandbox */
    bool calls_sudo;  /* its command calls sudo */
    bool needs_sudo;  /* it does, or the model says so while we are not root,
                         and it cannot have the terminal for that */
    bool terminal;    /* wants a terminal, which it does not have */
    enum step_tty tty;
    bool hidden;      /* holds characters that a terminal does not show */
    bool secret;      /* names a secret: its output is not sent to a model */
    bool refused;     /* agentsh does not run it at all */
    char reason[512]; /* why it is not allowed as it is; "" when it is */
    char *directory;  /* absolute; where it will run. On other hosts also ~ or
                         ~/…, of the home there */
    const struct host_list *hosts; /* that it runs on; NULL: here */
    /* the tool that runs instead of the command, and its confinement in words.
     * NULL: the command runs, in found.profile */
    const struct tool *tool;
    struct undo_files *undoing; /* agentsh puts files back itself; NULL: no */
    struct permit permit;
    char confinement[256];
    enum undo_way undo; /* found by undo_paths_judge */
    /* of UNDO_WAY_NOT: why; of the last two: the name of the tool */
    char undo_why[UNDO_WHY_SIZE];
    const struct tool *undo_tool; /* of the last two */
    bool closed; /* nobody is asked about it: it must not read the `secrets` of
                    the params */
};

/* Judges a step. ERR_NOT_FOUND: its working directory or its tool does not
 * exist. v needs step_verdict_done in any case. */
int step_verdict_make(const struct step_verdict_params *by,
                      const struct step *s, struct step_verdict *v,
                      struct err *e);
void step_verdict_done(struct step_verdict *v);

/* Whether a step that was judged to run for real could run in a preview too. */
bool step_verdict_fits_view(const struct step *s, const struct step_verdict *v);

/* Of a command or a tool: the name of its profile, whether it may reach the
 * network, the rule that decided. */
const char *step_verdict_profile(const struct step_verdict *v);
bool step_verdict_network(const struct step_verdict *v);
const char *step_verdict_rule(const struct step_verdict *v);

#endif
