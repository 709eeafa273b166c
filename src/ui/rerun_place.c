/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rerun_place.c - where a command is run again, and whether that place is the
 * reason why it failed. */
#include "ui/rerun_place.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/message.h"
#include "base/str.h"
#include "guard/denial.h"
#include "guard/path/path_table.h"
#include "guard/rerun_check.h"
#include "record/shell_file.h"
#include "sandbox/confine.h"
#include "sandbox/denials.h"
#include "tool/environ.h"
#include "tool/spawn.h"

#define WORDS_BYTES   (1u << 20) /* all paths of a spec at their longest */
#define NAME_SIZE     64
#define REASON_SIZE   1024
#define LINE_TEXT_MAX LAST_COMMAND_MAX

/* Stands instead of what the person has set. The rules read English, and
 * LANGUAGE would go before C.UTF-8. npm asks for a newer npm, and writes a log
 * below the home directory, beside its work. */
static const char *const ours[] = {
    "LC_ALL=C.UTF-8",
    "LANGUAGE=",
    "npm_config_update_notifier=false",
    "npm_config_logs_max=0",
    "PIP_DISABLE_PIP_VERSION_CHECK=1",
};

/* How each shell runs a line without the person's start-up files. The last word
 * of bash is the name that stands before its messages. */
static const struct {
    const char *name;
    const char *words[3]; /* before the line */
    const char *behind;
} shells[] = {
    {"bash", {"--norc", "--noprofile", "-c"}, "bash"},
    {"zsh", {"-f", "-c"}, NULL},
    {"fish", {"--no-config", "-c"}, NULL},
};

/* The directory */

static int
enter_place(struct rerun_place *p, const struct last_command *last,
            struct err *e)
{
    const char *here = seat_dir(p->app->seat);
    char variable[PATH_MAX + 8];

    p->seat = p->app->seat;
    if (last->cwd.len == 0 || (here && strcmp(last->cwd.p, here) == 0))
        return here ? 0 : seat_need_dir(p->seat, e) ? 0 : -1;
    snprintf(variable, sizeof(variable), "PWD=%s", last->cwd.p);
    p->moved = seat_move(p->seat, last->cwd.p, variable, e);
    if (!p->moved)
        return err_set(e, ERR_NOT_FOUND, "its directory is gone: %.100s",
                       last->cwd.p);
    p->seat = p->moved;
    return 0;
}

/* The line */

/* Whether the line names a named pipe: what is read from one, or written, is so
 * for those at its other end too, in any sandbox that shows it. */
static bool
names_a_pipe(const struct risk *r, const struct path_context *where)
{
    for (size_t i = 0; i < r->n_paths; i++) {
        const struct risk_path *x = &r->paths[i];
        char path[PATH_MAX];
        struct stat st;
        bool cut;

        if (path_absolute(x->text, x->dir, where, path, &cut) && !cut &&
            stat(path, &st) == 0 && S_ISFIFO(st.st_mode))
            return true;
    }
    return false;
}

static int
judge_rerun_line(struct rerun_place *p, const char *line, struct err *e)
{
    char why[RERUN_WHY_SIZE];

    p->where = path_context_of(p->seat);
    if (app_policy(p->app, e) < 0 ||
        guard_judge(p->app->policy, line, &p->where, &p->found, e) < 0)
        return -1;
    if (names_a_pipe(&p->found.risk, &p->where))
        return err_set(e, ERR_DENIED, "it uses a named pipe");
    return rerun_check(&p->found, &p->where, why)
               ? 0
               : err_set(e, ERR_DENIED, "%s", why);
}

/* The shell */

/* The program of the shell whose session is recorded. */
static bool
find_session_shell(const struct seat *s, char out[PATH_MAX])
{
    const char *session = seat_variable(s, "AGENTSH_SESSION");
    pid_t pid = shell_file_pid(session);
    char link[64];
    ssize_t n;

    if (pid <= 0)
        return false;
    snprintf(link, sizeof(link), "/proc/%d/exe", (int)pid);
    n = readlink(link, out, PATH_MAX - 1);
    if (n <= 0)
        return false;
    out[n] = '\0';
    return true;
}

static int
choose_shell(struct rerun_place *p, const char *line, struct err *e)
{
    const char *name;
    size_t at = 0, n = 0;

    if (!find_session_shell(p->seat, p->program))
        p->program[0] = '\0';
    name = path_base(p->program);
    while (at < ARRAY_SIZE(shells) && strcmp(shells[at].name, name) != 0)
        at++;
    if (at == ARRAY_SIZE(shells)) {
        CLEANUP(free_p) char *bash = seat_find_program(p->seat, "bash");

        at = 0;
        snprintf(p->program, sizeof(p->program), "%s", bash ? bash : "");
    }
    if (!path_is_program(p->program))
        return err_set(e, ERR_NOT_FOUND, "its shell is not found");
    p->shell[n++] = p->program;
    for (size_t i = 0; i < ARRAY_SIZE(shells[at].words); i++) {
        if (shells[at].words[i])
            p->shell[n++] = shells[at].words[i];
    }
    p->shell[n++] = line;
    if (shells[at].behind)
        p->shell[n++] = shells[at].behind;
    return 0;
}

/* The sandbox */

static int
close_place_secrets(struct rerun_place *p, const char *workspace, struct err *e)
{
    struct err why = {0};

    if (!workspace || secret_tree_find(&p->secrets, workspace,
                                       (const char *const *)p->app->named,
                                       p->seat, &why) == 0)
        return 0;
    return err_set(e, ERR_DENIED, "it could read secrets here: %.150s",
                   why.text);
}

static int
fill_place_setup(struct rerun_place *p, enum profile profile,
                 const char *workspace, struct err *e)
{
    const struct profile_choice *c = &p->found.profile;
    const char *readable[PROFILE_DIRS_MAX + 1] = {NULL};
    const struct sandbox_setup_params params = {
        .profile = profile,
        .seat = p->seat,
        .workspace = workspace,
        .readable = readable,
        .named = (const char *const *)p->app->named,
        .closed = p->secrets.paths};

    memcpy(readable, c->readable, c->n_readable * sizeof(*readable));
    sandbox_setup_done(&p->setup);
    p->setup = (struct sandbox_setup){0};
    if (sandbox_setup_fill(&p->setup, &params, p->app->config, e) < 0)
        return -1;
    p->setup.spec.report = true;
    p->setup.spec.limit_ms = 0; /* the caller has its own */
    return 0;
}

/* The view never is a copy, whose making takes time. */
static int
open_view(struct rerun_place *p, const char *line, struct err *e)
{
    const char *workspace = p->setup.spec.workspace;

    if (!workspace)
        return 0;
    p->view = view_new_at_once(p->seat, workspace, line, e);
    return p->view ? sandbox_setup_use_view(&p->setup, p->view, e) : -1;
}

/* In preview; or in observe, where its workspace, if there is one, is a view
 * too. */
static int
make_sandbox(struct rerun_place *p, const char *line, struct err *e)
{
    const char *workspace = guard_workspace(&p->where, p->workspace);
    enum profile profile = rerun_check_profile(&p->found, &p->where, workspace);
    struct err why = {0};

    if (app_config(p->app, e) < 0 || close_place_secrets(p, workspace, e) < 0)
        return -1;
    if (profile == PROFILE_PREVIEW &&
        fill_place_setup(p, profile, workspace, &why) < 0)
        profile =
            PROFILE_OBSERVE; /* it is no workspace: .git, a secret place */
    if (profile == PROFILE_OBSERVE && fill_place_setup(p, profile, NULL, e) < 0)
        return -1;
    if (spec_is_reduced(&p->setup.spec))
        return err_set(e, ERR_SANDBOX,
                       "this machine lets nobody make namespaces, so that "
                       "nothing would hold it");
    if (confine_landlock_abi() == 0)
        return err_set(e, ERR_SANDBOX,
                       "this machine has no Landlock, so that nothing would "
                       "keep it from named pipes");
    return open_view(p, line, e);
}

/* The environment */

static bool
has_set(char *const *env, const char *name, size_t n)
{
    for (; *env; env++) {
        if (strncmp(*env, name, n) == 0 && (*env)[n] == '=')
            return true;
    }
    return false;
}

/* Whether the line gives the variable its value: NAME=, for NAME, read NAME. */
static bool
sets_variable(const char *line, const char *name, size_t n)
{
    for (const char *p = line; (p = strstr(p, name)); p++) {
        bool begins = p == line ||
                      !(isalnum((unsigned char)p[-1]) || strchr("_${", p[-1]));

        if (begins && (strchr("=+ \t\n;", p[n]) || p[n] == '\0'))
            return true;
    }
    return false;
}

/* The next variable that the line uses outside of '…'; NULL: there is none. */
static const char *
next_variable(const char **at, size_t *n)
{
    bool quoted = false;
    const char *p = *at;

    for (; *p; p++) {
        quoted ^= *p == '"';
        if (*p == '\\' && p[1]) {
            p++;
        } else if (*p == '\'' && !quoted) {
            p = strchr(p + 1, '\'');
            if (!p)
                return NULL;
        } else if (*p == '$' && (isalpha((unsigned char)p[1 + (p[1] == '{')]) ||
                                 p[1 + (p[1] == '{')] == '_')) {
            p += 1 + (p[1] == '{');
            for (*n = 0; isalnum((unsigned char)p[*n]) || p[*n] == '_';)
                ++*n;
            *at = p + *n;
            return p;
        }
    }
    return NULL;
}

/* The line must not hang on what only the shell knows that it was typed in. */
static int
check_line_variables(const struct rerun_place *p, const char *line,
                     struct err *e)
{
    static const char *const own[] = {
        "RANDOM",       "SECONDS",       "UID",    "EUID",   "PPID",
        "HOSTNAME",     "BASH",          "LINENO", "IFS",    "PWD",
        "OSTYPE",       "HOSTTYPE",      "SHLVL",  "status", "HOME",
        "EPOCHSECONDS", "EPOCHREALTIME", "PATH",
    };
    const char *at = line, *name;
    char text[NAME_SIZE];
    size_t n;

    while ((name = next_variable(&at, &n))) {
        snprintf(text, sizeof(text), "%.*s", (int)n, name);
        if (n < sizeof(text) &&
            (has_set(p->env, name, n) || STR_IN(text, own) ||
             sets_variable(line, text, n)))
            continue;
        return err_set(e, ERR_DENIED,
                       "it uses $%s, which only the shell knows that it was "
                       "typed in",
                       text);
    }
    return 0;
}

/* Whether ours has that variable. Of two some programs take the last. */
static bool
is_ours_instead(const char *entry)
{
    for (size_t i = 0; i < ARRAY_SIZE(ours); i++) {
        if (strncmp(entry, ours[i], strcspn(ours[i], "=") + 1) == 0)
            return true;
    }
    return false;
}

static int
make_environment(struct rerun_place *p, const char *line, struct err *e)
{
    const struct environ_params params = {
        .seat = p->seat, .spec = &p->setup.spec, .config = p->app->config};
    size_t n = 0;

    p->env = environ_for(&params, e);
    if (!p->env || check_line_variables(p, line, e) < 0)
        return -1;
    while (p->env[n])
        n++;
    p->envp = calloc(ARRAY_SIZE(ours) + n + 1, sizeof(*p->envp));
    if (!p->envp)
        return err_nomem(e);
    memcpy(p->envp, ours, sizeof(ours));
    n = ARRAY_SIZE(ours);
    for (char **env = p->env; *env; env++) {
        if (!is_ours_instead(*env))
            p->envp[n++] = *env;
    }
    return 0;
}

static int
make_command_line(struct rerun_place *p, struct err *e)
{
    size_t n = 0;

    buf_init(&p->words, WORDS_BYTES);
    if (spec_write(&p->setup.spec, p->shell, &p->words, &n, e) < 0 ||
        !(p->argv = spec_argv(&p->words, n, e)) ||
        !(p->launcher = path_libexec(SPAWN_LAUNCHER, e)))
        return -1;
    p->argv[0] = p->launcher;
    return 0;
}

int
rerun_place_make(struct rerun_place *p, struct app *a,
                 const struct last_command *last, struct err *e)
{
    const char *line = last->command.p;

    p->app = a;
    if (enter_place(p, last, e) < 0 || judge_rerun_line(p, line, e) < 0 ||
        choose_shell(p, line, e) < 0 || make_sandbox(p, line, e) < 0)
        return -1;
    if (!spec_shows_path(&p->setup.spec, p->program))
        return err_set(e, ERR_DENIED, "its shell is hidden there: %.150s",
                       p->program);
    return make_environment(p, line, e) < 0 ? -1 : make_command_line(p, e);
}

void
rerun_place_done(struct rerun_place *p)
{
    struct err e = {0};

    if (p->view && view_remove(p->view, &e) < 0)
        app_print_err(p->app, &e);
    view_free(p->view);
    sandbox_setup_done(&p->setup);
    secret_tree_done(&p->secrets);
    guard_finding_done(&p->found);
    buf_done(&p->words);
    free(p->argv);
    free(p->launcher);
    free(p->envp);
    environ_free(p->env);
    seat_free(p->moved);
}

/* Its limits */

/* Whether a text has an error in the person's language or in English. */
static bool
reports(const struct buf *text, int error, const char *english)
{
    const char *own = err_system(error);

    return strstr(text->p, english) || (own[0] && strstr(text->p, own));
}

/* What programs say, in other words than those of the C library, where they
 * have no terminal, and where they do not reach others. A Unix socket is
 * refused without a notice (launch/seccomp_notify.c), since the C library tries
 * one for every name of a user. */
static const struct {
    const char *phrase, *why;
} phrases[] = {
    {"not a tty", N_("it wants a terminal")},
    {"not a TTY", N_("it wants a terminal")},
    {"not a terminal", N_("it wants a terminal")},
    {"dev/tty", N_("it wants a terminal")},
    {"no tty present", N_("it wants a terminal")},
    {"requires a terminal", N_("it wants a terminal")},
    {"onnect to ", N_("it talks to others")},
    {"onnection ", N_("it talks to others")},
    {".sock", N_("it talks to others")},
    {"daemon", N_("it talks to others")},
    {"D-Bus", N_("it talks to others")},
    {"open display", N_("it talks to others")},
    {"resolve host", N_("it talks to others")},
    {"name resolution", N_("it talks to others")},
    {"unreachable", N_("it talks to others")},
};

static const char *
limit_in_words(const struct buf *text)
{
    for (size_t i = 0; i < ARRAY_SIZE(phrases); i++) {
        if (strstr(text->p, phrases[i].phrase))
            return phrases[i].why;
    }
    return NULL;
}

/* Without a view nothing is writable; a command that may write and says nothing
 * may have met that, and hidden it. */
static bool
may_hide_limit(const struct rerun_place *p, const struct buf *text)
{
    return !p->view && text->len == 0 &&
           p->found.risk.facts &
               (RISK_WRITES | RISK_DESTRUCTIVE | RISK_UNKNOWN | RISK_OPAQUE);
}

static bool
reports_limit(const struct rerun_place *p, const struct buf *text,
              struct err *e)
{
    const char *why = limit_in_words(text);

    if (why)
        return err_set(e, ERR_SANDBOX, "%s", why) < 0;
    if (may_hide_limit(p, text))
        why = N_("it may write, and there is no view here");
    else if (reports(text, EROFS, "Read-only file system"))
        why = N_("it would write where the view has nothing to write");
    else if (reports(text, ENOTTY, "Inappropriate ioctl for device"))
        why = N_("it wants a terminal");
    else if (reports(text, EPERM, "Operation not permitted"))
        why = N_("it was refused what it may be allowed here");
    else if ((p->secrets.n > 0 || geteuid() == 0) &&
             reports(text, EACCES, "Permission denied"))
        why = N_("it lacked rights there that it has here");
    else if (reports(text, ENOMEM, "Cannot allocate memory") ||
             reports(text, EFBIG, "File too large"))
        why = N_("it met a limit of the sandbox");
    return why && err_set(e, ERR_SANDBOX, "%s", why) < 0;
}

bool
rerun_place_limited(const struct rerun_place *p, const struct buf *text,
                    int notes, struct err *e)
{
    const struct sandbox_spec *spec = &p->setup.spec;
    CLEANUP(denials_done) struct denials refused = {0};
    CLEANUP_BUF struct buf out = buf_of(REASON_SIZE);
    struct path_context where = p->where;
    struct denial_run ran = {.profile = spec->profile,
                             .workspace = spec->workspace,
                             .writable = spec->writable,
                             .stderr_text = text->p,
                             .stderr_len = text->len};

    const size_t n = strlen("blocked: ");

    if (denials_read(notes, &refused, e) < 0)
        return true;
    if (refused.n > 0)
        return err_set(e, ERR_SANDBOX,
                       "the sandbox refused it a system call, "
                       "%.60s",
                       refused.names[0]) < 0;
    where.workspace = spec->workspace;
    if (denial_explain(&p->found, &ran, &where, NULL, &out)) {
        /* "blocked: write /usr/x (profile …": what follows is about steps */
        return err_set(e, ERR_SANDBOX, "the view does not let it %.*s",
                       (int)strcspn(out.p + n, "(") - 1, out.p + n) < 0;
    }
    return reports_limit(p, text, e);
}
