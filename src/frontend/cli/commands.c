/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands.c - the table of commands of agentsh(1). */
#include "frontend/cli/command.h"

/* Another program named ai may be first on PATH, so agentsh has these too. */
static const struct command cmd_agentsh_do = {
    .name = "do",
    .args = "TEXT…",
    .help = N_("the same as ai do"),
    .options = FOR_REQUEST | FOR_PLAN | FOR_REPORT,
    .run = cmd_ai_run_do,
};

static const struct command cmd_agentsh_run = {
    .name = "run",
    .args = "TEXT…",
    .help = N_("the same as ai run"),
    .options = FOR_REQUEST | FOR_PLAN | FOR_REPORT,
    .run = cmd_ai_run_run,
};

static const struct command cmd_agentsh_explain = {
    .name = "explain",
    .args = "TEXT…",
    .help = N_("the same as ai explain"),
    .options = FOR_REQUEST | FOR_REPORT,
    .run = cmd_ai_run_explain,
};

static const struct command cmd_agentsh_fix = {
    .name = "fix",
    .args = "[HINT…]",
    .help = N_("the same as ai fix"),
    .options = FOR_REQUEST | FOR_PLAN | FOR_REPORT | FOR_FIX,
    .run = cmd_ai_run_fix,
};

static const struct command cmd_agentsh_undo = {
    .name = "undo",
    .args = "[RUN]",
    .help = N_("the same as ai undo"),
    .options = FOR_UNDO | FOR_REPORT,
    .run = cmd_ai_run_undo,
};

static const struct command cmd_agentsh_log = {
    .name = "log",
    .args = "[RUN]",
    .help = N_("the same as ai log"),
    .options = FOR_LOG | FOR_REPORT,
    .run = cmd_ai_run_log,
};

static const struct command cmd_agentsh_help = {
    .name = "help",
    .args = "[COMMAND]",
    .help = N_("help for the program, or for a command"),
    .run = command_help,
};

#define DEFINE_SERVER(id, name, args, help, options)                           \
    static const struct command cmd_##id = {                                   \
        name, args, help, options, command_run_server, "agentsh-protocols"};
#define SERVER_POINTER(id, name, args, help, options) &cmd_##id,

SERVERS(DEFINE_SERVER)

const struct command *const commands_agentsh[] = {
    &cmd_agentsh_do,
    &cmd_agentsh_run,
    &cmd_agentsh_explain,
    &cmd_agentsh_fix,
    &cmd_agentsh_undo,
    &cmd_agentsh_log,
    &cmd_line,
    &cmd_init,
    &cmd_completion,
    &cmd_doctor,
    &cmd_setup,
    &cmd_exec,
    &cmd_preview_list,
    &cmd_preview_show,
    &cmd_preview_keep,
    &cmd_preview_drop,
    &cmd_session_list,
    &cmd_session_show,
    &cmd_session_resume,
    &cmd_session_delete,
    &cmd_action_check,
    &cmd_policy_test,
    &cmd_policy_show,
    &cmd_policy_check,
    &cmd_policy_add,
    &cmd_sysinfo,
    &cmd_services,
    &cmd_packages,
    &cmd_offline,
    &cmd_tool_list,
    &cmd_tool_call,
    &cmd_tool_trust,
    &cmd_plugin_check,
    &cmd_plugin_new,
    SERVERS(SERVER_POINTER) & cmd_agentsh_help,
    NULL,
};
