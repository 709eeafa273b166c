/* SPDX-License-Identifier: GPL-3.0-or-later */
/* profile_choose.c - chooses the strictest profile that can do a line's work.
 */

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/path.h"
#include "guard/path/path_table.h"
#include "guard/path/secret.h"
#include "guard/profile/profile.h"
#include "guard/profile/profile_keys.h"
#include "guard/profile/profile_programs.h"

/* The reader of a line */

static const char blanks[] = " \t";

/* The reader: the call at the line's start, if it inspects the open files of
 * other processes, all its words are known, and no other call of the line does
 * the same. NULL: there is none. */
static const struct risk_call *
first_reader(const struct risk *r, const char *line)
{
    size_t begin = strspn(line, blanks);
    const struct risk_call *found = NULL;

    if (r->prepared) /* its words do not say all that it would do */
        return NULL;
    for (size_t i = 0; i < r->n_calls; i++) {
        if (!(r->calls[i].facts & RISK_HOLDERS))
            continue;
        if (found)
            return NULL;
        found = &r->calls[i];
    }
    if (!found || found->from != begin || found->wrapper[0] || !found->path ||
        found->n > PROFILE_ARGS_MAX)
        return NULL;
    for (size_t i = 0; i < found->n; i++)
        if (found->expands[i] & ~SYNTAX_QUOTED)
            return NULL;
    return found;
}

/* Skips `2>/dev/null` if it stands there. */
static const char *
skip_stderr_sink(const char *p, bool *quiet)
{
    size_t at = 0, n;
    const char *sink = path_next(PATH_IS_NULL, &at), *q = p;

    if (strncmp(q, "2>", 2) != 0)
        return p;
    q += 2;
    q += strspn(q, blanks);
    n = strcspn(q, " \t|");
    if (n != strlen(sink) || memcmp(q, sink, n) != 0)
        return p;
    q += n;
    *quiet = true;
    return q + strspn(q, blanks);
}

/* The command line behind a pipe that follows the call; "": the line ends
 * there; NULL: something else follows. */
static const char *
input_of_rest(const char *line, const struct risk_call *c, bool *quiet)
{
    const char *p = line + c->to;

    p = skip_stderr_sink(p + strspn(p, blanks), quiet);
    if (*p == '\0')
        return p;
    if (*p != '|' || p[1] == '|' || p[1] == '&')
        return NULL;
    p++;
    p += strspn(p, blanks);
    return *p ? p : NULL;
}

static int
find_reader(const struct risk *r, const char *line, struct profile_choice *c,
            bool *found, struct err *e)
{
    const struct risk_call *call = first_reader(r, line);
    const char *rest;

    *found = false;
    if (!call || !(rest = input_of_rest(line, call, &c->reader_quiet)))
        return 0;
    for (size_t i = 0; i < call->n; i++) {
        c->reader[i] = strdup(i == 0 ? call->path : call->argv[i]);
        if (!c->reader[i])
            return err_nomem(e);
        c->n_reader++;
    }
    if (*rest && !(c->rest = strdup(rest)))
        return err_nomem(e);
    *found = true;
    return 0;
}

/* The choice */

#define USES_KEYS " uses your keys"

/* What the line needs, as far as it has been examined. */
struct line_needs {
    const struct risk *r;
    const struct path_context *where;
    const char *workspace; /* NULL: none */
    struct profile_choice *out;
    bool looks;   /* to inspect the machine, or what workspace-write hides */
    bool writes;  /* to write in the workspace, or at an unknown path */
    bool full;    /* to run in full; out->why has the reason */
    bool reader;  /* it begins with a reader, and nothing else inspects */
    bool no_room; /* memory ran out */
};

/* Sets the reason; the first one stays. A long path is cut, because the review
 * shows it whole. */
static void
set_reason(struct line_needs *n, const char *before, const char *what,
           const char *after)
{
    if (!n->out->why[0])
        snprintf(n->out->why, sizeof(n->out->why), "%s%.90s%s", before, what,
                 after);
}

static void
need_full(struct line_needs *n, const char *before, const char *what,
          const char *after)
{
    if (n->full)
        return;
    n->full = true;
    n->out->why[0] = '\0';
    set_reason(n, before, what, after);
}

/* Adds a path to a list of the choice, unless it lies below one that is there.
 * False: the list is full. */
static bool
add_to_list(struct line_needs *n, char *list[PROFILE_DIRS_MAX], size_t *count,
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
allow_writing(struct line_needs *n, const char *dir)
{
    if (!add_to_list(n, n->out->writable, &n->out->n_writable, dir))
        need_full(n, "writes in many directories", "", "");
}

/* The private /tmp of a profile shows this file of the machine's /tmp,
 * read-only. */
static void
add_readable_tmp(struct line_needs *n, const char *path)
{
    struct stat st;

    if (lstat(path, &st) == 0 &&
        !add_to_list(n, n->out->readable, &n->out->n_readable, path))
        need_full(n, "reads many files of /tmp", "", "");
}

/* The path as a person reads it; a path that was cut is shown as the line has
 * it. */
static const char *
shown_path(const struct line_needs *n, const struct risk_path *p,
           const char *path, bool cut, char out[PATH_MAX])
{
    return cut ? p->text : path_short(path, n->where->home, out);
}

/* Makes a file outside the workspace writable by its directory. */
static void
add_writable_dir(struct line_needs *n, const struct risk_path *p,
                 const char *path, bool cut)
{
    char dir[PATH_MAX], text[PATH_MAX];

    if (!profile_find_writable_dir(path, n->where,
                                   cut || p->use != RISK_DELETES,
                                   p->use != RISK_READS, dir))
        need_full(n, "writes ", shown_path(n, p, path, cut, text), "");
    else
        allow_writing(n, dir);
}

static void
need_read(struct line_needs *n, const struct risk_path *p, const char *path,
          bool cut)
{
    const char *home = n->where->home;
    char text[PATH_MAX];

    if (secret_path_in_home(path, home) && secret_is_path(path, n->where)) {
        need_full(n, "reads ", shown_path(n, p, path, cut, text),
                  ", which other profiles hide");
    } else if (path_is_hidden(path, home) ||
               (p->recursive && path_holds_hidden(path, home))) {
        n->looks = true;
        set_reason(n, "reads ", shown_path(n, p, path, cut, text), "");
    } else if (path_is_temporary(path)) {
        add_readable_tmp(n, path);
    }
}

static void
judge_write(struct line_needs *n, const struct risk_path *p, const char *path,
            bool cut)
{
    const char *home = n->where->home;
    char text[PATH_MAX];

    if (path_is_temporary(path) && !(home && path_is_below(path, home)))
        add_writable_dir(n, p, path, cut);
    else if (n->workspace || !home || !path_is_below(path, home))
        need_full(n, "writes ", shown_path(n, p, path, cut, text),
                  n->workspace ? ", outside the workspace" : "");
    else
        add_writable_dir(n, p, path, cut);
}

/* A name that is known only at run time lies in the directory that the line
 * changed to: cd ~/x && mv "$f" "$kind". */
static void
judge_unknown_write(struct line_needs *n, const struct risk_path *p)
{
    char path[PATH_MAX];
    bool cut;

    n->writes = true;
    if (p->dir && path_absolute(p->dir, n->where->cwd, n->where, path, &cut) &&
        !(n->workspace && path_is_below(path, n->workspace)))
        judge_write(n, p, path, true);
}

static void
need_path(struct line_needs *n, const struct risk_path *p)
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
        need_read(n, p, path, cut);
    }
}

/* The exit status says whether a file exists. */
static bool
is_test(const struct risk_call *c)
{
    return strcmp(c->name, "test") == 0 || strcmp(c->name, "[") == 0;
}

/* Examines the program itself, or a word that names an existing file: git -C
 * ~/x, [ -d ~/x ]. workspace-write would show an empty directory in its place,
 * and so would every confined profile for a secret. asks: the call may test for
 * existence, so its answer must be right. */
static void
judge_word(struct line_needs *n, const char *word, bool program, bool asks)
{
    struct risk_path p = {.use = RISK_READS, .text = word};
    const char *home = n->where->home;
    char path[PATH_MAX], text[PATH_MAX];
    bool cut, there;

    if (!path_absolute(word, n->where->cwd, n->where, path, &cut) ||
        (n->workspace && path_is_below(path, n->workspace)))
        return;
    there = asks || access(path, F_OK) == 0;
    if (there && secret_path_in_home(path, home) &&
        secret_is_path(path, n->where)) {
        need_full(n, program ? "runs " : "reads ",
                  shown_path(n, &p, path, cut, text),
                  ", which other profiles hide");
    } else if (there && path_is_hidden(path, home)) {
        n->looks = true;
        set_reason(n, program ? "runs " : "reads ",
                   shown_path(n, &p, path, cut, text), "");
    } else if (path_is_temporary(path)) {
        add_readable_tmp(n, path);
    }
}

/* The part of a word that may be a path: the whole word, or what follows a
 * =. */
static const char *
path_in_word(const char *word)
{
    const char *equals = strchr(word, '=');

    if (strchr("/~$", word[0]) || strncmp(word, "..", 2) == 0)
        return word[0] ? word : NULL;
    return equals && equals[1] == '/' ? equals + 1 : NULL;
}

static void
judge_call(struct line_needs *n, const struct risk_call *c)
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
        set_reason(n, "inspects the machine", "", "");
    }
    if (c->path)
        judge_word(n, c->path, true, false);
    if (strcmp(c->name, "cd") == 0 || strcmp(c->name, "pushd") == 0)
        judge_word(n, c->n > 1 ? c->argv[c->n - 1] : "~", false, false);
    n->writes |= (c->facts & (RISK_UNKNOWN | RISK_OPAQUE)) != 0;
    for (size_t i = 1; i < c->n; i++)
        if (path_in_word(c->argv[i]))
            judge_word(n, path_in_word(c->argv[i]), false, asks);
}

/* It writes nothing and contacts nobody. */
static bool
needs_only_reads(const struct line_needs *n)
{
    return !n->writes && n->out->n_writable == 0 && !n->out->net;
}

static bool
has_call_with(const struct line_needs *n, unsigned facts)
{
    for (size_t i = 0; i < n->r->n_calls; i++)
        if (n->r->calls[i].facts & facts)
            return true;
    return false;
}

/* Commands that run elsewhere are no calls of this line: `ls` in `ssh host ls`,
 * and what the program in a container contacts. */
static void
judge_carriers(struct line_needs *n)
{
    const char *carrier = profile_remote_program_with_keys(n->r);

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
judge_facts(struct line_needs *n)
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
        need_path(n, &r->paths[i]);
    }
    n->writes |= (r->facts & RISK_WRITES) && !wrote;
    if (r->facts & RISK_LOOKS) {
        n->looks = true;
        set_reason(n, "inspects the machine", "", "");
    }
}

/* A user namespace that an unprivileged user creates maps only that user: all
 * other owners appear as nobody. Root's maps everybody; nothing is writable in
 * it. */
static enum profile
choose_owners(struct line_needs *n)
{
    n->out->why[0] = '\0';
    set_reason(n, "shows who owns what", "", "");
    n->out->owners = geteuid() != 0;
    return PROFILE_OBSERVE;
}

static enum profile
choose_profile(struct line_needs *n)
{
    if (n->full)
        return PROFILE_FULL;
    if (has_call_with(n, RISK_HOLDERS) && !n->reader) {
        need_full(n, "reads other processes' open files, and does more", "",
                  "");
        return PROFILE_FULL;
    }
    if (n->reader && !n->out->rest) {
        n->out->why[0] = '\0';
        set_reason(n, "reads other processes' open files", "", "");
        return PROFILE_OBSERVE_PROC;
    }
    if (has_call_with(n, RISK_OWNERS) && needs_only_reads(n))
        return choose_owners(n);
    if (n->looks && n->out->net) {
        char why[sizeof(n->out->why)];

        memcpy(why, n->out->why, sizeof(why));
        need_full(n, "contacts hosts, and ", why, "");
        return PROFILE_FULL;
    }
    if (n->looks && n->writes && n->workspace)
        allow_writing(n, n->workspace);
    if (n->looks || (!n->workspace && !n->out->net)) {
        set_reason(n, "there is no workspace here", "", "");
        return PROFILE_OBSERVE;
    }
    return PROFILE_WORKSPACE_WRITE;
}

int
profile_choose(const struct risk *r, const char *line,
               const struct path_context *where, const char *workspace,
               struct profile_choice *out, struct err *e)
{
    struct profile_choice c = {0};
    struct line_needs n = {
        .r = r, .where = where, .workspace = workspace, .out = &c};

    if (find_reader(r, line, &c, &n.reader, e) < 0) {
        profile_choice_done(&c);
        return -1;
    }
    c.net = (r->facts & RISK_NETWORK) || r->n_hosts > 0;
    judge_facts(&n);
    c.profile = choose_profile(&n);
    if (n.full)
        profile_make_full(&c);
    if (c.profile == PROFILE_WORKSPACE_WRITE)
        c.why[0] = '\0';
    if (n.no_room) {
        profile_choice_done(&c);
        return err_nomem(e);
    }
    *out = c;
    return 0;
}
