/* SPDX-License-Identifier: GPL-3.0-or-later */
/* risk_environment.c - knows the environment variables that make programs run
 * code. */
#include <string.h>

#include "base/array.h"
#include "base/path.h"
#include "guard/path/path_table.h"
#include "guard/risk/risk_findings.h"
#include "guard/risk/risk_internal.h"
#include "guard/risk/risk_variable.h"

enum variable_effect {
    EFFECT_CODE, /* its value, or the file that it names, is run as code */
    EFFECT_DIRECTORIES, /* directories from which code is loaded */
    EFFECT_OPTIONS,     /* of a program, as if written in the line */
    EFFECT_TEXT,        /* a command line for a shell */
    EFFECT_PROMPT,      /* printed by a shell, which runs the $(…) in it */
    EFFECT_SPLIT,       /* changes how words are split */
    EFFECT_SHELL,       /* changes what a line means to bash */
    EFFECT_HARMLESS,    /* only affects how something is shown */
    EFFECT_UNLISTED,    /* not listed: any program may read it */
};

/* A * matches any end of the name, or any beginning. The first match counts. */
static const struct {
    const char *name;
    enum variable_effect effect;
} variable_effects[] = {
    {"BASH_ENV", EFFECT_CODE},
    {"BASH_FUNC_*", EFFECT_CODE},
    {"BASH_LOADABLES_PATH", EFFECT_DIRECTORIES},
    {"AGENTSH_PLUGIN_PATH", EFFECT_DIRECTORIES},
    {"SHELLOPTS", EFFECT_CODE},
    {"ENV", EFFECT_CODE},
    {"LD_PRELOAD", EFFECT_CODE},
    {"LD_AUDIT", EFFECT_CODE},
    {"DYLD_INSERT_LIBRARIES", EFFECT_CODE},
    {"NODE_OPTIONS", EFFECT_OPTIONS},
    {"BUN_OPTIONS", EFFECT_OPTIONS},
    {"PERL5OPT", EFFECT_CODE},
    {"PERL5DB", EFFECT_CODE},
    {"PYTHONSTARTUP", EFFECT_CODE},
    {"PYTHONINSPECT", EFFECT_CODE},
    {"PYTHONHOME", EFFECT_CODE},
    {"PYTHONBREAKPOINT", EFFECT_CODE},
    {"PYTHONWARNINGS", EFFECT_UNLISTED},
    {"RUBYOPT", EFFECT_CODE},
    {"LUA_INIT*", EFFECT_CODE},
    {"R_PROFILE*", EFFECT_CODE},
    {"R_ENVIRON*", EFFECT_CODE},
    {"PHPRC", EFFECT_CODE},
    {"PHP_INI_SCAN_DIR", EFFECT_CODE},
    {"JULIA_LOAD_PATH", EFFECT_DIRECTORIES},
    {"JAVA_TOOL_OPTIONS", EFFECT_OPTIONS},
    {"_JAVA_OPTIONS", EFFECT_OPTIONS},
    {"JDK_JAVA_OPTIONS", EFFECT_OPTIONS},
    {"MAVEN_OPTS", EFFECT_OPTIONS},
    {"GRADLE_OPTS", EFFECT_OPTIONS},
    {"JAVA_OPTS", EFFECT_OPTIONS},
    {"ERL_AFLAGS", EFFECT_CODE},
    {"ERL_FLAGS", EFFECT_CODE},
    {"ELIXIR_ERL_OPTIONS", EFFECT_CODE},
    {"GCC_EXEC_PREFIX", EFFECT_CODE},
    {"COMPILER_PATH", EFFECT_DIRECTORIES},
    {"VIMINIT", EFFECT_CODE},
    {"GVIMINIT", EFFECT_CODE},
    {"EXINIT", EFFECT_CODE},
    {"VIMRUNTIME", EFFECT_DIRECTORIES},
    {"VIM", EFFECT_DIRECTORIES},
    {"MYVIMRC", EFFECT_CODE},
    {"EMACSLOADPATH", EFFECT_DIRECTORIES},
    {"INPUTRC", EFFECT_CODE},
    {"ZDOTDIR", EFFECT_CODE},
    {"HGRCPATH", EFFECT_CODE},
    {"RIPGREP_CONFIG_PATH", EFFECT_CODE},
    {"ACKRC", EFFECT_CODE},
    {"WGETRC", EFFECT_CODE},
    {"CURL_HOME", EFFECT_CODE},
    {"SCREENRC", EFFECT_CODE},
    {"OPENSSL_CONF", EFFECT_CODE},
    {"OPENSSL_ENGINES", EFFECT_DIRECTORIES},
    {"OPENSSL_MODULES", EFFECT_DIRECTORIES},
    {"MAKEFILES", EFFECT_CODE},
    {"POSIXLY_CORRECT", EFFECT_CODE},
    {"GTK_MODULES", EFFECT_CODE},
    {"GTK_PATH", EFFECT_DIRECTORIES},
    {"GIO_EXTRA_MODULES", EFFECT_DIRECTORIES},
    {"GIO_MODULE_DIR", EFFECT_DIRECTORIES},
    {"GDK_PIXBUF_MODULE_FILE", EFFECT_CODE},
    {"GST_PLUGIN_PATH*", EFFECT_DIRECTORIES},
    {"QT_PLUGIN_PATH", EFFECT_DIRECTORIES},
    {"MAGICK_*PATH", EFFECT_DIRECTORIES},
    {"GCONV_PATH", EFFECT_DIRECTORIES},
    {"LOCPATH", EFFECT_DIRECTORIES},
    {"NLSPATH", EFFECT_DIRECTORIES},
    {"TERMINFO*", EFFECT_DIRECTORIES},
    {"LD_LIBRARY_PATH", EFFECT_DIRECTORIES},
    {"DYLD_LIBRARY_PATH", EFFECT_DIRECTORIES},
    {"PATH", EFFECT_DIRECTORIES},
    {"GIT_EXEC_PATH", EFFECT_DIRECTORIES},
    {"PERL5LIB", EFFECT_DIRECTORIES},
    {"PERLLIB", EFFECT_DIRECTORIES},
    {"RUBYLIB", EFFECT_DIRECTORIES},
    {"LUA_PATH*", EFFECT_DIRECTORIES},
    {"LUA_CPATH*", EFFECT_DIRECTORIES},
    {"AWKPATH", EFFECT_DIRECTORIES},
    {"AWKLIBPATH", EFFECT_DIRECTORIES},
    {"M4PATH", EFFECT_DIRECTORIES},
    {"TCLLIBPATH", EFFECT_DIRECTORIES},
    {"GUILE_LOAD_PATH", EFFECT_DIRECTORIES},
    {"GUILE_LOAD_COMPILED_PATH", EFFECT_DIRECTORIES},
    {"*_WRAPPER", EFFECT_CODE},
    {"*_LAUNCHER", EFFECT_CODE},
    {"*_PRELOAD", EFFECT_CODE},
    {"*_STARTUP", EFFECT_CODE},
    {"LESS", EFFECT_OPTIONS},
    {"MORE", EFFECT_OPTIONS},
    {"GZIP", EFFECT_OPTIONS},
    {"BZIP", EFFECT_OPTIONS},
    {"BZIP2", EFFECT_OPTIONS},
    {"XZ_OPT", EFFECT_OPTIONS},
    {"XZ_DEFAULTS", EFFECT_OPTIONS},
    {"ZIP", EFFECT_OPTIONS},
    {"ZIPOPT", EFFECT_OPTIONS},
    {"UNZIP", EFFECT_OPTIONS},
    {"UNZIPOPT", EFFECT_OPTIONS},
    {"ZIPINFO*", EFFECT_OPTIONS},
    {"LZOP", EFFECT_OPTIONS},
    {"TAR_OPTIONS", EFFECT_OPTIONS},
    {"GREP_OPTIONS", EFFECT_OPTIONS},
    {"ACK_OPTIONS", EFFECT_OPTIONS},
    {"PYTEST_ADDOPTS", EFFECT_OPTIONS},
    {"RSYNC_OPTIONS", EFFECT_OPTIONS},
    {"FZF_DEFAULT_OPTS", EFFECT_OPTIONS},
    {"MAKEFLAGS", EFFECT_OPTIONS},
    {"GNUMAKEFLAGS", EFFECT_OPTIONS},
    {"MFLAGS", EFFECT_OPTIONS},
    {"GOFLAGS", EFFECT_OPTIONS},
    {"RUSTFLAGS", EFFECT_OPTIONS},
    {"PARALLEL", EFFECT_OPTIONS},
    {"LESSOPEN", EFFECT_TEXT},
    {"LESSCLOSE", EFFECT_TEXT},
    {"PROMPT_COMMAND", EFFECT_TEXT},
    {"VISUAL", EFFECT_TEXT},
    {"GIT_EXTERNAL_DIFF", EFFECT_TEXT},
    {"GIT_CONFIG_NOSYSTEM", EFFECT_HARMLESS},
    {"GIT_CONFIG*", EFFECT_CODE},
    {"SVN_SSH", EFFECT_TEXT},
    {"*PAGER", EFFECT_TEXT},
    {"*EDITOR", EFFECT_TEXT},
    {"*BROWSER", EFFECT_TEXT},
    {"*_ASKPASS", EFFECT_TEXT},
    {"*_SSH", EFFECT_TEXT},
    {"*_RSH", EFFECT_TEXT},
    {"*_COMMAND", EFFECT_TEXT},
    {"PS0", EFFECT_PROMPT},
    {"PS1", EFFECT_PROMPT},
    {"PS2", EFFECT_PROMPT},
    {"PS4", EFFECT_PROMPT},
    {"IFS", EFFECT_SPLIT},
    {"BASHOPTS", EFFECT_SHELL},
    {"BASH_COMPAT", EFFECT_SHELL},
    {"CDPATH", EFFECT_SHELL},
    {"EXECIGNORE", EFFECT_SHELL},
    {"GLOBIGNORE", EFFECT_SHELL},
    {"LC_*", EFFECT_HARMLESS},
    {"LANG", EFFECT_HARMLESS},
    {"LANGUAGE", EFFECT_HARMLESS},
    {"TZ", EFFECT_HARMLESS},
    {"NO_COLOR", EFFECT_HARMLESS},
    {"CLICOLOR*", EFFECT_HARMLESS},
    {"FORCE_COLOR", EFFECT_HARMLESS},
    {"TERM", EFFECT_HARMLESS},
    {"COLORTERM", EFFECT_HARMLESS},
    {"COLUMNS", EFFECT_HARMLESS},
    {"LINES", EFFECT_HARMLESS},
    {"MANWIDTH", EFFECT_HARMLESS},
    {"BLOCK_SIZE", EFFECT_HARMLESS},
    {"BLOCKSIZE", EFFECT_HARMLESS},
    {"TIME_STYLE", EFFECT_HARMLESS},
    {"QUOTING_STYLE", EFFECT_HARMLESS},
    {"LS_COLORS", EFFECT_HARMLESS},
    {"GREP_COLOR*", EFFECT_HARMLESS},
    {"SOURCE_DATE_EPOCH", EFFECT_HARMLESS},
    {"DEBIAN_FRONTEND", EFFECT_HARMLESS},
    {"CI", EFFECT_HARMLESS},
    {"RUST_BACKTRACE", EFFECT_HARMLESS},
    {"PYTHONDONTWRITEBYTECODE", EFFECT_HARMLESS},
    {"PYTHONUNBUFFERED", EFFECT_HARMLESS},
    {"PYTHONIOENCODING", EFFECT_HARMLESS},
    {"PYTHONUTF8", EFFECT_HARMLESS},
    {"PYTHONHASHSEED", EFFECT_HARMLESS},
    {"GIT_AUTHOR_*", EFFECT_HARMLESS},
    {"GIT_COMMITTER_*", EFFECT_HARMLESS},
    {"GIT_OPTIONAL_LOCKS", EFFECT_HARMLESS},
    {"GIT_TERMINAL_PROMPT", EFFECT_HARMLESS},
    {"GOOS", EFFECT_HARMLESS},
    {"GOARCH", EFFECT_HARMLESS},
    {"CGO_ENABLED", EFFECT_HARMLESS},
};

/* Options that only change how much, how fast or in which form output comes. */
static const char *const harmless_options[] = {
    "-[0-9]",    "-[vq]",    "-T[0-9]*", "-j[0-9]*",    "--color*",
    "-R",        "-F",       "-X",       "-S",          "-FRX",
    "-FX",       "-RX",      "-FRSX",    "--threads=*", "--verbose",
    "--quiet",   "-Xm[sx]*", "-race",    "--max-old-*", "-mod=readonly",
    "--height*", NULL,
};

/* Whether code from a directory of a list is not trusted: a relative one, one
 * below the working directory, or one where anybody may write. */
static bool
is_untrusted_directory(const struct risk_state *st, const char *dir, size_t n)
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

/* Whether an expansion in a list of directories depends on the line. The
 * environment's $GOPATH existed before, and an assignment to $PATH is checked
 * where it is made. */
static bool
is_set_by_line(const struct risk_state *st, const char *name,
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
        v = risk_variable_find(st, p->text, n);
        if (p->kind != SYNTAX_PARAMETER || p->op[0] || n == 0 || p->text[n] ||
            (p->next && !strchr("/:", p->next->text[0])) ||
            (v && v->ever && strcmp(p->text, name) != 0))
            return true;
    }
    return !value->source;
}

/* An empty entry is the working directory, surely only in PATH. */
static bool
has_untrusted_directory(const struct risk_state *st, const char *list,
                        bool is_path)
{
    for (;;) {
        size_t n = strcspn(list, ":");

        if ((n || is_path) && is_untrusted_directory(st, list, n))
            return true;
        if (!list[n])
            return false;
        list += n + 1;
    }
}

static bool
are_harmless_options(struct risk_state *st, const char *text)
{
    while (*(text += strspn(text, " \t\n"))) {
        size_t n = strcspn(text, " \t\n");
        const char *word = risk_copy(st, text, n);
        const char *const *m = harmless_options;

        while (*m && !risk_pattern_matches(*m, word))
            m++;
        if (!*m)
            return false;
        text += n;
    }
    return true;
}

static bool
variable_row_matches(const char *row, const char *name, size_t n)
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

static enum variable_effect
effect_of(const char *name, size_t n)
{
    for (size_t i = 0; i < ARRAY_SIZE(variable_effects); i++)
        if (variable_row_matches(variable_effects[i].name, name, n))
            return variable_effects[i].effect;
    return EFFECT_UNLISTED;
}

static void
report_effect(struct risk_state *st, const char *name,
              const struct risk_arg *value, const char *says)
{
    risk_report_opaque(st, (struct risk_reason){.kind = RISK_KIND_VARIABLE,
                                                .about = name,
                                                .from = value->from,
                                                .to = value->to,
                                                .says = says});
}

#define PROMPT_END "END-OF-PROMPT" /* of a here-document: nothing is quoted */

/* PS4 is printed by any shell, the others by an interactive one. Backslashes
 * are removed before the rest expands. */
static void
walk_prompt(struct risk_state *st, const struct risk_frame *f, const char *name,
            const struct risk_arg *value)
{
    const char *text = value->text;
    bool known = value->known && !strchr(text, '\\') &&
                 !strstr(text, PROMPT_END);

    if (name[2] == '4' ? known && !strpbrk(text, "$`")
                       : !value->known || !strpbrk(text, "$`"))
        return;
    text = risk_join(st, risk_join(st, ": <<" PROMPT_END "\n", text),
                     "\n" PROMPT_END);
    risk_walk_text_later(st, f, text, known || name[2] != '4');
}

/* Reads the value as a text for a shell. */
static void
walk_text_value(struct risk_state *st, const struct risk_frame *f,
                const char *name, const struct risk_arg *value, bool is_prompt)
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
        risk_walk_text_later(st, &inner, text, value->known);
}

bool
risk_environment_is_unlisted(const char *name, size_t n)
{
    return effect_of(name, n) == EFFECT_UNLISTED;
}

bool
risk_environment_set(struct risk_state *st, const struct risk_frame *f,
                     const char *name, size_t n, const struct risk_arg *value)
{
    const char *about = risk_copy(st, name, n);
    enum variable_effect effect = effect_of(name, n);

    if (value->known && !value->text[0] && effect != EFFECT_SPLIT &&
        effect != EFFECT_DIRECTORIES)
        return true; /* as if it were unset */
    switch (effect) {
    case EFFECT_CODE:
        report_effect(st, about, value,
                      "a variable makes programs run unchecked code");
        return true;
    case EFFECT_DIRECTORIES:
        if (is_set_by_line(st, about, value) ||
            has_untrusted_directory(st, value->text,
                                    strcmp(about, "PATH") == 0))
            report_effect(
                st, about, value,
                "runs code from a directory that anybody can write to");
        return true;
    case EFFECT_OPTIONS:
        if (!value->known || !are_harmless_options(st, value->text))
            report_effect(st, about, value,
                          "a variable gives a program unchecked options");
        return true;
    case EFFECT_SPLIT:
        risk_state_note_change(st, &st->split_changed, &st->splits_often);
        return true;
    case EFFECT_SHELL:
        report_effect(st, about, value,
                      "a variable changes what the line means to bash");
        return true;
    case EFFECT_PROMPT:
    case EFFECT_TEXT:
        walk_text_value(st, f, about, value, effect == EFFECT_PROMPT);
        return true;
    case EFFECT_HARMLESS:
        /* a locale or terminal definition in a file can exploit a program */
        return value->text[0] != '/' && !strstr(value->text, "./");
    case EFFECT_UNLISTED:
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
        risk_environment_set(st, f, name, n, &any);
}
