/* SPDX-License-Identifier: GPL-3.0-or-later */
/* config_table.c - the table of every setting, with its default and its help,
 * and the check of a value against its row. */
#include "config/config_table.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/ascii.h"
#include "base/secret_name.h"
#include "config/config_headers.h"
#include "config/key_sequence.h"
#include "config/nearest.h"
#include "config/provider_names.h"

#define DAY_S       86400
#define SIZE_MAX_MB (1024 * 1024) /* 1 TiB: more is a mistake */
#define LIST_MAX    16 /* the sandbox's command line is bounded, too */

#define SHOWN_MAX  60 /* bytes of a wrong value in a message */
#define DIGITS_MAX 15 /* of a number: what a double holds exactly */
#define WORD_MAX   16

/* clang-format off */
static const struct config_row rows[CONFIG_N] = {
    [CONFIG_MODEL_PROVIDER] = {
        .section = "model", .name = "provider", .type = CONFIG_WORD,
        .words = PROVIDER_CHOICES,
        .help = "the provider to ask; default: the first that has a key",
    },
    [CONFIG_MODEL_MODEL] = {
        .section = "model", .name = "model", .type = CONFIG_TEXT,
        .plain = true,
        .help = "the model to ask; default: the provider's",
    },
    [CONFIG_MODEL_BASE_URL] = {
        .section = "model", .name = "base_url", .type = CONFIG_TEXT,
        .plain = true,
        .help = "base URL of the provider, for your own server",
    },
    [CONFIG_MODEL_API_KEY_FILE] = {
        .section = "model", .name = "api_key_file", .type = CONFIG_PATH,
        .help = "file with the API key; its mode must be 0600",
    },
    [CONFIG_MODEL_API_KEY_COMMAND] = {
        .section = "model", .name = "api_key_command", .type = CONFIG_TEXT,
        .help = "command that prints the API key",
    },
    [CONFIG_MODEL_CA_FILE] = {
        .section = "model", .name = "ca_file", .type = CONFIG_PATH,
        .help = "file with the CA certificates that are trusted",
    },
    [CONFIG_MODEL_HEADERS] = {
        .section = "model", .name = "headers", .type = CONFIG_HEADERS,
        .fallback = "none", .max = LIST_MAX,
        .help = "more headers of requests, with | between",
    },
    [CONFIG_MODEL_DISCOVERY_TIMEOUT_MS] = {
        .section = "model", .name = "discovery_timeout_ms", .type = CONFIG_INT,
        .fallback = "130", .min = 20, .max = 10000,
        .help = "milliseconds to wait for model servers on this machine",
    },
    [CONFIG_MODEL_CONNECT_TIMEOUT_S] = {
        .section = "model", .name = "connect_timeout_s", .type = CONFIG_INT,
        .fallback = "10", .min = 1, .max = DAY_S,
        .help = "seconds to wait for the connection",
    },
    [CONFIG_MODEL_FIRST_BYTE_TIMEOUT_S] = {
        .section = "model", .name = "first_byte_timeout_s", .type = CONFIG_INT,
        .fallback = "60", .min = 1, .max = DAY_S,
        .help = "seconds to wait for the first byte of the answer",
    },
    [CONFIG_MODEL_IDLE_TIMEOUT_S] = {
        .section = "model", .name = "idle_timeout_s", .type = CONFIG_INT,
        .fallback = "60", .min = 1, .max = DAY_S,
        .help = "seconds that the answer may pause",
    },
    [CONFIG_MODEL_TOTAL_TIMEOUT_S] = {
        .section = "model", .name = "total_timeout_s", .type = CONFIG_INT,
        .fallback = "300", .min = 1, .max = DAY_S,
        .help = "seconds for the whole answer, retries included",
    },
    [CONFIG_MODEL_MAX_RETRIES] = {
        .section = "model", .name = "max_retries", .type = CONFIG_INT,
        .fallback = "3", .min = 0, .max = 7,
        .help = "how many times a failed request is retried",
    },
    [CONFIG_MODEL_LOOK] = {
        .section = "model", .name = "look", .type = CONFIG_BOOL,
        .fallback = "yes",
        .help = "whether a model may call read-only tools",
    },
    [CONFIG_MODEL_IMAGES] = {
        .section = "model", .name = "images", .type = CONFIG_WORD,
        .fallback = "auto", .words = "auto|yes|no",
        .help = "whether the model takes images",
    },
    [CONFIG_MODEL_PRICE_IN] = {
        .section = "model", .name = "price_in", .type = CONFIG_NUMBER,
        .min = 0, .max = 1e6,
        .help = "price of a million input tokens, for the cost shown",
    },
    [CONFIG_MODEL_PRICE_OUT] = {
        .section = "model", .name = "price_out", .type = CONFIG_NUMBER,
        .min = 0, .max = 1e6,
        .help = "price of a million output tokens, for the cost shown",
    },
    [CONFIG_SHELL_LOGIN_FILES] = {
        .section = "shell", .name = "login_files", .type = CONFIG_BOOL,
        .fallback = "no",
        .help = "whether the shell of agentsh is a login shell",
    },
    [CONFIG_SHELL_FIX_RERUN] = {
        .section = "shell", .name = "fix_rerun", .type = CONFIG_WORD,
        .words = "auto|ask|never", .fallback = "auto",
        .help = "whether ai fix runs a failed command again in a view",
    },
    [CONFIG_SHELL_LINE_KEY] = {
        .section = "shell", .name = "line_key", .type = CONFIG_KEYS,
        .help = "key that turns the words on the line into a command",
    },
    [CONFIG_SHELL_EXPLAIN_KEY] = {
        .section = "shell", .name = "explain_key", .type = CONFIG_KEYS,
        .help = "key that explains the line",
    },
    [CONFIG_SHELL_NOT_FOUND] = {
        .section = "shell", .name = "not_found", .type = CONFIG_BOOL,
        .fallback = "no",
        .help = "whether a command that is not found gets a hint",
    },
    [CONFIG_SHELL_PLAIN] = {
        .section = "shell", .name = "plain", .type = CONFIG_BOOL,
        .fallback = "no",
        .help = "whether nothing is drawn, for a screen reader",
    },
    [CONFIG_SHELL_PROMPT_SIGN] = {
        .section = "shell", .name = "prompt_sign", .type = CONFIG_FORM,
        .words = "model|branch|status", .fallback = "(ai)",
        .help = "what the prompt of the shell of agentsh begins with",
    },
    [CONFIG_SHELL_TRANSCRIPT] = {
        .section = "shell", .name = "transcript", .type = CONFIG_BOOL,
        .fallback = "yes",
        .help = "whether what the last command showed is kept for ai",
    },
    [CONFIG_SHELL_TRANSCRIPT_KB] = {
        .section = "shell", .name = "transcript_kb", .type = CONFIG_INT,
        .fallback = "8", .min = 1, .max = 16,
        .help = "KiB of its end that ai gets",
    },
    [CONFIG_SANDBOX_READABLE] = {
        .section = "sandbox", .name = "readable", .type = CONFIG_PATHS,
        .fallback = "~/.gitconfig:~/.config/git:~/.nvm:~/.pyenv:~/.rustup",
        .max = LIST_MAX,
        .help = "paths below the home directory that commands may read",
    },
    [CONFIG_SANDBOX_CACHE] = {
        .section = "sandbox", .name = "cache", .type = CONFIG_PATHS,
        .fallback = "none", .max = LIST_MAX,
        .help = "directories that are private and empty for each command",
    },
    [CONFIG_SANDBOX_SECRET] = {
        .section = "sandbox", .name = "secret", .type = CONFIG_PATHS,
        .fallback = "none", .max = LIST_MAX,
        .help = "more paths that commands never see",
    },
    [CONFIG_SANDBOX_PASS_ENV] = {
        .section = "sandbox", .name = "pass_env", .type = CONFIG_NAMES,
        .fallback = "none", .max = LIST_MAX,
        .help = "more environment variables for commands",
    },
    [CONFIG_SANDBOX_MEMORY_MB] = {
        .section = "sandbox", .name = "memory_mb", .type = CONFIG_INT,
        .fallback = "4096", .min = 64, .max = SIZE_MAX_MB,
        .help = "memory limit of one process, in MiB",
    },
    [CONFIG_SANDBOX_FILE_MB] = {
        .section = "sandbox", .name = "file_mb", .type = CONFIG_INT,
        .fallback = "4096", .min = 1, .max = SIZE_MAX_MB,
        .help = "file size limit, in MiB",
    },
    [CONFIG_SANDBOX_PROCESSES] = {
        .section = "sandbox", .name = "processes", .type = CONFIG_INT,
        .fallback = "1024", .min = 16, .max = 1000000,
        .help = "limit on the number of processes",
    },
    [CONFIG_SANDBOX_LIMIT_S] = {
        .section = "sandbox", .name = "limit_s", .type = CONFIG_INT,
        .fallback = "0", .min = 0, .max = 7 * DAY_S,
        .help = "time limit of a command, in seconds; 0: none",
    },
    [CONFIG_SANDBOX_ALLOW_REDUCED] = {
        .section = "sandbox", .name = "allow_reduced", .type = CONFIG_BOOL,
        .fallback = "no",
        .help = "whether the profile reduced may be used",
    },
    [CONFIG_RECORD_JOURNAL] = {
        .section = "record", .name = "journal", .type = CONFIG_BOOL,
        .fallback = "yes",
        .help = "whether runs are recorded for ai log",
    },
    [CONFIG_RECORD_KEEP_DAYS] = {
        .section = "record", .name = "keep_days", .type = CONFIG_INT,
        .fallback = "90", .min = 0, .max = 36500,
        .help = "days that runs and sessions are kept; 0: forever",
    },
    [CONFIG_RECORD_KEEP_MB] = {
        .section = "record", .name = "keep_mb", .type = CONFIG_INT,
        .fallback = "64", .min = 0, .max = SIZE_MAX_MB,
        .help = "size limit of the journal, in MiB; 0: none",
    },
    [CONFIG_RECORD_CONVERSATION] = {
        .section = "record", .name = "conversation", .type = CONFIG_BOOL,
        .fallback = "yes",
        .help = "whether the ai lines of a shell are one conversation",
    },
    [CONFIG_RECORD_CONVERSATION_HOURS] = {
        .section = "record", .name = "conversation_hours", .type = CONFIG_INT,
        .fallback = "8", .min = 1, .max = 24 * 365,
        .help = "hours without an ai line after which one is begun anew",
    },
    [CONFIG_RECORD_CONVERSATION_TOKENS] = {
        .section = "record", .name = "conversation_tokens", .type = CONFIG_INT,
        .fallback = "8000", .min = 0, .max = 60000,
        .help = "tokens of it that go along with a request; 0: none",
    },
    [CONFIG_RECORD_CONVERSATIONS] = {
        .section = "record", .name = "conversations", .type = CONFIG_INT,
        .fallback = "200", .min = 1, .max = 10000,
        .help = "how many conversations of shells are kept",
    },
    [CONFIG_RECORD_UNDO_MB] = {
        .section = "record", .name = "undo_mb", .type = CONFIG_INT,
        .fallback = "256", .min = 0, .max = 1048576,
        .help = "originals that a step keeps for ai undo, in MiB; 0: none",
    },
    [CONFIG_ACP_DRAFT] = {
        .section = "acp", .name = "draft", .type = CONFIG_BOOL,
        .fallback = "no",
        .help = "whether agentsh acp speaks the draft of version 2",
    },
    [CONFIG_GATEWAY_CONTAINER] = {
        .section = "gateway", .name = "container", .type = CONFIG_TEXT,
        .help = "podman or docker, with options that come before its command",
    },
    [CONFIG_GATEWAY_CONTAINER_OPTIONS] = {
        .section = "gateway", .name = "container_options", .type = CONFIG_TEXT,
        .help = "further options of podman run for an agent",
    },
    [CONFIG_HOSTS_TIMEOUT_S] = {
        .section = "hosts", .name = "timeout_s", .type = CONFIG_INT,
        .fallback = "20", .min = 1, .max = 3600,
        .help = "seconds that a host of --on may give no sign of life",
    },
};
/* clang-format on */

const struct config_row *
config_row(enum config_key key)
{
    return &rows[key];
}

int
config_find(const char *section, const char *name)
{
    for (int i = 0; i < CONFIG_N; i++) {
        if (strcmp(rows[i].section, section) == 0 &&
            strcmp(rows[i].name, name) == 0)
            return i;
    }
    return -1;
}

bool
config_is_section(const char *name)
{
    for (int i = 0; i < CONFIG_N; i++) {
        if (strcmp(rows[i].section, name) == 0)
            return true;
    }
    return false;
}

/* A path without "." and "..": the sandbox binds it as it is written. */
static bool
is_clean_list_path(const char *p, size_t n)
{
    const char *end = p + n;

    p += n > 0 && *p == '~';
    if (p == end || *p != '/')
        return false;
    while (p < end) {
        size_t len = strcspn(++p, "/:");

        if (p + len > end)
            len = (size_t)(end - p);
        if ((len == 1 && p[0] == '.') ||
            (len == 2 && p[0] == '.' && p[1] == '.'))
            return false;
        p += len;
    }
    return true;
}

static bool
is_variable_item(const char *p, size_t n)
{
    if (n == 0 || ascii_is_digit(p[0]))
        return false;
    for (size_t i = 0; i < n; i++) {
        if (!ascii_is_word(p[i]))
            return false;
    }
    return !secret_name_find(p, n);
}

static bool
element_fits(const struct config_row *row, const char *p, size_t n)
{
    return row->type == CONFIG_PATHS ? is_clean_list_path(p, n)
                                     : is_variable_item(p, n);
}

static const char *
needed_elements(const struct config_row *row)
{
    return row->type == CONFIG_PATHS ? "paths that begin with / or ~/"
                                     : "names of variables, and not a secret's";
}

/* 0 when text is a list for the row; else -1 with ERR_CONFIG. */
static int
check_list_value(const struct config_row *row, const char *text, struct err *e)
{
    const char *item;
    size_t n, count = 0;

    while (config_list_next(&text, &item, &n)) {
        if (!element_fits(row, item, n))
            return err_set(e, ERR_CONFIG,
                           "%s must be %s, with colons between, or none; not "
                           "\"%.*s\"",
                           row->name, needed_elements(row),
                           (int)(n < SHOWN_MAX ? n : SHOWN_MAX), item);
        if (++count > (size_t)row->max)
            return err_set(e, ERR_CONFIG, "%s has more than %.0f elements",
                           row->name, row->max);
    }
    return 0;
}

/* Checking values of the other types. */

struct truth_row {
    const char *word;
    bool truth;
};

static const struct truth_row truths[] = {
    {"yes", true}, {"no", false},  {"true", true}, {"false", false},
    {"on", true},  {"off", false}, {"1", true},    {"0", false},
};

static const struct truth_row *
find_truth(const char *text)
{
    for (size_t i = 0; i < ARRAY_SIZE(truths); i++) {
        if (strcasecmp(truths[i].word, text) == 0)
            return &truths[i];
    }
    return NULL;
}

bool
config_truth(const char *text)
{
    const struct truth_row *t = find_truth(text);

    return t && t->truth;
}

static int
refuse_value(const struct config_row *row, const char *text, const char *needed,
             struct err *e)
{
    return err_set(e, ERR_CONFIG, "%s must be %s, not \"%.*s\"", row->name,
                   needed, SHOWN_MAX, text);
}

/* Whether it has only digits, and one decimal point where fractions are
 * allowed: strtod(3) would accept signs, exponents, "inf" and the locale's
 * comma. */
static bool
is_decimal(const char *text, bool fraction)
{
    size_t whole = strspn(text, "0123456789"), part = 0;

    if (fraction && text[whole] == '.')
        part = strspn(text + whole + 1, "0123456789") + 1;
    return whole > 0 && part != 1 && whole + part <= DIGITS_MAX &&
           text[whole + part] == '\0';
}

double
config_parse_number(const char *text)
{
    double value = 0, scale = 1;
    bool after_point = false;

    for (; *text != '\0'; text++) {
        if (*text == '.') {
            after_point = true;
            continue;
        }
        value = value * 10 + (*text - '0');
        scale *= after_point ? 10 : 1;
    }
    return value / scale; /* both numbers are exact, so the result is the
                             nearest double */
}

static int
check_number(const struct config_row *row, const char *text, struct err *e)
{
    bool fraction = row->type == CONFIG_NUMBER;
    char needed[80];
    double d;

    snprintf(needed, sizeof(needed), "a %snumber from %.0f to %.0f",
             fraction ? "" : "whole ", row->min, row->max);
    if (!is_decimal(text, fraction))
        return refuse_value(row, text, needed, e);
    d = config_parse_number(text);
    return d < row->min || d > row->max ? refuse_value(row, text, needed, e)
                                        : 0;
}

static int
check_bool(const struct config_row *row, const char *text, struct err *e)
{
    return find_truth(text) ? 0 : refuse_value(row, text, "yes or no", e);
}

static int
check_word(const struct config_row *row, const char *text, struct err *e)
{
    struct nearest meant;

    nearest_init(&meant, text);
    for (const char *w = row->words; *w != '\0';) {
        size_t len = strcspn(w, "|");

        if (strlen(text) == len && memcmp(w, text, len) == 0)
            return 0;
        nearest_consider_part(&meant, w, len);
        w += len + (w[len] == '|');
    }
    if (meant.best)
        return err_set(e, ERR_CONFIG,
                       "%s must be one of %s, not \"%.*s\"; did you mean "
                       "\"%s\"?",
                       row->name, row->words, SHOWN_MAX, text, meant.best);
    return err_set(e, ERR_CONFIG, "%s must be one of %s, not \"%.*s\"",
                   row->name, row->words, SHOWN_MAX, text);
}

static bool
is_word_of(const char *words, const char *p, size_t n)
{
    for (const char *w = words; *w != '\0'; w += *w == '|') {
        size_t len = strcspn(w, "|");

        if (len == n && memcmp(w, p, n) == 0)
            return true;
        w += len;
    }
    return false;
}

static int
check_form(const struct config_row *row, const char *text, struct err *e)
{
    while ((text = strchr(text, '{'))) {
        size_t n = strcspn(++text, "}");

        if (text[n] == '\0' || !is_word_of(row->words, text, n))
            return err_set(
                e, ERR_CONFIG,
                "%s: {%.*s is no field; those are %s, each in "
                "braces",
                row->name,
                (int)(n < SHOWN_MAX ? n + (text[n] != '\0') : SHOWN_MAX), text,
                row->words);
        text += n;
    }
    return 0;
}

static int
check_text_value(const struct config_row *row, const char *text, struct err *e)
{
    if (row->plain && strpbrk(text, " \t\"'"))
        return refuse_value(
            row, text, "one word without quotes; put a comment on its own line",
            e);
    return 0;
}

/* Nothing in the working directory configures us. */
static int
check_path(const struct config_row *row, const char *text, struct err *e)
{
    if (*text != '/' && strncmp(text, "~/", 2) != 0)
        return refuse_value(row, text, "a path that begins with / or ~/", e);
    return 0;
}

int
config_check(const struct config_row *row, const char *text, struct err *e)
{
    if (*text == '\0')
        return err_set(e, ERR_CONFIG,
                       "%s has no value; leave the line out for the default",
                       row->name);
    switch (row->type) {
    case CONFIG_INT:
    case CONFIG_NUMBER:
        return check_number(row, text, e);
    case CONFIG_BOOL:
        return check_bool(row, text, e);
    case CONFIG_WORD:
        return check_word(row, text, e);
    case CONFIG_PATH:
        return check_path(row, text, e);
    case CONFIG_PATHS:
    case CONFIG_NAMES:
        return check_list_value(row, text, e);
    case CONFIG_KEYS:
        return key_sequence_read(text, NULL, e) < 0
                   ? err_wrap(e, "%s", row->name)
                   : 0;
    case CONFIG_FORM:
        return check_form(row, text, e);
    case CONFIG_HEADERS:
        return config_headers_check(row, text, e);
    case CONFIG_TEXT:
        break;
    }
    return check_text_value(row, text, e);
}
