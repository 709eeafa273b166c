/* SPDX-License-Identifier: GPL-3.0-or-later */
/* approval.c - computes the digest of a step, which an approval covers. */
#include "action/approval.h"
#include "action/undo_files.h"

#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/path.h"
#include "guard/effects/glob.h"
#include "guard/path/path_context.h"
#include "guard/path/path_table.h"
#include "tool/protocol.h"
#include "json/write.h"

#define CODE_MAX    (1u << 20) /* bytes of a file of code */
#define CODE_SUM    (8u << 20) /* of all of one word; read at each step */
#define MATCHES_MAX 1000       /* files of a pattern, such as sh *.sh */
#define ENTRIES_MAX 20000      /* of directories, to look for them */
#define MATCHES_US  50000      /* the same */
#define NAMED_MAX   64         /* words that may name a file */

/* A step's command and paths, every byte escaped at worst. */
#define CANON_MAX                                                              \
    (6u * (3 * AIACTION_COMMAND_MAX + AIACTION_ARGS_MAX +                      \
           (2 + 3 * PROFILE_DIRS_MAX) * 4096u))

/* A call's arguments and directories, the same. */
#define CALL_CANON_MAX (6u * (PROTOCOL_REQUEST_MAX + PROFILE_DIRS_MAX * 4096u))

static void
put_directories(struct json_writer *w, const char *name, char *const *dirs,
                size_t n)
{
    json_key(w, name);
    json_open_array(w);
    for (size_t i = 0; i < n; i++)
        json_put_str(w, dirs[i]);
    json_close_array(w);
}

/* The files that a step may add unasked. */
static void
put_addable_files(struct json_writer *w, const struct profile_choice *c)
{
    json_key(w, "added");
    json_open_array(w);
    for (size_t i = 0; i < c->n_added; i++) {
        json_put_str(w, c->added[i].path);
        json_put_bool(w, c->added[i].below);
    }
    json_close_array(w);
}

/* Which file it is, and the time of its last change: any write alters them. */
static void
format_identity(const struct stat *st, char *text, size_t size)
{
    snprintf(text, size, "%ju:%ju:%jd:%jd.%09ld", (uintmax_t)st->st_dev,
             (uintmax_t)st->st_ino, (intmax_t)st->st_size,
             (intmax_t)st->st_ctim.tv_sec, (long)st->st_ctim.tv_nsec);
}

/* Adds a file, which an approval covers, by its contents, or by its identity
 * where it is longer than CODE_MAX or *left, from which its length is taken.
 * What has no size is empty, or made by the kernel as it is read, and differs
 * each time. */
static void
add_file(struct buf *all, const char *path, size_t *left)
{
    CLEANUP_BUF struct buf text = buf_of(*left < CODE_MAX ? *left : CODE_MAX);
    CLEANUP(fd_close_p)
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    char hex[SHA256_HEX_SIZE] = "", identity[128];
    struct stat st;

    if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
        st.st_size > 0) {
        format_identity(&st, identity, sizeof(identity));
        if (file_read_fd(fd, &text, NULL) == 0)
            sha256_hex(text.p, text.len, hex);
        else
            sha256_hex(identity, strlen(identity), hex);
        *left -= text.len < *left ? text.len : *left;
    }
    buf_printf(all, "%s\n", hex);
}

/* Adds the files that a pattern matches now. */
static void
add_matching_files(struct buf *all, const struct path_context *where,
                   const char *pattern)
{
    CLEANUP_BUF struct buf whole = buf_of(2 * PATH_MAX);
    struct glob_limit limit = {.until_us = clock_us() + MATCHES_US,
                               .entries = ENTRIES_MAX};
    struct glob_list found = {0};
    size_t left = CODE_SUM;
    bool home = pattern[0] == '~' && pattern[1] == '/';
    const char *below = home ? where->home : where->cwd;

    if (pattern[0] != '/')
        glob_quote(&whole, below, strlen(below));
    buf_printf(&whole, "%s%s", pattern[0] == '/' || home ? "" : "/",
               home ? pattern + 1 : pattern);
    if (buf_ok(&whole, "the pattern", NULL) == 0)
        glob_expand(whole.p, &limit, &found);
    for (size_t i = 0; i < found.n && i < MATCHES_MAX; i++) {
        buf_printf(all, "%s ", found.v[i]);
        add_file(all, found.v[i], &left);
    }
    glob_list_done(&found);
}

/* The files that a word of the line means, as one digest. */
static void
put_files(struct json_writer *w, const struct step_verdict *v,
          const char *directory, const char *name)
{
    struct path_context where = path_context_of(v->seat);
    CLEANUP_BUF struct buf all = buf_of(MATCHES_MAX * (PATH_MAX + 70u));
    char path[PATH_MAX], hex[SHA256_HEX_SIZE];
    size_t left = CODE_SUM;
    bool cut = false,
         known = path_absolute(name, directory, &where, path, &cut);

    where.cwd = directory;
    if (known && cut)
        add_matching_files(&all, &where, name);
    else if (known)
        add_file(&all, path, &left);
    sha256_hex(all.p, all.len, hex);
    json_put_str(w, hex);
}

/* The files that the command reads, one of which may be what it runs: a shell
 * gets it by `<` or from a pipe. */
static void
put_inputs(struct json_writer *w, const struct step_verdict *v)
{
    const struct risk *r = &v->found.risk;

    for (size_t i = 0; i < r->n_paths; i++) {
        const struct risk_path *at = &r->paths[i];

        if (at->use == RISK_READS && at->known && !at->recursive && !at->listed)
            put_files(w, v, at->dir ? at->dir : v->directory, at->text);
    }
}

/* A directory is the same while others come and go in it. */
static void
put_identity(struct json_writer *w, const char *path, int flags)
{
    char identity[128] = "";
    struct stat st;

    if (fstatat(AT_FDCWD, path, &st, flags) == 0 && S_ISDIR(st.st_mode))
        snprintf(identity, sizeof(identity), "%ju:%ju", (uintmax_t)st.st_dev,
                 (uintmax_t)st.st_ino);
    else if (fstatat(AT_FDCWD, path, &st, flags) == 0)
        format_identity(&st, identity, sizeof(identity));
    json_put_str(w, identity);
}

/* Which directory the path leads to now: another may take its place while a
 * question stands. */
static void
put_place(struct json_writer *w, const char *directory)
{
    json_key(w, "place");
    put_identity(w, directory, 0);
}

/* The file of this name as it is now, where it is a link, the one that it leads
 * to, and its directory: what was shown of it is how it would change. */
static void
put_written_file(struct json_writer *w, const char *name, const char *directory)
{
    CLEANUP(free_p)
    char *path = name ? path_join(name[0] == '/' ? "/" : directory, name)
                      : NULL;
    char *slash = path ? strrchr(path, '/') : NULL;

    if (!slash) {
        json_put_null(w);
        return;
    }
    put_identity(w, path, AT_SYMLINK_NOFOLLOW);
    put_identity(w, path, 0);
    slash[slash == path] = '\0';
    put_identity(w, path, 0);
}

/* The files that a tool would write. An argument is a text, or a list of them.
 */
static void
put_written_files(struct json_writer *w, const struct tool *t,
                  const char *action, const struct json *args,
                  const char *directory)
{
    const struct manifest_action *a = manifest_action(t->manifest, action);

    json_key(w, "written");
    json_open_array(w);
    for (size_t i = 0; a && a->writes[i]; i++) {
        const struct json *v = json_get(args, a->writes[i]);

        if (!v || json_type(v) != JSON_ARRAY) {
            put_written_file(w, json_text(v), directory);
            continue;
        }
        for (v = json_first(v); v; v = json_next(v))
            put_written_file(w, json_text(v), directory);
    }
    json_close_array(w);
}

/* A word of the line that may name a file, also behind a = or an @, as programs
 * take the names of files with options or arguments in them. */
static void
put_obeyed_file(struct json_writer *w, const struct step_verdict *v,
                const char *word)
{
    struct path_context where = path_context_of(v->seat);
    const char *name = strrchr(word, '=');
    char path[PATH_MAX];
    bool cut = false;

    name = name ? name + 1 : word;
    name += *name == '@';
    where.cwd = v->directory;
    if (*name && path_absolute(name, v->directory, &where, path, &cut) && !cut)
        put_identity(w, path, 0);
}

/* The files that the line names, where it may run what is in one, or sends it:
 * curl -K, pip install -r, find -exec sh. */
static void
put_obeyed_files(struct json_writer *w, const struct step_verdict *v)
{
    const struct risk *r = &v->found.risk;
    size_t left = NAMED_MAX;

    for (size_t i = 0; i < r->n_calls; i++) {
        const struct risk_call *c = &r->calls[i];

        for (size_t k = 1; k < c->n && left > 0; k++, left--)
            put_obeyed_file(w, v, c->argv[k]);
    }
}

static void
put_hosts(struct json_writer *w, const struct host_list *h)
{
    json_key(w, "hosts");
    json_open_array(w);
    for (size_t i = 0; i < h->n; i++)
        json_put_str(w, h->names[i]);
    json_close_array(w);
}

/* The files of code that the command runs. */
static void
put_runs(struct json_writer *w, const struct step_verdict *v)
{
    const struct risk *r = &v->found.risk;

    json_key(w, "runs");
    json_open_array(w);
    for (size_t i = 0; i < r->n_reasons; i++)
        if (r->reasons[i].kind == RISK_KIND_FILE && r->reasons[i].about)
            put_files(w, v,
                      r->reasons[i].dir ? r->reasons[i].dir : v->directory,
                      r->reasons[i].about);
    if (r->facts & (RISK_OPAQUE | RISK_NETWORK)) {
        put_inputs(w, v);
        put_obeyed_files(w, v);
    }
    json_close_array(w);
}

/* What a step puts back, and how. */
static void
put_restored_paths(struct json_writer *w, const struct step *s,
                   const struct undo_files *f)
{
    json_key(w, "restores");
    json_open_array(w);
    for (size_t i = 0; i < s->restores.n; i++) {
        const struct undo_item *item = f->order[s->restores.from + i];

        json_put_str(w, item->path);
        json_put_int(w, (int)item->act);
    }
    json_close_array(w);
}

/* The names are sorted, so that this is the canonical form. */
static void
put_command_step(struct json_writer *w, const struct step *s,
                 const struct step_verdict *v)
{
    const struct profile_choice *c = &v->found.profile;

    put_addable_files(w, c);
    json_member_str(w, "command", s->command);
    json_member_str(w, "directory", v->directory);
    if (v->hosts)
        put_hosts(w, v->hosts);
    json_member_bool(w, "net", c->net);
    json_member_bool(w, "owners", c->owners);
    if (!v->hosts)
        put_place(w, v->directory);
    json_member_str(w, "profile", profile_row(c->profile)->name);
    put_directories(w, "readable", c->readable, c->n_readable);
    if (c->reduced)
        json_member_bool(w, "reduced", true);
    put_directories(w, "reader", c->reader, c->n_reader);
    json_member_str(w, "rest", c->rest);
    if (v->undoing)
        put_restored_paths(w, s, v->undoing);
    if (!v->hosts) /* nothing is known of the files of others */
        put_runs(w, v);
    json_member_str(w, "tool", AIACTION_TOOL);
    if (v->undo != UNDO_WAY_NONE)
        json_member_int(w, "undo", v->undo);
    put_directories(w, "writable", c->writable, c->n_writable);
}

static void
put_tool_step(struct json_writer *w, const struct step *s,
              const struct step_verdict *v)
{
    json_member_str(w, "action", s->action);
    json_key(w, "args");
    json_put_canonical(w, s->args);
    json_member_str(w, "command", s->command);
    json_member_str(w, "directory", v->directory);
    json_member_str(w, "hash", v->tool->hash);
    put_place(w, v->directory);
    json_member_bool(w, "privileged", v->permit.privileged);
    json_member_str(w, "tool", s->tool);
    if (v->undo != UNDO_WAY_NONE)
        json_member_int(w, "undo", v->undo);
    json_member_str(w, "walls", v->confinement);
    put_directories(w, "writable", v->permit.writable, v->permit.n_writable);
    put_written_files(w, v->tool, s->action, s->args, v->directory);
}

int
approval_digest(const struct step *s, const struct step_verdict *v,
                char hex[SHA256_HEX_SIZE], struct err *e)
{
    CLEANUP_BUF struct buf canon = buf_of(CANON_MAX);
    struct json_writer w;

    json_write_init(&w, &canon);
    json_open_object(&w);
    if (v->tool)
        put_tool_step(&w, s, v);
    else
        put_command_step(&w, s, v);
    json_close_object(&w);
    if (buf_ok(&canon, "the step", e) < 0)
        return -1;
    sha256_hex(canon.p, canon.len, hex);
    return 0;
}

/* Where a command runs; a tool runs in the seat's directory. The caller frees
 * it. */
static char *
call_directory(const struct approval_call *c)
{
    const char *dir = json_get_str(c->args, "working_directory");

    if (!c->tool->manifest->step || !dir)
        return strdup(seat_dir(c->seat));
    return seat_resolve(c->seat, dir);
}

/* The digest of the command of cmd.run, as that of a step. */
static int
digest_command(const struct approval_call *c, char *dir,
               char hex[SHA256_HEX_SIZE], struct err *e)
{
    const char *command = json_get_str(c->args, "command");
    CLEANUP(free_p) char *copy = command ? strdup(command) : NULL;
    const struct step s = {.command = copy};
    const struct step_verdict v = {
        .seat = c->seat, .found = *c->permit->found, .directory = dir};

    return copy ? approval_digest(&s, &v, hex, e) : err_nomem(e);
}

static void
put_call(struct json_writer *w, const struct approval_call *c, const char *dir,
         const char *command)
{
    json_member_str(w, "action", c->action);
    json_key(w, "args");
    if (c->args)
        json_put_canonical(w, c->args);
    else
        json_put_null(w);
    json_member_str(w, "command", command);
    json_member_str(w, "directory", dir);
    json_member_str(w, "hash", c->tool->hash);
    json_member_bool(w, "network", c->permit->network);
    put_place(w, dir);
    json_member_bool(w, "privileged", c->permit->privileged);
    json_member_str(w, "tool", c->tool->name);
    put_directories(w, "writable", c->permit->writable, c->permit->n_writable);
    put_written_files(w, c->tool, c->action, c->args, dir);
}

int
approval_call_digest(const struct approval_call *c, char hex[SHA256_HEX_SIZE],
                     struct err *e)
{
    CLEANUP_BUF struct buf canon = buf_of(CALL_CANON_MAX);
    CLEANUP(free_p) char *dir = call_directory(c);
    char command[SHA256_HEX_SIZE] = "";
    struct json_writer w;

    if (!dir)
        return err_nomem(e);
    if (c->tool->manifest->step && digest_command(c, dir, command, e) < 0)
        return -1;
    json_write_init(&w, &canon);
    json_open_object(&w);
    put_call(&w, c, dir, command);
    json_close_object(&w);
    if (buf_ok(&canon, "the call", e) < 0)
        return -1;
    sha256_hex(canon.p, canon.len, hex);
    return 0;
}
