/* SPDX-License-Identifier: GPL-3.0-or-later */
/* risk_environment.c - variables that make programs run code. */
#include <string.h>

#include "base/path.h"
#include "guard/path/path_table.h"
#include "guard/risk/risk_memory.h"
#include "guard/risk/risk_run.h"
#include "guard/risk/risk_variable.h"

enum effect {
    CODE,    /* its value, or the file it names, is code that is run */
    PLACES,  /* directories that code is taken from */
    OPTIONS, /* of a program, as if they stood in the line */
    TEXT,    /* a command line for a shell */
    PROMPT,  /* shown by a shell, which runs the $(…) in it */
    SPLIT,   /* changes how words are made */
    GOOD,    /* how something is shown, and no more */
    OTHER,   /* who knows which program reads it */
};

/* A * stands for any end of the name, or any beginning. */
static const struct {
    const char *name;
    enum effect effect;
} rows[] = {
    {"BASH_ENV", CODE},
    {"BASH_FUNC_*", CODE},
    {"BASH_LOADABLES_PATH", PLACES},
    {"SHELLOPTS", CODE},
    {"ENV", CODE},
    {"LD_PRELOAD", CODE},
    {"LD_AUDIT", CODE},
    {"DYLD_INSERT_LIBRARIES", CODE},
    {"NODE_OPTIONS", OPTIONS},
    {"BUN_OPTIONS", OPTIONS},
    {"PERL5OPT", CODE},
    {"PERL5DB", CODE},
    {"PYTHONSTARTUP", CODE},
    {"PYTHONINSPECT", CODE},
    {"PYTHONHOME", CODE},
    {"PYTHONBREAKPOINT", CODE},
    {"PYTHONWARNINGS", OTHER},
    {"RUBYOPT", CODE},
    {"LUA_INIT*", CODE},
    {"R_PROFILE*", CODE},
    {"R_ENVIRON*", CODE},
    {"PHPRC", CODE},
    {"PHP_INI_SCAN_DIR", CODE},
    {"JULIA_LOAD_PATH", PLACES},
    {"JAVA_TOOL_OPTIONS", OPTIONS},
    {"_JAVA_OPTIONS", OPTIONS},
    {"JDK_JAVA_OPTIONS", OPTIONS},
    {"MAVEN_OPTS", OPTIONS},
    {"GRADLE_OPTS", OPTIONS},
    {"JAVA_OPTS", OPTIONS},
    {"ERL_AFLAGS", CODE},
    {"ERL_FLAGS", CODE},
    {"ELIXIR_ERL_OPTIONS", CODE},
    {"GCC_EXEC_PREFIX", CODE},
    {"COMPILER_PATH", PLACES},
    {"VIMINIT", CODE},
    {"GVIMINIT", CODE},
    {"EXINIT", CODE},
    {"VIMRUNTIME", PLACES},
    {"VIM", PLACES},
    {"MYVIMRC", CODE},
    {"EMACSLOADPATH", PLACES},
    {"INPUTRC", CODE},
    {"ZDOTDIR", CODE},
    {"HGRCPATH", CODE},
    {"RIPGREP_CONFIG_PATH", CODE},
    {"ACKRC", CODE},
    {"WGETRC", CODE},
    {"CURL_HOME", CODE},
    {"SCREENRC", CODE},
    {"OPENSSL_CONF", CODE},
    {"OPENSSL_ENGINES", PLACES},
    {"OPENSSL_MODULES", PLACES},
    {"MAKEFILES", CODE},
    {"POSIXLY_CORRECT", CODE},
    {"GTK_MODULES", CODE},
    {"GTK_PATH", PLACES},
    {"GIO_EXTRA_MODULES", PLACES},
    {"GIO_MODULE_DIR", PLACES},
    {"GDK_PIXBUF_MODULE_FILE", CODE},
    {"GST_PLUGIN_PATH*", PLACES},
    {"QT_PLUGIN_PATH", PLACES},
    {"MAGICK_*PATH", PLACES},
    {"GCONV_PATH", PLACES},
    {"LOCPATH", PLACES},
    {"NLSPATH", PLACES},
    {"TERMINFO*", PLACES},
    {"LD_LIBRARY_PATH", PLACES},
    {"DYLD_LIBRARY_PATH", PLACES},
    {"PATH", PLACES},
    {"GIT_EXEC_PATH", PLACES},
    {"PERL5LIB", PLACES},
    {"PERLLIB", PLACES},
    {"RUBYLIB", PLACES},
    {"LUA_PATH*", PLACES},
    {"LUA_CPATH*", PLACES},
    {"AWKPATH", PLACES},
    {"AWKLIBPATH", PLACES},
    {"M4PATH", PLACES},
    {"TCLLIBPATH", PLACES},
    {"GUILE_LOAD_PATH", PLACES},
    {"GUILE_LOAD_COMPILED_PATH", PLACES},
    {"*_WRAPPER", CODE},
    {"*_LAUNCHER", CODE},
    {"*_PRELOAD", CODE},
    {"*_STARTUP", CODE},
    {"LESS", OPTIONS},
    {"MORE", OPTIONS},
    {"GZIP", OPTIONS},
    {"BZIP", OPTIONS},
    {"BZIP2", OPTIONS},
    {"XZ_OPT", OPTIONS},
    {"XZ_DEFAULTS", OPTIONS},
    {"ZIP", OPTIONS},
    {"ZIPOPT", OPTIONS},
    {"UNZIP", OPTIONS},
    {"UNZIPOPT", OPTIONS},
    {"ZIPINFO*", OPTIONS},
    {"LZOP", OPTIONS},
    {"TAR_OPTIONS", OPTIONS},
    {"GREP_OPTIONS", OPTIONS},
    {"ACK_OPTIONS", OPTIONS},
    {"PYTEST_ADDOPTS", OPTIONS},
    {"RSYNC_OPTIONS", OPTIONS},
    {"FZF_DEFAULT_OPTS", OPTIONS},
    {"MAKEFLAGS", OPTIONS},
    {"GNUMAKEFLAGS", OPTIONS},
    {"MFLAGS", OPTIONS},
    {"GOFLAGS", OPTIONS},
    {"RUSTFLAGS", OPTIONS},
    {"PARALLEL", OPTIONS},
    {"LESSOPEN", TEXT},
    {"LESSCLOSE", TEXT},
    {"PROMPT_COMMAND", TEXT},
    {"VISUAL", TEXT},
    {"GIT_EXTERNAL_DIFF", TEXT},
    {"GIT_CONFIG_NOSYSTEM", GOOD},
    {"GIT_CONFIG*", CODE},
    {"SVN_SSH", TEXT},
    {"*PAGER", TEXT},
    {"*EDITOR", TEXT},
    {"*BROWSER", TEXT},
    {"*_ASKPASS", TEXT},
    {"*_SSH", TEXT},
    {"*_RSH", TEXT},
    {"*_COMMAND", TEXT},
    {"PS0", PROMPT},
    {"PS1", PROMPT},
    {"PS2", PROMPT},
    {"PS4", PROMPT},
    {"IFS", SPLIT},
    {"LC_*", GOOD},
    {"LANG", GOOD},
    {"LANGUAGE", GOOD},
    {"TZ", GOOD},
    {"NO_COLOR", GOOD},
    {"CLICOLOR*", GOOD},
    {"FORCE_COLOR", GOOD},
    {"TERM", GOOD},
    {"COLORTERM", GOOD},
    {"COLUMNS", GOOD},
    {"LINES", GOOD},
    {"MANWIDTH", GOOD},
    {"BLOCK_SIZE", GOOD},
    {"BLOCKSIZE", GOOD},
    {"TIME_STYLE", GOOD},
    {"QUOTING_STYLE", GOOD},
    {"LS_COLORS", GOOD},
    {"GREP_COLOR*", GOOD},
    {"SOURCE_DATE_EPOCH", GOOD},
    {"DEBIAN_FRONTEND", GOOD},
    {"CI", GOOD},
    {"RUST_BACKTRACE", GOOD},
    {"PYTHONDONTWRITEBYTECODE", GOOD},
    {"PYTHONUNBUFFERED", GOOD},
    {"PYTHONIOENCODING", GOOD},
    {"PYTHONUTF8", GOOD},
    {"PYTHONHASHSEED", GOOD},
    {"GIT_AUTHOR_*", GOOD},
    {"GIT_COMMITTER_*", GOOD},
    {"GIT_OPTIONAL_LOCKS", GOOD},
    {"GIT_TERMINAL_PROMPT", GOOD},
    {"GOOS", GOOD},
    {"GOARCH", GOOD},
    {"CGO_ENABLED", GOOD},
};

/* Options in a variable that change how much, how fast, or how it looks. */
static const char *const mild[] = {
    "-[0-9]",    "-[vq]",    "-T[0-9]*", "-j[0-9]*",    "--color*",
    "-R",        "-F",       "-X",       "-S",          "-FRX",
    "-FX",       "-RX",      "-FRSX",    "--threads=*", "--verbose",
    "--quiet",   "-Xm[sx]*", "-race",    "--max-old-*", "-mod=readonly",
    "--height*", NULL,
};

/* One directory of a list from which nobody else's code should be taken: a
 * relative one, or one that is the same, or one where anybody may write. */
static bool
is_open(const struct risk_state *st, const char *dir, size_t n)
{
    const char *home = st->where->home, *cwd = st->where->cwd;
    char path[PATH_MAX];

    if (n == 0 || (dir[0] != '/' && dir[0] != '~' && dir[0] != '$'))
        return true;
    if (dir[0] != '/' || n >= sizeof(path))
        return n >= sizeof(path);
    snprintf(path, sizeof(path), "%.*s", (int)n, dir);
    path_clean(path);
    if (cwd && cwd[0] && cwd[1] && path_is_below(path, cwd) &&
        !(home && path_is_below(home, cwd)))
        return true;
    if (home && home[0] && home[1] && path_is_below(path, home))
        return false;
    return path_is(path, PATH_IS_SHARED);
}

/* Whether an expansion in a list of places is of the line's own making. What
 * $GOPATH has in the environment was there before, and what the line gives to
 * $PATH is looked at where it does. */
static bool
is_of_line(const struct risk_state *st, const char *name,
           const struct risk_arg *value)
{
    const struct syntax_part *p = value->source ? value->source->parts : NULL;
    const struct risk_variable *v;
    size_t n;

    if (value->known)
        return false;
    for (; p; p = p->next) {
        if (p->kind == SYNTAX_TEXT ||
            (p->kind == SYNTAX_TILDE && !p->text[1] && risk_home(st)))
            continue;
        n = risk_name_length(p->text);
        v = risk_variable(st, p->text, n);
        if (p->kind != SYNTAX_PARAMETER || p->op[0] || n == 0 || p->text[n] ||
            (p->next && !strchr("/:", p->next->text[0])) ||
            (v && v->ever && strcmp(p->text, name) != 0))
            return true;
    }
    return !value->source;
}

/* In PATH, and nowhere else for sure, an empty place is the directory. */
static bool
has_open_place(const struct risk_state *st, const char *list, bool is_path)
{
    for (;;) {
        size_t n = strcspn(list, ":");

        if ((n || is_path) && is_open(st, list, n))
            return true;
        if (!list[n])
            return false;
        list += n + 1;
    }
}

static bool
are_mild(struct risk_state *st, const char *text)
{
    while (*(text += strspn(text, " \t\n"))) {
        size_t n = strcspn(text, " \t\n");
        const char *word = risk_copy(st, text, n);
        const char *const *m = mild;

        while (*m && !risk_matches(*m, word))
            m++;
        if (!*m)
            return false;
        text += n;
    }
    return true;
}

static bool
is_named(const char *row, const char *name, size_t n)
{
    size_t len = strlen(row);
    const char *star = strchr(row, '*');
    size_t head = star ? (size_t)(star - row) : len;
    size_t tail = star ? len - head - 1 : 0;

    if (!star)
        return n == len && strncmp(row, name, n) == 0;
    return n >= head + tail && strncmp(row, name, head) == 0 &&
           strncmp(star + 1, name + n - tail, tail) == 0;
}

static enum effect
effect_of(const char *name, size_t n)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (is_named(rows[i].name, name, n))
            return rows[i].effect;
    return OTHER;
}

static void
report(struct risk_state *st, const char *name, const struct risk_arg *value,
       const char *says)
{
    risk_report_opaque(st, (struct risk_reason){.kind = RISK_KIND_VARIABLE,
                                                .about = name,
                                                .from = value->from,
                                                .to = value->to,
                                                .says = says});
}

/* PS4 is shown by any shell, the others by an interactive one. Backslashes
 * are taken away before what is left expands. */
#define END "END-OF-PROMPT" /* of a here-document: quotes are characters */

static void
walk_prompt(struct risk_state *st, const struct risk_frame *f, const char *name,
            const struct risk_arg *value)
{
    const char *text = value->text;
    bool known = value->known && !strchr(text, '\\') && !strstr(text, END);

    if (name[2] == '4' ? known && !strpbrk(text, "$`")
                       : !value->known || !strpbrk(text, "$`"))
        return;
    text = risk_join(st, risk_join(st, ": <<" END "\n", text), "\n" END);
    risk_walk_later(st, f, text, known || name[2] != '4');
}

/* A text for a shell. */
static void
read_text(struct risk_state *st, const struct risk_frame *f, const char *name,
          const struct risk_arg *value, bool is_prompt)
{
    struct risk_frame inner = *f;
    const char *text = value->text;

    inner.outer = f;
    inner.mapped = true;
    inner.from = value->from;
    inner.to = value->to;
    if (text[0] == '|')
        text += 1 + strspn(text + 1, "|-"); /* LESSOPEN=|program %s */
    if (is_prompt)
        walk_prompt(st, &inner, name, value);
    else
        risk_walk_later(st, &inner, text, value->known);
}

bool
risk_variable_matters(const char *name, size_t n)
{
    return effect_of(name, n) == OTHER;
}

bool
risk_environment(struct risk_state *st, const struct risk_frame *f,
                 const char *name, size_t n, const struct risk_arg *value)
{
    const char *about = risk_copy(st, name, n);
    enum effect effect = effect_of(name, n);

    if (value->known && !value->text[0] && effect != SPLIT && effect != PLACES)
        return true; /* as if it were not there */
    switch (effect) {
    case CODE:
        report(st, about, value,
               "a variable makes programs run unchecked code");
        return true;
    case PLACES:
        if (is_of_line(st, about, value) ||
            has_open_place(st, value->text, strcmp(about, "PATH") == 0))
            report(st, about, value,
                   "runs code from a directory that anybody can write to");
        return true;
    case OPTIONS:
        if (!value->known || !are_mild(st, value->text))
            report(st, about, value,
                   "a variable gives a program unchecked options");
        return true;
    case SPLIT:
        risk_note_change(st, &st->split_changed, &st->splits_often);
        return true;
    case PROMPT:
    case TEXT:
        read_text(st, f, about, value, effect == PROMPT);
        return true;
    case GOOD:
        /* a locale or a terminal of somebody's own making is a program's */
        return value->text[0] != '/' && !strstr(value->text, "./");
    case OTHER:
        return false;
    }
    return false;
}

void
risk_environment_assigned(struct risk_state *st, const struct risk_frame *f,
                          const char *name, size_t n,
                          const struct risk_args *value)
{
    struct risk_arg any = {
        .text = "$", .glob = "*", .from = st->from, .to = st->to};

    if (value && value->n == 1 && value->v[0].known)
        any = value->v[0];
    if (!value || value->n != 1 || !value->v[0].number)
        risk_environment(st, f, name, n, &any);
}
