/* SPDX-License-Identifier: GPL-3.0-or-later */
/* model_setup.c - writes which model is asked, and the key for it, into the
 * configuration directory. */
#include "ui/model_setup.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/file.h"
#include "base/owner.h"
#include "config/config_edit.h"
#include "model/api_key.h"

#define KEY_FILE_MAX 8192 /* as much as is read of one */
#define EDITS_MAX    8

struct model_setup {
    struct app *app;
    char *dir, *path;      /* of the settings */
    struct config *config; /* all of them, as they were */
    struct config *own;    /* those of the user's file alone */
};

/* What belongs to one provider or server, or to its model. */
enum setting_scope { SCOPE_KEY, SCOPE_SERVER, SCOPE_MODEL };

static const struct {
    enum config_key key;
    enum setting_scope scope;
} bound[] = {
    {CONFIG_MODEL_API_KEY_FILE, SCOPE_KEY},
    {CONFIG_MODEL_API_KEY_COMMAND, SCOPE_KEY},
    {CONFIG_MODEL_BASE_URL, SCOPE_SERVER},
    {CONFIG_MODEL_HEADERS, SCOPE_SERVER},
    {CONFIG_MODEL_PRICE_IN, SCOPE_MODEL},
    {CONFIG_MODEL_PRICE_OUT, SCOPE_MODEL},
};

struct choice_edits {
    struct config_edit v[EDITS_MAX];
    size_t n;
};

void
model_setup_free(struct model_setup *s)
{
    if (!s)
        return;
    config_free(s->config);
    config_free(s->own);
    free(s->dir);
    free(s->path);
    free(s);
}

/* Whether a file can be made in the directory, or in the one above that is
 * there, before anybody types a key for nothing. */
static int
check_writable(const char *path, struct err *e)
{
    char dir[PATH_MAX];
    char *slash;

    if (!realpath(path, dir))
        snprintf(dir, sizeof(dir), "%s", path);
    do {
        if (!(slash = strrchr(dir, '/')))
            return 0;
        *slash = '\0';
    } while (dir[0] && access(dir, F_OK) < 0 && errno == ENOENT);
    if (access(dir[0] ? dir : "/", W_OK | X_OK) < 0)
        return err_sys(e, "the settings cannot be written: %s",
                       dir[0] ? dir : "/");
    return 0;
}

static int
load_settings(struct model_setup *s, struct err *e)
{
    CLEANUP_BUF struct buf text = config_edit_buf();

    if (config_edit_read(s->path, &text, e) < 0 ||
        !(s->config = config_load_text(s->path, text.p, text.len, e)) ||
        !(s->own = config_load_files(NULL, s->path, e)))
        return -1;
    return check_writable(s->path, e);
}

struct model_setup *
model_setup_open(struct app *a, struct err *e)
{
    CLEANUP(model_setup_free_p) struct model_setup *s = calloc(1, sizeof(*s));

    if (!s) {
        err_nomem(e);
        return NULL;
    }
    s->app = a;
    if (!(s->dir = seat_place(a->seat, PATH_CONFIG, NULL, e)) ||
        !(s->path = seat_place(a->seat, PATH_CONFIG, "config", e)) ||
        load_settings(s, e) < 0)
        return NULL;
    return TAKE_PTR(s);
}

bool
model_setup_is_current(const struct model_setup *s, const struct provider *p)
{
    const char *name = config_text(s->config, CONFIG_MODEL_PROVIDER);

    return name && strcmp(name, p ? p->name : "offline") == 0;
}

/* Whether a setting without a provider's name is about this one (select.h). */
static bool
is_about_provider(const struct model_setup *s, const struct provider *p)
{
    const char *name = config_text(s->config, CONFIG_MODEL_PROVIDER);

    return strcmp(name ? name : "openai", p->name) == 0;
}

const char *
model_setup_key_setting(const struct model_setup *s, const struct provider *p)
{
    static const enum config_key keys[] = {CONFIG_MODEL_API_KEY_COMMAND,
                                           CONFIG_MODEL_API_KEY_FILE};

    for (size_t i = 0; i < ARRAY_SIZE(keys) && is_about_provider(s, p); i++) {
        if (config_is_set(s->config, keys[i]))
            return config_row(keys[i])->name;
    }
    return NULL;
}

bool
model_setup_has_own_url(const struct model_setup *s, const struct provider *p)
{
    const char *url = seat_variable(s->app->seat, p->url_var);

    return (url && *url) || (is_about_provider(s, p) &&
                             config_is_set(s->config, CONFIG_MODEL_BASE_URL));
}

const char *
model_setup_model(const struct model_setup *s, const struct provider *p)
{
    return model_setup_is_current(s, p)
               ? config_text(s->config, CONFIG_MODEL_MODEL)
               : NULL;
}

/* The path of the key's file, which the caller frees. */
static char *
key_file_path(const struct model_setup *s, const struct provider *p)
{
    char *path;

    return asprintf(&path, "%s/%s.key", s->dir, p->name) < 0 ? NULL : path;
}

/* As the settings have it: with "~" where that is possible. */
static void
key_file_setting(const struct model_setup *s, const struct provider *p,
                 char out[PATH_MAX])
{
    CLEANUP(free_p) char *path = key_file_path(s, p);

    out[0] = '\0';
    if (path)
        (void)path_short(path, seat_home(s->app->seat), out);
}

static void
add_choice_edit(struct choice_edits *d, enum config_key key, const char *value)
{
    d->v[d->n++] = (struct config_edit){key, value};
}

/* Whether a setting of before is still about what is chosen. */
static bool
is_setting_kept(const struct model_setup *s, const struct model_choice *c,
                enum setting_scope scope)
{
    const char *model = model_setup_model(s, c->provider);

    if (c->url || !is_about_provider(s, c->provider))
        return false;
    if (scope == SCOPE_KEY)
        return !c->key;
    return scope == SCOPE_SERVER ||
           strcmp(model ? model : "", c->model ? c->model : "") == 0;
}

/* The settings that change. key_file holds what they point to. */
static void
make_edits(const struct model_setup *s, const struct model_choice *c,
           char key_file[PATH_MAX], struct choice_edits *d)
{
    const struct provider *p = c->provider;

    d->n = 0;
    add_choice_edit(d, CONFIG_MODEL_PROVIDER, p ? p->name : "offline");
    if (!p)
        return; /* nothing else is of use, or does harm */
    add_choice_edit(d, CONFIG_MODEL_MODEL, c->model);
    key_file_setting(s, p, key_file);
    for (size_t i = 0; i < ARRAY_SIZE(bound); i++) {
        const char *value = NULL;

        if (bound[i].key == CONFIG_MODEL_API_KEY_FILE && c->key)
            value = key_file;
        if (bound[i].key == CONFIG_MODEL_BASE_URL && c->url &&
            strcmp(c->url, p->url) != 0)
            value = c->url;
        if (value || !is_setting_kept(s, c, bound[i].scope))
            add_choice_edit(d, bound[i].key, value);
    }
}

/* What a setting of the administrator's file says cannot be taken back in the
 * user's. */
static int
check_dropped(const struct config *c, const struct choice_edits *d,
              struct err *e)
{
    for (size_t i = 0; i < d->n; i++) {
        if (!d->v[i].value && config_is_set(c, d->v[i].key))
            return err_set(e, ERR_CONFIG,
                           "%s is set in " SYSCONFDIR "/agentsh/config, for "
                           "another choice than this: only its administrator "
                           "can change it",
                           config_row(d->v[i].key)->name);
    }
    return 0;
}

struct config *
model_setup_try(const struct model_setup *s, const struct model_choice *c,
                struct err *e)
{
    CLEANUP_BUF struct buf before = config_edit_buf();
    CLEANUP_BUF struct buf after = config_edit_buf();
    CLEANUP(config_free_p) struct config *trial = NULL;
    struct choice_edits d;
    char key_file[PATH_MAX];

    make_edits(s, c, key_file, &d);
    if (config_edit_read(s->path, &before, e) < 0 ||
        config_edit_text(s->path, before.p, before.len, d.v, d.n, &after, e) <
            0 ||
        !(trial = config_load_text(s->path, after.p, after.len, e)) ||
        check_dropped(trial, &d, e) < 0)
        return NULL;
    return TAKE_PTR(trial);
}

/* Writing. */

/* A file of before, to be put back. */
struct saved_file {
    const char *path;
    struct buf bytes;
    bool there;
};

static int
save_file(struct saved_file *f, struct err *e)
{
    struct err why = {0};

    if (file_read_regular(f->path, &f->bytes, &why) == 0)
        f->there = true;
    else if (why.code != ERR_NOT_FOUND)
        return err_set(e, why.code, "%s", why.text);
    return 0;
}

static void
restore_file(const struct saved_file *f)
{
    if (f->there)
        (void)file_write(f->path, f->bytes.p, f->bytes.len, 0600, NULL);
    else
        (void)unlink(f->path);
}

static int
write_key(const char *path, const char *typed, struct err *e)
{
    CLEANUP_BUF struct buf line = buf_of_secret(KEY_FILE_MAX);
    char *key = NULL;

    if (owner_check_parents(path, e) < 0 ||
        api_key_parse(typed, "the key that you typed", &key, e) < 0)
        return -1;
    buf_printf(&line, "%s\n", key);
    api_key_free(key);
    return buf_ok(&line, "the key", e) < 0
               ? -1
               : file_write(path, line.p, line.len, 0600, e);
}

static int
write_with_key(const struct model_setup *s, const struct model_choice *c,
               const struct choice_edits *d, struct err *e)
{
    CLEANUP(free_p) char *path = key_file_path(s, c->provider);
    struct saved_file before = {path, buf_of_secret(KEY_FILE_MAX), false};
    int rc;

    if (!path)
        return err_nomem(e);
    rc = save_file(&before, e);
    if (rc == 0 && (rc = write_key(path, c->key, e)) == 0 &&
        (rc = config_edit_file(s->path, d->v, d->n, e)) < 0)
        restore_file(&before);
    buf_done(&before.bytes);
    return rc;
}

int
model_setup_write(const struct model_setup *s, const struct model_choice *c,
                  struct err *e)
{
    char key_file[PATH_MAX];
    struct choice_edits d;
    sigset_t all, before;
    int rc;

    make_edits(s, c, key_file, &d);
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before);
    rc = seat_make_dirs(s->app->seat, s->dir, 0700, e);
    if (rc == 0)
        rc = c->key ? write_with_key(s, c, &d, e)
                    : config_edit_file(s->path, d.v, d.n, e);
    sigprocmask(SIG_SETMASK, &before, NULL);
    return rc;
}

/* The names of the settings that have a value now, or none. */
static void
list_settings(const struct model_setup *s, const struct choice_edits *d,
              bool dropped, const char *before, struct buf *out)
{
    for (size_t i = 0; i < d->n; i++) {
        enum config_key key = d->v[i].key;

        if (dropped ? d->v[i].value || !config_is_set(s->own, key)
                    : !d->v[i].value)
            continue;
        buf_printf(out, "%s%s", before, config_row(key)->name);
        before = ", ";
    }
}

void
model_setup_describe(const struct model_setup *s, const struct model_choice *c,
                     struct buf *out)
{
    char key_file[PATH_MAX], path[PATH_MAX];
    struct choice_edits d;

    make_edits(s, c, key_file, &d);
    if (c->key)
        buf_printf(out, "The key is in %s. ", key_file);
    list_settings(s, &d, false, "Wrote ", out);
    buf_printf(out, " in %s",
               path_short(s->path, seat_home(s->app->seat), path));
    list_settings(s, &d, true,
                  "; what was for another is a comment now: ", out);
    buf_str(out, ".");
}
