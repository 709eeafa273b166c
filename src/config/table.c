/* SPDX-License-Identifier: GPL-3.0-or-later */
/* table.c - every setting there is, with its default and its help. */
#include "config/table.h"

#include <string.h>

#define DAY_S       86400
#define SIZE_MAX_MB (1024 * 1024) /* 1 TiB: more is a mistake */
#define LIST_MAX    16 /* what a command is started with is bounded too */

/* clang-format off */
static const struct config_row rows[CONFIG_N] = {
    [CONFIG_MODEL_PROVIDER] = {
        .section = "model", .name = "provider", .type = CONFIG_WORD,
        .words = "openai|anthropic|gemini|ollama|offline",
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
        .section = "model", .name = "api_key_file", .type = CONFIG_TEXT,
        .help = "file with the API key; its mode must be 0600",
    },
    [CONFIG_MODEL_API_KEY_COMMAND] = {
        .section = "model", .name = "api_key_command", .type = CONFIG_TEXT,
        .help = "command that prints the API key",
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
        .words = "ask|never", .fallback = "ask",
        .help = "whether ai fix may run a harmless command again to see its "
                "error",
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
        .help = "days that the journal keeps a run; 0: forever",
    },
    [CONFIG_RECORD_KEEP_MB] = {
        .section = "record", .name = "keep_mb", .type = CONFIG_INT,
        .fallback = "64", .min = 0, .max = SIZE_MAX_MB,
        .help = "size limit of the journal, in MiB; 0: none",
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
