/* SPDX-License-Identifier: GPL-3.0-or-later */
/* model_setup.h - writes which model is asked, and the key for it, into the
 * configuration directory.
 *
 * The key gets a file of its own with mode 0600, PROVIDER.key, which the
 * setting api_key_file names. In the file of settings those lines alone change
 * that are about the model (config_edit.h). A setting that belongs to the
 * provider of before, such as its base_url or its key, would send one
 * provider's key to the server of another: its line becomes a comment. Nothing
 * is written before model_setup_write. */
#ifndef UI_MODEL_SETUP_H
#define UI_MODEL_SETUP_H

#include "base/cleanup.h"
#include "model/provider/provider.h"
#include "ui/app.h"

/* What a person chose. All is borrowed. */
struct model_choice {
    const struct provider *provider; /* NULL: the offline engine */
    const char *url;   /* of a server that was discovered; NULL: another one */
    const char *model; /* NULL: the provider's default */
    const char *key;   /* as it was typed; NULL: none was */
};

struct model_setup; /* the settings as they were at first */

/* Reads the settings of the user. ERR_CONFIG: they are wrong, or the file is
 * not the user's own; else they could not be written. */
struct model_setup *model_setup_open(struct app *a, struct err *e);
void model_setup_free(struct model_setup *s); /* accepts NULL */
DEFINE_CLEANUP(struct model_setup, model_setup_free)

/* Whether the settings are about this provider; NULL: the offline engine. */
bool model_setup_is_current(const struct model_setup *s,
                            const struct provider *p);

/* The setting that says where the key of this provider is, by its name; NULL:
 * none does. Static. */
const char *model_setup_key_setting(const struct model_setup *s,
                                    const struct provider *p);

/* Whether this provider is asked at another address than its own, by the
 * settings or a variable. */
bool model_setup_has_own_url(const struct model_setup *s,
                             const struct provider *p);

/* The model that the settings name for this provider; NULL: none. Borrowed. */
const char *model_setup_model(const struct model_setup *s,
                              const struct provider *p);

/* The configuration as it would be with the choice, which the caller frees.
 * The file with the key need not exist. ERR_CONFIG: a value does not fit, or
 * the file of the administrator has a setting of another provider. */
struct config *model_setup_try(const struct model_setup *s,
                               const struct model_choice *c, struct err *e);

/* Writes it, the key first; signals wait. Where it fails, all is as before. */
int model_setup_write(const struct model_setup *s, const struct model_choice *c,
                      struct err *e);

/* Appends what was written where, in sentences. */
void model_setup_describe(const struct model_setup *s,
                          const struct model_choice *c, struct buf *out);

#endif
