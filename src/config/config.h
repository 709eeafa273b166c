/* SPDX-License-Identifier: GPL-3.0-or-later */
/* config.h - the settings: one table of keys, read from INI files.
 *
 * The folder config/ is the only one that uses inih. It must not know what a
 * setting is for. The sources, of which a later one wins: the defaults of the
 * table, SYSCONFDIR/agentsh/config, $XDG_CONFIG_HOME/agentsh/config. Nothing is
 * read from the working directory. The system's file must belong to root and be
 * writable by root alone; otherwise it is an error, since ignoring it would
 * drop what an administrator wrote. What can fail: an unknown key or section, a
 * duplicate, a value of the wrong type or out of range is ERR_CONFIG with the
 * file, the line and, for an unknown name, the nearest known one. A value
 * extends to the end of its line; a comment is a line that begins with # or ;.
 * agentsh-config(5) documents the same table; a check compares the two. */
#ifndef CONFIG_CONFIG_H
#define CONFIG_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "base/err.h"

enum config_key {
    CONFIG_MODEL_PROVIDER, /* [model] provider, and so on */
    CONFIG_MODEL_MODEL,
    CONFIG_MODEL_BASE_URL,
    CONFIG_MODEL_API_KEY_FILE,
    CONFIG_MODEL_API_KEY_COMMAND,
    CONFIG_MODEL_CA_FILE,
    CONFIG_MODEL_HEADERS,
    CONFIG_MODEL_DISCOVERY_TIMEOUT_MS,
    CONFIG_MODEL_CONNECT_TIMEOUT_S,
    CONFIG_MODEL_FIRST_BYTE_TIMEOUT_S,
    CONFIG_MODEL_IDLE_TIMEOUT_S,
    CONFIG_MODEL_TOTAL_TIMEOUT_S,
    CONFIG_MODEL_MAX_RETRIES,
    CONFIG_MODEL_LOOK,
    CONFIG_MODEL_IMAGES,
    CONFIG_MODEL_PRICE_IN,
    CONFIG_MODEL_PRICE_OUT,
    CONFIG_SHELL_LOGIN_FILES,
    CONFIG_SHELL_FIX_RERUN,
    CONFIG_SHELL_LINE_KEY,
    CONFIG_SHELL_EXPLAIN_KEY,
    CONFIG_SHELL_NOT_FOUND,
    CONFIG_SHELL_PLAIN,
    CONFIG_SHELL_PROMPT_SIGN,
    CONFIG_SHELL_TRANSCRIPT,
    CONFIG_SHELL_TRANSCRIPT_KB,
    CONFIG_SANDBOX_READABLE,
    CONFIG_SANDBOX_CACHE,
    CONFIG_SANDBOX_SECRET,
    CONFIG_SANDBOX_PASS_ENV,
    CONFIG_SANDBOX_MEMORY_MB,
    CONFIG_SANDBOX_FILE_MB,
    CONFIG_SANDBOX_PROCESSES,
    CONFIG_SANDBOX_LIMIT_S,
    CONFIG_SANDBOX_ALLOW_REDUCED,
    CONFIG_RECORD_JOURNAL,
    CONFIG_RECORD_KEEP_DAYS,
    CONFIG_RECORD_KEEP_MB,
    CONFIG_RECORD_CONVERSATION,
    CONFIG_RECORD_CONVERSATION_HOURS,
    CONFIG_RECORD_CONVERSATION_TOKENS,
    CONFIG_RECORD_CONVERSATIONS,
    CONFIG_RECORD_UNDO_MB,
    CONFIG_ACP_DRAFT,
    CONFIG_GATEWAY_CONTAINER,
    CONFIG_GATEWAY_CONTAINER_OPTIONS,
    CONFIG_HOSTS_TIMEOUT_S,
    CONFIG_N
};

enum config_type {
    CONFIG_TEXT,
    CONFIG_INT,    /* min..max of the row */
    CONFIG_NUMBER, /* with a decimal fraction, min..max */
    CONFIG_BOOL,   /* yes, no, true, false, on, off, 1, 0 */
    CONFIG_WORD,   /* one of the row's words */
    CONFIG_PATH,   /* /… or ~/… */
    CONFIG_PATHS, /* a list, see config_list_next: /… or ~/…, at most max */
    CONFIG_NAMES, /* a list of names of variables, none of them secret */
    CONFIG_KEYS,  /* keys that are typed one after another, or none */
    CONFIG_FORM,  /* text with fields in braces, of the row's words */
    CONFIG_HEADERS, /* header lines, see config_header_next; at most max */
};

/* A setting: its row of the table, which `doctor` and the manual use too. */
struct config_row {
    const char *section, *name;
    enum config_type type;
    const char *fallback; /* default as text; NULL: not set */
    double min, max;
    const char *words; /* CONFIG_WORD, CONFIG_FORM: "a|b|c" */
    const char *help;  /* one line */
    bool plain;        /* CONFIG_TEXT: one word, without blanks and quotes */
};
const struct config_row *config_row(enum config_key key);

struct config;

struct config *config_load(struct err *e);
void config_free(struct config *c);
DEFINE_CLEANUP(struct config, config_free)
/* One more owner, who frees it too. Returns c, which may be NULL. */
struct config *config_hold(struct config *c);

/* What it would return if the user's file had this text, n bytes; path is for
 * messages. */
struct config *config_load_text(const char *path, const char *text, size_t n,
                                struct err *e);

/* The same from given files, which may be absent; NULL: none. */
struct config *config_load_files(const char *system, const char *user,
                                 struct err *e);

/* The text as written, with "~" not expanded; NULL when it is not set and has
 * no default: the other functions then return 0 or false. c NULL: the defaults.
 * Borrowed. */
const char *config_text(const struct config *c, enum config_key key);
int64_t config_int(const struct config *c, enum config_key key);
double config_number(const struct config *c, enum config_key key);
bool config_bool(const struct config *c, enum config_key key);

/* Iterates over a list: the next element, n bytes without the blanks around it;
 * *at begins at the setting's text. Elements are separated by colons, as in
 * PATH; the list "none" and NULL have none. False: there is no further one. */
bool config_list_next(const char **at, const char **item, size_t *n);

/* Iterates over headers in the same way: each is "Name: value", with a bar
 * between two, since values have colons, commas and semicolons. */
bool config_header_next(const char **at, const char **item, size_t *n);

/* Whether a file sets it. */
bool config_is_set(const struct config *c, enum config_key key);

#endif
