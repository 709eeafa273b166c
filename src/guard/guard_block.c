/* SPDX-License-Identifier: GPL-3.0-or-later */
/* guard_block.c - what the walls refused, after a step failed behind them. */
#include "guard/guard_block.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/path.h"
#include "guard/denied_path.h"
#include "guard/path/path_absolute.h"
#include "guard/path/path_table.h"
#include "guard/path/secret.h"
#include "guard/profile_dir.h"
#include "term/escape.h"

#define N_OF(array) (sizeof(array) / sizeof((array)[0]))

/* What a refused call means to a person. */
struct call_row {
    const char *call;
    const char *what;
    bool net; /* the network would serve it */
};

static const struct call_row rows[] = {
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

/* What only looks, and has no mounts to keep files as they are. */
static const struct call_row attribute_rows[] = {
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

struct block {
    const struct guard_finding *f;
    const struct guard_block *ran;
    const struct risk_place *where;
    struct guard_gain *gain;
    struct buf *out;
};

static void
add_path(struct buf *out, const char *path, const char *home)
{
    char text[PATH_MAX];

    escape_str(out, NULL, path_short(path, home, text), ESCAPE_LINES);
}

static bool
writes_workspace(enum profile p)
{
    return p == PROFILE_WORKSPACE_WRITE || p == PROFILE_PREVIEW ||
           p == PROFILE_REDUCED || p == PROFILE_PLUGIN;
}

/* Which directories the step could write in. */
static void
add_writable(struct block *b)
{
    const struct guard_block *ran = b->ran;
    bool workspace = ran->workspace && writes_workspace(ran->profile);
    size_t n = ran->n_writable + workspace;

    if (n == 0 || ran->copy_of) {
        buf_str(b->out, ran->copy_of ? "only the copy is writable"
                                     : "nothing is writable");
        return;
    }
    buf_str(b->out, "only ");
    if (workspace)
        add_path(b->out, ran->workspace, b->where->home);
    for (size_t i = 0; i < ran->n_writable; i++) {
        buf_str(b->out, i + workspace ? ", " : "");
        add_path(b->out, ran->writable[i], b->where->home);
    }
    buf_str(b->out, n == 1 ? " is writable" : " are writable");
}

static bool
could_write(const struct block *b, const char *path)
{
    const struct guard_block *ran = b->ran;

    if (path_is_sink(path))
        return true;
    for (size_t i = 0; i < ran->n_writable; i++)
        if (path_is_below(path, ran->writable[i]))
            return true;
    return ran->workspace && writes_workspace(ran->profile) &&
           path_is_below(path, ran->workspace) && !path_runs_later(path);
}

static bool
could_read(const struct block *b, const char *path)
{
    const char *home = b->where->home;

    if (b->ran->workspace && path_is_below(path, b->ran->workspace))
        return true;
    if (secret_is_key_of(path, home))
        return false;
    return b->ran->profile == PROFILE_OBSERVE ||
           b->ran->profile == PROFILE_OBSERVE_PROC ||
           !path_is_hidden(path, home);
}

static void
begin_line(struct block *b)
{
    buf_str(b->out, "blocked: ");
}

static void
add_profile(struct block *b)
{
    enum profile p = b->ran->profile;
    bool said = !b->ran->reduced || p == PROFILE_REDUCED;

    buf_printf(b->out, " (profile %s%s: ", profile_row(p)->name,
               said ? "" : ", reduced");
}

static const char in_full[] =
    "run it in the profile full, after checking what it does";

static const char *
in_workspace(const struct block *b)
{
    return b->ran->reduced ? "run it in the profile reduced"
                           : "run it in the profile workspace-write";
}

/* Ends the line: what to do, unless that is asked next, which it is of all
 * but to go without a sandbox. */
static void
end_line(struct block *b, const char *todo)
{
    enum guard_gain_kind kind = b->gain->kind;

    buf_str(b->out, ")");
    if (!b->ran->asks || kind == GUARD_GAIN_NONE || kind == GUARD_GAIN_FULL)
        buf_printf(b->out, "; %s", todo);
}

static void
set_gain(struct block *b, enum guard_gain_kind kind)
{
    b->gain->kind = kind;
}

bool
guard_gain_write(struct guard_gain *gain, const char *dir,
                 const struct risk_place *where)
{
    struct stat st;

    if (lstat(dir, &st) < 0 || !S_ISDIR(st.st_mode) ||
        !profile_dir_find(dir, where, true, true, gain->path))
        return false;
    gain->kind = GUARD_GAIN_WRITE;
    gain->dev = st.st_dev;
    gain->ino = st.st_ino;
    return true;
}

bool
guard_gain_fits(enum guard_gain_kind kind, enum profile p, bool net)
{
    bool works = p == PROFILE_WORKSPACE_WRITE || p == PROFILE_REDUCED;

    switch (kind) {
    case GUARD_GAIN_WRITE:
        return works || p == PROFILE_OBSERVE;
    case GUARD_GAIN_READ:
    case GUARD_GAIN_NET:
        return works && !net;
    case GUARD_GAIN_FULL:
        return p != PROFILE_FULL && p != PROFILE_PREVIEW;
    default:
        return false;
    }
}

/* What it could be given: what ran unasked runs in another profile after a
 * yes, that of profile_unasked before it took the right to write. */
static bool
can_gain(const struct block *b, enum guard_gain_kind kind)
{
    enum profile p = b->ran->profile;

    if (b->ran->unasked && p == PROFILE_READ_ONLY)
        p = PROFILE_WORKSPACE_WRITE;
    return guard_gain_fits(kind, p, b->ran->net);
}

/* The directory that would have to be writable, where the person may write
 * there and a profile can make it so. */
static bool
find_dir(struct block *b, const char *path, bool itself)
{
    char dir[PATH_MAX], real[PATH_MAX];

    return profile_dir_find(path, b->where, itself, true, dir) &&
           realpath(dir, real) && guard_gain_write(b->gain, real, b->where) &&
           access(real, W_OK) == 0;
}

/* After a yes the workspace would be writable, which it was not. */
static bool
lacks_yes(const struct block *b, const char *path)
{
    return b->ran->unasked && b->ran->workspace &&
           path_is_below(path, b->ran->workspace) && !path_runs_later(path);
}

static void
gain_path(struct block *b, const char *path, bool write, bool itself)
{
    if (write && lacks_yes(b, path))
        set_gain(b, GUARD_GAIN_ASKED);
    else if (!write && can_gain(b, GUARD_GAIN_READ) &&
             !secret_is_key_of(path, b->where->home))
        set_gain(b, GUARD_GAIN_READ);
    else if (write && !path_runs_later(path) && can_gain(b, GUARD_GAIN_WRITE) &&
             find_dir(b, path, itself))
        set_gain(b, GUARD_GAIN_WRITE);
    else
        set_gain(b, GUARD_GAIN_FULL);
    if (b->gain->kind != GUARD_GAIN_WRITE)
        b->gain->path[0] = '\0';
}

/* What to do about a path that was closed. */
static const char *
todo_of(const struct block *b, const char *path, bool write)
{
    const struct guard_block *ran = b->ran;

    if (ran->copy_of && path_is_below(path, ran->copy_of))
        return "name it from the working directory, not by its full path";
    if (write && ran->workspace && !writes_workspace(ran->profile) &&
        path_is_below(path, ran->workspace))
        return in_workspace(b);
    return in_full;
}

static void
put_path(struct block *b, const char *path, bool write)
{
    begin_line(b);
    buf_str(b->out, write ? "write " : "read ");
    add_path(b->out, path, b->where->home);
    add_profile(b);
    if (write && b->ran->workspace && path_is_below(path, b->ran->workspace) &&
        path_runs_later(path))
        buf_str(b->out, "files that are run or trusted later are read-only");
    else if (write)
        add_writable(b);
    else if (secret_is_key_of(path, b->where->home))
        buf_str(b->out, "keys are hidden");
    else
        buf_str(b->out, "home directories are hidden");
    end_line(b, todo_of(b, path, write));
}

static bool
explain_path(struct block *b, const struct risk_path *p)
{
    char path[PATH_MAX];
    bool cut, write = p->use != RISK_READS;

    if (write && b->ran->unasked) /* it may add what the line names */
        return false;
    if (!p->known || !path_absolute(p->text, p->dir, b->where, path, &cut) ||
        (write ? could_write(b, path) : could_read(b, path)))
        return false;
    gain_path(b, path, write, cut || p->use != RISK_DELETES);
    put_path(b, path, write);
    return true;
}

/* Makes it the directory above. */
static void
to_parent(char path[PATH_MAX])
{
    char *slash = strrchr(path, '/');

    slash[slash == path ? 1 : 0] = '\0';
}

/* Whether the person could read it, or would see that it is not there. */
static bool
person_reads(const char *path)
{
    char dir[PATH_MAX];

    if (access(path, F_OK) == 0)
        return access(path, R_OK) == 0;
    snprintf(dir, sizeof(dir), "%s", path);
    to_parent(dir);
    return access(dir, R_OK | X_OK) == 0;
}

/* Whether the person could change or make it. */
static bool
person_writes(const char *path)
{
    char at[PATH_MAX];

    snprintf(at, sizeof(at), "%s", path);
    while (access(at, F_OK) < 0 && at[1])
        to_parent(at);
    return access(at, W_OK) == 0;
}

/* Without mounts a wall says the same of what is written as of what is read.
 * But it lets everybody look for a name that is not there, and what may be read
 * was to be written. The machine's /tmp is neither read nor opened by a yes. */
static bool
is_write_denied(const struct block *b, const struct denied_path *p,
                const char *path)
{
    const struct guard_block *ran = b->ran;
    bool reduced = ran->reduced || ran->profile == PROFILE_REDUCED;

    if (p->how != DENIED_ACCESS || !reduced)
        return p->how == DENIED_WRITE;
    if (path_is_temporary(path) && !path_is_hidden(path, b->where->home))
        return false;
    if (access(path, F_OK) < 0 && errno == ENOENT)
        return true;
    return could_read(b, path);
}

/* Whether a wall explains what the step said, and nothing else does. *write:
 * it was to be changed, or made where it cannot be seen; of what may not be
 * accessed nobody knows which way, but without mounts. */
static bool
is_walled(struct block *b, const struct denied_path *p, const char *path,
          bool *write)
{
    *write = is_write_denied(b, p, path) ||
             (p->how == DENIED_MISSING && can_gain(b, GUARD_GAIN_WRITE) &&
              access(path, F_OK) < 0 && person_writes(path));
    return *write ? !could_write(b, path) && person_writes(path) &&
                        (p->how != DENIED_MISSING || !could_read(b, path))
                  : !could_read(b, path) && person_reads(path);
}

/* What the step said it was denied. */
static bool
explain_said(struct block *b)
{
    struct denied_path p;
    char path[PATH_MAX];
    size_t at = 0;
    bool cut, write;

    while (b->ran->said &&
           denied_path_next(b->ran->said, b->ran->n_said, &at, &p)) {
        if (!path_absolute(p.text, b->where->cwd, b->where, path, &cut) ||
            cut || !is_walled(b, &p, path, &write))
            continue;
        gain_path(b, path, write, false);
        if (b->gain->kind == GUARD_GAIN_FULL) {
            set_gain(b, GUARD_GAIN_NONE);
            continue;
        }
        put_path(b, path, write);
        return true;
    }
    return false;
}

/* Not every profile can have it. */
static const char *
with_net(const struct block *b)
{
    return writes_workspace(b->ran->profile)
               ? "run it with the network on (--net)"
               : "run it in workspace-write with the network on (--net)";
}

static bool
explain_net(struct block *b)
{
    const struct risk *r = &b->f->risk;

    begin_line(b);
    if (r->n_hosts > 0 && r->hosts[0].name[0]) {
        buf_str(b->out, "contact ");
        escape_str(b->out, NULL, r->hosts[0].name, ESCAPE_LINES);
    } else {
        buf_str(b->out, "open a connection");
    }
    add_profile(b);
    buf_printf(b->out, "%s",
               b->ran->net ? "only internet connections are open"
                           : "the network is off");
    set_gain(b, can_gain(b, GUARD_GAIN_NET) ? GUARD_GAIN_NET : GUARD_GAIN_FULL);
    end_line(b, b->ran->net ? in_full : with_net(b));
    return true;
}

static bool
explain_attribute(struct block *b, const char *call)
{
    if (writes_workspace(b->ran->profile))
        return false;
    for (size_t i = 0; i < N_OF(attribute_rows); i++) {
        if (strcmp(attribute_rows[i].call, call) != 0)
            continue;
        set_gain(b, b->ran->unasked ? GUARD_GAIN_ASKED : GUARD_GAIN_NONE);
        begin_line(b);
        buf_str(b->out, attribute_rows[i].what);
        add_profile(b);
        add_writable(b);
        end_line(b, in_workspace(b));
        return true;
    }
    return false;
}

static bool
explain_call(struct block *b, const char *call)
{
    set_gain(b, GUARD_GAIN_FULL);
    if (explain_attribute(b, call))
        return true;
    for (size_t i = 0; i < N_OF(rows); i++) {
        if (strcmp(rows[i].call, call) != 0)
            continue;
        if (rows[i].net)
            return explain_net(b);
        begin_line(b);
        buf_str(b->out, rows[i].what);
        add_profile(b);
        buf_printf(b->out, "%s is refused", call);
        end_line(b, in_full);
        return true;
    }
    begin_line(b);
    buf_str(b->out, "the system call ");
    escape_str(b->out, NULL, call, ESCAPE_LINES);
    add_profile(b);
    buf_str(b->out, "it is refused");
    end_line(b, in_full);
    return true;
}

bool
guard_explain_block(const struct guard_finding *f,
                    const struct guard_block *ran,
                    const struct risk_place *where, struct guard_gain *gain,
                    struct buf *out)
{
    struct guard_gain unwanted;
    struct block b = {f, ran, where, gain ? gain : &unwanted, out};
    const struct risk *r = &f->risk;

    *b.gain = (struct guard_gain){.kind = GUARD_GAIN_NONE};
    if (ran->profile == PROFILE_FULL)
        return false;
    if (r->facts & RISK_SUDO) {
        begin_line(&b);
        buf_str(out, "become another user");
        add_profile(&b);
        buf_str(out, "sudo does not work in the sandbox");
        end_line(&b, in_full);
        return true;
    }
    for (size_t i = 0; i < r->n_paths; i++)
        if (explain_path(&b, &r->paths[i]))
            return true;
    if (explain_said(&b))
        return true;
    if (ran->n_refused > 0)
        return explain_call(&b, ran->refused[0]);
    if (!ran->net && ((r->facts & RISK_NETWORK) || r->n_hosts > 0))
        return explain_net(&b);
    return false;
}
