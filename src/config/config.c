/* SPDX-License-Identifier: GPL-3.0-or-later */
/* config.c - finding the files, and what they set. */
#include "config/config.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/path.h"
#include "config/table.h"

#define FILE_MAX (64 * 1024) /* bytes; a configuration has some hundred */

/* Whom a file must belong to. */
enum owner { OWNER_ANYONE, OWNER_ROOT };

static int
check_file(int fd, const char *path, enum owner owner, struct err *e)
{
    struct stat st;

    if (fstat(fd, &st) < 0)
        return err_sys(e, "%s", path);
    if (!S_ISREG(st.st_mode))
        return err_set(e, ERR_CONFIG, "%s is no regular file", path);
    if (owner == OWNER_ROOT && (st.st_uid != 0 || (st.st_mode & 022)))
        return err_set(e, ERR_CONFIG,
                       "%s must belong to root and be writable by root alone "
                       "(owner is %u, mode %04o)",
                       path, (unsigned)st.st_uid, (unsigned)st.st_mode & 07777);
    return 0;
}

/* Opens the file: *fd stays -1 when there is none. */
static int
open_file(const char *path, enum owner owner, int *fd, struct err *e)
{
    /* not blocking: a FIFO must not hold up every command */
    *fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (*fd >= 0)
        return check_file(*fd, path, owner, e);
    if (errno == ENOENT || errno == ENOTDIR)
        return 0;
    return err_sys(e, "%s", path);
}

static int
load_file(struct config *c, const char *path, enum owner owner, struct err *e)
{
    CLEANUP(fd_close_p) int fd = -1;
    CLEANUP_BUF struct buf text = buf_of(FILE_MAX);

    if (open_file(path, owner, &fd, e) < 0)
        return -1;
    if (fd < 0)
        return 0;
    if (file_read_fd(fd, &text, e) < 0)
        return err_wrap(e, "%s", path);
    return config_read(c, path, text.p, text.len, e);
}

/* Whatever is wrong with the file, it is a matter of configuration. */
static int
load_named(struct config *c, const char *path, enum owner owner, struct err *e)
{
    if (!path || load_file(c, path, owner, e) == 0)
        return 0;
    if (e)
        e->code = ERR_CONFIG;
    return -1;
}

struct config *
config_load_files(const char *system, const char *user, struct err *e)
{
    CLEANUP(config_free_p) struct config *c = calloc(1, sizeof(*c));

    if (!c) {
        err_sys(e, "configuration");
        return NULL;
    }
    if (load_named(c, system, OWNER_ROOT, e) < 0 ||
        load_named(c, user, OWNER_ANYONE, e) < 0)
        return NULL;
    return TAKE_PTR(c);
}

struct config *
config_load(struct err *e)
{
    /* who has no home directory has no file in it */
    CLEANUP(free_p) char *user = path_of(PATH_CONFIG, "config", NULL);

    return config_load_files(SYSCONFDIR "/agentsh/config", user, e);
}

void
config_free(struct config *c)
{
    if (!c)
        return;
    for (int i = 0; i < CONFIG_N; i++)
        free(c->text[i]);
    free(c);
}

const char *
config_text(const struct config *c, enum config_key key)
{
    return c->text[key] ? c->text[key] : config_row(key)->fallback;
}

double
config_number(const struct config *c, enum config_key key)
{
    const char *text = config_text(c, key);

    return text ? config_parse_number(text) : 0;
}

int64_t
config_int(const struct config *c, enum config_key key)
{
    return (int64_t)config_number(c, key);
}

bool
config_bool(const struct config *c, enum config_key key)
{
    const char *text = config_text(c, key);

    return text && config_truth(text);
}

bool
config_is_set(const struct config *c, enum config_key key)
{
    return c->text[key] != NULL;
}
