/* SPDX-License-Identifier: GPL-3.0-or-later */
/* options.c - the table of options and its reader, and the table of verbs. */
#include "ui/options.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/message.h"
#include "config/provider_names.h"

#define HELP_COLUMN                    28
#define ROW(name, args, help, options) {#name, options},

struct option_entry {
    char letter;       /* 0: only the long form */
    const char *word;  /* "--NAME" */
    const char *arg;   /* the name of its argument; NULL: it is a flag */
    const char *words; /* "a|b": the only arguments; NULL: any */
    unsigned known;
    size_t at; /* offset of its member in struct options */
    const char *help;
};

#define AT(member) offsetof(struct options, member)

static const struct option_entry rows[] = {
    {'m', "--model", "NAME", NULL, FOR_REQUEST, AT(model), "ask this model"},
    {0, "--provider", "NAME", PROVIDER_CHOICES, FOR_REQUEST, AT(provider),
     "ask a model of this provider"},
    {0, "--offline", NULL, NULL, FOR_REQUEST, AT(offline), "ask no model"},
    {0, "--no-look", NULL, NULL, FOR_REQUEST, AT(no_tool_calls),
     "do not let the model call tools before it answers"},
    {'y', "--yes", NULL, NULL, FOR_PLAN, AT(yes),
     "approve the plan if every step is allowed by the rules"},
    {0, "--step", NULL, NULL, FOR_PLAN | FOR_UNDO, AT(step),
     "ask before every step"},
    {0, "--preview", NULL, NULL, FOR_PLAN, AT(preview),
     "run in a copy-on-write view, then keep or drop what changed"},
    {0, "--profile", "NAME", "reduced", FOR_PLAN, AT(profile),
     "reduced: with --yes, also run what writes where no namespaces are"},
    {0, "--dry-run", NULL, NULL, FOR_PLAN | FOR_UNDO, AT(dry_run),
     "print the plan and stop"},
    {0, "--plan-out", "FILE", NULL, FOR_PLAN, AT(plan_out),
     "save the plan and stop"},
    {0, "--plan", "FILE", NULL, FOR_PLAN, AT(plan_in),
     "review and run a saved plan; no model is asked"},
    {0, "--on", "HOST[,HOST...]", NULL, FOR_PLAN, AT(hosts),
     "run the steps on these hosts, by ssh and the agentsh there"},
    {0, "--new", NULL, NULL, FOR_REQUEST, AT(anew), "begin a new conversation"},
    {0, "--show-request", NULL, NULL, FOR_REQUEST, AT(show_request),
     "print the bytes that would be sent, and stop"},
    {0, "--command", "LINE", NULL, FOR_FIX, AT(failed_command),
     "the command that failed, instead of the last one"},
    {0, "--status", "N", NULL, FOR_FIX, AT(failed_status),
     "its exit status (default: 1)"},
    {0, "--stderr-file", "FILE", NULL, FOR_FIX, AT(stderr_file),
     "a file with what it printed"},
    {0, "--mode", "MODE", "do|run|explain", FOR_CHECK, AT(mode),
     "verb of the answer: do, run, explain"},
    {0, "--lines", NULL, NULL, FOR_CHECK, AT(lines),
     "JSON objects as input and output, one per line"},
    {0, "--profile", "NAME",
     "read-only|observe|observe-proc|workspace-write|preview|reduced|full",
     FOR_EXEC, AT(profile), "sandbox profile (default: workspace-write)"},
    {0, "--workspace", "DIR", NULL, FOR_EXEC | FOR_SPACES, AT(workspace),
     "writable directory, instead of the working directory"},
    {0, "--net", NULL, NULL, FOR_EXEC, AT(net), "allow network access"},
    {0, "--policy", "RULES", NULL, FOR_SERVER | FOR_GUEST, AT(policy),
     "a file of rules, or restrictive, standard, permissive"},
    {0, "--policy", "RULES", NULL, FOR_GATEWAY, AT(policy),
     "rules of editors at /acp: a file, restrictive, standard, permissive"},
    {0, "--approval-expiry", "DURATION", NULL, FOR_SPACES | FOR_GATEWAY,
     AT(approval_expiry),
     "how long an approval is waited for, as 90s, 15m, 12h, 7d"},
    {0, "--max-agents", "N", NULL, FOR_GATEWAY, AT(max_agents),
     "have this many agents at work at once (default: 5)"},
    {0, "--retain", "DURATION", NULL, FOR_GATEWAY, AT(retain),
     "remove tasks that ended so long ago (default: 90d; or forever)"},
    {0, "--check", NULL, NULL, FOR_SPACES, AT(check),
     "say whether each line is valid, and run nothing"},
    {0, "--listen", "ADDRESS", NULL, FOR_GUEST, AT(listen),
     "unix:PATH, tcp:HOST:PORT or vsock:PORT, instead of standard input"},
    {0, "--listen", "ADDRESS", NULL, FOR_HTTP, AT(listen),
     "HOST:PORT, PORT or unix:PATH: serve HTTP there"},
    {0, "--listen", "ADDRESS", NULL, FOR_BUS, AT(listen),
     "HOST:PORT, PORT or unix:PATH (default: 127.0.0.1:7892)"},
    {0, "--keep", "N|DURATION", NULL, FOR_BUS, AT(keep),
     "number messages, and keep so many of a topic, or for so long"},
    {0, "--lifecycle", NULL, NULL, FOR_BUS, AT(lifecycle),
     "publish on agent:CLIENT who comes and who leaves"},
    {0, "--nats", "URL", NULL, FOR_BUS, AT(nats),
     "be one bus with all that this NATS server joins (nats://HOST:PORT)"},
    {0, "--nats", "URL", NULL, FOR_GATEWAY, AT(nats),
     "share tasks with the gateways of this NATS server (nats://HOST:PORT)"},
    {0, "--url", "URL", NULL, FOR_BUS_CLIENT, AT(url),
     "ws://HOST:PORT/ or unix:PATH (default: ws://127.0.0.1:7892/)"},
    {0, "--after", "N", NULL, FOR_BUS_SUB, AT(after),
     "begin behind this number, of a bus that keeps messages"},
    {0, "--exec", "COMMAND", NULL, FOR_BUS_SUB, AT(exec),
     "run it for each message; a status other than 0 stops the message"},
    {0, "--reconnect", NULL, NULL, FOR_BUS_SUB, AT(reconnect),
     "when the bus goes away, connect again, and continue"},
    {0, "--allow-origin", "LIST", NULL, FOR_HTTP | FOR_BUS, AT(allow_origin),
     "answer pages of these origins too, as https://a.example"},
    {0, "--max-connections", "N", NULL, FOR_HTTP, AT(max_connections),
     "serve this many connections at once (default: 256)"},
    {0, "--profile", "NAME",
     "read-only|observe|observe-proc|workspace-write|reduced|full", FOR_GUEST,
     AT(profile), "sandbox profile of commands (default: full)"},
    {0, "--root", "DIR", NULL, FOR_GUEST, AT(root),
     "reach no file outside this directory"},
    {0, "--exec-timeout", "TIME", NULL, FOR_GUEST, AT(exec_timeout),
     "end a command after this time, such as 30s or 5m"},
    {0, "--max-connections", "N", NULL, FOR_BUS, AT(max_connections),
     "serve this many connections at once (default: 1024)"},
    {0, "--max-connections", "N", NULL, FOR_GUEST, AT(max_connections),
     "serve this many connections at once (default: 64)"},
    {0, "--token-file", "FILE", NULL, FOR_GUEST | FOR_HTTP | FOR_BUS,
     AT(token_file), "ask each peer for the token in this file"},
    {0, "--authorization-server", "URL", NULL, FOR_MCP,
     AT(authorization_server),
     "tell clients that the token comes from this server (OAuth)"},
    {0, "--tls-cert", "FILE", NULL, FOR_GUEST | FOR_HTTP | FOR_BUS,
     AT(tls_cert), "listen by TLS, with this certificate (PEM)"},
    {0, "--tls-key", "FILE", NULL, FOR_GUEST | FOR_HTTP | FOR_BUS, AT(tls_key),
     "the private key of the certificate (PEM)"},
    {0, "--log", "FORMAT", "text|json",
     FOR_SERVER | FOR_GUEST | FOR_HTTP | FOR_BUS, AT(log_format),
     "how the lines of the log are written (default: text)"},
    {0, "--token-file", "FILE", NULL, FOR_GUEST_CALL, AT(token_file),
     "show the agent the token in this file"},
    {0, "--token-file", "FILE", NULL, FOR_BUS_CLIENT, AT(token_file),
     "show the bus the token in this file"},
    {'n', "--number", "N", NULL, FOR_LOG, AT(count), "show this many runs"},
    {'s', "--search", "WORDS", NULL, FOR_LOG, AT(search),
     "show runs that contain all these words"},
    {0, "--status", "STATUS", "ran|failed|shown|denied|stopped|unfinished",
     FOR_LOG, AT(status), "show runs with this status"},
    {0, "--directory", "DIR", NULL, FOR_LOG, AT(directory),
     "show runs in this directory and below"},
    {0, "--verify", NULL, NULL, FOR_LOG, AT(verify),
     "check that nothing was changed or is missing"},
    {0, "--cost", NULL, NULL, FOR_LOG, AT(cost),
     "total what models cost, by day and model"},
    {0, "--tools", NULL, NULL, FOR_LOG, AT(tools),
     "list the runs of agentsh tool call too"},
    {0, "--run-all", NULL, NULL, FOR_PLUGIN_CHECK, AT(run_all),
     "also call the actions that change things"},
    {0, "--lang", "LANGUAGE", "sh|python|c", FOR_NEW, AT(lang),
     "language: sh, python or c"},
    {0, "--all", NULL, NULL, FOR_ENGINE, AT(all),
     "answer even if nothing matches well"},
    {0, "--why", NULL, NULL, FOR_ENGINE, AT(why),
     "show all candidates with their scores"},
    {0, "--explain", NULL, NULL, FOR_KEY, AT(explain),
     "explain the line, instead of a command for it"},
    {0, "--for-key", NULL, NULL, FOR_KEY, AT(for_key),
     "for a shell's key: first the command, then what to show below it"},
    {0, "--not-found", NULL, NULL, FOR_KEY, AT(not_found),
     "say in one line what a command that was not found could mean"},
    {'o', "--output", "FORM", "text|json|jsonl", FOR_REPORT, AT(output),
     "output format: text, json or jsonl"},
    {'q', "--quiet", NULL, NULL, FOR_REQUEST, AT(quiet),
     "print only results and errors"},
    {'v', "--verbose", NULL, NULL, FOR_REQUEST | FOR_DOCTOR, AT(verbose),
     "print details of what is done"},
    {0, "--no-color", NULL, NULL, FOR_ALL, AT(no_color),
     "print plain text, no colours"},
    {0, "--plain", NULL, NULL, FOR_ALL, AT(plain),
     "for a screen reader: no symbols, columns or redrawing"},
    {'h', "--help", NULL, NULL, FOR_ALL, AT(help), "print this help"},
    {'V', "--version", NULL, NULL, FOR_ALL, AT(version), "print the version"},
};

#define N_ROWS ARRAY_SIZE(rows)

/* The row of a long option, whose name has n bytes; NULL: none. */
static const struct option_entry *
find_long(const char *name, size_t n, unsigned known)
{
    for (size_t i = 0; i < N_ROWS; i++) {
        if (rows[i].known & known && strlen(rows[i].word + 2) == n &&
            memcmp(rows[i].word + 2, name, n) == 0)
            return &rows[i];
    }
    return NULL;
}

static const struct option_entry *
find_letter(char letter, unsigned known)
{
    for (size_t i = 0; i < N_ROWS; i++) {
        if (rows[i].known & known && rows[i].letter == letter)
            return &rows[i];
    }
    return NULL;
}

bool
options_knows(const char *word, unsigned known)
{
    known |= FOR_ALL;
    if (word[0] != '-' || !word[1])
        return false;
    if (word[1] == '-')
        return find_long(word + 2, strcspn(word + 2, "="), known) != NULL;
    for (const char *p = word + 1; *p; p++) {
        const struct option_entry *row = find_letter(*p, known);

        if (!row || row->arg)
            return row != NULL; /* the rest of the word is its argument */
    }
    return true;
}

static bool
is_allowed_word(const char *word, const char *words)
{
    size_t n = strlen(word);

    for (const char *p = words; p; p = strchr(p, '|')) {
        p += *p == '|';
        if (strcspn(p, "|") == n && memcmp(p, word, n) == 0)
            return true;
    }
    return false;
}

static int
set_option_text(const struct option_entry *row, const char *value,
                struct options *o, struct err *e)
{
    const char **member = (const char **)(void *)((char *)o + row->at);

    if (!value)
        return err_set(e, ERR_USAGE, "%s needs an argument (%s)", row->word,
                       row->arg);
    if (row->at == AT(listen) && *member) /* else nobody listens at the first */
        return err_set(e, ERR_USAGE, "%s is given twice: it has one address",
                       row->word);
    if (row->words && !is_allowed_word(value, row->words))
        return err_set(e, ERR_USAGE, "%s is one of %s, not '%.60s'", row->word,
                       row->words, value);
    *member = value;
    return 0;
}

static void
set_option_flag(const struct option_entry *row, struct options *o)
{
    *(bool *)(void *)((char *)o + row->at) = true;
}

static int
read_long(const char *const *words, int n, int *at, unsigned known,
          struct options *o, struct err *e)
{
    const char *word = words[*at] + 2;
    size_t len = strcspn(word, "=");
    const struct option_entry *row = find_long(word, len, known);
    const char *value = word[len] ? word + len + 1 : NULL;

    if (!row)
        return err_set(e, ERR_USAGE, "unknown option '--%.*s' (--help)",
                       (int)(len < 60 ? len : 60), word);
    ++*at;
    if (!row->arg && value)
        return err_set(e, ERR_USAGE, "%s takes no argument", row->word);
    if (!row->arg) {
        set_option_flag(row, o);
        return 0;
    }
    if (!value && *at < n)
        value = words[(*at)++];
    return set_option_text(row, value, o, e);
}

/* Reads -x, -xy, -ovalue, -o value. */
static int
read_short_options(const char *const *words, int n, int *at, unsigned known,
                   struct options *o, struct err *e)
{
    const char *word = words[(*at)++];

    for (const char *p = word + 1; *p; p++) {
        const struct option_entry *row = find_letter(*p, known);
        const char *value = p[1] ? p + 1 : NULL;

        if (!row)
            return err_set(e, ERR_USAGE, "unknown option '-%c' (--help)", *p);
        if (!row->arg) {
            set_option_flag(row, o);
            continue;
        }
        if (!value && *at < n)
            value = words[(*at)++];
        return set_option_text(row, value, o, e);
    }
    return 0;
}

int
options_read(const char *const *words, int n, int *at, unsigned known,
             struct options *o, struct err *e)
{
    known |= FOR_ALL;
    while (*at < n && words[*at][0] == '-' && words[*at][1]) {
        int rc;

        if (strcmp(words[*at], "--") == 0) {
            ++*at;
            return 0;
        }
        rc = words[*at][1] == '-'
                 ? read_long(words, n, at, known, o, e)
                 : read_short_options(words, n, at, known, o, e);
        if (rc < 0)
            return -1;
    }
    return 0;
}

/* Whether an option was given; *value is then its argument, NULL for a flag. */
static bool
is_option_given(const struct option_entry *row, const struct options *o,
                const char **value)
{
    const void *member = (const char *)o + row->at;

    *value = row->arg ? *(const char *const *)member : NULL;
    return row->arg ? *value != NULL : *(const bool *)member;
}

size_t
options_words(const struct options *o, unsigned known,
              const char *words[OPTIONS_WORDS_MAX])
{
    _Static_assert(2 * N_ROWS <= OPTIONS_WORDS_MAX, "there is room for all");
    size_t n = 0;

    for (size_t i = 0; i < N_ROWS; i++) {
        const char *value;

        if (!(rows[i].known & (known | FOR_ALL)) ||
            !is_option_given(&rows[i], o, &value))
            continue;
        words[n++] = rows[i].word;
        if (value)
            words[n++] = value;
    }
    return n;
}

/* The row of the last option in an option word, if its argument is the next
 * word; else NULL. */
static const struct option_entry *
find_waiting(const char *word, unsigned known)
{
    const struct option_entry *row = NULL;

    if (word[0] == '-' && word[1] == '-') {
        row = find_long(word + 2, strlen(word + 2), known);
        return row && row->arg ? row : NULL;
    }
    for (const char *p = word + (word[0] == '-'); *p; p++) {
        row = find_letter(*p, known);
        if (!row || row->arg)
            return row && !p[1] ? row : NULL;
    }
    return NULL;
}

bool
options_takes_value(const char *word, unsigned known)
{
    return find_waiting(word, known) != NULL;
}

const char *
options_arguments(const char *word, unsigned known)
{
    const struct option_entry *row = find_waiting(word, known);

    return row ? row->words : NULL;
}

const char *
options_name(size_t i, unsigned known)
{
    for (size_t at = 0; at < N_ROWS; at++)
        if (rows[at].known & (known | FOR_ALL) && i-- == 0)
            return rows[at].word + 2;
    return NULL;
}

void
options_help(struct buf *out, unsigned known, bool plain)
{
    for (size_t i = 0; i < N_ROWS; i++) {
        char left[64], letter[8] = "    ";

        if (!(rows[i].known & (known | FOR_ALL)))
            continue;
        if (rows[i].letter)
            snprintf(letter, sizeof(letter), "-%c, ", rows[i].letter);
        snprintf(left, sizeof(left), "  %s--%s%s%s", letter, rows[i].word + 2,
                 rows[i].arg ? " " : "", rows[i].arg ? rows[i].arg : "");
        if (plain)
            buf_printf(out, "%s: %s\n", left + strspn(left, " "),
                       _(rows[i].help));
        else
            buf_printf(out, "%-*s%s%s\n", HELP_COLUMN, left,
                       strlen(left) < HELP_COLUMN ? "" : "  ", _(rows[i].help));
    }
}

void
options_list(struct buf *out, unsigned known)
{
    for (size_t i = 0; i < N_ROWS; i++) {
        const struct option_entry *r = &rows[i];
        char letter[] = {'-', r->letter, '\0'};

        if (r->known & (known | FOR_ALL))
            buf_printf(out, "option;%s;%s;%s;%s;%s\n", r->word,
                       r->letter ? letter : "", r->arg ? r->arg : "",
                       r->words ? r->words : "", r->help);
    }
}

/* The verbs of the assistant, the same in every frontend. */

struct verb {
    const char *name;
    unsigned options;
};

static const struct verb verbs[] = {VERBS(ROW){0}};

const char *
options_verb_name(size_t i)
{
    return i < ARRAY_SIZE(verbs) ? verbs[i].name : NULL;
}

bool
options_is_verb(const char *word)
{
    for (const struct verb *v = verbs; v->name; v++) {
        if (strcmp(v->name, word) == 0)
            return true;
    }
    return false;
}

unsigned
options_of_verb(const char *word)
{
    for (const struct verb *v = verbs; v->name; v++) {
        if (strcmp(v->name, word) == 0)
            return v->options;
    }
    return VERB_OPTIONS;
}

bool
options_verb_takes_text(const char *word)
{
    for (const struct verb *v = verbs; v->name; v++) {
        if (strcmp(v->name, word) == 0)
            return v->options & FOR_REQUEST;
    }
    return false;
}
