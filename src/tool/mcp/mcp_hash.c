/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp_hash.c - hashes an MCP server's entry and the files that it names. */
#include "tool/mcp/mcp_hash.h"

#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/owner.h"
#include "base/path.h"
#include "guard/path/path_table.h"
#include "tool/trust.h"
#include "json/write.h"

#define TEXT_MAX   (2u << 20) /* an entry, and a line for each word of it */
#define READ_MAX   (8u << 20) /* bytes of one file: hashed within 50 ms */
#define PACKAGE_UP 4 /* directories from a program up to package.json */

/* Whether only the system's package manager changes the file. */
static bool
is_system_file(const char *path)
{
    return path_is(path, PATH_IS_PACKAGED) &&
           owner_check_path(path, OWNER_ROOTS, NULL) == 0;
}

static int
put_file_hash(const char *path, const struct stat *st, struct buf *out,
              struct err *e)
{
    CLEANUP_BUF struct buf bytes = buf_of(READ_MAX);
    char hex[SHA256_HEX_SIZE];

    if (st->st_size > (off_t)READ_MAX) {
        buf_printf(out, " %llu %lld %lld.%09ld", (unsigned long long)st->st_ino,
                   (long long)st->st_size, (long long)st->st_ctim.tv_sec,
                   st->st_ctim.tv_nsec);
        return 0;
    }
    if (file_read(path, &bytes, e) < 0)
        return -1;
    sha256_hex(bytes.p, bytes.len, hex);
    buf_printf(out, " %s", hex);
    return 0;
}

/* Adds a file to the hash. A word that is no file is part of the entry only. */
static int
put_file(const char *word, struct buf *out, struct err *e)
{
    CLEANUP(free_p) char *real = word[0] == '/' ? realpath(word, NULL) : NULL;
    struct stat st;

    if (!real || stat(real, &st) < 0 || !S_ISREG(st.st_mode))
        return 0;
    if (owner_check_path(real, OWNER_OURS, e) < 0)
        return -1;
    buf_printf(out, "\n%s", real);
    return is_system_file(real) ? 0 : put_file_hash(real, &st, out, e);
}

/* The files that the words of its command name; of a server over HTTP the URL,
 * with the variables in it. */
static int
put_named_files(const struct mcp_server *m, struct buf *out, struct err *e)
{
    CLEANUP(free_p) char *program = mcp_config_program(m, e);

    if (!program)
        return -1;
    if (m->url)
        return buf_printf(out, "\n%s", m->url);
    if (put_file(program, out, e) < 0)
        return -1;
    for (char **word = m->argv + 1; *word; word++)
        if (put_file(*word, out, e) < 0)
            return -1;
    return 0;
}

int
mcp_hash(const struct mcp_server *m, char hex[SHA256_HEX_SIZE], struct err *e)
{
    CLEANUP_BUF struct buf text = buf_of(TEXT_MAX);
    struct json_writer w;

    json_write_init(&w, &text);
    json_put_canonical(&w, m->json);
    if (put_named_files(m, &text, e) < 0)
        return -1;
    if (buf_ok(&text, "its entry", e) < 0)
        return -1;
    sha256_hex(text.p, text.len, hex);
    return 0;
}

int
mcp_hash_check(const struct mcp_server *m, const char *hash, struct err *e)
{
    char now[SHA256_HEX_SIZE];

    if (mcp_hash(m, now, e) < 0)
        return -1;
    return strcmp(now, hash) == 0
               ? 0
               : err_set(e, ERR_DENIED,
                         "its files changed since you trusted it");
}

/* The real path of the script that an interpreter runs, else of the program. */
static char *
find_script(const struct mcp_server *m)
{
    CLEANUP(free_p) char *program = mcp_config_program(m, NULL);
    struct stat st;

    for (char **word = m->argv + 1; *word; word++) {
        char *real = **word == '/' ? realpath(*word, NULL) : NULL;

        if (real && stat(real, &st) == 0 && S_ISREG(st.st_mode))
            return real;
        free(real);
    }
    return program ? realpath(program, NULL) : NULL;
}

static bool
has_package(const char *dir)
{
    CLEANUP(free_p) char *path = path_join(dir, "package.json");

    return path && access(path, F_OK) == 0;
}

/* Cuts the path of a file to its package directory. */
static void
cut_to_package(char *path)
{
    char *modules = strstr(path, "/node_modules/"), *slash;
    size_t own;

    if (modules) {
        *modules = '\0';
        return;
    }
    slash = strrchr(path, '/');
    *slash = '\0';
    own = (size_t)(slash - path);
    for (int i = 0; i < PACKAGE_UP && path[0] && !has_package(path); i++)
        *strrchr(path, '/') = '\0';
    if (has_package(path))
        return;
    for (size_t i = strlen(path); i < own; i++) /* put back */
        if (path[i] == '\0')
            path[i] = '/';
}

char *
mcp_hash_package_dir(const struct mcp_server *m)
{
    CLEANUP(free_p) char *path = m->url ? NULL : find_script(m);
    const char *dir = seat_home(m->seat);
    CLEANUP(free_p) char *home = dir ? realpath(dir, NULL) : NULL;

    bool own = path && home && path_is_below(path, home);

    if (!path || (!own && path_is(path, PATH_IS_ROOT_WRITABLE)))
        return NULL;
    cut_to_package(path);
    if (!path[0] || (home && path_is_below(home, path)))
        return NULL;
    return TAKE_PTR(path);
}
