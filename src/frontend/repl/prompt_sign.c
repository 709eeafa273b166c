/* SPDX-License-Identifier: GPL-3.0-or-later */
/* prompt_sign.c - what the prompt begins with. */
#include "frontend/repl/prompt_sign.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/path.h"
#include "base/utf8.h"
#include "term/escape.h"

#define VALUE_MAX  64 /* bytes of a field that are shown */
#define HASH_SHOWN 7  /* of a commit, where no branch is checked out */

/* The branch of a directory, and the file that says it. */
struct branch {
    char *cwd;
    char *head; /* .git/HEAD; where there is none: cwd/.git */
    struct stat was;
    bool there;
    char name[VALUE_MAX + 1]; /* "": none */
};

struct prompt_sign {
    char *form;
    char *model; /* NULL: the provider's */
    struct branch branch;
};

static const char *
first_set(const char *variable, const char *setting)
{
    const char *value = getenv(variable);

    return value && *value ? value : setting;
}

struct prompt_sign *
prompt_sign_new(const struct config *c)
{
    struct prompt_sign *s = calloc(1, sizeof(*s));
    const char *form = config_text(c, CONFIG_SHELL_PROMPT_SIGN);
    const char *model = first_set("AGENTSH_MODEL",
                                  config_text(c, CONFIG_MODEL_MODEL));

    if (!s)
        return NULL;
    if (!model)
        model = first_set("AGENTSH_PROVIDER",
                          config_text(c, CONFIG_MODEL_PROVIDER));
    s->form = strcmp(form, "none") == 0 ? NULL : strdup(form);
    s->model = model ? strdup(model) : NULL;
    return s;
}

void
prompt_sign_free(struct prompt_sign *s)
{
    if (!s)
        return;
    free(s->form);
    free(s->model);
    free(s->branch.cwd);
    free(s->branch.head);
    free(s);
}

/* Readline takes bytes 1 and 2 as its own, and a terminal takes escapes. */
static void
put_clean(struct buf *out, const char *text)
{
    CLEANUP_BUF struct buf whole = buf_of(VALUE_MAX * 4);
    size_t len = strlen(text), n, at = 0;
    uint32_t cp;

    utf8_repair(&whole, text, len < VALUE_MAX ? len : VALUE_MAX);
    while (at < whole.len) {
        n = utf8_decode(whole.p + at, whole.len - at, &cp);
        if (n == 0)
            return;
        if (cp < 0x20 || cp == 0x7f || escape_is_hidden(cp))
            buf_ch(out, '?');
        else
            buf_add(out, whole.p + at, n);
        at += n;
    }
}

/* "ref: refs/heads/NAME", or a commit. */
static void
read_head(struct branch *b)
{
    static const char heads[] = "ref: refs/heads/";
    CLEANUP_BUF struct buf text = buf_of(PATH_MAX);
    const char *name;

    *b->name = '\0';
    if (file_read_regular(b->head, &text, NULL) < 0 || text.len == 0)
        return;
    buf_cut(&text, strcspn(text.p, "\r\n"));
    name = text.p;
    if (strncmp(name, heads, strlen(heads)) == 0)
        snprintf(b->name, sizeof(b->name), "%s", name + strlen(heads));
    else if (strncmp(name, "ref:", 4) != 0)
        snprintf(b->name, sizeof(b->name), "%.*s", HASH_SHOWN, name);
}

/* HEAD of the repository whose .git is in dir, a directory or, in a worktree, a
 * file with the name of one; NULL: there is none. */
static char *
find_head(const char *dir)
{
    static const char label[] = "gitdir: ";
    CLEANUP(free_p) char *git = path_join(dir, ".git");
    CLEANUP(free_p) char *other = NULL;
    CLEANUP_BUF struct buf text = buf_of(PATH_MAX);
    const char *named;
    struct stat st;

    if (!git || stat(git, &st) < 0)
        return NULL;
    if (S_ISDIR(st.st_mode))
        return path_join(git, "HEAD");
    if (file_read_regular(git, &text, NULL) < 0 || text.len == 0 ||
        strncmp(text.p, label, strlen(label)) != 0)
        return NULL;
    buf_cut(&text, strcspn(text.p, "\r\n"));
    named = text.p + strlen(label);
    other = *named == '/' ? strdup(named) : path_join(dir, named);
    return other ? path_join(other, "HEAD") : NULL;
}

/* Upwards from the directory. Where there is no repository, what is watched is
 * a .git in the directory itself. */
static void
find_branch(struct branch *b, const char *cwd)
{
    CLEANUP(free_p) char *dir = strdup(cwd);
    char *slash;

    free(b->cwd);
    free(b->head);
    b->cwd = strdup(cwd);
    b->head = NULL;
    *b->name = '\0';
    while (dir && !(b->head = find_head(*dir ? dir : "/"))) {
        slash = strrchr(dir, '/');
        if (!slash)
            break;
        *slash = '\0';
    }
    if (!b->head)
        b->head = path_join(cwd, ".git");
    b->there = b->head && stat(b->head, &b->was) == 0;
    if (b->there)
        read_head(b);
}

static bool
is_same_head(const struct stat *a, const struct stat *b)
{
    return a->st_ino == b->st_ino && a->st_dev == b->st_dev &&
           a->st_size == b->st_size && a->st_mtim.tv_sec == b->st_mtim.tv_sec &&
           a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

static const char *
branch_of(struct branch *b, const char *cwd)
{
    struct stat now;
    bool there;

    if (b->cwd && b->head && strcmp(b->cwd, cwd) == 0) {
        there = stat(b->head, &now) == 0;
        if (there == b->there && (!there || is_same_head(&now, &b->was)))
            return b->name;
    }
    find_branch(b, cwd);
    return b->name;
}

/* The value of the field at form, behind its brace; "": none. */
static const char *
field_value(struct prompt_sign *s, const char *form, const char *cwd,
            const char *status)
{
    if (strncmp(form, "model}", strlen("model}")) == 0)
        return s->model ? s->model : "";
    if (strncmp(form, "branch}", strlen("branch}")) == 0)
        return branch_of(&s->branch, cwd);
    return status;
}

void
prompt_sign_write(struct prompt_sign *s, const char *cwd, int status,
                  struct buf *out)
{
    char number[16] = "";
    const char *at = s ? s->form : NULL;
    size_t from = out->len;

    if (status != 0)
        snprintf(number, sizeof(number), "%d", status);
    while (at && *at) {
        size_t n = strcspn(at, "{");
        char text[2] = "";
        const char *value;

        for (; n > 0; n--, at++) {
            text[0] = *at;
            buf_str(out, (unsigned char)*at < 0x20 ? " " : text);
        }
        if (!*at)
            break;
        value = field_value(s, at + 1, cwd, number);
        while (!*value && out->len > from && out->p[out->len - 1] == ' ')
            buf_cut(out, out->len - 1);
        put_clean(out, value);
        at += strcspn(at, "}");
        at += *at == '}';
    }
    if (out->len > from)
        buf_ch(out, ' ');
}
