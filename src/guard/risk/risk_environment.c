/* SPDX-License-Identifier: GPL-3.0-or-later */
/* risk_environment.c - variables that make programs run code. */
#include <string.h>

#include "base/path.h"
#include "guard/path/path_table.h"
#include "guard/risk/risk_memory.h"
#include "guard/risk/risk_run.h"

enum effect {
    CODE,   /* its value, or the file it names, is code that is run */
    PLACES, /* directories that code is taken from */
    TEXT,   /* a command line for a shell */
    PROMPT, /* shown by a shell, which runs the $(…) in it */
    SPLIT,  /* changes how words are made */
};

static const struct {
    const char *name;
    enum effect effect;
} rows[] = {
    {"BASH_ENV", CODE},
    {"ENV", CODE},
    {"LD_PRELOAD", CODE},
    {"LD_AUDIT", CODE},
    {"DYLD_INSERT_LIBRARIES", CODE},
    {"NODE_OPTIONS", CODE},
    {"PERL5OPT", CODE},
    {"PYTHONSTARTUP", CODE},
    {"PYTHONINSPECT", CODE},
    {"RUBYOPT", CODE},
    {"LD_LIBRARY_PATH", PLACES},
    {"DYLD_LIBRARY_PATH", PLACES},
    {"PATH", PLACES},
    {"PERL5LIB", PLACES},
    {"PERLLIB", PLACES},
    {"EDITOR", TEXT},
    {"VISUAL", TEXT},
    {"PAGER", TEXT},
    {"MANPAGER", TEXT},
    {"BROWSER", TEXT},
    {"GIT_PAGER", TEXT},
    {"GIT_EDITOR", TEXT},
    {"GIT_SEQUENCE_EDITOR", TEXT},
    {"GIT_SSH", TEXT},
    {"GIT_SSH_COMMAND", TEXT},
    {"GIT_ASKPASS", TEXT},
    {"GIT_EXTERNAL_DIFF", TEXT},
    {"GIT_PROXY_COMMAND", TEXT},
    {"SSH_ASKPASS", TEXT},
    {"SUDO_ASKPASS", TEXT},
    {"SUDO_EDITOR", TEXT},
    {"LESSOPEN", TEXT},
    {"LESSCLOSE", TEXT},
    {"PROMPT_COMMAND", TEXT},
    {"RSYNC_RSH", TEXT},
    {"CVS_RSH", TEXT},
    {"PS0", PROMPT},
    {"PS1", PROMPT},
    {"PS2", PROMPT},
    {"PS4", PROMPT},
    {"IFS", SPLIT},
};

/* One directory of a list from which nobody else's code should be taken: a
 * relative one, or one where anybody may write. */
static bool
is_open(const char *dir, size_t n, const char *home)
{
    char path[PATH_MAX];

    if (n == 0 || (dir[0] != '/' && dir[0] != '~' && dir[0] != '$'))
        return true;
    if (dir[0] != '/' || n >= sizeof(path))
        return n >= sizeof(path);
    snprintf(path, sizeof(path), "%.*s", (int)n, dir);
    path_clean(path);
    if (home && home[0] && home[1] && path_is_below(path, home))
        return false;
    return path_is(path, PATH_IS_SHARED);
}

static bool
has_open_place(const char *list, const char *home)
{
    while (*list) {
        size_t n = strcspn(list, ":");

        if (n && is_open(list, n, home))
            return true;
        list += n + (list[n] == ':');
    }
    return false;
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

void
risk_environment(struct risk_state *st, const struct risk_frame *f,
                 const char *name, size_t n, const struct risk_arg *value)
{
    struct risk_frame inner = *f;
    const char *text = value->text;
    size_t i = 0;

    while (i < sizeof(rows) / sizeof(rows[0]) &&
           (strncmp(rows[i].name, name, n) != 0 || rows[i].name[n]))
        i++;
    if (i == sizeof(rows) / sizeof(rows[0]))
        return;
    switch (rows[i].effect) {
    case CODE:
        if (value->text[0] || !value->known)
            report(st, rows[i].name, value,
                   "a variable makes programs run code nobody read");
        return;
    case PLACES:
        if (has_open_place(value->text, st->where->home))
            report(st, rows[i].name, value,
                   "code is taken from a place anybody may write");
        return;
    case SPLIT:
        st->split_changed = true;
        return;
    case PROMPT:
    case TEXT:
        inner.outer = f;
        inner.mapped = true;
        inner.from = value->from;
        inner.to = value->to;
        if (rows[i].effect == TEXT)
            risk_walk_later(st, &inner, text, value->known);
        else
            walk_prompt(st, &inner, rows[i].name, value);
        return;
    }
}
