/* SPDX-License-Identifier: GPL-3.0-or-later */
/* guest_files.c - read_file, write_file and list_dir. */
#include "server/guest/guest_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/utf8.h"
#include "server/guest/guest_job.h"
#include "server/guest/guest_params.h"
#include "server/guest/guest_path.h"
#include "server/guest/guest_record.h"
#include "server/guest/guest_write.h"
#include "json/write.h"

#define FILE_MAX    (10u << 20) /* bytes; of the specification */
#define LISTING_MAX (48u << 20) /* bytes of the answer to list_dir */
#define SLICE_BYTES (16u << 10) /* escaped at once … */
#define PART_BYTES  (64u << 10) /* … until a part has as many */
#define CONTENT_MAX (16u << 20) /* a message is not longer */
#define READ_BYTES  (64u << 10) /* of a file whose size is not known */

static const struct guest_param path_param[] = {{"path", JSON_STRING, false},
                                                {0}};

/* A job of this file. */
struct file_job {
    struct guest_job job;
    char *path;
    size_t path_len;
    struct buf bytes; /* what is read or written; a dir_listing's JSON */
};

static void
file_job_free(struct guest_job *j)
{
    struct file_job *f = (struct file_job *)(void *)j;

    buf_done(&f->bytes);
    free(f->path);
    free(f);
}

static void
drop_file_job(struct file_job **f)
{
    if (*f)
        file_job_free(&(*f)->job);
}

/* Reads the params; NULL: the request has been refused. */
static struct file_job *
new_file_job(struct rpc_request *rq, const struct guest_param *list,
             const struct json *params, const struct json **v)
{
    CLEANUP(drop_file_job) struct file_job *f = calloc(1, sizeof(*f));
    struct err e = {0};
    const char *path;

    if (!f)
        err_nomem(&e);
    else if (guest_params_read(list, params, v, &e) == 0) {
        path = json_str(v[0], &f->path_len);
        buf_init(&f->bytes,
                 CONTENT_MAX > LISTING_MAX ? CONTENT_MAX : LISTING_MAX);
        f->path = malloc(f->path_len + 1);
        if (f->path) {
            memcpy(f->path, path, f->path_len + 1);
            f->job.free = file_job_free;
            return TAKE_PTR(f);
        }
        err_nomem(&e);
    }
    guest_refuse(rq, &e);
    return NULL;
}

static int
refuse_file_size(struct err *e, uint64_t size)
{
    return err_set(e, ERR_NOMEM,
                   "file too large (%" PRIu64 " bytes, max %u bytes)", size,
                   FILE_MAX);
}

static int
read_file_bytes(int fd, struct buf *out, const char *path, struct err *e)
{
    struct stat st;
    size_t want;
    ssize_t n;

    if (fstat(fd, &st) < 0)
        return err_sys(e, "%.200s", path);
    if (S_ISREG(st.st_mode) && st.st_size > FILE_MAX)
        return refuse_file_size(e, (uint64_t)st.st_size);
    want = st.st_size > 0 ? (size_t)st.st_size + 1 : READ_BYTES;
    do {
        if (buf_room(out, want) < 0)
            return err_nomem(e);
        n = read(fd, out->p + out->len, want);
        if (n < 0 && errno != EINTR)
            return err_sys(e, "%.200s", path);
        out->len += n > 0 ? (size_t)n : 0;
        want = READ_BYTES;
    } while (n != 0 && out->len <= FILE_MAX);
    out->p[out->len] = '\0';
    return out->len > FILE_MAX ? refuse_file_size(e, out->len) : 0;
}

static void
work_read(struct guest_job *j)
{
    struct file_job *f = (struct file_job *)(void *)j;
    CLEANUP(fd_close_p)
    int fd = guest_path_open(j->shared, f->path, f->path_len, O_RDONLY, 0,
                             &j->e);

    if (fd < 0 || read_file_bytes(fd, &f->bytes, f->path, &j->e) < 0)
        return;
    if (!utf8_valid(f->bytes.p, f->bytes.len))
        err_set(&j->e, ERR_IO, "%.200s: not valid UTF-8", f->path);
}

/* {"content":TEXT}, where the text may be long. */
struct content_answer {
    struct guest_task task;
    struct buf text;
    size_t sent;
};

static bool
next_content(void *arg, struct buf *out)
{
    struct content_answer *a = arg;

    if (a->sent == 0)
        buf_str(out, "{\"content\":\"");
    while (a->sent < a->text.len && out->len < PART_BYTES) {
        size_t n = a->text.len - a->sent;

        if (n > SLICE_BYTES)
            n = utf8_boundary(a->text.p + a->sent, n, SLICE_BYTES);
        json_escape(out, a->text.p + a->sent, n);
        a->sent += n;
    }
    if (a->sent < a->text.len)
        return true;
    buf_str(out, "\"}");
    return false;
}

static void
on_content_sent(void *arg)
{
    struct content_answer *a = arg;

    guest_task_end(&a->task);
    buf_done(&a->text);
    free(a);
}

/* It is ended with the answer, which the connection ends first. */
static void
leave_answer(struct guest_task *t)
{
    (void)t;
}

static void
answer_read(struct guest_job *j)
{
    struct file_job *f = (struct file_job *)(void *)j;
    struct content_answer *a = malloc(sizeof(*a));
    struct err e = {0};

    if (!a) {
        err_nomem(&e);
        guest_refuse(j->rq, &e);
        return;
    }
    *a = (struct content_answer){.task = {.holds = true, .leave = leave_answer},
                                 .text = f->bytes};
    buf_init(&f->bytes, 0);
    guest_task_begin(&a->task, j->task.connection);
    rpc_answer_parts(j->rq, next_content, on_content_sent, a);
}

void
guest_files_read(void *arg, struct rpc_request *rq, const struct json *params)
{
    struct guest_connection *c = arg;
    const struct json *v[GUEST_PARAMS_MAX];
    struct file_job *f = new_file_job(rq, path_param, params, v);

    if (!f)
        return;
    guest_record_request(c, "read_file", params);
    f->job.recorded = true;
    f->job.work = work_read;
    f->job.answer = answer_read;
    guest_job_start(&f->job, c, rq);
}

static void
work_write(struct guest_job *j)
{
    struct file_job *f = (struct file_job *)(void *)j;

    (void)guest_write_file(j->shared, f->path, f->path_len, f->bytes.p,
                           f->bytes.len, &j->e);
}

static void
answer_success(struct guest_job *j)
{
    CLEANUP_BUF struct buf result = buf_of(32);

    buf_str(&result, "{\"success\":true}");
    rpc_answer(j->rq, &result);
}

void
guest_files_write(void *arg, struct rpc_request *rq, const struct json *params)
{
    struct guest_connection *c = arg;
    static const struct guest_param list[] = {
        {"path", JSON_STRING, false}, {"content", JSON_STRING, false}, {0}};
    const struct json *v[GUEST_PARAMS_MAX];
    struct file_job *f = new_file_job(rq, list, params, v);
    const char *content;
    size_t n;

    if (!f)
        return;
    guest_record_request(c, "write_file", params);
    f->job.recorded = f->job.changes = true;
    content = json_str(v[1], &n);
    buf_add(&f->bytes, content, n);
    f->job.work = work_write;
    f->job.answer = answer_success;
    guest_job_start(&f->job, c, rq);
}

/* The entries of a directory, sorted. */
struct dir_listing {
    char **names;
    size_t n, room;
};

static void
dir_listing_done(struct dir_listing *l)
{
    for (size_t i = 0; i < l->n; i++)
        free(l->names[i]);
    free(l->names);
}

static int
add_listed_name(struct dir_listing *l, const char *name, struct err *e)
{
    if (l->n == l->room) {
        size_t room = l->room ? 2 * l->room : 64;
        char **names = reallocarray(l->names, room, sizeof(*names));

        if (!names)
            return err_nomem(e);
        l->names = names;
        l->room = room;
    }
    l->names[l->n] = strdup(name);
    return l->names[l->n++] ? 0 : err_nomem(e);
}

static int
compare_entries(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static int
read_dir_entries(DIR *d, const char *path, struct dir_listing *l, struct err *e)
{
    const struct dirent *entry;

    for (errno = 0; (entry = readdir(d)) != NULL; errno = 0) {
        if (strcmp(entry->d_name, ".") != 0 &&
            strcmp(entry->d_name, "..") != 0 &&
            add_listed_name(l, entry->d_name, e) < 0)
            return -1;
    }
    if (errno != 0)
        return err_sys(e, "%.200s", path);
    if (l->n > 0)
        qsort(l->names, l->n, sizeof(*l->names), compare_entries);
    return 0;
}

/* What goes away while it is listed is left out. */
static void
put_dir_entry(struct json_writer *w, int dir, const char *name)
{
    struct stat st;
    bool sized;

    if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
        return;
    sized = !S_ISDIR(st.st_mode) && !S_ISLNK(st.st_mode);
    json_open_object(w);
    json_member_str(w, "name", name);
    json_member_bool(w, "is_dir", S_ISDIR(st.st_mode));
    json_member_int(w, "size", sized ? st.st_size : 0);
    json_close_object(w);
}

static void
work_list(struct guest_job *j)
{
    struct file_job *f = (struct file_job *)(void *)j;
    CLEANUP(dir_listing_done) struct dir_listing l = {0};
    CLEANUP(dir_close_p) DIR *d = NULL;
    struct json_writer w;
    int fd = guest_path_open(j->shared, f->path, f->path_len,
                             O_RDONLY | O_DIRECTORY, 0, &j->e);

    if (fd < 0)
        return;
    if (!(d = fdopendir(fd))) {
        err_sys(&j->e, "%.200s", f->path);
        fd_close_p(&fd);
        return;
    }
    if (read_dir_entries(d, f->path, &l, &j->e) < 0)
        return;
    json_write_init(&w, &f->bytes);
    json_open_object(&w);
    json_key(&w, "entries");
    json_open_array(&w);
    for (size_t i = 0; i < l.n; i++)
        put_dir_entry(&w, dirfd(d), l.names[i]);
    json_close_array(&w);
    json_close_object(&w);
    (void)buf_ok(&f->bytes, "the list of entries", &j->e);
}

static void
answer_bytes(struct guest_job *j)
{
    struct file_job *f = (struct file_job *)(void *)j;

    rpc_answer(j->rq, &f->bytes);
}

void
guest_files_list(void *arg, struct rpc_request *rq, const struct json *params)
{
    struct guest_connection *c = arg;
    const struct json *v[GUEST_PARAMS_MAX];
    struct file_job *f = new_file_job(rq, path_param, params, v);

    if (!f)
        return;
    guest_record_request(c, "list_dir", params);
    f->job.recorded = true;
    f->job.work = work_list;
    f->job.answer = answer_bytes;
    guest_job_start(&f->job, c, rq);
}
