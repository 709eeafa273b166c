/* SPDX-License-Identifier: GPL-3.0-or-later */
/* guest_fs.c - the methods fs.stat, .mkdir, .move, .remove, .read, .write. */
#include "server/guest/guest_fs.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base64.h"
#include "base/fd.h"
#include "base/linux_calls.h"
#include "sandbox/preview/beneath.h"
#include "server/guest/guest_job.h"
#include "server/guest/guest_params.h"
#include "server/guest/guest_path.h"
#include "server/guest/guest_record.h"
#include "json/write.h"

#define READ_MAX   (8u << 20)  /* bytes of one fs.read */
#define READ_USUAL (1u << 20)  /* unless it says otherwise */
#define DATA_MAX   (12u << 20) /* bytes of one fs.write: a message holds them */
#define RESULT_MAX (2 * READ_MAX)
#define WRITE_MS   10000 /* for a FIFO's reader, or a device */

struct fs_job {
    struct guest_job job;
    char *path, *to;
    size_t path_len, to_len;
    int64_t offset, length; /* offset -1: at the end */
    bool flag, truncates;   /* parents, replace, recursive */
    struct buf data, result;
};

static struct fs_job *
fs_job_of(struct guest_job *j)
{
    return (struct fs_job *)(void *)j;
}

static void
fs_job_free(struct guest_job *j)
{
    struct fs_job *f = fs_job_of(j);

    buf_done(&f->data);
    buf_done(&f->result);
    free(f->path);
    free(f->to);
    free(f);
}

static void
answer_fs(struct guest_job *j)
{
    rpc_answer(j->rq, &fs_job_of(j)->result);
}

/* The bytes of a path, and a NUL. */
static int
copy_path(const struct json *v, char **out, size_t *n, struct err *e)
{
    const char *path = json_str(v, n);

    *out = malloc(*n + 1);
    if (!*out)
        return err_nomem(e);
    memcpy(*out, path, *n + 1);
    return 0;
}

/* What a method takes beside path; members that are not there stay. */
static int
read_fs_params(struct fs_job *f, const struct json *params, struct err *e)
{
    static const struct guest_param list[] = {{"path", JSON_STRING, false},
                                              {"to", JSON_STRING, true},
                                              {"data", JSON_STRING, true},
                                              {0}};
    const struct json *v[GUEST_PARAMS_MAX];
    const char *data;
    size_t n;

    if (guest_params_read(list, params, v, e) < 0 ||
        copy_path(v[0], &f->path, &f->path_len, e) < 0 ||
        (v[1] && copy_path(v[1], &f->to, &f->to_len, e) < 0) ||
        guest_params_int(json_get(params, "offset"), "offset", 0, INT64_MAX,
                         &f->offset, e) < 0 ||
        guest_params_int(json_get(params, "length"), "length", 0, READ_MAX,
                         &f->length, e) < 0)
        return -1;
    if (v[2]) {
        data = json_str(v[2], &n);
        if (base64_decode(&f->data, data, n, e) < 0)
            return err_wrap(e, "invalid params: data");
    }
    return 0;
}

/* An option that is on or off. */
static int
read_flag(const struct json *params, const char *name, bool *on, struct err *e)
{
    const struct json *v = name ? json_get(params, name) : NULL;

    if (v && json_type(v) != JSON_NULL && !json_bool(v, on))
        return err_set(e, ERR_INVALID, "invalid params: %s must be a boolean",
                       name);
    return 0;
}

struct fs_method {
    const char *name;
    void (*work)(struct guest_job *j);
    const char *flag; /* its option that is on or off; NULL: none */
    const char *also; /* a param that it needs beside path; NULL: none */
    bool changes;     /* files */
};

static void
start_fs_job(struct guest_connection *c, struct rpc_request *rq,
             const struct json *params, const struct fs_method *method)
{
    struct fs_job *f = calloc(1, sizeof(*f));
    struct err e = {0};
    bool appends = false;

    guest_record_request(c, method->name, params);
    if (!f) {
        err_nomem(&e);
        guest_refuse(rq, &e);
        return;
    }
    f->length = READ_USUAL;
    buf_init(&f->data, DATA_MAX);
    buf_init(&f->result, RESULT_MAX);
    f->job.work = method->work;
    f->job.answer = answer_fs;
    f->job.free = fs_job_free;
    if (method->also && !json_str(json_get(params, method->also), NULL))
        err_set(&e, ERR_INVALID, "invalid params: %s must be a string",
                method->also);
    else if (read_fs_params(f, params, &e) == 0 &&
             read_flag(params, method->flag, &f->flag, &e) == 0 &&
             read_flag(params, "truncate", &f->truncates, &e) == 0)
        (void)read_flag(params, "append", &appends, &e);
    if (e.code != ERR_NONE) {
        guest_record_failed(c, e.text);
        guest_refuse(rq, &e);
        fs_job_free(&f->job);
        return;
    }
    f->job.recorded = true;
    f->job.changes = method->changes;
    if (appends)
        f->offset = -1;
    guest_job_start(&f->job, c, rq);
}

static const char *
file_type_name(mode_t mode)
{
    static const struct {
        mode_t mode;
        const char *name;
    } types[] = {{S_IFREG, "file"},        {S_IFDIR, "directory"},
                 {S_IFLNK, "link"},        {S_IFIFO, "fifo"},
                 {S_IFSOCK, "socket"},     {S_IFCHR, "character device"},
                 {S_IFBLK, "block device"}};
    size_t i = 0;

    while (i + 1 < sizeof(types) / sizeof(types[0]) &&
           types[i].mode != (mode & S_IFMT))
        i++;
    return types[i].name;
}

static void
put_stat(struct buf *out, const struct stat *st, const char *target)
{
    char mode[8];
    struct json_writer w;

    snprintf(mode, sizeof(mode), "%04o", (unsigned)st->st_mode & 07777);
    json_write_init(&w, out);
    json_open_object(&w);
    json_member_str(&w, "type", file_type_name(st->st_mode));
    json_member_int(&w, "size", st->st_size);
    json_member_str(&w, "mode", mode);
    json_member_int(&w, "uid", st->st_uid);
    json_member_int(&w, "gid", st->st_gid);
    json_member_int(&w, "modified_ms",
                    (int64_t)st->st_mtim.tv_sec * 1000 +
                        st->st_mtim.tv_nsec / 1000000);
    if (target)
        json_member_str(&w, "target", target);
    json_close_object(&w);
}

static void
work_stat(struct guest_job *j)
{
    struct fs_job *f = fs_job_of(j);
    CLEANUP(fd_close_p)
    int fd = guest_path_open(j->shared, f->path, f->path_len,
                             O_PATH | O_NOFOLLOW, 0, &j->e);
    char target[PATH_MAX] = "";
    struct stat st;

    if (fd < 0)
        return;
    if (fstat(fd, &st) < 0) {
        err_sys(&j->e, "%.200s", f->path);
        return;
    }
    if (S_ISLNK(st.st_mode) &&
        readlinkat(fd, "", target, sizeof(target) - 1) < 0)
        target[0] = '\0';
    put_stat(&f->result, &st, S_ISLNK(st.st_mode) ? target : NULL);
}

static int
open_fs_parent(struct guest_job *j, const char *path, size_t n, bool make,
               char *name)
{
    return guest_path_open_parent(j->shared, path, n, make, name, &j->e);
}

static void
work_mkdir(struct guest_job *j)
{
    struct fs_job *f = fs_job_of(j);
    char name[NAME_MAX + 1];
    CLEANUP(fd_close_p)
    int dir = open_fs_parent(j, f->path, f->path_len, f->flag, name);
    struct stat st;

    if (dir < 0)
        return;
    if (mkdirat(dir, name, 0777) == 0 ||
        (errno == EEXIST && f->flag && fstatat(dir, name, &st, 0) == 0 &&
         S_ISDIR(st.st_mode)))
        buf_str(&f->result, "{}");
    else
        err_sys(&j->e, "%.200s", f->path);
}

static void
work_move(struct guest_job *j)
{
    struct fs_job *f = fs_job_of(j);
    char name[NAME_MAX + 1], to_name[NAME_MAX + 1];
    CLEANUP(fd_close_p)
    int dir = open_fs_parent(j, f->path, f->path_len, false, name);
    CLEANUP(fd_close_p)
    int to = dir < 0 ? -1 : open_fs_parent(j, f->to, f->to_len, false, to_name);

    if (dir < 0 || to < 0)
        return;
    if (linux_renameat2(dir, name, to, to_name,
                        f->flag ? 0 : RENAME_NOREPLACE) == 0)
        buf_str(&f->result, "{}");
    else
        err_sys(&j->e, "%.100s to %.100s", f->path, f->to);
}

static void
work_remove(struct guest_job *j)
{
    struct fs_job *f = fs_job_of(j);
    char name[NAME_MAX + 1];
    CLEANUP(fd_close_p)
    int dir = open_fs_parent(j, f->path, f->path_len, false, name);
    struct stat st;

    if (dir < 0)
        return;
    if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0) {
        err_sys(&j->e, "%.200s", f->path);
        return;
    }
    if (S_ISDIR(st.st_mode) && f->flag) {
        if (beneath_remove(dir, name, &j->e) == 0)
            buf_str(&f->result, "{}");
        return;
    }
    if (unlinkat(dir, name, S_ISDIR(st.st_mode) ? AT_REMOVEDIR : 0) == 0)
        buf_str(&f->result, "{}");
    else
        err_sys(&j->e, "%.200s", f->path);
}

/* Reads up to n bytes at an offset; of what has no offsets, what comes next. */
static ssize_t
read_at(int fd, char *bytes, size_t n, int64_t offset)
{
    size_t got = 0;

    while (got < n) {
        ssize_t part = pread(fd, bytes + got, n - got,
                             (off_t)(offset + (int64_t)got));

        if (part < 0 && errno == ESPIPE)
            part = read(fd, bytes + got, n - got);
        if (part < 0 && errno == EINTR)
            continue;
        if (part <= 0)
            return part < 0 && got == 0 ? -1 : (ssize_t)got;
        got += (size_t)part;
    }
    return (ssize_t)got;
}

static void
work_fs_read(struct guest_job *j)
{
    struct fs_job *f = fs_job_of(j);
    size_t want = (size_t)f->length;
    CLEANUP(fd_close_p)
    int fd = guest_path_open(j->shared, f->path, f->path_len, O_RDONLY, 0,
                             &j->e);
    struct stat st;
    ssize_t n;

    if (fd < 0)
        return;
    if (fstat(fd, &st) < 0 || buf_room(&f->data, want + 1) < 0 ||
        (n = read_at(fd, f->data.p, want, f->offset)) < 0) {
        err_sys(&j->e, "%.200s", f->path);
        return;
    }
    buf_str(&f->result, "{\"data\":\"");
    (void)base64_encode(&f->result, f->data.p, (size_t)n);
    buf_printf(&f->result, "\",\"size\":%" PRId64 ",\"end\":%s}",
               (int64_t)st.st_size, (size_t)n < want ? "true" : "false");
}

static void
work_fs_write(struct guest_job *j)
{
    struct fs_job *f = fs_job_of(j);
    int flags = O_WRONLY | O_CREAT | (f->truncates ? O_TRUNC : 0) |
                (f->offset < 0 ? O_APPEND : 0);
    CLEANUP(fd_close_p)
    int fd = guest_path_open(j->shared, f->path, f->path_len, flags, 0666,
                             &j->e);
    ssize_t n = 0;

    if (fd < 0)
        return;
    if (f->offset > 0 && lseek(fd, (off_t)f->offset, SEEK_SET) < 0)
        n = err_sys(&j->e, "%.200s", f->path);
    else
        n = fd_write_all(fd, f->data.p, f->data.len, WRITE_MS, &j->e);
    if (n == 0)
        buf_printf(&f->result, "{\"written\":%zu}", f->data.len);
}

void
guest_fs_stat(void *arg, struct rpc_request *rq, const struct json *params)
{
    static const struct fs_method method = {.name = "fs.stat",
                                            .work = work_stat};

    start_fs_job(arg, rq, params, &method);
}

void
guest_fs_mkdir(void *arg, struct rpc_request *rq, const struct json *params)
{
    static const struct fs_method method = {.name = "fs.mkdir",
                                            .work = work_mkdir,
                                            .flag = "parents",
                                            .changes = true};

    start_fs_job(arg, rq, params, &method);
}

void
guest_fs_move(void *arg, struct rpc_request *rq, const struct json *params)
{
    static const struct fs_method method = {.name = "fs.move",
                                            .work = work_move,
                                            .flag = "replace",
                                            .also = "to",
                                            .changes = true};

    start_fs_job(arg, rq, params, &method);
}

void
guest_fs_remove(void *arg, struct rpc_request *rq, const struct json *params)
{
    static const struct fs_method method = {.name = "fs.remove",
                                            .work = work_remove,
                                            .flag = "recursive",
                                            .changes = true};

    start_fs_job(arg, rq, params, &method);
}

void
guest_fs_read(void *arg, struct rpc_request *rq, const struct json *params)
{
    static const struct fs_method method = {.name = "fs.read",
                                            .work = work_fs_read};

    start_fs_job(arg, rq, params, &method);
}

void
guest_fs_write(void *arg, struct rpc_request *rq, const struct json *params)
{
    static const struct fs_method method = {.name = "fs.write",
                                            .work = work_fs_write,
                                            .also = "data",
                                            .changes = true};

    start_fs_job(arg, rq, params, &method);
}
