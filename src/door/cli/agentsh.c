/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agentsh.c - the subcommands of agentsh(1). */
#include <stdio.h>
#include <string.h>

#include "base/path.h"
#include "door/cli/call.h"
#include "person/hook.h"
#include "person/result.h"

#define SCRIPT_MAX (1u << 20)

/* The one word that a subcommand takes; NULL and an error otherwise. */
static const char *
one_word(struct call *c, const char *what, struct err *e)
{
    if (c->n == 1)
        return c->words[0];
    err_set(e, ERR_USAGE, "missing argument: %s", what);
    return NULL;
}

static int
call_init(struct call *c)
{
    CLEANUP_BUF struct buf out = buf_of(SCRIPT_MAX);
    struct err e = {0};
    const char *shell = one_word(c, "the shell, bash, zsh or fish", &e);

    hook_sweep();
    if (!shell || hook_print(shell, &out, &e) < 0 || result_write(&out, &e) < 0)
        return app_fail(c->app, &e);
    return 0;
}

static const struct call_row rows[] = {
    {"do", "TEXT…", "the same as ai do", FOR_WISH | FOR_PLAN | FOR_REPORT,
     call_do},
    {"run", "TEXT…", "the same as ai run", FOR_WISH | FOR_PLAN | FOR_REPORT,
     call_run},
    {"explain", "TEXT…", "the same as ai explain", FOR_WISH | FOR_REPORT,
     call_explain},
    {"log", "[RUN]", "the same as ai log", FOR_LOG | FOR_REPORT, call_log},
    {"init", "bash|zsh|fish",
     "print the shell hook: eval \"$(agentsh init bash)\"", 0, call_init},
    {"completion", "bash|zsh|fish",
     "print the completion script: eval \"$(agentsh completion bash)\"", 0,
     call_completion},
    {"doctor", "", "check what works here, and why not",
     FOR_REPORT | FOR_DOCTOR, call_doctor},
    CALL_EXEC_ROW,
    {"preview list", "", "runs whose changes wait to be kept or dropped", 0,
     call_preview_list},
    {"preview show", "[RUN]", "show what a run changed, line by line", 0,
     call_preview_show},
    {"preview keep", "[RUN]", "make those changes in the workspace", 0,
     call_preview_keep},
    {"preview drop", "[RUN]", "discard them", 0, call_preview_drop},
    {"action check", "[FILE]",
     "read a model's raw answer and print the AiAction", FOR_CHECK,
     call_action_check},
    {"policy test", "CMD…",
     "show what the rules decide about a command line, and why",
     FOR_REPORT | FOR_LINE, call_policy_test},
    {"policy show", "", "print the rules that are in force", 0,
     call_policy_show},
    {"policy check", "[FILE]", "check a file of rules and its examples", 0,
     call_policy_check},
    {"policy add", "RULE", "append a rule to your own", FOR_LINE,
     call_policy_add},
    {"sysinfo", "[PART…]", "show facts about this machine",
     FOR_REPORT | FOR_NAMES, call_sysinfo},
    {"services", "[PORT|NAME]", "list listening ports and running services",
     FOR_REPORT | FOR_NAMES, call_services},
    {"packages", "[NAME]", "list installed packages", FOR_REPORT | FOR_NAMES,
     call_packages},
    {"offline", "[TEXT…]",
     "show what the offline engine proposes, one request per line",
     FOR_ENGINE | FOR_LINE, call_offline},
    {"tool list", "", "list the tools, and why one cannot be used", FOR_REPORT,
     call_tool_list},
    {"tool call", "[NAME]",
     "answer requests of the Plugin Tool API, one per line", 0, call_tool_call},
    {"tool trust", "NAME [SHA256]",
     "trust a tool that is not built in, as it is now", 0, call_tool_trust},
    {"plugin check", "DIR", "test a plugin against the Plugin Tool API",
     FOR_TRIAL | FOR_REPORT | FOR_NAMES, call_plugin_check},
    {"plugin new", "NAME [DIR]", "create a new plugin from a template",
     FOR_NEW | FOR_NAMES, call_plugin_new},
    {"help", "[COMMAND]", "help for the program, or for a command", 0,
     call_help},
    {0},
};

const struct call_row *
agentsh_rows(void)
{
    return rows;
}
