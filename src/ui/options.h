/* SPDX-License-Identifier: GPL-3.0-or-later */
/* options.h - the table of options and the table of verbs. */
#ifndef UI_OPTIONS_H
#define UI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"

/* The options that were given; text is borrowed from argv, NULL where an
 * option was not given. */
struct options {
    const char *model, *provider, *output, *plan_in, *plan_out, *mode;
    const char *profile, *workspace, *policy;
    bool offline, anew, yes, step, preview, dry_run, show_request, quiet,
        verbose, no_color, plain;
    const char *failed_command, *failed_status, *stderr_file; /* ai fix */
    const char *root, *exec_timeout, *max_connections, *token_file, *listen,
        *allow_origin, *authorization_server, *tls_cert, *tls_key, *log_format;
    const char *url, *after, *exec, *keep; /* agentsh bus */
    const char *nats;                      /* agentsh bus, agentsh gateway */
    bool lifecycle, reconnect;
    const char *hosts;
    const char *count, *lang, *search, *status, *directory, *approval_expiry,
        *max_agents, *retain;
    bool run_all, why, all;
    bool explain, for_key, not_found;
    bool no_tool_calls, net, lines, check, verify, cost, tools, help, version;
};

/* Bits that say which commands have an option. */
#define FOR_ALL          1u        /* every program and verb */
#define FOR_REQUEST      2u        /* ai do, run, explain */
#define FOR_PLAN         16u       /* ai do and run: how a plan is handled */
#define FOR_REPORT       4u        /* what can be printed for programs */
#define FOR_CHECK        8u        /* agentsh action check */
#define FOR_EXEC         32u       /* agentsh exec: its words are a command */
#define FOR_LOG          128u      /* ai log */
#define FOR_PLUGIN_CHECK 512u      /* agentsh plugin check */
#define FOR_NEW          1024u     /* agentsh plugin new */
#define FOR_ENGINE       2048u     /* agentsh offline */
#define FOR_DOCTOR       4096u     /* agentsh doctor */
#define FOR_SERVER       8192u     /* agentsh acp, mcp: a program asks */
#define FOR_GUEST        16384u    /* agentsh guest */
#define FOR_GUEST_CALL   32768u    /* agentsh guest call */
#define FOR_SPACES       65536u    /* agentsh spaces */
#define FOR_HTTP         131072u   /* servers that can listen for HTTP */
#define FOR_FIX          262144u   /* ai fix */
#define FOR_KEY          524288u   /* agentsh line: a key of a shell */
#define FOR_UNDO         1048576u  /* ai undo: how its plan is handled */
#define FOR_BUS          2097152u  /* agentsh bus */
#define FOR_BUS_CLIENT   4194304u  /* agentsh bus pub, sub */
#define FOR_BUS_SUB      8388608u  /* agentsh bus sub */
#define FOR_MCP          33554432u /* agentsh mcp */
#define FOR_GATEWAY      16777216u /* agentsh gateway */
/* These two belong to commands, not to options. FOR_LINE: the words are a
 * command line, whose own options are not ours. FOR_NAMES: the words are
 * names, and options may follow them. */
#define FOR_LINE  64u
#define FOR_NAMES 256u

/* Reads options from words[*at] on, as long as they are options of `known`;
 * *at is then the first word that is not one. "--" ends them and is consumed.
 * ERR_USAGE: an option is unknown, or its argument is missing or wrong. */
int options_read(const char *const *words, int n, int *at, unsigned known,
                 struct options *o, struct err *e);

/* Writes the options of `known` that were given, each with its argument, as
 * options_read takes them; returns how many words that are. The words are
 * borrowed from o and from the table. */
#define OPTIONS_WORDS_MAX 192
size_t options_words(const struct options *o, unsigned known,
                     const char *words[OPTIONS_WORDS_MAX]);

/* Whether a word, as it is typed, is an option of `known` or several letters
 * of such; its argument is not checked. */
bool options_knows(const char *word, unsigned known);

/* Whether the value of the last option in an option word (--NAME, -x, -xy) is
 * the next word. */
bool options_takes_value(const char *word, unsigned known);

/* The name of the i-th option of `known`, without its hyphens; NULL past the
 * last. */
const char *options_name(size_t i, unsigned known);

/* The only arguments of the last option in an option word, as "a|b"; NULL: it
 * takes none, or any. */
const char *options_arguments(const char *word, unsigned known);

/* Appends a line for each option of `known`, for --help. */
void options_help(struct buf *out, unsigned known, bool plain);

/* Appends a line for each option of `known`, for the completion of shells:
 * option;--NAME;-LETTER;ARGUMENT;WORD|WORD;HELP, with empty fields where there
 * is nothing. */
void options_list(struct buf *out, unsigned known);

/* The options that some verb takes; each verb names its own below. */
#define VERB_OPTIONS                                                           \
    (FOR_REQUEST | FOR_PLAN | FOR_UNDO | FOR_REPORT | FOR_LOG | FOR_FIX)

/* The only list of verbs: VERB(name, arguments, help, options). A frontend
 * makes rows of it, each with its function call_NAME. */
#define VERBS(VERB)                                                            \
    VERB(do, "TEXT…", "plan a job, show it, ask once, run it",                 \
         FOR_REQUEST | FOR_PLAN | FOR_REPORT)                                  \
    VERB(run, "TEXT…", "propose a command, show it, ask once, run it",         \
         FOR_REQUEST | FOR_PLAN | FOR_REPORT)                                  \
    VERB(explain, "TEXT…",                                                     \
         "explain a command line, or answer a question; runs nothing",         \
         FOR_REQUEST | FOR_REPORT)                                             \
    VERB(fix, "[HINT…]", "repair the last command, which failed",              \
         FOR_REQUEST | FOR_PLAN | FOR_REPORT | FOR_FIX)                        \
    VERB(undo, "[RUN]", "put back what a run changed, after a question",       \
         FOR_UNDO | FOR_REPORT)                                                \
    VERB(log, "[RUN]", "show what was asked, proposed, approved and run",      \
         FOR_LOG | FOR_REPORT)                                                 \
    VERB(help, "[VERB]", "help for the program, or for a verb", 0)

/* The only list of servers, and of their clients: SERVER(identifier, name,
 * arguments, help, options). The program agentsh-server is each of them. */
#define SERVERS(SERVER)                                                        \
    SERVER(acp, "acp", "",                                                     \
           "be an editor's agent (ACP), on standard input or on a port",       \
           FOR_SERVER | FOR_HTTP)                                              \
    SERVER(guest, "guest", "",                                                 \
           "run commands and move files for whoever owns the machine",         \
           FOR_GUEST)                                                          \
    SERVER(guest_call, "guest call", "TARGET METHOD [JSON]",                   \
           "send one request to a guest agent", FOR_GUEST_CALL | FOR_NAMES)    \
    SERVER(spaces, "spaces",                                                   \
           "[FILE] | resume RUN approved|denied [OPERATION]",                  \
           "run an agent's operations, one message a line",                    \
           FOR_SERVER | FOR_SPACES | FOR_NAMES)                                \
    SERVER(approvals, "approvals", "[list | show ID | approve ID | deny ID]",  \
           "list, show and answer what waits for a yes",                       \
           FOR_REPORT | FOR_NAMES)                                             \
    SERVER(mcp, "mcp", "",                                                     \
           "offer the tools (MCP) on standard input and output, or by HTTP",   \
           FOR_SERVER | FOR_HTTP | FOR_MCP)                                    \
    SERVER(gateway, "gateway", "",                                             \
           "keep tasks, and have agents do them, for clients over WebSocket",  \
           FOR_HTTP | FOR_GATEWAY)                                             \
    SERVER(bus, "bus", "", "carry messages between agents, by WebSockets",     \
           FOR_BUS)                                                            \
    SERVER(bus_pub, "bus pub", "TOPIC JSON", "publish one message on a bus",   \
           FOR_BUS_CLIENT | FOR_NAMES)                                         \
    SERVER(bus_sub, "bus sub", "PATTERN",                                      \
           "print the messages of a bus, or hand them to a command",           \
           FOR_BUS_CLIENT | FOR_BUS_SUB | FOR_NAMES)

/* The name of the i-th verb; NULL past the last. */
const char *options_verb_name(size_t i);

/* Whether the word is a verb. */
bool options_is_verb(const char *word);

/* The options of a verb (FOR_…); for another word, those of all verbs. */
unsigned options_of_verb(const char *word);

/* Whether the word is a verb with a request: the words that follow it and its
 * options are one text. */
bool options_verb_takes_text(const char *word);

#endif
