/* SPDX-License-Identifier: GPL-3.0-or-later */
/* server_consent.c - stores whether the person agreed to a local model server.
 *
 * The file is $XDG_STATE_HOME/agentsh/servers. A line has "yes" or "no", the
 * URL, and the uid of the user who runs the server ("-": unknown), separated by
 * blanks. A URL alone on a line is a yes. */
#include "model/server_consent.h"

#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "config/config_file.h"
#include "model/discovery.h"

#define FILE_NAME "servers"
#define FILE_MAX  (16u << 10) /* a person agrees to a handful */
#define UID_SIZE  16
#define LOCK_MS   5000 /* another process that adds a line takes far less */

char *
server_consent_path(const struct model_dirs *dirs)
{
    return model_dirs_file(dirs->state, FILE_NAME);
}

/* A missing file is empty; any other failure is reported, so that no line is
 * lost. A file that other users could have written is refused. */
static int
read_consent_file(const char *path, struct buf *b, struct err *e)
{
    bool exists;

    return config_file_read(path, CONFIG_FILE_ANYONE, b, &exists, e);
}

static void
format_uid(uid_t uid, char text[UID_SIZE])
{
    if (uid == TCP_LISTENER_UID_UNKNOWN)
        snprintf(text, UID_SIZE, "-");
    else
        snprintf(text, UID_SIZE, "%lu", (unsigned long)uid);
}

/* What the line says about this URL. Copies the uid as it is written, "" for a
 * line that is a URL alone. */
static enum server_consent
read_line(const char *line, const char *url, char uid[UID_SIZE])
{
    char word[8] = "", line_url[DISCOVERY_URL_SIZE] = "";
    int n = sscanf(line, "%7s %255s %15s", word, line_url, uid);
    size_t len = strcspn(line, " \n");

    if (len == strlen(url) && memcmp(line, url, len) == 0) {
        uid[0] = '\0';
        return SERVER_CONSENT_YES;
    }
    if (n < 2 || strcmp(line_url, url) != 0)
        return SERVER_CONSENT_NOT_ASKED;
    return strcmp(word, "yes") == 0  ? SERVER_CONSENT_YES
           : strcmp(word, "no") == 0 ? SERVER_CONSENT_NO
                                     : SERVER_CONSENT_NOT_ASKED;
}

/* Whether the stored answer holds for a server of this user: a yes is for one
 * user's server, a no for the URL. */
static enum server_consent
consent_for(enum server_consent answer, const char *then, uid_t uid)
{
    char now[UID_SIZE];

    format_uid(uid, now);
    if (answer != SERVER_CONSENT_YES || !then[0] || strcmp(then, "-") == 0 ||
        uid == TCP_LISTENER_UID_UNKNOWN || strcmp(then, now) == 0)
        return answer;
    return SERVER_CONSENT_NOT_ASKED;
}

enum server_consent
server_consent_load(const struct model_dirs *dirs, const char *url, uid_t uid)
{
    CLEANUP_BUF struct buf b = buf_of(FILE_MAX);
    CLEANUP(free_p) char *path = server_consent_path(dirs);

    if (!path || read_consent_file(path, &b, NULL) < 0)
        return SERVER_CONSENT_NOT_ASKED;
    for (const char *p = b.p; *p; p += strcspn(p, "\n"), p += *p == '\n') {
        char then[UID_SIZE] = "";
        char line[DISCOVERY_URL_SIZE + 32];
        enum server_consent answer;

        snprintf(line, sizeof(line), "%.*s", (int)strcspn(p, "\n"), p);
        answer = read_line(line, url, then);
        if (answer != SERVER_CONSENT_NOT_ASKED)
            return consent_for(answer, then, uid);
    }
    return SERVER_CONSENT_NOT_ASKED;
}

/* Copies the lines about other URLs unchanged: a person may have edited them.
 */
static void
copy_others(const char *p, const char *url, struct buf *out)
{
    size_t n;

    for (; *p; p += n, p += *p == '\n') {
        char then[UID_SIZE] = "";
        char line[DISCOVERY_URL_SIZE + 32];

        n = strcspn(p, "\n");
        snprintf(line, sizeof(line), "%.*s", (int)n, p);
        if (n > 0 && read_line(line, url, then) == SERVER_CONSENT_NOT_ASKED)
            buf_printf(out, "%.*s\n", (int)n, p);
    }
}

int
server_consent_store(const struct model_dirs *dirs, const char *url, uid_t uid,
                     bool yes, struct err *e)
{
    CLEANUP_BUF struct buf b = buf_of(FILE_MAX);
    CLEANUP_BUF struct buf out = buf_of(FILE_MAX);
    CLEANUP(free_p) char *path = server_consent_path(dirs);
    CLEANUP(fd_close_p) int lock = -1;
    char whose[UID_SIZE];

    if (model_dirs_make(dirs, dirs->state, e) < 0)
        return -1;
    if (!path)
        return err_nomem(e);
    if ((lock = file_lock_dir(dirs->state, LOCK_MS, e)) < 0 ||
        read_consent_file(path, &b, e) < 0)
        return -1;
    copy_others(b.p, url, &out);
    format_uid(uid, whose);
    buf_printf(&out, "%s %s %s\n", yes ? "yes" : "no", url, whose);
    if (buf_ok(&out, path, e) < 0)
        return -1;
    return file_write(path, out.p, out.len, 0600, e);
}
