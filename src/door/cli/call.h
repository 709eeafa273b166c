/* SPDX-License-Identifier: GPL-3.0-or-later */
/* call.h - a row of a table of verbs or subcommands.
 *
 * door/cli/ is the way in for a person's hands: it turns words into a call of
 * person/ and the result into an exit status. It knows no other door. */
#ifndef DOOR_CLI_CALL_H
#define DOOR_CLI_CALL_H

#include "person/app.h"
#include "person/options.h"

struct call;
struct call_row;

/* Runs words that begin with no verb. */
typedef int call_any(struct call *c);

/* What is left of the command line for a verb. */
struct call {
    struct app *app;
    const char *program; /* its table and the row of the verb, for its help */
    const struct call_row *rows, *row;
    call_any *any;
    call_any *version;        /* of it as JSON; NULL: it is plain */
    struct options options;   /* read before and after the verb */
    const char *const *words; /* after the verb and its options */
    int n;
    int before; /* of words that begin with no verb: how many options are */
    bool ended; /* by `--`: none of the words is an option */
};

struct call_row {
    const char *name;
    const char *args;           /* for the usage line */
    const char *help;           /* one line */
    unsigned options;           /* FOR_… */
    int (*run)(struct call *c); /* returns the exit status */
};

/* The verbs of ai(1), and the subcommands of agentsh(1). */
const struct call_row *ai_rows(void);
const struct call_row *agentsh_rows(void);

/* Reads options and words and runs a row, or c->any where no row is named
 * (NULL: that is wrong usage); the whole of main. c has the program, its rows,
 * and what else runs. */
int call_main(struct call *c, int argc, char **argv);

/* Lets the options take effect, as far as they are the same for all: again
 * when a verb has read more of them. True when they asked for help or the
 * version, which was printed. */
bool call_settle(struct call *c);

/* The row's name for words that name none, but nearly; NULL: there is none. */
const char *call_nearest(const struct call_row *rows, const char *word);

/* Runs a verb, a row's name, as though it stood for the first of the words
 * that call_any was given. */
int call_as_verb(struct call *c, const char *verb);

/* The verb `help`: of the program, or of the verb that is its words. */
int call_help(struct call *c);

/* The features of this build and the walls of this machine, as JSON. */
int call_version(struct call *c);

/* ai TEXT: the wish is one to run, or a question to answer. */
int call_ai_any(struct call *c);

/* The verbs, which agentsh knows too: another `ai` may be first on PATH. */
int call_do(struct call *c);
int call_run(struct call *c);
int call_explain(struct call *c);
int call_log(struct call *c);

/* Appends the words of the call with blanks between, as they were said. */
int call_words(const struct call *c, struct buf *out, struct err *e);

/* The same as text for the assistant: behind the first a word with a blank in
 * it is one name, and gets quotes, as the shell took them off. */
int call_text(const struct call *c, struct buf *out, struct err *e);

/* Subcommands that live in files of their own. */
int call_action_check(struct call *c);
int call_completion(struct call *c);
int call_doctor(struct call *c);
int call_exec(struct call *c);
#define CALL_EXEC_ROW                                                          \
    {                                                                          \
        "exec", "-- CMD ARG…", "run one command in the sandbox", FOR_EXEC,     \
            call_exec                                                          \
    }
int call_preview_list(struct call *c);
int call_preview_show(struct call *c);
int call_preview_keep(struct call *c);
int call_preview_drop(struct call *c);
int call_offline(struct call *c);
int call_packages(struct call *c);
int call_plugin_check(struct call *c);
int call_plugin_new(struct call *c);
int call_policy_add(struct call *c);
int call_policy_check(struct call *c);
int call_policy_show(struct call *c);
int call_policy_test(struct call *c);
int call_services(struct call *c);
int call_sysinfo(struct call *c);
int call_tool_call(struct call *c);
int call_tool_list(struct call *c);
int call_tool_trust(struct call *c);

#endif
