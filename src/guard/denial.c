/* SPDX-License-Identifier: GPL-3.0-or-later */
/* denial.c - explains what the sandbox denied, after a step failed in it. */
#include "guard/denial.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/path.h"
#include "guard/path/path_table.h"
#include "guard/path/secret.h"
#include "guard/profile/profile.h"
#include "term/escape.h"

/* The path that a program reports as denied
 *
 * Programs name the path and the error in one line of standard error, in
 * different orders:
 *
 *     touch: cannot touch 'x/y': Read-only file system
 *     PermissionError: [Errno 13] Permission denied: '/home/u/x'
 *     open /home/u/x: read-only file system
 *
 * Such a line is only a hint: a program may write anything. */

enum denied_how {
    DENIED_WRITE,   /* it is on a read-only file system */
    DENIED_ACCESS,  /* access was denied, for reading or writing */
    DENIED_MISSING, /* it does not exist */
};

struct denied_path {
    enum denied_how how;
    char text[PATH_MAX]; /* as the program wrote it, perhaps relative */
};

#define LINES_MAX      32   /* from the end */
#define LINE_MAX_BYTES 1024 /* bytes of a line: a longer one is skipped */

/* The C library's texts, which most programs print. strerror has them in the
 * person's language. */
static const struct {
    int sys;
    enum denied_how how;
    const char *text;
} errors[] = {
    {EROFS, DENIED_WRITE, "Read-only file system"},
    {EACCES, DENIED_ACCESS, "Permission denied"},
    {EPERM, DENIED_ACCESS, "Operation not permitted"},
    {ENOENT, DENIED_MISSING, "No such file or directory"},
};

/* Opening and closing quotes, ASCII and typographic. */
static const char *const quotes[][2] = {
    {"'", "'"},
    {"\"", "\""},
    {"\xe2\x80\x98", "\xe2\x80\x99"},
    {"`", "'"},
};

static bool
copy_denied_path(struct denied_path *out, const char *from, const char *to)
{
    size_t n = (size_t)(to - from);

    if (n == 0 || n >= sizeof(out->text))
        return false;
    memcpy(out->text, from, n);
    out->text[n] = '\0';
    return true;
}

/* The next opening quote; an apostrophe inside a word is none. */
static const char *
find_opening(const char *line, const char *from, const char *quote)
{
    while ((from = strstr(from, quote)) && from > line &&
           !strchr(" (:=", from[-1]))
        from++;
    return from;
}

/* Finds the last text in quotes. */
static bool
find_quoted(const char *line, struct denied_path *out)
{
    bool found = false;

    for (size_t i = 0; !found && i < ARRAY_SIZE(quotes); i++) {
        const char *from = find_opening(line, line, quotes[i][0]);

        while (from) {
            const char *to = strstr(from + strlen(quotes[i][0]), quotes[i][1]);

            if (!to)
                break;
            found |= copy_denied_path(out, from + strlen(quotes[i][0]), to);
            from = find_opening(line, to + strlen(quotes[i][1]), quotes[i][0]);
        }
    }
    return found;
}

/* Finds the last word that contains a slash. */
static bool
find_slash(const char *line, struct denied_path *out)
{
    const char *end = line + strlen(line);

    while (end > line) {
        const char *from = end, *to;

        while (from > line && from[-1] != ' ')
            from--;
        for (to = end; to > from && strchr(":,.;)", to[-1]); to--)
            continue;
        if (memchr(from, '/', (size_t)(to - from)))
            return copy_denied_path(out, from, to);
        end = from > line ? from - 1 : line;
    }
    return false;
}

/* Finds the field directly before the error, between colons: sh: 1: x: … */
static bool
find_field(const char *line, const char *error, struct denied_path *out)
{
    const char *to = error, *from;

    if (to - line < 2 || strncmp(to - 2, ": ", 2) != 0)
        return false;
    to -= 2;
    for (from = to; from > line && from[-1] != ' '; from--)
        continue;
    return from > line && copy_denied_path(out, from, to);
}

/* Finds an error of the table in the line. */
static const char *
find_error(const char *line, enum denied_how *how)
{
    for (size_t i = 0; i < ARRAY_SIZE(errors); i++) {
        const char *own = err_system(errors[i].sys);
        const char *at = strcasestr(line, errors[i].text);

        if (!at && own[0])
            at = strstr(line, own);
        if (at) {
            *how = errors[i].how;
            return at;
        }
    }
    return NULL;
}

static bool
read_error_line(const char *from, size_t n, struct denied_path *out)
{
    char line[LINE_MAX_BYTES];
    const char *error;

    if (n == 0 || n >= sizeof(line) || memchr(from, '\0', n))
        return false;
    memcpy(line, from, n);
    line[n] = '\0';
    error = find_error(line, &out->how);
    return error && (find_quoted(line, out) || find_slash(line, out) ||
                     find_field(line, error, out));
}

/* Finds the last such line of the n bytes of text; each further call finds the
 * one before it. *at is 0 at first. False: there are no more. */
static bool
next_denied_path(const char *text, size_t n, size_t *at,
                 struct denied_path *out)
{
    size_t line = 0;

    for (const char *end = text + n; end > text && line < LINES_MAX; line++) {
        const char *newline = memrchr(text, '\n', (size_t)(end - text));
        const char *from = newline ? newline + 1 : text;

        if (line >= *at && read_error_line(from, (size_t)(end - from), out)) {
            *at = line + 1;
            return true;
        }
        end = newline ? newline : text;
    }
    return false;
}

/* The explanation */

/* What a refused system call means to a person. */
struct denied_call {
    const char *call;
    const char *what;
    bool net; /* the network would make it work */
};

static const struct denied_call rows[] = {
    {"socket", "open a connection", true},
    {"socketpair", "open a connection", true},
    {"connect", "open a connection", true},
    {"ptrace", "inspect another process", false},
    {"process_vm_readv", "inspect another process", false},
    {"process_vm_writev", "change another process", false},
    {"pidfd_getfd", "take another process's file", false},
    {"kcmp", "inspect another process", false},
    {"mount", "mount a file system", false},
    {"umount2", "unmount a file system", false},
    {"unshare", "create a namespace", false},
    {"setns", "enter another namespace", false},
    {"clone", "create a namespace", false},
    {"chroot", "change its root", false},
    {"pivot_root", "change its root", false},
    {"bpf", "load a program into the kernel", false},
    {"perf_event_open", "use performance counters", false},
    {"init_module", "load a kernel module", false},
    {"finit_module", "load a kernel module", false},
    {"keyctl", "use the kernel's keyrings", false},
    {"add_key", "use the kernel's keyrings", false},
    {"reboot", "restart the machine", false},
    {"sethostname", "rename the machine", false},
    {"settimeofday", "set the clock", false},
    {"clock_settime", "set the clock", false},
    {"syslog", "read the kernel's log", false},
    {"ioctl", "type into the terminal", false},
};

/* Calls that change attributes. The filter refuses them where a profile that
 * only reads has no read-only mounts. */
static const struct denied_call attribute_rows[] = {
    {"chmod", "change the mode of a file", false},
    {"fchmod", "change the mode of a file", false},
    {"fchmodat", "change the mode of a file", false},
    {"chown", "change the owner of a file", false},
    {"fchown", "change the owner of a file", false},
    {"lchown", "change the owner of a file", false},
    {"fchownat", "change the owner of a file", false},
    {"utime", "change the times of a file", false},
    {"utimes", "change the times of a file", false},
    {"futimesat", "change the times of a file", false},
    {"utimensat", "change the times of a file", false},
    {"setxattr", "change the attributes of a file", false},
    {"lsetxattr", "change the attributes of a file", false},
    {"fsetxattr", "change the attributes of a file", false},
    {"removexattr", "change the attributes of a file", false},
    {"lremovexattr", "change the attributes of a file", false},
    {"fremovexattr", "change the attributes of a file", false},
};

struct denial {
    const struct guard_finding *f;
    const struct denial_run *ran;
    const struct path_context *where;
    struct denial_remedy *remedy;
    struct buf *out;
};

static void
append_path_short(struct buf *out, const char *path, const char *home)
{
    char text[PATH_MAX];

    escape_str(out, NULL, path_short(path, home, text), ESCAPE_LINES);
}

static bool
profile_writes_here(enum profile p)
{
    return p == PROFILE_WORKSPACE_WRITE || p == PROFILE_PREVIEW ||
           p == PROFILE_REDUCED || p == PROFILE_PLUGIN;
}

/* Says in which directories the step could write. */
static void
add_writable_places(struct denial *d)
{
    const struct denial_run *ran = d->ran;
    bool workspace = ran->workspace && profile_writes_here(ran->profile);
    size_t n = ran->n_writable + workspace;

    if (n == 0 || ran->copy_of) {
        buf_str(d->out, ran->copy_of ? "only the copy is writable"
                                     : "nothing is writable");
        return;
    }
    buf_str(d->out, "only ");
    if (workspace)
        append_path_short(d->out, ran->workspace, d->where->home);
    for (size_t i = 0; i < ran->n_writable; i++) {
        buf_str(d->out, i > 0 || workspace ? ", " : "");
        append_path_short(d->out, ran->writable[i], d->where->home);
    }
    buf_str(d->out, n == 1 ? " is writable" : " are writable");
}

static bool
could_write(const struct denial *d, const char *path)
{
    const struct denial_run *ran = d->ran;

    if (path_is_sink(path))
        return true;
    for (size_t i = 0; i < ran->n_writable; i++)
        if (path_is_below(path, ran->writable[i]))
            return true;
    return ran->workspace && profile_writes_here(ran->profile) &&
           path_is_below(path, ran->workspace) && !path_runs_later(path);
}

static bool
could_read(const struct denial *d, const char *path)
{
    const char *home = d->where->home;

    if (d->ran->workspace && path_is_below(path, d->ran->workspace))
        return true;
    if (secret_is_hidden(path, home))
        return false;
    return d->ran->profile == PROFILE_OBSERVE ||
           d->ran->profile == PROFILE_OBSERVE_PROC ||
           !path_is_hidden(path, home);
}

static void
begin_denial_line(struct denial *d)
{
    buf_str(d->out, "blocked: ");
}

static void
add_profile(struct denial *d)
{
    enum profile p = d->ran->profile;
    bool expected = !d->ran->reduced || p == PROFILE_REDUCED;

    buf_printf(d->out, " (profile %s%s: ", profile_row(p)->name,
               expected ? "" : ", reduced");
}

static const char advice_full[] =
    "run it in the profile full, after checking what it does";

static const char *
advice_workspace(const struct denial *d)
{
    return d->ran->reduced ? "run it in the profile reduced"
                           : "run it in the profile workspace-write";
}

/* Ends the line with what to do, unless the caller asks that next. It never
 * asks to run without a sandbox. */
static void
end_denial_line(struct denial *d, const char *todo)
{
    enum denial_remedy_kind kind = d->remedy->kind;

    buf_str(d->out, ")");
    if (!d->ran->asks_next || kind == DENIAL_REMEDY_NONE ||
        kind == DENIAL_REMEDY_FULL)
        buf_printf(d->out, "; %s", todo);
}

static void
set_remedy(struct denial *d, enum denial_remedy_kind kind)
{
    d->remedy->kind = kind;
}

bool
denial_remedy_write(struct denial_remedy *remedy, const char *dir,
                    const struct path_context *where)
{
    struct stat st;

    if (lstat(dir, &st) < 0 || !S_ISDIR(st.st_mode) ||
        !profile_find_writable_dir(dir, where, true, true, remedy->path))
        return false;
    remedy->kind = DENIAL_REMEDY_WRITE;
    remedy->dev = st.st_dev;
    remedy->ino = st.st_ino;
    return true;
}

bool
denial_remedy_fits(enum denial_remedy_kind kind, enum profile p, bool net)
{
    bool works = p == PROFILE_WORKSPACE_WRITE || p == PROFILE_REDUCED;

    switch (kind) {
    case DENIAL_REMEDY_WRITE:
        return works || p == PROFILE_OBSERVE;
    case DENIAL_REMEDY_READ:
    case DENIAL_REMEDY_NET:
        return works && !net;
    case DENIAL_REMEDY_FULL:
        return p != PROFILE_FULL && p != PROFILE_PREVIEW;
    default:
        return false;
    }
}

/* Whether the step can be given the remedy. After an approval, a step that ran
 * without one runs in the profile it had before profile_auto_approved
 * restricted it. */
static bool
can_have(const struct denial *d, enum denial_remedy_kind kind)
{
    enum profile p = d->ran->profile;

    if (d->ran->auto_approved && p == PROFILE_READ_ONLY)
        p = PROFILE_WORKSPACE_WRITE;
    return denial_remedy_fits(kind, p, d->ran->net);
}

/* Finds the directory that would have to be writable: the person may write
 * there, and a profile can make it writable. */
static bool
find_writable_dir(struct denial *d, const char *path, bool itself)
{
    char dir[PATH_MAX], real[PATH_MAX];

    return profile_find_writable_dir(path, d->where, itself, true, dir) &&
           realpath(dir, real) &&
           denial_remedy_write(d->remedy, real, d->where) &&
           access(real, W_OK) == 0;
}

/* With an approval the workspace would have been writable. */
static bool
lacks_approval(const struct denial *d, const char *path)
{
    return d->ran->auto_approved && d->ran->workspace &&
           path_is_below(path, d->ran->workspace) && !path_runs_later(path);
}

static void
find_remedy(struct denial *d, const char *path, bool write, bool itself)
{
    if (write && lacks_approval(d, path))
        set_remedy(d, DENIAL_REMEDY_APPROVAL);
    else if (!write && can_have(d, DENIAL_REMEDY_READ) &&
             !secret_is_hidden(path, d->where->home))
        set_remedy(d, DENIAL_REMEDY_READ);
    else if (write && !path_runs_later(path) &&
             can_have(d, DENIAL_REMEDY_WRITE) &&
             find_writable_dir(d, path, itself))
        set_remedy(d, DENIAL_REMEDY_WRITE);
    else
        set_remedy(d, DENIAL_REMEDY_FULL);
    if (d->remedy->kind != DENIAL_REMEDY_WRITE)
        d->remedy->path[0] = '\0';
}

/* What to do about a path that was denied. */
static const char *
denial_advice(const struct denial *d, const char *path, bool write)
{
    const struct denial_run *ran = d->ran;

    if (ran->copy_of && path_is_below(path, ran->copy_of))
        return "name it from the working directory, not by its full path";
    if (write && ran->workspace && !profile_writes_here(ran->profile) &&
        path_is_below(path, ran->workspace))
        return advice_workspace(d);
    return advice_full;
}

static void
explain_denied_path(struct denial *d, const char *path, bool write)
{
    begin_denial_line(d);
    buf_str(d->out, write ? "write " : "read ");
    append_path_short(d->out, path, d->where->home);
    add_profile(d);
    if (write && d->ran->workspace && path_is_below(path, d->ran->workspace) &&
        path_runs_later(path))
        buf_str(d->out, "files that are run or trusted later are read-only");
    else if (write)
        add_writable_places(d);
    else if (secret_is_hidden(path, d->where->home))
        buf_str(d->out, "keys are hidden");
    else
        buf_str(d->out, "home directories are hidden");
    end_denial_line(d, denial_advice(d, path, write));
}

static bool
explain_path(struct denial *d, const struct risk_path *p)
{
    char path[PATH_MAX];
    bool cut, write = p->use != RISK_READS;

    /* the line may only add the files that it names */
    if (write && d->ran->auto_approved)
        return false;
    if (!p->known || !path_absolute(p->text, p->dir, d->where, path, &cut) ||
        (write ? could_write(d, path) : could_read(d, path)))
        return false;
    find_remedy(d, path, write, cut || p->use != RISK_DELETES);
    explain_denied_path(d, path, write);
    return true;
}

/* Removes the last component. */
static void
to_parent(char path[PATH_MAX])
{
    char *slash = strrchr(path, '/');

    slash[slash == path ? 1 : 0] = '\0';
}

/* Whether the person could read the path, or would see that it does not
 * exist. */
static bool
person_can_read(const char *path)
{
    char dir[PATH_MAX];

    if (access(path, F_OK) == 0)
        return access(path, R_OK) == 0;
    snprintf(dir, sizeof(dir), "%s", path);
    to_parent(dir);
    return access(dir, R_OK | X_OK) == 0;
}

/* Whether the person could change or create the path. */
static bool
person_can_write(const char *path)
{
    char at[PATH_MAX];

    snprintf(at, sizeof(at), "%s", path);
    while (access(at, F_OK) < 0 && at[1])
        to_parent(at);
    return access(at, W_OK) == 0;
}

/* Landlock reports a denied read and a denied write by the same error. But it
 * does not hide whether a name exists; so a name that is missing, and a file
 * that may be read, was to be written. The machine's /tmp is neither readable
 * then nor opened by an approval. */
static bool
is_write_denied(const struct denial *d, const struct denied_path *p,
                const char *path)
{
    const struct denial_run *ran = d->ran;
    bool reduced = ran->reduced || ran->profile == PROFILE_REDUCED;

    if (p->how != DENIED_ACCESS || !reduced)
        return p->how == DENIED_WRITE;
    if (path_is_temporary(path) && !path_is_hidden(path, d->where->home))
        return false;
    if (access(path, F_OK) < 0 && errno == ENOENT)
        return true;
    return could_read(d, path);
}

/* Whether the sandbox explains the report, and nothing else does. *write: the
 * path was to be changed, or created where it cannot be seen. With mounts, an
 * access that was denied may have been of either kind. */
static bool
is_denied_by_sandbox(struct denial *d, const struct denied_path *p,
                     const char *path, bool *write)
{
    *write = is_write_denied(d, p, path) ||
             (p->how == DENIED_MISSING && can_have(d, DENIAL_REMEDY_WRITE) &&
              access(path, F_OK) < 0 && person_can_write(path));
    return *write ? !could_write(d, path) && person_can_write(path) &&
                        (p->how != DENIED_MISSING || !could_read(d, path))
                  : !could_read(d, path) && person_can_read(path);
}

/* Explains the path that the step reported as denied. */
static bool
explain_report(struct denial *d)
{
    struct denied_path p;
    char path[PATH_MAX];
    size_t at = 0;
    bool cut, write;

    while (d->ran->stderr_text &&
           next_denied_path(d->ran->stderr_text, d->ran->stderr_len, &at, &p)) {
        if (!path_absolute(p.text, d->where->cwd, d->where, path, &cut) ||
            cut || !is_denied_by_sandbox(d, &p, path, &write))
            continue;
        find_remedy(d, path, write, false);
        if (d->remedy->kind == DENIAL_REMEDY_FULL) {
            set_remedy(d, DENIAL_REMEDY_NONE);
            continue;
        }
        explain_denied_path(d, path, write);
        return true;
    }
    return false;
}

/* Some profiles cannot have the network. */
static const char *
advice_net(const struct denial *d)
{
    return profile_writes_here(d->ran->profile)
               ? "run it with the network on (--net)"
               : "run it in workspace-write with the network on (--net)";
}

static bool
explain_net(struct denial *d)
{
    const struct risk *r = &d->f->risk;

    begin_denial_line(d);
    if (r->n_hosts > 0 && r->hosts[0].name[0]) {
        buf_str(d->out, "contact ");
        escape_str(d->out, NULL, r->hosts[0].name, ESCAPE_LINES);
    } else {
        buf_str(d->out, "open a connection");
    }
    add_profile(d);
    buf_printf(d->out, "%s",
               d->ran->net ? "only internet connections are open"
                           : "the network is off");
    set_remedy(d, can_have(d, DENIAL_REMEDY_NET) ? DENIAL_REMEDY_NET
                                                 : DENIAL_REMEDY_FULL);
    end_denial_line(d, d->ran->net ? advice_full : advice_net(d));
    return true;
}

static bool
explain_attribute(struct denial *d, const char *call)
{
    if (profile_writes_here(d->ran->profile))
        return false;
    for (size_t i = 0; i < ARRAY_SIZE(attribute_rows); i++) {
        if (strcmp(attribute_rows[i].call, call) != 0)
            continue;
        set_remedy(d, d->ran->auto_approved ? DENIAL_REMEDY_APPROVAL
                                            : DENIAL_REMEDY_NONE);
        begin_denial_line(d);
        buf_str(d->out, attribute_rows[i].what);
        add_profile(d);
        add_writable_places(d);
        end_denial_line(d, advice_workspace(d));
        return true;
    }
    return false;
}

static bool
explain_call(struct denial *d, const char *call)
{
    set_remedy(d, DENIAL_REMEDY_FULL);
    if (explain_attribute(d, call))
        return true;
    for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
        if (strcmp(rows[i].call, call) != 0)
            continue;
        if (rows[i].net)
            return explain_net(d);
        begin_denial_line(d);
        buf_str(d->out, rows[i].what);
        add_profile(d);
        buf_printf(d->out, "%s is refused", call);
        end_denial_line(d, advice_full);
        return true;
    }
    begin_denial_line(d);
    buf_str(d->out, "the system call ");
    escape_str(d->out, NULL, call, ESCAPE_LINES);
    add_profile(d);
    buf_str(d->out, "it is refused");
    end_denial_line(d, advice_full);
    return true;
}

bool
denial_explain(const struct guard_finding *f, const struct denial_run *ran,
               const struct path_context *where, struct denial_remedy *remedy,
               struct buf *out)
{
    struct denial_remedy unwanted;
    struct denial d = {f, ran, where, remedy ? remedy : &unwanted, out};
    const struct risk *r = &f->risk;

    *d.remedy = (struct denial_remedy){.kind = DENIAL_REMEDY_NONE};
    if (ran->profile == PROFILE_FULL)
        return false;
    if (r->facts & RISK_SUDO) {
        begin_denial_line(&d);
        buf_str(out, "become another user");
        add_profile(&d);
        buf_str(out, "sudo does not work in the sandbox");
        end_denial_line(&d, advice_full);
        return true;
    }
    for (size_t i = 0; i < r->n_paths; i++)
        if (explain_path(&d, &r->paths[i]))
            return true;
    if (explain_report(&d))
        return true;
    if (ran->n_calls > 0)
        return explain_call(&d, ran->calls[0]);
    if (!ran->net && ((r->facts & RISK_NETWORK) || r->n_hosts > 0))
        return explain_net(&d);
    return false;
}
