/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_plugin_new.c - agentsh plugin new: create a working plugin from a
 * template. */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/path.h"
#include "base/proc.h"
#include "frontend/cli/command.h"
#include "frontend/cli/template_text.h"
#include "tool/manifest.h"
#include "ui/app.h"

#define TEXT_MAX (64u << 10) /* of a template's file, with its name in it */
#define MAKE_MS  60000       /* a compiler on a small machine */

static const char mark[] = "@NAME@";

static void
put_template_text(struct buf *out, const char *text, const char *name)
{
    const char *at;

    while ((at = strstr(text, mark)) != NULL) {
        buf_add(out, text, (size_t)(at - text));
        buf_str(out, name);
        text = at + sizeof(mark) - 1;
    }
    buf_str(out, text);
}

static void
put_template_path(struct buf *out, const struct template_text *t,
                  const char *dir, const char *name)
{
    bool named = strncmp(t->file, "NAME", 4) == 0;

    buf_printf(out, "%s/%s%s", dir, named ? name : "",
               named ? t->file + 4 : t->file);
}

static int
write_one(const struct template_text *t, const char *dir, const char *name,
          struct err *e)
{
    CLEANUP_BUF struct buf text = buf_of(TEXT_MAX);
    CLEANUP_BUF struct buf path = buf_of(PATH_MAX);

    put_template_text(&text, t->text, name);
    put_template_path(&path, t, dir, name);
    if (buf_ok(&text, t->file, e) < 0 || buf_ok(&path, "the path", e) < 0)
        return -1;
    return file_write(path.p, text.p, text.len,
                      strncmp(t->text, "#!", 2) == 0 ? 0755 : 0644, e);
}

static int
write_templates(const char *lang, const char *dir, const char *name,
                struct err *e)
{
    const struct template_text *t = template_texts();

    for (; t->lang; t++) {
        if (strcmp(t->lang, lang) == 0 && write_one(t, dir, name, e) < 0)
            return -1;
    }
    return 0;
}

/* A half-made one would stand in the way of the next try. */
static void
remove_all(const char *lang, const char *dir, const char *name)
{
    const struct template_text *t = template_texts();

    for (; t->lang; t++) {
        CLEANUP_BUF struct buf path = buf_of(PATH_MAX);

        if (strcmp(t->lang, lang) != 0)
            continue;
        put_template_path(&path, t, dir, name);
        if (!path.bad)
            unlink(path.p);
    }
    rmdir(dir);
}

static bool
is_built(const char *lang)
{
    const struct template_text *t = template_texts();

    for (; t->lang; t++) {
        if (strcmp(t->lang, lang) == 0 && strcmp(t->file, "Makefile") == 0)
            return true;
    }
    return false;
}

static int
build(const char *dir, struct err *e)
{
    CLEANUP(free_p) char *make = path_find_program("make");
    CLEANUP(proc_free_p) struct proc *p = NULL;
    const char *const argv[] = {make, "-s", NULL};
    const struct proc_spec spec = {
        .argv = argv,
        .cwd = dir,
        .fds = {PROC_NULL, STDERR_FILENO, STDERR_FILENO},
        .pass_fd = -1,
    };
    int status = 0, rc;

    if (!make)
        return err_set(e, ERR_UNSUPPORTED, "make: command not found");
    if (!(p = proc_start(&spec, e)))
        return -1;
    rc = proc_wait(p, MAKE_MS, &status, e);
    if (rc < 0)
        return -1;
    return rc == 0 && status == 0 ? 0 : err_set(e, ERR_TOOL, "make failed");
}

/* The first tool of a name is found, and ours are looked for first. */
static bool
is_name_taken(const char *name)
{
    CLEANUP(free_p) char *ours = path_libexec("plugins", NULL);
    CLEANUP(free_p) char *dir = ours ? path_join(ours, name) : NULL;

    return dir && access(dir, F_OK) == 0;
}

static int
make_plugin(struct command_args *c, const char *name, const char *path,
            struct err *e)
{
    const char *lang = c->options.lang ? c->options.lang : "sh";
    CLEANUP_BUF struct buf out = buf_of(4 * PATH_MAX);
    struct err why = {0};

    if (!manifest_is_name(name))
        return err_set(e, ERR_USAGE,
                       "'%.64s' is not a valid tool name: a-z 0-9 _ . - and a "
                       "letter or digit first",
                       name);
    if (mkdir(path, 0755) < 0)
        return errno == EEXIST
                   ? err_set(e, ERR_INVALID,
                             "%s already exists; nothing was changed", path)
                   : err_sys(e, "%s", path);
    if (write_templates(lang, path, name, e) < 0) {
        remove_all(lang, path, name);
        return -1;
    }
    if (is_name_taken(name))
        app_note(c->app,
                 "%s is the name of a built-in tool. To do: use another name",
                 name);
    if (is_built(lang) && build(path, &why) < 0)
        app_note(c->app, "%s. To do: make -C %s", why.text, path);
    buf_printf(&out,
               "made %s\n"
               "  try it     agentsh plugin check %s\n"
               "  change it  %s/README says where to begin\n",
               path, path, path);
    app_put_result(c->app, &out);
    return 0;
}

static int
run_plugin_new(struct command_args *c)
{
    const char *dir = c->n == 2 ? c->words[1] : ".";
    CLEANUP(free_p) char *path = NULL;
    struct err e = {0};

    if (c->n < 1 || c->n > 2) {
        err_set(&e, ERR_USAGE,
                "missing argument: its name, and optionally its directory");
        return app_fail(c->app, &e);
    }
    path = path_join(dir, c->words[0]);
    if (!path)
        err_nomem(&e);
    else if (make_plugin(c, c->words[0], path, &e) == 0)
        return 0;
    return app_fail(c->app, &e);
}

const struct command cmd_plugin_new = {
    .name = "plugin new",
    .args = "NAME [DIR]",
    .help = N_("create a new plugin from a template"),
    .options = FOR_NEW | FOR_NAMES,
    .run = run_plugin_new,
};
