/* SPDX-License-Identifier: GPL-3.0-or-later */
/* page_cache.c - the text form of pages that were read before. */
#include "config.h"

#include "offline/manual/page_cache.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/fd.h"
#include "base/file.h"
#include "base/path.h"
#include "offline/manual/page.h"

/* Begins every file: another version may read pages in another way. */
#define MAGIC "agentsh-page " PACKAGE_VERSION ".4"

#define KEY_MAX  16384
#define FILE_MAX (PAGE_BYTES_MAX + KEY_MAX + 64)

/* "F path size time": a file as it is now. */
static int
add_file(struct buf *out, const char *path)
{
    struct stat st;

    if (strpbrk(path, "\t\n") || stat(path, &st) < 0)
        return -1;
    return buf_printf(out, "F\t%s\t%jd\t%jd.%09ld\n", path,
                      (intmax_t)st.st_size, (intmax_t)st.st_mtim.tv_sec,
                      st.st_mtim.tv_nsec);
}

int
page_key_add(struct page_key *key, const char *path)
{
    if (!key->first) {
        buf_init(&key->lines, KEY_MAX);
        key->first = strdup(path);
    }
    return key->first ? add_file(&key->lines, path) : -1;
}

void
page_key_done(struct page_key *key)
{
    if (!key)
        return;
    if (key->first)
        buf_done(&key->lines);
    free(key->first);
}

/* The file for a page's path; the caller frees it. */
static char *
cache_file(const char *path)
{
    uint32_t hash = 2166136261u; /* FNV-1a */
    char name[32];

    for (; *path; path++)
        hash = (hash ^ (unsigned char)*path) * 16777619u;
    snprintf(name, sizeof(name), "pages/%03" PRIx32, hash % PAGE_CACHE_FILES);
    return path_of(PATH_CACHE, name, NULL);
}

/* The length that the first line promises; 0 when it is no such line. */
static size_t
promised_length(const char *p)
{
    char *end;
    unsigned long n;

    if (strncmp(p, MAGIC "\t", strlen(MAGIC) + 1) != 0)
        return 0;
    n = strtoul(p + strlen(MAGIC) + 1, &end, 10);
    return *end == '\n' ? n : 0;
}

/* Takes one key line off *p, and tests whether its file is unchanged. */
static bool
take_key_line(char **p, const char *wanted)
{
    CLEANUP_BUF struct buf now = buf_of(KEY_MAX);
    char *path = *p + 2, *tab = strchr(path, '\t'), *end;

    end = tab ? strchr(tab, '\n') : NULL;
    if (!end)
        return false;
    *tab = '\0';
    if ((wanted && strcmp(path, wanted) != 0) || add_file(&now, path) < 0)
        return false;
    *tab = '\t';
    if (now.len != (size_t)(end + 1 - *p) || memcmp(now.p, *p, now.len) != 0)
        return false;
    *p = end + 1;
    return true;
}

char *
page_cache_get(const char *path)
{
    CLEANUP(free_p) char *file = cache_file(path);
    CLEANUP_BUF struct buf b = buf_of(FILE_MAX);
    const char *wanted = path;
    char *p, *nl;

    if (!file || file_read(file, &b, NULL) < 0 || memchr(b.p, '\0', b.len))
        return NULL;
    nl = strchr(b.p, '\n');
    if (!nl || promised_length(b.p) != b.len - (size_t)(nl + 1 - b.p))
        return NULL;
    for (p = nl + 1; strncmp(p, "F\t", 2) == 0; wanted = NULL)
        if (!take_key_line(&p, wanted))
            return NULL;
    return wanted ? NULL : strdup(p);
}

/* Not file_write: what a crash loses here is read again, and waiting for the
 * disk would cost more than the whole page. */
static void
write_file(const char *file, const struct buf *b)
{
    CLEANUP(free_p) char *temp = NULL;
    CLEANUP(fd_close_p) int fd = -1;

    if (asprintf(&temp, "%s.XXXXXX", file) < 0) {
        temp = NULL;
        return;
    }
    fd = mkostemp(temp, O_CLOEXEC);
    if (fd < 0)
        return;
    if (fd_write_all(fd, b->p, b->len, -1, NULL) < 0 || rename(temp, file) < 0)
        unlink(temp);
}

void
page_cache_put(const struct page_key *key, const char *form, size_t n)
{
    CLEANUP(free_p) char *file = cache_file(key->first);
    CLEANUP(free_p) char *dir = path_of(PATH_CACHE, "pages", NULL);
    CLEANUP_BUF struct buf b = buf_of(FILE_MAX);

    if (!file || !dir || path_make_dirs(dir, 0700, NULL) < 0)
        return;
    buf_printf(&b, MAGIC "\t%zu\n", key->lines.len + n);
    buf_add(&b, key->lines.p, key->lines.len);
    buf_add(&b, form, n);
    if (buf_ok(&b, file, NULL) == 0)
        write_file(file, &b);
}
