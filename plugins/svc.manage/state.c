/* SPDX-License-Identifier: GPL-3.0-or-later */
/* state.c - reads states: tables of words and of exit statuses. */
#include "plugins/svc.manage/state.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct word_row {
    const char *text;
    enum state_word word;
};

struct status_row {
    int exit_code;
    enum state_word word;
    const char *detail;
};

static const char *const names[] = {
    [STATE_UNKNOWN] = "unknown",
    [STATE_RUNNING] = "running",
    [STATE_STOPPED] = "stopped",
    [STATE_FAILED] = "failed",
};

/* systemd's ActiveState; while it is on its way, it is neither */
static const struct word_row active[] = {
    {"active", STATE_RUNNING},     {"reloading", STATE_RUNNING},
    {"refreshing", STATE_RUNNING}, {"inactive", STATE_STOPPED},
    {"failed", STATE_FAILED},      {NULL, STATE_UNKNOWN},
};

static const struct word_row launchd[] = {
    {"running", STATE_RUNNING},
    {"not running", STATE_STOPPED},
    {"waiting", STATE_STOPPED},
    {NULL, STATE_UNKNOWN},
};

static const struct status_row openrc[] = {
    {0, STATE_RUNNING, "started"},      {3, STATE_STOPPED, "stopped"},
    {4, STATE_UNKNOWN, "stopping"},     {8, STATE_UNKNOWN, "starting"},
    {16, STATE_STOPPED, "inactive"},    {32, STATE_FAILED, "crashed"},
    {64, STATE_FAILED, "unsupervised"},
};

static const struct status_row lsb[] = {
    {0, STATE_RUNNING, ""},
    {1, STATE_FAILED, "dead, but its pid file is there"},
    {2, STATE_FAILED, "dead, but its lock file is there"},
    {3, STATE_STOPPED, ""},
};

const char *
state_name(enum state_word word)
{
    return names[word];
}

static enum state_word
word_of(const struct word_row *row, const char *text, size_t n)
{
    while (row->text && (strlen(row->text) != n || memcmp(row->text, text, n)))
        row++;
    return row->word;
}

static void
by_status(const struct status_row *rows, size_t n, int exit_code,
          struct state *out)
{
    out->word = STATE_UNKNOWN;
    for (size_t i = 0; i < n; i++) {
        if (rows[i].exit_code != exit_code)
            continue;
        out->word = rows[i].word;
        snprintf(out->detail, sizeof(out->detail), "%s", rows[i].detail);
    }
}

void
state_of_openrc(int exit_code, struct state *out)
{
    by_status(openrc, sizeof(openrc) / sizeof(*openrc), exit_code, out);
}

void
state_of_lsb(int exit_code, struct state *out)
{
    by_status(lsb, sizeof(lsb) / sizeof(*lsb), exit_code, out);
}

/* What follows `key` at the beginning of a line, up to its end; NULL: no such
 * line. Blanks before the key do not count. */
static const char *
value_of(const char *text, const char *key, size_t *n)
{
    size_t len = strlen(key);

    while (*text) {
        size_t line = strcspn(text, "\n");
        size_t blank = strspn(text, " \t");

        if (blank + len <= line && strncmp(text + blank, key, len) == 0) {
            *n = line - blank - len;
            return text + blank + len;
        }
        text += line + (text[line] != '\0');
    }
    return NULL;
}

static bool
is_value(const char *text, const char *key, const char *value)
{
    size_t n;
    const char *v = value_of(text, key, &n);

    return v && n == strlen(value) && memcmp(v, value, n) == 0;
}

static int64_t
pid_of(const char *text, const char *key)
{
    size_t n;
    const char *v = value_of(text, key, &n);
    int64_t pid = 0;

    return v && sscanf(v, "%9" SCNd64, &pid) == 1 && pid > 0 ? pid : 0;
}

/* A value's first bytes, for people. */
static int
cut(size_t n)
{
    return n > 24 ? 24 : (int)n;
}

void
state_boot_of_systemd(const char *word, size_t n, struct state *out)
{
    static const struct {
        const char *word;
        bool boot;
    } rows[] = {
        {"enabled", true},
        {"enabled-runtime", false}, /* until the next boot */
        {"disabled", false},
        {"masked", false},
        {"masked-runtime", false},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        if (strlen(rows[i].word) != n || memcmp(rows[i].word, word, n) != 0)
            continue;
        out->boot_known = true;
        out->boot = rows[i].boot;
    }
}

int
state_of_systemd(const char *text, struct state *out, struct err *e)
{
    size_t n, sub_n = 0, boot_n;
    const char *word = value_of(text, "ActiveState=", &n);
    const char *sub = value_of(text, "SubState=", &sub_n);
    const char *boot = value_of(text, "UnitFileState=", &boot_n);

    if (is_value(text, "LoadState=", "not-found"))
        return err_set(e, ERR_NOT_FOUND, "no such unit");
    if (!word || n == 0)
        return err_set(e, ERR_PARSE, "systemctl printed no ActiveState");
    *out = (struct state){.word = word_of(active, word, n)};
    snprintf(out->detail, sizeof(out->detail), "%.*s/%.*s", cut(n), word,
             cut(sub_n), sub ? sub : "");
    if (boot)
        state_boot_of_systemd(boot, boot_n, out);
    out->no_reload = is_value(text, "CanReload=", "no");
    out->pid = pid_of(text, "MainPID=");
    return 0;
}

/* Its last exit code is a number that is not 0. */
static bool
has_failed(const char *text)
{
    size_t n;
    const char *v = value_of(text, "last exit code = ", &n);

    return v && n > 0 && ((*v >= '1' && *v <= '9') || *v == '-');
}

int
state_of_launchd(const char *text, struct state *out, struct err *e)
{
    size_t n;
    const char *word = value_of(text, "state = ", &n);

    if (!word)
        return err_set(e, ERR_PARSE, "launchctl printed no state");
    *out = (struct state){.word = word_of(launchd, word, n)};
    if (out->word == STATE_STOPPED && has_failed(text))
        out->word = STATE_FAILED;
    snprintf(out->detail, sizeof(out->detail), "%.*s", cut(n), word);
    out->pid = pid_of(text, "pid = ");
    return 0;
}

void
state_boot_of_launchd(const char *text, const char *name, struct state *out)
{
    char key[300];
    size_t n;
    const char *v;

    snprintf(key, sizeof(key), "\"%s\" => ", name);
    v = value_of(text, key, &n);
    out->boot_known = v != NULL;
    /* older systems say true and false of "disabled" */
    out->boot = v && ((n == 7 && memcmp(v, "enabled", 7) == 0) ||
                      (n == 5 && memcmp(v, "false", 5) == 0));
}

void
state_boot_of_openrc(const char *text, const char *name, struct state *out)
{
    size_t len = strlen(name), n;

    out->boot_known = true;
    out->boot = false;
    /* "        sshd | default" */
    for (const char *line = text; *line; line += n + (line[n] != '\0')) {
        size_t at = strspn(line, " \t");

        n = strcspn(line, "\n");
        if (at + len > n || strncmp(line + at, name, len) != 0)
            continue;
        at += len;
        at += strspn(line + at, " \t");
        if (line[at] != '|')
            continue;
        at++;
        at += strspn(line + at, " \t");
        out->boot = out->boot || at < n;
    }
}
