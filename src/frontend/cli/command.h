/* SPDX-License-Identifier: GPL-3.0-or-later */
/* command.h - read a command line, and run the command that it names.
 *
 * frontend/cli/ is the way in for a person at a shell. It turns the words of
 * a command line into a call of ui/ and the result into an exit status, and
 * knows no other frontend. Each command is a `struct command` in a file named
 * cmd_*.c; commands.c has the table. Wrong usage is ERR_USAGE (exit 2) and
 * is printed here; whatever fails below is printed by app_fail(). */
#ifndef FRONTEND_CLI_COMMAND_H
#define FRONTEND_CLI_COMMAND_H

#include "base/message.h"
#include "ui/app.h"
#include "ui/options.h"

struct command_args;
struct command;

/* Runs words that begin with no command. Returns the exit status, or
 * APP_GOES_ON. */
typedef int command_any(struct command_args *c);

/* What is left of the command line for a command. */
struct command_args {
    struct app *app;
    const char *program; /* its name; all its commands; the one that runs */
    const struct command *const *all, *command;
    command_any *any;
    command_any *version;   /* prints the version as JSON; NULL: only as text */
    struct options options; /* read before and after the verb */
    const char *const *words; /* after the verb and its options */
    int n;
    int before; /* of words that begin with no verb: how many options are */
    const char **own; /* the words, where they are not those of main; owned */
    bool ended;       /* by `--`: none of the words is an option */
    /* is called once at the end with the exit status, and returns another;
     * NULL: nothing is */
    int (*finish)(void *arg, int status);
    void *finish_arg;
};

struct command {
    const char *name;
    const char *args; /* for the usage line */
    const char *help; /* one line */
    unsigned options; /* FOR_… */
    /* returns the exit status, or APP_GOES_ON */
    int (*run)(struct command_args *c);
    const char *manual; /* the page about it; NULL: that of the program */
};

/* The verbs of ai(1), and the commands of agentsh(1); each ends with NULL. */
extern const struct command *const commands_ai[], *const commands_agentsh[];

/* The whole of main(): reads options and words, and runs the command that they
 * name. Where they name none, runs c->any; where that is NULL, it is wrong
 * usage. The caller fills in c->program, c->all, c->any and c->version.
 * Returns the exit status. */
int command_main(struct command_args *c, int argc, char **argv);

/* Applies the options that mean the same for every command; is called again
 * when a command has read more of them. Returns true when they asked for help
 * or the version, which is then printed. */
bool command_apply_options(struct command_args *c);

/* Whether the word is a verb, or the first word of some. */
bool command_exists(const struct command *const *all, const char *word);

/* Returns the name of the command that is nearest to a mistyped word; NULL when
 * none is near. */
const char *command_nearest(const struct command *const *all, const char *word);

/* Runs the command `verb` as though it stood in the place of the first of the
 * words that command_any was given. */
int command_run_as(struct command_args *c, const char *verb);

/* Becomes the program agentsh-server, for the command that was named and its
 * options. Returns only where that fails. */
int command_run_server(struct command_args *c);

/* The command `help`: prints help for the program, or for the command that the
 * words name. */
int command_help(struct command_args *c);

/* Prints the features of this build and what can confine a command on this
 * machine, as JSON. */
int command_version(struct command_args *c);

/* Appends the words with blanks between them, as they were typed. */
int command_join_words(const struct command_args *c, struct buf *out,
                       struct err *e);

/* Appends the words as a request's text: a word behind the first that holds a
 * blank is one name, and gets the quotes that the shell took off. */
int command_request_text(const struct command_args *c, struct buf *out,
                         struct err *e);

/* The verbs of ai(1) as functions, which agentsh(1) lists too. */
int cmd_ai_run_do(struct command_args *c);
int cmd_ai_run_run(struct command_args *c);
int cmd_ai_run_explain(struct command_args *c);
int cmd_ai_run_fix(struct command_args *c);
int cmd_ai_run_undo(struct command_args *c);
int cmd_ai_run_log(struct command_args *c);

/* ai TEXT without a verb: the text is a request for a command, or a question
 * to be answered. */
int cmd_ai_text(struct command_args *c);

/* Commands that live in files of their own. */
extern const struct command cmd_exec, cmd_doctor, cmd_action_check,
    cmd_policy_test, cmd_policy_show, cmd_policy_check, cmd_policy_add,
    cmd_sysinfo, cmd_services, cmd_packages, cmd_offline, cmd_tool_list,
    cmd_tool_call, cmd_tool_trust, cmd_plugin_check, cmd_plugin_new, cmd_init,
    cmd_completion, cmd_preview_list, cmd_preview_show, cmd_preview_keep,
    cmd_preview_drop, cmd_setup, cmd_session_list, cmd_session_show,
    cmd_session_resume, cmd_session_delete, cmd_line;

#endif
