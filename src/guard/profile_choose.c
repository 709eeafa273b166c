/* SPDX-License-Identifier: GPL-3.0-or-later */
/* profile_choose.c - the strictest profile that can do a line's work. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/path.h"
#include "guard/path/path_absolute.h"
#include "guard/path/path_table.h"
#include "guard/path/secret.h"
#include "guard/profile.h"
#include "guard/profile_dir.h"
#include "guard/profile_keys.h"
#include "guard/profile_programs.h"

#define USES_KEYS " uses your keys"

/* What was found out about a line. */
struct need {
    const struct risk *r;
    const struct risk_place *where;
    const char *workspace; /* NULL: none */
    struct profile_choice *out;
    bool looks;   /* at the machine, or at what is hidden */
    bool writes;  /* in the workspace, or nobody knows where */
    bool full;    /* out->why says why */
    bool reader;  /* only its first call is one, and reads alone */
    bool no_room; /* no memory */
};

/* The first reason stays. A long path is cut: the review has it whole. */
static void
say_why(struct need *n, const char *before, const char *what, const char *after)
{
    if (!n->out->why[0])
        snprintf(n->out->why, sizeof(n->out->why), "%s%.90s%s", before, what,
                 after);
}

static void
need_full(struct need *n, const char *before, const char *what,
          const char *after)
{
    if (n->full)
        return;
    n->full = true;
    n->out->why[0] = '\0';
    say_why(n, before, what, after);
}

/* Appends to a list of the choice, unless it has one that the path is below.
 * False: the list is full. */
static bool
add_path(struct need *n, char *list[PROFILE_DIRS_MAX], size_t *count,
         const char *path)
{
    for (size_t i = 0; i < *count; i++)
        if (path_is_below(path, list[i]))
            return true;
    if (*count == PROFILE_DIRS_MAX)
        return false;
    list[*count] = strdup(path);
    if (list[*count])
        ++*count;
    else
        n->no_room = true;
    return true;
}

static void
add_dir(struct need *n, const char *dir)
{
    if (!add_path(n, n->out->writable, &n->out->n_writable, dir))
        need_full(n, "writes in many directories", "", "");
}

/* A file of the machine's /tmp is seen, and no more, in the private one. */
static void
add_readable(struct need *n, const char *path)
{
    struct stat st;

    if (lstat(path, &st) == 0 &&
        !add_path(n, n->out->readable, &n->out->n_readable, path))
        need_full(n, "reads many files of /tmp", "", "");
}

/* The path for a person; where it is cut off, as it stands in the line. */
static const char *
shown(const struct need *n, const struct risk_path *p, const char *path,
      bool cut, char out[PATH_MAX])
{
    return cut ? p->text : path_short(path, n->where->home, out);
}

/* A file outside the workspace becomes reachable by its directory. */
static void
reach(struct need *n, const struct risk_path *p, const char *path, bool cut)
{
    char dir[PATH_MAX], text[PATH_MAX];

    if (!profile_dir_find(path, n->where, cut || p->use != RISK_DELETES,
                          p->use != RISK_READS, dir))
        need_full(n, "writes ", shown(n, p, path, cut, text), "");
    else
        add_dir(n, dir);
}

static void
judge_read(struct need *n, const struct risk_path *p, const char *path,
           bool cut)
{
    const char *home = n->where->home;
    char text[PATH_MAX];

    if (secret_behind_home(path, home) && secret_is_path(path, n->where)) {
        need_full(n, "reads ", shown(n, p, path, cut, text),
                  ", which other profiles hide");
    } else if (path_is_hidden(path, home) ||
               (p->recursive && path_holds_hidden(path, home))) {
        n->looks = true;
        say_why(n, "reads ", shown(n, p, path, cut, text), "");
    } else if (path_is_temporary(path)) {
        add_readable(n, path);
    }
}

static void
judge_write(struct need *n, const struct risk_path *p, const char *path,
            bool cut)
{
    const char *home = n->where->home;
    char text[PATH_MAX];

    if (path_is_temporary(path) && !(home && path_is_below(path, home)))
        reach(n, p, path, cut);
    else if (n->workspace || !home || !path_is_below(path, home))
        need_full(n, "writes ", shown(n, p, path, cut, text),
                  n->workspace ? ", outside the workspace" : "");
    else
        reach(n, p, path, cut);
}

/* A name that is known only when it runs lies where the line has gone to:
 * cd ~/x && mv "$f" "$kind". */
static void
judge_unknown_write(struct need *n, const struct risk_path *p)
{
    char path[PATH_MAX];
    bool cut;

    n->writes = true;
    if (p->dir && path_absolute(p->dir, n->where->cwd, n->where, path, &cut) &&
        !(n->workspace && path_is_below(path, n->workspace)))
        judge_write(n, p, path, true);
}

static void
judge_path(struct need *n, const struct risk_path *p)
{
    char path[PATH_MAX], text[PATH_MAX];
    bool cut, write = p->use != RISK_READS;

    if (!p->known || !path_absolute(p->text, p->dir, n->where, path, &cut)) {
        if (write)
            judge_unknown_write(n, p);
        return;
    }
    if (path_is_sink(path))
        return;
    if (n->workspace && path_is_below(path, n->workspace)) {
        n->writes |= write;
        if (write && path_runs_later(path))
            need_full(n, "writes ", path_short(path, n->where->home, text),
                      ", which is run or trusted later");
    } else if (write) {
        judge_write(n, p, path, cut);
    } else {
        judge_read(n, p, path, cut);
    }
}

/* Its answer is whether something is there. */
static bool
is_test(const struct risk_call *c)
{
    return strcmp(c->name, "test") == 0 || strcmp(c->name, "[") == 0;
}

/* The program itself, and any word that names what is there: git -C ~/x,
 * [ -d ~/x ]. workspace-write would show an emptied directory in its place,
 * and every confined profile one in that of a secret. asks: the call may find
 * that nothing is there, and must be right. */
static void
judge_word(struct need *n, const char *word, bool program, bool asks)
{
    struct risk_path p = {.use = RISK_READS, .text = word};
    const char *home = n->where->home;
    char path[PATH_MAX], text[PATH_MAX];
    bool cut, there;

    if (!path_absolute(word, n->where->cwd, n->where, path, &cut) ||
        (n->workspace && path_is_below(path, n->workspace)))
        return;
    there = asks || access(path, F_OK) == 0;
    if (there && secret_behind_home(path, home) &&
        secret_is_path(path, n->where)) {
        need_full(n, program ? "runs " : "reads ",
                  shown(n, &p, path, cut, text), ", which other profiles hide");
    } else if (there && path_is_hidden(path, home)) {
        n->looks = true;
        say_why(n, program ? "runs " : "reads ", shown(n, &p, path, cut, text),
                "");
    } else if (path_is_temporary(path)) {
        add_readable(n, path);
    }
}

/* The part of a word that may be a path: all of it, or what follows a =. */
static const char *
path_in(const char *word)
{
    const char *equals = strchr(word, '=');

    if (strchr("/~$", word[0]) || strncmp(word, "..", 2) == 0)
        return word[0] ? word : NULL;
    return equals && equals[1] == '/' ? equals + 1 : NULL;
}

static void
judge_call(struct need *n, const struct risk_call *c)
{
    const char *why = profile_name_needs_full(c->name);
    bool asks = is_test(c);

    if (why)
        need_full(n, c->name, " ", why);
    else if (profile_call_uses_keys(c, n->r, n->where))
        need_full(n, c->name, USES_KEYS, "");
    else if (profile_call_sets_ids(c))
        need_full(n, c->name, " sets setuid or setgid", "");
    if (profile_program_looks(c)) {
        n->looks = true;
        say_why(n, "inspects the machine", "", "");
    }
    if (c->path)
        judge_word(n, c->path, true, false);
    if (strcmp(c->name, "cd") == 0 || strcmp(c->name, "pushd") == 0)
        judge_word(n, c->n > 1 ? c->argv[c->n - 1] : "~", false, false);
    n->writes |= (c->facts & (RISK_UNKNOWN | RISK_OPAQUE)) != 0;
    for (size_t i = 1; i < c->n; i++)
        if (path_in(c->argv[i]))
            judge_word(n, path_in(c->argv[i]), false, asks);
}

/* Nothing is written, and nothing contacted. */
static bool
only_reads(const struct need *n)
{
    return !n->writes && n->out->n_writable == 0 && !n->out->net;
}

static bool
some_call(const struct need *n, unsigned facts)
{
    for (size_t i = 0; i < n->r->n_calls; i++)
        if (n->r->calls[i].facts & facts)
            return true;
    return false;
}

/* What takes the rest of the line elsewhere is no call of it: ssh host ls, and
 * what a container's program contacts. */
static void
judge_carriers(struct need *n)
{
    const char *carrier = profile_carrier_with_keys(n->r);

    if (carrier)
        need_full(n, carrier, USES_KEYS, "");
    for (size_t i = 0; i < n->r->n_reasons; i++) {
        const struct risk_reason *r = &n->r->reasons[i];
        const char *why = profile_name_needs_full(r->program);

        if (why && r->fact == RISK_NETWORK)
            need_full(n, r->program, " ", why);
    }
}

static void
judge_facts(struct need *n)
{
    const struct risk *r = n->r;
    bool wrote = false;

    if (r->facts & RISK_SUDO)
        need_full(n, "uses sudo", "", "");
    else if (r->facts & RISK_PRIVILEGED)
        need_full(n, "needs root", "", "");
    else if (r->facts & RISK_ACTS)
        need_full(n, "changes the machine", "", "");
    judge_carriers(n);
    for (size_t i = 0; i < r->n_calls; i++)
        judge_call(n, &r->calls[i]);
    for (size_t i = 0; i < r->n_paths; i++) {
        wrote |= r->paths[i].use != RISK_READS;
        judge_path(n, &r->paths[i]);
    }
    n->writes |= (r->facts & RISK_WRITES) && !wrote;
    if (r->facts & RISK_LOOKS) {
        n->looks = true;
        say_why(n, "inspects the machine", "", "");
    }
}

/* A user namespace that a normal user makes has that user alone: all others
 * are called nobody. Root's has everybody, where nothing is written. */
static enum profile
choose_owners(struct need *n)
{
    n->out->why[0] = '\0';
    say_why(n, "shows who owns what", "", "");
    n->out->owners = geteuid() != 0;
    return PROFILE_OBSERVE;
}

static enum profile
choose(struct need *n)
{
    if (n->full)
        return PROFILE_FULL;
    if (some_call(n, RISK_HOLDERS) && !n->reader) {
        need_full(n, "reads other processes' open files, and does more", "",
                  "");
        return PROFILE_FULL;
    }
    if (n->reader && !n->out->rest) {
        n->out->why[0] = '\0';
        say_why(n, "reads other processes' open files", "", "");
        return PROFILE_OBSERVE_PROC;
    }
    if (some_call(n, RISK_OWNERS) && only_reads(n))
        return choose_owners(n);
    if (n->looks && n->out->net) {
        char why[sizeof(n->out->why)];

        memcpy(why, n->out->why, sizeof(why));
        need_full(n, "contacts hosts, and ", why, "");
        return PROFILE_FULL;
    }
    if (n->looks && n->writes && n->workspace)
        add_dir(n, n->workspace);
    if (n->looks || (!n->workspace && !n->out->net)) {
        say_why(n, "there is no workspace here", "", "");
        return PROFILE_OBSERVE;
    }
    return PROFILE_WORKSPACE_WRITE;
}

static void
drop_list(char **list, size_t *n)
{
    for (; *n > 0; --*n)
        free(TAKE_PTR(list[*n - 1]));
}

static void
drop_added(struct profile_choice *c)
{
    for (; c->n_added > 0; c->n_added--)
        free(TAKE_PTR(c->added[c->n_added - 1].path));
}

/* What a line that runs unasked would write. */
struct unasked_writes {
    const struct risk_place *where;
    const char *workspace;
    struct profile_choice *out;
    char *why; /* char[160] */
    struct err *e;
};

static void
only_asked(struct unasked_writes *a, const char *does, const char *path,
           const char *after)
{
    if (!a->why[0])
        snprintf(a->why, 160, "%s%.90s%s: needs your approval", does, path,
                 after);
}

static int
add_addition(struct unasked_writes *a, const char *path, bool below, bool grows)
{
    struct profile_choice *c = a->out;

    if (c->n_added == PROFILE_DIRS_MAX) {
        only_asked(a, "it makes many files", "", "");
        return 0;
    }
    c->added[c->n_added].path = strdup(path);
    if (!c->added[c->n_added].path)
        return err_nomem(a->e);
    c->added[c->n_added].grows = grows;
    c->added[c->n_added++].below = below;
    return 0;
}

/* A path is an addition when its name is known, it lies in the workspace, and
 * it is not there yet or is a file that the line appends to. */
static int
judge_addition(struct unasked_writes *a, const struct risk_path *p)
{
    char path[PATH_MAX];
    struct stat st;
    bool cut;

    if (!p->known || !path_absolute(p->text, p->dir, a->where, path, &cut) ||
        cut) {
        only_asked(a, "it writes to ", p->text, ", which names no file yet");
        return 0;
    }
    if (path_is_sink(path))
        return 0;
    if (!a->workspace || !path_is_below(path, a->workspace)) {
        only_asked(a, "it writes ", p->text, "");
        return 0;
    }
    if (lstat(path, &st) < 0 && errno == ENOENT)
        return add_addition(a, path, p->recursive, false);
    if (p->use == RISK_MAKES && !p->recursive && S_ISREG(st.st_mode))
        return add_addition(a, path, false, true);
    only_asked(a, S_ISDIR(st.st_mode) ? "it writes in " : "it changes ",
               p->text, "");
    return 0;
}

int
profile_unasked(const struct risk *r, const struct risk_place *where,
                const char *workspace, struct profile_choice *c, char why[160],
                struct err *e)
{
    struct unasked_writes a = {where, workspace, c, why, e};
    bool named = false;

    why[0] = '\0';
    for (size_t i = 0; i < r->n_paths; i++) {
        if (r->paths[i].use == RISK_READS)
            continue;
        named = true;
        if (judge_addition(&a, &r->paths[i]) < 0)
            return -1;
    }
    if ((r->facts & RISK_WRITES) && !named)
        only_asked(&a, "it writes", "", "");
    if (c->profile == PROFILE_FULL ||
        (c->profile == PROFILE_OBSERVE_PROC && c->n_added > 0))
        only_asked(&a, "it ", c->why, "");
    if (why[0])
        return 0;
    drop_list(c->writable, &c->n_writable);
    if (c->profile == PROFILE_WORKSPACE_WRITE)
        c->profile = PROFILE_READ_ONLY;
    return 0;
}

void
profile_open(struct profile_choice *c)
{
    c->profile = PROFILE_FULL;
    drop_added(c);
    drop_list(c->writable, &c->n_writable);
    drop_list(c->readable, &c->n_readable);
    drop_list(c->reader, &c->n_reader);
    free(TAKE_PTR(c->rest));
    c->owners = false;
}

void
profile_reduce(struct profile_choice *c)
{
    if (c->profile == PROFILE_FULL ||
        (c->profile == PROFILE_OBSERVE_PROC && !c->rest))
        return;
    c->reduced = true;
    if (c->profile == PROFILE_WORKSPACE_WRITE)
        c->profile = PROFILE_REDUCED;
}

int
profile_choose(const struct risk *r, const char *line,
               const struct risk_place *where, const char *workspace,
               struct profile_choice *out, struct err *e)
{
    struct profile_choice c = {0};
    struct need n = {.r = r, .where = where, .workspace = workspace, .out = &c};

    if (profile_find_reader(r, line, &c, &n.reader, e) < 0) {
        profile_choice_done(&c);
        return -1;
    }
    c.net = (r->facts & RISK_NETWORK) || r->n_hosts > 0;
    judge_facts(&n);
    c.profile = choose(&n);
    if (n.full)
        profile_open(&c);
    if (c.profile == PROFILE_WORKSPACE_WRITE)
        c.why[0] = '\0';
    if (n.no_room) {
        profile_choice_done(&c);
        return err_nomem(e);
    }
    *out = c;
    return 0;
}

void
profile_choice_done(struct profile_choice *c)
{
    if (!c)
        return;
    drop_list(c->writable, &c->n_writable);
    drop_list(c->readable, &c->n_readable);
    drop_list(c->reader, &c->n_reader);
    free(c->rest);
    drop_added(c);
    *c = (struct profile_choice){0};
}
