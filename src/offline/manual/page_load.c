/* SPDX-License-Identifier: GPL-3.0-or-later */
/* page_load.c - finds, reads and caches the manual page of a command. */
#include "offline/manual/page_load.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/cleanup.h"
#include "base/fd.h"
#include "base/file.h"
#include "base/path.h"
#include "config.h"
#include "offline/manual/blocks.h"
#include "offline/manual/harvest.h"
#include "offline/manual/manpath.h"
#include "offline/manual/page.h"

/* The text form of bash(1), the largest, has 100 KiB. */
#define PACKED_MAX  (4 * 1024 * 1024)
#define CHUNK_BYTES 65536
/* zlib.h: plus 16 to read a gzip header. */
#define GZIP_WINDOW (16 + MAX_WBITS)

/* The functions of zlib that are used. */
struct zlib {
    void *handle;
    int (*init)(z_streamp, int, const char *, int);
    int (*inflate)(z_streamp, int);
    int (*end)(z_streamp);
};

static void
zlib_close(struct zlib *z)
{
    if (z->handle)
        dlclose(z->handle);
}

static int
zlib_open(struct zlib *z, struct err *e)
{
    z->handle = dlopen("libz.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!z->handle)
        return err_set(e, ERR_UNSUPPORTED, "libz.so.1 is not installed");
    /* dlsym(3): the cast to a function that POSIX allows */
    *(void **)&z->init = dlsym(z->handle, "inflateInit2_");
    *(void **)&z->inflate = dlsym(z->handle, "inflate");
    *(void **)&z->end = dlsym(z->handle, "inflateEnd");
    if (!z->init || !z->inflate || !z->end)
        return err_set(e, ERR_UNSUPPORTED, "libz.so.1 is not zlib");
    return 0;
}

/* Inflates the stream to its end, in chunks. */
static int
inflate_file(const struct zlib *z, z_stream *s, struct buf *out, struct err *e)
{
    int rc = Z_OK;

    while (rc != Z_STREAM_END) {
        size_t room = out->max - out->len;

        if (room > CHUNK_BYTES)
            room = CHUNK_BYTES;
        if (room == 0 || buf_room(out, room) < 0)
            return err_set(e, ERR_NOMEM, "unpacks to more than %zu bytes",
                           out->max);
        s->next_out = (Bytef *)out->p + out->len;
        s->avail_out = (uInt)room;
        rc = z->inflate(s, Z_NO_FLUSH);
        if (rc != Z_OK && rc != Z_STREAM_END)
            return err_set(e, ERR_PARSE, "is damaged");
        out->len += room - s->avail_out;
        out->p[out->len] = '\0';
        if (rc == Z_OK && s->avail_in == 0 && s->avail_out > 0)
            return err_set(e, ERR_PARSE, "is cut off");
    }
    return 0;
}

int
zread_bytes(const void *bytes, size_t n, struct buf *out, struct err *e)
{
    CLEANUP(zlib_close) struct zlib z = {0};
    z_stream s = {0};
    int rc;

    if (n < 2 || memcmp(bytes, "\x1f\x8b", 2) != 0) {
        buf_add(out, bytes, n);
        return buf_ok(out, "the file", e);
    }
    if (zlib_open(&z, e) < 0)
        return -1;
    if (z.init(&s, GZIP_WINDOW, ZLIB_VERSION, (int)sizeof(s)) != Z_OK)
        return err_set(e, ERR_NOMEM, "zlib");
    s.next_in = (Bytef *)(uintptr_t)bytes;
    s.avail_in = (uInt)n;
    rc = inflate_file(&z, &s, out, e);
    z.end(&s);
    return rc;
}

/* Appends the contents of a file, unpacked; at most out->max bytes.
 * ERR_UNSUPPORTED when the machine has no zlib. */
static int
zread_file(const char *path, struct buf *out, struct err *e)
{
    CLEANUP_BUF struct buf packed = buf_of(PACKED_MAX);

    if (file_read(path, &packed, e) < 0)
        return -1;
    if (zread_bytes(packed.p, packed.len, out, e) < 0)
        return err_wrap(e, "%s", path);
    return 0;
}

/* The cache: the text form of pages that were read before. */

/* The files that a page was made of; `first` is the one that was found. */
struct page_key {
    char *first;
    struct buf lines;
};

/* The first bytes of every file, with a version: another version may read pages
 * differently. */
#define MAGIC "agentsh-page " PACKAGE_VERSION ".4"

#define KEY_MAX  16384
#define FILE_MAX (PAGE_BYTES_MAX + KEY_MAX + 64)

/* Appends "F path size time" for a file. Returns -1 when it does not exist. */
static int
add_file_key(struct buf *out, const char *path)
{
    struct stat st;

    if (strpbrk(path, "\t\n") || stat(path, &st) < 0)
        return -1;
    return buf_printf(out, "F\t%s\t%jd\t%jd.%09ld\n", path,
                      (intmax_t)st.st_size, (intmax_t)st.st_mtim.tv_sec,
                      st.st_mtim.tv_nsec);
}

/* Adds a file with its size and time. Returns -1 when it does not exist. */
static int
page_key_add(struct page_key *key, const char *path)
{
    if (!key->first) {
        buf_init(&key->lines, KEY_MAX);
        key->first = strdup(path);
    }
    return key->first ? add_file_key(&key->lines, path) : -1;
}

/* Adds a file with its size and time. Returns -1 when it does not exist. */
static void
page_key_done(struct page_key *key)
{
    if (!key)
        return;
    if (key->first)
        buf_done(&key->lines);
    free(key->first);
}

/* The cache file for the path of a page; the caller frees it. */
static char *
cache_file(const struct seat *s, const char *path)
{
    uint32_t hash = 2166136261u; /* FNV-1a */
    char name[32];

    for (; *path; path++)
        hash = (hash ^ (unsigned char)*path) * 16777619u;
    snprintf(name, sizeof(name), "pages/%03" PRIx32, hash % PAGE_CACHE_FILES);
    return seat_place(s, PATH_CACHE, name, NULL);
}

/* The length that the first line states, 0 when it is no such line. */
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

/* Reads one "F" line at *p, and checks that its file is unchanged. */
static bool
take_key_line(char **p, const char *wanted)
{
    CLEANUP_BUF struct buf now = buf_of(KEY_MAX);
    char *path = *p + 2, *tab = strchr(path, '\t'), *end;

    end = tab ? strchr(tab, '\n') : NULL;
    if (!end)
        return false;
    *tab = '\0';
    if ((wanted && strcmp(path, wanted) != 0) || add_file_key(&now, path) < 0)
        return false;
    *tab = '\t';
    if (now.len != (size_t)(end + 1 - *p) || memcmp(now.p, *p, now.len) != 0)
        return false;
    *p = end + 1;
    return true;
}

/* The cached text form for a path, which the caller frees. NULL when there is
 * none, or when a file of it changed. */
static char *
page_cache_get(const struct seat *s, const char *path)
{
    CLEANUP(free_p) char *file = cache_file(s, path);
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

/* This is not file_write(): what a crash loses is read again, and fsync would
 * cost more than reading the page. */
static void
write_page_cache(const char *file, const struct buf *b)
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

static void
page_cache_put(const struct seat *s, const struct page_key *key,
               const char *form, size_t n)
{
    CLEANUP(free_p) char *file = cache_file(s, key->first);
    CLEANUP(free_p) char *dir = seat_place(s, PATH_CACHE, "pages", NULL);
    CLEANUP_BUF struct buf b = buf_of(FILE_MAX);

    if (!file || !dir || seat_make_dirs(s, dir, 0700, NULL) < 0)
        return;
    buf_printf(&b, MAGIC "\t%zu\n", key->lines.len + n);
    buf_add(&b, key->lines.p, key->lines.len);
    buf_add(&b, form, n);
    if (buf_ok(&b, file, NULL) == 0)
        write_page_cache(file, &b);
}

/* Loading: from the cache, or from the source. */

/* Bytes unpacked; the largest page has 2 MiB. */
#define SOURCE_MAX    (8 * 1024 * 1024)
#define REDIRECTS_MAX 4 /* pages have one */

/* Whether the source is only a redirection, ".so man1/other.1"; copies its
 * target. */
static bool
is_so_redirection(const struct buf *source, char target[256])
{
    const char *p = source->p;
    size_t n;

    while (*p == '\n' || strncmp(p, ".\\\"", 3) == 0 ||
           strncmp(p, "'\\\"", 3) == 0) {
        p += strcspn(p, "\n");
        p += *p == '\n';
    }
    if (strncmp(p, ".so", 3) != 0)
        return false;
    p += 3;
    p += strspn(p, " \t");
    n = strcspn(p, " \t\r\n");
    if (n == 0 || n > 255)
        return false;
    memcpy(target, p, n);
    target[n] = '\0';
    return true;
}

/* Reads the source of a page and follows redirections. Every file that it reads
 * is added to the key. */
static int
read_source(struct manpath_hit *hit, struct page_key *key, struct buf *source)
{
    char target[256];
    char *next;

    for (unsigned i = 0; i < REDIRECTS_MAX; i++) {
        buf_clear(source);
        if (page_key_add(key, hit->path) < 0 ||
            zread_file(hit->path, source, NULL) < 0)
            return -1;
        if (!is_so_redirection(source, target))
            return 0;
        next = manpath_follow(hit->path, hit->root, target);
        if (!next)
            return -1;
        free(hit->path);
        hit->path = next;
    }
    return -1;
}

/* Reads a page's source, man(7) or mdoc(7), into blocks. */
static int
read_blocks(struct blocks *b, const char *text, size_t n, struct err *e)
{
    CLEANUP(roff_free_p) struct roff *r = roff_new(text, n);
    struct roff_line line;

    if (!r)
        return err_sys(e, "reading a manual page");
    while (roff_next(r, &line)) {
        if (line.macro && strcmp(line.macro, "Dd") == 0) {
            mdoc_read(r, &line, b);
            break;
        }
        if (line.macro && strcmp(line.macro, "TH") == 0) {
            man_read(r, &line, b);
            break;
        }
    }
    return buf_ok(&b->text, "a manual page", e);
}

int
page_load_source(const char *source, size_t n, const char *name,
                 const char *section, struct buf *out, struct err *e)
{
    CLEANUP(blocks_done) struct blocks b;

    blocks_init(&b);
    if (read_blocks(&b, source, n, e) < 0)
        return -1;
    harvest(&b, name, section, out);
    return buf_ok(out, "a manual page", e);
}

static struct page *
read_anew(const struct seat *s, const char *name, struct manpath_hit *hit)
{
    CLEANUP(page_key_done) struct page_key key = {0};
    CLEANUP_BUF struct buf source = buf_of(SOURCE_MAX);
    CLEANUP_BUF struct buf form = buf_of(PAGE_BYTES_MAX);

    if (read_source(hit, &key, &source) < 0 ||
        page_load_source(source.p, source.len, name, hit->section, &form,
                         NULL) < 0)
        return NULL;
    page_cache_put(s, &key, form.p, form.len);
    return page_new(buf_take(&form), NULL);
}

struct page *
page_load(const struct seat *s, const char *name)
{
    struct manpath_hit hit = {0};
    struct page *p;
    char *form;

    if (manpath_find(s, name, &hit) < 0)
        return NULL;
    form = page_cache_get(s, hit.path);
    p = form ? page_new(form, NULL) : read_anew(s, name, &hit);
    free(hit.path);
    return p;
}
