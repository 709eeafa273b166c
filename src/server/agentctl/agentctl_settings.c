/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agentctl_settings.c - what the variables AGENTCTL_* say. */
#include "server/agentctl/agentctl_settings.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/buf.h"
#include "base/duration.h"
#include "base/path.h"
#include "base/shell_quote.h"
#include "server/agentctl/agentctl_words.h"
#include "wire/address.h"

#define PREFIX          "AGENTCTL_"
#define PORT_USUAL      9999
#define PORT_MAX        65535
#define OUTPUT_USUAL    1000
#define OUTPUT_MAX      100000
#define CALL_USUAL_MS   (30 * 1000)
#define PROMPT_USUAL_MS (10 * 60 * 1000)
#define LISTEN_TEXT_MAX 512
#define LISTEN_LOOPBACK "127.0.0.1"

/* The value of a variable; NULL: it is not set, or empty. */
static const char *
setting_text(const struct seat *seat, const char *name)
{
    const char *text = seat_variable(seat, name);

    return text && *text ? text : NULL;
}

static int
read_setting_switch(const struct seat *seat, const char *name, bool *out,
                    struct err *e)
{
    static const char *const words[] = {"false", "true", "0",   "1",
                                        "no",    "yes",  "off", "on"};
    const char *text = setting_text(seat, name);

    if (!text)
        return 0;
    for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
        if (strcasecmp(text, words[i]) == 0) {
            *out = i % 2 == 1;
            return 0;
        }
    }
    return err_set(e, ERR_USAGE, "%s is true or false", name);
}

static int
read_setting_number(const struct seat *seat, const char *name, long least,
                    long most, long *out, struct err *e)
{
    const char *text = setting_text(seat, name);
    char *end;
    long n;

    if (!text)
        return 0;
    n = strtol(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || n < least || n > most)
        return err_set(e, ERR_USAGE, "%s is from %ld to %ld", name, least,
                       most);
    *out = n;
    return 0;
}

static int
read_setting_time(const struct seat *seat, const char *name, int64_t *out,
                  struct err *e)
{
    const char *text = setting_text(seat, name);

    if (!text || duration_read(text, out, e) == 0)
        return 0;
    e->code = ERR_USAGE;
    return err_wrap(e, "%s", name);
}

static int
read_setting_level(const struct seat *seat, enum agentctl_level *out,
                   struct err *e)
{
    static const char *const words[] = {"debug", "info", "warn", "error"};
    const char *text = setting_text(seat, PREFIX "LOG_LEVEL");

    for (size_t i = 0; text && i < ARRAY_SIZE(words); i++) {
        if (strcasecmp(text, words[i]) == 0) {
            *out = (enum agentctl_level)i;
            return 0;
        }
    }
    return text ? err_set(e, ERR_USAGE,
                          PREFIX "LOG_LEVEL is debug, info, warn or error")
                : 0;
}

/* AGENTCTL_LISTEN is a host, to which the port is added, or a whole address. */
static int
read_setting_address(struct agentctl_settings *s, const struct seat *seat,
                     struct err *e)
{
    const char *text = setting_text(seat, PREFIX "LISTEN"), *colon;
    char line[LISTEN_TEXT_MAX];
    long port = PORT_USUAL;

    if (read_setting_number(seat, PREFIX "PORT", 0, PORT_MAX, &port, e) < 0)
        return -1;
    text = text ? text : LISTEN_LOOPBACK;
    colon = strchr(text, ':');
    if (address_has_kind(text))
        snprintf(line, sizeof(line), "%s", text);
    else if (colon && strchr(colon + 1, ':') && *text != '[')
        snprintf(line, sizeof(line), "tcp:[%s]:%ld", text, port);
    else if (colon && text[strlen(text) - 1] != ']')
        snprintf(line, sizeof(line), "tcp:%s", text);
    else
        snprintf(line, sizeof(line), "tcp:%s:%ld", text, port);
    s->listen = strdup(line);
    return s->listen ? 0 : err_nomem(e);
}

/* The agent beside this program: `agentsh acp`. */
static char *
usual_command(struct err *e)
{
    CLEANUP_BUF struct buf line = buf_of(2 * PATH_MAX);
    CLEANUP(free_p) char *program = path_libexec("agentsh", e);
    char *command;

    if (!program)
        return NULL;
    shell_quote_word(&line, program);
    buf_str(&line, " acp");
    if (!(command = buf_take(&line)))
        err_nomem(e);
    return command;
}

static int
read_setting_command(struct agentctl_settings *s, const struct seat *seat,
                     struct err *e)
{
    const char *text = setting_text(seat, PREFIX "AGENT_COMMAND");

    s->command = text ? strdup(text) : usual_command(e);
    if (!s->command)
        return text ? err_nomem(e) : -1;
    s->words = agentctl_words_split(s->command, e);
    return s->words ? 0 : err_wrap(e, PREFIX "AGENT_COMMAND");
}

int
agentctl_settings_check_dir(const char *dir, struct err *e)
{
    struct stat st;

    if (stat(dir, &st) == 0 && !S_ISDIR(st.st_mode))
        errno = ENOTDIR;
    else if (access(dir, X_OK) == 0)
        return 0;
    return err_sys(e, "the working directory %s", dir);
}

static int
read_setting_directory(struct agentctl_settings *s, const struct seat *seat,
                       struct err *e)
{
    const char *text = setting_text(seat, PREFIX "WORKDIR"), *dir;

    if (!text) {
        dir = seat_need_dir(seat, e);
        s->work_dir = dir ? strdup(dir) : NULL;
        return !dir ? -1 : s->work_dir ? 0 : err_nomem(e);
    }
    if (*text != '/' && !seat_need_dir(seat, e))
        return err_wrap(e, PREFIX "WORKDIR");
    s->work_dir = seat_resolve(seat, text);
    if (!s->work_dir)
        return err_nomem(e);
    path_clean(s->work_dir);
    if (agentctl_settings_check_dir(s->work_dir, e) == 0)
        return 0;
    e->code = ERR_USAGE;
    return err_wrap(e, PREFIX "WORKDIR");
}

/* Variables that are for this program, and not for the agent. */
static bool
is_kept_back(const char *variable)
{
    static const char *const names[] = {PREFIX, "LISTEN_PID=", "LISTEN_FDS=",
                                        "LISTEN_FDNAMES=", "NOTIFY_SOCKET="};

    for (size_t i = 0; i < ARRAY_SIZE(names); i++)
        if (strncmp(variable, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

static int
make_agent_environment(struct agentctl_settings *s, const struct seat *seat,
                       struct err *e)
{
    const char *const *all = seat_variables(seat);
    size_t n = 0, at = 0;

    while (all[n])
        n++;
    if (!(s->environment = calloc(n + 1, sizeof(*s->environment))))
        return err_nomem(e);
    for (size_t i = 0; i < n; i++)
        if (!is_kept_back(all[i]))
            s->environment[at++] = all[i];
    return 0;
}

int
agentctl_settings_read(struct agentctl_settings *s, const struct seat *seat,
                       struct err *e)
{
    long lines = OUTPUT_USUAL;

    *s = (struct agentctl_settings){
        .token_file = seat_variable(seat, PREFIX "TOKEN_FILE"),
        .level = AGENTCTL_INFO,
        .call_ms = CALL_USUAL_MS,
        .prompt_ms = PROMPT_USUAL_MS};
    if (read_setting_command(s, seat, e) < 0 ||
        read_setting_directory(s, seat, e) < 0 ||
        read_setting_address(s, seat, e) < 0 ||
        read_setting_level(seat, &s->level, e) < 0 ||
        read_setting_switch(seat, PREFIX "AUTO_START", &s->auto_start, e) < 0 ||
        read_setting_switch(seat, PREFIX "AUTO_APPROVE_PERMISSIONS",
                            &s->approves, e) < 0 ||
        read_setting_number(seat, PREFIX "OUTPUT_BUFFER_SIZE", 1, OUTPUT_MAX,
                            &lines, e) < 0 ||
        read_setting_time(seat, PREFIX "CALL_TIMEOUT", &s->call_ms, e) < 0 ||
        read_setting_time(seat, PREFIX "PROMPT_TIMEOUT", &s->prompt_ms, e) < 0)
        return -1;
    s->output_lines = (size_t)lines;
    return make_agent_environment(s, seat, e);
}

void
agentctl_settings_done(struct agentctl_settings *s)
{
    if (!s)
        return;
    free(s->command);
    agentctl_words_free(s->words);
    free(s->work_dir);
    free(s->listen);
    free(s->environment);
    *s = (struct agentctl_settings){0};
}
