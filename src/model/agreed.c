/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agreed.c - what the person said about servers of this machine, in
 * $XDG_STATE_HOME/agentsh/servers: a line each, "yes" or "no", its address
 * and the number of the user whose it is ("-": unknown), with blanks between.
 * An address alone is a yes. */
#include "model/agreed.h"

#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/path.h"
#include "config/source.h"
#include "model/found.h"

#define FILE_NAME "servers"
#define FILE_MAX  (16u << 10) /* a person agrees to a handful */
#define UID_SIZE  16
#define LOCK_MS   5000 /* for another that adds a line, which takes far less */

char *
agreed_path(struct err *e)
{
    return path_of(PATH_STATE, FILE_NAME, e);
}

/* No file is an empty one; another failure must not lose what it holds. What
 * others could have written is no consent. */
static int
read_file(const char *path, struct buf *b, struct err *e)
{
    bool there;

    return source_read(path, SOURCE_ANYONE, b, &there, e);
}

static void
name_uid(uid_t uid, char text[UID_SIZE])
{
    if (uid == LISTEN_NOBODY)
        snprintf(text, UID_SIZE, "-");
    else
        snprintf(text, UID_SIZE, "%lu", (unsigned long)uid);
}

/* Of a line: what it says, when it is about this address. uid as it stands
 * there, "" in an address alone. */
static enum agreement
read_line(const char *line, const char *url, char uid[UID_SIZE])
{
    char word[8] = "", address[FOUND_URL_SIZE] = "";
    int n = sscanf(line, "%7s %255s %15s", word, address, uid);
    size_t len = strcspn(line, " \n");

    if (len == strlen(url) && memcmp(line, url, len) == 0) {
        uid[0] = '\0';
        return AGREED_YES;
    }
    if (n < 2 || strcmp(address, url) != 0)
        return AGREED_NOT_ASKED;
    return strcmp(word, "yes") == 0  ? AGREED_YES
           : strcmp(word, "no") == 0 ? AGREED_NO
                                     : AGREED_NOT_ASKED;
}

/* A yes was for one user's server; a no is about the address. */
static enum agreement
judge(enum agreement said, const char *then, uid_t uid)
{
    char now[UID_SIZE];

    name_uid(uid, now);
    if (said != AGREED_YES || !then[0] || strcmp(then, "-") == 0 ||
        uid == LISTEN_NOBODY || strcmp(then, now) == 0)
        return said;
    return AGREED_NOT_ASKED;
}

enum agreement
agreed_look(const char *url, uid_t uid)
{
    CLEANUP_BUF struct buf b = buf_of(FILE_MAX);
    CLEANUP(free_p) char *path = agreed_path(NULL);

    if (!path || read_file(path, &b, NULL) < 0)
        return AGREED_NOT_ASKED;
    for (const char *p = b.p; *p; p += strcspn(p, "\n"), p += *p == '\n') {
        char then[UID_SIZE] = "";
        char line[FOUND_URL_SIZE + 32];
        enum agreement said;

        snprintf(line, sizeof(line), "%.*s", (int)strcspn(p, "\n"), p);
        said = read_line(line, url, then);
        if (said != AGREED_NOT_ASKED)
            return judge(said, then, uid);
    }
    return AGREED_NOT_ASKED;
}

/* The lines that are about other addresses, as a person wrote them. */
static void
copy_others(const char *p, const char *url, struct buf *out)
{
    size_t n;

    for (; *p; p += n, p += *p == '\n') {
        char then[UID_SIZE] = "";
        char line[FOUND_URL_SIZE + 32];

        n = strcspn(p, "\n");
        snprintf(line, sizeof(line), "%.*s", (int)n, p);
        if (n > 0 && read_line(line, url, then) == AGREED_NOT_ASKED)
            buf_printf(out, "%.*s\n", (int)n, p);
    }
}

int
agreed_store(const char *url, uid_t uid, bool yes, struct err *e)
{
    CLEANUP_BUF struct buf b = buf_of(FILE_MAX);
    CLEANUP_BUF struct buf out = buf_of(FILE_MAX);
    CLEANUP(free_p) char *dir = path_of(PATH_STATE, NULL, e);
    CLEANUP(free_p) char *path = agreed_path(e);
    CLEANUP(fd_close_p) int lock = -1;
    char whose[UID_SIZE];

    if (!dir || !path || file_make_dirs(dir, 0700, e) < 0 ||
        (lock = file_lock_dir(dir, LOCK_MS, e)) < 0 ||
        read_file(path, &b, e) < 0)
        return -1;
    copy_others(b.p, url, &out);
    name_uid(uid, whose);
    buf_printf(&out, "%s %s %s\n", yes ? "yes" : "no", url, whose);
    if (buf_ok(&out, path, e) < 0)
        return -1;
    return file_write(path, out.p, out.len, 0600, e);
}
